//! The term: one 8-byte word that is a small integer, an atom, another immediate, or a counted pointer.
//!
//! ```text
//!   ...vvvvvvvv1  small integer, 63 bits
//!   ...pppppp000  pointer to an object with a header
//!   ...pppppp010  pointer to a cons cell
//!   ...aaaaaa100  atom
//!   ...iiiikk110  nil, local pid or local port (kk)
//! ```
//!
//! Counts are plain numbers: a term stays on its thread. Values are immutable while shared; a term that is the only
//! owner of its object may change it (`tuple_mut`, `map_mut`).
#![allow(unsafe_code, reason = "a term is one word that may point to a counted object")]

use std::marker::PhantomData;
use std::mem;
use std::num::NonZeroU64;
use std::ptr;
use std::slice;

use crate::atom::Atom;
use crate::atoms;
use crate::heap::{self, Cons, Header, Kind, Object, Value};
use crate::ids::{Pid, Port};
use crate::view::View;

/// An Erlang value.
pub struct Term(NonZeroU64, PhantomData<*const ()>);

const CONS: u64 = 0b010;
const ATOM: u64 = 0b100;
const NIL: u64 = 0b00110;
const PID: u64 = 0b01110;
const PORT: u64 = 0b10110;

/// Local pids keep this many bits for each of their two numbers.
const PID_BITS: u32 = 29;

/// The least small integer.
pub const MIN_SMALL: i64 = -(1 << 62);
/// The greatest small integer.
pub const MAX_SMALL: i64 = (1 << 62) - 1;

impl Term {
    /// The empty list.
    pub const NIL: Term = Term::word(NIL);

    #[inline(always)]
    const fn word(w: u64) -> Term {
        match NonZeroU64::new(w) {
            Some(w) => Term(w, PhantomData),
            None => unreachable!(),
        }
    }

    /// The word itself: equal words are equal terms, the reverse only holds for immediates.
    #[inline(always)]
    pub fn raw(&self) -> u64 {
        self.0.get()
    }

    /// Whether both are the same word: one immediate, or one shared object.
    #[inline(always)]
    pub fn raw_eq(a: &Term, b: &Term) -> bool {
        a.0 == b.0
    }

    #[inline(always)]
    pub(crate) fn word_is_cons(w: u64) -> bool {
        w & 7 == CONS
    }

    #[inline(always)]
    pub(crate) fn word_ptr(w: u64) -> *mut Header {
        (w & !7) as usize as *mut Header
    }

    #[inline(always)]
    fn ptr(&self) -> *mut Header {
        Term::word_ptr(self.raw())
    }

    /// Whether the word is the whole value.
    #[inline(always)]
    pub fn is_immediate(&self) -> bool {
        self.raw() & 0b101 != 0
    }

    #[inline(always)]
    fn is_boxed(&self) -> bool {
        self.raw() & 7 == 0
    }

    /// How many terms share this one's object; 0 for an immediate.
    pub fn share_count(&self) -> u32 {
        // SAFETY: a term that is not immediate points to a live object.
        if self.is_immediate() { 0 } else { unsafe { (*self.ptr()).count } }
    }

    /// Ends this term without freeing: the word, if that was the object's last owner.
    #[inline(always)]
    pub(crate) fn release(self) -> Option<u64> {
        let w = self.raw();
        mem::forget(self);
        if w & 0b101 != 0 {
            return None;
        }
        // SAFETY: the forgotten term counted for one, so the object is alive until here.
        unsafe {
            let h = Term::word_ptr(w);
            (*h).count -= 1;
            ((*h).count == 0).then_some(w)
        }
    }

    #[inline(always)]
    fn boxed(p: *mut Header) -> Term {
        debug_assert!(p as usize & 7 == 0);
        Term::word(p as usize as u64)
    }

    #[inline(always)]
    fn kind(&self) -> Option<Kind> {
        // SAFETY: a boxed term points to a live object with a header.
        if self.is_boxed() { Some(unsafe { (*self.ptr()).kind() }) } else { None }
    }

    /// The term of a value that needs an object.
    #[inline]
    pub(crate) fn of<T: Value>(value: T) -> Term {
        Term::boxed(heap::new_object(value))
    }

    /// The value, if it is of this type.
    #[inline(always)]
    pub(crate) fn get<T: Value>(&self) -> Option<&T> {
        if self.kind()? != T::KIND {
            return None;
        }
        // SAFETY: an object of that kind holds a `T`, and lives at least as long as `self` is borrowed.
        Some(unsafe { &(*self.ptr().cast::<Object<T>>()).value })
    }

    /// The value to change, if it is of this type and nobody else's.
    #[inline(always)]
    pub(crate) fn get_mut<T: Value>(&mut self) -> Option<&mut T> {
        if self.kind()? != T::KIND || self.share_count() != 1 {
            return None;
        }
        // SAFETY: as in `get`; the only owner is borrowed mutably.
        Some(unsafe { &mut (*self.ptr().cast::<Object<T>>()).value })
    }

    // ---- integers

    /// A small integer; it must lie between `MIN_SMALL` and `MAX_SMALL`.
    #[inline(always)]
    pub fn small(i: i64) -> Term {
        debug_assert!((MIN_SMALL..=MAX_SMALL).contains(&i));
        Term::word((i << 1) as u64 | 1)
    }

    /// Whether it is a small integer.
    #[inline(always)]
    pub fn is_small(&self) -> bool {
        self.raw() & 1 != 0
    }

    /// The value of a small integer.
    #[inline(always)]
    pub fn as_small(&self) -> Option<i64> {
        if self.is_small() { Some(self.raw() as i64 >> 1) } else { None }
    }

    /// Whether both are small integers.
    #[inline(always)]
    pub fn both_small(a: &Term, b: &Term) -> bool {
        a.raw() & b.raw() & 1 != 0
    }

    /// The sum of two smalls; `None` when it is not small. Both must be small.
    #[inline(always)]
    pub fn add_small(a: &Term, b: &Term) -> Option<Term> {
        debug_assert!(Term::both_small(a, b));
        // (2x + 1) + 2y = 2(x + y) + 1: the tag survives.
        (a.raw() as i64).checked_add((b.raw() & !1) as i64).map(|w| Term::word(w as u64 | 1))
    }

    /// The difference of two smalls; `None` when it is not small. Both must be small.
    #[inline(always)]
    pub fn sub_small(a: &Term, b: &Term) -> Option<Term> {
        debug_assert!(Term::both_small(a, b));
        (a.raw() as i64).checked_sub((b.raw() & !1) as i64).map(|w| Term::word(w as u64 | 1))
    }

    /// The product of two smalls; `None` when it is not small. Both must be small.
    #[inline(always)]
    pub fn mul_small(a: &Term, b: &Term) -> Option<Term> {
        debug_assert!(Term::both_small(a, b));
        let w = ((a.raw() & !1) as i64).checked_mul(b.raw() as i64 >> 1)?;
        Some(Term::word(w as u64 | 1))
    }

    // ---- atoms

    /// The term of an atom.
    #[inline(always)]
    pub const fn atom(a: Atom) -> Term {
        Term::word((a.0 as u64) << 3 | ATOM)
    }

    /// Whether it is an atom.
    #[inline(always)]
    pub fn is_atom(&self) -> bool {
        self.raw() & 7 == ATOM
    }

    /// The atom, if it is one.
    #[inline(always)]
    pub fn as_atom(&self) -> Option<Atom> {
        if self.is_atom() { Some(Atom((self.raw() >> 3) as u32)) } else { None }
    }

    /// Whether it is this atom.
    #[inline(always)]
    pub fn is_atom_eq(&self, a: Atom) -> bool {
        self.raw() == (a.0 as u64) << 3 | ATOM
    }

    /// `true` or `false`.
    #[inline(always)]
    pub fn bool(b: bool) -> Term {
        Term::atom(if b { atoms::TRUE } else { atoms::FALSE })
    }

    /// The truth value, if it is `true` or `false`.
    #[inline(always)]
    pub fn as_bool(&self) -> Option<bool> {
        if self.is_atom_eq(atoms::TRUE) {
            Some(true)
        } else if self.is_atom_eq(atoms::FALSE) {
            Some(false)
        } else {
            None
        }
    }

    // ---- lists

    /// The empty list.
    #[inline(always)]
    pub const fn nil() -> Term {
        Term::NIL
    }

    /// Whether it is the empty list.
    #[inline(always)]
    pub fn is_nil(&self) -> bool {
        self.raw() == NIL
    }

    /// `[Head | Tail]`.
    #[inline]
    pub fn cons(head: Term, tail: Term) -> Term {
        let cell = Box::new(Cons { header: Header { count: 1, meta: 0 }, head, tail });
        Term::word(Box::into_raw(cell) as usize as u64 | CONS)
    }

    /// Whether it is a list with at least one element.
    #[inline(always)]
    pub fn is_cons(&self) -> bool {
        Term::word_is_cons(self.raw())
    }

    /// The head and the tail of a list with at least one element.
    #[inline(always)]
    pub fn as_cons(&self) -> Option<(&Term, &Term)> {
        if self.is_cons() {
            // SAFETY: a cons word points to a live cell, alive while `self` is borrowed.
            let cell = unsafe { &*self.ptr().cast::<Cons>() };
            Some((&cell.head, &cell.tail))
        } else {
            None
        }
    }

    /// Whether it is a list, proper or not, as `is_list/1` decides.
    pub fn is_list(&self) -> bool {
        self.is_cons() || self.is_nil()
    }

    // ---- tuples

    /// A tuple of these elements.
    pub fn tuple(elements: Vec<Term>) -> Term {
        let mut elements = elements;
        let n = elements.len();
        let p = heap::new_tuple(n);
        // SAFETY: `p` has room for `n` terms; `elements` gives them up before it is dropped.
        unsafe {
            ptr::copy_nonoverlapping(elements.as_ptr(), heap::tuple_elements(p), n);
            elements.set_len(0);
        }
        Term::boxed(p)
    }

    /// A tuple of copies of these elements.
    pub fn tuple_from_slice(elements: &[Term]) -> Term {
        let p = heap::new_tuple(elements.len());
        for (i, t) in elements.iter().enumerate() {
            // SAFETY: `p` has room for that many terms; cloning a term cannot panic half-way.
            unsafe { heap::tuple_elements(p).add(i).write(t.clone()) }
        }
        Term::boxed(p)
    }

    /// Moves `n` terms out of registers, leaving nil in each.
    ///
    /// # Safety
    /// `from` points to `n` terms that may be written.
    #[inline]
    pub unsafe fn tuple_take(from: *mut Term, n: usize) -> Term {
        let p = heap::new_tuple(n);
        // SAFETY: `p` has room for `n` terms, and the caller promised `n` at `from`.
        unsafe {
            let to = heap::tuple_elements(p);
            for i in 0..n {
                to.add(i).write(from.add(i).replace(Term::NIL));
            }
        }
        Term::boxed(p)
    }

    /// The elements of a tuple.
    #[inline(always)]
    pub fn as_tuple(&self) -> Option<&[Term]> {
        if self.kind()? == Kind::Tuple {
            // SAFETY: the header of a tuple says how many terms follow it.
            Some(unsafe {
                slice::from_raw_parts(heap::tuple_elements(self.ptr()), (*self.ptr()).len())
            })
        } else {
            None
        }
    }

    /// The elements of a tuple owned by nobody else.
    #[inline]
    pub fn tuple_mut(&mut self) -> Option<&mut [Term]> {
        if self.kind()? == Kind::Tuple && self.share_count() == 1 {
            // SAFETY: as `as_tuple`; the only owner is borrowed mutably.
            Some(unsafe {
                slice::from_raw_parts_mut(heap::tuple_elements(self.ptr()), (*self.ptr()).len())
            })
        } else {
            None
        }
    }

    // ---- identifiers

    /// The term of a pid; a local one with small numbers needs no object.
    pub fn pid(p: Pid) -> Term {
        let fits = p.id >> PID_BITS == 0 && p.serial >> PID_BITS == 0;
        if p.node == atoms::NONODE && p.creation == 0 && fits {
            Term::word(((p.serial as u64) << PID_BITS | p.id as u64) << 5 | PID)
        } else {
            Term::of(p)
        }
    }

    /// The pid, if it is one.
    #[inline]
    pub fn as_pid(&self) -> Option<Pid> {
        let w = self.raw();
        if w & 0b11111 == PID {
            let (id, serial) = (w >> 5 & ((1 << PID_BITS) - 1), w >> (5 + PID_BITS));
            return Some(Pid::local(id as u32, serial as u32));
        }
        self.get().copied()
    }

    /// The term of a port; a local one needs no object.
    pub fn port(p: Port) -> Term {
        if p.node == atoms::NONODE && p.creation == 0 && p.id >> 59 == 0 {
            Term::word(p.id << 5 | PORT)
        } else {
            Term::of(p)
        }
    }

    /// The port, if it is one.
    pub fn as_port(&self) -> Option<Port> {
        let w = self.raw();
        if w & 0b11111 == PORT {
            return Some(Port::local(w >> 5));
        }
        self.get().copied()
    }

    // ---- any

    /// The term opened one level, to match on.
    #[inline]
    pub fn view(&self) -> View<'_> {
        if let Some(i) = self.as_small() {
            return View::Int(i);
        }
        if let Some((h, t)) = self.as_cons() {
            return View::Cons(h, t);
        }
        if let Some(a) = self.as_atom() {
            return View::Atom(a);
        }
        let Some(kind) = self.kind() else {
            return match self.raw() & 0b11111 {
                NIL => View::Nil,
                PID => View::Pid(self.as_pid().expect("the tag says pid")),
                _ => View::Port(self.as_port().expect("the tag says port")),
            };
        };
        // SAFETY: each value is read as the type of the kind just matched.
        unsafe {
            match kind {
                Kind::Tuple => View::Tuple(self.as_tuple().unwrap_unchecked()),
                Kind::Float => View::Float(*self.get().unwrap_unchecked()),
                Kind::Big => View::Big(self.get().unwrap_unchecked()),
                Kind::Map => View::Map(self.get().unwrap_unchecked()),
                Kind::Bits => View::Bits(self.get().unwrap_unchecked()),
                Kind::Fun => View::Fun(self.get().unwrap_unchecked()),
                Kind::Pid => View::Pid(*self.get().unwrap_unchecked()),
                Kind::Ref => View::Ref(self.get().unwrap_unchecked()),
                Kind::Port => View::Port(*self.get().unwrap_unchecked()),
            }
        }
    }
}

impl Clone for Term {
    #[inline(always)]
    fn clone(&self) -> Term {
        if !self.is_immediate() {
            // SAFETY: the object is alive. The count cannot overflow: 2^32 terms do not fit in the memory they count.
            unsafe { (*self.ptr()).count += 1 }
        }
        Term(self.0, PhantomData)
    }
}

impl Drop for Term {
    #[inline(always)]
    fn drop(&mut self) {
        if self.is_immediate() {
            return;
        }
        // SAFETY: this term counted for one; the object is freed by whoever makes the count 0.
        unsafe {
            let h = self.ptr();
            (*h).count -= 1;
            if (*h).count == 0 {
                heap::free(self.raw());
            }
        }
    }
}

impl Default for Term {
    fn default() -> Term {
        Term::NIL
    }
}

impl From<Atom> for Term {
    fn from(a: Atom) -> Term {
        Term::atom(a)
    }
}

impl From<i64> for Term {
    fn from(i: i64) -> Term {
        Term::int(i)
    }
}
