//! The functions that the node calls, and the table by which it finds them.

use crate::chunks;
use crate::enif::*;
use crate::format::kind;
use crate::gate::Gate;
use crate::made::keep_atoms;
use crate::table::{ACTIVE, LISTENS, MEASURED, STARTS, Table};
use crate::{Atoms, CHECKED, FULL, GATE, NAMED, TRACER, Tracer};
use std::os::raw::{c_char, c_int, c_uint, c_ulong, c_void};
use std::sync::atomic::Ordering::Relaxed;

/// `enabled(Tag, State, Pid)`
unsafe extern "C" fn enabled(_: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let (tag, pid) = unsafe { (*argv, *argv.add(2)) };
    let a = &tracer.atoms;
    if tag == a.status {
        // The node asks this whenever it lets a process run, before it brings its messages.
        tracer.procs.find(pid).inspect(|own| own.came.store(0, Relaxed));
    }
    let is_over = chunks::is_stopped() || tag == a.call && tracer.is_outside_for_good(pid);
    if is_over { a.remove } else { a.trace }
}

unsafe extern "C" fn trace(env: *mut Env, argc: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    unsafe { tracer.event(env, std::slice::from_raw_parts(argv, argc as usize)) };
    tracer.atoms.ok
}

/// `open(Dir, [MostEvents, MostBytes, Keep, Checked, Full, Named])`
unsafe extern "C" fn open(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let mut dir = [0u8; 4096];
    let (path, settings) = unsafe { (*argv, *argv.add(1)) };
    let buffer = dir.as_mut_ptr().cast::<c_char>();
    let length = unsafe { enif_get_string(env, path, buffer, dir.len() as c_uint, LATIN1) };
    if length <= 0 {
        return unsafe { enif_make_badarg(env) };
    }
    let mut numbers = [0; 6];
    let (mut rest, mut head) = (settings, 0);
    for n in &mut numbers {
        let mut value: c_ulong = 0;
        unsafe {
            if enif_get_list_cell(env, rest, &mut head, &mut rest) == 0 {
                return enif_make_badarg(env);
            }
            enif_get_ulong(env, head, &mut value);
        }
        *n = value as u64;
    }
    let [most_events, most_bytes, keep, checked, full, named] = numbers;
    CHECKED.store(checked != 0, Relaxed);
    FULL.store(full != 0, Relaxed);
    NAMED.store(named != 0, Relaxed);
    // Whoever starts the tracer makes the calls of the command line next.
    let mut own = 0;
    unsafe { enif_self(env, &mut own) };
    if let Some(slot) = unsafe { tracer.process(env, own, None) } {
        slot.set(STARTS);
    }
    let dir = String::from_utf8_lossy(&dir[..length as usize - 1]).into_owned();
    match chunks::start(chunks::Settings { dir, most_events, most_bytes, keep }) {
        Ok(true) => tracer.atoms.is_true,
        Ok(false) => tracer.atoms.is_false,
        Err(_) => tracer.atoms.full,
    }
}

/// `function(Module, Name, Arity, Kind)`
unsafe extern "C" fn function(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let argv = unsafe { std::slice::from_raw_parts(argv, 4) };
    let (mut arity, mut kind): (c_ulong, c_ulong) = (0, 0);
    unsafe {
        enif_get_ulong(env, argv[2], &mut arity);
        enif_get_ulong(env, argv[3], &mut kind);
    }
    let slot = unsafe { tracer.add_function(env, [argv[0], argv[1]], arity, kind) };
    // A function that is a trigger and an input counts as a trigger.
    if let Some(slot) = slot.filter(|_| kind == kind::TRIGGER) {
        slot.state.store(kind as u32, Relaxed);
    }
    tracer.atoms.ok
}

/// `listen(Pid)`: what recorded processes send it is recorded.
unsafe extern "C" fn listen(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    if let Some(slot) = unsafe { tracer.process(env, *argv, None) } {
        slot.set(LISTENS);
    }
    tracer.atoms.ok
}

/// `measure(Pid)`: what this process looks like when it times out is learnt.
unsafe extern "C" fn measure(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    if let Some(slot) = unsafe { tracer.process(env, *argv, None) } {
        slot.set(MEASURED);
    }
    tracer.atoms.ok
}

/// `atoms(Count)`: the numbers of the first `Count` atoms are kept.
unsafe extern "C" fn atoms(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let mut count: c_ulong = 0;
    unsafe {
        enif_get_ulong(env, *argv, &mut count);
        keep_atoms(env, count);
    }
    tracer.atoms.ok
}

/// `follow(File)`: the run follows the order that is written there.
unsafe extern "C" fn follow(env: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let mut name = [0u8; 4096];
    let buffer = name.as_mut_ptr().cast::<c_char>();
    let length = unsafe { enif_get_string(env, *argv, buffer, name.len() as c_uint, LATIN1) };
    let name = String::from_utf8_lossy(&name[..(length.max(1) as usize) - 1]).into_owned();
    let gate = std::fs::read_to_string(name).ok().and_then(|text| Gate::new(&text));
    let Some(gate) = gate else { return tracer.atoms.is_false };
    GATE.get_or_init(|| gate);
    tracer.atoms.is_true
}

unsafe extern "C" fn is_recorded(_: *mut Env, _: c_int, argv: *const Term) -> Term {
    let Some(tracer) = TRACER.get() else { return 0 };
    let own = tracer.procs.find(unsafe { *argv });
    match own.is_some_and(|own| own.state() & ACTIVE != 0) {
        true => tracer.atoms.is_true,
        false => tracer.atoms.is_false,
    }
}

unsafe extern "C" fn stop(_: *mut Env, _: c_int, _: *const Term) -> Term {
    chunks::stop();
    TRACER.get().map_or(0, |t| t.atoms.ok)
}

unsafe extern "C" fn events(env: *mut Env, _: c_int, _: *const Term) -> Term {
    unsafe { enif_make_ulong(env, chunks::events() as c_ulong) }
}

unsafe extern "C" fn load(env: *mut Env, _: *mut *mut c_void, _: Term) -> c_int {
    let atoms = unsafe { Atoms::new(env) };
    let tables = (Table::new(21), Table::new(14), Table::new(17));
    let (Some(procs), Some(functions), Some(outside)) = tables else {
        return 1;
    };
    TRACER.get_or_init(|| Tracer { atoms, procs, functions, outside });
    0
}

macro_rules! functions {
    ($($name:ident/$arity:literal),*) => {
        [$(Func {
            name: concat!(stringify!($name), "\0").as_ptr().cast(),
            arity: $arity,
            fptr: $name,
            flags: 0,
        }),*]
    };
}

static FUNCTIONS: [Func; 11] = functions![
    enabled / 3,
    trace / 5,
    open / 2,
    function / 4,
    listen / 1,
    measure / 1,
    atoms / 1,
    follow / 1,
    is_recorded / 1,
    stop / 0,
    events / 0
];

static ENTRY: Entry = Entry {
    major: 2,
    minor: 16,
    name: c"reverl_tracer".as_ptr(),
    num_of_funcs: FUNCTIONS.len() as c_int,
    funcs: FUNCTIONS.as_ptr(),
    load: Some(load),
    reload: std::ptr::null(),
    upgrade: None,
    unload: std::ptr::null(),
    vm_variant: c"beam.vanilla".as_ptr(),
    options: 1,
    sizeof_resource_type_init: 24,
    min_erts: c"erts-12.0".as_ptr(),
};

/// The entry point that the node looks for when it loads the library.
#[unsafe(no_mangle)]
pub extern "C" fn nif_init() -> *const Entry {
    &ENTRY
}
