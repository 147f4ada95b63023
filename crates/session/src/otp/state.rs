//! The state that a callback module keeps, out of the loop of its behaviour.

use super::start::{Behaviour, Start};
use crate::scope::{self, Level};
use crate::viewpoint::Viewpoint;
use reverl_causal::{ProcId, System};
use reverl_machine::Process;
use reverl_term::{Atom, Term};

/// The state of a process with a behaviour.
pub struct ServerState {
    pub behaviour: Behaviour,
    pub module: Atom,
    /// Of a state machine, the name of its state.
    pub name: Option<Term>,
    pub value: Term,
}

/// The name of a state, if it has one, and the state.
type NamedState = (Option<Term>, Term);

/// The state of a process as its callback module was last given it; `None` before the first and of
/// processes without a behaviour.
pub fn state(seen: &Viewpoint, proc: ProcId) -> Option<ServerState> {
    let system = &seen.session.system;
    let start = Start::of(system, proc);
    start.behaviour?;
    in_process(system, start, &seen.state(proc), seen.steps_of(proc))
}

/// The state of a process that was started so and was brought to a step.
pub fn in_process(
    system: &System,
    start: Start,
    process: &Process,
    step: u64,
) -> Option<ServerState> {
    let behaviour = start.behaviour?;
    let levels = scope::levels(&system.program().code, process, step);
    let of_levels = |behaviour: &str, read: fn(&Level) -> Option<NamedState>| {
        levels.iter().rev().filter(|l| l.module.name() == behaviour).find_map(read)
    };
    let (name, value) = match behaviour {
        Behaviour::GenServer | Behaviour::Supervisor => of_levels("gen_server", of_server)?,
        Behaviour::GenStatem => of_levels("gen_statem", of_machine)?,
        Behaviour::GenEvent => of_levels("gen_event", of_manager)?,
    };
    Some(ServerState { behaviour, module: start.module, name, value })
}

fn variable(level: &Level, name: &str) -> Option<Term> {
    level.bindings.iter().find(|(n, _)| n.name() == name).map(|(_, value)| value.clone())
}

fn of_server(level: &Level) -> Option<NamedState> {
    variable(level, "State").map(|state| (None, state))
}

/// `{State, Data}` is a variable of its own while a callback runs, else part of a record.
fn of_machine(level: &Level) -> Option<NamedState> {
    let both = variable(level, "State_Data").or_else(|| {
        let record = variable(level, "S")?;
        record.as_tuple()?.get(1).cloned()
    })?;
    match both.as_tuple()? {
        [name, data] => Some((Some(name.clone()), data.clone())),
        _ => None,
    }
}

/// The handlers with their states.
fn of_manager(level: &Level) -> Option<NamedState> {
    let handlers = variable(level, "MSL")?;
    let states = handlers.list_iter().filter_map(|handler| match handler.as_tuple()? {
        [_, module, _, state, ..] => Some(Term::tuple(vec![module.clone(), state.clone()])),
        _ => None,
    });
    Some((None, Term::list(states.collect::<Vec<_>>())))
}
