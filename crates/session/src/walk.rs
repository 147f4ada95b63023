//! Lines and calls of one process: where it is, where it comes next, and where it was before.

use crate::lines::LineTables;
use crate::session::Session;
use crate::stops::Stops;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, FunId, Op, Pc};
use reverl_machine::{Process, Watch};
use std::sync::Arc;

/// A position as people think of it.
#[derive(Clone, Debug, PartialEq)]
pub struct CodePlace {
    pub pc: Pc,
    /// How many calls are in progress below this one.
    pub depth: usize,
    /// File and line.
    pub line: Option<(Arc<str>, u32)>,
}

/// The place in the source where this process stands before `step`.
pub fn place_of(code: &Code, process: &Process, step: u64) -> CodePlace {
    let here = crate::scope::here(code, process, step);
    let line = code.sources.shown_at(here.span);
    CodePlace { pc: here.pc, depth: process.depth(), line }
}

/// What the stops of a walk are there for.
const LINE: usize = 0;
const ENTRY: usize = 1;
const RETURN: usize = 2;

/// The next line: every beginning of one.
pub fn next_line() -> Stops {
    Stops::every_line(LINE)
}

/// The next line of the current call, or of one that it returns to or goes on as.
pub fn next_line_here(session: &Session, process: &Process) -> Stops {
    let program = session.system.program();
    let code = &program.code;
    let mut stops = Stops::default();
    let mut lines = LineTables::default();
    for fun in calls(code, process) {
        lines.of(code, fun).iter().for_each(|at| stops.insert(*at, LINE));
    }
    code.funs.iter().for_each(|info| stops.insert((info.entry, 0), ENTRY));
    returns(code, process, &mut stops);
    stops
}

/// Where the current call ends: where it returns to, and the handlers that can catch what it
/// raises.
pub fn end_of_call(session: &Session, process: &Process) -> Stops {
    let program = session.system.program();
    let mut stops = Stops::default();
    returns(&program.code, process, &mut stops);
    stops
}

/// The first instruction of every function.
pub fn entries(session: &Session) -> Stops {
    let mut stops = Stops::default();
    for info in &session.system.program().code.funs {
        stops.insert((info.entry, 0), ENTRY);
    }
    stops
}

/// The functions of all calls in progress.
fn calls(code: &Code, process: &Process) -> Vec<FunId> {
    let callers = process.stack().callers().map(|(ret, _)| code.fun_at(ret - 1));
    let mut all: Vec<FunId> = callers.chain([code.fun_at(process.pc())]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn returns(code: &Code, process: &Process, stops: &mut Stops) {
    for fun in calls(code, process) {
        // A call in progress can make others before it is returned to by one of them.
        returns_to(code, fun).for_each(|pc| stops.insert((pc, 0), RETURN));
    }
}

/// Where a function goes on after a call that it has made: behind it, or in a handler.
pub fn returns_to(code: &Code, fun: FunId) -> impl Iterator<Item = Pc> + '_ {
    let info = code.fun(fun);
    let is_call = |pc: &Pc| {
        let op = &code.ins[*pc as usize].op;
        matches!(
            op,
            Op::Call { .. } | Op::CallRemote { .. } | Op::CallFun { .. } | Op::Apply { .. }
        )
    };
    let after = (info.entry..info.end).filter(is_call).map(|pc| pc + 1);
    after.chain(info.handlers.iter().map(|handler| handler.target))
}

/// Follows a walk over calls: a line counts if everything since has been inside of its call.
pub struct Level {
    depth: usize,
    lines: LineTables,
}

impl Level {
    /// The depth of the process's stack.
    pub fn of(process: &Process) -> Level {
        Level { depth: process.depth(), lines: LineTables::default() }
    }

    /// Whether the walk ends where the process is.
    pub fn reaches(&mut self, session: &Session, process: &Process, step: u64) -> bool {
        let depth = process.depth();
        let is_here = depth <= self.depth;
        self.depth = self.depth.min(depth);
        is_here && self.lines.begins(&session.system.program().code, process, step)
    }
}

/// The last line that began before the cut; only one whose call is still in progress or has gone
/// on as one that is, unless `into`.
pub fn last_line(session: &Session, proc: ProcId, into: bool) -> Option<u64> {
    let now = session.state(proc);
    let end = session.steps_of(proc);
    let depth = if into || now.ending().is_some() { usize::MAX } else { now.depth() };
    let mut stretch = 2_000;
    loop {
        let start = end.saturating_sub(stretch);
        let begun = lines_between(session, proc, start, end, into);
        let found = begun.into_iter().rfind(|(_, at)| *at <= depth);
        if found.is_some() || start == 0 {
            return found.map(|(step, _)| step);
        }
        stretch *= 4;
    }
}

/// The beginnings of lines in a stretch, with the depth of their calls; without those whose call
/// has ended in it, unless `into`.
fn lines_between(
    session: &Session,
    proc: ProcId,
    start: u64,
    end: u64,
    into: bool,
) -> Vec<(u64, usize)> {
    let system = &session.system;
    let mut lines = LineTables::default();
    let mut begun: Vec<(u64, usize)> = vec![];
    let mut replay = system.nearest(proc, start.saturating_sub(u64::from(u8::MAX)));
    let everything = Watch::everything();
    while replay.watch_to(system, end, &everything) {
        let program = system.program();
        let (code, process) = (&program.code, &replay.process);
        let (pc, step, depth) = (process.pc(), process.steps(), process.depth());
        let ins = &code.ins[pc as usize];
        // Between two steps a process is nowhere.
        if !into && (ins.weight > 0 || matches!(ins.op, Op::ReceiveStart { .. })) && step < end {
            begun.retain(|(_, at)| *at <= depth);
        }
        let here = lines.of(code, code.fun_at(pc)).iter().filter(|(at, _)| *at == pc);
        let positions = here.map(|(_, done)| (step + u64::from(*done), depth));
        begun.extend(positions.filter(|(at, _)| (start..end).contains(at)));
    }
    begun
}

/// The last position of the caller before it made the current call, which is at this depth.
pub fn last_call(session: &Session, proc: ProcId, call: Pc, depth: usize) -> Option<u64> {
    let weight = session.system.program().code.ins[call as usize].weight;
    let mut stops = Stops::default();
    match weight.checked_sub(1) {
        Some(last) => stops.insert((call, last), 0),
        // A turn of a comprehension calls the next one without a step.
        None => {
            let program = session.system.program();
            let info = program.code.fun(program.code.fun_at(call));
            let with_steps = (info.entry..info.end)
                .filter_map(|pc| Some((pc, program.code.ins[pc as usize].weight.checked_sub(1)?)));
            with_steps.for_each(|at| stops.insert(at, 0));
        }
    }
    session.last_stop(proc, &stops, &mut |_, process, _, _| process.depth() + 1 == depth)
}
