//! `erlang:phash2` and `erlang:phash`: hashes that are the same on every machine, so ours must be OTP's to the bit.
//!
//! `phash2` mixes with Bob Jenkins' 96-bit function. A term's hash starts from the hash of what came before it; only
//! the pairs of a map are hashed from zero and xored, because their order is nobody's business.

use crate::fun::Fun;
use crate::jenkins::{Jenkins, as_byte, byte_run};
use crate::map;
use crate::term::Term;
use crate::view::View;
use crate::work::Turns;

/// Integers of 28 bits have a form of their own.
fn int(i: i64, h: &mut Jenkins) {
    if (-(1 << 27)..1 << 27).contains(&i) {
        if i < 0 {
            h.word(-i as u32, 1);
        }
        h.word(i as u32, 1);
    } else {
        h.digit(i.unsigned_abs(), i < 0);
    }
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
    let mut h = Jenkins(0);
    let mut xor = 0;
    let mut todo = vec![Todo2::Term(t)];
    let mut turns = Turns::default();
    while let Some(mut next) = todo.pop() {
        turns.turn(4);
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

fn hash2_term<'a>(t: &'a Term, h: &mut Jenkins, todo: &mut Vec<Todo2<'a>>) {
    match t.view() {
        View::Int(i) => int(i, h),
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
        View::Cons(..) => {
            // Behind a run of bytes, the first other element and what follows it are terms of their own.
            let rest = byte_run(t, h, |h, word, _| h.word(word, 4));
            match rest.as_cons() {
                Some((e, tail)) => todo.extend([Todo2::Term(tail), Todo2::Term(e)]),
                None => todo.push(Todo2::Term(rest)),
            }
        }
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
        /// The rest of a list behind an element that is not a byte.
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
        let mut turns = Turns::default();
        while let Some(mut next) = todo.pop() {
            turns.turn(4);
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
