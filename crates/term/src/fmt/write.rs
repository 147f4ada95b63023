//! `~w` and `~W`: terms on one line, no strings. A work list instead of recursion.

use super::Encoding;
use super::printable::{push_quoted, quoted};
use crate::atom::Atom;
use crate::bits::Bits;
use crate::fun::Fun;
use crate::map;
use crate::num;
use crate::term::Term;
use crate::view::View;
use crate::work::{Turns, WRITTEN};

/// `io_lib:write/1`.
pub fn write(t: &Term) -> String {
    write_encoded(t, Encoding::Latin1)
}

/// `~w` or `~tw`.
pub fn write_encoded(t: &Term, encoding: Encoding) -> String {
    write_depth(t, -1, encoding)
}

/// What is still to be written, in the depth it has left.
enum Todo<'a> {
    Text(&'static str),
    Term(&'a Term, i64),
    /// What follows the first element of a list, tuple or map.
    Tail(&'a Term, i64),
    Elements(&'a [Term], i64),
    /// Pairs left, and the depth of each pair.
    Pairs(map::Iter<'a>, i64, i64),
}

/// `~W`: nothing below `depth` levels; a negative depth has no bound.
pub fn write_depth(t: &Term, depth: i64, encoding: Encoding) -> String {
    let mut out = String::new();
    let mut todo = vec![Todo::Term(t, depth)];
    let mut turns = Turns::default();
    while let Some(next) = todo.pop() {
        turns.turn(WRITTEN);
        match next {
            Todo::Text(s) => out.push_str(s),
            Todo::Term(_, 0) => out.push_str("..."),
            Todo::Term(t, d) => open(t, d, encoding, &mut out, &mut todo),
            Todo::Tail(t, _) if t.is_nil() => {}
            Todo::Tail(_, 1) => out.push_str("|..."),
            Todo::Tail(t, d) => match t.as_cons() {
                Some((h, t)) => {
                    out.push(',');
                    todo.extend([Todo::Tail(t, d - 1), Todo::Term(h, d - 1)]);
                }
                None => {
                    out.push('|');
                    todo.push(Todo::Term(t, d - 1));
                }
            },
            Todo::Elements([], _) => {}
            Todo::Elements(_, 1) => out.push_str(",..."),
            Todo::Elements([e, rest @ ..], d) => {
                out.push(',');
                todo.extend([Todo::Elements(rest, d - 1), Todo::Term(e, d - 1)]);
            }
            Todo::Pairs(_, 1, _) => out.push_str(",..."),
            Todo::Pairs(mut pairs, d, each) => {
                if let Some((k, v)) = pairs.next() {
                    out.push(',');
                    todo.push(Todo::Pairs(pairs, d - 1, each));
                    pair(k, v, each, &mut todo);
                }
            }
        }
    }
    out
}

fn pair<'a>(k: &'a Term, v: &'a Term, depth: i64, todo: &mut Vec<Todo<'a>>) {
    todo.extend([Todo::Term(v, depth), Todo::Text(" => "), Todo::Term(k, depth)]);
}

fn open<'a>(t: &'a Term, d: i64, encoding: Encoding, out: &mut String, todo: &mut Vec<Todo<'a>>) {
    match t.view() {
        View::Cons(..) if d == 1 => out.push_str("[...]"),
        View::Cons(h, t) => {
            out.push('[');
            todo.extend([Todo::Text("]"), Todo::Tail(t, d - 1), Todo::Term(h, d - 1)]);
        }
        View::Tuple([]) => out.push_str("{}"),
        View::Tuple(_) if d == 1 => out.push_str("{...}"),
        View::Tuple([e, rest @ ..]) => {
            out.push('{');
            todo.extend([Todo::Text("}"), Todo::Elements(rest, d - 1), Todo::Term(e, d - 1)]);
        }
        // At depth 1 OTP shows any map as an empty one.
        View::Map(_) if d == 1 => out.push_str("#{}"),
        View::Map(m) => {
            out.push_str("#{");
            todo.push(Todo::Text("}"));
            let mut pairs = m.iter();
            if let Some((k, v)) = pairs.next() {
                todo.push(Todo::Pairs(pairs, d - 1, d - 1));
                pair(k, v, d - 1, todo);
            }
        }
        View::Bits(b) => {
            out.push_str("<<");
            let parts = bits_parts(b, d);
            out.push_str(&parts.join(","));
            out.push_str(">>");
        }
        _ => out.push_str(&leaf(t, encoding)),
    }
}

/// A term without parts.
pub(super) fn leaf(t: &Term, encoding: Encoding) -> String {
    match t.view() {
        View::Int(i) => i.to_string(),
        View::Big(b) => b.to_string(),
        View::Float(f) => num::shortest(f),
        View::Atom(a) => write_atom(a, encoding),
        View::Nil => "[]".into(),
        View::Pid(p) => p.to_string(),
        View::Port(p) => p.to_string(),
        View::Ref(r) => r.to_string(),
        View::Fun(f) => write_fun(f),
        _ => unreachable!("composite terms are opened by the caller"),
    }
}

/// Funs are printed by the emulator, which has its own idea of when an atom needs quotes.
fn write_fun(f: &Fun) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let atom = |a: Atom| match a.name() {
        name if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(bare) => {
            name.to_owned()
        }
        name => quoted(name, '\'', false),
    };
    match f {
        Fun::Local(c) => format!("#Fun<{}.{}.{}>", atom(c.module), c.index, c.uniq),
        Fun::External { module, name, arity } => {
            format!("fun {}:{}/{arity}", atom(*module), atom(*name))
        }
    }
}

/// The numbers of a bit string, `...` for those below the depth.
pub(super) fn bits_parts(b: &Bits, depth: i64) -> Vec<String> {
    let whole = b.bit_len() / 8;
    let (tail, tail_len) = b.tail_bits();
    let room = if depth > 0 { (depth - 1) as usize } else { usize::MAX };
    let mut parts: Vec<String> =
        (0..whole.min(room)).map(|i| b.padded_byte(i).to_string()).collect();
    if b.byte_len() > room {
        parts.push("...".into());
    } else if tail_len > 0 {
        parts.push(format!("{tail}:{tail_len}"));
    }
    parts
}

const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "end", "fun", "if", "let", "not", "of", "or", "orelse", "receive",
    "rem", "try", "when", "xor",
];

fn is_bare(name: &str) -> bool {
    let lower = |c| matches!(c, 'a'..='z' | 'ß'..='ÿ') && c != '÷';
    let part =
        |c| lower(c) || matches!(c, 'A'..='Z' | 'À'..='Þ' | '0'..='9' | '_' | '@') && c != '×';
    name.starts_with(lower) && name.chars().all(part) && !RESERVED.contains(&name)
}

/// An atom, quoted where it must be.
pub fn write_atom(a: Atom, encoding: Encoding) -> String {
    let name = a.name();
    if is_bare(name) { name.into() } else { quoted(name, '\'', encoding == Encoding::Latin1) }
}

/// A text in double quotes, as `io_lib:write_string/1` (or `write_string_as_latin1/1`).
pub fn write_string(text: &str, encoding: Encoding) -> String {
    quoted(text, '"', encoding == Encoding::Latin1)
}

/// A character as `$c`, as `io_lib:write_char/1`.
pub fn write_char(c: char, encoding: Encoding) -> String {
    let mut out = "$".to_owned();
    match c {
        ' ' => out.push_str("\\s"),
        // No quote ends a character, so nothing but the backslash needs one.
        _ => push_quoted(&mut out, c, '\\', encoding == Encoding::Latin1),
    }
    out
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&write_encoded(self, Encoding::Unicode))
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&write_encoded(self, Encoding::Unicode))
    }
}
