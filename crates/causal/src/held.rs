//! Messages that are held back, so that somebody else decides which one a receive takes.
//!
//! While messages are held they do not enter mailboxes; a process that waits takes the one it is
//! told to (`Step::Take`), if it matches. Exploration drives executions this way: what matters of
//! an order of arrival is only what each receive takes.

use crate::execution::{ProcId, SignalId, SignalKind};
use crate::step::{Happened, Impossible};
use crate::system::{Arrivals, System, message_id};
use reverl_machine::{Message, Stop};
use reverl_term::{Term, atoms};

/// Messages that have arrived at each process and were not received.
#[derive(Clone, Default)]
pub struct HeldMessages {
    waiting: Vec<Vec<SignalId>>,
    /// Exit signals that have not arrived, if they do not arrive at once.
    exits: Option<Vec<SignalId>>,
    /// The one of them that arrives now.
    arriving: Option<SignalId>,
}

impl HeldMessages {
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
        let exits = exits.then(Vec::new);
        self.present.arrivals = Arrivals::Held(HeldMessages { exits, ..HeldMessages::default() });
    }

    /// Exit signals on their way to processes that live, in order of sending.
    pub fn held_exits(&self) -> Vec<SignalId> {
        let exits = self.present.arrivals.held().and_then(|h| h.exits.as_ref());
        let lives =
            |id: &SignalId| self.execution.signal(*id).to().is_some_and(|to| !self.has_exited(to));
        exits.map_or(vec![], |exits| exits.iter().copied().filter(lives).collect())
    }

    /// Whether an exit signal that is held would end its receiver if it arrived now.
    pub fn would_end(&self, signal: SignalId) -> bool {
        let (Some(to), SignalKind::Exit { linked, reason }) =
            (self.execution.signal(signal).to(), self.execution.kind(signal))
        else {
            return false;
        };
        let live = self.running(to);
        let other = self.execution.tied_by(signal);
        let is_lost = self.execution.is_of_lost_link(signal);
        let is_among = |all: &crate::system::Relations| match is_lost {
            true => all.lost_links.contains(&other),
            false => all.links.contains(&other),
        };
        let is_tied = !linked || live.relations().is_some_and(is_among);
        let is_kill = !linked && reason.is_atom_eq(atoms::KILL);
        let is_trapped = live.process.local.trap_exit || reason.is_atom_eq(atoms::NORMAL);
        is_tied && (is_kill || !is_trapped)
    }

    /// An exit signal that was held arrives. False if it is not there.
    pub(crate) fn let_exit_through(&mut self, signal: SignalId) -> bool {
        let Some(held) = self.present.arrivals.held_mut() else { return false };
        let Some(exits) = &mut held.exits else { return false };
        let Some(i) = exits.iter().position(|e| *e == signal) else { return false };
        exits.remove(i);
        held.arriving = Some(signal);
        self.deliver(signal);
        if let Some(held) = self.present.arrivals.held_mut() {
            held.arriving = None;
        }
        true
    }

    /// Messages that a process could take, in order of arrival.
    pub fn held_for(&self, proc: ProcId) -> &[SignalId] {
        self.present.arrivals.held().map_or(&[], |held| held.of(proc))
    }

    /// Of the held messages those that must have arrived: what the process sent itself, and what
    /// was sent before something of the same sender that it has received.
    fn surely_arrived(&self, proc: ProcId) -> impl Iterator<Item = SignalId> + '_ {
        let is_received = move |id: SignalId| {
            let signal = self.execution.signal(id);
            signal.to() == Some(proc) && signal.receive().is_some()
        };
        let is_passed = move |id: &SignalId| {
            let sent = self.execution.proc(id.from).signals.len() as u32;
            id.from == proc || (id.k + 1..sent).any(|k| is_received(SignalId { k, ..*id }))
        };
        self.held_for(proc).iter().copied().filter(is_passed)
    }

    /// What is in a process's mailbox. While messages are held, what must be.
    pub(crate) fn mailbox_of(&self, proc: ProcId) -> Vec<Term> {
        let mailbox = self.running(proc).process.mailbox.iter().map(|m| m.term.clone());
        let held = self.surely_arrived(proc).map(|id| self.execution.signal(id).message.clone());
        mailbox.chain(held).collect()
    }

    /// The receive in which a process waits takes a held message.
    pub(crate) fn receive_held(
        &mut self,
        proc: ProcId,
        signal: SignalId,
    ) -> Result<Happened, Impossible> {
        if !self.is_waiting(proc) {
            return Err(Impossible::DoesNotWait);
        }
        if !self.held_for(proc).contains(&signal) {
            return Err(Impossible::NotSent);
        }
        let term = self.execution.signal(signal).message.clone();
        let process = &mut self.present.running[proc.0 as usize].process;
        process.deliver(Message { id: message_id(signal), term });
        let limit = process.steps() + 1;
        let stop = process.run(&self.world.program(), limit);
        let Stop::Received(message) = stop else {
            self.present.running[proc.0 as usize].process.mailbox.replace([]);
            return Err(Impossible::DoesNotMatch);
        };
        if let Some(held) = self.present.arrivals.held_mut() {
            held.waiting[proc.0 as usize].retain(|s| *s != signal);
        }
        self.execution.has_run(proc, self.running(proc).process.steps());
        self.received(proc, message);
        self.make_ready(proc);
        Ok(Happened::Acted)
    }

    /// Whether the receive in which a process waits would take a message. Patterns and guards are
    /// not steps, so the process stops right before taking it.
    pub fn would_take(&mut self, proc: ProcId, signal: SignalId) -> bool {
        let term = self.execution.signal(signal).message.clone();
        let program = &self.world.program();
        let process = &mut self.present.running[proc.0 as usize].process;
        process.deliver(Message { id: message_id(signal), term });
        let here = process.steps();
        let takes = matches!(process.run(program, here), Stop::Limit);
        process.mailbox.replace([]);
        process.run(program, here);
        takes
    }

    /// How long the receive in which a process waits would wait; `None` for ever.
    pub fn receive_timeout(&mut self, proc: ProcId) -> Option<u64> {
        let program = &self.world.program();
        match self.present.running[proc.0 as usize].process.run(program, 0) {
            Stop::Wait { timeout } => timeout,
            _ => None,
        }
    }

    /// How long a receive of the past would have waited; `None` for ever. The process waits in it
    /// after `steps` steps.
    pub fn timeout_at(&self, proc: ProcId, steps: u64) -> Option<u64> {
        let mut waiting = self.state_at(proc, steps);
        waiting.mailbox.replace([]);
        match waiting.run(&self.world.program(), steps) {
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

    /// Whether the process waits in a receive.
    pub fn is_waiting(&self, proc: ProcId) -> bool {
        self.running(proc).process.is_waiting() && !self.has_exited(proc)
    }

    /// Whether more than three quarters of the memory that may be used are: soon processes would
    /// be ended for it.
    pub fn is_nearly_full(&self) -> bool {
        self.world.outside().memory_used() > self.program().limits.memory / 4 * 3
    }
}
