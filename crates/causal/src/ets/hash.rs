//! The contents of a `set`, `bag` or `duplicate_bag`: a hash table that grows one bucket at a
//! time (linear hashing), persistent, so that keeping the old version costs next to nothing.
//!
//! Objects are walked in the order in which OTP walks them, unless atoms, funs, pids or
//! references are in their keys: OTP hashes these by their place in memory or in a run.

use imbl::GenericVector;
use imbl::shared_ptr::RcK;
use reverl_term::{Term, exact_eq};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

const FIRST_BUCKETS: usize = 256;

/// Which objects may share a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// One object a key.
    Unique,
    /// Equal objects only once.
    Bag,
    Duplicates,
}

#[derive(Clone)]
struct Entry {
    hash: u32,
    object: Term,
    /// Deleted while the table was fixed: a walk that stands here can still go on.
    is_deleted: bool,
}

type Bucket = Option<Rc<Vec<Entry>>>;

/// A table of type `set`, `bag` or `duplicate_bag`.
#[derive(Clone)]
pub struct HashTable {
    keys: Keys,
    /// From 0.
    place: usize,
    buckets: GenericVector<Bucket, RcK>,
    len: usize,
    /// Someone walks over it: it keeps its shape.
    is_fixed: bool,
}

/// Takes the number out that a term gives a hasher: OTP's own hash of keys.
struct Number(u32);

impl Hasher for Number {
    fn write(&mut self, _: &[u8]) {}
    fn write_u32(&mut self, n: u32) {
        self.0 = n;
    }
    fn finish(&self) -> u64 {
        u64::from(self.0)
    }
}

fn hash(key: &Term) -> u32 {
    let mut number = Number(0);
    key.hash(&mut number);
    number.0
}

impl HashTable {
    pub fn new(keys: Keys, place: usize) -> HashTable {
        let buckets = std::iter::repeat_n(None, FIRST_BUCKETS).collect();
        HashTable { keys, place, buckets, len: 0, is_fixed: false }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bucket_count(&self) -> usize {
        self.buckets.len()
    }

    fn index(&self, hash: u32) -> usize {
        let mask = self.buckets.len().next_power_of_two() - 1;
        let i = hash as usize & mask;
        if i < self.buckets.len() { i } else { i & (mask >> 1) }
    }

    fn key<'a>(&self, object: &'a Term) -> &'a Term {
        &object.as_tuple().expect("objects are tuples")[self.place]
    }

    fn entries(&self, i: usize) -> &[Entry] {
        self.buckets[i].as_ref().map_or(&[], |b| b)
    }

    fn has_key(&self, entry: &Entry, hash: u32, key: &Term) -> bool {
        entry.hash == hash && exact_eq(self.key(&entry.object), key)
    }

    /// The objects of a bucket in the order of a walk.
    pub fn bucket(&self, i: usize) -> impl DoubleEndedIterator<Item = &Term> {
        self.entries(i).iter().filter(|e| !e.is_deleted).map(|e| &e.object)
    }

    /// All objects in the order of a walk.
    pub fn walk(&self) -> impl Iterator<Item = &Term> {
        (0..self.buckets.len()).flat_map(|i| self.bucket(i))
    }

    /// The objects with this key, newest first.
    pub fn get(&self, key: &Term) -> impl DoubleEndedIterator<Item = &Term> {
        let h = hash(key);
        let entries = self.entries(self.index(h)).iter();
        let found = entries.filter(move |e| !e.is_deleted && self.has_key(e, h, key));
        found.map(|e| &e.object)
    }

    pub fn put(&mut self, object: Term) {
        let key = self.key(&object).clone();
        let h = hash(&key);
        let i = self.index(h);
        let first = self.entries(i).iter().position(|e| self.has_key(e, h, &key));
        if self.keys == Keys::Bag && self.revive(i, &object) {
            return;
        }
        let mut bucket = self.buckets[i].take().unwrap_or_default();
        let entries = Rc::make_mut(&mut bucket);
        let entry = Entry { hash: h, object, is_deleted: false };
        let mut grown = 1;
        match (first, self.keys) {
            (Some(first), Keys::Unique) => {
                grown = usize::from(entries[first].is_deleted);
                entries[first] = entry;
            }
            (Some(first), _) => entries.insert(first, entry),
            (None, _) => entries.push(entry),
        }
        self.buckets[i] = Some(bucket);
        self.len += grown;
        self.grow();
    }

    /// Whether an equal object is (now) there.
    fn revive(&mut self, i: usize, object: &Term) -> bool {
        let found = self.entries(i).iter().position(|e| exact_eq(&e.object, object));
        let Some(found) = found else { return false };
        if self.entries(i)[found].is_deleted {
            let bucket = self.buckets[i].as_mut().expect("it has the object");
            Rc::make_mut(bucket)[found].is_deleted = false;
            self.len += 1;
        }
        true
    }

    fn grow(&mut self) {
        // OTP does a few steps at a time if a walk has kept the table from growing.
        for _ in 0..5 {
            if self.is_fixed || self.len <= self.buckets.len() {
                return;
            }
            self.split();
        }
    }

    /// One more bucket, which takes over half of another.
    fn split(&mut self) {
        let new = self.buckets.len();
        let mask = (new + 1).next_power_of_two() - 1;
        let from = new & (mask >> 1);
        let entries = self.buckets[from].take().unwrap_or_default();
        let (go, stay): (Vec<Entry>, Vec<Entry>) =
            entries.iter().cloned().partition(|e| e.hash as usize & mask == new);
        let bucket = |entries: Vec<Entry>| (!entries.is_empty()).then(|| Rc::new(entries));
        self.buckets[from] = bucket(stay);
        self.buckets.push_back(bucket(go));
    }

    /// Takes out what `gone` says of the objects with this key; what was taken, newest first.
    pub fn remove(&mut self, key: &Term, gone: impl Fn(&Term) -> bool) -> Vec<Term> {
        let h = hash(key);
        let i = self.index(h);
        let found = |e: &Entry| !e.is_deleted && self.has_key(e, h, key) && gone(&e.object);
        let out: Vec<bool> = self.entries(i).iter().map(found).collect();
        if !out.contains(&true) {
            return vec![];
        }
        let mut bucket = self.buckets[i].take().unwrap_or_default();
        let entries = Rc::make_mut(&mut bucket);
        let mut taken = vec![];
        let mut kept = vec![];
        for (mut entry, out) in std::mem::take(entries).into_iter().zip(out) {
            if out {
                taken.push(entry.object.clone());
                entry.is_deleted = true;
            }
            if !out || self.is_fixed {
                kept.push(entry);
            }
        }
        *entries = kept;
        self.buckets[i] = (!entries.is_empty()).then_some(bucket);
        self.len -= taken.len();
        taken
    }

    /// Puts other objects, with the same keys, in the places of some.
    pub fn replace(&mut self, new: impl Fn(&Term) -> Option<Term>) {
        for i in 0..self.buckets.len() {
            let found: Vec<Option<Term>> = self.entries(i).iter().map(|e| new(&e.object)).collect();
            if found.iter().all(Option::is_none) {
                continue;
            }
            let bucket = self.buckets[i].as_mut().expect("it has objects");
            for (entry, object) in Rc::make_mut(bucket).iter_mut().zip(found) {
                if let (Some(object), false) = (object, entry.is_deleted) {
                    entry.object = object;
                }
            }
        }
    }

    pub fn clear(&mut self) {
        let fixed = self.is_fixed;
        *self = HashTable::new(self.keys, self.place);
        self.is_fixed = fixed;
    }

    /// Begins or ends a time in which walks can rely on the table's shape.
    pub fn fix(&mut self, fixed: bool) {
        if self.is_fixed && !fixed {
            for i in 0..self.buckets.len() {
                if self.entries(i).iter().any(|e| e.is_deleted) {
                    let live = self.entries(i).iter().filter(|e| !e.is_deleted);
                    let live: Vec<Entry> = live.cloned().collect();
                    self.buckets[i] = (!live.is_empty()).then(|| Rc::new(live));
                }
            }
        }
        self.is_fixed = fixed;
    }

    pub fn first(&self) -> Option<&Term> {
        self.walk().next().map(|object| self.key(object))
    }

    /// The key behind this one in a walk. `Err` if there is no such key.
    pub fn next(&self, key: &Term) -> Result<Option<&Term>, ()> {
        let h = hash(key);
        let i = self.index(h);
        let entries = self.entries(i);
        let at = entries.iter().position(|e| self.has_key(e, h, key)).ok_or(())?;
        let behind = entries[at..].iter().skip_while(|e| self.has_key(e, h, key));
        if let Some(e) = behind.into_iter().find(|e| !e.is_deleted) {
            return Ok(Some(self.key(&e.object)));
        }
        let rest = (i + 1..self.buckets.len()).flat_map(|i| self.bucket(i));
        Ok({ rest }.next().map(|object| self.key(object)))
    }
}
