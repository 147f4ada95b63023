//! The external term format and hashes of terms.

use super::iolists::iovec;
use super::{Builtin, Context, Value, function};
use crate::raise::Raise;
use reverl_term::etf::{self, DecodeOptions, EncodeOptions};
use reverl_term::{Term, View, phash, phash2, phash2_default};

pub const TABLE: &[Builtin] = &[
    function("erlang", "term_to_binary", 1, |c, a| to_binary(c, &a[0], &Term::nil())),
    function("erlang", "term_to_binary", 2, |c, a| to_binary(c, &a[0], &a[1])),
    function("erlang", "term_to_iovec", 1, |c, a| iovec(to_binary(c, &a[0], &Term::nil())?)),
    function("erlang", "term_to_iovec", 2, |c, a| iovec(to_binary(c, &a[0], &a[1])?)),
    function("erlang", "external_size", 1, |c, a| size(c, &a[0], &Term::nil())),
    function("erlang", "external_size", 2, |c, a| size(c, &a[0], &a[1])),
    function("erlang", "binary_to_term", 1, |_, a| from_binary(&a[0], &Term::nil())),
    function("erlang", "binary_to_term", 2, |_, a| from_binary(&a[0], &a[1])),
    function("erlang", "phash2", 1, |_, a| Ok(Term::int(phash2_default(&a[0]) as i64))),
    function("erlang", "phash2", 2, |_, a| {
        let range = a[1].as_i64().filter(|r| (1..=1 << 32).contains(r));
        Ok(Term::int(phash2(&a[0], range.ok_or_else(Raise::badarg)? as u64) as i64))
    }),
    function("erlang", "phash", 2, |_, a| {
        let range = a[1].as_i64().filter(|r| (1..=1 << 32).contains(r));
        Ok(Term::int(phash(&a[0], range.ok_or_else(Raise::badarg)? as u64) as i64))
    }),
    function("erts_debug", "flat_size", 1, |_, a| Ok(Term::int(words(&a[0])))),
    function("erts_debug", "size", 1, |_, a| Ok(Term::int(words(&a[0])))),
];

/// From OTP 26 on, atoms are UTF-8 unless an older format is asked for.
fn encode_options(c: &Context, list: &Term) -> Result<EncodeOptions, Raise> {
    let minor_version = if c.program.otp.release >= 26 { 2 } else { 1 };
    let mut chosen = EncodeOptions { minor_version, ..EncodeOptions::default() };
    let mut is_local = false;
    for option in list.to_vec().ok_or_else(Raise::badarg)? {
        match option.view() {
            View::Atom(a) if a.name() == "compressed" => chosen.compressed = Some(6),
            View::Atom(a) if a.name() == "deterministic" => chosen.deterministic = true,
            View::Atom(a) if a.name() == "local" => is_local = true,
            View::Tuple([key, value]) => {
                let value = value.as_usize().ok_or_else(Raise::badarg)?;
                match key.as_atom().map(|a| a.name()) {
                    Some("compressed") if value <= 9 => {
                        chosen.compressed = (value > 0).then_some(value as u32);
                    }
                    Some("minor_version") if value <= 2 => chosen.minor_version = value as u8,
                    _ => return Err(Raise::badarg()),
                }
            }
            _ => return Err(Raise::badarg()),
        }
    }
    match chosen.deterministic && is_local {
        true => Err(Raise::badarg()),
        false => Ok(chosen),
    }
}

fn to_binary(c: &Context, t: &Term, options: &Term) -> Value {
    Ok(Term::binary(&etf::encode(t, &encode_options(c, options)?)))
}

fn size(c: &Context, t: &Term, options: &Term) -> Value {
    Ok(Term::int(etf::encode(t, &encode_options(c, options)?).len() as i64))
}

fn from_binary(t: &Term, options: &Term) -> Value {
    let (mut chosen, mut used) = (DecodeOptions::default(), false);
    for option in options.to_vec().ok_or_else(|| Raise::badarg_because("badopt"))? {
        match option.as_atom().map(|a| a.name()) {
            Some("safe") => chosen.safe = true,
            Some("used") => used = true,
            _ => return Err(Raise::badarg_because("badopt")),
        }
    }
    let bytes = t.binary_bytes().ok_or_else(Raise::badarg)?;
    let (term, count) = etf::decode(&bytes, &chosen).map_err(|_| Raise::badarg())?;
    Ok(if used { Term::tuple(vec![term, Term::int(count as i64)]) } else { term })
}

/// The heap words that OTP would need for a copy of the term.
fn words(t: &Term) -> i64 {
    let mut sum = 0;
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        sum += match t.view() {
            View::Cons(head, tail) => {
                todo.extend([tail, head]);
                2
            }
            View::Tuple([]) => 0,
            View::Tuple(elements) => {
                todo.extend(elements);
                1 + elements.len() as i64
            }
            View::Map(map) => {
                todo.extend(map.iter().flat_map(|(k, v)| [k, v]));
                let n = map.len() as i64;
                // A flat map has a tuple of keys beside; a large one about one node in two pairs.
                if n <= 32 { 3 + n + if n > 0 { 1 + n } else { 0 } } else { 2 + n * 5 / 2 }
            }
            View::Float(_) => 2,
            View::Big(n) => 1 + n.bits().div_ceil(64) as i64,
            View::Bits(b) if b.byte_len() > 64 => 8,
            View::Bits(b) => 2 + b.byte_len().div_ceil(8) as i64,
            View::Fun(_) => 2,
            View::Ref(_) => 3,
            _ => 0,
        };
    }
    sum
}
