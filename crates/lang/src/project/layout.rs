//! What belongs together: the project and the application that a file is part of.
//!
//! A project is where its build files are, an application where `src` holds Erlang beside an
//! `ebin` or an `include`, or where a resource file is. The name of a directory alone says nothing: people
//! keep unrelated things in one that is called `src`.

use super::rebar::source_dirs;
use super::{ModuleSource, index_dir};
use crate::files;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Files that a build tool reads, in the directory that it is started in.
const BUILD_FILES: &[&str] =
    &["rebar.config", "rebar.config.script", "rebar.lock", "mix.exs", "gleam.toml", "erlang.mk"];

/// Directories of a project that hold applications, each in a directory of its own.
const APPLICATIONS: &[&str] = &["apps", "lib", "_checkouts", "deps"];

/// Directories of an application that hold its modules and headers.
const CODE: &[&str] = &["src", "test", "include", "ebin"];

/// A project of rebar3, mix, gleam or erlang.mk, or one application.
pub(super) struct Project {
    root: PathBuf,
    indexed: OnceLock<HashMap<String, ModuleSource>>,
}

impl Project {
    /// The project that a file or directory is part of.
    pub fn around(path: &Path) -> Option<Project> {
        let absolute = files::absolute(path);
        let root = build_root(&absolute).or_else(|| application_of(&absolute))?;
        Some(Project { root, indexed: OnceLock::new() })
    }

    /// Where its build files are.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Directories that hold applications.
    pub fn library_roots(&self) -> Vec<PathBuf> {
        let own = |dir: &str| self.root.join(dir);
        let mut roots = vec![self.root.clone(), own("apps"), own("lib")];
        roots.extend(self.profiles());
        roots.extend([own("_checkouts"), own("deps")]);
        roots.retain(|root| files::is_dir(root));
        roots
    }

    /// Where built applications are: of the usual profile, then of the others.
    fn profiles(&self) -> Vec<PathBuf> {
        let of_rebar_and_mix = files::entries(&self.root.join("_build"));
        let of_gleam = files::entries(&self.root.join("build"));
        let mut profiles: Vec<PathBuf> = of_rebar_and_mix.iter().map(|p| p.join("lib")).collect();
        profiles.extend(of_gleam.iter().map(|p| p.join("erlang")));
        let is_usual = |path: &PathBuf| {
            let name = path.parent().and_then(Path::file_name);
            name.is_some_and(|n| n == "default" || n == "dev")
        };
        profiles.sort_by_key(|path| (!is_usual(path), path.clone()));
        profiles
    }

    pub fn index(&self) -> &HashMap<String, ModuleSource> {
        self.indexed.get_or_init(|| {
            let mut found = HashMap::new();
            let own = ["src", "test", "ebin"].map(|dir| self.root.join(dir));
            let mut dirs: Vec<PathBuf> = own.into();
            dirs.extend(source_dirs(&self.root));
            for root in self.library_roots() {
                let apps = files::entries(&root);
                dirs.extend(apps.iter().map(|app| app.join("src")));
                // Protocols of Elixir that know all their implementations.
                dirs.extend(apps.iter().map(|app| app.join("consolidated")));
                dirs.extend(apps.iter().map(|app| app.join("ebin")));
            }
            for dir in dirs.iter().filter(|dir| files::is_dir(dir)) {
                index_dir(dir, &mut found);
            }
            found
        })
    }
}

fn has_build_file(dir: &Path) -> bool {
    BUILD_FILES.iter().any(|name| files::is_file(&dir.join(name)))
}

/// The nearest directory above with a build file; of an application among those of a project, the
/// project's.
fn build_root(path: &Path) -> Option<PathBuf> {
    let mut roots = path.ancestors().filter(|dir| has_build_file(dir));
    let mut root = roots.next()?;
    for outer in roots {
        if is_application_among(outer, root) {
            root = outer;
        }
    }
    Some(root.to_owned())
}

/// Whether a directory is where a project keeps, fetches or builds one of its applications.
fn is_application_among(project: &Path, dir: &Path) -> bool {
    let Ok(inside) = dir.strip_prefix(project) else { return false };
    let parts: Vec<_> = inside.iter().filter_map(|part| part.to_str()).collect();
    match parts[..] {
        [holder, _] => APPLICATIONS.contains(&holder),
        ["_build", _, "lib" | "plugins" | "checkouts", _] => true,
        ["build", "packages", _] | ["build", _, "erlang", _] => true,
        _ => false,
    }
}

/// The directory of the application that a file is part of.
fn application_of(path: &Path) -> Option<PathBuf> {
    let project = path.ancestors().find(|dir| has_build_file(dir));
    let is_code = |dir: &Path| dir.file_name().is_some_and(|n| CODE.iter().any(|code| n == *code));
    let holders = path.ancestors().filter(|dir| is_code(dir)).filter_map(Path::parent);
    let mut applications = holders.filter(|dir| {
        project.is_some_and(|project| dir.starts_with(project)) || is_application(dir)
    });
    applications.next().map(Path::to_owned)
}

/// Whether a directory without build files is laid out as an application.
fn is_application(dir: &Path) -> bool {
    let in_src = files::entries(&dir.join("src"));
    let ends_with = |path: &PathBuf, end: &str| path.to_string_lossy().ends_with(end);
    let beside = ["ebin", "include"].iter().any(|name| files::is_dir(&dir.join(name)));
    in_src.iter().any(|path| ends_with(path, ".app.src"))
        || files::entries(&dir.join("ebin")).iter().any(|path| ends_with(path, ".app"))
        || beside && in_src.iter().any(|path| ends_with(path, ".erl"))
}

/// Directories whose headers a file may include without being told: those of its application
/// (`include`, `src` and what is below it), as rebar3 and OTP's own build have them.
pub fn include_dirs_of(path: &Path) -> Vec<PathBuf> {
    let absolute = files::absolute(path);
    let Some(root) = application_of(&absolute) else {
        return absolute.parent().map(|dir| dir.join("../include")).into_iter().collect();
    };
    let src = root.join("src");
    let mut dirs = vec![root.join("include"), src.clone()];
    let headers = files::below(&src, &["hrl"]);
    let mut below: Vec<PathBuf> =
        headers.iter().filter_map(|h| h.parent()).map(Path::to_owned).collect();
    below.dedup();
    dirs.extend(below.into_iter().filter(|dir| *dir != src));
    dirs.push(root);
    dirs
}
