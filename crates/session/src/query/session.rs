//! What a session has beside its execution: breakpoints, branches, and the commands that there are.

use super::{ProcRef, Query};
use crate::command::{COMMANDS, CommandRow, Debugger, Lifetime};
use crate::error::QueryError;
use crate::notebook::Mark;
use crate::position::cut_of;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct BreakpointRow {
    pub id: usize,
    /// As it was typed.
    pub text: String,
    pub lifetime: Lifetime,
    /// So many stops it lets pass.
    pub ignored: u64,
    /// What is done at each stop.
    pub commands: Vec<String>,
}

/// The breakpoints.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BreakpointList {
    pub breakpoints: Vec<BreakpointRow>,
}

pub fn breakpoints(debugger: &Debugger) -> BreakpointList {
    let all = debugger.breakpoints().iter();
    BreakpointList { breakpoints: all.map(|b| b.row()).collect() }
}

/// Asks for the breakpoints.
#[derive(Deserialize, TS)]
pub struct BreakpointsQuery {}

impl Query for BreakpointsQuery {
    const NAME: &'static str = "breakpoints";
    const HELP: &'static str = "where runs stop";
    type Answer = BreakpointList;

    fn answer(&self, debugger: &Debugger) -> Result<BreakpointList, QueryError> {
        Ok(breakpoints(debugger))
    }
}

/// One branch.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BranchRow {
    pub name: String,
    pub events: usize,
    pub current: bool,
}

/// The branches of the session.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BranchList {
    pub branches: Vec<BranchRow>,
}

/// The branch that we are on, and then the others.
pub fn branches(session: &Session) -> BranchList {
    let events = session.execution().event_count();
    let here = BranchRow { name: session.branch_name().into(), events, current: true };
    let other = |b: &crate::session::Branch| BranchRow {
        name: b.name.clone(),
        events: b.execution().event_count(),
        current: false,
    };
    let others = session.other_branches().iter().map(other);
    BranchList { branches: std::iter::once(here).chain(others).collect() }
}

/// A moment that has a name.
#[derive(Clone, Debug, Serialize)]
pub struct MarkRow {
    pub name: String,
    pub branch: String,
    /// Of one on this branch: the process that commands were about, and its step.
    pub process: Option<ProcRef>,
    pub step: Option<u64>,
}

/// The moments that have names.
#[derive(Clone, Debug, Serialize)]
pub struct MarkList {
    pub marks: Vec<MarkRow>,
}

/// All marks, in the order in which they were made.
pub fn marks(session: &Session) -> MarkList {
    let row = |mark: &Mark| {
        let is_here = mark.branch == session.branch_name();
        let known = session.execution().ids().find(|p| is_here && p.0 == mark.process);
        let cut = cut_of(session, &mark.place).ok().filter(|_| is_here);
        MarkRow {
            name: mark.name.clone(),
            branch: mark.branch.clone(),
            process: known.map(|proc| ProcRef::of(&session.system, proc)),
            step: known.and_then(|proc| Some(cut?.place(proc).steps)),
        }
    };
    MarkList { marks: session.notebook.marks.iter().map(row).collect() }
}

/// A command as help shows it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CommandHelp {
    pub name: &'static str,
    pub short: Vec<&'static str>,
    pub usage: &'static str,
    /// One way to type it.
    pub example: &'static str,
    pub help: &'static str,
}

/// The commands with what they do.
#[derive(Clone, Debug, Serialize, TS)]
pub struct HelpList {
    pub commands: Vec<CommandHelp>,
}

/// All commands, or one of them.
pub fn help(one: Option<&CommandRow>) -> HelpList {
    let row = |c: &CommandRow| CommandHelp {
        name: c.name,
        short: c.short.to_vec(),
        usage: c.usage,
        example: c.example,
        help: c.help,
    };
    let commands = match one {
        Some(one) => vec![row(one)],
        None => COMMANDS.iter().map(row).collect(),
    };
    HelpList { commands }
}

/// Asks for the commands.
#[derive(Deserialize, TS)]
pub struct HelpQuery {}

impl Query for HelpQuery {
    const NAME: &'static str = "help";
    const HELP: &'static str = "all commands, and how they are typed";
    type Answer = HelpList;

    fn answer(&self, _: &Debugger) -> Result<HelpList, QueryError> {
        Ok(help(None))
    }
}
