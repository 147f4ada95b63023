//! The language that a session speaks: how values, names and variables are written, and how what a
//! person types is read. Erlang unless the program is written in Elixir; nobody else asks which.

mod expression;
mod inspect;

use reverl_machine::Program;
use reverl_term::work::{self, TooMuch};
use reverl_term::{Atom, Term, fmt};
use std::borrow::Cow;
use std::cell::Cell;

/// A language of programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Erlang,
    Elixir,
}

thread_local! {
    /// A session stays on its thread, and so does its language.
    static SPOKEN: Cell<Language> = const { Cell::new(Language::Erlang) };
}

/// From now on this thread speaks the language of a program with these modules.
pub fn speak_as<'a>(mut modules: impl Iterator<Item = &'a str>) {
    let is_elixir = modules.any(is_of_elixir);
    SPOKEN.set(if is_elixir { Language::Elixir } else { Language::Erlang });
}

/// From now on this thread speaks the language of this program.
pub fn speak_as_program(program: &Program) {
    speak_as(program.code.modules.keys().map(|module| module.name()));
}

/// Names of Elixir's modules are atoms with this in front.
const PREFIX: &str = "Elixir.";

fn is_of_elixir(module: &str) -> bool {
    module.starts_with(PREFIX)
}

/// A text of so much is the longest that is made of one value.
const MOST_TEXT: u64 = 1 << 27;

/// The text of a value, unless that is longer than anybody could read.
fn bounded(text: impl FnOnce() -> String) -> String {
    let made = work::within(MOST_TEXT, text);
    made.unwrap_or_else(|TooMuch| "(a value that is too large to be shown)".into())
}

/// A value on one line.
pub fn value(term: &Term) -> String {
    bounded(|| one_line(term))
}

fn one_line(term: &Term) -> String {
    match SPOKEN.get() {
        Language::Erlang => fmt::format_string("~0tp", std::slice::from_ref(term))
            .unwrap_or_else(|_| fmt::write(term)),
        Language::Elixir => inspect::inspect(term),
    }
}

/// A value on as many lines as it takes.
pub fn pretty(term: &Term) -> String {
    bounded(|| match SPOKEN.get() {
        Language::Erlang => {
            let text = fmt::format_string("~tp", std::slice::from_ref(term));
            text.unwrap_or_else(|_| one_line(term))
        }
        Language::Elixir => inspect::inspect(term),
    })
}

/// A name of a module or process as people read it: without what only tells it from other atoms.
pub fn atom(name: Atom) -> String {
    let name = name.name();
    name.strip_prefix(PREFIX).unwrap_or(name).to_string()
}

/// Whether values of this language are written as records.
pub fn has_records() -> bool {
    SPOKEN.get() == Language::Erlang
}

/// A function with the number of its arguments.
pub fn function(module: Atom, name: Atom, arity: u32) -> String {
    match SPOKEN.get() {
        Language::Erlang => {
            let atom = |a| fmt::write(&Term::atom(a));
            format!("{}:{}/{arity}", atom(module), atom(name))
        }
        Language::Elixir => inspect::function(module, name, arity),
    }
}

/// A call with its arguments, each written already.
pub fn call(module: Atom, name: Atom, args: &[String]) -> String {
    match SPOKEN.get() {
        Language::Erlang => {
            let atom = |a| fmt::write(&Term::atom(a));
            format!("{}:{}({})", atom(module), atom(name), args.join(","))
        }
        Language::Elixir => {
            format!("{}({})", inspect::qualified(module, name), args.join(", "))
        }
    }
}

/// A variable as the source has it; `None` if only the compiler knows it.
pub fn variable(name: Atom) -> Option<String> {
    match SPOKEN.get() {
        Language::Erlang => Some(name.name().to_string()),
        Language::Elixir => match versioned(name.name()) {
            Some(("", _)) => None,
            Some((source, _)) => Some(source.to_string()),
            None => Some(name.name().to_string()),
        },
    }
}

/// Elixir's variables may be bound again: `n` is `_n@1`, then `_n@2`. The name, and which it is.
fn versioned(name: &str) -> Option<(&str, u32)> {
    let (name, version) = name.strip_prefix('_')?.rsplit_once('@')?;
    Some((name, version.parse().ok()?))
}

/// The variables that a person sees: of those with one name, the newest.
pub fn visible(bound: &[(Atom, Term)]) -> Vec<(String, Term)> {
    let mut seen: Vec<(String, u32, Term)> = vec![];
    for (name, value) in bound {
        let Some(shown) = variable(*name) else { continue };
        let version = versioned(name.name()).map_or(0, |(_, version)| version);
        match seen.iter_mut().find(|(known, ..)| *known == shown) {
            Some(known) if known.1 < version => (known.1, known.2) = (version, value.clone()),
            Some(_) => {}
            None => seen.push((shown, version, value.clone())),
        }
    }
    seen.into_iter().map(|(name, _, value)| (name, value)).collect()
}

/// The variable that is meant by a name as the source has it.
pub fn meant(name: &str, bound: &[Atom]) -> Option<Atom> {
    let is_meant = |atom: &&Atom| variable(**atom).is_some_and(|shown| shown == name);
    let version = |atom: &&Atom| versioned(atom.name()).map_or(0, |(_, version)| version);
    bound.iter().filter(is_meant).max_by_key(version).copied()
}

/// What a person types, as Erlang.
pub fn erlang<'t>(text: &'t str, bound: &[Atom]) -> Cow<'t, str> {
    match SPOKEN.get() {
        Language::Erlang => Cow::Borrowed(text),
        Language::Elixir => Cow::Owned(expression::erlang(text, bound)),
    }
}

/// The name of a function that a person types: `Enum.map/2` is a function of `Elixir.Enum`.
pub fn place(text: &str) -> Cow<'_, str> {
    let of_elixir = text.starts_with(|c: char| c.is_ascii_uppercase()) && !text.contains(':');
    match text.rsplit_once('.').filter(|_| of_elixir) {
        Some((module, rest)) => Cow::Owned(format!("{PREFIX}{module}:{rest}")),
        None => Cow::Borrowed(text),
    }
}

/// What `-e` says, as Erlang: a call of Elixir is told by its module.
pub fn entry(text: &str) -> Cow<'_, str> {
    match text.trim_start().starts_with(char::is_uppercase) && text.contains('.') {
        true => Cow::Owned(expression::erlang(text, &[])),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests;
