//! `+`, `-`, `*`, `/`, `div`, `rem`, `abs` and the conversions between integers and floats.

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Signed, Zero};

use super::{MAX_BITS, NumError};
use crate::term::Term;
use crate::view::View;

type Result = std::result::Result<Term, NumError>;

/// An operand pair brought to one type.
enum Pair {
    Ints(BigInt, BigInt),
    Floats(f64, f64),
}

fn pair(a: &Term, b: &Term) -> std::result::Result<Pair, NumError> {
    match (a.to_bigint(), b.to_bigint()) {
        (Some(x), Some(y)) => Ok(Pair::Ints(x, y)),
        _ => Ok(Pair::Floats(to_float(a)?, to_float(b)?)),
    }
}

/// A number as a float, if it is a number and not too large.
pub(crate) fn to_float(t: &Term) -> std::result::Result<f64, NumError> {
    match t.view() {
        View::Int(i) => Ok(i as f64),
        View::Float(f) => Ok(f),
        View::Big(b) => big_to_float(b).ok_or(NumError::BadArith),
        _ => Err(NumError::BadArith),
    }
}

/// OTP adds up 64-bit digits from the top, rounding each time; the result may differ from the nearest float.
fn big_to_float(b: &BigInt) -> Option<f64> {
    let base = 2f64.powi(64);
    let magnitude = b.iter_u64_digits().rev().fold(0.0, |f, d| f * base + d as f64);
    let f = if b.sign() == Sign::Minus { -magnitude } else { magnitude };
    f.is_finite().then_some(f)
}

fn finite(f: f64) -> Result {
    if f.is_finite() { Ok(Term::float(f)) } else { Err(NumError::BadArith) }
}

pub(super) fn integer(i: BigInt) -> Result {
    if i.bits() > MAX_BITS { Err(NumError::SystemLimit) } else { Ok(Term::big(i)) }
}

/// `A + B`.
#[inline]
pub fn add(a: &Term, b: &Term) -> Result {
    if Term::both_small(a, b) {
        if let Some(t) = Term::add_small(a, b) {
            return Ok(t);
        }
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return finite(x + y);
    }
    match pair(a, b)? {
        Pair::Ints(x, y) => integer(x + y),
        Pair::Floats(x, y) => finite(x + y),
    }
}

/// `A - B`.
#[inline]
pub fn sub(a: &Term, b: &Term) -> Result {
    if Term::both_small(a, b) {
        if let Some(t) = Term::sub_small(a, b) {
            return Ok(t);
        }
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return finite(x - y);
    }
    match pair(a, b)? {
        Pair::Ints(x, y) => integer(x - y),
        Pair::Floats(x, y) => finite(x - y),
    }
}

/// `A * B`.
#[inline]
pub fn mul(a: &Term, b: &Term) -> Result {
    if Term::both_small(a, b) {
        if let Some(t) = Term::mul_small(a, b) {
            return Ok(t);
        }
    }
    if let (Some(x), Some(y)) = (a.as_float(), b.as_float()) {
        return finite(x * y);
    }
    match pair(a, b)? {
        Pair::Ints(x, y) if x.bits() + y.bits() > MAX_BITS + 1 => Err(NumError::SystemLimit),
        Pair::Ints(x, y) => integer(x * y),
        Pair::Floats(x, y) => finite(x * y),
    }
}

/// `/`, always a float.
pub fn div(a: &Term, b: &Term) -> Result {
    let (x, y) = (to_float(a)?, to_float(b)?);
    if y == 0.0 { Err(NumError::BadArith) } else { finite(x / y) }
}

/// Two integers, the second not zero.
fn divisible(a: &Term, b: &Term) -> std::result::Result<(BigInt, BigInt), NumError> {
    match (a.to_bigint(), b.to_bigint()) {
        (Some(x), Some(y)) if !y.is_zero() => Ok((x, y)),
        _ => Err(NumError::BadArith),
    }
}

/// `A div B`, rounded towards zero.
#[inline]
pub fn int_div(a: &Term, b: &Term) -> Result {
    match (a.as_small(), b.as_small()) {
        (Some(x), Some(y)) if y != 0 => Ok(Term::int(x / y)),
        _ => divisible(a, b).map(|(x, y)| Term::big(x / y)),
    }
}

/// `A rem B`, with the sign of `A`.
#[inline]
pub fn rem(a: &Term, b: &Term) -> Result {
    match (a.as_small(), b.as_small()) {
        (Some(x), Some(y)) if y != 0 => Ok(Term::small(x % y)),
        _ => divisible(a, b).map(|(x, y)| Term::big(x % y)),
    }
}

/// `-X`.
pub fn neg(a: &Term) -> Result {
    match a.view() {
        View::Int(i) => Ok(Term::int(-i)),
        View::Big(b) => Ok(Term::big(-b)),
        View::Float(f) => Ok(Term::float(-f)),
        _ => Err(NumError::BadArith),
    }
}

/// `abs/1`; for what is not a number, the caller raises `badarg`.
pub fn abs(a: &Term) -> Result {
    match a.view() {
        View::Int(i) => Ok(Term::int(i.abs())),
        View::Big(b) => Ok(Term::big(b.abs())),
        // OTP's `abs(-0.0)` is `-0.0`, which is not less than zero.
        View::Float(f) => Ok(Term::float(if f < 0.0 { -f } else { f })),
        _ => Err(NumError::BadArith),
    }
}

/// `float/1`.
pub fn float(a: &Term) -> Result {
    to_float(a).map(Term::float)
}

fn to_integer(a: &Term, part: impl Fn(f64) -> f64) -> Result {
    match a.view() {
        View::Int(_) | View::Big(_) => Ok(a.clone()),
        View::Float(f) => BigInt::from_f64(part(f)).map(Term::big).ok_or(NumError::BadArith),
        _ => Err(NumError::BadArith),
    }
}

/// `trunc/1`.
pub fn trunc(a: &Term) -> Result {
    to_integer(a, f64::trunc)
}

/// `round/1`, halves away from zero.
pub fn round(a: &Term) -> Result {
    to_integer(a, f64::round)
}

/// `floor/1`.
pub fn floor(a: &Term) -> Result {
    to_integer(a, f64::floor)
}

/// `ceil/1`.
pub fn ceil(a: &Term) -> Result {
    to_integer(a, f64::ceil)
}
