//! Expressions with clauses and an `end`: `begin`, `if`, `case`, `receive`, `try`, `maybe`, `fun`.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::source::Span;
use crate::token::{Symbol, TokenKind};
use reverl_term::Atom;

impl Parser<'_> {
    pub(super) fn block(&mut self, sym: Symbol) -> Parsed<ExprKind> {
        match sym {
            Symbol::Begin => {
                self.at += 1;
                let body = self.exprs()?;
                self.expect(Symbol::End)?;
                Ok(ExprKind::Block(body))
            }
            Symbol::If => self.if_expr(),
            Symbol::Case => {
                self.at += 1;
                let subject = Box::new(self.expr()?);
                self.expect(Symbol::Of)?;
                let clauses = self.clauses()?;
                self.expect(Symbol::End)?;
                Ok(ExprKind::Case { subject, clauses })
            }
            Symbol::Receive => self.receive_expr(),
            Symbol::Try => self.try_expr(),
            Symbol::Maybe => self.maybe_expr(),
            Symbol::Fun => self.fun_expr(),
            _ => self.unexpected(),
        }
    }

    fn if_expr(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        let mut clauses = Vec::new();
        loop {
            let start = self.here();
            let guard = self.guard()?;
            let body = self.clause_body()?;
            clauses.push(Clause { patterns: Vec::new(), guard, body, span: self.since(start) });
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        self.expect(Symbol::End)?;
        Ok(ExprKind::If(clauses))
    }

    /// Alternatives of conjunctions.
    fn guard(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        let mut guard = vec![self.exprs()?];
        while self.eat(Symbol::Semicolon) {
            guard.push(self.exprs()?);
        }
        Ok(guard)
    }

    pub(super) fn clause_guard(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        if self.eat(Symbol::When) { self.guard() } else { Ok(Vec::new()) }
    }

    pub(super) fn clause_body(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Symbol::Arrow)?;
        self.exprs()
    }

    /// `Pattern [when Guard] -> Body; ...`
    fn clauses(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            let start = self.here();
            let patterns = vec![self.expr()?];
            clauses.push(self.rest_of_clause(start, patterns)?);
            if !self.eat(Symbol::Semicolon) {
                return Ok(clauses);
            }
        }
    }

    pub(super) fn rest_of_clause(&mut self, start: Span, patterns: Vec<Expr>) -> Parsed<Clause> {
        let guard = self.clause_guard()?;
        let body = self.clause_body()?;
        Ok(Clause { patterns, guard, body, span: self.since(start) })
    }

    fn receive_expr(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        let clauses = if self.sym() == Some(Symbol::After) { Vec::new() } else { self.clauses()? };
        let after = if self.eat(Symbol::After) {
            let timeout = Box::new(self.expr()?);
            Some(After { timeout, body: self.clause_body()? })
        } else {
            None
        };
        self.expect(Symbol::End)?;
        Ok(ExprKind::Receive { clauses, after })
    }

    fn try_expr(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        let body = self.exprs()?;
        let of_clauses = if self.eat(Symbol::Of) { self.clauses()? } else { Vec::new() };
        let catch_clauses = if self.eat(Symbol::Catch) {
            self.catch_clauses()?
        } else if self.sym() == Some(Symbol::After) {
            Vec::new()
        } else {
            return self.unexpected();
        };
        let after = if self.eat(Symbol::After) { self.exprs()? } else { Vec::new() };
        self.expect(Symbol::End)?;
        Ok(ExprKind::Try(Box::new(Try { body, of_clauses, catch_clauses, after })))
    }

    /// `[Class:]Pattern[:Stacktrace] [when Guard] -> Body; ...`
    fn catch_clauses(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            let start = self.here();
            let class = match (self.peek(), self.sym_at(1)) {
                (Some(TokenKind::Atom(class)), Some(Symbol::Colon)) => Some(ExprKind::Atom(*class)),
                (Some(TokenKind::Var(class)), Some(Symbol::Colon)) => Some(ExprKind::Var(*class)),
                _ => None,
            };
            if class.is_some() {
                self.at += 2;
            }
            let classified = class.is_some();
            let class = class.unwrap_or_else(|| ExprKind::Atom(Atom::new("throw")));
            let pattern = self.catch_pattern()?;
            let end = Span { start: pattern.span.end, ..pattern.span };
            let mut stacktrace = Expr { kind: ExprKind::Var(Atom::new("_")), span: end };
            if classified && self.eat(Symbol::Colon) {
                let span = self.here();
                let Some(TokenKind::Var(name)) = self.peek() else { return self.unexpected() };
                self.at += 1;
                stacktrace = Expr { kind: ExprKind::Var(*name), span };
            }
            let class = Expr { kind: class, span: start };
            let kind = ExprKind::Tuple(vec![class, pattern, stacktrace]);
            let pattern = Expr { kind, span: self.since(start) };
            clauses.push(self.rest_of_clause(start, vec![pattern])?);
            if !self.eat(Symbol::Semicolon) {
                return Ok(clauses);
            }
        }
    }

    fn maybe_expr(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        let mut body = Vec::new();
        loop {
            let start = self.here();
            let left = self.expr()?;
            body.push(if self.eat(Symbol::MaybeMatch) {
                let value = Box::new(self.expr()?);
                let kind = ExprKind::MaybeMatch { pattern: Box::new(left), value };
                Expr { kind, span: self.since(start) }
            } else {
                left
            });
            if !self.eat(Symbol::Comma) {
                break;
            }
        }
        let else_clauses = if self.eat(Symbol::Else) { self.clauses()? } else { Vec::new() };
        self.expect(Symbol::End)?;
        Ok(ExprKind::Maybe { body, else_clauses })
    }

    fn fun_expr(&mut self) -> Parsed<ExprKind> {
        self.at += 1;
        match (self.peek(), self.sym_at(1)) {
            (Some(TokenKind::Symbol(Symbol::LParen)), _) => self.fun_clauses(None),
            (Some(TokenKind::Var(name)), Some(Symbol::LParen)) => self.fun_clauses(Some(*name)),
            (Some(TokenKind::Atom(name)), Some(Symbol::Slash)) => {
                self.at += 2;
                let span = self.here();
                let Some(TokenKind::Integer(arity)) = self.peek() else { return self.unexpected() };
                self.at += 1;
                match arity {
                    Integer::Small(arity @ 0..=255) => {
                        Ok(ExprKind::FunLocal { name: *name, arity: *arity as u32 })
                    }
                    _ => self.error(span, "a function takes at most 255 arguments"),
                }
            }
            (Some(TokenKind::Atom(_) | TokenKind::Var(_)), Some(Symbol::Colon)) => {
                let module = Box::new(self.fun_part()?);
                self.expect(Symbol::Colon)?;
                let name = Box::new(self.fun_part()?);
                self.expect(Symbol::Slash)?;
                let arity = Box::new(match self.peek() {
                    Some(TokenKind::Integer(_) | TokenKind::Var(_)) => self.primary()?,
                    _ => return self.unexpected(),
                });
                Ok(ExprKind::FunRemote { module, name, arity })
            }
            (Some(TokenKind::Atom(_) | TokenKind::Var(_)), _) => {
                self.at += 1;
                self.unexpected()
            }
            _ => self.unexpected(),
        }
    }

    fn fun_part(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Some(TokenKind::Atom(_) | TokenKind::Var(_)) => self.primary(),
            _ => self.unexpected(),
        }
    }

    fn fun_clauses(&mut self, name: Option<Atom>) -> Parsed<ExprKind> {
        let mut clauses: Vec<Clause> = Vec::new();
        loop {
            let start = self.here();
            let own = match (self.peek(), self.sym_at(1)) {
                (Some(TokenKind::Var(own)), Some(Symbol::LParen)) => {
                    self.at += 1;
                    Some(*own)
                }
                _ => None,
            };
            let patterns = self.arguments()?;
            let arity = patterns.len();
            let clause = self.rest_of_clause(start, patterns)?;
            if own != name || clauses.first().is_some_and(|c| c.patterns.len() != arity) {
                return self.error(start, "head mismatch");
            }
            clauses.push(clause);
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        self.expect(Symbol::End)?;
        Ok(ExprKind::Fun { name, clauses })
    }
}
