//! Which of several values it was: each is replaced by a mark, and the process is replayed to see
//! which mark arrives.
//!
//! Two values that are equal by chance cannot be told apart by looking at them. A mark can only
//! arrive by being handed on, so what it says is exact. Where marks change what the process does,
//! they say nothing.

use super::path::{self, Path};
use crate::scope;
use reverl_causal::replay::Replay;
use reverl_causal::{ProcId, System};
use reverl_machine::mailbox::{Message, MessageId};
use reverl_machine::{Process, Stop};
use reverl_term::{Atom, Ref, Term, atoms};

/// So many variables are tried one by one.
const MOST_TRIALS: usize = 16;

/// Where a value is looked for after the replay.
pub enum Arrival {
    /// In a variable of the call in progress at a position.
    Variable { step: u64, name: Atom, path: Path },
    /// In what the process does at a position: the message that it sends, or the arguments of what
    /// it asks for, as a list.
    Action { step: u64, path: Path },
}

/// A place that may have been where the value was before.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub name: Atom,
    pub path: Path,
}

/// The places within these variables at which the value is.
pub fn candidates(variables: &[(Atom, Term)], value: &Term) -> Vec<Candidate> {
    let places = |(name, held): &(Atom, Term)| {
        let name = *name;
        path::places(held, value).into_iter().map(move |path| Candidate { name, path })
    };
    variables.iter().flat_map(places).collect()
}

/// A value that no program has.
fn mark(number: usize) -> Term {
    let words = [number as u32, u32::MAX, u32::MAX];
    Term::reference(Ref { node: atoms::NONODE, creation: u32::MAX, words, maker: [0; 2] })
}

fn number_of(term: &Term) -> Option<usize> {
    let found = term.as_reference().filter(|r| r.creation == u32::MAX)?;
    Some(found.words[0] as usize)
}

/// Which of the candidates at a position the value at its arrival was: first with all of them
/// marked, and if that changes what the process does, with those of one variable at a time.
pub fn arriving(
    system: &System,
    proc: ProcId,
    from: u64,
    candidates: &[Candidate],
    arrival: &Arrival,
) -> Option<Candidate> {
    let try_with = |marked: &[Candidate]| {
        let found = number_of(&replayed(system, proc, from, marked, arrival)?)?;
        marked.get(found).cloned()
    };
    if candidates.is_empty() {
        return None;
    }
    try_with(candidates).or_else(|| {
        let mut each = candidates.chunk_by(|a, b| a.name == b.name).take(MOST_TRIALS);
        each.find_map(try_with).or_else(|| {
            let mut single = candidates.iter().take(MOST_TRIALS);
            single.find_map(|candidate| try_with(std::slice::from_ref(candidate)))
        })
    })
}

/// Which of the candidates is what an expression over variables takes out of them.
pub fn taken(
    bound: &[(Atom, Term)],
    candidates: &[Candidate],
    evaluate: impl Fn(Vec<Term>) -> Option<Term>,
) -> Option<Candidate> {
    let try_with = |marked: &[Candidate]| {
        let value = |(name, value): &(Atom, Term)| {
            let mut value = value.clone();
            let own = marked.iter().enumerate().filter(|(_, candidate)| candidate.name == *name);
            for (number, candidate) in own {
                value = path::with(&value, &candidate.path, &mark(number))?;
            }
            Some(value)
        };
        let values: Option<Vec<Term>> = bound.iter().map(value).collect();
        marked.get(number_of(&evaluate(values?)?)?).cloned()
    };
    try_with(candidates).or_else(|| {
        candidates.iter().find_map(|candidate| try_with(std::slice::from_ref(candidate)))
    })
}

/// Replays a process with marks in its variables, and takes what is at the arrival.
fn replayed(
    system: &System,
    proc: ProcId,
    from: u64,
    marked: &[Candidate],
    arrival: &Arrival,
) -> Option<Term> {
    let mut replay = system.nearest(proc, from);
    replay.run_to(system, from);
    set_marks(system, &mut replay.process, from, marked)?;
    match arrival {
        Arrival::Variable { step, name, path } => {
            replay.try_to(system, *step).ok()?;
            variable(system, proc, &replay.process, *step, *name, path)
        }
        Arrival::Action { step, path } => path::part(&done_at(system, &mut replay, *step)?, path),
    }
}

fn set_marks(
    system: &System,
    process: &mut Process,
    step: u64,
    marked: &[Candidate],
) -> Option<()> {
    let program = system.program();
    for (number, candidate) in marked.iter().enumerate() {
        let variables = scope::variables_at(&program.code, process, step);
        let (_, register) = variables.into_iter().find(|(name, _)| *name == candidate.name)?;
        let held = process.registers().get(register as usize)?;
        let other = path::with(held, &candidate.path, &mark(number))?;
        process.set_registers(&[(register, other)]);
    }
    Some(())
}

/// A part of a variable, if the process has come to where it was.
fn variable(
    system: &System,
    proc: ProcId,
    process: &Process,
    step: u64,
    name: Atom,
    path: &Path,
) -> Option<Term> {
    let was = system.state_at(proc, step);
    if (was.pc(), was.depth()) != (process.pc(), process.depth()) {
        return None;
    }
    let bound = scope::bindings_at(&system.program().code, process, step);
    let (_, value) = bound.into_iter().find(|(bound, _)| *bound == name)?;
    path::part(&value, path)
}

/// What a process does at a position: the message that it sends, or the list of the arguments of
/// what it asks for.
fn done_at(system: &System, replay: &mut Replay, step: u64) -> Option<Term> {
    replay.try_to(system, step).ok()?;
    match replay.process.run(&system.program(), step + 1) {
        Stop::Send { message, .. } => Some(message),
        Stop::Request { args, .. } => Some(Term::list(args)),
        _ => None,
    }
}

/// What a process did at a position, as it was.
pub fn action_at(system: &System, proc: ProcId, step: u64) -> Option<Term> {
    let mut replay = system.nearest(proc, step);
    done_at(system, &mut replay, step)
}

/// Where in a message the value is that a variable took out of it at a position.
pub fn in_message(
    system: &System,
    proc: ProcId,
    step: u64,
    message: &Term,
    value: &Term,
    arrival: (Atom, &Path),
) -> Option<Path> {
    let places = path::places(message, value);
    let try_with = |marked: &[Path]| {
        let mark = |term: Term, (number, at): (usize, &Path)| path::with(&term, at, &mark(number));
        let term = marked.iter().enumerate().try_fold(message.clone(), mark)?;
        let mut process = system.state_at(proc, step.checked_sub(1)?);
        receive(system, &mut process, step, Message { id: MessageId(u64::MAX), term })?;
        let found = variable(system, proc, &process, step, arrival.0, arrival.1)?;
        marked.get(number_of(&found)?).cloned()
    };
    if let [only] = places.as_slice() {
        return Some(only.clone());
    }
    try_with(&places).or_else(|| places.iter().find_map(|at| try_with(std::slice::from_ref(at))))
}

/// Runs a process that is about to receive to the position behind it, with this message.
fn receive(system: &System, process: &mut Process, step: u64, message: Message) -> Option<()> {
    let program = system.program();
    let mut message = Some(message);
    loop {
        match process.run(&program, step) {
            Stop::Wait { .. } => process.deliver(message.take()?),
            Stop::Received(_) => {}
            Stop::Limit => return Some(()),
            _ => return None,
        }
    }
}
