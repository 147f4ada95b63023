//! Which of several values it was: each is replaced by a mark, and the process is replayed to see
//! which mark arrives.
//!
//! Two values that are equal by chance cannot be told apart by looking at them. A mark can only
//! arrive by being handed on, so what it says is exact. Where marks change what the process does,
//! they say nothing.

use super::path::{self, Inside, Path};
use crate::scope;
use reverl_causal::replay::Replay;
use reverl_causal::{ProcId, System};
use reverl_lang::code::Op;
use reverl_machine::mailbox::{Message, MessageId};
use reverl_machine::{Process, Stop};
use reverl_term::{Atom, Ref, Term, atoms, exact_eq};

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

impl Arrival {
    /// A part of what arrived.
    pub fn inside(&self, part: Inside) -> Arrival {
        let longer = |path: &Path| [path.clone(), vec![part.clone()]].concat();
        match self {
            Arrival::Variable { step, name, path } => {
                Arrival::Variable { step: *step, name: *name, path: longer(path) }
            }
            Arrival::Action { step, path } => Arrival::Action { step: *step, path: longer(path) },
        }
    }

    fn path(&self) -> &Path {
        match self {
            Arrival::Variable { path, .. } | Arrival::Action { path, .. } => path,
        }
    }
}

/// A place within a variable.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: Atom,
    pub path: Path,
}

/// Variables that may have held a value, and what it is.
pub struct Candidates<'v> {
    variables: Vec<&'v (Atom, Term)>,
    value: &'v Term,
}

impl<'v> Candidates<'v> {
    /// Those of these variables that have the value, or have it inside.
    pub fn among(variables: &'v [(Atom, Term)], value: &'v Term) -> Candidates<'v> {
        let has_it = |(_, held): &&(Atom, Term)| path::contains(held, value);
        Candidates { variables: variables.iter().filter(has_it).collect(), value }
    }

    /// The only place there is, if there is only one.
    pub fn single(&self) -> Option<Place> {
        let [(name, held)] = self.variables.as_slice() else { return None };
        match path::places(held, self.value, 2).as_slice() {
            [path] => Some(Place { name: *name, path: path.clone() }),
            _ => None,
        }
    }

    /// The place, if a whole term was handed on: then it is the same within it as on arrival. Most
    /// often it is so, and of a large term not every place has to be marked.
    fn handed_on(&self, path: &Path, arrives: impl Fn(&[Marked]) -> Option<Term>) -> Option<Place> {
        let at_path = |(i, (name, held)): (usize, &&(Atom, Term))| {
            path::part(held, path).filter(|part| exact_eq(part, self.value))?;
            Some(Marked { name: *name, term: path::with(held, path, &mark(i, 0))? })
        };
        let marked: Vec<Marked> = self.variables.iter().enumerate().filter_map(at_path).collect();
        let (variable, _) = numbers_of(&arrives(&marked)?)?;
        Some(Place { name: self.variables.get(variable)?.0, path: path.clone() })
    }

    /// Which of the places it was: first with all of them marked, and if that changes what is done,
    /// with those of one variable at a time, and then one by one.
    fn found_by(&self, arrives: impl Fn(&[Marked]) -> Option<Term>) -> Option<Place> {
        let all = |number: usize, (name, held): &(Atom, Term)| Marked {
            name: *name,
            term: path::with_all(held, self.value, &|place| mark(number, place)),
        };
        let variables = || self.variables.iter().copied().enumerate();
        let try_with = |marked: &[Marked]| self.place(&arrives(marked)?);
        let together: Vec<Marked> = variables().map(|(i, v)| all(i, v)).collect();
        let each = || variables().take(MOST_TRIALS);
        try_with(&together).or_else(|| each().find_map(|(i, v)| try_with(&[all(i, v)]))).or_else(
            || {
                each().find_map(|(i, (name, held))| {
                    let places = path::places(held, self.value, MOST_TRIALS);
                    places.iter().enumerate().find_map(|(place, path)| {
                        let term = path::with(held, path, &mark(i, place))?;
                        try_with(&[Marked { name: *name, term }])
                    })
                })
            },
        )
    }

    /// The place whose mark this is.
    fn place(&self, arrived: &Term) -> Option<Place> {
        let (variable, place) = numbers_of(arrived)?;
        let (name, held) = self.variables.get(variable)?;
        let path = path::places(held, self.value, place + 1).pop()?;
        Some(Place { name: *name, path })
    }
}

/// A variable with marks in its value.
struct Marked {
    name: Atom,
    term: Term,
}

/// A value that no program has, for a place of a variable.
fn mark(variable: usize, place: usize) -> Term {
    let words = [place as u32, variable as u32, u32::MAX];
    Term::reference(Ref { node: atoms::NONODE, creation: u32::MAX, words, maker: [0; 2] })
}

/// The variable and place of a mark.
fn numbers_of(term: &Term) -> Option<(usize, usize)> {
    let found = term.as_reference().filter(|r| r.creation == u32::MAX)?;
    Some((found.words[1] as usize, found.words[0] as usize))
}

/// Which of the candidates at a position the value at its arrival was.
pub fn arriving(
    system: &System,
    proc: ProcId,
    from: u64,
    candidates: &Candidates,
    arrival: &Arrival,
) -> Option<Place> {
    let arrives = |marked: &[Marked]| replayed(system, proc, from, marked, arrival);
    candidates.handed_on(arrival.path(), arrives).or_else(|| candidates.found_by(arrives))
}

/// Which of the candidates is what an expression over variables takes out of them.
pub fn taken(
    bound: &[(Atom, Term)],
    candidates: &Candidates,
    evaluate: impl Fn(Vec<Term>) -> Option<Term>,
) -> Option<Place> {
    candidates.found_by(|marked| {
        let value = |(name, value): &(Atom, Term)| {
            let other = marked.iter().find(|marked| marked.name == *name);
            other.map_or(value, |other| &other.term).clone()
        };
        evaluate(bound.iter().map(value).collect())
    })
}

/// Whether what a function returns at a position is what arrives.
pub fn is_result(system: &System, proc: ProcId, step: u64, arrival: &Arrival) -> bool {
    let mut replay = system.nearest(proc, step);
    replay.run_to(system, step);
    let op = system.program().code.ins.get(replay.process.pc() as usize).map(|ins| ins.op);
    let Some(Op::Return { a }) = op else { return false };
    replay.process.set_registers(&[(a, mark(0, 0))]);
    arrived(system, proc, &mut replay, arrival).is_some_and(|term| numbers_of(&term).is_some())
}

/// Replays a process with marks in its variables, and takes what is at the arrival.
fn replayed(
    system: &System,
    proc: ProcId,
    from: u64,
    marked: &[Marked],
    arrival: &Arrival,
) -> Option<Term> {
    let mut replay = system.nearest(proc, from);
    replay.run_to(system, from);
    set_marks(system, &mut replay.process, from, marked)?;
    arrived(system, proc, &mut replay, arrival)
}

/// What is at the arrival when a process goes on to there.
fn arrived(system: &System, proc: ProcId, replay: &mut Replay, arrival: &Arrival) -> Option<Term> {
    match arrival {
        Arrival::Variable { step, name, path } => {
            replay.try_to(system, *step).ok()?;
            variable(system, proc, &replay.process, *step, *name, path)
        }
        Arrival::Action { step, path } => path::part(&done_at(system, replay, *step)?, path),
    }
}

fn set_marks(system: &System, process: &mut Process, step: u64, marked: &[Marked]) -> Option<()> {
    let variables = scope::variables_at(&system.program().code, process, step);
    for Marked { name, term } in marked {
        let (_, register) = variables.iter().find(|(bound, _)| bound == name)?;
        process.set_registers(&[(*register, term.clone())]);
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

/// What the function returns that a process returns from at a position.
pub fn result_at(system: &System, proc: ProcId, step: u64) -> Option<Term> {
    let process = system.state_at(proc, step);
    match system.program().code.ins.get(process.pc() as usize)?.op {
        Op::Return { a } => process.registers().get(a as usize).cloned(),
        _ => None,
    }
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
    let name = Atom::new("message");
    let message = [(name, message.clone())];
    let candidates = Candidates::among(&message, value);
    let found = candidates.single().or_else(|| {
        candidates.found_by(|marked| {
            let term = marked.first()?.term.clone();
            let mut process = system.state_at(proc, step.checked_sub(1)?);
            receive(system, &mut process, step, Message { id: MessageId(u64::MAX), term })?;
            variable(system, proc, &process, step, arrival.0, arrival.1)
        })
    });
    found.map(|place| place.path)
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
