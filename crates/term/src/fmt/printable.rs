//! Which characters may be shown as text. Plain `erl` runs with the printable range latin1.

use crate::term::Term;

/// Whether `io_lib:printable_latin1_list/1` holds for this character.
pub fn is_printable_latin1(c: u32) -> bool {
    matches!(c, 8..=13 | 27 | 32..=126 | 160..=255)
}

/// Whether `io_lib:printable_unicode_list/1` holds for this character.
pub fn is_printable_unicode(c: u32) -> bool {
    matches!(c, 8..=13 | 27 | 32..=126 | 160..=0xd7ff | 0xe000..=0xfffd | 0x10000..=0x10ffff)
}

/// The text of a flat, proper list of printable Latin-1 characters.
pub(super) fn printable_list(t: &Term) -> Option<String> {
    let mut it = t.list_iter();
    // Look before building: most lists are not text, and show it early.
    if !it.by_ref().all(|c| printable(c).is_some()) || !it.tail().is_nil() {
        return None;
    }
    t.list_iter().map(printable).collect()
}

fn printable(c: &Term) -> Option<char> {
    let c = u32::try_from(c.as_small()?).ok()?;
    if is_printable_latin1(c) { char::from_u32(c) } else { None }
}

/// A character inside quotes, escaped where `io_lib` escapes it.
pub(super) fn push_quoted(out: &mut String, c: char, quote: char, escape_wide: bool) {
    match c {
        _ if c == quote || c == '\\' => out.extend(['\\', c]),
        ' '..='~' | '\u{a0}'..='\u{ff}' => out.push(c),
        '\u{100}'.. if escape_wide => {
            out.push_str(&format!("\\x{{{:X}}}", c as u32));
        }
        '\u{100}'.. => out.push(c),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\u{1b}' => out.push_str("\\e"),
        '\u{7f}' => out.push_str("\\d"),
        _ => out.push_str(&format!("\\{:03o}", c as u32)),
    }
}

pub(super) fn quoted(text: &str, quote: char, escape_wide: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        push_quoted(&mut out, c, quote, escape_wide);
    }
    out.push(quote);
    out
}
