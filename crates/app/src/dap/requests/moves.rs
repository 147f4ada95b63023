//! `continue`, `next`, `stepIn`, `stepOut`, and the ways back: `stepBack` and `reverseContinue`.
//!
//! A step is one of lines unless the client asks for finer ones. `singleThread` is the causal
//! distinction: the process moves alone, or it is said what stands in the way.

use super::super::debugging::{Debugging, Moving};
use super::{Handled, Reaction, Request, process_of};
use reverl_session::command::{Command, ProcessRef, Unit};
use serde::Deserialize;

/// How far a step goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Granularity {
    Statement,
    #[default]
    Line,
    Instruction,
}

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    thread_id: i64,
    #[serde(default)]
    single_thread: bool,
    #[serde(default)]
    granularity: Granularity,
}

impl Arguments {
    /// The finest step is one reduction; lines and statements are one to Erlang.
    fn is_fine(&self) -> bool {
        self.granularity == Granularity::Instruction
    }

    fn moving(&self, command: Command) -> Result<Moving, String> {
        let proc = process_of(self.thread_id)?;
        Ok(Moving::of(self.alone(command), Some(proc), "step"))
    }

    fn running(&self, command: Command) -> Result<Moving, String> {
        let proc = process_of(self.thread_id)?;
        let moving = Moving::run(self.alone(command), Some(proc), "pause");
        // What may be refused is not answered before it is known.
        Ok(Moving { is_answered_at_once: !self.single_thread, ..moving })
    }

    fn alone(&self, command: Command) -> Command {
        match self.single_thread {
            true => Command::Alone { command: Box::new(command) },
            false => command,
        }
    }
}

/// The request `continue`.
pub struct Continue;

impl Request for Continue {
    const COMMAND: &'static str = "continue";
    type Arguments = Arguments;

    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        Ok(Reaction::Move(asked.running(Command::Continue { process: None })?))
    }
}

/// The request `next`.
pub struct Next;

impl Request for Next {
    const COMMAND: &'static str = "next";
    type Arguments = Arguments;

    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        let fine = Command::Step { count: 1, unit: Unit::Step, process: None };
        let line = Command::Next { count: 1, process: None };
        Ok(Reaction::Move(asked.moving(if asked.is_fine() { fine } else { line })?))
    }
}

/// The request `stepIn`.
pub struct StepIn;

impl Request for StepIn {
    const COMMAND: &'static str = "stepIn";
    type Arguments = Arguments;

    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        let unit = if asked.is_fine() { Unit::Step } else { Unit::Line };
        Ok(Reaction::Move(asked.moving(Command::Step { count: 1, unit, process: None })?))
    }
}

/// The request `stepOut`.
pub struct StepOut;

impl Request for StepOut {
    const COMMAND: &'static str = "stepOut";
    type Arguments = Arguments;

    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        Ok(Reaction::Move(asked.moving(Command::Finish { process: None })?))
    }
}

/// The request `stepBack`.
pub struct StepBack;

impl Request for StepBack {
    const COMMAND: &'static str = "stepBack";
    type Arguments = Arguments;

    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        let fine = Command::ReverseStep { count: 1, unit: Unit::Step, process: None };
        let line = Command::ReverseNext { count: 1, process: None };
        Ok(Reaction::Move(asked.moving(if asked.is_fine() { fine } else { line })?))
    }
}

/// The request `reverseContinue`.
pub struct ReverseContinue;

impl Request for ReverseContinue {
    const COMMAND: &'static str = "reverseContinue";
    type Arguments = Arguments;

    /// All processes go back together, unless one is meant alone.
    fn handle(_: &mut Debugging, asked: Arguments) -> Handled {
        let all = !asked.single_thread;
        let alone = ProcessRef::Number(process_of(asked.thread_id)?);
        let process = asked.single_thread.then_some(alone);
        let command = Command::ReverseContinue { all, process };
        Ok(Reaction::Move(asked.running(command)?))
    }
}
