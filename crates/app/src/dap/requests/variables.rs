//! `variables`: what is inside of a scope or a value, by page. Fields of records have their names.

use super::super::debugging::Debugging;
use super::super::protocol::Variable;
use super::super::references::{Container, FrameRef};
use super::{Handled, Reaction, Request};
use reverl_session::query::Detail;
use reverl_session::query::info::InfoAbout;
use reverl_session::query::messages::{self, MessageRow};
use reverl_session::query::process::{Binding, call_at};
use reverl_session::query::term::{
    ShownTerm, TermKind, TermPart, TermQuery, TermSource, shown_part,
};
use serde::Deserialize;
use serde_json::json;

/// Variables that are told at once if the client does not say how many.
const PAGE: usize = 200;

/// The request `variables`.
pub struct Variables;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    variables_reference: i64,
    #[serde(default)]
    filter: Option<String>,
    #[serde(default)]
    start: Option<usize>,
    #[serde(default)]
    count: Option<usize>,
}

impl Request for Variables {
    const COMMAND: &'static str = "variables";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let container = debugging.references.container_of(asked.variables_reference)?;
        let from = asked.start.unwrap_or(0);
        let count = asked.count.filter(|count| *count > 0).unwrap_or(PAGE);
        let is_indexed = asked.filter.as_deref() == Some("indexed");
        let variables = match container {
            Container::Locals(_) if is_indexed => vec![],
            Container::Locals(frame) => locals(debugging, frame)?,
            Container::Mailbox { proc } => mailbox(debugging, proc, from, count)?,
            Container::Ties { proc } => ties(debugging, proc)?,
            Container::Parts { of, path } => parts(debugging, of, path, (from, asked.count))?,
            Container::Rest { of, path, from } => parts(debugging, of, path, (from, None))?,
        };
        Ok(Reaction::Answer(json!({ "variables": variables })))
    }
}

/// A value that can be opened if there is more inside.
pub fn variable(
    debugging: &mut Debugging,
    name: String,
    shown: ShownTerm,
    of: TermSource,
    path: Vec<usize>,
) -> Variable {
    let kind = match shown.kind {
        TermKind::Leaf => None,
        TermKind::Tuple => Some("tuple"),
        TermKind::List => Some("list"),
        TermKind::Map => Some("map"),
    };
    let is_paged = debugging.client.has_variable_paging;
    let opened = shown.opens.then(|| debugging.references.container(Container::Parts { of, path }));
    Variable {
        name,
        value: shown.text,
        kind,
        evaluate_name: None,
        variables_reference: opened.unwrap_or(0),
        indexed_variables: opened.and(shown.parts).filter(|n| is_paged && *n > PAGE),
        presentation_hint: None,
    }
}

fn locals(debugging: &mut Debugging, frame: FrameRef) -> Result<Vec<Variable>, String> {
    let FrameRef { proc, level } = frame;
    let bound = debugging.look(move |d| {
        let found = d.session.execution().ids().find(|p| p.0 == proc)?;
        call_at(&d.session.now(), found, level, Detail::Brief).calls.pop()
    })?;
    let bindings: Vec<Binding> = bound.map(|call| call.bindings).unwrap_or_default();
    let shown = bindings.into_iter().map(|Binding { name, value }| {
        let of = TermSource::Variable { proc, level, variable: name.clone(), at: None };
        let evaluate_name = Some(name.clone());
        Variable { evaluate_name, ..variable(debugging, name, value, of, vec![]) }
    });
    Ok(shown.collect())
}

fn mailbox(
    debugging: &mut Debugging,
    proc: u32,
    from: usize,
    count: usize,
) -> Result<Vec<Variable>, String> {
    let rows: Vec<MessageRow> = debugging.look(move |d| {
        let found = d.session.execution().ids().find(|p| p.0 == proc);
        let page = |proc| messages::mailbox_page(&d.session.now(), proc, from, count);
        found.map(page).unwrap_or_default()
    })?;
    let shown = rows.into_iter().map(|row| {
        let name = format!("{} from {}", row.id, row.from.called);
        let of = TermSource::Message { event: row.sent };
        variable(debugging, name, row.message, of, vec![])
    });
    Ok(shown.collect())
}

/// Links, whom it monitors, and who monitors it: each a list that can be opened.
fn ties(debugging: &mut Debugging, proc: u32) -> Result<Vec<Variable>, String> {
    let ties = [
        ("links", InfoAbout::Links, vec![1]),
        ("monitors", InfoAbout::Monitors, vec![0, 1]),
        ("monitored by", InfoAbout::Monitors, vec![1, 1]),
    ];
    let mut shown = vec![];
    for (name, info, path) in ties {
        let of = TermSource::Info { info, proc };
        let asked = of.clone();
        let within = path.clone();
        let value = debugging.find(move |d| shown_part(&d.session, &asked, &within))?;
        shown.push(variable(debugging, name.into(), value, of, path));
    }
    Ok(shown)
}

fn parts(
    debugging: &mut Debugging,
    of: TermSource,
    path: Vec<usize>,
    (from, count): (usize, Option<usize>),
) -> Result<Vec<Variable>, String> {
    let most = count.filter(|count| *count > 0).unwrap_or(PAGE);
    let query = TermQuery { of: of.clone(), path: path.clone(), from, count: Some(most) };
    let page = debugging.query(query)?;
    let next = from + page.parts.len();
    let left = page.count.saturating_sub(next);
    let shown = page.parts.into_iter().enumerate().map(|(i, part)| {
        let at = from + i;
        let TermPart { key, value, was } = part;
        let name = key.unwrap_or_else(|| (at + 1).to_string());
        let path = path.iter().copied().chain([at]).collect();
        let mut shown = variable(debugging, name, value, of.clone(), path);
        if let Some(was) = was {
            // What the last message has changed in the state of a server.
            shown.value = format!("{} (was {was})", shown.value);
        }
        shown
    });
    let mut shown: Vec<Variable> = shown.collect();
    // Who does not ask for pages can open the next one.
    if left > 0 && count.is_none() && !debugging.client.has_variable_paging {
        let rest = debugging.references.container(Container::Rest { of, path, from: next });
        shown.push(Variable {
            name: "…".into(),
            value: format!("{left} more"),
            kind: None,
            evaluate_name: None,
            variables_reference: rest,
            indexed_variables: None,
            presentation_hint: None,
        });
    }
    Ok(shown)
}
