//! Bob Jenkins' 96-bit mix, as OTP uses it: two words at a time into a running hash.

use crate::bits::Bits;
use crate::term::Term;

const GOLDEN: u32 = 0x9e37_79b9;

/// The constant of each kind of term is a multiple of the golden ratio.
pub(crate) const fn golden(n: u32) -> u32 {
    GOLDEN.wrapping_mul(n)
}

#[inline]
fn mix(a: u32, b: u32, c: u32) -> (u32, u32, u32) {
    let (mut a, mut b, mut c) = (a, b, c);
    for (x, y, z) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> x;
        b = b.wrapping_sub(c).wrapping_sub(a) ^ a << y;
        c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> z;
    }
    (a, b, c)
}

/// The hash of everything so far.
pub(crate) struct Jenkins(pub u32);

impl Jenkins {
    #[inline]
    pub fn pair(&mut self, x: u32, y: u32, k: u32) {
        let k = golden(k);
        self.0 = mix(k.wrapping_add(x), k.wrapping_add(y), self.0).2;
    }

    #[inline]
    pub fn word(&mut self, x: u32, k: u32) {
        self.pair(x, 0, k);
    }

    /// The low half, then the high half.
    #[inline]
    pub fn long(&mut self, x: u64, k: u32) {
        self.pair(x as u32, (x >> 32) as u32, k);
    }

    /// 64 bits of a number that is too wide for other forms.
    pub fn digit(&mut self, d: u64, negative: bool) {
        self.long(d, if negative { 10 } else { 11 });
    }

    pub fn bits(&mut self, b: &Bits) {
        let initial = golden(13).wrapping_add(self.0);
        if b.bit_len() == 0 {
            self.0 = initial;
            return;
        }
        let whole = b.bit_len() / 8;
        self.0 = match b.as_bytes() {
            Some(bytes) => block(bytes, initial),
            None => block(&b.to_vec()[..whole], initial),
        };
        let (tail, n) = b.tail_bits();
        if n > 0 {
            self.pair(n as u32, tail as u32, 15);
        }
    }
}

/// The hash of bytes, twelve at a time.
fn block(bytes: &[u8], initial: u32) -> u32 {
    let (mut a, mut b, mut c) = (GOLDEN, GOLDEN, initial);
    let word = |w: &[u8]| w.iter().rev().fold(0u32, |n, &x| n << 8 | x as u32);
    let mut chunks = bytes.chunks_exact(12);
    for w in chunks.by_ref() {
        a = a.wrapping_add(word(&w[..4]));
        b = b.wrapping_add(word(&w[4..8]));
        c = c.wrapping_add(word(&w[8..]));
        (a, b, c) = mix(a, b, c);
    }
    let mut rest = [0; 11];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    a = a.wrapping_add(word(&rest[..4]));
    b = b.wrapping_add(word(&rest[4..8]));
    // The low byte of the last word is the length's.
    c = c.wrapping_add(word(&rest[8..]) << 8).wrapping_add(bytes.len() as u32);
    mix(a, b, c).2
}

pub(crate) fn as_byte(t: &Term) -> Option<u32> {
    t.as_small().and_then(|i| u8::try_from(i).ok()).map(u32::from)
}

/// The bytes at the front of a list, four to a word; what is left behind them. Each full word is given to `full`, the
/// last one with its number of bytes to `part`.
pub(crate) fn byte_run<'a>(
    list: &'a Term,
    h: &mut Jenkins,
    part: impl Fn(&mut Jenkins, u32, u32),
) -> &'a Term {
    let (mut word, mut count, mut rest) = (0u32, 0, list);
    while let Some((b, tail)) = rest.as_cons().and_then(|(e, tail)| Some((as_byte(e)?, tail))) {
        word = (word << 8).wrapping_add(b);
        count += 1;
        if count == 4 {
            h.word(word, 4);
            (word, count) = (0, 0);
        }
        rest = tail;
    }
    if count > 0 {
        part(h, word, count);
    }
    rest
}
