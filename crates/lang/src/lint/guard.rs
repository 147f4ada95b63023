//! Guards: a small part of the expressions, without effects.

use super::scope::Binding;
use super::{Callee, Lint};
use crate::ast::*;
use crate::bifs;
use crate::diagnostic::{Diagnostic, ProblemKind};
use crate::source::Span;
use reverl_term::Atom;

impl Lint<'_> {
    pub(super) fn guards(&mut self, guards: &[Vec<Expr>]) {
        for test in guards.iter().flatten() {
            self.guard(test);
        }
    }

    fn all<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.guard(expr);
        }
    }

    pub(super) fn guard(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.guard_kind(expr));
    }

    fn guard_kind(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Var(name) => {
                if self.scope.get(*name) == Some(Binding::Stacktrace) {
                    let message =
                        format!("stacktrace variable '{name}' must not be used in a guard");
                    self.error(span, message);
                }
                self.variable(*name, span);
            }
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Atom(_)
            | ExprKind::String(_)
            | ExprKind::Nil => {}
            ExprKind::List { elements, tail } => self.all(elements.iter().chain(tail.as_deref())),
            ExprKind::Tuple(elements) => self.all(elements),
            ExprKind::Map(fields) => {
                self.map_construction(fields);
                self.all(fields.iter().flat_map(|f| [&f.key, &f.value]));
            }
            ExprKind::MapUpdate { map, fields, .. } => {
                self.guard(map);
                self.all(fields.iter().flat_map(|f| [&f.key, &f.value]));
            }
            ExprKind::Record { name, fields } => {
                self.record_use(*name, fields, span);
                self.all(fields.iter().map(|f| &f.value));
            }
            ExprKind::RecordAccess { record, name, field, .. } => {
                self.record_field(*name, *field, span);
                self.guard(record);
            }
            ExprKind::RecordIndex { name, field } => self.record_field(*name, *field, span),
            ExprKind::Binary(elements) => {
                for element in elements {
                    self.bit_types(element, false);
                    self.all(std::iter::once(&element.value).chain(element.size.as_deref()));
                }
            }
            ExprKind::Unary { operand, .. } => self.guard(operand),
            ExprKind::Binop {
                op: BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract, ..
            } => {
                self.illegal_guard(span);
            }
            ExprKind::Binop { left, right, .. } => self.all([&**left, &**right]),
            ExprKind::Call { function, args } => self.guard_call(function, args, span),
            _ => self.illegal_guard(span),
        }
    }

    fn guard_call(&mut self, function: &Expr, args: &[Expr], span: Span) {
        let arity = args.len() as u32;
        let name = match &function.kind {
            ExprKind::Atom(name) => {
                if !self.is_guard_call(*name, arity) {
                    self.illegal_call(*name, arity, span);
                    return;
                }
                *name
            }
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(m), ExprKind::Atom(f))
                    if m.name() == "erlang" && self.is_remote_guard(*f, arity) =>
                {
                    *f
                }
                _ => {
                    self.illegal_guard(span);
                    return;
                }
            },
            _ => {
                self.illegal_guard(span);
                return;
            }
        };
        self.is_record(name, args);
        self.all(args);
    }

    fn illegal_guard(&mut self, span: Span) {
        let problem = Diagnostic::error(span, "illegal guard expression");
        self.problems.push(problem.of_kind(ProblemKind::IllegalGuard));
    }

    fn is_remote_guard(&self, name: Atom, arity: u32) -> bool {
        bifs::is_guard_bif(name, arity) || is_operator(name.name(), arity)
    }

    fn illegal_call(&mut self, name: Atom, arity: u32, span: Span) {
        match self.callee(name, arity) {
            Callee::Local | Callee::Imported => {
                let shown = crate::print::atom(name);
                let message =
                    format!("call to local/imported function {shown}/{arity} is illegal in guard");
                self.error(span, message);
            }
            Callee::Bif | Callee::Unknown => self.illegal_guard(span),
        }
    }
}

/// `erlang:'+'(A, B)` and the like.
fn is_operator(name: &str, arity: u32) -> bool {
    let two = [
        "+", "-", "*", "/", "div", "rem", "band", "bor", "bxor", "bsl", "bsr", "and", "or", "xor",
        "==", "/=", "=<", "<", ">=", ">", "=:=", "=/=",
    ];
    match arity {
        1 => ["+", "-", "bnot", "not"].contains(&name),
        2 => two.contains(&name),
        _ => false,
    }
}
