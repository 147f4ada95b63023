//! Characters as Erlang has them: any code point, also those no Rust `char` can hold.

use unicode_segmentation::UnicodeSegmentation;

use crate::term::Term;

/// A text as code points; unlike a `String`, it can hold numbers that are not characters.
pub type Chars = Vec<u32>;

/// The text, with U+FFFD for what is not a character.
pub fn chars_to_string(chars: &[u32]) -> String {
    chars.iter().map(|&c| char::from_u32(c).unwrap_or('\u{fffd}')).collect()
}

/// The characters as an Erlang string.
pub fn chars_to_term(chars: &[u32]) -> Term {
    Term::list(chars.iter().map(|&c| Term::small(c as i64)))
}

/// How long a text is on the page. OTP counts bytes while all are Latin-1, else grapheme clusters.
pub(super) fn text_width(s: &str) -> usize {
    if s.is_ascii() {
        s.len()
    } else if s.chars().all(|c| c as u32 <= 255) {
        s.chars().count()
    } else {
        s.graphemes(true).count()
    }
}

/// `text_width` of code points.
pub(super) fn width(chars: &[u32]) -> usize {
    if chars.iter().all(|&c| c <= 255) {
        chars.len()
    } else {
        chars_to_string(chars).graphemes(true).count()
    }
}

/// The first `n` grapheme clusters.
pub(super) fn prefix(chars: &[u32], n: usize, by_cluster: bool) -> &[u32] {
    if !by_cluster {
        return &chars[..n.min(chars.len())];
    }
    let text = chars_to_string(chars);
    let count = text.graphemes(true).take(n).map(|g| g.chars().count()).sum();
    &chars[..count]
}

pub(super) fn push_str(out: &mut Chars, s: &str) {
    out.extend(s.chars().map(|c| c as u32));
}
