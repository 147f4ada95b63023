//! What went wrong, as a card to begin with: who failed, why in one sentence, at which line of the
//! program's own code, while doing what for whom, and what was known there.

use super::process::{self, Binding};
use super::sources::SourceLine;
use super::why::{self, Reason};
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::crash::{self, Raise};
use crate::error::QueryError;
use crate::event::event_name;
use crate::failure::FailureKind;
use crate::otp::message::{Protocol, Recognised};
use crate::session::Session;
use crate::viewpoint::MomentSpec;
use crate::{describe, language, origin, outcome, scope};
use reverl_causal::{EventRef, ProcId, SignalId, System};
use reverl_term::{Atom, Term, exact_eq};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use ts_rs::TS;

mod found;
mod told;

pub use found::{Found, found};
pub use told::{AroundFailure, TestReport, WaitRow, restarts};

/// Failures that are told one by one.
const MOST: usize = 100;
/// Lines that are shown around the one of the failure.
const AROUND: u32 = 3;

/// One failure in a line.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FailureRow {
    pub kind: FailureKind,
    #[serde(flatten)]
    pub process: ProcRef,
    /// `shelf_13 crashed: there is no key cheese`
    pub headline: String,
    /// `file:line`, in the program's own code if that is known.
    pub at: String,
    /// The event to look at.
    pub event: Option<String>,
}

/// A message that a process was busy with.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Serving {
    /// `call {take,cheese}`
    pub what: String,
    pub from: ProcRef,
    /// The receive.
    pub event: String,
    /// The sending.
    pub sent: String,
    /// Where in the program's own code it was sent.
    pub at: Option<String>,
}

/// One failure with all that is known about it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FailureCard {
    #[serde(flatten)]
    pub row: FailureRow,
    /// The whole reason.
    pub reason: String,
    /// When it was raised: what is shown is what was so then.
    pub moment: Option<MomentSpec>,
    pub serving: Option<Serving>,
    /// What came of it: restarts, others that ended with it.
    pub after: AroundFailure,
    /// The lines around it.
    pub file: Option<String>,
    pub lines: Vec<SourceLine>,
    /// From where to where in its line the expression stands, counted from 1.
    pub columns: Option<(u32, u32)>,
    pub bindings: Vec<Binding>,
    /// Of a deadlock: who waits for whom.
    pub waits: Vec<WaitRow>,
    pub test: Option<TestReport>,
    /// Where the value came from that the reason is about.
    pub why: Option<Reason>,
}

/// All failures of an execution, the worst first, and one of them in full.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FailureReport {
    /// How many there are; the list may have fewer.
    pub count: usize,
    pub failures: Vec<FailureRow>,
    pub card: Option<FailureCard>,
    /// Where the replay of a recording did something else than was recorded.
    pub departed: Option<String>,
    /// What else a recording does not show as it was.
    pub notices: Vec<String>,
}

/// The report of one failure: what failed, why, where and for whom.
pub fn report(session: &Session, which: usize, detail: Detail) -> FailureReport {
    let own = session.own();
    let all = found(session, &own);
    let rows = all.iter().take(MOST).map(|failure| row(session, &own, failure));
    FailureReport {
        count: all.len(),
        failures: rows.collect(),
        card: all.get(which).map(|failure| card(session, &own, failure, detail)),
        departed: session.departed.clone(),
        notices: session.notices.clone(),
    }
}

fn row(session: &Session, own: &HashSet<Atom>, failure: &Found) -> FailureRow {
    FailureRow {
        kind: failure.kind(),
        process: ProcRef::of(&session.system, failure.proc()),
        headline: told::headline(session, failure),
        at: told::place(session, own, failure),
        event: failure.event(session).map(event_name),
    }
}

fn card(session: &Session, own: &HashSet<Atom>, failure: &Found, detail: Detail) -> FailureCard {
    let raise = raise(session, own, failure);
    let proc = raise.as_ref().map_or(failure.proc(), |raise| raise.proc);
    let mut card = FailureCard {
        row: row(session, own, failure),
        reason: told::reason(session, failure, detail),
        moment: None,
        serving: None,
        after: told::after(session, failure),
        file: None,
        lines: vec![],
        columns: None,
        bindings: vec![],
        waits: told::waits(session, own, failure),
        test: told::test(failure, detail),
        why: None,
    };
    let step = match &raise {
        Some(raise) => Some(raise.step),
        None => failure.step(session),
    };
    let Some(step) = step else { return card };
    card.moment = Some(MomentSpec::Step { proc: proc.0, step });
    if matches!(failure, Found::Ended { .. }) {
        card.serving = serving(session, own, proc, step);
    }
    show_source(session, own, proc, step, detail, &mut card);
    card.why = blamed(session, own, failure, proc, step, detail);
    card
}

/// The way back of the first variable whose value the reason names; of a test, of what it found
/// instead of what it wanted.
fn blamed(
    session: &Session,
    own: &HashSet<Atom>,
    failure: &Found,
    proc: ProcId,
    step: u64,
    detail: Detail,
) -> Option<Reason> {
    let is_blamed: Box<dyn Fn(&Term) -> bool> = match failure {
        Found::Ended { proc: ended, .. } => {
            let exit = session.execution().proc(*ended).exit()?;
            let reason = outcome::short_reason(&exit.reason);
            Box::new(move |value| !value.is_nil() && origin::contains(&reason, value))
        }
        Found::Test(test) => {
            let got = told::got(&test.reason)?;
            Box::new(move |value| exact_eq(value, &got))
        }
        Found::Deadlock { .. } | Found::Message { .. } => return None,
    };
    let seen = session.at_step(proc, step);
    let levels = scope::levels_at_cut(&seen, proc);
    // It is asked in the scope of the innermost call.
    let level = levels.first().filter(|level| own.contains(&level.module))?;
    let visible = language::visible(&level.bindings);
    let (name, value) = visible.iter().find(|(_, value)| is_blamed(value))?;
    let mut reason = why::why(&seen, proc, 0, name, detail).ok()?;
    // What a library hands on is not always told from what it has beside: then the message that is
    // served says more, if it has the value in it.
    let stays = reason.chain.iter().all(|hop| hop.process.proc == proc.0);
    let served = served(session, proc, step).filter(|(_, id, _)| {
        stays && origin::contains(&session.execution().signal(*id).message, value)
    });
    if let Some((_, id, _)) = served {
        let message = describe::signal_name(&session.system, id);
        let sent = why::why(&seen, proc, 0, &message, detail);
        reason.chain.extend(sent.into_iter().flat_map(|sent| sent.chain));
    }
    Some(reason)
}

fn raise(session: &Session, own: &HashSet<Atom>, failure: &Found) -> Option<Raise> {
    match failure {
        Found::Ended { proc, .. } => crash::of_exit(session, own, *proc),
        Found::Test(test) => {
            let told = session.execution().action(test.event)?.step;
            crash::raise(session, own, test.proc, test.frames.clone(), told.saturating_sub(1))
        }
        Found::Deadlock { .. } | Found::Message { .. } => None,
    }
}

/// The nearest call of the program's own with its line and variables.
fn show_source(
    session: &Session,
    own: &HashSet<Atom>,
    proc: ProcId,
    step: u64,
    detail: Detail,
    card: &mut FailureCard,
) {
    let seen = session.at_step(proc, step);
    let levels = scope::levels_at_cut(&seen, proc);
    let nearest = levels.iter().position(|level| own.contains(&level.module)).unwrap_or(0);
    let Some(level) = levels.get(nearest) else { return };
    card.bindings = process::bindings(&seen, level, detail);
    let program = session.system.program();
    let sources = &program.code.sources;
    let Some(file) = sources.get(level.span.file) else { return };
    let at = file.line_col(level.span.start);
    card.row.at = format!("{}:{}", file.name, at.line);
    if file.text.is_none() {
        return;
    }
    card.file = Some(file.name.to_string());
    let shown = at.line.saturating_sub(AROUND).max(1)..=(at.line + AROUND).min(file.line_count());
    card.lines = shown.map(|n| SourceLine::of(file, n, at.line)).collect();
    let end = file.line_col(level.span.end);
    let width = file.line_text(at.line).map_or(0, |text| text.chars().count() as u32);
    let last = if end.line == at.line { end.column } else { width + 1 };
    card.columns = Some((at.column, last.max(at.column + 1)));
}

/// The message that a process was busy with at a step: the last one that it received, unless that
/// was an answer.
fn served(session: &Session, proc: ProcId, step: u64) -> Option<(EventRef, SignalId, Recognised)> {
    let (system, p) = (&session.system, session.execution().proc(proc));
    let before = (0..p.actions_at(step)).rev();
    let events = before.map(|i| EventRef::action(proc, i));
    let received = |event: EventRef| -> Option<(EventRef, SignalId, Recognised)> {
        let id = describe::message_of(system, event)?;
        let is_receive = describe::kind(system, event) == crate::event::EventKind::Receive;
        let recognised = Recognised::of(system, id);
        let is_work = matches!(
            recognised.protocol,
            Protocol::Call
                | Protocol::Cast
                | Protocol::Notify
                | Protocol::Info
                | Protocol::Plain
                | Protocol::Timer
                | Protocol::Down
                | Protocol::Exit
        );
        (is_receive && is_work).then_some((event, id, recognised))
    };
    events.take(1_000).find_map(received)
}

fn serving(session: &Session, own: &HashSet<Atom>, proc: ProcId, step: u64) -> Option<Serving> {
    let system = &session.system;
    let (event, id, recognised) = served(session, proc, step)?;
    let sent = crate::places::send_event(session.execution(), id);
    Some(Serving {
        what: match recognised.protocol {
            Protocol::Plain => format!("message {}", recognised.words(system)),
            _ => recognised.words(system),
        },
        from: ProcRef::of(system, id.from),
        event: event_name(event),
        sent: event_name(sent),
        at: own_place_of(&session.system, own, sent),
    })
}

/// Where in the program's own code an event happened: the line that called the library which did
/// it.
pub fn own_place_of(system: &System, own: &HashSet<Atom>, event: EventRef) -> Option<String> {
    let step = system.execution().action(event)?.step.checked_sub(1)?;
    let process = system.state_at(event.proc, step);
    let program = system.program();
    let levels = scope::levels(&program.code, &process, step);
    let level = levels.iter().find(|level| own.contains(&level.module))?;
    let (file, line) = program.code.sources.shown_at(level.span)?;
    Some(format!("{file}:{line}"))
}

/// Asks for the report of a failure.
#[derive(Deserialize, TS)]
pub struct FailureQuery {
    /// Which of the failures is shown in full; the first unless given.
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    which: usize,
}

impl Query for FailureQuery {
    const NAME: &'static str = "failure";
    const HELP: &'static str = "what went wrong, the worst in full";
    type Answer = FailureReport;

    fn answer(&self, debugger: &Debugger) -> Result<FailureReport, QueryError> {
        Ok(report(&debugger.session, self.which, Detail::Brief))
    }
}
