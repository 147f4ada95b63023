//! Lines and calls of one process: where it is, where it comes next, and where it was before.

use crate::lines::LineTables;
use crate::session::Session;
use crate::stops::Stops;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, FunId, Op, Pc};
use reverl_machine::{Process, Watch};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use ts_rs::TS;

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

/// The next line of the current call, or of one that it returns to or goes on as; where that can be a
/// library's, the next line of the program's own.
pub fn next_line_here(session: &Session, process: &Process, scope: CodeScope) -> Stops {
    let program = session.system.program();
    let code = &program.code;
    let mut stops = Stops::default();
    let mut lines = LineTables::default();
    let mut wanted = calls(code, process);
    let (all, own) = (code.funs.len(), session.own());
    let is_own = |fun: &FunId| own.contains(&code.fun(*fun).module);
    if scope == CodeScope::Own && !wanted.iter().all(is_own) {
        wanted.extend((0..all as u32).map(FunId).filter(is_own));
    }
    for fun in wanted {
        lines.of(code, fun).iter().for_each(|at| stops.insert(*at, LINE));
    }
    code.funs.iter().for_each(|info| stops.insert((info.entry, 0), ENTRY));
    returns(code, process, &mut stops);
    stops
}

/// Where the current call ends: where it returns to, and the handlers that can catch what it
/// raises; where that can be a library's, the next line of the program's own.
pub fn end_of_call(session: &Session, process: &Process, scope: CodeScope) -> Stops {
    if scope == CodeScope::Own {
        return next_line_here(session, process, scope);
    }
    let mut stops = Stops::default();
    returns(&session.system.program().code, process, &mut stops);
    stops
}

/// The innermost call in progress that can be returned to and where a walk can end: its
/// instruction, and how deep it is.
pub fn nearest_caller(
    session: &Session,
    process: &Process,
    scope: CodeScope,
) -> Option<(Pc, usize)> {
    let calls = process.stack().callers().map(|(ret, _)| ret - 1);
    let depths = (0..process.depth()).rev();
    calls.zip(depths).find(|(call, _)| scope.has(session, *call))
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

/// In which code a walk can end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CodeScope {
    /// In the program's own, if it begins there. Who stands in a library walks through it.
    #[default]
    Own,
    /// In all code.
    All,
}

impl CodeScope {
    /// The scope of a walk that begins where a process stands.
    pub fn from_here(self, session: &Session, process: &Process) -> CodeScope {
        match self {
            CodeScope::Own if is_own(session, process.pc()) => CodeScope::Own,
            _ => CodeScope::All,
        }
    }

    /// Whether the walk can end at this instruction.
    pub fn has(self, session: &Session, pc: Pc) -> bool {
        self == CodeScope::All || is_own(session, pc)
    }
}

fn is_own(session: &Session, pc: Pc) -> bool {
    let program = session.system.program();
    let module = program.code.fun(program.code.fun_at(pc)).module;
    session.own().contains(&module)
}

/// Follows a walk over calls: a line counts if everything since has been inside of its call. When a
/// call of the program's own has returned to a library, such as the loop of a server, whatever is
/// the program's own comes next.
pub struct Level {
    start: usize,
    /// The lowest depth since.
    lowest: usize,
    scope: CodeScope,
    has_left: bool,
    lines: LineTables,
}

impl Level {
    /// The depth of the process's stack.
    pub fn of(process: &Process, scope: CodeScope) -> Level {
        let depth = process.depth();
        let lines = LineTables::default();
        Level { start: depth, lowest: depth, scope, has_left: false, lines }
    }

    /// Whether the walk ends where the process is.
    pub fn reaches(&mut self, session: &Session, process: &Process, step: u64) -> bool {
        let is_here = self.comes_to(session, process) || self.has_left;
        is_here && self.begins(session, process, step)
    }

    /// Whether the process is in the call of the walk, or in one that this has returned to.
    fn comes_to(&mut self, session: &Session, process: &Process) -> bool {
        let depth = process.depth();
        let is_here = depth <= self.lowest;
        self.lowest = self.lowest.min(depth);
        self.has_left |= is_here && depth < self.start && !self.scope.has(session, process.pc());
        is_here
    }

    fn begins(&mut self, session: &Session, process: &Process, step: u64) -> bool {
        self.scope.has(session, process.pc())
            && self.lines.begins(&session.system.program().code, process, step)
    }
}

/// Follows a walk out of a call: it ends where the nearest caller goes on, or, if that is never
/// returned to, at the first line after a library has taken over.
pub struct EndOfCall {
    /// The depth of the caller.
    caller: Option<usize>,
    level: Level,
}

impl EndOfCall {
    /// The call in which a process is.
    pub fn of(session: &Session, process: &Process, scope: CodeScope) -> EndOfCall {
        let caller = nearest_caller(session, process, scope).map(|(_, depth)| depth);
        let mut level = Level::of(process, scope);
        level.start = caller.unwrap_or(level.start);
        EndOfCall { caller, level }
    }

    /// Whether the walk ends where the process is.
    pub fn reaches(&mut self, session: &Session, process: &Process, step: u64) -> bool {
        self.level.comes_to(session, process);
        let has_returned = self.caller.is_some_and(|caller| process.depth() <= caller)
            && self.level.scope.has(session, process.pc());
        has_returned || (self.level.has_left && self.level.begins(session, process, step))
    }
}

/// The last line that began before the cut; only one whose call is still in progress or has gone
/// on as one that is, unless `into`.
pub fn last_line(session: &Session, proc: ProcId, into: bool, scope: CodeScope) -> Option<u64> {
    let now = session.state(proc);
    let end = session.steps_of(proc);
    let depth = if into || now.ending().is_some() { usize::MAX } else { now.depth() };
    let calls = if into { None } else { Some(now.depth()) };
    let mut stretch = 2_000;
    loop {
        let start = end.saturating_sub(stretch);
        let begun = lines_between(session, proc, (start, end), calls, scope);
        let found = begun
            .into_iter()
            .rfind(|line| line.left_for.is_some() || (!line.has_ended && line.depth <= depth));
        if found.is_some() || start == 0 {
            return found.map(|line| line.step);
        }
        stretch *= 4;
    }
}

/// The beginning of a line.
struct BegunLine {
    step: u64,
    /// The depth of its call.
    depth: usize,
    /// Its call has ended.
    has_ended: bool,
    /// Its call has ended, and a call of the program's own went on.
    is_over: bool,
    /// The depth of the library that took over before it was over, and has called the program again.
    left_for: Option<usize>,
}

impl BegunLine {
    fn new(step: u64, depth: usize) -> BegunLine {
        BegunLine { step, depth, has_ended: false, is_over: false, left_for: None }
    }

    /// Follows the process on from the line, for a walk back that begins at the depth `walk`.
    fn passes(&mut self, walk: usize, depth: usize, is_own: bool) {
        self.left_for = self.left_for.filter(|library| *library <= depth);
        if self.left_for.is_none() && !is_own && depth < walk && !self.is_over {
            self.left_for = Some(depth);
        }
        self.has_ended |= depth < self.depth;
        self.is_over |= is_own && depth < self.depth;
    }
}

/// The beginnings of lines in a stretch; if the walk goes over calls, from one of this depth,
/// without those whose call has ended in the stretch.
fn lines_between(
    session: &Session,
    proc: ProcId,
    (start, end): (u64, u64),
    calls: Option<usize>,
    scope: CodeScope,
) -> Vec<BegunLine> {
    let system = &session.system;
    let mut lines = LineTables::default();
    let mut begun: Vec<BegunLine> = vec![];
    let mut replay = system.nearest(proc, start.saturating_sub(u64::from(u8::MAX)));
    let everything = Watch::everything();
    while replay.watch_to(system, end, &everything) {
        let program = system.program();
        let (code, process) = (&program.code, &replay.process);
        let (pc, step, depth) = (process.pc(), process.steps(), process.depth());
        let ins = &code.ins[pc as usize];
        let counts = scope.has(session, pc);
        // Between two steps a process is nowhere.
        let is_somewhere = ins.weight > 0 || matches!(ins.op, Op::ReceiveStart { .. });
        if let Some(walk) = calls.filter(|_| is_somewhere && step < end) {
            begun.iter_mut().for_each(|line| line.passes(walk, depth, counts));
            begun.retain(|line| line.left_for.is_some() || !line.is_over);
        }
        let here = lines.of(code, code.fun_at(pc)).iter().filter(|(at, _)| counts && *at == pc);
        let steps = here.map(|(_, done)| step + u64::from(*done));
        let steps = steps.filter(|at| (start..end).contains(at));
        begun.extend(steps.map(|step| BegunLine::new(step, depth)));
    }
    begun
}

/// The last position of the caller before it made the current call, which is at this depth.
pub fn last_call(session: &Session, proc: ProcId, call: Pc, depth: usize) -> Option<u64> {
    last_call_to(session, proc, (call, depth), session.steps_of(proc).checked_sub(1)?)
}

/// The same up to a position.
pub fn last_call_to(
    session: &Session,
    proc: ProcId,
    (call, depth): (Pc, usize),
    end: u64,
) -> Option<u64> {
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
    session.last_stop_to(proc, &stops, end, &mut |_, process, _, _| process.depth() + 1 == depth)
}
