//! Equality and order of terms: `=:=`, `==`, `<`, and the order of map keys.
//!
//! All four walk pairs of terms with a work list, so depth is bounded by memory only.
//!
//! number < atom < reference < fun < port < pid < tuple < map < nil < cons < bit string

use std::cell::Cell;
use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Signed};

use crate::fun::{Closure, Fun};
use crate::ids::{Pid, Port, Ref};
use crate::map::Map;
use crate::term::Term;
use crate::view::View;
use crate::work::Turns;

/// How an integer is compared with a float.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// By value: `1 == 1.0`.
    ByValue,
    /// Every integer before every float, as in map keys; the equality of this order is `=:=`.
    ByType,
}

thread_local! {
    /// From OTP 27 on, `0.0 =:= -0.0` is false.
    static ZEROS_DIFFER: Cell<bool> = const { Cell::new(false) };
}

/// From now on, whether this thread tells `0.0` from `-0.0`: as the program does that it runs.
#[inline]
pub fn let_zeros_differ(differ: bool) {
    ZEROS_DIFFER.set(differ);
}

/// `A =:= B`.
#[inline]
pub fn exact_eq(a: &Term, b: &Term) -> bool {
    if Term::raw_eq(a, b) {
        return true;
    }
    if a.is_immediate() || b.is_immediate() {
        return false;
    }
    differ(a, b, Numbers::ByType).is_eq()
}

/// `A == B`.
#[inline]
pub fn loose_eq(a: &Term, b: &Term) -> bool {
    if Term::raw_eq(a, b) {
        return true;
    }
    // Of two unequal immediates none is a float, so nothing can be equal by value.
    if a.is_immediate() && b.is_immediate() {
        return false;
    }
    differ(a, b, Numbers::ByValue).is_eq()
}

/// The order of `<`, `lists:sort/1` and friends.
#[inline]
pub fn compare(a: &Term, b: &Term) -> Ordering {
    if Term::both_small(a, b) {
        return (a.raw() as i64).cmp(&(b.raw() as i64));
    }
    if Term::raw_eq(a, b) { Ordering::Equal } else { differ(a, b, Numbers::ByValue) }
}

/// The order of map keys.
#[inline]
pub fn compare_exact(a: &Term, b: &Term) -> Ordering {
    if Term::both_small(a, b) {
        return (a.raw() as i64).cmp(&(b.raw() as i64));
    }
    if Term::raw_eq(a, b) { Ordering::Equal } else { differ(a, b, Numbers::ByType) }
}

/// What is still to be compared once the terms before it are known to be equal.
enum Pending<'a> {
    Pair(&'a Term, &'a Term, Numbers),
    Slices(&'a [Term], &'a [Term], Numbers),
    /// The values of two maps with equal keys, or the keys.
    Pairs(std::vec::IntoIter<(&'a Term, &'a Term)>, Numbers),
}

#[inline(never)]
fn differ(a: &Term, b: &Term, numbers: Numbers) -> Ordering {
    let mut work: Vec<Pending<'_>> = Vec::new();
    let (mut a, mut b, mut numbers) = (a, b, numbers);
    let mut turns = Turns::default();
    loop {
        turns.turn(1);
        // Lists are walked here, cell by cell: their tails need no place in the work list.
        if let (Some((ha, ta)), Some((hb, tb))) = (a.as_cons(), b.as_cons()) {
            if Term::raw_eq(a, b) {
            } else if Term::raw_eq(ha, hb) {
                (a, b) = (ta, tb);
                continue;
            } else if ha.is_immediate() && hb.is_immediate() {
                return one(ha, hb, numbers, &mut work);
            } else {
                work.push(Pending::Pair(ta, tb, numbers));
                (a, b) = (ha, hb);
                continue;
            }
        } else if !Term::raw_eq(a, b) {
            match one(a, b, numbers, &mut work) {
                Ordering::Equal => {}
                o => return o,
            }
        }
        match next(&mut work) {
            Some((x, y, n)) => (a, b, numbers) = (x, y, n),
            None => return Ordering::Equal,
        }
    }
}

fn next<'a>(work: &mut Vec<Pending<'a>>) -> Option<(&'a Term, &'a Term, Numbers)> {
    loop {
        match work.last_mut()? {
            Pending::Pair(a, b, n) => {
                let pair = (*a, *b, *n);
                work.pop();
                return Some(pair);
            }
            Pending::Slices(xs, ys, n) => {
                let (a, b, n) = (*xs, *ys, *n);
                if let ([a, ra @ ..], [b, rb @ ..]) = (a, b) {
                    (*xs, *ys) = (ra, rb);
                    return Some((a, b, n));
                }
                work.pop();
            }
            Pending::Pairs(pairs, n) => {
                let n = *n;
                if let Some((a, b)) = pairs.next() {
                    return Some((a, b, n));
                }
                work.pop();
            }
        }
    }
}

fn rank(v: &View<'_>) -> u8 {
    match v {
        View::Int(_) | View::Big(_) | View::Float(_) => 0,
        View::Atom(_) => 1,
        View::Ref(_) => 2,
        View::Fun(_) => 3,
        View::Port(_) => 4,
        View::Pid(_) => 5,
        View::Tuple(_) => 6,
        View::Map(_) => 7,
        View::Nil => 8,
        View::Cons(..) => 9,
        View::Bits(_) => 10,
    }
}

/// Compares two terms that are not both cons cells; what they contain goes to the work list.
fn one<'a>(a: &'a Term, b: &'a Term, numbers: Numbers, work: &mut Vec<Pending<'a>>) -> Ordering {
    match (a.view(), b.view()) {
        (View::Atom(x), View::Atom(y)) => x.name().cmp(y.name()),
        (View::Tuple(x), View::Tuple(y)) => {
            work.push(Pending::Slices(x, y, numbers));
            x.len().cmp(&y.len())
        }
        (View::Map(x), View::Map(y)) => maps(x, y, numbers, work),
        (View::Bits(x), View::Bits(y)) => x.compare(y),
        (View::Pid(x), View::Pid(y)) => pids(&x, &y),
        (View::Port(x), View::Port(y)) => ports(&x, &y),
        (View::Ref(x), View::Ref(y)) => refs(x, y),
        (View::Fun(x), View::Fun(y)) => funs(x, y, numbers, work),
        (x, y) => match (rank(&x), rank(&y)) {
            (0, 0) => compare_numbers(&x, &y, numbers),
            (rx, ry) => rx.cmp(&ry),
        },
    }
}

fn maps<'a>(x: &'a Map, y: &'a Map, numbers: Numbers, work: &mut Vec<Pending<'a>>) -> Ordering {
    if x.len() != y.len() {
        return x.len().cmp(&y.len());
    }
    if x.same(y) {
        return Ordering::Equal;
    }
    let (xs, ys) = (x.sorted(), y.sorted());
    let values: Vec<_> = xs.iter().zip(&ys).map(|(p, q)| (p.1, q.1)).collect();
    let keys: Vec<_> = xs.iter().zip(&ys).map(|(p, q)| (p.0, q.0)).collect();
    work.push(Pending::Pairs(values.into_iter(), numbers));
    work.push(Pending::Pairs(keys.into_iter(), Numbers::ByType));
    Ordering::Equal
}

fn pids(x: &Pid, y: &Pid) -> Ordering {
    (x.serial, x.id)
        .cmp(&(y.serial, y.id))
        .then_with(|| x.node.name().cmp(y.node.name()))
        .then(x.creation.cmp(&y.creation))
}

fn ports(x: &Port, y: &Port) -> Ordering {
    let nodes = x.node.name().cmp(y.node.name());
    nodes.then(x.creation.cmp(&y.creation)).then(x.id.cmp(&y.id))
}

fn refs(x: &Ref, y: &Ref) -> Ordering {
    let nodes = x.node.name().cmp(y.node.name());
    let words = |r: &Ref| [r.maker[1], r.maker[0], r.words[2], r.words[1], r.words[0]];
    nodes.then(x.creation.cmp(&y.creation)).then(words(x).cmp(&words(y)))
}

fn funs<'a>(x: &'a Fun, y: &'a Fun, numbers: Numbers, work: &mut Vec<Pending<'a>>) -> Ordering {
    match (x, y) {
        (Fun::Local(x), Fun::Local(y)) => {
            let key = |c: &Closure| (c.module.name(), c.index, c.uniq, c.env.len());
            work.push(Pending::Slices(&x.env, &y.env, numbers));
            key(x).cmp(&key(y))
        }
        (
            Fun::External { module: m, name: f, arity: a },
            Fun::External { module: n, name: g, arity: b },
        ) => (m.name(), f.name(), a).cmp(&(n.name(), g.name(), b)),
        (Fun::Local(_), Fun::External { .. }) => Ordering::Less,
        (Fun::External { .. }, Fun::Local(_)) => Ordering::Greater,
    }
}

fn compare_numbers(x: &View<'_>, y: &View<'_>, numbers: Numbers) -> Ordering {
    use View::{Big, Float, Int};
    match (*x, *y) {
        (Int(a), Int(b)) => a.cmp(&b),
        (Big(a), Big(b)) => a.cmp(b),
        // A big integer is further from zero than any small one.
        (Int(_), Big(b)) => {
            if b.is_negative() {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Big(a), Int(_)) => {
            if a.is_negative() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (Float(a), Float(b)) if a == b => match numbers {
            Numbers::ByType if ZEROS_DIFFER.get() => a.total_cmp(&b),
            _ => Ordering::Equal,
        },
        (Float(a), Float(b)) => a.partial_cmp(&b).expect("no float is NaN"),
        (_, Float(_)) if numbers == Numbers::ByType => Ordering::Less,
        (Float(_), _) if numbers == Numbers::ByType => Ordering::Greater,
        (Int(a), Float(b)) => small_to_float(a, b),
        (Float(a), Int(b)) => small_to_float(b, a).reverse(),
        (Big(a), Float(b)) => big_to_float(a, b),
        (Float(a), Big(b)) => big_to_float(b, a).reverse(),
        _ => unreachable!("only numbers have rank 0"),
    }
}

/// Exact: beyond 2^53 a float has no fraction, so it is compared as an integer.
fn small_to_float(a: i64, b: f64) -> Ordering {
    const LOSSLESS: f64 = 9007199254740992.0;
    if b.abs() < LOSSLESS {
        (a as f64).partial_cmp(&b).expect("no float is NaN")
    } else if b.abs() < 9.3e18 {
        (a as i128).cmp(&(b as i128))
    } else if b > 0.0 {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

fn big_to_float(a: &BigInt, b: f64) -> Ordering {
    match BigInt::from_f64(b) {
        Some(b) => a.cmp(&b),
        None if a.sign() == Sign::Minus => Ordering::Less,
        None => Ordering::Greater,
    }
}

impl PartialEq for Term {
    #[inline]
    fn eq(&self, other: &Term) -> bool {
        exact_eq(self, other)
    }
}

impl Eq for Term {}
