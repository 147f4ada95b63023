//! Several processes at the cut: in which state each is, on which line, how many messages wait.

use super::process::{ProcessRow, mailbox_length, row};
use super::{Query, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::session::Session;
use reverl_causal::ProcId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Processes of one answer to a page.
const MOST: usize = 300;

/// The processes, with the number of those left out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ProcessList {
    /// The process that commands are about.
    pub current: u32,
    pub processes: Vec<ProcessRow>,
}

fn listed(session: &Session, procs: impl Iterator<Item = ProcId>) -> ProcessList {
    let processes = procs.map(|p| row(&session.now(), p)).collect();
    ProcessList { current: session.current.0, processes }
}

/// The program's own processes that are there at the cut.
pub fn own(session: &Session) -> ProcessList {
    let execution = session.execution();
    let here = |p: &ProcId| !execution.proc(*p).is_system && session.cut.is_spawned(execution, *p);
    listed(session, execution.ids().filter(here))
}

/// A process of another branch is none here: it is left out.
#[derive(Deserialize, TS)]
pub struct RowsQuery {
    ids: Vec<u32>,
}

impl Query for RowsQuery {
    const NAME: &'static str = "rows";
    const HELP: &'static str = "state and line of some processes";
    type Answer = ProcessList;

    fn answer(&self, debugger: &Debugger) -> Result<ProcessList, QueryError> {
        let session = &debugger.session;
        let known = |n: &u32| process_numbered(session.execution(), *n).ok();
        Ok(listed(session, self.ids.iter().take(MOST).filter_map(known)))
    }
}

/// Process and number of messages, for every process.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Mailboxes {
    pub mailboxes: Vec<(u32, usize)>,
}

/// Asks for the mailboxes that are not empty.
#[derive(Deserialize, TS)]
pub struct MailboxesQuery {}

impl Query for MailboxesQuery {
    const NAME: &'static str = "mailboxes";
    const HELP: &'static str = "how many messages wait, for all processes";
    type Answer = Mailboxes;

    fn answer(&self, debugger: &Debugger) -> Result<Mailboxes, QueryError> {
        let session = &debugger.session;
        let execution = session.execution();
        let count = |p: ProcId| match session.cut.is_spawned(execution, p) {
            true => (p.0, mailbox_length(&session.now(), p)),
            false => (p.0, 0),
        };
        Ok(Mailboxes { mailboxes: execution.ids().map(count).collect() })
    }
}
