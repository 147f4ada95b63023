//! Patterns and guards: no steps, no effects.

use super::expr::given;
use super::{Judge, names};
use reverl_lang::ast::*;
use reverl_term::{Atom, Term, atoms, exact_eq};

impl<'t> Judge<'t, '_> {
    /// Matches and binds; without a match nothing is bound.
    pub(super) fn matches(&mut self, pattern: &'t Expr, value: &Term) -> bool {
        let before = self.scope().len();
        let matched = self.part_matches(pattern, value);
        if !matched {
            self.scope().truncate(before);
        }
        matched
    }

    pub(super) fn part_matches(&mut self, pattern: &'t Expr, value: &Term) -> bool {
        match &pattern.kind {
            ExprKind::Var(name) if *name == atoms::UNDERSCORE => true,
            ExprKind::Var(name) => {
                let bound = self.scope().iter().rev().find(|(n, _)| n == name);
                match bound.map(|(_, bound)| exact_eq(bound, value)) {
                    Some(same) => {
                        // An operand that compares it means the one that another has bound.
                        if let Some(group) = self.groups.last_mut() {
                            group.retain(|hidden| hidden != name);
                        }
                        same
                    }
                    None => {
                        self.scope().push((*name, value.clone()));
                        true
                    }
                }
            }
            ExprKind::Match { pattern, value: other } => {
                self.part_matches(pattern, value) && self.part_matches(other, value)
            }
            ExprKind::List { elements, tail } => {
                let mut rest = value.clone();
                for element in elements {
                    let Some((head, tail)) = rest.as_cons() else { return false };
                    if !self.part_matches(element, head) {
                        return false;
                    }
                    rest = tail.clone();
                }
                tail.as_ref().map_or(rest.is_nil(), |tail| self.part_matches(tail, &rest))
            }
            ExprKind::Tuple(parts) => value.as_tuple().is_some_and(|elements| {
                elements.len() == parts.len()
                    && parts.iter().zip(elements).all(|(p, v)| self.part_matches(p, v))
            }),
            ExprKind::Map(fields) => value.as_map().is_some_and(|map| {
                fields.iter().all(|field| {
                    let key = self.outside(&field.key, &[]);
                    let found = key.and_then(|key| map.get(&key));
                    found.is_some_and(|found| self.part_matches(&field.value, found))
                })
            }),
            ExprKind::Record { name, fields } => {
                self.is_record(value, *name)
                    && self.definition(*name).iter().enumerate().all(|(i, field)| {
                        let element = &value.as_tuple().unwrap_or_default()[i + 1];
                        given(fields, field.name).is_none_or(|p| self.part_matches(p, element))
                    })
            }
            ExprKind::Binary(elements) => self.bits_match(elements, value, true).is_some(),
            ExprKind::Binop { op: BinaryOp::Append, left, right, .. } => {
                let prefix = self.quietly(left).and_then(|p| p.to_vec()).unwrap_or_default();
                let mut rest = value.clone();
                for wanted in prefix {
                    let Some((head, tail)) = rest.as_cons() else { return false };
                    if !exact_eq(head, &wanted) {
                        return false;
                    }
                    rest = tail.clone();
                }
                self.part_matches(right, &rest)
            }
            _ => self.quietly(pattern).is_some_and(|wanted| exact_eq(&wanted, value)),
        }
    }

    /// The patterns of a clause of a function, whose variables hide those from outside.
    pub(super) fn parameters_match(&mut self, patterns: &'t [Expr], args: &[Term]) -> bool {
        let mut hiding = vec![];
        patterns.iter().for_each(|p| names::of_pattern(p, &mut hiding));
        self.hide(&hiding);
        let matched = patterns.iter().zip(args).all(|(p, value)| self.part_matches(p, value));
        self.shadowed.clear();
        matched
    }

    /// Variables of a head hide those from outside.
    pub(super) fn hide(&mut self, hiding: &[Atom]) {
        let hidden = |(name, _): &(Atom, Term)| hiding.contains(name);
        self.shadowed = self.scope().iter().filter(|bound| hidden(bound)).cloned().collect();
        self.scope().retain(|bound| !hidden(bound));
    }

    /// A key or a size in a head: it means what is outside, unless this binary has read it.
    pub(super) fn outside(&mut self, e: &'t Expr, read: &[Atom]) -> Option<Term> {
        let before = self.scope().len();
        let seen: Vec<(Atom, Term)> =
            self.shadowed.iter().filter(|(name, _)| !read.contains(name)).cloned().collect();
        self.scope().extend(seen);
        let value = self.quietly(e);
        self.scope().truncate(before);
        value
    }

    /// Alternatives of conjunctions; no guard at all holds.
    pub(super) fn guard(&mut self, alternatives: &'t [Vec<Expr>]) -> bool {
        alternatives.is_empty()
            || alternatives.iter().any(|tests| tests.iter().all(|test| self.holds(test)))
    }

    pub(super) fn holds(&mut self, test: &'t Expr) -> bool {
        if let ExprKind::Call { function, args } = &test.kind {
            if let (ExprKind::Atom(name), [arg]) = (&function.kind, args.as_slice()) {
                if OLD_TESTS.contains(&name.name()) {
                    let Some(value) = self.quietly(arg) else { return false };
                    let test = format!("is_{}", name.name());
                    return matches!(self.built_in(&test, vec![value]), Ok(v) if v.as_bool() == Some(true));
                }
            }
        }
        self.quietly(test).is_some_and(|v| v.as_bool() == Some(true))
    }

    /// Clauses with one pattern each; the body of the first that fits. Its scope is that of the
    /// clause: `leave_clause` ends it.
    pub(super) fn choose(&mut self, clauses: &'t [Clause], value: &Term) -> Option<&'t Clause> {
        clauses.iter().find(|clause| {
            let before = self.scope().len();
            let fits =
                clause.patterns.iter().all(|p| self.matches(p, value)) && self.guard(&clause.guard);
            if !fits {
                self.scope().truncate(before);
            }
            fits
        })
    }

    /// After a clause only what all of them bind is still bound.
    pub(super) fn leave_clause(
        &mut self,
        before: usize,
        clauses: &'t [Clause],
        after: Option<&'t [Expr]>,
    ) {
        let exported = names::in_all(clauses, after);
        let inner: Vec<(Atom, Term)> = self.scope().drain(before..).collect();
        let kept = inner.into_iter().filter(|(name, _)| exported.contains(name));
        self.scope().extend(kept);
    }
}

/// Type tests of old, which only a guard can mean.
const OLD_TESTS: &[&str] = &[
    "atom",
    "binary",
    "float",
    "function",
    "integer",
    "list",
    "number",
    "pid",
    "port",
    "reference",
    "tuple",
];
