//! Patterns: tests that fail to a common place, and the binding of new variables.

use super::constant::constant;
use super::emit::{FunLowering, Holes, Operand};
use super::*;
use reverl_term::atoms;

impl<'a> FunLowering<'_, 'a> {
    /// Matches the value in `reg`. New variables get their values, but are not yet bound: a
    /// later occurrence in the same pattern is recognised by `self.matched`.
    pub fn pattern(&mut self, p: &'a Expr, reg: Reg, fails: &mut Holes) {
        let mut seen = vec![];
        self.pattern_part(p, reg, fails, &mut seen);
    }

    /// Makes the variables of a matched pattern known.
    pub fn bind_pattern(&mut self, p: &Expr) {
        let mut names = vec![];
        pattern_vars(p, &mut names);
        names.retain(|name| !self.is_bound(*name));
        names.iter().for_each(|name| self.bind(*name));
        self.names.order.pattern(p, &names, &self.l.records);
    }

    pub fn pattern_part(&mut self, p: &'a Expr, reg: Reg, fails: &mut Holes, seen: &mut Vec<Atom>) {
        // Part by part is faster than comparing whole terms, and `#{}` matches every map.
        let structured =
            matches!(p.kind, ExprKind::Tuple(_) | ExprKind::List { .. } | ExprKind::Map(_));
        if let Some(term) = constant(p).filter(|_| !structured) {
            return self.match_constant(&term, reg, fails);
        }
        match &p.kind {
            ExprKind::Var(name) if *name == atoms::UNDERSCORE => {}
            ExprKind::Var(name) => {
                let own = self.register(*name);
                if self.is_bound(*name) || seen.contains(name) {
                    self.compared_in_group(*name);
                    fails.push(self.emit(Op::MatchSame { a: reg, b: own, els: 0 }));
                } else {
                    seen.push(*name);
                    if own != reg {
                        self.emit(Op::Move { d: own, s: reg });
                    }
                }
            }
            ExprKind::Match { pattern, value } => {
                self.pattern_part(pattern, reg, fails, seen);
                self.pattern_part(value, reg, fails, seen);
            }
            ExprKind::List { elements, tail } => {
                let mut rest = reg;
                for (i, element) in elements.iter().enumerate() {
                    let last = i + 1 == elements.len();
                    let h = self.place(element, seen);
                    let t = match (last, tail) {
                        // A variable of the head has its register first: `[X | X]`.
                        (true, Some(tail)) if !mentions(element, tail) => self.place(tail, seen),
                        _ => self.new_temp(),
                    };
                    fails.push(self.emit(Op::MatchCons { a: rest, h, t, els: 0 }));
                    self.pattern_at(element, h, fails, seen);
                    match (last, tail) {
                        (true, Some(tail)) => self.pattern_at(tail, t, fails, seen),
                        (true, None) => fails.push(self.emit(Op::MatchNil { a: t, els: 0 })),
                        _ => {}
                    }
                    rest = t;
                }
            }
            ExprKind::Tuple(parts) => {
                let n = parts.len() as u16;
                let tag = parts.first().and_then(|first| match first.kind {
                    ExprKind::Atom(tag) => Some(tag),
                    _ => None,
                });
                match tag {
                    Some(tag) => self.match_tagged(reg, n, tag, fails),
                    None => fails.push(self.emit(Op::MatchTuple { a: reg, n, els: 0 })),
                }
                let matched = usize::from(tag.is_some());
                for (i, part) in parts.iter().enumerate().skip(matched) {
                    self.element_pattern(part, reg, i as u16, fails, seen);
                }
            }
            ExprKind::Map(fields) => {
                fails.push(self.emit(Op::MatchMap { a: reg, els: 0 }));
                for field in fields {
                    let key = self.with_shadowed(&[], |f| f.guard_value(&field.key, fails));
                    let key = self.in_register(key);
                    let d = self.place_or_temp(&field.value, seen);
                    fails.push(self.emit(Op::MapGet { d, map: reg, key, els: 0 }));
                    self.pattern_at(&field.value, d, fails, seen);
                }
            }
            ExprKind::Record { name, fields } => {
                self.record_pattern(*name, fields, reg, fails, seen)
            }
            ExprKind::Binary(elements) => self.bits_pattern(elements, reg, fails, seen),
            ExprKind::Binop { op: BinaryOp::Append, left, right, .. } => {
                self.prefix_pattern(left, right, reg, fails, seen);
            }
            // Constant arithmetic, `#r.f`: a value known before the match.
            _ => {
                let value = self.guard_value(p, fails);
                let b = self.in_register(value);
                fails.push(self.emit(Op::MatchSame { a: reg, b, els: 0 }));
            }
        }
    }

    /// A tuple of `n` elements whose first is this atom.
    pub fn match_tagged(&mut self, a: Reg, n: u16, tag: Atom, fails: &mut Holes) {
        match u8::try_from(n) {
            Ok(n) => fails.push(self.emit(Op::MatchTagged { a, n, tag, els: 0 })),
            Err(_) => {
                fails.push(self.emit(Op::MatchTuple { a, n, els: 0 }));
                let d = self.new_temp();
                self.emit(Op::Element { d, a, i: 0 });
                fails.push(self.emit(Op::MatchAtom { a: d, atom: tag, els: 0 }));
            }
        }
    }

    pub fn element_pattern(
        &mut self,
        part: &'a Expr,
        tuple: Reg,
        i: u16,
        fails: &mut Holes,
        seen: &mut Vec<Atom>,
    ) {
        if let ExprKind::Var(name) = &part.kind {
            if self.is_bound(*name) || seen.contains(name) {
                self.compared_in_group(*name);
                let b = self.register(*name);
                return fails.push(self.emit(Op::MatchElement { a: tuple, i, b, els: 0 }));
            }
        }
        let d = self.place(part, seen);
        if d != NOWHERE {
            self.emit_element(d, tuple, i);
            self.pattern_at(part, d, fails, seen);
        }
    }

    /// Takes an element out; neighbours that go to neighbours are taken out at once.
    fn emit_element(&mut self, d: Reg, a: Reg, i: u16) {
        if self.pend.is_empty() {
            let last = self.l.code.ins.last_mut().map(|ins| &mut ins.op);
            match last {
                Some(Op::Element { d: first, a: of, i: from })
                    if (*first + 1, *of, *from + 1) == (d, a, i) && a != d && a != *first =>
                {
                    let (d, i) = (*first, *from);
                    *last.expect("just seen") = Op::Elements { d, a, i, n: 2 };
                    return;
                }
                Some(Op::Elements { d: first, a: of, i: from, n })
                    if (*first + *n, *of, *from + *n) == (d, a, i) && a != d =>
                {
                    *n += 1;
                    return;
                }
                _ => {}
            }
        }
        self.emit(Op::Element { d, a, i });
    }

    /// Where a part can be put at once: a new variable's register, nowhere for `_`, else a
    /// temporary.
    fn place(&mut self, p: &Expr, seen: &[Atom]) -> Reg {
        match &p.kind {
            ExprKind::Var(name) if *name == atoms::UNDERSCORE => NOWHERE,
            _ => self.place_or_temp(p, seen),
        }
    }

    fn place_or_temp(&mut self, p: &Expr, seen: &[Atom]) -> Reg {
        match &p.kind {
            ExprKind::Var(name)
                if *name != atoms::UNDERSCORE && !self.is_bound(*name) && !seen.contains(name) =>
            {
                self.register(*name)
            }
            _ => self.new_temp(),
        }
    }

    /// Matches a part that `place` has put into `reg`.
    pub fn pattern_at(&mut self, p: &'a Expr, reg: Reg, fails: &mut Holes, seen: &mut Vec<Atom>) {
        if reg != NOWHERE {
            self.pattern_part(p, reg, fails, seen);
        }
    }

    pub fn match_constant(&mut self, term: &Term, reg: Reg, fails: &mut Holes) {
        let op = if term.is_nil() {
            Op::MatchNil { a: reg, els: 0 }
        } else if let Some(atom) = term.as_atom() {
            Op::MatchAtom { a: reg, atom, els: 0 }
        } else if let Some(i) = term.as_small().and_then(|i| i32::try_from(i).ok()) {
            Op::MatchInt { a: reg, i, els: 0 }
        } else {
            Op::MatchLit { a: reg, k: self.l.code.literal(term.clone()), els: 0 }
        };
        fails.push(self.emit(op));
    }

    /// `"abc" ++ Tail`
    fn prefix_pattern(
        &mut self,
        prefix: &'a Expr,
        tail: &'a Expr,
        reg: Reg,
        fails: &mut Holes,
        seen: &mut Vec<Atom>,
    ) {
        let mut rest = reg;
        for part in constant(prefix).and_then(|t| t.to_vec()).unwrap_or_default() {
            let h = self.new_temp();
            let t = self.new_temp();
            fails.push(self.emit(Op::MatchCons { a: rest, h, t, els: 0 }));
            self.match_constant(&part, h, fails);
            rest = t;
        }
        self.pattern_part(tail, rest, fails, seen);
    }

    pub fn literal_in_register(&mut self, term: Term) -> Reg {
        self.in_register(Operand::Literal(term))
    }
}

/// Whether a pattern has a variable in it, if the other is one.
fn mentions(pattern: &Expr, variable: &Expr) -> bool {
    let ExprKind::Var(name) = &variable.kind else { return false };
    let mut names = vec![];
    crate::visit::collect_vars(pattern, &mut names);
    names.contains(name)
}

/// The variables that a pattern can bind: keys of maps and sizes of segments only use them.
pub fn pattern_vars(p: &Expr, into: &mut Vec<Atom>) {
    match &p.kind {
        ExprKind::Var(name) => {
            if *name != atoms::UNDERSCORE && !into.contains(name) {
                into.push(*name);
            }
        }
        ExprKind::Map(fields) => fields.iter().for_each(|f| pattern_vars(&f.value, into)),
        ExprKind::Binary(elements) => elements.iter().for_each(|e| pattern_vars(&e.value, into)),
        _ => crate::visit::for_each_part(p, &mut |part| pattern_vars(part, into)),
    }
}
