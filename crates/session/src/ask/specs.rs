//! `-spec`s answer: a call with arguments that they do not allow should not be, and a value that
//! they do not allow is wrong. A value that they allow can still be wrong: that says nothing.

use super::facts::{CameTo, Facts};
use super::judge::{Judge, Judged};
use super::question::{Aspect, value};
use reverl_analysis::declare::{Kind, NodeId, Tree};
use reverl_causal::System;
use reverl_lang::ast::Integer;
use reverl_lang::forms::{FormKind, Module, Signature, Type, TypeKind};
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_term::{Atom, Term, View};
use std::collections::HashMap;

/// The `-spec` attributes of the program's modules, as a judge of calls.
#[derive(Default)]
pub struct Specs {
    /// The forms of modules whose text is there, read when first needed.
    modules: HashMap<Atom, Option<Module>>,
}

impl Specs {
    pub fn new() -> Specs {
        Specs::default()
    }

    fn module(&mut self, system: &System, name: Atom) -> Option<&Module> {
        let read = || {
            let program = system.program();
            let code = &program.code;
            let info = code.funs.iter().find(|f| f.module == name)?;
            let file = code.sources.get(info.span.file)?;
            let text = file.text.as_ref()?.as_bytes().to_vec();
            let mut sources = SourceMap::default();
            let include = file.path.parent().map(|p| p.to_path_buf());
            let mut options = Options::default();
            options.include_dirs.extend(include);
            load_bytes(&file.path, text, &options, &mut sources).0
        };
        self.modules.entry(name).or_insert_with(read).as_ref()
    }
}

impl Judge for Specs {
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged> {
        let node = tree.node(id);
        if node.kind != Kind::Call {
            return None;
        }
        let program = system.program();
        let info = program.code.fun(node.fun);
        let (module, name, arity) = (info.module, info.name, facts.args.len() as u32);
        let module = self.module(system, module)?;
        let signatures = module.forms.iter().find_map(|form| match &form.kind {
            FormKind::Spec(s) if !s.callback && s.name == name && s.arity == arity => {
                Some(&s.signatures)
            }
            _ => None,
        })?;
        let by = format!("-spec {}/{arity}", name.name());
        let accepts = |s: &&Signature| {
            parts(s).is_none_or(|(args, _)| {
                let types = Types { module, signature: s };
                args.iter().zip(&facts.args).all(|(ty, arg)| types.may_hold(ty, arg, 0))
            })
        };
        let fitting: Vec<&Signature> = signatures.iter().filter(accepts).collect();
        if fitting.is_empty() {
            let said = "the arguments are not of the specified types".to_string();
            return Some(Judged { inadmissible: true, ..Judged::new(Aspect::Context, said, &by) });
        }
        let CameTo::Value(came_to) = &facts.came_to else { return None };
        let returns = |s: &&Signature| {
            parts(s).is_none_or(|(_, result)| {
                Types { module, signature: s }.may_hold(result, came_to, 0)
            })
        };
        if fitting.iter().any(returns) {
            return None;
        }
        let said = format!("wrong: {} is not of the specified type", value(came_to));
        Some(Judged::new(Aspect::Result, said, &by))
    }
}

fn parts(signature: &Signature) -> Option<(&[Type], &Type)> {
    match &signature.function.kind {
        TypeKind::Fun { args: Some(args), result } => Some((args, result)),
        _ => None,
    }
}

struct Types<'a> {
    module: &'a Module,
    signature: &'a Signature,
}

impl Types<'_> {
    /// False only if the term is certainly not of the type.
    fn may_hold(&self, ty: &Type, term: &Term, depth: u32) -> bool {
        if depth > 20 {
            return true;
        }
        let holds = |ty: &Type, term: &Term| self.may_hold(ty, term, depth + 1);
        match &ty.kind {
            TypeKind::Var(name) => {
                let bound = |c: &&reverl_lang::forms::Constraint| matches!(&c.variable.kind, TypeKind::Var(n) if n == name);
                let constraint = self.signature.constraints.iter().find(bound);
                constraint.is_none_or(|c| holds(&c.bound, term))
            }
            TypeKind::Annotated { ty, .. } => holds(ty, term),
            TypeKind::Union(types) => types.iter().any(|ty| holds(ty, term)),
            TypeKind::Atom(atom) => term.is_atom_eq(*atom),
            TypeKind::Integer(_) | TypeKind::Char(_) | TypeKind::Unary { .. } => {
                constant(ty).is_none_or(|n| term.as_small() == Some(n))
            }
            TypeKind::Range { low, high } => match (constant(low), constant(high)) {
                (Some(low), Some(high)) => term.as_small().is_some_and(|n| low <= n && n <= high),
                _ => is_integer(term),
            },
            TypeKind::Nil => term.is_nil(),
            TypeKind::List(of) => is_list(term) && term.list_iter().all(|t| holds(of, t)),
            TypeKind::NonemptyList(of) => {
                !term.is_nil() && is_list(term) && term.list_iter().all(|t| holds(of, t))
            }
            TypeKind::Tuple(types) => term.as_tuple().is_some_and(|items| {
                items.len() == types.len() && types.iter().zip(items).all(|(ty, t)| holds(ty, t))
            }),
            TypeKind::AnyTuple => term.as_tuple().is_some(),
            TypeKind::Map(_) | TypeKind::AnyMap => term.as_map().is_some(),
            TypeKind::Record { name, .. } => {
                term.as_tuple().is_some_and(|t| t.first().is_some_and(|n| n.is_atom_eq(*name)))
            }
            TypeKind::Binary { .. } => term.as_bits().is_some(),
            TypeKind::AnyFun | TypeKind::Fun { .. } => term.as_fun().is_some(),
            TypeKind::Builtin { name, args } => self.builtin(name.name(), args, term, depth),
            TypeKind::User { name, args } if args.is_empty() => {
                let named = self.module.forms.iter().find_map(|form| match &form.kind {
                    FormKind::Type(def) if def.name == *name && def.params.is_empty() => {
                        Some(&def.body)
                    }
                    _ => None,
                });
                named.is_none_or(|body| holds(body, term))
            }
            TypeKind::User { .. } | TypeKind::Remote { .. } | TypeKind::Binop { .. } => true,
        }
    }

    fn builtin(&self, name: &str, args: &[Type], term: &Term, depth: u32) -> bool {
        let small = |test: fn(i64) -> bool| is_integer(term) && term.as_small().is_none_or(test);
        let items = |term: &Term| {
            args.first().is_none_or(|of| term.list_iter().all(|t| self.may_hold(of, t, depth + 1)))
        };
        match name {
            "integer" => is_integer(term),
            "non_neg_integer" => small(|n| n >= 0),
            "pos_integer" => small(|n| n > 0),
            "neg_integer" => small(|n| n < 0),
            "byte" => small(|n| (0..256).contains(&n)),
            "arity" => small(|n| (0..256).contains(&n)),
            "char" => small(|n| (0..0x11_0000).contains(&n)),
            "float" => matches!(term.view(), View::Float(_)),
            "number" => is_integer(term) || matches!(term.view(), View::Float(_)),
            "atom" | "module" | "node" => term.is_atom(),
            "boolean" => term.as_bool().is_some(),
            "pid" => term.as_pid().is_some(),
            "reference" => matches!(term.view(), View::Ref(_)),
            "tuple" => term.as_tuple().is_some(),
            "map" => term.as_map().is_some(),
            "binary" | "bitstring" | "nonempty_binary" => term.as_bits().is_some(),
            "function" => term.as_fun().is_some(),
            "list" => is_list(term) && items(term),
            "nonempty_list" => !term.is_nil() && is_list(term) && items(term),
            "string" => is_list(term) && term.list_iter().all(is_integer),
            "nonempty_string" => {
                !term.is_nil() && is_list(term) && term.list_iter().all(is_integer)
            }
            "nil" => term.is_nil(),
            "none" | "no_return" => false,
            _ => true,
        }
    }
}

fn is_integer(term: &Term) -> bool {
    matches!(term.view(), View::Int(_) | View::Big(_))
}

fn is_list(term: &Term) -> bool {
    term.is_nil() || term.list_len().is_some()
}

fn constant(ty: &Type) -> Option<i64> {
    match &ty.kind {
        TypeKind::Integer(Integer::Small(n)) => Some(*n),
        TypeKind::Char(c) => Some(i64::from(u32::from(*c))),
        TypeKind::Unary { operand, .. } => constant(operand).map(|n| -n),
        _ => None,
    }
}
