//! Syntax back to Erlang text: for messages, for display, and to test the parser against itself.
//!
//! The text parses back to the same tree; it is not laid out for beauty (see `module`, which puts
//! one clause on a line).

mod forms;

pub use forms::{form, module, ty};

use crate::ast::*;
use reverl_term::Atom;
use std::fmt::{self, Display, Write};

impl Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(i) => i.fmt(f),
            Integer::Big(i) => i.fmt(f),
        }
    }
}

/// An atom, quoted where it must be.
pub fn atom(atom: Atom) -> String {
    let name = atom.name();
    let mut chars = name.chars();
    let letter = |c: char| matches!(c, 'ß'..='ÿ') && c != '÷';
    let first = chars.next().is_some_and(|c| c.is_ascii_lowercase() || letter(c));
    let rest = chars.all(|c| {
        let upper = matches!(c, 'À'..='Þ') && c != '×';
        c.is_ascii_alphanumeric() || c == '_' || c == '@' || letter(c) || upper
    });
    // `maybe` and `else` are quoted too: whoever reads this may have the feature on.
    let reserved = crate::token::Symbol::reserved(name, true).is_some();
    if first && rest && !reserved { name.to_string() } else { quoted(name, '\'') }
}

/// A string literal.
pub fn string(text: &str) -> String {
    quoted(text, '"')
}

pub(crate) fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        escaped(&mut out, c, quote);
    }
    out.push(quote);
    out
}

fn escaped(out: &mut String, c: char, quote: char) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0B' => out.push_str("\\v"),
        '\x08' => out.push_str("\\b"),
        '\x0C' => out.push_str("\\f"),
        '\x1B' => out.push_str("\\e"),
        '\x7F' => out.push_str("\\d"),
        c if c == quote => {
            out.push('\\');
            out.push(c);
        }
        c if (c as u32) < 0x20 => {
            let _ = write!(out, "\\{:o}", c as u32);
            // A digit behind a short octal escape would be read as part of it.
            if (c as u32) < 0o100 {
                let digits = format!("{:03o}", c as u32);
                let short = format!("{:o}", c as u32).len();
                out.truncate(out.len() - short);
                out.push_str(&digits);
            }
        }
        c if matches!(c as u32, 0x80..=0x9F) => {
            let _ = write!(out, "\\{:o}", c as u32);
        }
        c => out.push(c),
    }
}

/// A character literal.
pub fn character(c: char) -> String {
    let mut out = String::from("$");
    match c {
        ' ' => out.push_str("\\s"),
        '\'' | '"' => {
            out.push('\\');
            out.push(c);
        }
        c => escaped(&mut out, c, '\\'),
    }
    out
}

/// A float that reads back as the same number.
pub fn float(value: f64) -> String {
    reverl_term::num::shortest(value)
}

/// The operator as it is written.
pub fn unary_op(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "not",
        UnaryOp::Bnot => "bnot",
    }
}

/// The operator as it is written.
pub fn binary_op(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        IntDiv => "div",
        Rem => "rem",
        Band => "band",
        Bor => "bor",
        Bxor => "bxor",
        Bsl => "bsl",
        Bsr => "bsr",
        And => "and",
        Or => "or",
        Xor => "xor",
        AndAlso => "andalso",
        OrElse => "orelse",
        Equal => "==",
        NotEqual => "/=",
        LessEqual => "=<",
        Less => "<",
        GreaterEqual => ">=",
        Greater => ">",
        ExactEqual => "=:=",
        ExactNotEqual => "=/=",
        Append => "++",
        Subtract => "--",
        Send => "!",
    }
}

/// Strengths: of the operator, and the least its left and right operands need without parentheses.
fn strengths(op: BinaryOp) -> (u32, u32, u32) {
    use BinaryOp::*;
    match op {
        Send => (100, 101, 100),
        OrElse => (150, 151, 150),
        AndAlso => (160, 161, 160),
        Equal | NotEqual | LessEqual | Less | GreaterEqual | Greater | ExactEqual
        | ExactNotEqual => (200, 201, 201),
        Append | Subtract => (300, 301, 300),
        Add | Sub | Bor | Bxor | Bsl | Bsr | Or | Xor => (400, 400, 401),
        Mul | Div | IntDiv | Rem | Band | And => (500, 500, 501),
    }
}

const CATCH: u32 = 0;
const MATCH: u32 = 100;
const PREFIX: u32 = 600;
const ACCESS: u32 = 700;
const CALL: u32 = 750;
const PRIMARY: u32 = 1000;

/// How strongly an expression binds. One that binds less than its place needs is parenthesized.
fn strength(expr: &Expr) -> u32 {
    match &expr.kind {
        ExprKind::Catch(_) => CATCH,
        ExprKind::Match { .. } | ExprKind::MaybeMatch { .. } => MATCH,
        ExprKind::Binop { op, .. } => strengths(*op).0,
        ExprKind::Unary { .. } => PREFIX,
        ExprKind::Map(_)
        | ExprKind::MapUpdate { .. }
        | ExprKind::MapComp { .. }
        | ExprKind::Record { .. }
        | ExprKind::RecordUpdate { .. }
        | ExprKind::RecordAccess { .. }
        | ExprKind::RecordIndex { .. } => ACCESS,
        ExprKind::Call { .. } | ExprKind::Remote { .. } => CALL,
        ExprKind::Integer(Integer::Small(i)) if *i < 0 => PREFIX,
        ExprKind::Float(f) if f.is_sign_negative() => PREFIX,
        _ => PRIMARY,
    }
}

/// An expression, a pattern or a guard test as text.
pub fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, expr);
    out
}

fn at_least(out: &mut String, expr: &Expr, needed: u32) {
    if strength(expr) < needed {
        out.push('(');
        write_expr(out, expr);
        out.push(')');
    } else {
        write_expr(out, expr);
    }
}

fn commas<T>(out: &mut String, items: &[T], mut item: impl FnMut(&mut String, &T)) {
    for (i, it) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        item(out, it);
    }
}

fn exprs(out: &mut String, all: &[Expr]) {
    commas(out, all, write_expr);
}

fn write_expr(out: &mut String, expr: &Expr) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || write_kind(out, expr));
}

fn write_kind(out: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Var(name) => out.push_str(name.name()),
        ExprKind::Integer(i) => out.push_str(&i.to_string()),
        ExprKind::Float(f) => out.push_str(&float(*f)),
        ExprKind::Char(c) => out.push_str(&character(*c)),
        ExprKind::Atom(a) => out.push_str(&atom(*a)),
        ExprKind::String(s) => out.push_str(&string(s)),
        ExprKind::Nil => out.push_str("[]"),
        ExprKind::List { elements, tail } => {
            out.push('[');
            exprs(out, elements);
            if let Some(tail) = tail {
                out.push_str(" | ");
                write_expr(out, tail);
            }
            out.push(']');
        }
        ExprKind::Tuple(elements) => {
            out.push('{');
            exprs(out, elements);
            out.push('}');
        }
        ExprKind::Map(fields) => {
            out.push('#');
            map_fields(out, fields);
        }
        ExprKind::MapUpdate { map, fields, .. } => {
            updated(out, map);
            out.push('#');
            map_fields(out, fields);
        }
        ExprKind::Record { name, fields } => {
            let _ = write!(out, "#{}", atom(*name));
            record_fields(out, fields);
        }
        ExprKind::RecordUpdate { record, name, fields, .. } => {
            updated(out, record);
            let _ = write!(out, "#{}", atom(*name));
            record_fields(out, fields);
        }
        ExprKind::RecordAccess { record, name, field, .. } => {
            updated(out, record);
            let _ = write!(out, "#{}.{}", atom(*name), atom(*field));
        }
        ExprKind::RecordIndex { name, field } => {
            let _ = write!(out, "#{}.{}", atom(*name), atom(*field));
        }
        ExprKind::Binary(elements) => {
            out.push_str("<<");
            commas(out, elements, bin_element);
            out.push_str(">>");
        }
        ExprKind::Unary { op, operand } => {
            out.push_str(unary_op(*op));
            out.push(' ');
            at_least(out, operand, PREFIX);
        }
        ExprKind::Binop { op, left, right, .. } => {
            let (_, l, r) = strengths(*op);
            // `catch` swallows everything to its right, so as a left operand it needs parentheses,
            // and as a right one it can do without; give it some everywhere.
            at_least(out, left, l);
            let _ = write!(out, " {} ", binary_op(*op));
            at_least(out, right, r);
        }
        ExprKind::Match { pattern, value } => {
            at_least(out, pattern, MATCH + 1);
            out.push_str(" = ");
            at_least(out, value, MATCH);
        }
        ExprKind::MaybeMatch { pattern, value } => {
            write_expr(out, pattern);
            out.push_str(" ?= ");
            write_expr(out, value);
        }
        ExprKind::Call { function, args } => {
            match &function.kind {
                ExprKind::Remote { .. } => write_expr(out, function),
                _ => at_least(out, function, PRIMARY),
            }
            out.push('(');
            exprs(out, args);
            out.push(')');
        }
        ExprKind::Remote { module, name } => {
            at_least(out, module, PRIMARY);
            out.push(':');
            at_least(out, name, PRIMARY);
        }
        ExprKind::Block(body) => {
            out.push_str("begin ");
            exprs(out, body);
            out.push_str(" end");
        }
        ExprKind::If(clauses) => {
            out.push_str("if ");
            for (i, clause) in clauses.iter().enumerate() {
                out.push_str(if i > 0 { "; " } else { "" });
                guard(out, &clause.guard);
                out.push_str(" -> ");
                exprs(out, &clause.body);
            }
            out.push_str(" end");
        }
        ExprKind::Case { subject, clauses } => {
            out.push_str("case ");
            write_expr(out, subject);
            out.push_str(" of ");
            semicolons(out, clauses, one_pattern);
            out.push_str(" end");
        }
        ExprKind::Receive { clauses, after } => {
            out.push_str("receive ");
            semicolons(out, clauses, one_pattern);
            if let Some(after) = after {
                out.push_str(" after ");
                write_expr(out, &after.timeout);
                out.push_str(" -> ");
                exprs(out, &after.body);
            }
            out.push_str(" end");
        }
        ExprKind::Try(t) => write_try(out, t),
        ExprKind::Catch(body) => {
            out.push_str("catch ");
            write_expr(out, body);
        }
        ExprKind::Maybe { body, else_clauses } => {
            out.push_str("maybe ");
            exprs(out, body);
            if !else_clauses.is_empty() {
                out.push_str(" else ");
                semicolons(out, else_clauses, one_pattern);
            }
            out.push_str(" end");
        }
        ExprKind::FunLocal { name, arity } => {
            let _ = write!(out, "fun {}/{arity}", atom(*name));
        }
        ExprKind::FunRemote { module, name, arity } => {
            out.push_str("fun ");
            write_expr(out, module);
            out.push(':');
            write_expr(out, name);
            out.push('/');
            write_expr(out, arity);
        }
        ExprKind::Fun { name, clauses } => {
            out.push_str("fun ");
            semicolons(out, clauses, |out, clause| {
                out.push_str(name.map_or("", |n| n.name()));
                arguments(out, clause);
            });
            out.push_str(" end");
        }
        ExprKind::ListComp { templates, qualifiers } => {
            out.push('[');
            commas(out, templates, write_expr);
            comprehension(out, qualifiers);
            out.push(']');
        }
        ExprKind::BinaryComp { templates, qualifiers } => {
            out.push_str("<<");
            commas(out, templates, |out, template| at_least(out, template, PRIMARY));
            comprehension(out, qualifiers);
            out.push_str(">>");
        }
        ExprKind::MapComp { fields, qualifiers } => {
            out.push_str("#{");
            commas(out, fields, |out, field| {
                write_expr(out, &field.key);
                out.push_str(" => ");
                write_expr(out, &field.value);
            });
            comprehension(out, qualifiers);
            out.push('}');
        }
    }
}

/// What stands before a `#`: chains need no parentheses, calls do.
fn updated(out: &mut String, base: &Expr) {
    // `16#{}` would be a number in base 16, and `fun f/16#{}` would end in one.
    let needed = match base.kind {
        ExprKind::Integer(_) | ExprKind::FunLocal { .. } | ExprKind::FunRemote { .. } => {
            PRIMARY + 1
        }
        _ if strength(base) == ACCESS => ACCESS,
        _ => PRIMARY,
    };
    at_least(out, base, needed);
}

fn map_fields(out: &mut String, fields: &[MapField]) {
    out.push('{');
    commas(out, fields, |out, field| {
        write_expr(out, &field.key);
        out.push_str(if field.kind == MapFieldKind::Assoc { " => " } else { " := " });
        write_expr(out, &field.value);
    });
    out.push('}');
}

fn record_fields(out: &mut String, fields: &[RecordField]) {
    out.push('{');
    commas(out, fields, |out, field| {
        out.push_str(&field.name.map_or_else(|| "_".to_string(), atom));
        out.push_str(" = ");
        write_expr(out, &field.value);
    });
    out.push('}');
}

fn bin_element(out: &mut String, element: &BinElement) {
    match &element.value.kind {
        ExprKind::Unary { op, operand } => {
            out.push_str(unary_op(*op));
            out.push(' ');
            at_least(out, operand, PRIMARY);
        }
        _ => at_least(out, &element.value, PRIMARY),
    }
    if let Some(size) = &element.size {
        out.push(':');
        at_least(out, size, PRIMARY);
    }
    for (i, spec) in element.specs.iter().enumerate() {
        out.push(if i == 0 { '/' } else { '-' });
        match spec {
            BinSpec::Word(word) => out.push_str(&atom(*word)),
            BinSpec::Unit(unit) => {
                let _ = write!(out, "unit:{unit}");
            }
        }
    }
}

fn guard(out: &mut String, alternatives: &[Vec<Expr>]) {
    for (i, tests) in alternatives.iter().enumerate() {
        out.push_str(if i > 0 { "; " } else { "" });
        exprs(out, tests);
    }
}

fn one_pattern(out: &mut String, clause: &Clause) {
    exprs(out, &clause.patterns);
}

pub(super) fn arguments(out: &mut String, clause: &Clause) {
    out.push('(');
    exprs(out, &clause.patterns);
    out.push(')');
}

fn semicolons(out: &mut String, clauses: &[Clause], head: impl Fn(&mut String, &Clause)) {
    for (i, clause) in clauses.iter().enumerate() {
        out.push_str(if i > 0 { "; " } else { "" });
        head(out, clause);
        clause_rest(out, clause);
    }
}

pub(super) fn clause_rest(out: &mut String, clause: &Clause) {
    if !clause.guard.is_empty() {
        out.push_str(" when ");
        guard(out, &clause.guard);
    }
    out.push_str(" -> ");
    exprs(out, &clause.body);
}

fn write_try(out: &mut String, t: &Try) {
    out.push_str("try ");
    exprs(out, &t.body);
    if !t.of_clauses.is_empty() {
        out.push_str(" of ");
        semicolons(out, &t.of_clauses, one_pattern);
    }
    if !t.catch_clauses.is_empty() {
        out.push_str(" catch ");
        semicolons(out, &t.catch_clauses, catch_head);
    }
    if !t.after.is_empty() {
        out.push_str(" after ");
        exprs(out, &t.after);
    }
    out.push_str(" end");
}

/// `Class:Pattern:Stacktrace`, from the tuple that stands for it.
fn catch_head(out: &mut String, clause: &Clause) {
    match clause.patterns.as_slice() {
        [Expr { kind: ExprKind::Tuple(parts), .. }] if parts.len() == 3 => {
            write_expr(out, &parts[0]);
            out.push(':');
            at_least(out, &parts[1], MATCH);
            if !matches!(&parts[2].kind, ExprKind::Var(v) if v.name() == "_") {
                out.push(':');
                write_expr(out, &parts[2]);
            }
        }
        patterns => exprs(out, patterns),
    }
}

fn comprehension(out: &mut String, qualifiers: &[Qualifier]) {
    out.push_str(" || ");
    commas(out, qualifiers, |out, qualifier| match qualifier {
        Qualifier::Filter(test) => write_expr(out, test),
        Qualifier::Generator(generator) => write_generator(out, generator),
        Qualifier::Zip { generators, .. } => {
            for (i, generator) in generators.iter().enumerate() {
                out.push_str(if i > 0 { " && " } else { "" });
                write_generator(out, generator);
            }
        }
    });
}

fn write_generator(out: &mut String, generator: &Generator) {
    write_expr(out, &generator.pattern);
    if let Some(value) = &generator.value_pattern {
        out.push_str(" := ");
        write_expr(out, value);
    }
    out.push_str(match (generator.kind, generator.strict) {
        (GeneratorKind::Binary, false) => " <= ",
        (GeneratorKind::Binary, true) => " <:= ",
        (_, false) => " <- ",
        (_, true) => " <:- ",
    });
    write_expr(out, &generator.source);
}
