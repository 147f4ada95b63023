//! Modules that a node made at run time: the tracer keeps their code, and what it was compiled from.

use reverl_lang::beam::{Beam, inflate};
use reverl_recorded::modules;
use reverl_recorded::parts::{CodeVersion, LoadedBy, NodeRecording};
use reverl_session::translation::Translation;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A file that the tracer left: `made-EVENT-NUMBER.beam`, `.outside.beam` or `.forms`.
pub struct MadeFile {
    path: PathBuf,
    /// The number of the next event when it was made.
    pub event: u64,
    /// How many entries of the recording come before it.
    pub after: u32,
}

impl MadeFile {
    fn new(path: PathBuf) -> Option<MadeFile> {
        let is_made = path.extension().is_some_and(|e| e == "beam" || e == "forms");
        let name = path.file_name().filter(|_| is_made)?.to_str()?;
        let event = name.strip_prefix("made-")?.split('-').next()?.parse().ok()?;
        Some(MadeFile { path, event, after: 0 })
    }

    fn is_code(&self) -> bool {
        self.path.extension().is_some_and(|e| e == "beam")
    }

    fn loaded_by(&self) -> LoadedBy {
        match self.path.with_extension("").extension() {
            Some(_) => LoadedBy::Outside,
            None => LoadedBy::Recorded,
        }
    }
}

/// The files of a node, in the order in which they were made.
pub fn made_files(dir: &Path) -> Vec<MadeFile> {
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<MadeFile> = files.filter_map(MadeFile::new).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Adds the modules that were loaded from memory: as they were when recording began, and the
/// versions that came later. What is wrong with those that cannot be kept is returned.
pub fn add_made_modules(
    recorded: &mut NodeRecording,
    made: &[MadeFile],
    translation: &Translation,
) -> Vec<String> {
    let (mut first, mut forms) = (BTreeMap::new(), HashMap::new());
    let mut problems = vec![];
    for file in made {
        let Ok(bytes) = std::fs::read(&file.path) else { continue };
        if !file.is_code() {
            forms.extend(modules::named_forms(&bytes));
            continue;
        }
        let Some(name) = name_in_code(&bytes) else { continue };
        // What Elixir runs at the top level of a file is called only there.
        if file.after == 0 && name.starts_with("elixir_compiler_") {
            continue;
        }
        let compiled_from = forms.get(&name).cloned();
        match modules::keep_code(&name, &file.path, &bytes, compiled_from, translation) {
            Ok(module) if file.after == 0 => drop(first.insert(name, module)),
            Ok(module) => recorded.versions.push(CodeVersion {
                module,
                after: file.after,
                loaded_by: file.loaded_by(),
            }),
            Err(why) => problems.push(format!("{name}, made at run time: {why}")),
        }
    }
    recorded.modules.extend(first.into_values());
    problems
}

fn name_in_code(bytes: &[u8]) -> Option<String> {
    Beam::new(&inflate(bytes).ok()?).ok()?.atoms().into_iter().next()
}
