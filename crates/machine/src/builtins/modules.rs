//! Loaded modules and what is known about them.

use super::{Builtin, Context, Native, Nature, function, of_module, system};
use crate::kernel;
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
    function("reverl", "kernel_names", 0, |_, _| {
        Ok(Term::list(kernel::NAMES.iter().map(|name| Term::atom_named(name))))
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
    // How many functions of a module a pattern of tracing means; of all modules, which depends on
    // what has been called, only the system can tell.
    of_module("reverl", "traced_functions", 4, |c, a| {
        let (name, arity) = (a[1].as_atom().filter(|n| *n != atoms::UNDERSCORE), a[2].as_usize());
        let is_meant = |f: &(Atom, u32)| {
            name.is_none_or(|n| n == f.0) && arity.is_none_or(|n| n == f.1 as usize)
        };
        let module = atom(&a[0])?;
        let own = library::own_exports(module);
        let mut known: Vec<(Atom, u32)> = own.iter().copied().filter(is_meant).collect();
        if let Some(info) = c.program.module(&c.local.seen, module) {
            match a[3].as_bool() {
                Some(true) => known.extend(info.locals.keys().filter(|f| is_meant(f))),
                _ => known.extend(info.exports.keys().filter(|f| is_meant(f))),
            }
        }
        known.sort_by_key(|(name, arity)| (name.name(), *arity));
        known.dedup();
        let exact = name.zip(arity).filter(|_| known.is_empty());
        let is_native = exact.is_some_and(|(name, arity)| {
            c.program.find_builtin(module, name, arity as u16).is_some()
        });
        Ok(Term::int(known.len() as i64 + i64::from(is_native)))
    }),
    // What was set for a function: whether for local calls, and the match specification.
    of_module("reverl", "trace_rule", 3, |c, a| {
        let patterns = c.local.seen.as_ref().and_then(|edition| edition.traced.as_ref());
        let rule = patterns.and_then(|patterns| patterns.rule(mfa(a).ok()?));
        Ok(rule.map_or(Term::atom(atoms::NONE), |rule| {
            Term::tuple(vec![Term::bool(rule.is_local), rule.filter.text.clone()])
        }))
    }),
    function("reverl", "trace_filter", 1, |c, a| {
        let patterns = c.local.seen.as_ref().and_then(|edition| edition.traced.as_ref());
        let filter = patterns.and_then(|patterns| match atom(&a[0]).ok()?.name() {
            "send" => patterns.send.as_ref(),
            _ => patterns.receive.as_ref(),
        });
        Ok(filter.map_or(Term::bool(true), |filter| filter.text.clone()))
    }),
    function("reverl", "is_trace_spec", 1, |_, a| {
        let is_switch = a[0].as_bool().is_some();
        Ok(Term::bool(is_switch || crate::match_spec::Spec::of_trace(&a[0]).is_some()))
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
