//! Large maps: a trie of 32-bit key hashes, four bits a level, with nodes shared between versions.
//!
//! Keys whose hashes agree in all eight levels are told apart by the next round's hash, so there are no collision lists
//! and the shape depends on the set of keys alone.

use std::rc::Rc;

use crate::hash::key_hash;
use crate::order::exact_eq;
use crate::term::Term;

const LEVELS_A_ROUND: u32 = 8;

#[derive(Clone)]
pub(super) struct Trie {
    root: Rc<Node>,
    len: usize,
}

#[derive(Clone, Default)]
struct Node {
    /// Which of the sixteen children exist. invariant: as many bits set as `children` has items, in the same order.
    present: u16,
    children: Vec<Child>,
}

#[derive(Clone)]
enum Child {
    Leaf(Term, Term),
    /// invariant: holds at least two keys.
    Node(Rc<Node>),
}

/// The hash bits of one key, asked for level by level.
struct Path<'a> {
    key: &'a Term,
    level: u32,
    bits: u32,
}

impl<'a> Path<'a> {
    #[inline]
    fn new(key: &'a Term) -> Path<'a> {
        Path { key, level: 0, bits: key_hash(key, 0) }
    }

    /// A path already `level` levels down.
    fn at(key: &'a Term, level: u32) -> Path<'a> {
        let round = level / LEVELS_A_ROUND;
        let bits = key_hash(key, round) >> (4 * (level % LEVELS_A_ROUND));
        Path { key, level, bits }
    }

    #[inline]
    fn digit(&self) -> u32 {
        self.bits & 15
    }

    #[inline]
    fn descend(&mut self) {
        self.level += 1;
        if self.level % LEVELS_A_ROUND == 0 {
            self.bits = key_hash(self.key, self.level / LEVELS_A_ROUND);
        } else {
            self.bits >>= 4;
        }
    }
}

impl Node {
    /// The child's place, and whether it is there.
    #[inline]
    fn slot(&self, digit: u32) -> (usize, bool) {
        let below = self.present & ((1u32 << digit) - 1) as u16;
        (below.count_ones() as usize, self.present >> digit & 1 == 1)
    }

    fn insert(&mut self, mut path: Path<'_>, value: Term) -> Option<Term> {
        let (i, there) = self.slot(path.digit());
        if !there {
            self.present |= 1 << path.digit();
            self.children.insert(i, Child::Leaf(path.key.clone(), value));
            return None;
        }
        match &mut self.children[i] {
            Child::Leaf(k, v) if exact_eq(k, path.key) => Some(std::mem::replace(v, value)),
            Child::Node(n) => {
                path.descend();
                Rc::make_mut(n).insert(path, value)
            }
            leaf => {
                let Child::Leaf(k, v) = std::mem::replace(leaf, Child::Node(Rc::default())) else {
                    unreachable!("the other arms took the nodes")
                };
                path.descend();
                let mut n = Node::default();
                n.insert(Path::at(&k, path.level), v);
                n.insert(path, value);
                *leaf = Child::Node(Rc::new(n));
                None
            }
        }
    }

    /// Takes a key out that is known to be here.
    fn remove(&mut self, mut path: Path<'_>) -> (Term, Term) {
        let (i, _) = self.slot(path.digit());
        if let Child::Node(n) = &mut self.children[i] {
            let digit = path.digit();
            path.descend();
            let node = Rc::make_mut(n);
            let gone = node.remove(path);
            // A node that is left with one key is dissolved: the key moves up.
            if let [Child::Leaf(k, v)] = node.children.as_slice() {
                self.children[i] = Child::Leaf(k.clone(), v.clone());
            }
            debug_assert!(self.present >> digit & 1 == 1);
            return gone;
        }
        self.present &= !(1 << path.digit());
        match self.children.remove(i) {
            Child::Leaf(k, v) => (k, v),
            Child::Node(_) => unreachable!("nodes were handled above"),
        }
    }

    fn into_terms(self, give: &mut dyn FnMut(Term)) {
        for child in self.children {
            match child {
                Child::Leaf(k, v) => {
                    give(k);
                    give(v);
                }
                Child::Node(n) => {
                    if let Ok(n) = Rc::try_unwrap(n) {
                        n.into_terms(give);
                    }
                }
            }
        }
    }
}

impl Trie {
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn get(&self, key: &Term) -> Option<&Term> {
        let mut node = &*self.root;
        let mut path = Path::new(key);
        loop {
            let (i, there) = node.slot(path.digit());
            if !there {
                return None;
            }
            match &node.children[i] {
                Child::Leaf(k, v) => return exact_eq(k, key).then_some(v),
                Child::Node(n) => node = n,
            }
            path.descend();
        }
    }

    pub fn insert(&mut self, key: Term, value: Term) -> Option<Term> {
        let old = Rc::make_mut(&mut self.root).insert(Path::new(&key), value);
        self.len += old.is_none() as usize;
        old
    }

    pub fn remove(&mut self, key: &Term) -> Option<(Term, Term)> {
        self.get(key)?;
        self.len -= 1;
        Some(Rc::make_mut(&mut self.root).remove(Path::new(key)))
    }

    pub fn iter(&self) -> Iter<'_> {
        Iter { stack: vec![self.root.children.iter()] }
    }

    pub fn same(&self, other: &Trie) -> bool {
        Rc::ptr_eq(&self.root, &other.root)
    }

    pub fn reversed(&self) -> ReversedPairs<'_> {
        ReversedPairs { stack: vec![self.root.children.iter()] }
    }

    pub fn into_terms(self, give: &mut dyn FnMut(Term)) {
        if let Ok(root) = Rc::try_unwrap(self.root) {
            root.into_terms(give);
        }
    }
}

impl FromIterator<(Term, Term)> for Trie {
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Trie {
        let mut t = Trie { root: Rc::default(), len: 0 };
        for (k, v) in pairs {
            t.insert(k, v);
        }
        t
    }
}

/// Walks over the pairs of a large map.
#[derive(Clone)]
pub struct Iter<'a> {
    stack: Vec<std::slice::Iter<'a, Child>>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a Term, &'a Term);

    fn next(&mut self) -> Option<(&'a Term, &'a Term)> {
        loop {
            match self.stack.last_mut()?.next() {
                Some(Child::Leaf(k, v)) => return Some((k, v)),
                Some(Child::Node(n)) => self.stack.push(n.children.iter()),
                None => {
                    self.stack.pop();
                }
            }
        }
    }
}

/// Walks over the pairs of a large map from the end.
#[derive(Clone)]
pub struct ReversedPairs<'a> {
    stack: Vec<std::slice::Iter<'a, Child>>,
}

impl<'a> Iterator for ReversedPairs<'a> {
    type Item = (&'a Term, &'a Term);

    fn next(&mut self) -> Option<(&'a Term, &'a Term)> {
        loop {
            match self.stack.last_mut()?.next_back() {
                Some(Child::Leaf(k, v)) => return Some((k, v)),
                Some(Child::Node(n)) => self.stack.push(n.children.iter()),
                None => {
                    self.stack.pop();
                }
            }
        }
    }
}
