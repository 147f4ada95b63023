//! One process goes on: it runs, acts, waits and ends.

use super::live::Asked;
use super::live::Wait;
use super::{System, signal_of};
use crate::checkpoint::Checkpoint;
use crate::execution::*;
use crate::requests::Reply;
use crate::step::{Happened, Impossible, Until};
use crate::tracing::Told;
use reverl_lang::code::Pc;
use reverl_machine::builtins::nature::{Nature, NodeUse};
use reverl_machine::{Class, Ending, Local, Message, Program, Raise, Resource, Stop};
use reverl_term::{Atom, Term, View, atoms};

/// Nanoseconds of virtual time that a step takes.
pub(crate) const STEP_NS: u64 = 10;

/// What a process needs before it can go on, and nobody can give while it is looking at code.
enum Lacking {
    /// A module that is not loaded yet.
    Module(Atom),
    /// The answer to a request that adds to the code; `asked` has it.
    Code,
}

/// Whether a request is answered only by somebody outside.
fn is_fate(builtin: u32) -> bool {
    Program::builtin(builtin).nature == Nature::Node(NodeUse::Fate)
}

fn is_about_code(builtin: u32) -> bool {
    matches!(Program::builtin(builtin).nature, Nature::Code(_))
}

impl System {
    #[inline]
    pub(crate) fn run_process(
        &mut self,
        proc: ProcId,
        until: Until,
    ) -> Result<Happened, Impossible> {
        if self.has_exited(proc) {
            return Ok(Happened::Exited);
        }
        self.unready(proc);
        let before = self.running(proc).process.steps();
        let happened = match self.asked(proc) {
            Some(_) => self.asks_already(proc, until),
            None => self.go_on(proc, until),
        };
        self.present.now += (self.running(proc).process.steps() - before) * STEP_NS;
        if matches!(happened, Happened::Paused | Happened::Acted | Happened::Ends) {
            self.make_ready(proc);
        }
        Ok(happened)
    }

    /// A process that has asked for something goes on: it is answered first, unless whoever lets
    /// it run wants to do that.
    #[cold]
    #[inline(never)]
    fn asks_already(&mut self, proc: ProcId, until: Until) -> Happened {
        let waits_for_fate = self.asked(proc).is_some_and(|asked| is_fate(asked.builtin));
        if matches!(until, Until::Need(_)) || waits_for_fate {
            return Happened::Asks;
        }
        if self.running(proc).process.steps() > until.limit() {
            return Happened::Paused;
        }
        self.answer_asked(proc);
        match until {
            Until::Steps(_) if !self.has_exited(proc) => self.go_on(proc, until),
            _ if self.has_exited(proc) => Happened::Exited,
            _ => Happened::Acted,
        }
    }

    /// Runs a process up to where it gives control back; modules are loaded on the way.
    #[inline(always)]
    fn go_on(&mut self, proc: ProcId, until: Until) -> Happened {
        let shared = self.world.shared_program();
        loop {
            let advanced = self.advance(&shared.borrow(), proc, until);
            match advanced {
                Ok(happened) => return happened,
                Err(Lacking::Module(missing)) => self.world.load(missing),
                Err(Lacking::Code) => {
                    self.answer_asked(proc);
                    match until {
                        _ if self.has_exited(proc) => return Happened::Exited,
                        Until::Steps(_) => {}
                        _ => return Happened::Acted,
                    }
                }
            }
        }
    }

    /// Runs a process up to where it gives control back, or needs a module that is not loaded.
    fn advance(
        &mut self,
        program: &Program,
        proc: ProcId,
        until: Until,
    ) -> Result<Happened, Lacking> {
        let limit = until.limit();
        let needs = matches!(until, Until::Need(_));
        loop {
            if self.is_telling(proc) {
                // What it tells is a step of its own.
                if limit <= self.running(proc).process.steps() {
                    return Ok(Happened::Paused);
                }
                if self.tell_what_happened(proc) && !matches!(until, Until::Steps(_)) {
                    return Ok(Happened::Acted);
                }
                continue;
            }
            let calls = match self.present.running[proc.0 as usize].traces_calls {
                true => self.call_watch(program, proc),
                false => None,
            };
            let live = &mut self.present.running[proc.0 as usize];
            let due = live.checkpoints.get_mut().due(program.limits.checkpoint).min(limit);
            // Matched where it is: a copy of what has just been written would have to wait for it.
            let stop = match (&calls, self.watch.is_empty()) {
                (None, true) => live.process.run(program, due),
                (None, false) => live.process.run_watching(program, due, &self.watch),
                (Some(calls), true) => live.process.run_watching(program, due, &calls.watch),
                (Some(calls), false) => {
                    let both = self.watch_with(calls);
                    self.running_mut(proc).process.run_watching(program, due, &both)
                }
            };
            let live = &self.present.running[proc.0 as usize];
            let steps = live.process.steps();
            let is_asked = match &stop {
                Stop::Request { builtin, .. } => {
                    needs || is_about_code(*builtin) || is_fate(*builtin)
                }
                _ => false,
            };
            if !is_asked {
                self.execution.has_run(proc, steps);
            }
            match stop {
                Stop::Request { builtin, args } if is_asked => {
                    self.asks(program, proc, Asked { builtin, args });
                    return if needs || is_fate(builtin) {
                        Ok(Happened::Asks)
                    } else {
                        Err(Lacking::Code)
                    };
                }
                Stop::Watched | Stop::Ended if self.has_call_to_tell(proc, &stop) => {
                    if limit <= steps {
                        self.running_mut(proc).process.stop_again_here();
                        return Ok(Happened::Paused);
                    }
                    match self.tell_call(program, proc, calls.as_deref()) {
                        Told::NotHere => {
                            self.make_ready_first(proc);
                            return Ok(Happened::Watched);
                        }
                        Told::Nothing => continue,
                        Told::Action => {}
                    }
                }
                Stop::Watched => {
                    self.make_ready_first(proc);
                    return Ok(Happened::Watched);
                }
                Stop::Limit if due < limit => {
                    self.checkpoint(program, proc);
                    if let Some(resource) = self.exhausted(program, proc) {
                        self.out_of(proc, resource);
                        return Ok(Happened::Exited);
                    }
                    continue;
                }
                Stop::Limit => {
                    // The limit may lie inside the next instruction, between two of its substeps.
                    self.execution.has_run(proc, limit);
                    return Ok(Happened::Paused);
                }
                Stop::Send { to, message } => {
                    self.send_action(program, proc, &to, message);
                }
                Stop::Request { builtin, args } => {
                    self.request(program, proc, builtin, args);
                }
                Stop::Received(message) => {
                    self.received(proc, message);
                }
                Stop::Wait { .. } if self.has_notes(proc) => {
                    if limit <= steps {
                        return Ok(Happened::Paused);
                    }
                    if !self.tell_what_happened(proc) {
                        continue;
                    }
                }
                Stop::Wait { .. } if needs || self.present.arrivals.held().is_some() => {
                    return Ok(Happened::Waits);
                }
                Stop::Wait { timeout } if self.is_time_over(proc, timeout) => {
                    // The time-out is a step of its own.
                    if limit <= steps {
                        return Ok(Happened::Paused);
                    }
                    self.time_out(proc);
                }
                Stop::Wait { timeout } => {
                    self.wait(proc, timeout);
                    return Ok(Happened::Waits);
                }
                Stop::Load(module) => return Err(Lacking::Module(module)),
                Stop::Ended if needs => return Ok(Happened::Ends),
                // The exit is a step of its own.
                Stop::Ended if limit <= steps => return Ok(Happened::Paused),
                Stop::Ended => {
                    self.ended(proc);
                    return Ok(Happened::Exited);
                }
                Stop::OutOf(resource) => {
                    self.out_of(proc, resource);
                    return Ok(Happened::Exited);
                }
            }
            if self.has_exited(proc) {
                return Ok(Happened::Exited);
            }
            if !matches!(until, Until::Steps(_)) {
                return Ok(Happened::Acted);
            }
            if self.present.halted.is_some() {
                return Ok(Happened::Paused);
            }
        }
    }

    /// A process whose calls are traced has stopped, perhaps for that.
    fn has_call_to_tell(&self, proc: ProcId, stop: &Stop) -> bool {
        let live = self.running(proc);
        live.traces_calls && (matches!(stop, Stop::Watched) || live.process.has_left_call())
    }

    /// A process asks for something that is not answered now. It stands before the instruction
    /// until it is.
    #[cold]
    #[inline(never)]
    fn asks(&mut self, program: &Program, proc: ProcId, asked: Asked) {
        let process = &self.running(proc).process;
        // One that waits for long stands right before its request, one that is about to be answered
        // before the instruction that makes it.
        let weight = match is_fate(asked.builtin) {
            true => 1,
            false => u64::from(program.code.ins[process.pc() as usize].weight),
        };
        let before = process.steps().saturating_sub(weight);
        self.execution.has_run(proc, before);
        self.running_mut(proc).relations_mut().asked = Some(asked);
    }

    /// What a process asks for, if it waits for an answer.
    #[inline]
    pub fn asked(&self, proc: ProcId) -> Option<&Asked> {
        self.running(proc).relations().and_then(|r| r.asked.as_ref())
    }

    pub(crate) fn answer(
        &mut self,
        proc: ProcId,
        given: Option<Result<Term, Raise>>,
    ) -> Result<Happened, Impossible> {
        if self.asked(proc).is_none() {
            return Err(Impossible::AsksNothing);
        }
        self.in_hand.given = given;
        self.answer_asked(proc);
        self.in_hand.given = None;
        if self.has_exited(proc) {
            return Ok(Happened::Exited);
        }
        self.make_ready(proc);
        Ok(Happened::Acted)
    }

    fn answer_asked(&mut self, proc: ProcId) {
        let Some(asked) = self.running_mut(proc).relations_mut().asked.take() else { return };
        self.execution.has_run(proc, self.running(proc).process.steps());
        self.prepare_code(asked.builtin, &asked.args);
        let shared = self.world.shared_program();
        self.request(&shared.borrow(), proc, asked.builtin, asked.args);
    }

    fn checkpoint(&mut self, program: &Program, proc: ProcId) {
        let actions = self.execution.proc(proc).actions.len();
        let live = &mut self.present.running[proc.0 as usize];
        let process = live.process.snapshot(program);
        let checkpoints = live.checkpoints.get_mut();
        checkpoints.push(Checkpoint { process, actions }, program.limits.checkpoint);
    }

    /// The limit that a long-running process has reached. Memory is looked at now and then only.
    fn exhausted(&mut self, program: &Program, proc: ProcId) -> Option<Resource> {
        if self.running(proc).process.stack().size() > program.limits.stack {
            return Some(Resource::Stack);
        }
        let process = &self.running(proc).process;
        let heap = crate::requests::heap_limit(&process.local);
        if heap.is_some_and(|words| process.holds_more_than(words)) {
            return Some(Resource::Heap);
        }
        self.looked += 1;
        if self.looked % 16 == 0 && self.world.outside().memory_used() > program.limits.memory {
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
    pub(crate) fn record(&mut self, proc: ProcId, step: u64, pc: Pc, deed: PackedAction) {
        self.present.running[proc.0 as usize].take_leader();
        self.see_edition(proc);
        let order = self.execution.event_count() as u32;
        self.execution.order.push_action(proc);
        self.execution.procs[proc.0 as usize].actions.push(Action { step, order, pc, deed });
    }

    fn request(&mut self, program: &Program, proc: ProcId, builtin: u32, args: Vec<Term>) {
        self.running_mut(proc).take_leader();
        self.see_edition(proc);
        let Reply { answer, effect } = match self.handlers[builtin as usize] {
            Some(handler) => handler(self, proc, &args),
            None => Reply::raise(reverl_machine::Raise::error(Term::atom(atoms::UNDEF))),
        };
        let given = self.in_hand.given.take();
        let is_given = given.is_some();
        let answer = match (given, answer) {
            (Some(Ok(given)), Ok(own)) => Ok(crate::given::with_funs_of(&given, &own)),
            (Some(given), _) => given,
            (None, own) => own,
        };
        let given = answer.clone();
        let step = self.running(proc).process.steps();
        let changed = std::mem::take(&mut self.in_hand.local_changed);
        let local = changed.then(|| Box::new(self.running(proc).process.local.clone()));
        let signals = effect.signals.clone();
        let answered = Answered { builtin, args, answer, effect, local, is_given };
        let process = &self.running(proc).process;
        let pc = match Program::builtin(builtin).nature == Nature::StandIn {
            // Who called the function that this stands in for.
            true => process.stack().return_to().map_or(process.pc(), |ret| ret - 1),
            false => process.pc(),
        };
        self.record(proc, step, pc, PackedAction::request(answered));
        let live = &mut self.present.running[proc.0 as usize];
        live.process.answer(program, given);
        self.deliver_instantly(proc, signals);
    }

    /// The process's own state, for a request that changes it.
    pub(crate) fn local_mut(&mut self, proc: ProcId) -> &mut Local {
        self.in_hand.local_changed = true;
        &mut self.present.running[proc.0 as usize].process.local
    }

    /// A reference that a request makes: the one in the answer that is given, if there is one.
    pub(crate) fn new_ref(&mut self, proc: ProcId) -> Term {
        let given = match &self.in_hand.given {
            Some(Ok(value)) => match value.view() {
                View::Ref(_) => Some(value.clone()),
                View::Tuple([_, reference]) => Some(reference.clone()),
                _ => None,
            },
            _ => None,
        };
        match given {
            Some(reference) => {
                self.elsewhere.given_aliases.insert(reference.clone(), proc);
                reference
            }
            None => self.local_mut(proc).make_ref(),
        }
    }

    pub(crate) fn received(&mut self, proc: ProcId, message: Message) {
        let signal = signal_of(message.id);
        let index = self.execution.proc(proc).actions.len() as u32;
        self.execution.signal_mut(signal).receive = crate::execution::Maybe::some(index);
        let process = &self.running(proc).process;
        // The process already stands behind the instruction.
        self.record(proc, process.steps(), process.pc() - 1, PackedAction::receive(signal));
        self.stop_waiting(proc);
    }

    fn stop_waiting(&mut self, proc: ProcId) {
        if let Some(Wait::Until(key)) = self.running_mut(proc).wait.take() {
            self.present.timers.cancel(key);
        }
    }

    /// A receive found nothing: whether that is the end of it.
    fn is_time_over(&self, proc: ProcId, timeout: Option<u64>) -> bool {
        timeout == Some(0) || matches!(self.running(proc).wait, Some(Wait::Over))
    }

    fn wait(&mut self, proc: ProcId, timeout: Option<u64>) {
        if let (Some(ms), None) = (timeout, self.running(proc).wait) {
            let key = self.present.timers.wake(self.present.now + ms * 1_000_000, proc);
            self.running_mut(proc).wait = Some(Wait::Until(key));
        }
    }

    fn time_out(&mut self, proc: ProcId) {
        self.stop_waiting(proc);
        self.execution.proc_mut(proc).add_timeout();
        let live = self.running_mut(proc);
        live.process.time_out();
        // The step that follows is the time-out's own.
        let (step, pc) = (live.process.steps() + 1, live.process.pc() - 1);
        self.execution.has_run(proc, step);
        self.record(proc, step, pc, PackedAction::timeout());
        self.note_time_out(proc);
        self.make_ready(proc);
    }

    /// The time of a receive is over. A message that has come in time is looked at first.
    pub(crate) fn wait_is_over(&mut self, proc: ProcId) -> Result<Happened, Impossible> {
        if let Some(Wait::Until(key)) = self.running(proc).wait {
            self.present.now = self.present.now.max(key.0);
            self.present.timers.cancel(key);
            self.running_mut(proc).wait = Some(Wait::Over);
        } else if !self.is_waiting(proc) {
            return Err(Impossible::DoesNotWait);
        }
        if self.is_waiting(proc) {
            self.time_out(proc);
        }
        Ok(Happened::Acted)
    }

    /// Lets the timer that an action started fire now.
    pub(crate) fn fire(&mut self, owner: ProcId, started_by: u32) -> Result<Happened, Impossible> {
        let found = self.present.timers.take_of(owner, started_by);
        let (at, timer) = found.ok_or(Impossible::NoTimer)?;
        self.present.now = self.present.now.max(at);
        self.timer_fired(timer);
        Ok(Happened::Acted)
    }

    // -- Ends

    fn out_of(&mut self, proc: ProcId, resource: Resource) {
        let what = match resource {
            Resource::Stack => "stack",
            Resource::Memory => "memory",
            Resource::Heap => "heap",
        };
        let reason = match resource {
            Resource::Heap => Term::atom(atoms::KILLED),
            _ => Term::tuple(vec![Term::atom(atoms::SYSTEM_LIMIT), Term::atom(Atom::new(what))]),
        };
        self.running_mut(proc).process.kill(reason);
        self.ended(proc);
    }

    /// The process has ended by itself.
    fn ended(&mut self, proc: ProcId) {
        let (reason, exception, value) = match self.running(proc).process.ending() {
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
