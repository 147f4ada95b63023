//! Arithmetic on terms, and numbers as text, with OTP's answers to the last bit.

mod arith;
mod bitwise;
mod float_text;
mod int_text;

pub use arith::{abs, add, ceil, div, float, floor, int_div, mul, neg, rem, round, sub, trunc};
pub use bitwise::{band, bnot, bor, bsl, bsr, bxor};
pub use float_text::{FloatForm, format_float, parse_float, shortest};
pub use int_text::{format_int, parse_int};

/// Why an operation has no result; the exception of that name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumError {
    /// `badarith`: an operand has the wrong type, or the result is not defined.
    BadArith,
    /// `system_limit`: the result would be too large.
    SystemLimit,
}

/// The widest integer OTP makes, in bits.
const MAX_BITS: u64 = ((1 << 19) - 1) * 64;
