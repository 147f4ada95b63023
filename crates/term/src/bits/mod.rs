//! Bit strings: a range of bits in a shared buffer. A slice shares the buffer of the whole; so does the result of
//! appending to a value that ends where its buffer does, which makes `<<Acc/binary, X>>` cost its new bits only.
#![allow(unsafe_code, reason = "bytes are shared and appended to in place")]

mod buffer;
mod build;
mod compare;
mod read;

pub use build::{BitsBuilder, Endian};

use buffer::Buffer;

use crate::term::Term;

/// A bit string; a binary when its length is a multiple of 8.
#[derive(Clone)]
pub struct Bits {
    buffer: Buffer,
    /// In bits. invariant: `start .. start + len` is below the buffer's used end.
    start: usize,
    len: usize,
}

impl Bits {
    /// The length in bits, as `bit_size/1` counts them.
    #[inline]
    pub fn bit_len(&self) -> usize {
        self.len
    }

    /// The bytes needed to hold the bits, as `byte_size/1` counts them.
    #[inline]
    pub fn byte_len(&self) -> usize {
        self.len.div_ceil(8)
    }

    /// Whether the length is a whole number of bytes.
    #[inline]
    pub fn is_binary(&self) -> bool {
        self.len % 8 == 0
    }

    /// The bytes themselves, when the value is a binary that starts at a byte of its buffer.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if self.len % 8 != 0 || self.start % 8 != 0 {
            return None;
        }
        // SAFETY: a value's bits were released by its builder, and these are whole bytes of them.
        Some(unsafe { self.buffer.bytes(self.start / 8, self.len / 8) })
    }

    /// The bytes, the last one filled up with zero bits.
    pub fn to_vec(&self) -> Vec<u8> {
        match self.as_bytes() {
            Some(b) => b.to_vec(),
            None => (0..self.byte_len()).map(|i| self.padded_byte(i)).collect(),
        }
    }

    /// Byte `i` of the value; bits past the end are zero.
    #[inline]
    pub fn padded_byte(&self, i: usize) -> u8 {
        let left = self.len - i * 8;
        let b = self.byte_at(self.start + i * 8);
        if left >= 8 { b } else { b & !(0xff >> left) }
    }

    /// Eight bits of the buffer from any bit on; what lies behind the capacity reads as zero.
    #[inline]
    fn byte_at(&self, bit: usize) -> u8 {
        let (at, shift) = (bit / 8, bit % 8);
        let hi = self.buffer.byte(at);
        if shift == 0 {
            return hi;
        }
        let lo = if at + 1 < self.buffer.capacity() { self.buffer.byte(at + 1) } else { 0 };
        hi << shift | lo >> (8 - shift)
    }

    /// The part of `bit_len` bits from `bit_off` on. It must lie within the value.
    #[inline]
    pub fn slice(&self, bit_off: usize, bit_len: usize) -> Term {
        Term::bits(self.part(bit_off, bit_len))
    }

    /// As `slice`, but as a value that is not a term yet.
    #[inline]
    pub fn part(&self, bit_off: usize, bit_len: usize) -> Bits {
        assert!(bit_off <= self.len && bit_len <= self.len - bit_off, "a part within the value");
        Bits { buffer: self.buffer.clone(), start: self.start + bit_off, len: bit_len }
    }

    /// The last bits, which do not fill a byte: their value and their number.
    pub fn tail_bits(&self) -> (u8, usize) {
        let n = self.len % 8;
        if n == 0 { (0, 0) } else { (self.padded_byte(self.len / 8) >> (8 - n), n) }
    }
}

impl Term {
    /// A binary with a copy of these bytes.
    pub fn binary(bytes: &[u8]) -> Term {
        let mut b = BitsBuilder::with_capacity(bytes.len());
        b.push_bytes(bytes);
        b.finish()
    }

    /// The bytes of a binary, copied only if they do not start at a byte.
    pub fn binary_bytes(&self) -> Option<std::borrow::Cow<'_, [u8]>> {
        let bits = self.as_bits().filter(|b| b.is_binary())?;
        Some(match bits.as_bytes() {
            Some(b) => b.into(),
            None => bits.to_vec().into(),
        })
    }
}
