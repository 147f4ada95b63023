//! Where modules and headers are. `ModuleFinder::find` is the one place where this is decided, for
//! programs that are run, checked, recorded or replayed.

mod elixir;
mod layout;
mod otp;
mod platform;
mod rebar;
mod resource;

pub use crate::files::below as files_under;
pub use layout::include_dirs_of;
pub use otp::{otp_lib, otp_version};
pub use platform::is_of_platform;

use crate::files;
use crate::libraries::Libraries;
use crate::options::Options;
use elixir::Elixir;
pub use elixir::is_of_elixir;
use layout::Project;
use otp::Otp;
use reverl_term::Atom;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Where the code of a module is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModuleSource {
    /// A source file.
    Source(PathBuf),
    /// A compiled file.
    Beam(PathBuf),
    /// In the recording that is replayed.
    Kept,
    /// It comes with Reverl.
    Own,
}

impl ModuleSource {
    /// A file, by its extension.
    pub fn of_file(path: &Path) -> ModuleSource {
        match path.extension().is_some_and(|e| e == "beam") {
            true => ModuleSource::Beam(path.to_owned()),
            false => ModuleSource::Source(path.to_owned()),
        }
    }

    /// The path of its file, if it has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            ModuleSource::Source(path) | ModuleSource::Beam(path) => Some(path),
            ModuleSource::Kept | ModuleSource::Own => None,
        }
    }
}

/// When a module that comes with Reverl is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Always: it uses the machine directly.
    First,
    /// Only if there is no other module of that name.
    Last,
}

/// Which modules come with Reverl.
pub type OwnModules = fn(&str) -> Option<Precedence>;

/// What a person gave on the command line.
#[derive(Clone, Debug, Default)]
pub struct ProgramSources {
    /// Files (`.erl`, `.beam`) and directories.
    pub paths: Vec<PathBuf>,
    /// `-pa DIR`
    pub code_dirs: Vec<PathBuf>,
    /// `-I DIR`
    pub include_dirs: Vec<PathBuf>,
    /// `-D NAME[=VALUE]`
    pub defines: Vec<(String, Option<String>)>,
}

/// Finds the file that holds a module.
pub struct ModuleFinder {
    own: OwnModules,
    kept: HashSet<String>,
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
    elixir: Option<Elixir>,
    /// The applications that includes and modules are looked for in.
    pub libraries: Arc<Libraries>,
    include_dirs: Vec<PathBuf>,
    defines: Vec<(String, Option<String>)>,
}

impl ModuleFinder {
    /// A finder for what a person gave, the project round it, and an installed OTP.
    pub fn new(given: ProgramSources, own: OwnModules) -> ModuleFinder {
        let (dirs, files): (Vec<_>, Vec<_>) =
            given.paths.into_iter().partition(|path| files::is_dir(path));
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
        ModuleFinder {
            dirs,
            project,
            beside,
            otp,
            elixir: Elixir::installed(),
            libraries: Arc::new(Libraries::new(roots)),
            include_dirs: given.include_dirs,
            defines: given.defines,
            ..ModuleFinder::among(files, given.code_dirs, own)
        }
    }

    /// A finder for the files and directories of code that a node had, and nothing else.
    pub fn among(files: Vec<PathBuf>, code_dirs: Vec<PathBuf>, own: OwnModules) -> ModuleFinder {
        let named = |path: PathBuf| {
            // A script may have no extension, and its name is not a module's.
            path.extension()?;
            Some((module_name(&path)?, ModuleSource::of_file(&path)))
        };
        ModuleFinder {
            own,
            kept: HashSet::new(),
            files: files.into_iter().filter_map(named).collect(),
            dirs: vec![],
            indexed: OnceLock::new(),
            code_dirs,
            project: None,
            beside: vec![],
            otp: None,
            elixir: None,
            libraries: Arc::default(),
            include_dirs: vec![],
            defines: vec![],
        }
    }

    /// A finder for the modules of an installed OTP, and of Elixir if there is one.
    pub fn in_otp(own: OwnModules) -> ModuleFinder {
        let (otp, elixir) = (Otp::installed(), Elixir::installed());
        ModuleFinder { otp, elixir, ..ModuleFinder::among(vec![], vec![], own) }
    }

    /// The same, and the modules of a recording, which come before all files.
    pub fn with_kept(self, names: impl IntoIterator<Item = String>) -> ModuleFinder {
        ModuleFinder { kept: names.into_iter().collect(), ..self }
    }

    /// Where a module is: what must be ours, what a recording has, what the user named, `-pa`,
    /// the project, what lies beside the user's files, OTP, Elixir, and last what is ours.
    pub fn find(&self, module: Atom) -> Option<ModuleSource> {
        let name = module.name();
        if !is_file_name(name) {
            return None;
        }
        let own = (self.own)(name);
        if own == Some(Precedence::First) {
            return Some(ModuleSource::Own);
        }
        if self.kept.contains(name) {
            return Some(ModuleSource::Kept);
        }
        let named = self.files.get(name).or_else(|| self.index().get(name)).cloned();
        let in_project = || self.project.as_ref().and_then(|p| p.index().get(name).cloned());
        let beside = || {
            let source = self.in_directory(&self.beside, name, "erl");
            source.or_else(|| self.in_directory(&self.beside, name, "beam"))
        };
        named
            .or_else(|| self.in_directory(&self.code_dirs, name, "beam"))
            .or_else(in_project)
            .or_else(beside)
            .or_else(|| self.otp.as_ref()?.find(name))
            .or_else(|| self.elixir.as_ref()?.find(name))
            .or_else(|| own.map(|_| ModuleSource::Own))
    }

    /// The file of a module, with its whole path. One that is ours stands where OTP's would.
    pub fn file_of(&self, module: Atom) -> Option<String> {
        let found = self.find(module)?;
        let otp = || self.otp.as_ref()?.find(module.name());
        let path =
            found.path().map(Path::to_owned).or_else(|| otp()?.path().map(Path::to_owned))?;
        Some(files::absolute(&path).to_string_lossy().into_owned())
    }

    fn in_directory(&self, dirs: &[PathBuf], name: &str, extension: &str) -> Option<ModuleSource> {
        let mut paths = dirs.iter().filter_map(|dir| module_file(dir, name, extension));
        paths.find(|path| files::is_file(path)).map(|path| ModuleSource::of_file(&path))
    }

    /// An application's directory and resource file: the one that was written, or built.
    pub fn application(&self, name: &str) -> Option<(PathBuf, PathBuf)> {
        if !is_file_name(name) {
            return None;
        }
        let files = [format!("src/{name}.app.src"), format!("ebin/{name}.app")];
        let elixirs = self.elixir.iter().flat_map(Elixir::app_dirs);
        let given = self.dirs.iter().cloned().chain(self.libraries.app_dir(name)).chain(elixirs);
        let mut places = given.flat_map(|dir| files.each_ref().map(|f| (dir.clone(), dir.join(f))));
        places.find(|(_, file)| files::is_file(file))
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
            release: otp_version().map_or(Options::default().release, |(release, _)| release),
            ..Options::default()
        };
        if let Some(project) = &self.project {
            rebar::configure(&mut options, path, project.root());
        }
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

/// Whether a file below `dir` is what a build tool made or fetched there.
pub fn is_built(dir: &Path, path: &Path) -> bool {
    let inside = path.strip_prefix(dir).unwrap_or(path);
    inside.components().any(|part| part.as_os_str() == "_build")
}

/// Adds all modules under a directory; source wins over `.beam`, what people wrote over copies in
/// `_build`, the first found over later ones.
fn index_dir(dir: &Path, found: &mut HashMap<String, ModuleSource>) {
    let mut files = files::below(dir, &["erl", "beam"]);
    files.sort_by_key(|path| is_built(dir, path));
    for path in files {
        let Some(name) = module_name(&path) else { continue };
        let file = ModuleSource::of_file(&path);
        match (found.get(&name), &file) {
            (None, _) | (Some(ModuleSource::Beam(_)), ModuleSource::Source(_)) => {
                found.insert(name, file);
            }
            _ => {}
        }
    }
}
