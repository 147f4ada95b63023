//! An installed Elixir, found as a shell finds `elixir`.

use super::{ModuleSource, module_file};
use crate::files;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Whether a module is one of the installed Elixir's own.
pub fn is_of_elixir(module: &str) -> bool {
    static MODULES: OnceLock<HashSet<String>> = OnceLock::new();
    let modules = MODULES.get_or_init(|| {
        let ebins = Elixir::installed().map(|elixir| elixir.ebins).unwrap_or_default();
        let beams = ebins.iter().flat_map(|dir| files::entries(dir));
        let beams = beams.filter(|path| path.extension().is_some_and(|e| e == "beam"));
        beams.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect()
    });
    modules.contains(module)
}

pub(super) struct Elixir {
    ebins: Vec<PathBuf>,
}

impl Elixir {
    /// The Elixir whose `elixir` is on the path: a script in `ROOT/bin`, beside `ROOT/lib`.
    pub fn installed() -> Option<Elixir> {
        let path = files::variable("PATH").unwrap_or_default();
        let mut scripts = std::env::split_paths(&path).map(|dir| dir.join("elixir"));
        let script = scripts.find_map(|script| files::resolved(&script))?;
        let lib = script.parent().and_then(Path::parent)?.join("lib");
        let ebins: Vec<PathBuf> =
            files::entries(&lib).iter().map(|application| application.join("ebin")).collect();
        (!ebins.is_empty()).then_some(Elixir { ebins })
    }

    /// The directories of its applications.
    pub fn app_dirs(&self) -> impl Iterator<Item = PathBuf> {
        self.ebins.iter().filter_map(|ebin| Some(ebin.parent()?.to_owned()))
    }

    pub fn find(&self, module: &str) -> Option<ModuleSource> {
        let mut beams = self.ebins.iter().filter_map(|dir| module_file(dir, module, "beam"));
        beams.find(|path| files::is_file(path)).map(ModuleSource::Beam)
    }
}
