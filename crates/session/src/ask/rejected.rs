//! Clauses that were tried: of a call, a `case` or an `if`. Each that was not taken is a part of the
//! function that can be wrong, since its pattern or guard should perhaps have held; so is the
//! argument, and the one that was taken.

use super::facts;
use super::question::{place, source, value};
use super::zoom::{Part, PartKind};
use crate::clauses::{self, ClauseScope, ClauseVerdict};
use crate::eval;
use crate::scope;
use reverl_analysis::declare::Node;
use reverl_causal::System;
use reverl_lang::ast::{Clause, Expr, ExprKind};
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::{FileId, Span};
use reverl_machine::Process;
use reverl_term::Term;

/// The clauses of the function of a call that did not take its arguments.
pub fn of_call(system: &System, node: &Node, args: &[Term]) -> Vec<Part> {
    let program = system.program();
    let info = program.code.fun(node.fun);
    let chosen = facts::clause_span(system, node);
    let scope = ClauseScope {
        system,
        module: info.module,
        bound: vec![],
        local: system.state_at(node.proc, node.called).local.clone(),
    };
    let spans: Vec<Span> = info.clauses.iter().map(|(_, span)| *span).collect();
    drop(program);
    let before = spans.into_iter().take_while(|span| *span != chosen);
    let part = |span: Span| {
        let (text, clause) = clauses::of_function(&source(system, span).join("\n"))?;
        let verdict = scope.verdict(&text, &clause, args);
        rejected(&text, &clause, verdict, &place(system, span), args)
    };
    before.filter_map(part).collect()
}

/// The choice of a `case` or `if` that a process stands before: the clauses before the one that is
/// taken, and that one with the argument and the value of the whole.
pub fn of_choice(system: &System, process: &Process, span: Span) -> Vec<Part> {
    let text = source(system, span).join("\n");
    let Some(parsed) = parse_exprs(&text, FileId(u32::MAX)).ok().and_then(|mut all| all.pop())
    else {
        return vec![];
    };
    let (module, bound) = {
        let program = system.program();
        let code = &program.code;
        let module = code.fun(code.fun_at(process.pc())).module;
        (module, scope::bindings_at(code, process, process.steps()))
    };
    let scope = ClauseScope { system, module, bound, local: process.local.clone() };
    let at = place(system, span);
    let (head, values, clauses) = match &parsed.kind {
        ExprKind::Case { subject, clauses } => {
            let Some(argument) = evaluated(&scope, &text, subject) else { return vec![] };
            let told = within(&text, subject).unwrap_or_default();
            let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
            (format!("case {told}, which is {}", value(&argument)), vec![argument], clauses)
        }
        ExprKind::If(clauses) => ("if".to_string(), vec![], clauses),
        _ => return vec![],
    };
    let mut parts = not_taken(&scope, &text, clauses, &values, &at);
    if let Some(clause) = clauses.get(parts.len())
        && scope.verdict(&text, clause, &values) == ClauseVerdict::Takes
    {
        let whole = evaluated(&scope, &text, &parsed);
        let whole = whole.map_or(String::new(), |v| format!("; its value is {}", value(&v)));
        let clause = clauses::text(&text, clause);
        let text = format!("{head}: the clause '{}' was taken{whole}", clause.trim());
        parts.push(Part { kind: PartKind::Branch, text, at });
    }
    parts
}

fn within<'t>(text: &'t str, expression: &Expr) -> Option<&'t str> {
    text.get(expression.span.start as usize..expression.span.end as usize)
}

fn evaluated(scope: &ClauseScope, text: &str, expression: &Expr) -> Option<Term> {
    let text = within(text, expression)?;
    let (names, values): (Vec<_>, Vec<_>) = scope.bound.iter().cloned().unzip();
    let compiled = eval::compile(scope.system.world(), text, &names, Some(scope.module)).ok()?;
    eval::evaluate(scope.system, &compiled, values, scope.local.clone()).ok()
}

fn not_taken(
    scope: &ClauseScope,
    text: &str,
    clauses: &[Clause],
    values: &[Term],
    at: &str,
) -> Vec<Part> {
    let mut parts = vec![];
    for clause in clauses {
        let verdict = scope.verdict(text, clause, values);
        match rejected(text, clause, verdict, at, values) {
            Some(part) => parts.push(part),
            None => break,
        }
    }
    parts
}

fn rejected(
    text: &str,
    clause: &Clause,
    verdict: ClauseVerdict,
    at: &str,
    values: &[Term],
) -> Option<Part> {
    let head = clauses::text(text, clause);
    let why = match verdict {
        ClauseVerdict::Pattern => {
            let values: Vec<String> = values.iter().map(value).collect();
            format!("its pattern does not match {}", values.join(", "))
        }
        ClauseVerdict::Guard => {
            format!("its guard {} is not true", clauses::guard(text, clause).unwrap_or_default())
        }
        ClauseVerdict::Takes | ClauseVerdict::Unknown => return None,
    };
    let text = format!("the clause '{}' was not taken: {why}", head.trim());
    Some(Part { kind: PartKind::Rejected, text, at: at.into() })
}
