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

/// The variables that an expression takes from outside: not those of heads in it.
pub fn free(e: &Expr, hidden: &mut Vec<Atom>, into: &mut Vec<Atom>) {
    let mark = hidden.len();
    match &e.kind {
        ExprKind::Var(name) if hidden.contains(name) => {}
        ExprKind::Var(name) => add(*name, into),
        ExprKind::Fun { name, clauses } => {
            for clause in clauses {
                hidden.extend(*name);
                head(&clause.patterns.iter().collect::<Vec<_>>(), hidden, into);
                clause.guard.iter().flatten().for_each(|test| free(test, hidden, into));
                clause.body.iter().for_each(|e| free(e, hidden, into));
                hidden.truncate(mark);
            }
        }
        ExprKind::ListComp { templates, qualifiers }
        | ExprKind::BinaryComp { templates, qualifiers } => {
            free_in_turns(&templates.iter().collect::<Vec<_>>(), qualifiers, 0, hidden, into);
        }
        ExprKind::MapComp { fields, qualifiers } => {
            let parts: Vec<&Expr> = fields.iter().flat_map(|f| [&f.key, &f.value]).collect();
            free_in_turns(&parts, qualifiers, 0, hidden, into);
        }
        _ => for_each_part(e, &mut |part| free(part, hidden, into)),
    }
    hidden.truncate(mark);
}

/// The same of a comprehension, without the sources of the first so many qualifiers.
pub fn free_in_turns(
    templates: &[&Expr],
    qualifiers: &[Qualifier],
    evaluated: usize,
    hidden: &mut Vec<Atom>,
    into: &mut Vec<Atom>,
) {
    for (i, qualifier) in qualifiers.iter().enumerate() {
        let generators = match qualifier {
            Qualifier::Filter(test) => {
                free(test, hidden, into);
                continue;
            }
            Qualifier::Generator(generator) => std::slice::from_ref(generator),
            Qualifier::Zip { generators, .. } => generators,
        };
        if i >= evaluated {
            generators.iter().for_each(|g| free(&g.source, hidden, into));
        }
        let patterns = generators.iter().flat_map(|g| [Some(&g.pattern), g.value_pattern.as_ref()]);
        head(&patterns.flatten().collect::<Vec<_>>(), hidden, into);
    }
    templates.iter().for_each(|e| free(e, hidden, into));
}

/// Keys and sizes in a head mean what is outside of it; its own variables hide that.
fn head(patterns: &[&Expr], hidden: &mut Vec<Atom>, into: &mut Vec<Atom>) {
    fn read(p: &Expr, hidden: &mut Vec<Atom>, into: &mut Vec<Atom>) {
        match &p.kind {
            ExprKind::Map(fields) => fields.iter().for_each(|f| {
                free(&f.key, hidden, into);
                read(&f.value, hidden, into);
            }),
            ExprKind::Binary(elements) => {
                let mark = hidden.len();
                for element in elements {
                    element.size.iter().for_each(|size| free(size, hidden, into));
                    of_pattern(&element.value, hidden);
                }
                hidden.truncate(mark);
            }
            _ => for_each_part(p, &mut |part| read(part, hidden, into)),
        }
    }
    patterns.iter().for_each(|p| read(p, hidden, into));
    patterns.iter().for_each(|p| of_pattern(p, hidden));
}
