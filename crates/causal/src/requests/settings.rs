//! What a node is told from outside and a program can change: environment variables, where to
//! look for code, and whatever else our own modules keep for the whole node.

use super::console::text_of;
use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Atom, Map, Term, atoms};

pub const TABLE: &[Row] = &[
    ("reverl", "setting", 1, |s, p, a| match a[0].as_atom() {
        Some(name) => Reply::value(setting(s, p, name).unwrap_or(Term::atom(atoms::UNDEFINED))),
        None => Reply::badarg(),
    }),
    ("reverl", "set", 2, |s, p, a| match a[0].as_atom() {
        Some(name) => {
            set(s, p, name, a[1].clone());
            Reply::value(Term::atom(atoms::OK))
        }
        None => Reply::badarg(),
    }),
    ("os", "getenv", 1, |s, p, a| getenv(s, p, a).unwrap_or_else(Reply::badarg)),
    ("os", "cmd", 1, |s, _, a| command(s, a).unwrap_or_else(Reply::badarg)),
    ("os", "cmd", 2, |s, _, a| command(s, a).unwrap_or_else(Reply::badarg)),
    ("os", "putenv", 2, |s, p, a| putenv(s, p, a).unwrap_or_else(Reply::badarg)),
    ("os", "unsetenv", 1, |s, p, a| unsetenv(s, p, a).unwrap_or_else(Reply::badarg)),
    ("os", "env", 0, |s, p, _| env(s, p)),
];

fn setting(s: &mut System, p: ProcId, name: Atom) -> Option<Term> {
    let event = s.upcoming(p);
    match s.execution.objects.read(Object::Setting(s.node_of(p), name), event) {
        Value::Term(value) => Some(value),
        _ => None,
    }
}

fn set(s: &mut System, p: ProcId, name: Atom, value: Term) {
    let event = s.upcoming(p);
    s.execution.objects.write(Object::Setting(s.node_of(p), name), event, Value::Term(value));
}

/// The variables that the program has set, or `false` for those it has removed.
fn changed(s: &mut System, p: ProcId) -> Map {
    let all = setting(s, p, Atom::new("environment"));
    all.and_then(|all| all.as_map().cloned()).unwrap_or_default()
}

/// A name as it is kept: a text without `=` that is not empty.
fn name_of(term: &Term) -> Option<String> {
    text_of(term).filter(|name| !name.is_empty() && !name.contains(['=', '\0']))
}

fn getenv(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let name = name_of(&a[0])?;
    if let Some(value) = changed(s, p).get(&Term::string(&name)) {
        return Some(Reply::value(value.clone()));
    }
    let value = s.world.outside().environment(&name);
    Some(Reply::value(value.map_or(Term::bool(false), |value| Term::string(&value))))
}

/// A command of the operating system, if that is allowed.
fn command(s: &mut System, a: &[Term]) -> Option<Reply> {
    let text = match a[0].as_atom() {
        Some(name) => name.name().to_string(),
        None => iolist_text(&a[0])?,
    };
    Some(match s.world.outside().command(&text) {
        Ok(output) => Reply::value(Term::string(&String::from_utf8_lossy(&output))),
        Err(why) => Reply::raise(Raise::error(Term::tuple(vec![
            Term::atom_named("notsup"),
            Term::string(why),
        ]))),
    })
}

/// A command is often put together from parts.
fn iolist_text(term: &Term) -> Option<String> {
    let flat = |part: &Term| match part.as_small() {
        Some(c) => u32::try_from(c).ok().and_then(char::from_u32).map(String::from),
        None => iolist_text(part),
    };
    text_of(term).or_else(|| term.to_vec()?.iter().map(flat).collect())
}

fn putenv(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let name = name_of(&a[0])?;
    let value = text_of(&a[1]).filter(|value| !value.contains('\0'))?;
    change(s, p, &name, Term::string(&value));
    Some(Reply::bool(true))
}

fn unsetenv(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let name = name_of(&a[0])?;
    change(s, p, &name, Term::bool(false));
    Some(Reply::bool(true))
}

fn change(s: &mut System, p: ProcId, name: &str, value: Term) {
    let mut all = changed(s, p);
    all.insert(Term::string(name), value);
    set(s, p, Atom::new("environment"), Term::map_from(pairs(&all)));
}

fn pairs(map: &Map) -> Vec<(Term, Term)> {
    map.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn env(s: &mut System, p: ProcId) -> Reply {
    let mut all = Map::new();
    for (name, value) in s.world.outside().variables() {
        all.insert(Term::string(&name), Term::string(&value));
    }
    for (name, value) in pairs(&changed(s, p)) {
        all.insert(name, value);
    }
    let is_set = |(_, value): &(Term, Term)| value.as_bool().is_none();
    let set = pairs(&all).into_iter().filter(is_set);
    Reply::value(Term::list(set.map(|(name, value)| Term::tuple(vec![name, value]))))
}
