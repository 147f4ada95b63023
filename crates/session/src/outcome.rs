//! How a run ended, as every face tells it.

use reverl_causal::execution::SignalKind;
use reverl_causal::{Cut, EventRef, ProcId, SignalId, System};
use reverl_term::{Atom, Term, fmt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Finished,
    /// The main process waits for ever.
    Deadlock,
    /// The main process ended with an exception or an exit signal.
    Crashed,
    /// A bound on the steps was reached.
    Limit,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Finished => "finished",
            Verdict::Deadlock => "deadlock",
            Verdict::Crashed => "crashed",
            Verdict::Limit => "limit",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Exited,
    Blocked,
    Running,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Exited => "exited",
            Status::Blocked => "blocked",
            Status::Running => "running",
        }
    }
}

pub fn status(system: &System, proc: ProcId) -> Status {
    if system.has_exited(proc) {
        Status::Exited
    } else if system.live(proc).process.is_waiting() {
        Status::Blocked
    } else {
        Status::Running
    }
}

/// What the whole run came to; `limited` if it was stopped before nothing could happen.
pub fn verdict(system: &System, limited: bool) -> Verdict {
    match system.execution.proc(system.main).exit() {
        Some(exited) if is_normal(&exited.reason) => Verdict::Finished,
        Some(_) => Verdict::Crashed,
        None if system.halted().is_some() => match system.halted() {
            Some(0) => Verdict::Finished,
            _ => Verdict::Crashed,
        },
        None if limited => Verdict::Limit,
        None => Verdict::Deadlock,
    }
}

/// An exit that is nobody's fault.
pub fn is_normal(reason: &Term) -> bool {
    let named = |t: &Term| t.as_atom().is_some_and(|a| matches!(a.name(), "normal" | "shutdown"));
    named(reason)
        || reason.as_tuple().is_some_and(|t| t.len() == 2 && t[0].is_atom_eq(Atom::new("shutdown")))
}

/// `file:line` where a live process is, or where it ended.
pub fn place(system: &System, proc: ProcId) -> String {
    let code = &system.program.code;
    let mut span = code.span_at(system.live(proc).process.pc());
    if let Some(e) = system.execution.proc(proc).exit().and_then(|e| e.exception.as_ref()) {
        if let Some(at) = first_frame(&reverl_machine::raise::show_trace(code, &e.trace)) {
            return at;
        }
    }
    // A process that has not run yet, or has run to its end, is where its function is.
    let boot = |s| code.sources.get(s).is_some_and(|f| f.name.starts_with("reverl_boot"));
    if boot(span.file) {
        let (m, f, a) = system.execution.proc(proc).entry.mfa();
        if let Some(fun) = system.program.function(m, f, a) {
            span = code.fun(fun).span;
        }
    }
    match code.sources.shown_at(span) {
        Some((file, line)) => format!("{file}:{line}"),
        None => String::new(),
    }
}

/// The first place that a stack trace names.
fn first_frame(trace: &Term) -> Option<String> {
    for entry in trace.to_vec()? {
        let parts = entry.as_tuple()?;
        let location = parts.get(3)?.to_vec()?;
        let of = |key: &str| {
            let is_it = |t: &&Term| t.as_tuple().is_some_and(|p| p[0].is_atom_eq(Atom::new(key)));
            location.iter().find(is_it).and_then(|t| t.as_tuple().map(|p| p[1].clone()))
        };
        if let (Some(file), Some(line)) = (of("file"), of("line")) {
            let file: String = file
                .to_vec()?
                .iter()
                .filter_map(|c| char::from_u32(c.as_small()? as u32))
                .collect();
            return Some(format!("{file}:{}", line.as_small()?));
        }
    }
    None
}

/// A message that was never received.
pub struct Unreceived {
    pub signal: SignalId,
    pub from: ProcId,
    pub to: Option<ProcId>,
    pub message: Term,
    /// Where it was sent.
    pub at: String,
}

/// Messages sent but never delivered (lost), and delivered but never received (orphans), of the
/// whole execution (paper 004, section 2).
pub fn unreceived(system: &System) -> (Vec<Unreceived>, Vec<Unreceived>) {
    let execution = &system.execution;
    let (mut lost, mut orphans) = (vec![], vec![]);
    for from in execution.ids().filter(|p| !execution.proc(*p).is_system) {
        for (k, signal) in execution.proc(from).signals.iter().enumerate() {
            let is_message = matches!(
                signal.kind(),
                SignalKind::Message | SignalKind::AliasMessage(_) | SignalKind::Timer
            );
            let to_system = signal.to().is_some_and(|to| execution.proc(to).is_system);
            if !is_message || signal.receive().is_some() || to_system {
                continue;
            }
            let signal_id = SignalId { from, k: k as u32 };
            let found = Unreceived {
                signal: signal_id,
                from,
                to: signal.to(),
                message: signal.message.clone(),
                at: String::new(),
            };
            if signal.delivery().is_some() { orphans.push(found) } else { lost.push(found) }
        }
    }
    (lost, orphans)
}

/// All output of the execution, in order.
pub fn output(system: &System, cut: Option<&Cut>) -> String {
    let mut text = String::new();
    for event in &system.execution.order {
        if let Some(out) = output_of(system, *event) {
            if cut.is_none_or(|cut| cut.contains(&system.execution, *event)) {
                text.push_str(out);
            }
        }
    }
    text
}

/// What an event printed.
pub fn output_of(system: &System, event: EventRef) -> Option<&str> {
    match &system.execution.action(event)?.what {
        reverl_causal::What::Request(answered) => answered.effect.output.as_deref(),
        _ => None,
    }
}

/// A term on one line, as `~0p` prints it.
pub fn show(term: &Term) -> String {
    fmt::format_string("~0tp", std::slice::from_ref(term)).unwrap_or_else(|_| fmt::write(term))
}
