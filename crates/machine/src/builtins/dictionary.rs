//! The process dictionary.

use super::{Builtin, function};
use crate::dictionary::Dictionary;
use reverl_term::{Term, atoms, exact_eq};

pub const TABLE: &[Builtin] = &[
    function("erlang", "get", 0, |c, _| Ok(c.local.dictionary.pairs())),
    function("erlang", "get", 1, |c, a| Ok(or_undefined(c.local.dictionary.get(&a[0]).cloned()))),
    function("erlang", "put", 2, |c, a| {
        Ok(or_undefined(c.local.dictionary.put(a[0].clone(), a[1].clone())))
    }),
    function("erlang", "erase", 0, |c, _| Ok(std::mem::take(&mut c.local.dictionary).pairs())),
    function("erlang", "erase", 1, |c, a| Ok(or_undefined(c.local.dictionary.erase(&a[0])))),
    function("erlang", "get_keys", 0, |c, _| Ok(keys(&c.local.dictionary, |_| true))),
    function("erlang", "get_keys", 1, |c, a| {
        Ok(keys(&c.local.dictionary, |value| exact_eq(value, &a[0])))
    }),
];

fn or_undefined(value: Option<Term>) -> Term {
    value.unwrap_or(Term::atom(atoms::UNDEFINED))
}

/// The keys whose values are meant.
fn keys(dictionary: &Dictionary, is_meant: impl Fn(&Term) -> bool) -> Term {
    let meant = dictionary.listed().filter(|(_, value)| is_meant(value));
    Term::list(meant.map(|(key, _)| key.clone()).collect::<Vec<_>>())
}
