//! The module as a whole: definitions, exports, imports, types and specs.

use super::Lint;
use crate::diagnostic::{Diagnostic, MAX_PROBLEMS};
use crate::forms::*;
use crate::print::atom;
use crate::source::Span;
use reverl_term::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

impl Lint<'_> {
    pub(super) fn forms(&mut self) {
        self.twice();
        self.exports();
        self.order();
        self.types();
        self.function_specs();
        self.type_variables();
    }

    /// Functions, records and imports that are there twice.
    fn twice(&mut self) {
        let mut functions: FxHashMap<FunName, Span> = FxHashMap::default();
        for function in &self.module.functions {
            if self.problems.len() > MAX_PROBLEMS {
                return;
            }
            let key = (function.name, function.arity);
            let head = function.clauses.first().map_or(function.span, |c| c.span);
            let shown = format!("{}/{}", atom(function.name), function.arity);
            if let Some(first) = functions.get(&key) {
                let message = format!("function {shown} already defined");
                let problem = Diagnostic::error(head, message).label(*first, "defined here");
                self.problems.push(problem);
            } else if self.imports.contains_key(&key) {
                self.error(head, format!("defining imported function {shown}"));
            }
            functions.entry(key).or_insert(head);
        }
        let mut records: FxHashMap<Atom, Span> = FxHashMap::default();
        for record in &self.module.records {
            if let Some(first) = records.get(&record.name) {
                let message = format!("record {} already defined", atom(record.name));
                let problem = Diagnostic::error(record.span, message);
                self.problems.push(problem.label(*first, "defined here"));
            }
            records.entry(record.name).or_insert(record.span);
        }
        let mut imports: FxHashMap<FunName, Atom> = FxHashMap::default();
        for import in &self.module.imports {
            let key = (import.name, import.arity);
            match imports.get(&key) {
                Some(first) if *first != import.module => {
                    let (name, arity) = (atom(import.name), import.arity);
                    let message =
                        format!("function {name}/{arity} already imported from {}", atom(*first));
                    self.error(import.span, message);
                }
                _ => {}
            }
            imports.entry(key).or_insert(import.module);
            self.import_hides_old_bif(import);
        }
    }

    fn exports(&mut self) {
        for ((name, arity), span) in &self.module.exports {
            if self.problems.len() > MAX_PROBLEMS {
                return;
            }
            let pseudo = name.name() == "module_info" && *arity <= 1;
            if !self.functions.contains_key(&(*name, *arity)) && !pseudo {
                self.undefined_function((*name, *arity), *span);
            }
        }
    }

    /// Attributes that the compiler reads must stand before the first function.
    fn order(&mut self) {
        let mut functions = false;
        for form in &self.module.forms {
            let late = match &form.kind {
                FormKind::Function(_) => {
                    functions = true;
                    continue;
                }
                FormKind::Export(_) => "export",
                FormKind::Import { .. } => "import",
                FormKind::Module(_) => "module",
                _ => continue,
            };
            if functions {
                self.error(form.span, format!("attribute {late} after function definitions"));
            }
        }
    }

    fn types(&mut self) {
        let mut defined: FxHashMap<(Atom, usize), Span> = FxHashMap::default();
        for form in &self.module.forms {
            let FormKind::Type(def) = &form.kind else { continue };
            let key = (def.name, def.params.len());
            if let Some(first) = defined.get(&key) {
                let message = format!("type {} already defined", type_name(key.0, key.1));
                let problem = Diagnostic::error(form.span, message).label(*first, "defined here");
                self.problems.push(problem);
            }
            defined.entry(key).or_insert(form.span);
        }
        let module = self.module;
        for form in &module.forms {
            match &form.kind {
                FormKind::Type(def) => self.known_types(&def.body, &defined),
                FormKind::Record { types, .. } => {
                    types.iter().flatten().for_each(|t| self.known_types(t, &defined));
                }
                FormKind::Spec(spec) => {
                    for signature in &spec.signatures {
                        self.known_types(&signature.function, &defined);
                        for constraint in &signature.constraints {
                            self.known_types(&constraint.bound, &defined);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn known_types(&mut self, ty: &Type, defined: &FxHashMap<(Atom, usize), Span>) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &ty.kind {
            // A type of OTP 29, unless the module has its own of that name.
            TypeKind::User { name, args } if args.is_empty() && name.name() == "record" => {}
            TypeKind::User { name, args } if !defined.contains_key(&(*name, args.len())) => {
                let message = format!("type {} undefined", type_name(*name, args.len()));
                self.undefined(ty.span, message);
            }
            TypeKind::Record { name, fields } => {
                if self.record_exists(*name, ty.span) {
                    for (field, _) in fields {
                        self.record_field(*name, *field, ty.span);
                    }
                }
                fields.iter().for_each(|(_, t)| self.known_types(t, defined));
            }
            _ => for_each_type(&ty.kind, &mut |part| self.known_types(part, defined)),
        });
    }

    fn function_specs(&mut self) {
        let mut seen = FxHashSet::default();
        for form in &self.module.forms {
            let FormKind::Spec(spec) = &form.kind else { continue };
            let shown = format!("{}/{}", atom(spec.name), spec.arity);
            let word = if spec.callback { "callback" } else { "spec" };
            let arity = |s: &Signature| match &s.function.kind {
                TypeKind::Fun { args: Some(args), .. } => args.len() as u32 == spec.arity,
                _ => false,
            };
            let here = spec.module.is_none_or(|m| m == self.module.name);
            if !seen.insert((spec.callback, spec.module, spec.name, spec.arity)) {
                let message = match spec.callback {
                    true => format!("callback {shown} already defined"),
                    false => format!("spec for {shown} already defined"),
                };
                self.error(form.span, message);
            } else if !spec.signatures.iter().all(arity) {
                self.error(form.span, format!("{word} has wrong arity"));
            } else if !spec.callback
                && here
                && !self.functions.contains_key(&(spec.name, spec.arity))
            {
                self.undefined(form.span, format!("spec for undefined function {shown}"));
            }
        }
    }
}

/// A use of a type variable.
type VariableUse = (Atom, Span);

impl Lint<'_> {
    /// A type variable that stands once says nothing about anything.
    fn type_variables(&mut self) {
        let module = self.module;
        for form in &module.forms {
            match &form.kind {
                FormKind::Type(def) => {
                    let mut uses = Vec::new();
                    def.params.iter().chain([&def.body]).for_each(|t| variables(t, &mut uses));
                    self.singletons(&uses);
                }
                FormKind::Spec(spec) => {
                    for signature in &spec.signatures {
                        let mut uses = Vec::new();
                        variables(&signature.function, &mut uses);
                        for constraint in &signature.constraints {
                            variables(&constraint.variable, &mut uses);
                            variables(&constraint.bound, &mut uses);
                        }
                        self.singletons(&uses);
                    }
                }
                _ => {}
            }
        }
    }

    fn singletons(&mut self, uses: &[VariableUse]) {
        for (name, span) in uses {
            let once = uses.iter().filter(|(other, _)| other == name).count() == 1;
            if once && !name.name().starts_with('_') {
                let message = format!("type variable '{name}' is only used once (is unbound)");
                self.error(*span, message);
            }
        }
    }
}

fn variables(ty: &Type, uses: &mut Vec<VariableUse>) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match &ty.kind {
        TypeKind::Var(name) => uses.push((*name, ty.span)),
        kind => for_each_type(kind, &mut |part| variables(part, uses)),
    });
}

/// `t()`, `t(_,_)`
fn type_name(name: Atom, arity: usize) -> String {
    format!("{}({})", atom(name), vec!["_"; arity].join(","))
}

/// The types directly inside a type.
fn for_each_type(kind: &TypeKind, f: &mut dyn FnMut(&Type)) {
    match kind {
        TypeKind::Var(_)
        | TypeKind::Atom(_)
        | TypeKind::Integer(_)
        | TypeKind::Char(_)
        | TypeKind::Nil
        | TypeKind::AnyTuple
        | TypeKind::AnyMap
        | TypeKind::AnyFun => {}
        TypeKind::Unary { operand: t, .. }
        | TypeKind::Annotated { ty: t, .. }
        | TypeKind::List(t)
        | TypeKind::NonemptyList(t) => f(t),
        TypeKind::Binop { left: a, right: b, .. }
        | TypeKind::Range { low: a, high: b }
        | TypeKind::Binary { base: a, unit: b } => {
            f(a);
            f(b);
        }
        TypeKind::Union(types) | TypeKind::Tuple(types) => types.iter().for_each(f),
        TypeKind::Map(fields) => {
            for field in fields {
                f(&field.key);
                f(&field.value);
            }
        }
        TypeKind::Record { fields, .. } => fields.iter().for_each(|(_, t)| f(t)),
        TypeKind::Fun { args, result } => {
            args.iter().flatten().for_each(&mut *f);
            f(result);
        }
        TypeKind::Builtin { args, .. }
        | TypeKind::User { args, .. }
        | TypeKind::Remote { args, .. } => args.iter().for_each(f),
    }
}
