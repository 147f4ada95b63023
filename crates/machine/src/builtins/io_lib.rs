//! Module `io_lib`: terms as text. Where OTP's deep lists have a shape that is not simple, its own
//! code makes them.

use super::{Builtin, function, shortcut};
use crate::raise::Raise;
use reverl_term::fmt::{self, Encoding, PrettyOptions};
use reverl_term::{Term, View};

pub const TABLE: &[Builtin] = &[
    function("reverl", "format", 2, |_, a| {
        fmt::format_term(&a[0], &a[1]).map_err(|_| Raise::badarg())
    }),
    function("reverl", "print", 4, |_, a| print(a).ok_or_else(Raise::badarg)),
    shortcut("io_lib", "format", 2, |a| fmt::format_deep(&a[0], &a[1])),
    shortcut("io_lib", "fwrite", 2, |a| fmt::format_deep(&a[0], &a[1])),
    shortcut("io_lib", "format", 3, without_options),
    shortcut("io_lib", "fwrite", 3, without_options),
    shortcut("io_lib", "write", 1, |a| {
        fmt::is_flat(&a[0]).then(|| Term::string(&fmt::write(&a[0])))
    }),
    shortcut("io_lib", "print", 1, |a| {
        let text = || Term::string(&fmt::pretty(&a[0], &PrettyOptions::default()));
        fmt::is_flat(&a[0]).then(text)
    }),
    shortcut("io_lib", "write_atom", 1, |a| {
        Some(Term::string(&fmt::write_atom(a[0].as_atom()?, Encoding::Unicode)))
    }),
    shortcut("io_lib", "write_atom_as_latin1", 1, |a| {
        Some(Term::string(&fmt::write_atom(a[0].as_atom()?, Encoding::Latin1)))
    }),
    shortcut("io_lib", "write_string", 1, |a| {
        let text = super::text::characters(&a[0])?;
        Some(Term::string(&fmt::write_string(&text, Encoding::Unicode)))
    }),
    shortcut("io_lib", "write_string_as_latin1", 1, |a| {
        let text = super::text::characters(&a[0])?;
        Some(Term::string(&fmt::write_string(&text, Encoding::Latin1)))
    }),
    shortcut("io_lib", "write_char", 1, |a| {
        let c = char::from_u32(u32::try_from(a[0].as_small()?).ok()?)?;
        Some(Term::string(&fmt::write_char(c, Encoding::Unicode)))
    }),
    shortcut("io_lib", "printable_list", 1, |a| Some(all(&a[0], fmt::is_printable_latin1))),
    shortcut("io_lib", "printable_latin1_list", 1, |a| Some(all(&a[0], fmt::is_printable_latin1))),
    shortcut("io_lib", "printable_unicode_list", 1, |a| {
        Some(all(&a[0], fmt::is_printable_unicode))
    }),
    shortcut("io_lib", "latin1_char_list", 1, |a| Some(all(&a[0], |c| c < 256))),
    shortcut("io_lib", "char_list", 1, |a| Some(all(&a[0], |c| char::from_u32(c).is_some()))),
    shortcut("io_lib", "deep_char_list", 1, |a| {
        Some(Term::bool(deep(&a[0], |c| char::from_u32(c).is_some())))
    }),
    shortcut("io_lib", "deep_latin1_char_list", 1, |a| Some(Term::bool(deep(&a[0], |c| c < 256)))),
    shortcut("io_lib", "nl", 0, |_| Some(Term::string("\n"))),
];

fn without_options(a: &[Term]) -> Option<Term> {
    if a[2].is_nil() { fmt::format_deep(&a[0], &a[1]) } else { None }
}

/// A term from a column on, in lines of a length, to a depth.
fn print(a: &[Term]) -> Option<Term> {
    let options = PrettyOptions {
        column: a[1].as_small()?,
        line_length: a[2].as_small()?,
        depth: a[3].as_small()?,
        ..PrettyOptions::default()
    };
    Some(Term::string(&fmt::pretty(&a[0], &options)))
}

fn code(t: &Term) -> Option<u32> {
    t.as_small().and_then(|c| u32::try_from(c).ok())
}

/// Whether the term is a flat list of such characters.
fn all(list: &Term, test: fn(u32) -> bool) -> Term {
    let mut items = list.list_iter();
    let whole = items.by_ref().all(|c| code(c).is_some_and(test));
    Term::bool(whole && items.tail().is_nil())
}

fn deep(list: &Term, test: fn(u32) -> bool) -> bool {
    let mut todo = vec![list];
    while let Some(t) = todo.pop() {
        match t.view() {
            View::Nil => {}
            View::Cons(head, tail) => {
                todo.push(tail);
                match head.is_list() {
                    true => todo.push(head),
                    false if code(head).is_some_and(test) => {}
                    false => return false,
                }
            }
            _ => return false,
        }
    }
    true
}
