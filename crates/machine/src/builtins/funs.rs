//! Funs and what they tell of themselves.

use super::{Builtin, Context, Value, function};
use crate::program::{FunLookup, Program};
use crate::raise::Raise;
use reverl_term::{Atom, Closure, Fun, Term, atoms, fmt};

pub const TABLE: &[Builtin] = &[
    function("erlang", "make_fun", 3, |_, a| {
        let arity = a[2].as_small().filter(|n| (0..256).contains(n));
        match (a[0].as_atom(), a[1].as_atom(), arity) {
            (Some(module), Some(name), Some(arity)) => {
                Ok(Term::fun(Fun::External { module, name, arity: arity as u32 }))
            }
            _ => Err(Raise::badarg()),
        }
    }),
    function("erlang", "fun_to_list", 1, |_, a| match a[0].as_fun() {
        Some(_) => Ok(Term::string(&fmt::write(&a[0]))),
        None => Err(Raise::badarg()),
    }),
    function("erlang", "fun_info", 1, |c, a| {
        let fun = a[0].as_fun().ok_or_else(Raise::badarg)?;
        let keys = match fun {
            Fun::Local(_) => LOCAL,
            Fun::External { .. } => EXTERNAL,
        };
        let pair = |key: &&str| {
            let value = item(c, fun, key)?;
            Some(Term::tuple(vec![Term::atom(Atom::new(key)), value]))
        };
        let pairs: Vec<Term> = keys.iter().filter_map(pair).collect();
        Ok(Term::list(pairs))
    }),
    function("erlang", "fun_info", 2, |c, a| {
        let (fun, key) = match (a[0].as_fun(), a[1].as_atom()) {
            (Some(fun), Some(key)) => (fun, key),
            _ => return Err(Raise::badarg()),
        };
        let value = item(c, fun, key.name()).ok_or_else(Raise::badarg)?;
        Ok(Term::tuple(vec![a[1].clone(), value]))
    }),
    function("erlang", "fun_info_mfa", 1, |c, a| match a[0].as_fun() {
        Some(Fun::Local(f)) => mfa(f.module, name(c.program, f), f.arity),
        Some(Fun::External { module, name, arity }) => mfa(*module, *name, *arity),
        None => Err(Raise::badarg()),
    }),
];

const LOCAL: &[&str] =
    &["pid", "module", "new_index", "new_uniq", "index", "uniq", "name", "arity", "env", "type"];
const EXTERNAL: &[&str] = &["module", "name", "arity", "env", "type"];

fn mfa(module: Atom, name: Atom, arity: u32) -> Value {
    Ok(Term::tuple(vec![Term::atom(module), Term::atom(name), Term::int(i64::from(arity))]))
}

/// The compiler's name of a fun; of one that came from outside, that of the function it enters.
fn name(program: &Program, closure: &Closure) -> Atom {
    match program.function_of(closure) {
        FunLookup::Found(fun) => program.code.fun(fun).name,
        _ => closure.name,
    }
}

fn item(c: &Context, fun: &Fun, key: &str) -> Option<Term> {
    let undefined = || Term::atom(atoms::UNDEFINED);
    let local = match fun {
        Fun::Local(closure) => Some(closure),
        Fun::External { .. } => None,
    };
    Some(match key {
        "module" => Term::atom(fun.module()),
        "arity" => Term::int(i64::from(fun.arity())),
        "type" => Term::atom(if local.is_some() { atoms::LOCAL } else { atoms::EXTERNAL }),
        "name" => match fun {
            Fun::Local(closure) => Term::atom(name(c.program, closure)),
            Fun::External { name, .. } => Term::atom(*name),
        },
        "env" => Term::list(local.map_or(vec![], |c| c.env.to_vec())),
        "pid" => local.map_or_else(undefined, |_| Term::pid(c.local.pid)),
        "index" | "new_index" => local.map_or_else(undefined, |c| Term::int(i64::from(c.index))),
        "uniq" => local.map_or_else(undefined, |c| Term::int(i64::from(c.uniq))),
        "new_uniq" => local.map_or_else(undefined, |c| Term::binary(&c.new_uniq)),
        "refc" => local.map_or_else(undefined, |_| Term::small(1)),
        _ => return None,
    })
}
