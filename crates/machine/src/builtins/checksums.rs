//! Checksums and digests: `md5`, `crc32`, `adler32` of module `erlang`, and what `crypto` needs.

use super::iolists::bytes;
use super::{Builtin, Value, function};
use crate::raise::Raise;
use blake2::{Blake2b512, Blake2s256};
use hmac::{Hmac, Mac, SimpleHmac};
use md4::Md4;
use md5::Md5;
use reverl_term::Term;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

pub const TABLE: &[Builtin] = &[
    function("erlang", "md5", 1, |_, a| Ok(Term::binary(&Md5::digest(data(&a[0])?)))),
    function("erlang", "md5_init", 0, |_, _| Ok(Context::new().term())),
    function("erlang", "md5_update", 2, |_, a| {
        let mut context = Context::of(&a[0])?;
        context.update(&data(&a[1])?);
        Ok(context.term())
    }),
    function("erlang", "md5_final", 1, |_, a| Ok(Term::binary(&Context::of(&a[0])?.digest()))),
    function("erlang", "crc32", 1, |_, a| Ok(number(crc32fast::hash(&data(&a[0])?)))),
    function("erlang", "crc32", 2, |_, a| {
        let mut hasher = crc32fast::Hasher::new_with_initial(word(&a[0])?);
        hasher.update(&data(&a[1])?);
        Ok(number(hasher.finalize()))
    }),
    function("erlang", "crc32_combine", 3, |_, a| {
        let (first, second) = (word(&a[0])?, word(&a[1])?);
        let length = u64::from(word(&a[2])?);
        if length == 0 {
            return Ok(number(first ^ second));
        }
        let mut hasher = crc32fast::Hasher::new_with_initial(first);
        hasher.combine(&crc32fast::Hasher::new_with_initial_len(second, length));
        Ok(number(hasher.finalize()))
    }),
    function("erlang", "adler32", 1, |_, a| Ok(number(adler(1, &data(&a[0])?)))),
    function("erlang", "adler32", 2, |_, a| Ok(number(adler(word(&a[0])?, &data(&a[1])?)))),
    function("erlang", "adler32_combine", 3, |_, a| {
        Ok(number(adler_combine(word(&a[0])?, word(&a[1])?, word(&a[2])?)))
    }),
    function("reverl", "digest", 2, |_, a| digest(&a[0], &data(&a[1])?)),
    function("reverl", "hmac", 3, |_, a| hmac_of(&a[0], &data(&a[1])?, &data(&a[2])?)),
];

fn data(t: &Term) -> Result<Vec<u8>, Raise> {
    bytes(t).ok_or_else(Raise::badarg)
}

fn number(n: u32) -> Term {
    Term::int(i64::from(n))
}

fn word(t: &Term) -> Result<u32, Raise> {
    t.as_i64().and_then(|n| u32::try_from(n).ok()).ok_or_else(Raise::badarg)
}

// -- Adler-32: two sums modulo the greatest prime below 2^16.

const PRIME: u32 = 65_521;

fn adler(start: u32, data: &[u8]) -> u32 {
    let (mut a, mut b) = (start & 0xFFFF, start >> 16);
    // So many bytes fit before the sums could pass 32 bits.
    for chunk in data.chunks(5552) {
        for byte in chunk {
            a += u32::from(*byte);
            b += a;
        }
        a %= PRIME;
        b %= PRIME;
    }
    b << 16 | a
}

/// The checksum of two texts in a row, from theirs and the length of the second.
fn adler_combine(first: u32, second: u32, length: u32) -> u32 {
    if length == 0 {
        return first;
    }
    let wide = |n: u32| u64::from(n);
    let (prime, rest) = (wide(PRIME), wide(length % PRIME));
    let (a1, b1) = (wide(first & 0xFFFF), wide(first >> 16));
    let (a2, b2) = (wide(second & 0xFFFF), wide(second >> 16));
    let a = (a1 + a2 + prime - 1) % prime;
    // Every byte of the second text sees a first sum that is greater by a1 - 1.
    let b = (b1 + b2 + rest * a1 + prime - rest) % prime;
    ((b << 16) | a) as u32
}

// -- Digests of `crypto`

/// The digest, or the atom `undefined` for a kind that is not here.
fn digest(kind: &Term, data: &[u8]) -> Value {
    let name = kind.as_atom().ok_or_else(Raise::badarg)?.name();
    Ok(Term::binary(&match name {
        "md4" => Md4::digest(data).to_vec(),
        "md5" => Md5::digest(data).to_vec(),
        "ripemd160" => Ripemd160::digest(data).to_vec(),
        "blake2b" => Blake2b512::digest(data).to_vec(),
        "blake2s" => Blake2s256::digest(data).to_vec(),
        "sha" => Sha1::digest(data).to_vec(),
        "sha224" => Sha224::digest(data).to_vec(),
        "sha256" => Sha256::digest(data).to_vec(),
        "sha384" => Sha384::digest(data).to_vec(),
        "sha512" => Sha512::digest(data).to_vec(),
        "sha3_224" => Sha3_224::digest(data).to_vec(),
        "sha3_256" => Sha3_256::digest(data).to_vec(),
        "sha3_384" => Sha3_384::digest(data).to_vec(),
        "sha3_512" => Sha3_512::digest(data).to_vec(),
        _ => return Ok(Term::atom(reverl_term::atoms::UNDEFINED)),
    }))
}

fn hmac_of(kind: &Term, key: &[u8], data: &[u8]) -> Value {
    fn run<M: Mac + hmac::digest::KeyInit>(key: &[u8], data: &[u8]) -> Term {
        let mut mac = <M as Mac>::new_from_slice(key).expect("any key will do");
        mac.update(data);
        Term::binary(&mac.finalize().into_bytes())
    }
    let name = kind.as_atom().ok_or_else(Raise::badarg)?.name();
    Ok(match name {
        "md4" => run::<Hmac<Md4>>(key, data),
        "md5" => run::<Hmac<Md5>>(key, data),
        "ripemd160" => run::<Hmac<Ripemd160>>(key, data),
        "blake2b" => run::<SimpleHmac<Blake2b512>>(key, data),
        "blake2s" => run::<SimpleHmac<Blake2s256>>(key, data),
        "sha" => run::<Hmac<Sha1>>(key, data),
        "sha224" => run::<Hmac<Sha224>>(key, data),
        "sha256" => run::<Hmac<Sha256>>(key, data),
        "sha384" => run::<Hmac<Sha384>>(key, data),
        "sha512" => run::<Hmac<Sha512>>(key, data),
        "sha3_224" => run::<Hmac<Sha3_224>>(key, data),
        "sha3_256" => run::<Hmac<Sha3_256>>(key, data),
        "sha3_384" => run::<Hmac<Sha3_384>>(key, data),
        "sha3_512" => run::<Hmac<Sha3_512>>(key, data),
        _ => Term::atom(reverl_term::atoms::UNDEFINED),
    })
}

// -- MD5 in parts. A program holds the context as a binary, so its state must be ours to show:
// the four words, the count of bits and the bytes of an unfinished block (RFC 1321).

struct Context {
    words: [u32; 4],
    bits: u64,
    block: Vec<u8>,
}

const CONTEXT_BYTES: usize = 88;

impl Context {
    fn new() -> Context {
        let words = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
        Context { words, bits: 0, block: vec![] }
    }

    fn of(term: &Term) -> Result<Context, Raise> {
        let bytes = term.binary_bytes().filter(|b| b.len() == CONTEXT_BYTES);
        let bytes = bytes.ok_or_else(Raise::badarg)?;
        let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[4 * i + k]));
        let bits = u64::from(word(5)) << 32 | u64::from(word(4));
        let unfinished = (bits / 8 % 64) as usize;
        let words = [word(0), word(1), word(2), word(3)];
        Ok(Context { words, bits, block: bytes[24..24 + unfinished].to_vec() })
    }

    fn term(&self) -> Term {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        bytes.extend(self.bits.to_le_bytes());
        bytes.extend(&self.block);
        bytes.resize(CONTEXT_BYTES, 0);
        Term::binary(&bytes)
    }

    fn update(&mut self, data: &[u8]) {
        self.bits = self.bits.wrapping_add(data.len() as u64 * 8);
        self.block.extend(data);
        let whole = self.block.len() / 64 * 64;
        let blocks: Vec<u8> = self.block.drain(..whole).collect();
        blocks.chunks_exact(64).for_each(|block| self.compress(block));
    }

    fn digest(mut self) -> Vec<u8> {
        let bits = self.bits;
        let zeros = (119 - self.block.len()) % 64;
        let mut padding = vec![0x80];
        padding.resize(1 + zeros, 0);
        padding.extend(bits.to_le_bytes());
        self.update(&padding);
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    fn compress(&mut self, block: &[u8]) {
        const SHIFTS: [[u32; 4]; 4] =
            [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
        let word = |i: usize| u32::from_le_bytes([0, 1, 2, 3].map(|k| block[4 * i + k]));
        let [mut a, mut b, mut c, mut d] = self.words;
        for i in 0..64 {
            let (f, g) = match i / 16 {
                0 => ((b & c) | (!b & d), i),
                1 => ((d & b) | (!d & c), (5 * i + 1) % 16),
                2 => (b ^ c ^ d, (3 * i + 5) % 16),
                _ => (c ^ (b | !d), (7 * i) % 16),
            };
            // The constants are the sines of 1, 2, .. in 32 bits.
            let sine = (((i + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(f).wrapping_add(sine).wrapping_add(word(g));
            (a, d, c) = (d, c, b);
            b = b.wrapping_add(sum.rotate_left(SHIFTS[i / 16][i % 4]));
        }
        for (word, add) in self.words.iter_mut().zip([a, b, c, d]) {
            *word = word.wrapping_add(add);
        }
    }
}
