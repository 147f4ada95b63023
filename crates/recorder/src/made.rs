//! What is kept of modules that a node makes at run time, of the names that it is given, and of its atoms.

use crate::chunks;
use crate::enif::*;
use crate::format::put_number;
use crate::values::external;
use std::os::raw::{c_char, c_uint};
use std::sync::Mutex;

/// Keeps the code of a module, and whether the call that loads it is recorded.
pub unsafe fn keep_binary(env: *mut Env, code: Term, is_seen: bool) {
    let mut binary = Binary::EMPTY;
    if unsafe { enif_inspect_binary(env, code, &mut binary) } != 0 {
        let bytes = unsafe { std::slice::from_raw_parts(binary.data, binary.size) };
        chunks::keep_code(bytes, if is_seen { "beam" } else { "outside.beam" });
    }
}

/// How an atom looks in a term: its number, and these bits.
const ATOM: Term = 0xb;
const ATOM_BITS: u32 = 6;

/// How many atoms are kept.
static ATOMS: Mutex<Term> = Mutex::new(0);

/// Keeps the names of the first `count` atoms of the node that are not kept yet, each with its length,
/// in the order of their numbers: maps are ordered by these.
pub unsafe fn keep_atoms(env: *mut Env, count: Term) {
    // Whoever keeps them now keeps these too, or the next one does.
    let Ok(mut kept) = ATOMS.try_lock() else { return };
    let (mut names, mut text) = (vec![], [0u8; 1024]);
    for number in *kept..count {
        let atom = number << ATOM_BITS | ATOM;
        let buffer = text.as_mut_ptr().cast::<c_char>();
        let size = unsafe { enif_get_atom(env, atom, buffer, text.len() as c_uint, LATIN1) };
        // One whose name is not in Latin-1 takes its place without a name.
        let name = &text[..(size as usize).saturating_sub(1)];
        put_number(name.len() as u64, |b| names.push(b));
        names.extend(name);
    }
    if count > *kept {
        chunks::append("atoms", &names);
        *kept = count;
    }
}

/// Keeps all atoms that there are. A new one tells how many.
pub unsafe fn keep_all_atoms(env: *mut Env) {
    let kept = ATOMS.lock().map_or(0, |kept| *kept);
    let name = format!("reverl atom {kept}\0");
    let newest = unsafe { enif_make_atom(env, name.as_ptr().cast()) };
    if kept > 0 && newest & ((1 << ATOM_BITS) - 1) == ATOM {
        unsafe { keep_atoms(env, newest >> ATOM_BITS) };
    }
}

/// Keeps the first of these arguments, a name, and when the node was given it.
pub unsafe fn keep_name(env: *mut Env, args: Term) {
    let (mut name, mut rest, mut text) = (0, 0, [0u8; 1024]);
    let buffer = text.as_mut_ptr().cast::<c_char>();
    let length = unsafe {
        match enif_get_list_cell(env, args, &mut name, &mut rest) {
            0 => 0,
            _ => enif_get_atom(env, name, buffer, text.len() as c_uint, LATIN1),
        }
    };
    if length > 1 {
        keep_text_of_name(&text[..length as usize - 1]);
    }
}

/// The node is not named any more.
pub fn keep_no_name() {
    keep_text_of_name(b"nonode@nohost");
}

fn keep_text_of_name(name: &[u8]) {
    let event = format!("{} ", chunks::next_event());
    chunks::append("names", &[event.as_bytes(), name, b"\n"].concat());
}

/// Keeps the first of these arguments.
pub unsafe fn keep_forms(env: *mut Env, args: Term) {
    let (mut forms, mut rest) = (0, 0);
    if unsafe { enif_get_list_cell(env, args, &mut forms, &mut rest) } != 0 {
        unsafe { external(env, forms, |bytes| chunks::keep_code(bytes, "forms")) };
    }
}
