//! What a process was started as: behind `proc_lib` and `gen`, the module and the arguments that
//! a person wrote.

use reverl_causal::{Entry, ProcId, System};
use reverl_term::{Atom, Term};
use serde::Serialize;
use ts_rs::TS;

/// The behaviour that a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    GenServer,
    GenStatem,
    GenEvent,
    Supervisor,
}

impl Behaviour {
    /// The behaviour as it is written in `-behaviour`.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::GenServer => "gen_server",
            Behaviour::GenStatem => "gen_statem",
            Behaviour::GenEvent => "gen_event",
            Behaviour::Supervisor => "supervisor",
        }
    }
}

/// What a process was started as.
pub struct Start {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
    pub arguments: Vec<Term>,
    pub behaviour: Option<Behaviour>,
    /// The name under which it is known beyond its node, or to another registry.
    pub known_as: Option<Term>,
}

impl Start {
    /// How this process was started, seen from its first call.
    pub fn of(system: &System, proc: ProcId) -> Start {
        let entry = &system.execution().proc(proc).entry;
        behind_proc_lib(entry).unwrap_or_else(|| Start::plain(entry))
    }

    fn plain(entry: &Entry) -> Start {
        let (module, name, arity) = entry.mfa();
        let (Entry::Call { args, .. } | Entry::Fun { args, .. }) = entry;
        let arguments = args.to_vec().unwrap_or_default();
        Start { module, name, arity, arguments, behaviour: None, known_as: None }
    }
}

/// What `proc_lib` was asked to start.
fn behind_proc_lib(entry: &Entry) -> Option<Start> {
    let Entry::Call { module, name, args } = entry else { return None };
    if (module.name(), name.name()) != ("proc_lib", "init_p") {
        return None;
    }
    let args = args.to_vec()?;
    let [_, _, module, name, args] = args.as_slice() else {
        let fun = args.last()?.clone();
        return Some(Start::plain(&Entry::Fun { fun, args: Term::nil() }));
    };
    let (module, name) = (module.as_atom()?, name.as_atom()?);
    if (module.name(), name.name()) == ("gen", "init_it") {
        return behind_gen(&args.to_vec()?);
    }
    Some(Start::plain(&Entry::Call { module, name, args: args.clone() }))
}

/// `gen:init_it(Behaviour, Starter, Parent, [Name,] Module, Args, Options)`. Supervisors are servers
/// whose arguments name the module; event managers have none.
fn behind_gen(args: &[Term]) -> Option<Start> {
    let [behaviour, _, _, names @ .., callback, start, _] = args else { return None };
    let known_as = names.first().and_then(Term::as_tuple).and_then(|name| match name {
        [kind, name] if kind.is_atom_eq(Atom::new("global")) => Some(name.clone()),
        [kind, _, name] if kind.is_atom_eq(Atom::new("via")) => Some(name.clone()),
        _ => None,
    });
    let (mut module, mut start) = (callback.as_atom()?, start.clone());
    let mut kind = match behaviour.as_atom()?.name() {
        "gen_statem" => Behaviour::GenStatem,
        "gen_event" => Behaviour::GenEvent,
        _ => Behaviour::GenServer,
    };
    if let ("supervisor", Some([_, inner, args])) = (module.name(), start.clone().as_tuple()) {
        (module, start, kind) = (inner.as_atom()?, args.clone(), Behaviour::Supervisor);
    }
    if kind == Behaviour::GenEvent {
        module = Atom::new("gen_event");
    }
    let (name, arguments) = (Atom::new("init"), vec![start]);
    Some(Start { module, name, arity: 1, arguments, behaviour: Some(kind), known_as })
}
