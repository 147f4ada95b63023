//! Literals: numbers, characters, quoted atoms, strings, triple-quoted strings and sigils.

use super::{Lexed, Lexer};
use crate::ast::Integer;
use crate::token::{Sigil, Symbol, TokenKind};
use num_bigint::BigInt;
use std::borrow::Cow;
use std::rc::Rc;

impl Lexer {
    pub(super) fn number(&mut self, text: &str) -> Lexed<TokenKind> {
        let bytes = text.as_bytes();
        let start = self.at;
        self.digits(bytes, 10);
        match (bytes.get(self.at), bytes.get(self.at + 1)) {
            (Some(b'.'), Some(b'0'..=b'9')) => self.float(text, start),
            (Some(b'#'), _) => self.based(text, start),
            _ => Ok(TokenKind::Integer(integer(&text[start..self.at], 10))),
        }
    }

    /// Digits of a base; an underscore may stand between two of them.
    fn digits(&mut self, bytes: &[u8], base: u32) {
        let digit = |at: usize| bytes.get(at).is_some_and(|&b| (b as char).is_digit(base));
        while digit(self.at) {
            self.at += 1;
            if bytes.get(self.at) == Some(&b'_') && digit(self.at + 1) {
                self.at += 1;
            }
        }
    }

    fn float(&mut self, text: &str, start: usize) -> Lexed<TokenKind> {
        let bytes = text.as_bytes();
        self.at += 1;
        self.digits(bytes, 10);
        if let Some(b'e' | b'E') = bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = bytes.get(self.at) {
                self.at += 1;
            }
            self.digits(bytes, 10);
        }
        let plain = without_underscores(&text[start..self.at]);
        match plain.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(TokenKind::Float(value)),
            _ => self.error(start, self.at, "illegal float"),
        }
    }

    /// `16#ff`, and of OTP 28 `16#1.8#e2`.
    fn based(&mut self, text: &str, start: usize) -> Lexed<TokenKind> {
        let bytes = text.as_bytes();
        let base: u32 = without_underscores(&text[start..self.at]).parse().unwrap_or(u32::MAX);
        if !(2..=36).contains(&base) {
            let end = self.at;
            self.at += 1;
            return self.error(start, end, format!("illegal base '{}'", &text[start..end]));
        }
        self.at += 1;
        let digits = self.at;
        self.digits(bytes, base);
        if self.at == digits {
            return self.error(start, self.at, "illegal integer");
        }
        let whole = integer(&text[digits..self.at], base);
        let fraction = bytes.get(self.at + 1).is_some_and(|&b| (b as char).is_digit(base));
        if bytes.get(self.at) != Some(&b'.') || !fraction {
            return Ok(TokenKind::Integer(whole));
        }
        self.at += 1;
        self.digits(bytes, base);
        let mantissa = without_underscores(&text[digits..self.at]).into_owned();
        let exponent = self.based_exponent(text);
        match exponent.and_then(|e| based_float(&mantissa, base, e)) {
            Some(value) => Ok(TokenKind::Float(value)),
            None => self.error(start, self.at, "illegal float"),
        }
    }

    /// `#e-7` behind a based float; nothing there means 0.
    fn based_exponent(&mut self, text: &str) -> Option<i64> {
        let bytes = text.as_bytes();
        let (Some(b'#'), Some(b'e' | b'E')) = (bytes.get(self.at), bytes.get(self.at + 1)) else {
            return Some(0);
        };
        self.at += 2;
        let from = self.at;
        if let Some(b'+' | b'-') = bytes.get(self.at) {
            self.at += 1;
        }
        self.digits(bytes, 10);
        without_underscores(&text[from..self.at]).parse().ok()
    }

    pub(super) fn character(&mut self, text: &str) -> Lexed<TokenKind> {
        let start = self.at;
        self.at += 1;
        match text[self.at..].chars().next() {
            Some('\\') => {
                self.at += 1;
                Ok(TokenKind::Char(self.escape(text, start)?))
            }
            Some(c) => {
                self.at += c.len_utf8();
                Ok(TokenKind::Char(c))
            }
            None => self.error(start, self.at, "unterminated character"),
        }
    }

    /// What stands behind a backslash; `self.at` is just behind it.
    fn escape(&mut self, text: &str, start: usize) -> Lexed<char> {
        let bytes = text.as_bytes();
        let Some(c) = text[self.at..].chars().next() else {
            return self.error(start, self.at, "unterminated character");
        };
        let escaped = self.at;
        self.at += c.len_utf8();
        Ok(match c {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0B',
            'b' => '\x08',
            'f' => '\x0C',
            'e' => '\x1B',
            's' => ' ',
            'd' => '\x7F',
            '0'..='7' => {
                let octal = |b: &&u8| (b'0'..=b'7').contains(*b);
                let more = bytes[self.at..].iter().take(2).take_while(octal).count();
                self.at += more;
                let value = u32::from_str_radix(&text[escaped..self.at], 8).unwrap_or(0);
                char::from_u32(value).unwrap_or('\0')
            }
            'x' => return self.hex_escape(text, start),
            '^' => {
                let Some(c) = text[self.at..].chars().next() else {
                    return self.error(start, self.at, "unterminated character");
                };
                self.at += c.len_utf8();
                match c {
                    '\n' => '\n',
                    '?' if self.release >= 27 => '\x7F',
                    _ => char::from((c as u32 & 31) as u8),
                }
            }
            other => other,
        })
    }

    /// `\xHH` or `\x{H..}`.
    fn hex_escape(&mut self, text: &str, start: usize) -> Lexed<char> {
        let bytes = text.as_bytes();
        let hex = |b: &&u8| b.is_ascii_hexdigit();
        let digits = if bytes.get(self.at) == Some(&b'{') {
            let digits = bytes[self.at + 1..].iter().take_while(hex).count();
            let from = self.at + 1;
            self.at = from + digits;
            if bytes.get(self.at) != Some(&b'}') {
                return self.error(start, self.at, "illegal character");
            }
            self.at += 1;
            &text[from..from + digits]
        } else {
            let count = bytes[self.at..].iter().take(2).take_while(hex).count();
            let from = self.at;
            self.at += count;
            if count != 2 {
                return self.error(start, self.at, "illegal character");
            }
            &text[from..from + 2]
        };
        let value = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        match value {
            Some(c) if c != '\u{fffe}' && c != '\u{ffff}' => Ok(c),
            _ => self.error(start, self.at, "illegal character"),
        }
    }

    /// The text between quotes, with escapes done.
    pub(super) fn quoted<'t>(&mut self, text: &'t str, quote: u8) -> Lexed<Cow<'t, str>> {
        let start = self.at;
        self.at += 1;
        self.until_quote(text, start, quote, true)
    }

    /// Up to a closing quote. With `escapes` a backslash means something.
    fn until_quote<'t>(
        &mut self,
        text: &'t str,
        start: usize,
        quote: u8,
        escapes: bool,
    ) -> Lexed<Cow<'t, str>> {
        let bytes = text.as_bytes();
        let mut run = self.at;
        let mut value = String::new();
        let mut broken = None;
        loop {
            let rest = &bytes[self.at..];
            let next = if escapes {
                memchr::memchr2(quote, b'\\', rest)
            } else {
                memchr::memchr(quote, rest)
            };
            let Some(offset) = next else {
                self.at = bytes.len();
                return self.unterminated(text, start, quote);
            };
            self.at += offset;
            if bytes[self.at] == quote {
                let tail = &text[run..self.at];
                self.at += 1;
                return match broken {
                    Some(problem) => Err(problem),
                    None if value.is_empty() => Ok(Cow::Borrowed(tail)),
                    None => Ok(Cow::Owned(value + tail)),
                };
            }
            value.push_str(&text[run..self.at]);
            let escape = self.at;
            self.at += 1;
            // A bad escape is reported, but the quote still ends where it ends.
            match self.escape(text, escape) {
                Ok(c) => value.push(c),
                Err(problem) => broken = broken.or(Some(problem)),
            }
            run = self.at;
        }
    }

    fn unterminated<T>(&self, text: &str, start: usize, quote: u8) -> Lexed<T> {
        let what = if quote == b'\'' { "atom" } else { "string" };
        let shown: String = text[start..].chars().skip(1).take(16).collect();
        let shown = crate::print::quoted(&shown, if quote == b'\'' { '\'' } else { '"' });
        // Only the first line: the rest of the file is not what is wrong.
        let end = text[start..].find('\n').map_or(text.len(), |n| start + n);
        self.error(start, end, format!("unterminated {what} starting with {shown}"))
    }

    /// A string between rows of three or more quotes, each row on a line of its own (OTP 27).
    /// `None` if this is not one: before OTP 27 `"""` is an empty string and the start of another.
    pub(super) fn triple_quoted(&mut self, text: &str, escapes: bool) -> Lexed<Option<String>> {
        let start = self.at;
        let rest = &text[start..];
        let quotes = rest.bytes().take_while(|b| *b == b'"').count();
        let Some(line_end) = rest.find('\n') else { return Ok(None) };
        if quotes < 3 || !rest[quotes..line_end].trim_matches([' ', '\t', '\r']).is_empty() {
            return Ok(None);
        }
        let fence = &rest[..quotes];
        let mut lines = Vec::new();
        let mut at = line_end + 1;
        let indent = loop {
            let end = rest[at..].find('\n').map_or(rest.len(), |n| at + n);
            let line = &rest[at..end];
            let body = line.trim_start_matches([' ', '\t']);
            if body.starts_with(fence) {
                let indent = &line[..line.len() - body.len()];
                self.at = start + at + indent.len() + quotes;
                break indent;
            }
            if end == rest.len() {
                self.at = text.len();
                return self.error(start, start + quotes, "unterminated triple-quoted string");
            }
            lines.push((at, line));
            at = end + 1;
        };
        let close = self.at;
        let mut value = String::new();
        for (number, (at, line)) in lines.iter().enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let stripped = match line.strip_prefix(indent) {
                Some(stripped) => stripped,
                None if line.trim().is_empty() => "",
                None => {
                    let at = start + at;
                    return self.error(
                        at,
                        at + line.len(),
                        "bad indentation in triple-quoted string",
                    );
                }
            };
            if number > 0 {
                value.push('\n');
            }
            value.push_str(stripped);
        }
        if escapes {
            value = self.unescape(&value, start)?;
            self.at = close;
        }
        Ok(Some(value))
    }

    fn unescape(&mut self, raw: &str, start: usize) -> Lexed<String> {
        let mut value = String::with_capacity(raw.len());
        self.at = 0;
        while let Some(offset) = raw[self.at..].find('\\') {
            value.push_str(&raw[self.at..self.at + offset]);
            self.at += offset + 1;
            match self.escape(raw, start) {
                Ok(c) => value.push(c),
                Err(_) => return self.error(start, start + 3, "illegal character"),
            }
        }
        value.push_str(&raw[self.at..]);
        Ok(value)
    }

    /// `~b"..."` and its kin.
    pub(super) fn sigil(&mut self, text: &str) -> Lexed<TokenKind> {
        let bytes = text.as_bytes();
        let start = self.at;
        self.at += 1;
        self.skip_name(bytes);
        let prefix = text[start + 1..self.at].to_string();
        let open = bytes.get(self.at).copied().unwrap_or(0);
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b'/' | b'|' | b'\'' | b'"' | b'`' | b'#' => open,
            _ if prefix.is_empty() => {
                self.at = start + 1;
                return Ok(TokenKind::Symbol(Symbol::Tilde));
            }
            _ => return self.error(start, self.at, "illegal sigil delimiter"),
        };
        let escapes = matches!(prefix.as_str(), "s" | "b");
        let triple = if open == b'"' {
            // The plain sigil over a triple-quoted string takes it verbatim.
            self.triple_quoted(text, escapes)?
        } else {
            None
        };
        let content = match triple {
            Some(content) => content,
            None => {
                self.at += 1;
                let escapes = escapes || prefix.is_empty();
                self.until_quote(text, start, close, escapes)?.into_owned()
            }
        };
        let from = self.at;
        self.skip_name(bytes);
        let suffix = text[from..self.at].to_string();
        Ok(TokenKind::Sigil(Rc::new(Sigil { prefix, text: content, suffix })))
    }
}

fn without_underscores(digits: &str) -> Cow<'_, str> {
    if digits.contains('_') { Cow::Owned(digits.replace('_', "")) } else { Cow::Borrowed(digits) }
}

fn integer(digits: &str, base: u32) -> Integer {
    let digits = without_underscores(digits);
    match i64::from_str_radix(&digits, base) {
        Ok(value) => Integer::Small(value),
        Err(_) => match BigInt::parse_bytes(digits.as_bytes(), base) {
            Some(value) => Integer::Big(Box::new(value)),
            None => Integer::Small(0),
        },
    }
}

/// Exact where the digits and the base's powers are: through a ratio of integers for small
/// exponents, through `powi` beyond.
fn based_float(mantissa: &str, base: u32, exponent: i64) -> Option<f64> {
    let (whole, fraction) = mantissa.split_once('.')?;
    let mut value = 0f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * f64::from(base) + f64::from(digit.to_digit(base)?);
    }
    let shift = exponent.checked_sub(fraction.len() as i64)?;
    let shift = i32::try_from(shift).ok()?;
    let power = f64::from(base).powi(shift.abs());
    let value = if shift < 0 { value / power } else { value * power };
    value.is_finite().then_some(value)
}
