//! One process of an execution: its actions, its deliveries, and the signals that it sent.

use crate::action::*;
use crate::chunked::Chunked;
use crate::event::*;
use crate::look::Look;
use crate::signal::{Signal, SignalKind};
use reverl_machine::edition::Seen;
use reverl_term::{Atom, Pid, Term};
use std::rc::Rc;

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
    pub seen: Seen,
    /// The node that it runs on.
    pub node: NodeId,
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
    /// Which of the actions are not the process's own: assignments by hand, what it tells tracers.
    unasked: Vec<u32>,
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

    /// The first action from one on that is not the process's own.
    pub(crate) fn unasked_from(&self, action: usize) -> Option<&Action> {
        let unasked = &self.rare.as_ref()?.unasked;
        let before = unasked.partition_point(|a| (*a as usize) < action);
        unasked.get(before).map(|a| &self.actions[*a as usize])
    }

    /// The next action is not the process's own.
    pub(crate) fn add_unasked(&mut self) {
        let next = self.actions.len() as u32;
        self.rare.get_or_insert_default().unasked.push(next);
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

    /// The versions of modules that it calls from this action on, if they are others than before.
    pub fn edition_at(&self, action: usize) -> Option<&Seen> {
        let editions = &self.rare.as_ref()?.editions;
        let later = editions.partition_point(|(from, _)| *from as usize <= action);
        editions[..later].last().filter(|(from, _)| *from as usize == action).map(|(_, seen)| seen)
    }

    /// From its next action on it calls these versions of modules.
    pub(crate) fn add_edition(&mut self, seen: Seen) {
        let next = self.actions.len() as u32;
        self.rare.get_or_insert_default().editions.push((next, seen));
    }

    /// The group leader that came between two of its actions, the second of which is this one.
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
        let is_plain = kind == SignalKind::Message;
        if !is_plain {
            self.rare.get_or_insert_default().kinds.push((k, kind));
        }
        self.signals.push(Signal::new(sent_by, to, is_plain, delivery, message));
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
