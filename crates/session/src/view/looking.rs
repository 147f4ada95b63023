//! Commands of the debugger that only look, and plans before they are carried out.

use super::{Counts, Viewer, proc_in};
use crate::command::{Debugger, find};
use serde_json::{Value, json};

/// These leave the session as it is.
const LOOKING: &[&str] =
    &["enabled", "print", "why", "help", "breaks", "events", "source", "where"];

/// Does something about another process than the current one, which stays current.
fn about<T>(
    d: &mut Debugger,
    asked: &Value,
    act: impl FnOnce(&mut Debugger) -> Result<T, String>,
) -> Result<T, String> {
    let before = d.session.current;
    if !asked["proc"].is_null() {
        d.session.current = proc_in(d.session.execution(), &asked["proc"])?;
    }
    let done = act(d);
    d.session.current = before;
    done
}

pub fn command(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let text = asked["command"].as_str().unwrap_or_default();
    let name = text.split_whitespace().next().unwrap_or_default();
    let looks = find(name).is_some_and(|c| LOOKING.contains(&c.name));
    if !looks {
        return Err(format!("'{name}' is no command that only looks"));
    }
    let reply = about(d, asked, |d| d.command(text))?;
    Ok(json!({ "text": reply.text, "data": reply.data }))
}

/// What undoing and redoing a target would move.
pub fn plan(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let target = asked["target"].as_str().unwrap_or_default();
    let mut one = |back: bool| match about(d, asked, |d| d.extent(target, back)) {
        Ok(extent) if extent.events == 0 && extent.steps == 0 => {
            json!({ "error": "it is already so here" })
        }
        Ok(extent) => Counts::of(&extent).json(),
        Err(why) => json!({ "error": why }),
    };
    Ok(json!({ "undo": one(true), "redo": one(false) }))
}
