//! The value of an `-if` or `-elif`: a guard expression over constants.
//!
//! Evaluation that fails (`1 + a`, an unknown function) makes the condition false, as in `epp`;
//! only an expression that could never be a guard is an error.

use super::expand::Macros;
use crate::ast::{BinaryOp, Expr, ExprKind, Integer, UnaryOp};
use crate::bifs;
use num_bigint::BigInt;
use reverl_term::Atom;
use std::cmp::Ordering;

#[derive(Clone, Debug)]
enum Value {
    Int(BigInt),
    Float(f64),
    Atom(Atom),
    Tuple(Vec<Value>),
    /// A proper list.
    List(Vec<Value>),
}

/// Whether the condition holds; `None` if it is not a guard expression.
pub(super) fn holds(expr: &Expr, macros: &Macros) -> Option<bool> {
    if !is_guard(expr) {
        return None;
    }
    Some(eval(expr, macros).is_some_and(|v| is_true(&v)))
}

fn is_true(value: &Value) -> bool {
    matches!(value, Value::Atom(a) if a.name() == "true")
}

fn is_guard(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) => false,
        ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::Char(_)
        | ExprKind::Atom(_)
        | ExprKind::String(_)
        | ExprKind::Nil => true,
        ExprKind::List { elements, tail } => {
            elements.iter().all(is_guard) && tail.as_deref().is_none_or(is_guard)
        }
        ExprKind::Tuple(elements) => elements.iter().all(is_guard),
        ExprKind::Unary { operand, .. } => is_guard(operand),
        ExprKind::Binop { op: BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract, .. } => false,
        ExprKind::Binop { left, right, .. } => is_guard(left) && is_guard(right),
        ExprKind::Call { function, args } => match &function.kind {
            ExprKind::Atom(name) => {
                let arity = args.len() as u32;
                if name.name() == "defined" && arity == 1 {
                    return matches!(args[0].kind, ExprKind::Atom(_) | ExprKind::Var(_));
                }
                let refused =
                    bifs::is_auto_imported(*name, arity) && !bifs::is_guard_bif(*name, arity);
                !refused && args.iter().all(is_guard)
            }
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(m), ExprKind::Atom(f)) => {
                    m.name() == "erlang" && bifs::is_guard_bif(*f, args.len() as u32)
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

fn boolean(b: bool) -> Value {
    Value::Atom(Atom::new(if b { "true" } else { "false" }))
}

fn as_bool(value: &Value) -> Option<bool> {
    match value {
        Value::Atom(a) if a.name() == "true" => Some(true),
        Value::Atom(a) if a.name() == "false" => Some(false),
        _ => None,
    }
}

fn eval(expr: &Expr, macros: &Macros) -> Option<Value> {
    let all = |es: &[Expr]| es.iter().map(|e| eval(e, macros)).collect::<Option<Vec<_>>>();
    Some(match &expr.kind {
        ExprKind::Integer(Integer::Small(i)) => Value::Int(BigInt::from(*i)),
        ExprKind::Integer(Integer::Big(i)) => Value::Int((**i).clone()),
        ExprKind::Char(c) => Value::Int(BigInt::from(*c as u32)),
        ExprKind::Float(f) => Value::Float(*f),
        ExprKind::Atom(a) => Value::Atom(*a),
        ExprKind::String(s) => {
            Value::List(s.chars().map(|c| Value::Int(BigInt::from(c as u32))).collect())
        }
        ExprKind::Nil => Value::List(Vec::new()),
        ExprKind::Tuple(elements) => Value::Tuple(all(elements)?),
        ExprKind::List { elements, tail } => {
            let mut list = all(elements)?;
            match tail.as_deref().map(|t| eval(t, macros)) {
                None => {}
                Some(Some(Value::List(rest))) => list.extend(rest),
                Some(_) => return None,
            }
            Value::List(list)
        }
        ExprKind::Unary { op, operand } => unary(*op, eval(operand, macros)?)?,
        ExprKind::Binop { op: BinaryOp::AndAlso, left, right, .. } => {
            match as_bool(&eval(left, macros)?)? {
                true => eval(right, macros)?,
                false => boolean(false),
            }
        }
        ExprKind::Binop { op: BinaryOp::OrElse, left, right, .. } => {
            match as_bool(&eval(left, macros)?)? {
                true => boolean(true),
                false => eval(right, macros)?,
            }
        }
        ExprKind::Binop { op, left, right, .. } => {
            binary(*op, &eval(left, macros)?, &eval(right, macros)?)?
        }
        ExprKind::Call { function, args } => {
            let name = call_name(function)?;
            if name.name() == "defined" {
                if let [Expr { kind: ExprKind::Atom(m) | ExprKind::Var(m), .. }] = args.as_slice() {
                    return Some(boolean(macros.is_known(*m)));
                }
                return None;
            }
            call(name.name(), &all(args)?)?
        }
        _ => return None,
    })
}

fn call_name(function: &Expr) -> Option<Atom> {
    match &function.kind {
        ExprKind::Atom(name) => Some(*name),
        ExprKind::Remote { name, .. } => match &name.kind {
            ExprKind::Atom(name) => Some(*name),
            _ => None,
        },
        _ => None,
    }
}

fn unary(op: UnaryOp, value: Value) -> Option<Value> {
    Some(match (op, value) {
        (UnaryOp::Plus, value @ (Value::Int(_) | Value::Float(_))) => value,
        (UnaryOp::Minus, Value::Int(i)) => Value::Int(-i),
        (UnaryOp::Minus, Value::Float(f)) => Value::Float(-f),
        (UnaryOp::Bnot, Value::Int(i)) => Value::Int(-i - 1),
        (UnaryOp::Not, value) => boolean(!as_bool(&value)?),
        _ => return None,
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(i) => i.to_string().parse().ok(),
        Value::Float(f) => Some(*f),
        _ => None,
    }
}

fn binary(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    use BinaryOp::*;
    let ordering = || compare(left, right);
    Some(match op {
        Equal => boolean(ordering() == Ordering::Equal),
        NotEqual => boolean(ordering() != Ordering::Equal),
        Less => boolean(ordering() == Ordering::Less),
        LessEqual => boolean(ordering() != Ordering::Greater),
        Greater => boolean(ordering() == Ordering::Greater),
        GreaterEqual => boolean(ordering() != Ordering::Less),
        ExactEqual => boolean(exact(left, right)),
        ExactNotEqual => boolean(!exact(left, right)),
        And => boolean(as_bool(left)? & as_bool(right)?),
        Or => boolean(as_bool(left)? | as_bool(right)?),
        Xor => boolean(as_bool(left)? ^ as_bool(right)?),
        Div => Value::Float(number(left)? / Some(number(right)?).filter(|r| *r != 0.0)?),
        _ => match (left, right) {
            (Value::Int(l), Value::Int(r)) => Value::Int(integers(op, l, r)?),
            _ => {
                let (l, r) = (number(left)?, number(right)?);
                Value::Float(match op {
                    Add => l + r,
                    Sub => l - r,
                    Mul => l * r,
                    _ => return None,
                })
            }
        },
    })
}

/// Shifts beyond this many bits are not worth the memory: the condition is false.
const MAX_SHIFT: u32 = 1 << 16;

fn integers(op: BinaryOp, l: &BigInt, r: &BigInt) -> Option<BigInt> {
    use BinaryOp::*;
    let shift = || u32::try_from(r).ok().filter(|s| *s <= MAX_SHIFT);
    let nonzero = *r != BigInt::from(0);
    Some(match op {
        Add => l + r,
        Sub => l - r,
        Mul => l * r,
        IntDiv if nonzero => l / r,
        Rem if nonzero => l % r,
        Band => l & r,
        Bor => l | r,
        Bxor => l ^ r,
        Bsl => l << shift()?,
        Bsr => l >> shift()?,
        _ => return None,
    })
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Float(_) => 0,
        Value::Atom(_) => 1,
        Value::Tuple(_) => 2,
        Value::List(_) => 3,
    }
}

fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Int(l), Value::Int(r)) => l.cmp(r),
        (Value::Atom(l), Value::Atom(r)) => l.name().cmp(r.name()),
        (Value::Tuple(l), Value::Tuple(r)) => l.len().cmp(&r.len()).then_with(|| compare_all(l, r)),
        (Value::List(l), Value::List(r)) => compare_all(l, r).then(l.len().cmp(&r.len())),
        _ => match (number(left), number(right)) {
            (Some(l), Some(r)) => l.partial_cmp(&r).unwrap_or(Ordering::Equal),
            _ => rank(left).cmp(&rank(right)),
        },
    }
}

fn compare_all(l: &[Value], r: &[Value]) -> Ordering {
    let pairs = l.iter().zip(r).map(|(l, r)| compare(l, r));
    pairs.fold(Ordering::Equal, Ordering::then)
}

fn exact(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => false,
        (Value::Tuple(l), Value::Tuple(r)) | (Value::List(l), Value::List(r)) => {
            l.len() == r.len() && l.iter().zip(r).all(|(l, r)| exact(l, r))
        }
        _ => compare(left, right) == Ordering::Equal,
    }
}

/// The guard BIFs that make sense on constants.
fn call(name: &str, args: &[Value]) -> Option<Value> {
    let int = |n: usize| Value::Int(BigInt::from(n));
    Some(match (name, args) {
        ("is_atom", [v]) => boolean(matches!(v, Value::Atom(_))),
        ("is_boolean", [v]) => boolean(as_bool(v).is_some()),
        ("is_integer", [v]) => boolean(matches!(v, Value::Int(_))),
        ("is_float", [v]) => boolean(matches!(v, Value::Float(_))),
        ("is_number", [v]) => boolean(matches!(v, Value::Int(_) | Value::Float(_))),
        ("is_list", [v]) => boolean(matches!(v, Value::List(_))),
        ("is_tuple", [v]) => boolean(matches!(v, Value::Tuple(_))),
        ("is_binary" | "is_map" | "is_pid" | "is_port" | "is_reference", [_]) => boolean(false),
        ("length", [Value::List(l)]) => int(l.len()),
        ("tuple_size" | "size", [Value::Tuple(t)]) => int(t.len()),
        ("hd", [Value::List(l)]) => l.first()?.clone(),
        ("tl", [Value::List(l)]) => Value::List(l.get(1..)?.to_vec()),
        ("element", [Value::Int(i), Value::Tuple(t)]) => {
            t.get(usize::try_from(i).ok()?.checked_sub(1)?)?.clone()
        }
        ("abs", [Value::Int(i)]) => Value::Int(if *i < BigInt::from(0) { -i } else { i.clone() }),
        ("abs", [Value::Float(f)]) => Value::Float(f.abs()),
        ("float", [v]) => Value::Float(number(v)?),
        ("max", [l, r]) => if compare(l, r) == Ordering::Less { r } else { l }.clone(),
        ("min", [l, r]) => if compare(l, r) == Ordering::Greater { r } else { l }.clone(),
        _ => return None,
    })
}
