//! Funs: heads that hide outer names and still use them as keys and sizes; funs with names.

use super::pattern::Outer;
use super::{Generator, Kind};

impl Generator {
    pub fn fun(&mut self, arity: usize, kind: Kind, d: usize) -> String {
        let mut clauses = vec![];
        if self.random.once_in(2) {
            clauses.push(self.fun_clause(arity, kind, d).0);
        }
        clauses.push(self.last_clause(arity, kind, d));
        format!("fun {} end", clauses.join("; "))
    }

    /// A clause, and arguments that it mostly takes.
    fn fun_clause(&mut self, arity: usize, kind: Kind, d: usize) -> (String, String) {
        self.scoped(|g| {
            let mut head = g.head(Outer::Hidden);
            let (mut patterns, mut values) = (vec![], vec![]);
            for _ in 0..arity {
                let part = g.shape(&mut head, Kind::Any, 2);
                patterns.push(part.pattern);
                values.push(part.value);
            }
            let guard = if g.random.once_in(3) { g.when() } else { String::new() };
            let body = g.value(kind, d);
            (format!("({}){guard} -> {body}", patterns.join(", ")), values.join(", "))
        })
    }

    fn last_clause(&mut self, arity: usize, kind: Kind, d: usize) -> String {
        self.scoped(|g| {
            let mut heads: Vec<String> = vec![];
            while heads.len() < arity {
                let name = g.hiding_name();
                if !heads.contains(&name) {
                    g.scope.push((name.clone(), Kind::Any));
                    heads.push(name);
                }
            }
            format!("({}) -> {}", heads.join(", "), g.value(kind, d))
        })
    }

    /// A fun that is called at once, with what its first clause takes.
    pub fn called_fun(&mut self, kind: Kind, d: usize) -> String {
        let arity = 1 + self.random.below(2);
        let (clause, arguments) = self.fun_clause(arity, kind, d);
        let last = self.last_clause(arity, kind, d);
        match self.random.below(4) {
            0 => format!("(fun {clause}; {last} end)({arguments})"),
            1 => {
                // Its name may hide a variable. A parameter of the same name is left out: OTP 25
                // compares it with the fun, although its checker says that it is hidden.
                let hiding = Some(self.hiding_name());
                let hiding = hiding.filter(|n| !clause.contains(n) && !last.contains(n));
                let name = hiding.unwrap_or_else(|| self.name());
                format!("(fun {name}{clause}; {name}{last} end)({arguments})")
            }
            2 => format!("apply(fun {clause}; {last} end, [{arguments}])"),
            _ => self.applied_macro(kind, d),
        }
    }

    fn applied_macro(&mut self, kind: Kind, d: usize) -> String {
        self.scoped(|g| {
            let mut head = g.head(Outer::Hidden);
            let part = g.shape(&mut head, Kind::Any, 2);
            let body = g.expr(kind, d);
            format!("?APPLY(({}), ({}), ({body}))", part.pattern, part.value)
        })
    }

    /// A fun that calls itself by its name a few times.
    pub fn recursive_fun(&mut self, kind: Kind, d: usize) -> String {
        let (name, n) = (self.name(), self.random.below(4));
        let (more, last) = self.scoped(|g| {
            g.scope.push((format!("{name}N"), Kind::Int));
            (g.expr(Kind::Any, d.min(1)), g.expr(kind, d.min(2)))
        });
        format!(
            "(fun {name}({name}N) when {name}N > 0 -> [{more} | {name}({name}N - 1)]; \
             {name}({name}N) -> {last} end)({n})"
        )
    }
}
