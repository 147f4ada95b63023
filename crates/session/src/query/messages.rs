//! Messages that wait: in a mailbox, or on their way.

use super::term::ShownTerm;
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::event_name;
use crate::otp::message::{Protocol, Recognised};
use crate::session::Session;
use crate::viewpoint::Viewpoint;
use crate::{describe, own_place, places};
use reverl_causal::{ProcId, SignalId, System};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Messages beyond this are only counted.
pub const MOST: usize = 200;

/// One message in one line.
#[derive(Clone, Debug, Serialize, TS)]
pub struct MessageRow {
    /// `#84.2`
    pub id: String,
    pub from: ProcRef,
    /// None: it was sent to nobody.
    pub to: Option<ProcRef>,
    /// The event that sent it.
    pub sent: String,
    /// Where it was sent.
    pub at: String,
    /// What it is in OTP's words, `call {take,cheese}`; none of a message as programs write it.
    pub words: Option<String>,
    #[serde(flatten)]
    pub message: ShownTerm,
}

/// Messages with the number of those left out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Messages {
    /// How many there are; the list may have fewer.
    pub count: usize,
    pub messages: Vec<MessageRow>,
}

/// The line of this message.
pub fn row(system: &System, id: SignalId, detail: Detail) -> MessageRow {
    let signal = system.execution().signal(id);
    let sent = places::send_event(system.execution(), id);
    let recognised = Recognised::of(system, id);
    let is_plain = matches!(recognised.protocol, Protocol::Plain | Protocol::Info);
    MessageRow {
        words: (!is_plain).then(|| recognised.words(system)),
        id: describe::signal_name(system, id),
        from: ProcRef::of(system, id.from),
        to: signal.to().map(|to| ProcRef::of(system, to)),
        sent: event_name(sent),
        at: own_place::of_event(system, sent)
            .unwrap_or_else(|| describe::event_place(system, sent)),
        message: ShownTerm::of(&signal.message, detail),
    }
}

fn listed(session: &Session, ids: &[SignalId], most: usize, detail: Detail) -> Messages {
    let rows = ids.iter().take(most).map(|id| row(&session.system, *id, detail));
    Messages { count: ids.len(), messages: rows.collect() }
}

/// What has arrived at a process and waits.
pub fn mailbox(seen: &Viewpoint, proc: ProcId, most: usize, detail: Detail) -> Messages {
    listed(seen.session, &seen.cut.mailbox(seen.execution(), proc), most, detail)
}

/// Some of it.
pub fn mailbox_page(seen: &Viewpoint, proc: ProcId, from: usize, count: usize) -> Vec<MessageRow> {
    let waiting = seen.cut.mailbox(seen.execution(), proc);
    let page = waiting.iter().skip(from).take(count);
    page.map(|id| row(&seen.session.system, *id, Detail::Brief)).collect()
}

/// What is on its way between processes of the program. What the console or the clock has under
/// way does not concern it.
pub fn network(session: &Session, most: usize, detail: Detail) -> Messages {
    let execution = session.execution();
    let mut flying = session.cut.in_flight(execution);
    flying.retain(|id| {
        let to_system = execution.signal(*id).to().is_some_and(|to| execution.proc(to).is_system);
        !to_system && !execution.proc(id.from).is_system
    });
    listed(session, &flying, most, detail)
}

/// Asks which messages are on their way.
#[derive(Deserialize, TS)]
pub struct NetworkQuery {}

impl Query for NetworkQuery {
    const NAME: &'static str = "flying";
    const HELP: &'static str = "signals that are on their way";
    type Answer = Messages;

    fn answer(&self, debugger: &Debugger) -> Result<Messages, QueryError> {
        Ok(network(&debugger.session, MOST, Detail::Brief))
    }
}
