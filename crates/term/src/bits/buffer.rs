//! The bytes under bit strings: shared, written once each, growing only at the end.
//!
//! A buffer is used from its front. Bits below `used` never change, so any number of values may look at them while one
//! builder writes behind them; a buffer never moves, a full one is copied into a larger one by whoever needs the room.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::NonNull;
use std::slice;

#[repr(C)]
struct Head {
    count: Cell<u32>,
    /// In bytes.
    capacity: usize,
    /// In bits. invariant: `used <= capacity * 8`, or `CLAIMED` while a builder writes behind the used bits.
    used: Cell<usize>,
}

/// The mark of a buffer that has a builder; no end of a value equals it, so no second builder can claim it.
const CLAIMED: usize = usize::MAX;

pub(super) struct Buffer(NonNull<Head>);

fn layout(capacity: usize) -> Layout {
    Layout::from_size_align(size_of::<Head>() + capacity, align_of::<Head>()).expect("buffer size")
}

impl Buffer {
    /// A claimed buffer of zero bytes.
    pub fn with_capacity(capacity: usize) -> Buffer {
        let layout = layout(capacity);
        // SAFETY: the layout is not empty, and the head is written before use.
        unsafe {
            let Some(p) = NonNull::new(alloc_zeroed(layout).cast::<Head>()) else {
                handle_alloc_error(layout)
            };
            p.write(Head { count: Cell::new(1), capacity, used: Cell::new(CLAIMED) });
            Buffer(p)
        }
    }

    #[inline]
    fn head(&self) -> &Head {
        // SAFETY: alive while a `Buffer` counts for it.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    fn start(&self) -> *mut u8 {
        // SAFETY: the bytes follow the head in the same allocation.
        unsafe { self.0.as_ptr().add(1).cast() }
    }

    #[inline]
    pub fn capacity(&self) -> usize {
        self.head().capacity
    }

    pub fn same(&self, other: &Buffer) -> bool {
        self.0 == other.0
    }

    /// Takes the right to write behind bit `end`, if that is where the used bits end.
    #[inline]
    pub fn claim(&self, end: usize) -> bool {
        let free = self.head().used.get() == end;
        if free {
            self.head().used.set(CLAIMED);
        }
        free
    }

    /// Ends a claim: the bits below `end` are now fixed.
    #[inline]
    pub fn release(&self, end: usize) {
        debug_assert!(self.head().used.get() == CLAIMED && end <= self.capacity() * 8);
        self.head().used.set(end);
    }

    #[inline]
    pub fn byte(&self, at: usize) -> u8 {
        assert!(at < self.capacity());
        // SAFETY: in bounds; all bytes are initialised. Read by value: the byte may hold the end of a value and the
        // beginning of what a builder appends.
        unsafe { *self.start().add(at) }
    }

    /// Whole bytes that are all below the used end.
    ///
    /// # Safety
    /// Bytes `from .. from + len` were written and released, so nobody writes to them again.
    #[inline]
    pub unsafe fn bytes(&self, from: usize, len: usize) -> &[u8] {
        debug_assert!(from + len <= self.capacity());
        // SAFETY: in bounds and, by the caller's promise, immutable.
        unsafe { slice::from_raw_parts(self.start().add(from), len) }
    }

    /// # Safety
    /// The caller holds the claim, and byte `at` has at least one bit behind the used end.
    #[inline]
    pub unsafe fn set_byte(&self, at: usize, byte: u8) {
        assert!(at < self.capacity());
        // SAFETY: in bounds. No slice covers this byte: slices are whole bytes below the used end.
        unsafe { *self.start().add(at) = byte }
    }

    /// # Safety
    /// The caller holds the claim, and byte `at` is wholly behind the used end.
    #[inline]
    pub unsafe fn set_bytes(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.capacity());
        // SAFETY: in bounds; `bytes` cannot overlap bytes that no slice covers.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start().add(at), bytes.len()) }
    }
}

impl Buffer {
    /// Only the last owner may call this, as the last thing it does.
    #[cold]
    fn free(&mut self) {
        // SAFETY: the last owner frees what `with_capacity` allocated.
        unsafe { dealloc(self.0.as_ptr().cast(), layout(self.capacity())) }
    }
}

impl Clone for Buffer {
    #[inline]
    fn clone(&self) -> Buffer {
        let count = &self.head().count;
        count.set(count.get().checked_add(1).expect("a buffer shared less than 2^32 times"));
        Buffer(self.0)
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        let left = self.head().count.get() - 1;
        self.head().count.set(left);
        if left == 0 {
            self.free();
        }
    }
}
