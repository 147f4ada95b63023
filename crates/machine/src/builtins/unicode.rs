//! Module `unicode`: characters from lists and binaries in any encoding, and back to binaries.

use super::{Builtin, Value, function, shortcut};
use crate::raise::Raise;
use reverl_term::{Atom, BitsBuilder, Endian, Term, View, atoms};

pub const TABLE: &[Builtin] = &[
    function("unicode", "characters_to_list", 2, |_, a| to_list(&a[0], &a[1])),
    function("unicode", "characters_to_binary", 2, |_, a| to_binary(&a[0], &a[1], Encoding::Utf8)),
    shortcut("unicode", "characters_to_list", 1, |a| {
        let utf8 = Term::atom(atoms::UTF8);
        to_list(&a[0], &utf8).ok()
    }),
    shortcut("unicode", "characters_to_binary", 1, |a| {
        let utf8 = Term::atom(atoms::UTF8);
        to_binary(&a[0], &utf8, Encoding::Utf8).ok()
    }),
    shortcut("unicode", "characters_to_binary", 3, |a| {
        let to = Encoding::of(&a[2])?;
        match decode(&a[0], Encoding::of(&a[1])?) {
            Decoded::Whole(text) => encode(&text, to),
            _ => None,
        }
    }),
    function("unicode", "bin_is_7bit", 1, |_, a| {
        Ok(Term::bool(a[0].binary_bytes().is_some_and(|bytes| bytes.is_ascii())))
    }),
];

/// An encoding of characters in bytes.
#[derive(Clone, Copy, PartialEq)]
pub enum Encoding {
    Latin1,
    Utf8,
    Utf16(Endian),
    Utf32(Endian),
}

impl Encoding {
    pub fn of(t: &Term) -> Option<Encoding> {
        let (name, endian) = match t.view() {
            View::Atom(name) => (name, Endian::Big),
            View::Tuple([name, endian]) => match endian.as_atom()? {
                atoms::BIG => (name.as_atom()?, Endian::Big),
                atoms::LITTLE => (name.as_atom()?, Endian::Little),
                _ => return None,
            },
            _ => return None,
        };
        match (name, t.is_atom()) {
            (atoms::LATIN1, true) => Some(Encoding::Latin1),
            (atoms::UTF8 | atoms::UNICODE, true) => Some(Encoding::Utf8),
            (atoms::UTF16, _) => Some(Encoding::Utf16(endian)),
            (atoms::UTF32, _) => Some(Encoding::Utf32(endian)),
            _ => None,
        }
    }

    /// How many bytes the character takes that begins with these; 0 if none does.
    fn needs(self, bytes: &[u8]) -> usize {
        match self {
            Encoding::Latin1 => 1,
            Encoding::Utf8 => match bytes[0] {
                0..=0x7F => 1,
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF4 => 4,
                _ => 0,
            },
            Encoding::Utf16(endian) => {
                let high = if endian == Endian::Big { bytes.first() } else { bytes.get(1) };
                if high.is_some_and(|b| (0xD8..=0xDB).contains(b)) { 4 } else { 2 }
            }
            Encoding::Utf32(_) => 4,
        }
    }

    /// The character that exactly these bytes are.
    fn character(self, bytes: &[u8]) -> Option<char> {
        match (self, bytes) {
            (Encoding::Latin1, [byte]) => Some(*byte as char),
            (Encoding::Utf8, _) => std::str::from_utf8(bytes).ok()?.chars().next(),
            (Encoding::Utf16(endian), _) => {
                let unit = |b: &[u8]| word(b, endian) as u16;
                let units: Vec<u16> = bytes.chunks(2).map(unit).collect();
                char::decode_utf16(units).next()?.ok()
            }
            (Encoding::Utf32(endian), _) => char::from_u32(word(bytes, endian)),
            _ => None,
        }
    }

    /// Whether more bytes could make a character of these.
    fn is_prefix(self, bytes: &[u8]) -> bool {
        match self {
            Encoding::Utf8 => {
                let filled = |fill: u8| {
                    let mut whole = bytes.to_vec();
                    whole.resize(self.needs(bytes), fill);
                    self.character(&whole).is_some()
                };
                self.needs(bytes) > 0 && (filled(0x80) || filled(0xBF))
            }
            _ => true,
        }
    }
}

fn word(bytes: &[u8], endian: Endian) -> u32 {
    let shift = |n: u32, b: &u8| n << 8 | u32::from(*b);
    match endian {
        Endian::Big => bytes.iter().fold(0, shift),
        Endian::Little => bytes.iter().rev().fold(0, shift),
    }
}

/// How far bytes could be decoded.
pub enum Decoded {
    Whole(String),
    /// The characters before the first one that is not valid, and what is left from there on.
    Error(String, Term),
    /// The data ends inside a character, of which these bytes are there.
    Incomplete(String, Term),
    BadArg,
}

/// The characters of deep character data whose binaries are in this encoding.
pub fn decode(data: &Term, encoding: Encoding) -> Decoded {
    Decoder { encoding, text: String::new(), partial: vec![], stack: vec![] }.run(data)
}

struct Decoder<'a> {
    encoding: Encoding,
    text: String,
    /// The bytes of a character that the last binary ended inside.
    partial: Vec<u8>,
    /// What is still to be read, the outermost first.
    stack: Vec<&'a Term>,
}

enum Problem {
    /// From here on this is not character data.
    Error(Term),
    BadArg,
}

impl<'a> Decoder<'a> {
    fn run(mut self, data: &'a Term) -> Decoded {
        self.stack.push(data);
        while let Some(t) = self.stack.pop() {
            let result = match t.view() {
                View::Nil => Ok(()),
                View::Bits(_) => self.binary(t),
                View::Cons(head, tail) => match head.view() {
                    View::Nil | View::Cons(..) => {
                        self.stack.push(tail);
                        self.stack.push(head);
                        Ok(())
                    }
                    View::Bits(_) => {
                        self.stack.push(tail);
                        self.binary(head)
                    }
                    View::Int(_) | View::Big(_) => self.integer(t, head, tail),
                    _ => Err(Problem::BadArg),
                },
                _ => Err(Problem::BadArg),
            };
            match result {
                Ok(()) => {}
                Err(Problem::BadArg) => return Decoded::BadArg,
                // An error counts only if all that follows is character data.
                Err(Problem::Error(rest)) => return Decoded::Error(self.text, rest),
            }
        }
        if self.partial.is_empty() {
            return Decoded::Whole(self.text);
        }
        let rest = Term::binary(&self.partial);
        match self.encoding.is_prefix(&self.partial) {
            true => Decoded::Incomplete(self.text, rest),
            false => Decoded::Error(self.text, rest),
        }
    }

    fn integer(&mut self, cell: &'a Term, head: &Term, tail: &'a Term) -> Result<(), Problem> {
        let limit = if self.encoding == Encoding::Latin1 { 0xFF } else { u32::MAX };
        let code = head.as_small().and_then(|c| u32::try_from(c).ok()).filter(|c| *c <= limit);
        match code.and_then(char::from_u32) {
            Some(c) if self.partial.is_empty() => {
                self.text.push(c);
                self.stack.push(tail);
                Ok(())
            }
            _ => Err(self.error_at(cell.clone())),
        }
    }

    /// Nothing can be read from `at` on.
    fn error_at(&self, at: Term) -> Problem {
        let outer = self.stack.iter().rev();
        let rest = outer.fold(at, |inner, tail| Term::cons(inner, (*tail).clone()));
        if self.partial.is_empty() {
            return Problem::Error(rest);
        }
        Problem::Error(Term::list([Term::binary(&self.partial), rest]))
    }

    fn binary(&mut self, t: &Term) -> Result<(), Problem> {
        let Some(bytes) = t.binary_bytes() else { return Err(Problem::BadArg) };
        let mut bytes: &[u8] = &bytes;
        if !self.partial.is_empty() {
            let needs = self.encoding.needs(&self.partial).max(1);
            let missing = needs.saturating_sub(self.partial.len());
            if bytes.len() < missing {
                self.partial.extend_from_slice(bytes);
                return Ok(());
            }
            let (more, rest) = bytes.split_at(missing);
            let whole = [&self.partial, more].concat();
            match self.encoding.character(&whole) {
                Some(c) => self.text.push(c),
                None => return Err(self.error_at(t.clone())),
            }
            self.partial.clear();
            bytes = rest;
        }
        if self.encoding == Encoding::Utf8 {
            // Most text is valid: take it at once.
            let valid = match std::str::from_utf8(bytes) {
                Ok(text) => text.len(),
                Err(error) => error.valid_up_to(),
            };
            self.text.push_str(std::str::from_utf8(&bytes[..valid]).unwrap_or_default());
            bytes = &bytes[valid..];
        }
        while !bytes.is_empty() {
            let needs = self.encoding.needs(bytes);
            if needs > bytes.len() && self.encoding.is_prefix(bytes) {
                self.partial = bytes.to_vec();
                return Ok(());
            }
            let character = bytes.get(..needs).and_then(|b| self.encoding.character(b));
            match character.filter(|_| needs > 0) {
                Some(c) => self.text.push(c),
                None => return Err(self.error_at(Term::binary(bytes))),
            }
            bytes = &bytes[needs..];
        }
        Ok(())
    }
}

/// The text in this encoding, if it has all its characters.
pub fn encode(text: &str, encoding: Encoding) -> Option<Term> {
    let mut out = BitsBuilder::with_capacity(text.len());
    for c in text.chars() {
        match encoding {
            Encoding::Utf8 => return Some(Term::binary(text.as_bytes())),
            Encoding::Latin1 => out.push_bytes(&[u8::try_from(c as u32).ok()?]),
            Encoding::Utf16(endian) => out.push_utf16(c, endian),
            Encoding::Utf32(endian) => out.push_utf32(c, endian),
        }
    }
    Some(out.finish())
}

fn answer(decoded: Decoded, as_term: &dyn Fn(&str) -> Term) -> Value {
    let problem = |tag: &str, text: &str, rest| {
        Term::tuple(vec![Term::atom(Atom::new(tag)), as_term(text), rest])
    };
    match decoded {
        Decoded::Whole(text) => Ok(as_term(&text)),
        Decoded::Error(text, rest) => Ok(problem("error", &text, rest)),
        Decoded::Incomplete(text, rest) => Ok(problem("incomplete", &text, rest)),
        Decoded::BadArg => Err(Raise::badarg()),
    }
}

fn to_list(data: &Term, encoding: &Term) -> Value {
    let encoding = Encoding::of(encoding).ok_or_else(Raise::badarg)?;
    answer(decode(data, encoding), &Term::string)
}

fn to_binary(data: &Term, encoding: &Term, to: Encoding) -> Value {
    let encoding = Encoding::of(encoding).ok_or_else(Raise::badarg)?;
    answer(decode(data, encoding), &|text| encode(text, to).unwrap_or_default())
}
