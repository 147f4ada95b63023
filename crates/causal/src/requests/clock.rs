//! Time and timers. Time is virtual: it passes with the steps and jumps when all wait.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use crate::timer::SendTimer;
use reverl_machine::builtins::node::time_in_unit;
use reverl_term::{Atom, Term, View};

pub const TABLE: &[Row] = &[
    ("erlang", "monotonic_time", 0, |s, _, _| Reply::value(Term::int(monotonic(s)))),
    ("erlang", "monotonic_time", 1, |s, _, a| scaled(monotonic(s), &a[0])),
    ("erlang", "system_time", 0, |s, _, _| Reply::value(Term::int(system_time(s)))),
    ("erlang", "system_time", 1, |s, _, a| scaled(system_time(s), &a[0])),
    ("os", "system_time", 0, |s, _, _| Reply::value(Term::int(system_time(s)))),
    ("os", "system_time", 1, |s, _, a| scaled(system_time(s), &a[0])),
    ("os", "perf_counter", 0, |s, _, _| Reply::value(Term::int(monotonic(s)))),
    ("erlang", "timestamp", 0, |s, _, _| timestamp(s)),
    ("erlang", "now", 0, |s, _, _| timestamp(s)),
    ("os", "timestamp", 0, |s, _, _| timestamp(s)),
    ("erlang", "send_after", 3, |s, p, a| start(s, p, a, false)),
    ("erlang", "send_after", 4, |s, p, a| start(s, p, a, false)),
    ("erlang", "start_timer", 3, |s, p, a| start(s, p, a, true)),
    ("erlang", "start_timer", 4, |s, p, a| start(s, p, a, true)),
    ("erlang", "cancel_timer", 1, |s, p, a| cancel(s, p, &a[0])),
    ("erlang", "read_timer", 1, |s, p, a| read(s, p, &a[0])),
];

/// A run begins at this moment of the calendar: 2026-01-01, 00:00 UTC, in nanoseconds.
const EPOCH_NS: i64 = 1_767_225_600_000_000_000;
/// OTP's monotonic time begins far below zero.
const MONOTONIC_START_NS: i64 = -576_460_752_000_000_000;

/// Looking at the clock takes a microsecond, so that loops that wait for time to pass end.
fn tick(s: &mut System) -> i64 {
    s.present.now += 1_000;
    s.present.now as i64
}

fn monotonic(s: &mut System) -> i64 {
    monotonic_at(tick(s))
}

/// OTP's monotonic time after so many nanoseconds.
pub(crate) fn monotonic_at(ns: i64) -> i64 {
    MONOTONIC_START_NS + ns
}

fn system_time(s: &mut System) -> i64 {
    EPOCH_NS + tick(s)
}

fn timestamp(s: &mut System) -> Reply {
    Reply::value(timestamp_at(tick(s)))
}

/// The time in OTP's old form: millions of seconds, seconds, microseconds.
pub(crate) fn timestamp_at(ns: i64) -> Term {
    let us = (EPOCH_NS + ns) / 1_000;
    let parts = [us / 1_000_000_000_000, us / 1_000_000 % 1_000_000, us % 1_000_000];
    Term::tuple(parts.map(Term::int).to_vec())
}

fn scaled(ns: i64, unit: &Term) -> Reply {
    match time_in_unit(ns, unit) {
        Ok(value) => Reply::value(value),
        Err(raise) => Reply::raise(raise),
    }
}

/// The last `{abs, Bool}` of the options; `None` if there are others.
fn absolute_option(options: &[Term]) -> Option<bool> {
    options.iter().try_fold(false, |_, option| match option.as_tuple()? {
        [key, value] if key.is_atom_eq(Atom::new("abs")) => value.as_bool(),
        _ => None,
    })
}

fn start(s: &mut System, p: ProcId, a: &[Term], wrap: bool) -> Reply {
    let absolute = match a.get(3).map(|o| o.to_vec()) {
        None => false,
        Some(options) => match options.and_then(|o| absolute_option(&o)) {
            Some(absolute) => absolute,
            None => return Reply::badarg_because("badopt"),
        },
    };
    // Timers are for names and processes of the same node.
    let is_near = a[1].as_pid().is_some_and(|pid| pid.node == s.execution.proc(p).pid.node);
    if !a[1].is_atom() && !is_near {
        return Reply::badarg();
    }
    // Nanoseconds must fit.
    let ns = a[0].as_small().and_then(|ms| ms.checked_mul(1_000_000));
    let Some(ns) = ns.filter(|ns| *ns >= 0 || absolute) else {
        return Reply::badarg_because("time");
    };
    let at = match absolute {
        true => ns.saturating_sub(MONOTONIC_START_NS).max(0) as u64,
        false => s.present.now.saturating_add(ns as u64),
    };
    let reference = s.new_ref(p);
    let message = match wrap {
        true => Term::tuple(vec![
            Term::atom(reverl_term::atoms::TIMEOUT),
            reference.clone(),
            a[2].clone(),
        ]),
        false => a[2].clone(),
    };
    let (owner, to) = (p, a[1].clone());
    let (started_by, k) = s.reserve_timer_signal(owner, message);
    let timer = SendTimer { owner, started_by, k, reference: reference.clone(), to };
    s.present.timers.send(at, timer);
    Reply::value(reference)
}

fn left(s: &System, key: crate::timer::Key) -> Term {
    Term::int((key.0.saturating_sub(s.present.now) / 1_000_000) as i64)
}

fn cancel(s: &mut System, p: ProcId, reference: &Term) -> Reply {
    let View::Ref(id) = reference.view() else { return Reply::badarg() };
    let event = s.upcoming(p);
    s.execution.objects.write(Object::Timer(*id), event, Value::Nothing);
    match s.present.timers.find(reference) {
        Some(key) => {
            s.present.timers.cancel(key);
            Reply::value(left(s, key))
        }
        None => Reply::bool(false),
    }
}

fn read(s: &mut System, p: ProcId, reference: &Term) -> Reply {
    let View::Ref(id) = reference.view() else { return Reply::badarg() };
    let event = s.upcoming(p);
    s.execution.objects.read(Object::Timer(*id), event);
    match s.present.timers.find(reference) {
        Some(key) => Reply::value(left(s, key)),
        None => Reply::bool(false),
    }
}
