//! `reverl run DIR --eunit`: the tests of a project, run as `rebar3 eunit` does.

use crate::program_args::ProgramArgs;
use reverl_causal::Loader;
use reverl_lang::project::{files_under, is_built};
use reverl_lang::source::SourceMap;
use reverl_term::{Atom, Term, fmt};
use std::collections::BTreeSet;
use std::path::Path;

/// The program that runs all tests of the modules given; its exit code is the verdict. Modules
/// that cannot be used are named and left out, and then the tests cannot pass.
pub fn eunit(given: &ProgramArgs) -> Result<ProgramArgs, String> {
    let mut program = given.clone();
    program.define.extend(["TEST".to_string(), "EUNIT".to_string()]);
    let all = modules(given);
    let names = usable(&program, &all)?;
    let left_out = i32::from(names.len() < all.len());
    if names.is_empty() {
        return Err("there is no module to test in the files given".into());
    }
    // EUnit itself adds the tests of `m_tests` to those of `m`.
    let is_added =
        |name: &String| name.strip_suffix("_tests").is_some_and(|tested| names.contains(tested));
    let tested = names.iter().filter(|name| !is_added(name));
    let quoted: Vec<String> = tested.map(|name| fmt::write(&Term::atom_named(name))).collect();
    let call = format!(
        "case eunit:test([{}]) of ok -> halt({left_out}); error -> halt(1) end",
        quoted.join(", ")
    );
    program.entry = Some(call);
    Ok(program)
}

/// The modules that can be read; of each other one the first problem is told.
fn usable(program: &ProgramArgs, names: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let (_, mut modules, _) = program.program()?;
    let mut sources = SourceMap::default();
    let mut is_usable = |name: &&String| {
        let module = Atom::new(name);
        let is_there = modules.load(module, &mut sources).is_some();
        if !is_there {
            let why = modules.why_missing(module).unwrap_or_default();
            eprintln!("reverl: {name} is left out: {}", why.trim_end());
        }
        is_there
    };
    Ok(names.iter().filter(|name| is_usable(name)).cloned().collect())
}

/// The modules of the files, and of the directories as far as people wrote them.
fn modules(given: &ProgramArgs) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in &given.files {
        match path.is_dir() {
            true => {
                let files = files_under(path, &["erl"]).into_iter();
                let own = files.filter(|file| !is_built(path, file) && !is_foreign(path, file));
                names.extend(own.filter_map(|file| module_name(&file)));
            }
            false => names.extend(module_name(path)),
        }
    }
    names
}

/// Whether a file belongs to a dependency, or to what is not built with the project.
fn is_foreign(dir: &Path, file: &Path) -> bool {
    let inside = file.strip_prefix(dir).unwrap_or(file);
    let mut parents = inside.parent().into_iter().flat_map(Path::components);
    parents.any(|part| {
        let name = part.as_os_str().to_string_lossy();
        ["deps", "_checkouts", "examples", "example", "priv", "doc"].contains(&name.as_ref())
            || name.ends_with("_SUITE_data")
    })
}

fn module_name(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    (!name.ends_with("_SUITE")).then(|| name.to_string())
}
