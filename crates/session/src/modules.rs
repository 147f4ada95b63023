//! Where a session's modules come from: the user's files and project, an installed OTP, and the
//! library that comes with Reverl.

use crate::compile::read_own;
use crate::transform::transform;
use reverl_causal::Loader;
use reverl_lang::beam::load_beam;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::forms::Module;
use reverl_lang::lint::lint;
use reverl_lang::module::{load_bytes, load_source};
use reverl_lang::options::Options;
use reverl_lang::project::{Given, ModuleFinder, ModuleSource, files_under};
use reverl_lang::source::SourceMap;
use reverl_machine::library;
use reverl_term::fmt::{self, Encoding};
use reverl_term::{Atom, Term};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// What the name of a module begins with that is made of an application's resource file.
const APPLICATION: &str = "reverl_app:";

/// Problems met while loading, for whoever started the session to show.
pub type Problems = Rc<RefCell<Vec<String>>>;

pub struct Modules {
    finder: Arc<ModuleFinder>,
    problems: Problems,
    /// The parse transforms that these modules are loaded for.
    transforming: Vec<Atom>,
    /// Why there is no module of a name although there is a file of that name.
    missing: HashMap<Atom, String>,
}

/// Where the modules of a program are that is run here.
pub fn finder(given: Given) -> Arc<ModuleFinder> {
    Arc::new(ModuleFinder::new(given, library::precedence))
}

impl Modules {
    pub fn new(given: Given) -> Modules {
        Modules::sharing(finder(given), vec![])
    }

    /// Modules of the same files and project, for a parse transform.
    pub fn sharing(finder: Arc<ModuleFinder>, transforming: Vec<Atom>) -> Modules {
        Modules { finder, problems: Problems::default(), transforming, missing: HashMap::new() }
    }

    pub fn problems(&self) -> Problems {
        self.problems.clone()
    }

    /// Reads a module and checks it; with errors there is none.
    pub fn read(
        &self,
        source: &ModuleSource,
        sources: &mut SourceMap,
    ) -> (Option<Module>, Vec<Diagnostic>) {
        let (module, mut found) = match source {
            ModuleSource::Source(path) => {
                load_source(path, &self.finder.options_for(path), sources)
            }
            // What OTP's own compiler accepted needs no second check.
            ModuleSource::Beam(path) => return load_beam(path, sources),
            ModuleSource::Kept | ModuleSource::Own => return (None, vec![]),
        };
        let is_broken = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
        let Some(module) = module.filter(|_| !is_broken(&found)) else { return (None, found) };
        let (module, failed) = transform(module, &self.finder, &self.transforming, sources);
        found.extend(failed);
        found.extend(lint(&module));
        (Some(module).filter(|_| !is_broken(&found)), found)
    }

    fn own(&self, name: &str, sources: &mut SourceMap) -> Option<Module> {
        let library = library::find(name)?;
        read_own(&format!("{name}.erl"), library.text, sources)
    }

    /// A module of OTP with the functions that must be ours.
    fn amended(
        &self,
        mut module: Module,
        source: &ModuleSource,
        sources: &mut SourceMap,
    ) -> Module {
        let in_otp =
            self.otp().is_some_and(|otp| source.path().is_some_and(|p| p.starts_with(otp)));
        let name = module.name.name();
        let Some(text) = library::amendment(name).filter(|_| in_otp) else { return module };
        let ours = read_own(&format!("amended/{name}.erl"), text, sources);
        for function in ours.into_iter().flat_map(|m| m.functions) {
            let theirs = module.functions.iter_mut();
            let mut same = theirs.filter(|f| (f.name, f.arity) == (function.name, function.arity));
            if let Some(theirs) = same.next() {
                *theirs = function;
            }
        }
        module
    }

    /// An application's resource file as a module: a run depends on nothing but its modules.
    fn application(&self, name: &str, sources: &mut SourceMap) -> Option<Module> {
        let (dir, file) = self.finder.application(name)?;
        let resource = std::fs::read_to_string(&file).ok()?;
        let module = fmt::write(&Term::atom(Atom::new(&format!("{APPLICATION}{name}"))));
        // What a build tool would add to the file that people write.
        let written = file.extension().is_some_and(|e| e == "src");
        let sources_of = written.then(|| files_under(&dir.join("src"), &["erl"]));
        let stems = sources_of.iter().flatten().filter_map(|f| f.file_stem()?.to_str());
        let stems = Term::list(stems.map(Term::atom_named).collect::<Vec<_>>());
        let modules = fmt::write(&stems);
        let dir = fmt::write_string(&dir.display().to_string(), Encoding::Unicode);
        // On the first line, so that the others keep their numbers.
        let text = format!(
            "-module({module}). -export([resource/0, dir/0, modules/0]). dir() -> {dir}. \
             modules() -> {modules}. resource() -> {resource}"
        );
        let (module, found) = load_bytes(&file, text.into_bytes(), &Options::default(), sources);
        let errors = found.iter().filter(|d| d.is_error());
        self.problems.borrow_mut().extend(errors.map(|d| d.render(sources)));
        module
    }

    /// Where Reverl looks for modules, for messages.
    pub fn otp(&self) -> Option<&Path> {
        self.finder.otp_lib()
    }
}

impl Loader for Modules {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let name = module.name();
        if let Some(name) = name.strip_prefix(APPLICATION) {
            return self.application(name, sources);
        }
        let source = self.finder.find(module)?;
        if source == ModuleSource::Own {
            return self.own(name, sources);
        }
        let (loaded, found) = self.read(&source, sources);
        let errors: Vec<String> =
            found.iter().filter(|d| d.is_error()).map(|d| d.render(sources)).collect();
        if let (Some(path), Some(why)) = (source.path(), why_not(module, &loaded, &errors)) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            self.missing.insert(module, format!("{file} {why}"));
        }
        self.problems.borrow_mut().extend(errors);
        let loaded = loaded.filter(|found| found.name == module);
        let loaded = loaded.map(|module| self.amended(module, &source, sources));
        loaded.or_else(|| self.own(name, sources))
    }

    fn why_missing(&self, module: Atom) -> Option<String> {
        self.missing.get(&module).cloned()
    }
}

/// Why a file gives no module of the name that it is called by.
fn why_not(module: Atom, loaded: &Option<Module>, errors: &[String]) -> Option<String> {
    let quoted = |name: Atom| fmt::write(&Term::atom(name));
    match loaded {
        Some(found) if found.name == module => None,
        Some(found) => {
            let (defined, asked) = (quoted(found.name), quoted(module));
            Some(format!("defines {defined}, not {asked}: rename the file or the module"))
        }
        None => Some(format!("cannot be used:\n{}", errors.concat().trim_end())),
    }
}
