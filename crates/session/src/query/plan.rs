//! What undoing and redoing a target would move, before it is carried out.

use super::asked_place::about;
use super::{Query, Size};
use crate::command::{Debugger, TargetSpec, parse_target};
use crate::error::{NotFound, QueryError};
use crate::session::Session;
use crate::target::{Direction, Goal, resolve};
use reverl_causal::{Cut, ProcId, plan};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much would move, or why nothing would.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlannedMove {
    Moves(Size),
    Error(String),
}

/// What an undo or redo would do, before it is done.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PlannedMoves {
    pub undo: PlannedMove,
    pub redo: PlannedMove,
}

fn planned(
    session: &Session,
    about: ProcId,
    target: &TargetSpec,
    direction: Direction,
) -> PlannedMove {
    let size = match size(session, about, target, direction) {
        Ok(size) => size,
        Err(why) => return PlannedMove::Error(why.to_string()),
    };
    match size {
        Size { events: 0, steps: 0, .. } => PlannedMove::Error("it is already so here".into()),
        size => PlannedMove::Moves(size),
    }
}

fn size(
    session: &Session,
    about: ProcId,
    target: &TargetSpec,
    direction: Direction,
) -> Result<Size, NotFound> {
    let execution = session.execution();
    let target = resolve(session, about, target, direction)?;
    Ok(match (target, direction) {
        (Goal::Everything, Direction::Back) => {
            Size::of_plan(&session.plan_to(Cut::start(execution)))
        }
        (Goal::Everything, Direction::Forward) => {
            Size::of_plan(&session.plan_to(Cut::end(execution)))
        }
        (Goal::Place(cut), _) => Size::of_plan(&session.plan_to(cut)),
        (Goal::One(target), Direction::Back) => {
            Size::of(&plan::undo_extent(execution, &session.cut, target))
        }
        (Goal::One(target), Direction::Forward) => {
            Size::of(&plan::redo_extent(execution, &session.cut, target))
        }
    })
}

/// The plans to undo and to redo this target.
pub fn plans(session: &Session, about: ProcId, target: &TargetSpec) -> PlannedMoves {
    PlannedMoves {
        undo: planned(session, about, target, Direction::Back),
        redo: planned(session, about, target, Direction::Forward),
    }
}

/// A target as it is typed after `undo`, or as data.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(untagged)]
pub enum TypedTarget {
    Data(TargetSpec),
    Text(String),
}

/// Asks what an undo or redo would do.
#[derive(Deserialize, TS)]
pub struct PlanQuery {
    target: TypedTarget,
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for PlanQuery {
    const NAME: &'static str = "plan";
    const HELP: &'static str = "what undoing or redoing a target would move";
    type Answer = PlannedMoves;

    fn answer(&self, debugger: &Debugger) -> Result<PlannedMoves, QueryError> {
        let session = &debugger.session;
        let about = about(session, self.proc)?;
        let target = match &self.target {
            TypedTarget::Data(target) => target.clone(),
            TypedTarget::Text(text) => match parse_target(text) {
                Ok(target) => target,
                Err(why) => {
                    let error = PlannedMove::Error(why.to_string());
                    return Ok(PlannedMoves { undo: error.clone(), redo: error });
                }
            },
        };
        Ok(plans(session, about, &target))
    }
}
