//! Which version of each module is current. Code only grows and is shared by all executions of a
//! program; loading a module again does not change it but makes a new `Edition`, which a process
//! sees from its next action on. Undoing the load is seeing the old edition again.

use crate::tracing::Patterns;
use reverl_term::{Atom, atoms};
use std::collections::HashMap;
use std::rc::Rc;

/// The edition that a process sees: `None` as long as nothing was loaded or deleted by the program.
pub type Seen = Option<Rc<Edition>>;

/// What a program has loaded and deleted itself.
#[derive(Clone, Debug, Default)]
pub struct Edition {
    changed: HashMap<Atom, Versions>,
    /// The program has named directories in which it wants modules to be looked for.
    pub has_paths: bool,
    /// OTP's logger is running.
    pub has_logger: bool,
    /// How many entries a stack trace has, if the program has set that.
    pub trace_depth: Option<usize>,
    /// The name of the first node, if it has one.
    pub node: Option<Atom>,
    /// Other nodes are simulated, and not those that a recorded node had beside it.
    pub is_cluster: bool,
    /// Names of the whole cluster are in use: each node has a server of them.
    pub has_global: bool,
    /// The calls and messages that the program wants to be told of.
    pub traced: Option<Rc<Patterns>>,
}

/// The name of a node as a process sees it. Pids and references of the first node are always those of
/// `nonode@nohost`, whatever that is called.
pub fn node_of(seen: &Seen, node: Atom) -> Atom {
    let name = seen.as_ref().and_then(|edition| edition.node);
    name.filter(|_| node == atoms::NONODE).unwrap_or(node)
}

/// The two versions of a module that there can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The one that calls by the full name reach.
    pub current: Option<Version>,
    /// The one that processes may still be in.
    pub old: Option<Version>,
}

/// One version of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The one that the files of the program or OTP have.
    First,
    /// One that was loaded at run time, by its number in the program.
    Loaded(u32),
}

impl Edition {
    /// The versions of a module that the program itself has changed.
    pub fn versions(&self, module: Atom) -> Option<Versions> {
        self.changed.get(&module).copied()
    }

    /// The modules that the program has changed.
    pub fn modules(&self) -> impl Iterator<Item = (Atom, Versions)> + '_ {
        self.changed.iter().map(|(module, versions)| (*module, *versions))
    }

    /// The next edition, in which a module has these versions.
    pub fn with(&self, module: Atom, versions: Versions) -> Edition {
        let mut next = self.clone();
        next.changed.insert(module, versions);
        next
    }
}
