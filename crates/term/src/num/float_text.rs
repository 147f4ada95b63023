//! Floats as text, in each of the forms of `float_to_list/2`, and strict reading.

/// A form in which a float can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatForm {
    /// The fewest digits that read back as the same float.
    Short,
    /// Without an exponent.
    Decimals {
        /// How many digits stand behind the point.
        digits: usize,
        /// Whether zeros at the end are left out.
        compact: bool,
    },
    /// With an exponent, and so many digits behind the point.
    Scientific(usize),
}

/// OTP prints into a buffer of this many bytes, and refuses what does not fit with its final zero.
const BUFFER: usize = 256;

/// A float in some form; `None` where OTP says badarg.
pub fn format_float(f: f64, form: FloatForm) -> Option<String> {
    match form {
        FloatForm::Short => Some(shortest(f)),
        FloatForm::Scientific(digits) if digits < 250 => Some(scientific(f, digits)),
        FloatForm::Decimals { digits, compact } if digits <= 253 => {
            // The digits must fit before the trailing zeros go.
            let fits = decimals(f, digits, false).len() < BUFFER;
            fits.then(|| decimals(f, digits, compact))
        }
        _ => None,
    }
}

/// Decimal or scientific, whichever is shorter, decimal if equal; always scientific where floats are sparser than
/// integers, so that no digit looks more certain than it is.
pub fn shortest(f: f64) -> String {
    let (digits, exponent) = shortest_digits(f.abs());
    let sign = if f.is_sign_negative() { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    let scientific = format!("{sign}{first}.{rest}e{exponent}");
    let n = digits.len() as i32;
    // Where the decimal point falls, counted in digits.
    let point = exponent + 1;
    let decimal_len = match point {
        ..=0 => 2 - point + n,
        p if p >= n => p + 2,
        _ => n + 1,
    };
    if f.abs() >= 9007199254740992.0 || (scientific.len() as i32) < decimal_len + sign.len() as i32
    {
        return scientific;
    }
    match point {
        ..=0 => format!("{sign}0.{}{digits}", "0".repeat(-point as usize)),
        p if p >= n => format!("{sign}{digits}{}.0", "0".repeat((p - n) as usize)),
        p => format!("{sign}{}.{}", &digits[..p as usize], &digits[p as usize..]),
    }
}

/// The shortest digits, and the power of ten of the first.
fn shortest_digits(f: f64) -> (String, i32) {
    if f == 0.0 {
        return ("0".into(), 0);
    }
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(f);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().expect("ryu writes a number");
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let leading_zeros = (all.len() - digits.len()) as i32;
    let exponent = exponent + whole.len() as i32 - 1 - leading_zeros;
    (digits.trim_end_matches('0').to_owned(), exponent)
}

/// C's `%.*e`, with at least two digits of exponent.
fn scientific(f: f64, digits: usize) -> String {
    let text = format!("{f:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').expect("the form has an exponent");
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(e) => ('-', e),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{exponent:0>2}")
}

/// Up to 18 decimals OTP rounds by adding a half to the scaled fraction, beyond them or 2^53 it asks C for the exact
/// digits; both roundings show, so both are here.
fn decimals(f: f64, digits: usize, compact: bool) -> String {
    let a = f.abs();
    let mut text = if a > 9007199254740992.0 || digits > 18 {
        format!("{a:.digits$}")
    } else if digits == 0 {
        format!("{}", (a + 0.5) as u64)
    } else {
        let scale = 10f64.powi(digits as i32);
        let mut whole = a.floor() as u64;
        let mut fraction = ((a - a.floor()) * scale + 0.5) as u64;
        if fraction as f64 >= scale {
            fraction -= scale as u64;
            whole += 1;
        }
        format!("{whole}.{fraction:0digits$}")
    };
    if compact && (digits > 0 || a > 9007199254740992.0) {
        let kept = text.trim_end_matches('0').len();
        text.truncate(kept);
        if text.ends_with('.') {
            text.push('0');
        }
    }
    if f.is_sign_negative() { format!("-{text}") } else { text }
}

/// `list_to_float/1`: digits on both sides of the point, which OTP lets be a comma, and nothing that
/// is not finite.
pub fn parse_float(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e.strip_prefix(['+', '-']).unwrap_or(e))),
        None => (body, None),
    };
    let (whole, fraction) = mantissa.split_once(['.', ','])?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || !exponent.is_none_or(digits) {
        return None;
    }
    text.replace(',', ".").parse().ok().filter(|f: &f64| f.is_finite())
}
