//! `atomics` and `counters`: arrays of 64-bit words that processes share. The modules themselves
//! are written in Erlang; here are the functions they need.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{BigInt, Ref, Term, atoms, num};
use std::rc::Rc;

type Answer = Result<Term, Raise>;

macro_rules! rows {
    ($($module:literal $name:literal $arity:literal $f:expr,)*) => {
        &[$(($module, $name, $arity, |s, p, a| {
            let f: fn(&mut System, ProcId, &[Term]) -> Answer = $f;
            f(s, p, a).map(Reply::value).unwrap_or_else(Reply::raise)
        }),)*]
    };
}

pub const TABLE: &[Row] = rows![
    "erts_internal" "atomics_new" 2 new,
    "atomics" "put" 3 |s, p, a| change(s, p, a, |_, new| new).map(done),
    "atomics" "get" 2 |s, p, a| look(s, p, &a[0], &a[1]),
    "atomics" "add" 3 |s, p, a| add(s, p, a, i64::wrapping_add).map(done),
    "atomics" "add_get" 3 |s, p, a| add(s, p, a, i64::wrapping_add).map(|(_, new)| new),
    "atomics" "sub" 3 |s, p, a| sub(s, p, a).map(done),
    "atomics" "sub_get" 3 |s, p, a| sub(s, p, a).map(|(_, new)| new),
    "atomics" "exchange" 3 |s, p, a| change(s, p, a, |_, new| new).map(|(old, _)| old),
    "atomics" "compare_exchange" 4 compare_exchange,
    "atomics" "info" 1 |s, p, a| open(s, p, &a[0]).map(|array| array.info()),
    "erts_internal" "counters_new" 1 |s, p, a| make(s, p, &a[0], true),
    "erts_internal" "counters_put" 3 |s, p, a| change(s, p, a, |_, new| new).map(done),
    "erts_internal" "counters_get" 2 |s, p, a| look(s, p, &a[0], &a[1]),
    "erts_internal" "counters_add" 3 |s, p, a| add(s, p, a, i64::wrapping_add).map(done),
    "erts_internal" "counters_info" 1 counters_info,
];

/// An array as it is now. Its first word says whether the others have a sign.
struct Array {
    id: Ref,
    words: Rc<Vec<i64>>,
}

fn done(_: (Term, Term)) -> Term {
    Term::atom(atoms::OK)
}

fn open(s: &mut System, p: ProcId, id: &Term) -> Result<Array, Raise> {
    let id = *id.as_reference().ok_or_else(Raise::badarg)?;
    let event = s.upcoming(p);
    match s.execution.objects.read(Object::Atomics(id), event) {
        Value::Words(words) => Ok(Array { id, words }),
        _ => Err(Raise::badarg()),
    }
}

impl Array {
    fn is_signed(&self) -> bool {
        self.words[0] != 0
    }

    fn size(&self) -> usize {
        self.words.len() - 1
    }

    fn place(&self, index: &Term) -> Result<usize, Raise> {
        index.as_usize().filter(|i| (1..=self.size()).contains(i)).ok_or_else(Raise::badarg)
    }

    fn term(&self, word: i64) -> Term {
        if self.is_signed() { Term::int(word) } else { Term::big(BigInt::from(word as u64)) }
    }

    fn word(&self, term: &Term) -> Option<i64> {
        match self.is_signed() {
            true => term.as_i64(),
            false => u64::try_from(term.to_bigint()?).ok().map(|n| n as i64),
        }
    }

    fn info(&self) -> Term {
        let (min, max) = match self.is_signed() {
            true => (BigInt::from(i64::MIN), BigInt::from(i64::MAX)),
            false => (BigInt::from(0), BigInt::from(u64::MAX)),
        };
        let item = |name: &str, value: Term| (Term::atom_named(name), value);
        Term::map_from(vec![
            item("max", Term::big(max)),
            item("memory", Term::int(40 + 8 * self.size() as i64)),
            item("min", Term::big(min)),
            item("size", Term::int(self.size() as i64)),
        ])
    }
}

fn make(s: &mut System, p: ProcId, size: &Term, signed: bool) -> Answer {
    let positive = size.is_integer() && reverl_term::compare(size, &Term::int(0)).is_gt();
    if !positive {
        return Err(Raise::badarg());
    }
    // As much as OTP would try to have.
    let Some(size) = size.as_usize().filter(|n| *n <= 1 << 28) else {
        return Err(Raise::error(Term::atom(atoms::SYSTEM_LIMIT)));
    };
    let mut words = vec![0; size + 1];
    words[0] = i64::from(signed);
    let id = s.new_ref(p);
    let object = Object::Atomics(*id.as_reference().expect("just made"));
    let event = s.upcoming(p);
    s.execution.objects.write(object, event, Value::Words(Rc::new(words)));
    Ok(id)
}

/// `atomics_new(Size, Options)`: the lowest bit of the options says that there is a sign.
fn new(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let options = a[1].as_small().ok_or_else(Raise::badarg)?;
    make(s, p, &a[0], options & 1 == 1)
}

fn look(s: &mut System, p: ProcId, id: &Term, index: &Term) -> Answer {
    let array = open(s, p, id)?;
    let place = array.place(index)?;
    Ok(array.term(array.words[place]))
}

fn store(s: &mut System, p: ProcId, array: Array, place: usize, word: i64) {
    let mut words = array.words;
    Rc::make_mut(&mut words)[place] = word;
    let event = s.upcoming(p);
    s.execution.objects.write(Object::Atomics(array.id), event, Value::Words(words));
}

/// Changes a word by an argument; what it was and is.
fn change(
    s: &mut System,
    p: ProcId,
    a: &[Term],
    f: fn(i64, i64) -> i64,
) -> Result<(Term, Term), Raise> {
    let array = open(s, p, &a[0])?;
    let place = array.place(&a[1])?;
    let by = array.word(&a[2]).ok_or_else(Raise::badarg)?;
    let (old, new) = (array.words[place], f(array.words[place], by));
    let answer = (array.term(old), array.term(new));
    store(s, p, array, place, new);
    Ok(answer)
}

/// As `change`; what is added may be any 64-bit integer, with or without sign.
fn add(
    s: &mut System,
    p: ProcId,
    a: &[Term],
    f: fn(i64, i64) -> i64,
) -> Result<(Term, Term), Raise> {
    let array = open(s, p, &a[0])?;
    let place = array.place(&a[1])?;
    let unsigned = || u64::try_from(a[2].to_bigint()?).ok().map(|n| n as i64);
    let by = a[2].as_i64().or_else(unsigned).ok_or_else(Raise::badarg)?;
    let (old, new) = (array.words[place], f(array.words[place], by));
    let answer = (array.term(old), array.term(new));
    store(s, p, array, place, new);
    Ok(answer)
}

/// In OTP it is an addition of the negative number, which must be one.
fn sub(s: &mut System, p: ProcId, a: &[Term]) -> Result<(Term, Term), Raise> {
    num::neg(&a[2])?;
    add(s, p, a, i64::wrapping_sub)
}

fn compare_exchange(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let array = open(s, p, &a[0])?;
    let place = array.place(&a[1])?;
    let (Some(expected), Some(new)) = (array.word(&a[2]), array.word(&a[3])) else {
        return Err(Raise::badarg());
    };
    if array.words[place] != expected {
        return Ok(array.term(array.words[place]));
    }
    store(s, p, array, place, new);
    Ok(Term::atom(atoms::OK))
}

/// Of counters made with `write_concurrency`, which are exact here.
fn counters_info(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let array = open(s, p, &a[0])?;
    let item = |name: &str, n: i64| (Term::atom_named(name), Term::int(n));
    let size = array.size() as i64;
    Ok(Term::map_from(vec![item("memory", 40 + 8 * size), item("size", size)]))
}
