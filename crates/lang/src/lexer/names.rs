//! Names seen lately: most words of a file are words it has used before, and the table of all
//! atoms is shared between threads behind a lock.

use reverl_term::Atom;

/// A power of two.
const SLOTS: usize = 1024;

#[derive(Default)]
pub(super) struct NameCache {
    /// Empty until the first name: texts without any are not worth the memory.
    slots: Vec<Option<Atom>>,
}

impl NameCache {
    pub fn atom(&mut self, name: &str) -> Atom {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        let slot = &mut self.slots[slot_of(name.as_bytes())];
        match *slot {
            Some(atom) if atom.name() == name => atom,
            _ => *slot.insert(Atom::new(name)),
        }
    }
}

/// A hash that is fast on short names; a collision costs a lookup, no more.
fn slot_of(name: &[u8]) -> usize {
    let mut hash = name.len() as u64;
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([
            chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7],
        ]);
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    for byte in chunks.remainder() {
        hash = (hash.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 50) as usize & (SLOTS - 1)
}
