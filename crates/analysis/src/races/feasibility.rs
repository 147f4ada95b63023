//! Whether a receive can take another message while everything that did not come from it stays as
//! it was: all receives before it take what they took.
//!
//! It takes the oldest message that matches, so the other message must arrive before all its
//! rivals: messages that match and that no receive before has taken. A rival can wait, unless it
//! must come before the message: it has the same sender and was sent earlier, or it must have
//! arrived by then because an earlier receive took a later message of its sender. For those the
//! graph of what must come before what is followed.

use super::{Inbox, NEVER, Receive, Sent};
use reverl_causal::{ProcId, SignalId, System};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// What must come before something else.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    /// The arrival of a message, by its place in `Inbox::sent`.
    Arrival(u32),
    /// The process's n-th receive, from 1.
    Receive(u32),
}

/// Decides whether a message can be received instead of another.
pub struct Feasibility<'a> {
    system: &'a System,
    inbox: &'a Inbox,
    receive: &'a Receive,
    /// The first message of each stream that matches.
    first_of: HashMap<(ProcId, Option<u32>), u32>,
    /// Rivals that must have arrived before the receive.
    early: Vec<u32>,
    /// Which messages that were sent to the process a receive would take.
    matches: RefCell<HashMap<u32, Vec<bool>>>,
}

impl<'a> Feasibility<'a> {
    /// `rivals` are the messages that match, what was taken among them.
    pub fn new(
        system: &'a System,
        inbox: &'a Inbox,
        receive: &'a Receive,
        rivals: &[SignalId],
    ) -> Feasibility<'a> {
        let mut first_of = HashMap::new();
        for rival in rivals {
            let first = first_of.entry(system.execution().stream(*rival)).or_insert(rival.k);
            *first = rival.k.min(*first);
        }
        let rivals: HashSet<SignalId> = rivals.iter().copied().collect();
        let is_early = |i: &u32| {
            let sent = &inbox.sent[*i as usize];
            let is_there = is_own(system, receive, sent) && sent.after < receive.nth;
            (sent.passed_by < receive.nth || is_there) && rivals.contains(&sent.id)
        };
        let early = (0..inbox.sent.len() as u32).filter(is_early).collect();
        Feasibility { system, inbox, receive, first_of, early, matches: RefCell::default() }
    }

    /// Whether the receive can take a message that matches.
    pub fn can_take(&self, message: SignalId) -> bool {
        let stream = self.system.execution().stream(message);
        let is_first = self.first_of.get(&stream) == Some(&message.k);
        is_first && !self.comes_after_an_early_one(message)
    }

    fn comes_after_an_early_one(&self, message: SignalId) -> bool {
        let is_it = |i: &u32| self.inbox.sent[*i as usize].id == message;
        let early = self.early.iter().filter(|i| !is_it(i));
        let mut todo: Vec<Node> = early.map(|i| Node::Arrival(*i)).collect();
        let mut seen: HashSet<Node> = todo.iter().copied().collect();
        while let Some(node) = todo.pop() {
            if matches!(node, Node::Arrival(i) if is_it(&i)) {
                return true;
            }
            todo.extend(self.after(node).into_iter().filter(|later| seen.insert(*later)));
        }
        false
    }

    /// What must come after something, up to the receive in question.
    fn after(&self, node: Node) -> Vec<Node> {
        match node {
            Node::Arrival(i) => {
                let sent = &self.inbox.sent[i as usize];
                let taken = Some(sent.taken_by).filter(|nth| *nth < self.receive.nth);
                let others = taken.into_iter().flat_map(|nth| self.passed_over(nth));
                let next = sent.next.filter(|n| self.is_sent(*n)).map(Node::Arrival);
                let own = is_own(self.system, self.receive, sent).then(|| self.after_own(sent));
                let own = own.into_iter().flatten();
                others.chain(taken.map(Node::Receive)).chain(next).chain(own).collect()
            }
            Node::Receive(nth) => {
                let all = 0..self.inbox.sent.len() as u32;
                let known = all.filter(|i| self.inbox.sent[*i as usize].after >= nth);
                let known = known.filter(|i| self.is_sent(*i)).map(Node::Arrival);
                let timed_out = self.inbox.receives[nth as usize - 1].taken.is_none();
                let late = timed_out.then(|| self.passed_over(nth)).into_iter().flatten();
                let next = (nth + 1 < self.receive.nth).then_some(Node::Receive(nth + 1));
                known.chain(late).chain(next).collect()
            }
        }
    }

    /// What a process sends itself is there at once: what knows of it, and the process's next
    /// receive, come later.
    fn after_own(&self, own: &Sent) -> Vec<Node> {
        let all = 0..self.inbox.sent.len() as u32;
        let knows = |i: &u32| self.inbox.sent[*i as usize].after_own > own.after_own;
        let later = all.filter(|i| knows(i) && self.is_sent(*i)).map(Node::Arrival);
        let next = Some(own.after + 1).filter(|nth| *nth < self.receive.nth);
        later.chain(next.map(Node::Receive)).collect()
    }

    /// Whether a message is sent whatever the receive does.
    fn is_sent(&self, i: u32) -> bool {
        self.inbox.sent[i as usize].after < self.receive.nth
    }

    /// Messages that an earlier receive would have taken had they come before what it took.
    fn passed_over(&self, nth: u32) -> Vec<Node> {
        let own = &self.inbox.receives[nth as usize - 1];
        let mut known = self.matches.borrow_mut();
        let row = known.entry(nth).or_insert_with(|| {
            let all: Vec<SignalId> = self.inbox.sent.iter().map(|s| s.id).collect();
            self.system.matches_at(own.event.proc, own.step - 1, &all)
        });
        let sent = self.inbox.sent.iter().zip(row.iter()).zip(0u32..);
        let left = sent.filter(|((s, fits), i)| **fits && s.taken_by > nth && self.is_sent(*i));
        left.map(|(_, i)| Node::Arrival(i)).collect()
    }
}

/// Whether a process sent itself a message.
fn is_own(system: &System, receive: &Receive, sent: &Sent) -> bool {
    system.execution().stream(sent.id) == (receive.event.proc, None)
}

const _: () = assert!(NEVER == u32::MAX, "what was never taken was taken after everything");
