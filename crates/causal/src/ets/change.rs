//! Objects come and go.

use super::{Answer, Right, Table, change, ok, open, store, yes};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Term, atoms};

/// The objects of an argument: one, or a list of them.
fn objects(table: &Table, term: &Term) -> Result<Vec<Term>, Raise> {
    let mut list = match term.is_list() {
        true => term.to_vec().ok_or_else(Raise::badarg)?,
        false => vec![term.clone()],
    };
    // OTP 25 begins with the last one.
    if let super::Kind::Bag = table.kind() {
        list.reverse();
    }
    let all = list.iter().all(|object| table.key(object).is_some());
    if all { Ok(list) } else { Err(Raise::badarg()) }
}

pub fn insert(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let objects = objects(&table, &a[1])?;
    if !objects.is_empty() {
        objects.into_iter().for_each(|object| table.contents.put(object));
        store(s, p, table);
    }
    yes(true)
}

pub fn insert_new(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let objects = objects(&table, &a[1])?;
    let known = |object: &Term| table.key(object).is_some_and(|k| table.contents.contains(k));
    if objects.iter().any(known) {
        return yes(false);
    }
    if !objects.is_empty() {
        objects.into_iter().for_each(|object| table.contents.put(object));
        store(s, p, table);
    }
    yes(true)
}

pub fn delete_key(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    take_key(s, p, a)?;
    yes(true)
}

pub fn take(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let taken = take_key(s, p, a)?;
    ok(Term::list(taken))
}

fn take_key(s: &mut System, p: ProcId, a: &[Term]) -> Result<Vec<Term>, Raise> {
    let mut table = change(s, p, &a[0])?;
    let taken = table.contents.remove(&a[1], |_| true);
    if !taken.is_empty() {
        store(s, p, table);
    }
    Ok(taken)
}

pub fn delete_object(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    let key = table.key(&a[1]).cloned().ok_or_else(Raise::badarg)?;
    let gone = |object: &Term| *object == a[1];
    if !table.contents.remove(&key, gone).is_empty() {
        store(s, p, table);
    }
    yes(true)
}

/// `internal_delete_all(Table, undefined)`: how many there were.
pub fn delete_all(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Write)?;
    if !a[1].is_atom_eq(atoms::UNDEFINED) {
        return Err(Raise::badarg());
    }
    let count = table.contents.len();
    let mut table = Table::clone(&table);
    table.contents.clear();
    store(s, p, table);
    ok(Term::int(count as i64))
}
