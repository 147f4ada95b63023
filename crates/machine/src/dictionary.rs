//! The process dictionary: a table that grows and shrinks slot by slot, as OTP's does, so that it is listed in
//! OTP's order. That order is in what `get/0` and `get_keys/0,1` answer, and programs act by it.

use imbl::Vector;
use reverl_term::{Map, Term, dictionary_hash, exact_eq};

/// How many slots a dictionary has at least.
const LEAST: usize = 8;

/// The dictionary of one process. Copies of it share what they have in common.
#[derive(Clone, Default)]
pub struct Dictionary {
    values: Map,
    /// In each slot the list of its keys.
    /// invariant: empty, or at least `LEAST` slots.
    slots: Vector<Term>,
    /// The slot that is split next: those before it, and as many at the end, are of the next larger size.
    split: usize,
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

    /// The value of a key.
    pub fn get(&self, key: &Term) -> Option<&Term> {
        self.values.get(key)
    }

    /// Gives a key a value; the value that it had.
    pub fn put(&mut self, key: Term, value: Term) -> Option<Term> {
        let had = self.values.insert(key.clone(), value);
        if had.is_none() {
            self.add(key);
        }
        had
    }

    fn add(&mut self, key: Term) {
        if self.slots.is_empty() {
            self.slots = std::iter::repeat_n(Term::nil(), LEAST).collect();
        }
        let at = self.slot_of(&key);
        let others = self.slots[at].clone();
        self.slots[at] = Term::cons(key, others);
        if self.slots.len() <= self.values.len() {
            self.grow();
        }
    }

    /// Takes a key out; the value that it had.
    pub fn erase(&mut self, key: &Term) -> Option<Term> {
        let erased = self.values.remove(key).map(|(_, value)| value);
        if erased.is_some() {
            let at = self.slot_of(key);
            let keys = self.slots[at].clone();
            let left: Vec<Term> = keys.list_iter().filter(|k| !exact_eq(k, key)).cloned().collect();
            self.slots[at] = Term::list(left);
        }
        if self.slots.len() > LEAST && self.slots.len() / 2 > self.values.len() {
            self.shrink();
        }
        erased
    }

    /// All keys with their values, in the order in which OTP lists them.
    pub fn listed(&self) -> impl Iterator<Item = (&Term, &Term)> {
        let mut keys: Vec<&Term> = self.slots.iter().flat_map(|slot| slot.list_iter()).collect();
        keys.reverse();
        keys.into_iter().filter_map(|key| Some((key, self.values.get(key)?)))
    }

    /// The list of all pairs `{Key, Value}`.
    pub fn pairs(&self) -> Term {
        let pair = |(key, value): (&Term, &Term)| Term::tuple(vec![key.clone(), value.clone()]);
        Term::list(self.listed().map(pair).collect::<Vec<_>>())
    }

    /// All keys and values, in no particular order.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.values.iter().flat_map(|(key, value)| [key, value])
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
            let keys = self.slots[low].clone();
            self.slots.push_back(Term::nil());
            let (mut stay, mut go) = (Term::nil(), Term::nil());
            for key in keys.list_iter() {
                let list = if self.slot_of(key) == low { &mut stay } else { &mut go };
                *list = Term::cons(key.clone(), std::mem::take(list));
            }
            let last = self.slots.len() - 1;
            self.slots[low] = stay;
            self.slots[last] = go;
        }
    }

    fn shrink(&mut self) {
        let steps = (self.slots.len() * 3 / 10).min(self.slots.len() - LEAST);
        for _ in 0..steps {
            if self.split == 0 {
                self.split = self.slots.len() / 2;
            }
            self.split -= 1;
            let high = self.slots.pop_back().unwrap_or_default();
            let joined = joined(&self.slots[self.split], &high);
            self.slots[self.split] = joined;
        }
    }
}

/// Two slots as one, in the order in which OTP joins them: one key comes before a list.
fn joined(low: &Term, high: &Term) -> Term {
    match (low.list_len().unwrap_or(0), high.list_len().unwrap_or(0)) {
        (_, 0) => low.clone(),
        (0, _) => high.clone(),
        (1, _) => reversed_before(low.list_iter(), high.clone()),
        _ => reversed_before(high.list_iter(), low.clone()),
    }
}
