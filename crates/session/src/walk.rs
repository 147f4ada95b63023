//! Lines and calls of one process: where it is, and where it was before.

use crate::session::Session;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, Pc};
use reverl_machine::{Process, Watch};
use std::sync::Arc;

/// A position as people think of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CodePlace {
    pub step: u64,
    pub pc: Pc,
    /// How many calls are in progress below this one.
    pub depth: usize,
    /// File and line.
    pub line: Option<(Arc<str>, u32)>,
    /// The instruction after the call of the current function.
    pub returns_to: Option<Pc>,
    pub weight: u8,
    /// A call begins here.
    pub enters: bool,
}

pub fn place_of(code: &Code, process: &Process, step: u64) -> CodePlace {
    let here = crate::scope::here(code, process, step);
    let returns_to = process.stack().callers().next().map(|(ret, _)| ret);
    CodePlace {
        step,
        pc: here.pc,
        depth: process.depth(),
        line: code.sources.shown_at(here.span),
        returns_to,
        weight: code.ins[here.pc as usize].weight,
        enters: code.fun(code.fun_at(here.pc)).entry == here.pc,
    }
}

/// Where the process is at the cut.
pub fn place(session: &Session, proc: ProcId) -> CodePlace {
    let step = session.steps_of(proc);
    let process = session.state(proc);
    place_of(&session.system.program().code, &process, step)
}

/// The instructions of the current function and of its caller: enough to notice when either
/// comes to another line.
pub fn level_watch(session: &Session, here: &CodePlace) -> Watch {
    let program = session.system.program();
    let code = &program.code;
    let mut watch = Watch::default();
    for pc in [Some(here.pc), here.returns_to].into_iter().flatten() {
        let info = code.fun(code.fun_at(pc));
        (info.entry..info.end).for_each(|pc| watch.insert(pc));
    }
    watch
}

/// The first instruction of every function.
pub fn entries(session: &Session) -> Watch {
    let mut watch = Watch::default();
    for info in &session.system.program().code.funs {
        watch.insert(info.entry);
    }
    watch
}

/// The step at which the process came to the line that it was on before this one; calls made
/// from here are passed over, unless `into`.
pub fn last_line(session: &Session, proc: ProcId, into: bool) -> Option<u64> {
    let here = place(session, proc);
    // A process that is done is outside all its calls: the line before is in one of them.
    let program = session.system.program();
    let code = &program.code;
    let into = into || code.fun(code.fun_at(here.pc)).module.name() == "reverl_boot";
    let watch = if into { Watch::everything() } else { level_watch(session, &here) };
    let end = here.step;
    let mut stretch = 2_000;
    loop {
        let start = end.saturating_sub(stretch);
        let mut visited: Vec<CodePlace> = vec![];
        let mut enters = false;
        let mut replay = session.system.nearest(proc, start);
        let system = &session.system;
        while replay.watch_to(system, end, &watch) {
            let at = place_of(&system.program().code, &replay.process, replay.process.steps());
            let level = into || at.depth <= here.depth;
            // A loop calls itself: each turn is a visit of its own, also on a single line.
            enters |= at.enters && level && !into;
            if at.weight > 0 && level && at.step < end && at.step >= start && at.line.is_some() {
                visited.push(CodePlace { enters: std::mem::take(&mut enters), ..at });
            }
        }
        let here_began = match enters {
            true => visited.len(),
            false => visited.iter().rposition(|p| p.enters).unwrap_or(0),
        };
        let other = visited
            .iter()
            .enumerate()
            .rposition(|(i, p)| p.line != here.line || p.depth < here.depth || i < here_began);
        if let Some(i) = other {
            // Back to where that line began.
            let same = |p: &CodePlace| p.line == visited[i].line && p.depth == visited[i].depth;
            let before = |j: &usize| !same(&visited[*j]) || visited[*j + 1].enters;
            let first = (0..i).rev().find(before).map_or(0, |j| j + 1);
            if first > 0 || start == 0 {
                return Some(visited[first].step);
            }
        }
        if start == 0 {
            return other.map(|i| visited[i].step).or((end > 0).then_some(0));
        }
        stretch *= 4;
    }
}
