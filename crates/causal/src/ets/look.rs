//! Questions that change nothing.

use super::{Answer, Contents, Right, Table, find, ok, open, yes};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Term, View, atoms};

pub fn end() -> Term {
    Term::atom_named("$end_of_table")
}

fn or_end(key: Option<&Term>) -> Answer {
    ok(key.cloned().unwrap_or_else(end))
}

pub fn lookup(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    ok(Term::list(table.contents.get(&a[1])))
}

pub fn lookup_element(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    let place = a[2].as_usize().and_then(|n| n.checked_sub(1)).ok_or_else(Raise::badarg)?;
    let objects = table.contents.get(&a[1]);
    if objects.is_empty() {
        return Err(Raise::badarg_because("badkey"));
    }
    let element = |object: &Term| object.as_tuple().and_then(|t| t.get(place)).cloned();
    let found: Option<Vec<Term>> = objects.iter().map(element).collect();
    let mut found = found.ok_or_else(Raise::badarg)?;
    match table.kind().has_unique_keys() {
        true => ok(found.remove(0)),
        false => ok(Term::list(found)),
    }
}

/// With a value in case that there is no such key.
pub fn lookup_element_or(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    if !table.contents.contains(&a[1]) {
        let place = a[2].as_usize().filter(|place| *place > 0);
        return place.map_or_else(|| Err(Raise::badarg()), |_| ok(a[3].clone()));
    }
    lookup_element(s, p, &a[..3])
}

/// A key, with its objects.
fn with_objects(s: &mut System, p: ProcId, id: &Term, found: Answer) -> Answer {
    let key = found?.answer?;
    if key == end() {
        return ok(key);
    }
    let table = open(s, p, id, Right::Read)?;
    let objects = Term::list(table.contents.get(&key));
    ok(Term::tuple(vec![key, objects]))
}

pub fn first_lookup(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let found = first(s, p, a);
    with_objects(s, p, &a[0], found)
}

pub fn last_lookup(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let found = last(s, p, a);
    with_objects(s, p, &a[0], found)
}

pub fn next_lookup(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let found = next(s, p, a);
    with_objects(s, p, &a[0], found)
}

pub fn prev_lookup(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let found = prev(s, p, a);
    with_objects(s, p, &a[0], found)
}

pub fn member(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    yes(table.contents.contains(&a[1]))
}

pub fn first(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    match &table.contents {
        Contents::Hash(table, _) => or_end(table.first()),
        Contents::Tree(tree) => or_end(tree.first()),
    }
}

pub fn last(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    match &table.contents {
        Contents::Hash(table, _) => or_end(table.first()),
        Contents::Tree(tree) => or_end(tree.last()),
    }
}

/// What stands for the end of a table is not a key to go on from.
fn is_end(key: &Term) -> bool {
    key.as_atom().is_some_and(|a| a.name() == "$end_of_table")
}

pub fn next(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    match &table.contents {
        Contents::Hash(table, _) => or_end(table.next(&a[1]).map_err(|()| Raise::badarg())?),
        Contents::Tree(_) if is_end(&a[1]) => Err(Raise::badarg()),
        Contents::Tree(tree) => or_end(tree.after(&a[1]).next().map(|(key, _)| key)),
    }
}

pub fn prev(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    match &table.contents {
        Contents::Hash(table, _) => or_end(table.next(&a[1]).map_err(|()| Raise::badarg())?),
        Contents::Tree(_) if is_end(&a[1]) => Err(Raise::badarg()),
        Contents::Tree(tree) => or_end(tree.before(&a[1]).next().map(|(key, _)| key)),
    }
}

pub fn slot(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let table = open(s, p, &a[0], Right::Read)?;
    let n = a[1].as_usize().ok_or_else(Raise::badarg)?;
    let count = match &table.contents {
        Contents::Hash(table, _) => table.bucket_count(),
        Contents::Tree(tree) => tree.len(),
    };
    if n > count {
        return Err(Raise::badarg());
    }
    if n == count {
        return ok(end());
    }
    let objects: Vec<Term> = match &table.contents {
        Contents::Hash(table, _) => table.bucket(n).cloned().collect(),
        Contents::Tree(tree) => tree.nth(n).cloned().into_iter().collect(),
    };
    ok(Term::list(objects))
}

/// What `info/1` tells, in its order.
const ITEMS: &[&str] = &[
    "id",
    "decentralized_counters",
    "read_concurrency",
    "write_concurrency",
    "compressed",
    "memory",
    "owner",
    "heir",
    "name",
    "size",
    "node",
    "named_table",
    "type",
    "keypos",
    "protection",
];

pub fn info(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let Some(table) = find(s, p, &a[0])? else { return ok(Term::atom(atoms::UNDEFINED)) };
    let one = |name: &&str| {
        let value = item(s, &table, name).unwrap_or_default();
        Term::tuple(vec![Term::atom_named(name), value])
    };
    let items: Vec<Term> = ITEMS.iter().map(one).collect();
    ok(Term::list(items))
}

pub fn info_item(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let name = a[1].as_atom().ok_or_else(Raise::badarg)?;
    let Some(table) = find(s, p, &a[0])? else { return ok(Term::atom(atoms::UNDEFINED)) };
    ok(item(s, &table, name.name()).ok_or_else(Raise::badarg)?)
}

fn item(s: &System, table: &Table, name: &str) -> Option<Term> {
    let options = table.options;
    Some(match name {
        "id" => super::reference(table.id),
        "decentralized_counters" => Term::bool(options.decentralized_counters),
        "read_concurrency" => Term::bool(options.read_concurrency),
        "write_concurrency" => Term::atom_named(options.write_concurrency.unwrap_or("false")),
        "compressed" => Term::bool(options.compressed),
        "memory" => Term::int(memory(table)),
        "owner" => s.pid(table.owner),
        "heir" => match &table.heir {
            Some((heir, _)) => s.pid(*heir),
            None => Term::atom(atoms::NONE),
        },
        "name" => Term::atom(table.name),
        "size" => Term::int(table.contents.len() as i64),
        "node" => Term::atom(atoms::NONODE),
        "named_table" => Term::bool(table.is_named),
        "type" => Term::atom_named(table.kind().name()),
        "keypos" => Term::int(table.keypos as i64),
        "protection" => Term::atom_named(table.protection.name()),
        "fixed" => Term::bool(!table.fixed_by.is_empty()),
        "safe_fixed" | "safe_fixed_monotonic_time" => fixed(s, table, name),
        "binary" => Term::nil(),
        "stats" => Term::bool(false),
        _ => return None,
    })
}

/// Who walks over it, and since when: that is not kept, and told as the start of the run.
fn fixed(s: &System, table: &Table, name: &str) -> Term {
    if table.fixed_by.is_empty() {
        return Term::bool(false);
    }
    let since = match name {
        "safe_fixed" => Term::tuple([1767, 225_600, 0].map(Term::int).to_vec()),
        _ => Term::int(-576_460_752_000_000_000),
    };
    let one = |(p, n): &(ProcId, u32)| Term::tuple(vec![s.pid(*p), Term::int(i64::from(*n))]);
    let by: Vec<Term> = table.fixed_by.iter().map(one).collect();
    Term::tuple(vec![since, Term::list(by)])
}

/// Words, by the sizes that OTP 25 has on 64 bits; its own count also knows of spare room.
fn memory(table: &Table) -> i64 {
    let words = |object: &Term| 5 + size(object);
    let objects: i64 = table.contents.walk().map(words).sum();
    match &table.contents {
        Contents::Hash(..) => 305 + objects,
        Contents::Tree(_) => 139 + objects,
    }
}

/// The heap words of a term.
fn size(term: &Term) -> i64 {
    let mut sum = 0;
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        sum += match term.view() {
            View::Tuple(elements) => {
                todo.extend(elements);
                1 + elements.len() as i64
            }
            View::Cons(head, tail) => {
                todo.extend([head, tail]);
                2
            }
            View::Map(map) => {
                todo.extend(map.iter().flat_map(|(k, v)| [k, v]));
                5 + 2 * map.len() as i64
            }
            View::Bits(bits) => 2 + bits.byte_len() as i64 / 8,
            View::Big(big) => 1 + big.bits().div_ceil(64) as i64,
            View::Float(_) => 2,
            View::Ref(_) => 4,
            View::Fun(_) => 5,
            _ => 0,
        };
    }
    sum
}
