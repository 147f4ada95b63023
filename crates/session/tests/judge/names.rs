//! Which variables an expression binds for what follows it.

use reverl_lang::ast::*;
use reverl_lang::visit::for_each_part;
use reverl_term::{Atom, atoms};

/// The variables that a pattern can bind: keys of maps and sizes of segments only use them.
pub fn of_pattern(pattern: &Expr, into: &mut Vec<Atom>) {
    match &pattern.kind {
        ExprKind::Var(name) => add(*name, into),
        ExprKind::Map(fields) => fields.iter().for_each(|f| of_pattern(&f.value, into)),
        ExprKind::Binary(elements) => elements.iter().for_each(|e| of_pattern(&e.value, into)),
        _ => for_each_part(pattern, &mut |part| of_pattern(part, into)),
    }
}

fn add(name: Atom, into: &mut Vec<Atom>) {
    if name != atoms::UNDERSCORE && !into.contains(&name) {
        into.push(name);
    }
}

/// The variables that are bound after an expression whatever happens in it.
fn of_expr(expr: &Expr, into: &mut Vec<Atom>) {
    match &expr.kind {
        ExprKind::Match { pattern, value } => {
            of_expr(value, into);
            of_pattern(pattern, into);
        }
        ExprKind::Case { subject, clauses } => {
            of_expr(subject, into);
            in_all(clauses, None).into_iter().for_each(|name| add(name, into));
        }
        ExprKind::If(clauses) => {
            in_all(clauses, None).into_iter().for_each(|name| add(name, into));
        }
        ExprKind::Receive { clauses, after } => {
            let after = after.as_ref().map(|after| after.body.as_slice());
            in_all(clauses, after).into_iter().for_each(|name| add(name, into));
        }
        ExprKind::Binop { op: BinaryOp::AndAlso | BinaryOp::OrElse, left, .. } => {
            of_expr(left, into);
        }
        ExprKind::Fun { .. }
        | ExprKind::ListComp { .. }
        | ExprKind::BinaryComp { .. }
        | ExprKind::MapComp { .. }
        | ExprKind::Try(_)
        | ExprKind::Catch(_)
        | ExprKind::Maybe { .. } => {}
        _ => for_each_part(expr, &mut |part| of_expr(part, into)),
    }
}

/// The variables that every one of these clauses binds.
pub fn in_all(clauses: &[Clause], after: Option<&[Expr]>) -> Vec<Atom> {
    let mut all: Option<Vec<Atom>> = None;
    let mut both = |bound: Vec<Atom>| {
        all = Some(match all.take() {
            None => bound,
            Some(before) => before.into_iter().filter(|name| bound.contains(name)).collect(),
        });
    };
    for clause in clauses {
        let mut bound = vec![];
        clause.patterns.iter().for_each(|p| of_pattern(p, &mut bound));
        clause.body.iter().for_each(|e| of_expr(e, &mut bound));
        both(bound);
    }
    if let Some(body) = after {
        let mut bound = vec![];
        body.iter().for_each(|e| of_expr(e, &mut bound));
        both(bound);
    }
    all.unwrap_or_default()
}
