//! An execution: the events of all processes and what orders them. It only grows.
//!
//! A process is two chains of events (paper 004, Def. 4): its *actions*, in the order of the
//! program, and its *deliveries*, in the order of arrival. An action and a delivery are ordered
//! only where one causes the other: a delivery comes before the receive that consumes its
//! message, a time-out before later deliveries, everything before the exit. Across processes a
//! spawn comes before all of the child, a send before its delivery, and accesses of a shared
//! thing (`Object`) in conflict keep their order.

pub use crate::action::*;
use crate::chunked::Chunked;
pub use crate::look::Look;
use crate::object::Objects;
use crate::order::Order;
use reverl_machine::edition::Seen;
use reverl_term::{Atom, Pid, Term};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::rc::Rc;

/// A process: its number in the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcId(pub u32);

/// The k-th signal that a process sent: the same however the others were scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignalId {
    /// The process that sent it.
    pub from: ProcId,
    /// Its number among the signals of that process.
    pub k: u32,
}

/// The two sequences of events that each process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// What processes do.
    Action,
    /// What arrives at them.
    Delivery,
}

/// A number that may be missing, in four bytes: executions have very many of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Maybe(u32);

impl Maybe {
    pub const NONE: Maybe = Maybe(u32::MAX);

    pub fn some(n: u32) -> Maybe {
        debug_assert!(n != u32::MAX);
        Maybe(n)
    }

    pub fn get(self) -> Option<u32> {
        (self.0 != u32::MAX).then_some(self.0)
    }
}

impl From<Option<u32>> for Maybe {
    fn from(n: Option<u32>) -> Maybe {
        n.map_or(Maybe::NONE, Maybe::some)
    }
}

/// Names one event.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventRef {
    /// The process that it is an event of.
    pub proc: ProcId,
    /// The index in its chain, twice, and one more for a delivery.
    place: u32,
}

impl EventRef {
    /// The action of a process with this number.
    #[inline]
    pub fn action(proc: ProcId, index: usize) -> EventRef {
        EventRef { proc, place: (index as u32) << 1 }
    }

    /// The delivery to a process with this number.
    #[inline]
    pub fn delivery(proc: ProcId, index: usize) -> EventRef {
        EventRef { proc, place: (index as u32) << 1 | 1 }
    }

    /// Which of the two sequences of its process it is in.
    #[inline]
    pub fn chain(self) -> Chain {
        if self.place & 1 == 0 { Chain::Action } else { Chain::Delivery }
    }

    /// Its number in that sequence.
    #[inline]
    pub fn index(self) -> u32 {
        self.place >> 1
    }
}

impl std::fmt::Debug for EventRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}[{}] of {:?}", self.chain(), self.index(), self.proc)
    }
}

/// The arrival of a signal.
#[derive(Clone, Copy)]
pub struct Delivery {
    /// The signal that arrived.
    pub signal: SignalId,
    /// How many actions the process had done when it arrived, twice, and one more if it became
    /// (or was) a message in the mailbox.
    after: u32,
    /// Its place in `Execution::order`.
    pub order: u32,
}

impl Delivery {
    #[inline]
    pub(crate) fn new(signal: SignalId, actions: usize, in_mailbox: bool, order: u32) -> Delivery {
        Delivery { signal, after: (actions as u32) << 1 | u32::from(in_mailbox), order }
    }

    /// How many actions the process had done when it arrived.
    #[inline]
    pub fn after_actions(&self) -> u32 {
        self.after >> 1
    }

    /// It became (or was) a message in the mailbox.
    #[inline]
    pub fn in_mailbox(&self) -> bool {
        self.after & 1 == 1
    }
}

/// Something on its way from one process to another.
#[derive(Clone)]
pub struct Signal {
    to: Maybe,
    /// The number of the sender's action that sent it, twice, and one more if it is not a plain
    /// message: `Execution::kind` knows what it is then.
    sender: u32,
    pub(crate) delivery: Maybe,
    pub(crate) receive: Maybe,
    /// The value that was sent.
    pub message: Term,
}

impl Signal {
    /// The number of the sender's action that sent it.
    #[inline]
    pub fn sent_by(&self) -> u32 {
        self.sender >> 1
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.sender & 1 == 0
    }

    /// `None`: there was no such process, it was lost at once.
    pub fn to(&self) -> Option<ProcId> {
        self.to.get().map(ProcId)
    }

    pub(crate) fn set_to(&mut self, to: Option<ProcId>) {
        self.to = Maybe::from(to.map(|to| to.0));
    }

    /// Its number in the receiver's deliveries.
    pub fn delivery(&self) -> Option<u32> {
        self.delivery.get()
    }

    /// The number of the receiver's action that consumed it.
    pub fn receive(&self) -> Option<u32> {
        self.receive.get()
    }
}

/// What a signal does to its receiver.
#[derive(Clone, PartialEq, Eq)]
pub enum SignalKind {
    /// A message of the program.
    Message,
    /// Sent to an alias.
    AliasMessage(Term),
    /// `exit/2` or the end of a linked process; `message` is what a trapping process finds.
    Exit {
        /// It came along a link.
        linked: bool,
        /// The reason that it carries.
        reason: Term,
    },
    /// `link/1`.
    Link,
    /// `unlink/1`.
    Unlink,
    /// `message` is the reference, or for `Monitor` `{Ref, What, Tag}`.
    Monitor,
    /// `demonitor/1`.
    Demonitor,
    /// The end of a monitored process; `message` is what arrives.
    Down,
    /// From the clock; `message` is what arrives. It has its number from the start of the timer on,
    /// and a receiver when that fires.
    Timer,
    /// `group_leader/2`.
    GroupLeader,
    /// A number that is kept for an answer of a dead process: it had it, and may come again.
    Unsent,
}

impl SignalKind {
    /// Whether links, monitors or aliases of its receiver decide what becomes of it, or change.
    pub(crate) fn depends_on_ties(&self) -> bool {
        match self {
            SignalKind::Exit { linked, .. } => *linked,
            SignalKind::Link | SignalKind::Unlink => true,
            SignalKind::Down | SignalKind::AliasMessage(_) => true,
            _ => false,
        }
    }

    /// Sent by `!` and its like.
    pub fn is_message(&self) -> bool {
        matches!(self, SignalKind::Message | SignalKind::AliasMessage(_))
    }
}

/// One process of an execution.
#[derive(Clone)]
pub struct Proc {
    /// Its identifier.
    pub pid: Pid,
    /// The spawning action; `None` for the first process.
    pub parent: Option<(ProcId, u32)>,
    /// `P`, `P.1`, `P.1.2`: which child of which parent.
    pub path: Rc<str>,
    /// What it was made to run.
    pub entry: Entry,
    /// Inherited at its start.
    pub group_leader: Term,
    /// The versions of modules that it calls at its start.
    pub(crate) seen: Seen,
    /// Not one of the program's own: the console and the clock.
    pub is_system: bool,
    /// There is only room for it if not: it may be spawned (again).
    pub is_spawned: bool,
    /// Its last action is its exit.
    pub(crate) has_exited: bool,
    /// What it did.
    pub actions: Chunked<Action>,
    /// What arrived at it.
    pub deliveries: Chunked<Delivery>,
    /// What it sent.
    pub signals: Chunked<Signal>,
    pub(crate) rare: Option<Box<Rare>>,
    /// How far it has run.
    pub steps: u64,
    pub(crate) children: u32,
}

/// What few processes have.
#[derive(Clone, Default)]
pub(crate) struct Rare {
    /// Which of the actions are time-outs.
    timeouts: Vec<u32>,
    /// What the signals are that are not plain messages, by their numbers.
    kinds: Vec<(u32, SignalKind)>,
    /// Which of the actions tie it to others or untie it: links, monitors, aliases.
    tie_actions: Vec<u32>,
    /// Which of the deliveries depend on such ties, or change them.
    tie_deliveries: Vec<u32>,
    /// Who looked at it, or changed it from outside, in order.
    looks: Vec<Look>,
    /// The deliveries that gave it another group leader.
    leaders: Vec<u32>,
    /// Which versions of modules it calls, from which action on.
    editions: Vec<(u32, Seen)>,
}

/// What a process was started with.
#[derive(Clone)]
pub enum Entry {
    /// A function by its name.
    Call {
        /// The module of the function.
        module: Atom,
        /// Its name.
        name: Atom,
        /// The list of its arguments.
        args: Term,
    },
    /// A fun.
    Fun {
        /// The fun.
        fun: Term,
        /// The list of its arguments.
        args: Term,
    },
}

impl Entry {
    /// The function that is called first.
    pub fn mfa(&self) -> (Atom, Atom, u32) {
        let arity = |args: &Term| args.list_len().unwrap_or(0) as u32;
        match self {
            Entry::Call { module, name, args } => (*module, *name, arity(args)),
            Entry::Fun { fun, args } => match fun.as_fun() {
                Some(reverl_term::Fun::Local(c)) => (c.module, c.name, c.arity),
                Some(reverl_term::Fun::External { module, name, arity }) => {
                    (*module, *name, *arity)
                }
                None => (Atom::new("erlang"), Atom::new("apply"), arity(args)),
            },
        }
    }
}

impl Proc {
    /// How it ended, if it has.
    pub fn exit(&self) -> Option<&Exited> {
        match self.actions.last().map(|a| a.what()) {
            Some(ActionKind::Exit(exited)) => Some(exited),
            _ => None,
        }
    }

    /// The last time-out before a delivery: it would not have happened after a matching arrival.
    pub fn timeout_before(&self, delivery: &Delivery) -> Option<u32> {
        let timeouts = &self.rare.as_ref()?.timeouts;
        let before = timeouts.partition_point(|t| *t < delivery.after_actions());
        before.checked_sub(1).map(|i| timeouts[i])
    }

    /// The next action is a time-out.
    pub(crate) fn add_timeout(&mut self) {
        let next = self.actions.len() as u32;
        self.rare.get_or_insert_default().timeouts.push(next);
    }

    /// The next action changes how it is tied to others.
    pub(crate) fn add_tie_action(&mut self) {
        let next = self.actions.len() as u32;
        self.rare.get_or_insert_default().tie_actions.push(next);
    }

    /// What becomes of the next delivery depends on how it is tied to others.
    pub(crate) fn add_tie_delivery(&mut self) {
        let next = self.deliveries.len() as u32;
        self.rare.get_or_insert_default().tie_deliveries.push(next);
    }

    /// If this action is about ties: the last delivery about them before it, and the first after.
    pub(crate) fn tie_deliveries_around(&self, action: u32) -> (Option<u32>, Option<u32>) {
        let Some(rare) = &self.rare else { return (None, None) };
        if rare.tie_actions.binary_search(&action).is_err() {
            return (None, None);
        }
        let came_before = |d: &u32| self.deliveries[*d as usize].after_actions() <= action;
        let before = rare.tie_deliveries.partition_point(came_before);
        neighbours(&rare.tie_deliveries, before)
    }

    /// If this delivery is about ties: the last action about them before it, and the first after.
    pub(crate) fn tie_actions_around(&self, delivery: u32) -> (Option<u32>, Option<u32>) {
        let Some(rare) = &self.rare else { return (None, None) };
        if rare.tie_deliveries.binary_search(&delivery).is_err() {
            return (None, None);
        }
        let after = self.deliveries[delivery as usize].after_actions();
        neighbours(&rare.tie_actions, rare.tie_actions.partition_point(|a| *a < after))
    }

    /// The next delivery gives it another group leader.
    pub(crate) fn add_leader(&mut self) {
        let next = self.deliveries.len() as u32;
        self.rare.get_or_insert_default().leaders.push(next);
    }

    /// The group leader that came between two of its actions, the second of which is this one.
    /// The versions of modules that it calls from this action on, if they are others than before.
    pub(crate) fn edition_at(&self, action: usize) -> Option<&Seen> {
        let editions = &self.rare.as_ref()?.editions;
        let later = editions.partition_point(|(from, _)| *from as usize <= action);
        editions[..later].last().filter(|(from, _)| *from as usize == action).map(|(_, seen)| seen)
    }

    /// From its next action on it calls these versions of modules.
    pub(crate) fn add_edition(&mut self, seen: Seen) {
        let next = self.actions.len() as u32;
        self.rare.get_or_insert_default().editions.push((next, seen));
    }

    pub(crate) fn leader_before(&self, action: usize) -> Option<SignalId> {
        let leaders = &self.rare.as_ref()?.leaders;
        let after = |d: &u32| self.deliveries[*d as usize].after_actions() as usize;
        let later = leaders.partition_point(|d| after(d) <= action);
        let last = leaders[..later].last().filter(|d| after(d) == action)?;
        Some(self.deliveries[*last as usize].signal)
    }

    /// Who looked at all that it is, or changed it from outside, in order.
    pub(crate) fn looks(&self) -> &[Look] {
        self.rare.as_ref().map_or(&[], |rare| &rare.looks)
    }

    pub(crate) fn looks_mut(&mut self) -> &mut Vec<Look> {
        &mut self.rare.get_or_insert_default().looks
    }

    /// Its signals that are not plain messages: their numbers, and what they are.
    pub fn special_signals(&self) -> impl Iterator<Item = (u32, &SignalKind)> {
        self.rare.iter().flat_map(|rare| &rare.kinds).map(|(k, kind)| (*k, kind))
    }

    /// What the k-th signal is.
    pub fn kind(&self, k: u32) -> &SignalKind {
        if self.signals[k as usize].is_plain() {
            return &SignalKind::Message;
        }
        let kinds = self.rare.as_ref().map_or(&[][..], |rare| &rare.kinds);
        let found = kinds.binary_search_by_key(&k, |(k, _)| *k);
        &kinds[found.expect("it was added with the signal")].1
    }

    /// A signal of the `sent_by`-th action; `delivery` if it is there at once. Returns its number.
    #[inline]
    pub(crate) fn add_signal(
        &mut self,
        sent_by: u32,
        to: Option<ProcId>,
        kind: SignalKind,
        delivery: Maybe,
        message: Term,
    ) -> u32 {
        let k = self.signals.len() as u32;
        let is_special = kind != SignalKind::Message;
        if is_special {
            self.rare.get_or_insert_default().kinds.push((k, kind));
        }
        let sender = sent_by << 1 | u32::from(is_special);
        let to = Maybe::from(to.map(|to| to.0));
        self.signals.push(Signal { to, sender, delivery, receive: Maybe::NONE, message });
        k
    }

    /// A signal of the `sent_by`-th action with a number that it had before; those before it that
    /// are not there are kept free.
    pub(crate) fn add_signal_as(
        &mut self,
        k: u32,
        sent_by: u32,
        to: Option<ProcId>,
        kind: SignalKind,
        message: Term,
    ) {
        while self.signals.len() <= k as usize {
            self.add_signal(sent_by, None, SignalKind::Unsent, Maybe::NONE, Term::nil());
        }
        let kinds = &mut self.rare.get_or_insert_default().kinds;
        let kept = kinds.binary_search_by_key(&k, |(k, _)| *k).expect("a number that was kept");
        kinds[kept].1 = kind;
        let signal = &mut self.signals[k as usize];
        signal.set_to(to);
        signal.message = message;
    }

    /// How many actions are part of the position after `steps` steps.
    pub fn actions_at(&self, steps: u64) -> usize {
        self.actions.partition_point(|a| a.step <= steps)
    }
}

/// The element before a place and the one at it.
fn neighbours(all: &[u32], place: usize) -> (Option<u32>, Option<u32>) {
    (place.checked_sub(1).map(|i| all[i]), all.get(place).copied())
}

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
