//! Where a part is within a term.

use reverl_term::{Closure, Fun, Term, View, exact_eq};

/// So much of a term is looked through for another.
const MOST_PARTS: usize = 100_000;
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
            let mut map = whole.clone();
            map.map_mut()?.insert(key.clone(), new);
            Some(map)
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

/// The places of a part within a term, the term itself first; so many at the most.
pub fn places(whole: &Term, part: &Term, most: usize) -> Vec<Path> {
    let mut found = vec![];
    let mut walk = Walk {
        part,
        at: vec![],
        looked: 0,
        count: 0,
        most,
        meet: &mut |_, at| {
            found.push(at.clone());
            None
        },
    };
    walk.term(whole);
    found
}

/// The term with something else in each place of a part: `other` of the number of the place.
pub fn with_all(whole: &Term, part: &Term, other: &dyn Fn(usize) -> Term) -> Term {
    let meet = &mut |number, _: &Path| Some(other(number));
    let mut walk = Walk { part, at: vec![], looked: 0, count: 0, most: usize::MAX, meet };
    walk.term(whole).unwrap_or_else(|| whole.clone())
}

/// Whether a term is another one or has it inside.
pub fn contains(whole: &Term, part: &Term) -> bool {
    !places(whole, part, 1).is_empty()
}

/// Walks over a term and meets each place of a part, by its number; what is met may be replaced.
struct Walk<'p> {
    part: &'p Term,
    at: Path,
    looked: usize,
    count: usize,
    most: usize,
    meet: &'p mut dyn FnMut(usize, &Path) -> Option<Term>,
}

impl Walk<'_> {
    fn is_over(&self) -> bool {
        self.count >= self.most || self.looked > MOST_PARTS || self.at.len() > MOST_DEPTH
    }

    /// Goes into a part; gives what it becomes, if that is something else.
    fn go(&mut self, step: Inside, into: &Term) -> Option<Term> {
        self.at.push(step);
        let other = self.term(into);
        self.at.pop();
        other
    }

    /// Whether this is the part itself, and what it becomes.
    fn meets(&mut self, term: &Term) -> Option<Option<Term>> {
        self.looked += 1;
        if !exact_eq(term, self.part) {
            return None;
        }
        self.count += 1;
        Some((self.meet)(self.count - 1, &self.at))
    }

    fn term(&mut self, term: &Term) -> Option<Term> {
        if self.is_over() {
            return None;
        }
        if let Some(other) = self.meets(term) {
            return other;
        }
        match term.view() {
            View::Cons(..) => self.list(term),
            View::Tuple(elements) => self.each(elements, Inside::Element).map(Term::tuple),
            View::Map(map) => {
                let mut changed = vec![];
                for (key, value) in map.iter() {
                    let other = self.go(Inside::Value(key.clone()), value);
                    changed.extend(other.map(|other| (key.clone(), other)));
                }
                let mut new = (!changed.is_empty()).then(|| term.clone())?;
                let map = new.map_mut()?;
                for (key, value) in changed {
                    map.insert(key, value);
                }
                Some(new)
            }
            _ => match term.as_fun() {
                Some(Fun::Local(closure)) => {
                    let env = self.each(&closure.env, Inside::Kept)?;
                    let closure = Closure { env: env.into(), ..closure.clone() };
                    Some(Term::fun(Fun::Local(closure)))
                }
                _ => None,
            },
        }
    }

    /// Goes into parts that stand in a row.
    fn each(&mut self, parts: &[Term], step: fn(usize) -> Inside) -> Option<Vec<Term>> {
        let mut all: Option<Vec<Term>> = None;
        for (i, part) in parts.iter().enumerate() {
            if let Some(other) = self.go(step(i), part) {
                all.get_or_insert_with(|| parts.to_vec())[i] = other;
            }
        }
        all
    }

    fn list(&mut self, list: &Term) -> Option<Term> {
        let (mut items, mut rest, mut is_changed) = (vec![], list.clone(), false);
        let mut tail = None;
        while let Some((head, next)) = rest.as_cons() {
            let other = self.go(Inside::Item(items.len()), head);
            is_changed |= other.is_some();
            items.push(other.unwrap_or_else(|| head.clone()));
            let next = next.clone();
            if self.is_over() {
                tail = Some(next);
                break;
            }
            self.at.push(Inside::Rest(items.len()));
            let met = if next.is_nil() { None } else { self.meets(&next) };
            self.at.pop();
            if let Some(other) = met {
                is_changed |= other.is_some();
                tail = Some(other.unwrap_or(next));
                break;
            }
            rest = next;
        }
        let tail = tail.unwrap_or(rest);
        is_changed.then(|| items.into_iter().rev().fold(tail, |rest, i| Term::cons(i, rest)))
    }
}
