//! Which variables are bound where.
//!
//! One table for the whole function, and a trail of what was added, so that a branch can be
//! entered and left without copying.

use crate::source::Span;
use reverl_term::Atom;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Bound,
    /// Bound in some branches of an expression, or where it may not have been reached.
    Unsafe {
        what: &'static str,
        span: Span,
    },
    /// A stack trace: may be used, but not in a guard of its own clause.
    Stacktrace,
}

#[derive(Default)]
pub(super) struct Scope {
    bindings: FxHashMap<Atom, Binding>,
    /// What each change overwrote.
    trail: Vec<(Atom, Option<Binding>)>,
}

#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scope {
    pub fn get(&self, name: Atom) -> Option<Binding> {
        self.bindings.get(&name).copied()
    }

    pub fn set(&mut self, name: Atom, binding: Binding) {
        let old = self.bindings.insert(name, binding);
        self.trail.push((name, old));
    }

    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Goes back to a mark; nothing since then stays.
    pub fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.0 {
            if let Some((name, old)) = self.trail.pop() {
                match old {
                    Some(binding) => self.bindings.insert(name, binding),
                    None => self.bindings.remove(&name),
                };
            }
        }
    }

    /// Goes back to a mark and gives what has been bound since, each name once.
    pub fn take(&mut self, mark: Mark) -> Vec<(Atom, Binding)> {
        let mut taken: Vec<(Atom, Binding)> = Vec::new();
        for (name, _) in &self.trail[mark.0..] {
            if let Some(binding) = self.bindings.get(name) {
                if !taken.iter().any(|(n, _)| n == name) {
                    taken.push((*name, *binding));
                }
            }
        }
        self.undo(mark);
        taken
    }

    pub fn put(&mut self, bound: Vec<(Atom, Binding)>) {
        for (name, binding) in bound {
            // Bound on one side and unsafe on another is bound.
            if !(binding != Binding::Bound && self.get(name) == Some(Binding::Bound)) {
                self.set(name, binding);
            }
        }
    }

    /// What has been bound since a mark becomes unsafe.
    pub fn make_unsafe(&mut self, mark: Mark, what: &'static str, span: Span) {
        let bound = self.take(mark);
        self.put_unsafe(bound, what, span);
    }

    pub fn put_unsafe(&mut self, bound: Vec<(Atom, Binding)>, what: &'static str, span: Span) {
        for (name, _) in bound {
            if self.get(name).is_none() {
                self.set(name, Binding::Unsafe { what, span });
            }
        }
    }

    pub fn clear(&mut self) {
        self.bindings.clear();
        self.trail.clear();
    }
}

/// The branches of one expression: bound in all is bound, bound in some is unsafe.
pub(super) struct Branches {
    what: &'static str,
    span: Span,
    count: usize,
    bound: Vec<(Atom, usize, bool)>,
    index: FxHashMap<Atom, usize>,
}

impl Branches {
    pub fn new(what: &'static str, span: Span) -> Branches {
        Branches { what, span, count: 0, bound: Vec::new(), index: FxHashMap::default() }
    }

    pub fn add(&mut self, bound: Vec<(Atom, Binding)>) {
        self.count += 1;
        for (name, binding) in bound {
            let at = *self.index.entry(name).or_insert_with(|| {
                self.bound.push((name, 0, true));
                self.bound.len() - 1
            });
            self.bound[at].1 += 1;
            self.bound[at].2 &= !matches!(binding, Binding::Unsafe { .. });
        }
    }

    pub fn join(self, scope: &mut Scope) {
        for (name, times, safe) in self.bound {
            if times == self.count && safe {
                scope.set(name, Binding::Bound);
            } else if scope.get(name).is_none() {
                scope.set(name, Binding::Unsafe { what: self.what, span: self.span });
            }
        }
    }
}
