//! What PCRE2 knows of the characters below 256. OTP gives it Latin-1, where PCRE2 by itself would
//! know ASCII only.

use std::sync::LazyLock;

/// PCRE2's layout: lower case, the other case, ten sets of 32 bytes, the types.
const LOWER: usize = 0;
const FLIPPED: usize = 256;
const SETS: usize = 512;
const TYPES: usize = SETS + 10 * 32;

type Tables = [u8; TYPES + 256];

/// The tables. A compiled pattern points to them, so that they must stay.
pub static TABLES: LazyLock<Tables> = LazyLock::new(tables);

fn is_upper(c: u8) -> bool {
    c.is_ascii_uppercase() || matches!(c, 0xc0..=0xd6 | 0xd8..=0xde)
}

fn is_lower(c: u8) -> bool {
    c.is_ascii_lowercase() || matches!(c, 0xaa | 0xb5 | 0xba | 0xdf..=0xf6 | 0xf8..=0xff)
}

fn is_letter(c: u8) -> bool {
    is_upper(c) || is_lower(c)
}

fn is_word(c: u8) -> bool {
    is_letter(c) || c.is_ascii_digit() || c == b'_'
}

fn is_space(c: u8) -> bool {
    matches!(c, 9..=13 | b' ')
}

fn is_graph(c: u8) -> bool {
    c.is_ascii_graphic() || c >= 0xa0
}

fn is_punctuation(c: u8) -> bool {
    is_graph(c) && !is_letter(c) && !c.is_ascii_digit()
}

fn is_control(c: u8) -> bool {
    c.is_ascii_control() || matches!(c, 0x80..=0x9f)
}

fn to_lower(c: u8) -> u8 {
    if is_upper(c) { c + 0x20 } else { c }
}

fn flipped(c: u8) -> u8 {
    match c {
        0xaa | 0xb5 | 0xba | 0xdf | 0xff => c,
        c if is_lower(c) => c - 0x20,
        c => to_lower(c),
    }
}

fn tables() -> Tables {
    let sets: [fn(u8) -> bool; 10] = [
        is_space,
        |c| c.is_ascii_hexdigit(),
        |c| c.is_ascii_digit(),
        is_upper,
        is_lower,
        is_word,
        is_graph,
        |c| is_graph(c) || c == b' ',
        is_punctuation,
        is_control,
    ];
    let types: [fn(u8) -> bool; 5] =
        [is_space, is_letter, is_lower, |c| c.is_ascii_digit(), is_word];
    let mut tables = [0; TYPES + 256];
    for c in 0..=255_u8 {
        let at = usize::from(c);
        tables[LOWER + at] = to_lower(c);
        tables[FLIPPED + at] = flipped(c);
        for (i, _) in sets.iter().enumerate().filter(|(_, has)| has(c)) {
            tables[SETS + 32 * i + at / 8] |= 1 << (at % 8);
        }
        for (i, _) in types.iter().enumerate().filter(|(_, has)| has(c)) {
            tables[TYPES + at] |= 1 << i;
        }
    }
    tables
}
