//! The built-ins that need more than their own process: each is one row and one function.

mod atomics;
mod clock;
mod code;
mod console;
mod files;
mod flags;
mod info;
mod links;
mod names;
mod nodes;
mod persistent;
mod ports;
mod recorded;
mod settings;
mod spawn;
mod tracing;

pub(crate) use clock::{monotonic_at, timestamp_at};
pub(crate) use code::Editions;
pub(crate) use flags::heap_limit;

use crate::execution::{Effect, EventRef, ProcId};
use crate::object::{Access, Mode};
use crate::system::System;
use reverl_machine::builtins::nature::{Look, Nature, NodeUse, Registration, TimerUse};
use reverl_machine::{Program, Raise};
use reverl_term::{Atom, Term};

/// The answer to a request, and what it did beside.
pub struct Reply {
    /// What the built-in answers.
    pub answer: Result<Term, Raise>,
    /// What it does beside answering.
    pub effect: Effect,
}

impl Reply {
    /// A value and nothing else.
    pub fn value(value: Term) -> Reply {
        Reply { answer: Ok(value), effect: Effect::default() }
    }

    /// An exception and nothing else.
    pub fn raise(raise: Raise) -> Reply {
        Reply { answer: Err(raise), effect: Effect::default() }
    }

    /// `badarg`.
    pub fn badarg() -> Reply {
        Reply::raise(Raise::badarg())
    }

    /// `badarg` with the cause that OTP tells.
    pub fn badarg_because(cause: &str) -> Reply {
        Reply::raise(Raise::badarg_because(cause))
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Reply {
        Reply::value(Term::bool(value))
    }
}

impl From<Result<Reply, Raise>> for Reply {
    fn from(result: Result<Reply, Raise>) -> Reply {
        result.unwrap_or_else(Reply::raise)
    }
}

/// Answers one kind of request.
pub type Handler = fn(&mut System, ProcId, &[Term]) -> Reply;

/// Module, name, arity, what answers it.
pub type Row = (&'static str, &'static str, u16, Handler);

const TABLES: &[&[Row]] = &[
    spawn::TABLE,
    links::TABLE,
    names::TABLE,
    nodes::TABLE,
    info::TABLE,
    clock::TABLE,
    console::TABLE,
    ports::TABLE,
    files::TABLE,
    atomics::TABLE,
    persistent::TABLE,
    recorded::TABLE,
    code::TABLE,
    settings::TABLE,
    tracing::TABLE,
    crate::ets::TABLE,
];

/// For each built-in of the machine, its handler.
pub fn index() -> &'static [Option<Handler>] {
    static INDEX: std::sync::OnceLock<Vec<Option<Handler>>> = std::sync::OnceLock::new();
    INDEX.get_or_init(|| {
        let mut handlers = vec![None; reverl_machine::builtins::all().len()];
        for (module, name, arity, handler) in TABLES.iter().copied().flatten() {
            let found = Program::builtin_number(Atom::new(module), Atom::new(name), *arity);
            let index =
                found.unwrap_or_else(|| panic!("{module}:{name}/{arity} is no system built-in"));
            handlers[index as usize] = Some(*handler);
        }
        handlers
    })
}

impl System {
    /// What a built-in answers a process that only looks; `None` if it would do more than look.
    /// For a copy that nobody goes on with: handlers note in it that somebody has looked.
    pub fn look_aside(
        &mut self,
        proc: ProcId,
        builtin: u32,
        args: &[Term],
    ) -> Option<Result<Term, Raise>> {
        let may_look = match Program::builtin(builtin).nature {
            Nature::Name(name) => name == Registration::Whereis,
            Nature::Timer(timer) => timer == TimerUse::Read,
            // Who is in old code depends on more than a copy of the present has, and tracing counts steps.
            Nature::Look(look) => !matches!(look, Look::CodeUsers | Look::Tracing),
            Nature::Table(_) | Nature::Words(_) | Nature::PersistentTerm => true,
            Nature::Node(used) => used == NodeUse::Look,
            _ => false,
        };
        let handler = index()[builtin as usize].filter(|_| may_look)?;
        let event = EventRef::action(proc, self.execution.proc(proc).actions.len());
        let Reply { answer, effect } = handler(self, proc, args);
        let changes = |access: &Access| access.event == event && access.mode != Mode::Read;
        let mut histories = self.execution.objects().iter();
        let is_change = histories.any(|(_, history)| history.accesses.last().is_some_and(changes));
        let is_quiet = effect.spawned.is_none() && effect.signals.is_empty();
        (is_quiet && !is_change).then_some(answer)
    }

    /// The signals that a request sent.
    pub(crate) fn finish_signals(&self, proc: ProcId, first: u32) -> std::ops::Range<u32> {
        first..self.execution.proc(proc).signals.len() as u32
    }

    pub(crate) fn first_signal(&self, proc: ProcId) -> u32 {
        self.execution.proc(proc).signals.len() as u32
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_built_in_that_the_system_answers_has_a_handler() {
        let handlers = super::index();
        for (builtin, handler) in reverl_machine::builtins::all().iter().zip(handlers) {
            let (module, name, arity) = (builtin.module, builtin.name, builtin.arity);
            assert_eq!(builtin.is_system(), handler.is_some(), "{module}:{name}/{arity}");
        }
    }
}
