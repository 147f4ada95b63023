//! Running to breakpoints, in both directions: along what has happened, and live.

use super::Debugger;
use super::breaks::{Breakpoint, Stop};
use crate::query::session::BreakpointRow;
use crate::session::Session;
use crate::{describe, eval, scope};
use reverl_causal::replay::Replay;
use reverl_causal::{EventRef, Happened, ProcId, Step, Target};
use reverl_machine::{Process, Watch};
use std::collections::HashMap;

/// The breakpoint that stops a process before the instruction it is at.
fn code_hit(session: &Session, all: &[Breakpoint], process: &Process) -> Option<usize> {
    let pc = process.pc();
    for (i, b) in all.iter().enumerate() {
        let here = matches!(&b.stop, Stop::Code(w) if w.contains(pc));
        if here && b.spec.condition.as_ref().is_none_or(|c| holds(session, c, process)) {
            return Some(i);
        }
    }
    None
}

/// Whether a condition is true in the scope of a process; one that fails is not.
fn holds(session: &Session, condition: &str, process: &Process) -> bool {
    let system = &session.system;
    let (module, bound) = {
        let program = system.program();
        let code = &program.code;
        let module = code.fun(code.fun_at(process.pc())).module;
        (module, scope::bindings(code, process.pc(), 0, process.registers()))
    };
    let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
    let compiled = eval::compile(system.world(), condition, &names, Some(module));
    let value = compiled.and_then(|c| eval::evaluate(system, &c, values, process.local.clone()));
    value.is_ok_and(|v| v.as_bool() == Some(true))
}

/// The process that has just stopped before a watched instruction.
pub(super) fn watched(step: &Step, happened: Happened) -> Option<ProcId> {
    match (step, happened) {
        (Step::Run { proc, .. }, Happened::Watched) => Some(*proc),
        _ => None,
    }
}

impl Debugger {
    pub(super) fn has_breakpoints(&self) -> bool {
        !self.breakpoints.is_empty()
    }

    fn watch(&self) -> Watch {
        let mut watch = Watch::default();
        for b in &self.breakpoints {
            if let Stop::Code(w) = &b.stop {
                watch.extend(w);
            }
        }
        watch
    }

    fn has_event_breakpoints(&self) -> bool {
        self.breakpoints.iter().any(|b| matches!(b.stop, Stop::Event { .. }))
    }

    fn event_hit(&self, event: EventRef) -> Option<usize> {
        let system = &self.session.system;
        let happened = describe::kind(system, event);
        self.breakpoints.iter().position(|b| match &b.stop {
            Stop::Event { kind, pattern: None } => *kind == happened,
            Stop::Event { kind, pattern: Some(pattern) } => {
                let id = describe::message_of(system, event).filter(|_| *kind == happened);
                id.is_some_and(|id| pattern.matches(system, event.proc, id))
            }
            Stop::Code(_) => false,
        })
    }

    /// Goes on to the next breakpoint: along what has happened, then live.
    pub(super) fn run_to_breakpoint(&mut self) -> Option<(ProcId, BreakpointRow)> {
        if let Some((proc, target, breakpoint)) = self.known_breakpoint() {
            let plan = self.session.plan_redo(target);
            self.session.carry_out(&plan);
            self.session.current = proc;
            return Some((proc, self.breakpoints[breakpoint].row()));
        }
        self.session.replay_all();
        self.session.system.watch = self.watch();
        let hit = self.run_live();
        self.session.system.watch = Watch::default();
        let (proc, breakpoint) = hit?;
        self.session.current = proc;
        Some((proc, self.breakpoints[breakpoint].row()))
    }

    fn run_live(&mut self) -> Option<(ProcId, usize)> {
        loop {
            let mut seen = self.session.execution().event_count();
            let (mut stopped, mut at) = (false, None);
            let events = self.has_event_breakpoints();
            // Stops whenever a breakpoint may have been hit; whether it was is decided outside.
            self.session.run_telling(events, &mut |system, step, happened| {
                at = watched(step, happened);
                stopped = at.is_some() || (events && system.execution().event_count() > seen);
                !stopped
            });
            while let Some(event) = self.session.execution().event(seen) {
                if let Some(b) = self.event_hit(event) {
                    return Some((event.proc, b));
                }
                seen += 1;
            }
            if let Some(proc) = at {
                let process = self.session.system.frozen(proc);
                if let Some(b) = code_hit(&self.session, &self.breakpoints, &process) {
                    return Some((proc, b));
                }
            }
            if !stopped {
                return None;
            }
        }
    }

    /// The first breakpoint in what has already happened after the cut.
    fn known_breakpoint(&self) -> Option<(ProcId, Target, usize)> {
        let watch = self.watch();
        let later: Vec<EventRef> = {
            let execution = self.session.execution();
            let outside = |e: &EventRef| !self.session.cut.contains(execution, *e);
            execution.events().filter(outside).collect()
        };
        let mut replays: HashMap<ProcId, Replay> = HashMap::new();
        for event in later {
            let to = describe::step_of(&self.session.system, event);
            if let Some(hit) = self.watch_segment(&mut replays, event.proc, to, &watch) {
                return Some(hit);
            }
            if let Some(b) = self.event_hit(event) {
                return Some((event.proc, Target::Event(event), b));
            }
        }
        // Steps after the last event of each process.
        let rest: Vec<ProcId> = self.session.execution().ids().collect();
        for proc in rest {
            let end = self.session.execution().proc(proc).steps;
            if self.session.steps_of(proc) < end {
                if let Some(hit) = self.watch_segment(&mut replays, proc, end, &watch) {
                    return Some(hit);
                }
            }
        }
        None
    }

    fn watch_segment(
        &self,
        replays: &mut HashMap<ProcId, Replay>,
        proc: ProcId,
        to: u64,
        watch: &Watch,
    ) -> Option<(ProcId, Target, usize)> {
        if watch.is_empty() {
            return None;
        }
        let from = self.session.steps_of(proc);
        let session = &self.session;
        let mut replay =
            replays.remove(&proc).unwrap_or_else(|| session.system.nearest(proc, from));
        loop {
            if !replay.watch_to(&self.session.system, to, watch) {
                replays.insert(proc, replay);
                return None;
            }
            let step = replay.process.steps();
            if step > from {
                if let Some(b) = code_hit(&self.session, &self.breakpoints, &replay.process) {
                    return Some((proc, Target::Steps(proc, step), b));
                }
            }
        }
    }

    /// The last breakpoint before the cut among these processes.
    pub(super) fn last_breakpoint(
        &self,
        procs: &[ProcId],
    ) -> Option<(ProcId, Target, BreakpointRow)> {
        let mut best: Option<Hit> = None;
        for &proc in procs {
            let hit = self.last_code_hit(proc);
            let later = |hit: &Hit| best.as_ref().is_none_or(|b| hit.order >= b.order);
            best = hit.filter(later).or(best);
        }
        let best = self.last_event_hit(procs, best.as_ref()).or(best)?;
        Some((best.proc, best.target, self.breakpoints[best.breakpoint].row()))
    }

    fn last_code_hit(&self, proc: ProcId) -> Option<Hit> {
        let watch = self.watch();
        if watch.is_empty() {
            return None;
        }
        let mut breakpoint = None;
        let step = self.session.last_hit(proc, &watch, &mut |session, _, process| {
            let hit = code_hit(session, &self.breakpoints, process);
            breakpoint = hit.or(breakpoint);
            hit.is_some()
        })?;
        let p = self.session.execution().proc(proc);
        let before = p.actions_at(step);
        let order = before.checked_sub(1).map_or(0, |i| p.actions[i].order);
        Some(Hit { order, proc, target: Target::Steps(proc, step), breakpoint: breakpoint? })
    }

    /// The last event that a breakpoint is on, if it came after `best`.
    fn last_event_hit(&self, procs: &[ProcId], best: Option<&Hit>) -> Option<Hit> {
        if !self.has_event_breakpoints() {
            return None;
        }
        let execution = self.session.execution();
        let events = self.session.events_in_cut().into_iter().rev();
        let later = events
            .map(|event| (execution.order_of(event), event))
            .take_while(|(order, _)| best.is_none_or(|b| b.order < *order));
        let mut hits =
            later.filter(|(_, event)| procs.contains(&event.proc)).filter_map(|(order, event)| {
                let breakpoint = self.event_hit(event)?;
                Some(Hit { order, proc: event.proc, target: Target::Event(event), breakpoint })
            });
        hits.next()
    }
}

/// A breakpoint that was met in the past, and when.
struct Hit {
    order: u32,
    proc: ProcId,
    target: Target,
    breakpoint: usize,
}
