//! Numbers that look random and come from a seed (xorshift64*).

pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Dice {
        // Spread the seed: small ones must not give related numbers.
        Dice { state: seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub fn draw(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }
}
