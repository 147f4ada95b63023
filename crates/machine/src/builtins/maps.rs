//! Maps: the functions of module `maps` that OTP has in C, and those of `erlang`.

use super::{Builtin, Value, function, shortcut};
use crate::raise::Raise;
use reverl_term::{Atom, Map, Term, View, atoms};

pub const TABLE: &[Builtin] = &[
    function("erlang", "map_size", 1, |_, a| Ok(Term::int(map(&a[0])?.len() as i64))),
    function("erlang", "map_get", 2, |_, a| get(&a[0], &a[1])),
    function("erlang", "is_map_key", 2, |_, a| Ok(Term::bool(map(&a[1])?.contains_key(&a[0])))),
    function("maps", "is_key", 2, |_, a| Ok(Term::bool(map(&a[1])?.contains_key(&a[0])))),
    function("maps", "get", 2, |_, a| get(&a[0], &a[1])),
    function("maps", "find", 2, |_, a| {
        Ok(match map(&a[1])?.get(&a[0]) {
            Some(value) => Term::tuple(vec![Term::atom(atoms::OK), value.clone()]),
            None => Term::atom(atoms::ERROR),
        })
    }),
    shortcut("maps", "get", 3, |a| Some(a[1].as_map()?.get(&a[0]).unwrap_or(&a[2]).clone())),
    shortcut("maps", "size", 1, |a| Some(Term::int(a[0].as_map()?.len() as i64))),
    function("maps", "put", 3, |_, a| {
        let mut map = map(&a[2])?.clone();
        map.insert(a[0].clone(), a[1].clone());
        Ok(Term::map(map))
    }),
    function("maps", "update", 3, |_, a| {
        let mut map = map(&a[2])?.clone();
        if !map.contains_key(&a[0]) {
            return Err(Raise::tagged(atoms::BADKEY, &a[0]));
        }
        map.insert(a[0].clone(), a[1].clone());
        Ok(Term::map(map))
    }),
    function("maps", "remove", 2, |_, a| {
        let map = map(&a[1])?;
        if !map.contains_key(&a[0]) {
            return Ok(a[1].clone());
        }
        let mut map = map.clone();
        map.remove(&a[0]);
        Ok(Term::map(map))
    }),
    function("maps", "take", 2, |_, a| {
        let mut map = map(&a[1])?.clone();
        Ok(match map.remove(&a[0]) {
            Some((_, value)) => Term::tuple(vec![value, Term::map(map)]),
            None => Term::atom(atoms::ERROR),
        })
    }),
    function("maps", "keys", 1, |_, a| {
        let keys: Vec<Term> = map(&a[0])?.keys().cloned().collect();
        Ok(Term::list(keys))
    }),
    function("maps", "values", 1, |_, a| {
        let values: Vec<Term> = map(&a[0])?.values().cloned().collect();
        Ok(Term::list(values))
    }),
    shortcut("maps", "to_list", 1, |a| {
        let pair = |(k, v): (&Term, &Term)| Term::tuple(vec![k.clone(), v.clone()]);
        let pairs: Vec<Term> = a[0].as_map()?.listed().map(pair).collect();
        Some(Term::list(pairs))
    }),
    function("maps", "from_list", 1, |_, a| {
        let pairs = a[0].to_vec().ok_or_else(Raise::badarg)?;
        let pair = |t: &Term| match t.as_tuple() {
            Some([key, value]) => Some((key.clone(), value.clone())),
            _ => None,
        };
        let pairs: Option<Vec<(Term, Term)>> = pairs.iter().map(pair).collect();
        pairs.map(Term::map_from).ok_or_else(Raise::badarg)
    }),
    function("maps", "from_keys", 2, |_, a| {
        let keys = a[0].to_vec().ok_or_else(Raise::badarg)?;
        Ok(Term::map_from(keys.into_iter().map(|key| (key, a[1].clone())).collect()))
    }),
    function("maps", "merge", 2, |_, a| {
        let (first, second) = (map(&a[0])?, map(&a[1])?);
        if second.is_empty() {
            return Ok(a[0].clone());
        }
        let mut merged = first.clone();
        for (key, value) in second {
            merged.insert(key.clone(), value.clone());
        }
        Ok(Term::map(merged))
    }),
    function("erts_internal", "map_next", 3, |_, a| map_next(a)),
    function("erts_internal", "map_to_tuple_keys", 1, |_, a| {
        let keys: Vec<Term> = map(&a[0])?.iter().map(|(key, _)| key.clone()).collect();
        Ok(Term::tuple(keys))
    }),
];

fn map(t: &Term) -> Result<&Map, Raise> {
    t.as_map().ok_or_else(|| Raise::tagged(atoms::BADMAP, t))
}

fn get(key: &Term, t: &Term) -> Value {
    map(t)?.get(key).cloned().ok_or_else(|| Raise::tagged(atoms::BADKEY, key))
}

/// How many pairs of a map an iterator takes out first. It takes as many again as it has
/// taken before, so that skipping those costs no more than going through them.
const BATCH: usize = 64;

/// `map_next(Path, Map, iterator | List)`: the pairs behind `Path`, as a chain of
/// `{K, V, Next}` or a list. A path is the number of pairs before it; OTP's is one of nibbles,
/// which nobody should look into either.
fn map_next(a: &[Term]) -> Value {
    let all = map(&a[1])?;
    let is_iterator = a[2].is_atom_eq(Atom::new("iterator"));
    if let (Some(keys), true) = (a[0].to_vec(), is_iterator) {
        return in_order(all, &keys);
    }
    let start = a[0].as_usize().ok_or_else(Raise::badarg)?;
    match a[2].view() {
        _ if is_iterator => {
            let mut pairs: Vec<(Term, Term)> = vec![];
            for (key, value) in all.iter().skip(start).take(BATCH.max(start)) {
                pairs.push((key.clone(), value.clone()));
            }
            let end = start + pairs.len();
            let rest = match end < all.len() {
                true => Term::cons(Term::int(end as i64), a[1].clone()),
                false => Term::atom(atoms::NONE),
            };
            let chain = pairs.into_iter().rev();
            Ok(chain.fold(rest, |next, (key, value)| Term::tuple(vec![key, value, next])))
        }
        View::Nil | View::Cons(..) => {
            let rest = all.iter().skip(start);
            let pairs: Vec<Term> =
                rest.map(|(k, v)| Term::tuple(vec![k.clone(), v.clone()])).collect();
            Ok(Term::list_with_tail(pairs.into_iter().rev(), a[2].clone()))
        }
        _ => Err(Raise::badarg()),
    }
}

/// The pairs with these keys, in this order, as a chain: the path of an ordered iterator.
fn in_order(all: &Map, keys: &[Term]) -> Value {
    let mut chain = Term::atom(atoms::NONE);
    for key in keys.iter().rev() {
        let value = all.get(key).ok_or_else(Raise::badarg)?;
        chain = Term::tuple(vec![key.clone(), value.clone(), chain]);
    }
    Ok(chain)
}
