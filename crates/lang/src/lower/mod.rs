//! Lowering: a checked module becomes register code.
//!
//! Every variable of a function clause has a register of its own, so all bindings can be shown at
//! any moment; temporaries and the arguments of calls live above them. A `fun` and each generator
//! of a comprehension become functions of their own, as they do on the BEAM, so stack traces
//! agree. Lowering assumes that `lint` found no error; where it would have, the code raises.

mod bits;
mod branch;
mod call;
mod comprehension;
pub mod constant;
mod emit;
mod expr;
mod free;
mod fun;
mod group;
mod guard;
mod list_loop;
mod names;
mod order;
mod pattern;
mod record;

use crate::ast::*;
use crate::code::*;
use crate::forms::{FormKind, FunName, Lambda, Module};
use crate::source::Span;
use comprehension::PendingGenerator;
use emit::FunLowering;
use list_loop::{ListedLoops, PendingLoop};
use names::LiftedNames;
use reverl_term::{Atom, Term};
use std::collections::HashMap;

/// A function whose code is still to be written.
enum Pending<'a> {
    Named(&'a Function, FunId),
    Closure(PendingClosure<'a>),
    Generator(PendingGenerator<'a>),
    Loop(PendingLoop),
}

struct PendingClosure<'a> {
    id: FunId,
    name: Option<Atom>,
    clauses: &'a [Clause],
    env: Vec<Atom>,
    parent: LiftedNames,
}

/// What all functions of the module share while it is lowered.
struct Lowering<'a> {
    module: &'a Module,
    code: &'a mut Code,
    records: HashMap<Atom, &'a RecordDef>,
    locals: HashMap<FunName, FunId>,
    native: &'a dyn Fn(Atom, u32) -> bool,
    pending: Vec<Pending<'a>>,
    closures: u32,
    lambdas: HashMap<(Atom, Option<u16>), Lambda>,
    loops: ListedLoops,
}

/// Adds the code of `module` to `code` and makes its functions known there. Calls of a function
/// of its own that is `native` (the machine has it built in, the text is only a stub) become
/// remote calls, which the machine resolves.
pub fn lower(module: &Module, code: &mut Code, native: &dyn Fn(Atom, u32) -> bool) {
    lower_with(module, code, native, HashMap::new());
}

/// As `lower`; the functions in `known` can be called as if they were the module's own.
pub fn lower_with(
    module: &Module,
    code: &mut Code,
    native: &dyn Fn(Atom, u32) -> bool,
    known: HashMap<FunName, FunId>,
) {
    let first_expr = ExprId(code.exprs.len() as u32);
    let records = module.records.iter().map(|r| (r.name, r)).collect();
    let locals = known;
    let listed = module.lambdas.iter().flatten();
    let lambdas = listed.clone().map(|lambda| (lambda.function(), *lambda)).collect();
    let loops = ListedLoops::new(&module.lifted);
    let (pending, closures) = (vec![], 0);
    let mut lowering =
        Lowering { module, code, records, locals, native, pending, closures, lambdas, loops };
    let inlined = inlined(module);
    for function in &module.functions {
        let kind = FunKind::Named;
        let id = lowering.declare(function.name, function.arity as u16, kind, function.span);
        let key = (function.name, function.arity);
        lowering.code.funs[id.0 as usize].inlined = inlined.contains(&key);
        lowering.locals.insert(key, id);
        lowering.pending.push(Pending::Named(function, id));
    }
    lowering.pending.reverse();
    while let Some(pending) = lowering.pending.pop() {
        lowering.lower_pending(pending);
    }
    let locals = lowering.locals;
    let exported = locals.iter().filter(|((n, a), _)| module.is_exported(*n, *a));
    let info = ModuleInfo {
        name: module.name,
        exports: exported.map(|(k, v)| (*k, *v)).collect(),
        locals,
        records: module.records.clone(),
        attributes: attributes(module),
        file: code.sources.get(module.file).map_or(String::new(), |f| f.name.to_string()),
        first_expr,
        lambdas: listed.map(|l| (l.index, l.function().0)).collect(),
        is_of_platform: module.is_of_platform,
    };
    code.modules.insert(module.name, info);
}

/// The functions that `-compile({inline, [F/A]})` names.
fn inlined(module: &Module) -> Vec<(Atom, u32)> {
    let mut found = vec![];
    for (_, value) in attributes(module).iter().filter(|(name, _)| name.name() == "compile") {
        let options = value.to_vec().unwrap_or_else(|| vec![value.clone()]);
        for option in options {
            let Some([key, functions]) = option.as_tuple() else { continue };
            if key.is_atom_eq(Atom::new("inline")) {
                let functions = functions.to_vec().unwrap_or_else(|| vec![functions.clone()]);
                found.extend(functions.iter().filter_map(|f| match f.as_tuple()? {
                    [name, arity] => Some((name.as_atom()?, arity.as_small()? as u32)),
                    _ => None,
                }));
            }
        }
    }
    found
}

fn attributes(module: &Module) -> Vec<(Atom, Term)> {
    let literal = |form: &crate::forms::Form| match &form.kind {
        FormKind::Attribute { name, value } => Some((*name, constant::constant(value)?)),
        _ => None,
    };
    module.forms.iter().filter_map(literal).collect()
}

impl<'a> Lowering<'a> {
    fn declare(&mut self, name: Atom, arity: u16, kind: FunKind, span: Span) -> FunId {
        self.code.funs.push(FunInfo {
            module: self.module.name,
            name,
            arity,
            entry: 0,
            end: 0,
            registers: 0,
            kind,
            lambda: self.lambda(name, arity),
            inlined: false,
            part_of: None,
            span,
            handlers: vec![],
            receives: vec![],
            clauses: vec![],
            vars: vec![],
        });
        FunId(self.code.funs.len() as u32 - 1)
    }

    /// The fun that enters a function.
    fn lambda(&self, name: Atom, arity: u16) -> Option<Lambda> {
        let of_fun = self.lambdas.get(&(name, None));
        of_fun.or_else(|| self.lambdas.get(&(name, Some(arity)))).copied()
    }

    fn lower_pending(&mut self, pending: Pending<'a>) {
        match pending {
            Pending::Named(function, id) => {
                let is_listed = |name: Atom| self.lambdas.contains_key(&(name, None));
                let names = LiftedNames::of(function, &is_listed);
                let mut f = FunLowering::new(self, id, names);
                f.clauses_of_function(&function.clauses, function.arity as u16);
                f.finish();
            }
            Pending::Closure(closure) => {
                let arity = closure.clauses[0].patterns.len() as u16;
                let mut f = FunLowering::new(self, closure.id, closure.parent);
                f.open_closure(closure.name, arity, &closure.env);
                f.clauses_of_function(closure.clauses, arity);
                f.finish();
            }
            Pending::Generator(generator) => comprehension::lower_generator(self, generator),
            Pending::Loop(pending) => list_loop::lower_loop(self, pending),
        }
    }

    /// The function that a call of `name/arity` without a module means.
    fn callee(&self, name: Atom, arity: u32) -> Callee {
        if let Some(id) = self.locals.get(&(name, arity)) {
            let native = (self.native)(name, arity);
            return if native { Callee::Remote(self.module.name) } else { Callee::Local(*id) };
        }
        if let Some(module) = self.module.imported_from(name, arity) {
            return Callee::Remote(module);
        }
        if crate::bifs::is_auto_imported(name, arity) {
            return Callee::Remote(reverl_term::atoms::ERLANG);
        }
        // Undefined, which lint refuses; of a module read from elsewhere it is an `undef`.
        Callee::Remote(self.module.name)
    }
}

enum Callee {
    Local(FunId),
    Remote(Atom),
}
