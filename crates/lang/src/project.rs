//! Where modules and headers are: the user's files, a project round them, `-pa`, and an OTP.
//!
//! Projects are recognised as Erlang developers lay them out: plain `src` and `ebin`, rebar3
//! (`apps/*`, `lib/*`, `_build/PROFILE/lib/*`) and mix (`_build/ENV/lib/*/ebin`). OTP is found as
//! a shell finds `erl`. Directories are listed when a question needs them, not before.

use crate::libraries::Libraries;
use crate::options::Options;
use reverl_term::Atom;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Where the code of a module is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleSource {
    Source(PathBuf),
    Beam(PathBuf),
}

/// What a person gave on the command line.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Files (`.erl`, `.beam`) and directories.
    pub paths: Vec<PathBuf>,
    /// `-pa DIR`
    pub code_dirs: Vec<PathBuf>,
    /// `-I DIR`
    pub include_dirs: Vec<PathBuf>,
    /// `-D NAME[=VALUE]`
    pub defines: Vec<(String, Option<String>)>,
}

/// Answers which file holds a module: the user's own first, then the project's and those beside
/// the user's, then OTP's.
pub struct ModuleFinder {
    /// Modules of files named one by one.
    files: HashMap<String, ModuleSource>,
    /// Directories the user named, read whole.
    dirs: Vec<PathBuf>,
    indexed: OnceLock<HashMap<String, ModuleSource>>,
    code_dirs: Vec<PathBuf>,
    project: Option<Project>,
    /// The directories of the files: what lies beside them may be called.
    beside: Vec<PathBuf>,
    otp: Option<Otp>,
    pub libraries: Arc<Libraries>,
    include_dirs: Vec<PathBuf>,
    defines: Vec<(String, Option<String>)>,
}

impl ModuleFinder {
    pub fn new(given: Given) -> ModuleFinder {
        let (dirs, files): (Vec<_>, Vec<_>) = given.paths.into_iter().partition(|p| p.is_dir());
        let first = files.first().or(dirs.first()).cloned().unwrap_or_else(|| ".".into());
        let project = Project::around(&first);
        let otp = Otp::installed();
        let mut roots = Vec::new();
        // `-pa lib/app/ebin` also says where the application `app` is.
        roots.extend(given.code_dirs.iter().filter_map(|d| Some(d.parent()?.to_owned())));
        roots.extend(project.iter().flat_map(Project::library_roots));
        roots.extend(otp.iter().map(|otp| otp.lib.clone()));
        let mut beside: Vec<PathBuf> =
            files.iter().filter_map(|f| Some(f.parent()?.to_owned())).collect();
        beside.dedup();
        let named =
            files.into_iter().filter_map(|path| Some((module_name(&path)?, code_file(&path)?)));
        ModuleFinder {
            files: named.collect(),
            dirs,
            indexed: OnceLock::new(),
            code_dirs: given.code_dirs,
            project,
            beside,
            otp,
            libraries: Arc::new(Libraries::new(roots)),
            include_dirs: given.include_dirs,
            defines: given.defines,
        }
    }

    pub fn find(&self, module: Atom) -> Option<ModuleSource> {
        let name = module.name();
        if !is_file_name(name) {
            return None;
        }
        if let Some(source) = self.files.get(name) {
            return Some(source.clone());
        }
        if let Some(source) = self.index().get(name) {
            return Some(source.clone());
        }
        let beam = self.code_dirs.iter().map(|dir| dir.join(format!("{name}.beam")));
        if let Some(path) = beam.into_iter().find(|path| path.is_file()) {
            return Some(ModuleSource::Beam(path));
        }
        let project = self.project.as_ref().and_then(|p| p.index().get(name).cloned());
        let beside = || {
            let files = self.beside.iter().map(|dir| dir.join(format!("{name}.erl")));
            files.into_iter().find(|path| path.is_file()).map(ModuleSource::Source)
        };
        project.or_else(beside).or_else(|| self.otp.as_ref()?.find(name))
    }

    /// An application's directory and resource file: the one that was written, or built.
    pub fn application(&self, name: &str) -> Option<(PathBuf, PathBuf)> {
        if !is_file_name(name) {
            return None;
        }
        let files = [format!("src/{name}.app.src"), format!("ebin/{name}.app")];
        let given = self.dirs.iter().cloned().chain(self.libraries.app_dir(name));
        let mut places = given.flat_map(|dir| files.each_ref().map(|f| (dir.clone(), dir.join(f))));
        places.find(|(_, file)| file.is_file())
    }

    fn index(&self) -> &HashMap<String, ModuleSource> {
        self.indexed.get_or_init(|| {
            let mut found = HashMap::new();
            for dir in &self.dirs {
                index_dir(dir, &mut found);
            }
            found
        })
    }

    /// Where OTP was found, to say so in messages.
    pub fn otp_lib(&self) -> Option<&Path> {
        self.otp.as_ref().map(|otp| otp.lib.as_path())
    }

    /// How to read a source file: what was given, and the headers its place suggests.
    pub fn options_for(&self, path: &Path) -> Options {
        let mut options = Options {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            libraries: self.libraries.clone(),
            ..Options::default()
        };
        options.include_dirs.extend(include_dirs_of(path));
        options
    }
}

/// A name from a program or a recording must not walk the file system.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && !name.starts_with('.')
}

/// The file of a module in a directory. There is none for names that would lead out of it.
pub fn module_file(dir: &Path, module: &str, extension: &str) -> Option<PathBuf> {
    is_file_name(module).then(|| dir.join(format!("{module}.{extension}")))
}

fn module_name(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.to_string())
}

fn code_file(path: &Path) -> Option<ModuleSource> {
    match path.extension()?.to_str()? {
        "beam" => Some(ModuleSource::Beam(path.to_owned())),
        _ => Some(ModuleSource::Source(path.to_owned())),
    }
}

/// Whether a file below `dir` is what a build tool made or fetched there.
pub fn is_built(dir: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(dir).unwrap_or(path);
    inside.components().any(|part| part.as_os_str() == "_build")
}

/// Adds all modules under a directory; source wins over `.beam`, what people wrote over copies in
/// `_build`, the first found over later ones.
fn index_dir(dir: &Path, found: &mut HashMap<String, ModuleSource>) {
    let mut files = files_under(dir, &["erl", "beam"]);
    files.sort_by_key(|path| is_built(dir, path));
    for path in files {
        let (Some(name), Some(file)) = (module_name(&path), code_file(&path)) else { continue };
        match (found.get(&name), &file) {
            (None, _) | (Some(ModuleSource::Beam(_)), ModuleSource::Source(_)) => {
                found.insert(name, file);
            }
            _ => {}
        }
    }
}

/// Deeper trees than this are links that go round in a circle.
const MAX_DIR_DEPTH: usize = 32;

/// All files with one of the extensions, sorted by path; hidden directories are left out.
pub fn files_under(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![(dir.to_owned(), 0)];
    while let Some((dir, depth)) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let kind = entry.file_type();
            if kind.is_ok_and(|k| k.is_dir()) {
                if depth < MAX_DIR_DEPTH && !hidden {
                    pending.push((path, depth + 1));
                }
            } else if path
                .extension()
                .and_then(|e| e.to_str())
                .is_some_and(|e| extensions.contains(&e))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Directories whose headers a file may include without being told: those of its application
/// (`include`, `src` and what is below it), as rebar3 and OTP's own build have them.
pub fn include_dirs_of(path: &Path) -> Vec<PathBuf> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let is_code =
        |dir: &Path| dir.file_name().is_some_and(|n| n == "src" || n == "test" || n == "include");
    let Some(code) = absolute.ancestors().skip(1).find(|dir| is_code(dir)) else {
        return absolute.parent().map(|dir| dir.join("../include")).into_iter().collect();
    };
    let Some(root) = code.parent() else { return Vec::new() };
    let src = root.join("src");
    let mut dirs = vec![root.join("include"), src.clone()];
    let headers = files_under(&src, &["hrl"]);
    let mut below: Vec<PathBuf> =
        headers.iter().filter_map(|h| h.parent()).map(Path::to_owned).collect();
    below.dedup();
    dirs.extend(below.into_iter().filter(|dir| *dir != src));
    dirs.push(root.to_owned());
    dirs
}

/// A rebar3 or mix project, or a plain application.
struct Project {
    root: PathBuf,
    indexed: OnceLock<HashMap<String, ModuleSource>>,
}

impl Project {
    /// The nearest directory above that looks like a project's root.
    fn around(path: &Path) -> Option<Project> {
        let absolute = std::path::absolute(path).ok()?;
        let markers = ["rebar.config", "mix.exs", "_build", "erlang.mk", "rebar.lock"];
        let marked = |dir: &&Path| markers.iter().any(|m| dir.join(m).exists());
        let app = |dir: &&Path| dir.file_name().is_some_and(|n| n == "src" || n == "ebin");
        // An application inside `apps` or `_build` belongs to the project outside it.
        let root = absolute.ancestors().filter(marked).last();
        let root = root.or_else(|| absolute.ancestors().find(app).and_then(Path::parent))?;
        Some(Project { root: root.to_owned(), indexed: OnceLock::new() })
    }

    /// Directories that hold applications.
    fn library_roots(&self) -> Vec<PathBuf> {
        let mut roots = vec![self.root.clone(), self.root.join("apps"), self.root.join("lib")];
        roots.extend(self.profiles().into_iter().map(|profile| profile.join("lib")));
        roots.extend([self.root.join("_checkouts"), self.root.join("deps")]);
        roots.retain(|root| root.is_dir());
        roots
    }

    /// `_build/default`, then the others.
    fn profiles(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.root.join("_build"));
        let mut profiles: Vec<PathBuf> =
            entries.into_iter().flatten().flatten().map(|e| e.path()).collect();
        let rank = |path: &PathBuf| path.file_name().map(|n| n != "default" && n != "dev");
        profiles.sort_by_key(|path| (rank(path), path.clone()));
        profiles
    }

    fn index(&self) -> &HashMap<String, ModuleSource> {
        self.indexed.get_or_init(|| {
            let mut found = HashMap::new();
            let own = ["src", "test", "ebin"].map(|dir| self.root.join(dir));
            let mut dirs: Vec<PathBuf> = own.into();
            for root in self.library_roots() {
                let apps = std::fs::read_dir(&root).into_iter().flatten().flatten();
                let apps: Vec<PathBuf> = apps.map(|e| e.path()).collect();
                dirs.extend(apps.iter().map(|app| app.join("src")));
                dirs.extend(apps.iter().map(|app| app.join("ebin")));
            }
            for dir in dirs.iter().filter(|dir| dir.is_dir()) {
                index_dir(dir, &mut found);
            }
            found
        })
    }
}

/// An installed OTP.
struct Otp {
    /// The directory of its applications.
    lib: PathBuf,
    ebins: OnceLock<Vec<PathBuf>>,
}

impl Otp {
    /// The OTP that `ERL_ROOTDIR` names (and no other: a directory without one means none), that
    /// `ROOTDIR` names, or whose `erl` is on the path.
    fn installed() -> Option<Otp> {
        let roots = match std::env::var_os("ERL_ROOTDIR") {
            Some(root) => vec![PathBuf::from(root)],
            None => std::env::var_os("ROOTDIR")
                .map(PathBuf::from)
                .into_iter()
                .chain(erl_roots())
                .collect(),
        };
        let lib = roots.into_iter().map(|root| root.join("lib")).find(|lib| has_stdlib(lib))?;
        Some(Otp { lib, ebins: OnceLock::new() })
    }

    /// The debug info of a `.beam` is exact and needs no headers; the source is the fallback.
    fn find(&self, module: &str) -> Option<ModuleSource> {
        let beam = self.ebins().iter().map(|dir| dir.join(format!("{module}.beam")));
        if let Some(path) = beam.into_iter().find(|path| path.is_file()) {
            return Some(ModuleSource::Beam(path));
        }
        let source = |ebin: &PathBuf| Some(ebin.parent()?.join(format!("src/{module}.erl")));
        let mut sources = self.ebins().iter().filter_map(source);
        sources.find(|path| path.is_file()).map(ModuleSource::Source)
    }

    /// The applications' code directories, those asked for most often first.
    fn ebins(&self) -> &[PathBuf] {
        self.ebins.get_or_init(|| {
            let libraries = Libraries::new([self.lib.clone()]);
            let mut dirs: Vec<PathBuf> = libraries.app_dirs().map(|app| app.join("ebin")).collect();
            let first = |dir: &PathBuf| {
                let path = dir.to_string_lossy();
                !["/stdlib-", "/kernel-", "/erts-"].iter().any(|app| path.contains(app))
            };
            dirs.sort_by_key(|dir| (first(dir), dir.clone()));
            dirs
        })
    }
}

fn has_stdlib(lib: &Path) -> bool {
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    entries.map(|e| e.file_name()).any(|name| name.to_string_lossy().starts_with("stdlib"))
}

/// Roots that `erl` on the path may belong to: `erl` is a script in `ROOT/bin`, or a link to it,
/// or a wrapper beside `ROOT` in `lib/erlang`.
fn erl_roots() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut roots = Vec::new();
    for dir in std::env::split_paths(&path) {
        let Ok(erl) = dir.join("erl").canonicalize() else { continue };
        let Some(root) = erl.parent().and_then(Path::parent) else { continue };
        roots.extend([root.to_owned(), root.join("lib/erlang"), root.join("lib64/erlang")]);
    }
    roots.push(PathBuf::from("/usr/lib/erlang"));
    roots
}

/// The directory of an installed OTP's applications.
pub fn otp_lib() -> Option<PathBuf> {
    // Looked for once: every execution of a search that ends asks for it.
    static LIB: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    LIB.get_or_init(|| Otp::installed().map(|otp| otp.lib)).clone()
}
