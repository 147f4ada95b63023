//! Events, processes and messages in words.

use crate::ask::own;
use crate::brief;
use crate::event::{EventKind, EventWeight};
use crate::language;
use crate::names;
use crate::otp::message::{Protocol, Recognised};
use crate::otp::start::Start;
use crate::outcome::without_traces;
use crate::query::{Detail, events};
use crate::text;
use reverl_causal::cluster::Disturbance;
use reverl_causal::execution::{Answered, SignalKind};
use reverl_causal::{ActionKind, Chain, EventRef, ProcId, SignalId, System};
use reverl_machine::Program;
use reverl_machine::builtins::nature::{Nature, NodeUse, Registration, Tie};
use reverl_term::{Atom, Term, fmt};

/// A process as it is called in every face: its pid, and its name if it has one.
pub fn pid(system: &System, proc: ProcId) -> String {
    fmt::write(&system.pid(proc))
}

/// The pid with what people call the process.
pub fn who(system: &System, proc: ProcId) -> String {
    format!("{} ({})", pid(system, proc), names::called(system, proc))
}

/// How people name a message: the sender's number and which of its signals it was.
pub fn signal_name(system: &System, id: SignalId) -> String {
    format!("#{}.{}", system.execution().proc(id.from).pid.id, id.k + 1)
}

/// A function as `module:name/arity`.
pub fn mfa((m, f, a): (Atom, Atom, u32)) -> String {
    language::function(m, f, a)
}

/// What a process was started to do. Behind `proc_lib` that is what OTP's own reports call the
/// initial call.
pub fn initial_call(system: &System, proc: ProcId) -> String {
    mfa(first_function(system, proc))
}

/// The same as module, name and arity.
pub fn first_function(system: &System, proc: ProcId) -> (Atom, Atom, u32) {
    let Start { module, name, arity, .. } = Start::of(system, proc);
    (module, name, arity)
}

/// `file:line` of an instruction.
pub fn place(system: &System, pc: u32) -> String {
    let program = system.program();
    let code = &program.code;
    match code.ins.get(pc as usize).and_then(|_| code.sources.shown_at(code.span_at(pc))) {
        Some((file, line)) => format!("{file}:{line}"),
        None => String::new(),
    }
}

/// The kind of an event.
pub fn kind(system: &System, event: EventRef) -> EventKind {
    match system.execution().action(event).map(|a| a.what()) {
        None => EventKind::Deliver,
        Some(ActionKind::Send(_)) => EventKind::Send,
        Some(ActionKind::Receive(_)) => EventKind::Receive,
        Some(ActionKind::Timeout) => EventKind::Timeout,
        Some(ActionKind::Assign(_)) => EventKind::Assign,
        Some(ActionKind::Exit(_)) => EventKind::Exit,
        Some(ActionKind::Request(answered)) => kind_of_request(answered.nature()),
    }
}

fn kind_of_request(nature: Nature) -> EventKind {
    match nature {
        Nature::Spawn | Nature::SpawnMonitor => EventKind::Spawn,
        Nature::Send => EventKind::Send,
        Nature::Name(Registration::Register) => EventKind::Register,
        Nature::Name(Registration::Unregister) => EventKind::Unregister,
        Nature::Output => EventKind::Output,
        Nature::Exit | Nature::Tie(Tie::Link | Tie::Unlink | Tie::Monitor | Tie::Demonitor) => {
            EventKind::Signal
        }
        Nature::Table(_) => EventKind::Table,
        _ => EventKind::Call,
    }
}

/// Whether an event matters to whoever wrote the program, or only to the library that did it:
/// monitors, names, tables and acknowledgements of OTP are its own affair.
pub fn weight(system: &System, event: EventRef) -> EventWeight {
    let of_signal = |id: SignalId| match system.execution().kind(id) {
        SignalKind::Link
        | SignalKind::Unlink
        | SignalKind::Monitor
        | SignalKind::Demonitor
        | SignalKind::GroupLeader
        | SignalKind::Unsent => EventWeight::Internal,
        SignalKind::Exit { .. } | SignalKind::Down | SignalKind::Timer => EventWeight::Main,
        SignalKind::Message | SignalKind::AliasMessage(..) => {
            match Recognised::of(system, id).protocol {
                Protocol::Started | Protocol::Io | Protocol::System => EventWeight::Internal,
                _ => EventWeight::Main,
            }
        }
    };
    if let Some(id) = message_of(system, event) {
        return of_signal(id);
    }
    match kind(system, event) {
        EventKind::Spawn | EventKind::Exit | EventKind::Output | EventKind::Assign => {
            EventWeight::Main
        }
        _ => {
            let program = system.program();
            let pc = system.execution().action(event).map(|action| action.pc);
            let module = pc.map(|pc| program.code.fun(program.code.fun_at(pc)).module);
            match module.is_some_and(|module| own::is_own_module(&program.code, module)) {
                true => EventWeight::Main,
                false => EventWeight::Internal,
            }
        }
    }
}

/// The message of a send, delivery or receive.
pub fn message_of(system: &System, event: EventRef) -> Option<SignalId> {
    let execution = system.execution();
    match event.chain() {
        Chain::Delivery => {
            Some(execution.proc(event.proc).deliveries[event.index() as usize].signal)
        }
        Chain::Action => match execution.action(event)?.what() {
            ActionKind::Send(k) => Some(SignalId { from: event.proc, k }),
            ActionKind::Receive(signal) => Some(signal),
            ActionKind::Request(a) if kind(system, event) == EventKind::Send => {
                a.effect.signals.clone().next().map(|k| SignalId { from: event.proc, k })
            }
            _ => None,
        },
    }
}

/// A signal in words, with its name.
pub fn signal_text(system: &System, id: SignalId) -> String {
    let name = signal_name(system, id);
    match system.execution().kind(id) {
        SignalKind::Message
        | SignalKind::AliasMessage(..)
        | SignalKind::Timer
        | SignalKind::Down => format!("{} {name}", Recognised::of(system, id).words(system)),
        SignalKind::Exit { reason, .. } => {
            format!("exit signal {} {name}", short(&without_traces(reason)))
        }
        SignalKind::Link => format!("link {name}"),
        SignalKind::Unlink => format!("unlink {name}"),
        SignalKind::Monitor => format!("monitor {name}"),
        SignalKind::Demonitor => format!("demonitor {name}"),
        SignalKind::GroupLeader => format!("group leader {name}"),
        SignalKind::Unsent => name,
    }
}

/// A term on one line, cut where it is long.
pub fn short(term: &Term) -> String {
    let (text, cut) = brief::line(term, 120);
    if cut { text + "..." } else { text }
}

/// What an event was, without who and where.
pub fn what(system: &System, event: EventRef) -> String {
    let execution = system.execution();
    if event.chain() == Chain::Delivery {
        let d = execution.proc(event.proc).deliveries[event.index() as usize];
        let from = who(system, d.signal.from);
        return format!("is delivered {} from {from}", signal_text(system, d.signal));
    }
    let to = |id: SignalId| match execution.signal(id).to() {
        Some(to) => who(system, to),
        None => "nobody".into(),
    };
    match execution.action(event).map(|a| a.what()) {
        Some(ActionKind::Send(k)) => {
            let id = SignalId { from: event.proc, k };
            format!("sends {} to {}", signal_text(system, id), to(id))
        }
        Some(ActionKind::Receive(id)) => {
            format!("receives {} from {}", signal_text(system, id), who(system, id.from))
        }
        Some(ActionKind::Timeout) => "times out".into(),
        Some(ActionKind::Assign(assigned)) => {
            format!("is given {} = {}", assigned.name.name(), short(&assigned.value))
        }
        Some(ActionKind::Exit(exited)) => match &exited.value {
            Some(value) => format!("exits normally with {}", short(value)),
            None => format!("exits: {}", short(&without_traces(&exited.reason))),
        },
        Some(ActionKind::Request(answered)) => request_text(system, event, answered),
        None => "is not there".into(),
    }
}

fn request_text(
    system: &System,
    event: EventRef,
    answered: &reverl_causal::execution::Answered,
) -> String {
    if let Nature::Node(used) = answered.nature() {
        if let Some(text) = node_text(used, answered) {
            return text;
        }
    }
    if let Some(child) = answered.effect.spawned {
        let entry = mfa(system.execution().proc(child).entry.mfa());
        let node = system.execution().node_of(child);
        let elsewhere = match node == system.execution().node_of(event.proc) {
            true => String::new(),
            false => format!(" on {}", system.name_of_node(node).name()),
        };
        return format!("spawns {} running {entry}{elsewhere}", pid(system, child));
    }
    if let Some(text) = &answered.effect.output {
        return format!("prints {text:?}");
    }
    if let (Some(id), EventKind::Send) = (message_of(system, event), kind(system, event)) {
        let to = system.execution().signal(id).to().map_or("nobody".into(), |to| who(system, to));
        return format!("sends {} to {to}", signal_text(system, id));
    }
    let named = |module: &str, name: &str| match module {
        "erlang" | "reverl" => name.to_string(),
        _ => format!("{module}:{name}"),
    };
    let (call, args) = match (answered.builtin, answered.args.as_slice()) {
        (Answered::SEND, args) => ("send".to_string(), args.to_vec()),
        // A call that a recording answered.
        (_, [module, name, args]) if answered.nature() == Nature::StandIn => {
            let text = |t: &Term| t.as_atom().map_or("", |a| a.name());
            (named(text(module), text(name)), args.to_vec().unwrap_or_default())
        }
        (b, args) => (named(Program::builtin(b).module, Program::builtin(b).name), args.to_vec()),
    };
    let args: Vec<String> = args.iter().map(short).collect();
    let answer = match &answered.answer {
        Ok(value) => short(value),
        Err(raise) => format!("{}:{}", raise.class.atom().name(), short(&raise.reason)),
    };
    format!("{call}({}) = {answer}", args.join(", "))
}

/// What a process does with nodes, or what happens to its own.
fn node_text(used: NodeUse, answered: &Answered) -> Option<String> {
    let answer = answered.answer.as_ref().ok()?;
    let node = || answered.args.first().map(short).unwrap_or_default();
    let is_done = !answer.is_atom_eq(reverl_term::atoms::FALSE);
    Some(match used {
        NodeUse::Start if answer.as_tuple()?.first()?.is_atom_eq(reverl_term::atoms::OK) => {
            format!("starts node {}", node())
        }
        NodeUse::Stop if is_done => format!("stops node {}", node()),
        NodeUse::Connect if is_done => format!("connects to {}", node()),
        NodeUse::Disconnect if is_done => format!("disconnects from {}", node()),
        NodeUse::Fate => {
            let (kind, others) = Disturbance::told(answer)?;
            let others: Vec<&str> = others.iter().map(|other| other.name()).collect();
            let others = others.join(", ");
            match kind {
                Disturbance::Lost => format!("loses its connection to {others}"),
                Disturbance::Cut => format!("is cut off from {others}"),
                Disturbance::Healed => format!("can reach {others} again"),
            }
        }
        _ => return None,
    })
}

/// Where an event happened in the source; of a delivery, where its signal was sent.
pub fn event_place(system: &System, event: EventRef) -> String {
    let execution = system.execution();
    match event.chain() {
        Chain::Action => execution.action(event).map_or(String::new(), |a| place(system, a.pc)),
        Chain::Delivery => {
            let id = execution.proc(event.proc).deliveries[event.index() as usize].signal;
            let sent_by = execution.signal(id).sent_by() as usize;
            match execution.proc(id.from).actions.get(sent_by) {
                Some(action) => place(system, action.pc),
                None => String::new(),
            }
        }
    }
}

/// The step of its process at which an event happened.
pub fn step_of(system: &System, event: EventRef) -> u64 {
    let p = system.execution().proc(event.proc);
    match event.chain() {
        Chain::Action => p.actions[event.index() as usize].step,
        Chain::Delivery => {
            let after = p.deliveries[event.index() as usize].after_actions() as usize;
            after.checked_sub(1).map_or(0, |i| p.actions[i].step)
        }
    }
}

/// One line: who, at which step, what, where.
pub fn event_line(system: &System, event: EventRef) -> String {
    text::event_line(&events::told_row(system, event, Detail::Brief))
}
