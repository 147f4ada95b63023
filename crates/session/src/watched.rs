//! An expression of one process over time: which values it has had, and where each came.
//!
//! Variables do not change inside a call, so another value can be seen only where a line begins, a
//! variable becomes bound, or a call is entered or returned to. Where the expression has no value,
//! the last one counts.

use crate::command::ChangeSpec;
use crate::describe;
use crate::error::NotFound;
use crate::eval::Typed;
use crate::lines;
use crate::otp::start::Start;
use crate::otp::state::in_process;
use crate::session::Session;
use crate::stops::{Search, Stops};
use crate::walk;
use reverl_causal::ProcId;
use reverl_lang::code::{Code, FunId};
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::FileId;
use reverl_lang::visit::collect_vars;
use reverl_machine::Process;
use reverl_term::{Atom, Term};
use std::cell::RefCell;

/// An expression in the functions in which it means something, of one process.
pub struct WatchedExpression {
    pub proc: ProcId,
    stops: Stops,
    /// What it is an expression of.
    of: Of,
    typed: Typed,
    /// The last value up to a position that was looked at.
    known: RefCell<Option<(u64, Option<Term>)>>,
}

/// What the names in an expression stand for.
enum Of {
    /// The variables of a call.
    Variables,
    /// `State` is the state that a server keeps; records are those of its callback module.
    State,
}

/// A value that was seen first at a position.
pub struct NewValue {
    pub step: u64,
    /// None: it had no value before.
    pub before: Option<Term>,
    pub value: Term,
}

impl WatchedExpression {
    /// The expression as it is asked for, found in the code.
    pub fn new(session: &Session, spec: &ChangeSpec) -> Result<WatchedExpression, NotFound> {
        let proc = crate::places::process(session, &spec.process)?;
        let program = session.system.program();
        let (of, stops) = match spec.of_state {
            true => (Of::State, loop_stops(&program.code)),
            false => (Of::Variables, stops(&program.code, &session.own(), spec)?),
        };
        let typed = Typed::new(&spec.expression);
        Ok(WatchedExpression { proc, stops, of, typed, known: RefCell::default() })
    }

    fn value(&self, session: &Session, process: &Process, step: u64) -> Option<Term> {
        match self.of {
            Of::Variables => self.typed.value(session, process, step).ok(),
            Of::State => {
                let start = Start::of(&session.system, self.proc);
                let kept = in_process(&session.system, start, process, step)?;
                let names = vec![Atom::new("State")];
                let local = process.local.clone();
                self.typed.among(session, (kept.module, names), vec![kept.value], local).ok()
            }
        }
    }

    /// Where another value can be seen.
    pub fn stops(&self) -> &Stops {
        &self.stops
    }

    /// The value at a position to which a process was brought, if it is another than before.
    pub fn change(&self, session: &Session, process: &Process, step: u64) -> Option<NewValue> {
        let before = self.last_before(session, step);
        let now = self.value(session, process, step);
        let known = now.clone().or_else(|| before.clone());
        // Who was interrupted has not seen all.
        *self.known.borrow_mut() = (!session.has_to_stop()).then_some((step, known));
        let value = now.filter(|now| before.as_ref() != Some(now))?;
        Some(NewValue { step, before, value })
    }

    fn last_before(&self, session: &Session, step: u64) -> Option<Term> {
        let known = self.known.borrow().clone().filter(|(at, _)| *at < step);
        let mut last = None;
        match known {
            Some((at, value)) => {
                let mut search = Search::new(session, self.proc, &self.stops, at + 1, step - 1);
                while let Some((step, _)) = search.advance() {
                    last = self.value(session, search.process(), step).or(last);
                }
                last.or(value)
            }
            None => {
                let end = step.checked_sub(1)?;
                session.last_stop_to(
                    self.proc,
                    &self.stops,
                    end,
                    &mut |session, process, at, _| {
                        let value = self.value(session, process, at);
                        let has_value = value.is_some();
                        last = value.or(last.take());
                        has_value
                    },
                );
                last
            }
        }
    }

    /// All values that it has had up to a position, each where it was seen first.
    pub fn values(&self, session: &Session, end: u64) -> Vec<NewValue> {
        let mut search = Search::new(session, self.proc, &self.stops, 0, end);
        let mut found: Vec<NewValue> = vec![];
        while let Some((step, _)) = search.advance() {
            let Some(value) = self.value(session, search.process(), step) else { continue };
            let before = found.last().map(|last| last.value.clone());
            if before.as_ref() != Some(&value) {
                found.push(NewValue { step, before, value });
            }
        }
        found
    }
}

/// The variables of an expression that a person typed.
fn variables(text: &str) -> Vec<Atom> {
    let mut names = vec![];
    if let Ok(exprs) = parse_exprs(text, FileId(u32::MAX)) {
        exprs.iter().for_each(|e| collect_vars(e, &mut names));
    }
    names
}

/// Where in the code another value of an expression can be seen.
fn stops(
    code: &Code,
    own: &std::collections::HashSet<Atom>,
    spec: &ChangeSpec,
) -> Result<Stops, NotFound> {
    let names = variables(&crate::language::erlang(&spec.expression, &[]));
    let all = (0..code.funs.len() as u32).map(FunId);
    let mut stops = Stops::default();
    for fun in all {
        let info = code.fun(fun);
        let has = |name: &Atom| info.vars.iter().any(|var| var.name == *name);
        let is_meant = match &spec.function {
            Some(function) => {
                describe::mfa((info.module, info.name, u32::from(info.arity))) == *function
            }
            None if names.is_empty() => own.contains(&info.module),
            None => own.contains(&info.module) && names.iter().all(has),
        };
        if is_meant {
            lines::beginnings(code, fun).into_iter().for_each(|at| stops.insert(at, 0));
            for name in &names {
                lines::bindings_of(code, fun, *name).into_iter().for_each(|at| stops.insert(at, 0));
            }
            walk::returns_to(code, fun).for_each(|pc| stops.insert((pc, 0), 0));
        }
    }
    match (stops.is_empty(), names.first()) {
        (false, _) => Ok(stops),
        (true, Some(name)) => Err(NotFound::Variable(name.name().into())),
        (true, None) => Err(NotFound::Code(spec.expression.clone())),
    }
}

/// Where the loop of a behaviour begins anew: it has the state then that its callback module gave.
fn loop_stops(code: &Code) -> Stops {
    let is_loop = |info: &&reverl_lang::code::FunInfo| {
        matches!(
            (info.module.name(), info.name.name()),
            ("gen_server" | "gen_statem", "loop") | ("gen_event", "fetch_msg")
        )
    };
    let mut stops = Stops::default();
    code.funs.iter().filter(is_loop).for_each(|info| stops.insert((info.entry, 0), 0));
    stops
}

/// What a person means by an expression here: the function of the call that is looked at, if it
/// has all the variables; else every function that has them.
pub fn meant_here(session: &Session, proc: ProcId, level: usize, text: &str) -> ChangeSpec {
    let process = session.execution().proc(proc).path.to_string();
    if let Some(rest) = text.strip_prefix("state").filter(|r| r.is_empty() || r.starts_with(' ')) {
        let rest = rest.trim();
        let expression = if rest.is_empty() { "State" } else { rest }.to_string();
        return ChangeSpec { expression, process, function: None, of_state: true };
    }
    let names = variables(&crate::language::erlang(text, &[]));
    let levels = crate::scope::levels_at_cut(&session.now(), proc);
    let program = session.system.program();
    let here = levels.get(level).filter(|_| !names.is_empty()).and_then(|call| {
        let mut funs = program.code.funs.iter();
        let is_it = |info: &&reverl_lang::code::FunInfo| {
            (info.module, info.name, u32::from(info.arity)) == (call.module, call.name, call.arity)
        };
        let info = funs.find(is_it)?;
        let has = |name: &Atom| info.vars.iter().any(|var| var.name == *name);
        let mfa = describe::mfa((call.module, call.name, call.arity));
        names.iter().all(has).then_some(mfa)
    });
    ChangeSpec { expression: text.into(), process, function: here, of_state: false }
}
