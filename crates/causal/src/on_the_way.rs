//! What is on its way: signals that were sent, and timers that will fire. Whoever replays a
//! recording of a real node asks, and then lets just that happen which happened there.

use crate::execution::*;
use crate::step::Step;
use crate::system::System;
use crate::timer::SendTimer;
use reverl_term::{Atom, Pid, Term};
use std::collections::HashSet;

impl System {
    /// Names beside these may belong to processes outside that nobody has seen being registered:
    /// what is sent to such a name is lost, not an error.
    pub fn name_others(&mut self, own: HashSet<Atom>) {
        self.elsewhere.own_names = Some(own.into());
    }

    /// Only these processes have been told that somebody is not there whom they linked to or watched: for all others
    /// whoever is not in this system is a process outside.
    pub fn tell_of_nobody(&mut self, told: HashSet<Pid>) {
        self.elsewhere.told_of_nobody = Some(told.into());
    }

    /// A name that processes of ours have had belongs to one outside now.
    pub fn name_other(&mut self, name: Atom) {
        self.elsewhere.has(name);
    }

    /// What is on its way to a process, by sender.
    pub fn on_the_way(&self, to: ProcId) -> Vec<(ProcId, Vec<SignalId>)> {
        let first = (to, ProcId(0));
        let last = (to, ProcId(u32::MAX));
        let queues = self.present.network.range(first..=last);
        queues.map(|((_, from), queue)| (*from, queue.iter().copied().collect())).collect()
    }

    /// Whether an exit signal of `from` would be a message for `to`.
    pub fn traps(&self, to: ProcId, from: ProcId) -> bool {
        let is_linked = self.running(to).relations().is_some_and(|r| r.links.contains(&from));
        let is_coming = self.next_signal(from, to).is_some();
        self.running(to).process.local.trap_exit && (is_linked || is_coming)
    }

    /// The firing of the timer with this message for this process, if there is one.
    pub fn timer_with(&self, to: ProcId, message: &Term) -> Option<Step> {
        let (pid, name) = (self.pid(to), self.running(to).name());
        let is_for = |t: &Term| *t == pid || name.is_some_and(|name| t.is_atom_eq(name));
        let message_of = |t: &SendTimer| &self.execution.signal(t.signal()).message;
        let found = self.present.timers.sends().find(|t| is_for(&t.to) && message_of(t) == message);
        found.map(|t| Step::Fire { owner: t.owner, started_by: t.started_by })
    }
}
