//! Tuples.

use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::{MAX_TUPLE, Term};

pub const TABLE: &[Builtin] = &[
    function("erlang", "element", 2, |_, a| {
        let (i, t) = place(&a[0], &a[1], 0)?;
        Ok(t[i].clone())
    }),
    function("erlang", "setelement", 3, |_, a| {
        let (i, t) = place(&a[0], &a[1], 0)?;
        let mut elements = t.to_vec();
        elements[i] = a[2].clone();
        Ok(Term::tuple(elements))
    }),
    function("erlang", "tuple_size", 1, |_, a| Ok(Term::int(tuple(&a[0])?.len() as i64))),
    function("erlang", "tuple_to_list", 1, |_, a| Ok(Term::list(tuple(&a[0])?.iter().cloned()))),
    function("erlang", "list_to_tuple", 1, |_, a| match a[0].to_vec() {
        Some(elements) if elements.len() <= MAX_TUPLE => Ok(Term::tuple(elements)),
        _ => Err(Raise::badarg()),
    }),
    function("erlang", "append_element", 2, |_, a| {
        let mut elements = tuple(&a[0])?.to_vec();
        elements.push(a[1].clone());
        sized(elements)
    }),
    function("erlang", "insert_element", 3, |_, a| {
        let (i, t) = place(&a[0], &a[1], 1)?;
        let mut elements = t.to_vec();
        elements.insert(i, a[2].clone());
        sized(elements)
    }),
    function("erlang", "delete_element", 2, |_, a| {
        let (i, t) = place(&a[0], &a[1], 0)?;
        let mut elements = t.to_vec();
        elements.remove(i);
        Ok(Term::tuple(elements))
    }),
    function("erlang", "make_tuple", 2, |_, a| make_tuple(&a[0], &a[1], &Term::nil())),
    function("erlang", "make_tuple", 3, |_, a| make_tuple(&a[0], &a[1], &a[2])),
];

fn tuple(t: &Term) -> Result<&[Term], Raise> {
    t.as_tuple().ok_or_else(Raise::badarg)
}

fn sized(elements: Vec<Term>) -> Value {
    if elements.len() > MAX_TUPLE { Err(Raise::badarg()) } else { Ok(Term::tuple(elements)) }
}

/// The elements, and an index from 0 to below their number plus `more`.
fn place<'a>(index: &Term, t: &'a Term, more: usize) -> Result<(usize, &'a [Term]), Raise> {
    let elements = tuple(t)?;
    let index = index.as_usize().filter(|i| (1..=elements.len() + more).contains(i));
    index.map(|i| (i - 1, elements)).ok_or_else(Raise::badarg)
}

fn make_tuple(size: &Term, default: &Term, init: &Term) -> Value {
    let size = size.as_usize().filter(|n| *n <= MAX_TUPLE).ok_or_else(Raise::badarg)?;
    let init = init.to_vec().ok_or_else(Raise::badarg)?;
    let mut elements = vec![default.clone(); size];
    for pair in &init {
        let Some([index, value]) = pair.as_tuple() else { return Err(Raise::badarg()) };
        let i = index.as_usize().filter(|i| (1..=size).contains(i)).ok_or_else(Raise::badarg)?;
        elements[i - 1] = value.clone();
    }
    Ok(Term::tuple(elements))
}
