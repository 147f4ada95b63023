//! The process dictionary.

use super::{Builtin, function};
use reverl_term::{Map, Term, atoms, exact_eq};

pub const TABLE: &[Builtin] = &[
    function("erlang", "get", 0, |c, _| Ok(pairs(&c.local.dictionary))),
    function("erlang", "get", 1, |c, a| Ok(or_undefined(c.local.dictionary.get(&a[0]).cloned()))),
    function("erlang", "put", 2, |c, a| {
        Ok(or_undefined(c.local.dictionary.insert(a[0].clone(), a[1].clone())))
    }),
    function("erlang", "erase", 0, |c, _| Ok(pairs(&std::mem::take(&mut c.local.dictionary)))),
    function("erlang", "erase", 1, |c, a| {
        Ok(or_undefined(c.local.dictionary.remove(&a[0]).map(|(_, value)| value)))
    }),
    function("erlang", "get_keys", 0, |c, _| {
        let keys: Vec<Term> = c.local.dictionary.keys().cloned().collect();
        Ok(Term::list(keys))
    }),
    function("erlang", "get_keys", 1, |c, a| {
        let pairs = c.local.dictionary.iter().filter(|(_, value)| exact_eq(value, &a[0]));
        let keys: Vec<Term> = pairs.map(|(key, _)| key.clone()).collect();
        Ok(Term::list(keys))
    }),
];

fn or_undefined(value: Option<Term>) -> Term {
    value.unwrap_or(Term::atom(atoms::UNDEFINED))
}

/// OTP's order depends on its atom table; ours is that of a map.
fn pairs(dictionary: &Map) -> Term {
    let pair = |(k, v): (&Term, &Term)| Term::tuple(vec![k.clone(), v.clone()]);
    let pairs: Vec<Term> = dictionary.iter().map(pair).collect();
    Term::list(pairs)
}
