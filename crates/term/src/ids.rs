//! Pids, ports and references: names of things, minted elsewhere.

use crate::atom::Atom;
use crate::atoms;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pid {
    pub node: Atom,
    pub id: u32,
    pub serial: u32,
    pub creation: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Port {
    pub node: Atom,
    pub id: u64,
    pub creation: u32,
}

/// A reference; `words` is in the order of the external format, the reverse of the printed one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ref {
    pub node: Atom,
    pub creation: u32,
    pub words: [u32; 3],
}

/// What OTP prints first in an identifier: 0 at home, else a number for the node.
fn channel(node: Atom) -> u32 {
    if node == atoms::NONODE { 0 } else { node.0 }
}

impl Pid {
    #[inline]
    pub fn local(id: u32, serial: u32) -> Pid {
        Pid { node: atoms::NONODE, id, serial, creation: 0 }
    }
}

impl Port {
    pub fn local(id: u64) -> Port {
        Port { node: atoms::NONODE, id, creation: 0 }
    }
}

impl Ref {
    pub fn local(words: [u32; 3]) -> Ref {
        Ref { node: atoms::NONODE, creation: 0, words }
    }
}

impl std::fmt::Display for Pid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}.{}.{}>", channel(self.node), self.id, self.serial)
    }
}

impl std::fmt::Display for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#Port<{}.{}>", channel(self.node), self.id)
    }
}

impl std::fmt::Display for Ref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b, c] = self.words;
        write!(f, "#Ref<{}.{c}.{b}.{a}>", channel(self.node))
    }
}
