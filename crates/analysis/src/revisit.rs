//! Which other executions an execution leads to: where an event that was added late could as well
//! have come before one that was added earlier.
//!
//! Each execution is to be found from one other only. So an event may come before an earlier one
//! only if everything that goes for that (all that was added since and that the event does not need)
//! is what anybody would have added there: `Revisits::kept` checks it. Where exit signals end processes
//! that does not hold, and everything is tried from everywhere (`free`). See docs/semantics.md.

mod free;

use crate::explore::{Again, Beginning};
use crate::extend::key_of;
use crate::feasible::{Choice, Delivery, Extra, Matches};
use crate::follow::{NamedStep, take};
use crate::history::{Clock, EventKind, History, Travel, at, merge};
use crate::observation::{MessageName, hash_of, message_name, sent_at_exit};
use crate::stamps::{Stamp, Stamps};
use crate::timeouts::Timeouts;
use reverl_causal::execution::SignalKind;
use reverl_causal::{ActionKind, EventRef, ProcId, SignalId, Step, System};
use reverl_term::{Term, atoms};

/// An execution at its end, and in which order its events were added.
pub struct Revisits<'l> {
    run: &'l System,
    history: &'l History,
    matches: &'l Matches,
    stamps: &'l Stamps,
    delivery: Delivery,
    timeouts: Timeouts,
    /// So many events are past: they stay as they are.
    past: usize,
    /// Whether an event that was added earlier depends on this one.
    revisits: Vec<bool>,
    /// The same, of what the event sends.
    sends_revisit: Vec<bool>,
    found: Vec<Beginning>,
}

impl<'l> Revisits<'l> {
    pub fn new(
        run: &'l System,
        history: &'l History,
        matches: &'l Matches,
        stamps: &'l Stamps,
        (delivery, timeouts, past): (Delivery, Timeouts, usize),
    ) -> Revisits<'l> {
        let count = history.events.len();
        let mut revisits = vec![false; count];
        let mut sends_revisit = vec![false; count];
        let inverted = stamps.given().min(count);
        for late in 0..inverted {
            let stamp = stamps.of(late);
            for early in (0..inverted).filter(|e| *e != late) {
                if history.is_from(early, late) {
                    revisits[late] |= stamps.of(early).at < stamp.at;
                    sends_revisit[late] |= stamps.of(early).at < stamp.sent;
                }
            }
        }
        let found = vec![];
        Revisits {
            run,
            history,
            matches,
            stamps,
            delivery,
            timeouts,
            past,
            revisits,
            sends_revisit,
            found,
        }
    }

    /// Every execution that the events from the given one on lead to, and those that were done again.
    pub fn find(mut self, from: usize, again: &[Again]) -> Vec<Beginning> {
        for event in again {
            if let Some(settled) = &event.settled {
                self.before_rivals(event.event, settled);
            }
            self.sends(event.event);
        }
        for event in from..self.history.events.len() {
            self.before_rivals(event, &[]);
            self.sends(event);
        }
        self.found
    }

    fn at(&self, event: usize) -> u32 {
        self.stamps.of(event).at
    }

    fn is_in(&self, clock: &Clock, event: usize) -> bool {
        let event = &self.history.events[event];
        at(clock, event.chain) >= event.index
    }

    /// An event is in conflict with earlier ones: it could come before some of them, but not before
    /// those that are settled or that it was put after.
    fn before_rivals(&mut self, event: usize, settled: &[usize]) {
        let rivals = self.history.rivals(event);
        let is_settled = |r: &usize| settled.contains(r) || self.at(*r) > self.at(event);
        let (settled, rivals): (Vec<usize>, Vec<usize>) = rivals.into_iter().partition(is_settled);
        for first in rivals.clone() {
            if first < self.past || self.revisits[first] {
                continue;
            }
            let is_after = |r: &usize| self.history.is_from(*r, first);
            // Those that were added before the first stay before the event.
            let earlier = |r: &&usize| self.at(**r) < self.at(first);
            let mut before: Vec<usize> =
                rivals.iter().filter(earlier).chain(&settled).copied().collect();
            if before.iter().any(is_after) {
                continue;
            }
            let is_open = |r: &&usize| !earlier(r) && !is_after(r);
            let open: Vec<usize> = rivals.iter().filter(is_open).copied().collect();
            self.place(event, first, &open, &mut before, &mut vec![]);
        }
    }

    /// Before which stamp the events are that an event is added to.
    fn until(&self, event: usize) -> u32 {
        match event < self.stamps.given() {
            true => self.stamps.of(self.stamps.given()).at,
            false => self.at(event),
        }
    }

    /// The event comes before the first rival and after those in `before`; of the open ones each is
    /// tried on both sides.
    fn place(
        &mut self,
        event: usize,
        first: usize,
        open: &[usize],
        before: &mut Vec<usize>,
        after: &mut Vec<usize>,
    ) {
        let Some((next, rest)) = open.split_first() else {
            return self.placed(event, first, before);
        };
        if !after.iter().any(|a| self.history.is_from(*next, *a)) {
            before.push(*next);
            self.place(event, first, rest, before, after);
            before.pop();
        }
        if !self.revisits[*next] {
            after.push(*next);
            self.place(event, first, rest, before, after);
            after.pop();
        }
    }

    /// The same, if the event has sent something.
    fn until_sent(&self, event: usize) -> u32 {
        let stamp = self.stamps.of(event);
        let given = self.stamps.of(self.stamps.given()).at;
        match event < self.stamps.given() {
            true => given,
            false => stamp.at.max(stamp.sent) + 1,
        }
    }

    fn placed(&mut self, event: usize, first: usize, before: &[usize]) {
        let mut needs = self.history.events[event].base.clone();
        before.iter().for_each(|b| merge(&mut needs, &self.history.events[*b].clock));
        if self.is_in(&needs, first) {
            return;
        }
        let name = self.name_with(event, &needs);
        if self.stamps.of(first).asleep.contains(&name) {
            return;
        }
        self.keep_what_it_waited_for(first, &mut needs);
        let until = self.until(event);
        let Some(mut kept) = self.kept(first, until, Some(event), &needs, true) else { return };
        kept[event] = false;
        let mut beginning = self.beginning(first, &needs, &kept);
        let place = |e: &usize| (0..*e).filter(|i| kept[*i]).count();
        let settled: Vec<usize> = before.iter().map(place).collect();
        let fresh = self.fresh();
        beginning.again.push(Again { event: beginning.steps.len(), settled: Some(settled) });
        beginning.again.push(Again { event: beginning.steps.len() + 1, settled: Some(vec![]) });
        beginning.steps.push((self.doing(event), self.stamps.of(event).again(fresh)));
        let stamp = self.put_to_sleep(first, event, until, &kept);
        beginning.last = Some((self.doing(first), stamp.again(fresh + 1)));
        self.found.push(beginning);
    }

    /// What an event was put after stays before it.
    fn keep_what_it_waited_for(&self, first: usize, needs: &mut Clock) {
        let event = &self.history.events[first];
        let mut waited_for = event.clock.clone();
        waited_for[event.chain] = event.index - 1;
        merge(needs, &waited_for);
    }

    /// The name of an event that comes after what it needs.
    fn name_with(&self, event: usize, needs: &Clock) -> u64 {
        let e = &self.history.events[event];
        let sum = self.history.fingerprint(|i| i != event && self.is_in(needs, i));
        let who = match e.kind {
            EventKind::Arrive(id) => (1, hash_of(message_name(self.run.execution(), id))),
            EventKind::Fire(by) => (2, hash_of((self.history.names[e.proc.0 as usize], by))),
            _ => (0, hash_of((self.history.names[e.proc.0 as usize], e.index))),
        };
        hash_of((who, sum))
    }

    /// The stamp of an event that another one now comes before: of those that go, none may come
    /// before it later.
    fn put_to_sleep(&self, first: usize, event: usize, until: u32, kept: &[bool]) -> Stamp {
        let stamp = self.stamps.of(first);
        let mut asleep = stamp.asleep.to_vec();
        for (i, is_kept) in kept.iter().enumerate() {
            let goes = !is_kept && i != event && self.at(i) < until && i != first;
            if !goes {
                continue;
            }
            let rivals = self.history.rivals(i);
            if rivals.contains(&first) {
                let mut needs = self.history.events[i].base.clone();
                for b in rivals.iter().filter(|r| !self.history.is_from(**r, first)) {
                    merge(&mut needs, &self.history.events[*b].clock);
                }
                asleep.push(self.name_with(i, &needs));
            }
        }
        Stamp { asleep: asleep.into(), ..stamp }
    }

    /// A stamp that comes after all others.
    fn fresh(&self) -> u32 {
        let count = self.history.events.len();
        (0..count).map(|e| self.stamps.of(e)).map(|s| s.at.max(s.sent)).max().unwrap_or(0) + 1
    }

    /// What is kept, as the beginning of another execution.
    fn beginning(&self, first: usize, needs: &Clock, kept: &[bool]) -> Beginning {
        let steps = self.history.schedule(self.run.execution(), |i| kept[i]);
        let fresh = self.fresh() + 2;
        let mut again = vec![];
        let mut stamped = vec![];
        for (step, i) in steps.into_iter().zip((0..kept.len()).filter(|i| kept[*i])) {
            let mut stamp = self.stamps.of(i);
            // What it sends goes, and comes back at once.
            if stamp.at < self.at(first) && stamp.sent >= self.at(first) && !self.is_in(needs, i) {
                stamp.sent = fresh + again.len() as u32;
                again.push(Again { event: stamped.len(), settled: None });
            }
            stamped.push((step, stamp));
        }
        let kept = (stamped.len(), self.history.fingerprint(|i| kept[i]));
        Beginning { steps: stamped, again, kept, ..Beginning::default() }
    }

    /// How to do an event.
    fn doing(&self, event: usize) -> NamedStep {
        self.history.schedule(self.run.execution(), |i| i == event).swap_remove(0)
    }

    /// If an event comes before the first of these, that and all that was added since goes, unless
    /// the event needs it. What is kept; `None` if that has to be found from another execution,
    /// because something would not have been added there. Only what was added before `until` is
    /// looked at, and nothing that the event sends. The first may do again what it did.
    fn kept(
        &self,
        first: usize,
        until: u32,
        event: Option<usize>,
        needs: &Clock,
        is_as_it_was: bool,
    ) -> Option<Vec<bool>> {
        let count = self.history.events.len();
        let mut kept = vec![false; count];
        let mut gone = vec![];
        let from = self.at(first);
        for (i, is_kept) in kept.iter_mut().enumerate() {
            let stamp = self.stamps.of(i);
            let is_needed = self.is_in(needs, i);
            if stamp.at >= until || (self.history.events[i].place.is_none() && !is_needed) {
                continue;
            }
            *is_kept = is_needed || stamp.at < from;
            if Some(i) == event && !*is_kept {
                continue;
            }
            let loses_sends = *is_kept && !is_needed && stamp.sent >= from;
            if (!*is_kept && self.revisits[i]) || (loses_sends && self.sends_revisit[i]) {
                return None;
            }
            if !*is_kept {
                gone.push(i);
            }
        }
        let is_usual = |i: usize| self.is_usual(i, event, needs);
        gone.into_iter().all(|i| (i == first && is_as_it_was) || is_usual(i)).then_some(kept)
    }

    /// Whether an event is what anybody would have added after all that was added before it and what
    /// is needed, if nothing is sent by the other event.
    fn is_usual(&self, event: usize, other: Option<usize>, needs: &Clock) -> bool {
        let is_there = |i: usize| {
            let is_before = self.stamps.of(i).sent <= self.at(event) || self.is_in(needs, i);
            is_before && Some(i) != other
        };
        match self.history.events[event].kind {
            EventKind::Receive { taken, .. } => {
                let proc = self.history.events[event].proc;
                let row = &self.matches[&event];
                let usual = taken.map(|id| key_of(self.run, id));
                let mut others = self.takeable(proc, Some(event), row);
                others.retain(|id| {
                    Some(*id) != taken
                        && is_there(self.history.origin(proc.0 as usize, *id))
                        && usual.as_ref().is_none_or(|usual| key_of(self.run, *id) < *usual)
                });
                let before = |i: usize| {
                    (self.at(i) < self.at(event) || self.is_in(needs, i))
                        && Some(i) != other
                        && !self.history.is_from(i, event)
                };
                !others.iter().any(|id| self.can_take(proc, Some(*id), row, before))
            }
            EventKind::Act | EventKind::Arrive(_) | EventKind::Fire(_) => true,
        }
    }

    /// The messages that a receive could take, whenever they come: of each stream the first that
    /// matches and was not taken earlier. Without a receive, the one in which a process was ended.
    fn takeable(&self, proc: ProcId, receive: Option<usize>, row: &[bool]) -> Vec<SignalId> {
        let p = proc.0 as usize;
        let history = self.history;
        let earlier = history.receives[p].iter().take_while(|i| Some(**i) != receive);
        let consumed: Vec<SignalId> = earlier
            .filter_map(|i| match history.events[*i].kind {
                EventKind::Receive { taken, .. } => taken,
                _ => None,
            })
            .collect();
        let mut streams = vec![];
        let mut found = vec![];
        for (id, fits) in history.inbox[p].iter().zip(row) {
            let stream = self.run.execution().stream(*id);
            if !fits || consumed.contains(id) || streams.contains(&stream) {
                continue;
            }
            streams.push(stream);
            if !self.is_long_timer(*id) {
                found.push(*id);
            }
        }
        found
    }

    /// Whether a receive after all that is kept of its process can really take this.
    fn can_take(
        &self,
        proc: ProcId,
        taken: Option<SignalId>,
        row: &[bool],
        kept: impl Fn(usize) -> bool,
    ) -> bool {
        let kept = (0..self.history.events.len()).map(kept).collect();
        let extra = Some(Extra { proc, taken, row: row.to_vec() });
        let choice = Choice { history: self.history, kept, extra, exits: Delivery::Pair };
        choice.order(self.matches, self.delivery).is_some()
    }

    /// What an event sent could have been taken by receives that were added earlier.
    fn sends(&mut self, event: usize) {
        let execution = self.run.execution();
        for p in 0..self.history.inbox.len() {
            let proc = ProcId(p as u32);
            let is_its = |id: &&SignalId| self.history.origin(p, **id) == event;
            let sent: Vec<SignalId> =
                self.history.inbox[p].iter().filter(is_its).copied().collect();
            for id in sent {
                for receive in self.history.receives[p].clone() {
                    let row = &self.matches[&receive];
                    let is_earlier = self.at(receive) < self.stamps.of(event).sent
                        && receive >= self.past
                        && !self.history.is_from(event, receive);
                    if is_earlier && self.takeable(proc, Some(receive), row).contains(&id) {
                        let name = self.history.names[p];
                        let doing = take(name, Some(message_name(execution, id)));
                        self.taken(event, receive, id, doing);
                    }
                }
            }
        }
    }

    fn taken(&mut self, event: usize, receive: usize, id: SignalId, doing: NamedStep) {
        let EventKind::Receive { taken, .. } = self.history.events[receive].kind else { return };
        if taken == Some(id) || self.revisits[receive] {
            return;
        }
        let proc = self.history.events[receive].proc;
        let needs = self.history.events[event].clock.clone();
        let until = self.until_sent(event);
        let Some(kept) = self.kept(receive, until, Some(event), &needs, false) else { return };
        if !self.can_take(proc, Some(id), &self.matches[&receive], |i| kept[i]) {
            return;
        }
        let mut beginning = self.beginning(receive, &needs, &kept);
        let fresh = self.fresh();
        beginning.steps.push((doing, self.stamps.of(receive).again(fresh)));
        self.found.push(beginning);
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
}
