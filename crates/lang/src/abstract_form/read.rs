//! Abstract format to syntax: the debug info of a `.beam` as a module.
//!
//! The term may come from any file, so nothing about its shape is taken for granted.

use super::{binary_op_named, unary_op_named};
use crate::ast::*;
use crate::diagnostic::Diagnostic;
use crate::files;
use crate::forms::{FunName, Module};
use crate::module::Builder;
use crate::parser::{MAX_DEPTH, ParsedForm, ParsedKind, joined_list};
use crate::source::{FileId, SourceMap, Span};
use reverl_term::{Atom, Term, View};
use std::path::PathBuf;

/// The term is not abstract format as we know it: the smallest part that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

pub(super) type Read<T> = Result<T, Unreadable>;

/// A module from its abstract forms. `find_source` may know where a file that a `-file` form names
/// is to be found; without it only lines and columns are known.
pub fn read(
    forms: &Term,
    sources: &mut SourceMap,
    find_source: &dyn Fn(&str) -> Option<PathBuf>,
) -> Read<(Module, Vec<Diagnostic>)> {
    let mut reader = Reader { sources, find_source, file: FileId(u32::MAX), depth: 0 };
    let mut builder = None;
    for form in forms.list_iter() {
        let Some(parsed) = reader.form(form)? else { continue };
        let builder = builder.get_or_insert_with(|| Builder::new(reader.file));
        builder.add(parsed);
    }
    let Some(builder) = builder.filter(|b| b.named) else {
        return Err(Unreadable("no module attribute".to_string()));
    };
    let mut builder = builder;
    let problems = std::mem::take(&mut builder.problems);
    Ok((builder.finish(), problems))
}

pub(super) struct Reader<'a> {
    sources: &'a mut SourceMap,
    find_source: &'a dyn Fn(&str) -> Option<PathBuf>,
    file: FileId,
    depth: u32,
}

pub(super) fn refuse<T>(what: &Term) -> Read<T> {
    let mut text = what.to_string();
    if let Some((end, _)) = text.char_indices().nth(120) {
        text.truncate(end);
        text.push_str("...");
    }
    Err(Unreadable(text))
}

/// `{Tag, Position, Parts...}`
pub(super) fn parts(term: &Term) -> Read<(&'static str, &Term, &[Term])> {
    match term.as_tuple() {
        Some([tag, at, rest @ ..]) => match tag.as_atom() {
            Some(tag) => Ok((tag.name(), at, rest)),
            None => refuse(term),
        },
        _ => refuse(term),
    }
}

pub(super) fn atom(term: &Term) -> Read<Atom> {
    term.as_atom().map_or_else(|| refuse(term), Ok)
}

pub(super) fn number(term: &Term) -> Read<u32> {
    let value = term.as_i64().and_then(|i| u32::try_from(i).ok());
    value.map_or_else(|| refuse(term), Ok)
}

pub(super) fn integer(term: &Term) -> Read<Integer> {
    match (term.as_i64(), term.to_bigint()) {
        (Some(i), _) => Ok(Integer::Small(i)),
        (None, Some(i)) => Ok(Integer::Big(Box::new(i))),
        _ => refuse(term),
    }
}

pub(super) fn character(term: &Term) -> Read<char> {
    let value = term.as_i64().and_then(|i| u32::try_from(i).ok()).and_then(char::from_u32);
    value.map_or_else(|| refuse(term), Ok)
}

fn string(term: &Term) -> Read<Box<str>> {
    let text: Read<String> = term.list_iter().map(character).collect();
    Ok(text?.into())
}

/// `{atom, Position, Name}`
pub(super) fn atom_node(term: &Term) -> Read<Atom> {
    match parts(term)? {
        ("atom", _, [name]) => atom(name),
        _ => refuse(term),
    }
}

fn names(term: &Term) -> Read<Vec<(FunName, Span)>> {
    let name = |pair: &Term| match pair.as_tuple() {
        Some([name, arity]) => Ok(((atom(name)?, number(arity)?), Span::NONE)),
        _ => refuse(pair),
    };
    term.list_iter().map(name).collect()
}

impl Reader<'_> {
    /// A position: a line, `{Line, Column}`, or a list of properties with a `location` among them.
    pub(super) fn span(&self, at: &Term) -> Span {
        let (line, column) = match at.view() {
            View::Int(line) => (line, 0),
            View::Tuple([line, column]) => {
                (line.as_small().unwrap_or(0), column.as_small().unwrap_or(0))
            }
            View::Cons(..) => {
                let location = at.list_iter().find_map(|property| match property.as_tuple() {
                    Some([key, value]) if key.as_atom()?.name() == "location" => Some(value),
                    _ => None,
                });
                return location.map_or(self.start(), |value| match value.view() {
                    View::Cons(..) => self.start(),
                    _ => self.span(value),
                });
            }
            _ => (0, 0),
        };
        let line = u32::try_from(line).unwrap_or(0);
        let column = u32::try_from(column).unwrap_or(0);
        let start = self.sources.get(self.file).map_or(0, |f| f.offset_of(line, column));
        Span { file: self.file, start, end: start }
    }

    fn start(&self) -> Span {
        Span { file: self.file, start: 0, end: 0 }
    }

    fn enter_file(&mut self, name: &str) {
        self.file = match (self.find_source)(name) {
            // As it was given, whatever has become of it on disk.
            Some(path) => {
                self.sources.with_text(&path).unwrap_or_else(|| match files::read_file(&path) {
                    Ok(bytes) => self.sources.load(name, &path, bytes).0,
                    Err(_) => self.sources.without_text(name, &path),
                })
            }
            None => self.sources.without_text(name, std::path::Path::new(name)),
        };
    }

    fn form(&mut self, form: &Term) -> Read<Option<ParsedForm>> {
        let (tag, at, rest) = parts(form)?;
        let kind = match (tag, rest) {
            ("attribute", [name, value]) => self.attribute(atom(name)?, value, at)?,
            ("function", [name, arity, clauses]) => {
                let (name, arity) = (atom(name)?, number(arity)?);
                let clauses = self.clauses(clauses)?;
                if clauses.iter().any(|c| c.patterns.len() != arity as usize) {
                    return refuse(form);
                }
                ParsedKind::Function(Function { name, arity, clauses, span: self.span(at) })
            }
            ("eof" | "error" | "warning", _) => return Ok(None),
            _ => return refuse(form),
        };
        Ok(Some(ParsedForm { kind, span: self.span(at) }))
    }

    fn attribute(&mut self, name: Atom, value: &Term, at: &Term) -> Read<ParsedKind> {
        Ok(match (name.name(), value.view()) {
            ("module", View::Atom(module)) => ParsedKind::Module(module),
            ("file", View::Tuple([name, line])) => {
                let name = string(name)?;
                self.enter_file(&name);
                ParsedKind::File { name, line: number(line)? }
            }
            ("export", _) => ParsedKind::Export(names(value)?),
            ("import", View::Tuple([module, list])) => {
                ParsedKind::Import { module: atom(module)?, names: names(list)? }
            }
            ("record", View::Tuple([name, fields])) => self.record(atom(name)?, fields, at)?,
            ("type" | "opaque" | "nominal", View::Tuple([head, body, params])) => {
                // Before OTP 19 the types of a record's fields came as a type of its own.
                match head.as_atom() {
                    Some(head) => self.type_def(name.name(), head, body, params)?,
                    None => ParsedKind::Attribute { name, value: literal(value)? },
                }
            }
            ("spec" | "callback", View::Tuple([id, signatures])) => {
                self.spec(name.name() == "callback", id, signatures)?
            }
            _ => ParsedKind::Attribute { name, value: literal(value)? },
        })
    }

    pub(super) fn exprs(&mut self, list: &Term) -> Read<Vec<Expr>> {
        list.list_iter().map(|e| self.expr(e)).collect()
    }

    fn clauses(&mut self, list: &Term) -> Read<Vec<Clause>> {
        list.list_iter().map(|c| self.clause(c)).collect()
    }

    fn clause(&mut self, clause: &Term) -> Read<Clause> {
        let ("clause", at, [patterns, guard, body]) = parts(clause)? else {
            return refuse(clause);
        };
        Ok(Clause {
            patterns: self.exprs(patterns)?,
            guard: guard.list_iter().map(|tests| self.exprs(tests)).collect::<Read<_>>()?,
            body: self.exprs(body)?,
            span: self.span(at),
        })
    }

    /// One level deeper, on a stack that grows.
    pub(super) fn nested<T>(
        &mut self,
        term: &Term,
        f: impl FnOnce(&mut Self) -> Read<T>,
    ) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Unreadable(format!("nested more than {MAX_DEPTH} levels deep")));
        }
        let _ = term;
        self.depth += 1;
        let result = stacker::maybe_grow(64 * 1024, 1024 * 1024, || f(self));
        self.depth -= 1;
        result
    }

    pub(super) fn expr(&mut self, term: &Term) -> Read<Expr> {
        self.nested(term, |reader| {
            let (tag, at, rest) = parts(term)?;
            let span = reader.span(at);
            let kind = reader.kind(tag, rest, term, span)?;
            Ok(Expr { kind, span })
        })
    }

    fn boxed(&mut self, term: &Term) -> Read<Box<Expr>> {
        Ok(Box::new(self.expr(term)?))
    }

    fn kind(&mut self, tag: &str, rest: &[Term], term: &Term, op_span: Span) -> Read<ExprKind> {
        Ok(match (tag, rest) {
            ("var", [name]) => ExprKind::Var(atom(name)?),
            ("integer", [value]) => ExprKind::Integer(integer(value)?),
            ("float", [value]) => {
                ExprKind::Float(value.as_float().map_or_else(|| refuse(term), Ok)?)
            }
            ("char", [value]) => ExprKind::Char(character(value)?),
            ("atom", [name]) => ExprKind::Atom(atom(name)?),
            ("string", [text]) => ExprKind::String(string(text)?),
            ("nil", []) => ExprKind::Nil,
            ("cons", [head, tail]) => self.list(head, tail)?,
            ("tuple", [elements]) => ExprKind::Tuple(self.exprs(elements)?),
            ("map", [fields]) => ExprKind::Map(self.map_fields(fields)?),
            ("map", [map, fields]) => ExprKind::MapUpdate {
                map: self.boxed(map)?,
                fields: self.map_fields(fields)?,
                op_span,
            },
            ("record", [name, fields]) => {
                ExprKind::Record { name: atom(name)?, fields: self.record_fields(fields)? }
            }
            ("record", [record, name, fields]) => ExprKind::RecordUpdate {
                op_span,
                record: self.boxed(record)?,
                name: atom(name)?,
                fields: self.record_fields(fields)?,
            },
            ("record_field", [record, name, field]) => ExprKind::RecordAccess {
                op_span,
                record: self.boxed(record)?,
                name: atom(name)?,
                field: atom_node(field)?,
            },
            ("record_index", [name, field]) => {
                ExprKind::RecordIndex { name: atom(name)?, field: atom_node(field)? }
            }
            ("bin", [elements]) => {
                let elements = elements.list_iter().map(|e| self.bin_element(e));
                ExprKind::Binary(elements.collect::<Read<_>>()?)
            }
            ("op", [op, operand]) => match unary_op_named(atom(op)?.name()) {
                Some(op) => ExprKind::Unary { op, operand: self.boxed(operand)? },
                None => return refuse(term),
            },
            ("op", [op, left, right]) => match binary_op_named(atom(op)?.name()) {
                Some(op) => ExprKind::Binop {
                    op,
                    left: self.boxed(left)?,
                    right: self.boxed(right)?,
                    op_span,
                },
                None => return refuse(term),
            },
            ("match", [pattern, value]) => {
                ExprKind::Match { pattern: self.boxed(pattern)?, value: self.boxed(value)? }
            }
            ("maybe_match", [pattern, value]) => {
                ExprKind::MaybeMatch { pattern: self.boxed(pattern)?, value: self.boxed(value)? }
            }
            ("call", [function, args]) => {
                ExprKind::Call { function: self.boxed(function)?, args: self.exprs(args)? }
            }
            ("remote", [module, name]) => {
                ExprKind::Remote { module: self.boxed(module)?, name: self.boxed(name)? }
            }
            ("block", [body]) => ExprKind::Block(self.exprs(body)?),
            ("if", [clauses]) => ExprKind::If(self.clauses(clauses)?),
            ("case", [subject, clauses]) => {
                ExprKind::Case { subject: self.boxed(subject)?, clauses: self.clauses(clauses)? }
            }
            ("receive", [clauses]) => {
                ExprKind::Receive { clauses: self.clauses(clauses)?, after: None }
            }
            ("receive", [clauses, timeout, body]) => {
                let clauses = self.clauses(clauses)?;
                let after = After { timeout: self.boxed(timeout)?, body: self.exprs(body)? };
                ExprKind::Receive { clauses, after: Some(after) }
            }
            ("try", [body, of, catch, after]) => ExprKind::Try(Box::new(Try {
                body: self.exprs(body)?,
                of_clauses: self.clauses(of)?,
                catch_clauses: self.clauses(catch)?,
                after: self.exprs(after)?,
            })),
            ("catch", [body]) => ExprKind::Catch(self.boxed(body)?),
            ("maybe", [body]) => {
                ExprKind::Maybe { body: self.exprs(body)?, else_clauses: Vec::new() }
            }
            ("maybe", [body, other]) => match parts(other)? {
                ("else", _, [clauses]) => ExprKind::Maybe {
                    body: self.exprs(body)?,
                    else_clauses: self.clauses(clauses)?,
                },
                _ => return refuse(other),
            },
            ("fun", [what]) => self.fun(what)?,
            ("named_fun", [name, clauses]) => {
                ExprKind::Fun { name: Some(atom(name)?), clauses: self.clauses(clauses)? }
            }
            ("lc", [templates, qualifiers]) => ExprKind::ListComp {
                templates: self.exprs(&list_of(templates))?,
                qualifiers: self.qualifiers(qualifiers)?,
            },
            ("bc", [template, qualifiers]) => ExprKind::BinaryComp {
                templates: vec![self.expr(template)?],
                qualifiers: self.qualifiers(qualifiers)?,
            },
            ("mc", [templates, qualifiers]) => ExprKind::MapComp {
                fields: self.map_fields(&list_of(templates))?,
                qualifiers: self.qualifiers(qualifiers)?,
            },
            _ => return refuse(term),
        })
    }

    /// A chain of cells, without recursion along it.
    fn list(&mut self, head: &Term, tail: &Term) -> Read<ExprKind> {
        let mut elements = vec![self.expr(head)?];
        let mut rest = tail;
        loop {
            match parts(rest)? {
                ("cons", _, [head, tail]) => {
                    elements.push(self.expr(head)?);
                    rest = tail;
                }
                _ => {
                    let tail = self.expr(rest)?;
                    return Ok(joined_list(elements, tail));
                }
            }
        }
    }

    fn map_fields(&mut self, fields: &Term) -> Read<Vec<MapField>> {
        let field = |term: &Term| {
            let (kind, at, key, value) = match parts(term)? {
                ("map_field_assoc", at, [k, v]) => (MapFieldKind::Assoc, at, k, v),
                ("map_field_exact", at, [k, v]) => (MapFieldKind::Exact, at, k, v),
                _ => return refuse(term),
            };
            let (key, value) = (self.expr(key)?, self.expr(value)?);
            Ok(MapField { kind, key, value, span: self.span(at) })
        };
        fields.list_iter().map(field).collect()
    }

    fn record_fields(&mut self, fields: &Term) -> Read<Vec<RecordField>> {
        let field = |term: &Term| {
            let ("record_field", at, [key, value]) = parts(term)? else { return refuse(term) };
            let name = match parts(key)? {
                ("atom", _, [name]) => Some(atom(name)?),
                ("var", _, [name]) if atom(name)?.name() == "_" => None,
                _ => return refuse(key),
            };
            Ok(RecordField { name, value: self.expr(value)?, span: self.span(at) })
        };
        fields.list_iter().map(field).collect()
    }

    fn bin_element(&mut self, term: &Term) -> Read<BinElement> {
        let ("bin_element", at, [value, size, specs]) = parts(term)? else { return refuse(term) };
        let size = if size.is_atom() { None } else { Some(self.boxed(size)?) };
        let spec = |spec: &Term| match spec.view() {
            View::Atom(word) => Ok(BinSpec::Word(word)),
            View::Tuple([_, unit]) => Ok(BinSpec::Unit(number(unit)?)),
            _ => refuse(spec),
        };
        let specs = specs.list_iter().map(spec).collect::<Read<_>>()?;
        Ok(BinElement { value: self.expr(value)?, size, specs, span: self.span(at) })
    }

    fn fun(&mut self, what: &Term) -> Read<ExprKind> {
        match what.as_tuple() {
            Some([tag, clauses]) if tag.as_atom().is_some_and(|t| t.name() == "clauses") => {
                Ok(ExprKind::Fun { name: None, clauses: self.clauses(clauses)? })
            }
            Some([_, name, arity]) => {
                Ok(ExprKind::FunLocal { name: atom(name)?, arity: number(arity)? })
            }
            // Before R15 the parts were bare terms.
            Some([_, module, name, arity]) if module.is_atom() => {
                let plain = |kind| Box::new(Expr { kind, span: Span::NONE });
                Ok(ExprKind::FunRemote {
                    module: plain(ExprKind::Atom(atom(module)?)),
                    name: plain(ExprKind::Atom(atom(name)?)),
                    arity: plain(ExprKind::Integer(integer(arity)?)),
                })
            }
            Some([_, module, name, arity]) => Ok(ExprKind::FunRemote {
                module: self.boxed(module)?,
                name: self.boxed(name)?,
                arity: self.boxed(arity)?,
            }),
            _ => refuse(what),
        }
    }

    fn qualifiers(&mut self, list: &Term) -> Read<Vec<Qualifier>> {
        list.list_iter().map(|q| self.qualifier(q)).collect()
    }

    fn qualifier(&mut self, term: &Term) -> Read<Qualifier> {
        let (tag, at, rest) = parts(term)?;
        let (kind, strict) = match tag {
            "generate" => (GeneratorKind::List, false),
            "generate_strict" => (GeneratorKind::List, true),
            "b_generate" => (GeneratorKind::Binary, false),
            "b_generate_strict" => (GeneratorKind::Binary, true),
            "m_generate" => (GeneratorKind::Map, false),
            "m_generate_strict" => (GeneratorKind::Map, true),
            "zip" => {
                let [list] = rest else { return refuse(term) };
                let mut generators = Vec::new();
                for part in list.list_iter() {
                    match self.nested(part, |reader| reader.qualifier(part))? {
                        Qualifier::Generator(generator) => generators.push(generator),
                        _ => return refuse(part),
                    }
                }
                return Ok(Qualifier::Zip { generators, span: self.span(at) });
            }
            _ => return Ok(Qualifier::Filter(self.expr(term)?)),
        };
        let [pattern, source] = rest else { return refuse(term) };
        let (pattern, value_pattern) = match (kind, parts(pattern)?) {
            (GeneratorKind::Map, ("map_field_exact", _, [key, value])) => {
                (self.expr(key)?, Some(self.expr(value)?))
            }
            (GeneratorKind::Map, _) => return refuse(pattern),
            _ => (self.expr(pattern)?, None),
        };
        let source = self.expr(source)?;
        let span = self.span(at);
        Ok(Qualifier::Generator(Generator { kind, pattern, value_pattern, source, strict, span }))
    }
}

/// What a turn of a comprehension gives: one thing, or a list of several.
fn list_of(templates: &Term) -> Term {
    match templates.is_list() {
        true => templates.clone(),
        false => Term::list([templates.clone()]),
    }
}

/// Any term as the literal expression that denotes it.
pub(super) fn literal(term: &Term) -> Read<Expr> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || literal_at(term, 0))
}

fn literal_at(term: &Term, depth: u32) -> Read<Expr> {
    if depth > MAX_DEPTH / 8 {
        return Err(Unreadable("an attribute nested too deeply".to_string()));
    }
    let of = |t: &Term| literal_at(t, depth + 1);
    let node = |kind| Expr { kind, span: Span::NONE };
    let kind = match term.view() {
        View::Int(i) => ExprKind::Integer(Integer::Small(i)),
        View::Big(_) => ExprKind::Integer(integer(term)?),
        View::Float(f) => ExprKind::Float(f),
        View::Atom(a) => ExprKind::Atom(a),
        View::Nil => ExprKind::Nil,
        View::Cons(..) => {
            let printable = |t: &Term| matches!(t.as_small(), Some(9..=126));
            let mut cells = term.list_iter();
            if cells.by_ref().all(printable) && cells.tail().is_nil() {
                ExprKind::String(string(term)?)
            } else {
                let elements = term.list_iter().map(of).collect::<Read<Vec<_>>>()?;
                let mut cells = term.list_iter();
                cells.by_ref().for_each(drop);
                joined_list(elements, of(cells.tail())?)
            }
        }
        View::Tuple(parts) => ExprKind::Tuple(parts.iter().map(of).collect::<Read<_>>()?),
        View::Map(map) => {
            let field = |(k, v): (&Term, &Term)| {
                let (key, value) = (of(k)?, of(v)?);
                Ok(MapField { kind: MapFieldKind::Assoc, key, value, span: Span::NONE })
            };
            ExprKind::Map(map.iter().map(field).collect::<Read<_>>()?)
        }
        View::Bits(bits) if bits.is_binary() => {
            let element = |byte: u8| BinElement {
                value: node(ExprKind::Integer(Integer::Small(byte.into()))),
                size: None,
                specs: Vec::new(),
                span: Span::NONE,
            };
            ExprKind::Binary(bits.to_vec().into_iter().map(element).collect())
        }
        View::Fun(reverl_term::Fun::External { module, name, arity }) => {
            let arity = Integer::Small((*arity).into());
            ExprKind::FunRemote {
                module: Box::new(node(ExprKind::Atom(*module))),
                name: Box::new(node(ExprKind::Atom(*name))),
                arity: Box::new(node(ExprKind::Integer(arity))),
            }
        }
        _ => return refuse(term),
    };
    Ok(node(kind))
}
