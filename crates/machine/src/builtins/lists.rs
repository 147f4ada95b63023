//! Module `lists`: what OTP has in C, and first-order functions that programs call all the time.

use super::{Builtin, function, shortcut};
use crate::ops;
use crate::raise::Raise;
use reverl_term::work::{self, WRITTEN};
use reverl_term::{Term, compare, exact_eq, num};
use std::cmp::Ordering;

pub const TABLE: &[Builtin] = &[
    function("erlang", "hd", 1, |_, a| {
        a[0].as_cons().map(|c| c.0.clone()).ok_or_else(Raise::badarg)
    }),
    function("erlang", "tl", 1, |_, a| {
        a[0].as_cons().map(|c| c.1.clone()).ok_or_else(Raise::badarg)
    }),
    function("erlang", "length", 1, |_, a| {
        a[0].list_len().map(|n| Term::int(n as i64)).ok_or_else(Raise::badarg)
    }),
    function("lists", "member", 2, |_, a| {
        let mut items = a[1].list_iter();
        let found = items.by_ref().any(|item| exact_eq(item, &a[0]));
        match found || items.tail().is_nil() {
            true => Ok(Term::bool(found)),
            false => Err(Raise::badarg()),
        }
    }),
    function("lists", "reverse", 2, |_, a| reversed(&a[0], a[1].clone()).ok_or_else(Raise::badarg)),
    shortcut("lists", "reverse", 1, |a| {
        // Two elements are matched before the rest must be a list.
        reversed(&a[0], Term::nil())
    }),
    shortcut("lists", "append", 2, |a| ops::append(&a[0], &a[1]).ok()),
    shortcut("lists", "append", 1, |a| append_all(&a[0])),
    shortcut("lists", "subtract", 2, |a| ops::subtract(&a[0], &a[1]).ok()),
    shortcut("lists", "seq", 2, |a| seq(a[0].as_small()?, a[1].as_small()?, 1)),
    shortcut("lists", "seq", 3, |a| seq(a[0].as_small()?, a[1].as_small()?, a[2].as_small()?)),
    shortcut("lists", "nth", 2, |a| {
        let n = a[0].as_usize().filter(|n| *n > 0)?;
        a[1].list_iter().nth(n - 1).cloned()
    }),
    shortcut("lists", "nthtail", 2, |a| {
        let n = a[0].as_usize()?;
        let mut items = a[1].list_iter();
        let skipped = items.by_ref().take(n).count();
        (skipped == n && items.tail().is_list()).then(|| items.tail().clone())
    }),
    shortcut("lists", "last", 1, |a| {
        let mut items = a[0].list_iter();
        let last = items.by_ref().last()?;
        items.tail().is_nil().then(|| last.clone())
    }),
    shortcut("lists", "droplast", 1, |a| {
        let mut items = a[0].to_vec()?;
        items.pop()?;
        Some(Term::list(items))
    }),
    shortcut("lists", "sum", 1, |a| {
        let items = a[0].to_vec()?;
        items.iter().try_fold(Term::small(0), |sum, x| num::add(&sum, x).ok())
    }),
    shortcut("lists", "max", 1, |a| best(&a[0], Ordering::Greater)),
    shortcut("lists", "min", 1, |a| best(&a[0], Ordering::Less)),
    shortcut("lists", "duplicate", 2, |a| {
        // What does not fit in memory is for the definition to try.
        let n = a[0].as_usize().filter(|n| *n < 1 << 28)?;
        Some(Term::list((0..n).map(|_| a[1].clone())))
    }),
    shortcut("lists", "flatten", 1, |a| flatten(&a[0], Term::nil())),
    shortcut("lists", "flatten", 2, |a| {
        if a[1].is_list() { flatten(&a[0], a[1].clone()) } else { None }
    }),
    shortcut("lists", "flatlength", 1, |a| {
        let flat = flatten(&a[0], Term::nil())?;
        flat.list_len().map(|n| Term::int(n as i64))
    }),
    shortcut("lists", "delete", 2, |a| {
        let mut items = a[1].to_vec()?;
        match items.iter().position(|item| exact_eq(item, &a[0])) {
            Some(at) => {
                items.remove(at);
                Some(Term::list(items))
            }
            None => Some(a[1].clone()),
        }
    }),
    shortcut("lists", "sublist", 2, |a| {
        let n = a[1].as_usize()?;
        sublist(&a[0], n)
    }),
    shortcut("lists", "sublist", 3, |a| {
        let (start, n) = (a[1].as_usize().filter(|s| *s > 0)?, a[2].as_usize()?);
        let mut items = a[0].list_iter();
        let skipped = items.by_ref().take(start - 1).count();
        if skipped < start - 1 {
            return None;
        }
        sublist(items.tail(), n)
    }),
    shortcut("lists", "split", 2, |a| {
        let n = a[0].as_usize()?;
        let mut rest = a[1].list_iter();
        let first: Vec<Term> = rest.by_ref().take(n).cloned().collect();
        (first.len() == n && rest.tail().is_list())
            .then(|| Term::tuple(vec![Term::list(first), rest.tail().clone()]))
    }),
    shortcut("lists", "zip", 2, |a| {
        let (xs, ys) = (a[0].to_vec()?, a[1].to_vec()?);
        let pair = |(x, y)| Term::tuple(vec![x, y]);
        (xs.len() == ys.len()).then(|| Term::list(xs.into_iter().zip(ys).map(pair)))
    }),
    shortcut("lists", "unzip", 1, |a| {
        let pairs = a[0].to_vec()?;
        let pairs: Option<Vec<(Term, Term)>> = pairs
            .iter()
            .map(|pair| match pair.as_tuple() {
                Some([x, y]) => Some((x.clone(), y.clone())),
                _ => None,
            })
            .collect();
        let (xs, ys): (Vec<Term>, Vec<Term>) = pairs?.into_iter().unzip();
        Some(Term::tuple(vec![Term::list(xs), Term::list(ys)]))
    }),
    shortcut("lists", "prefix", 2, |a| {
        let (prefix, items) = (a[0].to_vec()?, a[1].to_vec()?);
        let same = prefix.iter().zip(&items).all(|(a, b)| exact_eq(a, b));
        Some(Term::bool(prefix.len() <= items.len() && same))
    }),
];

fn reversed(list: &Term, onto: Term) -> Option<Term> {
    let mut items = list.list_iter();
    let reversed = items.by_ref().fold(onto, |tail, head| Term::cons(head.clone(), tail));
    items.tail().is_nil().then_some(reversed)
}

fn append_all(lists: &Term) -> Option<Term> {
    let lists = lists.to_vec()?;
    let (last, init) = match lists.split_last() {
        Some(split) => split,
        None => return Some(Term::nil()),
    };
    init.iter().rev().try_fold(last.clone(), |tail, list| ops::append(list, &tail).ok())
}

/// As `lists:seq/3` of arguments that it accepts.
fn seq(from: i64, to: i64, step: i64) -> Option<Term> {
    let count = match step {
        0 if from == to => 1,
        0 => return None,
        // One step short of the beginning is the empty list; less is an error.
        _ => (to - from + step).checked_div(step).filter(|_| {
            let short = (to - from).signum() == -step.signum() && from - step != to;
            !short
        })?,
    };
    if !(0..1 << 28).contains(&count) {
        return None;
    }
    Some(Term::list((0..count).map(|i| Term::int(from + i * step))))
}

/// The first of the greatest or least elements.
fn best(list: &Term, wanted: Ordering) -> Option<Term> {
    let items = list.to_vec()?;
    let (first, rest) = items.split_first()?;
    let better = |best, item| if compare(item, best) == wanted { item } else { best };
    Some(rest.iter().fold(first, better).clone())
}

fn flatten(list: &Term, tail: Term) -> Option<Term> {
    let mut out = vec![];
    let mut todo = vec![list];
    while let Some(t) = todo.pop() {
        work::spend(WRITTEN);
        let mut items = t.list_iter();
        let mut inner = None;
        for item in items.by_ref() {
            if item.is_list() {
                inner = Some(item);
                break;
            }
            work::spend(WRITTEN);
            out.push(item.clone());
        }
        match inner {
            Some(list) => {
                todo.push(items.tail());
                todo.push(list);
            }
            None if items.tail().is_nil() => {}
            None => return None,
        }
    }
    Some(Term::list_with_tail(out, tail))
}

fn sublist(list: &Term, n: usize) -> Option<Term> {
    if !list.is_list() {
        return None;
    }
    let mut rest = list.list_iter();
    let items: Vec<Term> = rest.by_ref().take(n).cloned().collect();
    (items.len() == n || rest.tail().is_nil()).then(|| Term::list(items))
}
