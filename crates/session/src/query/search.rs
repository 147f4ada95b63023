//! Finding events: by text, process, kind, function, or the pattern of a message. A search goes
//! on where the last answer stopped, so that none takes long.

use super::events::{EventRow, told_row};
use super::text_index::Parts;
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::eval::Pattern;
use crate::event::EventKind;
use crate::session::Session;
use crate::{describe, places, text};
use reverl_causal::{EventRef, ProcId};
use reverl_lang::code::FunId;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use ts_rs::TS;

const PATIENCE: Duration = Duration::from_millis(50);
const PAGE: usize = 100;
const MOST: usize = 1_000;

/// What the text of a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum SearchBy {
    /// A process or a kind if it can be one, else a part of the text.
    Any,
    #[default]
    Text,
    Message,
    Process,
    Function,
    Kind,
}

/// How much is looked for at once.
pub struct SearchBounds {
    /// The place in the order of events where it begins.
    pub from: usize,
    /// So many are listed.
    pub most: usize,
    /// With patience a search stops when it has enough or takes too long; without, it counts all.
    pub patience: Option<Duration>,
    pub detail: Detail,
}

/// What a search found.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FoundEvents {
    /// How many fit among those that were looked at.
    pub count: usize,
    pub events: Vec<EventRow>,
    /// Where to go on; none at the end.
    pub next: Option<usize>,
    pub looked_at: usize,
    pub of: usize,
}

enum Wanted {
    Everything,
    Text(PartOfLine),
    Process(ProcId),
    Kind(EventKind),
    Function(FunctionName),
    Message(Pattern),
    /// Its text has this, or its message matches.
    TextOrMessage(PartOfLine, Pattern),
    Nothing,
}

impl Wanted {
    fn new(session: &Session, by: SearchBy, text: &str) -> Result<Wanted, QueryError> {
        Ok(match by {
            SearchBy::Text => Wanted::Text(PartOfLine::new(text)),
            SearchBy::Process => Wanted::Process(places::process(session, text)?),
            SearchBy::Kind => EventKind::named(text).map_or(Wanted::Nothing, Wanted::Kind),
            SearchBy::Function => Wanted::Function(FunctionName::new(text)),
            SearchBy::Message => Wanted::Message(Pattern::new(&session.system, text)?),
            SearchBy::Any if text.is_empty() => Wanted::Everything,
            SearchBy::Any => match (places::process(session, text), EventKind::named(text)) {
                (Ok(proc), _) => Wanted::Process(proc),
                (_, Some(kind)) => Wanted::Kind(kind),
                _ if text.starts_with(['{', '[', '#']) => match Pattern::new(&session.system, text)
                {
                    Ok(pattern) => Wanted::TextOrMessage(PartOfLine::new(text), pattern),
                    Err(_) => Wanted::Text(PartOfLine::new(text)),
                },
                _ => Wanted::Text(PartOfLine::new(text)),
            },
        })
    }

    /// Whether the event at this place in the order of all events fits.
    fn fits(&self, session: &Session, at: usize, event: EventRef) -> bool {
        let system = &session.system;
        match self {
            Wanted::Everything => true,
            Wanted::Nothing => false,
            Wanted::Process(proc) => event.proc == *proc,
            Wanted::Kind(kind) => describe::kind(system, event) == *kind,
            Wanted::Text(wanted) => wanted.is_in(session, at, event),
            Wanted::TextOrMessage(wanted, pattern) => {
                let message = describe::message_of(system, event);
                message.is_some_and(|id| pattern.matches(system, event.proc, id))
                    || wanted.is_in(session, at, event)
            }
            Wanted::Function(name) => name.is_of(session, event),
            Wanted::Message(pattern) => describe::message_of(system, event)
                .is_some_and(|id| pattern.matches(system, event.proc, id)),
        }
    }
}

/// A text that is looked for in the names of functions.
struct FunctionName {
    text: String,
    /// By function, what was found out already.
    known: RefCell<HashMap<FunId, bool>>,
}

impl FunctionName {
    fn new(text: &str) -> FunctionName {
        FunctionName { text: text.into(), known: RefCell::default() }
    }

    /// Whether the name of the function that did this has it.
    fn is_of(&self, session: &Session, event: EventRef) -> bool {
        let system = &session.system;
        let Some(action) = system.execution().action(event) else { return false };
        let program = system.program();
        let code = &program.code;
        if action.pc as usize >= code.ins.len() {
            return false;
        }
        let fun = code.fun_at(action.pc);
        *self.known.borrow_mut().entry(fun).or_insert_with(|| {
            let info = code.fun(fun);
            describe::mfa((info.module, info.name, u32::from(info.arity))).contains(&self.text)
        })
    }
}

/// A text that is looked for in the lines of events.
struct PartOfLine {
    text: String,
    parts: Parts,
}

impl PartOfLine {
    fn new(text: &str) -> PartOfLine {
        let text = text.to_lowercase();
        PartOfLine { parts: Parts::of(&text), text }
    }

    /// Whether the line of an event has it. On the way the index learns the line.
    fn is_in(&self, session: &Session, at: usize, event: EventRef) -> bool {
        let mut index = session.cache.texts.borrow_mut();
        if !index.may_have(at, self.parts) {
            return false;
        }
        let line = line_of(session, event);
        index.learn(at, &line);
        line.contains(&self.text)
    }
}

/// The line of an event as it is searched; what the system does for itself has none.
fn line_of(session: &Session, event: EventRef) -> String {
    if session.execution().proc(event.proc).is_system {
        return String::new();
    }
    let system = &session.system;
    let (process, step) = (ProcRef::of(system, event.proc), describe::step_of(system, event));
    let (what, at) = (describe::what(system, event), describe::event_place(system, event));
    text::line_of(&process, step, &what, &at).to_lowercase()
}

/// Looks through lines that no search has looked through yet, for so long. Whether there are more:
/// a face that has nothing else to do asks again, so that the first search is quick too.
pub fn learn_lines(session: &Session, patience: Duration) -> bool {
    let (begun, execution) = (Instant::now(), session.execution());
    let mut index = session.cache.texts.borrow_mut();
    index.keep_to(session.branch_name(), execution.event_count());
    while let Some(next) = index.next_unknown() {
        if next % 64 == 0 && begun.elapsed() > patience {
            return true;
        }
        let Some(event) = execution.event(next) else { break };
        index.learn(next, &line_of(session, event));
    }
    false
}

/// Finds the events that fit.
pub fn search(
    session: &Session,
    by: SearchBy,
    text: &str,
    bounds: &SearchBounds,
) -> Result<FoundEvents, QueryError> {
    let wanted = Wanted::new(session, by, text)?;
    let execution = session.execution();
    let (begun, length) = (Instant::now(), execution.event_count());
    let mut at = bounds.from;
    let (mut events, mut count) = (vec![], 0);
    session.cache.texts.borrow_mut().keep_to(session.branch_name(), length);
    if let Wanted::Text(part) = &wanted
        && session.cache.texts.borrow().is_nowhere(&part.text)
    {
        at = length;
    }
    while let Some(event) = execution.event(at) {
        if let Some(patience) = bounds.patience {
            // The clock is asked now and then only.
            let late = at % 64 == 0 && begun.elapsed() > patience;
            if late || events.len() >= bounds.most {
                break;
            }
        }
        let place = at;
        at += 1;
        if execution.proc(event.proc).is_system {
            session.cache.texts.borrow_mut().learn(place, "");
        } else if wanted.fits(session, place, event) {
            count += 1;
            if events.len() < bounds.most {
                events.push(told_row(&session.system, event, bounds.detail));
            }
        }
    }
    let next = (at < length).then_some(at);
    Ok(FoundEvents { count, events, next, looked_at: at, of: length })
}

fn page() -> usize {
    PAGE
}

/// Asks for the events that fit.
#[derive(Deserialize, TS)]
pub struct SearchQuery {
    text: String,
    #[serde(default)]
    by: SearchBy,
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    from: usize,
    #[serde(default = "page")]
    #[ts(optional, as = "Option<usize>")]
    count: usize,
}

impl Query for SearchQuery {
    const NAME: &'static str = "search";
    const HELP: &'static str = "events by text, process, function, message";
    type Answer = FoundEvents;

    fn answer(&self, debugger: &Debugger) -> Result<FoundEvents, QueryError> {
        let session = &debugger.session;
        let text = self.text.trim();
        if text.is_empty() {
            let of = session.execution().event_count();
            return Ok(FoundEvents { count: 0, events: vec![], next: None, looked_at: 0, of });
        }
        let bounds = SearchBounds {
            from: self.from,
            most: self.count.min(MOST),
            patience: Some(PATIENCE),
            detail: Detail::Brief,
        };
        search(session, self.by, text, &bounds)
    }
}
