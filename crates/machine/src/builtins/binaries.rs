//! Sizes and parts of binaries.

use super::{Builtin, Value, function, shortcut};
use crate::raise::Raise;
use reverl_term::{BigInt, Bits, Term, View, atoms};

pub const TABLE: &[Builtin] = &[
    function("erlang", "byte_size", 1, |_, a| Ok(Term::int(bits(&a[0])?.byte_len() as i64))),
    function("erlang", "bit_size", 1, |_, a| Ok(Term::int(bits(&a[0])?.bit_len() as i64))),
    function("erlang", "size", 1, |_, a| match a[0].view() {
        View::Tuple(t) => Ok(Term::int(t.len() as i64)),
        View::Bits(b) => Ok(Term::int(b.bit_len() as i64 / 8)),
        _ => Err(Raise::badarg()),
    }),
    function("erlang", "binary_part", 2, |_, a| part_of_pair(a)),
    function("erlang", "binary_part", 3, |_, a| part(&a[0], &a[1], &a[2])),
    function("binary", "part", 2, |_, a| part_of_pair(a)),
    function("binary", "part", 3, |_, a| part(&a[0], &a[1], &a[2])),
    function("erlang", "split_binary", 2, |_, a| {
        let b = bits(&a[0])?;
        let at = a[1].as_usize().filter(|at| *at <= b.bit_len() / 8).ok_or_else(Raise::badarg)?;
        let (first, rest) = (b.slice(0, at * 8), b.slice(at * 8, b.bit_len() - at * 8));
        Ok(Term::tuple(vec![first, rest]))
    }),
    function("binary", "at", 2, |_, a| {
        let b = binary(&a[0])?;
        let at = a[1].as_usize().filter(|at| *at < b.byte_len()).ok_or_else(Raise::badarg)?;
        Ok(Term::small(i64::from(b.padded_byte(at))))
    }),
    function("binary", "first", 1, |_, a| byte_from(&a[0], |_| Some(0))),
    function("binary", "last", 1, |_, a| byte_from(&a[0], |len| len.checked_sub(1))),
    shortcut("binary", "bin_to_list", 1, |a| {
        Some(super::iolists::byte_list(&binary(&a[0]).ok()?.to_vec()))
    }),
    function("binary", "copy", 1, |_, a| Ok(Term::binary(&binary(&a[0])?.to_vec()))),
    function("binary", "copy", 2, |_, a| {
        let n = a[1].as_usize().ok_or_else(Raise::badarg)?;
        if n == 0 && bits(&a[0]).is_ok() {
            // OTP looks at the last bits only when it copies.
            return Ok(Term::binary(&[]));
        }
        let bytes = binary(&a[0])?.to_vec();
        match bytes.len().checked_mul(n).filter(|size| *size < 1 << 32) {
            Some(_) => Ok(Term::binary(&bytes.repeat(n))),
            None => Err(Raise::system_limit()),
        }
    }),
    function("binary", "referenced_byte_size", 1, |_, a| {
        Ok(Term::int(binary(&a[0])?.byte_len() as i64))
    }),
    function("binary", "decode_unsigned", 1, |_, a| decode(&a[0], atoms::BIG)),
    function("binary", "decode_unsigned", 2, |_, a| {
        decode(&a[0], a[1].as_atom().ok_or_else(Raise::badarg)?)
    }),
    function("binary", "encode_unsigned", 1, |_, a| encode(&a[0], atoms::BIG)),
    function("binary", "encode_unsigned", 2, |_, a| {
        encode(&a[0], a[1].as_atom().ok_or_else(Raise::badarg)?)
    }),
    function("binary", "longest_common_prefix", 1, |_, a| common(&a[0], |b, i| b.get(i))),
    function("binary", "longest_common_suffix", 1, |_, a| {
        common(&a[0], |b, i| b.len().checked_sub(i + 1).map(|at| &b[at]))
    }),
];

fn bits(t: &Term) -> Result<&Bits, Raise> {
    t.as_bits().ok_or_else(Raise::badarg)
}

fn binary(t: &Term) -> Result<&Bits, Raise> {
    t.as_bits().filter(|b| b.is_binary()).ok_or_else(Raise::badarg)
}

/// Start and length in bytes of a part, which may be given backwards from its end.
pub fn range(start: &Term, len: &Term, size: usize) -> Option<(usize, usize)> {
    let (start, len) = (start.as_usize()?, len.as_i64()?);
    let first = if len < 0 { start.checked_sub(len.unsigned_abs() as usize)? } else { start };
    let len = len.unsigned_abs() as usize;
    (start <= size && first <= size && len <= size - first).then_some((first, len))
}

fn part(t: &Term, start: &Term, len: &Term) -> Value {
    // The whole bytes of a bitstring have parts too.
    let b = bits(t)?;
    let (start, len) = range(start, len, b.bit_len() / 8).ok_or_else(Raise::badarg)?;
    Ok(b.slice(start * 8, len * 8))
}

fn part_of_pair(a: &[Term]) -> Value {
    match a[1].as_tuple() {
        Some([start, len]) => part(&a[0], start, len),
        _ => Err(Raise::badarg()),
    }
}

fn byte_from(t: &Term, at: fn(usize) -> Option<usize>) -> Value {
    let b = binary(t)?;
    let at = at(b.byte_len()).filter(|at| *at < b.byte_len()).ok_or_else(Raise::badarg)?;
    Ok(Term::small(i64::from(b.padded_byte(at))))
}

fn decode(t: &Term, endian: reverl_term::Atom) -> Value {
    let bytes = binary(t)?.to_vec();
    let sign = BigInt::from(1).sign();
    match endian {
        atoms::BIG => Ok(Term::big(BigInt::from_bytes_be(sign, &bytes))),
        atoms::LITTLE => Ok(Term::big(BigInt::from_bytes_le(sign, &bytes))),
        _ => Err(Raise::badarg()),
    }
}

fn encode(t: &Term, endian: reverl_term::Atom) -> Value {
    let n = t.to_bigint().filter(|n| *n >= BigInt::from(0)).ok_or_else(Raise::badarg)?;
    match endian {
        atoms::BIG => Ok(Term::binary(&n.to_bytes_be().1)),
        atoms::LITTLE => Ok(Term::binary(&n.to_bytes_le().1)),
        _ => Err(Raise::badarg()),
    }
}

/// How many bytes all binaries of a list share, counted from one end.
fn common(list: &Term, byte: fn(&[u8], usize) -> Option<&u8>) -> Value {
    let items = list.to_vec().filter(|l| !l.is_empty()).ok_or_else(Raise::badarg)?;
    let items: Option<Vec<_>> = items.iter().map(|t| t.binary_bytes()).collect();
    let items = items.ok_or_else(Raise::badarg)?;
    let first = &items[0];
    let shared = |i: &usize| {
        let b = byte(first, *i);
        b.is_some() && items.iter().all(|item| byte(item, *i) == b)
    };
    Ok(Term::int((0..).take_while(shared).count() as i64))
}
