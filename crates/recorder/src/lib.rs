//! The tracer: a NIF that an Erlang node calls, inside the traced process, for everything that
//! the process could not compute by itself.
//!
//! It never raises, never blocks longer than a page fault, and never sends a message: a program
//! that is recorded must not notice. What it cannot write it leaves out, and then stops.
#![warn(missing_docs)]
#![allow(unsafe_code, reason = "it is called by a node, and calls it, as C would")]

mod allocate;
mod chunks;
mod depth;
mod enif;
mod entry;
mod format;
mod made;
mod table;

use chunks::{define, write};
use enif::*;
use format::*;
use made::{keep_binary, keep_forms, keep_name};
use std::os::raw::{c_char, c_long, c_uint, c_ulong};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::*};
use table::{
    ACTIVE, DEPTH, FOUND, KNOWN, LISTENS, LOADING, LOADING_FUN, MEASURED, PAUSES, STARTS, Slot,
    Table,
};

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
    clock = "clock_service", down = "DOWN", exit_message = "EXIT", is_true = "true",
    transfer = "ETS-TRANSFER", module = "module", timeout = "timeout",
    spawn_reply = "spawn_reply", spawn_request = "spawn_request", main = "main", script = "$script",
    cover_compiled = "cover_compiled",
    is_false = "false", undefined = "undefined", full = "full",
}

struct Tracer {
    atoms: Atoms,
    procs: Table,
    functions: Table,
    /// How many calls each process outside has made.
    outside: Table,
}

static TRACER: OnceLock<Tracer> = OnceLock::new();
/// Whether hashes of messages are recorded.
static CHECKED: AtomicBool = AtomicBool::new(false);
/// Whether the user named the functions that recording begins with: any process may call them,
/// at any time.
static NAMED: AtomicBool = AtomicBool::new(false);
/// Whether the contents of all messages are recorded.
static FULL: AtomicBool = AtomicBool::new(false);

/// Nanoseconds since the first call, from 1.
fn nanos() -> u64 {
    static START: OnceLock<std::time::Instant> = OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64 + 1
}

/// The elements of a tuple.
unsafe fn tuple<'t>(env: *mut Env, term: Term) -> Option<&'t [Term]> {
    let (mut arity, mut elements) = (0, std::ptr::null());
    unsafe {
        let is_one = enif_get_tuple(env, term, &mut arity, &mut elements) != 0;
        (is_one && arity > 0).then(|| std::slice::from_raw_parts(elements, arity as usize))
    }
}

unsafe fn in_map(env: *mut Env, map: Term, key: Term) -> Option<Term> {
    let mut value = 0;
    unsafe { (enif_get_map_value(env, map, key, &mut value) != 0).then_some(value) }
}

/// Hands out the external form of a term.
unsafe fn external<R>(env: *mut Env, term: Term, with: impl FnOnce(&[u8]) -> R) -> Option<R> {
    let mut binary = Binary::EMPTY;
    unsafe {
        if enif_term_to_binary(env, term, &mut binary) == 0 {
            return None;
        }
        let done = with(std::slice::from_raw_parts(binary.data, binary.size));
        enif_release_binary(&mut binary);
        Some(done)
    }
}

/// `serial << 32 | id` of a pid: the words in front of the creation at the end of its form.
unsafe fn pid_number(env: *mut Env, pid: Term) -> u64 {
    let word = |bytes: &[u8], from_end: usize| -> u64 {
        let at = bytes.len().saturating_sub(from_end);
        bytes.get(at..at + 4).map_or(0, |w| u64::from(u32::from_be_bytes([w[0], w[1], w[2], w[3]])))
    };
    unsafe { external(env, pid, |b| word(b, 8) << 32 | word(b, 12)).unwrap_or(0) }
}

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

    unsafe fn received(&self, env: *mut Env, own: &Slot, message: Term, opts: Term) {
        let a = &self.atoms;
        let state = own.state();
        let here = 0u8;
        if state & MEASURED != 0 {
            own.clear(MEASURED);
            return depth::learn_receive();
        }
        let from = unsafe { in_map(env, opts, a.match_spec_result) }.unwrap_or(a.undefined);
        let number = u64::from(own.number());
        let hidden = state & (LOADING | DEPTH) != 0;
        // A timer that sends `timeout` looks the same; a replay knows its timers.
        if from == a.clock && message == a.timeout {
            if state & ACTIVE != 0 && !hidden {
                match own.came.load(Relaxed) {
                    0 => write(TIMEOUT, number, 0, |_| ()),
                    came => {
                        let since = nanos().saturating_sub(came);
                        let together = own.together.swap(0, Relaxed);
                        let (tag, since) = match depth::is_known() {
                            true => (TIMEOUT_UNSEEN, since),
                            false => (TIMEOUT_SINCE, since / 1000),
                        };
                        write(tag, number, 20, |w| {
                            w.number(since);
                            w.number(u64::from(together));
                        });
                    }
                }
            }
            return;
        }
        let sender = match unsafe { enif_is_pid(env, from) } {
            0 => None,
            _ => unsafe { self.process(env, from, None) },
        };
        let known = sender.filter(|s| s.state() & KNOWN != 0);
        // What is sent inside of a call that is recorded as one cannot be computed.
        let is_inside = known.is_some_and(|s| s.state() & (LOADING | DEPTH) != 0);
        if state & ACTIVE == 0 {
            let active = known.filter(|s| !is_inside && s.state() & ACTIVE != 0);
            if let (true, Some(sender)) = (state & LISTENS != 0, active) {
                write(DELIVER, number, 10, |w| w.number(u64::from(sender.number())));
            }
            return;
        }
        if !hidden {
            own.comes(nanos(), depth::is_in_passing(&raw const here as usize));
        }
        let told = unsafe { self.is_of_system(env, message) };
        let pauses = known.is_some_and(|s| s.state() & PAUSES != 0);
        match known.filter(|_| !told && !pauses && !is_inside && !FULL.load(Relaxed)) {
            Some(sender) if CHECKED.load(Relaxed) => {
                let hash = unsafe { enif_hash(PHASH2, message, 0) };
                write(DELIVER_HASH, number, 20, |w| {
                    w.number(u64::from(sender.number()));
                    w.number(hash);
                });
            }
            Some(sender) => write(DELIVER, number, 10, |w| w.number(u64::from(sender.number()))),
            None => unsafe {
                let sender = sender.map_or(0, |s| u64::from(s.number()) + 1);
                // What comes inside of a call may be for the call itself.
                let tag = if hidden && known.is_none() { DELIVER_INSIDE } else { DELIVER_TERM };
                external(env, message, |bytes| {
                    write(tag, number, bytes.len() + 20, |w| {
                        w.number(sender);
                        w.block(bytes);
                    });
                });
            },
        }
    }

    /// Whether it is a message of the system itself, which says more than its sender could. The
    /// contents of such a message are recorded, and its receive is not.
    unsafe fn is_of_system(&self, env: *mut Env, message: Term) -> bool {
        let a = &self.atoms;
        unsafe { tuple(env, message) }.is_some_and(|t| {
            t.len() == 5 && t[0] == a.down
                || t.len() == 3 && t[0] == a.exit_message
                || t.len() == 4 && (t[0] == a.transfer || t[0] == a.spawn_reply)
                || t[0] == a.spawn_request
        })
    }

    unsafe fn term(&self, env: *mut Env, tag: u8, proc: u64, term: Term) {
        let entry = |bytes: &[u8]| write(tag, proc, bytes.len() + 10, |w| w.block(bytes));
        unsafe { external(env, term, entry) };
    }

    unsafe fn term_of(&self, env: *mut Env, tag: u8, proc: u64, function: u64, term: Term) {
        let entry = |bytes: &[u8]| {
            write(tag, proc, bytes.len() + 20, |w| {
                w.number(function);
                w.block(bytes);
            });
        };
        unsafe { external(env, term, entry) };
    }

    /// The value of an input, in its shortest form.
    unsafe fn result(&self, env: *mut Env, proc: u64, function: u64, value: Term) {
        let a = &self.atoms;
        let frequent = [a.is_true, a.is_false, a.ok, a.undefined].iter().position(|x| *x == value);
        if let Some(index) = frequent {
            return write(RESULT_ATOM, proc, 20, |w| {
                w.number(function);
                w.number(index as u64);
            });
        }
        let mut n: c_long = 0;
        if unsafe { enif_get_long(env, value, &mut n) } != 0 {
            return write(RESULT_INT, proc, 20, |w| {
                w.number(function);
                w.number(zigzag(n));
            });
        }
        if unsafe { enif_is_ref(env, value) } != 0 {
            let words = unsafe { external(env, value, own_reference) }.flatten();
            if let Some(words) = words {
                return write(RESULT_REF, proc, 30, |w| {
                    w.number(function);
                    words.iter().for_each(|n| w.number(u64::from(*n)));
                });
            }
        }
        unsafe { self.term_of(env, RESULT, proc, function, value) }
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

    /// The module of a script has a name that nobody knows before: its `main/1` is the first that the
    /// process calls which started the tracer.
    unsafe fn main_of_script(
        &self,
        env: *mut Env,
        pid: Term,
        [module, name]: [Term; 2],
        arity: u64,
    ) -> Option<&Slot> {
        let a = &self.atoms;
        if name != a.main || arity != 1 {
            return None;
        }
        self.functions.find(function_key(a.script, a.main, 1))?;
        self.procs.find(pid).filter(|own| own.state() & STARTS != 0)?;
        unsafe { self.add_function(env, [module, name], arity, kind::TRIGGER) }
    }

    unsafe fn add_function(
        &self,
        env: *mut Env,
        [module, name]: [Term; 2],
        arity: u64,
        kind: u64,
    ) -> Option<&Slot> {
        let text_of = |atom: Term| -> Vec<u8> {
            let mut text = [0u8; 1024];
            let buffer = text.as_mut_ptr().cast::<c_char>();
            let n = unsafe { enif_get_atom(env, atom, buffer, text.len() as c_uint, LATIN1) };
            text[..(n as usize).saturating_sub(1)].to_vec()
        };
        let (digits, what) = (arity.to_string(), kind.to_string());
        let names = [&text_of(module)[..], &text_of(name)[..]];
        let text = [names[0], names[1], digits.as_bytes(), what.as_bytes()].join(&0);
        self.functions.find_or_add(function_key(module, name, arity), |slot, number| {
            slot.set(kind as u32);
            define(FUNCTION, u64::from(number), text.len() + 10, |w| w.block(&text));
        })
    }

    /// Whether the code that is loaded is that of `cover`: what it adds to a module is not part of
    /// the program, and the module itself is in a file. The second argument says so.
    unsafe fn is_covered(&self, env: *mut Env, args: Term) -> bool {
        let (mut file, mut rest) = (0, args);
        for _ in 0..2 {
            if unsafe { enif_get_list_cell(env, rest, &mut file, &mut rest) } == 0 {
                return false;
            }
        }
        file == self.atoms.cover_compiled
    }

    /// Whether the value of a call that a process makes now is recorded.
    fn is_seen(&self, pid: Term) -> bool {
        let state = self.procs.find(pid).map_or(0, Slot::state);
        state & ACTIVE != 0 && state & (LOADING | DEPTH) == 0
    }

    unsafe fn called(&self, env: *mut Env, pid: Term, mfa: Term) {
        let Some([module, name, args]) = (unsafe { tuple(env, mfa) }) else { return };
        let (mut arity, mut rest, mut head) = (0, *args, 0);
        while unsafe { enif_get_list_cell(env, rest, &mut head, &mut rest) } != 0 {
            arity += 1;
        }
        let known = self.functions.find(function_key(*module, *name, arity));
        let known =
            known.or_else(|| unsafe { self.main_of_script(env, pid, [*module, *name], arity) });
        let Some(function) = known else { return };
        match u64::from(function.state()) {
            // The last argument is still at hand.
            kind::CODE if unsafe { !self.is_covered(env, *args) } => unsafe {
                keep_binary(env, head, self.is_seen(pid));
            },
            kind::COMPILING => return unsafe { keep_forms(env, *args) },
            kind::NAMING => return unsafe { keep_name(env, *args) },
            _ => {}
        }
        let own = unsafe { self.process(env, pid, None) };
        let Some(own) = own else { return };
        let number = u64::from(function.number());
        match u64::from(function.state()) {
            kind::TRIGGER => {
                if own.state() & ACTIVE == 0 {
                    // A process that was recorded before goes on with the next call.
                    if own.state() & KNOWN == 0 {
                        unsafe { self.begin(env, own, pid) };
                    }
                    own.clear(PAUSES);
                    own.set(ACTIVE);
                    let proc = u64::from(own.number());
                    unsafe { self.term_of(env, ROOT, proc, number, *args) };
                    own.roots.store(1, Relaxed);
                } else if own.roots.load(Relaxed) > 0 {
                    own.roots.fetch_add(1, Relaxed);
                }
            }
            _ if own.state() & ACTIVE == 0 => {}
            kind::LAST => {
                let proc = u64::from(own.number());
                unsafe { self.term_of(env, CALL, proc, number, *args) };
            }
            kind::LOADING if own.state() & DEPTH == 0 => own.set(LOADING),
            kind::LOADING_FUN if own.state() & DEPTH == 0 => own.set(LOADING | LOADING_FUN),
            kind::OPAQUE | kind::CODE | kind::HIDDEN => {
                own.state.fetch_add(1, Relaxed);
            }
            _ => {}
        }
    }

    unsafe fn returned(&self, env: *mut Env, own: &Slot, mfa: Term, value: Term, raised: bool) {
        let Some([module, name, arity]) = (unsafe { tuple(env, mfa) }) else { return };
        let mut n: c_ulong = 0;
        unsafe { enif_get_ulong(env, *arity, &mut n) };
        let Some(function) = self.functions.find(function_key(*module, *name, n as u64)) else {
            return;
        };
        let (number, proc) = (u64::from(function.number()), u64::from(own.number()));
        match u64::from(function.state()) {
            kind::TRIGGER => {
                let running = own.roots.load(Relaxed);
                if running > 0 {
                    own.roots.store(running - 1, Relaxed);
                }
                if running == 1 {
                    let tag = if raised { ROOT_RAISED } else { RETURN };
                    unsafe { self.term(env, tag, proc, value) };
                    own.clear(ACTIVE | LOADING | LOADING_FUN | FOUND | DEPTH);
                    own.set(PAUSES);
                }
                return;
            }
            kind::HIDDEN => {
                if own.state() & DEPTH > 0 {
                    own.state.fetch_sub(1, Relaxed);
                }
                return;
            }
            kind::OPAQUE | kind::CODE => {
                let depth = own.state() & DEPTH;
                if depth > 0 {
                    own.state.fetch_sub(1, Relaxed);
                }
                let loaded =
                    unsafe { tuple(env, value) }.is_some_and(|t| t[0] == self.atoms.module);
                if depth == 1 && own.state() & LOADING != 0 {
                    // A module that is not there is asked nothing more, nor is that of a fun.
                    match loaded && own.state() & LOADING_FUN == 0 {
                        true => own.set(FOUND),
                        false => own.clear(LOADING | LOADING_FUN),
                    }
                    return;
                }
            }
            kind::EXPORTED if own.state() & LOADING != 0 && own.state() & DEPTH == 0 => {
                // A module that lacks the function is asked for its handler of such calls.
                let again = own.state() & FOUND != 0 && value != self.atoms.is_true;
                own.clear(if again { FOUND } else { FOUND | LOADING });
                return;
            }
            _ => {}
        }
        if own.state() & (LOADING | DEPTH) != 0 {
            return;
        }
        match raised {
            true => unsafe { self.term_of(env, RAISED, proc, number, value) },
            false => unsafe { self.result(env, proc, number, value) },
        }
    }

    unsafe fn event(&self, env: *mut Env, argv: &[Term]) {
        let [tag, _, pid, term, opts] = *argv else { return };
        let a = &self.atoms;
        if tag == a.call {
            return unsafe { self.called(env, pid, term) };
        }
        if tag == a.spawned {
            let parent = self.procs.find(term).map_or(0, Slot::number);
            unsafe { self.process(env, pid, Some(parent)) };
            return;
        }
        let Some(own) = self.procs.find(pid) else { return };
        if tag == a.receive {
            return unsafe { self.received(env, own, term, opts) };
        }
        if own.state() & ACTIVE == 0 {
            return;
        }
        let number = u64::from(own.number());
        if tag == a.return_from || tag == a.exception_from {
            let value = unsafe { in_map(env, opts, a.extra) }.unwrap_or(a.undefined);
            unsafe { self.returned(env, own, term, value, tag == a.exception_from) }
        } else if tag == a.spawn {
            let child = unsafe { self.process(env, term, Some(own.number())) };
            if let Some(child) = child {
                write(SPAWN, number, 10, |w| w.number(u64::from(child.number())));
            }
        } else if tag == a.exit {
            unsafe { self.term(env, EXIT, number, term) };
            own.clear(ACTIVE);
        } else if tag == a.register {
            unsafe { self.term(env, REGISTER, number, term) };
        } else if tag == a.unregister {
            unsafe { self.term(env, UNREGISTER, number, term) };
        }
    }
}

/// The three words of a reference that this node made.
fn own_reference(bytes: &[u8]) -> Option<[u32; 3]> {
    const NEWER_REFERENCE: u8 = 90;
    let is_one = bytes.get(1) == Some(&NEWER_REFERENCE) && bytes.get(2..4) == Some(&[0, 3]);
    let words = bytes.get(bytes.len().saturating_sub(12)..).filter(|_| is_one)?;
    let word = |i: usize| u32::from_be_bytes([words[i], words[i + 1], words[i + 2], words[i + 3]]);
    Some([word(0), word(4), word(8)])
}
