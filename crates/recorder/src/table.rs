//! What the tracer knows of each process and function: tables that are read without locks.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};

/// The process is being recorded.
pub const ACTIVE: u32 = 1 << 31;
/// It was recorded once: its messages can be computed.
pub const KNOWN: u32 = 1 << 30;
/// It is not recorded, but what recorded processes send it is.
pub const LISTENS: u32 = 1 << 29;
/// It is loading a module that it has called.
pub const LOADING: u32 = 1 << 28;
/// The module was found; whether it has the function is asked next.
pub const FOUND: u32 = 1 << 27;
/// What is loaded is the module of a fun: nothing is asked about that.
pub const LOADING_FUN: u32 = 1 << 24;
/// The call that began its recording is over: what it does now is not recorded.
pub const PAUSES: u32 = 1 << 26;
/// It makes the calls of the command line.
pub const STARTS: u32 = 1 << 25;
/// It only waits, so that what it looks like then can be learnt.
pub const MEASURED: u32 = 1 << 23;
/// The lower bits count the nested calls that are recorded as one.
pub const DEPTH: u32 = (1 << 20) - 1;

/// One place of the table.
pub struct Slot {
    /// The key, or 0 if the slot is free.
    key: AtomicU64,
    number: AtomicU32,
    /// Only the process itself changes it.
    pub state: AtomicU32,
    /// How many calls that begin a recording are running.
    pub roots: AtomicU32,
    /// How many messages have come since the node let it run last, or since it timed out.
    pub came: AtomicU32,
}

/// A table that threads read and write without waiting for each other.
pub struct Table {
    slots: &'static [Slot],
    count: AtomicU32,
}

impl Table {
    /// A table with room for `2^bits` keys, of which only what is used takes memory.
    pub fn new(bits: u32) -> Option<Table> {
        let size = 1 << bits;
        let layout = std::alloc::Layout::array::<Slot>(size).ok()?;
        // SAFETY: the layout is not empty, and a slot of zeros is a free slot.
        let slots = unsafe {
            let start = std::alloc::alloc_zeroed(layout).cast::<Slot>();
            if start.is_null() {
                return None;
            }
            std::slice::from_raw_parts(start, size)
        };
        Some(Table { slots, count: AtomicU32::new(0) })
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let last = self.slots.len() - 1;
        let first = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        // The search is bounded: a full table takes no new keys.
        (0..256).map(move |i| (first + i) & last)
    }

    pub fn find(&self, key: u64) -> Option<&Slot> {
        for place in self.places(key) {
            let slot = &self.slots[place];
            match slot.key.load(Acquire) {
                0 => return None,
                found if found == key => return Some(slot),
                _ => {}
            }
        }
        None
    }

    /// The slot of a key; `define` is called with its number if it is new.
    pub fn find_or_add(&self, key: u64, define: impl FnOnce(&Slot, u32)) -> Option<&Slot> {
        for place in self.places(key) {
            let slot = &self.slots[place];
            match slot.key.compare_exchange(0, key, AcqRel, Acquire) {
                Ok(_) => {
                    let number = self.next_number();
                    define(slot, number);
                    slot.number.store(number, Release);
                    return Some(slot);
                }
                Err(found) if found == key => return Some(slot),
                Err(_) => {}
            }
        }
        None
    }

    pub fn next_number(&self) -> u32 {
        self.count.fetch_add(1, Relaxed) + 1
    }
}

impl Slot {
    /// Whoever found the slot may have to wait until it has a number.
    pub fn number(&self) -> u32 {
        loop {
            match self.number.load(Acquire) {
                0 => std::hint::spin_loop(),
                number => return number,
            }
        }
    }

    pub fn renumber(&self, number: u32) {
        self.number.store(number, Release);
    }

    pub fn state(&self) -> u32 {
        self.state.load(Relaxed)
    }

    pub fn takes_part(&self) -> bool {
        self.state() & (KNOWN | LISTENS | STARTS) != 0
    }

    pub fn set(&self, bits: u32) {
        self.state.fetch_or(bits, Relaxed);
    }

    pub fn clear(&self, bits: u32) {
        self.state.fetch_and(!bits, Relaxed);
    }
}
