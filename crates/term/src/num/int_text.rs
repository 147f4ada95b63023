//! Integers as text, in bases 2 to 36.

use num_bigint::BigInt;

use crate::term::Term;
use crate::view::View;

/// The digits of an integer, upper case above 9; `None` for what is not an integer.
pub fn format_int(t: &Term, base: u32) -> Option<String> {
    debug_assert!((2..=36).contains(&base));
    match t.view() {
        View::Int(i) if base == 10 => Some(i.to_string()),
        View::Int(i) => Some(BigInt::from(i).to_str_radix(base).to_ascii_uppercase()),
        View::Big(b) => Some(b.to_str_radix(base).to_ascii_uppercase()),
        _ => None,
    }
}

/// `list_to_integer/2`: an optional sign, then at least one digit, nothing else.
pub fn parse_int(text: &str, base: u32) -> Option<Term> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    if let Ok(i) = i64::from_str_radix(text, base) {
        return Some(Term::int(i));
    }
    BigInt::parse_bytes(text.as_bytes(), base).map(Term::big)
}
