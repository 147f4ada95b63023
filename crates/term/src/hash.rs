//! The hash that places keys in large maps, OTP 25's own, so that large maps iterate in OTP's order (`murmur.rs` has
//! that of later releases); and `Hash` for Rust's tables.
//!
//! OTP hashes an atom by its place in the atom table, which depends on everything that was loaded before. We hash its
//! name instead: the same in every run of ours, but the order of large maps with atoms in their keys is not OTP's. A
//! recorded node tells its places (`Atom::number`), and then it is.

use std::hash::{Hash, Hasher};

use crate::atom::Atom;
use crate::fun::Fun;
use crate::jenkins::{Jenkins, byte_run, golden};
use crate::map_order::MapOrder;
use crate::term::Term;
use crate::view::View;
use crate::work::Turns;
use crate::{map, murmur};

/// Where every hash starts.
const SALT: u32 = 3432918353;

/// The bits of a key's hash that place it in a trie, for one round of eight levels.
#[inline]
pub(crate) fn key_hash(key: &Term, round: u32) -> u32 {
    let order = MapOrder::current();
    if order.has_long_hashes() && round < 2 {
        return (murmur::hash(key, &order) >> (32 * round)) as u32;
    }
    if round > 3 || order.has_long_hashes() {
        // Keys with atoms whose names hash alike agree in every round: only their whole form tells them apart.
        let mut whole = std::hash::DefaultHasher::new();
        let form = crate::etf::encode(key, &crate::etf::EncodeOptions::default());
        std::hash::Hash::hash(&(round, form), &mut whole);
        return std::hash::Hasher::finish(&whole) as u32;
    }
    if round > 0 {
        // All 32 bits of two keys agree: rare enough to build the list that OTP hashes then.
        return hash(&Term::cons(Term::small(round as i64), key.clone()), Atom::place);
    }
    let mut h = Jenkins(SALT);
    match key.as_small() {
        Some(i) => int(i, &mut h),
        None => return hash(key, Atom::place),
    }
    h.0
}

/// The hash that places a key in a process dictionary: small integers and atoms are their own.
pub fn dictionary_hash(key: &Term) -> u32 {
    match key.view() {
        View::Int(i) if (-(1 << 59)..1 << 59).contains(&i) => i as u32,
        View::Atom(a) => a.place(),
        _ => key_hash(key, 0),
    }
}

/// Integers of 60 bits are hashed as the words that hold them in OTP.
#[inline]
fn int(i: i64, h: &mut Jenkins) {
    if (-(1 << 59)..1 << 59).contains(&i) {
        h.long((i << 4) as u64 | 0xf, 1);
    } else {
        h.digit(i.unsigned_abs(), i < 0);
    }
}

/// Where an identifier stands in OTP's table of 2^`size` processes or ports, which its word also holds: neighbours are
/// spread over cache lines of eight.
fn table_slot(data: u32, size: u32) -> u32 {
    let lines = size - 3;
    let n = data & ((1 << size) - 1);
    (n & ((1 << lines) - 1)) << 3 | n >> lines
}

/// Marks that something is the head, or the improper tail, of a cell.
fn mark(h: &mut Jenkins, k: u32) {
    h.0 = (h.0 ^ golden(k)).rotate_left(17);
}

enum Todo<'a> {
    Term(&'a Term),
    /// The tail of an improper list.
    Tail(&'a Term),
    Elements(std::slice::Iter<'a, Term>),
    Pairs(map::ListedPairs<'a>),
}

/// What stands for an atom in a hash.
type AtomHash = fn(Atom) -> u32;

fn hash(t: &Term, of_atom: AtomHash) -> u32 {
    let mut h = Jenkins(SALT);
    let mut todo = vec![Todo::Term(t)];
    let mut turns = Turns::default();
    while let Some(mut next) = todo.pop() {
        turns.turn(4);
        match &mut next {
            Todo::Term(t) => term(t, &mut h, &mut todo, of_atom),
            Todo::Tail(t) => {
                mark(&mut h, 18);
                term(t, &mut h, &mut todo, of_atom);
            }
            Todo::Elements(rest) => {
                if let Some(t) = rest.next() {
                    todo.extend([next, Todo::Term(t)]);
                }
            }
            Todo::Pairs(rest) => {
                if let Some((k, v)) = rest.next() {
                    todo.extend([next, Todo::Term(v), Todo::Term(k)]);
                }
            }
        }
    }
    h.0
}

fn term<'a>(t: &'a Term, h: &mut Jenkins, todo: &mut Vec<Todo<'a>>, of_atom: AtomHash) {
    match t.view() {
        View::Int(i) => int(i, h),
        View::Big(b) => {
            let negative = b.sign() == num_bigint::Sign::Minus;
            b.iter_u64_digits().for_each(|d| h.digit(d, negative));
        }
        View::Float(f) => h.long((f + 0.0).to_bits(), 12),
        View::Atom(a) => h.long(u64::from(of_atom(a)) << 6 | 0xb, 1),
        View::Nil => h.long(0x3b, 1),
        View::Cons(..) => {
            let rest = byte_run(t, h, |h, word, count| h.pair(word, count, 22));
            match rest.as_cons() {
                Some((head, tail)) => {
                    mark(h, 17);
                    let tail = if tail.is_cons() { Todo::Term(tail) } else { Todo::Tail(tail) };
                    todo.extend([tail, Todo::Term(head)]);
                }
                None => todo.push(Todo::Term(rest)),
            }
        }
        View::Tuple(e) => {
            h.word(e.len() as u32, 9);
            todo.push(Todo::Elements(e.iter()));
        }
        View::Map(m) => {
            h.word(m.len() as u32, 16);
            todo.push(Todo::Pairs(m.encoded()));
        }
        View::Bits(b) => h.bits(b),
        View::Pid(p) => {
            let data = p.serial << 15 | p.id;
            h.pair(data << 4 | 0x3, table_slot(data, MapOrder::current().process_bits()), 1);
        }
        View::Port(p) => {
            let slot = table_slot(p.id as u32, MapOrder::current().port_bits());
            h.pair((p.id as u32) << 4 | 0x7, slot, 1);
        }
        View::Ref(r) => {
            h.word(r.words[0], 7);
            h.pair(r.words[1], r.words[2], 8);
        }
        View::Fun(Fun::External { module, name, arity }) => {
            h.pair(of_atom(*module), of_atom(*name), 14);
            h.word(*arity, 14);
        }
        View::Fun(Fun::Local(c)) => {
            h.pair(c.env.len() as u32, of_atom(c.module) << 6 | 0xb, 20);
            h.pair(c.index, c.uniq, 21);
            todo.push(Todo::Elements(c.env.iter()));
        }
    }
}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // A table of ours is not a map: it works before and after the numbers of a node are known.
        let mut h = Jenkins(SALT);
        match self.as_small() {
            Some(i) => int(i, &mut h),
            None => h.0 = hash(self, Atom::name_hash),
        }
        state.write_u32(h.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitsBuilder, Pid};

    /// Values from `erts_debug:get_internal_state({internal_hash, T})` of OTP 25.
    #[test]
    fn keys_without_atoms_hash_as_in_otp() {
        let int = Term::int;
        let list = |xs: &[i64]| Term::list(xs.iter().map(|&i| int(i)));
        let map =
            |xs: &[(i64, i64)]| Term::map_from(xs.iter().map(|&(k, v)| (int(k), int(v))).collect());
        let mut five = BitsBuilder::new();
        five.push_bits(5, 3);
        let cases = [
            (int(0), 3620831944u32),
            (int(-1), 559702020),
            (int(1 << 40), 1309661989),
            (int(1 << 62), 82766582),
            (int(-(1 << 62)), 426586884),
            (Term::big(num_bigint::BigInt::from(1) << 70), 1532645093),
            (Term::NIL, 2464209347),
            (Term::tuple(vec![]), 904478834),
            (Term::tuple(vec![int(1), int(2)]), 240741374),
            (Term::string("abc"), 4050146831),
            (Term::string("abcde"), 513042836),
            (Term::list_with_tail(vec![int(1000), int(2)], int(3)), 2618061997),
            (Term::list(vec![Term::tuple(vec![])]), 1267829174),
            (Term::float(1.5), 1817557079),
            (Term::float(0.0), 2778859731),
            (Term::float(-0.0), 2778859731),
            (Term::binary(&[1, 2, 3]), 4177851886),
            (Term::binary(&[]), 3580844982),
            (five.finish(), 1285585474),
            (map(&[(1, 2)]), 3344407571),
            (map(&[]), 4050418618),
            (Term::pid(Pid::local(100, 2)), 30683473),
            (Term::cons(int(256), int(0)), 2486945842),
            (Term::list(vec![list(&[1])]), 3087188736),
            (Term::tuple(vec![Term::NIL, list(&[1])]), 2583426653),
        ];
        for (t, expected) in cases {
            assert_eq!(key_hash(&t, 0), expected, "{t}");
        }
    }
}
