//! Letting somebody else decide which message a receive takes.
//!
//! While messages are held they do not enter mailboxes; a process that waits is offered one of
//! them, and takes it if it matches. Exploration drives executions this way: what matters of a
//! delivery order is only what each receive takes.

use crate::execution::{ProcId, SignalId};
use crate::schedule::Choice;
use crate::system::{Progress, System, Until, message_id};
use reverl_machine::{Message, Stop};

/// Messages that have arrived at each process and were not received.
#[derive(Clone, Default)]
pub struct Held {
    waiting: Vec<Vec<SignalId>>,
    /// Exit signals that have not arrived, if they do not arrive at once.
    exits: Option<Vec<SignalId>>,
    /// The one of them that arrives now.
    arriving: Option<SignalId>,
}

impl Held {
    /// Whether an exit signal waits until it is let through.
    pub(crate) fn keeps_exit(&mut self, signal: SignalId) -> bool {
        match &mut self.exits {
            Some(exits) if self.arriving != Some(signal) => {
                exits.push(signal);
                true
            }
            _ => false,
        }
    }

    pub(crate) fn add(&mut self, to: ProcId, signal: SignalId) {
        let i = to.0 as usize;
        if i >= self.waiting.len() {
            self.waiting.resize(i + 1, vec![]);
        }
        self.waiting[i].push(signal);
    }

    fn of(&self, proc: ProcId) -> &[SignalId] {
        self.waiting.get(proc.0 as usize).map_or(&[], |v| v)
    }
}

impl System {
    /// From now on messages are held, and exit signals too if they need not arrive at once.
    pub fn hold(&mut self, exits: bool) {
        self.held = Some(Held { exits: exits.then(Vec::new), ..Held::default() });
        self.instant = true;
    }

    /// Exit signals on their way to processes that live, in order of sending.
    pub fn exits_on_their_way(&self) -> Vec<SignalId> {
        let exits = self.held.as_ref().and_then(|h| h.exits.as_ref());
        let lives =
            |id: &SignalId| self.execution.signal(*id).to().is_some_and(|to| !self.has_exited(to));
        exits.map_or(vec![], |exits| exits.iter().copied().filter(lives).collect())
    }

    /// An exit signal that was held arrives. False if it is not there.
    pub fn let_arrive(&mut self, signal: SignalId) -> bool {
        let Some(held) = &mut self.held else { return false };
        let Some(exits) = &mut held.exits else { return false };
        let Some(i) = exits.iter().position(|e| *e == signal) else { return false };
        exits.remove(i);
        held.arriving = Some(signal);
        self.deliver(signal);
        if let Some(held) = &mut self.held {
            held.arriving = None;
        }
        true
    }

    /// Lets the timer fire that this action started. False if there is none.
    pub fn fire_timer(&mut self, owner: ProcId, started_by: u32) -> bool {
        self.fire_timer_of(owner, started_by).is_some()
    }

    /// Runs every process that can run until all wait or have ended, or `steps` are used up.
    pub fn settle(&mut self, steps: u64) -> bool {
        while let Some(proc) = self.next_ready() {
            let limit = self.live(proc).process.steps().saturating_add(10_000);
            self.run_until(proc, limit, Until::Limit);
            if self.execution.steps() > steps || self.halted().is_some() {
                return false;
            }
        }
        true
    }

    /// Messages that a process could be offered, in order of arrival.
    pub fn held_for(&self, proc: ProcId) -> Vec<SignalId> {
        self.held.as_ref().map_or(vec![], |h| h.of(proc).to_vec())
    }

    pub fn held_count(&self, proc: ProcId) -> usize {
        self.held.as_ref().map_or(0, |h| h.of(proc).len())
    }

    pub fn held_at(&self, proc: ProcId, i: usize) -> SignalId {
        self.held.as_ref().expect("messages are held").of(proc)[i]
    }

    /// Whether a timer may still send something.
    pub fn has_pending_timers(&self) -> bool {
        self.has_timers()
    }

    /// Offers a held message to a process that waits; true if it takes it.
    pub fn offer(&mut self, proc: ProcId, signal: SignalId) -> bool {
        let term = self.execution.signal(signal).message.clone();
        let process = &mut self.live[proc.0 as usize].process;
        process.deliver(Message { id: message_id(signal), term });
        let limit = process.steps() + 1;
        let stop = process.run(&self.world.program(), limit);
        match stop {
            Stop::Received(message) => {
                if let Some(held) = &mut self.held {
                    held.waiting[proc.0 as usize].retain(|s| *s != signal);
                }
                self.received(proc, message);
                self.make_ready(proc);
                true
            }
            _ => {
                self.live[proc.0 as usize].process.mailbox.replace([]);
                false
            }
        }
    }

    /// Whether the receive in which a process waits would take a message. Patterns and guards are
    /// no steps, so the process stops right before taking it.
    pub fn would_take(&mut self, proc: ProcId, signal: SignalId) -> bool {
        let term = self.execution.signal(signal).message.clone();
        let program = &self.world.program();
        let process = &mut self.live[proc.0 as usize].process;
        process.deliver(Message { id: message_id(signal), term });
        let here = process.steps();
        let takes = matches!(process.run(program, here), Stop::Limit);
        process.mailbox.replace([]);
        process.run(program, here);
        takes
    }

    /// The receive in which a process waits times out.
    pub fn let_time_out(&mut self, proc: ProcId) {
        self.time_out(proc);
    }

    /// How long the receive in which a process waits would wait; `None` for ever.
    pub fn patience(&mut self, proc: ProcId) -> Option<u64> {
        let program = &self.world.program();
        match self.live[proc.0 as usize].process.run(program, 0) {
            Stop::Wait { timeout } => timeout,
            _ => None,
        }
    }

    /// Which of the messages a receive of the past would take: the process waits in it after
    /// `steps` steps.
    pub fn matches_at(&self, proc: ProcId, steps: u64, signals: &[SignalId]) -> Vec<bool> {
        let mut waiting = self.state_at(proc, steps);
        if !waiting.is_waiting() {
            return vec![false; signals.len()];
        }
        let snapshot = waiting.snapshot(&self.world.program());
        let limit = snapshot.steps() + 1;
        let mut matches = Vec::with_capacity(signals.len());
        let mut process = waiting;
        for signal in signals {
            let term = self.execution.signal(*signal).message.clone();
            process.mailbox.replace([]);
            process.deliver(Message { id: message_id(*signal), term });
            let took = matches!(process.run(&self.world.program(), limit), Stop::Received(_));
            if took {
                process = snapshot.fork();
            }
            matches.push(took);
        }
        matches
    }

    pub fn is_waiting(&self, proc: ProcId) -> bool {
        self.live(proc).process.is_waiting() && !self.has_exited(proc)
    }

    /// Lets the earliest timer that sends a message fire.
    pub fn fire_next_timer(&mut self) -> bool {
        if !self.has_timers() {
            return false;
        }
        self.take(Choice::Fire);
        true
    }

    /// Whether more than three quarters of the memory that may be used are: soon processes would
    /// be ended for it.
    pub fn is_nearly_full(&self) -> bool {
        self.world.outside().memory_used() > self.program().limits.memory / 4 * 3
    }

    /// Lets a process run up to its next action.
    pub fn act(&mut self, proc: ProcId) -> Progress {
        self.run_until(proc, u64::MAX, Until::Action)
    }
}
