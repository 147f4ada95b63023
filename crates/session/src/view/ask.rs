//! The declarative dialogue, where it stands.

use super::Viewer;
use crate::command::Debugger;
use crate::dialogue::beginnings;
use serde_json::{Value, json};

pub fn now(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    Ok(match &d.dialogue {
        Some(dialogue) => json!({ "dialogue": dialogue.json(&mut d.session) }),
        None => beginnings(&d.session),
    })
}
