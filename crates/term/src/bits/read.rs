//! Reading integers, floats and characters out of bit strings.

use num_bigint::{BigInt, BigUint, Sign};

use super::Bits;
use crate::term::Term;

impl Bits {
    /// Up to 64 bits as an unsigned number, most significant first.
    #[inline]
    pub fn get_u64(&self, bit_off: usize, nbits: usize) -> u64 {
        assert!(nbits <= 64 && bit_off + nbits <= self.len, "bits within the value");
        let mut at = self.start + bit_off;
        let (mut left, mut v) = (nbits, 0u64);
        while left > 0 {
            let take = left.min(8 - at % 8);
            let b = self.buffer.byte(at / 8) << (at % 8) >> (8 - take);
            v = v << (take - 1) << 1 | b as u64;
            at += take;
            left -= take;
        }
        v
    }

    /// `X:nbits` from bit `bit_off` on, which must lie within the value.
    #[inline]
    pub fn get_int(&self, bit_off: usize, nbits: usize, signed: bool, little: bool) -> Term {
        if nbits > 0 && nbits <= 62 && (!little || nbits <= 8) {
            let v = self.get_u64(bit_off, nbits) as i64;
            let unused = 64 - nbits;
            return Term::small(if signed { v << unused >> unused } else { v });
        }
        self.get_big(bit_off, nbits, signed, little)
    }

    fn get_big(&self, bit_off: usize, nbits: usize, signed: bool, little: bool) -> Term {
        if nbits == 0 {
            return Term::small(0);
        }
        // Least significant byte first. Of a little-endian number the bits that fill no byte come last.
        let (whole, rest) = (nbits / 8, nbits % 8);
        let mut bytes = Vec::with_capacity(whole + 1);
        if little {
            bytes.extend((0..whole).map(|i| self.get_u64(bit_off + i * 8, 8) as u8));
            if rest > 0 {
                bytes.push(self.get_u64(bit_off + whole * 8, rest) as u8);
            }
        } else {
            let end = bit_off + nbits;
            bytes.extend((1..=whole).map(|i| self.get_u64(end - i * 8, 8) as u8));
            if rest > 0 {
                bytes.push(self.get_u64(bit_off, rest) as u8);
            }
        }
        let top_bit = if rest == 0 { 7 } else { rest - 1 };
        let negative = signed && bytes[bytes.len() - 1] >> top_bit & 1 == 1;
        let v = BigInt::from_biguint(Sign::Plus, BigUint::from_bytes_le(&bytes));
        Term::big(if negative { v - (BigInt::from(1) << nbits) } else { v })
    }

    /// A finite float of 16, 32 or 64 bits, or zero of no bits; `None` for what is not a number.
    pub fn get_float(&self, bit_off: usize, nbits: usize, little: bool) -> Option<f64> {
        if bit_off + nbits > self.len || !matches!(nbits, 0 | 16 | 32 | 64) {
            return None;
        }
        if nbits == 0 {
            return Some(0.0);
        }
        let v = self.get_u64(bit_off, nbits);
        let v = if little { v.swap_bytes() >> (64 - nbits) } else { v };
        let f = match nbits {
            64 => f64::from_bits(v),
            32 => f32::from_bits(v as u32) as f64,
            _ => half_to_f64(v as u16),
        };
        f.is_finite().then_some(f)
    }

    /// A character and the bits it took.
    pub fn get_utf8(&self, bit_off: usize) -> Option<(char, usize)> {
        let left = (self.len - bit_off) / 8;
        let mut bytes = [0u8; 4];
        let n = left.min(4);
        for (i, b) in bytes[..n].iter_mut().enumerate() {
            *b = self.get_u64(bit_off + i * 8, 8) as u8;
        }
        let size = match *bytes[..n].first()? {
            0..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return None,
        };
        let c = std::str::from_utf8(bytes[..n].get(..size)?).ok()?.chars().next()?;
        Some((c, size * 8))
    }

    /// As `get_utf8`, for UTF-16.
    pub fn get_utf16(&self, bit_off: usize, little: bool) -> Option<(char, usize)> {
        let unit = |at: usize| {
            if at + 16 > self.len {
                return None;
            }
            let u = self.get_u64(at, 16) as u16;
            Some(if little { u.swap_bytes() } else { u })
        };
        let first = unit(bit_off)?;
        if let Some(c) = char::from_u32(first as u32) {
            return Some((c, 16));
        }
        let pair = [first, unit(bit_off + 16)?];
        let c = char::decode_utf16(pair).next()?.ok()?;
        Some((c, 32))
    }

    /// As `get_utf8`, for UTF-32.
    pub fn get_utf32(&self, bit_off: usize, little: bool) -> Option<(char, usize)> {
        if bit_off + 32 > self.len {
            return None;
        }
        let v = self.get_u64(bit_off, 32) as u32;
        Some((char::from_u32(if little { v.swap_bytes() } else { v })?, 32))
    }
}

fn half_to_f64(h: u16) -> f64 {
    let sign = if h >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = ((h >> 10 & 31) as i32, (h & 1023) as f64);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 => f64::INFINITY,
        e => (1.0 + fraction / 1024.0) * 2f64.powi(e - 15),
    }
}

/// The half-precision number nearest to `f`, ties to even, infinity beyond the last one.
pub(super) fn f64_to_half(f: f64) -> u16 {
    let sign = if f.is_sign_negative() { 1u16 << 15 } else { 0 };
    let a = f.abs();
    if a < 2f64.powi(-14) {
        // Subnormal: a multiple of 2^-24. Rounding up to 1024 of them is the least normal number's encoding.
        return sign | (a * 2f64.powi(24)).round_ties_even() as u16;
    }
    if a >= 65536.0 {
        return sign | 31 << 10;
    }
    let e = a.log2().floor() as i32;
    let e = if 2f64.powi(e) > a { e - 1 } else { e };
    let fraction = ((a / 2f64.powi(e) - 1.0) * 1024.0).round_ties_even() as i32;
    // A fraction that rounds up to 1024 carries into the exponent by plain addition.
    let h = ((e + 15) << 10) + fraction;
    sign | h.min(31 << 10) as u16
}
