//! Reading a format: the text between directives, and each directive with the arguments it takes.

use super::Encoding;
use super::format::FormatError;
use crate::term::Term;

pub(super) enum Piece {
    Char(u32),
    Directive(Directive),
}

/// `~F.P.PadModC` with its arguments.
pub(super) struct Directive {
    pub control: char,
    pub args: Vec<Term>,
    pub width: Option<usize>,
    pub left: bool,
    pub precision: Option<i64>,
    pub pad: u32,
    pub encoding: Encoding,
    pub strings: bool,
}

/// The format's characters left to read, and the arguments left to take.
struct Scan<'a> {
    format: &'a [u32],
    args: std::vec::IntoIter<Term>,
}

pub(super) fn scan(format: &[u32], args: Vec<Term>) -> Result<Vec<Piece>, FormatError> {
    let mut s = Scan { format, args: args.into_iter() };
    let mut pieces = Vec::new();
    while let Some(c) = s.char() {
        pieces.push(match char::from_u32(c) {
            Some('~') => Piece::Directive(s.directive()?),
            _ => Piece::Char(c),
        });
    }
    // An argument nobody asked for is an error, as a missing one is.
    if s.args.next().is_some() { Err(FormatError::BadArg) } else { Ok(pieces) }
}

impl Scan<'_> {
    fn char(&mut self) -> Option<u32> {
        let (&c, rest) = self.format.split_first()?;
        self.format = rest;
        Some(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let there = self.format.first() == Some(&(c as u32));
        if there {
            self.format = &self.format[1..];
        }
        there
    }

    fn arg(&mut self) -> Result<Term, FormatError> {
        self.args.next().ok_or(FormatError::BadArg)
    }

    fn number(&mut self) -> Result<Option<i64>, FormatError> {
        if self.eat('*') {
            return self.arg()?.as_i64().map(Some).ok_or(FormatError::BadArg);
        }
        let mut n: Option<i64> = None;
        while let Some(d) = self.format.first().and_then(|&c| char::from_u32(c)?.to_digit(10)) {
            self.char();
            let next = n.unwrap_or(0).checked_mul(10).and_then(|n| n.checked_add(d as i64));
            n = Some(next.ok_or(FormatError::BadArg)?);
        }
        Ok(n)
    }

    fn directive(&mut self) -> Result<Directive, FormatError> {
        let minus = self.eat('-');
        let width = self.number()?;
        // A minus sign needs a number to belong to.
        let width = match (minus, width) {
            (true, None) => return Err(FormatError::BadArg),
            (true, Some(w)) => Some(-w),
            (false, w) => w,
        };
        let precision = if self.eat('.') { self.number()? } else { None };
        let pad = if self.eat('.') { self.pad()? } else { ' ' as u32 };
        let (mut encoding, mut strings) = (Encoding::Latin1, true);
        loop {
            if self.eat('t') {
                encoding = Encoding::Unicode;
            } else if self.eat('l') {
                strings = false;
            } else {
                break;
            }
        }
        let control = self.char().and_then(char::from_u32).ok_or(FormatError::BadArg)?;
        let count = match control {
            '~' | 'n' => 0,
            'w' | 'p' | 's' | 'e' | 'f' | 'g' | 'b' | 'B' | '+' | '#' | 'c' | 'i' => 1,
            'W' | 'P' | 'x' | 'X' => 2,
            _ => return Err(FormatError::BadArg),
        };
        let args = (0..count).map(|_| self.arg()).collect::<Result<_, _>>()?;
        let left = width.is_some_and(|w| w < 0);
        let width = width.map(|w| w.unsigned_abs() as usize);
        Ok(Directive { control, args, width, left, precision, pad, encoding, strings })
    }

    fn pad(&mut self) -> Result<u32, FormatError> {
        match (self.char(), self.args.as_slice()) {
            // With nobody left to say which, the star itself pads.
            (Some(c), [_, ..]) if c == '*' as u32 => {
                let pad = self.arg()?.as_i64().and_then(|c| u32::try_from(c).ok());
                pad.ok_or(FormatError::BadArg)
            }
            (c, _) => c.ok_or(FormatError::BadArg),
        }
    }
}
