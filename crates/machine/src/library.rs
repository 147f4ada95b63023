//! The modules that come with Reverl, written in Erlang: what a machine without OTP needs, and
//! the few that must be ours because they use the machine directly.

use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::project::Precedence;
use reverl_lang::source::SourceMap;
use reverl_term::Atom;
use std::path::Path;
use std::sync::OnceLock;

/// One of our modules.
pub struct Library {
    /// The name of the module.
    pub name: &'static str,
    /// Its source text.
    pub text: &'static str,
    /// Whether it is preferred to OTP's module of the same name.
    pub standing: Standing,
}

/// Which one is used: a module of ours, or OTP's of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Always ours: it uses the machine directly.
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
    "crypto" Fallback,
    "erlang" Machine,
    "prim_buffer" Run,
    "prim_eval" Machine,
    "ct_slave" Run,
    "net_kernel" Run,
    "peer" Run,
    "reverl_cluster" Machine,
    "reverl_net" Machine,
    "reverl_port" Machine,
    "reverl_socket" Machine,
    "reverl_tcp" Machine,
    "reverl_udp" Machine,
    "reverl_exunit" Machine,
    "reverl_kernel" Machine,
    "ets" Fallback,
    "file" Fallback,
    "io" Run,
    "prim_file" Run,
    "slave" Run,
    "reverl_console" Machine,
    "reverl_versions" Machine,
    "reverl_suites" Machine,
    "reverl_tests" Machine,
    "reverl_transform" Run,
    "timer" Fallback,
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
    "ram_file" Run,
    "re" Fallback,
    "sets" Fallback,
    "string" Fallback,
    "unicode" Fallback,
];

/// What the names of files with such functions begin with.
pub const AMENDED_FILES: &str = "amended/";

/// Functions that replace those of OTP's module.
struct Amendment {
    /// The name of the module.
    name: &'static str,
    /// A module with the functions.
    text: &'static str,
    /// Functions in it that only stand in where there is no OTP.
    kept: &'static [&'static str],
}

macro_rules! amended {
    ($($name:literal),* $(,)?) => {
        &[
            $(Amendment {
                name: $name,
                text: include_str!(concat!("../erl/amended/", $name, ".erl")),
                kept: &[],
            },)*
            Amendment {
                name: "timer",
                text: include_str!("../erl/timer.erl"),
                kept: &["sleep", "tc", "now_diff", "seconds", "minutes", "hours", "hms"],
            },
        ]
    };
}

const AMENDED: &[Amendment] = amended![
    "application_controller",
    "compile",
    "crypto",
    "error_handler",
    "file",
    "gen",
    "global",
    "inet",
    "init",
    "logger",
    "logger_config",
    "logger_server",
    "net_adm",
    "zlib",
];

/// A module of OTP's with the functions that must be ours. Each can call the one that it replaces,
/// which is called `'otp NAME'` then.
pub fn amended(mut module: Module, sources: &mut SourceMap) -> Module {
    let name = module.name.name();
    let Some(amendment) = AMENDED.iter().find(|amendment| amendment.name == name) else {
        return module;
    };
    let path = format!("{AMENDED_FILES}{name}.erl");
    let ours = load_bytes(Path::new(&path), amendment.text.into(), &Options::default(), sources).0;
    let functions = ours.into_iter().flat_map(|m| m.functions);
    for function in functions.filter(|f| !amendment.kept.contains(&f.name.name())) {
        let theirs = module.functions.iter_mut();
        let mut same = theirs.filter(|f| (f.name, f.arity) == (function.name, function.arity));
        if let Some(theirs) = same.next() {
            let mut replaced = std::mem::replace(theirs, function);
            replaced.name = Atom::new(&format!("otp {}", replaced.name.name()));
            module.functions.push(replaced);
        } else {
            module.functions.push(function);
        }
    }
    module
}

/// Our module of this name.
pub fn load(name: &str, sources: &mut SourceMap) -> Option<Module> {
    let library = find(name)?;
    let path = format!("{name}.erl");
    load_bytes(Path::new(&path), library.text.into(), &Options::default(), sources).0
}

/// The functions of our own `erlang`, which is there before it is loaded.
pub fn own_exports(module: Atom) -> &'static [(Atom, u32)] {
    static EXPORTS: OnceLock<Vec<(Atom, u32)>> = OnceLock::new();
    if module != reverl_term::atoms::ERLANG {
        return &[];
    }
    EXPORTS.get_or_init(|| {
        let own = load("erlang", &mut SourceMap::default());
        own.into_iter().flat_map(|own| own.exports).map(|(name, _)| name).collect()
    })
}

/// The module of ours with this name.
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
