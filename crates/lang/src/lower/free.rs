//! The variables that a fun or a comprehension takes from outside of itself.
//!
//! A head hides outer variables of the same name, except where they stand as the key of a map or
//! the size of a segment: there the outer one is meant, unless the same binary has read it before.

use super::pattern::pattern_vars;
use crate::ast::*;
use crate::visit::{collect_vars, for_each_part};
use reverl_term::{Atom, atoms};

/// Finds the variables that an expression has from its surroundings.
#[derive(Default)]
pub struct FreeVars {
    found: Vec<Atom>,
    /// What the heads around hide; a scope is a suffix.
    hidden: Vec<Atom>,
}

impl FreeVars {
    /// What a fun uses that it does not bind in its heads, in order of first use.
    pub fn of_fun(name: Option<Atom>, clauses: &[Clause]) -> Vec<Atom> {
        let mut free = FreeVars::default();
        free.fun(name, clauses);
        free.found
    }

    /// The same of a comprehension that begins with these generators, without their sources.
    pub fn of_generators(
        generators: &[Generator],
        rest: &[Qualifier],
        templates: &[&Expr],
    ) -> Vec<Atom> {
        let mut free = FreeVars::default();
        free.generator_patterns(generators);
        free.qualifiers(rest);
        templates.iter().for_each(|e| free.expr(e));
        free.found
    }

    fn variable(&mut self, name: Atom) {
        let known = name == atoms::UNDERSCORE || self.hidden.contains(&name);
        if !known && !self.found.contains(&name) {
            self.found.push(name);
        }
    }

    fn expr(&mut self, e: &Expr) {
        let mark = self.hidden.len();
        match &e.kind {
            ExprKind::Var(name) => self.variable(*name),
            ExprKind::Fun { name, clauses } => self.fun(*name, clauses),
            ExprKind::ListComp { templates, qualifiers }
            | ExprKind::BinaryComp { templates, qualifiers } => {
                self.qualifiers(qualifiers);
                templates.iter().for_each(|template| self.expr(template));
            }
            ExprKind::MapComp { fields, qualifiers } => {
                self.qualifiers(qualifiers);
                for field in fields {
                    self.expr(&field.key);
                    self.expr(&field.value);
                }
            }
            _ => for_each_part(e, &mut |part| self.expr(part)),
        }
        self.hidden.truncate(mark);
    }

    fn fun(&mut self, name: Option<Atom>, clauses: &[Clause]) {
        for clause in clauses {
            let mark = self.hidden.len();
            self.hidden.extend(name);
            self.head(&clause.patterns.iter().collect::<Vec<_>>());
            clause.guard.iter().flatten().for_each(|test| self.expr(test));
            clause.body.iter().for_each(|e| self.expr(e));
            self.hidden.truncate(mark);
        }
    }

    fn qualifiers(&mut self, qualifiers: &[Qualifier]) {
        for qualifier in qualifiers {
            let generators = match qualifier {
                Qualifier::Filter(test) => {
                    self.expr(test);
                    continue;
                }
                Qualifier::Generator(generator) => std::slice::from_ref(generator),
                Qualifier::Zip { generators, .. } => generators,
            };
            generators.iter().for_each(|g| self.expr(&g.source));
            self.generator_patterns(generators);
        }
    }

    fn generator_patterns(&mut self, generators: &[Generator]) {
        let patterns = generators.iter().flat_map(|g| [Some(&g.pattern), g.value_pattern.as_ref()]);
        self.head(&patterns.flatten().collect::<Vec<_>>());
    }

    /// Patterns all of whose variables are new from here on.
    fn head(&mut self, patterns: &[&Expr]) {
        patterns.iter().for_each(|p| self.used_by(p));
        let mut new = vec![];
        patterns.iter().for_each(|p| pattern_vars(p, &mut new));
        self.hidden.extend(new);
    }

    /// The variables that a pattern only reads.
    fn used_by(&mut self, pattern: &Expr) {
        match &pattern.kind {
            ExprKind::Map(fields) => {
                for field in fields {
                    self.expr(&field.key);
                    self.used_by(&field.value);
                }
            }
            ExprKind::Binary(elements) => {
                let mark = self.hidden.len();
                for element in elements {
                    element.size.iter().for_each(|size| self.expr(size));
                    collect_vars(&element.value, &mut self.hidden);
                }
                self.hidden.truncate(mark);
            }
            _ => for_each_part(pattern, &mut |part| self.used_by(part)),
        }
    }
}
