//! Where a part is within a term.

use reverl_term::{Fun, Term, View, exact_eq};

/// So much of a term is looked through for another.
const MOST_PARTS: usize = 100_000;
/// So many places of a part within one term are looked at.
const MOST_PLACES: usize = 32;
/// So deep into a term is looked.
const MOST_DEPTH: usize = 200;

/// One step into a term.
#[derive(Clone, Debug)]
pub enum Inside {
    /// An element of a tuple.
    Element(usize),
    /// An item of a list.
    Item(usize),
    /// What is left of a list behind so many items.
    Rest(usize),
    /// The value of a key of a map.
    Value(Term),
    /// A value that a fun has closed over.
    Kept(usize),
}

/// The way from a term to a part of it; empty for the term itself.
pub type Path = Vec<Inside>;

/// The part at the end of a path.
pub fn part(whole: &Term, path: &[Inside]) -> Option<Term> {
    let Some((first, rest)) = path.split_first() else { return Some(whole.clone()) };
    part(&inside(whole, first)?, rest)
}

fn inside(term: &Term, step: &Inside) -> Option<Term> {
    match step {
        Inside::Element(i) => term.as_tuple()?.get(*i).cloned(),
        Inside::Item(i) => Some(rest_of(term, *i)?.as_cons()?.0.clone()),
        Inside::Rest(i) => Some(rest_of(term, *i)?.clone()),
        Inside::Value(key) => term.as_map()?.get(key).cloned(),
        Inside::Kept(i) => match term.as_fun()? {
            Fun::Local(closure) => closure.env.get(*i).cloned(),
            Fun::External { .. } => None,
        },
    }
}

fn rest_of(list: &Term, items: usize) -> Option<&Term> {
    (0..items).try_fold(list, |rest, _| Some(rest.as_cons()?.1))
}

/// The term with something else at the end of a path.
pub fn with(whole: &Term, path: &[Inside], new: &Term) -> Option<Term> {
    let Some((first, rest)) = path.split_first() else { return Some(new.clone()) };
    let new = with(&inside(whole, first)?, rest, new)?;
    match first {
        Inside::Element(i) => {
            let mut elements = whole.as_tuple()?.to_vec();
            elements[*i] = new;
            Some(Term::tuple(elements))
        }
        Inside::Item(i) => {
            let tail = rest_of(whole, *i)?.as_cons()?.1.clone();
            Some(with_rest(whole, *i, Term::cons(new, tail)))
        }
        Inside::Rest(i) => Some(with_rest(whole, *i, new)),
        Inside::Value(key) => {
            let pairs = whole.as_map()?.iter().map(|(k, v)| {
                let value = if exact_eq(k, key) { new.clone() } else { v.clone() };
                (k.clone(), value)
            });
            Some(Term::map_from(pairs.collect()))
        }
        Inside::Kept(i) => match whole.as_fun()? {
            Fun::Local(closure) => {
                let mut closure = closure.clone();
                closure.env[*i] = new;
                Some(Term::fun(Fun::Local(closure)))
            }
            Fun::External { .. } => None,
        },
    }
}

/// A list whose first `items` items stay, with another rest.
fn with_rest(list: &Term, items: usize, rest: Term) -> Term {
    let mut kept = Vec::with_capacity(items);
    let mut left = list;
    while let (true, Some((head, tail))) = (kept.len() < items, left.as_cons()) {
        kept.push(head.clone());
        left = tail;
    }
    kept.into_iter().rev().fold(rest, |rest, item| Term::cons(item, rest))
}

/// The places of a part within a term, the term itself first.
pub fn places(whole: &Term, part: &Term) -> Vec<Path> {
    let mut search = Search { part, found: vec![], at: vec![], looked: 0 };
    search.term(whole);
    search.found
}

/// Whether a term is another one or has it inside.
pub fn contains(whole: &Term, part: &Term) -> bool {
    !places(whole, part).is_empty()
}

struct Search<'p> {
    part: &'p Term,
    found: Vec<Path>,
    at: Path,
    looked: usize,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.found.len() >= MOST_PLACES || self.looked > MOST_PARTS || self.at.len() > MOST_DEPTH
    }

    fn go(&mut self, step: Inside, into: &Term) {
        self.at.push(step);
        self.term(into);
        self.at.pop();
    }

    /// Whether this is the part itself.
    fn is_it(&mut self, term: &Term) -> bool {
        self.looked += 1;
        let is_it = exact_eq(term, self.part);
        if is_it {
            self.found.push(self.at.clone());
        }
        is_it
    }

    fn term(&mut self, term: &Term) {
        if self.is_over() || self.is_it(term) {
            return;
        }
        match term.view() {
            View::Cons(..) => self.list(term),
            View::Tuple(elements) => {
                let elements = elements.iter().enumerate();
                elements.for_each(|(i, element)| self.go(Inside::Element(i), element));
            }
            View::Map(map) => {
                map.iter().for_each(|(key, value)| self.go(Inside::Value(key.clone()), value));
            }
            _ => {
                if let Some(Fun::Local(closure)) = term.as_fun() {
                    let kept = closure.env.iter().enumerate();
                    kept.for_each(|(i, value)| self.go(Inside::Kept(i), value));
                }
            }
        }
    }

    fn list(&mut self, list: &Term) {
        let (mut rest, mut items) = (list, 0);
        while let Some((head, tail)) = rest.as_cons() {
            self.go(Inside::Item(items), head);
            (rest, items) = (tail, items + 1);
            self.at.push(Inside::Rest(items));
            let is_found = self.is_over() || (!rest.is_nil() && self.is_it(rest));
            self.at.pop();
            if is_found {
                return;
            }
        }
        if !rest.is_nil() {
            self.go(Inside::Rest(items), rest);
        }
    }
}
