//! Patterns: what may stand in one, and what it binds.

use super::Lint;
use super::scope::Binding;
use crate::ast::*;
use crate::diagnostic::ProblemKind;
use crate::source::Span;
use reverl_term::{Atom, atoms};

/// Variables a pattern binds, collected before they become visible.
#[derive(Default)]
pub(super) struct Found {
    names: Vec<(Atom, Span)>,
    /// Is a variable that is bound outside a new one here (in the head of a fun)?
    fresh: bool,
}

impl Lint<'_> {
    /// Patterns of a clause or a match: bound variables are compared, others become bound.
    pub(super) fn patterns(&mut self, patterns: &[Expr]) {
        let mut found = Found::default();
        for pattern in patterns {
            self.pattern(pattern, &mut found);
        }
        self.bind(found);
    }

    /// Patterns in the head of a fun: every variable is new.
    pub(super) fn fresh_patterns(&mut self, patterns: &[Expr]) {
        let mut found = Found { fresh: true, ..Found::default() };
        for pattern in patterns {
            self.pattern(pattern, &mut found);
        }
        self.bind(found);
    }

    pub(super) fn generator_patterns(&mut self, patterns: &[&Expr], binary: bool) {
        let mut found = Found { fresh: true, ..Found::default() };
        for pattern in patterns {
            self.pattern(pattern, &mut found);
            if let (true, ExprKind::Binary(elements)) = (binary, &pattern.kind) {
                self.sized_in_generator(elements);
            }
        }
        self.bind(found);
    }

    fn bind(&mut self, found: Found) {
        for (name, _) in found.names {
            self.scope.set(name, Binding::Bound);
        }
    }

    fn pattern(&mut self, pattern: &Expr, found: &mut Found) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.pattern_kind(pattern, found));
    }

    fn pattern_kind(&mut self, pattern: &Expr, found: &mut Found) {
        let span = pattern.span;
        match &pattern.kind {
            ExprKind::Var(name) => self.pattern_variable(*name, span, found),
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Atom(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::List { elements, tail } => {
                for part in elements.iter().chain(tail.as_deref()) {
                    self.pattern(part, found);
                }
            }
            ExprKind::Tuple(elements) => elements.iter().for_each(|e| self.pattern(e, found)),
            ExprKind::Map(fields) => {
                for field in fields {
                    if field.kind == MapFieldKind::Assoc {
                        self.error(field.span, "illegal pattern");
                        continue;
                    }
                    self.map_key(&field.key);
                    self.pattern(&field.value, found);
                }
            }
            ExprKind::Record { name, fields } => {
                self.record_use(*name, fields, span);
                fields.iter().for_each(|f| self.pattern(&f.value, found));
            }
            ExprKind::RecordIndex { name, field } => self.record_field(*name, *field, span),
            ExprKind::Binary(elements) => self.binary_pattern(elements, found),
            ExprKind::Match { pattern: left, value: right } => {
                self.pattern(left, found);
                self.pattern(right, found);
                if parallel_binaries(left, right) {
                    let message = "binary patterns cannot be matched in parallel using '='";
                    self.error(span, message);
                }
            }
            ExprKind::Binop { op: BinaryOp::Append, left, right, .. } if is_literal_list(left) => {
                self.pattern(right, found);
            }
            ExprKind::Unary { .. } | ExprKind::Binop { .. } if is_constant(pattern) => {}
            _ => self.error(span, "illegal pattern"),
        }
    }

    fn pattern_variable(&mut self, name: Atom, span: Span, found: &mut Found) {
        if name.name() == "_" || found.names.iter().any(|(n, _)| *n == name) {
            return;
        }
        if found.fresh {
            found.names.push((name, span));
            return;
        }
        match self.scope.get(name) {
            None => found.names.push((name, span)),
            Some(Binding::Unsafe { .. }) => self.variable(name, span),
            Some(Binding::Bound | Binding::Stacktrace) => {}
        }
    }

    /// A key is an expression that sees only what was bound before the pattern.
    fn map_key(&mut self, key: &Expr) {
        let before = self.problems.len();
        self.guard(key);
        for problem in &mut self.problems[before..] {
            if problem.kind == ProblemKind::IllegalGuard {
                problem.message = "illegal map key in pattern".to_string();
            }
        }
    }

    /// Sizes see what was bound before the pattern, and what the binary itself bound so far.
    fn binary_pattern(&mut self, elements: &[BinElement], found: &mut Found) {
        let outer = self.scope.mark();
        for (i, element) in elements.iter().enumerate() {
            self.bit_types(element, true);
            self.unsized_before_the_end(element, i + 1 == elements.len());
            if let Some(size) = &element.size {
                self.bit_size(size);
            }
            self.bin_value(element, found);
            match element.value.kind {
                ExprKind::Var(name) if name != atoms::UNDERSCORE => {
                    self.scope.set(name, Binding::Bound);
                }
                _ => {}
            }
        }
        self.scope.undo(outer);
    }

    fn bin_value(&mut self, element: &BinElement, found: &mut Found) {
        let value = &element.value;
        match &value.kind {
            ExprKind::Var(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_) => self.pattern(value, found),
            // It matches nothing, and is allowed.
            ExprKind::Atom(_) => {}
            ExprKind::Unary { .. } | ExprKind::Binop { .. } if is_constant(value) => {}
            _ => self.error(value.span, "illegal pattern"),
        }
    }
}

/// Both sides are binaries at the same place.
fn parallel_binaries(left: &Expr, right: &Expr) -> bool {
    match (&left.kind, &right.kind) {
        (ExprKind::Binary(_), ExprKind::Binary(_)) => true,
        (ExprKind::Match { pattern, value }, _) => {
            parallel_binaries(pattern, right) || parallel_binaries(value, right)
        }
        (_, ExprKind::Match { pattern, value }) => {
            parallel_binaries(left, pattern) || parallel_binaries(left, value)
        }
        _ => false,
    }
}

/// What may stand left of `++` in a pattern.
fn is_literal_list(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(_) | ExprKind::Nil => true,
        ExprKind::List { elements, tail } => {
            tail.is_none() && elements.iter().all(|e| is_constant(e) || is_literal_list(e))
        }
        ExprKind::Binop { op: BinaryOp::Append, left, right, .. } => {
            is_literal_list(left) && is_literal_list(right)
        }
        _ => false,
    }
}

/// An arithmetic expression of numbers alone.
pub(super) fn is_constant(expr: &Expr) -> bool {
    use BinaryOp::*;
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) => true,
        ExprKind::Unary { op, operand } => *op != UnaryOp::Not && is_constant(operand),
        ExprKind::Binop { op, left, right, .. } => {
            let arithmetic =
                matches!(op, Add | Sub | Mul | Div | IntDiv | Rem | Band | Bor | Bxor | Bsl | Bsr);
            arithmetic && is_constant(left) && is_constant(right)
        }
        _ => false,
    }
}
