//! Pids, ports and references: names of things, minted elsewhere.

use crate::atom::Atom;
use crate::atoms;
use std::cell::Cell;

/// The identifier of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pid {
    /// The node that the process runs on.
    pub node: Atom,
    /// The number printed in the middle.
    pub id: u32,
    /// The number printed last.
    pub serial: u32,
    /// Which incarnation of the node it belongs to.
    pub creation: u32,
}

/// The identifier of a port.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Port {
    /// The node that the port belongs to.
    pub node: Atom,
    /// The number of the port.
    pub id: u64,
    /// Which incarnation of the node it belongs to.
    pub creation: u32,
}

/// A reference; `words` is in the order of the external format, the reverse of the printed one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ref {
    /// The node that made it.
    pub node: Atom,
    /// Which incarnation of the node made it.
    pub creation: u32,
    /// The number that makes it unique.
    pub words: [u32; 3],
    /// From OTP 26 on the reference of an alias also has the number of its process; else zeros.
    pub maker: [u32; 2],
}

/// How others print the first node. Any other node has the number of its own process, which is larger.
const FIRST_NODE: u32 = 1;

/// Nodes of one system count their incarnations by small numbers, real ones by the clock.
const MOST_SIMULATED: u32 = 1 << 24;

thread_local! {
    /// The node at which identifiers are looked at.
    static HOME: Cell<Atom> = const { Cell::new(atoms::NONODE) };
}

/// What OTP prints first in an identifier: 0 at home, else a number for the node.
fn channel(node: Atom, creation: u32) -> u32 {
    match node {
        _ if node == HOME.get() => 0,
        _ if node == atoms::NONODE => FIRST_NODE,
        _ if (1..MOST_SIMULATED).contains(&creation) => creation,
        _ => node.0,
    }
}

/// As long as it is kept, identifiers are printed as they are on a node. Otherwise as on the first.
pub struct AtHome(Atom);

impl AtHome {
    /// On this node.
    pub fn on(node: Atom) -> AtHome {
        AtHome(HOME.replace(node))
    }
}

impl Drop for AtHome {
    fn drop(&mut self) {
        HOME.set(self.0);
    }
}

impl Pid {
    /// A pid of this node.
    #[inline]
    pub fn local(id: u32, serial: u32) -> Pid {
        Pid { node: atoms::NONODE, id, serial, creation: 0 }
    }
}

impl Port {
    /// A port of this node.
    pub fn local(id: u64) -> Port {
        Port { node: atoms::NONODE, id, creation: 0 }
    }
}

impl Ref {
    /// A reference of this node.
    pub fn local(words: [u32; 3]) -> Ref {
        Ref { node: atoms::NONODE, creation: 0, words, maker: [0; 2] }
    }
}

impl std::fmt::Display for Pid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}.{}.{}>", channel(self.node, self.creation), self.id, self.serial)
    }
}

impl std::fmt::Display for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#Port<{}.{}>", channel(self.node, self.creation), self.id)
    }
}

impl std::fmt::Display for Ref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([a, b, c], [d, e]) = (self.words, self.maker);
        match self.maker {
            [0, 0] => write!(f, "#Ref<{}.{c}.{b}.{a}>", channel(self.node, self.creation)),
            _ => write!(f, "#Ref<{}.{e}.{d}.{c}.{b}.{a}>", channel(self.node, self.creation)),
        }
    }
}
