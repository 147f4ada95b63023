//! Calls of functions that recording begins with, and of those whose values are inputs.

use crate::chunks::define;
use crate::enif::*;
use crate::format::*;
use crate::made::{keep_all_atoms, keep_binary, keep_forms, keep_name, keep_no_name};
use crate::table::{ACTIVE, DEPTH, FOUND, KNOWN, LOADING, LOADING_FUN, PAUSES, STARTS, Slot};
use crate::values::tuple;
use crate::{GATE, Tracer, function_key};
use std::os::raw::{c_char, c_uint, c_ulong};
use std::sync::atomic::Ordering::Relaxed;

impl Tracer {
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

    /// Gives a function its number.
    pub unsafe fn add_function(
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

    /// A process calls one of them.
    pub unsafe fn called(&self, env: *mut Env, pid: Term, mfa: Term) {
        let Some([module, name, args]) = (unsafe { tuple(env, mfa) }) else {
            return;
        };
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
            kind::UNNAMING => return keep_no_name(),
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
                        if let Some(gate) = GATE.get() {
                            gate.began(pid);
                        }
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
                unsafe { keep_all_atoms(env) };
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

    /// Such a call is over.
    pub unsafe fn returned(&self, env: *mut Env, own: &Slot, mfa: Term, value: Term, raised: bool) {
        let Some([module, name, arity]) = (unsafe { tuple(env, mfa) }) else {
            return;
        };
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
                    // Of a command line, nothing may come after it.
                    if own.state() & STARTS != 0 {
                        unsafe { keep_all_atoms(env) };
                    }
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
}
