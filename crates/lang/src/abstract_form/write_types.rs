//! Types, specs and record declarations to abstract format.

use super::write::{Writer, integer, name};
use crate::ast::{MapFieldKind, RecordDef};
use crate::forms::*;
use crate::source::Span;
use reverl_term::{Atom, Term};

impl Writer<'_> {
    pub(super) fn record(&self, record: &RecordDef, types: &[Option<Type>]) -> Term {
        let fields = record.fields.iter().enumerate().map(|(i, field)| {
            let key = self.atom(field.span, field.name);
            let plain = match &field.default {
                None => self.node("record_field", field.span, [key]),
                Some(value) => self.node("record_field", field.span, [key, self.expr(value)]),
            };
            match types.get(i) {
                Some(Some(t)) => Term::tuple(vec![name("typed_record_field"), plain, self.ty(t)]),
                _ => plain,
            }
        });
        let fields = Term::list(fields.collect::<Vec<_>>());
        Term::tuple(vec![Term::atom(record.name), fields])
    }

    pub(super) fn type_def(&self, def: &TypeDef, span: Span) -> Term {
        let word = match def.kind {
            TypeDefKind::Type => "type",
            TypeDefKind::Opaque => "opaque",
            TypeDefKind::Nominal => "nominal",
        };
        let value = vec![Term::atom(def.name), self.ty(&def.body), self.types(&def.params)];
        self.node("attribute", span, [name(word), Term::tuple(value)])
    }

    pub(super) fn spec(&self, spec: &Spec, span: Span) -> Term {
        let word = if spec.callback { "callback" } else { "spec" };
        let arity = Term::small(spec.arity.into());
        let id = match spec.module {
            None => vec![Term::atom(spec.name), arity],
            Some(module) => vec![Term::atom(module), Term::atom(spec.name), arity],
        };
        let signatures = spec.signatures.iter().map(|s| self.signature(s)).collect::<Vec<_>>();
        let value = vec![Term::tuple(id), Term::list(signatures)];
        self.node("attribute", span, [name(word), Term::tuple(value)])
    }

    fn signature(&self, signature: &Signature) -> Term {
        let function = self.ty(&signature.function);
        if signature.constraints.is_empty() {
            return function;
        }
        let constraint = |c: &Constraint| {
            let subtype = self.atom(c.span, Atom::new("is_subtype"));
            let bound = Term::list(vec![self.ty(&c.variable), self.ty(&c.bound)]);
            self.built("constraint", c.span, vec![subtype, bound])
        };
        let constraints = signature.constraints.iter().map(constraint).collect::<Vec<_>>();
        self.built("bounded_fun", signature.span, vec![function, Term::list(constraints)])
    }

    /// `{type, Position, Name, Parts}`
    fn built(&self, tag: &str, span: Span, parts: Vec<Term>) -> Term {
        self.node("type", span, [name(tag), Term::list(parts)])
    }

    fn types(&self, types: &[Type]) -> Term {
        Term::list(types.iter().map(|t| self.ty(t)).collect::<Vec<_>>())
    }

    fn ty(&self, t: &Type) -> Term {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.type_kind(t))
    }

    fn type_kind(&self, t: &Type) -> Term {
        let span = t.span;
        let list = |types: &[Type]| types.iter().map(|t| self.ty(t)).collect::<Vec<_>>();
        match &t.kind {
            TypeKind::Var(v) => self.node("var", span, [Term::atom(*v)]),
            TypeKind::Atom(a) => self.atom(span, *a),
            TypeKind::Integer(i) => self.node("integer", span, [integer(i)]),
            TypeKind::Char(c) => self.node("char", span, [Term::small(*c as i64)]),
            TypeKind::Unary { op, operand } => {
                self.node("op", span, [name(crate::print::unary_op(*op)), self.ty(operand)])
            }
            TypeKind::Binop { op, left, right } => {
                let op = name(crate::print::binary_op(*op));
                self.node("op", span, [op, self.ty(left), self.ty(right)])
            }
            TypeKind::Annotated { variable, ty } => {
                let variable = self.node("var", span, [Term::atom(*variable)]);
                self.node("ann_type", span, [Term::list(vec![variable, self.ty(ty)])])
            }
            TypeKind::Union(types) => self.built("union", span, list(types)),
            TypeKind::Range { low, high } => {
                self.built("range", span, vec![self.ty(low), self.ty(high)])
            }
            TypeKind::Nil => self.built("nil", span, vec![]),
            TypeKind::List(element) => self.built("list", span, vec![self.ty(element)]),
            TypeKind::NonemptyList(element) => {
                self.built("nonempty_list", span, vec![self.ty(element)])
            }
            TypeKind::Tuple(elements) => self.built("tuple", span, list(elements)),
            TypeKind::AnyTuple => self.node("type", span, [name("tuple"), name("any")]),
            TypeKind::AnyMap => self.node("type", span, [name("map"), name("any")]),
            TypeKind::Map(fields) => {
                let field = |f: &MapFieldType| {
                    let tag = match f.kind {
                        MapFieldKind::Assoc => "map_field_assoc",
                        MapFieldKind::Exact => "map_field_exact",
                    };
                    self.built(tag, f.span, vec![self.ty(&f.key), self.ty(&f.value)])
                };
                self.built("map", span, fields.iter().map(field).collect())
            }
            TypeKind::Record { name, fields } => {
                let mut parts = vec![self.atom(span, *name)];
                parts.extend(fields.iter().map(|(field, t)| {
                    let key = self.atom(t.span, *field);
                    self.built("field_type", t.span, vec![key, self.ty(t)])
                }));
                self.built("record", span, parts)
            }
            TypeKind::Binary { base, unit } => {
                self.built("binary", span, vec![self.ty(base), self.ty(unit)])
            }
            TypeKind::AnyFun => self.built("fun", span, vec![]),
            TypeKind::Fun { args, result } => {
                let args = match args {
                    None => self.node("type", span, [name("any")]),
                    Some(args) => self.built("product", span, list(args)),
                };
                self.built("fun", span, vec![args, self.ty(result)])
            }
            TypeKind::Builtin { name, args } => {
                self.node("type", span, [Term::atom(*name), self.types(args)])
            }
            TypeKind::User { name, args } => {
                self.node("user_type", span, [Term::atom(*name), self.types(args)])
            }
            TypeKind::Remote { module, name, args } => {
                let parts = [self.atom(span, *module), self.atom(span, *name), self.types(args)];
                self.node("remote_type", span, [Term::list(parts)])
            }
        }
    }
}
