//! Something that should hold at every moment: an Erlang expression over tables, names, processes and
//! the states of servers, asked after every event. It is asked along one order of each execution: what
//! it says of one process or one table is asked in all states that these can have, what it says of
//! several together only in those of that order.

use super::SearchError;
use crate::eval::{self, Compiled, NoValue};
use crate::failure::{Failure, FailureKind};
use crate::names;
use crate::otp::{self, start::Start};
use crate::outcome::{self, show};
use reverl_causal::{Cut, System};
use reverl_term::{Atom, Term};

/// The variable that has the states of all servers by their names.
const STATES: &str = "States";

/// An expression that should always be true.
pub struct Invariant {
    text: String,
    compiled: Compiled,
}

impl Invariant {
    /// Compiles the expression into the system's program.
    pub fn new(text: &str, system: &System) -> Result<Invariant, SearchError> {
        let text = text.trim().trim_end_matches('.');
        let body = format!("_ = {STATES},\n{text}");
        let compiled = eval::compile(system.world(), &body, &[Atom::new(STATES)], None);
        let compiled =
            compiled.map_err(|why| SearchError::NotAnInvariant { text: text.into(), why })?;
        Ok(Invariant { text: text.into(), compiled })
    }

    /// The first moment at which it does not hold, if there is one. Before the program has made what
    /// is asked about, there is nothing to hold; but one that could never be asked does not hold.
    pub fn broken(&self, system: &System) -> Result<Option<Failure>, SearchError> {
        let mut found = Moments { seen: 0, raised: None, is_asked: false, broken: Ok(None) };
        let mut holds = |now: &System| {
            let events = now.execution().event_count();
            // One event may take two steps, and nothing is there before the first.
            if events > found.seen {
                found.seen = events;
                found.note(self, now);
            }
            matches!(found.broken, Ok(None))
        };
        // It is asked before every step, and after the last.
        if let Some(end) = system.branch_by_steps(&Cut::end(system.execution()), &mut holds) {
            holds(&end);
        }
        match (found.broken?, found.raised.filter(|_| !found.is_asked)) {
            (None, Some(why)) => {
                let reason = format!("{} has no value at any moment: {why}", self.text);
                Ok(Some(failure(system, reason)))
            }
            (broken, _) => Ok(broken),
        }
    }
}

/// What was seen of an invariant along an execution.
struct Moments {
    /// Events before the last moment at which it was asked.
    seen: usize,
    /// The last exception instead of a value.
    raised: Option<NoValue>,
    is_asked: bool,
    broken: Result<Option<Failure>, SearchError>,
}

impl Moments {
    fn note(&mut self, invariant: &Invariant, now: &System) {
        match eval::evaluate_now(now, &invariant.compiled, vec![states(now)]) {
            Ok(value) if value.as_bool() == Some(true) => self.is_asked = true,
            Ok(value) => {
                let reason = format!("{} is {}", invariant.text, show(&value));
                self.broken = Ok(Some(failure(now, reason)));
            }
            Err(why @ NoValue::Raised(..)) => self.raised = Some(why),
            Err(why) => {
                let text = invariant.text.clone();
                self.broken = Err(SearchError::NotAnInvariant { text, why });
            }
        }
    }
}

/// It is where the last event was.
fn failure(now: &System, reason: String) -> Failure {
    let last = now.execution().events().next_back().map_or(now.main, |event| event.proc);
    Failure { kind: FailureKind::Invariant, at: outcome::place(now, last), reason }
}

/// The states of all servers that have a name.
fn states(now: &System) -> Term {
    let named = outcome::own_processes(now).filter(|proc| !now.has_exited(*proc));
    let states = named.filter_map(|proc| {
        let name = names::registered(now, proc)?;
        let process = &now.running(proc).process;
        let state = otp::state::in_process(now, Start::of(now, proc), process, process.steps())?;
        Some((Term::atom_named(&name), state.value))
    });
    Term::map(states.collect())
}
