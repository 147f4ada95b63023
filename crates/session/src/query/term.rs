//! Terms, folded: one line now, the parts when somebody opens them.

use super::info::{self, InfoAbout};
use super::{Detail, Query, changes, print, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::event_named;
use crate::language;
use crate::origin::path;
use crate::outcome::show;
use crate::records::Records;
use crate::session::Session;
use crate::viewpoint::MomentSpec;
use crate::{brief, describe, scope};
use reverl_term::{Term, View, exact_eq};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Characters of a value on one line.
const BRIEF: usize = 240;
/// Parts that are shown at once unless a number is asked for.
const PAGE: usize = 50;
/// Parts of one answer.
const MOST: usize = 1_000;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum TermKind {
    Leaf,
    Tuple,
    List,
    Map,
}

/// A term on one line, and whether there is more inside.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ShownTerm {
    pub text: String,
    pub kind: TermKind,
    pub opens: bool,
    /// How many parts it has.
    #[serde(skip)]
    #[ts(skip)]
    pub parts: Option<usize>,
}

impl ShownTerm {
    /// This term, shown in as much detail as was asked for.
    pub fn of(term: &Term, detail: Detail) -> ShownTerm {
        ShownTerm::written(term, line(term, detail))
    }

    /// The same with the fields of records by name.
    pub fn with_records(records: &Records, term: &Term, detail: Detail) -> ShownTerm {
        let most = if detail == Detail::Brief { BRIEF } else { usize::MAX / 8 };
        let (text, is_cut) = match language::has_records() {
            true => records.line(term, most),
            false => (line(term, detail), false),
        };
        ShownTerm::written(term, if is_cut { text + "…" } else { text })
    }

    fn written(term: &Term, text: String) -> ShownTerm {
        let kind = match term.view() {
            View::Tuple(_) => TermKind::Tuple,
            View::Map(_) => TermKind::Map,
            View::Cons(..) => TermKind::List,
            _ => TermKind::Leaf,
        };
        // A short string is one thing for people.
        let is_folded = kind != TermKind::Leaf && !text.starts_with('"');
        let parts = is_folded.then(|| part_count(term)).filter(|parts| *parts > 0);
        ShownTerm { text, kind, opens: parts.is_some(), parts }
    }
}

/// A term on one line: of bounded length, or all of it.
pub fn line(term: &Term, detail: Detail) -> String {
    match detail {
        Detail::Whole => show(term),
        Detail::Brief => {
            let (text, cut) = brief::line(term, BRIEF);
            if cut { text + "…" } else { text }
        }
    }
}

/// How many parts a term has that can be opened.
fn part_count(term: &Term) -> usize {
    match term.view() {
        View::Tuple(parts) => parts.len(),
        View::Map(map) => map.len(),
        View::Cons(..) => term.list_iter().count(),
        _ => 0,
    }
}

/// A part of a term, as `parts` counts them.
pub fn part(term: &Term, i: usize) -> Option<Term> {
    match term.view() {
        View::Tuple(parts) => parts.get(i).cloned(),
        View::Map(map) => map.sorted().get(i).map(|(_, v)| (*v).clone()),
        View::Cons(..) => term.list_iter().nth(i).cloned(),
        _ => None,
    }
}

/// Which term is meant: the message of an event, a variable of a call, or the state of a process.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(untagged)]
pub enum TermSource {
    Message {
        event: String,
    },
    Variable {
        proc: u32,
        level: usize,
        variable: String,
        #[serde(default)]
        #[ts(optional = nullable)]
        at: Option<MomentSpec>,
    },
    /// The state that a process with a behaviour keeps.
    State {
        state: u32,
        #[serde(default)]
        #[ts(optional = nullable)]
        at: Option<MomentSpec>,
    },
    /// What there is beside variables and messages.
    Info {
        info: InfoAbout,
        proc: u32,
    },
    /// The value of an expression in a call.
    Expression {
        expression: String,
        proc: u32,
        level: usize,
    },
}

/// The parts of a term: `of` says which term, `path` which part of it, `from` where to begin.
#[derive(Deserialize, TS)]
pub struct TermQuery {
    pub of: TermSource,
    #[serde(default)]
    pub path: Vec<usize>,
    #[serde(default)]
    pub from: usize,
    /// How many parts are wanted.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub count: Option<usize>,
}

/// One part of a term.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TermPart {
    /// Of a pair in a map, or of a field in a record.
    pub key: Option<String>,
    #[serde(flatten)]
    pub value: ShownTerm,
    /// Of a state: what stood here before the last message, if that was something else.
    pub was: Option<String>,
}

/// The parts of a term, with the number of those left out.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TermParts {
    pub count: usize,
    pub from: usize,
    pub parts: Vec<TermPart>,
}

impl Query for TermQuery {
    const NAME: &'static str = "term";
    const HELP: &'static str = "the parts of a folded term";
    type Answer = TermParts;

    fn answer(&self, debugger: &Debugger) -> Result<TermParts, QueryError> {
        let mut term = find(&debugger.session, &self.of)?;
        for i in &self.path {
            term = part(&term, *i).ok_or(QueryError::NoPart)?;
        }
        let page = self.count.unwrap_or(PAGE).min(MOST);
        let records = debugger.session.records();
        let shown = |term: &Term| ShownTerm::with_records(&records, term, Detail::Brief);
        let plain = |value: &Term| TermPart { key: None, value: shown(value), was: None };
        let fields = records.fields(&term).map(<[_]>::to_vec);
        let parts = match term.view() {
            View::Tuple(parts) => {
                let name = |i: usize| match (i.checked_sub(1), &fields) {
                    (Some(i), Some(fields)) => Some(language::value(&Term::atom(fields[i]))),
                    (None, Some(_)) => Some("record".into()),
                    _ => None,
                };
                let named = |(i, value): (usize, &Term)| TermPart {
                    key: name(i),
                    value: shown(value),
                    was: None,
                };
                parts.iter().enumerate().skip(self.from).take(page).map(named).collect()
            }
            View::Map(map) => {
                let window = map.sorted().into_iter().skip(self.from).take(page);
                let pair = |(key, value): (&Term, &Term)| TermPart {
                    key: Some(line(key, Detail::Brief)),
                    value: shown(value),
                    was: None,
                };
                window.map(|(k, v)| pair((k, v))).collect()
            }
            View::Cons(..) => term.list_iter().skip(self.from).take(page).map(plain).collect(),
            _ => vec![],
        };
        let mut parts: Vec<TermPart> = parts;
        if let Some(before) = before_last_message(&debugger.session, &self.of)? {
            let old = changes::named(&find(&debugger.session, &self.of)?, &self.path);
            let old = old.and_then(|path| path::part(&before, &path));
            for (i, shown_part) in parts.iter_mut().enumerate() {
                let now = part(&term, self.from + i);
                let step = changes::named(&term, &[self.from + i]);
                let was = old.as_ref().zip(step).and_then(|(old, step)| path::part(old, &step));
                shown_part.was = match (was, now) {
                    (Some(was), Some(now)) if exact_eq(&was, &now) => None,
                    (Some(was), _) => Some(line(&was, Detail::Brief)),
                    (None, _) => Some("not there".into()),
                };
            }
        }
        Ok(TermParts { count: part_count(&term), from: self.from, parts })
    }
}

/// The state of a process before its last message, if it is a state that is asked about.
fn before_last_message(session: &Session, of: &TermSource) -> Result<Option<Term>, QueryError> {
    let TermSource::State { state, at } = of else { return Ok(None) };
    let proc = process_numbered(session.execution(), *state)?;
    let until = session.at(at.as_ref())?.steps_of(proc);
    Ok(crate::otp::changes::before_last_message(session, proc, until))
}

/// A term on one line.
pub fn shown(session: &Session, of: &TermSource) -> Result<ShownTerm, QueryError> {
    Ok(ShownTerm::with_records(&session.records(), &find(session, of)?, Detail::Brief))
}

/// A part of a term on one line.
pub fn shown_part(
    session: &Session,
    of: &TermSource,
    path: &[usize],
) -> Result<ShownTerm, QueryError> {
    let mut term = find(session, of)?;
    for i in path {
        term = part(&term, *i).ok_or(QueryError::NoPart)?;
    }
    Ok(ShownTerm::with_records(&session.records(), &term, Detail::Brief))
}

/// An expression for the part of a server's state that is called so, with `State` for the state.
pub fn expression_of(
    session: &Session,
    of: &TermSource,
    path: &[usize],
    name: &str,
) -> Result<String, QueryError> {
    let mut term = find(session, of)?;
    let mut expression = "State".to_string();
    for i in path {
        expression = access(&term, *i, &expression).ok_or(QueryError::NoPart)?;
        term = part(&term, *i).ok_or(QueryError::NoPart)?;
    }
    let records = session.records();
    let fields = records.fields(&term).map(<[_]>::to_vec).unwrap_or_default();
    let is_called = |i: &usize| match term.view() {
        View::Map(map) => {
            map.sorted().get(*i).is_some_and(|(key, _)| line(key, Detail::Brief) == name)
        }
        _ if i.checked_sub(1).and_then(|i| fields.get(i)).is_some_and(|f| f.name() == name) => true,
        _ => fields.is_empty() && name == (i + 1).to_string(),
    };
    let place = (0..part_count(&term)).find(is_called).ok_or(QueryError::NoPart)?;
    access(&term, place, &expression).ok_or(QueryError::NoPart)
}

/// How Erlang takes a part out of what an expression is.
fn access(term: &Term, i: usize, expression: &str) -> Option<String> {
    match term.view() {
        View::Tuple(_) => Some(format!("element({}, {expression})", i + 1)),
        View::Cons(..) => Some(format!("lists:nth({}, {expression})", i + 1)),
        View::Map(map) => {
            let sorted = map.sorted();
            let (key, _) = sorted.get(i)?;
            Some(format!("maps:get({}, {expression})", reverl_term::fmt::write(key)))
        }
        _ => None,
    }
}

fn find(session: &Session, of: &TermSource) -> Result<Term, QueryError> {
    match of {
        TermSource::Message { event } => {
            let found = event_named(session.execution(), event);
            let found = found.ok_or_else(|| QueryError::NoEvent(event.clone()))?;
            let id = describe::message_of(&session.system, found).ok_or(QueryError::NoMessage)?;
            Ok(session.execution().signal(id).message.clone())
        }
        TermSource::Variable { proc, level, variable, at } => {
            let proc = process_numbered(session.execution(), *proc)?;
            let seen = session.at(at.as_ref())?;
            let bound = scope::levels_at_cut(&seen, proc).get(*level).and_then(|l| {
                let mut bound = language::visible(&l.bindings).into_iter();
                bound.find(|(name, _)| name == variable).map(|(_, value)| value)
            });
            bound.ok_or_else(|| QueryError::NotBoundAnyMore(variable.clone()))
        }
        TermSource::State { state, at } => {
            let proc = process_numbered(session.execution(), *state)?;
            let kept = crate::otp::state::state(&session.at(at.as_ref())?, proc);
            Ok(kept.ok_or(QueryError::NoState)?.value)
        }
        TermSource::Info { info, proc } => {
            let proc = process_numbered(session.execution(), *proc)?;
            info::value(&session.now(), proc, *info)
        }
        TermSource::Expression { expression, proc, level } => {
            let proc = process_numbered(session.execution(), *proc)?;
            print::value(&session.now(), (proc, *level), expression)
        }
    }
}
