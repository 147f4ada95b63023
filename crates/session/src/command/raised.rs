//! Breakpoints on exceptions: a run stops where a process is about to raise one, in either direction.

use super::Debugger;
use super::breaks::{Breakpoint, Stop, Verdict};
use super::running::{Hit, order};
use crate::exceptions::{self, Catcher, ExceptionStop, RaisedException};
use reverl_causal::{Cut, ProcId, Target};
use std::collections::HashMap;

impl Debugger {
    pub(super) fn has_exception_breakpoints(&self) -> bool {
        self.breakpoints.iter().any(|b| matches!(b.stop, Stop::Exception(_)))
    }

    /// The breakpoint that stops at an exception.
    fn raise_hit(&self, proc: ProcId, raised: &RaisedException) -> Option<Hit> {
        let session = &self.session;
        let stops = |b: &Breakpoint| match b.stop {
            Stop::Exception(kind) if raised.is_of(kind) => {
                let is_plain = b.spec.condition.is_none();
                let verdict = || {
                    let state = session.system.state_at(proc, raised.step);
                    b.verdict(session, (proc, &state), raised.step)
                };
                is_plain || verdict() == Verdict::Stops
            }
            _ => false,
        };
        let breakpoint = self.breakpoints.iter().position(stops)?;
        Some(Hit {
            proc,
            target: Target::Steps(proc, raised.step),
            breakpoint,
            complaint: None,
            order: order(session, proc, raised.step),
            raised: Some(raised.clone()),
        })
    }

    /// The first one in what has happened after the cut; if another cut is given, on the way there.
    pub(super) fn first_raise(&self, up_to: Option<&Cut>) -> Option<Hit> {
        let execution = self.session.execution();
        let last = self.stopped_here().filter(|_| up_to.is_none());
        let hits = execution.ids().filter_map(|proc| {
            let to = match up_to {
                Some(cut) if !cut.is_spawned(execution, proc) => return None,
                Some(cut) => cut.place(proc).steps,
                None => execution.proc(proc).steps,
            };
            let from = self.first_ahead(proc, up_to.is_some());
            let raised = self.session.exceptions(proc).into_iter();
            let within = raised.filter(|raised| (from..=to).contains(&raised.step));
            let mut hits = within.filter_map(|raised| self.raise_hit(proc, &raised));
            hits.find(|hit| last.is_none_or(|last| last < hit.order))
        });
        hits.min_by_key(|hit| hit.order)
    }

    /// The last one before the cut among these processes.
    pub(super) fn last_raise(&self, procs: &[ProcId]) -> Option<Hit> {
        let session = &self.session;
        let last = self.stopped_here();
        let is_before = |hit: &Hit| match last {
            Some(last) => hit.order < last,
            None => true,
        };
        let hits = procs.iter().flat_map(|&proc| {
            let here = session.steps_of(proc);
            let is_spawned = session.cut.is_spawned(session.execution(), proc);
            let raised = session.exceptions(proc).into_iter().filter(move |raised| {
                let is_passed = raised.step < here || (last.is_some() && raised.step == here);
                is_spawned && is_passed
            });
            raised.filter_map(move |raised| self.raise_hit(proc, &raised)).collect::<Vec<_>>()
        });
        hits.filter(is_before).max_by_key(|hit| hit.order)
    }

    /// A process has come to a handler, or to its end, in a live run.
    pub(super) fn raised_live(&mut self, proc: ProcId, has_exited: bool) -> Option<Hit> {
        if has_exited {
            let raised = self.session.exceptions(proc).into_iter().rev();
            let mut ended = raised.filter(|raised| raised.is_crash);
            return ended
                .find(|raised| !self.was_met(raised))
                .and_then(|r| self.raise_hit(proc, &r));
        }
        let process = self.session.system.frozen(proc);
        let raised = exceptions::caught(&self.session, proc, &process, process.steps())?;
        self.raise_hit(proc, &raised)
    }

    /// What a library has caught before it ended the process was met then, if anybody wanted it.
    fn was_met(&self, raised: &RaisedException) -> bool {
        let wants = |b: &Breakpoint| match b.stop {
            Stop::Exception(ExceptionStop::Crash) => false,
            Stop::Exception(kind) => raised.is_of(kind),
            _ => false,
        };
        raised.catcher == Catcher::Library && self.breakpoints.iter().any(wants)
    }

    /// The first one since the positions at which a run began: modules may have been loaded on the
    /// way whose handlers were not watched.
    pub(super) fn raised_since(&self, begun: &HashMap<ProcId, u64>) -> Option<Hit> {
        let hits = self.session.execution().ids().flat_map(|proc| {
            let from = begun.get(&proc).copied().unwrap_or(0);
            let new = self.session.exceptions(proc).into_iter();
            let new = new.filter(move |raised| raised.step >= from);
            new.filter_map(move |raised| self.raise_hit(proc, &raised)).collect::<Vec<_>>()
        });
        hits.min_by_key(|hit| hit.order)
    }
}
