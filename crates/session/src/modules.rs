//! Where a session's modules come from: the user's files and project, an installed OTP, and the
//! library that comes with Reverl.

use reverl_causal::Loader;
use reverl_lang::beam::load_beam;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::forms::Module;
use reverl_lang::lint::lint;
use reverl_lang::module::{load_bytes, load_source};
use reverl_lang::options::Options;
use reverl_lang::project::{Given, ModuleFinder, ModuleSource};
use reverl_lang::source::SourceMap;
use reverl_machine::library;
use reverl_term::Atom;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

/// Problems met while loading, for whoever started the session to show.
pub type Problems = Rc<RefCell<Vec<String>>>;

pub struct Modules {
    finder: ModuleFinder,
    problems: Problems,
}

impl Modules {
    pub fn new(given: Given) -> Modules {
        Modules { finder: ModuleFinder::new(given), problems: Problems::default() }
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
        };
        if let Some(module) = module.as_ref().filter(|_| !found.iter().any(Diagnostic::is_error)) {
            found.extend(lint(module));
        }
        let broken = found.iter().any(Diagnostic::is_error);
        (module.filter(|_| !broken), found)
    }

    fn own(&self, name: &str, sources: &mut SourceMap) -> Option<Module> {
        let library = library::find(name)?;
        let path = format!("{name}.erl");
        let options = Options::default();
        load_bytes(Path::new(&path), library.text.into(), &options, sources).0
    }

    /// Where Reverl looks for modules, for messages.
    pub fn otp(&self) -> Option<&Path> {
        self.finder.otp_lib()
    }
}

impl Loader for Modules {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let name = module.name();
        if library::find(name).is_some_and(|l| l.replaces_otp) {
            return self.own(name, sources);
        }
        let Some(source) = self.finder.find(module) else { return self.own(name, sources) };
        let (loaded, found) = self.read(&source, sources);
        let errors = found.iter().filter(|d| d.is_error());
        self.problems.borrow_mut().extend(errors.map(|d| d.render(sources)));
        loaded.or_else(|| self.own(name, sources))
    }
}
