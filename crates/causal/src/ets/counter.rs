//! Objects changed in place: `update_counter`, `update_element`.

use super::{Answer, Table, change, ok, store, yes};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::Raise;
use reverl_term::{Term, View, compare, num};

/// Place (from 0) and new value of an element.
fn element(table: &Table, object: &[Term], pair: &Term) -> Result<(usize, Term), Raise> {
    let Some([place, value]) = pair.as_tuple() else { return Err(Raise::badarg()) };
    let place = place.as_usize().filter(|n| *n > 0).ok_or_else(Raise::badarg)?;
    if place == table.keypos {
        return Err(Raise::badarg_because("keypos"));
    }
    if place > object.len() {
        return Err(Raise::badarg());
    }
    Ok((place - 1, value.clone()))
}

/// With a fourth argument an object that is not there begins as that one.
pub fn update_element(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    if !table.kind().has_unique_keys() {
        return Err(Raise::badarg());
    }
    let pairs = match a[2].view() {
        View::Tuple(_) => Term::list([a[2].clone()]),
        _ => a[2].clone(),
    };
    let mut parts = match (table.contents.get(&a[1]).pop(), beginning(&table, a)?) {
        (Some(object), _) => object.as_tuple().expect("objects are tuples").to_vec(),
        (None, Some(parts)) => parts,
        (None, None) => return yes(false),
    };
    let mut cells = pairs.list_iter();
    for pair in cells.by_ref() {
        let (place, value) = element(&table, &parts, pair)?;
        parts[place] = value;
    }
    if !cells.tail().is_nil() {
        return Err(Raise::badarg());
    }
    table.contents.put(Term::tuple(parts));
    store(s, p, table);
    yes(true)
}

/// The object that a key begins with: the fourth argument, if there is one.
fn beginning(table: &Table, a: &[Term]) -> Result<Option<Vec<Term>>, Raise> {
    let Some(object) = a.get(3) else { return Ok(None) };
    table.key(object).ok_or_else(Raise::badarg)?;
    let mut parts = object.as_tuple().expect("it has a key").to_vec();
    parts[table.keypos - 1] = a[1].clone();
    Ok(Some(parts))
}

/// One counter of an object: where it is and what happens to it.
struct Step {
    /// From 1.
    place: usize,
    by: Term,
    /// Threshold, and what the counter becomes beyond it.
    limit: Option<(Term, Term)>,
}

impl Step {
    fn of(term: &Term) -> Option<Step> {
        let integers = |parts: &[Term]| parts.iter().all(Term::is_integer);
        match term.as_tuple()? {
            [place, by] if by.is_integer() => {
                Some(Step { place: place.as_usize()?, by: by.clone(), limit: None })
            }
            [place, rest @ ..] if rest.len() == 3 && integers(rest) => Some(Step {
                place: place.as_usize()?,
                by: rest[0].clone(),
                limit: Some((rest[1].clone(), rest[2].clone())),
            }),
            _ => None,
        }
    }

    fn apply(&self, table: &Table, parts: &mut [Term]) -> Result<Term, Raise> {
        if self.place == table.keypos {
            return Err(Raise::badarg_because("keypos"));
        }
        let old = match self.place.checked_sub(1).and_then(|i| parts.get(i)) {
            Some(old) if old.is_integer() => old,
            Some(_) => return Err(Raise::badarg()),
            None => return Err(Raise::badarg_because("position")),
        };
        let mut new = num::add(old, &self.by)?;
        if let Some((threshold, value)) = &self.limit {
            let falls = compare(&self.by, &Term::int(0)).is_lt();
            let beyond = match falls {
                true => compare(&new, threshold).is_lt(),
                false => compare(&new, threshold).is_gt(),
            };
            if beyond {
                new = value.clone();
            }
        }
        parts[self.place - 1] = new.clone();
        Ok(new)
    }
}

/// With a fourth argument an object that is not there begins as that one.
pub fn update_counter(s: &mut System, p: ProcId, a: &[Term]) -> Answer {
    let mut table = change(s, p, &a[0])?;
    if !table.kind().has_unique_keys() {
        return Err(Raise::badarg_because("table_type"));
    }
    // Whether the object is there is found out before what is to be done with it is read.
    let is_change = a[2].is_integer() || a[2].as_tuple().is_some() || a[2].is_list();
    if is_change && a.len() == 3 && table.contents.get(&a[1]).is_empty() {
        return Err(Raise::badarg_because("badkey"));
    }
    let step = |term: &Term| Step::of(term).ok_or_else(Raise::badarg);
    let (steps, many) = match a[2].view() {
        View::Int(_) | View::Big(_) => {
            (vec![Step { place: table.keypos + 1, by: a[2].clone(), limit: None }], false)
        }
        View::Tuple(_) => (vec![step(&a[2])?], false),
        _ => {
            let terms = a[2].to_vec().ok_or_else(Raise::badarg)?;
            (terms.iter().map(step).collect::<Result<_, _>>()?, true)
        }
    };
    let mut parts = match (table.contents.get(&a[1]).pop(), beginning(&table, a)?) {
        (Some(object), _) => object.as_tuple().expect("objects are tuples").to_vec(),
        (None, Some(parts)) => parts,
        (None, None) => return Err(Raise::badarg_because("badkey")),
    };
    let mut values = vec![];
    for step in &steps {
        values.push(step.apply(&table, &mut parts)?);
    }
    table.contents.put(Term::tuple(parts));
    store(s, p, table);
    match many {
        true => ok(Term::list(values)),
        false => ok(values.remove(0)),
    }
}
