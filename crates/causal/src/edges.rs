//! Happened-before, all of it: one piece for each kind of edge, with its inverse beside it.
//!
//! `docs/semantics.md` has a bullet for each kind that says why it is there. Whoever wants to
//! know what comes before or after something folds over `causes` and `consequences`; nobody
//! writes an edge down a second time (but for the laws, which judge this file). Only direct edges
//! are here, and each in one form: what follows from a chain of others is left out.

use crate::execution::{
    ActionKind, Chain, EventRef, Execution, Proc, ProcId, SignalId, SignalKind,
};
use crate::object::Access;

/// Why one event comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// Two actions of a process, in the order of its program.
    Program,
    /// Two signals that arrive at one process, in the order of arrival.
    Arrival,
    /// A spawn, and the first events of the child.
    Spawn,
    /// The sending of a signal, and its arrival.
    Message,
    /// The arrival of a message, and the receive that consumes it.
    Receive,
    /// The last arrival at a process, and its exit.
    Exit,
    /// An exit signal that kills, and the death: they are one, so this goes both ways.
    Kill,
    /// A time-out, and the first arrival after it.
    Timeout,
    /// The start of a timer, and the arrival of its message.
    Timer,
    /// A process's own links, monitors and aliases, and arrivals that depend on them: also what
    /// a dead process answers.
    Tie,
    /// Two accesses of a shared object that do not commute.
    Object,
    /// A look at all that a process is, or a change of it from outside, and what the process does
    /// and what arrives there.
    Look,
}

impl Edge {
    /// Every kind of edge, in the order of docs/semantics.md.
    pub const ALL: &'static [Edge] = &[
        Edge::Program,
        Edge::Arrival,
        Edge::Spawn,
        Edge::Message,
        Edge::Receive,
        Edge::Exit,
        Edge::Kill,
        Edge::Timeout,
        Edge::Timer,
        Edge::Tie,
        Edge::Object,
        Edge::Look,
    ];

    /// Whether it joins neighbours of one chain: who moves along chains has these for nothing.
    pub fn is_along_chain(self) -> bool {
        matches!(self, Edge::Program | Edge::Arrival)
    }
}

impl Execution {
    /// What comes directly before an event.
    pub fn causes(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        let p = self.proc(event.proc);
        match event.chain() {
            Chain::Action => {
                self.action_before(event, each);
                match p.actions[event.index() as usize].what() {
                    ActionKind::Receive(signal) => self.arrival_of(event.proc, signal, each),
                    ActionKind::Exit(_) => last_arrival(p, event.proc, each),
                    ActionKind::Send(_)
                    | ActionKind::Timeout
                    | ActionKind::Request(_)
                    | ActionKind::Assign(_) => {}
                }
            }
            Chain::Delivery => {
                self.arrival_before(event, each);
                self.sending(event, each);
                timeout_before(p, event, each);
                death_by(p, event, each);
            }
        }
        tie_before(p, event, each);
        self.accesses_before(event, each);
        p.looks_before(event).for_each(|look| each(Edge::Look, look));
        self.looked_at(event, each);
    }

    /// What comes directly after an event: `consequences` and `causes` are each other's inverse.
    pub fn consequences(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        let p = self.proc(event.proc);
        match event.chain() {
            Chain::Action => {
                action_after(p, event, each);
                match p.actions[event.index() as usize].what() {
                    ActionKind::Timeout => arrival_after_timeout(p, event, each),
                    ActionKind::Exit(exited) => {
                        let killer = exited.killing_signal().map(|i| i as usize);
                        let killer = killer.map(|i| EventRef::delivery(event.proc, i));
                        killer.into_iter().for_each(|killer| each(Edge::Kill, killer));
                    }
                    ActionKind::Send(_)
                    | ActionKind::Receive(_)
                    | ActionKind::Request(_)
                    | ActionKind::Assign(_) => {}
                }
                self.child_of(event).into_iter().for_each(|c| self.beginning_of(c, each));
                self.child_of(event).into_iter().for_each(|c| self.looks_at_nothing(c, each));
                self.signals_of(event).for_each(|signal| self.arrival(signal, each));
            }
            Chain::Delivery => {
                arrival_after(p, event, each);
                let signal = p.deliveries[event.index() as usize].signal;
                let receive = self.signal(signal).receive();
                let receive = receive.map(|i| EventRef::action(event.proc, i as usize));
                receive.into_iter().for_each(|receive| each(Edge::Receive, receive));
                exit_after(p, event, each);
            }
        }
        tie_after(p, event, each);
        self.accesses_after(event, each);
        p.looks_after(event).for_each(|look| each(Edge::Look, look));
        self.after_look(event, each);
    }

    /// The process that an action spawns.
    pub fn child_of(&self, event: EventRef) -> Option<ProcId> {
        match self.action(event)?.what() {
            ActionKind::Request(answered) => answered.effect.spawned,
            _ => None,
        }
    }

    /// The signals that an action sends, timers that it starts included.
    pub fn signals_of(&self, event: EventRef) -> impl Iterator<Item = SignalId> + use<> {
        let (sent, timer) = match self.action(event).map(|a| a.what()) {
            Some(ActionKind::Send(k)) => (k..k + 1, None),
            Some(ActionKind::Request(answered)) => {
                (answered.effect.signals.clone(), self.timers.get(&event).copied())
            }
            // With what it answers after its end.
            Some(ActionKind::Exit(exited)) => {
                (exited.signals.start..self.proc(event.proc).signals.len() as u32, None)
            }
            _ => (0..0, None),
        };
        sent.chain(timer).map(move |k| SignalId { from: event.proc, k })
    }

    // -- Program and Spawn

    fn action_before(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        match event.index().checked_sub(1) {
            Some(i) => each(Edge::Program, EventRef::action(event.proc, i as usize)),
            None => self.spawn_of(event.proc, each),
        }
    }

    fn spawn_of(&self, proc: ProcId, each: &mut impl FnMut(Edge, EventRef)) {
        if let Some((parent, action)) = self.proc(proc).parent {
            each(Edge::Spawn, EventRef::action(parent, action as usize));
        }
    }

    fn beginning_of(&self, child: ProcId, each: &mut impl FnMut(Edge, EventRef)) {
        let p = self.proc(child);
        if !p.actions.is_empty() {
            each(Edge::Spawn, EventRef::action(child, 0));
        }
        if !p.deliveries.is_empty() {
            each(Edge::Spawn, EventRef::delivery(child, 0));
        }
    }

    // -- Arrival

    fn arrival_before(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        match event.index().checked_sub(1) {
            Some(i) => each(Edge::Arrival, EventRef::delivery(event.proc, i as usize)),
            None => self.spawn_of(event.proc, each),
        }
    }

    // -- Message and Timer

    fn sending(&self, arrival: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        let id = self.proc(arrival.proc).deliveries[arrival.index() as usize].signal;
        let sent_by = self.signal(id).sent_by() as usize;
        each(self.travel(id), EventRef::action(id.from, sent_by));
    }

    fn arrival(&self, id: SignalId, each: &mut impl FnMut(Edge, EventRef)) {
        let signal = self.signal(id);
        if let (Some(to), Some(i)) = (signal.to(), signal.delivery()) {
            each(self.travel(id), EventRef::delivery(to, i as usize));
        }
    }

    fn travel(&self, id: SignalId) -> Edge {
        match self.kind(id) {
            SignalKind::Timer => Edge::Timer,
            _ => Edge::Message,
        }
    }

    // -- Receive

    fn arrival_of(&self, proc: ProcId, id: SignalId, each: &mut impl FnMut(Edge, EventRef)) {
        if let Some(i) = self.signal(id).delivery() {
            each(Edge::Receive, EventRef::delivery(proc, i as usize));
        }
    }

    // -- Look

    /// What the process that an event looks at has done so far, and what has arrived there.
    fn looked_at(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        let Some((of, look)) = self.look(event) else { return };
        let acted = look.actions.checked_sub(1).map(|i| EventRef::action(of, i as usize));
        let came = look.deliveries.checked_sub(1).map(|i| EventRef::delivery(of, i as usize));
        let both = acted.into_iter().chain(came).filter(|e| !e.is_beside(event));
        // One that itself looked just before is known already.
        let both = both.filter(|e| !self.looks_when(*e, event, event.index()));
        both.for_each(|before| each(Edge::Look, before));
        let spawn = self.proc(of).parent.filter(|_| look.is_at_nothing() && of != event.proc);
        spawn.into_iter().for_each(|(by, i)| each(Edge::Look, EventRef::action(by, i as usize)));
    }

    /// What that process does next, and what arrives there next.
    fn after_look(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        let Some((of, look)) = self.look(event) else { return };
        let (p, acts, comes) = (self.proc(of), look.actions as usize, look.deliveries as usize);
        let acts = (acts < p.actions.len()).then(|| EventRef::action(of, acts));
        let comes = (comes < p.deliveries.len()).then(|| EventRef::delivery(of, comes));
        let both = acts.into_iter().chain(comes).filter(|e| !e.is_beside(event));
        let both = both.filter(|e| !self.looks_when(*e, event, event.index() + 1));
        both.for_each(|after| each(Edge::Look, after));
    }

    /// Those who look at a child that has done nothing.
    fn looks_at_nothing(&self, child: ProcId, each: &mut impl FnMut(Edge, EventRef)) {
        let looks = self.proc(child).looks().iter();
        let looks = looks.take_while(|l| l.is_at_nothing()).filter(|l| l.event.proc != child);
        looks.for_each(|look| each(Edge::Look, look.event));
    }

    // -- Object

    /// Accesses come in runs of those that commute: one depends on all of the run before its own.
    fn accesses_before(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        for &(object, i) in self.objects.accesses_of(event) {
            let accesses = self.objects.accesses(object);
            let earlier = accesses[..i as usize].iter().rev();
            neighbours(accesses[i as usize], earlier, each);
        }
    }

    fn accesses_after(&self, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
        for &(object, i) in self.objects.accesses_of(event) {
            let accesses = self.objects.accesses(object);
            neighbours(accesses[i as usize], accesses[i as usize + 1..].iter(), each);
        }
    }
}

/// Of the accesses on one side of one, from the nearest on: the first run of those that are in
/// conflict with it. What lies beyond comes before or after all of that run.
fn neighbours<'a>(
    access: Access,
    others: impl Iterator<Item = &'a Access>,
    each: &mut impl FnMut(Edge, EventRef),
) {
    let mut others = others.skip_while(|other| other.mode.commutes(access.mode));
    let Some(nearest) = others.next() else { return };
    each(Edge::Object, nearest.event);
    let run = others.take_while(|other| other.mode.commutes(nearest.mode));
    run.for_each(|other| each(Edge::Object, other.event));
}

// -- Program and Arrival, the other way

fn action_after(p: &Proc, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let next = event.index() as usize + 1;
    if next < p.actions.len() {
        each(Edge::Program, EventRef::action(event.proc, next));
    }
}

fn arrival_after(p: &Proc, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let next = event.index() as usize + 1;
    if next < p.deliveries.len() {
        each(Edge::Arrival, EventRef::delivery(event.proc, next));
    }
}

// -- Exit and Kill

fn last_arrival(p: &Proc, proc: ProcId, each: &mut impl FnMut(Edge, EventRef)) {
    if let Some(last) = p.deliveries.len().checked_sub(1) {
        each(Edge::Exit, EventRef::delivery(proc, last));
    }
}

fn exit_after(p: &Proc, arrival: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    if p.exit().is_some() && arrival.index() as usize + 1 == p.deliveries.len() {
        each(Edge::Exit, EventRef::action(arrival.proc, p.actions.len() - 1));
    }
}

fn death_by(p: &Proc, arrival: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    if p.exit().is_some_and(|e| e.killing_signal() == Some(arrival.index())) {
        each(Edge::Kill, EventRef::action(arrival.proc, p.actions.len() - 1));
    }
}

// -- Timeout

/// A time-out is joined with the first arrival after it, if no other time-out is between.
fn timeout_before(p: &Proc, arrival: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let i = arrival.index() as usize;
    let Some(timeout) = p.timeout_before(&p.deliveries[i]) else { return };
    if first_arrival_after(p, timeout) == i {
        each(Edge::Timeout, EventRef::action(arrival.proc, timeout as usize));
    }
}

fn arrival_after_timeout(p: &Proc, timeout: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let later = first_arrival_after(p, timeout.index());
    let Some(delivery) = p.deliveries.get(later) else { return };
    if p.timeout_before(delivery) == Some(timeout.index()) {
        each(Edge::Timeout, EventRef::delivery(timeout.proc, later));
    }
}

fn first_arrival_after(p: &Proc, action: u32) -> usize {
    p.deliveries.partition_point(|d| d.after_actions() <= action)
}

// -- Tie

/// A process's own tie action is joined with the nearest tie arrival on each side, if no other
/// tie action is between.
fn tie_before(p: &Proc, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let (before, i) = (|pair: (Option<u32>, Option<u32>)| pair.0, event.index());
    match event.chain() {
        Chain::Action => {
            let arrival = before(p.tie_deliveries_around(i));
            let arrival = arrival.filter(|d| p.tie_actions_around(*d).1 == Some(i));
            let arrival = arrival.map(|d| EventRef::delivery(event.proc, d as usize));
            arrival.into_iter().for_each(|arrival| each(Edge::Tie, arrival));
        }
        Chain::Delivery => {
            let action = before(p.tie_actions_around(i));
            let action = action.filter(|a| p.tie_deliveries_around(*a).1 == Some(i));
            let action = action.map(|a| EventRef::action(event.proc, a as usize));
            action.into_iter().for_each(|action| each(Edge::Tie, action));
        }
    }
}

fn tie_after(p: &Proc, event: EventRef, each: &mut impl FnMut(Edge, EventRef)) {
    let (after, i) = (|pair: (Option<u32>, Option<u32>)| pair.1, event.index());
    match event.chain() {
        Chain::Action => {
            let arrival = after(p.tie_deliveries_around(i));
            let arrival = arrival.filter(|d| p.tie_actions_around(*d).0 == Some(i));
            let arrival = arrival.map(|d| EventRef::delivery(event.proc, d as usize));
            arrival.into_iter().for_each(|arrival| each(Edge::Tie, arrival));
        }
        Chain::Delivery => {
            let action = after(p.tie_actions_around(i));
            let action = action.filter(|a| p.tie_deliveries_around(*a).0 == Some(i));
            let action = action.map(|a| EventRef::action(event.proc, a as usize));
            action.into_iter().for_each(|action| each(Edge::Tie, action));
        }
    }
}
