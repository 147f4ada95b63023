//! What the program says to people and reads from outside.

use super::{Reply, Row};
use crate::execution::{Effect, ProcId};
use crate::system::System;
use crate::world::FileStatus;
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Row] = &[
    ("reverl", "output", 1, |s, p, a| output(s, p, &a[0])),
    ("reverl", "input_line", 0, |s, _, _| match s.world.outside().read_line() {
        Some(line) => Reply::value(Term::string(&line)),
        None => Reply::value(Term::atom(Atom::new("eof"))),
    }),
    ("reverl", "read_file", 1, |s, _, a| read_file(s, &a[0])),
    ("reverl", "file_status", 1, |s, _, a| {
        let status = text_of(&a[0]).and_then(|path| s.world.outside().file_status(&path));
        Reply::value(status.map_or(Term::atom(atoms::NONE), |status| status_term(&status)))
    }),
    ("reverl", "random_bytes", 1, |s, _, a| match a[0].as_usize() {
        Some(n) if n <= 1 << 28 => Reply::value(Term::binary(&s.world.outside().random_bytes(n))),
        _ => Reply::badarg(),
    }),
    ("erlang", "halt", 0, |s, p, _| halt(s, p, 0)),
    ("erlang", "halt", 1, |s, p, a| halt_with(s, p, &a[0])),
    ("erlang", "halt", 2, |s, p, a| halt_with(s, p, &a[0])),
    ("init", "stop", 0, |s, p, _| halt(s, p, 0)),
    ("init", "stop", 1, |s, p, a| halt(s, p, a[0].as_small().unwrap_or(1) as i32)),
];

fn read_file(s: &mut System, path: &Term) -> Reply {
    let pair = |tag, value| Reply::value(Term::tuple(vec![Term::atom(tag), value]));
    let Some(path) = text_of(path) else {
        return pair(atoms::ERROR, Term::atom(atoms::BADARG));
    };
    match s.world.outside().read_file(&path) {
        Ok(bytes) => pair(atoms::OK, Term::binary(&bytes)),
        Err(why) => pair(atoms::ERROR, Term::atom(why)),
    }
}

/// `{Size, Access, [Read, Written, Changed], Mode, Links, Device, Inode, User, Group}`
fn status_term(status: &FileStatus) -> Term {
    let number = |n: u64| Term::int(n as i64);
    let access = match (status.mode & 0o400 != 0, status.mode & 0o200 != 0) {
        (true, true) => "read_write",
        (true, false) => "read",
        (false, true) => "write",
        (false, false) => "none",
    };
    Term::tuple(vec![
        number(status.size),
        Term::atom_named(access),
        Term::list(status.times.iter().map(|time| Term::int(*time))),
        number(u64::from(status.mode)),
        number(status.links),
        number(status.device),
        number(status.inode),
        number(u64::from(status.user)),
        number(u64::from(status.group)),
    ])
}

/// A node of several ends alone; otherwise all does.
fn halt(s: &mut System, p: ProcId, code: i32) -> Reply {
    if let Some(reply) = s.halt_node(p) {
        return reply;
    }
    s.present.halted = Some(code);
    Reply::value(Term::atom(atoms::OK))
}

/// A number, `abort`, or a text to leave behind.
fn halt_with(s: &mut System, p: ProcId, status: &Term) -> Reply {
    match status.as_small() {
        Some(code) if code >= 0 => halt(s, p, code as i32),
        None if status.is_list() || status.is_atom_eq(Atom::new("abort")) => halt(s, p, 1),
        _ => Reply::badarg(),
    }
}

/// The argument is a binary in UTF-8: text is made by the caller's own code.
fn output(s: &mut System, _: ProcId, text: &Term) -> Reply {
    let Some(bytes) = text.binary_bytes() else { return Reply::badarg() };
    let text = String::from_utf8_lossy(&bytes);
    s.world.outside().output(&text);
    let effect = Effect { output: Some(text.as_ref().into()), ..Effect::default() };
    Reply { answer: Ok(Term::atom(atoms::OK)), effect }
}

/// A string or binary as text.
pub fn text_of(term: &Term) -> Option<String> {
    if let Some(bytes) = term.binary_bytes() {
        return String::from_utf8(bytes.to_vec()).ok();
    }
    let chars = term.to_vec()?;
    chars.iter().map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?)).collect()
}
