//! Who waits for whom, at the end of an execution in which nothing can happen any more.

use crate::otp::message::{Protocol, Recognised, reply_to};
use crate::outcome::{self, Wait};
use reverl_causal::{ProcId, SignalId, System};
use reverl_term::Atom;
use std::collections::HashSet;

/// What a process waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// The reply to this call.
    Reply(SignalId),
    /// Some message; this was the last one that it sent itself.
    Answer(SignalId),
    /// Some message.
    Message,
}

/// A process that waits, and for what.
#[derive(Clone, Copy, Debug)]
pub struct WaitLink {
    pub proc: ProcId,
    pub waits: WaitsFor,
}

/// How a chain of waiting ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// The last one waits for one of those before it.
    Cycle(ProcId),
    /// The last one waits for a process that has ended.
    Ended(ProcId),
    /// The last one waits for a process that waits for its next request.
    Idle(ProcId),
    /// Nobody knows whom the last one waits for.
    Open,
}

/// The processes that wait for each other, if some of those that wait do.
pub fn cycle(system: &System, own: &HashSet<Atom>, blocked: &[ProcId]) -> Vec<ProcId> {
    let is_stuck = |proc: &&ProcId| outcome::wait(system, own, **proc) == Some(Wait::Stuck);
    let found = blocked.iter().filter(is_stuck).find_map(|proc| match chain(system, own, *proc) {
        (links, ChainEnd::Cycle(to)) => {
            let procs = links.iter().map(|link| link.proc);
            Some(procs.skip_while(|proc| *proc != to).collect())
        }
        _ => None,
    });
    found.unwrap_or_default()
}

/// Whom a process waits for, and whom that waits for, and so on.
pub fn chain(system: &System, own: &HashSet<Atom>, first: ProcId) -> (Vec<WaitLink>, ChainEnd) {
    let mut links: Vec<WaitLink> = vec![];
    let mut proc = first;
    loop {
        let link = WaitLink { proc, waits: waits_for(system, proc) };
        links.push(link);
        let (WaitsFor::Reply(signal) | WaitsFor::Answer(signal)) = link.waits else {
            return (links, ChainEnd::Open);
        };
        let Some(next) = system.execution().signal(signal).to() else {
            return (links, ChainEnd::Open);
        };
        if links.iter().any(|link| link.proc == next) {
            return (links, ChainEnd::Cycle(next));
        }
        if system.has_exited(next) {
            return (links, ChainEnd::Ended(next));
        }
        match outcome::wait(system, own, next) {
            Some(Wait::Stuck) => proc = next,
            // A server that waits in its loop has nothing else to say.
            Some(Wait::Served | Wait::Looping) => return (links, ChainEnd::Idle(next)),
            None => return (links, ChainEnd::Open),
        }
    }
}

/// What a process waits for. Inside of a call it is the reply; else the last one whom it sent
/// something may be the one to answer.
pub fn waits_for(system: &System, proc: ProcId) -> WaitsFor {
    let execution = system.execution();
    let p = execution.proc(proc);
    let messages = (0..p.signals.len() as u32).rev().map(|k| SignalId { from: proc, k });
    let mut messages = messages.filter(|id| {
        let to = execution.signal(*id).to();
        execution.kind(*id).is_message() && to.is_some_and(|to| !execution.proc(to).is_system)
    });
    let Some(last) = messages.next() else { return WaitsFor::Message };
    if !is_in_call(system, proc) {
        let is_plain = Recognised::of(system, last).protocol == Protocol::Plain;
        return if is_plain { WaitsFor::Answer(last) } else { WaitsFor::Message };
    }
    let is_call = |id: &SignalId| {
        let is_it = Recognised::of(system, *id).protocol == Protocol::Call;
        is_it
            && reply_to(system, *id).is_none_or(|reply| execution.signal(reply).receive().is_none())
    };
    let call = std::iter::once(last).chain(messages).take(100).find(is_call);
    call.map_or(WaitsFor::Answer(last), WaitsFor::Reply)
}

fn is_in_call(system: &System, proc: ProcId) -> bool {
    let program = system.program();
    let process = &system.running(proc).process;
    let calls = process.stack().callers().map(|(ret, _)| ret - 1);
    let mut frames = std::iter::once(process.pc()).chain(calls);
    frames.any(|pc| {
        let info = program.code.fun(program.code.fun_at(pc));
        info.module.name() == "gen" && info.name.name().contains("call")
    })
}
