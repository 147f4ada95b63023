//! Where a session's modules come from: the user's files and project, an installed OTP, and the
//! library that comes with Reverl.

use crate::transform::transform;
use crate::translation::Translation;
use reverl_causal::Loader;
use reverl_lang::beam::load_beam;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::forms::Module;
use reverl_lang::lint::lint;
use reverl_lang::module::load_source;
use reverl_lang::project::{ModuleFinder, ModuleSource, ProgramSources};
use reverl_lang::source::SourceMap;
use reverl_machine::library;
use reverl_term::fmt;
use reverl_term::{Atom, Term};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Problems met while loading, for whoever started the session to show.
pub type Problems = Rc<RefCell<Vec<String>>>;

/// Finds, compiles and loads the modules of a program.
pub struct Modules {
    finder: Arc<ModuleFinder>,
    problems: Problems,
    /// The parse transforms that these modules are loaded for.
    transforming: Vec<Atom>,
    /// Why there is no module of a name although there is a file of that name.
    missing: HashMap<Atom, String>,
}

/// Where the modules of a program are that is run here.
pub fn finder(given: ProgramSources) -> Arc<ModuleFinder> {
    Arc::new(ModuleFinder::new(given, library::precedence))
}

impl Modules {
    pub fn new(given: ProgramSources) -> Modules {
        Modules::sharing(finder(given), vec![])
    }

    /// Modules of the same files and project, for a parse transform.
    pub fn sharing(finder: Arc<ModuleFinder>, transforming: Vec<Atom>) -> Modules {
        Modules { finder, problems: Problems::default(), transforming, missing: HashMap::new() }
    }

    /// The sources that were refused, shared with the loader.
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
            ModuleSource::Beam(path) => {
                let translation = Translation::new(self.finder.clone());
                return load_beam(path, &translation, sources);
            }
            ModuleSource::Kept | ModuleSource::Own => return (None, vec![]),
        };
        let is_broken = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
        let Some(module) = module.filter(|_| !is_broken(&found)) else { return (None, found) };
        let (module, failed) = transform(module, &self.finder, &self.transforming, sources);
        found.extend(failed);
        found.extend(lint(&module));
        (Some(module).filter(|_| !is_broken(&found)), found)
    }

    /// Where Reverl looks for modules, for messages.
    pub fn otp(&self) -> Option<&Path> {
        self.finder.otp_lib()
    }
}

impl Loader for Modules {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let name = module.name();
        if let Some((resource, found)) = self.finder.resource(module, sources) {
            let errors = found.iter().filter(|d| d.is_error());
            self.problems.borrow_mut().extend(errors.map(|d| d.render(sources)));
            return resource;
        }
        let source = self.finder.find(module)?;
        if source == ModuleSource::Own {
            return library::load(name, sources);
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
        let in_otp = source.path().zip(self.otp()).is_some_and(|(path, otp)| path.starts_with(otp));
        let loaded = match loaded {
            Some(module) if in_otp => Some(library::amended(module, sources)),
            loaded => loaded,
        };
        loaded.or_else(|| library::load(name, sources))
    }

    fn file_of(&self, module: Atom) -> Option<String> {
        self.finder.file_of(module)
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
