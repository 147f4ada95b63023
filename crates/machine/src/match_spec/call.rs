//! The functions that a match specification may call.

use reverl_term::num;
use reverl_term::{Pid, Term, View, atoms, compare, exact_eq, loose_eq};

/// `None` if it fails on these arguments.
pub type Function = fn(&[Term], Pid) -> Option<Term>;

pub fn find(name: &str, arity: usize) -> Option<Function> {
    let found = FUNCTIONS.iter().find(|(n, a, _)| *n == name && *a == arity);
    found.map(|(_, _, function)| *function)
}

fn is(test: bool) -> Option<Term> {
    Some(Term::bool(test))
}

fn number(n: usize) -> Option<Term> {
    Some(Term::int(n as i64))
}

const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("is_atom", 1, |a, _| is(a[0].is_atom())),
    ("is_float", 1, |a, _| is(a[0].as_float().is_some())),
    ("is_integer", 1, |a, _| is(a[0].is_integer())),
    ("is_list", 1, |a, _| is(a[0].is_list())),
    ("is_number", 1, |a, _| is(a[0].is_number())),
    ("is_pid", 1, |a, _| is(a[0].as_pid().is_some())),
    ("is_port", 1, |a, _| is(a[0].as_port().is_some())),
    ("is_reference", 1, |a, _| is(a[0].as_reference().is_some())),
    ("is_tuple", 1, |a, _| is(a[0].as_tuple().is_some())),
    ("is_map", 1, |a, _| is(a[0].as_map().is_some())),
    ("is_map_key", 2, |a, _| is(a[1].as_map()?.contains_key(&a[0]))),
    ("is_binary", 1, |a, _| is(a[0].as_bits().is_some_and(|b| b.is_binary()))),
    ("is_function", 1, |a, _| is(a[0].as_fun().is_some())),
    ("is_record", 3, is_record),
    ("not", 1, |a, _| is(!a[0].as_bool()?)),
    ("xor", 2, |a, _| is(a[0].as_bool()? != a[1].as_bool()?)),
    ("abs", 1, |a, _| num::abs(&a[0]).ok()),
    ("element", 2, |a, _| {
        let place = a[0].as_usize()?.checked_sub(1)?;
        a[1].as_tuple()?.get(place).cloned()
    }),
    ("hd", 1, |a, _| a[0].as_cons().map(|(head, _)| head.clone())),
    ("tl", 1, |a, _| a[0].as_cons().map(|(_, tail)| tail.clone())),
    ("length", 1, |a, _| number(a[0].list_len()?)),
    ("map_get", 2, |a, _| a[1].as_map()?.get(&a[0]).cloned()),
    ("map_size", 1, |a, _| number(a[0].as_map()?.len())),
    ("node", 0, |_, _| Some(Term::atom(atoms::NONODE))),
    ("node", 1, |a, _| match a[0].view() {
        View::Pid(pid) => Some(Term::atom(pid.node)),
        View::Port(port) => Some(Term::atom(port.node)),
        View::Ref(reference) => Some(Term::atom(reference.node)),
        _ => None,
    }),
    ("self", 0, |_, own| Some(Term::pid(own))),
    ("round", 1, |a, _| num::round(&a[0]).ok()),
    ("trunc", 1, |a, _| num::trunc(&a[0]).ok()),
    ("float", 1, |a, _| num::float(&a[0]).ok()),
    ("size", 1, |a, _| match a[0].view() {
        View::Tuple(elements) => number(elements.len()),
        View::Bits(bits) => number(bits.bit_len() / 8),
        _ => None,
    }),
    ("bit_size", 1, |a, _| number(a[0].as_bits()?.bit_len())),
    ("byte_size", 1, |a, _| number(a[0].as_bits()?.byte_len())),
    ("binary_part", 2, |a, _| match a[1].as_tuple()? {
        [start, length] => part(&a[0], start, length),
        _ => None,
    }),
    ("binary_part", 3, |a, _| part(&a[0], &a[1], &a[2])),
    ("+", 1, |a, _| num::add(&Term::int(0), &a[0]).ok()),
    ("-", 1, |a, _| num::neg(&a[0]).ok()),
    ("+", 2, |a, _| num::add(&a[0], &a[1]).ok()),
    ("-", 2, |a, _| num::sub(&a[0], &a[1]).ok()),
    ("*", 2, |a, _| num::mul(&a[0], &a[1]).ok()),
    ("/", 2, |a, _| num::div(&a[0], &a[1]).ok()),
    ("div", 2, |a, _| num::int_div(&a[0], &a[1]).ok()),
    ("rem", 2, |a, _| num::rem(&a[0], &a[1]).ok()),
    ("band", 2, |a, _| num::band(&a[0], &a[1]).ok()),
    ("bor", 2, |a, _| num::bor(&a[0], &a[1]).ok()),
    ("bxor", 2, |a, _| num::bxor(&a[0], &a[1]).ok()),
    ("bnot", 1, |a, _| num::bnot(&a[0]).ok()),
    ("bsl", 2, |a, _| num::bsl(&a[0], &a[1]).ok()),
    ("bsr", 2, |a, _| num::bsr(&a[0], &a[1]).ok()),
    (">", 2, |a, _| is(compare(&a[0], &a[1]).is_gt())),
    (">=", 2, |a, _| is(compare(&a[0], &a[1]).is_ge())),
    ("<", 2, |a, _| is(compare(&a[0], &a[1]).is_lt())),
    ("=<", 2, |a, _| is(compare(&a[0], &a[1]).is_le())),
    ("==", 2, |a, _| is(loose_eq(&a[0], &a[1]))),
    ("/=", 2, |a, _| is(!loose_eq(&a[0], &a[1]))),
    ("=:=", 2, |a, _| is(exact_eq(&a[0], &a[1]))),
    ("=/=", 2, |a, _| is(!exact_eq(&a[0], &a[1]))),
];

/// Name and size must be an atom and a number even if the first argument is not a tuple.
fn is_record(a: &[Term], _: Pid) -> Option<Term> {
    let name = a[1].as_atom()?;
    let size = a[2].as_i64()?;
    let fits = |t: &[Term]| t.len() as i64 == size && t.first().is_some_and(|f| f.is_atom_eq(name));
    is(a[0].as_tuple().is_some_and(fits))
}

fn part(binary: &Term, start: &Term, length: &Term) -> Option<Term> {
    let bits = binary.as_bits().filter(|b| b.is_binary())?;
    let (start, length) = (start.as_i64()?, length.as_i64()?);
    // A negative length reaches back from the start.
    let from = if length < 0 { start.checked_add(length)? } else { start };
    let to = from.checked_add(length.checked_abs()?)?;
    if start < 0 || from < 0 || to as usize > bits.byte_len() {
        return None;
    }
    Some(bits.slice(from as usize * 8, (to - from) as usize * 8))
}
