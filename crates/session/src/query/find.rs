//! Where a value occurs, also inside of others: in messages, and in variables of the program's own
//! code (states of servers among them).

use super::events::{EventRow, told_row};
use super::{Detail, ProcRef, logged, term};
use crate::error::QueryError;
use crate::eval::{self, Pattern};
use crate::scope;
use crate::session::Session;
use crate::stops::{Search, Stops};
use crate::{lines, places, walk};
use reverl_causal::{ProcId, SignalId};
use reverl_lang::code::FunId;
use reverl_machine::Local;
use reverl_term::{Atom, Term, View, exact_eq};
use serde::Serialize;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Somebody waits for the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a value was found, the first ones.
#[derive(Clone, Debug, Serialize)]
pub struct FoundValues {
    pub found: Vec<FoundValue>,
    pub count: usize,
    /// Not everything was looked at: it would have taken too long.
    pub is_cut_short: bool,
}

/// One place at which it was found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FoundValue {
    /// The message that this event sends.
    Message(Box<EventRow>),
    /// A variable that has become bound, or has another value in a later call.
    Variable(VariableRow),
}

/// A variable where it became bound to this value.
#[derive(Clone, Debug, Serialize)]
pub struct VariableRow {
    #[serde(flatten)]
    pub process: ProcRef,
    pub step: u64,
    pub at: String,
    pub name: String,
    pub value: String,
}

/// What is looked for.
enum Wanted {
    Value(Term),
    Matching(Pattern, Local),
}

impl Wanted {
    /// An expression that has a value is that value; anything else is a pattern.
    fn new(session: &Session, text: &str) -> Result<Wanted, QueryError> {
        let system = &session.system;
        let local = system.running(system.main).process.local.clone();
        let value = eval::compile(system.world(), text, &[], None)
            .and_then(|compiled| eval::evaluate(system, &compiled, vec![], local.clone()));
        match value {
            Ok(value) => Ok(Wanted::Value(value)),
            Err(_) => Ok(Wanted::Matching(Pattern::new(system, text)?, local)),
        }
    }

    fn is_in(&self, session: &Session, term: &Term) -> bool {
        let mut todo = vec![term.clone()];
        while let Some(term) = todo.pop() {
            let fits = match self {
                Wanted::Value(wanted) => exact_eq(wanted, &term),
                Wanted::Matching(pattern, local) => {
                    pattern.matches_term(&session.system, local.clone(), term.clone())
                }
            };
            if fits {
                return true;
            }
            match term.view() {
                View::Tuple(parts) => todo.extend(parts.iter().cloned()),
                View::Cons(head, tail) => todo.extend([head.clone(), tail.clone()]),
                View::Map(map) => {
                    map.iter().for_each(|(k, v)| todo.extend([k.clone(), v.clone()]));
                }
                _ => {}
            }
        }
        false
    }
}

/// A place, and when it is among the events.
enum Hit {
    Message(SignalId),
    Variable { proc: ProcId, step: u64, name: Atom, value: Term },
}

/// Everywhere that a value occurs, in an order in which it can have happened.
pub fn find(session: &Session, text: &str, most: usize) -> Result<FoundValues, QueryError> {
    let wanted = Wanted::new(session, text)?;
    let begun = Instant::now();
    let is_late = || begun.elapsed() > PATIENCE || session.has_to_stop();
    let mut hits: Vec<(u32, Hit)> = vec![];
    let mut is_cut_short = messages(session, &wanted, &is_late, &mut hits);
    let stops = own_bindings(session);
    let execution = session.execution();
    for proc in execution.ids().filter(|proc| !execution.proc(*proc).is_system) {
        is_cut_short |= variables(session, (proc, &stops), &wanted, &is_late, &mut hits);
    }
    hits.sort_by_key(|(order, _)| *order);
    let found = hits.iter().take(most).map(|(_, hit)| shown(session, hit)).collect();
    Ok(FoundValues { found, count: hits.len(), is_cut_short })
}

/// Adds the messages; true if it became too late.
fn messages(
    session: &Session,
    wanted: &Wanted,
    is_late: &dyn Fn() -> bool,
    hits: &mut Vec<(u32, Hit)>,
) -> bool {
    let execution = session.execution();
    for from in execution.ids().filter(|proc| !execution.proc(*proc).is_system) {
        for k in 0..execution.proc(from).signals.len() as u32 {
            let id = SignalId { from, k };
            if k % 64 == 0 && is_late() {
                return true;
            }
            if execution.kind(id).is_message()
                && wanted.is_in(session, &execution.signal(id).message)
            {
                let order = execution.order_of(places::send_event(execution, id));
                hits.push((order, Hit::Message(id)));
            }
        }
    }
    false
}

/// Where variables of the program's own functions become bound.
fn own_bindings(session: &Session) -> Stops {
    let (program, own) = (session.system.program(), session.own());
    let mut stops = Stops::default();
    for (i, info) in program.code.funs.iter().enumerate() {
        if own.contains(&info.module) {
            for var in &info.vars {
                let starts = lines::bindings_of(&program.code, FunId(i as u32), var.name);
                starts.into_iter().for_each(|at| stops.insert(at, 0));
            }
        }
    }
    stops
}

/// Adds the variables of one process; true if it became too late.
fn variables(
    session: &Session,
    (proc, stops): (ProcId, &Stops),
    wanted: &Wanted,
    is_late: &dyn Fn() -> bool,
    hits: &mut Vec<(u32, Hit)>,
) -> bool {
    let mut search = Search::new(session, proc, stops, 0, session.execution().proc(proc).steps);
    let mut seen: HashMap<(FunId, Atom), Term> = HashMap::new();
    let mut looked = 0u32;
    while let Some((step, _)) = search.advance() {
        looked += 1;
        if looked % 64 == 0 && is_late() {
            return true;
        }
        let process = search.process();
        let (fun, bound) = {
            let program = session.system.program();
            let fun = program.code.fun_at(process.pc());
            (fun, scope::bindings_at(&program.code, process, step))
        };
        for (name, value) in bound {
            let known = seen.get(&(fun, name)).is_some_and(|known| exact_eq(known, &value));
            if known {
                continue;
            }
            seen.insert((fun, name), value.clone());
            if wanted.is_in(session, &value) {
                let order = logged::order(session, proc, step);
                hits.push((order, Hit::Variable { proc, step, name, value }));
            }
        }
    }
    false
}

fn shown(session: &Session, hit: &Hit) -> FoundValue {
    let system = &session.system;
    match hit {
        Hit::Message(id) => {
            let event = places::send_event(system.execution(), *id);
            FoundValue::Message(Box::new(told_row(system, event, Detail::Brief)))
        }
        Hit::Variable { proc, step, name, value } => {
            let state = system.state_at(*proc, *step);
            let place = walk::place_of(&system.program().code, &state, *step);
            FoundValue::Variable(VariableRow {
                process: ProcRef::of(system, *proc),
                step: *step,
                at: place.line.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default(),
                name: name.name().into(),
                value: term::line(value, Detail::Brief),
            })
        }
    }
}
