//! Source files: which there are, and their texts.

use super::Viewer;
use crate::command::Debugger;
use serde_json::{Value, json};

pub fn files(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let sources = &d.session.system.program().code.sources;
    let mut names: Vec<(&str, bool)> = vec![];
    for (_, file) in sources.iter() {
        let known = names.iter().any(|(name, _)| *name == &*file.name);
        if !known && file.name.ends_with(".erl") {
            names.push((&file.name, file.text.is_some()));
        }
    }
    let rows: Vec<Value> =
        names.iter().map(|(name, has_text)| json!({ "name": name, "text": has_text })).collect();
    Ok(json!({ "files": rows }))
}

pub fn breakpoints(_: &mut Viewer, d: &mut Debugger, _: &Value) -> Result<Value, String> {
    let all = d.breakpoints().iter();
    let rows: Vec<Value> = all.map(|b| json!({ "id": b.id, "text": b.text })).collect();
    Ok(json!({ "breakpoints": rows }))
}

pub fn text(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let name = asked["file"].as_str().unwrap_or_default();
    let sources = &d.session.system.program().code.sources;
    let found = sources.iter().find(|(_, f)| &*f.name == name && f.text.is_some());
    match found.and_then(|(_, f)| f.text.as_deref()) {
        Some(text) => Ok(json!({ "file": name, "source": text })),
        None => Err(format!("the source of '{name}' is not at hand (it was loaded from a .beam)")),
    }
}
