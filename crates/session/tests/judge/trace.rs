//! All positions of a process in a row, as far as lines, calls and variables are concerned: what a
//! brute-force search looks through.

use super::{Followed, Function, Next, Trees, follow};
use reverl_causal::{ProcId, System};
use reverl_lang::code::Rule;
use reverl_lang::source::Span;
use reverl_term::{Atom, Term};
use std::sync::Arc;

/// One position, as far as a search looks at it.
pub struct Position {
    pub line: Option<(Arc<str>, u32)>,
    span: Span,
    /// Code from a .beam says only lines, so that nobody can tell what is inside of what.
    pub has_extent: bool,
    /// The number of the innermost call.
    pub call: u64,
    pub depth: usize,
    pub module: Atom,
    pub function: Function,
    pub variables: Vec<(Atom, Term)>,
    next: Next,
    /// The position before this one in the same call.
    pub before: Option<usize>,
}

/// All positions of a process, by their steps.
pub type Trace = Vec<Position>;

/// The whole of a process, or as far as it can be followed.
pub fn trace(system: &System, trees: &Trees, proc: ProcId) -> (Trace, bool) {
    let mut all = Trace::new();
    let mut last = std::collections::HashMap::new();
    let followed = follow(system, trees, proc, &mut |moment| {
        // What was spawned may not exist: then there is no call.
        let Some(top) = moment.frames.last() else { return };
        all.push(Position {
            line: system.program().code.sources.shown_at(top.at),
            span: top.at,
            has_extent: top.at.start < top.at.end,
            call: top.id,
            depth: moment.frames.len(),
            module: top.module,
            function: top.function,
            variables: top.scope.clone(),
            next: moment.next,
            before: last.insert(top.id, all.len()),
        });
    });
    let is_whole = all.len() as u64 > system.execution().proc(proc).steps;
    (all, is_whole && followed == Followed::All)
}

impl Position {
    /// Whether a line begins here: the call comes to it from another, or begins on it. Going on
    /// with an expression that was begun is not a beginning.
    pub fn begins_line(&self, trace: &Trace) -> bool {
        let ends = matches!(self.next, Next::End | Next::Step(Rule::Seq | Rule::Join));
        if ends || self.line.is_none() {
            return false;
        }
        let Some(before) = self.before.map(|at| &trace[at]) else { return true };
        let inside = before.span.file == self.span.file
            && before.span.start >= self.span.start
            && before.span.end <= self.span.end;
        before.line != self.line && !inside
    }

    /// Whether the process has ended here, or nothing catches what it has raised.
    pub fn is_end(&self) -> bool {
        self.next == Next::End
    }

    pub fn is_bound(&self, name: Atom) -> bool {
        self.variables.iter().any(|(bound, _)| *bound == name)
    }

    /// Whether a variable has become bound here.
    pub fn binds(&self, name: Atom, trace: &Trace) -> bool {
        self.is_bound(name) && self.before.is_none_or(|at| !trace[at].is_bound(name))
    }
}
