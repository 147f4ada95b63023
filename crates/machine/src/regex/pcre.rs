//! The border to PCRE2: all unsafe code of regular expressions is here.
#![allow(unsafe_code, reason = "functions of PCRE2")]

use super::{Pattern, Refused, errors};
use pcre2_sys as c;
use std::ptr;

/// First byte and the one behind the last.
pub type Span = (usize, usize);

/// How long a match may take.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub steps: Option<u32>,
    pub depth: Option<u32>,
}

/// Why a match has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    Steps,
    Depth,
    /// The subject is not UTF-8, or the offset lies inside a character.
    BadText,
}

/// A compiled pattern.
pub struct Code {
    /// invariant: made by `pcre2_compile`, freed once.
    code: *mut c::pcre2_code_8,
    pub captures: usize,
    /// By name; a name may have several numbers.
    pub names: Vec<(String, usize)>,
    /// A carriage return and a line feed are one character to go over.
    pub crlf: bool,
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the only owner gives it up.
        unsafe { c::pcre2_code_free_8(self.code) }
    }
}

/// PCRE2's numbers for an escape that means nothing, and for a range from a class of characters.
const UNKNOWN_ESCAPE: i32 = 103;
const INVALID_RANGE: i32 = 150;

impl Code {
    pub fn compile(pattern: &Pattern) -> Result<Code, Refused> {
        let extra = c::PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK;
        let pattern = &Pattern { text: plain_braces(&pattern.text), ..pattern.clone() };
        let code = match compile(pattern, extra) {
            // PCRE takes an escape that means nothing for the character itself.
            Err((UNKNOWN_ESCAPE, _)) => {
                compile(pattern, extra | c::PCRE2_EXTRA_BAD_ESCAPE_IS_LITERAL)
            }
            // And the hyphen of `[\\d-z]` for a hyphen.
            Err((INVALID_RANGE, at)) if at > 0 && pattern.text.get(at - 1) == Some(&b'-') => {
                let mut plain = pattern.clone();
                plain.text.insert(at - 1, b'\\');
                return Code::compile(&plain);
            }
            done => done,
        };
        let code = code.map_err(|(error, at)| errors::refused(error, at, &pattern.text))?;
        let mut code = Code { code, captures: 0, names: vec![], crlf: false };
        code.captures = code.info(c::PCRE2_INFO_CAPTURECOUNT) as usize;
        code.names = code.read_names();
        let newline = code.info(c::PCRE2_INFO_NEWLINE);
        let wide = [c::PCRE2_NEWLINE_CRLF, c::PCRE2_NEWLINE_ANY, c::PCRE2_NEWLINE_ANYCRLF];
        code.crlf = wide.contains(&newline);
        Ok(code)
    }

    fn info(&self, what: u32) -> u32 {
        let mut value: u32 = 0;
        // SAFETY: the code is alive, and what is asked for is a number of 32 bits.
        unsafe { c::pcre2_pattern_info_8(self.code, what, (&raw mut value).cast()) };
        value
    }

    fn read_names(&self) -> Vec<(String, usize)> {
        let count = self.info(c::PCRE2_INFO_NAMECOUNT) as usize;
        let size = self.info(c::PCRE2_INFO_NAMEENTRYSIZE) as usize;
        let mut table: *const u8 = ptr::null();
        // SAFETY: the code is alive, and the answer is a pointer.
        unsafe {
            let to = (&raw mut table).cast();
            c::pcre2_pattern_info_8(self.code, c::PCRE2_INFO_NAMETABLE, to);
        }
        let entry = |i: usize| {
            // SAFETY: the table has `count` entries of `size` bytes and lives with the code.
            let entry = unsafe { std::slice::from_raw_parts(table.add(i * size), size) };
            let number = usize::from(entry[0]) << 8 | usize::from(entry[1]);
            let name = entry[2..].split(|b| *b == 0).next().unwrap_or(&[]);
            (String::from_utf8_lossy(name).into_owned(), number)
        };
        (0..count).map(entry).collect()
    }

    /// The spans of the match and its groups, up to the last group that is set.
    pub fn find(
        &self,
        subject: &[u8],
        offset: usize,
        options: u32,
        limits: Limits,
    ) -> Result<Option<Vec<Option<Span>>>, Failure> {
        // SAFETY: all objects are made here and freed here; the subject outlives the match; the
        // spans are copied out before their owner goes.
        unsafe {
            let context = c::pcre2_match_context_create_8(ptr::null_mut());
            if let Some(n) = limits.steps {
                c::pcre2_set_match_limit_8(context, n);
            }
            if let Some(n) = limits.depth {
                c::pcre2_set_depth_limit_8(context, n);
            }
            let data = c::pcre2_match_data_create_from_pattern_8(self.code, ptr::null_mut());
            let (start, length) = (subject.as_ptr(), subject.len());
            let count = c::pcre2_match_8(self.code, start, length, offset, options, data, context);
            let spans = c::pcre2_get_ovector_pointer_8(data);
            let span = |i: usize| {
                let (from, to) = (*spans.add(2 * i), *spans.add(2 * i + 1));
                // `\K` in a lookahead can put the start behind the end.
                (from != usize::MAX).then_some((from, to.max(from)))
            };
            let found = match count {
                1.. => Ok(Some((0..count as usize).map(span).collect())),
                c::PCRE2_ERROR_NOMATCH => Ok(None),
                c::PCRE2_ERROR_MATCHLIMIT => Err(Failure::Steps),
                c::PCRE2_ERROR_DEPTHLIMIT | c::PCRE2_ERROR_HEAPLIMIT => Err(Failure::Depth),
                _ => Err(Failure::BadText),
            };
            c::pcre2_match_data_free_8(data);
            c::pcre2_match_context_free_8(context);
            found
        }
    }
}

/// Where a match of UTF-8 can begin, PCRE2 computes as if characters from 128 to 255 were in no class
/// but that of spaces, so that it must not.
fn unoptimized(options: u32) -> u32 {
    match options & c::PCRE2_UTF != 0 && options & c::PCRE2_UCP == 0 {
        true => c::PCRE2_NO_START_OPTIMIZE,
        false => 0,
    }
}

/// PCRE2's code, or its number of the error and the place.
fn compile(pattern: &Pattern, extra: u32) -> Result<*mut c::pcre2_code_8, (i32, usize)> {
    let (mut error, mut at) = (0, 0);
    let text = &pattern.text;
    // SAFETY: the text is alive during the call, the context is made and freed here.
    let code = unsafe {
        let context = c::pcre2_compile_context_create_8(ptr::null_mut());
        c::pcre2_set_compile_extra_options_8(context, extra);
        c::pcre2_set_character_tables_8(context, super::latin1::TABLES.as_ptr());
        if pattern.newline != 0 {
            c::pcre2_set_newline_8(context, u32::from(pattern.newline));
        }
        if pattern.bsr != 0 {
            c::pcre2_set_bsr_8(context, u32::from(pattern.bsr));
        }
        let (start, length) = (text.as_ptr(), text.len());
        let options = pattern.options | unoptimized(pattern.options);
        let code = c::pcre2_compile_8(start, length, options, &mut error, &mut at, context);
        c::pcre2_compile_context_free_8(context);
        code
    };
    if code.is_null() { Err((error, at)) } else { Ok(code) }
}

/// PCRE2 takes `{,3}` and `{1, 2}` for quantifiers, where PCRE sees plain characters.
fn plain_braces(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let (mut i, mut in_class) = (0, false);
    while i < text.len() {
        match text[i] {
            // What follows belongs to the escape, and so do the braces of `\x{..}` and its kin.
            b'\\' if i + 1 < text.len() => {
                plain.extend(&text[i..i + 2]);
                i += 2;
                if text.get(i) == Some(&b'{') && b"xopPgkN".contains(&text[i - 1]) {
                    plain.push(b'{');
                    i += 1;
                }
                continue;
            }
            b'[' if !in_class => {
                in_class = true;
                // A bracket that comes first is a member.
                let first = i + 1 + usize::from(text.get(i + 1) == Some(&b'^'));
                if text.get(first) == Some(&b']') {
                    plain.extend(&text[i..=first]);
                    i = first + 1;
                    continue;
                }
            }
            b']' => in_class = false,
            b'{' if !in_class && is_new_quantifier(&text[i + 1..]) => plain.push(b'\\'),
            _ => {}
        }
        plain.push(text[i]);
        i += 1;
    }
    plain
}

/// Of what stands behind an opening brace: a quantifier for PCRE2 but not for PCRE.
fn is_new_quantifier(rest: &[u8]) -> bool {
    let Some(end) = rest.iter().position(|b| *b == b'}') else { return false };
    let inside = &rest[..end];
    let odd = inside.iter().any(|b| matches!(b, b' ' | b'\t')) || inside.starts_with(b",");
    let known = |b: &u8| b.is_ascii_digit() || matches!(b, b',' | b' ' | b'\t');
    let has_digit = inside.iter().any(u8::is_ascii_digit);
    odd && has_digit && inside.iter().all(known)
}
