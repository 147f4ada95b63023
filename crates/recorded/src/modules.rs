//! The modules of a recording: as they were loaded, with stand-ins for what is not interpreted.

use crate::parts::{Function, Kind, Module as Kept};
use reverl_causal::Loader;
use reverl_lang::abstract_form;
use reverl_lang::beam::{Beam, BeamError, inflate};
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_machine::{Program, builtins, library};
use reverl_term::{Atom, Term, fmt};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Ours even if the recording has OTP's: they speak to the machine.
const OURS: &[&str] = &["erlang", "atomics", "counters", "reverl_console"];

/// Finds the `.beam` of a module that a recording does not have.
pub type Elsewhere = Box<dyn Fn(&str) -> Option<PathBuf>>;

/// What was loaded, for whoever makes a recording, and what could not be.
#[derive(Default)]
pub struct Loaded {
    pub names: BTreeSet<String>,
    pub problems: BTreeMap<String, String>,
}

pub struct Modules {
    kept: HashMap<String, Kept>,
    elsewhere: Elsewhere,
    pub loaded: Rc<RefCell<Loaded>>,
}

impl Modules {
    pub fn new(kept: Vec<Kept>, elsewhere: Elsewhere) -> Modules {
        let kept = kept.into_iter().map(|m| (m.name.clone(), m)).collect();
        Modules { kept, elsewhere, loaded: Rc::default() }
    }

    fn own(&self, name: &str, sources: &mut SourceMap) -> Option<Module> {
        let library = library::find(name)?;
        let path = format!("{name}.erl");
        load_bytes(Path::new(&path), library.text.into(), &Options::default(), sources).0
    }

    fn interpreted(&self, name: &str, sources: &mut SourceMap) -> Option<Module> {
        let kept = match self.kept.get(name) {
            Some(kept) => Ok(kept.clone()),
            None => keep(name, &(self.elsewhere)(name)?),
        };
        match kept.and_then(|kept| read(&kept, sources)) {
            Ok(module) => Some(module),
            Err(error) => {
                let mut text = error.to_string();
                if let Some(hint) = error.hint() {
                    text.push_str(&format!(" ({hint})"));
                }
                self.loaded.borrow_mut().problems.insert(name.into(), text);
                None
            }
        }
    }
}

impl Loader for Modules {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let name = module.name();
        if OURS.contains(&name) {
            return self.own(name, sources);
        }
        self.loaded.borrow_mut().names.insert(name.into());
        self.interpreted(name, sources).or_else(|| self.own(name, sources))
    }
}

/// What a recording keeps of a `.beam` file.
pub fn keep(name: &str, path: &Path) -> Result<Kept, BeamError> {
    let bytes = std::fs::read(path).map_err(|e| BeamError::Unreadable(e.to_string()))?;
    let bytes = inflate(&bytes)?;
    let beam = Beam::new(&bytes)?;
    let chunk = if beam.chunk(b"Dbgi").is_some() { *b"Dbgi" } else { *b"Abst" };
    let debug_info = beam.chunk(&chunk).ok_or(BeamError::NoDebugInfo)?.to_vec();
    let source = source_of(&beam, path);
    let path = path.display().to_string();
    let kept = Kept { name: name.into(), path, chunk, debug_info, source };
    beam.abstract_code().map(|_| kept)
}

/// The text that a module was compiled from, where the compiler says it was.
fn source_of(beam: &Beam, path: &Path) -> Option<(String, String)> {
    let info = beam.compile_info()?.to_vec()?;
    let named = info.iter().find_map(|pair| match pair.as_tuple() {
        Some([key, value]) if key.is_atom_eq(Atom::new("source")) => {
            let chars = value.to_vec()?;
            chars.iter().map(|c| char::from_u32(c.as_small()? as u32)).collect::<Option<String>>()
        }
        _ => None,
    })?;
    let file = Path::new(&named).file_name()?;
    let ebin = path.parent()?;
    let mut places = vec![PathBuf::from(&named), ebin.join(file)];
    places.extend(ebin.parent().map(|root| root.join("src").join(file)));
    let found = places.into_iter().find(|p| p.is_file())?;
    Some((found.display().to_string(), std::fs::read_to_string(&found).ok()?))
}

/// A kept module as a container of its one chunk, as `Beam` reads it.
pub fn container(kept: &Kept) -> Vec<u8> {
    let mut bytes = b"FOR1\0\0\0\0BEAM".to_vec();
    bytes.extend(kept.chunk);
    bytes.extend((kept.debug_info.len() as u32).to_be_bytes());
    bytes.extend(&kept.debug_info);
    bytes
}

fn read(kept: &Kept, sources: &mut SourceMap) -> Result<Module, BeamError> {
    let bytes = container(kept);
    let (forms, _) = Beam::new(&bytes)?.abstract_code()?;
    if let Some((path, text)) = &kept.source {
        let name = file_of(&forms).unwrap_or_else(|| path.clone());
        sources.load(&name, Path::new(path), text.clone().into_bytes());
    }
    let find = |name: &str| {
        let path = kept.source.as_ref().map(|(path, _)| PathBuf::from(path))?;
        (path.file_name() == Path::new(name).file_name()).then_some(path)
    };
    let read = abstract_form::read(&forms, sources, &find);
    read.map(|(module, _)| module).map_err(|e| BeamError::BadDebugInfo(e.0))
}

/// The name that the compiler was given: what stack traces show.
fn file_of(forms: &Term) -> Option<String> {
    forms.to_vec()?.iter().find_map(|form| match form.as_tuple() {
        Some([_, _, name, value]) if name.is_atom_eq(Atom::new("file")) => {
            let chars = value.as_tuple()?.first()?.to_vec()?;
            chars.iter().map(|c| char::from_u32(c.as_small()? as u32)).collect()
        }
        _ => None,
    })
}

/// Calls of what is not interpreted are answered from the recording.
pub fn redirect(program: &mut Program, functions: &[Function]) {
    // What a run without a node does not need, a node does: it logs.
    let unaided = builtins::all().iter().filter(|b| b.module == "logger");
    program.unaided = unaided.map(|b| (Atom::new(b.module), Atom::new(b.name))).collect();
    let atom = |name: &str| fmt::write(&Term::atom(Atom::new(name)));
    let is_replaced = |k: Kind| matches!(k, Kind::Input | Kind::Opaque | Kind::Hidden);
    let inputs = functions.iter().filter(|f| is_replaced(f.kind));
    let wanted: Vec<&Function> = inputs.filter(|f| !is_asked(program, f)).collect();
    let (mut exports, mut text) = (vec![], String::new());
    for f in &wanted {
        let stand_in = atom(&format!("{}:{}", f.module, f.name));
        let args: Vec<String> = (1..=f.arity).map(|i| format!("A{i}")).collect();
        let args = args.join(", ");
        exports.push(format!("{stand_in}/{}", f.arity));
        if f.kind == Kind::Hidden {
            // Words that are reserved beyond Erlang's own: none, unless a feature is on.
            text.push_str(&format!("{stand_in}({args}) -> [].\n"));
            continue;
        }
        let (module, name) = (atom(&f.module), atom(&f.name));
        text.push_str(&format!(
            "{stand_in}({args}) -> reverl:recorded({module}, {name}, [{args}]).\n"
        ));
    }
    let exports = exports.join(", ");
    let text = format!("-module(reverl_recorded).\n-export([{exports}]).\n{text}");
    let mut sources = std::mem::take(&mut program.code.sources);
    let path = Path::new("reverl_recorded.erl");
    let (module, _) = load_bytes(path, text.into_bytes(), &Options::default(), &mut sources);
    program.code.sources = sources;
    let Some(module) = module else { return };
    program.load(&module);
    for f in wanted {
        let stand_in = Atom::new(&format!("{}:{}", f.module, f.name));
        let fun = program.function(module.name, stand_in, u32::from(f.arity));
        if let Some(fun) = fun {
            let key = (Atom::new(&f.module), Atom::new(&f.name), f.arity);
            program.redirected.insert(key, fun);
        }
    }
}

/// Whether the machine itself asks the system for it.
fn is_asked(program: &Program, f: &Function) -> bool {
    let found = program.find_builtin(Atom::new(&f.module), Atom::new(&f.name), f.arity);
    found.is_some_and(|index| Program::builtin(index).is_system())
}
