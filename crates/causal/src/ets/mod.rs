//! Tables shared by processes.
//!
//! A table is an object of the execution (`Object::Table`), and so is the name of a named one
//! (`Object::TableName`): a look at it is a read, a change is a write and makes a new version.
//! Undo, redo and the order of conflicting accesses follow from that, without a word here.

mod change;
mod counter;
mod hash;
mod life;
mod look;
mod select;
mod table;
mod tree;

use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::requests::{Reply, Row};
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Ref, Term, View};
use std::rc::Rc;

pub use life::Index;
pub use table::{Contents, Kind, Protection, Table};

type Answer = Result<Reply, Raise>;

macro_rules! rows {
    ($($name:literal $arity:literal $handler:path,)*) => {
        &[$(("ets", $name, $arity, |s, p, a| Reply::from($handler(s, p, a))),)*]
    };
}

/// The functions of `ets`.
pub const TABLE: &[Row] = rows![
    "new" 2 life::new,
    "delete" 1 life::delete,
    "rename" 2 life::rename,
    "give_away" 3 life::give_away,
    "setopts" 2 life::setopts,
    "safe_fixtable" 2 life::safe_fixtable,
    "all" 0 life::all,
    "whereis" 1 life::whereis,
    "info" 1 look::info,
    "info" 2 look::info_item,
    "lookup" 2 look::lookup,
    "lookup_element" 3 look::lookup_element,
    "lookup_element" 4 look::lookup_element_or,
    "first_lookup" 1 look::first_lookup,
    "last_lookup" 1 look::last_lookup,
    "next_lookup" 2 look::next_lookup,
    "prev_lookup" 2 look::prev_lookup,
    "member" 2 look::member,
    "first" 1 look::first,
    "last" 1 look::last,
    "next" 2 look::next,
    "prev" 2 look::prev,
    "slot" 2 look::slot,
    "insert" 2 change::insert,
    "insert_new" 2 change::insert_new,
    "delete" 2 change::delete_key,
    "delete_object" 2 change::delete_object,
    "internal_delete_all" 2 change::delete_all,
    "take" 2 change::take,
    "update_element" 3 counter::update_element,
    "update_element" 4 counter::update_element,
    "update_counter" 3 counter::update_counter,
    "update_counter" 4 counter::update_counter,
    "match" 1 select::go_on,
    "match" 2 select::match_all,
    "match" 3 select::match_some,
    "match_object" 1 select::go_on,
    "match_object" 2 select::match_object,
    "match_object" 3 select::match_object_some,
    "select" 1 select::go_on,
    "select" 2 select::select,
    "select" 3 select::select_some,
    "select_reverse" 1 select::go_on,
    "select_reverse" 2 select::select_reverse,
    "select_reverse" 3 select::select_reverse_some,
    "select_count" 2 select::count,
    "internal_select_delete" 2 select::delete,
    "select_replace" 2 select::replace,
];

/// What a process wants to do with a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Right {
    Read,
    Write,
}

fn ok(value: Term) -> Answer {
    Ok(Reply::value(value))
}

fn yes(value: bool) -> Answer {
    Ok(Reply::bool(value))
}

/// The table that a term means; `Ok(None)` if there is none. Finding out is a read.
fn find(s: &mut System, p: ProcId, id: &Term) -> Result<Option<Rc<Table>>, Raise> {
    let event = s.upcoming(p);
    let id = match id.view() {
        // Tables are not shared between nodes.
        View::Ref(id) if id.node != s.execution.proc(p).pid.node => return Ok(None),
        View::Ref(id) => *id,
        View::Atom(name) => {
            match s.execution.objects.read(Object::TableName(s.node_of(p), name), event) {
                Value::Term(id) => *id.as_reference().expect("names mean tables"),
                _ => return Ok(None),
            }
        }
        _ => return Err(Raise::badarg_because("type")),
    };
    match s.execution.objects.read(Object::Table(id), event) {
        Value::Table(table) => Ok(Some(table)),
        _ => Ok(None),
    }
}

/// A table with which the process may do what it wants.
fn open(s: &mut System, p: ProcId, id: &Term, right: Right) -> Result<Rc<Table>, Raise> {
    let table = find(s, p, id)?.ok_or_else(|| Raise::badarg_because("id"))?;
    let may = table.owner == p
        || match right {
            Right::Read => table.protection != Protection::Private,
            Right::Write => table.protection == Protection::Public,
        };
    if may { Ok(table) } else { Err(Raise::badarg_because("access")) }
}

/// A new version of a table.
fn store(s: &mut System, p: ProcId, table: Table) {
    let event = s.upcoming(p);
    let object = Object::Table(table.id);
    s.execution.objects.write(object, event, Value::Table(Rc::new(table)));
}

/// Its own copy, to be changed and stored.
fn change(s: &mut System, p: ProcId, id: &Term) -> Result<Table, Raise> {
    open(s, p, id, Right::Write).map(|table| Table::clone(&table))
}

fn reference(id: Ref) -> Term {
    Term::reference(id)
}
