//! Numbers: rounding, and numbers as text.

use super::text::{latin1, string};
use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::num::{self, FloatForm, NumError};
use reverl_term::{BigInt, Term, View, atoms};

pub const TABLE: &[Builtin] = &[
    function("reverl", "mod_pow", 3, |_, a| {
        let big = |t: &Term| t.to_bigint().ok_or_else(Raise::badarg);
        let (base, exponent, modulus) = (big(&a[0])?, big(&a[1])?, big(&a[2])?);
        if modulus <= BigInt::from(0) || exponent < BigInt::from(0) {
            return Err(Raise::badarg());
        }
        Ok(Term::big(base.modpow(&exponent, &modulus)))
    }),
    function("erlang", "abs", 1, |_, a| number(num::abs(&a[0]))),
    function("erlang", "float", 1, |_, a| number(num::float(&a[0]))),
    function("erlang", "trunc", 1, |_, a| number(num::trunc(&a[0]))),
    function("erlang", "round", 1, |_, a| number(num::round(&a[0]))),
    function("erlang", "floor", 1, |_, a| number(num::floor(&a[0]))),
    function("erlang", "ceil", 1, |_, a| number(num::ceil(&a[0]))),
    function("erlang", "integer_to_list", 1, |_, a| Ok(Term::string(&digits(&a[0], None)?))),
    function("erlang", "integer_to_list", 2, |_, a| Ok(Term::string(&digits(&a[0], Some(&a[1]))?))),
    function("erlang", "integer_to_binary", 1, |_, a| ascii(digits(&a[0], None)?)),
    function("erlang", "integer_to_binary", 2, |_, a| ascii(digits(&a[0], Some(&a[1]))?)),
    function("erlang", "list_to_integer", 1, |_, a| parse(list_text(&a[0]), None)),
    function("erlang", "list_to_integer", 2, |_, a| parse(list_text(&a[0]), Some(&a[1]))),
    function("erlang", "binary_to_integer", 1, |_, a| parse(binary_text(&a[0]), None)),
    function("erlang", "binary_to_integer", 2, |_, a| parse(binary_text(&a[0]), Some(&a[1]))),
    function("erlang", "float_to_list", 1, |_, a| Ok(Term::string(&float_text(&a[0], None)?))),
    function("erlang", "float_to_list", 2, |_, a| {
        Ok(Term::string(&float_text(&a[0], Some(&a[1]))?))
    }),
    function("erlang", "float_to_binary", 1, |_, a| ascii(float_text(&a[0], None)?)),
    function("erlang", "float_to_binary", 2, |_, a| ascii(float_text(&a[0], Some(&a[1]))?)),
    function("erlang", "list_to_float", 1, |_, a| parse_float(list_text(&a[0]))),
    function("erlang", "binary_to_float", 1, |_, a| parse_float(binary_text(&a[0]))),
    function("string", "list_to_integer", 1, |_, a| Ok(leading(&a[0], leading_integer))),
    function("string", "list_to_float", 1, |_, a| Ok(leading(&a[0], leading_float))),
];

/// What is not a number is a bad argument of these functions, not bad arithmetic.
fn number(result: Result<Term, NumError>) -> Value {
    result.map_err(|_| Raise::badarg())
}

fn ascii(text: String) -> Value {
    Ok(Term::binary(text.as_bytes()))
}

fn base(base: Option<&Term>) -> Result<u32, Raise> {
    let Some(base) = base else { return Ok(10) };
    base.as_small().filter(|b| (2..=36).contains(b)).map(|b| b as u32).ok_or_else(Raise::badarg)
}

fn digits(n: &Term, radix: Option<&Term>) -> Result<String, Raise> {
    num::format_int(n, base(radix)?).ok_or_else(Raise::badarg)
}

fn list_text(t: &Term) -> Option<String> {
    t.is_list().then(|| latin1(t)).flatten()
}

fn binary_text(t: &Term) -> Option<String> {
    Some(t.binary_bytes()?.iter().map(|b| *b as char).collect())
}

fn parse(text: Option<String>, radix: Option<&Term>) -> Value {
    let radix = base(radix)?;
    text.and_then(|text| num::parse_int(&text, radix)).ok_or_else(Raise::badarg)
}

fn parse_float(text: Option<String>) -> Value {
    text.and_then(|t| num::parse_float(&t)).map(Term::float).ok_or_else(Raise::badarg)
}

fn float_text(f: &Term, options: Option<&Term>) -> Result<String, Raise> {
    let f = f.as_float().ok_or_else(Raise::badarg)?;
    let mut form = FloatForm::Scientific(20);
    let mut compact = false;
    let options = match options {
        Some(options) => options.to_vec().ok_or_else(Raise::badarg)?,
        None => vec![],
    };
    for option in &options {
        form = match option.view() {
            View::Atom(a) if a.name() == "compact" => {
                compact = true;
                form
            }
            View::Atom(a) if a.name() == "short" => FloatForm::Short,
            View::Tuple([key, digits]) => {
                let digits = digits.as_usize().ok_or_else(Raise::badarg)?;
                match key.as_atom().map(|a| a.name()) {
                    Some("decimals") => FloatForm::Decimals { digits, compact: false },
                    Some("scientific") => FloatForm::Scientific(digits),
                    _ => return Err(Raise::badarg()),
                }
            }
            _ => return Err(Raise::badarg()),
        };
    }
    if let FloatForm::Decimals { digits, .. } = form {
        form = FloatForm::Decimals { digits, compact };
    }
    num::format_float(f, form).ok_or_else(Raise::badarg)
}

/// A number and how many bytes it took, or why there is none.
type Leading = Result<(Term, usize), &'static str>;

/// `{Number, Rest}` of the number that a string begins with, or `{error, Why}`.
fn leading(t: &Term, read: fn(&[u8]) -> Leading) -> Term {
    let pair = |a: Term, b: Term| Term::tuple(vec![a, b]);
    let error = |why: &str| pair(Term::atom(atoms::ERROR), Term::atom_named(why));
    if !t.is_list() {
        return error("not_a_list");
    }
    // Only what can belong to a number is looked at.
    let byte = |c: &Term| c.as_small().filter(|c| (0..128).contains(c)).map(|c| c as u8);
    let bytes: Vec<u8> = t.list_iter().map_while(byte).collect();
    match read(&bytes) {
        Ok((number, used)) => {
            let mut rest = t.list_iter();
            rest.by_ref().take(used).for_each(drop);
            pair(number, rest.tail().clone())
        }
        Err(why) => error(why),
    }
}

fn digits_from(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count()
}

fn sign(bytes: &[u8]) -> usize {
    usize::from(matches!(bytes.first(), Some(b'+' | b'-')))
}

fn leading_integer(bytes: &[u8]) -> Leading {
    let end = digits_from(bytes, sign(bytes));
    let text = string(&bytes[..end]);
    num::parse_int(&text, 10).map(|n| (n, end)).ok_or("no_integer")
}

fn leading_float(bytes: &[u8]) -> Leading {
    let whole = digits_from(bytes, sign(bytes));
    if whole == sign(bytes) || !matches!(bytes.get(whole), Some(b'.' | b',')) {
        return Err("no_float");
    }
    let mut end = digits_from(bytes, whole + 1);
    if end == whole + 1 {
        return Err("no_float");
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let from = end + 1 + sign(&bytes[end + 1..]);
        let exponent = digits_from(bytes, from);
        if exponent > from {
            end = exponent;
        }
    }
    let text = string(&bytes[..end]);
    num::parse_float(&text).map(|f| (Term::float(f), end)).ok_or("no_float")
}
