//! Clauses that were tried: of a call, a `case`, an `if` or a `try`. Each that was not taken is a part of the
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
use reverl_lang::code::{Code, FunId, Handler, Rule};
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
    let told = args.iter().map(value).collect::<Vec<_>>().join(", ");
    let before = spans.into_iter().take_while(|span| *span != chosen);
    let part = |span: Span| {
        let (text, clause) = clauses::of_function(&source(system, span).join("\n"))?;
        let verdict = scope.verdict(&text, &clause, args);
        rejected(&text, &clause, verdict, &place(system, span), &told)
    };
    before.filter_map(part).collect()
}

/// The choice of a `case`, `if` or `try` that a process stands before (of a `try` that raises nothing,
/// before its body): the clauses before the one that is taken, and that one with the argument and the value of the whole.
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
    let argument = |parts: &[Expr]| {
        let told = between(&text, parts)?;
        let value = evaluated(&scope, told)?;
        Some((told.split_whitespace().collect::<Vec<_>>().join(" "), value))
    };
    let choice = match &parsed.kind {
        ExprKind::Case { subject, clauses } => {
            argument(std::slice::from_ref(subject)).map(|(told, given)| Choice {
                head: format!("case {told}, which is {}", value(&given)),
                told: value(&given),
                values: vec![given],
                clauses,
                is_caught: false,
            })
        }
        ExprKind::If(clauses) => Some(Choice {
            head: "if".into(),
            told: String::new(),
            values: vec![],
            clauses,
            is_caught: false,
        }),
        ExprKind::Try(parts) => match exception(system, process) {
            Some([class, reason]) => {
                let raised = format!("{}:{}", value(&class), value(&reason));
                Some(Choice {
                    head: format!("try, which raised {raised}"),
                    told: raised,
                    values: vec![class, reason],
                    clauses: &parts.catch_clauses,
                    is_caught: true,
                })
            }
            None if parts.of_clauses.is_empty() => None,
            None => argument(&parts.body).map(|(told, given)| Choice {
                head: format!("try {told}, which is {}", value(&given)),
                told: value(&given),
                values: vec![given],
                clauses: &parts.of_clauses,
                is_caught: false,
            }),
        },
        _ => None,
    };
    choice.map_or(vec![], |choice| choice.parts(&scope, &text, &place(system, span)))
}

/// The bodies of the `try`s of a function that have clauses, each with the place of its `try`.
pub fn tries(code: &Code, fun: FunId) -> Vec<(Handler, Span)> {
    let handlers = &code.fun(fun).handlers;
    let caught = |pc| code.substeps_of(pc).iter().find(|s| s.rule == Rule::Catch).map(|s| s.expr);
    // What an `after` protects is around what the clauses protect.
    let is_of_after = |outer: &Handler| {
        let inside = |h: &&Handler| outer.start <= h.target && h.target < outer.end;
        handlers.iter().filter(inside).any(|h| caught(h.target) == caught(outer.target))
    };
    let own = handlers.iter().filter(|handler| !is_of_after(handler));
    own.filter_map(|h| Some((*h, code.exprs[caught(h.target)?.0 as usize].span))).collect()
}

/// The exception that a process stands before the clauses of.
fn exception(system: &System, process: &Process) -> Option<[Term; 2]> {
    let program = system.program();
    let tries = tries(&program.code, program.code.fun_at(process.pc()));
    let (handler, _) = tries.iter().find(|(handler, _)| handler.target == process.pc())?;
    let from = handler.reg as usize;
    let [class, reason] = process.registers().get(from..from + 2)? else { return None };
    Some([class.clone(), reason.clone()])
}

/// Clauses and what they choose by.
struct Choice<'c> {
    head: String,
    /// What did not match, in words.
    told: String,
    values: Vec<Term>,
    clauses: &'c [Clause],
    /// Whether the values are class and reason of an exception.
    is_caught: bool,
}

impl Choice<'_> {
    fn verdict(&self, scope: &ClauseScope, text: &str, clause: &Clause) -> ClauseVerdict {
        match self.is_caught {
            true => scope.verdict_on_caught(text, clause, &self.values),
            false => scope.verdict(text, clause, &self.values),
        }
    }

    fn parts(&self, scope: &ClauseScope, text: &str, at: &str) -> Vec<Part> {
        let mut parts = vec![];
        for clause in self.clauses {
            let verdict = self.verdict(scope, text, clause);
            if let Some(part) = rejected(text, clause, verdict, at, &self.told) {
                parts.push(part);
                continue;
            }
            if verdict == ClauseVerdict::Takes {
                let whole = evaluated(scope, text);
                let whole =
                    whole.map_or(String::new(), |v| format!("; its value is {}", value(&v)));
                let clause = clauses::text(text, clause);
                let text =
                    format!("{}: the clause '{}' was taken{whole}", self.head, clause.trim());
                parts.push(Part { kind: PartKind::Branch, text, at: at.into() });
            }
            break;
        }
        parts
    }
}

/// The text from the first of these expressions to the last.
fn between<'t>(text: &'t str, expressions: &[Expr]) -> Option<&'t str> {
    let (first, last) = expressions.first().zip(expressions.last())?;
    text.get(first.span.start as usize..last.span.end as usize)
}

fn evaluated(scope: &ClauseScope, text: &str) -> Option<Term> {
    let (names, values): (Vec<_>, Vec<_>) = scope.bound.iter().cloned().unzip();
    let compiled = eval::compile(scope.system.world(), text, &names, Some(scope.module)).ok()?;
    eval::evaluate(scope.system, &compiled, values, scope.local.clone()).ok()
}

fn rejected(
    text: &str,
    clause: &Clause,
    verdict: ClauseVerdict,
    at: &str,
    told: &str,
) -> Option<Part> {
    let head = clauses::text(text, clause);
    let why = match verdict {
        ClauseVerdict::Pattern => format!("its pattern does not match {told}"),
        ClauseVerdict::Guard => {
            format!("its guard {} is not true", clauses::guard(text, clause).unwrap_or_default())
        }
        ClauseVerdict::Takes | ClauseVerdict::Unknown => return None,
    };
    let text = format!("the clause '{}' was not taken: {why}", head.trim());
    Some(Part { kind: PartKind::Rejected, text, at: at.into() })
}
