//! What travels between the page and the session, beside the questions: actions and progress.
//! `docs/api.md` describes the whole interface.

use super::exploration::ExplorationView;
use reverl_session::command::{CommandInput, CommandKind, MoveKind, Reply};
use reverl_session::dialogue::DialogueStep;
use reverl_session::text;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use ts_rs::TS;

/// Bytes of an answer's data. A page does not want megabytes of one message; a program asks a view
/// for parts.
const MOST_DATA: usize = 1 << 20;

/// What a page asks a session to do.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(try_from = "ActionFields")]
#[ts(untagged)]
pub enum Action {
    /// A command, about a process if one is given.
    Command {
        command: CommandInput,
        #[ts(optional = nullable)]
        proc: Option<u32>,
    },
    /// Takes the last move back, or makes it again.
    Move {
        #[ts(rename = "move")]
        direction: MoveDirection,
    },
    Place {
        place: PlaceSpec,
    },
    /// The declarative dialogue.
    Ask {
        ask: DialogueStep,
    },
}

/// An action as it is sent: the field that is there says what it is, so that what is wrong with it
/// can be said.
#[derive(Deserialize)]
struct ActionFields {
    command: Option<CommandInput>,
    proc: Option<u32>,
    #[serde(rename = "move")]
    direction: Option<MoveDirection>,
    place: Option<PlaceSpec>,
    ask: Option<DialogueStep>,
}

impl TryFrom<ActionFields> for Action {
    type Error = &'static str;

    fn try_from(fields: ActionFields) -> Result<Action, &'static str> {
        let ActionFields { command, proc, direction, place, ask } = fields;
        let command = command.map(|command| Action::Command { command, proc });
        let others = direction.map(|direction| Action::Move { direction });
        let others = others.or(place.map(|place| Action::Place { place }));
        let action = command.or(others).or(ask.map(|ask| Action::Ask { ask }));
        action.ok_or("an action is a command, move, place or ask")
    }
}

/// Which way a move of the page goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum MoveDirection {
    Back,
    Forward,
}

/// A branch and a cut, as the summary names them.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct PlaceSpec {
    pub branch: String,
    pub cut: String,
}

/// What came of an action.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct Done {
    pub ok: bool,
    /// The command as it would be typed.
    pub command: Option<String>,
    /// What kind of command it was.
    pub kind: Option<CommandKind>,
    /// How a move came about.
    pub moved: Option<MoveKind>,
    pub text: String,
    pub error: Option<String>,
    #[ts(type = "unknown")]
    pub data: Value,
    /// The reply itself, for who is not on the other side of a wire.
    #[serde(skip)]
    #[ts(skip)]
    pub reply: Option<Arc<Reply>>,
}

impl Done {
    /// A command that was done and has nothing to say.
    pub fn well() -> Done {
        Done { ok: true, ..Done::default() }
    }

    /// A command that was refused, with the reason.
    pub fn failed(why: impl ToString) -> Done {
        Done { error: Some(why.to_string()), ..Done::default() }
    }

    /// A command that was not carried out.
    pub fn refused(command: &str, kind: CommandKind, why: impl ToString) -> Done {
        Done { command: Some(command.into()), kind: Some(kind), ..Done::failed(why) }
    }

    /// What the page is told of a command's reply.
    pub fn replied(command: &str, kind: CommandKind, reply: Reply) -> Done {
        let data = serde_json::to_value(&reply).expect("an answer is plain data");
        let large = data.to_string().len() > MOST_DATA;
        let moved = match &reply {
            Reply::Move(moved) | Reply::Passed(moved) => Some(moved.moved.clone()),
            _ => None,
        };
        Done {
            ok: true,
            command: Some(command.into()),
            kind: Some(kind),
            moved,
            text: text::reply(&reply),
            error: None,
            data: if large { Value::Null } else { data },
            reply: Some(Arc::new(reply)),
        }
    }
}

/// What is going on.
#[derive(Clone, Debug, Serialize, TS)]
pub struct BusyView {
    pub ticket: u64,
    pub what: String,
    pub seconds: f64,
    pub events: u64,
}

/// How far the session's thread is, and the answer of a ticket when it is there.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Progress {
    pub version: u64,
    pub ticket: Option<u64>,
    /// The answer of the action with this ticket, when there is one.
    pub done: Option<Done>,
    pub busy: Option<BusyView>,
    pub exploration: Option<ExplorationView>,
    /// What the program printed before it began to wait for a line, while it waits.
    pub input: Option<String>,
}

/// Moves of the person that can be taken back, and made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct MoveCounts {
    pub back: usize,
    pub forward: usize,
}

/// The answer of one view.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Seen {
    pub view: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub data: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<String>,
    pub ms: f64,
}

/// The answer of a query that was typed as a command.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Looked {
    pub version: u64,
    pub moves: MoveCounts,
    pub answers: Vec<Seen>,
}

/// One open session.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SessionRow {
    pub id: u64,
    pub title: String,
}

/// All open sessions.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SessionList {
    pub sessions: Vec<SessionRow>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::exploration::ExploreRequest;
    use reverl_session::query::typescript::generated;
    use std::path::Path;

    /// `UPDATE_TYPES=1` writes the file anew.
    #[test]
    fn the_types_of_the_page_are_those_of_the_server() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/types.ts");
        let now = generated(|all| {
            all.also::<Action>();
            all.also::<Progress>();
            all.also::<Looked>();
            all.also::<SessionList>();
            all.also::<ExploreRequest>();
        });
        if std::env::var_os("UPDATE_TYPES").is_some() {
            std::fs::write(&file, &now).expect("written");
        }
        let kept = std::fs::read_to_string(&file).expect("the types of the page");
        assert!(kept == now, "web/src/types.ts is stale: UPDATE_TYPES=1 writes it anew");
    }
}
