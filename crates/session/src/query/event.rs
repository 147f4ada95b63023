//! One event: what it was, what it depends on, and what can be done about it, with the size of
//! what would move.

use super::events::{self, EventRow};
use super::races::{self, RacingMessage};
use super::selection::Selection;
use super::term::ShownTerm;
use super::{Detail, Query, Size};
use crate::command::{
    Chosen, Command, Debugger, DeliverWhat, ProcessMoment, ProcessRef, TargetSpec,
};
use crate::describe;
use crate::error::QueryError;
use crate::event::{event_name, event_named};
use crate::places;
use crate::session::Session;
use crate::viewpoint::MomentSpec;
use reverl_causal::plan;
use reverl_causal::{ActionKind, Chain, EventRef, Target};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How another event is related to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    Sent,
    Delivered,
    Received,
}

/// Another event of the same message.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RelatedEvent {
    pub how: Relation,
    pub event: String,
    pub proc: u32,
}

/// A command about the event, and what it would move.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EventChoice {
    pub label: String,
    pub command: Command,
    pub moves: Option<Size>,
}

/// Something else that could be tried here.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WhatIf {
    pub label: String,
    /// What it is about, in more words.
    pub detail: String,
    pub chosen: Chosen,
}

/// One event with its direct causes and consequences.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EventView {
    #[serde(flatten)]
    pub row: EventRow,
    /// Its place in the order of all events.
    pub order: u32,
    pub causes: usize,
    pub consequences: usize,
    pub term: Option<ShownTerm>,
    pub related: Vec<RelatedEvent>,
    pub choices: Vec<EventChoice>,
    /// Of a receive: what it could have taken instead.
    pub racing: Vec<RacingMessage>,
    /// What could be tried instead of it.
    pub what_ifs: Vec<WhatIf>,
}

pub fn whole(session: &Session, event: EventRef) -> EventView {
    let system = &session.system;
    let selection = Selection::of(session, event);
    let message = describe::message_of(system, event);
    let receives =
        matches!(system.execution().action(event).map(|a| a.what()), Some(ActionKind::Receive(_)));
    let racing = if receives { races::of_receive(session, event) } else { vec![] };
    EventView {
        row: events::told_row(system, event, Detail::Brief),
        order: system.execution().order_of(event),
        causes: selection.causes,
        consequences: selection.undone.events.saturating_sub(1),
        term: message
            .map(|id| ShownTerm::of(&system.execution().signal(id).message, Detail::Brief)),
        related: related(session, event),
        choices: choices(session, event, selection.undone),
        what_ifs: what_ifs(session, event, &racing),
        racing,
    }
}

fn what_ifs(session: &Session, event: EventRef, racing: &[RacingMessage]) -> Vec<WhatIf> {
    let system = &session.system;
    let takeable = racing.iter().filter(|other| other.actual).map(|other| WhatIf {
        label: format!("Take {} here instead", other.id),
        detail: other.text.clone(),
        chosen: Chosen::Message(other.id.clone()),
    });
    let mut list: Vec<WhatIf> = takeable.collect();
    let Some(action) = system.execution().action(event) else { return list };
    if let ActionKind::Receive(id) = action.what()
        && system.timeout_at(event.proc, action.step - 1).is_some()
    {
        list.push(WhatIf {
            label: "Time out here instead".into(),
            detail: "as if nothing had come".into(),
            chosen: Chosen::TimeOut(describe::signal_name(system, id)),
        });
    }
    let at = ProcessMoment {
        process: Some(ProcessRef::Number(event.proc.0)),
        moment: Some(MomentSpec::Event { event: event_name(event) }),
    };
    list.push(WhatIf {
        label: "End the process here".into(),
        detail: "as if it had been killed before this".into(),
        chosen: Chosen::Kill { reason: None, at },
    });
    list
}

fn related(session: &Session, event: EventRef) -> Vec<RelatedEvent> {
    let execution = session.execution();
    let Some(id) = describe::message_of(&session.system, event) else { return vec![] };
    let all = [
        (Relation::Sent, Some(places::send_event(execution, id))),
        (Relation::Delivered, places::delivery_event(execution, id)),
        (Relation::Received, places::receive_event(execution, id)),
    ];
    let others = all.into_iter().filter_map(|(how, e)| Some((how, e.filter(|e| *e != event)?)));
    let related = |(how, e)| RelatedEvent { how, event: event_name(e), proc: e.proc.0 };
    others.map(related).collect()
}

/// Commands about this event; `undone` is what undoing it from the end would move.
fn choices(session: &Session, event: EventRef, undone: Size) -> Vec<EventChoice> {
    let execution = session.execution();
    let mut list = vec![];
    let mut add = |label: &str, command: Command, moves: Option<Size>| {
        list.push(EventChoice { label: label.into(), command, moves });
    };
    let target = TargetSpec::Event(event_name(event));
    if session.cut.contains(execution, event) {
        let moves = match session.is_at_end() {
            true => undone,
            false => Size::of(&plan::undo_extent(execution, &session.cut, Target::Event(event))),
        };
        add("Undo to before this", Command::undo(target), Some(moves));
    } else {
        let extent = plan::redo_extent(execution, &session.cut, Target::Event(event));
        add("Replay to after this", Command::redo(target), Some(Size::of(&extent)));
    }
    if event.chain() == Chain::Action {
        let step = describe::step_of(&session.system, event);
        let process = ProcessRef::Number(event.proc.0);
        add("Go to this step", Command::Goto { process, step }, None);
    }
    if let Some(id) = describe::message_of(&session.system, event) {
        let signal = execution.signal(id);
        let sent = session.cut.contains(execution, places::send_event(execution, id));
        let arrived = match (signal.to(), signal.delivery()) {
            (Some(to), Some(i)) => i < session.cut.place(to).deliveries,
            (Some(_), None) => false,
            (None, _) => true,
        };
        if sent && !arrived {
            let message = describe::signal_name(&session.system, id);
            let what = DeliverWhat::Message(message);
            add("Deliver this now", Command::Deliver { what: Some(what) }, None);
        }
    }
    list
}

/// Asks for one event with its causes and consequences.
#[derive(Deserialize, TS)]
pub struct EventQuery {
    event: String,
}

impl Query for EventQuery {
    const NAME: &'static str = "event";
    const HELP: &'static str = "one event and what can be done about it";
    type Answer = EventView;

    fn answer(&self, debugger: &Debugger) -> Result<EventView, QueryError> {
        let session = &debugger.session;
        let event = event_named(session.execution(), &self.event);
        Ok(whole(session, event.ok_or_else(|| QueryError::NoEvent(self.event.clone()))?))
    }
}
