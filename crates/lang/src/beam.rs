//! `.beam` files: the chunks of the container, and the abstract code in the debug info.
//!
//! A file may be anything; whatever it is, the answer is a module or a sentence that says what is
//! missing and how to get it.

use crate::abstract_form;
use crate::diagnostic::Diagnostic;
use crate::files;
use crate::forms::{FunName, Lambda, Module};
use crate::project::is_of_platform;
use crate::source::{SourceMap, Span};
use reverl_term::etf::{DecodeOptions, decode};
use reverl_term::{Atom, Term};
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A compressed file that grows beyond this is refused.
const MAX_INFLATED: u64 = 1 << 30;

/// The chunk in which a compiler that runs inside Reverl leaves the abstract code.
const OWN_CHUNK: &[u8; 4] = b"Rvrl";

/// Why a `.beam` file gives no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BeamError {
    /// The system refused to read the file, for this reason.
    Unreadable(String),
    /// The file does not begin as a `.beam` does.
    NotABeam,
    /// The file ends inside a chunk, or is damaged.
    Truncated,
    /// It was compiled without debug info.
    NoDebugInfo,
    /// Its debug info needs a key.
    Encrypted,
    /// Compiled from another language, whose form of debug info could not be translated.
    OtherLanguage {
        /// The module that knows this form.
        backend: String,
        /// Why it did not help.
        why: String,
    },
    /// This part of its debug info is not understood.
    BadDebugInfo(String),
}

impl fmt::Display for BeamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BeamError::Unreadable(why) => write!(f, "cannot read the file: {why}"),
            BeamError::NotABeam => write!(f, "this is not a .beam file"),
            BeamError::Truncated => write!(f, "the .beam file is cut off or damaged"),
            BeamError::NoDebugInfo => write!(f, "the .beam file has no debug info"),
            BeamError::Encrypted => write!(f, "the debug info of the .beam file is encrypted"),
            BeamError::OtherLanguage { backend, why } => {
                write!(
                    f,
                    "the debug info is of `{backend}` and cannot be turned into Erlang's: {why}"
                )
            }
            BeamError::BadDebugInfo(part) => {
                write!(f, "the debug info has a form that is not known: {part}")
            }
        }
    }
}

impl BeamError {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            BeamError::NoDebugInfo => Some(
                "compile it with `erlc +debug_info` (rebar3: {erl_opts, [debug_info]}), or give \
                 its .erl file",
            ),
            BeamError::Encrypted => Some("compile it without a debug info key, or give its .erl"),
            BeamError::OtherLanguage { .. } => {
                Some("put the language that it is compiled from (`elixir`) on the PATH")
            }
            BeamError::Truncated | BeamError::NotABeam => Some("compile it again"),
            _ => None,
        }
    }
}

/// The chunks of a `.beam` file.
pub struct Beam<'b> {
    chunks: Vec<([u8; 4], &'b [u8])>,
}

/// The bytes of a `.beam` file, inflated if the whole file is compressed.
pub fn inflate(bytes: &[u8]) -> Result<Cow<'_, [u8]>, BeamError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut inflated = Vec::new();
    let mut reader = flate2::read::GzDecoder::new(bytes).take(MAX_INFLATED);
    reader.read_to_end(&mut inflated).map_err(|_| BeamError::Truncated)?;
    Ok(Cow::Owned(inflated))
}

/// What a packed chunk holds: debug info is a compressed term, literals are their size and then a
/// stream of zlib.
fn unpacked(chunk: &[u8]) -> Option<Cow<'_, [u8]>> {
    const COMPRESSED_TERM: &[u8] = &[131, 80];
    let packed = match chunk.strip_prefix(COMPRESSED_TERM) {
        Some(rest) => rest.get(4..)?,
        None => chunk.get(4..)?,
    };
    let mut inflated = Vec::new();
    let mut reader = flate2::read::ZlibDecoder::new(packed).take(MAX_INFLATED);
    match reader.read_to_end(&mut inflated) {
        Ok(_) => Some(Cow::Owned(inflated)),
        Err(_) => Some(Cow::Borrowed(chunk)),
    }
}

impl<'b> Beam<'b> {
    /// Reads the table of chunks: `FOR1`, size, `BEAM`, then name, size and bytes of each.
    pub fn new(bytes: &'b [u8]) -> Result<Beam<'b>, BeamError> {
        let Some((head, mut rest)) = bytes.split_at_checked(12) else {
            return Err(BeamError::NotABeam);
        };
        if !head.starts_with(b"FOR1") || !head.ends_with(b"BEAM") {
            return Err(BeamError::NotABeam);
        }
        let mut chunks = Vec::new();
        while let Some((head, body)) = rest.split_first_chunk::<8>() {
            let name = [head[0], head[1], head[2], head[3]];
            let size = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
            let Some(chunk) = body.get(..size) else { return Err(BeamError::Truncated) };
            chunks.push((name, chunk));
            // Chunks start at multiples of four; the last one may lack its padding.
            let padded = size.saturating_add(3) / 4 * 4;
            rest = body.get(padded..).unwrap_or_default();
        }
        Ok(Beam { chunks })
    }

    /// The contents of the chunk with this name.
    pub fn chunk(&self, name: &[u8; 4]) -> Option<&'b [u8]> {
        self.chunks.iter().find(|(n, _)| n == name).map(|(_, chunk)| *chunk)
    }

    /// Whether both have the same chunks with the same contents, however these are packed.
    pub fn is_same_as(&self, other: &Beam) -> bool {
        let is_same = |own: &[u8], other: &[u8]| own == other || unpacked(own) == unpacked(other);
        let mut both = self.chunks.iter().zip(&other.chunks);
        self.chunks.len() == other.chunks.len()
            && both.all(|(own, other)| own.0 == other.0 && is_same(own.1, other.1))
    }

    /// The names in the atom table, from the new chunk or the old. The first one is the module's.
    pub fn atoms(&self) -> Vec<String> {
        let utf8 = self.chunk(b"AtU8");
        let Some(table) = utf8.or_else(|| self.chunk(b"Atom")) else { return Vec::new() };
        let Some((count, mut rest)) = table.split_first_chunk::<4>() else { return Vec::new() };
        // From OTP 28 on names may be long, which a negative count says.
        let is_long = i32::from_be_bytes(*count) < 0;
        let mut names = Vec::new();
        while let Some((len, body)) = length(rest, is_long) {
            let Some((name, next)) = body.split_at_checked(len) else { break };
            names.push(match utf8 {
                Some(_) => String::from_utf8_lossy(name).into_owned(),
                None => name.iter().map(|b| char::from(*b)).collect(),
            });
            rest = next;
        }
        names
    }

    /// The funs: rows of function, arity, label, number, count of free variables and a hash.
    /// `None` if that is not known, as of debug info alone.
    pub fn lambdas(&self) -> Option<Vec<Lambda>> {
        let atoms = self.atoms();
        if atoms.is_empty() {
            return None;
        }
        let table = self.chunk(b"FunT").and_then(|chunk| chunk.get(4..)).unwrap_or_default();
        let rows = table.chunks_exact(24);
        let named = rows.filter_map(|row| {
            let name = atoms.get((word(row, 0) as usize).checked_sub(1)?)?;
            Some(Lambda { name: Atom::new(name), index: word(row, 3), uniq: word(row, 5) })
        });
        Some(named.collect())
    }

    /// The functions that are not exported: rows of function, arity and label.
    pub fn local_functions(&self) -> Vec<FunName> {
        let atoms = self.atoms();
        let table = self.chunk(b"LocT").and_then(|chunk| chunk.get(4..)).unwrap_or_default();
        let named = table.chunks_exact(12).filter_map(|row| {
            let name = atoms.get((word(row, 0) as usize).checked_sub(1)?)?;
            Some((Atom::new(name), word(row, 1)))
        });
        named.collect()
    }

    /// What the compiler noted: `[{options, ..}, {source, ..}, {version, ..}]`.
    pub fn compile_info(&self) -> Option<Term> {
        term(self.chunk(b"CInf")?).ok()
    }

    /// The source file that the compiler was given.
    pub fn source(&self) -> Option<PathBuf> {
        let info = self.compile_info()?.to_vec()?;
        let named = info.iter().find_map(|pair| match pair.as_tuple() {
            Some([key, value]) if key.is_atom_eq(Atom::new("source")) => {
                let chars = value.to_vec()?;
                let chars = chars.iter().map(|c| char::from_u32(c.as_small()? as u32));
                chars.collect::<Option<String>>()
            }
            _ => None,
        });
        named.map(PathBuf::from)
    }

    /// The abstract forms that the debug info is, or can be turned into.
    pub fn forms(&self, translator: &dyn Translator) -> Result<Term, BeamError> {
        self.debug_info()?.forms(translator)
    }

    /// The debug info, in whatever form it is.
    pub fn debug_info(&self) -> Result<DebugInfo, BeamError> {
        // What is compiled inside Reverl has it in a chunk of its own, whatever was asked for.
        if let Some(chunk) = self.chunk(OWN_CHUNK) {
            return Ok(DebugInfo::Erlang { forms: term(chunk)?, options: Term::NIL });
        }
        if let Some(chunk) = self.chunk(b"Dbgi") {
            let module = self.atoms().into_iter().next().unwrap_or_default();
            return debug_info(&term(chunk)?, Atom::new(&module));
        }
        match self.chunk(b"Abst") {
            None | Some([]) => Err(BeamError::NoDebugInfo),
            Some(chunk) => match term(chunk)?.as_tuple() {
                Some([_, forms]) => {
                    Ok(DebugInfo::Erlang { forms: forms.clone(), options: Term::NIL })
                }
                _ => Err(BeamError::BadDebugInfo("Abst".to_string())),
            },
        }
    }
}

/// What a `.beam` file says about its source.
pub enum DebugInfo {
    /// Erlang's.
    Erlang {
        /// The abstract forms.
        forms: Term,
        /// What the file was compiled with, where that is known.
        options: Term,
    },
    /// What the compiler of another language keeps.
    Foreign(Foreign),
}

impl DebugInfo {
    /// The abstract forms that it is, or can be turned into.
    pub fn forms(&self, translator: &dyn Translator) -> Result<Term, BeamError> {
        match self {
            DebugInfo::Erlang { forms, .. } => Ok(forms.clone()),
            DebugInfo::Foreign(foreign) => translator.forms(foreign).map_err(|why| {
                BeamError::OtherLanguage { backend: foreign.backend.name().into(), why }
            }),
        }
    }

    /// Whether the compiler was told to export all functions, which the forms do not say.
    pub fn exports_all(&self) -> bool {
        match self {
            DebugInfo::Erlang { options, .. } => {
                options.list_iter().any(|option| option.is_atom_eq(Atom::new("export_all")))
            }
            DebugInfo::Foreign(_) => false,
        }
    }
}

/// Debug info of another language.
pub struct Foreign {
    /// The module whose `debug_info/4` turns it into abstract forms.
    pub backend: Atom,
    /// The module that it is the debug info of.
    pub module: Atom,
    /// What only the backend understands.
    pub data: Term,
}

/// Turns the debug info of other languages into Erlang's abstract forms.
pub trait Translator {
    /// The forms, or why there are none.
    fn forms(&self, foreign: &Foreign) -> Result<Term, String>;
}

/// For where only Erlang is expected.
pub struct ErlangOnly;

impl Translator for ErlangOnly {
    fn forms(&self, _: &Foreign) -> Result<Term, String> {
        Err("only Erlang is read here".into())
    }
}

/// The length of the next name, and what follows: a byte, or in the newer form up to two.
fn length(bytes: &[u8], is_long: bool) -> Option<(usize, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    if !is_long {
        return Some((*first as usize, rest));
    }
    if first & 0x08 == 0 {
        return Some((usize::from(first >> 4), rest));
    }
    let (second, rest) = rest.split_first()?;
    Some((usize::from(first & 0xE0) << 3 | usize::from(*second), rest))
}

fn term(chunk: &[u8]) -> Result<Term, BeamError> {
    // An encrypted chunk starts with a zero byte and the name of the cipher.
    if chunk.first() == Some(&0) {
        return Err(BeamError::Encrypted);
    }
    match decode(chunk, &DecodeOptions::default()) {
        Ok((term, _)) => Ok(term),
        Err(error) => Err(BeamError::BadDebugInfo(format!("{error:?}"))),
    }
}

/// `{debug_info_v1, Backend, {Forms, Options}}`; the forms are `none` without `+debug_info`.
fn debug_info(term: &Term, module: Atom) -> Result<DebugInfo, BeamError> {
    let bad = || BeamError::BadDebugInfo("Dbgi".to_string());
    let Some([_, backend, data]) = term.as_tuple() else { return Err(bad()) };
    let backend = backend.as_atom().ok_or_else(bad)?;
    if backend.name() != "erl_abstract_code" {
        // Elixir without debug info says so in its own form.
        return match data.is_atom() {
            true => Err(BeamError::NoDebugInfo),
            false => Ok(DebugInfo::Foreign(Foreign { backend, module, data: data.clone() })),
        };
    }
    match data.as_tuple() {
        Some([forms, _]) if forms.is_atom() => Err(BeamError::NoDebugInfo),
        Some([forms, options]) => {
            Ok(DebugInfo::Erlang { forms: forms.clone(), options: options.clone() })
        }
        _ => Err(bad()),
    }
}

/// A module from the debug info in a `.beam` file. Where the sources it was made from lie beside
/// it (`ebin/../src`), positions point into them.
pub fn load_beam(
    path: &Path,
    translator: &dyn Translator,
    sources: &mut SourceMap,
) -> (Option<Module>, Vec<Diagnostic>) {
    match read_file(path, translator, sources) {
        Ok((module, problems)) => (Some(module), problems),
        Err(error) => {
            let file = sources.without_text(&path.display().to_string(), path);
            let span = Span { file, start: 0, end: 0 };
            let mut problem = Diagnostic::error(span, error.to_string());
            problem.hint = error.hint().map(str::to_string);
            (None, vec![problem])
        }
    }
}

fn read_file(
    path: &Path,
    translator: &dyn Translator,
    sources: &mut SourceMap,
) -> Result<(Module, Vec<Diagnostic>), BeamError> {
    let bytes = files::read(path).map_err(|e| BeamError::Unreadable(e.to_string()))?;
    read_bytes(&bytes, path, translator, sources)
}

/// As `load_beam`, for bytes that are already in memory; `path` says where sources may lie.
pub fn read_bytes(
    bytes: &[u8],
    path: &Path,
    translator: &dyn Translator,
    sources: &mut SourceMap,
) -> Result<(Module, Vec<Diagnostic>), BeamError> {
    let bytes = inflate(bytes)?;
    let beam = Beam::new(&bytes)?;
    let debug_info = beam.debug_info()?;
    let forms = debug_info.forms(translator)?;
    let source = beam.source();
    let find = |name: &str| {
        // A compiler may name a file as seen from where it was started.
        let compiled = source.as_ref().filter(|source| source.ends_with(name));
        let compiled = compiled.filter(|source| files::is_file(source)).cloned();
        compiled.or_else(|| find_source(path, name))
    };
    let read = abstract_form::read(&forms, sources, &find);
    let (module, problems) = read.map_err(|unreadable| BeamError::BadDebugInfo(unreadable.0))?;
    let export_all = module.export_all || debug_info.exports_all();
    let (lambdas, lifted) = (beam.lambdas(), beam.local_functions());
    let is_of_platform = is_of_platform(path);
    Ok((Module { lambdas, lifted, export_all, is_of_platform, ..module }, problems))
}

/// The `i`-th number of a row of a table.
fn word(row: &[u8], i: usize) -> u32 {
    let bytes = row.get(4 * i..4 * i + 4).and_then(|w| <[u8; 4]>::try_from(w).ok());
    bytes.map_or(0, u32::from_be_bytes)
}

/// The source that a `-file` form or the compiler's options name: as they say, or in the `src` or
/// `include` beside the `ebin`.
pub fn find_source(beam: &Path, name: &str) -> Option<PathBuf> {
    let given = Path::new(name);
    if given.is_absolute() && files::is_file(given) {
        return Some(given.to_owned());
    }
    let root = beam.parent()?.parent()?;
    let file = given.file_name()?;
    let beside = beam.parent()?.join(file);
    let candidates = [root.join("src").join(given), root.join("src").join(file)];
    let includes = [root.join("include").join(file), beside];
    // Gleam names a file as seen from the project, in whose `build` the code is.
    let above = beam.ancestors().map(|dir| dir.join(given)).filter(|_| given != Path::new(file));
    candidates.into_iter().chain(includes).chain(above).find(|path| files::is_file(path))
}

#[cfg(test)]
mod tests;
