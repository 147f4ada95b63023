//! The event that a person looks at, with its causes and consequences.

use super::Size;
use super::near::near;
use crate::session::Session;
use reverl_causal::plan::{self, Target};
use reverl_causal::{Cut, EventRef, ProcId};
use std::rc::Rc;

/// The causes and consequences of one event, for the length of the execution they were found in.
pub struct Selection {
    pub event: EventRef,
    branch: String,
    length: usize,
    pub(super) past: Cut,
    pub causes: usize,
    /// Everything but the consequences.
    pub(super) rest: Cut,
    /// The processes that have to do with it, the nearest first.
    pub near: Vec<ProcId>,
    /// What undoing it from the end takes along, itself included.
    pub undone: Size,
}

impl Selection {
    /// Found once, as long as nothing more happens.
    pub fn of(session: &Session, event: EventRef) -> Rc<Selection> {
        let execution = session.execution();
        let (branch, length) = (session.branch_name(), execution.event_count());
        let mut kept = session.cache.selection.borrow_mut();
        let known =
            kept.take().filter(|s| s.event == event && s.branch == branch && s.length == length);
        let known = known.unwrap_or_else(|| {
            let target = Target::Event(event);
            let causes = plan::redo_extent(execution, &Cut::start(execution), target);
            let consequences = plan::undo_extent(execution, &Cut::end(execution), target);
            Rc::new(Selection {
                event,
                branch: branch.to_string(),
                length,
                past: causes.to,
                causes: causes.events.saturating_sub(1),
                near: near(session, event),
                undone: Size::of(&consequences),
                rest: consequences.to,
            })
        });
        *kept = Some(known.clone());
        known
    }
}
