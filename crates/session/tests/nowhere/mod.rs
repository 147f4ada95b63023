//! Debuggers without a disk.
#![allow(dead_code, reason = "each test file uses a part")]

use reverl_programs::{Length, Program};
use reverl_session::command::{Debugger, Host};
use reverl_session::error::HostError;
use reverl_session::session::{Session, default_schedule};
use reverl_term::Atom;

/// A host without a disk.
pub struct Nowhere;

impl Host for Nowhere {
    fn fresh(&self) -> Result<Session, HostError> {
        Err(HostError::CannotBegin("there is no other program".into()))
    }
    fn save(&self, _: &Session, _: &str) -> Result<(), HostError> {
        Err(HostError::CannotSave("there is no disk".into()))
    }
    fn open(&self, _: &str) -> Result<Session, HostError> {
        Err(HostError::CannotOpen("there is no disk".into()))
    }
}

/// A program of the cupboard before its first step, with its module loaded.
pub fn debugger(program: &str) -> Debugger {
    let row = reverl_programs::named(program);
    let system = row.system();
    system.world().load(Atom::new(row.module()));
    Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere))
}

/// A program of the cupboard that has run so far.
pub fn ran(program: &Program, length: Length) -> Debugger {
    let mut system = program.system();
    let mut schedule = default_schedule();
    reverl_programs::go_on(&mut system, &mut *schedule, length);
    Debugger::new(Session::new(system, schedule), Box::new(Nowhere))
}

/// What a command says.
pub fn said(debugger: &mut Debugger, command: &str) -> String {
    match debugger.command(command) {
        Ok(reply) => reverl_session::text::reply(&reply),
        Err(why) => why.to_string(),
    }
}
