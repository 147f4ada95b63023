//! The flags of a process: what each is at first, and which values it takes.
//!
//! Memory is not managed as on the BEAM, so that most flags are only remembered.

use super::{Reply, nodes};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use reverl_machine::Local;
use reverl_term::{Map, Term, View, atoms};

const MIN_HEAP: i64 = 233;
const MIN_VIRTUAL_HEAP: i64 = 46_422;
const MOST_SAVED_CALLS: i64 = 10_000;

pub(super) fn process_flag(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    // Who wants to be told of nodes, with or without options.
    let about_nodes = Term::atom_named("monitor_nodes");
    match a[0].view() {
        View::Atom(_) if a[0] == about_nodes => {
            return nodes::watch_by_flag(s, p, &a[1], &Term::atom(atoms::NONE));
        }
        View::Tuple([key, options]) if *key == about_nodes && options.as_map().is_some() => {
            return nodes::watch_by_flag(s, p, &a[1], options);
        }
        View::Tuple([key, _]) if *key == about_nodes => return Reply::badarg(),
        _ => {}
    }
    let Some(flag) = a[0].as_atom() else { return Reply::badarg_because("badopt") };
    if flag.name() == "trap_exit" {
        let Some(on) = a[1].as_bool() else { return Reply::badarg() };
        let event = s.upcoming(p);
        let value = Value::Number(u64::from(on));
        s.execution.objects.write(Object::TrapExit(p), event, value);
        let before = std::mem::replace(&mut s.local_mut(p).trap_exit, on);
        return Reply::bool(before);
    }
    let Some(before) = value(s.local_mut(p), flag.name()) else {
        return Reply::badarg_because("badopt");
    };
    let Some(now) = accepted(flag.name(), &a[1]) else {
        // OTP tells that there is no cause.
        let has_none = flag.name() == "save_calls";
        return if has_none { Reply::badarg_because("none") } else { Reply::badarg() };
    };
    s.local_mut(p).flags.insert(a[0].clone(), now);
    Reply::value(before)
}

/// The one flag of another process that can be set is how many of its calls are kept, which none are.
pub(super) fn saved_calls(s: &mut System, p: ProcId, a: &[Term]) -> Reply {
    let Some(pid) = a[0].as_pid() else { return Reply::badarg_because("badtype") };
    if a[1].as_atom().is_none_or(|flag| flag.name() != "save_calls") {
        return Reply::badarg_because("badopt");
    }
    match accepted("save_calls", &a[2]) {
        Some(_) if s.pid(p) == Term::pid(pid) => process_flag(s, p, &a[1..]),
        Some(_) => Reply::value(Term::small(0)),
        None => Reply::badarg(),
    }
}

/// What a flag is now; `None` if there is none of this name.
pub(super) fn value(local: &Local, flag: &str) -> Option<Term> {
    let at_first = match flag {
        "priority" => Term::atom(atoms::NORMAL),
        "error_handler" => Term::atom_named("error_handler"),
        "min_heap_size" => Term::small(MIN_HEAP),
        "min_bin_vheap_size" => Term::small(MIN_VIRTUAL_HEAP),
        "max_heap_size" => max_heap(0, None),
        "save_calls" => Term::small(0),
        "message_queue_data" => Term::atom_named("on_heap"),
        "fullsweep_after" => Term::small(65_535),
        "sensitive" => Term::bool(false),
        _ => return None,
    };
    Some(local.flags.get(&Term::atom_named(flag)).cloned().unwrap_or(at_first))
}

/// The words that the process may hold, if it is to be killed with more.
pub(crate) fn heap_limit(local: &Local) -> Option<u64> {
    let limit = local.flags.get(&Term::atom_named("max_heap_size"))?.as_map()?;
    let kills = limit.get(&Term::atom_named("kill"))?.as_bool()?;
    let size = limit.get(&Term::atom_named("size"))?.as_i64()?;
    (kills && size > 0).then_some(size as u64)
}

/// The value as it is kept; `None` if the flag does not take it.
pub(super) fn accepted(flag: &str, value: &Term) -> Option<Term> {
    let one_of = |known: &[&str]| {
        value.as_atom().filter(|a| known.contains(&a.name())).map(|_| value.clone())
    };
    let number = || value.as_i64().filter(|n| *n >= 0);
    match flag {
        "priority" => one_of(&["low", "normal", "high", "max"]),
        "message_queue_data" => one_of(&["on_heap", "off_heap"]),
        "sensitive" => one_of(&["true", "false"]),
        "error_handler" => value.as_atom().map(|_| value.clone()),
        "fullsweep_after" => number().map(Term::int),
        "min_heap_size" => number().map(heap_size),
        "min_bin_vheap_size" => number().map(|n| Term::int(n.max(MIN_VIRTUAL_HEAP))),
        "save_calls" => number().filter(|n| *n <= MOST_SAVED_CALLS).map(Term::int),
        "max_heap_size" => match value.view() {
            View::Map(map) => map_of_max_heap(map),
            _ => limit(value).map(|size| max_heap(size, None)),
        },
        _ => None,
    }
}

/// Heaps grow in steps, each as large as the two before it.
fn heap_size(least: i64) -> Term {
    let (mut size, mut next) = (12, 38);
    while size < least {
        (size, next) = (next, size + next + 1);
    }
    Term::int(size)
}

/// No limit, or one that leaves room for the smallest heap.
fn limit(value: &Term) -> Option<i64> {
    value.as_i64().filter(|n| *n == 0 || *n >= MIN_HEAP)
}

fn map_of_max_heap(map: &Map) -> Option<Term> {
    let size = limit(map.get(&Term::atom_named("size"))?)?;
    let known = ["size", "kill", "error_logger"];
    let is_right = |(key, value): (&Term, &Term)| {
        let name = key.as_atom().map(|a| a.name());
        name.is_some_and(|n| known.contains(&n))
            && (name == Some("size") || value.as_bool().is_some())
    };
    map.iter().all(is_right).then(|| max_heap(size, Some(map)))
}

fn max_heap(size: i64, given: Option<&Map>) -> Term {
    let flag = |name: &str| {
        let key = Term::atom_named(name);
        let value = given.and_then(|map| map.get(&key)).cloned().unwrap_or(Term::bool(true));
        (key, value)
    };
    let size = (Term::atom_named("size"), Term::int(size));
    Term::map_from(vec![flag("error_logger"), flag("kill"), size])
}
