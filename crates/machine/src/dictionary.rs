//! The process dictionary: a table that grows and shrinks slot by slot, as OTP's does, so that it is listed in
//! OTP's order. That order is in what `get/0` and `get_keys/0,1` answer, and programs act by it.

use reverl_term::{Term, dictionary_hash, exact_eq};
use std::rc::Rc;

/// How many slots a dictionary has at least.
const LEAST: usize = 8;

/// The dictionary of one process.
#[derive(Clone, Default)]
pub struct Dictionary {
    /// In each slot the list of its pairs `{Key, Value}`. Copies of a process share them.
    /// invariant: empty, or at least `LEAST` slots.
    slots: Rc<Vec<Term>>,
    /// The slot that is split next: those before it, and as many at the end, are of the next larger size.
    split: usize,
    count: usize,
}

fn pair(key: &Term, value: &Term) -> Term {
    Term::tuple(vec![key.clone(), value.clone()])
}

fn is_of(pair: &Term, key: &Term) -> bool {
    pair.as_tuple().is_some_and(|pair| exact_eq(&pair[0], key))
}

fn value_of(pair: &Term) -> Term {
    pair.as_tuple().map_or_else(Term::nil, |pair| pair[1].clone())
}

/// The elements of `list`, the last one first, before `rest`.
fn reversed_before<'a>(list: impl Iterator<Item = &'a Term>, rest: Term) -> Term {
    list.fold(rest, |rest, element| Term::cons(element.clone(), rest))
}

impl Dictionary {
    /// The smaller of the two sizes that slots are of now.
    fn home(&self) -> usize {
        self.slots.len() - self.split
    }

    fn slot_of(&self, key: &Term) -> usize {
        let hash = dictionary_hash(key) as usize;
        let high = hash & (2 * self.home() - 1);
        if high < self.slots.len() { high } else { hash & (self.home() - 1) }
    }

    fn slots_mut(&mut self) -> &mut Vec<Term> {
        Rc::make_mut(&mut self.slots)
    }

    /// The value of a key.
    pub fn get(&self, key: &Term) -> Option<Term> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.slot_of(key)];
        slot.list_iter().find(|pair| is_of(pair, key)).map(value_of)
    }

    /// Gives a key a value; the value that it had.
    pub fn put(&mut self, key: &Term, value: &Term) -> Option<Term> {
        if self.slots.is_empty() {
            self.slots = Rc::new(vec![Term::nil(); LEAST]);
        }
        let at = self.slot_of(key);
        let old = self.slots[at].clone();
        let found = old.list_iter().position(|pair| is_of(pair, key));
        let Some(found) = found else {
            self.slots_mut()[at] = Term::cons(pair(key, value), old);
            self.count += 1;
            if self.slots.len() <= self.count {
                self.grow();
            }
            return None;
        };
        let mut pairs: Vec<Term> = old.list_iter().cloned().collect();
        let replaced = std::mem::replace(&mut pairs[found], pair(key, value));
        self.slots_mut()[at] = Term::list(pairs);
        Some(value_of(&replaced))
    }

    /// Takes a key out; the value that it had.
    pub fn erase(&mut self, key: &Term) -> Option<Term> {
        if self.slots.is_empty() {
            return None;
        }
        let at = self.slot_of(key);
        let old = self.slots[at].clone();
        let erased = old.list_iter().find(|pair| is_of(pair, key)).map(value_of);
        if erased.is_some() {
            let left: Vec<Term> =
                old.list_iter().filter(|pair| !is_of(pair, key)).cloned().collect();
            self.slots_mut()[at] = Term::list(left);
            self.count -= 1;
        }
        if self.slots.len() > LEAST && self.slots.len() / 2 > self.count {
            self.shrink();
        }
        erased
    }

    /// All pairs `{Key, Value}`, in the order in which OTP lists them.
    pub fn pairs(&self) -> Vec<Term> {
        let mut pairs: Vec<Term> =
            self.slots.iter().flat_map(|slot| slot.list_iter().cloned()).collect();
        pairs.reverse();
        pairs
    }

    /// All pairs, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Term> {
        self.slots.iter().flat_map(|slot| slot.list_iter())
    }

    /// As many slots more as OTP adds at once.
    fn grow(&mut self) {
        let steps = ((self.slots.len() / 4) & 0xf).max(1);
        for _ in 0..steps {
            if self.split == self.home() {
                self.split = 0;
            }
            let low = self.split;
            self.split += 1;
            let pairs = self.slots[low].clone();
            self.slots_mut().push(Term::nil());
            let (mut stay, mut go) = (Term::nil(), Term::nil());
            for pair in pairs.list_iter() {
                let key = &pair.as_tuple().expect("a pair")[0];
                let list = if self.slot_of(key) == low { &mut stay } else { &mut go };
                *list = Term::cons(pair.clone(), std::mem::replace(list, Term::nil()));
            }
            let last = self.slots.len() - 1;
            let slots = self.slots_mut();
            slots[low] = stay;
            slots[last] = go;
        }
    }

    fn shrink(&mut self) {
        let steps = (self.slots.len() * 3 / 10).min(self.slots.len() - LEAST);
        for _ in 0..steps {
            if self.split == 0 {
                self.split = self.slots.len() / 2;
            }
            self.split -= 1;
            let low = self.split;
            let slots = self.slots_mut();
            let high = slots.pop().unwrap_or_default();
            slots[low] = joined(&slots[low], &high);
        }
    }
}

/// Two slots as one, in the order in which OTP joins them: one pair comes before a list.
fn joined(low: &Term, high: &Term) -> Term {
    match (low.list_len().unwrap_or(0), high.list_len().unwrap_or(0)) {
        (_, 0) => low.clone(),
        (0, _) => high.clone(),
        (1, _) => reversed_before(low.list_iter(), high.clone()),
        _ => reversed_before(high.list_iter(), low.clone()),
    }
}
