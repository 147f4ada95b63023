//! The hash that places keys in large maps from OTP 27 on: MurmurHash3 over the words of a term, as
//! `make_internal_hash` of OTP's `erl_term_hashing.c` has it on machines of 64 bits.
//!
//! What OTP hashes by an address is not known here (functions of modules as values, identifiers of other
//! nodes), and a large map inside of a key is hashed by its pairs: such keys may stand elsewhere.

use crate::bits::Bits;
use crate::fun::Fun;
use crate::jenkins::as_byte;
use crate::map_order::MapOrder;
use crate::term::Term;
use crate::view::View;
use crate::{atoms, map};

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// What a word in the hash is of. The numbers are those of OTP 27; OTP 29 counts those after tuples one further.
#[derive(Clone, Copy)]
enum Kind {
    Immediate = 1,
    Element,
    Head,
    Tail,
    Text,
    Tuple,
    SmallMap,
    LargeMap,
    Binary = 11,
    Fun,
    ExternalFun,
    NegativeInteger,
    PositiveInteger,
    Reference,
    ForeignReference,
    ForeignPid,
    ForeignPort,
    Float,
}

/// The hash of a key.
pub(crate) fn hash(key: &Term, order: &MapOrder) -> u64 {
    match immediate(key, order) {
        Some(word) => mixed(word),
        None => of_parts(key, order),
    }
}

fn mixed(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h ^= h >> 33;
    h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ h >> 33
}

/// The word that OTP has for a term that is one.
fn immediate(t: &Term, order: &MapOrder) -> Option<u64> {
    match t.view() {
        View::Int(i) if (-(1 << 59)..1 << 59).contains(&i) => Some((i << 4) as u64 | 0xf),
        View::Atom(a) => Some(u64::from(a.place()) << 6 | 0xb),
        View::Nil => Some(0x3b),
        View::Pid(p) if p.node == atoms::NONODE => {
            let data = u64::from(p.serial) << 28 | u64::from(p.id);
            Some(in_table(data, order.process_bits()) << 4 | 0x3)
        }
        View::Port(p) if p.node == atoms::NONODE => {
            Some(in_table(p.id, order.port_bits()) << 4 | 0x7)
        }
        _ => None,
    }
}

/// An identifier with its low bits replaced by its place in a table of 2^`bits`: neighbours are spread over cache lines
/// of eight.
fn in_table(data: u64, bits: u32) -> u64 {
    let (mask, lines) = ((1 << bits) - 1, bits - 3);
    let n = data & mask;
    data & !mask | (n & ((1 << lines) - 1)) << 3 | n >> lines
}

enum Todo<'a> {
    Term(&'a Term),
    /// What comes behind a cell whose head was not one word, if it is not a cell.
    Tail(&'a Term),
}

struct Murmur<'a, 'o> {
    alpha: u64,
    beta: u64,
    ticks: u64,
    todo: Vec<Todo<'a>>,
    order: &'o MapOrder,
}

fn of_parts(key: &Term, order: &MapOrder) -> u64 {
    let mut h = Murmur { alpha: 0, beta: 0, ticks: 0, todo: vec![Todo::Term(key)], order };
    while let Some(next) = h.todo.pop() {
        match next {
            Todo::Term(t) => h.term(t),
            Todo::Tail(t) => {
                h.beta(h.kind(Kind::Tail));
                h.term(t);
            }
        }
    }
    h.finish()
}

impl<'a> Murmur<'a, '_> {
    fn alpha(&mut self, word: u64) {
        self.alpha ^= word.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        self.alpha = self.alpha.rotate_left(27).wrapping_add(self.beta);
        self.alpha = self.alpha.wrapping_mul(5).wrapping_add(0x52dc_e729);
        self.ticks += 1;
    }

    fn beta(&mut self, word: u64) {
        self.beta ^= word.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        self.beta = self.beta.rotate_left(31).wrapping_add(self.alpha);
        self.beta = self.beta.wrapping_mul(5).wrapping_add(0x3849_5ab5);
        self.ticks += 1;
    }

    fn kind(&self, kind: Kind) -> u64 {
        let number = kind as u64;
        number + u64::from(number > Kind::Tuple as u64 && self.order.has_native_records())
    }

    fn kind_with(&self, kind: Kind, high: u32) -> u64 {
        self.kind(kind) | u64::from(high) << 32
    }

    fn word(&mut self, word: u64) {
        self.alpha(self.kind(Kind::Immediate));
        self.beta(word);
    }

    /// A part of a term: at once if it is a word, later if not.
    fn part(&mut self, t: &'a Term) {
        match immediate(t, self.order) {
            Some(word) => self.word(word),
            None => {
                self.alpha(self.kind(Kind::Element));
                self.todo.push(Todo::Term(t));
            }
        }
    }

    /// Parts of which the last one is next.
    fn parts(&mut self, parts: &'a [Term]) {
        let Some((last, before)) = parts.split_last() else { return };
        before.iter().for_each(|t| self.part(t));
        self.todo.push(Todo::Term(last));
    }

    fn term(&mut self, t: &'a Term) {
        if let Some(word) = immediate(t, self.order) {
            return self.word(word);
        }
        match t.view() {
            View::Cons(..) => self.list(t),
            View::Tuple(elements) => {
                self.alpha(self.kind(Kind::Tuple));
                self.beta(elements.len() as u64);
                self.parts(elements);
            }
            View::Map(m) => self.map(m),
            View::Bits(bits) => self.bits(bits),
            View::Int(i) => self.digits(i < 0, &[i.unsigned_abs()]),
            View::Big(b) => {
                let digits: Vec<u64> = b.iter_u64_digits().collect();
                self.digits(b.sign() == num_bigint::Sign::Minus, &digits);
            }
            View::Float(f) => {
                self.alpha(self.kind(Kind::Float));
                self.beta(f.to_bits());
            }
            View::Fun(fun) => self.fun(fun),
            View::Ref(_) | View::Pid(_) | View::Port(_) => self.identifier(t),
            View::Atom(_) | View::Nil => unreachable!("they are words"),
        }
    }

    fn list(&mut self, list: &'a Term) {
        let (mut word, mut count, mut rest) = (0, 0, list);
        while let Some((byte, tail)) = rest.as_cons().and_then(|(e, t)| Some((as_byte(e)?, t))) {
            word = word << 8 | byte;
            count += 1;
            if count == 4 {
                self.text(count, word);
                (word, count) = (0, 0);
            }
            rest = tail;
        }
        if count > 0 {
            self.text(count, word);
        }
        let Some((head, tail)) = rest.as_cons() else { return self.todo.push(Todo::Term(rest)) };
        match immediate(head, self.order) {
            Some(head) => {
                self.alpha(self.kind_with(Kind::Immediate, Kind::Head as u32));
                self.beta(head);
                if !tail.is_cons() {
                    self.alpha(self.kind(Kind::Tail));
                }
                self.todo.push(Todo::Term(tail));
            }
            None => {
                let tail = if tail.is_cons() { Todo::Term(tail) } else { Todo::Tail(tail) };
                self.alpha(self.kind(Kind::Head));
                self.todo.extend([tail, Todo::Term(head)]);
            }
        }
    }

    fn text(&mut self, count: u64, word: u32) {
        self.alpha(self.kind(Kind::Text) | count << 8 | u64::from(word) << 32);
    }

    fn map(&mut self, m: &'a map::Map) {
        let is_small = m.len() <= map::MAX_FLAT;
        self.alpha(self.kind(if is_small { Kind::SmallMap } else { Kind::LargeMap }));
        self.beta(m.len() as u64);
        let pairs: Vec<_> = m.iter().collect();
        let Some(((last, value), before)) = pairs.split_last() else { return };
        for (k, v) in before {
            self.part(v);
            self.part(k);
        }
        self.part(value);
        self.todo.push(Todo::Term(last));
    }

    fn bits(&mut self, bits: &Bits) {
        self.alpha(self.kind(Kind::Binary));
        self.beta(bits.bit_len() as u64);
        let bytes = bits.to_vec();
        let whole = &bytes[..bits.bit_len() / 8];
        let read = |b: &[u8]| b.iter().rev().fold(0, |n, &x| n << 8 | u64::from(x));
        let mut chunks = whole.chunks_exact(16);
        for chunk in chunks.by_ref() {
            self.alpha(read(&chunk[..8]));
            self.beta(read(&chunk[8..]));
        }
        // What is left is mixed in without the rest of a round.
        let rest = chunks.remainder();
        if rest.len() > 8 {
            self.beta ^= read(&rest[8..]).wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        }
        if !rest.is_empty() {
            let first = read(&rest[..rest.len().min(8)]);
            self.alpha ^= first.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        }
        let (tail, count) = bits.tail_bits();
        if count > 0 {
            self.alpha(u64::from(tail));
        }
    }

    fn digits(&mut self, is_negative: bool, digits: &[u64]) {
        let sign = if is_negative { Kind::NegativeInteger } else { Kind::PositiveInteger };
        self.alpha(self.kind_with(sign, digits.len() as u32));
        let mut pairs = digits.chunks_exact(2);
        for pair in pairs.by_ref() {
            self.alpha(pair[0]);
            self.beta(pair[1]);
        }
        pairs.remainder().iter().for_each(|&last| self.beta(last));
    }

    fn fun(&mut self, fun: &'a Fun) {
        match fun {
            Fun::Local(c) => {
                self.alpha(self.kind_with(Kind::Fun, c.env.len() as u32));
                self.beta(u64::from(c.index) | u64::from(c.uniq) << 32);
                self.word(u64::from(c.module.place()) << 6 | 0xb);
                self.parts(&c.env);
            }
            Fun::External { module, name, arity } => {
                self.alpha(self.kind(Kind::ExternalFun));
                self.beta(u64::from(module.place()) << 32 | u64::from(name.place()));
                self.beta(u64::from(*arity));
            }
        }
    }

    fn identifier(&mut self, t: &Term) {
        match t.view() {
            View::Ref(r) => {
                let is_home = r.node == atoms::NONODE;
                let kind = if is_home { Kind::Reference } else { Kind::ForeignReference };
                self.alpha(self.kind_with(kind, r.words[0]));
                self.beta(u64::from(r.words[1]) | u64::from(r.words[2]) << 32);
                if r.maker != [0, 0] {
                    self.alpha(u64::from(r.maker[0]) | u64::from(r.maker[1]) << 32);
                }
            }
            View::Pid(p) => {
                self.alpha(self.kind(Kind::ForeignPid));
                self.beta(u64::from(p.node.name_hash()));
                self.alpha(u64::from(p.id) | u64::from(p.serial) << 32);
            }
            View::Port(p) => {
                self.alpha(self.kind(Kind::ForeignPort));
                self.beta(u64::from(p.node.name_hash()));
                self.alpha(p.id);
            }
            _ => {}
        }
    }

    fn finish(self) -> u64 {
        let (mut alpha, mut beta) = (self.alpha ^ self.ticks, self.beta ^ self.ticks);
        alpha = alpha.wrapping_add(beta);
        beta = beta.wrapping_add(alpha);
        (alpha, beta) = (mixed(alpha), mixed(beta));
        alpha = alpha.wrapping_add(beta);
        beta = beta.wrapping_add(alpha);
        alpha ^ beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BitsBuilder, Pid, Ref};

    fn cases() -> Vec<Term> {
        let int = Term::int;
        let big = |shift: u32| Term::big(num_bigint::BigInt::from(1) << shift);
        let mut five = BitsBuilder::new();
        five.push_bits(5, 3);
        vec![
            int(1),
            int(1 << 62),
            int(-(1 << 62)),
            big(70),
            Term::big(num_bigint::BigInt::from(-1) << 130u32),
            Term::tuple(vec![]),
            Term::tuple(vec![int(1), int(2)]),
            Term::string("abc"),
            Term::string("abcde"),
            Term::list_with_tail(vec![int(1000), int(2)], int(3)),
            Term::list(vec![Term::tuple(vec![])]),
            Term::list_with_tail(vec![Term::tuple(vec![]), int(1)], Term::tuple(vec![])),
            Term::float(1.5),
            Term::float(0.0),
            Term::float(-0.0),
            Term::binary(&[1, 2, 3]),
            Term::binary(&[]),
            five.finish(),
            Term::binary(b"hello world, this is long enough"),
            Term::binary(b"123456789"),
            Term::map_from(vec![]),
            Term::map_from(vec![(int(1), int(2))]),
            Term::list(vec![Term::list(vec![int(1)]), int(2)]),
        ]
    }

    fn check(release: u32, expected: &[u64]) {
        let order = MapOrder::new(release, None, None);
        for (term, expected) in cases().iter().zip(expected) {
            assert_eq!(hash(term, &order), *expected, "{term} on {release}");
        }
        assert_eq!(cases().len(), expected.len());
    }

    /// Values from `erts_debug:get_internal_state({internal_hash, T})` of OTP 27.
    #[test]
    fn keys_hash_as_in_otp_27() {
        check(
            27,
            &[
                7938660269479274665,
                3862094980500731068,
                7534095280543322021,
                2843535558538537299,
                6476759026619847408,
                4510301282025278020,
                10043369381193841056,
                12634646359926691189,
                9652828623497655895,
                278360735142708365,
                5321129953647827643,
                10901150511362394897,
                15485676177230109356,
                8159373324831745810,
                7012789198383875584,
                5941893840552593241,
                13239095599208416018,
                18342605952617629842,
                16250867733651817598,
                10429413774857539410,
                6155915714603159186,
                15430789329323442583,
                13420516225627449753,
            ],
        );
    }

    #[test]
    fn keys_hash_as_in_otp_29() {
        check(
            29,
            &[
                7938660269479274665,
                2820654030469875806,
                3862094980500731068,
                6456726035238843566,
                15672931946983700453,
                4510301282025278020,
                10043369381193841056,
                12634646359926691189,
                9652828623497655895,
                278360735142708365,
                5321129953647827643,
                10901150511362394897,
                5774261808650504887,
                13198493423301380071,
                12330998780720423744,
                3963608694498431467,
                10873612744977862784,
                1063824433707399285,
                12960127500143013074,
                16972091603942335900,
                9376759162891905861,
                835191004119534807,
                13420516225627449753,
            ],
        );
    }

    #[test]
    fn identifiers_are_hashed_as_the_words_of_otp_27() {
        let order = MapOrder::new(27, None, None);
        for (id, word) in [(10, 0x503), (84, 0x2a03), (1082, 0x21d03), (40082, 0x4e4903)] {
            assert_eq!(immediate(&Term::pid(Pid::local(id, 0)), &order), Some(word), "{id}");
        }
        let reference =
            |words, maker| Term::reference(Ref { node: atoms::NONODE, creation: 0, words, maker });
        let plain = reference([48459, 247463937, 1295197138], [0, 0]);
        assert_eq!(hash(&plain, &order), 5895148361629375574);
        let alias = reference([48463, 247529473, 1295197138], [1283, 0]);
        assert_eq!(hash(&alias, &order), 8888742128179891537);
    }
}
