//! Module `math`.
#![allow(unsafe_code, reason = "functions of the C library")]

use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::{Term, atoms, num};

// What Rust has of its own or lacks: OTP's numbers are those of the C library.
unsafe extern "C" {
    safe fn acosh(x: f64) -> f64;
    safe fn asinh(x: f64) -> f64;
    safe fn atanh(x: f64) -> f64;
    safe fn erf(x: f64) -> f64;
    safe fn erfc(x: f64) -> f64;
}

macro_rules! one {
    ($name:literal, $f:expr) => {
        function("math", $name, 1, |_, a| finite(($f)(float(&a[0])?)))
    };
}

macro_rules! two {
    ($name:literal, $f:expr) => {
        function("math", $name, 2, |_, a| finite(($f)(float(&a[0])?, float(&a[1])?)))
    };
}

pub const TABLE: &[Builtin] = &[
    one!("acos", f64::acos),
    one!("acosh", acosh),
    one!("asin", f64::asin),
    one!("asinh", asinh),
    one!("atan", f64::atan),
    one!("atanh", atanh),
    one!("ceil", f64::ceil),
    one!("cos", f64::cos),
    one!("cosh", f64::cosh),
    one!("erf", erf),
    one!("erfc", erfc),
    one!("exp", f64::exp),
    one!("floor", f64::floor),
    one!("log", f64::ln),
    one!("log10", f64::log10),
    one!("log2", f64::log2),
    one!("sin", f64::sin),
    one!("sinh", f64::sinh),
    one!("sqrt", f64::sqrt),
    one!("tan", f64::tan),
    one!("tanh", f64::tanh),
    two!("atan2", f64::atan2),
    two!("fmod", |x: f64, y: f64| x % y),
    two!("pow", f64::powf),
];

fn float(t: &Term) -> Result<f64, Raise> {
    match num::float(t) {
        Ok(f) => f.as_float().ok_or_else(Raise::badarg),
        // An integer beyond all floats.
        Err(_) if t.is_integer() => Err(Raise::error(Term::atom(atoms::BADARITH))),
        Err(_) => Err(Raise::badarg()),
    }
}

fn finite(f: f64) -> Value {
    match f.is_finite() {
        true => Ok(Term::float(f)),
        false => Err(Raise::error(Term::atom(atoms::BADARITH))),
    }
}
