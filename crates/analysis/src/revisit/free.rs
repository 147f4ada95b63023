//! Everything that could have gone otherwise in an execution, for searches that remember what they have
//! visited: of what is changed all is kept that does not come from it (paper 004).
//!
//! Exit signals could have ended a process earlier, later or not at all: an end takes the place of
//! whatever the process would have done.

use super::*;

impl Revisits<'_> {
    /// Every execution that differs in one thing, wherever that may have been found before.
    pub fn find_all(mut self) -> Vec<Beginning> {
        for event in 0..self.history.events.len() {
            self.any_rival_later(event);
            self.any_receive_takes_what_is_sent(event);
            self.any_end_by(event);
            self.any_linked_end_by(event);
            self.goes_on(event);
        }
        self.found
    }

    /// All that does not come from an event and that somebody was there to notice, or that is needed.
    fn all_but(&self, first: usize, needs: &Clock) -> Vec<bool> {
        let is_real = |i: usize| self.history.events[i].place.is_some();
        let keeps =
            |i: usize| !self.history.is_from(i, first) && (is_real(i) || self.is_in(needs, i));
        (0..self.history.events.len()).map(keeps).collect()
    }

    /// What is kept, and then something else, in the place of an event. When it was added says nothing.
    fn instead(&mut self, kept: &[bool], steps: Vec<NamedStep>, ends: Option<bool>) {
        let mut all = self.history.schedule(self.run.execution(), |i| kept[i]);
        let kept = (all.len(), self.history.fingerprint(|i| kept[i]));
        all.extend(steps);
        let steps = all.into_iter().map(|step| (step, Stamp::default())).collect();
        self.found.push(Beginning { steps, kept, ends, ..Beginning::default() });
    }

    /// An event comes before one that it is in conflict with.
    fn any_rival_later(&mut self, event: usize) {
        for first in self.history.rivals(event) {
            if first < self.past {
                continue;
            }
            let needs = &self.history.events[event].base;
            let mut kept = self.all_but(first, needs);
            kept[event] = false;
            let mut ends = None;
            if let EventKind::Arrive(id) = self.history.events[event].kind {
                if !self.ahead(self.history.events[event].proc, id, &kept).is_empty() {
                    continue;
                }
                // Whom it ends earlier is found by what sent it.
                ends = Some(self.ended_by(event).is_some());
            }
            self.instead(&kept, vec![self.doing(event)], ends);
        }
    }

    /// A receive takes what an event sent, or a process takes it that was ended while it waited.
    fn any_receive_takes_what_is_sent(&mut self, event: usize) {
        for p in 0..self.history.inbox.len() {
            let proc = ProcId(p as u32);
            let is_its = |id: &&SignalId| self.history.origin(p, **id) == event;
            let sent: Vec<SignalId> =
                self.history.inbox[p].iter().filter(is_its).copied().collect();
            for id in sent {
                for receive in self.history.receives[p].clone() {
                    let row = self.matches[&receive].clone();
                    self.takes_instead(event, receive, Some(receive), (proc, id), &row);
                }
                let end = self.history.end[p].filter(|end| self.ended_by(*end).is_some());
                if let Some(end) = end {
                    let wishes = self.wishes(proc);
                    self.takes_instead(event, end, None, (proc, id), &wishes);
                }
            }
        }
    }

    fn takes_instead(
        &mut self,
        event: usize,
        first: usize,
        receive: Option<usize>,
        (proc, id): (ProcId, SignalId),
        row: &[bool],
    ) {
        let taken = match self.history.events[first].kind {
            EventKind::Receive { taken, .. } => taken,
            _ => None,
        };
        if first < self.past
            || taken == Some(id)
            || self.history.is_from(event, first)
            || !self.takeable(proc, receive, row).contains(&id)
        {
            return;
        }
        let kept = self.all_but(first, &self.history.events[event].clock);
        if self.can_take(proc, Some(id), row, |i| kept[i]) {
            let name = self.history.names[proc.0 as usize];
            let doing = take(name, Some(message_name(self.run.execution(), id)));
            self.instead(&kept, vec![doing], None);
        }
    }

    /// Exit signals of an event end processes before what these did.
    fn any_end_by(&mut self, event: usize) {
        for (p, id) in self.deadly(|id| self.history.sent_by[&id] == event) {
            let signal = message_name(self.run.execution(), id);
            self.ends_anywhere(event, p, id, signal);
        }
    }

    /// A process that ended ends another one that it was linked to, before that has ended itself.
    fn any_linked_end_by(&mut self, event: usize) {
        let history = self.history;
        let proc = history.events[event].proc;
        let exit = self.run.execution().proc(proc).exit();
        let is_normal = exit.is_none_or(|e| e.reason.is_atom_eq(atoms::NORMAL));
        if history.end[proc.0 as usize] != Some(event) || is_normal {
            return;
        }
        let from = history.names[proc.0 as usize];
        for (id, _) in history.exits_of(proc).collect::<Vec<_>>() {
            if matches!(self.run.execution().kind(id), SignalKind::Exit { linked: true, .. }) {
                let signal = sent_at_exit(from, Some(history.names[id.from.0 as usize]), 0);
                // It comes after all else that the process has sent.
                let last = SignalId { from: proc, k: u32::MAX };
                self.ends_anywhere(event, id.from, last, signal);
            }
        }
    }

    /// A process is ended by a signal of an event instead of each thing that it did.
    fn ends_anywhere(&mut self, event: usize, proc: ProcId, id: SignalId, signal: MessageName) {
        let mut needs = self.history.events[event].clock.clone();
        self.arrive_first(proc, id, &mut needs);
        for deed in self.history.deeds(proc).collect::<Vec<_>>() {
            let is_it = matches!(self.history.events[deed].kind, EventKind::Arrive(k) if k == id);
            if deed < self.past || is_it || self.is_in(&needs, deed) {
                continue;
            }
            let kept = self.all_but(deed, &needs);
            let to = self.history.names[proc.0 as usize];
            let named = |id| message_name(self.run.execution(), id);
            let ahead = self.ahead(proc, id, &kept).into_iter().map(named);
            let steps = ahead.chain([signal]).map(|signal| Step::Deliver { signal, to }).collect();
            self.instead(&kept, steps, Some(true));
        }
    }

    /// A process that was ended goes on.
    fn goes_on(&mut self, end: usize) {
        if end >= self.past && self.ended_by(end).is_some() {
            let kept = self.all_but(end, &Clock::new());
            self.instead(&kept, vec![], None);
        }
    }

    /// What the same sender sent before an exit signal arrives before it.
    fn arrive_first(&self, proc: ProcId, signal: SignalId, needs: &mut Clock) {
        for (id, arrived) in self.history.exits_of(proc) {
            let is_earlier = id.from == signal.from && id.k < signal.k;
            if is_earlier && self.ended_by(arrived).is_none() {
                merge(needs, &self.history.events[arrived].clock);
            }
        }
    }

    /// The exit signals that could end the process that they were sent to, and that process.
    fn deadly(&self, wanted: impl Fn(SignalId) -> bool) -> Vec<(ProcId, SignalId)> {
        let execution = self.run.execution();
        let mut found = vec![];
        for (p, travels) in self.history.travels.iter().enumerate() {
            for (id, travel) in travels {
                let (Travel::Exit(_), SignalKind::Exit { reason, .. }) =
                    (travel, execution.kind(*id))
                else {
                    continue;
                };
                if !reason.is_atom_eq(atoms::NORMAL) && wanted(*id) {
                    found.push((ProcId(p as u32), *id));
                }
            }
        }
        found
    }

    /// The process that an event ends by an exit signal.
    fn ended_by(&self, event: usize) -> Option<ProcId> {
        let e = &self.history.events[event];
        let ends = matches!(e.kind, EventKind::Arrive(_)) && e.chain == e.proc.0 as usize;
        ends.then_some(e.proc)
    }

    /// Exit signals of the same sender that must arrive before this one and have not.
    fn ahead(&self, to: ProcId, signal: SignalId, kept: &[bool]) -> Vec<SignalId> {
        let mut ahead = vec![];
        for (id, travel) in &self.history.travels[to.0 as usize] {
            let is_earlier = id.from == signal.from && id.k < signal.k;
            let is_sent = kept[self.history.sent_by[id]];
            match travel {
                Travel::Exit(arrived) if is_earlier && is_sent => {
                    if arrived.is_some_and(|e| kept[e]) {
                        continue;
                    }
                    ahead.push(*id);
                }
                _ => {}
            }
        }
        ahead
    }

    /// How many steps a process did that was ended.
    fn steps_of(&self, victim: ProcId) -> Option<u64> {
        let proc = self.run.execution().proc(victim);
        proc.exit()?;
        Some(proc.actions.last()?.step.saturating_sub(1))
    }

    /// Which messages of its inbox a process would have taken that was ended while it waited.
    fn wishes(&self, victim: ProcId) -> Vec<bool> {
        let inbox = &self.history.inbox[victim.0 as usize];
        match self.steps_of(victim) {
            Some(steps) => self.run.matches_at(victim, steps, inbox),
            None => vec![false; inbox.len()],
        }
    }
}
