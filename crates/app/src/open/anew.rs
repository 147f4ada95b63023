//! A program that was recorded on a real node, begun anew: the same call, with the modules of the
//! recording. Nothing else of the recording takes part.

use crate::disk::{kept_directory, make_private};
use crate::program_args::ProgramArgs;
use reverl_lang::project::module_file;
use reverl_recorded::parts::KeptModule;
use reverl_recorded::{NodeRecording, TraceAction, modules, terms};
use reverl_term::{Atom, Term, View, fmt};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The arguments with the recording replaced by its modules and its call.
pub fn program(args: &ProgramArgs, recorded: &NodeRecording) -> Result<ProgramArgs, String> {
    let entry = match &args.entry {
        Some(entry) => entry.clone(),
        None => entry(recorded).map_err(|why| {
            format!(
                "it cannot be begun anew: {why}\nName a call that begins it (-e 'module:function(\
                 Args)'), or stay with what happened: replay, debug, ui, races, ask, export"
            )
        })?,
    };
    let ebin = unpack(recorded).map_err(|e| format!("its modules cannot be unpacked: {e}"))?;
    let module = entry.split(':').next().map(|m| m.trim_matches('\''));
    let own = module.and_then(|name| module_file(&ebin, name, "beam"));
    let files = own.filter(|beam| beam.is_file()).into_iter().collect();
    let mut pa = args.pa.clone();
    pa.push(ebin);
    Ok(ProgramArgs { files, entry: Some(entry), pa, ..args.clone() })
}

/// The one call with which recording began, as text.
fn entry(recorded: &NodeRecording) -> Result<String, String> {
    let begun = recorded.entries.iter().filter_map(|entry| match &entry.action {
        TraceAction::Begin { function, args } => {
            Some((recorded.functions.get(*function as usize)?, args))
        }
        _ => None,
    });
    let begun: Vec<_> = begun.collect();
    let [(function, args)] = begun[..] else {
        return Err(match begun.len() {
            0 => "its beginning was not recorded".into(),
            n => format!("{n} calls were recorded, not one that does everything"),
        });
    };
    let args = terms::term(args).to_vec().unwrap_or_default();
    if let Some(odd) = args.iter().find(|a| !can_be_written(a)) {
        return Err(format!(
            "its call has an argument that only the node had: {}",
            fmt::write(odd)
        ));
    }
    let args: Vec<String> = args.iter().map(fmt::write).collect();
    let atom = |name: &str| fmt::write(&Term::atom(Atom::new(name)));
    Ok(format!("{}:{}({})", atom(&function.module), atom(&function.name), args.join(", ")))
}

fn can_be_written(term: &Term) -> bool {
    match term.view() {
        View::Pid(_) | View::Ref(_) | View::Fun(_) => false,
        View::Tuple(parts) => parts.iter().all(can_be_written),
        View::Map(map) => map.iter().all(|(k, v)| can_be_written(k) && can_be_written(v)),
        _ if term.is_list() => term.to_vec().is_some_and(|parts| parts.iter().all(can_be_written)),
        _ => true,
    }
}

/// Puts the modules where they can be read: always in the same place, so that executions that
/// were found and saved can be opened later.
fn unpack(recorded: &NodeRecording) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    let modules = recorded.modules_at_hand();
    modules.iter().for_each(|m| (&m.name, &m.debug_info, &m.source).hash(&mut hasher));
    let name = format!("modules-{:016x}", hasher.finish());
    let root = kept_directory(&name, |root| fill(root, &modules))?;
    Ok(root.join("ebin"))
}

/// The names of modules and sources are whatever the recording says; those that are not plain
/// names of files are refused.
fn fill(root: &Path, modules: &[&KeptModule]) -> Result<(), String> {
    let (ebin, src) = (root.join("ebin"), root.join("src"));
    make_private(&ebin)?;
    make_private(&src)?;
    let write = |path: &Path, bytes: &[u8]| {
        let written = std::fs::write(path, bytes);
        written.map_err(|e| format!("cannot write '{}': {e}", path.display()))
    };
    for module in modules {
        let beam = module_file(&ebin, &module.name, "beam")
            .ok_or(format!("'{}' is not a module's name", module.name))?;
        write(&beam, &modules::container(module))?;
        if let Some((path, text)) = &module.source {
            let name = Path::new(path).file_name();
            let name = name.ok_or(format!("'{path}' is not a source file's name"))?;
            write(&src.join(name), text.as_bytes())?;
        }
    }
    Ok(())
}
