//! Lists, binaries and I/O lists of bytes, one into another.

use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::{Bits, BitsBuilder, Term, View};

pub const TABLE: &[Builtin] = &[
    function("erlang", "iolist_size", 1, |_, a| {
        let mut size = 0;
        each(&a[0], &mut |part| match part {
            Part::Byte(_) => {
                size += 1;
                true
            }
            Part::Bits(bits) => {
                size += bits.byte_len();
                bits.is_binary()
            }
        })
        .then(|| Term::int(size as i64))
        .ok_or_else(Raise::badarg)
    }),
    function("erlang", "iolist_to_binary", 1, |_, a| binary(&a[0])),
    function("erlang", "iolist_to_iovec", 1, |_, a| iovec(binary(&a[0])?)),
    function("erlang", "list_to_binary", 1, |_, a| {
        if a[0].is_list() { binary(&a[0]) } else { Err(Raise::badarg()) }
    }),
    function("binary", "list_to_bin", 1, |_, a| {
        if a[0].is_list() { binary(&a[0]) } else { Err(Raise::badarg()) }
    }),
    function("erlang", "list_to_bitstring", 1, |_, a| {
        if !a[0].is_list() {
            return Err(Raise::badarg());
        }
        let mut out = BitsBuilder::new();
        let whole = each(&a[0], &mut |part| {
            match part {
                Part::Byte(byte) => out.push_bytes(&[byte]),
                Part::Bits(bits) => out.push_bits_of(bits),
            }
            true
        });
        if whole { Ok(out.finish()) } else { Err(Raise::badarg()) }
    }),
    function("erlang", "binary_to_list", 1, |_, a| {
        let bytes = a[0].binary_bytes().ok_or_else(Raise::badarg)?;
        Ok(byte_list(&bytes))
    }),
    function("erlang", "binary_to_list", 3, |_, a| {
        let bytes = a[0].binary_bytes().ok_or_else(Raise::badarg)?;
        match (a[1].as_usize(), a[2].as_usize()) {
            (Some(first), Some(last)) if 1 <= first && first <= last && last <= bytes.len() => {
                Ok(byte_list(&bytes[first - 1..last]))
            }
            _ => Err(Raise::badarg()),
        }
    }),
    function("erlang", "bitstring_to_list", 1, |_, a| {
        let bits = a[0].as_bits().ok_or_else(Raise::badarg)?;
        let whole = bits.bit_len() / 8;
        let rest = bits.bit_len() % 8;
        let tail = match rest {
            0 => Term::nil(),
            _ => Term::cons(bits.slice(whole * 8, rest), Term::nil()),
        };
        let bytes = (0..whole).map(|i| Term::small(i64::from(bits.padded_byte(i))));
        Ok(Term::list_with_tail(bytes, tail))
    }),
];

/// One part of an iolist.
pub enum Part<'a> {
    Byte(u8),
    Bits(&'a Bits),
}

/// Visits the parts of an I/O list in order, without recursion. False if it is none, or `visit`
/// refused a part.
pub fn each<'a>(t: &'a Term, visit: &mut dyn FnMut(Part<'a>) -> bool) -> bool {
    if let View::Bits(bits) = t.view() {
        return visit(Part::Bits(bits));
    }
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        let ok = match t.view() {
            View::Nil => true,
            View::Cons(head, tail) => {
                todo.push(tail);
                match head.view() {
                    View::Int(byte @ 0..=255) => visit(Part::Byte(byte as u8)),
                    View::Bits(bits) => visit(Part::Bits(bits)),
                    View::Nil | View::Cons(..) => {
                        todo.push(head);
                        true
                    }
                    _ => false,
                }
            }
            View::Bits(bits) => visit(Part::Bits(bits)),
            _ => false,
        };
        if !ok {
            return false;
        }
    }
    true
}

/// The bytes of an I/O list.
pub fn bytes(t: &Term) -> Option<Vec<u8>> {
    let mut out = vec![];
    let whole = each(t, &mut |part| match part {
        Part::Byte(byte) => {
            out.push(byte);
            true
        }
        Part::Bits(bits) if bits.is_binary() => {
            match bits.as_bytes() {
                Some(bytes) => out.extend_from_slice(bytes),
                None => out.extend(bits.to_vec()),
            }
            true
        }
        Part::Bits(_) => false,
    });
    whole.then_some(out)
}

fn binary(t: &Term) -> Value {
    if t.as_bits().is_some_and(Bits::is_binary) {
        return Ok(t.clone());
    }
    bytes(t).map(|bytes| Term::binary(&bytes)).ok_or_else(Raise::badarg)
}

/// A list of binaries without an empty one.
pub fn iovec(binary: Term) -> Value {
    let empty = binary.as_bits().is_some_and(|b| b.bit_len() == 0);
    Ok(if empty { Term::nil() } else { Term::cons(binary, Term::nil()) })
}

pub fn byte_list(bytes: &[u8]) -> Term {
    Term::list(bytes.iter().map(|b| Term::small(i64::from(*b))))
}
