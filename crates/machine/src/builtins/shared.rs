//! What processes share, answered by the system: tables, persistent terms, arrays of words. Also
//! the match specifications with which tables are searched, which need no system.

use super::nature::{Nature, Part};
use super::{Builtin, Value, function, system};
use crate::match_spec::{self, Spec};
use crate::raise::Raise;
use reverl_term::{Pid, Term, atoms};

macro_rules! rows {
    ($($module:literal, $nature:expr => $($name:literal $arity:literal),*;)*) => {
        &[$($(system($module, $name, $arity, $nature),)*)*]
    };
}

pub const TABLE: &[Builtin] = rows![
    "ets", Nature::Table(Part::Whole) => "new" 2, "delete" 1, "rename" 2, "give_away" 3,
        "setopts" 2, "safe_fixtable" 2, "all" 0, "whereis" 1, "info" 1, "info" 2, "first" 1,
        "last" 1, "next" 2, "prev" 2, "slot" 2, "internal_delete_all" 2, "match" 1, "match" 3,
        "match_object" 1, "match_object" 3, "select" 1, "select" 3, "select_reverse" 1,
        "select_reverse" 3;
    "ets", Nature::Table(Part::ReadKey) => "lookup" 2, "lookup_element" 3, "member" 2;
    "ets", Nature::Table(Part::WriteKey) => "delete" 2, "take" 2, "update_element" 3,
        "update_counter" 3, "update_counter" 4;
    "ets", Nature::Table(Part::WriteObject) => "insert" 2, "insert_new" 2, "delete_object" 2;
    "ets", Nature::Table(Part::ReadPattern) => "match" 2, "match_object" 2, "select" 2,
        "select_reverse" 2, "select_count" 2;
    "ets", Nature::Table(Part::WritePattern) => "internal_select_delete" 2, "select_replace" 2;
    "persistent_term", Nature::PersistentTerm => "get" 0, "get" 1, "get" 2, "put" 2, "erase" 1,
        "info" 0;
    "atomics", Nature::Words(Part::Whole) => "info" 1;
    "atomics", Nature::Words(Part::ReadKey) => "get" 2;
    "atomics", Nature::Words(Part::WriteKey) => "put" 3, "add" 3, "add_get" 3, "sub" 3,
        "sub_get" 3, "exchange" 3, "compare_exchange" 4;
    "erts_internal", Nature::Words(Part::Whole) => "atomics_new" 2, "counters_new" 1,
        "counters_info" 1;
    "erts_internal", Nature::Words(Part::ReadKey) => "counters_get" 2;
    "erts_internal", Nature::Words(Part::WriteKey) => "counters_put" 3, "counters_add" 3;
    "reverl", Nature::Input => "random_bytes" 1;
];

/// What newer releases have beside.
pub const NEWER: &[Builtin] = &[
    system("ets", "lookup_element", 4, Nature::Table(Part::ReadKey)).since(26),
    system("ets", "update_element", 4, Nature::Table(Part::WriteKey)).since(27),
    system("ets", "first_lookup", 1, Nature::Table(Part::Whole)).since(27),
    system("ets", "last_lookup", 1, Nature::Table(Part::Whole)).since(27),
    system("ets", "next_lookup", 2, Nature::Table(Part::Whole)).since(27),
    system("ets", "prev_lookup", 2, Nature::Table(Part::Whole)).since(27),
    system("persistent_term", "put_new", 2, Nature::PersistentTerm).since(28),
];

pub const MATCH_SPECS: &[Builtin] = &[
    function("ets", "match_spec_compile", 1, |_, a| {
        Spec::checked(&a[0]).map(|_| match_spec::compiled(&a[0]))
    }),
    function("ets", "is_compiled_ms", 1, |_, a| Ok(Term::bool(match_spec::is_compiled(&a[0])))),
    function("ets", "match_spec_run_r", 3, |c, a| run(a, c.local.pid)),
    function("erlang", "match_spec_test", 3, |c, a| test(a, c.local.pid)),
];

/// `match_spec_run_r(Terms, Compiled, Acc)`: the values, last first, before `Acc`.
fn run(a: &[Term], own: Pid) -> Value {
    let spec = Spec::from_compiled(&a[1]).ok_or_else(Raise::badarg)?;
    let terms = a[0].to_vec().ok_or_else(Raise::badarg)?;
    let values: Vec<Term> = terms.iter().filter_map(|t| spec.run(t, own)).collect();
    Ok(Term::list_with_tail(values.into_iter().rev(), a[2].clone()))
}

/// `{ok, Value, Flags, Warnings}` or `{error, Errors}`.
fn test(a: &[Term], own: Pid) -> Value {
    let is_trace = match a[2].as_atom().map(|kind| kind.name()) {
        Some("table") => false,
        Some("trace") if a[0].is_list() => true,
        _ => return Err(Raise::badarg()),
    };
    let compiled = if is_trace { Spec::compile_trace(&a[1]) } else { Spec::compile(&a[1]) };
    Ok(match compiled {
        Ok(spec) => {
            let (value, flags) = match is_trace {
                true => spec.tested(&a[0], own),
                false => (spec.run(&a[0], own).unwrap_or(Term::bool(false)), Term::nil()),
            };
            Term::tuple(vec![Term::atom(atoms::OK), value, flags, Term::nil()])
        }
        Err(errors) => {
            let error = Term::atom(atoms::ERROR);
            let one = |text: &String| Term::tuple(vec![error.clone(), Term::string(text)]);
            let errors: Vec<Term> = errors.iter().map(one).collect();
            Term::tuple(vec![Term::atom(atoms::ERROR), Term::list(errors)])
        }
    })
}
