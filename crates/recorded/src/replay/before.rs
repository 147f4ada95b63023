//! Messages that arrive right before a time-out or the end of their receiver: whether it received
//! them before, or never looked.
//!
//! On a node a message can be in the mailbox when a receive times out: it came together with
//! another signal while the process was about to wake up. Where receives are recorded, they tell.
//! Otherwise a copy of the process tries: what it would do with the messages must fit what was
//! recorded next, and a receive cannot have waited for longer than there was time since the last
//! message came.

use super::{Fits, Goal, Reached, Replay};
use crate::parts::TraceAction;
use crate::terms::term;
use reverl_causal::{Foresight, ProcId};
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::collections::HashMap;

/// A wait that began after a message came and is over so soon was one of no time at all.
const SHORTEST_WAIT: u64 = 1_000;

impl Replay<'_> {
    /// A message arrives.
    pub(super) fn arrives(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        if let TraceAction::Deliver { from, .. } = arrival {
            if self.is_answer_of_system(proc, at, *from)? {
                return Ok(());
            }
        }
        match (self.has_receives, self.is_followed_message(arrival)) {
            (true, true) => self.postponed(proc, at, arrival),
            (true, false) => self.bring(proc, arrival),
            (false, _) => self.settled(proc, at, arrival),
        }
    }

    /// A message arrives. If a time-out comes next, one that no receive took arrives after it: on
    /// the node it was there, but nobody looked.
    fn postponed(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        let recorded = self.recorded;
        let rest = &self.logs[at][self.done[at]..];
        let action = |i: &u32| &recorded.entries[*i as usize].action;
        let run = rest.iter().take_while(|i| self.is_followed_message(action(i))).count();
        let timeout = rest.get(run).is_some_and(|i| action(i).is_timeout());
        let ends = rest.get(run).is_some_and(|i| matches!(action(i), TraceAction::Exit(_)));
        if ends {
            // No receive took it: the process waits, and is ended while it is there.
            if !self.unread.contains(&proc) {
                self.run(proc, Goal::Stop, at)?;
                if self.system.is_waiting(proc) {
                    self.unread.insert(proc);
                }
            }
            return self.bring(proc, arrival);
        }
        let later: Vec<u32> = rest[..run].to_vec();
        if !timeout {
            return self.bring(proc, arrival);
        }
        self.done[at] += run + 1;
        self.time_out(proc, at)?;
        self.bring(proc, arrival)?;
        later.iter().try_for_each(|i| self.bring(proc, action(i)))
    }

    /// Receives are not recorded: messages are held back until it is known what comes after them.
    fn settled(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        let recorded = self.recorded;
        let rest = &self.logs[at][self.done[at]..];
        let action = |i: &u32| &recorded.entries[*i as usize].action;
        let is_arrival = |a: &TraceAction| {
            matches!(a, TraceAction::Deliver { .. } | TraceAction::DeliverTerm { .. })
        };
        let run = rest.iter().take_while(|i| is_arrival(action(i))).count();
        let next = rest
            .get(run)
            .map(action)
            .filter(|a| a.is_timeout() || matches!(a, TraceAction::Exit(_)));
        let Some(next) = next else { return self.bring(proc, arrival) };
        let now = self.logs[at][self.done[at] - 1];
        self.pending.entry(proc).or_default().push(now);
        if run > 0 {
            return Ok(());
        }
        self.run(proc, Goal::Stop, at)?;
        // Somebody may have needed what it sent after it had received them.
        let Some(pending) = self.pending.remove(&proc) else { return Ok(()) };
        let pending: Vec<&TraceAction> = pending.iter().map(action).collect();
        let Some(messages) = self.messages_of(proc, &pending)? else {
            return pending.iter().try_for_each(|arrival| self.bring(proc, arrival));
        };
        match next {
            TraceAction::Exit(_) => {
                if self.cannot_receive(proc, &messages) {
                    self.unread.insert(proc);
                }
                pending.iter().try_for_each(|arrival| self.bring(proc, arrival))
            }
            timeout => {
                let in_time = self.received_in_time(proc, &messages, timeout);
                let (before, after) = pending.split_at(in_time);
                before.iter().try_for_each(|arrival| self.bring(proc, arrival))?;
                if !after.is_empty() {
                    self.done[at] += 1;
                    self.time_out(proc, at)?;
                }
                after.iter().try_for_each(|arrival| self.bring(proc, arrival))
            }
        }
    }

    /// Messages that were held back arrive, since somebody needs what their receiver does next.
    pub(super) fn bring_pending(&mut self, proc: ProcId) -> Fits<bool> {
        let Some(pending) = self.pending.remove(&proc) else { return Ok(false) };
        let recorded = self.recorded;
        for i in pending {
            self.bring(proc, &recorded.entries[i as usize].action)?;
        }
        Ok(true)
    }

    /// The contents of messages that are about to arrive; their senders send them if they have not
    /// yet. `None` if they cannot.
    fn messages_of(&mut self, to: ProcId, arrivals: &[&TraceAction]) -> Fits<Option<Vec<Term>>> {
        let (mut messages, mut nth) = (vec![], HashMap::new());
        for arrival in arrivals {
            let from = match arrival {
                TraceAction::DeliverTerm { message, .. } => {
                    messages.push(term(message));
                    continue;
                }
                TraceAction::Deliver { from, .. } => self.proc(*from),
                _ => None,
            };
            let Some(from) = from else { return Ok(None) };
            let n: &mut usize = nth.entry(from).or_default();
            *n += 1;
            if self.sent(from, to).len() < *n {
                let at = self.number_of(from);
                if let Reached::Stuck = self.run(from, Goal::Sent(to, *n), at)? {
                    return Ok(None);
                }
            }
            messages.extend(self.sent(from, to).into_iter().nth(*n - 1));
        }
        Ok((messages.len() == arrivals.len()).then_some(messages))
    }

    /// The messages of one process to another that are on their way.
    pub(super) fn sent(&self, from: ProcId, to: ProcId) -> Vec<Term> {
        let execution = self.system.execution();
        let mut on_the_way = self.system.on_the_way(to).into_iter();
        let signals = on_the_way.find(|(sender, _)| *sender == from).map(|(_, signals)| signals);
        let messages = signals.into_iter().flatten().filter(|s| execution.kind(*s).is_message());
        messages.map(|s| execution.signal(s).message.clone()).collect()
    }

    /// How many of the messages were there before a receive timed out.
    fn received_in_time(
        &mut self,
        proc: ProcId,
        messages: &[Term],
        timeout: &TraceAction,
    ) -> usize {
        let times_out_now =
            self.system.is_waiting(proc) && self.system.receive_timeout(proc).is_some();
        if !times_out_now {
            return messages.len();
        }
        let micros = match timeout {
            TraceAction::TimeoutSince { micros } => *micros,
            _ => u64::MAX,
        };
        let all = match self.system.foresee(proc, messages) {
            Foresight::Waits { received: 0, .. } => return messages.len(),
            Foresight::Waits { timeout: Some(wait), .. } => wait.saturating_mul(1000) <= micros,
            Foresight::Waits { timeout: None, .. } | Foresight::Ends => false,
            Foresight::Asks { builtin, args } => !self.is_recorded_call(builtin, &args),
            Foresight::Unknown => true,
        };
        // A node that is busy may take its time between both.
        let is_certain = all && micros >= SHORTEST_WAIT;
        if all && (is_certain || self.choose()) {
            return messages.len();
        }
        let fits = |foresight| matches!(foresight, Foresight::Waits { timeout: Some(_), .. });
        let fewer = (1..messages.len()).rev();
        fewer.into_iter().find(|n| fits(self.system.foresee(proc, &messages[..*n]))).unwrap_or(0)
    }

    /// Whether a process would do something that was not recorded if it received these messages.
    fn cannot_receive(&mut self, proc: ProcId, messages: &[Term]) -> bool {
        if !self.system.is_waiting(proc) {
            return false;
        }
        match self.system.foresee(proc, messages) {
            Foresight::Asks { builtin, args } => self.is_recorded_call(builtin, &args),
            _ => false,
        }
    }

    /// Whether the value of such a call would have been recorded.
    fn is_recorded_call(&self, builtin: u32, args: &[Term]) -> bool {
        let b = Program::builtin(builtin);
        let function = match args {
            [module, name, args] if b.name == "recorded" => {
                let atom = |t: &Term| t.as_atom().unwrap_or(reverl_term::atoms::UNDEFINED);
                (atom(module), atom(name), args.list_len().unwrap_or(0) as u16)
            }
            _ => (Atom::new(b.module), Atom::new(b.name), u16::from(b.arity)),
        };
        self.inputs.contains(&function)
    }

    /// A receive times out, or a timer has sent the atom `timeout`, which looks the same.
    pub(super) fn time_out(&mut self, proc: ProcId, at: usize) -> Fits<()> {
        self.run(proc, Goal::Stop, at)?;
        let timeout = Term::atom(reverl_term::atoms::TIMEOUT);
        let waits = self.system.is_waiting(proc) && self.system.receive_timeout(proc).is_some();
        let timer = self.system.timer_with(proc, &timeout).is_some();
        if timer && (!waits || !self.choose()) {
            self.fire(proc, &timeout);
            return Ok(());
        }
        self.goal(proc, Goal::Timeout, at, "a time-out")
    }
}
