//! `dataBreakpointInfo` and `setDataBreakpoints`: a run stops, in either direction, where a variable
//! or a part of a server's state has another value than before.

use super::super::debugging::{BreakpointKind, Debugging};
use super::super::protocol::Breakpoint;
use super::super::references::{Container, FrameRef};
use super::{Handled, Reaction, Request};
use reverl_session::command::{BreakSpec, ChangeSpec, Lifetime, StopAt};
use reverl_session::query::term::{self, TermSource};
use reverl_session::watched;
use serde::Deserialize;
use serde_json::json;

const KEY: &str = "data";

/// The request `dataBreakpointInfo`.
pub struct DataBreakpointInfo;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InfoArguments {
    #[serde(default)]
    variables_reference: Option<i64>,
    #[serde(default)]
    frame_id: Option<i64>,
    name: String,
}

impl Request for DataBreakpointInfo {
    const COMMAND: &'static str = "dataBreakpointInfo";
    type Arguments = InfoArguments;

    fn handle(debugging: &mut Debugging, asked: InfoArguments) -> Handled {
        let reference = asked.variables_reference.filter(|reference| *reference > 0);
        let container = match (reference, asked.frame_id) {
            (Some(reference), _) => debugging.references.container_of(reference)?,
            (None, Some(frame)) => Container::Locals(debugging.references.frame_of(frame)?),
            (None, None) => {
                let proc = debugging.look(|d| d.session.current.0)?;
                Container::Locals(FrameRef { proc, level: 0 })
            }
        };
        let name = asked.name;
        let spec = debugging.look(move |d| change(d, &container, &name))?;
        let body = match spec {
            Ok(spec) => {
                let of = if spec.of_state { "the state" } else { "the variables" };
                let description = format!("{} in {of} of {}", spec.expression, spec.process);
                let id = serde_json::to_string(&spec).expect("plain data");
                json!({ "dataId": id, "description": description, "accessTypes": ["write"] })
            }
            Err(why) => json!({ "dataId": null, "description": why }),
        };
        Ok(Reaction::Answer(body))
    }
}

/// The expression that a client means by a name in a scope.
fn change(
    debugger: &reverl_session::command::Debugger,
    container: &Container,
    name: &str,
) -> Result<ChangeSpec, String> {
    let session = &debugger.session;
    let process = |proc: u32| {
        let found = session.execution().ids().find(|p| p.0 == proc);
        found.ok_or_else(|| format!("there is no process number {proc}"))
    };
    match container {
        Container::Locals(FrameRef { proc, level }) => {
            Ok(watched::meant_here(session, process(*proc)?, *level, name))
        }
        Container::Parts { of: TermSource::State { state, .. }, path } => {
            let wanted = TermSource::State { state: *state, at: None };
            let expression =
                term::expression_of(session, &wanted, path, name).map_err(|why| why.to_string())?;
            let text = format!("state {expression}");
            Ok(watched::meant_here(session, process(*state)?, 0, &text))
        }
        _ => Err("only variables and parts of a server's state can be watched".into()),
    }
}

/// The request `setDataBreakpoints`.
pub struct SetDataBreakpoints;

/// What it is asked with.
#[derive(Deserialize)]
pub struct Arguments {
    breakpoints: Vec<DataBreakpoint>,
}

/// A breakpoint on a value.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataBreakpoint {
    data_id: String,
    #[serde(default)]
    condition: Option<String>,
    #[serde(default)]
    hit_condition: Option<String>,
}

impl Request for SetDataBreakpoints {
    const COMMAND: &'static str = "setDataBreakpoints";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        debugging.clear(KEY)?;
        let told: Vec<Breakpoint> =
            asked.breakpoints.into_iter().map(|wanted| set(debugging, wanted)).collect();
        Ok(Reaction::Answer(json!({ "breakpoints": told })))
    }
}

fn set(debugging: &mut Debugging, asked: DataBreakpoint) -> Breakpoint {
    let text = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let Ok(change) = serde_json::from_str::<ChangeSpec>(&asked.data_id) else {
        return Breakpoint::refused(format!("'{}' is not something to watch", asked.data_id));
    };
    let hits = match text(asked.hit_condition).map(|text| text.parse()).transpose() {
        Ok(hits) => hits,
        Err(why) => return Breakpoint::refused(why),
    };
    let (at, lifetime) = (StopAt::Change(change), Lifetime::Stays);
    let spec = BreakSpec { at, condition: text(asked.condition), lifetime, hits };
    debugging.set_breakpoint(KEY, BreakpointKind::Data, spec)
}
