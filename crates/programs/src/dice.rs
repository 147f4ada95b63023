//! Numbers that look random and are the same in every run.

/// A sequence of numbers that begins with a seed.
pub struct Dice(pub u64);

impl Dice {
    /// The next number, below `n`; 0 if nothing is below it.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}
