//! Loaded modules and what is known about them.

use super::{Builtin, Context, Native, Nature, function, of_module, system};
use crate::library;
use crate::raise::Raise;
use reverl_lang::code::ModuleInfo;
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Builtin] = &[
    of_module("erlang", "module_loaded", 1, |c, a| {
        Ok(Term::bool(c.program.module(&c.local.seen, atom(&a[0])?).is_some()))
    }),
    system("erlang", "loaded", 0, Nature::Input),
    function("erlang", "pre_loaded", 0, |_, _| Ok(Term::list([Term::atom(atoms::ERLANG)]))),
    function("erlang", "check_old_code", 1, |c, a| {
        let versions = c.program.versions(&c.local.seen, atom(&a[0])?);
        Ok(Term::bool(versions.old.is_some()))
    }),
    of_module("erlang", "function_exported", 3, |c, a| {
        let (module, name, arity) = mfa(a)?;
        let native = c.program.find_builtin(module, name, arity as u16).is_some()
            || library::own_exports(module).contains(&(name, arity));
        let info = c.program.module(&c.local.seen, module);
        Ok(Term::bool(native || info.is_some_and(|m| m.exports.contains_key(&(name, arity)))))
    }),
    function("reverl", "has_logger", 0, |c, _| {
        Ok(Term::bool(c.local.seen.as_ref().is_some_and(|edition| edition.has_logger)))
    }),
    function("reverl", "exports", 1, |c, a| {
        let module = info(c, &a[0])?;
        item(module, "exports").ok_or_else(Raise::badarg)
    }),
    of_module("reverl", "code_state", 1, |c, a| {
        let module = atom(&a[0])?;
        let state = match &c.local.seen {
            _ if c.program.module(&c.local.seen, module).is_some() => "current",
            Some(edition) if edition.versions(module).is_some() => "elsewhere",
            Some(edition) if edition.has_paths && c.program.is_missing(module) => "elsewhere",
            _ => "unknown",
        };
        Ok(Term::atom_named(state))
    }),
    function("erlang", "is_builtin", 3, |c, a| {
        if a[2].as_small().is_some_and(|arity| arity < 0) {
            return Ok(Term::bool(false));
        }
        let (module, name, arity) = mfa(a)?;
        let found = c.program.find_builtin(module, name, arity as u16);
        let written_in_erlang = |b: &Builtin| matches!(b.native, Native::Shortcut(_));
        let is = found.is_some_and(|b| !written_in_erlang(crate::Program::builtin(b)));
        Ok(Term::bool(is))
    }),
    function("erlang", "get_module_info", 1, |c, a| {
        let module = info(c, &a[0])?;
        let keys = ["module", "exports", "attributes", "compile", "md5"];
        let pair =
            |key: &&str| Some(Term::tuple(vec![Term::atom(Atom::new(key)), item(module, key)?]));
        let pairs: Vec<Term> = keys.iter().filter_map(pair).collect();
        Ok(Term::list(pairs))
    }),
    function("erlang", "get_module_info", 2, |c, a| {
        let module = info(c, &a[0])?;
        item(module, atom(&a[1])?.name()).ok_or_else(Raise::badarg)
    }),
];

fn atom(t: &Term) -> Result<Atom, Raise> {
    t.as_atom().ok_or_else(Raise::badarg)
}

fn mfa(a: &[Term]) -> Result<(Atom, Atom, u32), Raise> {
    let arity = a[2].as_small().and_then(|n| u32::try_from(n).ok()).ok_or_else(Raise::badarg)?;
    Ok((atom(&a[0])?, atom(&a[1])?, arity))
}

fn info<'a>(c: &'a Context, module: &Term) -> Result<&'a ModuleInfo, Raise> {
    c.program.module(&c.local.seen, atom(module)?).ok_or_else(Raise::badarg)
}

fn item(module: &ModuleInfo, key: &str) -> Option<Term> {
    Some(match key {
        "module" => Term::atom(module.name),
        "exports" if module.name == atoms::ERLANG => with_builtins(module),
        "exports" => functions(module.exports.iter()),
        "functions" => functions(module.locals.iter()),
        "attributes" => attributes(module),
        "compile" => {
            let pair = |key: &str, value| Term::tuple(vec![Term::atom_named(key), value]);
            Term::list([
                pair("version", Term::string("8.2.3")),
                pair("options", Term::nil()),
                pair("source", Term::string(&module.file)),
            ])
        }
        "md5" => Term::binary(&[0; 16]),
        "nifs" => Term::nil(),
        "native" => Term::bool(false),
        _ => return None,
    })
}

/// In the order in which they were written, as OTP's compiler lists them.
fn functions<'a>(
    found: impl Iterator<Item = (&'a (Atom, u32), &'a reverl_lang::code::FunId)>,
) -> Term {
    let mut found: Vec<_> = found.collect();
    found.sort_by_key(|(_, id)| id.0);
    let pair = |(name, arity): (Atom, u32)| {
        Term::tuple(vec![Term::atom(name), Term::int(i64::from(arity))])
    };
    Term::list(found.into_iter().map(|(key, _)| pair(*key)))
}

/// Most functions of `erlang` are written nowhere in Erlang.
fn with_builtins(module: &ModuleInfo) -> Term {
    let builtins = super::all().iter().filter(|b| b.module == module.name.name());
    let named = builtins.map(|b| (Atom::new(b.name), u32::from(b.arity)));
    let mut all: Vec<(Atom, u32)> = named.chain(module.exports.keys().copied()).collect();
    all.sort_by_key(|(name, arity)| (name.name(), *arity));
    all.dedup();
    let pair = |(name, arity): (Atom, u32)| {
        Term::tuple(vec![Term::atom(name), Term::int(i64::from(arity))])
    };
    Term::list(all.into_iter().map(pair))
}

/// Each value is a list; the values of one name stand together.
fn attributes(module: &ModuleInfo) -> Term {
    let hidden = [
        "callback",
        "compile",
        "export",
        "export_type",
        "file",
        "import",
        "module",
        "opaque",
        "optional_callbacks",
        "record",
        "spec",
        "type",
    ];
    let mut merged: Vec<(Atom, Vec<Term>)> = vec![];
    for (name, value) in &module.attributes {
        if hidden.contains(&name.name()) {
            continue;
        }
        let values = value.to_vec().unwrap_or_else(|| vec![value.clone()]);
        merged.push((*name, values));
    }
    let pair = |(name, values)| Term::tuple(vec![Term::atom(name), Term::list(values)]);
    Term::list(merged.into_iter().map(pair))
}
