//! The parts in which two values differ, each by its name: what a person looks for in two large ones.

use crate::records::Records;
use reverl_term::{Term, View, exact_eq};
use serde::Serialize;
use ts_rs::TS;

/// So many parts are told; of more, the whole values say it better.
const MOST: usize = 8;
/// So deep into the values is looked.
const MOST_DEPTH: usize = 6;
/// So much of a part is told.
const MOST_TEXT: usize = 80;

/// A part that is another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PartChange {
    /// Fields, keys and places on the way to it: `items.milk.stock`.
    pub name: String,
    /// None: it was not there.
    pub before: Option<String>,
    pub after: Option<String>,
}

/// The parts in which one value differs from another. Empty if they are not of one shape, or differ in
/// too many.
pub fn parts_that_differ(records: &Records, before: &Term, after: &Term) -> Vec<PartChange> {
    let mut found = Found { records, parts: vec![] };
    found.compare(&mut vec![], Some(before), Some(after));
    match found.parts.as_slice() {
        [only] if only.name.is_empty() => vec![],
        parts if parts.len() > MOST => vec![],
        _ => found.parts,
    }
}

struct Found<'r> {
    records: &'r Records,
    parts: Vec<PartChange>,
}

impl Found<'_> {
    fn compare(&mut self, at: &mut Vec<String>, before: Option<&Term>, after: Option<&Term>) {
        if self.parts.len() > MOST {
            return;
        }
        if let (Some(before), Some(after)) = (before, after) {
            if exact_eq(before, after) {
                return;
            }
            if at.len() < MOST_DEPTH && self.compare_inside(at, before, after) {
                return;
            }
        }
        let told = |term: &Term| self.records.line(term, MOST_TEXT).0;
        let (before, after) = (before.map(told), after.map(told));
        self.parts.push(PartChange { name: at.join("."), before, after });
    }

    /// Compares what is inside of two values of one shape; whether they are.
    fn compare_inside(&mut self, at: &mut Vec<String>, before: &Term, after: &Term) -> bool {
        match (before.view(), after.view()) {
            (View::Tuple(old), View::Tuple(new)) if old.len() == new.len() => {
                let fields = self.records.fields(before).map(<[_]>::to_vec);
                if fields.is_some() && !exact_eq(&old[0], &new[0]) {
                    return false;
                }
                for (i, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                    let field = fields.as_ref().and_then(|fields| fields.get(i.checked_sub(1)?));
                    let name = field.map_or_else(|| (i + 1).to_string(), |f| f.name().to_string());
                    self.inside(at, name, Some(old), Some(new));
                }
                true
            }
            (View::Map(old), View::Map(new)) => {
                for (key, value) in old.sorted() {
                    self.inside(at, self.name(key), Some(value), new.get(key));
                }
                for (key, value) in new.sorted() {
                    if old.get(key).is_none() {
                        self.inside(at, self.name(key), None, Some(value));
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn name(&self, key: &Term) -> String {
        self.records.line(key, MOST_TEXT).0
    }

    fn inside(
        &mut self,
        at: &mut Vec<String>,
        name: String,
        before: Option<&Term>,
        after: Option<&Term>,
    ) {
        at.push(name);
        self.compare(at, before, after);
        at.pop();
    }
}
