//! The variants of a finished execution: for everything that chance decided in it, the beginning
//! of an execution in which it decides otherwise.
//!
//! Of a receive that takes something else, everything is kept that does not come from the receive
//! (paper 004). Of two deeds in conflict, everything that does not come from the first, and then
//! the second goes first. A process that a signal killed does one thing more.

use crate::feasible::{Choice, Delivery, Extra, Matches};
use crate::follow::{NamedStep, take};
use crate::history::{EventKind, History, Travel};
use crate::observation::{ObservationLog, ProcName, hash_of, message_name};
use crate::timeouts::Timeouts;
use reverl_causal::execution::SignalKind;
use reverl_causal::{ActionKind, EventRef, ProcId, SignalId, Step, System};
use reverl_term::Term;
use std::collections::HashSet;

/// A finished execution, as its variants need it.
pub struct Finished<'f> {
    pub run: &'f System,
    pub history: &'f History,
    pub matches: &'f Matches,
    pub delivery: Delivery,
    /// So many events are past: they stay as they are.
    pub past: usize,
    /// Which time-outs come, and when.
    pub timeouts: Timeouts,
}

/// The beginning of another execution.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    pub schedule: Vec<NamedStep>,
    /// Who goes on first after that, whatever it does.
    pub first: Option<ProcName>,
}

impl Finished<'_> {
    /// All variants that can happen and for whose key `is_new` holds; receives that the log
    /// decides stay as they are.
    pub fn variants(
        &self,
        fixed: &ObservationLog,
        is_new: &mut dyn FnMut(u64) -> bool,
    ) -> Vec<Variant> {
        let mut found = vec![];
        for (p, receives) in self.history.receives.iter().enumerate() {
            let decided = fixed.0.get(&self.history.names[p]).map_or(0, Vec::len);
            let open = receives.iter().skip(decided).filter(|i| **i >= self.past);
            for receive in open {
                self.other_takes(ProcId(p as u32), *receive, is_new, &mut found);
            }
        }
        for (i, event) in self.history.events.iter().enumerate() {
            for first in &event.races {
                found.extend(self.without(*first, Some(self.doing(i)), None, is_new));
            }
            for victim in event.kills.iter().filter(|victim| !self.is_suicide(i, **victim)) {
                found.extend(self.without(i, None, Some(self.name(*victim)), is_new));
            }
        }
        for (id, end) in self.history.too_late() {
            let to = self.name(self.history.events[end].proc);
            let signal = message_name(self.run.execution(), id);
            let arrive = Step::Deliver { signal, to };
            found.extend(self.without(end, Some((arrive, Some(id))), None, is_new));
        }
        found
    }

    fn name(&self, proc: ProcId) -> ProcName {
        self.history.names[proc.0 as usize]
    }

    /// How to do an event, and which exit signal it is.
    fn doing(&self, event: usize) -> (NamedStep, Option<SignalId>) {
        let step = self.history.schedule(self.run.execution(), |i| i == event).swap_remove(0);
        let signal = match self.history.events[event].kind {
            EventKind::Arrive(id) => Some(id),
            _ => None,
        };
        (step, signal)
    }

    /// Whether a process died of its own signal: that has arrived when the call returns.
    fn is_suicide(&self, event: usize, victim: ProcId) -> bool {
        matches!(self.history.events[event].kind, EventKind::Arrive(id) if id.from == victim)
    }

    /// Everything that does not come from an event, and then something else.
    fn without(
        &self,
        event: usize,
        then: Option<(NamedStep, Option<SignalId>)>,
        first: Option<ProcName>,
        is_new: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Variant> {
        if event < self.past {
            return None;
        }
        let history = self.history;
        let kept = |i: usize| !history.is_from(i, event);
        let step = then.as_ref().map(|(step, _)| step.clone());
        if !is_new(hash_of((history.fingerprint(kept), &step, first))) {
            return None;
        }
        if let Some((_, Some(signal))) = then {
            if self.is_behind_another(signal, kept) {
                return None;
            }
        }
        let mut schedule = history.schedule(self.run.execution(), kept);
        schedule.extend(step);
        Some(Variant { schedule, first })
    }

    /// Whether an exit signal of the same sender must arrive before this one.
    fn is_behind_another(&self, signal: SignalId, kept: impl Fn(usize) -> bool) -> bool {
        let Some(to) = self.run.execution().signal(signal).to() else { return true };
        let travels = self.history.travels[to.0 as usize].iter();
        let before = travels.filter(|(id, _)| id.from == signal.from && id.k < signal.k);
        let waits = |travel: &Travel| match travel {
            Travel::Exit(arrived) => !arrived.is_some_and(&kept),
            _ => false,
        };
        before.into_iter().any(|(_, travel)| waits(travel))
    }

    /// What else the receive could take: of each stream its first message that matches, if the
    /// receive itself did not cause it to be sent (004, Def. 5); or its time-out.
    fn other_takes(
        &self,
        proc: ProcId,
        receive: usize,
        is_new: &mut dyn FnMut(u64) -> bool,
        found: &mut Vec<Variant>,
    ) {
        let history = self.history;
        let p = proc.0 as usize;
        let EventKind::Receive { taken, step } = history.events[receive].kind else { return };
        let earlier = history.receives[p].iter().take_while(|i| **i != receive);
        let consumed: HashSet<SignalId> = earlier
            .filter_map(|i| match history.events[*i].kind {
                EventKind::Receive { taken, .. } => taken,
                _ => None,
            })
            .collect();
        let row = &self.matches[&receive];
        let mut streams = HashSet::new();
        let mut others = vec![];
        for (id, fits) in history.inbox[p].iter().zip(row) {
            if !fits || consumed.contains(id) || !streams.insert(self.run.execution().stream(*id)) {
                continue;
            }
            let is_other = Some(*id) != taken && !self.is_long_timer(*id);
            if is_other && !history.is_from(history.origin(p, *id), receive) {
                others.push(Some(*id));
            }
        }
        if taken.is_some() && self.can_time_out(proc, step) {
            others.push(None);
        }
        let kept = |i: usize| !history.is_from(i, receive);
        let fingerprint = history.fingerprint(kept);
        for other in others {
            let name = history.names[p];
            let step = take(name, other.map(|id| message_name(self.run.execution(), id)));
            if !is_new(hash_of((fingerprint, &step))) {
                continue;
            }
            let extra = Some(Extra { proc, taken: other, row: row.clone() });
            let all = (0..history.events.len()).map(kept).collect();
            let choice = Choice { history, kept: all, extra };
            if choice.order(self.matches, self.delivery).is_some() {
                let mut schedule = history.schedule(self.run.execution(), kept);
                schedule.push(step);
                found.push(Variant { schedule, first: None });
            }
        }
    }

    /// Whether it is the message of a timer that comes only when nothing else can happen.
    fn is_long_timer(&self, id: SignalId) -> bool {
        let execution = self.run.execution();
        let started_by = EventRef::action(id.from, execution.signal(id).sent_by() as usize);
        let started = match execution.action(started_by).map(|action| action.what()) {
            Some(ActionKind::Request(started)) if *execution.kind(id) == SignalKind::Timer => {
                started
            }
            _ => return false,
        };
        // With more arguments the time may be one of the clock's.
        let ms = started.args.first().filter(|_| started.args.len() == 3).and_then(Term::as_small);
        ms.is_some_and(|ms| !self.timeouts.may_be_early(ms as u64))
    }

    /// Whether the receive has a time-out that can come before a message does.
    fn can_time_out(&self, proc: ProcId, step: u64) -> bool {
        let p = self.run.execution().proc(proc);
        let i = p.actions_at(step).saturating_sub(1);
        let has_after = self.run.program().code.has_after(p.actions[i].pc);
        has_after
            && self.run.timeout_at(proc, step - 1).is_some_and(|ms| self.timeouts.may_be_early(ms))
    }
}
