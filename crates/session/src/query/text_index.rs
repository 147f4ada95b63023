//! Which events cannot have a text in their line: for each event a set of the three-letter parts of
//! its line, kept as bits. It is made while nothing else is asked and while somebody searches, and
//! a search looks only at the lines that may fit.

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
        for three in text.as_bytes().windows(3) {
            let bit = bit_of([three[0], three[1], three[2]]);
            parts.0[bit / 64] |= 1 << (bit % 64);
        }
        parts
    }

    /// Whether a line with these parts may have a text with those in it.
    fn may_have(self, wanted: Parts) -> bool {
        self.0.iter().zip(wanted.0).all(|(own, wanted)| own & wanted == wanted)
    }
}

/// Which bit three letters have: a multiplication spreads them, since a million lines have many.
fn bit_of([a, b, c]: [u8; 3]) -> usize {
    let letters = u32::from_be_bytes([0, a, b, c]);
    (letters.wrapping_mul(0x9E37_79B1) >> 24) as usize % (64 * WORDS)
}

/// The place of three letters in a map of all there can be.
fn place_of(three: &[u8]) -> (usize, u64) {
    let letters = u32::from_be_bytes([0, three[0], three[1], three[2]]);
    ((letters >> 6) as usize, 1 << (letters & 63))
}

/// The parts of the lines of the first events of an execution of some length.
#[derive(Default)]
pub struct TextIndex {
    branch: String,
    length: usize,
    lines: Vec<Parts>,
    /// A bit for each three letters that some line has.
    anywhere: Vec<u64>,
}

impl TextIndex {
    /// The index of this execution: what was known of another one is forgotten.
    pub fn keep_to(&mut self, branch: &str, length: usize) {
        if (self.branch.as_str(), self.length) != (branch, length) {
            *self = TextIndex { branch: branch.into(), length, ..TextIndex::default() };
        }
    }

    /// The first event whose line is not known, if the index is to have it.
    pub fn next_unknown(&self) -> Option<usize> {
        (self.lines.len() < self.length.min(MOST)).then_some(self.lines.len())
    }

    /// Whether the line of an event may have a text with these parts in it.
    pub fn may_have(&self, event: usize, wanted: Parts) -> bool {
        self.lines.get(event).is_none_or(|line| line.may_have(wanted))
    }

    /// Whether no line at all has a text: all are known, and three letters of it are nowhere.
    pub fn is_nowhere(&self, text: &str) -> bool {
        let is_somewhere = |three: &[u8]| {
            let (word, bit) = place_of(three);
            self.anywhere.get(word).is_some_and(|letters| letters & bit != 0)
        };
        self.lines.len() >= self.length && !text.as_bytes().windows(3).all(is_somewhere)
    }

    /// Learns the line of an event, if it is the next one that is not known.
    pub fn learn(&mut self, event: usize, line: &str) {
        if self.lines.len() == event && event < MOST {
            self.lines.push(Parts::of(line));
            self.anywhere.resize(1 << 18, 0);
            for three in line.as_bytes().windows(3) {
                let (word, bit) = place_of(three);
                self.anywhere[word] |= bit;
            }
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
