//! A failure in words: its headline, its reason, what came of it, who waits for whom.

use super::Found;
use crate::crash;
use crate::describe;
use crate::event::event_name;
use crate::failure::FailureKind;
use crate::names;
use crate::otp::message::{Protocol, Recognised};
use crate::otp::start::{Behaviour, Start};
use crate::outcome;
use crate::own_place;
use crate::places;
use crate::query::term::line;
use crate::query::{Detail, ProcRef};
use crate::reasons;
use crate::session::Session;
use crate::waits::{self, ChainEnd, WaitsFor};
use reverl_causal::{EventRef, ProcId, SignalId};
use reverl_term::{Atom, Term, exact_eq};
use serde::Serialize;
use std::collections::HashSet;
use ts_rs::TS;

/// Processes that are named one by one.
const MOST: usize = 20;

/// What came of a failure.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct AroundFailure {
    /// The processes that its supervisor started in its place, one after the other.
    pub restarted_as: Vec<ProcRef>,
    /// Those that ended because of it.
    pub ended_with_it: Vec<ProcRef>,
}

/// Who waits for what.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WaitRow {
    #[serde(flatten)]
    pub process: ProcRef,
    /// `waits for the reply of b to call next`
    pub text: String,
    /// Where it waits, in the program's own code if that is known.
    pub at: String,
    /// The event to look at: the sending of what is not answered, or the last thing it did.
    pub event: Option<String>,
}

/// What a test wanted and what it found.
#[derive(Clone, Debug, Serialize, TS)]
pub struct TestReport {
    pub name: String,
    pub expression: Option<String>,
    pub expected: Option<String>,
    pub got: Option<String>,
}

/// The failure in one line.
pub fn headline(session: &Session, failure: &Found) -> String {
    let system = &session.system;
    let who = names::called(system, failure.proc());
    match failure {
        Found::Test(test) => {
            let why = reasons::sentence(system, &test.reason, test.frames.first());
            format!("test {} failed: {why}", test.name)
        }
        Found::Ended { proc, kind } => {
            let frames = outcome::frames_of_end(&session.system, *proc);
            let exit = session.execution().proc(*proc).exit();
            let why = exit.map(|e| reasons::sentence(system, &e.reason, frames.first()));
            let why = why.unwrap_or_default();
            match kind {
                FailureKind::Killed => format!("{who} was ended by an exit signal: {why}"),
                _ => format!("{who} crashed: {why}"),
            }
        }
        Found::Deadlock { blocked } => {
            let own = session.own();
            let cycle = waits::cycle(system, &own, blocked);
            let names: Vec<String> = cycle.iter().map(|p| names::called(system, *p)).collect();
            match (names.as_slice(), blocked.len()) {
                ([one], _) => format!("deadlock: {one} waits for itself"),
                ([names @ .., last], _) if !names.is_empty() => {
                    format!("deadlock: {} and {last} wait for each other", names.join(", "))
                }
                (_, 1) => format!("{who} waits for ever"),
                (_, n) => format!("{who} waits for ever, and {} more", n - 1),
            }
        }
        Found::Message { id, kind } => {
            let what = Recognised::of(system, *id).words(system);
            let to = system.execution().signal(*id).to();
            let to = to.map_or("nobody".into(), |to| names::called(system, to));
            match kind {
                FailureKind::Lost => format!("{what} of {who} never arrived at {to}"),
                _ => format!("{to} never received {what} of {who}"),
            }
        }
    }
}

/// `file:line`
pub fn place(session: &Session, own: &HashSet<Atom>, failure: &Found) -> String {
    let system = &session.system;
    let of = |proc| {
        let own_place = outcome::own_place(system, own, proc);
        own_place.unwrap_or_else(|| outcome::place(system, proc))
    };
    match failure {
        Found::Test(test) => {
            let is_own = |f: &&outcome::Frame| own.contains(&f.module) && f.at.is_some();
            let frame = test.frames.iter().find(is_own);
            frame.and_then(|f| f.at.clone()).unwrap_or_default()
        }
        Found::Ended { proc, .. } => outcome::own_place(system, own, *proc)
            .or_else(|| crash::of_exit(session, own, *proc)?.frame.at)
            .unwrap_or_else(|| outcome::place(system, *proc)),
        Found::Deadlock { blocked } => of(blocked[0]),
        Found::Message { id, .. } => {
            let sent = places::send_event(session.execution(), *id);
            own_place::of_event(system, sent).unwrap_or_else(|| describe::event_place(system, sent))
        }
    }
}

/// The whole reason.
pub fn reason(session: &Session, failure: &Found, detail: Detail) -> String {
    match failure {
        Found::Test(test) => line(&test.reason, detail),
        Found::Ended { proc, .. } => {
            let exit = session.execution().proc(*proc).exit();
            exit.map(|e| line(&outcome::short_reason(&e.reason), detail)).unwrap_or_default()
        }
        Found::Deadlock { .. } => String::new(),
        Found::Message { id, .. } => line(&session.execution().signal(*id).message, detail),
    }
}

/// What came of the end of a process.
pub fn after(session: &Session, failure: &Found) -> AroundFailure {
    let Found::Ended { proc, .. } = failure else { return AroundFailure::default() };
    let system = &session.system;
    let refer =
        |procs: Vec<ProcId>| procs.into_iter().take(MOST).map(|p| ProcRef::of(system, p)).collect();
    AroundFailure {
        restarted_as: refer(restarts(session, *proc)),
        ended_with_it: refer(ended_with(session, *proc)),
    }
}

/// The processes that its supervisor started in its place, one after the other: in the same way,
/// and of itself, not because somebody called it to start another one.
pub fn restarts(session: &Session, proc: ProcId) -> Vec<ProcId> {
    let (system, execution) = (&session.system, session.execution());
    let Some(end) = places::exit_event(execution, proc) else { return vec![] };
    let Some((parent, _)) = execution.proc(proc).parent else { return vec![] };
    if Start::of(system, parent).behaviour != Some(Behaviour::Supervisor) {
        return vec![];
    }
    let start = Start::of(system, proc);
    let is_like = |other: &ProcId| {
        let like = Start::of(system, *other);
        like.module == start.module
            && like.arguments.len() == start.arguments.len()
            && like.arguments.iter().zip(&start.arguments).all(|(a, b)| exact_eq(a, b))
    };
    let is_restart = |other: &ProcId| {
        let Some((spawner, action)) = execution.proc(*other).parent else { return false };
        let spawned = EventRef::action(spawner, action as usize);
        spawner == parent
            && execution.order_of(spawned) > execution.order_of(end)
            && is_like(other)
            && !is_asked_for(session, spawned)
    };
    execution.ids().filter(is_restart).collect()
}

/// Whether somebody called a server to do this.
fn is_asked_for(session: &Session, event: EventRef) -> bool {
    let step = session.execution().action(event).map_or(0, |action| action.step);
    let served = super::served(session, event.proc, step);
    served.is_some_and(|(_, _, message)| message.protocol == Protocol::Call)
}

/// Those whom its exit signal ended, and those whose call it did not answer.
fn ended_with(session: &Session, proc: ProcId) -> Vec<ProcId> {
    let (system, execution) = (&session.system, session.execution());
    let is_it = |other: &ProcId| {
        let p = execution.proc(*other);
        let Some(exit) = p.exit().filter(|e| !outcome::is_normal(&e.reason)) else { return false };
        let killer = exit.killing_signal().map(|i| p.deliveries[i as usize].signal.from);
        let by_signal = killer == Some(proc);
        let by_call = || {
            let Some((_, server, _)) = reasons::of_call(&exit.reason) else { return false };
            let by_pid = server.as_pid().and_then(|pid| execution.find(pid)) == Some(proc);
            // The name of a server means the one whose end is the reason of this one.
            let by_name = server.as_atom().is_some_and(|n| execution.name_given(proc) == Some(n));
            let ended = |p| places::exit_event(execution, p).map(|e| execution.order_of(e));
            by_pid
                || (by_name
                    && ended(proc) < ended(*other)
                    && is_first_holder(session, proc, *other))
        };
        *other != proc && (by_signal || by_call())
    };
    outcome::own_processes(system).filter(is_it).collect()
}

/// Whether of all processes that had its name, `proc` was the last to end before `other` did.
fn is_first_holder(session: &Session, proc: ProcId, other: ProcId) -> bool {
    let execution = session.execution();
    let Some(name) = execution.name_given(proc) else { return false };
    let ended = |p| places::exit_event(execution, p).map(|e| execution.order_of(e));
    let before = |p: &&ProcId| ended(**p).is_some_and(|at| Some(at) < ended(other));
    let last = execution
        .holders(execution.node_of(proc), name)
        .iter()
        .filter(before)
        .max_by_key(|p| ended(**p));
    last == Some(&proc)
}

/// Who waits for whom, of a deadlock.
pub fn waits(session: &Session, own: &HashSet<Atom>, failure: &Found) -> Vec<WaitRow> {
    let Found::Deadlock { blocked } = failure else { return vec![] };
    let system = &session.system;
    let (links, end) = waits::chain(system, own, blocked[0]);
    let mut rows: Vec<WaitRow> = vec![];
    for link in &links {
        rows.push(wait_row(session, own, link.proc, &waits_text(session, link.waits)));
    }
    let last = rows.last_mut();
    match (end, last) {
        (ChainEnd::Cycle(to), Some(last)) => {
            last.text.push_str(&format!(": round to {}", names::called(system, to)));
        }
        (ChainEnd::Ended(proc), _) => rows.push(wait_row(session, own, proc, "has ended")),
        (ChainEnd::Idle(proc), _) => {
            rows.push(wait_row(session, own, proc, "waits for its next request"));
        }
        (ChainEnd::Open | ChainEnd::Cycle(_), _) => {}
    }
    // The others that wait too.
    let told: Vec<u32> = rows.iter().map(|row| row.process.proc).collect();
    let others = blocked.iter().filter(|proc| !told.contains(&proc.0)).take(MOST);
    let others = others.map(|proc| {
        let waits = waits_text(session, waits::waits_for(system, *proc));
        wait_row(session, own, *proc, &waits)
    });
    rows.extend(others.collect::<Vec<_>>());
    rows
}

fn wait_row(session: &Session, own: &HashSet<Atom>, proc: ProcId, text: &str) -> WaitRow {
    let system = &session.system;
    let at = outcome::own_place(system, own, proc);
    let sent = match waits::waits_for(system, proc) {
        WaitsFor::Reply(id) => Some(places::send_event(session.execution(), id)),
        _ => None,
    };
    let actions = session.execution().proc(proc).actions.len();
    let last = actions.checked_sub(1).map(|i| reverl_causal::EventRef::action(proc, i));
    WaitRow {
        process: ProcRef::of(system, proc),
        text: text.into(),
        at: at.unwrap_or_else(|| outcome::place(system, proc)),
        event: sent.or(last).map(event_name),
    }
}

fn waits_text(session: &Session, waits: WaitsFor) -> String {
    let system = &session.system;
    let to = |id: SignalId| {
        let to = system.execution().signal(id).to();
        to.map_or("nobody".into(), |to| names::called(system, to))
    };
    let words = |id: SignalId| Recognised::of(system, id).words(system);
    match waits {
        WaitsFor::Reply(id) => format!("waits for the reply of {} to {}", to(id), words(id)),
        WaitsFor::Answer(id) => {
            format!("waits for a message, after sending {} to {}", words(id), to(id))
        }
        WaitsFor::Message => "waits for a message that never comes".into(),
    }
}

/// What a test wanted and what it found.
pub fn test(failure: &Found, detail: Detail) -> Option<TestReport> {
    let Found::Test(test) = failure else { return None };
    let name = test.name.clone();
    let mut report = TestReport { name, expression: None, expected: None, got: None };
    if let Some([tag, list]) = test.reason.as_tuple() {
        if tag.as_atom().is_some_and(|tag| tag.name().starts_with("assert")) {
            let of = |name| reasons::property(list, name);
            report.expected = of("expected").or_else(|| of("pattern")).map(|t| line(&t, detail));
            report.got = of("unexpected_exception").map(|t| line(&t, detail));
            report.expression = of("expression").map(|t| expression(&t, detail));
        }
    }
    if let Some(map) = test.reason.as_map() {
        let of = |name: &str| map.get(&Term::atom(Atom::new(name)));
        report.expected = of("right").map(|t| line(t, detail));
    }
    if let Some(got) = got(&test.reason) {
        report.got = Some(line(&got, detail));
    }
    Some(report)
}

/// An expression as it was written: EUnit has it as a string with a space between all its words.
fn expression(term: &Term, detail: Detail) -> String {
    let letter = |c: &Term| char::from_u32(u32::try_from(c.as_small()?).ok()?);
    let text: Option<String> =
        term.to_vec().and_then(|letters| letters.iter().map(letter).collect());
    let text = text.filter(|text| !text.is_empty() && !text.contains('"'));
    let Some(text) = text else { return line(term, detail) };
    let (mut told, mut words) = (String::new(), text.split(' ').peekable());
    while let Some(word) = words.next() {
        told.push_str(word);
        let is_open = matches!(word, "(" | "[" | "{" | ":" | "#" | "<<");
        let closes = |next: &&str| matches!(*next, "(" | ")" | "]" | "}" | ":" | "," | ">>");
        if words.peek().is_some_and(|next| !is_open && !closes(next)) {
            told.push(' ');
        }
    }
    told
}

/// The value that a test found instead of the one it wanted.
pub fn got(reason: &Term) -> Option<Term> {
    if let Some(map) = reason.as_map() {
        return map.get(&Term::atom(Atom::new("left"))).cloned();
    }
    let [tag, list] = reason.as_tuple()? else { return None };
    let asserts = tag.as_atom().is_some_and(|tag| tag.name().starts_with("assert"));
    asserts.then(|| reasons::property(list, "value")).flatten()
}
