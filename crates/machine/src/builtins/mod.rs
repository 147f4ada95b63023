//! The functions that are not written in Erlang.
//!
//! A row of a table is a function: module, name, arity and what it is natively. A `Function`
//! computes its value at once from its arguments and the process's own state; a `System` one
//! needs something from outside the process, and the machine stops to ask for it; its `Nature`
//! says what it is to everybody else.

mod binaries;
mod binary_search;
mod checks;
mod checksums;
mod ciphers;
pub mod control;
mod dictionary;
mod external;
mod funs;
mod identity;
mod io_lib;
mod iolists;
mod list_order;
mod lists;
mod logging;
mod maps;
mod math;
mod modules;
pub mod nature;
pub mod node;
mod numbers;
mod operators;
mod packets;
mod packets_http;
mod re;
mod re_options;
mod sealing;
mod shared;
mod system;
mod text;
mod tuples;
mod unicode;
mod zlib;

use crate::process::Local;
use crate::program::Program;
use crate::raise::Raise;
use nature::Nature;
use reverl_term::{Atom, Term};
use std::sync::OnceLock;

/// What a native function gives back: a value or an exception.
pub type Value = Result<Term, Raise>;

/// What a native function may see beside its arguments.
pub struct Context<'a> {
    /// The state of the calling process.
    pub local: &'a mut Local,
    /// The code that the process runs in.
    pub program: &'a Program,
    /// The row of the function itself.
    pub builtin: &'static Builtin,
}

/// How a built-in is carried out.
#[derive(Clone, Copy)]
pub enum Native {
    /// The function computes its value at once.
    Function(fn(&mut Context, &[Term]) -> Value),
    /// The same, once the module that the first argument names is loaded, or known not to exist:
    /// every module that there is counts as loaded, whenever it was first called, as on a node in
    /// embedded mode. A value that depended on what was called before could not be computed again.
    OfModule(fn(&mut Context, &[Term]) -> Value),
    /// A faster way for the usual arguments. For all others (`None`) the Erlang definition of the
    /// function runs, and raises its own exceptions.
    Shortcut(fn(&[Term]) -> Option<Term>),
    /// The arguments are checked, so that their exceptions are those of a built-in; then the Erlang
    /// definition of the function runs.
    Checked(fn(&[Term]) -> Result<(), Raise>),
    /// The machine stops and asks the system for the value.
    System,
    /// The built-in is a call.
    Control(Control),
}

/// Built-ins that are calls: the machine itself carries them out.
#[derive(Clone, Copy)]
pub enum Control {
    /// `apply(Fun, Args)`
    ApplyFun,
    /// `apply(M, F, Args)`
    Apply,
    /// Drops the callers of the current function.
    ForgetCallers,
    /// Puts the message that woke the process back into its mailbox.
    KeepMessage,
}

/// One function that is not written in Erlang: a row of a table.
pub struct Builtin {
    /// The module it belongs to.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u8,
    /// How it is carried out.
    pub native: Native,
    /// What it means to the system.
    pub nature: Nature,
    /// The first OTP release that has it, for those that OTP 25 does not have.
    pub since: u32,
}

impl Builtin {
    /// Whether the system answers it.
    pub fn is_system(&self) -> bool {
        matches!(self.native, Native::System)
    }

    /// The exception as its trace shows it: with this function and its arguments on top.
    pub fn raised(&self, raise: Raise, args: &[Term]) -> Raise {
        raise.by(Atom::new(self.module), Atom::new(self.name), args)
    }
}

/// All built-ins; a function's index is its number in code.
pub fn all() -> &'static [&'static Builtin] {
    static ALL: OnceLock<Vec<&'static Builtin>> = OnceLock::new();
    ALL.get_or_init(|| TABLES.iter().flat_map(|table| table.iter()).collect())
}

const TABLES: &[&[Builtin]] = &[
    binaries::TABLE,
    binary_search::TABLE,
    checks::TABLE,
    checksums::TABLE,
    ciphers::TABLE,
    control::TABLE,
    dictionary::TABLE,
    external::TABLE,
    funs::TABLE,
    identity::TABLE,
    io_lib::TABLE,
    iolists::TABLE,
    list_order::TABLE,
    lists::TABLE,
    logging::TABLE,
    maps::TABLE,
    math::TABLE,
    modules::TABLE,
    node::TABLE,
    numbers::TABLE,
    operators::TABLE,
    packets::TABLE,
    re::TABLE,
    sealing::TABLE,
    shared::TABLE,
    shared::NEWER,
    shared::MATCH_SPECS,
    system::TABLE,
    text::TABLE,
    tuples::TABLE,
    unicode::TABLE,
    zlib::TABLE,
];

/// A row for a native function.
pub(crate) const fn function(
    module: &'static str,
    name: &'static str,
    arity: u8,
    f: fn(&mut Context, &[Term]) -> Value,
) -> Builtin {
    Builtin { module, name, arity, native: Native::Function(f), nature: Nature::Pure, since: 0 }
}

impl Builtin {
    /// The row of a function that came with this release.
    pub(crate) const fn since(self, release: u32) -> Builtin {
        Builtin { since: release, ..self }
    }
}

/// A row for a function that is written in Erlang and faster here.
pub(crate) const fn shortcut(
    module: &'static str,
    name: &'static str,
    arity: u8,
    f: fn(&[Term]) -> Option<Term>,
) -> Builtin {
    Builtin { module, name, arity, native: Native::Shortcut(f), nature: Nature::Pure, since: 0 }
}

/// A row for a native function about the module that its first argument names.
pub(crate) const fn of_module(
    module: &'static str,
    name: &'static str,
    arity: u8,
    f: fn(&mut Context, &[Term]) -> Value,
) -> Builtin {
    Builtin { native: Native::OfModule(f), ..function(module, name, arity, f) }
}

/// A row for a function that is written in Erlang but for the check of its arguments.
pub(crate) const fn checked(
    module: &'static str,
    name: &'static str,
    arity: u8,
    check: fn(&[Term]) -> Result<(), Raise>,
) -> Builtin {
    Builtin { module, name, arity, native: Native::Checked(check), nature: Nature::Pure, since: 0 }
}

/// A row for a function that the system answers.
pub(crate) const fn system(
    module: &'static str,
    name: &'static str,
    arity: u8,
    nature: Nature,
) -> Builtin {
    Builtin { module, name, arity, native: Native::System, nature, since: 0 }
}
