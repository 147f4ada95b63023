//! Attributes. A few have a form of their own; the rest hold any literal term.

use super::form::ParsedKind;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::forms::{FunName, Type, TypeDefKind};
use crate::source::Span;
use crate::token::{Symbol, TokenKind};
use reverl_term::Atom;

impl Parser<'_> {
    /// Behind the `-`.
    pub(super) fn attribute(&mut self, start: Span) -> Parsed<ParsedKind> {
        let name = self.expect_atom()?;
        match name.name() {
            "spec" => return Ok(ParsedKind::Spec(self.spec(false)?)),
            "callback" => return Ok(ParsedKind::Spec(self.spec(true)?)),
            "type" => return self.type_def(TypeDefKind::Type),
            "opaque" => return self.type_def(TypeDefKind::Opaque),
            "nominal" => return self.type_def(TypeDefKind::Nominal),
            "record" => return self.record(start),
            _ => {}
        }
        let values = self.attribute_values()?;
        self.build(name, values)
    }

    /// `(A)`, `(A, B)`, or the same without parentheses.
    fn attribute_values(&mut self) -> Parsed<Vec<Expr>> {
        let begin = self.at;
        if self.eat(Symbol::LParen) {
            let values = self.exprs()?;
            if self.eat(Symbol::RParen) && self.peek() == Some(&TokenKind::Dot) {
                return Ok(values);
            }
            self.at = begin;
        }
        self.exprs()
    }

    fn build(&self, name: Atom, values: Vec<Expr>) -> Parsed<ParsedKind> {
        let bad = |at: &Expr| self.error(at.span, format!("bad {name} declaration"));
        match (name.name(), values.as_slice()) {
            ("module", [Expr { kind: ExprKind::Atom(module), .. }]) => {
                Ok(ParsedKind::Module(*module))
            }
            ("module", [_, second, ..]) => {
                self.error(second.span, "parameterized modules are no longer supported")
            }
            ("export", [list]) => Ok(ParsedKind::Export(self.names(list)?)),
            ("import", [Expr { kind: ExprKind::Atom(module), .. }, list]) => {
                Ok(ParsedKind::Import { module: *module, names: self.names(list)? })
            }
            ("file", [name, line]) => match (&name.kind, &line.kind) {
                (ExprKind::String(name), ExprKind::Integer(Integer::Small(line))) => {
                    let line = u32::try_from(*line).unwrap_or(0);
                    Ok(ParsedKind::File { name: name.clone(), line })
                }
                _ => bad(name),
            },
            ("module" | "file", [first, ..]) => bad(first),
            ("export" | "import", all) => bad(all.get(1).unwrap_or(&all[0])),
            // What a function is equivalent to is a call there, and nobody evaluates it.
            ("doc" | "moduledoc", [value]) if not_literal(value).is_some() => {
                let value = Expr { kind: ExprKind::Atom(Atom::new("none")), span: value.span };
                Ok(ParsedKind::Attribute { name, value })
            }
            (_, [_]) => {
                let Some(mut value) = values.into_iter().next() else { return self.unexpected() };
                names_as_tuples(&mut value);
                match not_literal(&value) {
                    None => Ok(ParsedKind::Attribute { name, value }),
                    Some(_) => self.error(value.span, "bad attribute"),
                }
            }
            (_, all) => self.error(all[1].span, "bad attribute"),
        }
    }

    /// `[f/1, g/2]`
    fn names(&self, list: &Expr) -> Parsed<Vec<(FunName, Span)>> {
        let elements = match &list.kind {
            ExprKind::Nil => return Ok(Vec::new()),
            ExprKind::List { elements, tail: None } => elements,
            _ => return self.error(list.span, "bad Name/Arity"),
        };
        elements.iter().map(|element| self.name_arity(element)).collect()
    }

    fn name_arity(&self, element: &Expr) -> Parsed<(FunName, Span)> {
        let ExprKind::Binop { op: BinaryOp::Div, left, right, .. } = &element.kind else {
            return self.error(element.span, "bad Name/Arity");
        };
        match (&left.kind, &right.kind) {
            (ExprKind::Atom(name), ExprKind::Integer(Integer::Small(arity @ 0..=255))) => {
                Ok(((*name, *arity as u32), element.span))
            }
            (ExprKind::Atom(_), _) => self.error(right.span, "bad function arity"),
            _ => self.error(left.span, "bad function name"),
        }
    }

    /// `-record(name, {field [= Default] [:: Type], ..}).`
    fn record(&mut self, start: Span) -> Parsed<ParsedKind> {
        let parens = self.eat(Symbol::LParen);
        let Some(TokenKind::Atom(name)) = self.peek() else {
            return self.error(self.here(), "bad record declaration");
        };
        self.at += 1;
        self.expect(Symbol::Comma)?;
        // `-record(r, {}).` in parentheses of its own is legal too.
        let inner = self.sym() == Some(Symbol::LParen) && self.eat(Symbol::LParen);
        if self.sym() != Some(Symbol::LBrace) {
            return self.error(self.here(), "bad record declaration");
        }
        self.at += 1;
        let (mut fields, mut types) = (Vec::new(), Vec::new());
        if !self.eat(Symbol::RBrace) {
            loop {
                let (field, ty) = self.record_field_def()?;
                fields.push(field);
                types.push(ty);
                if !self.eat(Symbol::Comma) {
                    break;
                }
            }
            self.expect(Symbol::RBrace)?;
        }
        if inner {
            self.expect(Symbol::RParen)?;
        }
        if parens {
            self.expect(Symbol::RParen)?;
        }
        let definition = RecordDef { name: *name, fields, span: self.since(start) };
        Ok(ParsedKind::Record { definition, types })
    }

    fn record_field_def(&mut self) -> Parsed<(RecordFieldDef, Option<Type>)> {
        let start = self.here();
        let field = self.expr()?;
        let (name, default) = match field.kind {
            ExprKind::Atom(name) => (name, None),
            ExprKind::Match { pattern, value } => match pattern.kind {
                ExprKind::Atom(name) => (name, Some(*value)),
                _ => return self.error(pattern.span, "bad record field"),
            },
            _ => return self.error(field.span, "bad record field"),
        };
        let span = self.since(start);
        let ty = if self.eat(Symbol::ColonColon) { Some(self.top_type()?) } else { None };
        Ok((RecordFieldDef { name, default, span }, ty))
    }
}

/// In an attribute `f/1` means `{f, 1}`.
fn names_as_tuples(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::List { elements, tail } => {
            elements.iter_mut().for_each(names_as_tuples);
            if let Some(tail) = tail {
                names_as_tuples(tail);
            }
        }
        ExprKind::Tuple(elements) => elements.iter_mut().for_each(names_as_tuples),
        ExprKind::Map(fields) => fields.iter_mut().for_each(|f| names_as_tuples(&mut f.value)),
        ExprKind::Binop { op: BinaryOp::Div, left, right, .. }
            if matches!(left.kind, ExprKind::Atom(_))
                && matches!(right.kind, ExprKind::Integer(_)) =>
        {
            let nil = || Expr { kind: ExprKind::Nil, span: Span::NONE };
            let left = std::mem::replace(&mut **left, nil());
            let right = std::mem::replace(&mut **right, nil());
            expr.kind = ExprKind::Tuple(vec![left, right]);
        }
        _ => {}
    }
}

/// The place of the first part that is not a literal term.
pub(super) fn not_literal(expr: &Expr) -> Option<Span> {
    let any = |all: &[Expr]| all.iter().find_map(not_literal);
    match &expr.kind {
        ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::Atom(_)
        | ExprKind::String(_)
        | ExprKind::Nil => None,
        ExprKind::List { elements, tail } => {
            any(elements).or_else(|| tail.as_deref().and_then(not_literal))
        }
        ExprKind::Tuple(elements) => any(elements),
        ExprKind::Map(fields) => fields.iter().find_map(|f| {
            let exact = (f.kind == MapFieldKind::Exact).then_some(f.span);
            exact.or_else(|| not_literal(&f.key)).or_else(|| not_literal(&f.value))
        }),
        ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus, operand } => match operand.kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) => None,
            _ => Some(expr.span),
        },
        ExprKind::Binary(elements) => elements.iter().find_map(|e| not_literal(&e.value)),
        ExprKind::FunRemote { module, name, arity } => {
            [module, name, arity].into_iter().find_map(|part| not_literal(part))
        }
        _ => Some(expr.span),
    }
}
