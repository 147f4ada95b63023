//! What two executions have in common: the same events, the same state.

use reverl_causal::*;
use reverl_lang::code::{Code, Pc, VarRange};
use reverl_lang::source::Span;
use reverl_machine::Process;
use reverl_term::fmt::{self, Encoding};
use reverl_term::{Atom, Term, phash2_default};
use std::collections::{BTreeMap, BTreeSet};

/// A message in a few words, however large it is; another message has others.
fn brief(message: &Term) -> String {
    let text = fmt::write_depth(message, 10, Encoding::Unicode);
    format!("{text} #{}", phash2_default(message))
}

/// What happened, in words that two executions can share.
pub fn log(execution: &Execution) -> Vec<String> {
    let line = |e: EventRef| match execution.action(e).map(|a| (a.what(), a.step)) {
        None => {
            let d = execution.proc(e.proc).deliveries[e.index() as usize];
            format!("{:?} deliver {:?}", e.proc, { d.signal })
        }
        Some((ActionKind::Send(k), step)) => {
            let message = &execution.proc(e.proc).signals[k as usize].message;
            format!("{:?}@{step} send {k} {}", e.proc, brief(message))
        }
        Some((ActionKind::Receive(s), step)) => {
            let message = &execution.signal(s).message;
            format!("{:?}@{step} receive {s:?} {}", e.proc, brief(message))
        }
        Some((ActionKind::Timeout, step)) => format!("{:?}@{step} timeout", e.proc),
        Some((ActionKind::Request(a), step)) => {
            format!("{:?}@{step} request {} {:?}", e.proc, a.builtin, a.answer.as_ref().ok())
        }
        Some((ActionKind::Assign(a), step)) => {
            format!("{:?}@{step} assign {} {:?}", e.proc, a.name.name(), a.value)
        }
        Some((ActionKind::Exit(x), step)) => format!("{:?}@{step} exit {:?}", e.proc, x.reason),
    };
    execution.events().map(line).collect()
}

/// What each process did and what arrived at it, each in its order.
pub type Chains = BTreeMap<(ProcId, bool), Vec<String>>;

/// What each process did and what arrived at it, in the words of `log`.
pub fn chains(execution: &Execution, included: impl Fn(EventRef) -> bool) -> Chains {
    let mut chains = Chains::new();
    for (event, line) in execution.events().zip(log(execution)).filter(|(e, _)| included(*e)) {
        let is_delivery = event.chain() == Chain::Delivery;
        chains.entry((event.proc, is_delivery)).or_default().push(line);
    }
    chains
}

/// Fails at the first difference.
pub fn assert_same(found: &Chains, expected: &Chains, what: &str) {
    let lines = |chains: &Chains| chains.values().flatten().cloned().collect::<Vec<String>>();
    let (found, expected) = (lines(found), lines(expected));
    let differs = found.iter().zip(&expected).position(|(a, b)| a != b);
    let at = differs.unwrap_or(found.len().min(expected.len()));
    let (is, should) = (found.get(at), expected.get(at));
    assert!(is == should, "{what}:\nis     {is:?}\nshould {should:?}");
}

/// A process as one can see it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessState {
    /// How many steps it has taken.
    pub steps: u64,
    /// All calls in progress, the innermost first. Before its first step it has none: what it will
    /// call is a part of the execution.
    pub calls: Vec<CallState>,
    /// What has arrived and was not received.
    pub mailbox: Vec<SignalId>,
}

/// A call in progress: its function, the expression that it is at, and its environment.
#[derive(Clone, Debug, PartialEq)]
pub struct CallState {
    function: (Atom, Atom, u16),
    expression: Span,
    environment: Vec<(Atom, Term)>,
}

/// A configuration of the papers: every process with its expression, its environment and its
/// mailbox, and what is on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    processes: BTreeMap<ProcId, ProcessState>,
    in_flight: BTreeSet<SignalId>,
}

impl Configuration {
    /// As the system itself stands.
    pub fn live(system: &mut System) -> Configuration {
        let end = Cut::end(system.execution());
        let procs: Vec<ProcId> = system.execution().ids().collect();
        let mut frozen: BTreeMap<ProcId, Process> =
            procs.into_iter().map(|proc| (proc, system.frozen(proc))).collect();
        Configuration::of(system, &end, |proc| {
            let messages = system.running(proc).process.mailbox.iter();
            let signal = |id: u64| SignalId { from: ProcId((id >> 32) as u32), k: id as u32 };
            let mailbox = messages.map(|m| signal(m.id.0)).collect();
            let process = frozen.get_mut(&proc).expect("all are there");
            // Instructions that are not a step may have been done already, or not yet; the step of
            // a time-out is done when its process runs.
            match system.asked(proc) {
                None => drop(process.run(&system.program(), end.place(proc).steps)),
                // One that asks stands before its request, which it has begun already.
                Some(_) => *process = system.state_at(proc, end.place(proc).steps),
            }
            state(system, process, mailbox)
        })
    }

    /// As the past tells of a cut.
    pub fn told(system: &System, cut: &Cut) -> Configuration {
        Configuration::of(system, cut, |proc| {
            let process = system.state_at(proc, cut.place(proc).steps);
            state(system, &process, cut.mailbox(system.execution(), proc))
        })
    }

    fn of(
        system: &System,
        cut: &Cut,
        mut state: impl FnMut(ProcId) -> ProcessState,
    ) -> Configuration {
        let execution = system.execution();
        // What has ended is no part of a configuration.
        let is_there = |p: &ProcId| cut.is_spawned(execution, *p) && !cut.has_exited(execution, *p);
        Configuration {
            processes: execution.ids().filter(is_there).map(|p| (p, state(p))).collect(),
            in_flight: cut.in_flight(execution).into_iter().collect(),
        }
    }

    /// The processes that are there.
    pub fn processes(&self) -> impl Iterator<Item = ProcId> {
        self.processes.keys().copied()
    }

    /// Fails at the first process that differs.
    pub fn assert_same(&self, expected: &Configuration, what: &str) {
        for (proc, expected) in &expected.processes {
            assert_eq!(self.processes.get(proc), Some(expected), "{what}: {proc:?}");
        }
        assert!(self.processes.keys().eq(expected.processes.keys()), "{what}: the same processes");
        assert_eq!(self.in_flight, expected.in_flight, "{what}: what is on its way");
    }
}

fn state(system: &System, process: &Process, mailbox: Vec<SignalId>) -> ProcessState {
    let program = system.program();
    let calls = calls(&program.code, process);
    ProcessState { steps: process.steps(), calls, mailbox }
}

/// The calls in progress of a process, the innermost first.
pub fn calls(code: &Code, process: &Process) -> Vec<CallState> {
    if process.steps() == 0 {
        return vec![];
    }
    let callers = process.stack().callers().map(|(ret, registers)| (ret - 1, u8::MAX, registers));
    let all = std::iter::once((process.pc(), 0, process.registers())).chain(callers);
    let call = |(pc, done, registers): (Pc, u8, &[Term])| {
        let info = code.fun(code.fun_at(pc));
        let bound = |var: &&VarRange| (var.start, var.start_sub) <= (pc, done) && pc < var.end;
        let value = |var: &VarRange| Some((var.name, registers.get(var.reg as usize)?.clone()));
        CallState {
            function: (info.module, info.name, info.arity),
            expression: code.span_at(pc),
            environment: info.vars.iter().filter(bound).filter_map(value).collect(),
        }
    };
    all.map(call).collect()
}
