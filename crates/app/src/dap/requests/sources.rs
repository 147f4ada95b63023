//! `source` and `loadedSources`: files that the client can read are named by their path; those that
//! only the session has, such as the sources in a recording, are read from it.

use super::super::debugging::Debugging;
use super::super::protocol::Source;
use super::{Handled, Reaction, Request};
use reverl_lang::source::SourceFile;
use reverl_session::command::Debugger;
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// The file that stack traces name so, as the client is told of it; none if nobody has its text.
pub fn shown_source(debugger: &Debugger, name: &str) -> Option<Source> {
    let program = debugger.session.system.program();
    let named = program.code.sources.iter().filter(|(_, file)| *file.name == *name);
    let (id, file) =
        named.max_by_key(|(id, file)| (file.text.is_some(), std::cmp::Reverse(id.0)))?;
    source(id.0, file)
}

fn source(number: u32, file: &SourceFile) -> Option<Source> {
    let name = Path::new(&*file.name).file_name().map(|n| n.to_string_lossy().into_owned());
    let path = std::path::absolute(&file.path).ok().filter(|path| path.is_file());
    let on_disk = path.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
    let shown = Source { name, ..Source::default() };
    match (on_disk, &file.text, path) {
        // The text that was compiled is the one that counts.
        (Some(disk), Some(text), Some(path)) if disk == **text => {
            Some(Source { path: Some(path.display().to_string()), ..shown })
        }
        (Some(_), None, Some(path)) => {
            Some(Source { path: Some(path.display().to_string()), ..shown })
        }
        (_, Some(_), _) => {
            let source_reference = Some(i64::from(number) + 1);
            let origin = Some("as it was compiled".to_string());
            Some(Source { source_reference, origin, ..shown })
        }
        (_, None, _) => None,
    }
}

/// What stack traces call a source of the client's. Its modules are loaded first, so that a
/// breakpoint can be set before the program has come there.
pub fn file_name(debugger: &Debugger, source: &Source) -> Result<String, String> {
    if let Some(number) = source.source_reference.filter(|number| *number > 0) {
        let program = debugger.session.system.program();
        let mut files = program.code.sources.iter();
        let file = files.find(|(id, _)| i64::from(id.0) + 1 == number);
        return file
            .map(|(_, file)| file.name.to_string())
            .ok_or_else(|| format!("there is no source {number}"));
    }
    let path = source.path.as_deref().or(source.name.as_deref());
    let path = PathBuf::from(path.ok_or("a source has a path or a number")?);
    debugger.session.load_modules_of(&path);
    known_name(debugger, &path).ok_or_else(|| {
        let shown = path.display();
        format!("'{shown}' is not a source of this program: no module of it was found")
    })
}

fn known_name(debugger: &Debugger, path: &Path) -> Option<String> {
    let program = debugger.session.system.program();
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let wanted = real(path);
    let same_name = |file: &SourceFile| {
        path.file_name().is_some() && Path::new(&*file.name).file_name() == path.file_name()
    };
    let mut named: Vec<&SourceFile> =
        program.code.sources.iter().map(|(_, file)| file).filter(|f| same_name(f)).collect();
    let exact = named.iter().position(|file| wanted.is_some() && real(&file.path) == wanted);
    if let Some(exact) = exact {
        return Some(named.swap_remove(exact).name.to_string());
    }
    // A recording may come from another place: then the file of that name, if there is one.
    let is_text = |file: &&&SourceFile| file.text.is_some();
    named.iter().find(is_text).or(named.first()).map(|file| file.name.to_string())
}

/// The request `source`.
pub struct SourceRequest;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceArguments {
    #[serde(default)]
    source: Source,
    #[serde(default)]
    source_reference: i64,
}

impl Request for SourceRequest {
    const COMMAND: &'static str = "source";
    type Arguments = SourceArguments;

    fn handle(debugging: &mut Debugging, asked: SourceArguments) -> Handled {
        let number = match asked.source.source_reference {
            Some(number) if number > 0 => number,
            _ => asked.source_reference,
        };
        let text = debugging.look(move |d| {
            let program = d.session.system.program();
            let mut files = program.code.sources.iter();
            let file = files.find(|(id, _)| i64::from(id.0) + 1 == number);
            file.and_then(|(_, file)| file.text.as_ref().map(|text| text.to_string()))
        })?;
        let text = text.ok_or_else(|| format!("the session has no source {number}"))?;
        Ok(Reaction::Answer(json!({ "content": text })))
    }
}

/// The request `loadedSources`.
pub struct LoadedSources;

/// What it is asked with.
#[derive(Deserialize)]
pub struct LoadedArguments {}

impl Request for LoadedSources {
    const COMMAND: &'static str = "loadedSources";
    type Arguments = LoadedArguments;

    fn handle(debugging: &mut Debugging, _: LoadedArguments) -> Handled {
        let sources = debugging.look(|d| {
            let program = d.session.system.program();
            let mut all: Vec<Source> = vec![];
            for (id, file) in program.code.sources.iter() {
                let known = source(id.0, file).filter(|source| !all.contains(source));
                all.extend(known);
            }
            all
        })?;
        Ok(Reaction::Answer(json!({ "sources": sources })))
    }
}
