//! The objects terms point to: their layout, their making and their end. The crate's unsafe code is
//! here, in `term.rs` and around `bits/buffer.rs`.
//!
//! Each object starts with its reference count. A cons cell has nothing more than that and its two terms; any other
//! object says in its header what it is, and a tuple also its size:
//!
//! ```text
//!   cons   | count u32 | -        | head | tail |
//!   tuple  | count u32 | kind,len | e1 | e2 | ...
//!   others | count u32 | kind     | value |
//! ```
#![allow(unsafe_code, reason = "objects are laid out and freed by hand, with their count inside")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr;

use num_bigint::BigInt;

use crate::bits::Bits;
use crate::fun::Fun;
use crate::ids::{Pid, Port, Ref};
use crate::map::Map;
use crate::term::Term;

#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Tuple,
    Float,
    Big,
    Map,
    Bits,
    Fun,
    Pid,
    Ref,
    Port,
}

/// What may stand behind a header: each type has one kind and each kind but the tuple one type, so reading an object as
/// the type of its kind is sound.
///
/// # Safety
/// No two types may have the same `KIND`.
pub(crate) unsafe trait Value {
    const KIND: Kind;
}

macro_rules! values {
    ($($type:ty => $kind:ident),* $(,)?) => {
        // SAFETY: the table below has each kind once.
        $(unsafe impl Value for $type { const KIND: Kind = Kind::$kind; })*
    };
}

values! {
    f64 => Float,
    BigInt => Big,
    Map => Map,
    Bits => Bits,
    Fun => Fun,
    Pid => Pid,
    Ref => Ref,
    Port => Port,
}

const KINDS: [Kind; 9] = [
    Kind::Tuple,
    Kind::Float,
    Kind::Big,
    Kind::Map,
    Kind::Bits,
    Kind::Fun,
    Kind::Pid,
    Kind::Ref,
    Kind::Port,
];

#[repr(C)]
pub(crate) struct Header {
    /// invariant: the number of live `Term`s that point here; 0 only while the object is being freed.
    pub count: u32,
    /// The kind in the low 4 bits, a tuple's size above them.
    pub meta: u32,
}

impl Header {
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        KINDS[(self.meta & 15) as usize]
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        (self.meta >> 4) as usize
    }
}

#[repr(C)]
pub(crate) struct Cons {
    pub header: Header,
    pub head: Term,
    pub tail: Term,
}

/// Aligned so that the low three bits of its address are free for the tag.
#[repr(C, align(8))]
pub(crate) struct Object<T> {
    pub header: Header,
    pub value: T,
}

/// OTP's limit is 2^24 - 1 elements; the header has room for more.
pub const MAX_TUPLE: usize = (1 << 24) - 1;

fn tuple_layout(len: usize) -> Layout {
    Layout::from_size_align(size_of::<Header>() + len * size_of::<Term>(), 8).expect("tuple size")
}

#[inline]
pub(crate) fn new_object<T: Value>(value: T) -> *mut Header {
    let header = Header { count: 1, meta: T::KIND as u32 };
    Box::into_raw(Box::new(Object { header, value })).cast()
}

/// Room for a tuple, its elements not yet written.
#[inline]
pub(crate) fn new_tuple(len: usize) -> *mut Header {
    assert!(len <= MAX_TUPLE, "a tuple of {len} elements");
    let layout = tuple_layout(len);
    // SAFETY: the layout is never empty, it holds at least a header; the header is written before anyone reads it.
    unsafe {
        let p: *mut Header = alloc(layout).cast();
        if p.is_null() {
            handle_alloc_error(layout);
        }
        p.write(Header { count: 1, meta: (len as u32) << 4 | Kind::Tuple as u32 });
        p
    }
}

/// The first element of a tuple.
///
/// # Safety
/// `p` points to a tuple.
#[inline(always)]
pub(crate) unsafe fn tuple_elements(p: *mut Header) -> *mut Term {
    // SAFETY: elements follow the 8-byte header, so they are aligned.
    unsafe { p.add(1).cast() }
}

/// Frees an object whose count reached 0, and then all it alone kept alive. A work list instead of recursion: the depth of
/// a term is bounded by memory only.
///
/// # Safety
/// `dead` is the word of a cons or boxed term whose count is 0, and no `Term` with that word is used again.
#[cold]
#[inline(never)]
pub(crate) unsafe fn free(dead: u64) {
    let mut work = Work { next: Some(dead), rest: Vec::new() };
    while let Some(word) = work.take() {
        // SAFETY: words on the list are dead objects, each put there once, by the drop that made its count 0.
        unsafe {
            if Term::word_is_cons(word) {
                free_cons(word, &mut work);
            } else {
                free_boxed(Term::word_ptr(word), &mut work);
            }
        }
    }
}

/// Dead objects not yet freed. The newest is kept apart, so that most terms are freed without a list being allocated.
struct Work {
    next: Option<u64>,
    rest: Vec<u64>,
}

impl Work {
    fn take(&mut self) -> Option<u64> {
        self.next.take().or_else(|| self.rest.pop())
    }

    fn release(&mut self, t: Term) {
        if let Some(older) = t.release().and_then(|word| self.next.replace(word)) {
            self.rest.push(older);
        }
    }
}

/// The head is freed before the tail, so that the list does not grow with the length of a list.
unsafe fn free_cons(word: u64, work: &mut Work) {
    // SAFETY: the caller owns the dead cell; a cell is made by `Box` in `Term::cons`.
    let cell = unsafe { Box::from_raw(Term::word_ptr(word).cast::<Cons>()) };
    let Cons { head, tail, .. } = *cell;
    work.release(tail);
    work.release(head);
}

unsafe fn free_boxed(p: *mut Header, work: &mut Work) {
    // SAFETY: the caller owns the dead object `p`, and each kind was made with the type it is read as here.
    unsafe {
        match (*p).kind() {
            Kind::Tuple => {
                let len = (*p).len();
                let e = tuple_elements(p);
                for i in 0..len {
                    work.release(ptr::read(e.add(i)));
                }
                dealloc(p.cast(), tuple_layout(len));
            }
            Kind::Map => take::<Map>(p).into_terms(&mut |t| work.release(t)),
            Kind::Fun => {
                if let Fun::Local(c) = take::<Fun>(p) {
                    c.env.into_vec().into_iter().for_each(|t| work.release(t));
                }
            }
            Kind::Float => drop(take::<f64>(p)),
            Kind::Big => drop(take::<BigInt>(p)),
            Kind::Bits => drop(take::<Bits>(p)),
            Kind::Pid => drop(take::<Pid>(p)),
            Kind::Ref => drop(take::<Ref>(p)),
            Kind::Port => drop(take::<Port>(p)),
        }
    }
}

/// Moves the value out of an object and frees its memory.
///
/// # Safety
/// `p` came from `new_object::<T>` and is not used again.
unsafe fn take<T: Value>(p: *mut Header) -> T {
    // SAFETY: as promised by the caller.
    unsafe { Box::from_raw(p.cast::<Object<T>>()).value }
}
