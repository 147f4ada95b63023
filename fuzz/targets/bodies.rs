//! Any bytes as the body of a request of the page: a question about a session, or a command, as
//! text or as data. Commands that look and commands that move are carried out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use reverl_causal::schedule::RoundRobin;
use reverl_programs::{Length, named, run};
use reverl_session::command::{CommandInput, CommandKind, Debugger, Host};
use reverl_session::error::HostError;
use reverl_session::query::{self, VIEWS};
use reverl_session::session::{Session, default_schedule};
use serde_json::Value;

/// A host without a disk.
struct Nowhere;

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

fn debugger() -> Debugger {
    let system = run(named("events/links"), &mut RoundRobin, Length::SHORT);
    Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere))
}

fuzz_target!(|bytes: &[u8]| {
    let Some((view, body)) = bytes.split_first() else { return };
    let mut debugger = debugger();
    if let Ok(asked) = serde_json::from_slice::<Value>(body) {
        let view = &VIEWS[usize::from(*view) % VIEWS.len()];
        let _ = query::ask(&debugger, view.name, asked);
    }
    let text = String::from_utf8_lossy(body).into_owned();
    let typed = CommandInput::Text(text);
    let given = serde_json::from_slice::<CommandInput>(body).ok();
    for input in given.into_iter().chain([typed]) {
        let Ok(command) = input.parse() else { continue };
        if matches!(command.kind(), CommandKind::Looks | CommandKind::Moves) {
            let _ = debugger.carry_out(&command);
        }
    }
});
