//! The modules that come with Reverl, written in Erlang: what a machine without OTP needs, and
//! the few that must be ours because they speak to the machine.

use reverl_lang::project::Precedence;

/// One of our modules.
pub struct Library {
    pub name: &'static str,
    pub text: &'static str,
    pub standing: Standing,
}

/// What stands above what: one of our modules, or OTP's of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Ours, always: it speaks to the machine.
    Machine,
    /// Ours. On a node that was recorded it was OTP's, and a replay does as the node did.
    Run,
    /// OTP's, if one is installed.
    Fallback,
}

macro_rules! library {
    ($($name:literal $standing:ident),* $(,)?) => {
        &[$(Library {
            name: $name,
            text: include_str!(concat!("../erl/", $name, ".erl")),
            standing: Standing::$standing,
        }),*]
    };
}

const LIBRARIES: &[Library] = library![
    "application" Run,
    "atomics" Machine,
    "code" Run,
    "counters" Machine,
    "crypto" Run,
    "erlang" Machine,
    "ets" Fallback,
    "file" Fallback,
    "io" Run,
    "prim_file" Run,
    "reverl_console" Machine,
    "reverl_transform" Run,
    "timer" Run,
    "array" Fallback,
    "base64" Fallback,
    "binary" Fallback,
    "calendar" Fallback,
    "dict" Fallback,
    "gb_sets" Fallback,
    "gb_trees" Fallback,
    "io_lib" Fallback,
    "lists" Fallback,
    "maps" Fallback,
    "math" Fallback,
    "orddict" Fallback,
    "ordsets" Fallback,
    "proplists" Fallback,
    "queue" Fallback,
    "rand" Fallback,
    "re" Fallback,
    "sets" Fallback,
    "string" Fallback,
    "unicode" Fallback,
];

/// Functions in the place of those that OTP's module has.
const AMENDED: &[(&str, &str)] = &[("file", include_str!("../erl/amended/file.erl"))];

pub fn amendment(name: &str) -> Option<&'static str> {
    AMENDED.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}

pub fn find(name: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|l| l.name == name)
}

/// When our module of this name is used in a run of our own.
pub fn precedence(name: &str) -> Option<Precedence> {
    find(name).map(|library| match library.standing {
        Standing::Machine | Standing::Run => Precedence::First,
        Standing::Fallback => Precedence::Last,
    })
}

/// When our module of this name is used in the replay of a node.
pub fn precedence_in_replay(name: &str) -> Option<Precedence> {
    find(name).map(|library| match library.standing {
        Standing::Machine => Precedence::First,
        Standing::Run | Standing::Fallback => Precedence::Last,
    })
}
