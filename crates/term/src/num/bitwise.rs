//! `band`, `bor`, `bxor`, `bnot`, `bsl`, `bsr`, on two's complement of any width.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::arith::integer;
use super::{MAX_BITS, NumError};
use crate::term::Term;

type Result = std::result::Result<Term, NumError>;

#[inline]
fn bitwise(
    a: &Term,
    b: &Term,
    small: impl Fn(i64, i64) -> i64,
    big: impl Fn(BigInt, BigInt) -> BigInt,
) -> Result {
    if let (Some(x), Some(y)) = (a.as_small(), b.as_small()) {
        return Ok(Term::small(small(x, y)));
    }
    match (a.to_bigint(), b.to_bigint()) {
        (Some(x), Some(y)) => Ok(Term::big(big(x, y))),
        _ => Err(NumError::BadArith),
    }
}

/// `A band B`.
pub fn band(a: &Term, b: &Term) -> Result {
    bitwise(a, b, |x, y| x & y, |x, y| x & y)
}

/// `A bor B`.
pub fn bor(a: &Term, b: &Term) -> Result {
    bitwise(a, b, |x, y| x | y, |x, y| x | y)
}

/// `A bxor B`.
pub fn bxor(a: &Term, b: &Term) -> Result {
    bitwise(a, b, |x, y| x ^ y, |x, y| x ^ y)
}

/// `bnot A`.
pub fn bnot(a: &Term) -> Result {
    match (a.as_small(), a.as_big()) {
        (Some(i), _) => Ok(Term::small(!i)),
        (_, Some(b)) => integer(!b),
        _ => Err(NumError::BadArith),
    }
}

/// A shift to the left by any integer; to the right when it is negative.
fn shift(a: &Term, by: &BigInt) -> Result {
    let a = a.to_bigint().ok_or(NumError::BadArith)?;
    match (a.sign(), by.sign()) {
        (Sign::NoSign, _) | (_, Sign::NoSign) => Ok(Term::big(a)),
        (_, Sign::Plus) => match by.to_u64() {
            Some(n) if n <= MAX_BITS && a.bits() + n <= MAX_BITS => integer(a << n),
            _ => Err(NumError::SystemLimit),
        },
        (sign, Sign::Minus) => match (-by).to_u64() {
            Some(n) if n < a.bits() => Ok(Term::big(a >> n)),
            _ => Ok(Term::small(if sign == Sign::Minus { -1 } else { 0 })),
        },
    }
}

/// `A bsl By`.
pub fn bsl(a: &Term, by: &Term) -> Result {
    if let (Some(x), Some(n @ 0..62)) = (a.as_small(), by.as_small()) {
        if x >> (62 - n) == x >> 63 {
            return Ok(Term::int(x << n));
        }
    }
    shift(a, &by.to_bigint().ok_or(NumError::BadArith)?)
}

/// `A bsr By`.
pub fn bsr(a: &Term, by: &Term) -> Result {
    if let (Some(x), Some(n @ 0..)) = (a.as_small(), by.as_small()) {
        return Ok(Term::small(x >> n.min(63)));
    }
    shift(a, &-by.to_bigint().ok_or(NumError::BadArith)?)
}
