//! The modules that come with Reverl, written in Erlang: what a machine without OTP needs, and
//! the few that must be ours because they speak to the machine.

/// The text of one of our modules, and whether it is used even if OTP is there.
pub struct Library {
    pub name: &'static str,
    pub text: &'static str,
    pub replaces_otp: bool,
}

macro_rules! library {
    ($($name:literal $replaces:literal),* $(,)?) => {
        &[$(Library {
            name: $name,
            text: include_str!(concat!("../erl/", $name, ".erl")),
            replaces_otp: $replaces,
        }),*]
    };
}

const LIBRARIES: &[Library] = library![
    "application" true,
    "atomics" true,
    "code" true,
    "counters" true,
    "crypto" true,
    "erlang" true,
    "ets" false,
    "file" false,
    "io" true,
    "prim_file" true,
    "reverl_console" true,
    "reverl_transform" true,
    "timer" true,
    "array" false,
    "base64" false,
    "binary" false,
    "calendar" false,
    "dict" false,
    "gb_sets" false,
    "gb_trees" false,
    "io_lib" false,
    "lists" false,
    "maps" false,
    "math" false,
    "orddict" false,
    "ordsets" false,
    "proplists" false,
    "queue" false,
    "rand" false,
    "re" false,
    "sets" false,
    "string" false,
    "unicode" false,
];

/// Functions in the place of those that OTP's module has.
const AMENDED: &[(&str, &str)] = &[("file", include_str!("../erl/amended/file.erl"))];

pub fn amendment(name: &str) -> Option<&'static str> {
    AMENDED.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}

pub fn find(name: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|l| l.name == name)
}
