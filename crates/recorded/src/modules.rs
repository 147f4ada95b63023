//! The modules of a recording: as they were loaded, with stand-ins for what is not interpreted.

use crate::parts::{CodeVersion, FunctionRole, KeptModule, TracedFunction};
use crate::terms::decoded;
use reverl_causal::Loader;
use reverl_lang::beam::{Beam, BeamError, DebugInfo, ErlangOnly, Translator, find_source, inflate};
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::project::{ModuleFinder, ModuleSource, is_of_platform};
use reverl_lang::source::SourceMap;
use reverl_lang::{abstract_form, files};
use reverl_machine::edition::Version;
use reverl_machine::{Program, builtins, library};
use reverl_term::{Atom, Term, etf, fmt};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Which modules were loaded and which could not be, for whoever makes a recording.
#[derive(Default)]
pub struct LoadReport {
    /// The names of the modules that were loaded.
    pub names: BTreeSet<String>,
    /// Why a module could not be loaded, by its name.
    pub problems: BTreeMap<String, String>,
}

/// Finds the modules of a recording.
pub struct Modules {
    kept: HashMap<String, KeptModule>,
    finder: ModuleFinder,
    translator: Box<dyn Translator>,
    /// What has been loaded so far, shared with whoever made this.
    pub loaded: Rc<RefCell<LoadReport>>,
}

impl Modules {
    /// The modules of a recording; others are looked for by the finder.
    pub fn new(
        kept: Vec<KeptModule>,
        finder: ModuleFinder,
        translator: Box<dyn Translator>,
    ) -> Modules {
        let kept: HashMap<String, KeptModule> =
            kept.into_iter().map(|m| (m.name.clone(), m)).collect();
        let finder = finder.with_kept(kept.keys().cloned());
        Modules { kept, finder, translator, loaded: Rc::default() }
    }

    fn interpreted(
        &self,
        name: &str,
        kept: Result<KeptModule, BeamError>,
        sources: &mut SourceMap,
    ) -> Option<Module> {
        self.loaded.borrow_mut().names.insert(name.into());
        let error = match kept.and_then(|kept| read(&kept, sources)) {
            Ok(module) => return Some(module),
            Err(error) => error,
        };
        let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        self.loaded.borrow_mut().problems.insert(name.into(), format!("{error}{hint}"));
        None
    }
}

impl Loader for Modules {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let name = module.name();
        let found = match self.finder.find(module) {
            Some(ModuleSource::Kept) => {
                let kept = self.kept.get(name)?.clone();
                self.interpreted(name, Ok(kept), sources)
            }
            Some(ModuleSource::Beam(path)) => {
                self.interpreted(name, keep(name, &path, &*self.translator), sources)
            }
            // A node runs what was compiled, and never a source.
            Some(ModuleSource::Source(_) | ModuleSource::Own) | None => None,
        };
        found.or_else(|| library::load(name, sources))
    }

    fn why_missing(&self, module: Atom) -> Option<String> {
        self.loaded.borrow().problems.get(module.name()).cloned()
    }
}

/// What a recording keeps of a `.beam` file. Debug info of another language is kept as Erlang's.
pub fn keep(name: &str, path: &Path, translator: &dyn Translator) -> Result<KeptModule, BeamError> {
    let bytes = files::read_file(path).map_err(|e| BeamError::Unreadable(e.to_string()))?;
    keep_code(name, path, &inflate(&bytes)?, None, translator)
}

/// What a recording keeps of the code of a module. If it has no debug info, the forms that it was
/// compiled from take the place of that.
pub fn keep_code(
    name: &str,
    path: &Path,
    bytes: &[u8],
    compiled_from: Option<Term>,
    translator: &dyn Translator,
) -> Result<KeptModule, BeamError> {
    let beam = Beam::new(bytes)?;
    let forms = match (beam.debug_info(), compiled_from) {
        (Ok(DebugInfo::Erlang { .. }), _) => None,
        (Ok(DebugInfo::Foreign(_)), _) => Some(beam.forms(translator)?),
        (Err(BeamError::NoDebugInfo), Some(forms)) => Some(forms),
        (Err(error), _) => return Err(error),
    };
    let translated = forms.map(erlang_debug_info);
    let debug_info = translated.as_deref().or_else(|| beam.chunk(b"Dbgi"));
    let rest = [b"Abst", b"FunT", b"LocT", b"AtU8", b"Atom"];
    let rest = rest.into_iter().filter_map(|name| Some((name, beam.chunk(name)?)));
    let chunks = debug_info.map(|chunk| (b"Dbgi", chunk)).into_iter().chain(rest);
    let debug_info = file_of_chunks(chunks);
    let source = source_of(&beam, path);
    let path = path.display().to_string();
    Ok(KeptModule { name: name.into(), path, chunk: WHOLE, debug_info, source })
}

/// The chunk of debug info that Erlang's compiler would have made of these forms.
fn erlang_debug_info(forms: Term) -> Vec<u8> {
    let atom = |name: &str| Term::atom(Atom::new(name));
    let data = Term::tuple(vec![forms, Term::nil()]);
    let info = Term::tuple(vec![atom("debug_info_v1"), atom("erl_abstract_code"), data]);
    etf::encode(&info, &etf::EncodeOptions { compressed: Some(1), ..Default::default() })
}

/// Abstract forms in the external format, with the name of their module.
pub fn named_forms(bytes: &[u8]) -> Option<(String, Term)> {
    let forms = decoded(bytes)?;
    let name = forms.list_iter().find_map(|form| match form.as_tuple() {
        Some([_, _, key, name]) if key.is_atom_eq(Atom::new("module")) => name.as_atom(),
        _ => None,
    })?;
    Some((name.name().to_string(), forms.clone()))
}

/// In place of the name of one chunk: several are kept, as a file.
const WHOLE: [u8; 4] = *b"FOR1";

fn file_of_chunks<'c>(chunks: impl Iterator<Item = (&'c [u8; 4], &'c [u8])>) -> Vec<u8> {
    let mut bytes = b"FOR1\0\0\0\0BEAM".to_vec();
    for (name, contents) in chunks {
        bytes.extend(name);
        bytes.extend((contents.len() as u32).to_be_bytes());
        bytes.extend(contents);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// The text that a module was compiled from, where the compiler says it was, or its forms if what was compiled is the
/// output of another compiler.
fn source_of(beam: &Beam, path: &Path) -> Option<(String, String)> {
    let forms = beam.forms(&ErlangOnly).unwrap_or_default();
    let is_gleam = |name: &String| name.ends_with(".gleam");
    let of_gleam = files_of(&forms).into_iter().find(is_gleam);
    let of_gleam = of_gleam.and_then(|name| find_source(path, &name));
    let found = of_gleam.or_else(|| find_source(path, beam.source()?.to_str()?))?;
    let text = String::from_utf8(files::read_file(&found).ok()?).ok()?;
    Some((found.display().to_string(), text))
}

/// A kept module as a container of its chunks, as `Beam` reads it.
pub fn container(kept: &KeptModule) -> Vec<u8> {
    match kept.chunk {
        WHOLE => kept.debug_info.clone(),
        _ => file_of_chunks(std::iter::once((&kept.chunk, &kept.debug_info[..]))),
    }
}

fn read(kept: &KeptModule, sources: &mut SourceMap) -> Result<Module, BeamError> {
    let bytes = container(kept);
    let beam = Beam::new(&bytes)?;
    let debug_info = beam.debug_info()?;
    let forms = debug_info.forms(&ErlangOnly)?;
    if let Some((path, text)) = &kept.source {
        let is_it = |name: &String| Path::new(name).file_name() == Path::new(path).file_name();
        let names = files_of(&forms);
        let name = names.iter().find(|name| is_it(name)).or(names.first()).unwrap_or(path).clone();
        sources.load(&name, Path::new(path), text.clone().into_bytes());
    }
    let find = |name: &str| {
        let path = kept.source.as_ref().map(|(path, _)| PathBuf::from(path))?;
        (path.file_name() == Path::new(name).file_name()).then_some(path)
    };
    let read = abstract_form::read(&forms, sources, &find);
    let module = read.map(|(module, _)| module).map_err(|e| BeamError::BadDebugInfo(e.0))?;
    let export_all = module.export_all || debug_info.exports_all();
    let (lambdas, lifted) = (beam.lambdas(), beam.local_functions());
    let is_of_platform = is_of_platform(Path::new(&kept.path));
    Ok(Module { lambdas, lifted, export_all, is_of_platform, ..module })
}

/// The files that the forms name, which is what stack traces show: the first is what the compiler was given.
fn files_of(forms: &Term) -> Vec<String> {
    let file = |form: &Term| match form.as_tuple() {
        Some([_, _, name, value]) if name.is_atom_eq(Atom::new("file")) => {
            let chars = value.as_tuple()?.first()?.to_vec()?;
            chars.iter().map(|c| char::from_u32(c.as_small()? as u32)).collect()
        }
        _ => None,
    };
    forms.list_iter().filter_map(file).collect()
}

/// Calls of what is not interpreted are answered from the recording.
pub fn redirect(program: &mut Program, functions: &[TracedFunction]) {
    // What a run without a node does not need, a node does: it logs.
    let unaided = builtins::all().iter().filter(|b| b.module == "logger");
    program.unaided = unaided.map(|b| (Atom::new(b.module), Atom::new(b.name))).collect();
    let atom = |name: &str| fmt::write(&Term::atom(Atom::new(name)));
    let is_replaced = |k: FunctionRole| {
        matches!(k, FunctionRole::Input | FunctionRole::Opaque | FunctionRole::Hidden)
    };
    let inputs = functions.iter().filter(|f| is_replaced(f.role));
    // Several funs of a module may stand under one name.
    let mut wanted: Vec<&TracedFunction> = inputs.filter(|f| !is_asked(program, f)).collect();
    let key = |f: &&TracedFunction| (f.module.clone(), f.name.clone(), f.arity);
    wanted.sort_by_key(key);
    wanted.dedup_by_key(|f| key(f));
    let (mut exports, mut text) = (vec![], String::new());
    for f in &wanted {
        let stand_in = atom(&format!("{}:{}", f.module, f.name));
        let args: Vec<String> = (1..=f.arity).map(|i| format!("A{i}")).collect();
        let args = args.join(", ");
        exports.push(format!("{stand_in}/{}", f.arity));
        if f.role == FunctionRole::Hidden {
            // Words that are reserved beyond Erlang's own: none, unless a feature is on.
            text.push_str(&format!("{stand_in}({args}) -> [].\n"));
            continue;
        }
        let (module, name) = (atom(&f.module), atom(&f.name));
        let recorded = format!("reverl:recorded({module}, {name}, [{args}])");
        text.push_str(&match changes_code(f) {
            true => format!(
                "{stand_in}({args}) -> reverl_versions:changed({name}, [{args}], {recorded}).\n"
            ),
            false => format!("{stand_in}({args}) -> {recorded}.\n"),
        });
    }
    let exports = exports.join(", ");
    let text = format!("-module(reverl_recorded).\n-export([{exports}]).\n{text}");
    let mut sources = std::mem::take(&mut program.code.sources);
    let path = Path::new("reverl_recorded.erl");
    let (module, _) = load_bytes(path, text.into_bytes(), &Options::default(), &mut sources);
    program.code.sources = sources;
    let Some(module) = module else { return };
    program.load(&module);
    load_undefined_function(program);
    for f in wanted {
        let stand_in = Atom::new(&format!("{}:{}", f.module, f.name));
        let fun = program.function(module.name, stand_in, u32::from(f.arity));
        if let Some(fun) = fun {
            let key = (Atom::new(&f.module), Atom::new(&f.name), f.arity);
            program.redirected.insert(key, fun);
        }
    }
}

/// Whether a function loads, deletes or purges a module.
fn changes_code(f: &TracedFunction) -> bool {
    const OF_CODE: &[&str] =
        &["load_binary", "load_abs", "load_file", "ensure_loaded", "delete", "purge", "soft_purge"];
    match &*f.module {
        "code" => OF_CODE.contains(&&*f.name),
        // How deep stack traces are belongs to what processes see of the code, too.
        "erlang" => matches!(&*f.name, "load_module" | "system_flag"),
        _ => false,
    }
}

/// How a node loads a module that is called is not recorded: it is found by ourselves.
fn load_undefined_function(program: &mut Program) {
    let mut sources = std::mem::take(&mut program.code.sources);
    let versions = library::load("reverl_versions", &mut sources);
    program.code.sources = sources;
    let Some(versions) = versions else { return };
    program.load(&versions);
    let name = Atom::new("undefined_function");
    if let Some(fun) = program.function(versions.name, name, 3) {
        program.redirected.insert((Atom::new("error_handler"), name, 3), fun);
    }
}

/// Adds the versions of modules that were loaded from memory: their numbers in the program, if they
/// can be read.
pub fn load_versions(program: &mut Program, versions: &[CodeVersion]) -> Vec<Option<u32>> {
    let mut number_of = |version: &CodeVersion| {
        let kept = &version.module;
        let known = program.version_of(Atom::new(&kept.name), &kept.debug_info);
        let loaded = match known {
            Some(known) => known,
            None => {
                let mut sources = std::mem::take(&mut program.code.sources);
                let module = read(kept, &mut sources);
                program.code.sources = sources;
                program.load_version(&module.ok()?, &kept.debug_info)
            }
        };
        match loaded {
            Version::Loaded(number) => Some(number),
            Version::First => None,
        }
    };
    versions.iter().map(&mut number_of).collect()
}

/// Whether the machine itself asks the system for it.
fn is_asked(program: &Program, f: &TracedFunction) -> bool {
    let found = program.find_builtin(Atom::new(&f.module), Atom::new(&f.name), f.arity);
    found.is_some_and(|index| Program::builtin(index).is_system())
}
