//! What a clause says to values: whether its patterns match, and whether its guard is true.

use crate::eval;
use reverl_causal::System;
use reverl_lang::ast::{Clause, Expr, ExprKind};
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::FileId;
use reverl_machine::Local;
use reverl_term::{Atom, Term};
use serde::Serialize;
use ts_rs::TS;

/// What a clause says to values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ClauseVerdict {
    /// It takes them.
    Takes,
    /// A pattern has another shape, or other values in it.
    Pattern,
    /// Its patterns fit, its guard is not true.
    Guard,
    /// It cannot be told.
    Unknown,
}

/// Where a clause stands: the module, and the variables that are bound before it.
pub struct ClauseScope<'s> {
    pub system: &'s System,
    pub module: Atom,
    pub bound: Vec<(Atom, Term)>,
    pub local: Local,
}

impl ClauseScope<'_> {
    /// What a clause, whose places are those in `text`, says to these values.
    pub fn verdict(&self, text: &str, clause: &Clause, values: &[Term]) -> ClauseVerdict {
        self.verdict_of(patterns(text, clause), guard(text, clause), values)
    }

    /// What a clause of a `catch` says to the class and the reason of an exception.
    pub fn verdict_on_caught(&self, text: &str, clause: &Clause, caught: &[Term]) -> ClauseVerdict {
        match caught_patterns(text, clause) {
            Some(pattern) => self.verdict_of(&pattern, guard(text, clause), caught),
            None => ClauseVerdict::Unknown,
        }
    }

    fn verdict_of(&self, pattern: &str, guard: Option<&str>, values: &[Term]) -> ClauseVerdict {
        match (self.holds(pattern, None, values), guard) {
            (Some(true), None) => ClauseVerdict::Takes,
            (Some(true), guard) => match self.holds(pattern, guard, values) {
                Some(true) => ClauseVerdict::Takes,
                Some(false) => ClauseVerdict::Guard,
                None => ClauseVerdict::Unknown,
            },
            (Some(false), _) => ClauseVerdict::Pattern,
            (None, _) => ClauseVerdict::Unknown,
        }
    }

    fn holds(&self, pattern: &str, guard: Option<&str>, given: &[Term]) -> Option<bool> {
        let (mut names, mut values): (Vec<Atom>, Vec<Term>) = self.bound.iter().cloned().unzip();
        names.push(Atom::new("Values@Asked"));
        values.push(Term::tuple(given.to_vec()));
        let guard = guard.map_or(String::new(), |guard| format!(" when {guard}"));
        let asked = format!("case Values@Asked of {{{pattern}}}{guard} -> true; _ -> false end");
        let world = self.system.world();
        let compiled = eval::compile(world, &asked, &names, Some(self.module)).ok()?;
        let value = eval::evaluate(self.system, &compiled, values, self.local.clone()).ok()?;
        value.as_bool()
    }
}

fn patterns<'t>(text: &'t str, clause: &Clause) -> &'t str {
    let ends = clause.patterns.first().zip(clause.patterns.last());
    let between = ends.map(|(first, last)| first.span.start as usize..last.span.end as usize);
    between.and_then(|range| text.get(range)).unwrap_or_default()
}

/// The patterns of class and reason of a clause of a `catch`. A stack trace matches whatever there is.
fn caught_patterns(text: &str, clause: &Clause) -> Option<String> {
    let ExprKind::Tuple(parts) = &clause.patterns.first()?.kind else { return None };
    let [class, reason, _] = parts.as_slice() else { return None };
    let written = |part: &Expr| text.get(part.span.start as usize..part.span.end as usize);
    // A class that is not written is `throw`.
    let class = match &class.kind {
        ExprKind::Atom(class) => class.name(),
        _ => written(class)?,
    };
    Some(format!("{class}, {}", written(reason)?))
}

/// The text of the guard of a clause.
pub fn guard<'t>(text: &'t str, clause: &Clause) -> Option<&'t str> {
    let first = clause.guard.first()?.first()?.span;
    let last = clause.guard.last()?.last()?.span;
    text.get(first.start as usize..last.end as usize)
}

/// A clause up to its arrow.
pub fn text(text: &str, clause: &Clause) -> String {
    match guard(text, clause) {
        Some(guard) => format!("{} when {guard}", patterns(text, clause)),
        None => patterns(text, clause).to_string(),
    }
}

/// The one clause of a function that stands in a text of its own, with the text in which its places
/// are.
pub fn of_function(clause: &str) -> Option<(String, Clause)> {
    let from = clause.find('(')?;
    let text = format!("fun {} end", clause[from..].trim_end().trim_end_matches(['.', ';']));
    let parsed = parse_exprs(&text, FileId(u32::MAX)).ok()?.pop()?;
    match parsed.kind {
        ExprKind::Fun { clauses, .. } => Some((text, clauses.into_iter().next()?)),
        _ => None,
    }
}
