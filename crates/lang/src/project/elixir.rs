//! An installed Elixir, found as a shell finds `elixir`.

use super::{ModuleSource, module_file};
use crate::files;
use std::path::{Path, PathBuf};

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

    pub fn find(&self, module: &str) -> Option<ModuleSource> {
        let mut beams = self.ebins.iter().filter_map(|dir| module_file(dir, module, "beam"));
        beams.find(|path| files::is_file(path)).map(ModuleSource::Beam)
    }
}
