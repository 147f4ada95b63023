//! Links, monitors, aliases, exit signals, flags.

use super::{Reply, Row};
use crate::execution::{Effect, ProcId, SignalKind};
use crate::signals::{down_message, exit_message};
use crate::system::{Alias, System, Watched};
use reverl_machine::Raise;
use reverl_term::{Atom, Term, View, atoms};

pub const TABLE: &[Row] = &[
    ("erlang", "!", 2, |s, p, a| send(s, p, &a[0], &a[1], a[1].clone())),
    ("erlang", "send", 2, |s, p, a| send(s, p, &a[0], &a[1], a[1].clone())),
    ("erlang", "send", 3, |s, p, a| match is_send_options(s, &a[2]) {
        true => send_as(s, p, [&a[0], &a[1]], Term::atom(atoms::OK), has_priority(&a[2])),
        false => Reply::badarg_because("badopt"),
    }),
    ("erlang", "send_nosuspend", 2, |s, p, a| send(s, p, &a[0], &a[1], Term::bool(true))),
    ("erlang", "send_nosuspend", 3, |s, p, a| send(s, p, &a[0], &a[1], Term::bool(true))),
    ("erlang", "link", 1, |s, p, a| tie(s, p, |s| link(s, p, a))),
    ("erlang", "link", 2, |s, p, a| match is_only_priority(&a[1]) {
        true => tie(s, p, |s| link_with(s, p, a)),
        false => Reply::badarg_because("badopt"),
    }),
    ("erlang", "unlink", 1, |s, p, a| tie(s, p, |s| unlink(s, p, a))),
    ("erlang", "monitor", 2, |s, p, a| tie(s, p, |s| monitor(s, p, &a[0], &a[1], &Term::nil()))),
    ("erlang", "monitor", 3, |s, p, a| tie(s, p, |s| monitor(s, p, &a[0], &a[1], &a[2]))),
    ("erlang", "demonitor", 1, |s, p, a| tie(s, p, |s| demonitor(s, p, &a[0], &Term::nil()))),
    ("reverl", "demonitor", 2, |s, p, a| tie(s, p, |s| demonitor(s, p, &a[0], &a[1]))),
    ("erlang", "exit", 2, exit),
    ("erlang", "exit", 3, |s, p, a| match is_only_priority(&a[2]) {
        true => exit_by_alias(s, p, a),
        false => Reply::badarg_because("badopt"),
    }),
    ("erlang", "process_flag", 2, super::flags::process_flag),
    ("erlang", "process_flag", 3, super::flags::saved_calls),
    ("erlang", "group_leader", 2, group_leader),
    ("erlang", "alias", 0, |s, p, _| tie(s, p, |s| alias(s, p, &Term::nil()))),
    ("erlang", "alias", 1, |s, p, a| tie(s, p, |s| alias(s, p, &a[0]))),
    ("erlang", "unalias", 1, |s, p, a| {
        let remove = |s: &mut System| s.running_mut(p).relations_mut().aliases.remove(&a[0]);
        match a[0].view() {
            View::Ref(_) => tie(s, p, |s| Reply::bool(remove(s).is_some())),
            _ => Reply::badarg(),
        }
    }),
];

/// A request that changes how the process is tied to others.
fn tie(s: &mut System, p: ProcId, request: impl FnOnce(&mut System) -> Reply) -> Reply {
    s.execution.proc_mut(p).add_tie_action();
    request(s)
}

/// What `send/3` takes beside the message. Nobody is ever suspended or not connected here.
fn is_send_options(s: &System, options: &Term) -> bool {
    let is_known = |option: &Term| match option.as_atom().map(Atom::name) {
        Some("nosuspend" | "noconnect") => true,
        Some("priority") => has_priorities(s),
        _ => false,
    };
    options.to_vec().is_some_and(|options| options.iter().all(is_known))
}

/// Priority messages came with OTP 28.
fn has_priorities(s: &System) -> bool {
    s.program().otp.release >= 28
}

fn is_priority(option: &Term) -> bool {
    option.is_atom_eq(Atom::new("priority"))
}

fn has_priority(options: &Term) -> bool {
    options.list_iter().any(is_priority)
}

fn is_only_priority(options: &Term) -> bool {
    options.to_vec().is_some_and(|options| options.iter().all(is_priority))
}

fn sent(s: &mut System, p: ProcId, first: u32, value: Term) -> Reply {
    let signals = s.finish_signals(p, first);
    Reply { answer: Ok(value), effect: Effect { signals, ..Effect::default() } }
}

fn send(s: &mut System, p: ProcId, to: &Term, message: &Term, value: Term) -> Reply {
    send_as(s, p, [to, message], value, false)
}

/// A send, maybe of a priority message, which only an alias that allows it makes one.
fn send_as(s: &mut System, p: ProcId, what: [&Term; 2], value: Term, is_urgent: bool) -> Reply {
    let [to, message] = what;
    let first = s.first_signal(p);
    s.tell_send(p, to, message);
    match s.address(p, to) {
        Ok(mut address) => {
            address.is_urgent = is_urgent;
            s.send_message(p, address, message.clone());
            sent(s, p, first, value)
        }
        Err(raise) => Reply { answer: Err(raise), ..sent(s, p, first, value) },
    }
}

/// The process a term names, if it is a pid of this node.
fn proc_of(s: &System, pid: &Term) -> Result<Option<ProcId>, Raise> {
    pid.as_pid().map(|pid| s.execution.find(pid)).ok_or_else(Raise::badarg)
}

/// A link whose exit message goes before ordinary ones, or no longer does.
fn link_with(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    if let Ok(Some(to)) = proc_of(s, &a[0]) {
        let urgent = &mut s.running_mut(p).relations_mut().urgent_links;
        match has_priority(&a[1]) {
            true => urgent.insert(to),
            false => urgent.remove(&to),
        };
    }
    link(s, p, a)
}

fn link(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    if a[0].as_port().is_some() {
        return tell_port(s, p, &a[0], "link");
    }
    let to = match proc_of(s, &a[0]) {
        Ok(to) => to,
        Err(raise) => return Reply::raise(raise),
    };
    let first = s.first_signal(p);
    s.tell_life(p, vec![Term::atom_named("link"), a[0].clone()]);
    match to {
        Some(to) if to == p => {}
        Some(to) if s.reaches(p, to) => {
            if s.running_mut(p).relations_mut().links.insert(to) {
                s.put_signal(p, Some(to), SignalKind::Link, Term::nil());
            }
        }
        None if s.elsewhere.may_be_there_for(s.execution.proc(p).pid) => {}
        _ => {
            // As if the process had just ended, or the connection to it: an exit signal comes back.
            let why = Term::atom_named(if to.is_some() { "noconnection" } else { "noproc" });
            let relations = s.running_mut(p).relations_mut();
            match to {
                Some(to) => relations.lost_links.insert(to),
                None => relations.links.insert(p),
            };
            let message = exit_message(a[0].clone(), why.clone());
            s.put_signal(p, Some(p), SignalKind::Exit { linked: true, reason: why }, message);
        }
    }
    sent(s, p, first, Term::bool(true))
}

/// Tells a port of a link to it. What others tell their links comes from outside.
fn tell_port(s: &mut System, p: ProcId, port: &Term, what: &str) -> Reply {
    let first = s.first_signal(p);
    if let Some(to) = s.whereis(p, Atom::new(&port.to_string())) {
        let message = Term::tuple(vec![Term::atom_named(what), s.pid(p)]);
        s.put_signal(p, Some(to), SignalKind::Message, message);
    }
    sent(s, p, first, Term::bool(true))
}

fn unlink(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    if a[0].as_port().is_some() {
        return tell_port(s, p, &a[0], "unlink");
    }
    let to = match proc_of(s, &a[0]) {
        Ok(to) => to,
        Err(raise) => return Reply::raise(raise),
    };
    let first = s.first_signal(p);
    s.tell_life(p, vec![Term::atom_named("unlink"), a[0].clone()]);
    if let Some(to) = to {
        let is_joined = s.is_joined(p, to);
        let relations = s.running_mut(p).relations_mut();
        relations.lost_links.remove(&to);
        if relations.links.remove(&to) && is_joined {
            s.put_signal(p, Some(to), SignalKind::Unlink, Term::nil());
        }
    }
    sent(s, p, first, Term::bool(true))
}

/// What can be asked for with a monitor.
#[derive(Clone)]
pub struct MonitorOptions {
    /// What its message begins with.
    pub tag: Term,
    pub alias: Option<Alias>,
    /// Its message, and those through its alias, go before ordinary ones.
    pub is_urgent: bool,
}

impl Default for MonitorOptions {
    fn default() -> MonitorOptions {
        MonitorOptions { tag: Term::atom(atoms::DOWN), alias: None, is_urgent: false }
    }
}

impl MonitorOptions {
    pub fn read(options: &Term) -> Option<MonitorOptions> {
        let mut read = MonitorOptions::default();
        for option in options.to_vec()? {
            if is_priority(&option) {
                read.is_urgent = true;
                continue;
            }
            let View::Tuple([key, value]) = option.view() else { return None };
            match key.as_atom()?.name() {
                "tag" => read.tag = value.clone(),
                "alias" => {
                    read.alias = Some(match value.as_atom()?.name() {
                        "explicit_unalias" => Alias::Explicit,
                        "demonitor" => Alias::Demonitor,
                        "reply_demonitor" => Alias::Reply,
                        _ => return None,
                    });
                }
                _ => return None,
            }
        }
        Some(read)
    }
}

fn monitor(s: &mut System, p: ProcId, kind: &Term, what: &Term, options: &Term) -> Reply {
    let Some(kind) = kind.as_atom() else { return Reply::badarg_because("badtype") };
    let Some(MonitorOptions { tag, alias, is_urgent }) =
        MonitorOptions::read(options).filter(|read| !read.is_urgent || has_priorities(s))
    else {
        return Reply::badarg_because("badopt");
    };
    let is_known = match kind.name() {
        "time_offset" => what.as_atom().is_some_and(|clock| clock.name() == "clock_service"),
        "port" => what.as_port().is_some() || is_name(what),
        _ if kind == atoms::PROCESS => true,
        _ => return Reply::badarg_because("badtype"),
    };
    if !is_known {
        return Reply::badarg();
    }
    let port = match what.as_port() {
        Some(_) if kind != atoms::PROCESS => s.whereis(p, Atom::new(&what.to_string())),
        _ => None,
    };
    if kind != atoms::PROCESS && port.is_none() {
        return Reply::value(s.new_ref(p));
    }
    let first = s.first_signal(p);
    let mut is_far = false;
    let (to, shown) = match what.view() {
        View::Pid(pid) => (s.execution.find(pid), what.clone()),
        View::Port(_) if port.is_some() => (port, what.clone()),
        View::Atom(name) => {
            let node = Term::atom(s.node(p));
            (s.whereis(p, name), Term::tuple(vec![what.clone(), node]))
        }
        View::Tuple([name, node]) if is_name(what) => {
            let (name, node) = (name.as_atom(), node.as_atom());
            let (name, node) = name.zip(node).expect("names are atoms");
            is_far = node != s.node(p);
            if is_far && s.node(p) == atoms::NONODE {
                return Reply::badarg();
            }
            (s.whereis_on(p, name, node), what.clone())
        }
        _ => return Reply::badarg(),
    };
    let is_reached = match (to, what.view()) {
        (Some(to), _) => s.reaches(p, to),
        (None, View::Tuple([_, node])) if is_far => {
            let (event, here) = (s.upcoming(p), s.node_of(p));
            let node = node.as_atom().unwrap_or(atoms::NONODE);
            s.node_named(node, event).is_some_and(|there| s.reach(event, here, there))
        }
        _ => true,
    };
    let reference = s.new_ref(p);
    if is_urgent {
        s.running_mut(p).relations_mut().urgent.insert(reference.clone());
    }
    if let Some(alias) = alias {
        s.running_mut(p).relations_mut().aliases.insert(reference.clone(), alias);
    }
    let watch = |s: &mut System, watched: Watched| {
        s.running_mut(p).relations_mut().monitors.insert(reference.clone(), watched);
    };
    match to {
        Some(to) if is_reached => {
            watch(s, Watched::new(to, shown.clone(), tag.clone()));
            let message = Term::tuple(vec![reference.clone(), shown, tag]);
            s.put_signal(p, Some(to), SignalKind::Monitor, message);
        }
        None if s.elsewhere.may_be_there_for(s.execution.proc(p).pid) => {
            let outside = Watched::new(p, shown, tag);
            watch(s, Watched { is_outside: true, ..outside });
        }
        _ => {
            watch(s, Watched::new(p, shown.clone(), tag.clone()));
            let why = Term::atom_named(if is_reached { "noproc" } else { "noconnection" });
            let message = down_message(&tag, &reference, &shown, why);
            s.put_signal(p, Some(p), SignalKind::Down, message);
        }
    }
    sent(s, p, first, reference)
}

/// A registered name, here or on a node.
fn is_name(term: &Term) -> bool {
    match term.view() {
        View::Tuple([name, node]) => name.is_atom() && node.is_atom(),
        _ => term.is_atom(),
    }
}

fn demonitor(s: &mut System, p: ProcId, reference: &Term, options: &Term) -> Reply {
    let (View::Ref(_), Some(options)) = (reference.view(), options.to_vec()) else {
        return Reply::badarg();
    };
    let has = |name: &str| options.iter().any(|o| o.is_atom_eq(Atom::new(name)));
    let known = |o: &Term| ["flush", "info"].iter().any(|name| o.is_atom_eq(Atom::new(name)));
    if !options.iter().all(known) {
        return Reply::badarg();
    }
    let first = s.first_signal(p);
    let live = s.running_mut(p).relations_mut();
    let watched = live.monitors.remove(reference);
    live.aliases.retain(|r, a| r != reference || *a == Alias::Explicit);
    if let Some(of) = watched.as_ref().filter(|watched| !watched.is_outside).map(|w| w.proc) {
        if s.is_joined(p, of) {
            s.put_signal(p, Some(of), SignalKind::Demonitor, reference.clone());
        }
    }
    // A `'DOWN'` that has come already is removed by the caller's own code: `flush` is Erlang's part.
    // Nobody really watches oneself. The end of a process outside is told by a message as any other.
    let was_there = watched.is_some_and(|watched| match watched.is_outside {
        true => !is_told(s, p, reference),
        false => !watched.is_answered && watched.proc != p,
    });
    let value = !has("info") || was_there;
    sent(s, p, first, Term::bool(value))
}

/// Whether a message of this monitor has come.
fn is_told(s: &System, p: ProcId, reference: &Term) -> bool {
    let deliveries = &s.execution.proc(p).deliveries;
    let is_it = |message: &Term| message.as_tuple().is_some_and(|t| t.get(1) == Some(reference));
    deliveries.iter().any(|d| is_it(&s.execution.signal(d.signal).message))
}

/// An exit signal to whoever has this alias, if it is one. It does not go before ordinary messages.
fn exit_by_alias(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let View::Ref(_) = a[0].view() else { return exit(s, p, a) };
    let owner = s.address(p, &a[0]).ok().and_then(|address| address.to).filter(|owner| {
        s.running(*owner).relations().is_some_and(|ties| ties.aliases.contains_key(&a[0]))
    });
    match owner {
        Some(owner) => exit(s, p, &[s.pid(owner), a[1].clone()]),
        None => Reply::bool(true),
    }
}

fn exit(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let to = match a[0].view() {
        View::Pid(pid) => s.execution.find(pid),
        View::Port(_) => None,
        _ => return Reply::badarg(),
    };
    let first = s.first_signal(p);
    if let Some(to) = s.reached(p, to) {
        let message = exit_message(s.pid(p), a[1].clone());
        let kind = SignalKind::Exit { linked: false, reason: a[1].clone() };
        s.put_signal(p, Some(to), kind, message);
    }
    sent(s, p, first, Term::bool(true))
}

fn group_leader(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let first = s.first_signal(p);
    match (a[0].as_pid(), a[1].as_pid().map(|pid| s.execution.find(pid))) {
        (Some(_), Some(Some(to))) => {
            if to == p {
                s.local_mut(p).group_leader = a[0].clone();
            } else if s.reaches(p, to) {
                s.put_signal(p, Some(to), SignalKind::GroupLeader, a[0].clone());
            }
            sent(s, p, first, Term::bool(true))
        }
        _ => Reply::badarg(),
    }
}

fn alias(s: &mut System, p: ProcId, options: &Term) -> Reply {
    let Some(options) = options.to_vec() else { return Reply::badarg() };
    let mut kind = Alias::Explicit;
    for option in &options {
        kind = match option.as_atom().map(Atom::name) {
            Some("explicit_unalias") => Alias::Explicit,
            Some("reply") => Alias::Reply,
            Some("priority") if has_priorities(s) => kind,
            _ => return Reply::badarg(),
        };
    }
    let reference = s.new_ref(p);
    let relations = s.running_mut(p).relations_mut();
    relations.aliases.insert(reference.clone(), kind);
    if options.iter().any(is_priority) {
        relations.urgent.insert(reference.clone());
    }
    Reply::value(reference)
}
