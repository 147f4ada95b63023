//! Why a process does not receive a message that waits in its mailbox: what each clause of the
//! receive says to it.

use super::{ProcRef, Query};
use crate::clauses::{self, ClauseScope, ClauseVerdict};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::otp::message::Recognised;
use crate::outcome::show;
use crate::places;
use crate::scope;
use crate::session::Session;
use crate::viewpoint::{MomentSpec, Viewpoint};
use reverl_causal::{ProcId, SignalId};
use reverl_lang::ast::{Clause, ExprKind};
use reverl_lang::code::ReceiveRange;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::{FileId, Span};
use reverl_machine::Process;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One clause of a receive with the reason why it did not take the message.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ClauseRow {
    /// The pattern, with its guard.
    pub text: String,
    pub verdict: ClauseVerdict,
}

/// A message and the receive that does not take it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Unmatched {
    pub message: String,
    pub process: ProcRef,
    /// `file:line` of the receive; None if the process is not in one.
    pub at: Option<String>,
    pub clauses: Vec<ClauseRow>,
    /// Why, in a sentence.
    pub sentence: String,
}

/// Why the message that `word` names is not received where its process waits.
pub fn unmatched(seen: &Viewpoint, word: &str) -> Result<Unmatched, QueryError> {
    let session = seen.session;
    let id = places::message(session, word)?;
    let system = &session.system;
    let signal = session.execution().signal(id);
    let to = signal.to().ok_or(QueryError::NoMessage)?;
    let mut told = Unmatched {
        message: Recognised::of(system, id).words(system),
        process: ProcRef::of(system, to),
        at: None,
        clauses: vec![],
        sentence: String::new(),
    };
    let waits = seen.cut.mailbox(session.execution(), to).contains(&id);
    let is_received = signal.receive().is_some_and(|i| {
        let event = reverl_causal::EventRef::action(to, i as usize);
        seen.cut.contains(session.execution(), event)
    });
    told.sentence = match (is_received, waits) {
        (true, _) => "it was received".into(),
        (_, false) => "it has not arrived here".into(),
        (_, true) if seen.cut.has_exited(session.execution(), to) => {
            format!("{} has ended", told.process.called)
        }
        (_, true) => look(seen, to, id, &mut told),
    };
    Ok(told)
}

/// Asks each clause of the receive that a process is in.
fn look(seen: &Viewpoint, to: ProcId, id: SignalId, told: &mut Unmatched) -> String {
    let process = seen.state(to);
    let system = &seen.session.system;
    let Some((span, at)) = receive(seen, &process) else {
        let place = scope::levels_at_cut(seen, to);
        let function = place.first().map(|l| crate::describe::mfa((l.module, l.name, l.arity)));
        return format!("it is busy in {}", function.unwrap_or_default());
    };
    told.at = at;
    let Some((text, clauses)) = clauses_of(seen.session, span) else {
        return "the text of the receive is not at hand".into();
    };
    let message = system.execution().signal(id).message.clone();
    let (module, bound) = scope::module_and_bindings(seen, to, &process);
    let scope = ClauseScope { system, module, bound, local: process.local.clone() };
    for clause in &clauses {
        let verdict = scope.verdict(&text, clause, std::slice::from_ref(&message));
        told.clauses.push(ClauseRow { text: clauses::text(&text, clause), verdict });
    }
    match told.clauses.iter().any(|row| row.verdict == ClauseVerdict::Takes) {
        true => "a clause takes it: it can be received now".into(),
        false => format!("no clause takes {}", show(&message)),
    }
}

/// The receive that a process waits in.
fn receive(seen: &Viewpoint, process: &Process) -> Option<(Span, Option<String>)> {
    if !process.is_waiting() {
        return None;
    }
    let program = seen.session.system.program();
    let code = &program.code;
    let pc = process.pc();
    let around = |r: &&ReceiveRange| r.start <= pc && pc < r.end;
    let range = code.fun(code.fun_at(pc)).receives.iter().find(around)?;
    let span = code.exprs[range.expr.0 as usize].span;
    let at = code.sources.shown_at(span).map(|(file, line)| format!("{file}:{line}"));
    Some((span, at))
}

/// The text of a receive, and its clauses.
fn clauses_of(session: &Session, span: Span) -> Option<(String, Vec<Clause>)> {
    let program = session.system.program();
    let text = program.code.sources.get(span.file)?.text.clone()?;
    let text = text.get(span.start as usize..span.end as usize)?.to_string();
    let parsed = parse_exprs(&text, FileId(u32::MAX)).ok()?.pop()?;
    match parsed.kind {
        ExprKind::Receive { clauses, .. } => Some((text, clauses)),
        _ => None,
    }
}

/// Asks why a message is not received.
#[derive(Deserialize, TS)]
pub struct UnmatchedQuery {
    /// `#84.2`
    message: String,
    #[serde(default)]
    #[ts(optional = nullable)]
    at: Option<MomentSpec>,
}

impl Query for UnmatchedQuery {
    const NAME: &'static str = "unmatched";
    const HELP: &'static str = "why a message is not received: what each clause says to it";
    type Answer = Unmatched;

    fn answer(&self, debugger: &Debugger) -> Result<Unmatched, QueryError> {
        unmatched(&debugger.session.at(self.at.as_ref())?, &self.message)
    }
}
