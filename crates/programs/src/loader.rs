//! Where test programs get their modules from: files, or texts in the test itself.

use reverl_causal::{Entry, Loader, NoOutside, System};
use reverl_lang::beam::{ErlangOnly, load_beam};
use reverl_lang::forms::Module;
use reverl_lang::module::{load_bytes, load_source};
use reverl_lang::options::Options;
use reverl_lang::project::{ModuleFinder, ModuleSource, Precedence, ProgramSources, files_under};
use reverl_lang::source::SourceMap;
use reverl_machine::{Program, library};
use reverl_term::{Atom, Term};
use std::collections::HashMap;
use std::path::Path;

/// Modules beside a file, of its project, of an installed OTP, and those that come with Reverl.
/// Parse transforms are not run.
pub struct Files {
    finder: ModuleFinder,
}

impl Files {
    pub fn around(path: &Path) -> Files {
        let given = ProgramSources { paths: vec![path.to_owned()], ..ProgramSources::default() };
        Files { finder: ModuleFinder::new(given, library::precedence) }
    }

    /// As on a machine without OTP: those that come with Reverl take its place.
    pub fn without_otp(path: &Path) -> Files {
        let beside = files_under(path.parent().unwrap_or(path), &["erl"]);
        let ours = |name: &str| library::find(name).map(|_| Precedence::First);
        Files { finder: ModuleFinder::among(beside, vec![], ours) }
    }
}

impl Loader for Files {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        if let Some((resource, _)) = self.finder.resource(module, sources) {
            return resource;
        }
        match self.finder.find(module)? {
            ModuleSource::Source(path) => {
                load_source(&path, &self.finder.options_for(&path), sources).0
            }
            ModuleSource::Beam(path) => load_beam(&path, &ErlangOnly, sources)
                .0
                .map(|module| library::amended(module, sources)),
            ModuleSource::Own => library::load(module.name(), sources),
            ModuleSource::Kept => None,
        }
    }
}

/// Modules that are written in the test, and those that come with Reverl.
#[derive(Clone, Default)]
pub struct Texts {
    texts: HashMap<Atom, String>,
}

impl Texts {
    /// A text, whose first form names its module.
    pub fn with(mut self, text: &str) -> Texts {
        let name = text.split_once("-module(").and_then(|(_, rest)| rest.split_once(')'));
        let (name, _) = name.expect("a text begins with -module(name).");
        self.texts.insert(Atom::new(name), text.to_string());
        self
    }
}

impl Loader for Texts {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let Some(text) = self.texts.get(&module) else {
            return library::load(module.name(), sources);
        };
        let path = format!("{}.erl", module.name());
        load_bytes(Path::new(&path), text.clone().into_bytes(), &Options::default(), sources).0
    }
}

/// A program of one text, about to run its `main/0`.
pub fn text(text: &str) -> System {
    let texts = Texts::default().with(text);
    let module = *texts.texts.keys().next().expect("one text");
    let entry = Entry::Call { module, name: Atom::new("main"), args: Term::nil() };
    System::new(Program::new(), Box::new(texts), Box::new(NoOutside), entry)
}
