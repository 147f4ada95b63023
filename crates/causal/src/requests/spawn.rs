//! `spawn` in all its forms.

use super::links::MonitorOptions;
use super::{Reply, Row, flags};
use crate::execution::{Effect, Entry, NodeId, ProcId};
use crate::system::{System, Watched, Watcher};
use reverl_machine::Raise;
use reverl_term::{Fun, Term, View};

pub const TABLE: &[Row] = &[
    ("erlang", "spawn", 1, |s, p, a| spawn(s, p, fun(&a[0]), Options::default())),
    ("erlang", "spawn", 3, |s, p, a| spawn(s, p, call(a), Options::default())),
    ("erlang", "spawn_link", 1, |s, p, a| spawn(s, p, fun(&a[0]), linked())),
    ("erlang", "spawn_link", 3, |s, p, a| spawn(s, p, call(a), linked())),
    ("erlang", "spawn_monitor", 1, |s, p, a| {
        let entry = fun(&a[0]);
        let takes_none = a[0].as_fun().is_some_and(|f| f.arity() == 0);
        let entry = if takes_none { entry } else { Err(Raise::badarg()) };
        spawn(s, p, entry, monitored())
    }),
    ("erlang", "spawn_monitor", 3, |s, p, a| spawn(s, p, call(a), monitored())),
    ("erlang", "spawn_opt", 2, |s, p, a| spawn_opt(s, p, fun(&a[0]), &a[1])),
    ("erlang", "spawn_opt", 4, |s, p, a| spawn_opt(s, p, call(a), &a[3])),
    ("reverl", "spawn_on", 3, spawn_on),
    // What a node runs from its start on: nobody need reach it for that.
    ("reverl", "begin_on", 2, |s, p, a| {
        let event = s.upcoming(p);
        match a[0].as_atom().and_then(|name| s.node_named(name, event)) {
            Some(node) => {
                spawn(s, p, fun(&a[1]), Options { node: Some(node), ..Options::default() })
            }
            None => Reply::badarg(),
        }
    }),
];

#[derive(Clone, Default)]
struct Options {
    link: bool,
    monitor: Option<MonitorOptions>,
    /// The node that it runs on, if that is another one.
    node: Option<NodeId>,
    /// Flags that the process begins with.
    flags: Vec<(Term, Term)>,
}

fn linked() -> Options {
    Options { link: true, ..Options::default() }
}

fn monitored() -> Options {
    Options { monitor: Some(MonitorOptions::default()), ..Options::default() }
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
    match read_options(options) {
        Some(options) => spawn(s, p, entry, options),
        None => Reply::raise(entry.err().unwrap_or(Raise::badarg_because("badopt"))),
    }
}

fn read_options(options: &Term) -> Option<Options> {
    let mut read = Options::default();
    for option in options.to_vec()? {
        match option.view() {
            View::Atom(word) if word.name() == "link" => read.link = true,
            View::Atom(word) if word.name() == "monitor" => {
                read.monitor = Some(MonitorOptions::default());
            }
            View::Tuple([key, value]) => match key.as_atom()?.name() {
                "monitor" => read.monitor = Some(MonitorOptions::read(value)?),
                "scheduler" => _ = value.as_usize()?,
                flag @ ("priority" | "message_queue_data" | "fullsweep_after" | "min_heap_size"
                | "min_bin_vheap_size" | "max_heap_size") => {
                    read.flags.push((key.clone(), flags::accepted(flag, value)?));
                }
                "async_dist" => _ = value.as_bool()?,
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(read)
}

fn spawn(s: &mut System, p: ProcId, entry: Result<Entry, Raise>, options: Options) -> Reply {
    let entry = match entry {
        Ok(entry) => entry,
        Err(raise) => return Reply::raise(raise),
    };
    let child = s.spawn(p, entry, options.node.unwrap_or(s.node_of(p)));
    let pid = s.pid(child);
    for (flag, value) in options.flags {
        s.local_mut(child).flags.insert(flag, value);
    }
    if options.link {
        // A link made with the spawn is there from the start, on both sides; so is a monitor.
        s.running_mut(p).relations_mut().links.insert(child);
        s.running_mut(child).relations_mut().links.insert(p);
    }
    let mut value = pid.clone();
    if let Some(MonitorOptions { tag, alias, is_urgent }) = options.monitor {
        let reference = s.new_ref(p);
        if is_urgent {
            s.running_mut(p).relations_mut().urgent.insert(reference.clone());
        }
        if let Some(alias) = alias {
            s.running_mut(p).relations_mut().aliases.insert(reference.clone(), alias);
        }
        let what = pid.clone();
        let watched = Watched::new(child, what.clone(), tag.clone());
        s.running_mut(p).relations_mut().monitors.insert(reference.clone(), watched);
        let watcher = Watcher { reference: reference.clone(), watcher: p, what, tag };
        s.running_mut(child).relations_mut().watchers.push(watcher);
        value = Term::tuple(vec![pid, reference]);
    }
    let first = s.first_signal(p);
    s.tell_spawn(p, child, options.link);
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(value), effect: Effect { spawned: Some(child), signals, output: None } }
}

/// A process on another node, if that can be reached. Reaching it can be what connects the two.
fn spawn_on(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let (Some(name), Some(options)) = (a[0].as_atom(), read_options(&a[2])) else {
        return Reply::raise(Raise::badarg_because("badopt"));
    };
    let entry = match a[1].as_tuple() {
        Some(parts @ [_, _, _]) => call(parts),
        _ => fun(&a[1]),
    };
    let (event, first) = (s.upcoming(p), s.first_signal(p));
    let node = s.node_named(name, event).filter(|node| s.reach(event, s.node_of(p), *node));
    let mut reply = match node {
        Some(node) => spawn(s, p, entry, Options { node: Some(node), ..options }),
        None => Reply::value(Term::atom_named("noconnection")),
    };
    reply.effect.signals = s.finish_signals(p, first);
    reply
}
