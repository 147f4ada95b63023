//! In which order a node has the pairs of its maps: that depends on its release, on the numbers of its atoms and,
//! where pids and ports are keys, on the size of its tables. A replay takes it over; without one it is OTP 25's.

use std::cell::Cell;

/// The order of maps of one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapOrder {
    release: u32,
    /// Bits of a place in the tables of processes and ports.
    process_bits: u32,
    port_bits: u32,
}

// Terms stay in their thread, and so does the order of maps: each session has its own.
thread_local! {
    static CURRENT: Cell<MapOrder> = const { Cell::new(MapOrder::UNKNOWN) };
}

/// Tables have at least this many places.
const LEAST_BITS: u32 = 10;

impl MapOrder {
    const UNKNOWN: MapOrder = MapOrder { release: 25, process_bits: 18, port_bits: 16 };

    /// Of a node of this release, with so many places for processes and ports if these are known.
    pub fn new(release: u32, processes: Option<u64>, ports: Option<u64>) -> MapOrder {
        let bits = |size: Option<u64>, default: u32| {
            let known = size.map(|size| size.next_power_of_two().trailing_zeros());
            known.unwrap_or(default).clamp(LEAST_BITS, 27)
        };
        let processes_of_release = if release < 27 { 18 } else { 20 };
        MapOrder {
            release,
            process_bits: bits(processes, processes_of_release),
            port_bits: bits(ports, 16),
        }
    }

    /// That of the node whose maps this thread has.
    #[inline]
    pub(crate) fn current() -> MapOrder {
        CURRENT.get()
    }

    pub(crate) fn set_current(self) {
        CURRENT.set(self);
    }

    /// Whether maps with up to 32 keys are iterated by the numbers of atoms.
    #[inline]
    pub(crate) fn has_small_by_number(&self) -> bool {
        self.release >= 26
    }

    /// Whether the numbers of atoms place them in large maps. Of OTP 26 the hash is not known.
    pub(crate) fn has_large_by_number(&self) -> bool {
        self.release != 26
    }

    /// Whether keys are placed by a hash of 64 bits (`murmur.rs`).
    #[inline]
    pub(crate) fn has_long_hashes(&self) -> bool {
        self.release >= 27
    }

    /// Native records are terms of their own, which shifts the numbers of kinds in hashes.
    pub(crate) fn has_native_records(&self) -> bool {
        self.release >= 29
    }

    /// Whether `maps:to_list/1` lists a large map as it is iterated, and not in reverse.
    #[inline]
    pub(crate) fn lists_as_iterated(&self) -> bool {
        self.release >= 29
    }

    pub(crate) fn process_bits(&self) -> u32 {
        self.process_bits
    }

    pub(crate) fn port_bits(&self) -> u32 {
        self.port_bits
    }
}
