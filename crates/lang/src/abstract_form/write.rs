//! Syntax to abstract format.

use crate::ast::*;
use crate::forms::{FormKind, Module};
use crate::source::{SourceMap, Span};
use reverl_term::{Atom, Fun, Term};

/// What stands for positions in the term.
pub enum Positions<'a> {
    /// Always 0: for comparing.
    Zero,
    /// `{Line, Column}`.
    LineColumn(&'a SourceMap),
}

/// All forms of a module, in order.
pub fn write(module: &Module, positions: Positions<'_>) -> Vec<Term> {
    let writer = Writer { positions };
    module.forms.iter().map(|form| writer.form(module, &form.kind, form.span)).collect()
}

pub(super) struct Writer<'a> {
    positions: Positions<'a>,
}

pub(super) fn name(text: &str) -> Term {
    Term::atom(Atom::new(text))
}

impl Writer<'_> {
    pub(super) fn at(&self, span: Span) -> Term {
        match self.positions {
            Positions::Zero => Term::small(0),
            Positions::LineColumn(sources) => {
                let at = sources.line_col(span);
                Term::tuple(vec![Term::small(at.line.into()), Term::small(at.column.into())])
            }
        }
    }

    /// `{Tag, Position, Parts...}`
    pub(super) fn node<const N: usize>(&self, tag: &str, span: Span, parts: [Term; N]) -> Term {
        let head = [name(tag), self.at(span)];
        Term::tuple(head.into_iter().chain(parts).collect())
    }

    fn form(&self, module: &Module, kind: &FormKind, span: Span) -> Term {
        let attribute = |tag: &str, value| self.node("attribute", span, [name(tag), value]);
        let pair = |(f, arity): &(Atom, u32)| {
            Term::tuple(vec![Term::atom(*f), Term::small((*arity).into())])
        };
        match kind {
            FormKind::Module(module) => attribute("module", Term::atom(*module)),
            FormKind::Export(names) => {
                attribute("export", Term::list(names.iter().map(pair).collect::<Vec<_>>()))
            }
            FormKind::Import { module, names } => {
                let names = Term::list(names.iter().map(pair).collect::<Vec<_>>());
                attribute("import", Term::tuple(vec![Term::atom(*module), names]))
            }
            FormKind::File { name, line } => {
                let line = Term::small((*line).into());
                attribute("file", Term::tuple(vec![Term::string(name), line]))
            }
            FormKind::Function(index) => {
                let f = &module.functions[*index];
                let parts =
                    [Term::atom(f.name), Term::small(f.arity.into()), self.clauses(&f.clauses)];
                self.node("function", f.span, parts)
            }
            FormKind::Record { index, types } => {
                attribute("record", self.record(&module.records[*index], types))
            }
            FormKind::Type(def) => self.type_def(def, span),
            FormKind::Spec(spec) => self.spec(spec, span),
            FormKind::Attribute { name, value } => {
                self.node("attribute", span, [Term::atom(*name), literal(value)])
            }
        }
    }

    pub(super) fn atom(&self, span: Span, atom: Atom) -> Term {
        self.node("atom", span, [Term::atom(atom)])
    }

    fn exprs(&self, all: &[Expr]) -> Term {
        Term::list(all.iter().map(|e| self.expr(e)).collect::<Vec<_>>())
    }

    fn clauses(&self, clauses: &[Clause]) -> Term {
        let clause = |c: &Clause| {
            let guard = c.guard.iter().map(|tests| self.exprs(tests)).collect::<Vec<_>>();
            let parts = [self.exprs(&c.patterns), Term::list(guard), self.exprs(&c.body)];
            self.node("clause", c.span, parts)
        };
        Term::list(clauses.iter().map(clause).collect::<Vec<_>>())
    }

    pub(super) fn expr(&self, expr: &Expr) -> Term {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_kind(expr))
    }

    fn expr_kind(&self, expr: &Expr) -> Term {
        let span = expr.place();
        match &expr.kind {
            ExprKind::Var(v) => self.node("var", span, [Term::atom(*v)]),
            ExprKind::Integer(i) => self.node("integer", span, [integer(i)]),
            ExprKind::Float(f) => self.node("float", span, [Term::float(*f)]),
            ExprKind::Char(c) => self.node("char", span, [Term::small(*c as i64)]),
            ExprKind::Atom(a) => self.atom(span, *a),
            ExprKind::String(s) => self.node("string", span, [Term::string(s)]),
            ExprKind::Nil => self.node("nil", span, []),
            ExprKind::List { elements, tail } => {
                let end = match tail {
                    Some(tail) => self.expr(tail),
                    None => self.node("nil", span, []),
                };
                let cons = |rest, e: &Expr| self.node("cons", e.span, [self.expr(e), rest]);
                elements.iter().rev().fold(end, cons)
            }
            ExprKind::Tuple(elements) => self.node("tuple", span, [self.exprs(elements)]),
            ExprKind::Map(fields) => self.node("map", span, [self.map_fields(fields)]),
            ExprKind::MapUpdate { map, fields, .. } => {
                self.node("map", span, [self.expr(map), self.map_fields(fields)])
            }
            ExprKind::Record { name, fields } => {
                self.node("record", span, [Term::atom(*name), self.record_fields(fields)])
            }
            ExprKind::RecordUpdate { record, name, fields, .. } => {
                let parts = [self.expr(record), Term::atom(*name), self.record_fields(fields)];
                self.node("record", span, parts)
            }
            ExprKind::RecordAccess { record, name, field, .. } => {
                let parts = [self.expr(record), Term::atom(*name), self.atom(span, *field)];
                self.node("record_field", span, parts)
            }
            ExprKind::RecordIndex { name, field } => {
                self.node("record_index", span, [Term::atom(*name), self.atom(span, *field)])
            }
            ExprKind::Binary(elements) => {
                let elements = elements.iter().map(|e| self.bin_element(e)).collect::<Vec<_>>();
                self.node("bin", span, [Term::list(elements)])
            }
            ExprKind::Unary { op, operand } => {
                let op = name(crate::print::unary_op(*op));
                self.node("op", span, [op, self.expr(operand)])
            }
            ExprKind::Binop { op, left, right, .. } => {
                let op = name(crate::print::binary_op(*op));
                self.node("op", span, [op, self.expr(left), self.expr(right)])
            }
            ExprKind::Match { pattern, value } => {
                self.node("match", span, [self.expr(pattern), self.expr(value)])
            }
            ExprKind::MaybeMatch { pattern, value } => {
                self.node("maybe_match", span, [self.expr(pattern), self.expr(value)])
            }
            ExprKind::Call { function, args } => {
                self.node("call", span, [self.expr(function), self.exprs(args)])
            }
            ExprKind::Remote { module, name } => {
                self.node("remote", span, [self.expr(module), self.expr(name)])
            }
            ExprKind::Block(body) => self.node("block", span, [self.exprs(body)]),
            ExprKind::If(clauses) => self.node("if", span, [self.clauses(clauses)]),
            ExprKind::Case { subject, clauses } => {
                self.node("case", span, [self.expr(subject), self.clauses(clauses)])
            }
            ExprKind::Receive { clauses, after: None } => {
                self.node("receive", span, [self.clauses(clauses)])
            }
            ExprKind::Receive { clauses, after: Some(after) } => {
                let timeout = self.expr(&after.timeout);
                let parts = [self.clauses(clauses), timeout, self.exprs(&after.body)];
                self.node("receive", span, parts)
            }
            ExprKind::Try(t) => {
                let parts = [
                    self.exprs(&t.body),
                    self.clauses(&t.of_clauses),
                    self.clauses(&t.catch_clauses),
                    self.exprs(&t.after),
                ];
                self.node("try", span, parts)
            }
            ExprKind::Catch(body) => self.node("catch", span, [self.expr(body)]),
            ExprKind::Maybe { body, else_clauses } if else_clauses.is_empty() => {
                self.node("maybe", span, [self.exprs(body)])
            }
            ExprKind::Maybe { body, else_clauses } => {
                let other = self.node("else", span, [self.clauses(else_clauses)]);
                self.node("maybe", span, [self.exprs(body), other])
            }
            ExprKind::FunLocal { name: f, arity } => {
                let f = vec![name("function"), Term::atom(*f), Term::small((*arity).into())];
                self.node("fun", span, [Term::tuple(f)])
            }
            ExprKind::FunRemote { module, name: f, arity } => {
                let parts =
                    vec![name("function"), self.expr(module), self.expr(f), self.expr(arity)];
                self.node("fun", span, [Term::tuple(parts)])
            }
            ExprKind::Fun { name: None, clauses } => {
                let clauses = Term::tuple(vec![name("clauses"), self.clauses(clauses)]);
                self.node("fun", span, [clauses])
            }
            ExprKind::Fun { name: Some(f), clauses } => {
                self.node("named_fun", span, [Term::atom(*f), self.clauses(clauses)])
            }
            ExprKind::ListComp { templates, qualifiers } => {
                let templates = one_or_list(templates.iter().map(|e| self.expr(e)).collect());
                self.node("lc", span, [templates, self.qualifiers(qualifiers)])
            }
            ExprKind::BinaryComp { templates, qualifiers } => {
                let templates = one_or_list(templates.iter().map(|e| self.expr(e)).collect());
                self.node("bc", span, [templates, self.qualifiers(qualifiers)])
            }
            ExprKind::MapComp { fields, qualifiers } => {
                let field = |f: &MapField| {
                    self.node("map_field_assoc", f.span, [self.expr(&f.key), self.expr(&f.value)])
                };
                let templates = one_or_list(fields.iter().map(field).collect());
                self.node("mc", span, [templates, self.qualifiers(qualifiers)])
            }
        }
    }

    fn map_fields(&self, fields: &[MapField]) -> Term {
        let field = |f: &MapField| {
            let tag = match f.kind {
                MapFieldKind::Assoc => "map_field_assoc",
                MapFieldKind::Exact => "map_field_exact",
            };
            self.node(tag, f.span, [self.expr(&f.key), self.expr(&f.value)])
        };
        Term::list(fields.iter().map(field).collect::<Vec<_>>())
    }

    fn record_fields(&self, fields: &[RecordField]) -> Term {
        let field = |f: &RecordField| {
            let key = match f.name {
                Some(name) => self.atom(f.span, name),
                None => self.node("var", f.span, [name("_")]),
            };
            self.node("record_field", f.span, [key, self.expr(&f.value)])
        };
        Term::list(fields.iter().map(field).collect::<Vec<_>>())
    }

    fn bin_element(&self, element: &BinElement) -> Term {
        let size = element.size.as_ref().map_or_else(|| name("default"), |s| self.expr(s));
        let spec = |spec: &BinSpec| match spec {
            BinSpec::Word(word) => Term::atom(*word),
            BinSpec::Unit(unit) => Term::tuple(vec![name("unit"), Term::small((*unit).into())]),
        };
        let specs = match element.specs.as_slice() {
            [] => name("default"),
            specs => Term::list(specs.iter().map(spec).collect::<Vec<_>>()),
        };
        self.node("bin_element", element.span, [self.expr(&element.value), size, specs])
    }

    fn qualifiers(&self, qualifiers: &[Qualifier]) -> Term {
        let qualifier = |q: &Qualifier| match q {
            Qualifier::Filter(test) => self.expr(test),
            Qualifier::Generator(generator) => self.generator(generator),
            Qualifier::Zip { generators, span } => {
                let all = generators.iter().map(|g| self.generator(g)).collect::<Vec<_>>();
                self.node("zip", *span, [Term::list(all)])
            }
        };
        Term::list(qualifiers.iter().map(qualifier).collect::<Vec<_>>())
    }

    fn generator(&self, g: &Generator) -> Term {
        let tag = match (g.kind, g.strict) {
            (GeneratorKind::List, false) => "generate",
            (GeneratorKind::List, true) => "generate_strict",
            (GeneratorKind::Binary, false) => "b_generate",
            (GeneratorKind::Binary, true) => "b_generate_strict",
            (GeneratorKind::Map, false) => "m_generate",
            (GeneratorKind::Map, true) => "m_generate_strict",
        };
        let pattern = match &g.value_pattern {
            None => self.expr(&g.pattern),
            Some(value) => {
                let parts = [self.expr(&g.pattern), self.expr(value)];
                self.node("map_field_exact", g.pattern.span, parts)
            }
        };
        self.node(tag, g.span, [pattern, self.expr(&g.source)])
    }
}

pub(super) fn integer(i: &Integer) -> Term {
    match i {
        Integer::Small(i) => Term::int(*i),
        Integer::Big(i) => Term::big((**i).clone()),
    }
}

/// The value of a literal. The parser lets only literals through; of anything else nothing is
/// known, and it becomes `undefined`.
pub fn literal(expr: &Expr) -> Term {
    let all = |es: &[Expr]| es.iter().map(literal).collect::<Vec<_>>();
    match &expr.kind {
        ExprKind::Integer(i) => integer(i),
        ExprKind::Float(f) => Term::float(*f),
        ExprKind::Char(c) => Term::small(*c as i64),
        ExprKind::Atom(a) => Term::atom(*a),
        ExprKind::String(s) => Term::string(s),
        ExprKind::Nil => Term::NIL,
        ExprKind::List { elements, tail } => {
            Term::list_with_tail(all(elements), tail.as_deref().map_or(Term::NIL, literal))
        }
        ExprKind::Tuple(elements) => Term::tuple(all(elements)),
        ExprKind::Map(fields) => {
            let pair = |f: &MapField| (literal(&f.key), literal(&f.value));
            Term::map_from(fields.iter().map(pair).collect())
        }
        ExprKind::Unary { op, operand } => match (op, literal(operand)) {
            (UnaryOp::Minus, value) => negated(&value),
            (_, value) => value,
        },
        ExprKind::Binary(elements) => Term::binary(&bytes(elements)),
        ExprKind::FunRemote { module, name: f, arity } => {
            match (literal(module).as_atom(), literal(f).as_atom(), literal(arity).as_small()) {
                (Some(module), Some(name), Some(arity)) => {
                    Term::fun(Fun::External { module, name, arity: arity as u32 })
                }
                _ => name("undefined"),
            }
        }
        _ => name("undefined"),
    }
}

fn negated(value: &Term) -> Term {
    match (value.to_bigint(), value.as_float()) {
        (Some(i), _) => Term::big(-i),
        (None, Some(f)) => Term::float(-f),
        _ => value.clone(),
    }
}

/// A binary of bytes and strings, which is all that attributes hold.
fn bytes(elements: &[BinElement]) -> Vec<u8> {
    let mut out = Vec::new();
    for element in elements {
        match &element.value.kind {
            ExprKind::String(s) if element.specs.is_empty() => {
                out.extend(s.chars().map(|c| c as u32 as u8));
            }
            ExprKind::String(s) => out.extend_from_slice(s.as_bytes()),
            ExprKind::Integer(Integer::Small(i)) => out.push(*i as u8),
            ExprKind::Char(c) => out.push(*c as u32 as u8),
            _ => {}
        }
    }
    out
}

/// What a turn of a comprehension gives: several values are a list.
fn one_or_list(mut values: Vec<Term>) -> Term {
    match values.len() {
        1 => values.remove(0),
        _ => Term::list(values),
    }
}
