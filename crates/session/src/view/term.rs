//! Terms, folded: one line now, the parts when somebody opens them.

use super::{Viewer, event_named, number, proc_in};
use crate::command::Debugger;
use crate::outcome::show;
use crate::{describe, scope};
use reverl_term::fmt::{self, Encoding};
use reverl_term::{Term, View};
use serde_json::{Value, json};

/// Parts and bytes up to which a term is written whole.
const SMALL: usize = 300;
/// Characters of a line.
const LINE: usize = 240;

/// A term on one line of bounded length, whatever its size.
pub fn brief(term: &Term) -> String {
    let text = if is_small(term) { show(term) } else { beginning(term) };
    match text.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The first part of a large term: text as text, all else to a depth.
fn beginning(term: &Term) -> String {
    let start = match term.view() {
        View::Cons(..) => Some(Term::list(term.list_iter().take(60).cloned().collect::<Vec<_>>())),
        View::Bits(bits) => Some(bits.slice(0, bits.bit_len().min(60 * 8))),
        _ => None,
    };
    let text = start.map(|start| show(&start)).unwrap_or_default();
    match text.strip_suffix("\">>").or_else(|| text.strip_suffix('"')) {
        Some(text) => format!("{text}…"),
        None => fmt::write_depth(term, 24, Encoding::Unicode),
    }
}

fn is_small(term: &Term) -> bool {
    let mut left = SMALL;
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        let weight = match term.view() {
            View::Bits(bits) => 1 + bits.bit_len() / 32,
            View::Big(n) => 1 + n.bits() as usize / 32,
            _ => 1,
        };
        if weight >= left {
            return false;
        }
        left -= weight;
        match term.view() {
            View::Cons(head, tail) => work.extend([head, tail]),
            View::Tuple(parts) if parts.len() < left => work.extend(parts),
            View::Map(map) if map.len() < left => {
                map.iter().for_each(|(k, v)| work.extend([k, v]));
            }
            View::Tuple(_) | View::Map(_) => return false,
            _ => {}
        }
    }
    true
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
    let levels = scope::levels(&d.session.system.program.code, &process, step);
    let bound = levels.get(level).and_then(|l| {
        l.bindings.iter().find(|(n, _)| n.name() == name).map(|(_, value)| value.clone())
    });
    bound.ok_or_else(|| format!("{name} is not bound here any more"))
}
