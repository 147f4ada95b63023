//! Equality and order of bit strings: bit by bit, a prefix before what it begins.

use std::cmp::Ordering;

use super::Bits;

impl Bits {
    /// Whether both have the same bits.
    pub fn equal(&self, other: &Bits) -> bool {
        self.len == other.len && self.compare(other) == Ordering::Equal
    }

    /// Erlang's order of bit strings.
    pub fn compare(&self, other: &Bits) -> Ordering {
        if let (Some(a), Some(b)) = (self.as_bytes(), other.as_bytes()) {
            return a.cmp(b);
        }
        if self.buffer.same(&other.buffer) && self.start == other.start && self.len == other.len {
            return Ordering::Equal;
        }
        let common = self.len.min(other.len);
        for i in 0..common / 8 {
            match self.padded_byte(i).cmp(&other.padded_byte(i)) {
                Ordering::Equal => {}
                o => return o,
            }
        }
        let (at, rest) = (common / 8 * 8, common % 8);
        self.get_u64(at, rest).cmp(&other.get_u64(at, rest)).then(self.len.cmp(&other.len))
    }
}
