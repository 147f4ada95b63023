//! `behaviour_info/1`, which a module with `-callback` has without writing it.

use crate::ast::{Clause, Expr, ExprKind, Function, Integer};
use crate::forms::{FormKind, FunName, Module};
use crate::source::Span;
use reverl_term::Atom;

/// Adds the function, unless the module has one of its own or is not a behaviour.
pub(crate) fn add_behaviour_info(module: &mut Module, optional: &[FunName]) {
    let callbacks: Vec<FunName> = module.forms.iter().filter_map(callback).collect();
    let name = (Atom::new("behaviour_info"), 1);
    let has_own = module.functions.iter().any(|f| (f.name, f.arity) == name);
    let Some(form) = module.forms.iter().find(|form| callback(form).is_some()) else { return };
    if has_own {
        return;
    }
    let span = form.span;
    let clauses =
        vec![clause("callbacks", &callbacks, span), clause("optional_callbacks", optional, span)];
    module.functions.push(Function { name: name.0, arity: 1, clauses, span });
    module.exports.push((name, span));
}

fn callback(form: &crate::forms::Form) -> Option<FunName> {
    match &form.kind {
        FormKind::Spec(spec) if spec.callback => Some((spec.name, spec.arity)),
        _ => None,
    }
}

/// `behaviour_info(What) -> [{Name, Arity}, ..]`
fn clause(what: &str, functions: &[FunName], span: Span) -> Clause {
    let expr = |kind| Expr { kind, span };
    let function = |(name, arity): &FunName| {
        let arity = ExprKind::Integer(Integer::Small(i64::from(*arity)));
        expr(ExprKind::Tuple(vec![expr(ExprKind::Atom(*name)), expr(arity)]))
    };
    let list = match functions {
        [] => ExprKind::Nil,
        _ => ExprKind::List { elements: functions.iter().map(function).collect(), tail: None },
    };
    let patterns = vec![expr(ExprKind::Atom(Atom::new(what)))];
    Clause { patterns, guard: vec![], body: vec![expr(list)], span }
}
