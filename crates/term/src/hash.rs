//! Hashes of terms that agree with `=:=`: for Rust's hash tables, and for the tries of large maps.
//!
//! Neither looks at anything that differs between runs, such as addresses or atom indices.

use std::hash::{Hash, Hasher};

use crate::fun::Fun;
use crate::term::Term;
use crate::view::View;

/// A small mixing hasher: one multiplication a word.
pub(crate) struct Mixer(u64);

impl Mixer {
    pub fn new(seed: u64) -> Mixer {
        Mixer(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    pub fn word(&mut self, w: u64) {
        let x = (self.0 ^ w).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.0 = x ^ x >> 32;
    }

    pub fn finish(&self) -> u64 {
        let x = self.0.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        x ^ x >> 29
    }
}

/// The bits of a key's hash that place it in a trie, for one round of eight levels.
#[inline]
pub(crate) fn key_hash(key: &Term, round: u32) -> u32 {
    let mut m = Mixer::new(round as u64);
    match key.as_small() {
        Some(i) => m.word(i as u64),
        None => mix(key, &mut m),
    }
    m.finish() as u32
}

fn mix(term: &Term, m: &mut Mixer) {
    let mut work: Vec<&Term> = Vec::new();
    let mut next = Some(term);
    while let Some(t) = next {
        next = None;
        match t.view() {
            View::Int(i) => m.word(i as u64),
            View::Atom(a) => m.word(1 << 40 | a.name_hash() as u64),
            View::Nil => m.word(2 << 40),
            View::Cons(h, t) => {
                m.word(3 << 40);
                work.push(t);
                next = Some(h);
            }
            View::Tuple(e) => {
                m.word(4 << 40 | e.len() as u64);
                work.extend(e.iter().rev());
            }
            View::Float(f) => m.word((f + 0.0).to_bits()),
            View::Big(b) => b.iter_u64_digits().for_each(|d| m.word(d)),
            View::Bits(b) => {
                m.word(5 << 40 | b.bit_len() as u64);
                for i in 0..b.byte_len() {
                    m.word(b.padded_byte(i) as u64);
                }
            }
            View::Map(map) => {
                // Equal maps have one order of iteration, so hashing in that order is enough.
                m.word(6 << 40 | map.len() as u64);
                for (k, v) in map {
                    work.push(k);
                    work.push(v);
                }
            }
            View::Pid(p) => m.word(7 << 40 ^ (p.serial as u64) << 32 ^ p.id as u64),
            View::Port(p) => m.word(8 << 40 ^ p.id),
            View::Ref(r) => r.words.iter().for_each(|w| m.word(*w as u64)),
            View::Fun(Fun::External { module, name, arity }) => {
                m.word((module.name_hash() as u64) << 32 | name.name_hash() as u64);
                m.word(*arity as u64);
            }
            View::Fun(Fun::Local(c)) => {
                m.word((c.module.name_hash() as u64) << 32 | c.uniq as u64);
                m.word(c.index as u64);
                work.extend(c.env.iter());
            }
        }
        next = next.or_else(|| work.pop());
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut m = Mixer::new(0);
        mix(self, &mut m);
        state.write_u64(m.finish());
    }
}
