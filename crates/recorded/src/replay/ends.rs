//! Processes end: by themselves, by a signal, or with the call that their recording began with.

use super::{Fits, Goal, LAST_STEPS, Reached, Replay, show};
use crate::parts::TraceAction;
use crate::same::{same, same_reason, without_trace};
use crate::terms::term;
use reverl_causal::execution::SignalKind;
use reverl_causal::{ProcId, SignalId};
use reverl_machine::builtins::nature::Nature;
use reverl_machine::raise::{Class, Exception};
use reverl_machine::{Ending, Program};
use reverl_term::{Atom, Term};

/// Whether only a signal gives a process this reason.
fn is_of_signal(reason: &Term) -> bool {
    reason.is_atom_eq(reverl_term::atoms::KILLED)
}

/// What others are told of a process that ends with this exception, but for its stack trace.
fn reason_of(exception: &Exception) -> Term {
    let reason = exception.reason.clone();
    match exception.class {
        Class::Exit => without_trace(&reason),
        Class::Error => reason,
        Class::Throw => Term::tuple(vec![Term::atom(Atom::new("nocatch")), reason]),
    }
}

impl Replay<'_> {
    /// Whether the next that is known of a process is an end that may be due to a signal.
    pub(super) fn may_be_ended(&self, at: usize) -> bool {
        let now = self.logs[at].get(self.done[at].wrapping_sub(1)).copied();
        let entries = now.into_iter().chain(self.next_of(at));
        let mut actions = entries.map(|i| &self.recorded.entries[i as usize].action);
        let normal = Term::atom(reverl_term::atoms::NORMAL);
        actions.any(|a| matches!(a, TraceAction::Exit(reason) if term(reason) != normal))
    }

    /// Whether a process that is at its end ends as it was recorded: a signal may have come before.
    pub(super) fn is_own_end(&self, proc: ProcId, at: usize) -> bool {
        let due = self.logs[at].get(self.done[at].wrapping_sub(1)).copied();
        let due = due.map(|i| &self.recorded.entries[i as usize].action);
        let Some(TraceAction::Exit(recorded)) = due else { return true };
        let recorded = term(recorded);
        if recorded.is_atom_eq(reverl_term::atoms::NORMAL) {
            return true;
        }
        match self.system.running(proc).process.ending() {
            Some(Ending::Value(_)) => false,
            Some(Ending::Exception(e)) => same(&without_trace(&recorded), &reason_of(e)),
            None => true,
        }
    }

    /// Whether a process that has not ended is where it would end by itself, with an exception.
    fn is_at_own_end(&self, proc: ProcId) -> bool {
        matches!(self.system.running(proc).process.ending(), Some(Ending::Exception(_)))
    }

    /// Lets a process that may be ended by a signal run as long as somebody finds what it sends:
    /// `Stuck` in front of what nobody found, which it has not come to.
    pub(super) fn run_as_found(&mut self, proc: ProcId, at: usize) -> Fits<Option<Reached>> {
        let last = self.system.running(proc).process.steps().saturating_add(LAST_STEPS);
        loop {
            if self.system.has_exited(proc) {
                return Ok(None);
            }
            if self.system.running(proc).process.steps() > last {
                return Ok(Some(Reached::Stuck));
            }
            if self.system.asked(proc).is_none() && self.would_be_missed(proc) {
                return Ok(Some(Reached::Stuck));
            }
            if let Reached::Stuck = self.run(proc, Goal::Deed, at)? {
                let asked = self
                    .system
                    .asked(proc)
                    .filter(|asked| Program::builtin(asked.builtin).nature == Nature::Exit);
                // It is stuck at that for good.
                return Ok(asked.map(|_| Reached::Stuck));
            }
        }
    }

    pub(super) fn exit(&mut self, proc: ProcId, at: usize, reason: &Term) -> Fits<()> {
        if !self.system.has_exited(proc) {
            self.let_link(proc)?;
            if let Reached::Stuck = self.run(proc, Goal::End, at)? {
                self.kill(proc, reason)?;
            }
            if !self.system.has_exited(proc) && !is_of_signal(reason) {
                // Nobody else ends it in this way: it computes for long.
                self.run_on(proc, Goal::End, at)?;
            }
            // Who ended it may be in the rest of the recording. One that ends by itself for another
            // reason than it should has departed.
            let has_departed = self.is_at_own_end(proc) && !is_of_signal(reason);
            if !self.system.has_exited(proc) && !self.recorded.is_part && !has_departed {
                self.kill_from_outside(proc, reason);
            }
        }
        let exit = self.system.execution().proc(proc).exit().map(|e| e.reason.clone());
        let told = || format!("exit with {}", show(reason));
        match exit {
            Some(own) if same_reason(&own, reason) => Ok(()),
            Some(own) => Err((told(), format!("exit with {}", show(&own)))),
            None => {
                let doing = self.doing(proc);
                Err((told(), doing))
            }
        }
    }

    /// Whoever was linked to a process at its end goes on to where it is, which is not recorded.
    fn let_link(&mut self, ending: ProcId) -> Fits<()> {
        for number in self.nobody.linked_to(&self.system.pid(ending)) {
            let Some(linker) = self.proc(number).filter(|p| !self.system.has_exited(*p)) else {
                continue;
            };
            if !self.system.traps(linker, ending) {
                self.run(linker, Goal::Trap(ending), number as usize)?;
            }
        }
        Ok(())
    }

    /// Somebody has sent an exit signal: its parent, or anybody else who can go on.
    pub(super) fn kill(&mut self, proc: ProcId, reason: &Term) -> Fits<()> {
        self.killed(proc, reason);
        let parent = self.system.execution().proc(proc).parent.map(|(parent, _)| parent);
        let first = parent.map(|parent| self.number_of(parent));
        for at in first.into_iter().chain(0..self.procs.len()) {
            if self.system.has_exited(proc) {
                break;
            }
            let Some(other) = self.procs[at].filter(|p| *p != proc) else { continue };
            let p = self.system.execution().proc(other);
            if p.is_spawned && !p.is_system && !self.system.has_exited(other) {
                let before = self.system.execution().proc(other).signals.len();
                self.run(other, Goal::Stop, at)?;
                if self.system.execution().proc(other).signals.len() > before {
                    self.killed(proc, reason);
                }
            }
        }
        Ok(())
    }

    /// Nobody who is recorded has sent the exit signal.
    fn kill_from_outside(&mut self, proc: ProcId, reason: &Term) {
        let is_killed = reason.is_atom_eq(reverl_term::atoms::KILLED);
        let sent = if is_killed { Term::atom(reverl_term::atoms::KILL) } else { reason.clone() };
        self.last_signals(proc);
        let what = Term::tuple(vec![Term::atom(Atom::new("exit")), self.system.pid(proc), sent]);
        self.drive_outside(self.clock, what);
        while !self.system.has_exited(proc) && self.arrive(self.clock, proc).is_some() {}
    }

    /// An exit signal that is on its way arrives.
    pub(super) fn killed(&mut self, proc: ProcId, reason: &Term) {
        for (from, signals) in self.system.on_the_way(proc) {
            let kills = signals.iter().any(|s| match self.system.execution().kind(*s) {
                SignalKind::Exit { linked, reason: own } => {
                    let kill = !linked && own.is_atom_eq(reverl_term::atoms::KILL);
                    kill && reason.is_atom_eq(reverl_term::atoms::KILLED)
                        || same_reason(own, reason)
                }
                _ => false,
            });
            if kills {
                self.last_signals(proc);
            }
            while kills && !self.system.has_exited(proc) {
                if self.arrive(from, proc).is_none() {
                    break;
                }
            }
            if self.system.has_exited(proc) {
                return;
            }
        }
    }

    /// The call with which recording of the process began is over.
    pub(super) fn ended(
        &mut self,
        proc: ProcId,
        at: usize,
        outcome: Result<Term, Term>,
    ) -> Fits<()> {
        let told = match &outcome {
            Ok(value) => format!("the value {}", show(value)),
            Err(exception) => format!("the exception {}", show(exception)),
        };
        if let Reached::Stuck = self.run(proc, Goal::End, at)? {
            return match &outcome {
                Err(exception) if self.is_ended_inside(proc, exception)? => Ok(()),
                _ => Err((told, self.doing(proc))),
            };
        }
        if let Some(own) = self.returned.get(&proc) {
            let parts = own.as_tuple().map(|t| (t[0].clone(), t[1].clone())).unwrap_or_default();
            let fits = match (&outcome, parts.0.is_atom_eq(Atom::new("value"))) {
                (Ok(value), true) => same(value, &parts.1),
                (Err(exception), false) => same_reason(exception, own),
                _ => false,
            };
            return if fits { Ok(()) } else { Err((told, show(own))) };
        }
        let exit = self.system.execution().proc(proc).exit();
        let (value, exception) = match exit {
            Some(exit) => (exit.value.clone(), exit.exception.clone()),
            None => (None, None),
        };
        match (&outcome, value, exception) {
            (Ok(told), Some(own), _) if same(told, &own) => Ok(()),
            (Err(told_of), _, Some(e)) => match told_of.as_tuple() {
                Some([class, reason])
                    if class.is_atom_eq(e.class.atom()) && same_reason(reason, &e.reason) =>
                {
                    Ok(())
                }
                _ => Err((told, format!("{} {}", e.class.atom().name(), show(&e.reason)))),
            },
            (_, Some(own), _) => Err((told, format!("the value {}", show(&own)))),
            (_, _, Some(e)) => {
                Err((told, format!("{} {}", e.class.atom().name(), show(&e.reason))))
            }
            _ => Err((told, "it has not ended".into())),
        }
    }

    /// Whether a signal has ended a process in the middle of the call that its recording began with, which
    /// the node tells as an exception of that call.
    fn is_ended_inside(&mut self, proc: ProcId, exception: &Term) -> Fits<bool> {
        let Some([_, reason]) = exception.as_tuple() else { return Ok(false) };
        if !is_of_signal(reason) {
            return Ok(false);
        }
        self.kill(proc, reason)?;
        if !self.system.has_exited(proc) && !self.recorded.is_part {
            self.kill_from_outside(proc, reason);
        }
        Ok(self.system.has_exited(proc))
    }

    /// A call with which recording began: the first one is made already.
    pub(super) fn begin(&mut self, proc: ProcId, at: usize) -> Fits<()> {
        if self.returned.remove(&proc).is_some() {
            self.run(proc, Goal::Stop, at)?;
            self.go_on(proc);
        }
        Ok(())
    }

    /// Whether the process is where it does what the recording says.
    pub(super) fn pauses(&self, proc: ProcId) -> bool {
        let asked = self.system.asked(proc).map(|a| Program::builtin(a.builtin));
        asked.is_some_and(|b| b.nature == Nature::Outside)
    }

    /// There is nothing more for it to do outside of its calls.
    fn go_on(&mut self, proc: ProcId) {
        if self.pauses(proc) {
            self.grant(proc, None);
        }
    }

    /// Monitors and links that reached a process before it ended.
    pub(super) fn last_signals(&mut self, proc: ProcId) {
        for (from, mut signals) in self.system.on_the_way(proc) {
            // What comes after one that found nobody is late, too.
            let first_late = signals.iter().position(|id| self.was_late(proc, from, *id));
            signals.truncate(first_late.unwrap_or(signals.len()));
            let is_meant = |id: &SignalId| {
                use SignalKind::{Demonitor, Link, Monitor, Unlink};
                matches!(self.system.execution().kind(*id), Monitor | Link | Unlink | Demonitor)
            };
            let wanted = signals.iter().rposition(is_meant).map_or(0, |last| last + 1);
            for _ in 0..wanted {
                self.arrive(from, proc);
                if self.system.has_exited(proc) {
                    return;
                }
            }
        }
    }

    /// Whether a monitor or link is known to have come after the end of the process that it was for.
    fn was_late(&self, ended: ProcId, from: ProcId, id: SignalId) -> bool {
        match self.system.execution().kind(id) {
            SignalKind::Monitor => {
                let signal = self.system.execution().signal(id);
                let reference = signal.message.as_tuple().map(|t| &t[0]);
                reference.is_none_or(|r| self.nobody.has_monitor(r))
            }
            SignalKind::Link => {
                self.nobody.has_link(self.number_of(from) as u32, self.system.pid(ended))
            }
            _ => false,
        }
    }

    /// Everybody goes on to where it waits; nothing of that was recorded.
    pub(super) fn run_out(&mut self) {
        for at in 0..self.procs.len() {
            let Some(proc) = self.procs[at] else { continue };
            if !self.system.execution().proc(proc).is_system {
                let _ = self.run(proc, Goal::Stop, at);
                if self.pauses(proc) {
                    self.go_on(proc);
                    let _ = self.run(proc, Goal::End, at);
                }
            }
        }
    }
}
