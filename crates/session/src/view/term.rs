//! Terms, folded: one line now, the parts when somebody opens them.

use super::{Viewer, event_named, number, proc_in};
use crate::command::Debugger;
use crate::{brief, describe, scope};
use reverl_term::{Term, View};
use serde_json::{Value, json};

/// A term on one line of bounded length.
pub fn brief(term: &Term) -> String {
    let (text, cut) = brief::line(term, 240);
    if cut { text + "…" } else { text }
}

/// How many parts a term has that can be opened.
fn parts(term: &Term) -> usize {
    match term.view() {
        View::Tuple(parts) => parts.len(),
        View::Map(map) => map.len(),
        View::Cons(..) => term.list_iter().count(),
        _ => 0,
    }
}

/// The folded form: a line, and whether there is more inside.
pub fn folded(term: &Term) -> Value {
    let text = brief(term);
    let kind = match term.view() {
        View::Tuple(_) => "tuple",
        View::Map(_) => "map",
        View::Cons(..) => "list",
        _ => "leaf",
    };
    // A short string is one thing for people.
    let opens = kind != "leaf" && !text.starts_with('"') && parts(term) > 0;
    json!({ "text": text, "kind": kind, "opens": opens })
}

fn child(term: &Term, i: usize) -> Option<Term> {
    match term.view() {
        View::Tuple(parts) => parts.get(i).cloned(),
        View::Map(map) => map.sorted().get(i).map(|(_, v)| (*v).clone()),
        View::Cons(..) => term.list_iter().nth(i).cloned(),
        _ => None,
    }
}

/// The parts of a term: `of` says which term, `path` which part of it, `from` where to begin.
pub fn open(_: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    const PAGE: usize = 50;
    let mut term = find(d, &asked["of"])?;
    for step in asked["path"].as_array().into_iter().flatten() {
        let i = step.as_u64().unwrap_or(0) as usize;
        term = child(&term, i).ok_or("this part is not there any more")?;
    }
    let from = number(asked, "from", 0) as usize;
    let part = |key: Option<String>, value: &Term| {
        let mut data = folded(value);
        data["key"] = json!(key);
        data
    };
    let shown: Vec<Value> = match term.view() {
        View::Tuple(parts) => {
            let window = parts.iter().skip(from).take(PAGE);
            window.map(|v| part(None, v)).collect()
        }
        View::Map(map) => {
            let sorted = map.sorted();
            let window = sorted.into_iter().skip(from).take(PAGE);
            window.map(|(k, v)| part(Some(brief(k)), v)).collect()
        }
        View::Cons(..) => {
            let window = term.list_iter().skip(from).take(PAGE);
            window.map(|v| part(None, v)).collect()
        }
        _ => vec![],
    };
    Ok(json!({ "count": parts(&term), "from": from, "parts": shown }))
}

/// A term by where it is: a variable of a call, or the message of an event.
fn find(d: &mut Debugger, of: &Value) -> Result<Term, String> {
    if let Some(name) = of["event"].as_str() {
        let event = event_named(d.session.execution(), name)?;
        let id = describe::message_of(&d.session.system, event).ok_or("it has no message")?;
        return Ok(d.session.execution().signal(id).message.clone());
    }
    let proc = proc_in(d.session.execution(), &of["proc"])?;
    let step = d.session.steps_of(proc);
    let process = d.session.state(proc);
    let level = number(of, "level", 0) as usize;
    let name = of["variable"].as_str().unwrap_or_default();
    let levels = scope::levels(&d.session.system.program().code, &process, step);
    let bound = levels.get(level).and_then(|l| {
        l.bindings.iter().find(|(n, _)| n.name() == name).map(|(_, value)| value.clone())
    });
    bound.ok_or_else(|| format!("{name} is not bound here any more"))
}
