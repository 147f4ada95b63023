//! `spawn` in all its forms.

use super::{Reply, Row};
use crate::execution::{Effect, Entry, ProcId, SignalKind};
use crate::system::{System, Watched};
use reverl_machine::Raise;
use reverl_term::{Atom, Fun, Term, View, atoms};

pub const TABLE: &[Row] = &[
    ("erlang", "spawn", 1, |s, p, a| spawn(s, p, fun(&a[0]), Options::default())),
    ("erlang", "spawn", 3, |s, p, a| spawn(s, p, call(a), Options::default())),
    ("erlang", "spawn_link", 1, |s, p, a| spawn(s, p, fun(&a[0]), Options::LINK)),
    ("erlang", "spawn_link", 3, |s, p, a| spawn(s, p, call(a), Options::LINK)),
    ("erlang", "spawn_monitor", 1, |s, p, a| {
        let entry = fun(&a[0]);
        let takes_none = a[0].as_fun().is_some_and(|f| f.arity() == 0);
        let entry = if takes_none { entry } else { Err(Raise::badarg()) };
        spawn(s, p, entry, Options::MONITOR)
    }),
    ("erlang", "spawn_monitor", 3, |s, p, a| spawn(s, p, call(a), Options::MONITOR)),
    ("erlang", "spawn_opt", 2, |s, p, a| spawn_opt(s, p, fun(&a[0]), &a[1])),
    ("erlang", "spawn_opt", 4, |s, p, a| spawn_opt(s, p, call(a), &a[3])),
];

#[derive(Clone, Copy, Default)]
struct Options {
    link: bool,
    monitor: bool,
}

impl Options {
    const LINK: Options = Options { link: true, monitor: false };
    const MONITOR: Options = Options { link: false, monitor: true };
}

fn fun(fun: &Term) -> Result<Entry, Raise> {
    match fun.as_fun() {
        Some(Fun::External { module, name, arity: 0 }) => {
            Ok(Entry::Call { module: *module, name: *name, args: Term::nil() })
        }
        // One that wants arguments is started all the same: the process fails, not its parent.
        Some(_) => Ok(Entry::Fun { fun: fun.clone(), args: Term::nil() }),
        None => Err(Raise::badarg()),
    }
}

fn call(a: &[Term]) -> Result<Entry, Raise> {
    match (a[0].as_atom(), a[1].as_atom(), a[2].list_len()) {
        (Some(module), Some(name), Some(_)) => Ok(Entry::Call { module, name, args: a[2].clone() }),
        _ => Err(Raise::badarg()),
    }
}

fn spawn_opt(s: &mut System, p: ProcId, entry: Result<Entry, Raise>, options: &Term) -> Reply {
    let Some(list) = options.to_vec() else { return Reply::badarg() };
    let mut chosen = Options::default();
    for option in &list {
        match option.view() {
            View::Atom(a) if a.name() == "link" => chosen.link = true,
            View::Atom(a) if a.name() == "monitor" => chosen.monitor = true,
            View::Tuple([key, _]) if key.is_atom_eq(Atom::new("monitor")) => {
                chosen.monitor = true;
            }
            // Priorities and heap sizes change nothing here.
            View::Tuple([_, _]) => {}
            _ => return Reply::badarg(),
        }
    }
    spawn(s, p, entry, chosen)
}

fn spawn(s: &mut System, p: ProcId, entry: Result<Entry, Raise>, options: Options) -> Reply {
    let entry = match entry {
        Ok(entry) => entry,
        Err(raise) => return Reply::raise(raise),
    };
    let first = s.first_signal(p);
    let child = s.spawn(p, entry);
    let pid = s.pid(child);
    if options.link {
        // A link made with the spawn is there from the start, on both sides.
        s.live_mut(p).relations_mut().links.insert(child);
        s.live_mut(child).relations_mut().links.insert(p);
    }
    let mut value = pid.clone();
    if options.monitor {
        let reference = s.new_ref(p);
        s.live_mut(p).relations_mut().monitors.insert(reference.clone(), Watched::new(child));
        let tag = Term::atom(atoms::DOWN);
        let message = Term::tuple(vec![reference.clone(), pid.clone(), tag]);
        s.put_signal(p, Some(child), SignalKind::Monitor, message);
        value = Term::tuple(vec![pid, reference]);
    }
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(value), effect: Effect { spawned: Some(child), signals, output: None } }
}
