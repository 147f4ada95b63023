//! From text to tokens, one form at a time, as `erl_scan` does.
//!
//! The lexer never fails: what is not a token becomes a diagnostic, and lexing goes on behind it.
//! It knows nothing of macros; `?` is a token like any other.

mod literal;
mod names;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::token::{Symbol, Token, TokenKind};
use names::NameCache;
use reverl_term::Atom;
use std::rc::Rc;
use std::sync::Arc;

/// Atoms and variable names may have this many characters (a limit of the BEAM).
pub const MAX_ATOM_CHARS: usize = 255;

/// A form with more tokens than this is not a program; it is skipped, so that memory stays bounded.
pub const MAX_FORM_TOKENS: usize = 8_000_000;

/// Reads the tokens of one file, form by form.
pub struct Lexer {
    file: FileId,
    // The text is shared with the source map, so that lexers can be stacked by includes without borrowing it.
    text: Arc<str>,
    at: usize,
    names: NameCache,
    /// Whether `maybe` and `else` are reserved.
    pub maybe_expr: bool,
    /// The OTP release whose language the text is in.
    pub release: u32,
}

/// How a form ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormEnd {
    /// A dot ended it.
    Dot,
    /// The text ended before a dot; the tokens so far are given.
    Eof,
}

impl Lexer {
    /// A lexer at the beginning of the text.
    pub fn new(file: FileId, text: Arc<str>) -> Lexer {
        // A byte order mark is not a part of the program, nor is the first line of an escript.
        let at = match text.starts_with('\u{feff}') {
            true => 3,
            false if text.starts_with("#!") => text.find('\n').unwrap_or(text.len()),
            false => 0,
        };
        Lexer { file, text, at, names: NameCache::default(), maybe_expr: false, release: 25 }
    }

    /// Appends the tokens of the next form, its dot included.
    pub fn form(&mut self, out: &mut Vec<Token>, problems: &mut Vec<Diagnostic>) -> FormEnd {
        let text = self.text.clone();
        let mut too_large = false;
        loop {
            self.skip_blanks(text.as_bytes());
            if self.at >= text.len() {
                return FormEnd::Eof;
            }
            let start = self.at;
            match self.token(&text) {
                Ok(kind) => {
                    let done = matches!(kind, TokenKind::Dot);
                    let span = self.span(start, self.at);
                    if out.len() < MAX_FORM_TOKENS {
                        out.push(Token { kind, span });
                    } else if !too_large {
                        too_large = true;
                        let message = format!("form too large: over {MAX_FORM_TOKENS} tokens");
                        problems.push(Diagnostic::error(span, message));
                    }
                    if done {
                        return FormEnd::Dot;
                    }
                }
                Err(problem) => {
                    // Always move on, or hostile text would hold us here for ever.
                    if self.at <= start {
                        self.at = start + char_len(text.as_bytes()[start]);
                    }
                    problems.push(*problem);
                }
            }
        }
    }

    /// The offset of the first character not yet read.
    pub fn position(&self) -> u32 {
        self.at as u32
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn error<T>(&self, start: usize, end: usize, message: impl Into<String>) -> Lexed<T> {
        Err(Box::new(Diagnostic::error(self.span(start, end), message)))
    }

    fn skip_blanks(&mut self, bytes: &[u8]) {
        while let Some(&b) = bytes.get(self.at) {
            match b {
                0..=b' ' => self.at += 1,
                b'%' => {
                    let rest = &bytes[self.at..];
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                }
                // A no-break space or a control character of latin-1.
                0xC2 if bytes.get(self.at + 1).is_some_and(|c| (0x80..=0xA0).contains(c)) => {
                    self.at += 2;
                }
                _ => return,
            }
        }
    }

    fn token(&mut self, text: &str) -> Lexed<TokenKind> {
        let bytes = text.as_bytes();
        let start = self.at;
        match bytes[start] {
            b'a'..=b'z' => {
                self.skip_name(bytes);
                let name = &text[start..self.at];
                match Symbol::reserved(name, self.maybe_expr) {
                    Some(sym) => Ok(TokenKind::Symbol(sym)),
                    None => Ok(TokenKind::Atom(self.name(name, start, "atom")?)),
                }
            }
            b'A'..=b'Z' | b'_' => {
                self.skip_name(bytes);
                Ok(TokenKind::Var(self.name(&text[start..self.at], start, "var")?))
            }
            b'0'..=b'9' => self.number(text),
            b'"' => self.string(text),
            b'\'' => {
                let value = self.quoted(text, b'\'')?;
                Ok(TokenKind::Atom(self.name(&value, start, "atom")?))
            }
            b'$' => self.character(text),
            b'~' => self.sigil(text),
            b'.' => Ok(self.dot(bytes)),
            0x80.. => self.latin1_name(text),
            b => match symbol(b, &bytes[start + 1..]) {
                Some((sym, len)) => {
                    self.at += len;
                    Ok(TokenKind::Symbol(sym))
                }
                None => self.error(start, start + 1, "illegal character"),
            },
        }
    }

    fn name(&mut self, name: &str, start: usize, what: &str) -> Lexed<Atom> {
        if name.len() > MAX_ATOM_CHARS && name.chars().count() > MAX_ATOM_CHARS {
            return self.error(start, self.at, format!("illegal {what}"));
        }
        Ok(self.names.atom(name))
    }

    fn skip_name(&mut self, bytes: &[u8]) {
        while let Some(&b) = bytes.get(self.at) {
            if NAME[b as usize] {
                self.at += 1;
            } else if latin1_letter(&bytes[self.at..]).is_some() {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn latin1_name(&mut self, text: &str) -> Lexed<TokenKind> {
        let start = self.at;
        let Some(upper) = latin1_letter(&text.as_bytes()[start..]) else {
            self.at += char_len(text.as_bytes()[start]);
            return self.error(start, self.at, "illegal character");
        };
        self.skip_name(text.as_bytes());
        let name = &text[start..self.at];
        if upper {
            Ok(TokenKind::Var(self.name(name, start, "var")?))
        } else {
            Ok(TokenKind::Atom(self.name(name, start, "atom")?))
        }
    }

    /// `.` ends a form before a blank, a comment or the end; else it is `.`, `..` or `...`.
    fn dot(&mut self, bytes: &[u8]) -> TokenKind {
        let rest = &bytes[self.at + 1..];
        let (tok, len) = match rest {
            [b'.', b'.', ..] => (TokenKind::Symbol(Symbol::Ellipsis), 3),
            [b'.', ..] => (TokenKind::Symbol(Symbol::DotDot), 2),
            [] | [0..=b' ' | b'%', ..] | [0xC2, 0x80..=0xA0, ..] => (TokenKind::Dot, 1),
            _ => (TokenKind::Symbol(Symbol::Period), 1),
        };
        self.at += len;
        tok
    }

    /// A string: plain, or between rows of three or more quotes.
    fn string(&mut self, text: &str) -> Lexed<TokenKind> {
        if let Some(value) = self.triple_quoted(text, false)? {
            return Ok(TokenKind::String(Rc::from(value)));
        }
        Ok(TokenKind::String(Rc::from(&*self.quoted(text, b'"')?)))
    }
}

/// Boxed: the path that matters carries a token.
type Lexed<T> = Result<T, Box<Diagnostic>>;

/// ASCII characters that go on a name.
static NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 128 {
        let c = b as u8;
        table[b] = c.is_ascii_alphanumeric() || c == b'_' || c == b'@';
        b += 1;
    }
    table
};

/// Is this a letter of latin-1 (in UTF-8), and is it upper case? Only those may be in a bare name.
fn latin1_letter(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xC3, 0x80..=0x9E, ..] if bytes[1] != 0x97 => Some(true),
        [0xC3, 0x9F..=0xBF, ..] if bytes[1] != 0xB7 => Some(false),
        _ => None,
    }
}

pub(crate) fn char_len(first: u8) -> usize {
    match first {
        0..=0x7F => 1,
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

/// Punctuation: the longest that fits, with its length.
fn symbol(first: u8, rest: &[u8]) -> Option<(Symbol, usize)> {
    Some(match (first, rest) {
        (b'(', _) => (Symbol::LParen, 1),
        (b')', _) => (Symbol::RParen, 1),
        (b'[', _) => (Symbol::LBracket, 1),
        (b']', _) => (Symbol::RBracket, 1),
        (b'{', _) => (Symbol::LBrace, 1),
        (b'}', _) => (Symbol::RBrace, 1),
        (b',', _) => (Symbol::Comma, 1),
        (b';', _) => (Symbol::Semicolon, 1),
        (b'<', [b'<', ..]) => (Symbol::LBin, 2),
        (b'<', [b'-', ..]) => (Symbol::LArrow, 2),
        (b'<', [b'=', ..]) => (Symbol::LDoubleArrow, 2),
        (b'<', [b':', b'-', ..]) => (Symbol::StrictLArrow, 3),
        (b'<', [b':', b'=', ..]) => (Symbol::StrictLDoubleArrow, 3),
        (b'<', _) => (Symbol::Less, 1),
        (b'>', [b'>', ..]) => (Symbol::RBin, 2),
        (b'>', [b'=', ..]) => (Symbol::GreaterEq, 2),
        (b'>', _) => (Symbol::Greater, 1),
        (b'-', [b'>', ..]) => (Symbol::Arrow, 2),
        (b'-', [b'-', ..]) => (Symbol::Subtract, 2),
        (b'-', _) => (Symbol::Minus, 1),
        (b'+', [b'+', ..]) => (Symbol::Append, 2),
        (b'+', _) => (Symbol::Plus, 1),
        (b'=', [b':', b'=', ..]) => (Symbol::ExactEq, 3),
        (b'=', [b'/', b'=', ..]) => (Symbol::ExactNotEq, 3),
        (b'=', [b'=', ..]) => (Symbol::EqEq, 2),
        (b'=', [b'<', ..]) => (Symbol::LessEq, 2),
        (b'=', [b'>', ..]) => (Symbol::Assoc, 2),
        (b'=', _) => (Symbol::Equal, 1),
        (b'/', [b'=', ..]) => (Symbol::NotEq, 2),
        (b'/', _) => (Symbol::Slash, 1),
        (b'|', [b'|', ..]) => (Symbol::BarBar, 2),
        (b'|', _) => (Symbol::Bar, 1),
        (b':', [b'=', ..]) => (Symbol::Exact, 2),
        (b':', [b':', ..]) => (Symbol::ColonColon, 2),
        (b':', _) => (Symbol::Colon, 1),
        (b'?', [b'=', ..]) => (Symbol::MaybeMatch, 2),
        (b'?', _) => (Symbol::Question, 1),
        (b'&', [b'&', ..]) => (Symbol::AmpAmp, 2),
        (b'&', _) => (Symbol::Ampersand, 1),
        (b'#', _) => (Symbol::Hash, 1),
        (b'*', _) => (Symbol::Star, 1),
        (b'!', _) => (Symbol::Bang, 1),
        (b'@', _) => (Symbol::At, 1),
        (b'\\', _) => (Symbol::Backslash, 1),
        (b'^', _) => (Symbol::Caret, 1),
        (b'`', _) => (Symbol::Backquote, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
