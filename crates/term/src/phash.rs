//! `erlang:phash2` and `erlang:phash`: hashes that are the same on every machine, so ours must be OTP's to the bit.
//!
//! `phash2` mixes with Bob Jenkins' 96-bit function. A term's hash starts from the hash of what came before it; only
//! the pairs of a map are hashed from zero and xored, because their order is nobody's business.

use crate::bits::Bits;
use crate::fun::Fun;
use crate::map;
use crate::term::Term;
use crate::view::View;

const GOLDEN: u32 = 0x9e37_79b9;

/// The constant of each kind of term is a multiple of the golden ratio.
const fn golden(n: u32) -> u32 {
    GOLDEN.wrapping_mul(n)
}

fn mix(a: u32, b: u32, c: u32) -> (u32, u32, u32) {
    let (mut a, mut b, mut c) = (a, b, c);
    for (x, y, z) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> x;
        b = b.wrapping_sub(c).wrapping_sub(a) ^ a << y;
        c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> z;
    }
    (a, b, c)
}

struct Hash2(u32);

impl Hash2 {
    fn pair(&mut self, x: u32, y: u32, k: u32) {
        let k = golden(k);
        self.0 = mix(k.wrapping_add(x), k.wrapping_add(y), self.0).2;
    }

    fn word(&mut self, x: u32, k: u32) {
        self.pair(x, 0, k);
    }

    fn int(&mut self, i: i64) {
        if (-(1 << 27)..1 << 27).contains(&i) {
            if i < 0 {
                self.word(-i as u32, 1);
            }
            self.word(i as u32, 1);
        } else {
            self.digit(i.unsigned_abs(), i < 0);
        }
    }

    fn digit(&mut self, d: u64, negative: bool) {
        self.pair(d as u32, (d >> 32) as u32, if negative { 10 } else { 11 });
    }

    fn bits(&mut self, b: &Bits) {
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

enum Todo2<'a> {
    Term(&'a Term),
    Elements(std::slice::Iter<'a, Term>),
    Pairs(map::Iter<'a>),
    /// The end of a pair: xor its hash in.
    Pair,
    /// The end of a map: the hash and the xor of before it.
    Map(u32, u32),
}

/// The whole 32-bit hash.
fn hash2(t: &Term) -> u32 {
    let mut h = Hash2(0);
    let mut xor = 0;
    let mut todo = vec![Todo2::Term(t)];
    while let Some(mut next) = todo.pop() {
        match &mut next {
            Todo2::Term(t) => match t.view() {
                View::Map(m) => {
                    h.word(m.len() as u32, 16);
                    if !m.is_empty() {
                        todo.extend([Todo2::Map(h.0, xor), Todo2::Pairs(m.iter())]);
                        (h.0, xor) = (0, 0);
                    }
                }
                _ => hash2_term(t, &mut h, &mut todo),
            },
            Todo2::Elements(rest) => {
                if let Some(t) = rest.next() {
                    todo.extend([next, Todo2::Term(t)]);
                }
            }
            Todo2::Pairs(rest) => {
                if let Some((k, v)) = rest.next() {
                    todo.extend([next, Todo2::Pair, Todo2::Term(v), Todo2::Term(k)]);
                }
            }
            Todo2::Pair => {
                xor ^= h.0;
                h.0 = 0;
            }
            Todo2::Map(hash, before) => {
                h.0 = *hash;
                h.word(xor, 19);
                xor = *before;
            }
        }
    }
    h.0
}

fn hash2_term<'a>(t: &'a Term, h: &mut Hash2, todo: &mut Vec<Todo2<'a>>) {
    match t.view() {
        View::Int(i) => h.int(i),
        View::Big(b) => {
            let negative = b.sign() == num_bigint::Sign::Minus;
            b.iter_u64_digits().for_each(|d| h.digit(d, negative));
        }
        View::Float(f) => {
            let bits = (f + 0.0).to_bits();
            h.pair((bits >> 32) as u32, bits as u32, 12);
        }
        View::Atom(a) if h.0 == 0 => h.0 = a.name_hash(),
        View::Atom(a) => h.word(a.name_hash(), 3),
        View::Nil if h.0 == 0 => h.0 = 3468870702,
        View::Nil => h.word(2, 2),
        View::Cons(..) => hash2_list(t, h, todo),
        View::Tuple(e) => {
            h.word(e.len() as u32, 9);
            todo.push(Todo2::Elements(e.iter()));
        }
        View::Bits(b) => h.bits(b),
        View::Pid(p) => h.word(p.id, 5),
        View::Port(p) => h.pair(p.id as u32, (p.id >> 32) as u32, 6),
        View::Ref(r) => h.word(r.words[0], 7),
        View::Fun(Fun::External { module, name, arity }) => {
            h.pair(*arity, module.name_hash(), 1);
            h.word(name.name_hash(), 14);
        }
        View::Fun(Fun::Local(c)) => {
            h.pair(c.env.len() as u32, c.module.name_hash(), 1);
            h.pair(c.index, c.uniq, 1);
            todo.push(Todo2::Elements(c.env.iter()));
        }
        View::Map(_) => unreachable!("maps need the xor"),
    }
}

fn as_byte(t: &Term) -> Option<u32> {
    t.as_small().and_then(|i| u8::try_from(i).ok()).map(u32::from)
}

/// A run of bytes is hashed four at a time; the first other element, and what follows it, as terms.
fn hash2_list<'a>(t: &'a Term, h: &mut Hash2, todo: &mut Vec<Todo2<'a>>) {
    let (mut word, mut count, mut rest) = (0u32, 0, t);
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
        h.word(word, 4);
    }
    match rest.as_cons() {
        Some((e, tail)) => todo.extend([Todo2::Term(tail), Todo2::Term(e)]),
        None => todo.push(Todo2::Term(rest)),
    }
}

/// `erlang:phash2(Term, Range)`, for a range from 1 to 2^32.
pub fn phash2(t: &Term, range: u64) -> u64 {
    hash2(t) as u64 % range
}

/// `erlang:phash2(Term)`: the low 27 bits.
pub fn phash2_default(t: &Term) -> u64 {
    phash2(t, 1 << 27)
}

/// `erlang:phash(Term, Range)`, for a range from 1 to 2^32; the result is from 1 to the range.
pub fn phash(t: &Term, range: u64) -> u64 {
    old::hash(t) as u64 % range + 1
}

/// The older hash: multiplications by primes just above 2^28.
mod old {
    use super::*;

    const P: [u32; 15] = [
        0, 268440163, 268439161, 268435459, 268436141, 268438633, 268437017, 268438039, 268437511,
        268439627, 268440479, 268440577, 268440581, 268440593, 268440611,
    ];

    enum Todo<'a> {
        Term(&'a Term),
        /// The rest of a list behind an element that is no byte.
        Tail(&'a Term),
        Elements(std::slice::Iter<'a, Term>),
        EndOfList,
        EndOfTuple(u32),
    }

    struct Hash(u32);

    impl Hash {
        fn step(&mut self, x: u32, prime: usize) {
            self.0 = self.0.wrapping_mul(P[prime]).wrapping_add(x);
        }

        fn bytes(&mut self, x: u32, prime: usize) {
            x.to_le_bytes().into_iter().for_each(|b| self.step(b as u32, prime));
        }

        fn times(&mut self, prime: usize) {
            self.0 = self.0.wrapping_mul(P[prime]);
        }

        fn magnitude(&mut self, words: &[u32], negative: bool) {
            words.iter().for_each(|&w| self.bytes(w, 2));
            self.times(if negative { 4 } else { 3 });
        }
    }

    pub fn hash(t: &Term) -> u32 {
        let mut h = Hash(0);
        let mut todo = vec![Todo::Term(t)];
        while let Some(mut next) = todo.pop() {
            match &mut next {
                Todo::Term(t) => term(t, &mut h, &mut todo),
                Todo::Tail(t) if t.is_cons() => list(t, &mut h, &mut todo),
                Todo::Tail(t) => todo.extend([Todo::EndOfList, Todo::Term(t)]),
                Todo::Elements(rest) => {
                    if let Some(t) = rest.next() {
                        todo.extend([next, Todo::Term(t)]);
                    }
                }
                Todo::EndOfList => h.times(8),
                Todo::EndOfTuple(n) => h.step(*n, 9),
            }
        }
        h.0
    }

    fn list<'a>(t: &'a Term, h: &mut Hash, todo: &mut Vec<Todo<'a>>) {
        let mut rest = t;
        while let Some((e, tail)) = rest.as_cons() {
            let Some(b) = as_byte(e) else {
                todo.extend([Todo::Tail(tail), Todo::Term(e)]);
                return;
            };
            h.step(b, 2);
            rest = tail;
        }
        todo.extend([Todo::EndOfList, Todo::Term(rest)]);
    }

    fn term<'a>(t: &'a Term, h: &mut Hash, todo: &mut Vec<Todo<'a>>) {
        match t.view() {
            View::Nil => h.step(1, 3),
            View::Atom(a) => h.step(a.name_hash(), 1),
            View::Int(i) => {
                let (low, high) = (i.unsigned_abs() as u32, (i.unsigned_abs() >> 32) as u32);
                let words = [low, high];
                h.magnitude(if high == 0 { &words[..1] } else { &words }, i < 0);
            }
            View::Big(b) => {
                let (sign, words) = b.to_u32_digits();
                h.magnitude(&words, sign == num_bigint::Sign::Minus);
            }
            View::Float(f) => {
                let bits = (f + 0.0).to_bits();
                h.step(bits as u32 ^ (bits >> 32) as u32, 6);
            }
            View::Bits(b) => {
                let whole = b.bit_len() / 8;
                (0..whole).for_each(|i| h.step(b.padded_byte(i) as u32, 1));
                let (tail, n) = b.tail_bits();
                if n > 0 {
                    h.step(tail as u32, 1);
                    h.step(n as u32, 12);
                }
                h.step(whole as u32, 4);
            }
            View::Cons(..) => list(t, h, todo),
            View::Tuple(e) => {
                todo.extend([Todo::EndOfTuple(e.len() as u32), Todo::Elements(e.iter())]);
            }
            View::Map(_) => h.step(P[14].wrapping_add(hash2(t)), 13),
            View::Pid(p) => {
                h.bytes(p.id, 5);
                h.times(6);
            }
            View::Port(p) => {
                if p.id >> 32 != 0 {
                    h.bytes((p.id >> 32) as u32, 11);
                }
                h.bytes(p.id as u32, 9);
                h.times(10);
            }
            View::Ref(r) => {
                h.bytes(r.words[0], 9);
                h.times(10);
            }
            View::Fun(Fun::External { module, name, arity }) => {
                h.step(*arity, 11);
                h.step(module.name_hash(), 1);
                h.step(name.name_hash(), 1);
            }
            View::Fun(Fun::Local(c)) => {
                h.step(c.env.len() as u32, 10);
                h.step(c.module.name_hash(), 1);
                h.step(c.index, 2);
                h.step(c.uniq, 2);
                todo.push(Todo::Elements(c.env.iter()));
            }
        }
    }
}
