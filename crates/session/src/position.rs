//! Where a session is, to be gone back to: a position in memory, or a text from an address.

use crate::session::Session;
use reverl_causal::plan::{self, Target};
use reverl_causal::{Cut, EventRef, ProcId};
use thiserror::Error;

/// A branch and a cut of it: what a move goes from and to.
#[derive(Clone, PartialEq)]
pub struct Position {
    pub branch: String,
    pub cut: Cut,
    pub current: ProcId,
}

impl Position {
    /// The position a session stands at.
    pub fn of(session: &Session) -> Position {
        let branch = session.branch_name().to_string();
        Position { branch, cut: session.cut.clone(), current: session.current }
    }

    /// Executions only grow, so a position that was, can be again.
    pub fn restore(self, session: &mut Session) {
        if session.switch_branch(&self.branch).is_ok() {
            session.cut = self.cut;
            session.current = self.current;
        }
    }
}

/// A text that names no place of the session.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAPlace {
    #[error("there is no branch '{0}' in this session")]
    Branch(String),
    #[error("'{0}' is not a place")]
    Cut(String),
}

/// The text of where a session stands.
pub fn place_text(session: &Session) -> String {
    let places = session.execution().ids().map(|proc| {
        let place = session.place(proc);
        format!("{}.{}.{}", proc.0, place.steps, place.deliveries)
    });
    places.collect::<Vec<_>>().join("~")
}

/// Goes to a branch and to the greatest cut that is nowhere beyond what the text says.
pub fn apply_place(session: &mut Session, branch: &str, text: &str) -> Result<(), NotAPlace> {
    session.switch_branch(branch).map_err(|_| NotAPlace::Branch(branch.into()))?;
    session.cut = cut_of(session, text)?;
    Ok(())
}

/// The greatest cut that is nowhere beyond what the text says. A text from elsewhere can say
/// anything: what comes out is always a consistent cut.
pub fn cut_of(session: &Session, text: &str) -> Result<Cut, NotAPlace> {
    let bad = || NotAPlace::Cut(text.into());
    let mut cut = Cut::end(session.execution());
    let parts = text.split('~').filter(|part| !part.is_empty() && *part != "end");
    for part in parts {
        let mut numbers = part.split('.').map(|n| n.parse::<u64>().map_err(|_| bad()));
        let mut next = || numbers.next().ok_or_else(bad)?;
        let (proc, steps, deliveries) = (next()?, next()?, next()?);
        let execution = session.execution();
        let known = execution.procs().get(proc as usize).is_some_and(|p| p.is_spawned);
        if !known {
            return Err(bad());
        }
        let proc = ProcId(proc as u32);
        if cut.place(proc).steps > steps {
            cut = plan::undo(execution, &cut, Target::Steps(proc, steps)).to;
        }
        if u64::from(cut.place(proc).deliveries) > deliveries {
            let first = EventRef::delivery(proc, deliveries as usize);
            cut = plan::undo(execution, &cut, Target::Event(first)).to;
        }
    }
    Ok(cut)
}
