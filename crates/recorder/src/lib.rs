//! The tracer: a NIF that an Erlang node calls, inside the traced process, for everything that
//! the process could not compute by itself.
//!
//! It never raises, never blocks longer than a page fault (unless the run is to follow another one, see
//! `gate`), and never sends a message: a program that is recorded must not notice. What it cannot write
//! it leaves out, and then stops.
#![warn(missing_docs)]
#![allow(unsafe_code, reason = "it is called by a node, and calls it, as C would")]

mod allocate;
mod calls;
mod chunks;
mod enif;
mod entry;
mod format;
mod gate;
mod made;
mod messages;
mod table;
mod values;
mod waited;

use chunks::{define, write};
use enif::*;
use format::*;
use gate::Gate;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::*};
use table::{ACTIVE, DEPTH, KNOWN, LOADING, Slot, Table};
use values::{Receiver, in_map, pid_number, receiver};

macro_rules! atoms {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[derive(Clone, Copy)]
        struct Atoms { $($name: Term),* }
        impl Atoms {
            unsafe fn new(env: *mut Env) -> Atoms {
                unsafe {
                    Atoms { $($name: enif_make_atom(env, concat!($text, "\0").as_ptr().cast())),* }
                }
            }
        }
    };
}

atoms! {
    trace = "trace", remove = "remove", ok = "ok", receive = "receive", spawn = "spawn",
    spawned = "spawned", exit = "exit", call = "call", return_from = "return_from",
    exception_from = "exception_from", register = "register",
    unregister = "unregister", match_spec_result = "match_spec_result", extra = "extra",
    send = "send", scheduled_out = "out", clock = "clock_service", down = "DOWN", exit_message = "EXIT", is_true = "true",
    transfer = "ETS-TRANSFER", module = "module", timeout = "timeout",
    spawn_reply = "spawn_reply", socket = "$socket", spawn_request = "spawn_request", main = "main", script = "$script",
    cover_compiled = "cover_compiled",
    status = "trace_status", is_false = "false", undefined = "undefined", full = "full",
}

struct Tracer {
    atoms: Atoms,
    procs: Table,
    functions: Table,
    /// How many calls each process outside has made.
    outside: Table,
}

static TRACER: OnceLock<Tracer> = OnceLock::new();
/// The order that this run follows, if it was given one.
static GATE: OnceLock<Gate> = OnceLock::new();
/// Whether hashes of messages are recorded.
static CHECKED: AtomicBool = AtomicBool::new(false);
/// Whether the user named the functions that recording begins with: any process may call them,
/// at any time.
static NAMED: AtomicBool = AtomicBool::new(false);
/// Whether the contents of all messages are recorded.
static FULL: AtomicBool = AtomicBool::new(false);

/// The key of a function: a mix of the words of its names and its arity.
fn function_key(module: Term, name: Term, arity: u64) -> u64 {
    let mixed = module.rotate_left(24) ^ name ^ arity << 56;
    mixed | 1 << 63
}

/// How many calls of a process outside are traced before its tracing ends.
const PATIENCE: u32 = 1000;

impl Tracer {
    /// All processes are traced for calls that begin a recording, which costs those that make many
    /// other calls. Unless functions were named, recording begins with the process that started
    /// the tracer and with those that start applications, which do little before.
    fn is_outside_for_good(&self, pid: Term) -> bool {
        if NAMED.load(Relaxed) || self.procs.find(pid).is_some_and(Slot::takes_part) {
            return false;
        }
        let outside = self.outside.find_or_add(pid, |_, _| ());
        outside.is_some_and(|slot| slot.roots.fetch_add(1, Relaxed) > PATIENCE)
    }

    /// The process, which is new if it is not known. If its parent is given, it is recorded.
    unsafe fn process(&self, env: *mut Env, pid: Term, parent: Option<u32>) -> Option<&Slot> {
        if let Some(known) = self.procs.find(pid) {
            return Some(known);
        }
        self.procs.find_or_add(pid, |slot, number| {
            let pid = unsafe { pid_number(env, pid) };
            if parent.is_some() {
                slot.set(ACTIVE | KNOWN);
            }
            define(PROCESS, u64::from(number), 30, |w| {
                w.number(if parent.is_some() { SPAWNED } else { OUTSIDE });
                w.number(parent.map_or(0, |p| u64::from(p) + 1));
                w.number(pid);
            });
        })
    }

    /// A process that was outside is recorded: what it sent before is of another one.
    unsafe fn begin(&self, env: *mut Env, own: &Slot, pid: Term) {
        let fresh = self.procs.next_number();
        let pid = unsafe { pid_number(env, pid) };
        define(PROCESS, u64::from(fresh), 30, |w| {
            w.number(BEGUN);
            w.number(0);
            w.number(pid);
        });
        own.renumber(fresh);
        own.set(KNOWN);
    }

    /// A process sends, or was just about to do something else: in a run that follows another one it
    /// is held here.
    unsafe fn follow(&self, env: *mut Env, pid: Term, own: &Slot, tag: Term, opts: Term) {
        let Some(gate) = GATE.get() else { return };
        if tag != self.atoms.send || own.state() & (LOADING | DEPTH) != 0 {
            return gate.went_on(pid);
        }
        let to = unsafe { in_map(env, opts, self.atoms.extra) }.unwrap_or(self.atoms.undefined);
        match unsafe { receiver(env, to) } {
            Receiver::Unknown => gate.before_send(pid, None),
            Receiver::Process(to) => {
                if self.procs.find(to).is_some_and(|to| to.state() & KNOWN != 0) {
                    gate.before_send(pid, Some(to));
                }
            }
            Receiver::Away => gate.went_on(pid),
        }
    }

    unsafe fn event(&self, env: *mut Env, argv: &[Term]) {
        let [tag, _, pid, term, opts] = *argv else {
            return;
        };
        let a = &self.atoms;
        if tag == a.call {
            return unsafe { self.called(env, pid, term) };
        }
        if tag == a.spawned {
            let parent = self.procs.find(term).map_or(0, Slot::number);
            unsafe { self.process(env, pid, Some(parent)) };
            return;
        }
        let Some(own) = self.procs.find(pid) else {
            return;
        };
        if tag == a.receive {
            return unsafe { self.received(env, [pid, term], own, opts) };
        }
        if own.state() & ACTIVE == 0 {
            return;
        }
        if tag == a.send || tag == a.scheduled_out {
            return unsafe { self.follow(env, pid, own, tag, opts) };
        }
        let number = u64::from(own.number());
        if tag == a.return_from || tag == a.exception_from {
            let value = unsafe { in_map(env, opts, a.extra) }.unwrap_or(a.undefined);
            unsafe { self.returned(env, own, term, value, tag == a.exception_from) }
        } else if tag == a.spawn {
            let child = unsafe { self.process(env, term, Some(own.number())) };
            if let Some(gate) = GATE.get() {
                gate.spawned(pid, term);
            }
            if let Some(child) = child {
                write(SPAWN, number, 10, |w| w.number(u64::from(child.number())));
            }
        } else if tag == a.exit {
            unsafe { self.term(env, EXIT, number, term) };
            own.clear(ACTIVE);
            if let Some(gate) = GATE.get() {
                gate.ended(pid);
            }
        } else if tag == a.register {
            unsafe { self.term(env, REGISTER, number, term) };
        } else if tag == a.unregister {
            unsafe { self.term(env, UNREGISTER, number, term) };
        }
    }
}
