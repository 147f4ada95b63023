//! An execution: the events of all processes and what orders them. It only grows.
//!
//! A process is two chains of events (paper 004, Def. 4): its *actions*, in the order of the
//! program, and its *deliveries*, in the order of arrival. An action and a delivery are ordered
//! only where one causes the other: a delivery comes before the receive that consumes its
//! message, a time-out before later deliveries, everything before the exit. Across processes a
//! spawn comes before all of the child, a send before its delivery, and accesses of a shared
//! thing (`Object`) in conflict keep their order.

pub use crate::action::*;
pub use crate::event::*;
pub use crate::look::Look;
use crate::object::Objects;
use crate::order::Order;
pub use crate::proc::*;
pub use crate::signal::*;
use reverl_term::Pid;
use std::collections::{HashMap, HashSet};

/// All that has happened: every process with its actions, deliveries and signals, and every object.
#[derive(Clone, Default)]
pub struct Execution {
    /// Some may not be spawned (yet, or again): their chains are empty.
    pub(crate) procs: Vec<Proc>,
    pub(crate) order: Order,
    pub(crate) objects: Objects,
    /// Links and monitors that reached a dead process, and what it answered: the answer arrives
    /// because of both its exit and the request.
    pub(crate) late: HashMap<SignalId, SignalId>,
    /// The signals of timers, by the action that started them.
    pub(crate) timers: HashMap<EventRef, u32>,
    pub(crate) late_reply_to: HashMap<SignalId, SignalId>,
    /// The process that an event looked at, and which of the looks at it that was.
    pub(crate) looks: HashMap<EventRef, (ProcId, u32)>,
    /// Which process the k-th child of a parent is: kept when it is undone, so that it comes
    /// back as itself.
    pub(crate) minted: HashMap<(ProcId, u32), ProcId>,
    /// By the number of a pid of this node: they are numbered in a row.
    by_number: Vec<Maybe>,
    /// By any other pid: only recordings of real nodes have them.
    by_pid: HashMap<Pid, ProcId>,
    /// Signals that tell of connections: they do not travel on one.
    pub(crate) news: HashSet<SignalId>,
    /// The processes of nodes, as far as there are any.
    pub(crate) nodes: Vec<ProcId>,
}

impl Execution {
    /// The process with this number.
    #[inline]
    pub fn proc(&self, id: ProcId) -> &Proc {
        &self.procs[id.0 as usize]
    }

    #[inline]
    pub(crate) fn proc_mut(&mut self, id: ProcId) -> &mut Proc {
        &mut self.procs[id.0 as usize]
    }

    /// All processes there is room for, spawned or not.
    #[inline]
    pub fn procs(&self) -> &[Proc] {
        &self.procs
    }

    /// What processes share, with all its past.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// What a dead process answered to a link or monitor that reached it.
    pub fn late_answer(&self, request: SignalId) -> Option<SignalId> {
        self.late.get(&request).copied()
    }

    /// Whether a dead process sent it because it was asked.
    pub fn is_late_answer(&self, signal: SignalId) -> bool {
        self.late_reply_to.contains_key(&signal)
    }

    /// A process has taken so many steps in all.
    #[inline]
    pub(crate) fn has_run(&mut self, id: ProcId, steps: u64) {
        let p = &mut self.procs[id.0 as usize];
        p.steps = p.steps.max(steps);
    }

    /// All processes that have been spawned.
    pub fn ids(&self) -> impl Iterator<Item = ProcId> + '_ {
        let all = self.procs.iter().enumerate().filter(|(_, p)| p.is_spawned);
        all.map(|(i, _)| ProcId(i as u32))
    }

    /// The process that has this pid.
    #[inline]
    pub fn find(&self, pid: Pid) -> Option<ProcId> {
        match pid == Pid::local(pid.id, 0) {
            true => self.by_number.get(pid.id as usize)?.get().map(ProcId),
            false => self.by_pid.get(&pid).copied(),
        }
    }

    pub(crate) fn set_pid(&mut self, pid: Pid, proc: ProcId) {
        if pid != Pid::local(pid.id, 0) {
            self.by_pid.insert(pid, proc);
            return;
        }
        let i = pid.id as usize;
        if i >= self.by_number.len() {
            self.by_number.resize(i + 1, Maybe::NONE);
        }
        self.by_number[i] = Maybe::some(proc.0);
    }

    /// The signal of this name.
    #[inline]
    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.proc(id.from).signals[id.k as usize]
    }

    /// What kind of signal it is.
    pub fn kind(&self, id: SignalId) -> &SignalKind {
        self.proc(id.from).kind(id.k)
    }

    /// The events without which a signal is not sent: the action that sends it, and for the answer
    /// of a dead process also the one that asked.
    pub fn senders(&self, id: SignalId) -> impl Iterator<Item = EventRef> + '_ {
        let sender = |id: SignalId| EventRef::action(id.from, self.signal(id).sent_by() as usize);
        std::iter::once(id).chain(self.late_reply_to.get(&id).copied()).map(sender)
    }

    /// The stream that a signal belongs to: signals of one stream arrive at a process in the order
    /// of their numbers. What a process sends is one; each of its timers is one of its own.
    pub fn stream(&self, id: SignalId) -> (ProcId, Option<u32>) {
        let is_timer = *self.kind(id) == SignalKind::Timer;
        (id.from, is_timer.then_some(id.k))
    }

    /// The process that an exit signal along a link is about: its sender, but for the loss of a
    /// connection.
    pub fn tied_by(&self, id: SignalId) -> ProcId {
        if self.nodes.is_empty() {
            return id.from;
        }
        let about = self.signal(id).message.as_tuple().and_then(|parts| parts.get(1)?.as_pid());
        about.and_then(|pid| self.find(pid)).unwrap_or(id.from)
    }

    /// Whether an exit signal along a link tells that the link ended with a connection.
    pub(crate) fn is_of_lost_link(&self, id: SignalId) -> bool {
        !self.nodes.is_empty() && (self.news.contains(&id) || self.tied_by(id) != id.from)
    }

    /// Whether there is such a signal (again).
    pub(crate) fn is_sent(&self, id: SignalId) -> bool {
        let is_known = (id.k as usize) < self.proc(id.from).signals.len();
        is_known && *self.kind(id) != SignalKind::Unsent
    }

    #[inline]
    pub(crate) fn signal_mut(&mut self, id: SignalId) -> &mut Signal {
        &mut self.procs[id.from.0 as usize].signals[id.k as usize]
    }

    /// The action that this event is; `None` for a delivery.
    pub fn action(&self, event: EventRef) -> Option<&Action> {
        match event.chain() {
            Chain::Action => self.proc(event.proc).actions.get(event.index() as usize),
            Chain::Delivery => None,
        }
    }

    /// The place of an event in `order`.
    pub fn order_of(&self, event: EventRef) -> u32 {
        let p = self.proc(event.proc);
        match event.chain() {
            Chain::Action => p.actions[event.index() as usize].order,
            Chain::Delivery => p.deliveries[event.index() as usize].order,
        }
    }

    /// How many steps all processes have taken.
    pub fn steps(&self) -> u64 {
        self.procs.iter().map(|p| p.steps).sum()
    }
}
