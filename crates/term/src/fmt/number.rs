//! `~e`, `~f` and `~g`: floats with a given number of digits, rounded as `io_lib_format` does it, from 21 exact ones.

use crate::num::{FloatForm, format_float};

/// The digits of a float and the place of its decimal point.
fn digits(f: f64) -> (Vec<u8>, i64) {
    let text = format_float(f.abs(), FloatForm::Scientific(20)).expect("20 digits are few");
    let (mantissa, exponent) = text.split_once('e').expect("the form has an exponent");
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse::<i64>().expect("an exponent is a number") + 1)
}

/// `whole` digits, a point, `decimals` digits; and whether rounding carried out of the first.
fn mantissa(digits: &[u8], whole: usize, decimals: usize) -> (String, bool) {
    let wanted = whole + decimals;
    let mut kept: Vec<u8> = digits.iter().copied().take(wanted).collect();
    let mut carry = digits.get(wanted).is_some_and(|&d| d >= b'5');
    for d in kept.iter_mut().rev() {
        if !carry {
            break;
        }
        carry = *d == b'9';
        *d = if carry { b'0' } else { *d + 1 };
    }
    kept.resize(wanted, b'0');
    let mut text: String = kept.into_iter().map(char::from).collect();
    text.insert(whole, '.');
    (text, carry)
}

fn sign(f: f64) -> &'static str {
    if f.is_sign_negative() { "-" } else { "" }
}

/// `precision` digits in all.
pub(super) fn exponent_form(f: f64, precision: usize) -> String {
    let (ds, e) = digits(f);
    let (text, carry) = mantissa(&ds, 1, precision - 1);
    let (text, e) = if carry { (format!("1{}", &text[1..]), e) } else { (text, e - 1) };
    format!("{}{text}e{e:+}", sign(f))
}

/// `precision` digits after the point.
pub(super) fn fixed_form(f: f64, precision: usize) -> String {
    let (mut ds, mut e) = digits(f);
    if e <= 0 {
        let zeros = (1 - e) as usize;
        ds.splice(0..0, std::iter::repeat_n(b'0', zeros));
        e = 1;
    }
    let (text, carry) = mantissa(&ds, e as usize, precision);
    format!("{}{}{text}", sign(f), if carry { "1" } else { "" })
}

/// Which of the two forms `~g` takes, and its precision.
pub(super) fn general_form(f: f64, precision: i64) -> (bool, i64) {
    let a = f.abs();
    let exponent = match a {
        _ if a < 0.1 => -2,
        _ if a < 1.0 => -1,
        _ if a < 10.0 => 0,
        _ if a < 100.0 => 1,
        _ if a < 1000.0 => 2,
        _ if a < 10000.0 => 3,
        _ => i64::MAX,
    };
    if precision <= 1 && exponent == -1 || precision - 1 > exponent && exponent >= -1 {
        (true, precision - 1 - exponent)
    } else {
        (false, precision.max(2))
    }
}
