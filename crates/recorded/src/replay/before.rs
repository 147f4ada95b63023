//! Messages that arrive right before a time-out: whether their receiver looked at them before.
//!
//! On a node a message can be in the mailbox when a receive times out: it came together with
//! another signal while the process was about to wake up. A copy of the process tries: what it would do with the messages must fit what was
//! recorded next, and a receive cannot have waited for longer than there was time since the last
//! message came.

use super::advance::is_of_system;
use super::{Fits, Goal, Reached, Replay};
use crate::parts::{NodeRecording, TraceAction};
use crate::terms::{pid, term, value_of};
use reverl_causal::{Foreseen, Foresight, ProcId, Supposition};
use reverl_machine::Program;
use reverl_machine::builtins::nature::Nature;
use reverl_term::{Atom, Term};
use std::collections::{HashMap, HashSet};

/// How long before a time-out a message came last.
fn micros_of(timeout: &TraceAction) -> u64 {
    match timeout {
        TraceAction::TimeoutSince { micros, .. } => *micros,
        TraceAction::TimeoutUnseen { nanos, .. } => *nanos / 1000,
        _ => u64::MAX,
    }
}

fn is_arrival(action: &TraceAction) -> bool {
    matches!(action, TraceAction::Deliver { .. } | TraceAction::DeliverTerm { .. })
}

fn is_end(action: &TraceAction) -> bool {
    use TraceAction::*;
    matches!(action, Exit(_) | Return(_) | BeginRaised(_) | Register(_) | Unregister(_))
}

fn is_spawn(builtin: u32) -> bool {
    matches!(Program::builtin(builtin).nature, Nature::Spawn | Nature::SpawnMonitor)
}

/// The function that a built-in stands for.
fn called(builtin: u32, args: &[Term]) -> (Atom, Atom, u16) {
    let b = Program::builtin(builtin);
    match args {
        [module, name, args] if b.nature == Nature::StandIn => {
            let atom = |t: &Term| t.as_atom().unwrap_or(reverl_term::atoms::UNDEFINED);
            (atom(module), atom(name), args.list_len().unwrap_or(0) as u16)
        }
        _ => (Atom::new(b.module), Atom::new(b.name), u16::from(b.arity)),
    }
}

/// A message that came so many microseconds before a time-out did not come together with it.
const APART: u64 = 900;

/// A process that handles signals because its receive has timed out says so within so many nanoseconds.
const AT_ONCE: u64 = 1500;

/// How many entries ahead a copy of a process is followed.
const FORESIGHT: usize = 16;

/// What is known to happen to a process, and by which entries.
#[derive(Default)]
struct Future {
    suppositions: Vec<Supposition>,
    /// One for each place to which the process comes before it.
    entries: Vec<usize>,
}

type Inputs = HashSet<(Atom, Atom, u16)>;

/// Whether where a process comes to fits its next entry.
fn fits_next(recorded: &NodeRecording, inputs: &Inputs, stop: &Foresight, next: usize) -> bool {
    let action = &recorded.entries[next].action;
    match (stop, action) {
        (Foresight::Waits { timeout: Some(wait), .. }, since) if since.is_timeout() => {
            wait.saturating_mul(1000) <= micros_of(since)
        }
        (Foresight::Waits { .. }, arrival) => is_arrival(arrival) || is_end(arrival),
        (
            Foresight::Asks { builtin, args },
            TraceAction::Result { function, .. } | TraceAction::Raised { function, .. },
        ) => {
            let (module, name, arity) = called(*builtin, args);
            let told = recorded.functions.get(*function as usize);
            !is_recorded_call(inputs, *builtin, args)
                || told.is_some_and(|f| {
                    (&*f.module, &*f.name, f.arity) == (module.name(), name.name(), arity)
                })
        }
        (Foresight::Asks { builtin, .. }, TraceAction::Spawn(_)) if is_spawn(*builtin) => true,
        (Foresight::Ends, action) => is_arrival(action) || is_end(action),
        (stop, action) => is_arrival(action) || may_go_on(inputs, stop),
    }
}

/// Whether a process that comes to this may go on without an entry.
fn may_go_on(inputs: &Inputs, stop: &Foresight) -> bool {
    match stop {
        Foresight::Asks { builtin, args } => !is_recorded_call(inputs, *builtin, args),
        stop => matches!(stop, Foresight::Unknown),
    }
}

/// Whether there would be an entry of such a call.
fn is_recorded_call(inputs: &Inputs, builtin: u32, args: &[Term]) -> bool {
    is_spawn(builtin) || inputs.contains(&called(builtin, args))
}

impl Replay<'_> {
    /// A message arrives.
    pub(super) fn arrives(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        if let TraceAction::Deliver { from, .. } = arrival {
            if self.is_answer_of_system(proc, at, *from)? {
                return Ok(());
            }
        }
        self.settled(proc, at, arrival)
    }

    /// Messages are held back until it is known what comes after them.
    fn settled(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        let recorded = self.recorded;
        let rest = &self.logs[at][self.done[at]..];
        let action = |i: &u32| &recorded.entries[*i as usize].action;
        let run = rest.iter().take_while(|i| is_arrival(action(i))).count();
        let timeout = rest.get(run).map(action).filter(|a| a.is_timeout());
        let Some(timeout) = timeout else { return self.bring(proc, arrival) };
        let now = self.logs[at][self.done[at] - 1];
        self.pending.entry(proc).or_default().push(now);
        if run > 0 {
            return Ok(());
        }
        self.run(proc, Goal::Stop, at)?;
        let (pending, messages) = loop {
            // Somebody may have needed what it sent after it had received them.
            let Some(held) = self.pending.get(&proc).cloned() else { return Ok(()) };
            let pending: Vec<&TraceAction> = held.iter().map(action).collect();
            let messages = self.messages_of(proc, &pending)?;
            if self.pending.get(&proc) == Some(&held) {
                if messages.len() == pending.len() {
                    self.pending.remove(&proc);
                    break (pending, messages);
                }
                // One of them is sent only after the process has received some of those before it.
                self.bring_pending(proc)?;
            }
            self.run(proc, Goal::Stop, at)?;
        };
        let in_time = self.received_in_time(proc, at, &messages, timeout);
        let (before, after) = pending.split_at(in_time);
        before.iter().try_for_each(|arrival| self.bring(proc, arrival))?;
        if !after.is_empty() {
            self.done[at] += 1;
            self.time_out(proc, at)?;
        }
        after.iter().try_for_each(|arrival| self.bring(proc, arrival))
    }

    /// The first message that was held back arrives, since somebody needs what its receiver does
    /// next. Whether there was one.
    pub(super) fn bring_pending(&mut self, proc: ProcId) -> Fits<bool> {
        let Some(pending) = self.pending.get_mut(&proc) else { return Ok(false) };
        let first = pending.remove(0);
        if pending.is_empty() {
            self.pending.remove(&proc);
        }
        let recorded = self.recorded;
        self.bring(proc, &recorded.entries[first as usize].action)?;
        Ok(true)
    }

    /// The contents of messages that are about to arrive; their senders send them if they have not
    /// yet. Those from the first on that cannot be sent now are left out.
    fn messages_of(&mut self, to: ProcId, arrivals: &[&TraceAction]) -> Fits<Vec<Term>> {
        let (mut messages, mut nth) = (vec![], HashMap::new());
        for arrival in arrivals {
            let from = match arrival {
                TraceAction::DeliverTerm { from, message } => {
                    let message = term(message);
                    let sender = from.and_then(|from| self.proc(from));
                    if let Some(sender) = sender.filter(|_| !is_of_system(&message)) {
                        *nth.entry(sender).or_default() += 1;
                    }
                    messages.push(message);
                    continue;
                }
                TraceAction::Deliver { from, .. } => self.proc(*from),
                _ => None,
            };
            let Some(from) = from else { break };
            let n: &mut usize = nth.entry(from).or_default();
            *n += 1;
            let at = self.number_of(from);
            while self.sent(from, to).len() < *n {
                let reached = self.run(from, Goal::Sent(to, *n), at)?;
                if matches!(reached, Reached::Stuck) && !self.bring_pending(from)? {
                    return Ok(messages);
                }
            }
            messages.extend(self.sent(from, to).into_iter().nth(*n - 1));
        }
        Ok(messages)
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
        at: usize,
        messages: &[Term],
        timeout: &TraceAction,
    ) -> usize {
        let all = messages.len();
        if !self.system.is_waiting(proc) {
            return all;
        }
        let future = self.future(at);
        // Usually it had received all of them, or came too late to look at any. Those that lead to
        // the same differ in nothing.
        let mut fitting: Vec<(usize, Foreseen)> = vec![];
        let seen = |unseen: u32| all.saturating_sub(unseen as usize);
        let likely = match timeout {
            TraceAction::TimeoutUnseen { unseen: 0, .. } => return all,
            TraceAction::TimeoutUnseen { unseen, nanos } if *nanos < AT_ONCE => {
                [seen(*unseen), all, 0]
            }
            TraceAction::TimeoutUnseen { unseen, .. } => [all, seen(*unseen), 0],
            TraceAction::TimeoutSince { together, .. } => [all, seen(*together), 0],
            _ => [all, 0, 0],
        };
        for n in likely.into_iter().chain((1..all).rev()) {
            if micros_of(timeout) >= APART && !fitting.is_empty() {
                break;
            }
            let foreseen = self.foreseen(proc, messages, n, &future);
            let is_new = !fitting.iter().any(|(_, other)| *other == foreseen);
            if is_new && self.fits_timeout(proc, &foreseen, n == all, timeout, &future) {
                fitting.push((n, foreseen));
            }
        }
        let Some(((first, _), others)) = fitting.split_first() else { return all };
        let mut chosen = *first;
        for (other, _) in others {
            if self.choose(proc) {
                break;
            }
            chosen = *other;
        }
        chosen
    }

    /// What is known to happen to a process after the time-out that comes next, up to the next
    /// message.
    fn future(&self, at: usize) -> Future {
        let mut future = Future::default();
        let rest = self.logs[at].iter().skip(self.done[at] + 1).map(|i| *i as usize);
        // What comes inside of a call is mostly for the call.
        let is_inside = |i: &usize| {
            matches!(self.recorded.entries[*i].action, TraceAction::DeliverInside { .. })
        };
        let mut rest = rest.filter(|i| !is_inside(i)).peekable();
        while let Some(i) = rest.next().filter(|_| future.entries.len() < FORESIGHT) {
            future.entries.push(i);
            future.suppositions.push(match &self.recorded.entries[i].action {
                action if action.is_timeout() => Supposition::TimesOut,
                TraceAction::Result { value, .. } => Supposition::IsAnswered(value_of(value)),
                TraceAction::Spawn(child) => {
                    let told = rest.next_if(|next| self.is_spawn_with_options(*next));
                    let answer = match told.map(|i| &self.recorded.entries[i].action) {
                        Some(TraceAction::Result { value, .. }) => value_of(value),
                        _ => Term::pid(pid(self.recorded.processes[*child as usize].pid)),
                    };
                    Supposition::IsAnswered(answer)
                }
                _ => break,
            });
        }
        future
    }

    fn is_spawn_with_options(&self, entry: usize) -> bool {
        match self.recorded.entries[entry].action {
            TraceAction::Result { function, .. } => {
                let f = self.recorded.functions.get(function as usize);
                f.is_some_and(|f| (&*f.module, &*f.name) == ("erlang", "spawn_opt"))
            }
            _ => false,
        }
    }

    /// What a process would do if so many messages came before a time-out, and the rest after it.
    fn foreseen(&mut self, proc: ProcId, messages: &[Term], n: usize, future: &Future) -> Foreseen {
        let arrives = |m: &Term| Supposition::Arrives(m.clone());
        let (before, after) = messages.split_at(n);
        let times_out = std::iter::once(Supposition::TimesOut);
        let now = before.iter().map(arrives).chain(times_out).chain(after.iter().map(arrives));
        let all: Vec<_> = now.chain(future.suppositions.iter().cloned()).collect();
        let inputs = &self.inputs;
        let recorded = self.recorded;
        let is_expected = |stop: usize, foresight: &Foresight| {
            // What only the system can answer ends the foresight.
            stop == 0
                || !may_go_on(inputs, foresight)
                    && fits_next(recorded, inputs, foresight, future.entries[stop - 1])
        };
        self.system.foresee(proc, &all, &is_expected)
    }

    /// Whether what a process would do around a time-out fits the recording.
    fn fits_timeout(
        &self,
        proc: ProcId,
        foreseen: &Foreseen,
        after_all: bool,
        timeout: &TraceAction,
        future: &Future,
    ) -> bool {
        let (now, later) = foreseen.stops.split_first().expect("it comes somewhere");
        let is_in_time = match now {
            // A wait that began after the last message came was not longer than this.
            Foresight::Waits { timeout: Some(wait), received } if after_all => {
                *received == 0 || wait.saturating_mul(1000) <= micros_of(timeout)
            }
            // One that does not wait has looked at all that had come.
            Foresight::Waits { timeout, .. } => timeout.is_some_and(|wait| wait > 0),
            stop => may_go_on(&self.inputs, stop),
        };
        let fits = |(stop, entry): (&Foresight, &usize)| {
            fits_next(self.recorded, &self.inputs, stop, *entry)
        };
        is_in_time
            && later.iter().zip(&future.entries).all(fits)
            && !self.would_be_missed(proc, self.sends_of(foreseen, future))
    }

    /// What a process is sure to send: one that is ended next may not come to the rest.
    fn sends_of<'f>(&self, foreseen: &'f Foreseen, future: &Future) -> &'f [Term] {
        let last = future.entries.last().map(|i| &self.recorded.entries[*i].action);
        match last {
            Some(TraceAction::Exit(_)) | None => &foreseen.receivers[..foreseen.certain],
            _ => &foreseen.receivers,
        }
    }

    /// Whether a process would send what nobody found: its receiver looked at its mailbox later.
    pub(super) fn would_be_missed(&self, proc: ProcId, receivers: &[Term]) -> bool {
        receivers.iter().enumerate().any(|(i, to)| {
            let execution = self.system.execution();
            let found = to.as_pid().and_then(|pid| execution.find(pid));
            let Some(to) = found.filter(|to| !execution.proc(*to).is_system) else { return false };
            let more = receivers[..=i].iter().filter(|r| **r == receivers[i]);
            let (all, arrived) = self.messages.get(&(proc, to)).copied().unwrap_or_default();
            let sent = arrived as usize + self.sent(proc, to).len() + more.count();
            sent > all as usize && self.looks_later(proc, to)
        })
    }

    /// Whether a message comes to `to` after the last entry of a process, which has sent all by then.
    fn looks_later(&self, proc: ProcId, to: ProcId) -> bool {
        let last = self.logs[self.number_of(proc)].last().copied();
        let log = &self.logs[self.number_of(to)];
        let is_later = |i: &&u32| last.is_some_and(|last| **i > last);
        log.iter()
            .rev()
            .take_while(is_later)
            .any(|i| is_arrival(&self.recorded.entries[*i as usize].action))
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

    /// A receive times out, or a timer has sent the atom `timeout`, which looks the same.
    pub(super) fn time_out(&mut self, proc: ProcId, at: usize) -> Fits<()> {
        self.run(proc, Goal::Stop, at)?;
        let timeout = Term::atom(reverl_term::atoms::TIMEOUT);
        let waits = self.system.is_waiting(proc) && self.system.receive_timeout(proc).is_some();
        let timer = self.system.timer_with(proc, &timeout).is_some();
        if timer && (!waits || !self.choose(proc)) {
            self.fire(proc, &timeout);
            return Ok(());
        }
        self.goal(proc, Goal::Timeout, at, "a time-out")
    }
}
