//! Patterns, each with an expression whose value it mostly matches.

use super::literal::KEYS;
use super::{Generator, KINDS, Kind};

/// Whether a name from outside is compared, or hidden by a new one, as in the head of a fun and in
/// a generator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outer {
    Compared,
    Hidden,
}

/// Patterns that are matched together.
pub struct Head {
    /// How many variables were in scope before: all that keys of maps can see.
    pub base: usize,
    pub outer: Outer,
    /// New names, with the constant each is matched with, if it is one.
    pub new: Vec<(String, Option<String>)>,
}

/// A pattern and an expression of the scope outside of it.
pub struct Shape {
    pub pattern: String,
    pub value: String,
}

fn shape(pattern: impl Into<String>, value: impl Into<String>) -> Shape {
    Shape { pattern: pattern.into(), value: value.into() }
}

impl Generator {
    pub fn head(&self, outer: Outer) -> Head {
        Head { base: self.scope.len(), outer, new: vec![] }
    }

    /// The parameters of a function, variables only if it is the `last` clause.
    pub fn heads_of_function(&mut self, last: bool) -> String {
        let mut head = self.head(Outer::Hidden);
        let mut heads = vec![];
        for _ in 0..3 {
            heads.push(match last || self.random.below(3) > 0 {
                true => self.bind(Kind::Any),
                false => self.shape(&mut head, Kind::Any, 2).pattern,
            });
        }
        heads.join(", ")
    }

    /// A pattern of its own, which a value of the kind may match.
    pub fn pattern_of(&mut self, kind: Kind, depth: usize) -> String {
        let mut head = self.head(Outer::Compared);
        self.shape(&mut head, kind, depth).pattern
    }

    /// A pattern for a value of the kind. Variables in it are bound from then on.
    pub fn shape(&mut self, head: &mut Head, kind: Kind, depth: usize) -> Shape {
        let kind = if kind == Kind::Any { self.random.pick(KINDS) } else { kind };
        match self.random.below(10) {
            0 => return shape("_", self.value_outside(head, kind)),
            1 | 2 => return self.new_variable(head, kind),
            3 | 4 => {
                if let Some(known) = self.known_variable(head, kind) {
                    return known;
                }
            }
            5 if depth > 0 => return self.alias(head, kind, depth - 1),
            _ => {}
        }
        if depth == 0 {
            return self.new_variable(head, kind);
        }
        self.structure(head, kind, depth - 1)
    }

    fn value_outside(&mut self, head: &Head, kind: Kind) -> String {
        self.outside(head.base, |g| g.expr(kind, 1))
    }

    pub fn new_variable(&mut self, head: &mut Head, kind: Kind) -> Shape {
        let name = match head.outer {
            Outer::Hidden => self.hiding_name(),
            Outer::Compared => self.name(),
        };
        // Here it has come already, and is compared with itself.
        if let Some((_, constant)) = head.new.iter().find(|(n, _)| *n == name) {
            let value = constant.clone();
            return shape(name, value.unwrap_or_else(|| self.literal(kind)));
        }
        let constant = self.random.once_in(2).then(|| self.literal(kind));
        let value = match &constant {
            Some(constant) => constant.clone(),
            None => self.value_outside(head, kind),
        };
        head.new.push((name.clone(), constant));
        self.scope.push((name.clone(), kind));
        shape(name, value)
    }

    /// A variable from outside that is compared, or one of the pattern's own that comes again.
    pub fn known_variable(&mut self, head: &mut Head, kind: Kind) -> Option<Shape> {
        let again: Vec<(String, String)> =
            head.new.iter().filter_map(|(n, c)| Some((n.clone(), c.clone()?))).collect();
        if !again.is_empty() && (head.outer == Outer::Hidden || self.random.once_in(2)) {
            let at = self.random.below(again.len());
            return Some(shape(again[at].0.clone(), again[at].1.clone()));
        }
        if head.outer == Outer::Hidden {
            return None;
        }
        let known = self.outside(head.base, |g| g.variable(kind))?;
        Some(shape(known.clone(), known))
    }

    /// `P = Q`. OTP 25 takes `New = Bound = Value` for a match without a comparison, so that the
    /// second pattern is never a variable alone; nor are two binaries, which it refuses.
    fn alias(&mut self, head: &mut Head, kind: Kind, depth: usize) -> Shape {
        let inner = self.shape(head, kind, depth);
        if inner.pattern.starts_with('V') || inner.pattern == "_" {
            return inner;
        }
        let pattern = &inner.pattern;
        let has_bits = pattern.contains("<<");
        let aliased = match (kind, self.random.below(3)) {
            (Kind::Map, 0) if !has_bits => {
                format!("{pattern} = #{{{} := _}}", self.key(head))
            }
            (Kind::List, 0) if !has_bits => {
                format!("[_ | {}] = {pattern}", self.unmatched(head, Kind::List))
            }
            (Kind::Tuple, 0) if !has_bits => {
                format!("{pattern} = {{{}, _}}", self.unmatched(head, Kind::Any))
            }
            (_, 1) => format!("{pattern} = {}", self.unmatched(head, kind)),
            _ => format!("{} = {pattern}", self.unmatched(head, kind)),
        };
        shape(aliased, inner.value)
    }

    /// A variable that is surely new, because what it should be is not said.
    fn unmatched(&mut self, head: &mut Head, kind: Kind) -> String {
        let name = self.bind(kind);
        head.new.push((name.clone(), None));
        name
    }

    /// An expression that sees only what is outside of the pattern.
    fn key(&mut self, head: &Head) -> String {
        let constant = self.random.pick(KEYS).to_string();
        let known = self.outside(head.base, |g| g.variable(Kind::Key));
        let Some(known) = known.filter(|_| !self.random.once_in(3)) else { return constant };
        match self.random.below(6) {
            0 => format!("{{{known}}}"),
            1 => format!("hd([{known}])"),
            2 => format!("element(1, {{{known}, a}})"),
            _ => known,
        }
    }

    fn structure(&mut self, head: &mut Head, kind: Kind, d: usize) -> Shape {
        match kind {
            Kind::List => self.list_shape(head, d),
            Kind::Tuple => {
                let first = if self.random.once_in(2) { Kind::Atom } else { Kind::Any };
                let a = self.shape(head, first, d);
                if self.random.once_in(4) {
                    return shape(format!("{{{}}}", a.pattern), format!("{{{}}}", a.value));
                }
                let b = self.shape(head, Kind::Any, d);
                shape(
                    format!("{{{}, {}}}", a.pattern, b.pattern),
                    format!("{{{}, {}}}", a.value, b.value),
                )
            }
            Kind::Map => self.map_shape(head, d),
            Kind::Record => {
                let form = self.random.pick(&["#r{a = %}", "#r{b = %, _ = _}", "#r{b = %}"]);
                let field = self.shape(head, Kind::Any, d);
                shape(
                    form.replace('%', &field.pattern),
                    form.replace(", _ = _", "").replace('%', &field.value),
                )
            }
            Kind::Bin => self.bits_shape(head),
            Kind::Int if self.random.once_in(4) => {
                let (sum, value) =
                    self.random.pick(&[("1 + 2", "3"), ("-(4)", "-4"), ("16#f band 7", "7")]);
                shape(format!("({sum})"), value)
            }
            _ => {
                let constant = self.literal(kind);
                shape(constant.clone(), constant)
            }
        }
    }

    fn list_shape(&mut self, head: &mut Head, d: usize) -> Shape {
        match self.random.below(6) {
            0 => {
                let (h, t) = (self.shape(head, Kind::Any, d), self.shape(head, Kind::List, d));
                shape(
                    format!("[{} | {}]", h.pattern, t.pattern),
                    format!("[{} | {}]", h.value, t.value),
                )
            }
            1 => {
                let (a, b) = (self.shape(head, Kind::Any, d), self.shape(head, Kind::Any, d));
                shape(
                    format!("[{}, {}]", a.pattern, b.pattern),
                    format!("[{}, {}]", a.value, b.value),
                )
            }
            2 | 3 => {
                let prefix = self.random.pick(&["\"a\"", "\"ab\" \"c\"", "[1, $b]", "\"\"", "[]"]);
                let tail = self.shape(head, Kind::List, 0);
                shape(
                    format!("{prefix} ++ {}", tail.pattern),
                    format!("({prefix} ++ {})", tail.value),
                )
            }
            4 => {
                let (h, rest) =
                    (self.shape(head, Kind::Any, d), self.value_outside(head, Kind::List));
                shape(format!("[{} | _]", h.pattern), format!("[{} | {rest}]", h.value))
            }
            _ => shape("[]", "[]"),
        }
    }

    fn map_shape(&mut self, head: &mut Head, d: usize) -> Shape {
        if self.random.once_in(6) {
            return shape("#{}", self.value_outside(head, Kind::Map));
        }
        let (mut patterns, mut values) = (vec![], vec![]);
        for _ in 0..=self.random.below(2) {
            let (key, field) = (self.key(head), self.shape(head, Kind::Any, d));
            patterns.push(format!("{key} := {}", field.pattern));
            values.push(format!("{key} => {}", field.value));
        }
        shape(format!("#{{{}}}", patterns.join(", ")), format!("#{{{}}}", values.join(", ")))
    }
}
