//! Terms of two executions that are the same but for the names of references: a reference has no
//! meaning beside who made it, and is numbered by how many were made before.

use reverl_term::{Ref, Term, View, exact_eq};
use std::collections::HashMap;

/// Which reference of one execution is which of the other.
#[derive(Default)]
pub struct Renaming {
    there: HashMap<Ref, Ref>,
    here: HashMap<Ref, Ref>,
}

impl Renaming {
    /// Whether both are the same; references that are met for the first time become each other's.
    pub fn is_same(&mut self, a: &Term, b: &Term) -> bool {
        match (a.view(), b.view()) {
            (View::Ref(a), View::Ref(b)) => self.are_paired(a, b),
            (View::Tuple(a), View::Tuple(b)) => self.are_same(a, b),
            (View::Cons(..), View::Cons(..)) => self.are_same_lists(a, b),
            (View::Map(m), View::Map(n)) => {
                m.len() == n.len()
                    && m.iter().all(|(key, value)| {
                        n.get(key).is_some_and(|other| self.is_same(value, other))
                    })
            }
            _ => exact_eq(a, b),
        }
    }

    /// The same for several terms.
    pub fn are_same(&mut self, a: &[Term], b: &[Term]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_same(a, b))
    }

    fn are_paired(&mut self, a: &Ref, b: &Ref) -> bool {
        *self.there.entry(*a).or_insert(*b) == *b && *self.here.entry(*b).or_insert(*a) == *a
    }

    fn are_same_lists(&mut self, a: &Term, b: &Term) -> bool {
        let (mut a, mut b) = (a, b);
        while let (Some((head, tail)), Some((other, rest))) = (a.as_cons(), b.as_cons()) {
            if !self.is_same(head, other) {
                return false;
            }
            (a, b) = (tail, rest);
        }
        self.is_same(a, b)
    }
}
