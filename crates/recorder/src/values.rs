//! Terms of the node, and how they are written: in the shortest form that they have.

use crate::Tracer;
use crate::chunks::write;
use crate::enif::*;
use crate::format::*;
use std::os::raw::c_long;

/// The elements of a tuple.
pub unsafe fn tuple<'t>(env: *mut Env, term: Term) -> Option<&'t [Term]> {
    let (mut arity, mut elements) = (0, std::ptr::null());
    unsafe {
        let is_one = enif_get_tuple(env, term, &mut arity, &mut elements) != 0;
        (is_one && arity > 0).then(|| std::slice::from_raw_parts(elements, arity as usize))
    }
}

pub unsafe fn in_map(env: *mut Env, map: Term, key: Term) -> Option<Term> {
    let mut value = 0;
    unsafe { (enif_get_map_value(env, map, key, &mut value) != 0).then_some(value) }
}

/// Whom a message goes to.
pub enum Receiver {
    /// A process of this node.
    Process(Term),
    /// The owner of an alias, who cannot be told.
    Unknown,
    /// A port, a process of another node, or nobody.
    Away,
}

/// Whom something names that a message is sent to.
pub unsafe fn receiver(env: *mut Env, to: Term) -> Receiver {
    unsafe {
        if enif_is_pid(env, to) != 0 {
            return Receiver::Process(to);
        }
        if enif_is_ref(env, to) != 0 {
            return Receiver::Unknown;
        }
        let name = tuple(env, to).map_or(to, |t| t[0]);
        let mut pid = 0;
        match enif_is_atom(env, name) != 0 && enif_whereis_pid(env, name, &mut pid) != 0 {
            true => Receiver::Process(pid),
            false => Receiver::Away,
        }
    }
}

/// Hands out the external form of a term.
pub unsafe fn external<R>(env: *mut Env, term: Term, with: impl FnOnce(&[u8]) -> R) -> Option<R> {
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
pub unsafe fn pid_number(env: *mut Env, pid: Term) -> u64 {
    let word = |bytes: &[u8], from_end: usize| -> u64 {
        let at = bytes.len().saturating_sub(from_end);
        bytes.get(at..at + 4).map_or(0, |w| u64::from(u32::from_be_bytes([w[0], w[1], w[2], w[3]])))
    };
    unsafe { external(env, pid, |b| word(b, 8) << 32 | word(b, 12)).unwrap_or(0) }
}

impl Tracer {
    pub unsafe fn term(&self, env: *mut Env, tag: u8, proc: u64, term: Term) {
        let entry = |bytes: &[u8]| write(tag, proc, bytes.len() + 10, |w| w.block(bytes));
        unsafe { external(env, term, entry) };
    }

    pub unsafe fn term_of(&self, env: *mut Env, tag: u8, proc: u64, function: u64, term: Term) {
        let entry = |bytes: &[u8]| {
            write(tag, proc, bytes.len() + 20, |w| {
                w.number(function);
                w.block(bytes);
            });
        };
        unsafe { external(env, term, entry) };
    }

    /// The value of an input, in its shortest form.
    pub unsafe fn result(&self, env: *mut Env, proc: u64, function: u64, value: Term) {
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
}

/// The three words of a reference that this node made.
fn own_reference(bytes: &[u8]) -> Option<[u32; 3]> {
    const NEWER_REFERENCE: u8 = 90;
    let is_one = bytes.get(1) == Some(&NEWER_REFERENCE) && bytes.get(2..4) == Some(&[0, 3]);
    let words = bytes.get(bytes.len().saturating_sub(12)..).filter(|_| is_one)?;
    let word = |i: usize| u32::from_be_bytes([words[i], words[i + 1], words[i + 2], words[i + 3]]);
    Some([word(0), word(4), word(8)])
}
