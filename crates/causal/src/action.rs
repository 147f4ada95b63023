//! What a process did, in three words: an execution has millions of them.
#![allow(unsafe_code, reason = "what an action did is packed into words")]

use crate::execution::{ProcId, SignalId};
use reverl_lang::code::Reg;
use reverl_machine::builtins::nature::{Look, Nature};
use reverl_machine::{Program, Raise};
use reverl_term::{Atom, Term};
use std::ptr::without_provenance;
use std::rc::Rc;

/// What a process did that others can notice, or that it could not compute by itself.
#[derive(Clone)]
pub struct Action {
    /// invariant: grows along the chain. The action is part of every position of the process
    /// from this step on.
    pub step: u64,
    /// Its place in `Execution::order`.
    pub order: u32,
    /// The instruction that did it.
    pub pc: u32,
    pub(crate) deed: PackedAction,
}

impl Action {
    /// What it did.
    #[inline]
    pub fn what(&self) -> ActionKind<'_> {
        self.deed.what()
    }

    /// Whether the process ended with it.
    pub fn is_exit(&self) -> bool {
        self.deed.tag() == EXIT
    }
}

/// What an action was.
pub enum ActionKind<'a> {
    /// The process's k-th signal, by `!`.
    Send(u32),
    /// A receive took this message.
    Receive(SignalId),
    /// A receive ended without a message: its `after` ran.
    Timeout,
    /// A built-in that the system answered.
    Request(&'a Answered),
    /// A variable of it was given another value, by hand.
    Assign(&'a Assigned),
    /// The process ended.
    Exit(&'a Exited),
}

/// A request of a process, with its answer.
pub struct Answered {
    /// The number of the built-in.
    pub builtin: u32,
    /// What it was called with.
    pub args: Vec<Term>,
    /// What it answered.
    pub answer: Result<Term, Raise>,
    /// What it did beside answering.
    pub effect: Effect,
    /// The process's own state after it, if it changed that.
    pub local: Option<Box<reverl_machine::Local>>,
    /// The answer was given from a recording: it is not computed again.
    pub is_given: bool,
}

impl Answered {
    /// The number of a `!` that failed, or did more than send: it is not a built-in.
    pub const SEND: u32 = u32::MAX;

    /// A `!` with these arguments that is more than the sending of a message.
    pub(crate) fn send(args: Vec<Term>) -> Answered {
        Answered {
            builtin: Answered::SEND,
            args,
            answer: Ok(Term::nil()),
            effect: Effect::default(),
            local: None,
            is_given: false,
        }
    }

    /// Whether the answer is given again when the past is replayed, and not computed.
    pub fn is_kept(&self) -> bool {
        match self.nature() {
            _ if self.is_given => true,
            Nature::Look(Look::ProcessInfo) => !self.asks_for_events_only(),
            nature => nature.is_kept(),
        }
    }

    /// Whether what is asked about a process is what has happened to it, and not how far it has
    /// run meanwhile.
    fn asks_for_events_only(&self) -> bool {
        let Some(items) = self.args.get(1) else { return false };
        let is_about_events = |item: &Term| {
            let name = item.as_atom().map_or("", |a| a.name());
            matches!(
                name,
                "initial_call"
                    | "links"
                    | "message_queue_len"
                    | "messages"
                    | "monitored_by"
                    | "monitors"
                    | "parent"
                    | "registered_name"
                    | "trap_exit"
            )
        };
        items.to_vec().unwrap_or(vec![items.clone()]).iter().all(is_about_events)
    }

    /// What the built-in is to others.
    pub fn nature(&self) -> Nature {
        match self.builtin {
            Answered::SEND => Nature::Send,
            builtin => Program::builtin(builtin).nature,
        }
    }
}

/// What a request did beside giving an answer.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// The process that it made.
    pub spawned: Option<ProcId>,
    /// The signals it sent, by number.
    pub signals: std::ops::Range<u32>,
    /// The text that it printed.
    pub output: Option<Rc<str>>,
}

/// A variable of a process that was given another value than it had.
pub struct Assigned {
    /// The name of the variable.
    pub name: Atom,
    /// The register of the call in progress that holds it.
    pub register: Reg,
    /// The value that it has from then on.
    pub value: Term,
}

/// What ended a process that did not end itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Killer {
    /// An exit signal, with its delivery.
    Signal(u32),
    /// Somebody who tries what would come of it.
    Hand,
}

/// The end of a process.
pub struct Exited {
    /// The reason of the exit, `normal` for a return.
    pub reason: Term,
    /// The class and the stack trace, if an exception of its own ended it.
    pub exception: Option<reverl_machine::Exception>,
    /// The value of its function, if it ran to its end.
    pub value: Option<Term>,
    /// What killed it, if it did not end itself.
    pub killed_by: Option<Killer>,
    /// Exit signals and `'DOWN'` messages, by number.
    pub signals: std::ops::Range<u32>,
}

impl Exited {
    /// The delivery of the exit signal that killed it.
    pub fn killing_signal(&self) -> Option<u32> {
        match self.killed_by {
            Some(Killer::Signal(delivery)) => Some(delivery),
            _ => None,
        }
    }
}

/// `ActionKind` in one word: a tag in the three lowest bits and a number, or an `Rc` whose alignment
/// leaves those bits free. As an enum it is twice as large, and sends and receives are nearly all
/// there is.
pub(crate) struct PackedAction(*const ());

const TAG: usize = 7;
const SEND: usize = 0;
const RECEIVE: usize = 1;
const TIMEOUT: usize = 2;
const REQUEST: usize = 3;
const EXIT: usize = 4;
const ASSIGN: usize = 5;

/// A receive has the sender in the upper half and the number of its signal below.
const SENDER: u32 = 35;
const _: () = assert!(usize::BITS == 64 && align_of::<Answered>() > TAG);
const _: () = assert!(align_of::<Exited>() > TAG && align_of::<Assigned>() > TAG);

impl PackedAction {
    #[inline]
    pub fn send(k: u32) -> PackedAction {
        PackedAction(without_provenance((k as usize) << 3 | SEND))
    }

    #[inline]
    pub fn receive(signal: SignalId) -> PackedAction {
        debug_assert!(signal.from.0 < 1 << (usize::BITS - SENDER));
        let word = (signal.from.0 as usize) << SENDER | (signal.k as usize) << 3 | RECEIVE;
        PackedAction(without_provenance(word))
    }

    pub fn timeout() -> PackedAction {
        PackedAction(without_provenance(TIMEOUT))
    }

    pub fn request(answered: Answered) -> PackedAction {
        PackedAction(Rc::into_raw(Rc::new(answered)).cast::<()>().map_addr(|a| a | REQUEST))
    }

    pub fn exit(exited: Exited) -> PackedAction {
        PackedAction(Rc::into_raw(Rc::new(exited)).cast::<()>().map_addr(|a| a | EXIT))
    }

    pub fn assign(assigned: Assigned) -> PackedAction {
        PackedAction(Rc::into_raw(Rc::new(assigned)).cast::<()>().map_addr(|a| a | ASSIGN))
    }

    #[inline]
    fn tag(&self) -> usize {
        self.0.addr() & TAG
    }

    /// The `Rc`'s own pointer again.
    fn pointer<T>(&self) -> *const T {
        self.0.map_addr(|a| a & !TAG).cast()
    }

    #[inline]
    pub fn what(&self) -> ActionKind<'_> {
        let word = self.0.addr();
        match self.tag() {
            SEND => ActionKind::Send((word >> 3) as u32),
            RECEIVE => {
                let from = ProcId((word >> SENDER) as u32);
                ActionKind::Receive(SignalId { from, k: (word >> 3) as u32 })
            }
            TIMEOUT => ActionKind::Timeout,
            // SAFETY: the tag says what the pointer was made from, and this owns a count of it.
            REQUEST => ActionKind::Request(unsafe { &*self.pointer() }),
            // SAFETY: as above.
            ASSIGN => ActionKind::Assign(unsafe { &*self.pointer() }),
            // SAFETY: as above.
            _ => ActionKind::Exit(unsafe { &*self.pointer() }),
        }
    }
}

impl Clone for PackedAction {
    fn clone(&self) -> PackedAction {
        match self.tag() {
            // SAFETY: the pointer came from `Rc::into_raw` of that type; the copy is counted.
            REQUEST => unsafe { Rc::increment_strong_count(self.pointer::<Answered>()) },
            // SAFETY: as above.
            EXIT => unsafe { Rc::increment_strong_count(self.pointer::<Exited>()) },
            // SAFETY: as above.
            ASSIGN => unsafe { Rc::increment_strong_count(self.pointer::<Assigned>()) },
            _ => {}
        }
        PackedAction(self.0)
    }
}

impl Drop for PackedAction {
    #[inline]
    fn drop(&mut self) {
        match self.tag() {
            // SAFETY: the pointer came from `Rc::into_raw` of that type, and this owns a count.
            REQUEST => unsafe { Rc::decrement_strong_count(self.pointer::<Answered>()) },
            // SAFETY: as above.
            EXIT => unsafe { Rc::decrement_strong_count(self.pointer::<Exited>()) },
            // SAFETY: as above.
            ASSIGN => unsafe { Rc::decrement_strong_count(self.pointer::<Assigned>()) },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_what_it_was_made_from() {
        for k in [0, 1, u32::MAX] {
            assert!(matches!(PackedAction::send(k).what(), ActionKind::Send(n) if n == k));
            for from in [0, 1, (1 << 29) - 1] {
                let id = SignalId { from: ProcId(from), k };
                assert!(
                    matches!(PackedAction::receive(id).what(), ActionKind::Receive(other) if other == id)
                );
            }
        }
        assert!(matches!(PackedAction::timeout().what(), ActionKind::Timeout));
    }

    #[test]
    fn copies_share_what_they_own_and_the_last_one_frees_it() {
        let shared = Term::tuple(vec![Term::int(1), Term::int(2)]);
        let exited = Exited {
            reason: shared.clone(),
            exception: None,
            value: None,
            killed_by: Some(Killer::Signal(3)),
            signals: 4..5,
        };
        let deed = PackedAction::exit(exited);
        let copy = deed.clone();
        drop(deed);
        let ActionKind::Exit(exited) = copy.what() else { panic!("an exit") };
        assert_eq!((exited.killing_signal(), &exited.signals), (Some(3), &(4..5)));
        assert!(exited.reason == shared);
    }

    #[test]
    fn an_action_takes_three_words() {
        assert_eq!(size_of::<Action>(), 24);
    }
}
