//! What is kept of modules that a node makes at run time, and of the names that it is given.

use crate::chunks;
use crate::enif::*;
use crate::values::external;
use std::os::raw::{c_char, c_uint};

/// Keeps the code of a module, and whether the call that loads it is recorded.
pub unsafe fn keep_binary(env: *mut Env, code: Term, is_seen: bool) {
    let mut binary = Binary::EMPTY;
    if unsafe { enif_inspect_binary(env, code, &mut binary) } != 0 {
        let bytes = unsafe { std::slice::from_raw_parts(binary.data, binary.size) };
        chunks::keep_code(bytes, if is_seen { "beam" } else { "outside.beam" });
    }
}

/// Keeps the first of these arguments, a name.
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
        chunks::keep_name(&text[..length as usize - 1]);
    }
}

/// Keeps the first of these arguments.
pub unsafe fn keep_forms(env: *mut Env, args: Term) {
    let (mut forms, mut rest) = (0, 0);
    if unsafe { enif_get_list_cell(env, args, &mut forms, &mut rest) } != 0 {
        unsafe { external(env, forms, |bytes| chunks::keep_code(bytes, "forms")) };
    }
}
