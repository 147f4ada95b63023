//! One process goes on: it runs, acts, waits and ends.

use super::live::Wait;
use super::{Progress, System, Until, signal_of};
use crate::checkpoint::Checkpoint;
use crate::execution::*;
use crate::requests::{self, Reply};
use reverl_lang::code::Pc;
use reverl_machine::{Class, Ending, Local, Message, Resource, Stop};
use reverl_term::{Atom, Term, View, atoms};

/// Nanoseconds of virtual time that a step takes.
const STEP_NS: u64 = 10;

impl System {
    /// Runs one process up to `limit` steps in all.
    pub fn run_one(&mut self, proc: ProcId, limit: u64) -> Progress {
        self.run_until(proc, limit, Until::Limit)
    }

    pub fn run_until(&mut self, proc: ProcId, limit: u64, until: Until) -> Progress {
        if self.has_exited(proc) {
            return Progress::Exited;
        }
        self.unready(proc);
        let before = self.live(proc).process.steps();
        let progress = self.advance(proc, limit, until);
        self.now += (self.live(proc).process.steps() - before) * STEP_NS;
        progress
    }

    /// Runs a process up to `limit` steps in all.
    pub(crate) fn advance(&mut self, proc: ProcId, limit: u64, until: Until) -> Progress {
        loop {
            let due = self.checkpoint_due(proc).min(limit);
            let process = &mut self.live[proc.0 as usize].process;
            let stop = match self.watch.is_empty() {
                true => process.run(&self.world.program(), due),
                false => process.run_watching(&self.world.program(), due, &self.watch),
            };
            self.execution.procs[proc.0 as usize].steps = self.live(proc).process.steps();
            let acted = match stop {
                Stop::Watched => {
                    self.make_ready_first(proc);
                    return Progress::Watched;
                }
                Stop::Limit => {
                    if due < limit {
                        self.checkpoint(proc);
                        if let Some(resource) = self.exhausted(proc) {
                            self.out_of(proc, resource);
                            return Progress::Exited;
                        }
                        continue;
                    }
                    // The limit may lie inside the next instruction, between two of its substeps.
                    self.execution.procs[proc.0 as usize].steps = limit;
                    self.make_ready(proc);
                    return Progress::Paused;
                }
                Stop::Send { to, message } => {
                    self.send_action(proc, &to, message);
                    true
                }
                Stop::Request { builtin, args } => {
                    self.request(proc, builtin, args);
                    true
                }
                Stop::Received(message) => {
                    self.received(proc, message);
                    true
                }
                Stop::Wait { .. } if self.held.is_some() => return Progress::Blocked,
                Stop::Wait { timeout } if self.is_time_over(proc, timeout) => {
                    // The time-out is a step of its own.
                    if limit <= self.live(proc).process.steps() {
                        self.make_ready(proc);
                        return Progress::Paused;
                    }
                    self.time_out(proc);
                    true
                }
                Stop::Wait { timeout } => {
                    self.wait(proc, timeout);
                    return Progress::Blocked;
                }
                Stop::Load(module) => {
                    self.world.load(module);
                    false
                }
                Stop::Ended => {
                    // The exit is a step of its own.
                    if limit <= self.live(proc).process.steps() {
                        self.make_ready(proc);
                        return Progress::Paused;
                    }
                    self.ended(proc);
                    return Progress::Exited;
                }
                Stop::OutOf(resource) => {
                    self.out_of(proc, resource);
                    return Progress::Exited;
                }
            };
            if self.has_exited(proc) {
                return Progress::Exited;
            }
            if self.halted.is_some() {
                self.make_ready(proc);
                return Progress::Paused;
            }
            if acted && until == Until::Action {
                self.make_ready(proc);
                return Progress::Acted;
            }
        }
    }

    #[inline]
    pub(crate) fn checkpoint_due(&self, proc: ProcId) -> u64 {
        self.live(proc).checkpoints.borrow().due(self.program().limits.checkpoint)
    }

    pub(crate) fn checkpoint(&mut self, proc: ProcId) {
        let actions = self.execution.proc(proc).actions.len();
        let live = &mut self.live[proc.0 as usize];
        let program = self.world.program();
        let process = live.process.snapshot(&program);
        let checkpoints = live.checkpoints.get_mut();
        checkpoints.push(Checkpoint { process, actions }, program.limits.checkpoint);
    }

    /// The limit that a long-running process has reached. Memory is looked at now and then only.
    pub(crate) fn exhausted(&mut self, proc: ProcId) -> Option<Resource> {
        if self.live(proc).process.stack().size() > self.program().limits.stack {
            return Some(Resource::Stack);
        }
        self.looked += 1;
        if self.looked % 16 == 0
            && self.world.outside().memory_used() > self.program().limits.memory
        {
            return Some(Resource::Memory);
        }
        None
    }

    /// The event that the request in hand is going to be.
    pub(crate) fn upcoming(&self, proc: ProcId) -> EventRef {
        EventRef::action(proc, self.execution.proc(proc).actions.len())
    }

    /// `pc` is the instruction that does it.
    #[inline(always)]
    pub(crate) fn record(&mut self, proc: ProcId, step: u64, pc: Pc, deed: Deed) {
        let order = self.execution.event_count() as u32;
        self.execution.order.push_action(proc);
        self.execution.procs[proc.0 as usize].actions.push(Action { step, order, pc, deed });
    }

    pub(crate) fn request(&mut self, proc: ProcId, builtin: u32, args: Vec<Term>) {
        let Reply { answer, effect } = match self.handlers[builtin as usize] {
            Some(handler) => handler(self, proc, &args),
            None => Reply::raise(reverl_machine::Raise::error(Term::atom(atoms::UNDEF))),
        };
        // Inputs are what they were when the past is lived again.
        let old = self.old_answer();
        let is_given = old.is_some();
        let answer = old.unwrap_or(answer);
        let given = answer.clone();
        let step = self.live(proc).process.steps();
        let changed = std::mem::take(&mut self.local_changed);
        let local = changed.then(|| Box::new(self.live(proc).process.local.clone()));
        let answered = Answered { builtin, args, answer, effect, local, is_given };
        let process = &self.live(proc).process;
        let pc = match requests::is_stand_in(builtin) {
            // Who called the function that this stands in for.
            true => process.stack().return_to().map_or(process.pc(), |ret| ret - 1),
            false => process.pc(),
        };
        self.record(proc, step, pc, Deed::request(answered));
        let live = &mut self.live[proc.0 as usize];
        live.process.answer(&self.world.program(), given);
        let arriving = std::mem::take(&mut self.arriving);
        if self.instant {
            arriving.into_iter().for_each(|signal| self.deliver(signal));
        }
    }

    /// The process's own state, for a request that changes it.
    pub(crate) fn local_mut(&mut self, proc: ProcId) -> &mut Local {
        self.local_changed = true;
        &mut self.live[proc.0 as usize].process.local
    }

    /// A reference that a request makes: the one in the answer that is given, if there is one.
    pub(crate) fn new_ref(&mut self, proc: ProcId) -> Term {
        let given = match &self.answers {
            Some(Ok(value)) => match value.view() {
                View::Ref(_) => Some(value.clone()),
                View::Tuple([_, reference]) => Some(reference.clone()),
                _ => None,
            },
            _ => None,
        };
        match given {
            Some(reference) => {
                self.given_aliases.insert(reference.clone(), proc);
                reference
            }
            None => self.local_mut(proc).make_ref(),
        }
    }

    pub(crate) fn received(&mut self, proc: ProcId, message: Message) {
        let signal = signal_of(message.id);
        let index = self.execution.proc(proc).actions.len() as u32;
        self.execution.signal_mut(signal).receive = crate::execution::Maybe::some(index);
        let process = &self.live(proc).process;
        // The process already stands behind the instruction.
        self.record(proc, process.steps(), process.pc() - 1, Deed::receive(signal));
        self.stop_waiting(proc);
    }

    fn stop_waiting(&mut self, proc: ProcId) {
        if let Some(Wait::Until(key)) = self.live_mut(proc).wait.take() {
            self.timers.cancel(key);
        }
    }

    /// A receive found nothing: whether that is the end of it.
    fn is_time_over(&self, proc: ProcId, timeout: Option<u64>) -> bool {
        timeout == Some(0) || matches!(self.live(proc).wait, Some(Wait::Over))
    }

    fn wait(&mut self, proc: ProcId, timeout: Option<u64>) {
        if let (Some(ms), None) = (timeout, self.live(proc).wait) {
            let key = self.timers.wake(self.now + ms * 1_000_000, proc);
            self.live_mut(proc).wait = Some(Wait::Until(key));
        }
    }

    pub(crate) fn time_out(&mut self, proc: ProcId) {
        self.stop_waiting(proc);
        self.execution.proc_mut(proc).add_timeout();
        let live = self.live_mut(proc);
        live.process.time_out();
        // The step that follows is the time-out's own.
        let (step, pc) = (live.process.steps() + 1, live.process.pc() - 1);
        self.record(proc, step, pc, Deed::timeout());
        self.make_ready(proc);
    }

    pub(super) fn fire(&mut self) {
        let Some((at, timer)) = self.timers.pop() else { return };
        self.now = self.now.max(at);
        match timer {
            crate::timer::Timer::Wake(proc) => {
                let live = self.live_mut(proc);
                live.wait = Some(Wait::Over);
                // A message that has come in time is looked at first.
                if live.process.is_waiting() {
                    self.time_out(proc);
                }
            }
            crate::timer::Timer::Send(send) => self.timer_fired(send),
        }
    }

    /// Lets the timer that an action started fire now.
    pub(crate) fn fire_timer_of(&mut self, owner: ProcId, started_by: u32) -> Option<()> {
        let (at, timer) = self.timers.take_of(owner, started_by)?;
        self.now = self.now.max(at);
        self.timer_fired(timer);
        Some(())
    }

    // -- Ends

    pub(crate) fn out_of(&mut self, proc: ProcId, resource: Resource) {
        let what = match resource {
            Resource::Stack => "stack",
            Resource::Memory => "memory",
        };
        let limit = Term::tuple(vec![Term::atom(atoms::SYSTEM_LIMIT), Term::atom(Atom::new(what))]);
        self.live_mut(proc).process.kill(limit);
        self.ended(proc);
    }

    /// The process has ended by itself.
    pub(crate) fn ended(&mut self, proc: ProcId) {
        let (reason, exception, value) = match self.live(proc).process.ending() {
            Some(Ending::Value(value)) => (Term::atom(atoms::NORMAL), None, Some(value.clone())),
            Some(Ending::Exception(e)) => (self.exit_reason(e), Some(e.clone()), None),
            None => unreachable!("it has ended"),
        };
        self.exit(proc, reason, exception, value, None);
    }

    fn exit_reason(&self, e: &reverl_machine::Exception) -> Term {
        let with_trace = |reason: Term| {
            let trace = reverl_machine::raise::show_trace(&self.program().code, &e.trace);
            Term::tuple(vec![reason, trace])
        };
        match e.class {
            Class::Exit => e.reason.clone(),
            Class::Error => with_trace(e.reason.clone()),
            Class::Throw => {
                with_trace(Term::tuple(vec![Term::atom(atoms::NOCATCH), e.reason.clone()]))
            }
        }
    }

    pub(crate) fn forget_wait(&mut self, proc: ProcId) {
        self.stop_waiting(proc);
        self.unready(proc);
    }
}
