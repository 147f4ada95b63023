//! The part of `erl_nif.h` that the tracer needs, as OTP 25 and later have it.

use std::os::raw::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

/// `ERL_NIF_TERM`
pub type Term = c_ulong;

/// `ErlNifEnv`, of which only pointers are known.
#[repr(C)]
pub struct Env {
    _private: [u8; 0],
}

/// `ErlNifBinary`
#[repr(C)]
pub struct Binary {
    pub size: usize,
    pub data: *mut u8,
    ref_bin: *mut c_void,
    spare: [*mut c_void; 2],
}

impl Binary {
    pub const EMPTY: Binary = Binary {
        size: 0,
        data: std::ptr::null_mut(),
        ref_bin: std::ptr::null_mut(),
        spare: [std::ptr::null_mut(); 2],
    };
}

/// A function that Erlang calls.
pub type Nif = unsafe extern "C" fn(*mut Env, c_int, *const Term) -> Term;

/// `ErlNifFunc`
#[repr(C)]
pub struct Func {
    pub name: *const c_char,
    pub arity: c_uint,
    pub fptr: Nif,
    pub flags: c_uint,
}

/// `ErlNifEntry`
#[repr(C)]
pub struct Entry {
    pub major: c_int,
    pub minor: c_int,
    pub name: *const c_char,
    pub num_of_funcs: c_int,
    pub funcs: *const Func,
    pub load: Option<unsafe extern "C" fn(*mut Env, *mut *mut c_void, Term) -> c_int>,
    pub reload: *const c_void,
    pub upgrade:
        Option<unsafe extern "C" fn(*mut Env, *mut *mut c_void, *mut *mut c_void, Term) -> c_int>,
    pub unload: *const c_void,
    pub vm_variant: *const c_char,
    pub options: c_uint,
    pub sizeof_resource_type_init: usize,
    pub min_erts: *const c_char,
}

// Both hold pointers to constants only.
unsafe impl Sync for Entry {}
unsafe impl Sync for Func {}

pub const LATIN1: c_uint = 1;
/// `ERL_NIF_PHASH2`: the same as `erlang:phash2/1`.
pub const PHASH2: c_int = 2;

unsafe extern "C" {
    pub fn enif_make_atom(env: *mut Env, name: *const c_char) -> Term;
    pub fn enif_make_badarg(env: *mut Env) -> Term;
    pub fn enif_make_ulong(env: *mut Env, n: c_ulong) -> Term;
    pub fn enif_get_tuple(
        env: *mut Env,
        tuple: Term,
        arity: *mut c_int,
        elements: *mut *const Term,
    ) -> c_int;
    pub fn enif_get_map_value(env: *mut Env, map: Term, key: Term, value: *mut Term) -> c_int;
    pub fn enif_term_to_binary(env: *mut Env, term: Term, binary: *mut Binary) -> c_int;
    pub fn enif_inspect_binary(env: *mut Env, term: Term, binary: *mut Binary) -> c_int;
    pub fn enif_release_binary(binary: *mut Binary);
    pub fn enif_get_long(env: *mut Env, term: Term, n: *mut c_long) -> c_int;
    pub fn enif_get_ulong(env: *mut Env, term: Term, n: *mut c_ulong) -> c_int;
    pub fn enif_get_atom(
        env: *mut Env,
        term: Term,
        buffer: *mut c_char,
        size: c_uint,
        encoding: c_uint,
    ) -> c_int;
    pub fn enif_get_string(
        env: *mut Env,
        term: Term,
        buffer: *mut c_char,
        size: c_uint,
        encoding: c_uint,
    ) -> c_int;
    pub fn enif_get_list_cell(env: *mut Env, list: Term, head: *mut Term, tail: *mut Term)
    -> c_int;
    /// A pid of the node's is a structure of one term.
    pub fn enif_self(env: *mut Env, pid: *mut Term) -> *mut Term;
    pub fn enif_whereis_pid(env: *mut Env, name: Term, pid: *mut Term) -> c_int;
    pub fn enif_is_atom(env: *mut Env, term: Term) -> c_int;
    pub fn enif_is_pid(env: *mut Env, term: Term) -> c_int;
    pub fn enif_is_ref(env: *mut Env, term: Term) -> c_int;
    pub fn enif_hash(kind: c_int, term: Term, salt: u64) -> u64;
}
