//! What can be read off an execution that has ended: what became of its processes and messages.

use crate::ask::own::own_modules;
use crate::describe::{first_function, short};
use crate::language;
use reverl_causal::execution::{Exited, SignalKind};
use reverl_causal::{Cut, Entry, EventRef, ProcId, SignalId, System};
use reverl_lang::code::FunId;
use reverl_machine::{Class, Program, program::FunLookup};
use reverl_term::{Atom, Fun, Term};
use serde::Serialize;
use std::collections::HashSet;
use ts_rs::TS;

/// What a whole run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    Finished,
    /// The main process waits for ever.
    Deadlock,
    /// The main process ended with an exception or an exit signal.
    Crashed,
    /// It ran tests, and not all of them passed.
    Failed,
    /// A bound on the steps was reached.
    Limit,
}

impl OutcomeKind {
    /// `limited` if the run was stopped before nothing could happen.
    pub fn of(system: &System, limited: bool) -> OutcomeKind {
        match (system.execution().proc(system.main).exit(), system.halted()) {
            (Some(exited), _) if has_failed_tests(system, exited) => OutcomeKind::Failed,
            (Some(exited), _) if is_normal(&exited.reason) => OutcomeKind::Finished,
            (Some(_), _) => OutcomeKind::Crashed,
            (None, Some(0)) => OutcomeKind::Finished,
            (None, Some(_)) => OutcomeKind::Crashed,
            (None, None) if limited || system.is_unfinished() => OutcomeKind::Limit,
            (None, None) => OutcomeKind::Deadlock,
        }
    }

    /// What a command that tells it ends with.
    pub fn exit_code(self) -> i32 {
        i32::from(self != OutcomeKind::Finished)
    }
}

/// Whether the program is a call of `eunit:test` that says that tests failed.
fn has_failed_tests(system: &System, exited: &Exited) -> bool {
    let (module, name, _) = system.execution().proc(system.main).entry.mfa();
    let is_error = |value: &Term| value.is_atom_eq(Atom::new("error"));
    (module.name(), name.name()) == ("eunit", "test") && exited.value.as_ref().is_some_and(is_error)
}

/// What became of a process by the end of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ProcessStatus {
    Exited,
    /// It waits, and nothing can happen any more.
    Blocked,
    /// It waits, and something may still come.
    Waiting,
    Running,
}

/// How this process stands at the end of what has happened.
pub fn status(system: &System, proc: ProcId) -> ProcessStatus {
    if system.has_exited(proc) {
        ProcessStatus::Exited
    } else if system.running(proc).process.is_waiting() {
        match system.is_over() && system.halted().is_none() {
            true => ProcessStatus::Blocked,
            false => ProcessStatus::Waiting,
        }
    } else {
        ProcessStatus::Running
    }
}

/// The program's own processes.
pub fn own_processes(system: &System) -> impl Iterator<Item = ProcId> + '_ {
    let is_own = |p: &ProcId| !system.execution().proc(*p).is_system && !system.is_of_node(*p);
    system.execution().ids().filter(is_own)
}

/// An exit that is nobody's fault.
pub fn is_normal(reason: &Term) -> bool {
    let named = |t: &Term| t.as_atom().is_some_and(|a| matches!(a.name(), "normal" | "shutdown"));
    named(reason)
        || reason.as_tuple().is_some_and(|t| t.len() == 2 && t[0].is_atom_eq(Atom::new("shutdown")))
}

/// Whether a process ended outside of the program's own code in a way that others chose on purpose:
/// it was killed there, as supervisors do, or called `exit` without ever having been the program's
/// own, as test runners tell their results.
pub fn is_way_of_others(system: &System, own: &HashSet<Atom>, proc: ProcId, exit: &Exited) -> bool {
    let is_own = || own.contains(&first_function(system, proc).0);
    let is_meant = match &exit.exception {
        Some(exception) => exception.class == Class::Exit && !is_own(),
        None => exit.reason.is_atom_eq(Atom::new("killed")),
    };
    is_meant && proc != system.main && own_place(system, own, proc).is_none()
}

/// `file:line` where a live process is, or where it ended.
pub fn place(system: &System, proc: ProcId) -> String {
    if let Some(frame) = trace(system, proc).iter().find(|f| f.at.is_some()) {
        return frame.at.clone().unwrap_or_default();
    }
    let program = system.program();
    let code = &program.code;
    let mut span = code.span_at(system.running(proc).process.pc());
    // A process that has not run yet, or has run to its end, is where its function is.
    let boot = |s| code.sources.get(s).is_some_and(|f| f.name.starts_with("reverl_boot"));
    if boot(span.file) {
        span = entry(&program, system, proc).map_or(span, |fun| code.fun(fun).span);
    }
    match code.sources.shown_at(span) {
        Some((file, line)) => format!("{file}:{line}"),
        None => String::new(),
    }
}

/// The function that a process was started with, if it is there.
fn entry(program: &Program, system: &System, proc: ProcId) -> Option<FunId> {
    let entry = &system.execution().proc(proc).entry;
    if let Entry::Fun { fun, .. } = entry {
        if let Some(Fun::Local(closure)) = fun.as_fun() {
            return match program.function_of(closure) {
                FunLookup::Found(fun) => Some(fun),
                _ => None,
            };
        }
    }
    let (module, name, arity) = entry.mfa();
    program.function(module, name, arity)
}

/// The modules that are the program's own; finding them is not for every process.
pub fn own_code(system: &System) -> HashSet<Atom> {
    own_modules(&system.program().code)
}

/// The nearest place in the program's own code: of a crash, or of where a process waits.
pub fn own_place(system: &System, own: &HashSet<Atom>, proc: ProcId) -> Option<String> {
    let program = system.program();
    let code = &program.code;
    // One that a signal ended has no trace, and stands where it stood.
    let frames = trace(system, proc);
    if !frames.is_empty() {
        return frames.into_iter().find(|f| own.contains(&f.module) && f.at.is_some())?.at;
    }
    let process = &system.running(proc).process;
    let calls = process.stack().callers().map(|(ret, _)| ret - 1);
    let mut frames = std::iter::once(process.pc()).chain(calls);
    let pc = frames.find(|pc| own.contains(&code.fun(code.fun_at(*pc)).module))?;
    code.sources.shown_at(code.span_at(pc)).map(|(file, line)| format!("{file}:{line}"))
}

/// Why a process that waits for ever does so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// For a request, in code that is not the program's own and that the program's own did not
    /// call: a server without work.
    Served,
    /// For a request, in the loop that it consists of; there is nothing in its mailbox.
    Looping,
    /// For something that it needs.
    Stuck,
}

/// Why a process waits for ever; `None` if it does not. A main process needs what it waits for.
pub fn wait(system: &System, own: &HashSet<Atom>, proc: ProcId) -> Option<Wait> {
    if status(system, proc) != ProcessStatus::Blocked {
        return None;
    }
    let is_main = proc == system.main;
    Some(match () {
        () if !is_main && own_place(system, own, proc).is_none() => Wait::Served,
        () if !is_main && is_in_its_loop(system, own, proc) => Wait::Looping,
        () => Wait::Stuck,
    })
}

fn is_in_its_loop(system: &System, own: &HashSet<Atom>, proc: ProcId) -> bool {
    let program = system.program();
    let process = &system.running(proc).process;
    let is_own = |pc| own.contains(&program.code.fun(program.code.fun_at(pc)).module);
    let mut callers = process.stack().callers().map(|(ret, _)| ret - 1);
    process.mailbox.is_empty()
        && system.held_for(proc).is_empty()
        && program.code.is_server_loop(process.pc())
        && !callers.any(is_own)
}

/// Whether some process waits for ever for what it needs. Then those that wait in their loops may
/// be the ones that should have given it.
pub fn is_anybody_stuck(system: &System, own: &HashSet<Atom>) -> bool {
    own_processes(system).any(|proc| wait(system, own, proc) == Some(Wait::Stuck))
}

/// The processes that wait for ever for what they need.
pub fn stuck(system: &System) -> Vec<ProcId> {
    let own = own_code(system);
    let is_stuck = |proc: &ProcId| wait(system, &own, *proc) == Some(Wait::Stuck);
    own_processes(system).filter(is_stuck).collect()
}

/// A call of a stack trace.
#[derive(Clone)]
pub struct Frame {
    pub module: Atom,
    pub name: Atom,
    /// The number of arguments, or the arguments.
    pub args: Term,
    /// `file:line`
    pub at: Option<String>,
}

impl Frame {
    /// `lists:nth(5,[1])`, or `lists:nth/2`.
    pub fn call(&self) -> String {
        match self.args.to_vec() {
            Some(args) => {
                let args: Vec<String> = args.iter().map(short).collect();
                language::call(self.module, self.name, &args)
            }
            None => {
                let arity = self.args.as_small().and_then(|n| u32::try_from(n).ok());
                language::function(self.module, self.name, arity.unwrap_or_default())
            }
        }
    }
}

/// The stack trace of the exception that ended a process, the innermost call first.
pub fn trace(system: &System, proc: ProcId) -> Vec<Frame> {
    let exit = system.execution().proc(proc).exit();
    let Some(exception) = exit.and_then(|e| e.exception.as_ref()) else { return vec![] };
    frames(&reverl_machine::raise::show_trace(&system.program().code, &exception.trace))
}

/// The calls that ended a process, the innermost first: of its exception, or those that its reason
/// tells.
pub fn frames_of_end(system: &System, proc: ProcId) -> Vec<Frame> {
    let known = trace(system, proc);
    let exit = system.execution().proc(proc).exit();
    let told = exit.and_then(|exit| match exit.reason.as_tuple()? {
        [_, trace] => Some(frames(trace)),
        _ => None,
    });
    match told {
        Some(told) if told.len() > 1 || (known.is_empty() && !told.is_empty()) => told,
        _ => known,
    }
}

/// The calls of a stack trace.
pub fn frames(trace: &Term) -> Vec<Frame> {
    trace.list_iter().filter_map(frame).collect()
}

fn frame(entry: &Term) -> Option<Frame> {
    let [module, name, args, location] = entry.as_tuple()? else { return None };
    let of = |key: &str| {
        let mut pairs = location.list_iter().filter_map(Term::as_tuple);
        pairs.find(|p| p[0].is_atom_eq(Atom::new(key))).map(|p| p[1].clone())
    };
    let at = match (of("file"), of("line")) {
        (Some(file), Some(line)) => {
            let chars = file.list_iter().filter_map(|c| char::from_u32(c.as_small()? as u32));
            Some(format!("{}:{}", chars.collect::<String>(), show(&line)))
        }
        _ => None,
    };
    Some(Frame { module: module.as_atom()?, name: name.as_atom()?, args: args.clone(), at })
}

/// A reason without its stack trace, which says where and not what.
pub fn short_reason(reason: &Term) -> Term {
    let is_trace = |t: &Term| t.list_iter().next().is_some_and(|e| frame(e).is_some());
    match reason.as_tuple() {
        Some([what, trace]) if is_trace(trace) => what.clone(),
        _ => reason.clone(),
    }
}

/// A reason without the stack traces in it, as far as people look: that of a call has the server's.
pub fn without_traces(reason: &Term) -> Term {
    let what = short_reason(reason);
    match what.as_tuple() {
        Some(parts) if parts.len() < 4 => {
            Term::tuple(parts.iter().map(without_traces).collect::<Vec<_>>())
        }
        _ => what,
    }
}

/// Messages sent but never delivered (lost), and delivered but never received (orphans), of an
/// execution in which nothing can happen any more (paper 004, section 2).
pub fn unreceived(system: &System) -> (Vec<SignalId>, Vec<SignalId>) {
    let execution = system.execution();
    let (mut lost, mut orphans) = (vec![], vec![]);
    // They may still come, and be received.
    if !system.is_over() || system.halted().is_some() {
        return (lost, orphans);
    }
    for from in own_processes(system) {
        for (k, signal) in execution.proc(from).signals.iter().enumerate() {
            let kind = execution.proc(from).kind(k as u32);
            // One's own timer that fires after one's end has done what it was for.
            let has_fired = *kind == SignalKind::Timer
                && signal.to().is_some_and(|to| to != from || signal.delivery().is_some());
            let is_message = kind.is_message() || has_fired;
            let to_system = signal.to().is_some_and(|to| execution.proc(to).is_system);
            if !is_message || signal.receive().is_some() || to_system {
                continue;
            }
            let id = SignalId { from, k: k as u32 };
            let to = signal.to().map(|to| execution.proc(to));
            match to.zip(signal.delivery()).map(|(to, i)| to.deliveries[i as usize]) {
                Some(delivery) if delivery.in_mailbox() => orphans.push(id),
                // Through an alias that had ended: that is what an alias is for.
                Some(_) => {}
                None => lost.push(id),
            }
        }
    }
    (lost, orphans)
}

/// All output of the execution, in order.
pub fn output(system: &System, cut: Option<&Cut>) -> String {
    let mut text = String::new();
    for event in system.execution().events() {
        if let Some(out) = output_of(system, event) {
            if cut.is_none_or(|cut| cut.contains(system.execution(), event)) {
                text.push_str(out);
            }
        }
    }
    text
}

/// What an event printed.
pub fn output_of(system: &System, event: EventRef) -> Option<&str> {
    match system.execution().action(event)?.what() {
        reverl_causal::ActionKind::Request(answered) => answered.effect.output.as_deref(),
        _ => None,
    }
}

/// A term on one line, as the program's language writes it.
pub fn show(term: &Term) -> String {
    language::value(term)
}
