//! Looking at terms: the view to match on, and walking lists.

use num_bigint::BigInt;

use crate::atom::Atom;
use crate::bits::Bits;
use crate::fun::Fun;
use crate::ids::{Pid, Port, Ref};
use crate::map::Map;
use crate::term::Term;

/// A term opened one level. `Int` is a small integer (63 bits), every other integer is `Big`.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// A small integer.
    Int(i64),
    /// An integer that is not small.
    Big(&'a BigInt),
    /// A float.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// The empty list.
    Nil,
    /// The head and the tail of a list.
    Cons(&'a Term, &'a Term),
    /// The elements of a tuple.
    Tuple(&'a [Term]),
    /// A map.
    Map(&'a Map),
    /// A bit string.
    Bits(&'a Bits),
    /// A fun.
    Fun(&'a Fun),
    /// A pid.
    Pid(Pid),
    /// A reference.
    Ref(&'a Ref),
    /// A port.
    Port(Port),
}

/// Walks the cells of a list; `tail` is what is left, nil at the end of a proper list.
#[derive(Clone)]
pub struct ListIter<'a> {
    rest: &'a Term,
}

impl<'a> ListIter<'a> {
    /// The part of the list that has not been walked yet.
    pub fn tail(&self) -> &'a Term {
        self.rest
    }
}

impl<'a> Iterator for ListIter<'a> {
    type Item = &'a Term;

    #[inline]
    fn next(&mut self) -> Option<&'a Term> {
        let (h, t) = self.rest.as_cons()?;
        self.rest = t;
        Some(h)
    }
}

impl Term {
    /// A proper list of these items.
    pub fn list<I>(items: I) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        Term::list_with_tail(items, Term::NIL)
    }

    /// A list of these items that ends with `tail`.
    pub fn list_with_tail<I>(items: I, tail: Term) -> Term
    where
        I: IntoIterator<Item = Term>,
        I::IntoIter: DoubleEndedIterator,
    {
        items.into_iter().rev().fold(tail, |t, h| Term::cons(h, t))
    }

    /// The list of a text's code points.
    pub fn string(s: &str) -> Term {
        Term::list(s.chars().map(|c| Term::small(c as i64)))
    }

    /// The atom of this name.
    pub fn atom_named(name: &str) -> Term {
        Term::atom(Atom::new(name))
    }

    /// Walks the elements of a list.
    pub fn list_iter(&self) -> ListIter<'_> {
        ListIter { rest: self }
    }

    /// The elements of a proper list.
    pub fn to_vec(&self) -> Option<Vec<Term>> {
        let mut it = self.list_iter();
        let items = it.by_ref().cloned().collect();
        it.tail().is_nil().then_some(items)
    }

    /// The length of a proper list.
    pub fn list_len(&self) -> Option<usize> {
        let mut it = self.list_iter();
        let n = it.by_ref().count();
        it.tail().is_nil().then_some(n)
    }

    /// A map of these pairs; the last pair of a key wins.
    pub fn map_from(pairs: Vec<(Term, Term)>) -> Term {
        Term::map(pairs.into_iter().collect())
    }
}
