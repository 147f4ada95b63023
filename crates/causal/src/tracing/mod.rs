//! Tracing of a program by itself: what traced processes tell their tracers.
//!
//! A trace message is a signal of the process that it is about, so it has its causes like any
//! other. What a process does by an action of its own is told by that action. Of what it computes
//! (calls) and of what happens to it (arrivals, links of others) it tells by an action in between,
//! which is a step of its own: at the call, and for what happened to it right after its next action
//! or when it waits. So what is told, and when, depends on the order of events alone.
//!
//! An arrival that is told is a look at its receiver: it does not change places with what that does.

mod calls;
mod flags;

pub(crate) use calls::Told;
pub(crate) use flags::Flags;

use crate::execution::*;
use crate::object::Object;
use crate::system::System;
use reverl_machine::Program;
use reverl_machine::match_spec::Said;
use reverl_machine::tracing::{Filter, Mfa};
use reverl_term::{Atom, Term, atoms};

/// That a process is traced, and how.
#[derive(Clone, Debug)]
pub(crate) struct Traced {
    pub flags: Flags,
    pub tracer: ProcId,
    /// Calls count from this step of it on.
    pub since: u64,
    /// The step at which its last call was looked at.
    pub looked_at: Option<u64>,
}

/// Something that happened to a process and that it has not told yet.
#[derive(Clone)]
pub(crate) enum Note {
    /// A message has come from this process.
    Received(Term, Term),
    /// What is told if processes are traced.
    Life(Vec<Term>),
    /// All that it has told before has arrived: who wants to know, and what is sent.
    Delivered(ProcId, Term),
}

fn word(name: &str) -> Term {
    Term::atom_named(name)
}

fn mfa((module, name, arity): Mfa) -> Term {
    Term::tuple(vec![Term::atom(module), Term::atom(name), Term::int(i64::from(arity))])
}

impl System {
    /// How a process is traced, if it is.
    pub(crate) fn traced(&self, proc: ProcId) -> Option<&Traced> {
        self.running(proc).relations()?.traced.as_deref()
    }

    /// Whether this is traced of a process.
    pub(crate) fn traces(&self, proc: ProcId, flag: Flags) -> bool {
        self.present.has_tracing && self.traced(proc).is_some_and(|t| t.flags.has(flag))
    }

    /// A process is traced in this way from now on.
    pub(crate) fn set_traced(&mut self, proc: ProcId, traced: Option<Traced>) {
        self.present.has_tracing |= traced.is_some();
        let live = self.running_mut(proc);
        live.traces_calls = traced.as_ref().is_some_and(|t| t.flags.has(Flags::CALL));
        if !live.traces_calls {
            live.process.forget_marks();
        }
        live.relations_mut().traced = traced.map(Box::new);
    }

    /// What a process tells its tracer, if it has one: the parts of the message after the pid.
    pub(crate) fn tell(&mut self, proc: ProcId, parts: Vec<Term>) {
        let Some(Traced { flags, tracer, .. }) = self.traced(proc).cloned() else { return };
        if tracer == proc {
            return;
        }
        let stamp = self.stamp(proc, flags);
        let tag = word(if stamp.is_some() { "trace_ts" } else { "trace" });
        let all = [tag, self.pid(proc)].into_iter().chain(parts).chain(stamp);
        let message = Term::tuple(all.collect::<Vec<Term>>());
        self.put_signal(proc, Some(tracer), SignalKind::Message, message);
    }

    /// The time at which something is told. It is that of the process alone, which has taken so many
    /// steps: how far the clock of all is then depends on the others.
    fn stamp(&self, proc: ProcId, flags: Flags) -> Option<Term> {
        let p = self.execution.proc(proc);
        let ns = (self.running(proc).process.steps() * crate::system::STEP_NS) as i64;
        if flags.has(Flags::STRICT_MONOTONIC) {
            let unique = Term::int(p.signals.len() as i64);
            return Some(Term::tuple(vec![Term::int(crate::requests::monotonic_at(ns)), unique]));
        }
        if flags.has(Flags::MONOTONIC) {
            return Some(Term::int(crate::requests::monotonic_at(ns)));
        }
        flags.has(Flags::TIMESTAMP).then(|| crate::requests::timestamp_at(ns))
    }

    /// What a filter of messages says of one; `None` if it is not told.
    fn filtered(&self, proc: ProcId, filter: Option<&Filter>, parts: Vec<Term>) -> Option<Said> {
        let Some(filter) = filter else { return Some(Said::Plain) };
        let spec = filter.spec.as_ref()?;
        let result = spec.trace(&Term::list(parts), self.execution.proc(proc).pid, undefined())?;
        (result.said != Said::Nothing).then_some(result.said)
    }

    fn patterns(&self, proc: ProcId) -> Option<&reverl_machine::tracing::Patterns> {
        self.running(proc).process.local.seen.as_ref()?.traced.as_deref()
    }

    // -- What a process does itself

    /// It sends a message, by the action in hand.
    pub(crate) fn tell_send(&mut self, proc: ProcId, to: &Term, message: &Term) {
        if !self.traces(proc, Flags::SEND) {
            return;
        }
        let filter = self.patterns(proc).and_then(|p| p.send.as_ref());
        let parts = vec![to.clone(), message.clone()];
        let Some(said) = self.filtered(proc, filter, parts) else { return };
        let event = self.upcoming(proc);
        let is_gone = match to.as_pid().map(|pid| self.execution.find(pid)) {
            Some(Some(there)) => {
                self.execution.objects.read(Object::Life(there), event);
                self.has_exited(there)
            }
            Some(None) => true,
            None => false,
        };
        let what = if is_gone { "send_to_non_existing_process" } else { "send" };
        let parts = with(vec![word(what), message.clone(), to.clone()], said);
        self.tell(proc, parts);
    }

    /// Something about its life or its links, by the action in hand.
    pub(crate) fn tell_life(&mut self, proc: ProcId, parts: Vec<Term>) {
        if self.traces(proc, Flags::PROCS) {
            self.tell(proc, parts);
        }
    }

    /// It gets or loses a name, by the action in hand of whoever does that.
    pub(crate) fn tell_name(&mut self, by: ProcId, of: ProcId, what: &str, name: Atom) {
        let parts = vec![word(what), Term::atom(name)];
        match by == of {
            true => self.tell_life(of, parts),
            false if self.traces(of, Flags::PROCS) => {
                let event = self.upcoming(by);
                self.note(of, event, Note::Life(parts));
            }
            false => {}
        }
    }

    /// It spawns a process, which may be traced as well.
    pub(crate) fn tell_spawn(&mut self, parent: ProcId, child: ProcId, is_linked: bool) {
        if !self.present.has_tracing {
            return;
        }
        let call = called(&self.execution.proc(child).entry);
        let (own, new) = (self.pid(parent), self.pid(child));
        self.inherit(parent, child, is_linked);
        self.tell_life(parent, vec![word("spawn"), new.clone(), call.clone()]);
        if is_linked {
            self.tell_life(parent, vec![word("link"), new]);
        }
        if self.traces(child, Flags::PROCS) {
            let relations = self.running_mut(child).relations_mut();
            relations.notes.push(Note::Life(vec![word("spawned"), own.clone(), call]));
            if is_linked {
                relations.notes.push(Note::Life(vec![word("getting_linked"), own]));
            }
            relations.is_telling = true;
        }
    }

    /// A child is traced as all new processes are, or as its parent.
    fn inherit(&mut self, parent: ProcId, child: ProcId, is_linked: bool) {
        let mut from = self.present.traced_new.clone();
        let (on_first, on_any) = match is_linked {
            true => (
                Flags(Flags::SET_ON_FIRST_SPAWN.0 | Flags::SET_ON_FIRST_LINK.0),
                Flags(Flags::SET_ON_SPAWN.0 | Flags::SET_ON_LINK.0),
            ),
            false => (Flags::SET_ON_FIRST_SPAWN, Flags::SET_ON_SPAWN),
        };
        if let Some(own) = self.traced(parent).cloned() {
            let is_first = own.flags.has(on_first);
            if own.flags.has(on_any) || is_first {
                let both = Flags(on_first.0 | on_any.0);
                let flags = if is_first { own.flags.set(both, false) } else { own.flags };
                let own = Traced { flags, ..own };
                if is_first {
                    self.set_traced(parent, Some(own.clone()));
                }
                from = Some(own);
            }
        }
        if let Some(traced) = from {
            self.set_traced(child, Some(Traced { since: 0, looked_at: None, ..traced }));
        }
    }

    /// It ends: what it has not told yet, and that it ends.
    pub(crate) fn tell_end(&mut self, proc: ProcId, reason: &Term, name: Option<Atom>) {
        if !self.present.has_tracing {
            return;
        }
        self.tell_notes(proc);
        self.tell_life(proc, vec![word("exit"), reason.clone()]);
        if let Some(name) = name {
            self.tell_life(proc, vec![word("unregister"), Term::atom(name)]);
        }
    }

    // -- What happens to it

    /// An event concerns a process, which will tell of it.
    pub(crate) fn note(&mut self, of: ProcId, event: EventRef, note: Note) {
        self.execution.look_at(of, event);
        self.running_mut(of).relations_mut().notes.push(note);
        self.make_ready(of);
    }

    /// A message is about to arrive at a process.
    pub(crate) fn note_message(&mut self, id: SignalId, to: ProcId) {
        if self.traces(to, Flags::RECEIVE) {
            let message = self.execution.signal(id).message.clone();
            let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
            self.note(to, event, Note::Received(self.pid(id.from), message));
        }
    }

    /// A link from another process is made or ended by the signal that is about to arrive.
    pub(crate) fn note_link(&mut self, from: ProcId, to: ProcId, what: &str) {
        if self.traces(to, Flags::PROCS) {
            let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
            let parts = vec![word(what), self.pid(from)];
            self.note(to, event, Note::Life(parts));
        }
    }

    /// A receive of a process has ended without a message.
    pub(crate) fn note_time_out(&mut self, proc: ProcId) {
        if self.traces(proc, Flags::RECEIVE) {
            let relations = self.running_mut(proc).relations_mut();
            relations.notes.push(Note::Received(word("clock_service"), word("timeout")));
            relations.is_telling = true;
        }
    }

    /// Whether a process is about to tell what happened to it before its last action.
    #[inline]
    pub(crate) fn is_telling(&self, proc: ProcId) -> bool {
        self.present.has_tracing && self.running(proc).relations().is_some_and(|r| r.is_telling)
    }

    /// Whether there is something that a process has not told yet.
    pub(crate) fn has_notes(&self, proc: ProcId) -> bool {
        let relations = self.running(proc).relations();
        self.present.has_tracing && relations.is_some_and(|r| !r.notes.is_empty())
    }

    /// A process tells what happened to it, by an action of its own. False if it has nothing to
    /// tell after all. Had another message come before, one that waits would not: what comes later
    /// stays later.
    pub(crate) fn tell_what_happened(&mut self, proc: ProcId) -> bool {
        self.see_edition(proc);
        let (first, event) = (self.first_signal(proc), self.upcoming(proc));
        self.tell_notes(proc);
        if self.is_waiting(proc) && self.first_signal(proc) > first {
            self.execution.look_at(proc, event);
        }
        self.told(proc, first)
    }

    fn tell_notes(&mut self, proc: ProcId) {
        let relations = self.running_mut(proc).relations_mut();
        relations.is_telling = false;
        for note in std::mem::take(&mut relations.notes) {
            match note {
                Note::Life(parts) => self.tell_life(proc, parts),
                Note::Delivered(to, message) => {
                    self.put_signal(proc, Some(to), SignalKind::Message, message);
                }
                Note::Received(from, message) => self.tell_received(proc, from, message),
            }
        }
    }

    fn tell_received(&mut self, proc: ProcId, from: Term, message: Term) {
        if !self.traces(proc, Flags::RECEIVE) {
            return;
        }
        let filter = self.patterns(proc).and_then(|p| p.receive.as_ref());
        let parts = vec![Term::atom(self.node(proc)), from, message.clone()];
        if let Some(said) = self.filtered(proc, filter, parts) {
            self.tell(proc, with(vec![word("receive"), message], said));
        }
    }

    /// The signals from `first` on are an action of their own, which takes a step.
    fn told(&mut self, proc: ProcId, first: u32) -> bool {
        let signals = self.finish_signals(proc, first);
        if signals.is_empty() {
            return false;
        }
        let process = &mut self.running_mut(proc).process;
        process.pass_step();
        let (step, pc) = (process.steps(), process.pc());
        let p = self.execution.proc_mut(proc);
        p.add_unasked();
        p.steps = step;
        let effect = Effect { signals: signals.clone(), ..Effect::default() };
        let deed = Answered::told(effect);
        self.record(proc, step, pc, PackedAction::request(deed));
        self.deliver_instantly(proc, signals);
        true
    }
}

fn undefined() -> Term {
    Term::atom(atoms::UNDEFINED)
}

/// With the value that a match specification adds.
fn with(mut parts: Vec<Term>, said: Said) -> Vec<Term> {
    if let Said::With(value) = said {
        parts.push(value);
    }
    parts
}

/// What a process was spawned with, as it is told.
fn called(entry: &Entry) -> Term {
    match entry {
        Entry::Call { module, name, args } => {
            Term::tuple(vec![Term::atom(*module), Term::atom(*name), args.clone()])
        }
        Entry::Fun { fun, args } => {
            let args = Term::list([fun.clone(), args.clone()]);
            Term::tuple(vec![Term::atom(atoms::ERLANG), word("apply"), args])
        }
    }
}

impl Answered {
    /// What a process tells its tracer between two actions that it does itself.
    fn told(effect: Effect) -> Answered {
        let told = Program::builtin_number(Atom::new("reverl"), Atom::new("told"), 0);
        let builtin = told.expect("it is in the table");
        Answered { builtin, effect, ..Answered::send(vec![]) }
    }
}
