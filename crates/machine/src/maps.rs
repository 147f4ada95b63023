//! Building and updating maps in code.

use crate::raise::Raise;
use reverl_term::{Map, Term, atoms};

/// Keys and values alternate.
pub fn make(pairs: &[Term]) -> Term {
    let mut map = Map::new();
    for pair in pairs.chunks_exact(2) {
        map.insert(pair[0].clone(), pair[1].clone());
    }
    Term::map(map)
}

/// `Map#{..}`; the keys of the pairs in `exact` must be there already, and are looked for in order.
pub fn update(mut map: Term, pairs: &[Term], exact: &[usize]) -> Result<Term, Raise> {
    let Some(before) = map.as_map() else {
        return Err(Raise::tagged(atoms::BADMAP, &map).by_caller());
    };
    for i in exact {
        let key = &pairs[2 * i];
        // The pairs are applied in order: an earlier one may have put the key there.
        let earlier = || pairs[..2 * i].iter().step_by(2).any(|k| reverl_term::exact_eq(k, key));
        if !before.contains_key(key) && !earlier() {
            return Err(Raise::tagged(atoms::BADKEY, key).by_caller());
        }
    }
    if let Some(own) = map.map_mut() {
        for pair in pairs.chunks_exact(2) {
            own.insert(pair[0].clone(), pair[1].clone());
        }
        return Ok(map);
    }
    let mut copy = before_of(&map);
    for pair in pairs.chunks_exact(2) {
        copy.insert(pair[0].clone(), pair[1].clone());
    }
    Ok(Term::map(copy))
}

fn before_of(map: &Term) -> Map {
    map.as_map().cloned().unwrap_or_default()
}
