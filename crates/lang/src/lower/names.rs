//! The names that the functions made from funs and comprehensions have on the BEAM:
//! `'-f/1-fun-0-'`, `'-f/1-lc$^0/1-0-'`.
//!
//! OTP numbers them in two passes: the first counts funs and generators together, a fun after
//! what is inside it and a generator before; the second counts generators alone, outer first.
//! Its optimiser can remove some of them, so a name can differ where it inlines.

use crate::ast::*;
use crate::visit::for_each_part;
use reverl_term::Atom;
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
}

fn key<T>(node: &T) -> usize {
    std::ptr::from_ref(node) as usize
}

impl LiftedNames {
    pub fn of(function: &Function) -> LiftedNames {
        let (mut first, mut second) = (Numbers::new(), Numbers::new());
        for clause in &function.clauses {
            clause.body.iter().for_each(|e| number_first(e, &mut first));
            clause.body.iter().for_each(|e| number_second(e, &mut second));
        }
        let prefix = format!("-{}/{}-", function.name.name(), function.arity).into();
        LiftedNames { prefix, first: Rc::new(first), second: Rc::new(second) }
    }

    pub fn fun(&self, fun: &Expr) -> Atom {
        let n = self.first.get(&key(fun)).copied().unwrap_or(0);
        Atom::new(&format!("{}fun-{n}-", self.prefix))
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

fn number_first(expr: &Expr, numbers: &mut Numbers) {
    match comprehension(expr) {
        Some((templates, qualifiers)) => {
            for qualifier in qualifiers {
                each_source(qualifier, &mut |source| number_first(source, numbers));
            }
            for qualifier in qualifiers {
                each_generator(qualifier, &mut |g| give(&g.pattern, numbers));
            }
            templates.iter().for_each(|t| number_first(t, numbers));
        }
        None => {
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
            parts.into_iter().for_each(|part| number_first(part, numbers));
            if matches!(expr.kind, ExprKind::Fun { .. } | ExprKind::FunLocal { .. }) {
                give(expr, numbers);
            }
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
        None => for_each_part(expr, &mut |part| number_second(part, numbers)),
    }
}

fn comprehension(expr: &Expr) -> Option<(Vec<&Expr>, &[Qualifier])> {
    match &expr.kind {
        ExprKind::ListComp { template, qualifiers }
        | ExprKind::BinaryComp { template, qualifiers } => Some((vec![template], qualifiers)),
        ExprKind::MapComp { key, value, qualifiers } => Some((vec![key, value], qualifiers)),
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
