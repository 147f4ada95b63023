//! Types, specs and callbacks.

use super::expr::prefix;
use super::form::ParsedKind;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Integer, MapFieldKind};
use crate::bifs;
use crate::forms::*;
use crate::source::Span;
use crate::token::{Symbol, TokenKind};
use reverl_term::Atom;

impl Parser<'_> {
    /// `name(Args) -> Type [when ..]; (..) -> ..`, in parentheses or not.
    pub(super) fn spec(&mut self, callback: bool) -> Parsed<Spec> {
        let parens = self.eat(Symbol::LParen);
        let first = self.expect_atom()?;
        let (module, name) = if self.eat(Symbol::Colon) {
            (Some(first), self.expect_atom()?)
        } else {
            (None, first)
        };
        let mut signatures = Vec::new();
        loop {
            signatures.push(self.signature()?);
            if !self.eat(Symbol::Semicolon) {
                break;
            }
        }
        if parens {
            self.expect(Symbol::RParen)?;
        }
        let arity = match &signatures[0].function.kind {
            TypeKind::Fun { args: Some(args), .. } => args.len() as u32,
            _ => return self.error(signatures[0].span, "bad type specification"),
        };
        Ok(Spec { callback, module, name, arity, signatures })
    }

    fn signature(&mut self) -> Parsed<Signature> {
        let start = self.here();
        let function = self.fun_type()?;
        let mut constraints = Vec::new();
        if self.eat(Symbol::When) {
            loop {
                constraints.push(self.constraint()?);
                if !self.eat(Symbol::Comma) {
                    break;
                }
            }
        }
        Ok(Signature { function, constraints, span: self.since(start) })
    }

    /// `Var :: Type`, or the old `is_subtype(Var, Type)`.
    fn constraint(&mut self) -> Parsed<Constraint> {
        let start = self.here();
        if let Some(TokenKind::Atom(name)) = self.peek() {
            self.at += 1;
            if name.name() != "is_subtype" {
                return self.error(start, format!("unsupported constraint {name}"));
            }
            self.expect(Symbol::LParen)?;
            let variable = self.top_type()?;
            self.expect(Symbol::Comma)?;
            let bound = self.top_type()?;
            self.expect(Symbol::RParen)?;
            return Ok(Constraint { variable, bound, span: self.since(start) });
        }
        let Some(TokenKind::Var(name)) = self.peek() else { return self.unexpected() };
        self.at += 1;
        if name.name() == "_" {
            return self.error(start, "bad type variable");
        }
        self.expect(Symbol::ColonColon)?;
        let bound = self.top_type()?;
        let variable = Type { kind: TypeKind::Var(*name), span: start };
        Ok(Constraint { variable, bound, span: self.since(start) })
    }

    /// `-type name(Params) :: Type.`, in parentheses or not.
    pub(super) fn type_def(&mut self, kind: TypeDefKind) -> Parsed<ParsedKind> {
        let parens = self.eat(Symbol::LParen);
        let name = self.expect_atom()?;
        self.expect(Symbol::LParen)?;
        let mut params = Vec::new();
        if !self.eat(Symbol::RParen) {
            loop {
                let span = self.here();
                let Some(TokenKind::Var(name)) = self.peek() else {
                    return self.error(span, "bad type variable");
                };
                self.at += 1;
                params.push(Type { kind: TypeKind::Var(*name), span });
                if !self.eat(Symbol::Comma) {
                    break;
                }
            }
            self.expect(Symbol::RParen)?;
        }
        self.expect(Symbol::ColonColon)?;
        let body = self.top_type()?;
        if parens {
            self.expect(Symbol::RParen)?;
        }
        Ok(ParsedKind::Type(TypeDef { kind, name, params, body }))
    }

    fn top_types(&mut self, close: Symbol) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.eat(close) {
            return Ok(types);
        }
        loop {
            types.push(self.top_type()?);
            if !self.eat(Symbol::Comma) {
                self.expect(close)?;
                return Ok(types);
            }
        }
    }

    /// A type with `|` and `::`.
    pub(super) fn top_type(&mut self) -> Parsed<Type> {
        self.nested(|p| {
            let start = p.here();
            let mut types = Vec::new();
            loop {
                if let (Some(TokenKind::Var(variable)), Some(Symbol::ColonColon)) =
                    (p.peek(), p.sym_at(1))
                {
                    let span = p.here();
                    p.at += 2;
                    let ty = Box::new(p.top_type()?);
                    let kind = TypeKind::Annotated { variable: *variable, ty };
                    types.push(Type { kind, span: p.since(span) });
                    break;
                }
                types.push(p.operators(0)?);
                if !p.eat(Symbol::Bar) {
                    break;
                }
            }
            let Some(last) = types.pop() else { return p.unexpected() };
            if types.is_empty() {
                return Ok(last);
            }
            match last.kind {
                // `a | (b | c)` is one union, as `erl_parse` has it.
                TypeKind::Union(more) => types.extend(more),
                kind => types.push(Type { kind, span: last.span }),
            }
            Ok(Type { kind: TypeKind::Union(types), span: p.since(start) })
        })
    }

    /// `..` binds weakest and not twice, then `+ - bor ...`, then `* div ...`.
    fn operators(&mut self, weakest: u32) -> Parsed<Type> {
        self.nested(|p| {
            let start = p.here();
            let mut left = p.unary_type()?;
            loop {
                let (op, strength) = match p.sym() {
                    Some(Symbol::DotDot) => (None, 200),
                    Some(sym) => match arithmetic(sym) {
                        Some((op, strength)) => (Some(op), strength),
                        None => return Ok(left),
                    },
                    None => return Ok(left),
                };
                if strength < weakest {
                    return Ok(left);
                }
                p.at += 1;
                let right = Box::new(p.operators(strength + 1)?);
                p.grown()?;
                let left_box = Box::new(left);
                let kind = match op {
                    None => TypeKind::Range { low: left_box, high: right },
                    Some(op) => TypeKind::Binop { op, left: left_box, right },
                };
                left = Type { kind, span: p.since(start) };
            }
        })
    }

    fn unary_type(&mut self) -> Parsed<Type> {
        let start = self.here();
        let Some(op) = self.sym().and_then(prefix) else { return self.primary_type() };
        self.at += 1;
        let operand = Box::new(self.nested(Parser::unary_type)?);
        Ok(Type { kind: TypeKind::Unary { op, operand }, span: self.since(start) })
    }

    fn primary_type(&mut self) -> Parsed<Type> {
        let start = self.here();
        let kind = match self.peek() {
            Some(TokenKind::Var(name)) => TypeKind::Var(*name),
            Some(TokenKind::Integer(value)) => TypeKind::Integer(value.clone()),
            Some(TokenKind::Char(value)) => TypeKind::Char(*value),
            Some(TokenKind::Atom(name)) => {
                self.at += 1;
                let kind = self.named_type(*name)?;
                return Ok(Type { kind, span: self.since(start) });
            }
            Some(TokenKind::Symbol(sym)) => {
                let sym = *sym;
                if sym == Symbol::LParen {
                    self.at += 1;
                    let inner = self.top_type()?;
                    self.expect(Symbol::RParen)?;
                    return Ok(inner);
                }
                return self.bracketed_type(sym, start);
            }
            _ => return self.unexpected(),
        };
        self.at += 1;
        Ok(Type { kind, span: start })
    }

    fn named_type(&mut self, name: Atom) -> Parsed<TypeKind> {
        if self.eat(Symbol::Colon) {
            let module = name;
            let name = self.expect_atom()?;
            self.expect(Symbol::LParen)?;
            let args = self.top_types(Symbol::RParen)?;
            return Ok(TypeKind::Remote { module, name, args });
        }
        if !self.eat(Symbol::LParen) {
            return Ok(TypeKind::Atom(name));
        }
        let args = self.top_types(Symbol::RParen)?;
        Ok(match (name.name(), args.len()) {
            ("tuple", 0) => TypeKind::AnyTuple,
            ("map", 0) => TypeKind::AnyMap,
            (text, arity) if bifs::is_builtin_type(text, arity) => TypeKind::Builtin { name, args },
            _ => TypeKind::User { name, args },
        })
    }

    fn bracketed_type(&mut self, sym: Symbol, start: Span) -> Parsed<Type> {
        let kind = match sym {
            Symbol::LBracket => {
                self.at += 1;
                if self.eat(Symbol::RBracket) {
                    TypeKind::Nil
                } else {
                    let element = Box::new(self.top_type()?);
                    let nonempty = self.eat(Symbol::Comma);
                    if nonempty {
                        self.expect(Symbol::Ellipsis)?;
                    }
                    self.expect(Symbol::RBracket)?;
                    match nonempty {
                        true => TypeKind::NonemptyList(element),
                        false => TypeKind::List(element),
                    }
                }
            }
            Symbol::LBrace => {
                self.at += 1;
                TypeKind::Tuple(self.top_types(Symbol::RBrace)?)
            }
            Symbol::Hash => {
                self.at += 1;
                self.hash_type()?
            }
            Symbol::LBin => self.binary_type()?,
            Symbol::Fun => {
                self.at += 1;
                self.expect(Symbol::LParen)?;
                if self.eat(Symbol::RParen) {
                    TypeKind::AnyFun
                } else {
                    let inner = self.fun_type()?;
                    self.expect(Symbol::RParen)?;
                    inner.kind
                }
            }
            _ => return self.unexpected(),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    /// Behind `#`: a map or a record.
    fn hash_type(&mut self) -> Parsed<TypeKind> {
        if self.eat(Symbol::LBrace) {
            return Ok(TypeKind::Map(self.map_type_fields()?));
        }
        let name = self.expect_atom()?;
        self.expect(Symbol::LBrace)?;
        let mut fields = Vec::new();
        if !self.eat(Symbol::RBrace) {
            loop {
                let field = self.expect_atom()?;
                self.expect(Symbol::ColonColon)?;
                fields.push((field, self.top_type()?));
                if !self.eat(Symbol::Comma) {
                    break;
                }
            }
            self.expect(Symbol::RBrace)?;
        }
        Ok(TypeKind::Record { name, fields })
    }

    fn map_type_fields(&mut self) -> Parsed<Vec<MapFieldType>> {
        let mut fields = Vec::new();
        if self.eat(Symbol::RBrace) {
            return Ok(fields);
        }
        loop {
            let start = self.here();
            let key = self.top_type()?;
            let kind = match self.sym() {
                Some(Symbol::Assoc) => MapFieldKind::Assoc,
                Some(Symbol::Exact) => MapFieldKind::Exact,
                _ => return self.unexpected(),
            };
            self.at += 1;
            let value = self.top_type()?;
            fields.push(MapFieldType { kind, key, value, span: self.since(start) });
            if !self.eat(Symbol::Comma) {
                self.expect(Symbol::RBrace)?;
                return Ok(fields);
            }
        }
    }

    /// `<<>>`, `<<_:B>>`, `<<_:_*U>>`, `<<_:B, _:_*U>>`
    fn binary_type(&mut self) -> Parsed<TypeKind> {
        let start = self.expect(Symbol::LBin)?;
        let zero = || Box::new(Type { kind: TypeKind::Integer(Integer::Small(0)), span: start });
        let (mut base, mut unit) = (zero(), zero());
        if self.eat(Symbol::RBin) {
            return Ok(TypeKind::Binary { base, unit });
        }
        let mut first = true;
        loop {
            self.underscore()?;
            self.expect(Symbol::Colon)?;
            if let (Some(TokenKind::Var(_)), Some(Symbol::Star)) = (self.peek(), self.sym_at(1)) {
                self.underscore()?;
                self.at += 1;
                unit = Box::new(self.operators(0)?);
                break;
            }
            if !first {
                return self.unexpected();
            }
            base = Box::new(self.operators(0)?);
            first = false;
            if !self.eat(Symbol::Comma) {
                break;
            }
        }
        self.expect(Symbol::RBin)?;
        Ok(TypeKind::Binary { base, unit })
    }

    fn underscore(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(TokenKind::Var(name)) if name.name() == "_" => {
                self.at += 1;
                Ok(())
            }
            Some(TokenKind::Var(_)) => self.error(self.here(), "Bad binary type"),
            _ => self.unexpected(),
        }
    }

    /// `(Args) -> Type` or `(...) -> Type`
    fn fun_type(&mut self) -> Parsed<Type> {
        let start = self.expect(Symbol::LParen)?;
        let args = if self.eat(Symbol::Ellipsis) {
            self.expect(Symbol::RParen)?;
            None
        } else {
            Some(self.top_types(Symbol::RParen)?)
        };
        self.expect(Symbol::Arrow)?;
        let result = Box::new(self.top_type()?);
        Ok(Type { kind: TypeKind::Fun { args, result }, span: self.since(start) })
    }
}

fn arithmetic(sym: Symbol) -> Option<(BinaryOp, u32)> {
    Some(match sym {
        Symbol::Plus => (BinaryOp::Add, 400),
        Symbol::Minus => (BinaryOp::Sub, 400),
        Symbol::Bor => (BinaryOp::Bor, 400),
        Symbol::Bxor => (BinaryOp::Bxor, 400),
        Symbol::Bsl => (BinaryOp::Bsl, 400),
        Symbol::Bsr => (BinaryOp::Bsr, 400),
        Symbol::Or => (BinaryOp::Or, 400),
        Symbol::Xor => (BinaryOp::Xor, 400),
        Symbol::Slash => (BinaryOp::Div, 500),
        Symbol::Star => (BinaryOp::Mul, 500),
        Symbol::Div => (BinaryOp::IntDiv, 500),
        Symbol::Rem => (BinaryOp::Rem, 500),
        Symbol::Band => (BinaryOp::Band, 500),
        Symbol::And => (BinaryOp::And, 500),
        _ => return None,
    })
}
