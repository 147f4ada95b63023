//! Letting a recording decide everything: when a process goes on, what arrives, what an input was.
//!
//! Here a process runs until it needs something that only the recording knows. Whoever drives it
//! (`reverl-recorded`) gives that, and the events are recorded as in any other execution.

use crate::execution::*;
use crate::script::Family;
use crate::system::System;
use crate::timer::SendTimer;
use reverl_machine::{Raise, Stop};
use reverl_term::{Atom, Term};
use std::collections::HashSet;

/// Why a driven process stopped.
pub enum Driven {
    /// It asks for something; `System::grant` goes on.
    Asks(Asked),
    Sent,
    Received(SignalId),
    /// It is in a receive in which nothing matches.
    Waits,
    /// It has come to its end; `System::finish` ends it.
    Ends,
    /// It has taken so many steps.
    Limit,
    /// It has exited, or was never spawned.
    Gone,
}

#[derive(Clone)]
pub struct Asked {
    pub builtin: u32,
    pub args: Vec<Term>,
}

/// A signal that arrived.
pub struct Arrived {
    pub signal: SignalId,
    pub in_mailbox: bool,
}

impl System {
    /// Nothing arrives by itself any more, and the k-th child of a parent is who it was.
    pub fn begin_driven(&mut self, family: &Family) {
        self.instant = false;
        self.expect(family);
    }

    /// Names beside these may belong to processes outside that nobody has seen being registered:
    /// what is sent to such a name is lost, not an error.
    pub fn name_others(&mut self, own: HashSet<Atom>) {
        self.own_names = Some(own.into());
    }

    /// The program goes on by itself again.
    pub fn end_driven(&mut self) {
        self.instant = true;
    }

    /// Runs a process up to what it needs from outside, or up to `limit` steps in all.
    pub fn drive(&mut self, proc: ProcId, limit: u64) -> Driven {
        if self.has_exited(proc) || !self.execution.proc(proc).is_spawned {
            return Driven::Gone;
        }
        self.unready(proc);
        let stopped = self.drive_on(proc, limit);
        if let Driven::Sent | Driven::Received(_) | Driven::Limit | Driven::Ends = stopped {
            self.make_ready(proc);
        }
        stopped
    }

    fn drive_on(&mut self, proc: ProcId, limit: u64) -> Driven {
        loop {
            let due = self.checkpoint_due(proc).min(limit);
            let process = &mut self.live[proc.0 as usize].process;
            let stop = process.run(&self.world.program(), due);
            self.execution.proc_mut(proc).steps = self.live(proc).process.steps();
            match stop {
                Stop::Limit if due < limit => self.checkpoint(proc),
                Stop::Limit | Stop::Watched => return Driven::Limit,
                Stop::Send { to, message } => {
                    self.send_action(proc, &to, message);
                    return Driven::Sent;
                }
                Stop::Request { builtin, args } => return Driven::Asks(Asked { builtin, args }),
                Stop::Received(message) => {
                    let signal = crate::system::signal_of(message.id);
                    self.received(proc, message);
                    return Driven::Received(signal);
                }
                Stop::Wait { .. } => return Driven::Waits,
                Stop::Load(module) => self.world.load(module),
                Stop::Ended => return Driven::Ends,
                Stop::OutOf(resource) => {
                    self.out_of(proc, resource);
                    return Driven::Gone;
                }
            }
        }
    }

    /// What a process asked for happens; with an answer from the recording, that is the answer.
    pub fn grant(&mut self, proc: ProcId, asked: Asked, answer: Option<Result<Term, Raise>>) {
        self.answers = answer;
        self.request(proc, asked.builtin, asked.args);
        self.answers = None;
        self.make_ready(proc);
    }

    /// What a process asks for has not happened: it stands before it, and can go on by itself.
    pub fn withdraw(&mut self, proc: ProcId) {
        let process = &self.live(proc).process;
        let weight = u64::from(self.program().code.ins[process.pc() as usize].weight);
        let steps = process.steps().saturating_sub(weight);
        let messages: Vec<_> = process.mailbox.iter().cloned().collect();
        let mut before = self.state_at(proc, steps);
        before.mailbox.replace(messages);
        self.live_mut(proc).process = before;
        self.execution.proc_mut(proc).steps = steps;
        self.unready(proc);
        if !self.execution.proc(proc).is_system {
            self.make_ready(proc);
        }
    }

    /// A process that has come to its end is gone.
    pub fn finish(&mut self, proc: ProcId) {
        self.unready(proc);
        self.ended(proc);
    }

    /// The next signal of one process to another arrives; `None` if there is none on its way.
    pub fn arrive(&mut self, from: ProcId, to: ProcId) -> Option<Arrived> {
        let signal = *self.network.get(&(to, from))?.front()?;
        let before = self.execution.proc(to).deliveries.len();
        self.deliver_next(from, to);
        let deliveries = &self.execution.proc(to).deliveries;
        let in_mailbox = deliveries.get(before).is_some_and(|d| d.in_mailbox());
        Some(Arrived { signal, in_mailbox })
    }

    /// What is on its way to a process, by sender.
    pub fn on_the_way(&self, to: ProcId) -> Vec<(ProcId, Vec<SignalId>)> {
        let first = (to, ProcId(0));
        let last = (to, ProcId(u32::MAX));
        let queues = self.network.range(first..=last);
        queues.map(|((_, from), queue)| (*from, queue.iter().copied().collect())).collect()
    }

    pub fn is_on_the_way(&self, from: ProcId, to: ProcId) -> bool {
        self.in_network(from, to) > 0
    }

    /// Whether an exit signal of `from` would be a message for `to`.
    pub fn traps(&self, to: ProcId, from: ProcId) -> bool {
        let is_linked = self.live(to).relations().is_some_and(|r| r.links.contains(&from));
        self.live(to).process.local.trap_exit && (is_linked || self.is_on_the_way(from, to))
    }

    /// The timer with this message for this process fires; false if there is none.
    pub fn fire_timer_with(&mut self, to: ProcId, message: &Term) -> bool {
        let found = self.timer_with(to, message);
        found.is_some_and(|(owner, by)| self.fire_timer_of(owner, by).is_some())
    }

    pub fn has_timer_with(&self, to: ProcId, message: &Term) -> bool {
        self.timer_with(to, message).is_some()
    }

    /// Who started it, with which action.
    fn timer_with(&self, to: ProcId, message: &Term) -> Option<(ProcId, u32)> {
        let (pid, name) = (self.pid(to), self.live(to).name());
        let is_for = |t: &Term| *t == pid || name.is_some_and(|name| t.is_atom_eq(name));
        let message_of = |t: &SendTimer| &self.execution.signal(t.signal()).message;
        let found = self.timers.sends().find(|t| is_for(&t.to) && message_of(t) == message);
        found.map(|t| (t.owner, t.started_by))
    }
}
