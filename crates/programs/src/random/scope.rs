//! Names: which are in scope, which are new, and which hide others.

use super::{Generator, Kind};

impl Generator {
    pub fn name(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    pub fn bind(&mut self, kind: Kind) -> String {
        let name = self.name();
        self.scope.push((name.clone(), kind));
        name
    }

    /// What `inner` binds is out of scope afterwards.
    pub fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.len();
        let result = inner(self);
        self.scope.truncate(outer);
        result
    }

    /// Only the oldest `base` variables are in scope for `inner`, which binds none.
    pub fn outside<T>(&mut self, base: usize, inner: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = self.scope.split_off(base);
        let result = inner(self);
        self.scope.truncate(base);
        self.scope.extend(hidden);
        result
    }

    /// A variable in scope, mostly of the kind.
    pub fn variable(&mut self, kind: Kind) -> Option<String> {
        // What may be anything is mostly not what an operation needs.
        let loose = kind == Kind::Any || self.random.once_in(6);
        let mut known: Vec<String> = vec![];
        for (i, (name, of)) in self.scope.iter().enumerate() {
            let hidden = self.scope[i + 1..].iter().any(|(later, _)| later == name);
            if !hidden && (*of == kind || loose) {
                known.push(name.clone());
            }
        }
        let at = self.random.below(known.len().max(1));
        known.get(at).cloned()
    }

    /// A name for where every name is new: sometimes one that means something else outside.
    pub fn hiding_name(&mut self) -> String {
        match self.fresh > 0 && self.random.once_in(2) {
            true => format!("V{}", 1 + self.random.below(self.fresh)),
            false => self.name(),
        }
    }
}
