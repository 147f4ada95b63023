//! Types, specs and record declarations from abstract format.

use super::read::{Read, Reader, atom, atom_node, character, integer, number, parts, refuse};
use super::{binary_op_named, unary_op_named};
use crate::ast::{MapFieldKind, RecordDef, RecordFieldDef};
use crate::forms::*;
use crate::parser::ParsedKind;
use reverl_term::{Atom, Term};

impl Reader<'_> {
    pub(super) fn record(&mut self, name: Atom, fields: &Term, at: &Term) -> Read<ParsedKind> {
        let (mut defs, mut types) = (Vec::new(), Vec::new());
        for field in fields.list_iter() {
            let (plain, ty) = match field.as_tuple() {
                Some([tag, plain, ty])
                    if tag.as_atom().is_some_and(|t| t.name() == "typed_record_field") =>
                {
                    (plain, Some(self.ty(ty)?))
                }
                _ => (field, None),
            };
            let (name, default, at) = match parts(plain)? {
                ("record_field", at, [name]) => (atom_node(name)?, None, at),
                ("record_field", at, [name, value]) => {
                    (atom_node(name)?, Some(self.expr(value)?), at)
                }
                _ => return refuse(plain),
            };
            defs.push(RecordFieldDef { name, default, span: self.span(at) });
            types.push(ty);
        }
        let definition = RecordDef { name, fields: defs, span: self.span(at) };
        Ok(ParsedKind::Record { definition, types })
    }

    pub(super) fn type_def(
        &mut self,
        word: &str,
        name: Atom,
        body: &Term,
        params: &Term,
    ) -> Read<ParsedKind> {
        let kind = match word {
            "opaque" => TypeDefKind::Opaque,
            "nominal" => TypeDefKind::Nominal,
            _ => TypeDefKind::Type,
        };
        let (body, params) = (self.ty(body)?, self.types(params)?);
        Ok(ParsedKind::Type(TypeDef { kind, name, params, body }))
    }

    pub(super) fn spec(&mut self, callback: bool, id: &Term, list: &Term) -> Read<ParsedKind> {
        let (module, name, arity) = match id.as_tuple() {
            Some([name, arity]) => (None, atom(name)?, number(arity)?),
            Some([module, name, arity]) => (Some(atom(module)?), atom(name)?, number(arity)?),
            _ => return refuse(id),
        };
        let signatures = list.list_iter().map(|s| self.signature(s)).collect::<Read<_>>()?;
        Ok(ParsedKind::Spec(Spec { callback, module, name, arity, signatures }))
    }

    fn signature(&mut self, term: &Term) -> Read<Signature> {
        let (tag, at, rest) = parts(term)?;
        let span = self.span(at);
        let bounded = match (tag, rest) {
            ("type", [name, list]) if atom(name)?.name() == "bounded_fun" => list.to_vec(),
            _ => None,
        };
        let Some(bounded) = bounded else {
            return Ok(Signature { function: self.ty(term)?, constraints: Vec::new(), span });
        };
        let [function, list] = bounded.as_slice() else { return refuse(term) };
        let constraints = list.list_iter().map(|c| self.constraint(c)).collect::<Read<_>>()?;
        Ok(Signature { function: self.ty(function)?, constraints, span })
    }

    fn constraint(&mut self, term: &Term) -> Read<Constraint> {
        let ("type", at, [_, list]) = parts(term)? else { return refuse(term) };
        let list = list.to_vec().unwrap_or_default();
        let bound = list.get(1).and_then(Term::to_vec).unwrap_or_default();
        let [variable, bound] = bound.as_slice() else { return refuse(term) };
        let (variable, bound) = (self.ty(variable)?, self.ty(bound)?);
        Ok(Constraint { variable, bound, span: self.span(at) })
    }

    fn types(&mut self, list: &Term) -> Read<Vec<Type>> {
        list.list_iter().map(|t| self.ty(t)).collect()
    }

    fn ty(&mut self, term: &Term) -> Read<Type> {
        self.nested(term, |reader| {
            let (tag, at, rest) = parts(term)?;
            let span = reader.span(at);
            let kind = match (tag, rest) {
                ("var", [name]) => TypeKind::Var(atom(name)?),
                ("atom", [name]) => TypeKind::Atom(atom(name)?),
                ("integer", [value]) => TypeKind::Integer(integer(value)?),
                ("char", [value]) => TypeKind::Char(character(value)?),
                ("op", [op, operand]) => match unary_op_named(atom(op)?.name()) {
                    Some(op) => TypeKind::Unary { op, operand: reader.boxed_type(operand)? },
                    None => return refuse(term),
                },
                ("op", [op, left, right]) => match binary_op_named(atom(op)?.name()) {
                    Some(op) => TypeKind::Binop {
                        op,
                        left: reader.boxed_type(left)?,
                        right: reader.boxed_type(right)?,
                    },
                    None => return refuse(term),
                },
                ("ann_type", [list]) => {
                    let list = list.to_vec().unwrap_or_default();
                    let [variable, ty] = list.as_slice() else { return refuse(term) };
                    let ("var", _, [variable]) = parts(variable)? else { return refuse(term) };
                    TypeKind::Annotated { variable: atom(variable)?, ty: reader.boxed_type(ty)? }
                }
                ("type", [name]) if atom(name)?.name() == "any" => return refuse(term),
                ("type", [name, args]) => reader.built_type(atom(name)?, args, term)?,
                ("user_type", [name, args]) => {
                    TypeKind::User { name: atom(name)?, args: reader.types(args)? }
                }
                ("remote_type", [list]) => {
                    let list = list.to_vec().unwrap_or_default();
                    let [module, name, args] = list.as_slice() else { return refuse(term) };
                    let (module, name) = (atom_node(module)?, atom_node(name)?);
                    TypeKind::Remote { module, name, args: reader.types(args)? }
                }
                // `(T)` of old releases.
                ("paren_type", [list]) => {
                    let list = list.to_vec().unwrap_or_default();
                    let [inner] = list.as_slice() else { return refuse(term) };
                    reader.ty(inner)?.kind
                }
                _ => return refuse(term),
            };
            Ok(Type { kind, span })
        })
    }

    fn boxed_type(&mut self, term: &Term) -> Read<Box<Type>> {
        Ok(Box::new(self.ty(term)?))
    }

    /// `{type, Position, Name, Parts}`: shapes with a notation of their own, or a named type.
    fn built_type(&mut self, name: Atom, args: &Term, term: &Term) -> Read<TypeKind> {
        if args.is_atom() {
            return match name.name() {
                "tuple" => Ok(TypeKind::AnyTuple),
                "map" => Ok(TypeKind::AnyMap),
                _ => refuse(term),
            };
        }
        let list = args.to_vec().map_or_else(|| refuse(term), Ok)?;
        Ok(match (name.name(), list.as_slice()) {
            ("nil", []) => TypeKind::Nil,
            ("list", [element]) => TypeKind::List(self.boxed_type(element)?),
            ("nonempty_list", [element]) => TypeKind::NonemptyList(self.boxed_type(element)?),
            ("tuple", _) => TypeKind::Tuple(self.types(args)?),
            ("union", _) => TypeKind::Union(self.types(args)?),
            ("range", [low, high]) => {
                TypeKind::Range { low: self.boxed_type(low)?, high: self.boxed_type(high)? }
            }
            ("binary", [base, unit]) => {
                TypeKind::Binary { base: self.boxed_type(base)?, unit: self.boxed_type(unit)? }
            }
            ("map", _) => {
                let fields = list.iter().map(|f| self.map_field_type(f));
                TypeKind::Map(fields.collect::<Read<_>>()?)
            }
            ("record", [name, fields @ ..]) => {
                let fields = fields.iter().map(|f| self.field_type(f));
                TypeKind::Record { name: atom_node(name)?, fields: fields.collect::<Read<_>>()? }
            }
            ("fun", []) => TypeKind::AnyFun,
            ("fun", [args, result]) => {
                let args = match parts(args)? {
                    ("type", _, [_]) => None,
                    ("type", _, [_, list]) => Some(self.types(list)?),
                    _ => return refuse(args),
                };
                TypeKind::Fun { args, result: self.boxed_type(result)? }
            }
            _ => TypeKind::Builtin { name, args: self.types(args)? },
        })
    }

    fn map_field_type(&mut self, term: &Term) -> Read<MapFieldType> {
        let ("type", at, [tag, list]) = parts(term)? else { return refuse(term) };
        let kind = match atom(tag)?.name() {
            "map_field_assoc" => MapFieldKind::Assoc,
            "map_field_exact" => MapFieldKind::Exact,
            _ => return refuse(term),
        };
        let list = list.to_vec().unwrap_or_default();
        let [key, value] = list.as_slice() else { return refuse(term) };
        let (key, value) = (self.ty(key)?, self.ty(value)?);
        Ok(MapFieldType { kind, key, value, span: self.span(at) })
    }

    fn field_type(&mut self, term: &Term) -> Read<(Atom, Type)> {
        let ("type", _, [_, list]) = parts(term)? else { return refuse(term) };
        let list = list.to_vec().unwrap_or_default();
        let [name, ty] = list.as_slice() else { return refuse(term) };
        Ok((atom_node(name)?, self.ty(ty)?))
    }
}
