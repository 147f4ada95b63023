//! Expressions of a kind.

use super::literal::KEYS;
use super::{Generator, KINDS, Kind};

impl Generator {
    pub fn expr(&mut self, kind: Kind, depth: usize) -> String {
        // The wrong kind, now and then.
        let kind = match (kind, self.random.below(40)) {
            (Kind::Any, _) | (_, 0) => self.random.pick(KINDS),
            _ => kind,
        };
        if depth == 0 || self.random.once_in(7) {
            let variable = if self.random.below(3) > 0 { self.variable(kind) } else { None };
            return variable.unwrap_or_else(|| self.literal(kind));
        }
        match self.random.below(10) {
            0..=2 => self.control(kind, depth - 1),
            3 => self.ticked(kind, depth - 1),
            _ => self.operation(kind, depth - 1),
        }
    }

    /// A value whose evaluation is noted.
    pub fn ticked(&mut self, kind: Kind, depth: usize) -> String {
        self.ticks += 1;
        let (n, value) = (self.ticks, self.expr(kind, depth));
        format!("t({n}, {value})")
    }

    fn several(&mut self, kind: Kind, depth: usize, most: usize) -> String {
        let n = self.random.below(most + 1);
        let parts: Vec<String> = (0..n).map(|_| self.expr(kind, depth)).collect();
        parts.join(", ")
    }

    /// A small number, whatever the expression in it says.
    fn small(&mut self, d: usize) -> String {
        let mask = self.random.pick(&[3, 7, 15, 31]);
        format!("({} band {mask})", self.expr(Kind::Int, d))
    }

    /// Puts expressions of kinds in the places of a template: `i` for an integer, and so on.
    pub fn fill(&mut self, template: &str, d: usize) -> String {
        let mut text = String::new();
        let mut rest = template.chars();
        while let Some(c) = rest.next() {
            match c {
                '%' => text += &self.part(rest.next(), d),
                c => text.push(c),
            }
        }
        text
    }

    fn part(&mut self, place: Option<char>, d: usize) -> String {
        match place {
            Some('i') => self.expr(Kind::Int, d),
            Some('f') => self.expr(Kind::Float, d),
            Some('b') => self.expr(Kind::Bool, d),
            Some('a') => self.expr(Kind::Atom, d),
            Some('l') => self.expr(Kind::List, d),
            Some('t') => self.expr(Kind::Tuple, d),
            Some('m') => self.expr(Kind::Map, d),
            Some('n') => self.expr(Kind::Bin, d),
            Some('r') => self.expr(Kind::Record, d),
            Some('x') => self.expr(Kind::Any, d),
            Some('s') => self.small(d),
            Some('k') => match self.random.once_in(3) {
                true => self.variable(Kind::Key).unwrap_or_else(|| "a".into()),
                false => self.random.pick(KEYS).to_string(),
            },
            Some('L') => self.literal(Kind::Any),
            Some('*') => self.several(Kind::Any, d, 3),
            Some('1') => self.fun(1, Kind::Any, d),
            Some('?') => self.fun(1, Kind::Bool, d),
            Some('2') => self.fun(2, Kind::Any, d),
            other => unreachable!("no place {other:?}"),
        }
    }
}
