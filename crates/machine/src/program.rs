//! All loaded code, and how a name becomes something to call.

use crate::builtins::{self, Builtin, Native};
use crate::edition::{Seen, Version, Versions};
use crate::ops;
use reverl_lang::code::{Code, FunId, FunInfo, FunKind, ImportId, ModuleInfo, Target};
use reverl_lang::forms::Module;
use reverl_term::{Atom, Closure};
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// The name under which all funs of a module are redirected that is not interpreted.
pub const ANY_FUN: &str = "-fun-";

/// The code of all loaded modules, and how names in it are understood.
pub struct Program {
    /// The instructions and what is known about them.
    pub code: Code,
    /// Modules that were looked for and do not exist.
    missing: HashSet<Atom>,
    /// The limits of the machine.
    pub limits: Limits,
    /// Functions in whose place others are called, for all calls by their full name.
    pub redirected: HashMap<(Atom, Atom, u16), FunId>,
    /// Functions whose Erlang definition runs even if they are built-ins of ours.
    pub unaided: HashSet<(Atom, Atom)>,
    /// The OTP whose modules the program uses.
    pub otp: OtpVersion,
    /// Processes of OTP's `kernel` are started when the program looks for their names. Not where a
    /// node was recorded: there they are what they were.
    pub starts_kernel: bool,
    /// The versions of modules that programs loaded at run time.
    loaded: Vec<LoadedVersion>,
    /// Their numbers, by the name of the module and what it was loaded from.
    loaded_index: HashMap<(Atom, Vec<u8>), u32>,
    /// The modules whose calls are looked up each time, because there are versions of them.
    versioned: HashSet<Atom>,
}

/// A release of Erlang/OTP, as `erlang:system_info/1` tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtpVersion {
    /// Its number, such as 27.
    pub release: u32,
    /// The version of its emulator.
    pub erts: String,
}

/// Without an installed OTP, a program runs as on this one.
impl Default for OtpVersion {
    fn default() -> OtpVersion {
        OtpVersion { release: 25, erts: "13.1.5".into() }
    }
}

/// Limits of the machine itself; all can be set by the user.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many registers the stack of a process may hold.
    pub stack: usize,
    /// How much memory the whole machine may use, in bytes.
    pub memory: u64,
    /// How many atoms there may be.
    pub atoms: usize,
    /// Steps between two checkpoints of a process: fewer make going back faster, more cost less
    /// memory.
    pub checkpoint: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { stack: 64 << 20, memory: u64::MAX, atoms: 1 << 20, checkpoint: 10_000 }
    }
}

/// A version of a module that a program loaded at run time.
struct LoadedVersion {
    info: ModuleInfo,
    /// The numbers of its functions.
    funs: std::ops::Range<usize>,
}

/// What a call of `M:F/A` reaches.
pub enum Lookup {
    /// The function or built-in of that name.
    Found(Target),
    /// The module is not loaded yet.
    Load(Atom),
    /// There is no such function.
    Undefined,
    /// The program has deleted the module, or wants it to be looked for where it says.
    Elsewhere,
}

/// What a call of a fun reaches.
pub enum FunLookup {
    /// The function that the fun enters.
    Found(FunId),
    /// The module of a fun that came from outside is not loaded yet.
    Load(Atom),
    /// There is no such module.
    NoModule,
    /// The module has no such fun.
    NoFunction,
}

/// The built-ins by name: the same for all programs, so made once.
fn builtin_index() -> &'static HashMap<(Atom, Atom, u16), u32> {
    static INDEX: OnceLock<HashMap<(Atom, Atom, u16), u32>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let all = builtins::all().iter().enumerate();
        let key = |b: &Builtin| (Atom::new(b.module), Atom::new(b.name), u16::from(b.arity));
        all.map(|(i, b)| (key(b), i as u32)).collect()
    })
}

impl Default for Program {
    fn default() -> Program {
        Program::new()
    }
}

impl Program {
    /// A program without modules.
    pub fn new() -> Program {
        let code = Code::default();
        let redirected = HashMap::new();
        Program {
            code,
            missing: HashSet::new(),
            limits: Limits::default(),
            redirected,
            unaided: HashSet::new(),
            otp: OtpVersion::default(),
            starts_kernel: false,
            loaded: vec![],
            loaded_index: HashMap::new(),
            versioned: HashSet::new(),
        }
    }

    /// A program without modules that runs as on the installed OTP.
    pub fn on_installed_otp() -> Program {
        let installed = reverl_lang::project::otp_version();
        let otp = installed.map(|(release, erts)| OtpVersion { release, erts });
        let otp = otp.unwrap_or_default();
        Program { otp, starts_kernel: true, ..Program::new() }
    }

    /// Adds a module to the code.
    pub fn load(&mut self, module: &Module) {
        let builtins = builtin_index();
        let unaided = &self.unaided;
        let native = |name: Atom, arity: u32| {
            builtins.contains_key(&(module.name, name, arity as u16))
                && !unaided.contains(&(module.name, name))
        };
        reverl_lang::lower::lower(module, &mut self.code, &native);
        crate::module_info::add(&mut self.code, module.name);
    }

    /// Loads a module whose functions see those of `context` as their own.
    pub fn load_into(&mut self, module: &Module, context: Atom) {
        let known = self.code.modules.get(&context).map(|m| m.locals.clone()).unwrap_or_default();
        reverl_lang::lower::lower_with(module, &mut self.code, &|_, _| false, known);
    }

    /// Adds a version of a module that a program loads at run time from these bytes; processes
    /// that do not see an edition with it go on as if it were not there.
    pub fn load_version(&mut self, module: &Module, bytes: &[u8]) -> Version {
        let first = self.code.modules.remove(&module.name);
        let start = self.code.funs.len();
        self.load(module);
        let info = self.code.modules.remove(&module.name).expect("just loaded");
        first.into_iter().for_each(|first| drop(self.code.modules.insert(module.name, first)));
        self.set_versioned(module.name);
        let number = self.loaded.len() as u32;
        self.loaded.push(LoadedVersion { info, funs: start..self.code.funs.len() });
        self.loaded_index.insert((module.name, bytes.to_vec()), number);
        Version::Loaded(number)
    }

    /// The version of a module that was loaded from these bytes before.
    pub fn version_of(&self, module: Atom, bytes: &[u8]) -> Option<Version> {
        self.loaded_index.get(&(module, bytes.to_vec())).map(|number| Version::Loaded(*number))
    }

    /// The version of a module with this number, if it is one of that module.
    pub fn numbered_version(&self, module: Atom, number: u32) -> Option<Version> {
        let version = self.loaded.get(number as usize)?;
        (version.info.name == module).then_some(Version::Loaded(number))
    }

    /// From now on calls into the module are looked up in the edition of who calls.
    pub fn set_versioned(&mut self, module: Atom) {
        if self.versioned.insert(module) {
            let known = self.code.imports.iter().filter(|i| i.module == module);
            known.for_each(|import| import.target.set(Target::Unresolved));
        }
    }

    /// The versions of a module that are there for whoever sees this edition.
    pub fn versions(&self, seen: &Seen, module: Atom) -> Versions {
        let changed = seen.as_ref().and_then(|edition| edition.versions(module));
        changed.unwrap_or_else(|| Versions {
            current: self.is_loaded(module).then_some(Version::First),
            old: None,
        })
    }

    /// What is known of the current version of a module.
    pub fn module(&self, seen: &Seen, module: Atom) -> Option<&ModuleInfo> {
        match self.versions(seen, module).current? {
            Version::First => self.code.modules.get(&module),
            Version::Loaded(number) => Some(&self.loaded[number as usize].info),
        }
    }

    /// The names of all modules that are loaded for whoever sees this edition, in order.
    pub fn loaded_modules(&self, seen: &Seen) -> Vec<Atom> {
        let first = self.code.modules.keys().copied();
        let changed = seen.iter().flat_map(|edition| edition.modules().map(|(module, _)| module));
        let is_there = |module: &Atom| self.module(seen, *module).is_some();
        let mut names: Vec<Atom> = first.chain(changed).filter(is_there).collect();
        names.sort_by_key(|name| name.name());
        names.dedup();
        names
    }

    /// The version of its module that a function belongs to.
    pub fn version_of_function(&self, fun: FunId) -> Version {
        match self.loaded.iter().position(|version| version.funs.contains(&(fun.0 as usize))) {
            Some(number) => Version::Loaded(number as u32),
            None => Version::First,
        }
    }

    /// Whether the module is loaded.
    pub fn is_loaded(&self, module: Atom) -> bool {
        self.code.modules.contains_key(&module)
    }

    /// Notes that there is no such module: calls into it are `undef`.
    pub fn set_missing(&mut self, module: Atom) {
        self.missing.insert(module);
    }

    /// Whether the module was looked for and does not exist.
    pub fn is_missing(&self, module: Atom) -> bool {
        self.missing.contains(&module)
    }

    /// The built-in with this number.
    pub fn builtin(index: u32) -> &'static Builtin {
        builtins::all()[index as usize]
    }

    /// The number of the built-in with this name.
    pub fn builtin_number(module: Atom, name: Atom, arity: u16) -> Option<u32> {
        builtin_index().get(&(module, name, arity)).copied()
    }

    /// The number of the built-in with this name, if the program's OTP has it.
    pub fn find_builtin(&self, module: Atom, name: Atom, arity: u16) -> Option<u32> {
        Program::builtin_number(module, name, arity)
            .filter(|index| Program::builtin(*index).since <= self.otp.release)
    }

    /// What a call of `module:name/arity` reaches.
    pub fn lookup(&self, seen: &Seen, module: Atom, name: Atom, arity: u16) -> Lookup {
        if !self.redirected.is_empty() {
            if let Some(fun) = self.redirected.get(&(module, name, arity)) {
                return Lookup::Found(Target::Fun(*fun));
            }
        }
        let builtin = self.find_builtin(module, name, arity);
        let is_used = |index: &u32| {
            !self.unaided.contains(&(module, name)) && !self.stands_aside(seen, *index)
        };
        if let Some(index) = builtin.filter(is_used) {
            return Lookup::Found(Target::Builtin(index));
        }
        if let Some(edition) = seen {
            match edition.versions(module).map(|versions| versions.current) {
                Some(Some(Version::Loaded(number))) => {
                    let exports = &self.loaded[number as usize].info.exports;
                    let found = exports.get(&(name, u32::from(arity)));
                    return found.map_or(Lookup::Undefined, |f| Lookup::Found(Target::Fun(*f)));
                }
                Some(None) => return Lookup::Elsewhere,
                Some(Some(Version::First)) => {}
                None if edition.has_paths && self.is_missing(module) => return Lookup::Elsewhere,
                None => {}
            }
        }
        if let Some(fun) = self.code.exported(module, name, u32::from(arity)) {
            return Lookup::Found(Target::Fun(fun));
        }
        let known = self.is_loaded(module) || self.is_missing(module);
        if known { Lookup::Undefined } else { Lookup::Load(module) }
    }

    /// Whether a built-in leaves its place to OTP's function: those that say nothing are for
    /// machines without OTP, and `logger:allow/2` until somebody starts the logger.
    fn stands_aside(&self, seen: &Seen, builtin: u32) -> bool {
        let builtin = Program::builtin(builtin);
        match (builtin.module, builtin.native) {
            ("logger", Native::Shortcut(_)) => {
                seen.as_ref().is_some_and(|edition| edition.has_logger)
            }
            ("logger", _) => !self.is_missing(Atom::new("logger")),
            ("init", Native::Function(_)) if builtin.name != "get_status" => {
                !self.is_missing(Atom::new("init"))
            }
            _ => false,
        }
    }

    /// The function that a fun enters. One that came from outside is found by its module
    /// and its numbers, and the function must take exactly the values that the fun holds.
    pub fn function_of(&self, closure: &Closure) -> FunLookup {
        if let Some(code) = closure.code {
            return FunLookup::Found(FunId(code));
        }
        let registers = closure.arity as usize + closure.env.len();
        let fits =
            |fun: &FunInfo| fun.module == closure.module && usize::from(fun.arity) == registers;
        // Those that a compiler made have a hash of their module, and the compiler's numbers.
        if closure.new_uniq != [0; 16] {
            let module = self.code.modules.get(&closure.module);
            if let Some(name) = module.and_then(|m| m.lambdas.get(&closure.index)) {
                let found = self.code.funs.iter().rposition(|fun| fits(fun) && fun.name == *name);
                return found
                    .map_or(FunLookup::NoFunction, |at| FunLookup::Found(FunId(at as u32)));
            }
        }
        let made_here = ops::fun_of_uniq(closure.uniq).0 as usize;
        let is_made_here = |fun: &FunInfo| fits(fun) && fun.lambda.is_none();
        if self.code.funs.get(made_here).is_some_and(is_made_here) {
            return FunLookup::Found(FunId(made_here as u32));
        }
        let has_index = |fun: &FunInfo| match (fun.lambda, fun.kind) {
            (Some(lambda), _) => (lambda.index, lambda.uniq) == (closure.index, closure.uniq),
            (None, FunKind::Closure { index, .. }) => index == closure.index,
            (None, _) => false,
        };
        let any_fun = (closure.module, Atom::new(ANY_FUN), registers as u16);
        if let Some(fun) = self.redirected.get(&any_fun) {
            return FunLookup::Found(*fun);
        }
        // A module that was loaded again has its newest functions last.
        match self.code.funs.iter().rposition(|fun| fits(fun) && has_index(fun)) {
            Some(at) => FunLookup::Found(FunId(at as u32)),
            None if self.is_loaded(closure.module) => FunLookup::NoFunction,
            None if self.is_missing(closure.module) => FunLookup::NoModule,
            None => FunLookup::Load(closure.module),
        }
    }

    /// What a call of this import reaches.
    pub fn resolve(&self, seen: &Seen, import: ImportId) -> Lookup {
        let i = &self.code.imports[import.0 as usize];
        let found = self.lookup(seen, i.module, i.name, i.arity);
        if let Lookup::Found(target) = found {
            if !self.versioned.contains(&i.module) {
                i.target.set(target);
            }
        }
        found
    }

    /// An exported or local function of a loaded module.
    pub fn function(&self, module: Atom, name: Atom, arity: u32) -> Option<FunId> {
        self.code.modules.get(&module)?.locals.get(&(name, arity)).copied()
    }
}
