//! Constant expressions: built once, when the module is lowered, as the BEAM's loader does.

use crate::ast::*;
use reverl_term::{Map, Term, num};

/// The value of an expression that needs no evaluation.
pub fn constant(expr: &Expr) -> Option<Term> {
    use ExprKind::*;
    match &expr.kind {
        Integer(i) => Some(integer(i)),
        Float(x) => Some(Term::float(*x)),
        Char(c) => Some(Term::int(i64::from(u32::from(*c)))),
        Atom(a) => Some(Term::atom(*a)),
        String(s) => Some(Term::string(s)),
        Nil => Some(Term::nil()),
        List { elements, tail } => {
            let tail = match tail {
                Some(tail) => constant(tail)?,
                None => Term::nil(),
            };
            let elements = elements.iter().map(constant).collect::<Option<Vec<_>>>()?;
            Some(Term::list_with_tail(elements, tail))
        }
        Tuple(parts) => Some(Term::tuple(parts.iter().map(constant).collect::<Option<Vec<_>>>()?)),
        Map(fields) => map(fields),
        Unary { op: UnaryOp::Minus, operand } => match constant(operand)? {
            t if t.is_small() || t.as_float().is_some() => num::neg(&t).ok(),
            _ => None,
        },
        Binary(elements) => plain_binary(elements),
        _ => None,
    }
}

/// The value of an arithmetic expression of numbers alone, as it may stand in a pattern.
pub fn arithmetic(expr: &Expr) -> Option<Term> {
    match &expr.kind {
        ExprKind::Unary { op, operand } => {
            let a = arithmetic(operand)?;
            match op {
                UnaryOp::Plus => Some(a),
                UnaryOp::Minus => num::neg(&a).ok(),
                UnaryOp::Bnot => num::bnot(&a).ok(),
                UnaryOp::Not => None,
            }
        }
        ExprKind::Binop { op, left, right, .. } => {
            let (a, b) = (&arithmetic(left)?, &arithmetic(right)?);
            let value = match op {
                BinaryOp::Add => num::add(a, b),
                BinaryOp::Sub => num::sub(a, b),
                BinaryOp::Mul => num::mul(a, b),
                BinaryOp::Div => num::div(a, b),
                BinaryOp::IntDiv => num::int_div(a, b),
                BinaryOp::Rem => num::rem(a, b),
                BinaryOp::Band => num::band(a, b),
                BinaryOp::Bor => num::bor(a, b),
                BinaryOp::Bxor => num::bxor(a, b),
                BinaryOp::Bsl => num::bsl(a, b),
                BinaryOp::Bsr => num::bsr(a, b),
                _ => return None,
            };
            value.ok()
        }
        _ => constant(expr).filter(Term::is_number),
    }
}

/// The value of an integer literal.
pub fn integer(i: &Integer) -> Term {
    match i {
        Integer::Small(i) => Term::int(*i),
        Integer::Big(i) => Term::big((**i).clone()),
    }
}

fn map(fields: &[MapField]) -> Option<Term> {
    let mut map = Map::new();
    for field in fields {
        if field.kind != MapFieldKind::Assoc {
            return None;
        }
        map.insert(constant(&field.key)?, constant(&field.value)?);
    }
    Some(Term::map(map))
}

/// `<<"abc", 1, 2>>`: bytes only, without sizes and types (or utf8 strings).
fn plain_binary(elements: &[BinElement]) -> Option<Term> {
    let mut bytes = Vec::new();
    for element in elements {
        let utf8 = match element.specs.as_slice() {
            [] => false,
            [BinSpec::Word(word)] if word.name() == "utf8" => true,
            _ => return None,
        };
        match (&element.value.kind, &element.size) {
            (ExprKind::String(s), None) if utf8 => bytes.extend_from_slice(s.as_bytes()),
            (ExprKind::String(s), None) => bytes.extend(s.chars().map(|c| u32::from(c) as u8)),
            (ExprKind::Integer(Integer::Small(i)), None) if !utf8 => bytes.push(*i as u8),
            (ExprKind::Char(c), None) if !utf8 => bytes.push(u32::from(*c) as u8),
            _ => return None,
        }
    }
    Some(Term::binary(&bytes))
}
