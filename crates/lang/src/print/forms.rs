//! Forms, types and whole modules as text.

use super::{arguments, atom, binary_op, clause_rest, commas, expr, string, unary_op};
use crate::ast::{Function, MapFieldKind, RecordDef};
use crate::forms::*;
use std::fmt::Write;

/// A whole module, one form after the other.
pub fn module(module: &Module) -> String {
    let mut out = String::new();
    for item in &module.forms {
        out.push_str(&form(module, item));
        out.push('\n');
    }
    out
}

/// One form, with its dot.
pub fn form(module: &Module, form: &Form) -> String {
    match &form.kind {
        FormKind::Module(name) => format!("-module({}).", atom(*name)),
        FormKind::Export(names) => format!("-export({}).", name_list(names)),
        FormKind::Import { module, names } => {
            format!("-import({}, {}).", atom(*module), name_list(names))
        }
        FormKind::File { name, line } => format!("-file({}, {line}).", string(name)),
        FormKind::Function(index) => module.functions.get(*index).map(function).unwrap_or_default(),
        FormKind::Record { index, types } => {
            module.records.get(*index).map(|r| record(r, types)).unwrap_or_default()
        }
        FormKind::Type(def) => type_def(def),
        FormKind::Spec(def) => spec(def),
        FormKind::Attribute { name, value } => format!("-{}({}).", atom(*name), expr(value)),
    }
}

fn name_list(names: &[FunName]) -> String {
    let names: Vec<String> = names.iter().map(|(n, a)| format!("{}/{a}", atom(*n))).collect();
    format!("[{}]", names.join(", "))
}

fn function(function: &Function) -> String {
    let mut out = String::new();
    for (i, clause) in function.clauses.iter().enumerate() {
        out.push_str(if i > 0 { ";\n" } else { "" });
        out.push_str(&atom(function.name));
        arguments(&mut out, clause);
        clause_rest(&mut out, clause);
    }
    out.push('.');
    out
}

fn record(record: &RecordDef, types: &[Option<Type>]) -> String {
    let mut out = format!("-record({}, {{", atom(record.name));
    for (i, field) in record.fields.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        out.push_str(&atom(field.name));
        if let Some(default) = &field.default {
            out.push_str(" = ");
            super::at_least(&mut out, default, super::MATCH);
        }
        if let Some(Some(field_type)) = types.get(i) {
            let _ = write!(out, " :: {}", ty(field_type));
        }
    }
    out.push_str("}).");
    out
}

fn type_def(def: &TypeDef) -> String {
    let word = match def.kind {
        TypeDefKind::Type => "type",
        TypeDefKind::Opaque => "opaque",
        TypeDefKind::Nominal => "nominal",
    };
    let params: Vec<String> = def.params.iter().map(ty).collect();
    format!("-{word} {}({}) :: {}.", atom(def.name), params.join(", "), ty(&def.body))
}

fn spec(spec: &Spec) -> String {
    let word = if spec.callback { "callback" } else { "spec" };
    let module = spec.module.map(|m| atom(m) + ":").unwrap_or_default();
    let signatures: Vec<String> = spec.signatures.iter().map(signature).collect();
    format!("-{word} {module}{}{}.", atom(spec.name), signatures.join("; "))
}

fn signature(signature: &Signature) -> String {
    let mut out = fun_type(&signature.function);
    let mut word = " when ";
    for constraint in &signature.constraints {
        let _ = match constraint.variable.kind {
            TypeKind::Var(_) => {
                write!(out, "{word}{} :: {}", ty(&constraint.variable), ty(&constraint.bound))
            }
            _ => write!(
                out,
                "{word}is_subtype({}, {})",
                ty(&constraint.variable),
                ty(&constraint.bound)
            ),
        };
        word = ", ";
    }
    out
}

/// `(Args) -> Result`, without the `fun(..)` round it.
fn fun_type(function: &Type) -> String {
    match &function.kind {
        TypeKind::Fun { args, result } => {
            let args = match args {
                None => "...".to_string(),
                Some(args) => args.iter().map(ty).collect::<Vec<_>>().join(", "),
            };
            format!("({args}) -> {}", ty(result))
        }
        _ => ty(function),
    }
}

/// A type as text.
pub fn ty(t: &Type) -> String {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || type_text(t))
}

/// An operand is parenthesized unless it is plainly one thing.
fn operand(t: &Type) -> String {
    let compound = matches!(
        t.kind,
        TypeKind::Union(_)
            | TypeKind::Annotated { .. }
            | TypeKind::Range { .. }
            | TypeKind::Binop { .. }
            | TypeKind::Unary { .. }
    );
    if compound { format!("({})", ty(t)) } else { ty(t) }
}

fn type_text(t: &Type) -> String {
    let list = |types: &[Type]| types.iter().map(ty).collect::<Vec<_>>().join(", ");
    match &t.kind {
        TypeKind::Var(name) => name.name().to_string(),
        TypeKind::Atom(name) => atom(*name),
        TypeKind::Integer(value) => value.to_string(),
        TypeKind::Char(value) => super::character(*value),
        TypeKind::Unary { op, operand: of } => format!("{} {}", unary_op(*op), operand(of)),
        TypeKind::Binop { op, left, right } => {
            format!("{} {} {}", operand(left), binary_op(*op), operand(right))
        }
        TypeKind::Annotated { variable, ty: of } => format!("{} :: {}", variable.name(), ty(of)),
        TypeKind::Union(types) => {
            let parts = types.iter().map(|t| match t.kind {
                TypeKind::Union(_) | TypeKind::Annotated { .. } => format!("({})", ty(t)),
                _ => ty(t),
            });
            parts.collect::<Vec<_>>().join(" | ")
        }
        TypeKind::Range { low, high } => format!("{}..{}", operand(low), operand(high)),
        TypeKind::Nil => "[]".to_string(),
        TypeKind::List(element) => format!("[{}]", ty(element)),
        TypeKind::NonemptyList(element) => format!("[{}, ...]", ty(element)),
        TypeKind::Tuple(elements) => format!("{{{}}}", list(elements)),
        TypeKind::AnyTuple => "tuple()".to_string(),
        TypeKind::Map(fields) => {
            let mut out = String::from("#{");
            commas(&mut out, fields, |out, field| {
                let arrow = if field.kind == MapFieldKind::Assoc { "=>" } else { ":=" };
                let _ = write!(out, "{} {arrow} {}", ty(&field.key), ty(&field.value));
            });
            out + "}"
        }
        TypeKind::AnyMap => "map()".to_string(),
        TypeKind::Record { name, fields } => {
            let mut out = format!("#{}{{", atom(*name));
            commas(&mut out, fields, |out, (field, t)| {
                let _ = write!(out, "{} :: {}", atom(*field), ty(t));
            });
            out + "}"
        }
        TypeKind::Binary { base, unit } => {
            format!("<<_:{}, _:_*{}>>", operand(base), operand(unit))
        }
        TypeKind::AnyFun => "fun()".to_string(),
        TypeKind::Fun { .. } => format!("fun({})", fun_type(t)),
        TypeKind::Builtin { name, args } | TypeKind::User { name, args } => {
            format!("{}({})", atom(*name), list(args))
        }
        TypeKind::Remote { module, name, args } => {
            format!("{}:{}({})", atom(*module), atom(*name), list(args))
        }
    }
}
