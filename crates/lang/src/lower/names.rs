//! The names that the functions made from funs and comprehensions have on the BEAM:
//! `'-f/1-fun-0-'`, `'-f/1-lc$^0/1-0-'`.
//!
//! OTP numbers them in two passes: the first counts funs and generators together, a fun after
//! what is inside it and a generator before; the second counts generators and funs that have a name
//! inside, outer first.
//! Its optimiser can remove some of them, so a name can differ where it inlines.

use super::order::BindingOrder;
use crate::ast::*;
use crate::visit::for_each_part;
use reverl_term::{Atom, atoms};
use std::collections::HashMap;
use std::rc::Rc;

/// Keyed by the address of the expression (or of the generator's pattern): unique while the
/// tree is borrowed.
type Numbers = HashMap<usize, u32>;

/// Makes the names of funs and comprehensions, as OTP's compiler does.
#[derive(Clone)]
pub struct LiftedNames {
    prefix: Rc<str>,
    first: Rc<Numbers>,
    second: Rc<Numbers>,
    /// What is known of the variables that such a function takes along.
    pub order: BindingOrder,
}

fn key<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

impl LiftedNames {
    /// The names in a function. Until OTP 25 `fun f/1` is counted, too: what compiled code lists tells
    /// which it is.
    pub fn of(function: &Function, is_listed: &dyn Fn(Atom) -> bool) -> LiftedNames {
        let prefix: Rc<str> = format!("-{}/{}-", function.name.name(), function.arity).into();
        let listed = |pass: &FirstPass| {
            let name = |n: &&u32| Atom::new(&format!("{prefix}fun-{n}-"));
            pass.funs.iter().filter(|n| is_listed(name(n))).count()
        };
        let older = FirstPass::of(function, true);
        let newer = older.has_local.then(|| FirstPass::of(function, false));
        let newer = newer.filter(|newer| listed(newer) > listed(&older));
        let mut second = Numbers::new();
        let bodies = function.clauses.iter().flat_map(|clause| &clause.body);
        bodies.for_each(|e| number_second(e, &mut second));
        let first = Rc::new(newer.unwrap_or(older).numbers);
        LiftedNames { prefix, first, second: Rc::new(second), order: BindingOrder::default() }
    }

    /// What the names begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The names inside of a fun.
    pub fn inside_of_fun(&self) -> LiftedNames {
        LiftedNames { order: self.order.of_fun(), ..self.clone() }
    }

    pub fn fun(&self, fun: &Expr) -> Atom {
        let number = |numbers: &Numbers| numbers.get(&key(fun)).copied().unwrap_or(0);
        Atom::new(&match (name_of_fun(fun), &fun.kind) {
            (Some(name), ExprKind::Fun { clauses, .. }) => {
                let arity = clauses[0].patterns.len();
                format!("{}{}/{arity}-{}-", self.prefix, name.name(), number(&self.second))
            }
            _ => format!("{}fun-{}-", self.prefix, number(&self.first)),
        })
    }

    /// `kind` is `lc`, `lbc`, ... as OTP names the kinds; `own` counts its own arguments.
    pub fn generator(&self, pattern: &Expr, kind: &str, own: usize) -> Atom {
        let n = self.first.get(&key(pattern)).copied().unwrap_or(0);
        let m = self.second.get(&key(pattern)).copied().unwrap_or(0);
        Atom::new(&format!("{}{kind}$^{n}/{own}-{m}-", self.prefix))
    }
}

fn give<T>(node: &T, numbers: &mut Numbers) {
    let n = numbers.len() as u32;
    numbers.insert(key(node), n);
}

/// Numbers funs and generators together.
struct FirstPass {
    numbers: Numbers,
    /// The numbers of the funs.
    funs: Vec<u32>,
    counts_local: bool,
    /// There is a `fun f/1`.
    has_local: bool,
}

impl FirstPass {
    fn of(function: &Function, counts_local: bool) -> FirstPass {
        let (numbers, funs) = (Numbers::new(), vec![]);
        let mut pass = FirstPass { numbers, funs, counts_local, has_local: false };
        let bodies = function.clauses.iter().flat_map(|clause| &clause.body);
        bodies.for_each(|e| pass.number(e));
        pass
    }

    fn number(&mut self, expr: &Expr) {
        if let Some((templates, qualifiers)) = comprehension(expr) {
            for qualifier in qualifiers {
                each_source(qualifier, &mut |source| self.number(source));
            }
            for qualifier in qualifiers {
                each_generator(qualifier, &mut |g| give(&g.pattern, &mut self.numbers));
            }
            return templates.iter().for_each(|t| self.number(t));
        }
        let mut parts = vec![];
        for_each_part(expr, &mut |part| parts.push(part));
        // Arguments and elements are made into simple expressions from the last one on.
        let from_last = match &expr.kind {
            ExprKind::List { .. } | ExprKind::Tuple(_) | ExprKind::Call { .. } => true,
            ExprKind::Binop { op, .. } => !matches!(op, BinaryOp::AndAlso | BinaryOp::OrElse),
            _ => false,
        };
        if from_last {
            parts.reverse();
        }
        parts.into_iter().for_each(|part| self.number(part));
        match expr.kind {
            ExprKind::Fun { .. } => {
                self.funs.push(self.numbers.len() as u32);
                give(expr, &mut self.numbers);
            }
            ExprKind::FunLocal { .. } => {
                self.has_local = true;
                if self.counts_local {
                    give(expr, &mut self.numbers);
                }
            }
            _ => {}
        }
    }
}

fn number_second(expr: &Expr, numbers: &mut Numbers) {
    match comprehension(expr) {
        Some((templates, qualifiers)) => {
            for qualifier in qualifiers {
                each_generator(qualifier, &mut |g| give(&g.pattern, numbers));
            }
            for qualifier in qualifiers {
                each_source(qualifier, &mut |source| number_second(source, numbers));
            }
            templates.iter().for_each(|t| number_second(t, numbers));
        }
        None => {
            if name_of_fun(expr).is_some() {
                give(expr, numbers);
            }
            for_each_part(expr, &mut |part| number_second(part, numbers));
        }
    }
}

/// The name that a fun has inside of itself: `fun Name() -> .. end`.
fn name_of_fun(expr: &Expr) -> Option<Atom> {
    match expr.kind {
        ExprKind::Fun { name, .. } => name.filter(|name| *name != atoms::UNDERSCORE),
        _ => None,
    }
}

fn comprehension(expr: &Expr) -> Option<(Vec<&Expr>, &[Qualifier])> {
    match &expr.kind {
        ExprKind::ListComp { templates, qualifiers }
        | ExprKind::BinaryComp { templates, qualifiers } => {
            Some((templates.iter().collect(), qualifiers))
        }
        ExprKind::MapComp { fields, qualifiers } => {
            let parts = fields.iter().flat_map(|field| [&field.key, &field.value]);
            Some((parts.collect(), qualifiers))
        }
        _ => None,
    }
}

fn each_source(qualifier: &Qualifier, f: &mut dyn FnMut(&Expr)) {
    match qualifier {
        Qualifier::Filter(test) => f(test),
        Qualifier::Generator(g) => f(&g.source),
        Qualifier::Zip { generators, .. } => generators.iter().for_each(|g| f(&g.source)),
    }
}

fn each_generator(qualifier: &Qualifier, f: &mut dyn FnMut(&Generator)) {
    match qualifier {
        Qualifier::Filter(_) => {}
        Qualifier::Generator(g) => f(g),
        Qualifier::Zip { generators, .. } => f(&generators[0]),
    }
}
