//! The order in which OTP's compiler gives a fun the variables that it closes over. A fun that comes
//! from a node brings its values in that order.
//!
//! The compiler numbers its own variables and sorts them before those of the source, which are sorted by
//! name. A variable that comes out of a pattern is one of its own: the parts of a pattern are numbered
//! together, the last one first, and then the parts of each part. So are parameters; those of an
//! inner fun come before those of the funs around it, and the function's own before all.

use super::pattern::pattern_vars;
use crate::ast::*;
use reverl_term::Atom;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Parameter(usize),
    /// A parameter of a fun: how deep the fun is inside of others, and which one it is.
    OfFun(Reverse<u32>, Reverse<usize>),
    InPattern(u32),
    Named,
}

/// Where the variables that are bound so far stand in the compiler's order.
#[derive(Clone, Default)]
pub struct BindingOrder {
    places: Rc<HashMap<Atom, Place>>,
    /// How many funs are around.
    depth: u32,
    /// How many parts of patterns have been numbered.
    numbered: u32,
}

/// The fields of the records that patterns name.
pub type Records<'a> = HashMap<Atom, &'a RecordDef>;

impl BindingOrder {
    /// The order inside of a fun.
    pub fn of_fun(&self) -> BindingOrder {
        BindingOrder { depth: self.depth + 1, ..self.clone() }
    }

    pub fn sort(&self, env: &mut [Atom]) {
        let place = |var: &Atom| self.places.get(var).copied().unwrap_or(Place::Named);
        env.sort_by_cached_key(|var| (place(var), var.name()));
    }

    /// A variable is bound to a value as a whole.
    pub fn name(&mut self, var: Atom) {
        if self.places.contains_key(&var) {
            Rc::make_mut(&mut self.places).remove(&var);
        }
    }

    /// The parameters of a function or fun are bound.
    pub fn parameters(&mut self, patterns: &[Expr], records: &Records) {
        let mut new = vec![];
        patterns.iter().for_each(|pattern| pattern_vars(pattern, &mut new));
        let depth = self.depth;
        let mut numbering = self.numbering(&new, records);
        for (i, pattern) in patterns.iter().enumerate() {
            let place = match depth {
                0 => Place::Parameter(i),
                depth => Place::OfFun(Reverse(depth), Reverse(i)),
            };
            numbering.put(pattern, place);
        }
        patterns.iter().for_each(|pattern| numbering.parts_of(pattern));
    }

    /// What a generator gives is bound, which is part of a larger pattern.
    pub fn generated(&mut self, pattern: &Expr, records: &Records) {
        let mut new = vec![];
        pattern_vars(pattern, &mut new);
        let mut numbering = self.numbering(&new, records);
        numbering.number(&[pattern]);
        numbering.parts_of(pattern);
    }

    /// The variables of a pattern are bound; those that are new are given.
    pub fn pattern(&mut self, pattern: &Expr, new: &[Atom], records: &Records) {
        self.numbering(new, records).parts_of(pattern);
    }

    fn numbering<'o>(&'o mut self, new: &'o [Atom], records: &'o Records<'o>) -> Numbering<'o> {
        new.iter().for_each(|var| self.name(*var));
        Numbering { order: self, new, records }
    }
}

/// Numbers the parts of patterns.
struct Numbering<'o> {
    order: &'o mut BindingOrder,
    new: &'o [Atom],
    records: &'o Records<'o>,
}

impl Numbering<'_> {
    fn parts_of(&mut self, pattern: &Expr) {
        let parts: Vec<&Expr> = match &pattern.kind {
            ExprKind::Tuple(parts) => parts.iter().collect(),
            ExprKind::Map(fields) => by_key(fields).into_iter().map(|f| &f.value).collect(),
            ExprKind::Record { name, fields } => {
                let of = |field: &RecordFieldDef| {
                    fields.iter().find(|f| f.name == Some(field.name)).map(|f| &f.value)
                };
                self.records.get(name).map_or(vec![], |r| r.fields.iter().filter_map(of).collect())
            }
            ExprKind::List { elements, tail } => return self.cells(elements, tail.as_deref()),
            ExprKind::Binary(segments) => {
                return segments.iter().for_each(|segment| self.number(&[&segment.value]));
            }
            ExprKind::Match { pattern, value } => {
                self.parts_of(pattern);
                return self.parts_of(value);
            }
            ExprKind::Binop { right, .. } => return self.number(&[right]),
            _ => return,
        };
        self.number(&parts);
        parts.iter().for_each(|part| self.parts_of(part));
    }

    /// A list is a pair of its first element and the rest.
    fn cells(&mut self, elements: &[Expr], tail: Option<&Expr>) {
        match elements {
            [] => tail.iter().for_each(|tail| self.parts_of(tail)),
            [first, rest @ ..] => {
                tail.iter().filter(|_| rest.is_empty()).for_each(|tail| self.number(&[tail]));
                self.number(&[first]);
                self.parts_of(first);
                self.cells(rest, tail);
            }
        }
    }

    fn number(&mut self, parts: &[&Expr]) {
        self.order.numbered += parts.len() as u32;
        for (i, part) in parts.iter().enumerate() {
            self.put(part, Place::InPattern(self.order.numbered - i as u32));
        }
    }

    fn put(&mut self, pattern: &Expr, place: Place) {
        match &pattern.kind {
            // The first place at which it stands counts.
            ExprKind::Var(var) if self.new.contains(var) => {
                Rc::make_mut(&mut self.order.places).entry(*var).or_insert(place);
            }
            ExprKind::Match { pattern, value } => {
                self.put(pattern, place);
                self.put(value, place);
            }
            _ => {}
        }
    }
}

/// The fields of a map in the order of their keys.
fn by_key(fields: &[MapField]) -> Vec<&MapField> {
    let mut fields: Vec<&MapField> = fields.iter().collect();
    let key = |field: &MapField| super::constant::constant(&field.key).unwrap_or_default();
    fields.sort_by(|a, b| reverl_term::compare_exact(&key(a), &key(b)));
    fields
}
