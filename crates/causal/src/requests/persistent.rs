//! `persistent_term`: one object for all keys.

use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use reverl_term::{Map, Term, atoms};

pub const TABLE: &[Row] = &[
    ("persistent_term", "get", 0, |s, p, _| {
        let pair = |(k, v): (&Term, &Term)| Term::tuple(vec![k.clone(), v.clone()]);
        let pairs: Vec<Term> = terms(s, p).iter().map(pair).collect();
        Reply::value(Term::list(pairs))
    }),
    ("persistent_term", "get", 1, |s, p, a| match terms(s, p).get(&a[0]) {
        Some(value) => Reply::value(value.clone()),
        None => Reply::badarg(),
    }),
    ("persistent_term", "get", 2, |s, p, a| {
        Reply::value(terms(s, p).get(&a[0]).unwrap_or(&a[1]).clone())
    }),
    ("persistent_term", "put", 2, |s, p, a| {
        let mut all = terms(s, p);
        // Putting what is there already changes nothing.
        if all.get(&a[0]) != Some(&a[1]) {
            all.insert(a[0].clone(), a[1].clone());
            store(s, p, all);
        }
        Reply::value(Term::atom(atoms::OK))
    }),
    ("persistent_term", "put_new", 2, |s, p, a| {
        let mut all = terms(s, p);
        match all.get(&a[0]) {
            Some(value) if *value != a[1] => return Reply::badarg(),
            Some(_) => {}
            None => {
                all.insert(a[0].clone(), a[1].clone());
                store(s, p, all);
            }
        }
        Reply::value(Term::atom(atoms::OK))
    }),
    ("persistent_term", "erase", 1, |s, p, a| {
        let mut all = terms(s, p);
        let was_there = all.remove(&a[0]).is_some();
        if was_there {
            store(s, p, all);
        }
        Reply::bool(was_there)
    }),
    ("persistent_term", "info", 0, |s, p, _| {
        let count = terms(s, p).len() as i64;
        let item = |name: &str, n: i64| (Term::atom_named(name), Term::int(n));
        // Memory is not counted.
        Reply::value(Term::map_from(vec![item("count", count), item("memory", 0)]))
    }),
];

fn terms(s: &mut System, p: ProcId) -> Map {
    let event = s.upcoming(p);
    match s.execution.objects.read(Object::PersistentTerms(s.node_of(p)), event) {
        Value::Terms(all) => all,
        _ => Map::new(),
    }
}

fn store(s: &mut System, p: ProcId, all: Map) {
    let event = s.upcoming(p);
    s.execution.objects.write(Object::PersistentTerms(s.node_of(p)), event, Value::Terms(all));
}
