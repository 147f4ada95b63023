//! Clauses that were tried and not taken: of a call, a `case` or an `if`. Each is a part of the
//! function that can be wrong, since its pattern or guard should perhaps have held.

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

/// The clauses of a `case` or `if` before the one that was taken, where a process stands before it.
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
    match parsed.kind {
        ExprKind::Case { subject, clauses } => {
            let Some(subject) = evaluated(&scope, &text, &subject) else { return vec![] };
            not_taken(&scope, &text, &clauses, &[subject], &at)
        }
        ExprKind::If(clauses) => not_taken(&scope, &text, &clauses, &[], &at),
        _ => vec![],
    }
}

fn evaluated(scope: &ClauseScope, text: &str, expression: &Expr) -> Option<Term> {
    let text = text.get(expression.span.start as usize..expression.span.end as usize)?;
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
