//! Messages that nobody found, and signals that ended nobody: a process that another one ends has not come
//! to sending them.

use super::Replay;
use super::advance::is_of_system;
use crate::parts::TraceAction;
use crate::terms::term;
use reverl_causal::ProcId;
use reverl_term::Term;

impl Replay<'_> {
    /// Whether a process would send next what nobody found: its receiver looked at its mailbox later.
    pub(super) fn would_be_missed(&mut self, proc: ProcId) -> bool {
        let Some(to) = self.system.next_receiver(proc) else { return false };
        let execution = self.system.execution();
        let found = to.as_pid().and_then(|pid| execution.find(pid));
        let Some(to) = found.filter(|to| !execution.proc(*to).is_system) else { return false };
        let (all, arrived) = self.messages.get(&(proc, to)).copied().unwrap_or_default();
        let sent = arrived as usize + self.sent(proc, to) + 1;
        sent > all as usize && self.looks_later(proc, to)
    }

    /// Whether a process asks to kill one that went on living: it was ended before it came to that.
    pub(super) fn would_kill_in_vain(&self, proc: ProcId, args: &[Term]) -> bool {
        let [to, reason] = args else { return false };
        let execution = self.system.execution();
        let found = to.as_pid().and_then(|pid| execution.find(pid));
        let is_other = |to: &ProcId| *to != proc && !execution.proc(*to).is_system;
        reason.is_atom_eq(reverl_term::atoms::KILL)
            && found
                .filter(is_other)
                .is_some_and(|to| !self.system.has_exited(to) && self.looks_later(proc, to))
    }

    /// The messages of one process to another that are on their way.
    fn sent(&self, from: ProcId, to: ProcId) -> usize {
        let execution = self.system.execution();
        let mut on_the_way = self.system.on_the_way(to).into_iter();
        let signals = on_the_way.find(|(sender, _)| *sender == from).map(|(_, signals)| signals);
        let messages = signals.into_iter().flatten().filter(|s| execution.kind(*s).is_message());
        messages.count()
    }

    /// Whether a message comes to `to` after the last entry of a process, which has sent all by then.
    fn looks_later(&self, proc: ProcId, to: ProcId) -> bool {
        let last = self.logs[self.number_of(proc)].last().copied();
        let log = &self.logs[self.number_of(to)];
        let is_later = |i: &&u32| last.is_some_and(|last| **i > last);
        log.iter()
            .rev()
            .take_while(is_later)
            .any(|i| self.recorded.entries[*i as usize].action.is_arrival())
    }

    /// Counts the messages that are going to arrive.
    pub(super) fn count_messages(&mut self) {
        for entry in &self.recorded.entries {
            let from = match entry.action {
                TraceAction::Deliver { from, .. } => from,
                TraceAction::DeliverTerm { from: Some(from), ref message }
                    if !is_of_system(&term(message)) =>
                {
                    from
                }
                _ => continue,
            };
            if let (Some(from), Some(to)) = (self.proc(from), self.proc(entry.proc)) {
                self.messages.entry((from, to)).or_default().0 += 1;
            }
        }
    }
}
