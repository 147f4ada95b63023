//! Branches and exceptions.

use super::pattern::{Outer, Shape};
use super::{Generator, KINDS, Kind};
use std::fmt::Write;

impl Generator {
    /// An expression that chooses, whose value is of the kind.
    pub fn control(&mut self, kind: Kind, d: usize) -> String {
        match self.random.below(14) {
            0 | 1 => self.case(kind, d),
            2 => self.conditions(kind, d),
            3..=5 => self.try_catch(kind, d),
            6 => self.caught(kind, d),
            7 | 8 => self.called_fun(kind, d),
            9 => {
                let raise = self.random.pick(&["throw", "exit", "error", "erlang:error"]);
                let reason = self.expr(Kind::Any, d.min(1));
                let (test, value) = (self.expr(Kind::Bool, d), self.value(kind, d));
                format!("case {test} of true -> {raise}({reason}); _ -> {value} end")
            }
            10 => format!("begin {} end", self.value(kind, d)),
            11 => self.receive(kind, d),
            12 => self.maybe(kind, d),
            _ => self.recursive_fun(kind, d),
        }
    }

    /// Expressions, whose last is a value of the kind and whose variables stay inside.
    pub fn value(&mut self, kind: Kind, d: usize) -> String {
        self.scoped(|g| if g.random.once_in(4) { g.body(d) } else { g.expr(kind, d) })
    }

    fn case(&mut self, kind: Kind, d: usize) -> String {
        let of = self.random.pick(KINDS);
        if self.random.once_in(3) {
            let subject = self.expr(of, d);
            return format!("case {subject} of {} end", self.clauses(of, kind, d));
        }
        let (first, value) = self.fitting_clause(of, kind, d);
        format!("case {value} of {first}; {} end", self.clauses(of, kind, d))
    }

    /// A clause with a value that mostly fits it.
    fn fitting_clause(&mut self, of: Kind, kind: Kind, d: usize) -> (String, String) {
        self.scoped(|g| {
            let mut head = g.head(Outer::Compared);
            let Shape { pattern, value } = g.shape(&mut head, of, 2);
            let guard = if g.random.once_in(4) { g.when() } else { String::new() };
            (format!("{pattern}{guard} -> {}", g.value(kind, d)), value)
        })
    }

    fn conditions(&mut self, kind: Kind, d: usize) -> String {
        let mut clauses = vec![];
        for _ in 0..=self.random.below(2) {
            clauses.push(format!("{} -> {}", self.guard(2), self.value(kind, d)));
        }
        if self.random.below(5) > 0 {
            clauses.push(format!("true -> {}", self.value(kind, d)));
        }
        format!("if {} end", clauses.join("; "))
    }

    fn caught(&mut self, kind: Kind, d: usize) -> String {
        let tried = self.scoped(|g| g.expr(kind, d));
        let (reason, value) = (self.name(), self.name());
        format!(
            "case catch {tried} of {{'EXIT', {{{reason}, _}}}} -> {{caught, {reason}}}; \
             {value} -> {value} end"
        )
    }

    /// What the body binds is known in the patterns of `of`, and nowhere else.
    fn try_catch(&mut self, kind: Kind, d: usize) -> String {
        let mut text = self.scoped(|g| {
            if g.random.once_in(2) {
                return format!("try {}", g.body(d));
            }
            let statements = g.statements(d, 1);
            let (first, value) = g.fitting_clause(Kind::Any, kind, d);
            let clauses = g.clauses(Kind::Any, kind, d);
            format!("try {statements}{value} of {first}; {clauses}")
        });
        let _ = write!(text, " catch {}", self.catch_clauses(kind, d));
        if self.random.once_in(3) {
            let after = self.block(d.min(1));
            let _ = write!(text, " after {after}");
        }
        text + " end"
    }

    fn catch_clauses(&mut self, kind: Kind, d: usize) -> String {
        let (class, reason) = (self.name(), self.name());
        match self.random.below(5) {
            0 => format!("throw:{reason} -> {{thrown, {reason}}}"),
            1 => {
                let (pattern, value) =
                    self.scoped(|g| (g.pattern_of(Kind::Any, 2), g.expr(kind, d)));
                format!("error:{pattern} -> {value}; {class}:{reason} -> {{{class}, {reason}}}")
            }
            2 => format!("error:badarith -> arith; error:{{badmatch, {reason}}} -> {reason}"),
            3 => {
                let trace = self.name();
                format!(
                    "{class}:{reason}:{trace} -> \
                     case {reason} of _ when is_list({trace}) -> {{{class}, {reason}}} end"
                )
            }
            _ => format!("{class}:{reason} -> {{{class}, {reason}}}"),
        }
    }

    /// Clauses over a value of a kind; mostly one that always matches comes last.
    pub fn clauses(&mut self, of: Kind, kind: Kind, d: usize) -> String {
        let mut clauses = vec![];
        for _ in 0..=self.random.below(3) {
            clauses.push(self.fitting_clause(of, kind, d).0);
        }
        if self.random.below(5) > 0 {
            let last = self.scoped(|g| {
                let rest = g.bind(Kind::Any);
                format!("{rest} -> {}", g.value(kind, d))
            });
            clauses.push(last);
        }
        clauses.join("; ")
    }

    /// Messages to oneself, and a receive that may take one of them.
    fn receive(&mut self, kind: Kind, d: usize) -> String {
        let (first, value) = self.fitting_clause(Kind::Any, kind, d);
        let other = self.expr(Kind::Any, d.min(1));
        let clauses = self.fitting_clause(Kind::Any, kind, d).0;
        let after = self.value(kind, d);
        let order = self.random.pick(&["self() ! %o, self() ! %v", "self() ! %v, self() ! %o"]);
        let sends = order.replace("%o", &format!("({other})")).replace("%v", &format!("({value})"));
        format!("begin {sends}, receive {first}; {clauses} after 0 -> {after} end end")
    }

    fn maybe(&mut self, kind: Kind, d: usize) -> String {
        let body = self.scoped(|g| {
            let mut parts = vec![];
            for _ in 0..=g.random.below(2) {
                let mut head = g.head(Outer::Compared);
                let Shape { pattern, value } = g.shape(&mut head, Kind::Any, 2);
                let sign = g.random.pick(&["?=", "?=", "="]);
                parts.push(format!("{pattern} {sign} {value}"));
            }
            parts.push(g.expr(kind, d));
            parts.join(", ")
        });
        match self.random.once_in(2) {
            true => format!("maybe {body} end"),
            false => format!("maybe {body} else {} end", self.clauses(Kind::Any, kind, d)),
        }
    }
}
