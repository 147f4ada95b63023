//! An application's resource file as a module, so that a run depends on nothing but its modules.

use super::ModuleFinder;
use crate::diagnostic::Diagnostic;
use crate::files;
use crate::forms::Module;
use crate::module::load_bytes;
use crate::options::Options;
use crate::source::SourceMap;
use reverl_term::fmt::{self, Encoding};
use reverl_term::{Atom, Term};

/// What the name of such a module begins with.
const APPLICATION: &str = "reverl_app:";

impl ModuleFinder {
    /// The module of an application's resource, if that is what the name means and it was found:
    /// functions for the resource, its directory, and the modules that a build tool would add.
    pub fn resource(
        &self,
        module: Atom,
        sources: &mut SourceMap,
    ) -> Option<(Option<Module>, Vec<Diagnostic>)> {
        let (dir, file) = self.application(module.name().strip_prefix(APPLICATION)?)?;
        let resource = String::from_utf8(files::read_file(&file).ok()?).ok()?;
        let name = fmt::write(&Term::atom(module));
        // What a build tool would add to the file that people write.
        let is_written = file.extension().is_some_and(|e| e == "src");
        let code = is_written.then(|| files::below(&dir.join("src"), &["erl"]));
        let stems = code.iter().flatten().filter_map(|f| f.file_stem()?.to_str());
        let modules = fmt::write(&Term::list(stems.map(Term::atom_named).collect::<Vec<_>>()));
        let dir = fmt::write_string(&dir.display().to_string(), Encoding::Unicode);
        // On the first line, so that the others keep their numbers.
        let text = format!(
            "-module({name}). -export([resource/0, dir/0, modules/0]). dir() -> {dir}. \
             modules() -> {modules}. resource() -> {resource}"
        );
        Some(load_bytes(&file, text.into_bytes(), &Options::default(), sources))
    }
}
