//! Timers in virtual time.

use crate::execution::{ProcId, SignalId};
use reverl_term::Term;
use std::collections::BTreeMap;

/// When, and in what order among those of the same time.
pub type Key = (u64, u64);

/// What happens when a timer's time has come.
#[derive(Clone)]
pub enum Timer {
    /// The `after` of a receive.
    Wake(ProcId),
    /// `send_after`, `start_timer`.
    Send(SendTimer),
}

/// `erlang:send_after`, `start_timer`.
#[derive(Clone)]
pub struct SendTimer {
    /// The process that started it.
    pub owner: ProcId,
    /// The number of the action that started it.
    pub started_by: u32,
    /// The number of its signal.
    pub k: u32,
    /// What was answered when it was started.
    pub reference: Term,
    /// Whom the message goes to: a pid or a name.
    pub to: Term,
}

impl SendTimer {
    /// The message that it sends.
    pub fn signal(&self) -> SignalId {
        SignalId { from: self.owner, k: self.k }
    }
}

/// A timer that runs, as others see it.
pub struct RunningTimer {
    /// In how many milliseconds it fires.
    pub milliseconds: u64,
    /// The process that started it, or whose receive it ends.
    pub owner: ProcId,
    /// Whom it sends what; none if it ends a receive.
    pub message: Option<(Term, Term)>,
}

/// All timers that run, the earliest first.
#[derive(Clone, Default)]
pub struct Timers {
    queue: BTreeMap<Key, Timer>,
    count: u64,
}

impl Timers {
    /// Whether no timer runs.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The one that fires next.
    pub fn first(&self) -> Option<(&Key, &Timer)> {
        self.queue.first_key_value()
    }

    fn add(&mut self, at: u64, timer: Timer) -> Key {
        self.count += 1;
        let key = (at, self.count);
        self.queue.insert(key, timer);
        key
    }

    /// A receive of the process times out at this time.
    pub fn wake(&mut self, at: u64, proc: ProcId) -> Key {
        self.add(at, Timer::Wake(proc))
    }

    /// A message is sent at this time.
    pub fn send(&mut self, at: u64, timer: SendTimer) -> Key {
        self.add(at, Timer::Send(timer))
    }

    /// Takes a timer out before it fires.
    pub fn cancel(&mut self, key: Key) {
        self.queue.remove(&key);
    }

    /// All of them with their times, in the order in which they fire.
    pub fn all(&self) -> impl Iterator<Item = (u64, &Timer)> {
        self.queue.iter().map(|((at, _), timer)| (*at, timer))
    }

    /// Those that send a message, in the order in which they fire.
    pub fn sends(&self) -> impl Iterator<Item = &SendTimer> {
        self.queue.values().filter_map(|timer| match timer {
            Timer::Send(send) => Some(send),
            Timer::Wake(_) => None,
        })
    }

    /// The timer with this reference, and when it fires.
    pub fn find(&self, reference: &Term) -> Option<Key> {
        let is_it = |timer: &Timer| matches!(timer, Timer::Send(s) if s.reference == *reference);
        self.queue.iter().find(|(_, t)| is_it(t)).map(|(key, _)| *key)
    }

    /// Takes out the timer that this action started.
    pub fn take_of(&mut self, owner: ProcId, started_by: u32) -> Option<(u64, SendTimer)> {
        let is_it = |timer: &Timer| matches!(timer, Timer::Send(s) if s.owner == owner && s.started_by == started_by);
        let key = self.queue.iter().find(|(_, t)| is_it(t)).map(|(key, _)| *key)?;
        match self.queue.remove(&key) {
            Some(Timer::Send(timer)) => Some((key.0, timer)),
            _ => None,
        }
    }
}
