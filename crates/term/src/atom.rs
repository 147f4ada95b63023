//! Atoms: names interned once for the whole program, compared as numbers.
//!
//! The table only grows. An index is not an order: Erlang orders atoms by name, so `Atom` has no `Ord`, and nothing that
//! must be the same in every run (hashes, map order) may look at the index, because threads race to mint it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock, RwLock};

use crate::atoms;
use crate::map_order::MapOrder;

/// An interned name.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Atom(pub u32);

/// A name with the hash of its bytes, computed once because map lookups ask for it all the time.
struct Entry {
    name: &'static str,
    hash: u32,
}

/// What places atoms in large maps. It is decided once: maps that were made in one way cannot be read in the
/// other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placing {
    Undecided,
    ByName,
    ByNumber,
}

// Terms stay in their thread, and so does the order of maps: each session has its own.
thread_local! {
    static PLACING: Cell<Placing> = const { Cell::new(Placing::Undecided) };
    /// For each atom one more than the number that a recorded node gave it, or 0.
    static NUMBERS: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

type Chunk = Box<[OnceLock<Entry>]>;

/// Chunk `k` holds the `FIRST << k` names after those of the chunks before it, so an entry never moves and reading one
/// takes no lock.
static CHUNKS: [OnceLock<Chunk>; 22] = [const { OnceLock::new() }; 22];
const FIRST: usize = 1024;

static INDEX: LazyLock<RwLock<HashMap<&'static str, u32>>> = LazyLock::new(|| {
    let names = atoms::NAMES;
    for (i, name) in names.iter().enumerate() {
        publish(i as u32, name);
    }
    RwLock::new(names.iter().enumerate().map(|(i, n)| (*n, i as u32)).collect())
});

fn slot_of(index: u32) -> (usize, usize) {
    let i = index as usize + FIRST;
    let chunk = (i / FIRST).ilog2() as usize;
    (chunk, i - (FIRST << chunk))
}

fn publish(index: u32, name: &'static str) {
    let (chunk, slot) = slot_of(index);
    let chunk = CHUNKS[chunk]
        .get_or_init(|| (0..FIRST << chunk).map(|_| OnceLock::new()).collect::<Vec<_>>().into());
    let _ = chunk[slot].set(Entry { name, hash: hash_name(name) });
}

/// The hash OTP keeps with each atom (P. J. Weinberger's, over the Latin-1 bytes where a name has them, see `phash2`).
fn hash_name(name: &str) -> u32 {
    let mut h: u32 = 0;
    for c in latin1_folded(name) {
        h = (h << 4).wrapping_add(c as u32);
        let g = h & 0xf000_0000;
        if g != 0 {
            h ^= g >> 24;
            h ^= g;
        }
    }
    h
}

/// The bytes OTP hashes: UTF-8, with each two-byte form of a Latin-1 character folded back to that one byte.
fn latin1_folded(name: &str) -> impl Iterator<Item = u8> + '_ {
    let bytes = name.as_bytes();
    let mut i = 0;
    std::iter::from_fn(move || {
        let mut b = *bytes.get(i)?;
        i += 1;
        if b & 0xfe == 0xc2 && i < bytes.len() && bytes[i] & 0xc0 == 0x80 {
            b = (b << 6) | (bytes[i] & 0x3f);
            i += 1;
        }
        Some(b)
    })
}

impl Atom {
    /// The atom of this name, minted if it is new.
    pub fn new(name: &str) -> Atom {
        if let Some(&i) = INDEX.read().expect("atom table").get(name) {
            return Atom(i);
        }
        let mut index = INDEX.write().expect("atom table");
        if let Some(&i) = index.get(name) {
            return Atom(i);
        }
        let i = index.len() as u32;
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        publish(i, name);
        index.insert(name, i);
        Atom(i)
    }

    /// The atom of this name if it was ever minted (`binary_to_existing_atom`).
    pub fn existing(name: &str) -> Option<Atom> {
        INDEX.read().expect("atom table").get(name).map(|&i| Atom(i))
    }

    fn entry(self) -> &'static Entry {
        let (chunk, slot) = slot_of(self.0);
        match CHUNKS[chunk].get().and_then(|c| c[slot].get()) {
            Some(e) => e,
            None => {
                // Only a predefined atom can be seen before the table is first touched.
                LazyLock::force(&INDEX);
                CHUNKS[chunk].get().and_then(|c| c[slot].get()).expect("an atom is in its table")
            }
        }
    }

    /// The text of the atom, without quotes.
    pub fn name(self) -> &'static str {
        match atoms::NAMES.get(self.0 as usize) {
            Some(name) => name,
            None => self.entry().name,
        }
    }

    /// A hash of the name, the same in every run.
    pub fn name_hash(self) -> u32 {
        self.entry().hash
    }

    /// Gives atoms the numbers that a node gave them, in this order: maps are then iterated as there. False if it is too
    /// late, because atoms have been placed in maps in another way.
    pub fn number<'n>(names: impl Iterator<Item = &'n str>, order: MapOrder) -> bool {
        if PLACING.get() != Placing::Undecided {
            return false;
        }
        NUMBERS.with_borrow_mut(|numbers| {
            for (name, number) in names.zip(1..) {
                let atom = Atom::new(name).0 as usize;
                numbers.resize(numbers.len().max(atom + 1), 0);
                numbers[atom] = number;
            }
        });
        order.set_current();
        let is_by_number = order.has_large_by_number();
        PLACING.set(if is_by_number { Placing::ByNumber } else { Placing::ByName });
        true
    }

    fn number_in_node(self) -> u32 {
        NUMBERS.with_borrow(|numbers| numbers.get(self.0 as usize).copied().unwrap_or(0))
    }

    /// Where the atom stands in a small map, if the node that is replayed orders these by number: those that have none
    /// were made last.
    pub(crate) fn rank(self) -> u32 {
        self.number_in_node().wrapping_sub(1)
    }

    /// What places the atom in a large map: its number in the recorded node, if there is one, or a hash of its name.
    pub(crate) fn place(self) -> u32 {
        let number = match PLACING.get() {
            Placing::ByNumber => self.number_in_node(),
            Placing::ByName => 0,
            Placing::Undecided => {
                PLACING.set(Placing::ByName);
                0
            }
        };
        if number > 0 { number - 1 } else { self.name_hash() }
    }

    /// How many atoms there are.
    pub fn count() -> usize {
        INDEX.read().expect("atom table").len()
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.name())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<&str> for Atom {
    fn from(name: &str) -> Atom {
        Atom::new(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_minted_once() {
        let a = Atom::new("some_name");
        assert_eq!(a, Atom::new("some_name"));
        assert_ne!(a, Atom::new("some_other_name"));
        assert_eq!(a.name(), "some_name");
        assert!(Atom::count() > atoms::NAMES.len());
    }

    #[test]
    fn predefined_names_are_distinct_and_findable() {
        for (i, name) in atoms::NAMES.iter().enumerate() {
            assert_eq!(Atom::new(name), Atom(i as u32), "{name}");
        }
        assert_eq!(atoms::EXIT_UPPER.name(), "EXIT");
    }

    #[test]
    fn names_stay_readable_while_other_threads_mint() {
        let threads: Vec<_> = (0..4)
            .map(|t| {
                std::thread::spawn(move || {
                    for i in 0..3000 {
                        let name = format!("shared_{}", i + t % 2);
                        assert_eq!(Atom::new(&name).name(), name);
                    }
                })
            })
            .collect();
        for t in threads {
            t.join().unwrap();
        }
    }
}
