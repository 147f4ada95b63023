//! Funs: closures over terms, and names of exported functions.

use std::fmt;

use crate::atom::Atom;
use crate::term::Term;

/// A function as a value.
#[derive(Clone)]
pub enum Fun {
    /// A closure of some module.
    Local(Closure),
    /// `fun Module:Name/Arity`.
    External {
        /// The module that is asked for the function when it is called.
        module: Atom,
        /// The name of the function.
        name: Atom,
        /// How many arguments it takes.
        arity: u32,
    },
}

/// `fun(...) -> ... end` with the values it closed over.
#[derive(Clone)]
pub struct Closure {
    /// The module that made it.
    pub module: Atom,
    /// As the compiler names it: `'-f/1-fun-0-'`.
    pub name: Atom,
    /// Its number among the closures of its module.
    pub index: u32,
    /// A checksum of its module's code, in the old format.
    pub uniq: u32,
    /// The MD5 of its module's code.
    pub new_uniq: [u8; 16],
    /// How many arguments it takes.
    pub arity: u32,
    /// Where the machine enters it; means nothing here. `None`: it came from outside, and the
    /// machine finds its function when it is called.
    pub code: Option<u32>,
    /// The values it closed over.
    pub env: Box<[Term]>,
}

impl Fun {
    /// Where the machine enters it with so many arguments and the values it closed over, if both
    /// are known.
    #[inline]
    pub fn linked(&self, arity: u32) -> Option<(u32, &[Term])> {
        match self {
            Fun::Local(c) if c.arity == arity => Some((c.code?, &c.env)),
            _ => None,
        }
    }

    /// How many arguments it takes.
    pub fn arity(&self) -> u32 {
        match self {
            Fun::Local(c) => c.arity,
            Fun::External { arity, .. } => *arity,
        }
    }

    /// The module that it belongs to.
    pub fn module(&self) -> Atom {
        match self {
            Fun::Local(c) => c.module,
            Fun::External { module, .. } => *module,
        }
    }
}

impl fmt::Debug for Fun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fun::Local(c) => write!(f, "#Fun<{}.{}.{}>", c.module, c.index, c.uniq),
            Fun::External { module, name, arity } => write!(f, "fun {module}:{name}/{arity}"),
        }
    }
}
