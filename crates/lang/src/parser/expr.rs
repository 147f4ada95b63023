//! Expressions: operators, calls, records, maps, lists, binaries and comprehensions.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::source::Span;
use crate::token::{Sigil, Symbol, TokenKind};
use reverl_term::Atom;

/// Binding strengths, as in the Erlang reference.
mod strength {
    pub const LOWEST: u32 = 0;
    pub const MATCH: u32 = 100;
    pub const OR_ELSE: u32 = 150;
    pub const AND_ALSO: u32 = 160;
    pub const COMPARE: u32 = 200;
    pub const LIST: u32 = 300;
    pub const ADD: u32 = 400;
    pub const MULTIPLY: u32 = 500;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Associates {
    Left,
    Right,
    Not,
}

/// How the fields of a map end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MapEnd {
    Brace,
    Comprehension,
}

enum Operator {
    Match,
    Binary(BinaryOp),
}

fn infix(sym: Symbol) -> Option<(Operator, u32, Associates)> {
    use Associates::*;
    let (op, strength, associates) = match sym {
        Symbol::Equal => return Some((Operator::Match, strength::MATCH, Right)),
        Symbol::Bang => (BinaryOp::Send, strength::MATCH, Right),
        Symbol::OrElse => (BinaryOp::OrElse, strength::OR_ELSE, Right),
        Symbol::AndAlso => (BinaryOp::AndAlso, strength::AND_ALSO, Right),
        Symbol::EqEq => (BinaryOp::Equal, strength::COMPARE, Not),
        Symbol::NotEq => (BinaryOp::NotEqual, strength::COMPARE, Not),
        Symbol::LessEq => (BinaryOp::LessEqual, strength::COMPARE, Not),
        Symbol::Less => (BinaryOp::Less, strength::COMPARE, Not),
        Symbol::GreaterEq => (BinaryOp::GreaterEqual, strength::COMPARE, Not),
        Symbol::Greater => (BinaryOp::Greater, strength::COMPARE, Not),
        Symbol::ExactEq => (BinaryOp::ExactEqual, strength::COMPARE, Not),
        Symbol::ExactNotEq => (BinaryOp::ExactNotEqual, strength::COMPARE, Not),
        Symbol::Append => (BinaryOp::Append, strength::LIST, Right),
        Symbol::Subtract => (BinaryOp::Subtract, strength::LIST, Right),
        Symbol::Plus => (BinaryOp::Add, strength::ADD, Left),
        Symbol::Minus => (BinaryOp::Sub, strength::ADD, Left),
        Symbol::Bor => (BinaryOp::Bor, strength::ADD, Left),
        Symbol::Bxor => (BinaryOp::Bxor, strength::ADD, Left),
        Symbol::Bsl => (BinaryOp::Bsl, strength::ADD, Left),
        Symbol::Bsr => (BinaryOp::Bsr, strength::ADD, Left),
        Symbol::Or => (BinaryOp::Or, strength::ADD, Left),
        Symbol::Xor => (BinaryOp::Xor, strength::ADD, Left),
        Symbol::Slash => (BinaryOp::Div, strength::MULTIPLY, Left),
        Symbol::Star => (BinaryOp::Mul, strength::MULTIPLY, Left),
        Symbol::Div => (BinaryOp::IntDiv, strength::MULTIPLY, Left),
        Symbol::Rem => (BinaryOp::Rem, strength::MULTIPLY, Left),
        Symbol::Band => (BinaryOp::Band, strength::MULTIPLY, Left),
        Symbol::And => (BinaryOp::And, strength::MULTIPLY, Left),
        _ => return None,
    };
    Some((Operator::Binary(op), strength, associates))
}

pub(super) fn prefix(sym: Symbol) -> Option<UnaryOp> {
    match sym {
        Symbol::Plus => Some(UnaryOp::Plus),
        Symbol::Minus => Some(UnaryOp::Minus),
        Symbol::Bnot => Some(UnaryOp::Bnot),
        Symbol::Not => Some(UnaryOp::Not),
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn exprs(&mut self) -> Parsed<Vec<Expr>> {
        let mut exprs = vec![self.expr()?];
        while self.eat(Symbol::Comma) {
            exprs.push(self.expr()?);
        }
        Ok(exprs)
    }

    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.binary(strength::LOWEST)
    }

    fn binary(&mut self, weakest: u32) -> Parsed<Expr> {
        self.nested(|p| {
            let mut left = p.unary()?;
            while let Some((operator, strength, associates)) = p.sym().and_then(infix) {
                if strength < weakest {
                    break;
                }
                let op_span = p.here();
                p.at += 1;
                let right = match associates {
                    Associates::Right => p.binary(strength)?,
                    Associates::Left | Associates::Not => p.binary(strength + 1)?,
                };
                if associates == Associates::Not {
                    // `A < B < C` has no meaning; the second operator is the error.
                    if p.sym().and_then(infix).is_some_and(|(_, s, _)| s == strength) {
                        return p.unexpected();
                    }
                }
                p.grown()?;
                let span = left.span.to(right.span);
                let (left_box, right) = (Box::new(left), Box::new(right));
                let kind = match operator {
                    Operator::Match => ExprKind::Match { pattern: left_box, value: right },
                    Operator::Binary(op) => ExprKind::Binop { op, left: left_box, right, op_span },
                };
                left = Expr { kind, span };
            }
            Ok(left)
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat(Symbol::Catch) {
            let body = Box::new(self.expr()?);
            return Ok(Expr { span: self.since(start), kind: ExprKind::Catch(body) });
        }
        if let Some(op) = self.sym().and_then(prefix) {
            self.at += 1;
            let operand = Box::new(self.nested(Parser::unary)?);
            let span = self.since(start);
            return Ok(Expr { kind: ExprKind::Unary { op, operand }, span });
        }
        self.postfix()
    }

    /// A primary with its call, or with record and map accesses.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut expr = if self.eat(Symbol::Hash) {
            self.inside(|p| p.created(start))?
        } else {
            let primary = self.primary()?;
            let callee = if !self.bare_pattern && self.eat(Symbol::Colon) {
                let name = Box::new(self.primary()?);
                self.grown()?;
                let kind = ExprKind::Remote { module: Box::new(primary), name };
                Expr { kind, span: self.since(start) }
            } else {
                primary
            };
            if self.sym() == Some(Symbol::LParen) {
                let args = self.arguments()?;
                self.grown()?;
                let kind = ExprKind::Call { function: Box::new(callee), args };
                return Ok(Expr { kind, span: self.since(start) });
            }
            callee
        };
        while self.sym() == Some(Symbol::Hash) {
            expr = self.inside(|p| p.updated(expr, start))?;
            self.grown()?;
        }
        Ok(expr)
    }

    /// Runs `parse` inside brackets, where everything is allowed again.
    fn inside<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let bare = std::mem::replace(&mut self.bare_pattern, false);
        let result = parse(self);
        self.bare_pattern = bare;
        result
    }

    /// A pattern of a `catch`, in which `:` divides class, reason and stack trace.
    pub(super) fn catch_pattern(&mut self) -> Parsed<Expr> {
        let bare = std::mem::replace(&mut self.bare_pattern, true);
        let result = self.expr();
        self.bare_pattern = bare;
        result
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.inside(Parser::argument_list)
    }

    fn argument_list(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Symbol::LParen)?;
        if self.eat(Symbol::RParen) {
            return Ok(Vec::new());
        }
        let args = self.exprs()?;
        self.expect(Symbol::RParen)?;
        Ok(args)
    }

    /// Behind a `#` that nothing precedes.
    fn created(&mut self, start: Span) -> Parsed<Expr> {
        if self.sym() == Some(Symbol::LBrace) {
            let (fields, end) = self.map_fields()?;
            let kind = if end == MapEnd::Comprehension {
                let qualifiers = self.qualifiers()?;
                self.expect(Symbol::RBrace)?;
                ExprKind::MapComp { fields, qualifiers }
            } else {
                ExprKind::Map(fields)
            };
            return Ok(Expr { kind, span: self.since(start) });
        }
        let name = self.expect_atom()?;
        let kind = if self.eat(Symbol::Period) {
            ExprKind::RecordIndex { name, field: self.expect_atom()? }
        } else {
            ExprKind::Record { name, fields: self.record_fields()? }
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// Behind a `#` that follows an expression.
    fn updated(&mut self, expr: Expr, start: Span) -> Parsed<Expr> {
        let base = Box::new(expr);
        let op_span = self.here();
        self.expect(Symbol::Hash)?;
        if self.sym() == Some(Symbol::LBrace) {
            let (fields, end) = self.map_fields()?;
            if end == MapEnd::Comprehension {
                return self.error(self.here(), "a map comprehension updates nothing");
            }
            let kind = ExprKind::MapUpdate { map: base, fields, op_span };
            return Ok(Expr { kind, span: self.since(start) });
        }
        let name = self.expect_atom()?;
        let kind = if self.eat(Symbol::Period) {
            ExprKind::RecordAccess { record: base, name, field: self.expect_atom()?, op_span }
        } else {
            ExprKind::RecordUpdate { record: base, name, fields: self.record_fields()?, op_span }
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// Up to behind the closing brace, or behind the `||` of a comprehension with `K => V` alone.
    fn map_fields(&mut self) -> Parsed<(Vec<MapField>, MapEnd)> {
        self.expect(Symbol::LBrace)?;
        let mut fields = Vec::new();
        if self.eat(Symbol::RBrace) {
            return Ok((fields, MapEnd::Brace));
        }
        loop {
            let start = self.here();
            let key = self.expr()?;
            let kind = match self.sym() {
                Some(Symbol::Assoc) => MapFieldKind::Assoc,
                Some(Symbol::Exact) => MapFieldKind::Exact,
                _ => return self.unexpected(),
            };
            self.at += 1;
            let value = self.expr()?;
            fields.push(MapField { kind, key, value, span: self.since(start) });
            let are_new = fields.iter().all(|field| field.kind == MapFieldKind::Assoc);
            if are_new && self.eat(Symbol::BarBar) {
                return Ok((fields, MapEnd::Comprehension));
            }
            if !self.eat(Symbol::Comma) {
                self.expect(Symbol::RBrace)?;
                return Ok((fields, MapEnd::Brace));
            }
        }
    }

    fn record_fields(&mut self) -> Parsed<Vec<RecordField>> {
        self.expect(Symbol::LBrace)?;
        let mut fields = Vec::new();
        if self.eat(Symbol::RBrace) {
            return Ok(fields);
        }
        loop {
            let start = self.here();
            let name = match self.peek() {
                Some(TokenKind::Atom(name)) => Some(*name),
                Some(TokenKind::Var(name)) if name.name() == "_" => None,
                _ => return self.unexpected(),
            };
            self.at += 1;
            self.expect(Symbol::Equal)?;
            let value = self.expr()?;
            fields.push(RecordField { name, value, span: self.since(start) });
            if !self.eat(Symbol::Comma) {
                self.expect(Symbol::RBrace)?;
                return Ok(fields);
            }
        }
    }

    /// An expression that needs no parentheses anywhere.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.peek() {
            Some(TokenKind::Var(name)) => ExprKind::Var(*name),
            Some(TokenKind::Atom(name)) => ExprKind::Atom(*name),
            Some(TokenKind::Integer(value)) => ExprKind::Integer(value.clone()),
            Some(TokenKind::Float(value)) => ExprKind::Float(*value),
            Some(TokenKind::Char(value)) => ExprKind::Char(*value),
            Some(TokenKind::String(_)) => return Ok(self.strings(start)),
            Some(TokenKind::Sigil(sigil)) => self.sigil(sigil, start)?,
            Some(TokenKind::Symbol(sym)) => return self.inside(|p| p.bracketed(*sym, start)),
            Some(TokenKind::Dot) | None => return self.unexpected(),
        };
        self.at += 1;
        Ok(Expr { kind, span: start })
    }

    fn bracketed(&mut self, sym: Symbol, start: Span) -> Parsed<Expr> {
        let kind = match sym {
            Symbol::LParen => {
                self.at += 1;
                let inner = self.expr()?;
                self.expect(Symbol::RParen)?;
                return Ok(inner);
            }
            Symbol::LBracket => self.list()?,
            Symbol::LBin => self.binary_literal()?,
            Symbol::LBrace => {
                self.at += 1;
                if self.eat(Symbol::RBrace) {
                    ExprKind::Tuple(Vec::new())
                } else {
                    let elements = self.exprs()?;
                    self.expect(Symbol::RBrace)?;
                    ExprKind::Tuple(elements)
                }
            }
            _ => self.block(sym)?,
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// Adjacent string literals are one.
    fn strings(&mut self, start: Span) -> Expr {
        let Some(TokenKind::String(first)) = self.peek() else {
            return Expr { kind: ExprKind::String("".into()), span: start };
        };
        self.at += 1;
        let Some(TokenKind::String(_)) = self.peek() else {
            return Expr { kind: ExprKind::String(Box::from(&**first)), span: start };
        };
        let mut text = String::from(&**first);
        while let Some(TokenKind::String(more)) = self.peek() {
            text.push_str(more);
            self.at += 1;
        }
        Expr { kind: ExprKind::String(text.into()), span: self.since(start) }
    }

    fn sigil(&self, sigil: &Sigil, span: Span) -> Parsed<ExprKind> {
        if !sigil.suffix.is_empty() {
            return self.error(span, format!("illegal sigil suffix '{}'", sigil.suffix));
        }
        let text = ExprKind::String(sigil.text.as_str().into());
        match sigil.prefix.as_str() {
            "s" | "S" => Ok(text),
            "" | "b" | "B" => {
                let value = Expr { kind: text, span };
                let specs = vec![BinSpec::Word(Atom::new("utf8"))];
                Ok(ExprKind::Binary(vec![BinElement { value, size: None, specs, span }]))
            }
            unknown => self.error(span, format!("illegal sigil prefix '~{unknown}'")),
        }
    }

    fn list(&mut self) -> Parsed<ExprKind> {
        self.expect(Symbol::LBracket)?;
        if self.eat(Symbol::RBracket) {
            return Ok(ExprKind::Nil);
        }
        let mut elements = vec![self.expr()?];
        loop {
            if self.eat(Symbol::BarBar) {
                let qualifiers = self.qualifiers()?;
                self.expect(Symbol::RBracket)?;
                return Ok(ExprKind::ListComp { templates: elements, qualifiers });
            }
            if self.eat(Symbol::RBracket) {
                return Ok(ExprKind::List { elements, tail: None });
            }
            if self.eat(Symbol::Bar) {
                let tail = self.expr()?;
                self.expect(Symbol::RBracket)?;
                // `[a | []]` is `[a]`, and `[a | [b]]` is `[a, b]`: one tree for one value.
                return Ok(joined_list(elements, tail));
            }
            self.expect(Symbol::Comma)?;
            elements.push(self.expr()?);
        }
    }

    fn binary_literal(&mut self) -> Parsed<ExprKind> {
        self.expect(Symbol::LBin)?;
        let mut elements = Vec::new();
        if self.eat(Symbol::RBin) {
            return Ok(ExprKind::Binary(elements));
        }
        loop {
            let element = self.bin_element()?;
            let plain = element.size.is_none() && element.specs.is_empty();
            if elements.is_empty() && plain && self.eat(Symbol::BarBar) {
                let qualifiers = self.qualifiers()?;
                self.expect(Symbol::RBin)?;
                return Ok(ExprKind::BinaryComp { templates: vec![element.value], qualifiers });
            }
            elements.push(element);
            if !self.eat(Symbol::Comma) {
                self.expect(Symbol::RBin)?;
                return Ok(ExprKind::Binary(elements));
            }
        }
    }

    fn bin_element(&mut self) -> Parsed<BinElement> {
        let start = self.here();
        let value = match self.sym().and_then(prefix) {
            Some(op) => {
                self.at += 1;
                let operand = Box::new(self.primary()?);
                self.grown()?;
                Expr { kind: ExprKind::Unary { op, operand }, span: self.since(start) }
            }
            None => self.primary()?,
        };
        let size = if self.eat(Symbol::Colon) { Some(Box::new(self.primary()?)) } else { None };
        let mut specs = Vec::new();
        if self.eat(Symbol::Slash) {
            loop {
                specs.push(self.bin_spec()?);
                if !self.eat(Symbol::Minus) {
                    break;
                }
            }
        }
        Ok(BinElement { value, size, specs, span: self.since(start) })
    }

    fn bin_spec(&mut self) -> Parsed<BinSpec> {
        let word = self.expect_atom()?;
        if !self.eat(Symbol::Colon) {
            return Ok(BinSpec::Word(word));
        }
        let span = self.here();
        let Some(TokenKind::Integer(value)) = self.peek() else { return self.unexpected() };
        self.at += 1;
        match value {
            Integer::Small(unit) if word.name() == "unit" => match u32::try_from(*unit) {
                Ok(unit) => Ok(BinSpec::Unit(unit)),
                Err(_) => self.error(span, "illegal bit unit"),
            },
            _ => self.error(span, format!("bit type '{word}' takes no number")),
        }
    }

    pub(super) fn qualifiers(&mut self) -> Parsed<Vec<Qualifier>> {
        let mut qualifiers = Vec::new();
        loop {
            let start = self.here();
            let first = self.qualifier()?;
            qualifiers.push(match first {
                Qualifier::Generator(generator) if self.sym() == Some(Symbol::AmpAmp) => {
                    let mut generators = vec![generator];
                    while self.eat(Symbol::AmpAmp) {
                        match self.qualifier()? {
                            Qualifier::Generator(generator) => generators.push(generator),
                            _ => return self.error(self.here(), "only generators can be zipped"),
                        }
                    }
                    Qualifier::Zip { generators, span: self.since(start) }
                }
                other => other,
            });
            if !self.eat(Symbol::Comma) {
                return Ok(qualifiers);
            }
        }
    }

    fn qualifier(&mut self) -> Parsed<Qualifier> {
        let start = self.here();
        let pattern = self.expr()?;
        let value_pattern = if self.eat(Symbol::Exact) { Some(self.expr()?) } else { None };
        let (kind, strict) = match self.sym() {
            Some(Symbol::LArrow) => (GeneratorKind::List, false),
            Some(Symbol::StrictLArrow) => (GeneratorKind::List, true),
            Some(Symbol::LDoubleArrow) if value_pattern.is_none() => (GeneratorKind::Binary, false),
            Some(Symbol::StrictLDoubleArrow) if value_pattern.is_none() => {
                (GeneratorKind::Binary, true)
            }
            _ if value_pattern.is_some() => return self.unexpected(),
            _ => return Ok(Qualifier::Filter(pattern)),
        };
        let binary = matches!(pattern.kind, ExprKind::Binary(_));
        if kind == GeneratorKind::Binary && !binary {
            return self.unexpected();
        }
        let kind = if value_pattern.is_some() { GeneratorKind::Map } else { kind };
        self.at += 1;
        let source = self.expr()?;
        let span = self.since(start);
        Ok(Qualifier::Generator(Generator { kind, pattern, value_pattern, source, strict, span }))
    }
}

/// A list from elements and a tail; a tail that is itself a list disappears.
pub(crate) fn joined_list(mut elements: Vec<Expr>, tail: Expr) -> ExprKind {
    match tail.kind {
        ExprKind::Nil => ExprKind::List { elements, tail: None },
        ExprKind::List { elements: more, tail } => {
            elements.extend(more);
            ExprKind::List { elements, tail }
        }
        kind => {
            let tail = Some(Box::new(Expr { kind, span: tail.span }));
            ExprKind::List { elements, tail }
        }
    }
}
