//! The contents of an `ordered_set`: a persistent ordered map. Keys are equal as in `==`.

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;
use reverl_term::{Term, compare};
use std::cmp::Ordering;
use std::ops::Bound;

/// A key in the order of an `ordered_set`, which compares and does not match.
#[derive(Clone)]
pub struct Key(pub Term);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        compare(&self.0, &other.0)
    }
}

/// A table of type `ordered_set`.
#[derive(Clone)]
pub struct Tree {
    /// From 0.
    place: usize,
    objects: GenericOrdMap<Key, Term, RcK>,
}

impl Tree {
    pub fn new(place: usize) -> Tree {
        Tree { place, objects: GenericOrdMap::new() }
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    fn key(&self, object: &Term) -> Key {
        Key(object.as_tuple().expect("objects are tuples")[self.place].clone())
    }

    pub fn walk(&self) -> impl DoubleEndedIterator<Item = &Term> {
        self.objects.values()
    }

    pub fn get(&self, key: &Term) -> Option<&Term> {
        self.objects.get(&Key(key.clone()))
    }

    pub fn put(&mut self, object: Term) {
        let key = self.key(&object);
        // The new object's key stays, which may be 1.0 where 1 was.
        self.objects.remove(&key);
        self.objects.insert(key, object);
    }

    pub fn remove(&mut self, key: &Term, gone: impl Fn(&Term) -> bool) -> Vec<Term> {
        let key = Key(key.clone());
        match self.objects.get(&key) {
            Some(object) if gone(object) => self.objects.remove(&key).into_iter().collect(),
            _ => vec![],
        }
    }

    pub fn clear(&mut self) {
        self.objects = GenericOrdMap::new();
    }

    pub fn first(&self) -> Option<&Term> {
        self.objects.get_min().map(|(key, _)| &key.0)
    }

    pub fn last(&self) -> Option<&Term> {
        self.objects.get_max().map(|(key, _)| &key.0)
    }

    /// The objects behind this key, in order.
    pub fn after(&self, key: &Term) -> impl Iterator<Item = (&Term, &Term)> {
        let range = (Bound::Excluded(Key(key.clone())), Bound::Unbounded);
        self.objects.range(range).map(|(key, object)| (&key.0, object))
    }

    /// The objects before this key, last first.
    pub fn before(&self, key: &Term) -> impl Iterator<Item = (&Term, &Term)> {
        let range = (Bound::Unbounded, Bound::Excluded(Key(key.clone())));
        self.objects.range(range).rev().map(|(key, object)| (&key.0, object))
    }

    pub fn nth(&self, n: usize) -> Option<&Term> {
        self.objects.values().nth(n)
    }
}
