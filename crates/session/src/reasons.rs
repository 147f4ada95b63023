//! Why something ended, in one sentence: the reasons that Erlang and OTP give have words.

use crate::describe::short;
use crate::language;
use crate::names;
use crate::outcome::{Frame, short_reason};
use reverl_causal::System;
use reverl_term::{Atom, Map, Term};

/// The sentence for a reason; `frame` is the call that raised it.
pub fn sentence(system: &System, reason: &Term, frame: Option<&Frame>) -> String {
    if let Some((why, server, request)) = of_call(reason) {
        return call_ended(system, why, server, request);
    }
    let reason = short_reason(reason);
    let of_elixir = exception(&reason);
    of_elixir.or_else(|| known(&reason, frame)).unwrap_or_else(|| short(&reason))
}

/// The reasons that the language itself gives.
fn known(reason: &Term, frame: Option<&Frame>) -> Option<String> {
    let call = || frame.map(Frame::call).unwrap_or_default();
    if let Some(name) = reason.as_atom() {
        return Some(match name.name() {
            "badarith" => "bad arithmetic".into(),
            "badarg" => format!("bad argument in {}", call()),
            "function_clause" => format!("no clause fits {}", call()),
            "if_clause" => "no clause of the if is true".into(),
            "undef" => format!("{} is not defined", call()),
            "system_limit" => format!("a limit of the system was reached in {}", call()),
            _ => return None,
        });
    }
    let [tag, value, ..] = reason.as_tuple()? else { return None };
    let shown = short(value);
    Some(match tag.as_atom()?.name() {
        "badmatch" => format!("no match of {shown}"),
        "case_clause" => format!("no clause of the case fits {shown}"),
        "try_clause" => format!("no clause of the try fits {shown}"),
        "badkey" => format!("there is no key {shown}"),
        "badmap" => format!("{shown} is not a map"),
        "badfun" => format!("{shown} is not a fun"),
        "badarity" => format!("a fun was called with another number of arguments: {shown}"),
        "badrecord" => format!("{shown} is not the record"),
        "nocatch" => format!("nobody caught {shown}"),
        "bad_return_value" => format!("a callback returned {shown}"),
        tag if tag.starts_with("assert") => assertion(tag, value),
        _ => return None,
    })
}

/// Whether somebody ended with this because a test's assertion did not hold.
pub fn is_assertion(reason: &Term) -> bool {
    let is_exunits = |map: &Map| {
        let name = map.get(&Term::atom_named("__struct__")).and_then(Term::as_atom);
        name.is_some_and(|name| name.name() == "Elixir.ExUnit.AssertionError")
    };
    let tag = reason.as_tuple().and_then(|t| t.first()?.as_atom());
    tag.is_some_and(|tag| tag.name().starts_with("assert"))
        || reason.as_map().is_some_and(is_exunits)
}

/// A property of an assertion.
pub fn property(list: &Term, name: &str) -> Option<Term> {
    let mut pairs = list.list_iter().filter_map(Term::as_tuple);
    let found = pairs.find(|p| p.len() == 2 && p[0].is_atom_eq(Atom::new(name)));
    found.map(|pair| pair[1].clone())
}

fn assertion(tag: &str, properties: &Term) -> String {
    let of = |name| property(properties, name).map(|value| short(&value));
    match (of("expected"), of("value")) {
        (Some(expected), Some(got)) => format!("expected {expected}, got {got}"),
        (None, Some(got)) => format!("{tag} fails for {got}"),
        _ => format!("{tag} fails"),
    }
}

/// The message of an Elixir exception.
fn exception(reason: &Term) -> Option<String> {
    let map = reason.as_map()?;
    let of = |name: &str| map.get(&Term::atom(Atom::new(name)));
    let name = language::atom(of("__struct__")?.as_atom()?);
    let said = of("message").filter(|m| m.as_atom().is_none()).map(language::value);
    Some(match said {
        Some(said) => format!("{name}: {}", said.trim_matches('"')),
        None => language::value(reason),
    })
}

/// `{Why, {gen_server, call, [Server, Request | _]}}`: a call ended instead of being answered.
pub fn of_call(reason: &Term) -> Option<(&Term, &Term, Option<&Term>)> {
    let [why, call] = reason.as_tuple()? else { return None };
    let [module, function, args] = call.as_tuple()? else { return None };
    let behaviours = ["gen_server", "gen_statem", "gen_event", "Elixir.GenServer", "gen"];
    let is_call = behaviours.contains(&module.as_atom()?.name())
        && matches!(function.as_atom()?.name(), "call" | "multi_call");
    let mut args = args.list_iter();
    let server = args.next()?;
    is_call.then(|| (why, server, args.next()))
}

fn call_ended(system: &System, why: &Term, server: &Term, request: Option<&Term>) -> String {
    let found = server.as_pid().and_then(|pid| system.execution().find(pid));
    let server = found.map_or_else(|| short(server), |proc| names::called(system, proc));
    let call = match request {
        Some(request) => format!("the call {}", short(request)),
        None => "a call".into(),
    };
    match why.as_atom().map(|atom| atom.name()) {
        Some("noproc") => format!("{server} was not there for {call}"),
        Some("timeout") => format!("{server} did not reply to {call} in time"),
        Some("calling_self") => format!("it called itself with {call}"),
        Some("normal" | "shutdown" | "killed") => {
            format!("{server} ended ({}) instead of replying to {call}", short(why))
        }
        _ => format!("{server} crashed instead of replying to {call}"),
    }
}
