//! Regular expressions: patterns as values, and matching.
//!
//! OTP 25 has PCRE 8.44, this is PCRE2 10.46. Known differences: Unicode tables are newer; texts
//! and places of rare errors in patterns; counts behind `match_limit`. A compiled pattern is its
//! text and options, and the code for it is found again in a cache: it can be sent and stored
//! like any value.

mod errors;
mod latin1;
mod pcre;

pub use pcre::{Code, Failure, Limits, Span};

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What ends a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newline {
    Cr = 1,
    Lf = 2,
    CrLf = 3,
    Any = 4,
    AnyCrLf = 5,
}

/// A pattern before it is compiled.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    pub text: Vec<u8>,
    /// PCRE2's option bits.
    pub options: u32,
    /// PCRE2's number of what ends a line; 0 if not said.
    pub newline: u8,
    /// PCRE2's number of what `\R` matches; 0 if not said.
    pub bsr: u8,
}

/// Why a pattern cannot be compiled, and where it is wrong.
#[derive(Clone, Debug)]
pub struct Refused {
    pub text: String,
    pub at: usize,
}

const MAGIC: &[u8; 4] = b"RVRE";
/// Beyond this many patterns the cache begins anew.
const CACHE: usize = 512;

thread_local! {
    static CODES: RefCell<HashMap<Pattern, Rc<Code>>> = RefCell::new(HashMap::new());
}

impl Pattern {
    /// The bytes that hold the pattern in a compiled one.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.options.to_le_bytes());
        bytes.extend([self.newline, self.bsr]);
        bytes.extend(&self.text);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Pattern> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (options, rest) = rest.split_first_chunk::<4>()?;
        let ([newline, bsr], text) = rest.split_first_chunk::<2>()?;
        let options = u32::from_le_bytes(*options);
        Some(Pattern { text: text.to_vec(), options, newline: *newline, bsr: *bsr })
    }

    pub fn code(&self) -> Result<Rc<Code>, Refused> {
        if let Some(code) = CODES.with_borrow(|codes| codes.get(self).cloned()) {
            return Ok(code);
        }
        let code = Rc::new(Code::compile(self)?);
        CODES.with_borrow_mut(|codes| {
            if codes.len() >= CACHE {
                codes.clear();
            }
            codes.insert(self.clone(), code.clone());
        });
        Ok(code)
    }
}
