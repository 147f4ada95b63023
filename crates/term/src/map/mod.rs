//! Maps: persistent, ordered as OTP orders them.
//!
//! Up to 32 keys a map is an array in key order; above, a trie of key hashes (see `trie.rs`). The border is crossed in
//! both directions, so the same set of pairs always has the same shape and the same order of iteration.

mod trie;

use std::cmp::Ordering;

use crate::atom::Atom;
use crate::map_order::MapOrder;
use crate::order;
use crate::term::Term;
use trie::Trie;

/// The size up to which a map is flat.
pub const MAX_FLAT: usize = 32;

/// An Erlang map.
#[derive(Clone)]
pub struct Map(Shape);

#[derive(Clone)]
enum Shape {
    /// invariant: keys ascend in `order::compare_exact`; at most `MAX_FLAT` of them.
    Flat(Vec<(Term, Term)>),
    /// invariant: more than `MAX_FLAT` keys.
    Large(Trie),
}

impl Default for Map {
    fn default() -> Map {
        Map::new()
    }
}

/// Where a key is in a flat map, or where it belongs.
#[inline]
fn find(pairs: &[(Term, Term)], key: &Term) -> Result<usize, usize> {
    // The word of an immediate is its value: most lookups end here without an order comparison.
    if key.is_immediate() {
        if let Some(i) = pairs.iter().position(|(k, _)| Term::raw_eq(k, key)) {
            return Ok(i);
        }
    }
    pairs.binary_search_by(|(k, _)| order::compare_exact(k, key))
}

impl Map {
    /// The empty map.
    pub fn new() -> Map {
        Map(Shape::Flat(Vec::new()))
    }

    /// How many keys it has.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Shape::Flat(p) => p.len(),
            Shape::Large(t) => t.len(),
        }
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: &Term) -> Option<&Term> {
        match &self.0 {
            Shape::Flat(p) if key.is_immediate() => {
                p.iter().find(|(k, _)| Term::raw_eq(k, key)).map(|(_, v)| v)
            }
            Shape::Flat(p) => find(p, key).ok().map(|i| &p[i].1),
            Shape::Large(t) => t.get(key),
        }
    }

    /// Whether it has this key.
    pub fn contains_key(&self, key: &Term) -> bool {
        self.get(key).is_some()
    }

    /// Sets the value of a key and returns the value it had before. Parts shared with other maps are copied.
    #[inline]
    pub fn insert(&mut self, key: Term, value: Term) -> Option<Term> {
        match &mut self.0 {
            Shape::Large(t) => t.insert(key, value),
            Shape::Flat(p) => match find(p, &key) {
                Ok(i) => Some(std::mem::replace(&mut p[i].1, value)),
                Err(i) if p.len() < MAX_FLAT => {
                    p.insert(i, (key, value));
                    None
                }
                Err(_) => {
                    let mut t: Trie = std::mem::take(p).into_iter().collect();
                    t.insert(key, value);
                    self.0 = Shape::Large(t);
                    None
                }
            },
        }
    }

    /// Removes a key and returns its pair.
    pub fn remove(&mut self, key: &Term) -> Option<(Term, Term)> {
        match &mut self.0 {
            Shape::Flat(p) => find(p, key).ok().map(|i| p.remove(i)),
            Shape::Large(t) => {
                let gone = t.remove(key)?;
                if t.len() <= MAX_FLAT {
                    let mut pairs: Vec<_> = t.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                    sort(&mut pairs);
                    self.0 = Shape::Flat(pairs);
                }
                Some(gone)
            }
        }
    }

    /// The pairs in the order of `maps:iterator/1`, in which maps are printed and folded: by key while the map is flat,
    /// by hash when it is large.
    pub fn iter(&self) -> Iter<'_> {
        match &self.0 {
            Shape::Flat(p) if MapOrder::current().has_small_by_number() => Iter::Ranked(ranked(p)),
            Shape::Flat(p) => Iter::Flat(p.iter()),
            Shape::Large(t) => Iter::Large(t.iter()),
        }
    }

    /// The pairs in the order of `maps:to_list/1`, which until OTP 28 is the reverse when the map is large.
    pub fn listed(&self) -> ListedPairs<'_> {
        match MapOrder::current().lists_as_iterated() {
            true => ListedPairs::Iterated(self.iter()),
            false => self.encoded(),
        }
    }

    /// The pairs in the order of `term_to_binary/1`.
    pub fn encoded(&self) -> ListedPairs<'_> {
        match &self.0 {
            Shape::Flat(_) => ListedPairs::Iterated(self.iter()),
            Shape::Large(t) => ListedPairs::Reversed(t.reversed()),
        }
    }

    /// As `maps:keys/1`.
    pub fn keys(&self) -> impl Iterator<Item = &Term> {
        self.listed().map(|(k, _)| k)
    }

    /// As `maps:values/1`.
    pub fn values(&self) -> impl Iterator<Item = &Term> {
        self.listed().map(|(_, v)| v)
    }

    /// The pairs in key order, whatever the size.
    pub fn sorted(&self) -> Vec<(&Term, &Term)> {
        match &self.0 {
            Shape::Flat(p) => p.iter().map(|(k, v)| (k, v)).collect(),
            Shape::Large(t) => {
                let mut pairs: Vec<_> = t.iter().collect();
                pairs.sort_by(|a, b| order::compare_exact(a.0, b.0));
                pairs
            }
        }
    }

    /// Whether two maps are one in memory, and so equal without a look inside.
    pub(crate) fn same(&self, other: &Map) -> bool {
        match (&self.0, &other.0) {
            (Shape::Large(a), Shape::Large(b)) => a.same(b),
            _ => std::ptr::eq(self, other),
        }
    }

    /// Gives up the terms this map alone holds, one by one, so that dropping a deep map needs no recursion.
    pub(crate) fn into_terms(self, give: &mut dyn FnMut(Term)) {
        match self.0 {
            Shape::Flat(pairs) => {
                for (k, v) in pairs {
                    give(k);
                    give(v);
                }
            }
            Shape::Large(t) => t.into_terms(give),
        }
    }
}

/// The pairs of a flat map as a node has them that orders atoms by their numbers. Among keys in order, atoms stand
/// together.
fn ranked(pairs: &[(Term, Term)]) -> std::vec::IntoIter<&(Term, Term)> {
    let mut ranked: Vec<&(Term, Term)> = pairs.iter().collect();
    let start = pairs.iter().take_while(|(k, _)| !k.is_atom()).count();
    let atoms = pairs[start..].iter().take_while(|(k, _)| k.is_atom()).count();
    ranked[start..start + atoms].sort_by_key(|(k, _)| k.as_atom().map(Atom::rank));
    ranked.into_iter()
}

fn sort(pairs: &mut [(Term, Term)]) {
    pairs.sort_by(|a, b| order::compare_exact(&a.0, &b.0));
}

impl FromIterator<(Term, Term)> for Map {
    /// If a key occurs several times, its last value stays.
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Map {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        if pairs.len() > MAX_FLAT * 2 {
            let t: Trie = pairs.into_iter().collect();
            if t.len() > MAX_FLAT {
                return Map(Shape::Large(t));
            }
            pairs = t.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        }
        sort(&mut pairs);
        // The sort is stable: in a run of equal keys the last pair is the newest.
        pairs.reverse();
        pairs.dedup_by(|a, b| order::compare_exact(&a.0, &b.0) == Ordering::Equal);
        pairs.reverse();
        if pairs.len() > MAX_FLAT {
            return Map(Shape::Large(pairs.into_iter().collect()));
        }
        Map(Shape::Flat(pairs))
    }
}

/// Walks the pairs in the order of `maps:iterator/1`.
#[derive(Clone)]
pub enum Iter<'a> {
    /// The pairs of a flat map.
    Flat(std::slice::Iter<'a, (Term, Term)>),
    /// The same, by the numbers of atoms.
    Ranked(std::vec::IntoIter<&'a (Term, Term)>),
    /// The pairs of a large map.
    Large(trie::Iter<'a>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Term, &'a Term);

    fn next(&mut self) -> Option<(&'a Term, &'a Term)> {
        match self {
            Iter::Flat(i) => i.next().map(|(k, v)| (k, v)),
            Iter::Ranked(i) => i.next().map(|(k, v)| (k, v)),
            Iter::Large(i) => i.next(),
        }
    }
}

/// Walks the pairs in the order of `maps:to_list/1`.
#[derive(Clone)]
pub enum ListedPairs<'a> {
    /// As `maps:iterator/1`.
    Iterated(Iter<'a>),
    /// The pairs of a large map from the end.
    Reversed(trie::ReversedPairs<'a>),
}

impl<'a> Iterator for ListedPairs<'a> {
    type Item = (&'a Term, &'a Term);

    fn next(&mut self) -> Option<(&'a Term, &'a Term)> {
        match self {
            ListedPairs::Iterated(i) => i.next(),
            ListedPairs::Reversed(i) => i.next(),
        }
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = (&'a Term, &'a Term);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
