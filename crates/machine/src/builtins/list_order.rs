//! Module `lists`: sorting, and lists of tuples looked up by key.

use super::{Builtin, function, shortcut};
use crate::raise::Raise;
use reverl_term::{Term, compare, exact_eq, loose_eq};

pub const TABLE: &[Builtin] = &[
    shortcut("lists", "sort", 1, |a| sorted(&a[0]).map(Term::list)),
    shortcut("lists", "usort", 1, |a| {
        let mut items = sorted(&a[0])?;
        items.dedup_by(|later, first| exact_eq(later, first));
        Some(Term::list(items))
    }),
    shortcut("lists", "keysort", 2, |a| Some(Term::list(key_sorted(&a[0], &a[1])?))),
    shortcut("lists", "ukeysort", 2, |a| {
        let at = key_index(&a[0])?;
        let mut items = key_sorted(&a[0], &a[1])?;
        items.dedup_by(|later, first| loose_eq(key(later, at), key(first, at)));
        Some(Term::list(items))
    }),
    function("lists", "keyfind", 3, |_, a| Ok(find(a)?.unwrap_or_else(|| Term::bool(false)))),
    function("lists", "keymember", 3, |_, a| Ok(Term::bool(find(a)?.is_some()))),
    function("lists", "keysearch", 3, |_, a| {
        let value = |t| Term::tuple(vec![Term::atom_named("value"), t]);
        Ok(find(a)?.map_or_else(|| Term::bool(false), value))
    }),
    shortcut("lists", "keydelete", 3, |a| {
        let mut items = a[2].to_vec()?;
        if let Some(i) = position(&a[0], key_index(&a[1])?, &items) {
            items.remove(i);
        }
        Some(Term::list(items))
    }),
    shortcut("lists", "keyreplace", 4, |a| replaced(a, false)),
    shortcut("lists", "keystore", 4, |a| replaced(a, true)),
    shortcut("lists", "keytake", 3, |a| {
        let mut items = a[2].to_vec()?;
        let Some(i) = position(&a[0], key_index(&a[1])?, &items) else {
            return Some(Term::bool(false));
        };
        let taken = items.remove(i);
        Some(Term::tuple(vec![Term::atom_named("value"), taken, Term::list(items)]))
    }),
];

/// Which of `1` and `1.0` comes first depends on how OTP goes about it: for its definition.
fn sorted(list: &Term) -> Option<Vec<Term>> {
    let mut items = list.to_vec()?;
    items.sort_by(compare);
    let ambiguous = |pair: &[Term]| loose_eq(&pair[0], &pair[1]) && !exact_eq(&pair[0], &pair[1]);
    (!items.windows(2).any(ambiguous)).then_some(items)
}

fn key_index(n: &Term) -> Option<usize> {
    n.as_usize().filter(|n| *n > 0).map(|n| n - 1)
}

/// The key of a tuple that is known to have one.
fn key(t: &Term, at: usize) -> &Term {
    &t.as_tuple().expect("all items were looked at")[at]
}

fn key_sorted(n: &Term, list: &Term) -> Option<Vec<Term>> {
    let at = key_index(n)?;
    let mut items = list.to_vec()?;
    if !items.iter().all(|item| item.as_tuple().is_some_and(|t| t.len() > at)) {
        return None;
    }
    items.sort_by(|a, b| compare(key(a, at), key(b, at)));
    Some(items)
}

fn has_key(item: &Term, at: usize, wanted: &Term) -> bool {
    item.as_tuple().and_then(|t| t.get(at)).is_some_and(|key| loose_eq(key, wanted))
}

fn position(wanted: &Term, at: usize, items: &[Term]) -> Option<usize> {
    items.iter().position(|item| has_key(item, at, wanted))
}

/// The first tuple with the key, of the arguments of `keyfind/3`.
fn find(a: &[Term]) -> Result<Option<Term>, Raise> {
    let at = key_index(&a[1]).ok_or_else(Raise::badarg)?;
    let mut items = a[2].list_iter();
    match items.by_ref().find(|item| has_key(item, at, &a[0])) {
        Some(found) => Ok(Some(found.clone())),
        None if items.tail().is_nil() => Ok(None),
        None => Err(Raise::badarg()),
    }
}

fn replaced(a: &[Term], or_add: bool) -> Option<Term> {
    let mut items = a[2].to_vec()?;
    a[3].as_tuple()?;
    match position(&a[0], key_index(&a[1])?, &items) {
        Some(i) => items[i] = a[3].clone(),
        None if or_add => items.push(a[3].clone()),
        None => {}
    }
    Some(Term::list(items))
}
