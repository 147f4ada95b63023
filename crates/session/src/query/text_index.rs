//! Which events cannot have a text in their line: for each event a set of the three-letter parts of
//! its line, kept as bits. It is made while somebody searches, and the next search looks only at
//! the lines that may fit.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// More events than these are searched without an index.
const MOST: usize = 2_000_000;
const WORDS: usize = 4;

/// The parts of a line, as bits: what is in the line has its bits in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts([u64; WORDS]);

impl Parts {
    /// The three-letter parts of a text.
    pub fn of(text: &str) -> Parts {
        let mut parts = Parts::default();
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        for three in text.as_bytes().windows(3) {
            let bit = hasher.hash_one(three) as usize % (64 * WORDS);
            parts.0[bit / 64] |= 1 << (bit % 64);
        }
        parts
    }

    /// Whether a line with these parts may have a text with those in it.
    fn may_have(self, wanted: Parts) -> bool {
        self.0.iter().zip(wanted.0).all(|(own, wanted)| own & wanted == wanted)
    }
}

/// The parts of the lines of the first events of an execution of some length.
#[derive(Default)]
pub struct TextIndex {
    branch: String,
    length: usize,
    lines: Vec<Parts>,
}

impl TextIndex {
    /// The index of this execution: what was known of another one is forgotten.
    pub fn keep_to(&mut self, branch: &str, length: usize) {
        if (self.branch.as_str(), self.length) != (branch, length) {
            *self = TextIndex { branch: branch.into(), length, lines: vec![] };
        }
    }

    /// Whether the line of an event may have a text with these parts in it.
    pub fn may_have(&self, event: usize, wanted: Parts) -> bool {
        self.lines.get(event).is_none_or(|line| line.may_have(wanted))
    }

    /// Learns the line of an event, if it is the next one that is not known.
    pub fn learn(&mut self, event: usize, line: &str) {
        if self.lines.len() == event && event < MOST {
            self.lines.push(Parts::of(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_line_is_never_ruled_out() {
        let line = "<0.84.0> (waiter)@12 receives {hungry,2,<0.89.0>} #89.1";
        for from in 0..line.len() {
            for to in from..line.len() {
                assert!(Parts::of(line).may_have(Parts::of(&line[from..to])));
            }
        }
        assert!(!Parts::of(line).may_have(Parts::of("nobody is here")));
    }
}
