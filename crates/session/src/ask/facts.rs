//! What a computation was: its call, what it took, what it came to and did. Computed by running
//! its process again to the two ends of it.

use crate::scope::{self, Level};
use reverl_analysis::declare::trace::PROCESS_END;
use reverl_analysis::declare::{End, Kind, Node};
use reverl_causal::{ActionKind, ProcId, SignalId, System};
use reverl_lang::code::{FunKind, NOWHERE, Op, Pc};
use reverl_lang::source::Span;
use reverl_machine::{Class, Process, Watch};
use reverl_term::{Atom, Term};

/// What is known of one call: what it was given, did and came to.
pub struct Facts {
    /// Without what a closure holds.
    pub args: Vec<Term>,
    pub came_to: CameTo,
    pub sent: Vec<SignalId>,
    pub spawned: Vec<ProcId>,
    /// Of a receive, a wait, or the receive that a transition began with.
    pub receive: Option<Receive>,
    /// The calls in progress in the receive that it reached, from its own inwards.
    pub reached: Vec<Level>,
}

/// How a call ended.
#[derive(Clone)]
pub enum CameTo {
    Value(Term),
    Raised(Class, Term),
    /// The receive at this place.
    Receive(Span),
    /// It waits there for ever.
    Blocked(Span),
    Killed(Term),
    Running,
}

/// A message that was received within a call.
pub struct Receive {
    pub span: Span,
    pub context: Vec<(Atom, Term)>,
    /// Everything that had arrived and was not taken before, oldest first.
    pub mailbox: Vec<SignalId>,
    /// `None`: it timed out, or waits.
    pub consumed: Option<SignalId>,
}

/// The facts of a node. `receive` is the node of the receive that a transition began with.
pub fn facts(system: &System, node: &Node, receive: Option<&Node>) -> Facts {
    let receive = match node.kind {
        Kind::Receive | Kind::Blocked => Some(receive_facts(system, node)),
        _ => receive.map(|r| receive_facts(system, r)),
    };
    Facts {
        args: args(system, node),
        came_to: came_to(system, node),
        sent: sent(system, node),
        spawned: spawned(system, node),
        receive,
        reached: if node.end == End::Receive { levels_at(system, node, node.to) } else { vec![] },
    }
}

/// The process when it stands before the instruction `pc` at `step`.
pub fn stopped_at(
    system: &System,
    proc: ProcId,
    step: u64,
    pc: Pc,
    depth: Option<u32>,
) -> Option<Process> {
    let before = step.saturating_sub(1);
    let mut replay = if step == 0 { system.from_start(proc) } else { system.nearest(proc, before) };
    if step > 0 {
        replay.run_to(system, before);
    }
    let mut watch = Watch::default();
    watch.insert(pc);
    // A message is there only for a step that takes it, so the limit lies one step behind.
    while replay.watch_to(system, step + 1, &watch) {
        let process = &replay.process;
        let there = process.steps() == step && process.pc() == pc;
        if there && depth.is_none_or(|d| process.depth() as u32 == d) {
            return Some(replay.process);
        }
    }
    None
}

fn args(system: &System, node: &Node) -> Vec<Term> {
    if !matches!(node.kind, Kind::Call | Kind::Transition) {
        return vec![];
    }
    let program = system.program();
    let info = program.code.fun(node.fun);
    let held = match info.kind {
        FunKind::Closure { env, .. } => env,
        _ => 0,
    };
    let n = (info.arity - held) as usize;
    let process = stopped_at(system, node.proc, node.called, node.entry, Some(node.depth));
    process.map_or(vec![], |p| p.registers()[..n].to_vec())
}

fn came_to(system: &System, node: &Node) -> CameTo {
    let program = system.program();
    let code = &program.code;
    match node.end {
        End::Receive => CameTo::Receive(receive_span(system, node.exit)),
        End::Blocked => CameTo::Blocked(code.span_at(node.exit)),
        End::Running => CameTo::Running,
        End::Killed => {
            let exit = system.execution().proc(node.proc).exit();
            CameTo::Killed(exit.map(|e| e.reason.clone()).unwrap_or_default())
        }
        End::Value | End::Raised if node.exit == PROCESS_END => {
            match system.execution().proc(node.proc).exit() {
                Some(exited) => match (&exited.value, &exited.exception) {
                    (Some(value), _) => CameTo::Value(value.clone()),
                    (None, Some(e)) => CameTo::Raised(e.class, e.reason.clone()),
                    (None, None) => CameTo::Killed(exited.reason.clone()),
                },
                None => CameTo::Running,
            }
        }
        End::Value => {
            let join = receive_range(system, node).map(|r| r.value);
            let register = match (join, code.ins[node.exit as usize - 1].op) {
                (Some(register), _) => Some(register),
                (
                    None,
                    Op::Call { a0, .. }
                    | Op::CallRemote { a0, .. }
                    | Op::CallFun { a0, .. }
                    | Op::Apply { a0, .. },
                ) => Some(a0),
                _ => None,
            };
            let depth = if join.is_some() { node.depth } else { node.depth - 1 };
            let process = stopped_at(system, node.proc, node.to, node.exit, Some(depth));
            match process.zip(register) {
                Some((process, register)) => {
                    CameTo::Value(process.registers()[register as usize].clone())
                }
                None => CameTo::Running,
            }
        }
        End::Raised => {
            let handlers = &code.fun(code.fun_at(node.exit)).handlers;
            let caught = handlers.iter().find(|h| h.target == node.exit).map(|h| h.reg as usize);
            let process = stopped_at(system, node.proc, node.to, node.exit, None);
            match process.zip(caught) {
                Some((process, at)) => {
                    let class = match process.registers()[at].as_atom().map(|a| a.name()) {
                        Some("throw") => Class::Throw,
                        Some("exit") => Class::Exit,
                        _ => Class::Error,
                    };
                    CameTo::Raised(class, process.registers()[at + 1].clone())
                }
                None => CameTo::Running,
            }
        }
    }
}

/// Where the clauses of a receive join, if the node is one and ended there.
fn receive_range(system: &System, node: &Node) -> Option<reverl_lang::code::ReceiveRange> {
    let program = system.program();
    let code = &program.code;
    let receives = &code.fun(code.fun_at(node.entry)).receives;
    let joined = receives.iter().find(|r| r.end == node.exit && r.value != NOWHERE);
    joined.copied().filter(|_| node.kind == Kind::Receive)
}

/// The receive expression to which an instruction belongs.
pub fn receive_span(system: &System, pc: Pc) -> Span {
    let program = system.program();
    let code = &program.code;
    let receives = &code.fun(code.fun_at(pc)).receives;
    let around = receives.iter().find(|r| r.start <= pc && pc < r.end.max(r.start + 1));
    around.map_or(code.span_at(pc), |r| code.exprs[r.expr.0 as usize].span)
}

fn receive_facts(system: &System, node: &Node) -> Receive {
    let span = receive_span(system, node.entry);
    let step = node.from;
    let process = match node.kind {
        Kind::Blocked => Some(system.state_at(node.proc, step)),
        _ => stopped_at(system, node.proc, step, node.entry, Some(node.depth)),
    };
    let program = system.program();
    let code = &program.code;
    let mut context =
        process.map_or(vec![], |p| scope::bindings(code, node.entry, 0, p.registers()));
    context.sort_by_key(|(name, _)| name.name());
    let p = system.execution().proc(node.proc);
    let at = p.actions_at(step) as u32;
    let consumed = match p.actions.get(at as usize).map(|a| a.what()) {
        Some(ActionKind::Receive(signal)) if node.kind == Kind::Receive => Some(signal),
        _ => None,
    };
    let waiting = |d: &&reverl_causal::Delivery| {
        let taken = system.execution().signal(d.signal).receive();
        d.in_mailbox() && d.after_actions() <= at && taken.is_none_or(|i| i >= at)
    };
    let mailbox = p.deliveries.iter().filter(waiting).map(|d| d.signal).collect();
    Receive { span, context, mailbox, consumed }
}

/// The messages that it sent, by any means.
pub fn sent(system: &System, node: &Node) -> Vec<SignalId> {
    let execution = system.execution();
    let p = execution.proc(node.proc);
    let mut found = vec![];
    for action in p.actions.range(p.actions_at(node.from)..p.actions_at(node.to)) {
        let signals = match action.what() {
            ActionKind::Send(k) => k..k + 1,
            ActionKind::Request(answered) => answered.effect.signals.clone(),
            _ => 0..0,
        };
        for k in signals {
            let id = SignalId { from: node.proc, k };
            let signal = execution.signal(id);
            let to_system = signal.to().is_some_and(|to| execution.proc(to).is_system);
            let message = execution.kind(id).is_message();
            if message && !to_system {
                found.push(id);
            }
        }
    }
    found
}

/// The processes that were made within this call.
pub fn spawned(system: &System, node: &Node) -> Vec<ProcId> {
    let p = system.execution().proc(node.proc);
    let actions = p.actions.range(p.actions_at(node.from)..p.actions_at(node.to));
    let child = |a: &reverl_causal::Action| match a.what() {
        ActionKind::Request(answered) => answered.effect.spawned,
        _ => None,
    };
    actions.filter_map(child).collect()
}

/// The variables that a call's head gave their values.
pub fn bound_at_entry(system: &System, node: &Node) -> Vec<(Atom, Term)> {
    let process = system.state_at(node.proc, node.called);
    let program = system.program();
    let code = &program.code;
    // Its clause was chosen without a step.
    scope::bindings(code, process.pc(), 0, process.registers())
}

/// The variables that are bound where a computation reached a receive.
pub fn bound_at_exit(system: &System, node: &Node) -> Vec<(Atom, Term)> {
    let process = system.state_at(node.proc, node.to);
    let program = system.program();
    let code = &program.code;
    scope::bindings(code, process.pc(), 0, process.registers())
}

/// The calls in progress at a step, the innermost first, down to that of the node.
pub fn levels_at(system: &System, node: &Node, step: u64) -> Vec<Level> {
    let process = system.state_at(node.proc, step);
    let own = (process.depth() as u32 + 1).saturating_sub(node.depth) as usize;
    let mut levels = scope::levels(&system.program().code, &process, process.steps());
    levels.truncate(own);
    levels
}

/// The clause that a call chose.
pub fn clause_span(system: &System, node: &Node) -> Span {
    let process = system.state_at(node.proc, node.called);
    let program = system.program();
    let code = &program.code;
    let info = code.fun(node.fun);
    let chosen = info.clauses.iter().rev().find(|(start, _)| *start <= process.pc());
    match chosen {
        Some((_, span)) if code.fun_at(process.pc()) == node.fun => *span,
        _ => info.span,
    }
}
