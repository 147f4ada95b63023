//! Where a value came from: the way back to where it was made, each place of which can be gone to.

use super::asked_place::AskedPlace;
use super::events::{EventRow, told_row};
use super::process::CodeOwner;
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::language;
use crate::origin::{self, Hop, HopKind, Path};
use crate::otp::message::Recognised;
use crate::session::Session;
use crate::viewpoint::Viewpoint;
use crate::{eval, own_place, places, scope, walk};
use reverl_causal::ProcId;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::FileId;
use reverl_lang::visit::collect_vars;
use reverl_term::{Atom, Term};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a value came from.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Reason {
    /// What was asked: a variable, an expression, a message or `exit`.
    pub variable: String,
    pub value: String,
    #[serde(flatten)]
    pub process: ProcRef,
    /// Where it was bound: `file:line`, and the step.
    pub at: String,
    pub step: u64,
    /// The event that sent the message it came with.
    pub message: Option<EventRow>,
    /// The way back, the nearest place first.
    pub chain: Vec<OriginHop>,
}

/// How a value got from one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum OriginKind {
    Bound,
    Returned,
    Sent,
    Spawned,
    Made,
}

/// One place on the way back.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OriginHop {
    pub kind: OriginKind,
    #[serde(flatten)]
    pub process: ProcRef,
    pub step: u64,
    pub at: String,
    pub variable: Option<String>,
    pub value: String,
    /// The sending or the spawn.
    pub event: Option<EventRow>,
    /// Whose code this place is in.
    pub owner: CodeOwner,
    /// Of a place in a library: the line of the program's own code that called it.
    pub own_at: Option<String>,
}

impl OriginHop {
    /// Whether it is a place in the program's own code, or what passed between processes: what
    /// libraries do in between is their own affair.
    pub fn is_telling(&self) -> bool {
        self.owner == CodeOwner::Own || matches!(self.kind, OriginKind::Sent | OriginKind::Spawned)
    }
}

fn hop(session: &Session, hop: &Hop, detail: Detail) -> OriginHop {
    let own = own_place::call(&session.system, hop.proc, hop.step);
    let is_own = own.as_ref().is_some_and(|call| call.is_innermost);
    let own_at = own.filter(|_| !is_own).and_then(|call| call.at);
    OriginHop {
        kind: match hop.kind {
            HopKind::Bound => OriginKind::Bound,
            HopKind::Returned => OriginKind::Returned,
            HopKind::Sent => OriginKind::Sent,
            HopKind::Spawned => OriginKind::Spawned,
            HopKind::Made => OriginKind::Made,
        },
        process: ProcRef::of(&session.system, hop.proc),
        step: hop.step,
        at: place(session, hop.proc, hop.step),
        variable: hop.variable.and_then(language::variable),
        // A place on the way names the value; who goes there sees it whole.
        value: super::term::line(&hop.value, Detail::Brief),
        event: hop.event.map(|event| told_row(&session.system, event, detail)),
        owner: if is_own { CodeOwner::Own } else { CodeOwner::Library },
        own_at,
    }
}

fn place(session: &Session, proc: ProcId, step: u64) -> String {
    let state = session.system.state_at(proc, step);
    let place = walk::place_of(&session.system.program().code, &state, step);
    place.line.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default()
}

/// The moment at which a call further out than the innermost made the one that came of it.
fn at_level<'s>(seen: &Viewpoint<'s>, proc: ProcId, level: usize) -> Option<Viewpoint<'s>> {
    let (session, process) = (seen.session, seen.state(proc));
    let (ret, _) = process.stack().callers().nth(level.checked_sub(1)?)?;
    let depth = process.depth().checked_sub(level)? + 1;
    let end = seen.steps_of(proc).checked_sub(1)?;
    let step = walk::last_call_to(session, proc, (ret - 1, depth), end)?;
    Some(session.at_step(proc, step))
}

/// Where what was asked came from: a variable of a call in progress (so many further out than the
/// innermost), an expression over them (the part of a value), a message by its name, or the end of
/// the process.
pub fn why(
    seen: &Viewpoint,
    proc: ProcId,
    level: usize,
    asked: &str,
    detail: Detail,
) -> Result<Reason, QueryError> {
    let session = seen.session;
    let outer = at_level(seen, proc, level);
    let (value, hops) = match asked {
        "exit" => exit(seen, proc)?,
        message if message.starts_with('#') => {
            let id = places::message(session, message)?;
            // What OTP puts around a request is its own affair.
            let value = Recognised::of(&session.system, id).content;
            let sent = places::send_event(session.execution(), id);
            (value.clone(), origin::of_message(session, sent, value))
        }
        expression => of_expression(outer.as_ref().unwrap_or(seen), proc, expression)?,
    };
    let first = hops.first();
    let (at_proc, step) = first.map_or((proc, seen.steps_of(proc)), |h| (h.proc, h.step));
    let own = hops.iter().take_while(|h| h.kind != HopKind::Made && h.proc == proc).count();
    let sent = hops.get(own).filter(|h| h.kind == HopKind::Sent).or(first);
    let message = sent.filter(|h| h.kind == HopKind::Sent).and_then(|h| h.event);
    Ok(Reason {
        variable: asked.into(),
        value: super::term::line(&value, detail),
        process: ProcRef::of(&session.system, at_proc),
        at: place(session, at_proc, step),
        step,
        message: message.map(|event| told_row(&session.system, event, detail)),
        chain: hops.iter().map(|h| hop(session, h, detail)).collect(),
    })
}

/// A variable, or a part of its value that an expression takes out of it.
fn of_expression(
    seen: &Viewpoint,
    proc: ProcId,
    expression: &str,
) -> Result<(Term, Vec<Hop>), QueryError> {
    let (session, process) = (seen.session, seen.state(proc));
    let (module, bound) = scope::module_and_bindings(seen, proc, &process);
    let step = seen.steps_of(proc);
    let names: Vec<Atom> = bound.iter().map(|(name, _)| *name).collect();
    let meant = language::meant(expression, &names);
    if let Some((name, value)) = bound.iter().find(|(name, _)| Some(*name) == meant) {
        let hops = origin::of_variable(session, proc, step, *name, Path::new());
        return Ok((value.clone(), hops));
    }
    let not_bound = || QueryError::NotBound(expression.into());
    let erlang = language::erlang(expression, &names);
    let parsed = parse_exprs(&erlang, FileId(u32::MAX)).map_err(|_| not_bound())?;
    let mut names = vec![];
    parsed.iter().for_each(|e| collect_vars(e, &mut names));
    let (parameters, values): (Vec<Atom>, Vec<Term>) = bound.iter().cloned().unzip();
    let world = session.system.world();
    let compiled =
        eval::compile(world, expression, &parameters, Some(module)).map_err(|_| not_bound())?;
    let value = eval::evaluate(&session.system, &compiled, values, process.local.clone())
        .map_err(|_| not_bound())?;
    let mentioned: Vec<_> =
        bound.iter().filter(|(name, _)| names.contains(name)).cloned().collect();
    let with = |values: Vec<Term>| {
        eval::evaluate(&session.system, &compiled, values, process.local.clone()).ok()
    };
    let taken = origin::taken_from(&bound, &mentioned, &value, with).ok_or_else(not_bound)?;
    let hops = origin::of_variable(session, proc, step, taken.name, taken.path);
    Ok((value, hops))
}

/// Why a process has ended: the position at which it raised or returned, or who killed it.
fn exit(seen: &Viewpoint, proc: ProcId) -> Result<(Term, Vec<Hop>), QueryError> {
    let execution = seen.execution();
    let exited = execution.proc(proc).exit();
    let exited = exited.filter(|_| seen.cut.has_exited(execution, proc));
    let exited = exited.ok_or_else(|| QueryError::NotBound("exit".into()))?;
    let last = execution.proc(proc).actions.last().map_or(0, |a| a.step.saturating_sub(1));
    let killer = exited.killing_signal().map(|delivery| {
        let signal = execution.proc(proc).deliveries[delivery as usize].signal;
        places::send_event(execution, signal)
    });
    let value = exited.reason.clone();
    let (at, step, kind) = match killer {
        Some(event) => {
            let step = execution.action(event).map_or(0, |a| a.step.saturating_sub(1));
            (event.proc, step, HopKind::Sent)
        }
        None => (proc, last, HopKind::Made),
    };
    let part = value.clone();
    let hop =
        Hop { kind, proc: at, step, variable: None, value: value.clone(), part, event: killer };
    Ok((value, vec![hop]))
}

/// Asks where a value came from.
#[derive(Deserialize, TS)]
pub struct WhyQuery {
    variable: String,
    /// Which call, from the innermost.
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    level: usize,
    #[serde(flatten)]
    #[ts(flatten)]
    asked: AskedPlace,
}

impl Query for WhyQuery {
    const NAME: &'static str = "why";
    const HELP: &'static str = "where a value came from, back to where it was made";
    type Answer = Reason;

    fn answer(&self, debugger: &Debugger) -> Result<Reason, QueryError> {
        let (seen, proc) = self.asked.seen(&debugger.session)?;
        why(&seen, proc, self.level, &self.variable, Detail::Brief)
    }
}
