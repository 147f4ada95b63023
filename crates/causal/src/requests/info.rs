//! Questions about processes.

use super::{Reply, Row, flags};
use crate::execution::{EventRef, NodeId, ProcId};
use crate::object::{Mode, Object, Value};
use crate::system::{System, Watched};
use reverl_machine::{Local, Raise};
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Row] = &[
    ("erlang", "is_process_alive", 1, |s, p, a| match a[0].as_pid() {
        Some(pid) => {
            if pid.node != s.execution.proc(p).pid.node {
                return Reply::badarg();
            }
            let Some(of) = s.execution.find(pid) else { return Reply::bool(false) };
            let event = s.upcoming(p);
            s.execution.objects.read(Object::Life(of), event);
            Reply::bool(!s.has_exited(of))
        }
        None => Reply::badarg(),
    }),
    ("erlang", "processes", 0, |s, p, _| {
        let node = s.node_of(p);
        s.look_at_population(s.upcoming(p), node);
        let is_here = |q: &ProcId| s.node_of(*q) == node && !s.is_of_node(*q);
        let alive = s.execution.ids().filter(|q| !s.has_exited(*q) && q.0 != 0 && is_here(q));
        let pids: Vec<Term> = alive.map(|p| s.pid(p)).collect();
        Reply::value(Term::list(pids))
    }),
    ("erlang", "process_info", 1, |s, p, a| {
        const USUAL: &[&str] = &[
            "registered_name",
            "current_function",
            "initial_call",
            "status",
            "message_queue_len",
            "links",
            "dictionary",
            "trap_exit",
            "error_handler",
            "priority",
            "group_leader",
            "total_heap_size",
            "heap_size",
            "stack_size",
            "reductions",
            "garbage_collection",
            "suspending",
        ];
        let keys = USUAL.iter().map(|k| Term::atom(Atom::new(k)));
        process_info(s, p, &a[0], &Term::list(keys), true)
    }),
    ("erlang", "process_info", 2, |s, p, a| process_info(s, p, &a[0], &a[1], false)),
    ("erlang", "unique_integer", 1, unique_integer),
];

fn unique_integer(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let Some(options) = a[0].to_vec() else { return Reply::badarg() };
    let known =
        |o: &Term| o.as_atom().is_some_and(|a| matches!(a.name(), "monotonic" | "positive"));
    if !options.iter().all(known) {
        return Reply::badarg();
    }
    let has = |name: &str| options.iter().any(|o| o.is_atom_eq(Atom::new(name)));
    if !has("monotonic") {
        let unique = s.local_mut(p).unique_integer(has("positive"));
        return Reply::value(unique);
    }
    let event = s.upcoming(p);
    let counter = Object::UniqueInteger(s.node_of(p));
    let last = match s.execution.objects.value(counter) {
        Value::Number(n) => *n,
        _ => 0,
    };
    s.execution.objects.write(counter, event, Value::Number(last + 1));
    Reply::value(Term::int(last as i64 + 1))
}

impl System {
    /// An event depends on which processes a node has.
    pub(crate) fn look_at_population(&mut self, event: EventRef, node: NodeId) {
        let population = Object::Population(node);
        if !self.execution.objects.map.contains_key(&population) {
            let so_far: Vec<EventRef> = self.execution.events().collect();
            for event in so_far {
                let is_exit = self.execution.action(event).is_some_and(|a| a.is_exit());
                let of = is_exit.then_some(event.proc).or(self.execution.child_of(event));
                if of.is_some_and(|of| self.node_of(of) == node) {
                    self.execution.objects.access(population, event, Mode::WritePart);
                }
            }
        }
        self.execution.objects.read(population, event);
    }

    /// Somebody is spawned or ends by this event.
    pub(crate) fn change_population(&mut self, event: EventRef, node: NodeId) {
        let objects = &mut self.execution.objects;
        if objects.map.contains_key(&Object::Population(node)) {
            objects.access(Object::Population(node), event, Mode::WritePart);
        }
    }
}

/// What is asked about another process, as an access: of one thing, or of all that it is.
fn look(s: &mut System, p: ProcId, of: ProcId, keys: &[Term]) {
    let event = s.upcoming(p);
    if of != p {
        s.execution.objects.read(Object::Life(of), event);
    }
    if s.has_exited(of) {
        return;
    }
    let mut is_at_all = false;
    for key in keys {
        match key.as_atom().map(Atom::name) {
            Some("registered_name") => drop(s.execution.objects.read(Object::NameOf(of), event)),
            Some("trap_exit") => drop(s.execution.objects.read(Object::TrapExit(of), event)),
            // The same all its life.
            Some("initial_call" | "parent") | None => {}
            Some(_) => is_at_all = true,
        }
    }
    if is_at_all {
        s.execution.look_at(of, event);
    }
}

fn process_info(s: &mut System, p: ProcId, pid: &Term, what: &Term, all: bool) -> Reply {
    let Some(pid) = pid.as_pid() else { return Reply::badarg() };
    // Only processes of the same node can be looked at.
    if pid.node != s.execution.proc(p).pid.node {
        return Reply::badarg();
    }
    let undefined = Reply::value(Term::atom(atoms::UNDEFINED));
    let Some(of) = s.execution.find(pid) else { return undefined };
    look(s, p, of, &what.to_vec().unwrap_or(vec![what.clone()]));
    if s.has_exited(of) {
        return undefined;
    }
    match what.as_atom() {
        Some(key) => match item(s, of, key) {
            // Alone, a missing name is the empty list.
            Ok(value) if key.name() == "registered_name" && value.is_nil() => Reply::value(value),
            Ok(value) => Reply::value(Term::tuple(vec![what.clone(), value])),
            Err(raise) => Reply::raise(raise),
        },
        None => {
            let Some(keys) = what.to_vec() else { return Reply::badarg() };
            let mut items = vec![];
            for key in keys {
                let Some(name) = key.as_atom() else { return Reply::badarg() };
                match item(s, of, name) {
                    Ok(value) if all && name.name() == "registered_name" && value.is_nil() => {}
                    Ok(value) => items.push(Term::tuple(vec![key, value])),
                    Err(raise) => return Reply::raise(raise),
                }
            }
            Reply::value(Term::list(items))
        }
    }
}

const COLLECTED: [&str; 4] =
    ["max_heap_size", "min_bin_vheap_size", "min_heap_size", "fullsweep_after"];

/// What there is to say of a collector that is not there: flags, and a number that stays 0.
fn collection(local: &Local, names: &[&str], count: &str) -> Term {
    let pair = |name: &str, value| Term::tuple(vec![Term::atom_named(name), value]);
    let known = names.iter().filter_map(|name| Some(pair(name, flags::value(local, name)?)));
    Term::list(known.chain([pair(count, Term::small(0))]).collect::<Vec<Term>>())
}

/// Where a process is, in the form in which OTP shows it. There are no addresses.
fn backtrace(trace: &Term) -> String {
    let place = |entry: &Term| match entry.as_tuple() {
        Some([module, name, arity, ..]) => format!("{module}:{name}/{arity}"),
        _ => "unknown".to_string(),
    };
    let mut text = String::new();
    for (i, entry) in trace.list_iter().enumerate() {
        let head = if i == 0 { "Program counter:" } else { "0x0000000000000000 Return addr" };
        text.push_str(&format!("{head} 0x0000000000000000 ({} + 0)\n\n", place(entry)));
    }
    let end = "0x0000000000000000 Return addr 0x0000000000000000 (<terminate process normally>)\n";
    text + end
}

fn item(s: &System, of: ProcId, key: Atom) -> Result<Term, Raise> {
    let live = s.running(of);
    let ties = live.relations();
    let local = &live.process.local;
    let mfa = |(m, f, a): (Atom, Atom, u32)| {
        Term::tuple(vec![Term::atom(m), Term::atom(f), Term::int(i64::from(a))])
    };
    Ok(match key.name() {
        "registered_name" => live.name.map_or(Term::nil(), Term::atom),
        // What was spawned with a fun was spawned with a call of it.
        "initial_call" if local.initial_call.1.name().starts_with('-') => {
            mfa((atoms::ERLANG, Atom::new("apply"), 2))
        }
        "initial_call" => mfa(local.initial_call),
        "current_function" => {
            let code = &s.program().code;
            let info = code.fun(code.fun_at(live.process.pc()));
            mfa((info.module, info.name, u32::from(info.arity)))
        }
        "status" => {
            let status = if live.process.is_waiting() { "waiting" } else { "running" };
            Term::atom(Atom::new(status))
        }
        "message_queue_len" => Term::int(s.mailbox_of(of).len() as i64),
        "messages" => Term::list(s.mailbox_of(of)),
        "links" => {
            let links: Vec<Term> = ties.iter().flat_map(|r| &r.links).map(|p| s.pid(*p)).collect();
            Term::list(links)
        }
        "monitors" => {
            let watched = ties.iter().flat_map(|r| r.monitors.values());
            let watched = watched.filter(|w| !w.is_answered);
            let process = Term::atom(atoms::PROCESS);
            let one = |w: &Watched| Term::tuple(vec![process.clone(), s.pid(w.proc)]);
            let mut items: Vec<Term> = watched.map(one).collect();
            items.sort_by(reverl_term::compare);
            Term::list(items)
        }
        "monitored_by" => {
            let pids: Vec<Term> =
                ties.iter().flat_map(|r| &r.watchers).map(|w| s.pid(w.watcher)).collect();
            Term::list(pids)
        }
        "dictionary" => local.dictionary.pairs(),
        "trap_exit" => Term::bool(local.trap_exit),
        "group_leader" => live.group_leader().clone(),
        "reductions" => Term::int(live.process.steps() as i64),
        "memory" | "heap_size" | "total_heap_size" | "stack_size" => Term::int(0),
        "parent" => match s.execution.proc(of).parent {
            Some((parent, _)) => s.pid(parent),
            None => Term::atom(atoms::UNDEFINED),
        },
        "current_stacktrace" => live.process.stack_trace(&s.program()),
        "current_location" => {
            let trace = live.process.stack_trace(&s.program());
            trace.list_iter().next().cloned().unwrap_or(Term::atom(atoms::UNDEFINED))
        }
        "backtrace" => {
            let trace = live.process.stack_trace(&s.program());
            Term::binary(backtrace(&trace).as_bytes())
        }
        "suspending" | "binary" | "sequential_trace_token" | "magic_ref" => Term::nil(),
        "last_calls" => Term::bool(false),
        "catchlevel" | "trace" => Term::small(0),
        "garbage_collection" => collection(local, &COLLECTED, "minor_gcs"),
        "garbage_collection_info" => collection(local, &[], "heap_size"),
        "label" => Term::atom(atoms::UNDEFINED),
        "sensitive" | "save_calls" => return Err(Raise::badarg()),
        flag => return flags::value(local, flag).ok_or_else(Raise::badarg),
    })
}
