//! From where in the node a message is delivered: by a receive that looks for messages, or in passing,
//! when the process is about to run and has other signals to handle.
//!
//! Only a message that came in passing can be in the mailbox without having been looked at when a
//! receive times out. The node does not say which it is, but it calls the tracer from another
//! function of its own. Which function belongs to a receive is learnt once, from a process that does
//! nothing but wait. How deep the stack is tells the way, so it is walked once for each depth.

use std::cell::Cell;
use std::ffi::c_void;
use std::os::raw::{c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The outermost of the node's own functions when a receive finds a message; 0 if it is not known.
static RECEIVE: AtomicUsize = AtomicUsize::new(0);

/// How many depths a thread remembers.
const DEPTHS: usize = 8;

/// A depth of the stack, and whether a receive is at it.
type Known = (usize, bool);

thread_local! {
    static KNOWN: Cell<[Known; DEPTHS]> = const { Cell::new([(0, false); DEPTHS]) };
}

#[repr(C)]
struct Symbol {
    file: *const c_char,
    base: *const c_void,
    name: *const c_char,
    address: *const c_void,
}

#[repr(C)]
struct Frame {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, symbol: *mut Symbol) -> c_int;
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut Frame, *mut c_void) -> c_int,
        walk: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(frame: *mut Frame) -> usize;
    fn _Unwind_GetRegionStart(frame: *mut Frame) -> usize;
}

/// Where the file is in memory that has the code at this address.
fn base_of(address: usize) -> usize {
    let none = std::ptr::null();
    let mut symbol = Symbol { file: none, base: none.cast(), name: none, address: none.cast() };
    // SAFETY: it only looks up the address, and fills in what it is given room for.
    match unsafe { dladdr(address as *const c_void, &mut symbol) } {
        0 => 0,
        _ => symbol.base as usize,
    }
}

struct Walk {
    node: usize,
    outermost: usize,
}

extern "C" fn visit(frame: *mut Frame, walk: *mut c_void) -> c_int {
    // SAFETY: the walk is that of `outermost`, which waits for this.
    let walk = unsafe { &mut *walk.cast::<Walk>() };
    let (at, function) = unsafe { (_Unwind_GetIP(frame), _Unwind_GetRegionStart(frame)) };
    if base_of(at) == walk.node {
        walk.outermost = function;
    }
    0
}

/// The outermost function of the node on the stack of this thread.
fn outermost() -> usize {
    let node = base_of(crate::enif::enif_self as *const () as usize);
    let mut walk = Walk { node, outermost: 0 };
    // SAFETY: what is called back has the type that is asked for.
    unsafe { _Unwind_Backtrace(visit, (&raw mut walk).cast()) };
    walk.outermost
}

/// A receive is delivering a message now, on this thread.
pub fn learn_receive() {
    RECEIVE.store(outermost(), Relaxed);
}

/// Whether deliveries in passing can be told from others.
pub fn is_known() -> bool {
    RECEIVE.load(Relaxed) != 0
}

/// Whether a message is delivered in passing, so that nobody may have looked at it yet. `here` is an
/// address on the stack, always of the same frame.
pub fn is_in_passing(here: usize) -> bool {
    let receive = RECEIVE.load(Relaxed);
    if receive == 0 {
        return true;
    }
    let mut known = KNOWN.get();
    if let Some((_, is_receive)) = known.iter().find(|(depth, _)| *depth == here) {
        return !is_receive;
    }
    let is_receive = outermost() == receive;
    known.rotate_right(1);
    known[0] = (here, is_receive);
    KNOWN.set(known);
    !is_receive
}
