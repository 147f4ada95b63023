//! Where we are in an execution: for each process, how many steps it has taken and how many
//! signals have arrived. A cut is consistent if with every event it has all its causes.

use crate::event::Delivery;
use crate::execution::{ActionKind, Chain, EventRef, Execution, ProcId, SignalId, SignalKind};

/// How far one process has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// How many steps it has taken.
    pub steps: u64,
    /// How many signals have been delivered to it.
    pub deliveries: u32,
}

/// Where each process stands at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Cut {
    places: Vec<Place>,
}

impl Cut {
    /// Everything that has happened.
    pub fn end(execution: &Execution) -> Cut {
        let place = |p: &crate::execution::Proc| Place {
            steps: p.steps,
            deliveries: p.deliveries.len() as u32,
        };
        Cut { places: execution.procs.iter().map(place).collect() }
    }

    /// Nothing has happened.
    pub fn start(execution: &Execution) -> Cut {
        Cut { places: vec![Place::default(); execution.procs.len()] }
    }

    /// The moment right before an event, in the order in which everything happened. Each process
    /// has gone as far as it goes without another event.
    pub fn before(execution: &Execution, event: EventRef) -> Cut {
        let order = execution.order_of(event);
        let place = |p: &crate::execution::Proc| {
            let parent = p.parent.map(|(parent, i)| EventRef::action(parent, i as usize));
            if !p.is_spawned || parent.is_some_and(|spawn| execution.order_of(spawn) >= order) {
                return Place::default();
            }
            let acted = p.actions.partition_point(|action| action.order < order);
            let steps = p.actions.get(acted).map_or(p.steps, |next| next.step.saturating_sub(1));
            let deliveries = p.deliveries.partition_point(|d| d.order < order) as u32;
            Place { steps, deliveries }
        };
        Cut { places: execution.procs.iter().map(place).collect() }
    }

    /// Where one process stands.
    pub fn place(&self, proc: ProcId) -> Place {
        self.places.get(proc.0 as usize).copied().unwrap_or_default()
    }

    /// Moves one process, whatever that means for the others.
    pub fn set(&mut self, proc: ProcId, place: Place) {
        let i = proc.0 as usize;
        if i >= self.places.len() {
            self.places.resize(i + 1, Place::default());
        }
        self.places[i] = place;
    }

    /// What has happened at both: the greatest cut before both. Consistent cuts give one.
    pub fn meet(&self, other: &Cut) -> Cut {
        let least = |(a, b): (&Place, &Place)| Place {
            steps: a.steps.min(b.steps),
            deliveries: a.deliveries.min(b.deliveries),
        };
        Cut { places: self.places.iter().zip(&other.places).map(least).collect() }
    }

    /// What has happened at one of them: the least cut after both.
    pub fn join(&self, other: &Cut) -> Cut {
        let length = self.places.len().max(other.places.len()) as u32;
        let most = |proc: ProcId| {
            let (a, b) = (self.place(proc), other.place(proc));
            Place { steps: a.steps.max(b.steps), deliveries: a.deliveries.max(b.deliveries) }
        };
        Cut { places: (0..length).map(|i| most(ProcId(i))).collect() }
    }

    /// Whether the event has happened.
    pub fn contains(&self, execution: &Execution, event: EventRef) -> bool {
        let place = self.place(event.proc);
        match event.chain() {
            Chain::Delivery => event.index() < place.deliveries,
            Chain::Action => {
                let actions = &execution.proc(event.proc).actions;
                actions.get(event.index() as usize).is_some_and(|a| a.step <= place.steps)
            }
        }
    }

    /// Whether the process exists here: its spawn has happened.
    pub fn is_spawned(&self, execution: &Execution, proc: ProcId) -> bool {
        match execution.proc(proc).parent {
            None => true,
            Some((parent, action)) => {
                self.contains(execution, EventRef::action(parent, action as usize))
            }
        }
    }

    /// Whether the process has ended.
    pub fn has_exited(&self, execution: &Execution, proc: ProcId) -> bool {
        let p = execution.proc(proc);
        p.exit().is_some() && self.place(proc).steps >= p.steps
    }

    /// The signals that have arrived at `proc` and wait in its mailbox, oldest first, but priority
    /// messages before all others.
    pub fn mailbox(&self, execution: &Execution, proc: ProcId) -> Vec<SignalId> {
        let place = self.place(proc);
        let p = execution.proc(proc);
        let arrived = p.deliveries.range(0..place.deliveries as usize);
        let waiting =
            arrived.filter(|d| d.in_mailbox() && !self.is_received(execution, proc, d.signal));
        let (mut all, ordinary): (Vec<&Delivery>, Vec<&Delivery>) =
            waiting.partition(|d| d.is_urgent());
        all.extend(ordinary);
        all.into_iter().map(|d| d.signal).collect()
    }

    fn is_received(&self, execution: &Execution, proc: ProcId, signal: SignalId) -> bool {
        let receive = execution.signal(signal).receive();
        receive.is_some_and(|i| self.contains(execution, EventRef::action(proc, i as usize)))
    }

    /// The signals that were sent and have not arrived: the network.
    pub fn in_flight(&self, execution: &Execution) -> Vec<SignalId> {
        let signals = |from| {
            let count = execution.proc(from).signals.len() as u32;
            (0..count).map(move |k| SignalId { from, k })
        };
        let all = execution.ids().flat_map(signals);
        all.filter(|id| self.is_in_flight(execution, *id)).collect()
    }

    fn is_in_flight(&self, execution: &Execution, id: SignalId) -> bool {
        // A timer's message does not travel, and what was not sent does not either. A request that
        // reaches a dead process is on its way until its answer arrives: that is one event.
        let kind = execution.kind(id);
        if matches!(kind, SignalKind::Timer | SignalKind::Unsent) || execution.is_late_answer(id) {
            return false;
        }
        let sent = EventRef::action(id.from, execution.signal(id).sent_by() as usize);
        let arriving = execution.signal(execution.late_answer(id).unwrap_or(id));
        let arrived = match (arriving.to(), arriving.delivery()) {
            (Some(to), Some(i)) => i < self.place(to).deliveries,
            _ => false,
        };
        self.contains(execution, sent) && !arrived
    }

    /// What the process does next in the execution, if anything.
    pub fn next_action<'e>(
        &self,
        execution: &'e Execution,
        proc: ProcId,
    ) -> Option<(usize, ActionKind<'e>)> {
        let p = execution.proc(proc);
        let i = p.actions_at(self.place(proc).steps);
        p.actions.get(i).map(|a| (i, a.what()))
    }

    /// The steps of all processes together.
    pub fn total_steps(&self) -> u64 {
        self.places.iter().map(|p| p.steps).sum()
    }
}
