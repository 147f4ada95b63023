//! How tables come, change hands and go.

use super::table::{Kind, Options, Protection};
use super::{Answer, Contents, Right, Table, change, find, ok, open, store, yes};
use crate::execution::{Effect, EventRef, ProcId, SignalKind};
use crate::object::{Object, Value};
use crate::requests::Reply;
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Atom, Ref, Term, View, atoms};
use std::collections::HashMap;

/// Which tables a process has to do with. Follows from the objects; kept to find them fast.
#[derive(Clone, Default)]
pub struct Index {
    owned: HashMap<ProcId, Vec<Ref>>,
    fixed: HashMap<ProcId, Vec<Ref>>,
}

impl Index {
    fn own(&mut self, proc: ProcId, id: Ref) {
        self.owned.entry(proc).or_default().push(id);
    }

    fn disown(&mut self, proc: ProcId, id: Ref) {
        if let Some(ids) = self.owned.get_mut(&proc) {
            ids.retain(|i| *i != id);
        }
    }
}

pub fn new(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let name = a[0].as_atom().ok_or_else(Raise::badarg)?;
    let mut kind = Kind::Set;
    let mut is_named = false;
    let mut table = Table {
        id: Ref::local([0; 3]),
        name,
        is_named,
        owner: p,
        protection: Protection::Protected,
        heir: None,
        keypos: 1,
        contents: Contents::new(kind, 1),
        fixed_by: vec![],
        options: Options::default(),
    };
    for option in a[1].to_vec().ok_or_else(Raise::badarg)? {
        if let View::Atom(word) = option.view() {
            match word.name() {
                "set" => kind = Kind::Set,
                "ordered_set" => kind = Kind::OrderedSet,
                "bag" => kind = Kind::Bag,
                "duplicate_bag" => kind = Kind::DuplicateBag,
                "named_table" => is_named = true,
                "compressed" => table.options.compressed = true,
                word => table.protection = protection(word)?,
            }
        } else {
            set_option(s, &mut table, &option)?;
        }
    }
    let event = s.upcoming(p);
    let by_name = Object::TableName(s.node_of(p), name);
    if is_named {
        if let Value::Term(_) = s.execution.objects.read(by_name, event) {
            return Err(Raise::badarg_because("already_exists"));
        }
    }
    let id = s.new_ref(p);
    table.id = *id.as_reference().expect("just made");
    table.is_named = is_named;
    table.contents = Contents::new(kind, table.keypos);
    if is_named {
        s.execution.objects.write(by_name, event, Value::Term(id));
    }
    let answer = table.id();
    s.present.tables.own(p, table.id);
    store(s, p, table);
    ok(answer)
}

fn protection(word: &str) -> Result<Protection, Raise> {
    match word {
        "public" => Ok(Protection::Public),
        "protected" => Ok(Protection::Protected),
        "private" => Ok(Protection::Private),
        _ => Err(Raise::badarg()),
    }
}

/// The options of `new/2` that are tuples.
fn set_option(s: &System, table: &mut Table, option: &Term) -> Result<(), Raise> {
    let parts = option.as_tuple().ok_or_else(Raise::badarg)?;
    let word = parts.first().and_then(Term::as_atom).ok_or_else(Raise::badarg)?.name();
    let flag = |t: &Term| t.as_bool().ok_or_else(Raise::badarg);
    match (word, &parts[1..]) {
        ("keypos", [n]) => {
            table.keypos = n.as_usize().filter(|n| *n > 0).ok_or_else(Raise::badarg)?;
        }
        ("heir", _) => table.heir = heir(s, &parts[1..])?,
        ("read_concurrency", [value]) => table.options.read_concurrency = flag(value)?,
        ("write_concurrency", [value]) => {
            let auto = value.is_atom_eq(Atom::new("auto"));
            table.options.write_concurrency = match auto || flag(value)? {
                true => Some(if auto { "auto" } else { "true" }),
                false => None,
            };
        }
        ("decentralized_counters", [value]) => {
            table.options.decentralized_counters = flag(value)?;
        }
        _ => return Err(Raise::badarg()),
    }
    Ok(())
}

/// What follows `heir` in an option.
fn heir(s: &System, parts: &[Term]) -> Result<Option<(ProcId, Term)>, Raise> {
    match parts {
        [none] if none.is_atom_eq(atoms::NONE) => Ok(None),
        [pid, data] => {
            let pid = pid.as_pid().ok_or_else(Raise::badarg)?;
            Ok(s.execution.find(pid).map(|heir| (heir, data.clone())))
        }
        _ => Err(Raise::badarg()),
    }
}

pub fn delete(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Write)?;
    let event = s.upcoming(p);
    remove(s, &table, event);
    yes(true)
}

fn remove(s: &mut System, table: &Table, event: EventRef) {
    s.present.tables.disown(table.owner, table.id);
    if table.is_named {
        let by_name = Object::TableName(s.node_of(table.owner), table.name);
        s.execution.objects.write(by_name, event, Value::Nothing);
    }
    s.execution.objects.write(Object::Table(table.id), event, Value::Nothing);
}

pub fn rename(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let name = a[1].as_atom().ok_or_else(Raise::badarg)?;
    let event = s.upcoming(p);
    if table.is_named {
        let node = s.node_of(p);
        if let Value::Term(_) = s.execution.objects.read(Object::TableName(node, name), event) {
            return Err(Raise::badarg());
        }
        s.execution.objects.write(Object::TableName(node, table.name), event, Value::Nothing);
        let id = Value::Term(super::reference(table.id));
        s.execution.objects.write(Object::TableName(node, name), event, id);
    }
    table.name = name;
    let answer = table.id();
    store(s, p, table);
    ok(answer)
}

pub fn give_away(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let to = a[1].as_pid().ok_or_else(Raise::badarg)?;
    if table.owner != p {
        return Err(Raise::badarg_because("not_owner"));
    }
    let to = s.execution.find(to).ok_or_else(Raise::badarg)?;
    if to == p {
        return Err(Raise::badarg_because("owner"));
    }
    let event = s.upcoming(p);
    s.execution.objects.read(Object::Life(to), event);
    if s.has_exited(to) {
        return Err(Raise::badarg());
    }
    let first = s.first_signal(p);
    hand_over(s, p, &mut table, to, &a[2]);
    store(s, p, table);
    let signals = s.finish_signals(p, first);
    Ok(Reply { effect: Effect { signals, ..Effect::default() }, ..Reply::bool(true) })
}

/// The table gets another owner, who is told.
fn hand_over(s: &mut System, from: ProcId, table: &mut Table, to: ProcId, gift: &Term) {
    s.present.tables.disown(from, table.id);
    s.present.tables.own(to, table.id);
    table.owner = to;
    let tag = Term::atom_named("ETS-TRANSFER");
    let message = Term::tuple(vec![tag, table.id(), s.pid(from), gift.clone()]);
    s.put_signal(from, Some(to), SignalKind::Message, message);
}

pub fn setopts(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let options = match a[1].view() {
        View::Tuple(_) => vec![a[1].clone()],
        _ => a[1].to_vec().ok_or_else(Raise::badarg)?,
    };
    let mut named = vec![];
    for option in options {
        let parts = option.as_tuple().ok_or_else(Raise::badarg)?;
        // Each may be given once.
        let name = parts.first().and_then(Term::as_atom);
        if named.contains(&name) {
            return Err(Raise::badarg());
        }
        named.push(name);
        match (parts.first().and_then(Term::as_atom).map(|a| a.name()), &parts[1..]) {
            (Some("heir"), rest) => table.heir = heir(s, rest)?,
            (Some("protection"), [word]) => {
                let word = word.as_atom().ok_or_else(Raise::badarg)?;
                table.protection = protection(word.name())?;
            }
            _ => return Err(Raise::badarg()),
        }
    }
    if table.owner != p {
        return Err(Raise::badarg_because("not_owner"));
    }
    store(s, p, table);
    yes(true)
}

pub fn safe_fixtable(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = Table::clone(&*open(s, p, &a[0], Right::Read)?);
    match a[1].as_bool().ok_or_else(Raise::badarg)? {
        true => {
            s.present.tables.fixed.entry(p).or_default().push(table.id);
            table.fix(p);
        }
        false => table.unfix(p, false),
    }
    store(s, p, table);
    yes(true)
}

/// Sees only the tables that are there: one that comes later is not ordered after this.
pub fn all(s: &mut System, p: ProcId, _: &[Term]) -> Answer {
    let event = s.upcoming(p);
    let mut tables: Vec<Ref> = s.present.tables.owned.values().flatten().copied().collect();
    tables.sort_by_key(|id| (id.words[1], id.words[2], id.words[0]));
    let ids = tables.into_iter().rev().filter_map(|id| {
        match s.execution.objects.read(Object::Table(id), event) {
            Value::Table(table) => Some(table.id()),
            _ => None,
        }
    });
    let ids: Vec<Term> = ids.collect();
    ok(Term::list(ids))
}

pub fn whereis(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    if !a[0].is_atom() {
        return Err(Raise::badarg());
    }
    ok(match find(s, p, &a[0])? {
        Some(table) => super::reference(table.id),
        None => Term::atom(atoms::UNDEFINED),
    })
}

impl System {
    /// The tables of a process that ends go with it, or to their heirs.
    pub(crate) fn drop_tables(&mut self, proc: ProcId, event: EventRef) {
        for id in self.present.tables.fixed.remove(&proc).unwrap_or_default() {
            let object = Object::Table(id);
            let Value::Table(table) = self.execution.objects.value(object) else { continue };
            if table.fixed_by.iter().any(|(p, _)| *p == proc) {
                let mut table = Table::clone(table);
                table.unfix(proc, true);
                store(self, proc, table);
            }
        }
        for id in self.present.tables.owned.remove(&proc).unwrap_or_default() {
            let Value::Table(table) = self.execution.objects.value(Object::Table(id)) else {
                continue;
            };
            let mut table = Table::clone(table);
            let heir = table.heir.clone().filter(|(heir, _)| *heir != proc);
            if let Some((heir, _)) = heir {
                self.execution.objects.read(Object::Life(heir), event);
            }
            match heir.filter(|(heir, _)| !self.has_exited(*heir)) {
                Some((heir, data)) => {
                    hand_over(self, proc, &mut table, heir, &data);
                    store(self, proc, table);
                }
                None => remove(self, &table, event),
            }
        }
    }
}
