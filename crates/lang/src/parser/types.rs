//! Types, specs and callbacks.

use super::expr::prefix;
use super::form::ParsedKind;
use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Integer, MapFieldKind};
use crate::bifs;
use crate::forms::*;
use crate::source::Span;
use crate::token::{Sym, Tok};
use reverl_term::Atom;

impl Parser<'_> {
    /// `name(Args) -> Type [when ..]; (..) -> ..`, in parentheses or not.
    pub(super) fn spec(&mut self, callback: bool) -> Parsed<Spec> {
        let parens = self.eat(Sym::LParen);
        let first = self.expect_atom()?;
        let (module, name) =
            if self.eat(Sym::Colon) { (Some(first), self.expect_atom()?) } else { (None, first) };
        let mut signatures = Vec::new();
        loop {
            signatures.push(self.signature()?);
            if !self.eat(Sym::Semicolon) {
                break;
            }
        }
        if parens {
            self.expect(Sym::RParen)?;
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
        if self.eat(Sym::When) {
            loop {
                constraints.push(self.constraint()?);
                if !self.eat(Sym::Comma) {
                    break;
                }
            }
        }
        Ok(Signature { function, constraints, span: self.since(start) })
    }

    /// `Var :: Type`, or the old `is_subtype(Var, Type)`.
    fn constraint(&mut self) -> Parsed<Constraint> {
        let start = self.here();
        if let Some(Tok::Atom(name)) = self.peek() {
            self.at += 1;
            if name.name() != "is_subtype" {
                return self.error(start, format!("unsupported constraint {name}"));
            }
            self.expect(Sym::LParen)?;
            let variable = self.top_type()?;
            self.expect(Sym::Comma)?;
            let bound = self.top_type()?;
            self.expect(Sym::RParen)?;
            return Ok(Constraint { variable, bound, span: self.since(start) });
        }
        let Some(Tok::Var(name)) = self.peek() else { return self.unexpected() };
        self.at += 1;
        if name.name() == "_" {
            return self.error(start, "bad type variable");
        }
        self.expect(Sym::ColonColon)?;
        let bound = self.top_type()?;
        let variable = Type { kind: TypeKind::Var(*name), span: start };
        Ok(Constraint { variable, bound, span: self.since(start) })
    }

    /// `-type name(Params) :: Type.`, in parentheses or not.
    pub(super) fn type_def(&mut self, kind: TypeDefKind) -> Parsed<ParsedKind> {
        let parens = self.eat(Sym::LParen);
        let name = self.expect_atom()?;
        self.expect(Sym::LParen)?;
        let mut params = Vec::new();
        if !self.eat(Sym::RParen) {
            loop {
                let span = self.here();
                let Some(Tok::Var(name)) = self.peek() else {
                    return self.error(span, "bad type variable");
                };
                self.at += 1;
                params.push(Type { kind: TypeKind::Var(*name), span });
                if !self.eat(Sym::Comma) {
                    break;
                }
            }
            self.expect(Sym::RParen)?;
        }
        self.expect(Sym::ColonColon)?;
        let body = self.top_type()?;
        if parens {
            self.expect(Sym::RParen)?;
        }
        Ok(ParsedKind::Type(TypeDef { kind, name, params, body }))
    }

    fn top_types(&mut self, close: Sym) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.eat(close) {
            return Ok(types);
        }
        loop {
            types.push(self.top_type()?);
            if !self.eat(Sym::Comma) {
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
                if let (Some(Tok::Var(variable)), Some(Sym::ColonColon)) = (p.peek(), p.sym_at(1)) {
                    let span = p.here();
                    p.at += 2;
                    let ty = Box::new(p.top_type()?);
                    let kind = TypeKind::Annotated { variable: *variable, ty };
                    types.push(Type { kind, span: p.since(span) });
                    break;
                }
                types.push(p.operators(0)?);
                if !p.eat(Sym::Bar) {
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
                    Some(Sym::DotDot) => (None, 200),
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
            Some(Tok::Var(name)) => TypeKind::Var(*name),
            Some(Tok::Integer(value)) => TypeKind::Integer(value.clone()),
            Some(Tok::Char(value)) => TypeKind::Char(*value),
            Some(Tok::Atom(name)) => {
                self.at += 1;
                let kind = self.named_type(*name)?;
                return Ok(Type { kind, span: self.since(start) });
            }
            Some(Tok::Sym(sym)) => {
                let sym = *sym;
                if sym == Sym::LParen {
                    self.at += 1;
                    let inner = self.top_type()?;
                    self.expect(Sym::RParen)?;
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
        if self.eat(Sym::Colon) {
            let module = name;
            let name = self.expect_atom()?;
            self.expect(Sym::LParen)?;
            let args = self.top_types(Sym::RParen)?;
            return Ok(TypeKind::Remote { module, name, args });
        }
        if !self.eat(Sym::LParen) {
            return Ok(TypeKind::Atom(name));
        }
        let args = self.top_types(Sym::RParen)?;
        Ok(match (name.name(), args.len()) {
            ("tuple", 0) => TypeKind::AnyTuple,
            ("map", 0) => TypeKind::AnyMap,
            (text, arity) if bifs::is_builtin_type(text, arity) => TypeKind::Builtin { name, args },
            _ => TypeKind::User { name, args },
        })
    }

    fn bracketed_type(&mut self, sym: Sym, start: Span) -> Parsed<Type> {
        let kind = match sym {
            Sym::LBracket => {
                self.at += 1;
                if self.eat(Sym::RBracket) {
                    TypeKind::Nil
                } else {
                    let element = Box::new(self.top_type()?);
                    let nonempty = self.eat(Sym::Comma);
                    if nonempty {
                        self.expect(Sym::Ellipsis)?;
                    }
                    self.expect(Sym::RBracket)?;
                    match nonempty {
                        true => TypeKind::NonemptyList(element),
                        false => TypeKind::List(element),
                    }
                }
            }
            Sym::LBrace => {
                self.at += 1;
                TypeKind::Tuple(self.top_types(Sym::RBrace)?)
            }
            Sym::Hash => {
                self.at += 1;
                self.hash_type()?
            }
            Sym::LBin => self.binary_type()?,
            Sym::Fun => {
                self.at += 1;
                self.expect(Sym::LParen)?;
                if self.eat(Sym::RParen) {
                    TypeKind::AnyFun
                } else {
                    let inner = self.fun_type()?;
                    self.expect(Sym::RParen)?;
                    inner.kind
                }
            }
            _ => return self.unexpected(),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    /// Behind `#`: a map or a record.
    fn hash_type(&mut self) -> Parsed<TypeKind> {
        if self.eat(Sym::LBrace) {
            return Ok(TypeKind::Map(self.map_type_fields()?));
        }
        let name = self.expect_atom()?;
        self.expect(Sym::LBrace)?;
        let mut fields = Vec::new();
        if !self.eat(Sym::RBrace) {
            loop {
                let field = self.expect_atom()?;
                self.expect(Sym::ColonColon)?;
                fields.push((field, self.top_type()?));
                if !self.eat(Sym::Comma) {
                    break;
                }
            }
            self.expect(Sym::RBrace)?;
        }
        Ok(TypeKind::Record { name, fields })
    }

    fn map_type_fields(&mut self) -> Parsed<Vec<MapFieldType>> {
        let mut fields = Vec::new();
        if self.eat(Sym::RBrace) {
            return Ok(fields);
        }
        loop {
            let start = self.here();
            let key = self.top_type()?;
            let kind = match self.sym() {
                Some(Sym::Assoc) => MapFieldKind::Assoc,
                Some(Sym::Exact) => MapFieldKind::Exact,
                _ => return self.unexpected(),
            };
            self.at += 1;
            let value = self.top_type()?;
            fields.push(MapFieldType { kind, key, value, span: self.since(start) });
            if !self.eat(Sym::Comma) {
                self.expect(Sym::RBrace)?;
                return Ok(fields);
            }
        }
    }

    /// `<<>>`, `<<_:B>>`, `<<_:_*U>>`, `<<_:B, _:_*U>>`
    fn binary_type(&mut self) -> Parsed<TypeKind> {
        let start = self.expect(Sym::LBin)?;
        let zero = || Box::new(Type { kind: TypeKind::Integer(Integer::Small(0)), span: start });
        let (mut base, mut unit) = (zero(), zero());
        if self.eat(Sym::RBin) {
            return Ok(TypeKind::Binary { base, unit });
        }
        let mut first = true;
        loop {
            self.underscore()?;
            self.expect(Sym::Colon)?;
            if let (Some(Tok::Var(_)), Some(Sym::Star)) = (self.peek(), self.sym_at(1)) {
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
            if !self.eat(Sym::Comma) {
                break;
            }
        }
        self.expect(Sym::RBin)?;
        Ok(TypeKind::Binary { base, unit })
    }

    fn underscore(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(Tok::Var(name)) if name.name() == "_" => {
                self.at += 1;
                Ok(())
            }
            Some(Tok::Var(_)) => self.error(self.here(), "Bad binary type"),
            _ => self.unexpected(),
        }
    }

    /// `(Args) -> Type` or `(...) -> Type`
    fn fun_type(&mut self) -> Parsed<Type> {
        let start = self.expect(Sym::LParen)?;
        let args = if self.eat(Sym::Ellipsis) {
            self.expect(Sym::RParen)?;
            None
        } else {
            Some(self.top_types(Sym::RParen)?)
        };
        self.expect(Sym::Arrow)?;
        let result = Box::new(self.top_type()?);
        Ok(Type { kind: TypeKind::Fun { args, result }, span: self.since(start) })
    }
}

fn arithmetic(sym: Sym) -> Option<(BinaryOp, u32)> {
    Some(match sym {
        Sym::Plus => (BinaryOp::Add, 400),
        Sym::Minus => (BinaryOp::Sub, 400),
        Sym::Bor => (BinaryOp::Bor, 400),
        Sym::Bxor => (BinaryOp::Bxor, 400),
        Sym::Bsl => (BinaryOp::Bsl, 400),
        Sym::Bsr => (BinaryOp::Bsr, 400),
        Sym::Or => (BinaryOp::Or, 400),
        Sym::Xor => (BinaryOp::Xor, 400),
        Sym::Slash => (BinaryOp::Div, 500),
        Sym::Star => (BinaryOp::Mul, 500),
        Sym::Div => (BinaryOp::IntDiv, 500),
        Sym::Rem => (BinaryOp::Rem, 500),
        Sym::Band => (BinaryOp::Band, 500),
        Sym::And => (BinaryOp::And, 500),
        _ => return None,
    })
}
