//! Building bit strings, from nothing or behind an existing value.

use num_bigint::{BigInt, Sign};

use super::{Bits, Buffer};
use crate::term::Term;

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endian {
    /// The most significant byte comes first.
    Big,
    /// The least significant byte comes first.
    Little,
}

/// Writes bits one piece after another. Holds the claim of its buffer until it is finished or dropped.
pub struct BitsBuilder {
    buffer: Buffer,
    /// The term of the prefix, if the builder is its last owner: it becomes the result.
    reuse: Option<Term>,
    /// Where the value starts and ends, in bits of the buffer.
    start: usize,
    end: usize,
    /// What the buffer's used end is when this builder gives up: everything before its own bits.
    base: usize,
}

impl Default for BitsBuilder {
    fn default() -> BitsBuilder {
        BitsBuilder::new()
    }
}

impl BitsBuilder {
    /// A builder of an empty bit string.
    pub fn new() -> BitsBuilder {
        BitsBuilder::with_capacity(16)
    }

    /// A builder with room for this many bytes.
    pub fn with_capacity(bytes: usize) -> BitsBuilder {
        let buffer = Buffer::with_capacity(bytes);
        BitsBuilder { buffer, reuse: None, start: 0, end: 0, base: 0 }
    }

    /// `appending`, with a term the caller no longer needs: if nobody else does, no new object is made either.
    #[inline(always)]
    pub fn appending_to(prefix: Term) -> Option<BitsBuilder> {
        let mut b = BitsBuilder::appending(&prefix)?;
        if prefix.share_count() == 1 {
            b.reuse = Some(prefix);
        }
        Some(b)
    }

    /// A builder whose value begins as `prefix`; in place if `prefix` ends where its buffer does.
    #[inline(always)]
    pub fn appending(prefix: &Term) -> Option<BitsBuilder> {
        let p = prefix.as_bits()?;
        let end = p.start + p.len;
        if p.buffer.claim(end) {
            let buffer = p.buffer.clone();
            return Some(BitsBuilder { buffer, reuse: None, start: p.start, end, base: end });
        }
        Some(BitsBuilder::copying(p))
    }

    #[cold]
    fn copying(prefix: &Bits) -> BitsBuilder {
        let mut b = BitsBuilder::with_capacity((prefix.byte_len() * 2).max(64));
        b.push_bits_of(prefix);
        b
    }

    /// How many bits have been written.
    #[inline]
    pub fn bit_len(&self) -> usize {
        self.end - self.start
    }

    /// Makes room for `bits` more.
    #[inline(always)]
    fn reserve(&mut self, bits: usize) {
        if bits > self.buffer.capacity() * 8 - self.end {
            self.grow(bits);
        }
    }

    #[cold]
    fn grow(&mut self, bits: usize) {
        let need = (self.end - self.start).checked_add(bits).expect("bit string size");
        let written = Bits { buffer: self.buffer.clone(), start: self.start, len: self.bit_len() };
        let mut bigger = BitsBuilder::with_capacity((need.div_ceil(8) * 2).max(64));
        bigger.push_bits_of(&written);
        bigger.reuse = self.reuse.take();
        *self = bigger;
    }

    /// Appends whole bytes.
    #[inline]
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        if self.end % 8 == 0 {
            self.reserve(bytes.len() * 8);
            // SAFETY: this builder holds the claim, and the end is a byte boundary.
            unsafe { self.buffer.set_bytes(self.end / 8, bytes) }
            self.end += bytes.len() * 8;
        } else {
            for &b in bytes {
                self.push_bits(b as u64, 8);
            }
        }
    }

    /// The low `n` bits of `value`, most significant first; `n` is at most 64.
    #[inline(always)]
    pub fn push_bits(&mut self, value: u64, n: usize) {
        debug_assert!(n <= 64);
        self.reserve(n);
        if n == 8 && self.end % 8 == 0 {
            // SAFETY: this builder holds the claim, and the end is a byte boundary.
            unsafe { self.buffer.set_byte(self.end / 8, value as u8) }
            self.end += 8;
            return;
        }
        self.push_bits_slowly(value, n);
    }

    fn push_bits_slowly(&mut self, value: u64, n: usize) {
        let mut left = n;
        while left > 0 {
            let (at, used) = (self.end / 8, self.end % 8);
            let take = left.min(8 - used);
            let bits = (value >> (left - take)) as u8 & (0xff >> (8 - take));
            let kept = if used == 0 { 0 } else { self.buffer.byte(at) & !(0xff >> used) };
            // SAFETY: this builder holds the claim, and bit `end` lies in this byte.
            unsafe { self.buffer.set_byte(at, kept | bits << (8 - used - take)) }
            self.end += take;
            left -= take;
        }
    }

    /// The low `size` bits of an integer in two's complement.
    pub fn push_bigint(&mut self, value: &BigInt, size: usize, endian: Endian) {
        let mut bytes = value.to_signed_bytes_le();
        let fill = if value.sign() == Sign::Minus { 0xff } else { 0 };
        bytes.resize(size.div_ceil(8), fill);
        self.push_le(&bytes, size, endian);
    }

    /// An integer term, as `X:size` in a bit string; false if it is not an integer.
    #[inline]
    pub fn push_int(&mut self, value: &Term, size: usize, endian: Endian) -> bool {
        if let Some(i) = value.as_small() {
            if size <= 64 && (endian == Endian::Big || size <= 8) {
                self.push_bits(i as u64, size);
            } else {
                let fill = if i < 0 { 0xff } else { 0 };
                let mut bytes = i.to_le_bytes().to_vec();
                bytes.resize(size.div_ceil(8), fill);
                self.push_le(&bytes, size, endian);
            }
            return true;
        }
        match value.as_big() {
            Some(b) => self.push_bigint(b, size, endian),
            None => return false,
        }
        true
    }

    /// Bytes of an integer, least significant first, cut to `size` bits.
    fn push_le(&mut self, bytes: &[u8], size: usize, endian: Endian) {
        self.reserve(size);
        let (whole, rest) = (size / 8, size % 8);
        match endian {
            Endian::Big => {
                if rest > 0 {
                    self.push_bits(bytes[whole] as u64, rest);
                }
                for &b in bytes[..whole].iter().rev() {
                    self.push_bits(b as u64, 8);
                }
            }
            Endian::Little => {
                self.push_bytes(&bytes[..whole]);
                if rest > 0 {
                    self.push_bits(bytes[whole] as u64, rest);
                }
            }
        }
    }

    /// Appends a copy of all bits of another bit string.
    pub fn push_bits_of(&mut self, bits: &Bits) {
        if let Some(b) = bits.as_bytes() {
            // A value may be appended to itself; its buffer's used bytes do not move or change meanwhile.
            return self.push_bytes(b);
        }
        self.reserve(bits.bit_len());
        for i in 0..bits.bit_len() / 8 {
            self.push_bits(bits.padded_byte(i) as u64, 8);
        }
        let (tail, n) = bits.tail_bits();
        self.push_bits(tail as u64, n);
    }

    /// A float in 16, 32 or 64 bits, infinite if the size is too small for it, as in OTP; false for any other size.
    #[must_use]
    pub fn push_float(&mut self, value: f64, size: usize, endian: Endian) -> bool {
        let mut bytes = match size {
            64 => value.to_be_bytes().to_vec(),
            32 => (value as f32).to_be_bytes().to_vec(),
            16 => super::read::f64_to_half(value).to_be_bytes().to_vec(),
            _ => return false,
        };
        if endian == Endian::Little {
            bytes.reverse();
        }
        self.push_bytes(&bytes);
        true
    }

    /// Appends a character in UTF-8.
    pub fn push_utf8(&mut self, c: char) {
        self.push_bytes(c.encode_utf8(&mut [0; 4]).as_bytes());
    }

    /// Appends a character in UTF-16.
    pub fn push_utf16(&mut self, c: char, endian: Endian) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let unit = if endian == Endian::Little { unit.swap_bytes() } else { *unit };
            self.push_bits(unit as u64, 16);
        }
    }

    /// Appends a character in UTF-32.
    pub fn push_utf32(&mut self, c: char, endian: Endian) {
        let c = c as u32;
        self.push_bits(if endian == Endian::Little { c.swap_bytes() } else { c } as u64, 32);
    }

    /// The finished bit string as a term.
    #[inline(always)]
    pub fn finish(mut self) -> Term {
        if let Some(mut t) = self.reuse.take() {
            let (start, len) = (self.start, self.bit_len());
            self.base = self.end;
            let bits = t.bits_mut().expect("the last owner of a bit string");
            // The fields one by one: copying the whole would wait for the stores that just made it.
            if !bits.buffer.same(&self.buffer) {
                bits.buffer = self.buffer.clone();
                bits.start = start;
            }
            bits.len = len;
            return t;
        }
        Term::bits(self.finish_bits())
    }

    /// The finished bit string as a value.
    #[inline(always)]
    pub fn finish_bits(mut self) -> Bits {
        self.base = self.end;
        Bits { buffer: self.buffer.clone(), start: self.start, len: self.bit_len() }
        // Dropping `self` ends its claim at `base`.
    }
}

/// A builder that is given up leaves the buffer as it found it.
impl Drop for BitsBuilder {
    #[inline(always)]
    fn drop(&mut self) {
        self.buffer.release(self.base);
    }
}
