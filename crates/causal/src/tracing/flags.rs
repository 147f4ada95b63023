//! What is traced of a process: a set of flags, each with its name in OTP.

use reverl_term::{Atom, Term};

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    pub const SEND: Flags = Flags(1);
    pub const RECEIVE: Flags = Flags(1 << 1);
    pub const CALL: Flags = Flags(1 << 2);
    pub const PROCS: Flags = Flags(1 << 3);
    pub const RETURN_TO: Flags = Flags(1 << 4);
    pub const SILENT: Flags = Flags(1 << 5);
    pub const ARITY: Flags = Flags(1 << 6);
    pub const SET_ON_SPAWN: Flags = Flags(1 << 7);
    pub const SET_ON_FIRST_SPAWN: Flags = Flags(1 << 8);
    pub const SET_ON_LINK: Flags = Flags(1 << 9);
    pub const SET_ON_FIRST_LINK: Flags = Flags(1 << 10);
    pub const TIMESTAMP: Flags = Flags(1 << 11);
    pub const MONOTONIC: Flags = Flags(1 << 12);
    pub const STRICT_MONOTONIC: Flags = Flags(1 << 13);

    /// In the order in which OTP lists them. Those without a meaning here are only remembered.
    const NAMES: &'static [(&'static str, Flags)] = &[
        ("running_procs", Flags(1 << 19)),
        ("running_ports", Flags(1 << 20)),
        ("ports", Flags(1 << 18)),
        ("scheduler_id", Flags(1 << 14)),
        ("silent", Flags::SILENT),
        ("return_to", Flags::RETURN_TO),
        ("arity", Flags::ARITY),
        ("garbage_collection", Flags(1 << 17)),
        ("exiting", Flags(1 << 16)),
        ("running", Flags(1 << 15)),
        ("set_on_first_link", Flags::SET_ON_FIRST_LINK),
        ("set_on_link", Flags::SET_ON_LINK),
        ("set_on_first_spawn", Flags::SET_ON_FIRST_SPAWN),
        ("procs", Flags::PROCS),
        ("call", Flags::CALL),
        ("set_on_spawn", Flags::SET_ON_SPAWN),
        ("receive", Flags::RECEIVE),
        ("send", Flags::SEND),
        ("monotonic_timestamp", Flags::MONOTONIC),
        ("strict_monotonic_timestamp", Flags::STRICT_MONOTONIC),
        ("timestamp", Flags::TIMESTAMP),
    ];

    pub fn named(name: Atom) -> Option<Flags> {
        if name.name() == "all" {
            return Some(Flags(Flags::NAMES.iter().fold(0, |all, (_, flag)| all | flag.0)));
        }
        Flags::NAMES.iter().find(|(n, _)| *n == name.name()).map(|(_, flag)| *flag)
    }

    pub fn list(self) -> Term {
        let set = Flags::NAMES.iter().filter(|(_, flag)| self.has(*flag));
        Term::list(set.map(|(name, _)| Term::atom_named(name)).collect::<Vec<Term>>())
    }

    pub fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    pub fn set(self, flags: Flags, on: bool) -> Flags {
        Flags(if on { self.0 | flags.0 } else { self.0 & !flags.0 })
    }
}
