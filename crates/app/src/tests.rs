//! `reverl run DIR --eunit` and `--ct`: the tests of a project, as `rebar3` runs them.

pub mod exunit;

use crate::program_args::ProgramArgs;
use reverl_causal::Loader;
use reverl_lang::project::{files_under, is_built};
use reverl_lang::source::SourceMap;
use reverl_term::{Atom, Term, fmt};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The program that runs all tests of the modules given; its exit code is the verdict. Modules
/// that cannot be used are named and left out, and then the tests cannot pass.
pub fn eunit(given: &ProgramArgs) -> Result<ProgramArgs, String> {
    let (mut program, names, left_out) = tested(given)?;
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

/// The program compiled for EUnit, its modules, and 1 if some had to be left out.
pub fn tested(given: &ProgramArgs) -> Result<(ProgramArgs, BTreeSet<String>, i32), String> {
    let mut program = given.clone();
    program.define.extend(["TEST".to_string(), "EUNIT".to_string()]);
    let all = modules(given);
    let names = usable(&program, &all)?;
    let left_out = i32::from(names.len() < all.len());
    match names.is_empty() {
        true => Err("there is no module to test in the files given".into()),
        false => Ok((program, names, left_out)),
    }
}

/// The program that runs all suites of Common Test in the files given. What they write, logs
/// included, stays in the execution.
pub fn common_test(given: &ProgramArgs) -> Result<ProgramArgs, String> {
    let dirs: BTreeSet<PathBuf> = given.files.iter().flat_map(|path| suite_dirs(path)).collect();
    if dirs.is_empty() {
        return Err("there is no suite (a file 'NAME_SUITE.erl') in the files given".into());
    }
    let absolute = |dir: &PathBuf| std::path::absolute(dir).unwrap_or_else(|_| dir.clone());
    let quoted = |dir: &PathBuf| fmt::write(&Term::binary(dir.as_os_str().as_encoded_bytes()));
    let dirs: Vec<String> = dirs.iter().map(absolute).map(|dir| quoted(&dir)).collect();
    let logs = quoted(&std::env::temp_dir().join("reverl-ct-logs"));
    let mut program = given.clone();
    program.define.push("TEST".to_string());
    program.entry = Some(format!(
        "begin Text = fun unicode:characters_to_list/1, Logs = Text({logs}), file:make_dir(Logs), \
         case ct:run_test([{{dir, [Text(D) || D <- [{}]]}}, {{logdir, Logs}}, \
         {{auto_compile, false}}]) of {{_, 0, {{_, 0}}}} -> halt(0); _ -> halt(1) end end",
        dirs.join(", ")
    ));
    Ok(program)
}

/// The program compiled for Common Test, its suites, and 1 if some had to be left out.
pub fn suites(given: &ProgramArgs) -> Result<(ProgramArgs, BTreeSet<String>, i32), String> {
    let mut program = given.clone();
    program.define.push("TEST".to_string());
    let files: Vec<PathBuf> = given.files.iter().flat_map(|path| suite_files(path)).collect();
    let stem = |file: &PathBuf| Some(file.file_stem()?.to_str()?.to_string());
    let all: BTreeSet<String> = files.iter().filter_map(stem).collect();
    if all.is_empty() {
        return Err("there is no suite (a file 'NAME_SUITE.erl') in the files given".into());
    }
    // Suites need not be where modules are looked for.
    program.files.retain(|file| !files.contains(file));
    program.files.extend(files);
    let names = usable(&program, &all)?;
    let left_out = i32::from(names.len() < all.len());
    Ok((program, names, left_out))
}

/// The directories with suites that people wrote.
fn suite_dirs(path: &Path) -> Vec<PathBuf> {
    let suites = suite_files(path).into_iter();
    suites.filter_map(|file| Some(file.parent()?.to_owned())).collect()
}

/// The suites that people wrote.
fn suite_files(path: &Path) -> Vec<PathBuf> {
    let files = match path.is_dir() {
        true => files_under(path, &["erl"]),
        false => vec![path.to_owned()],
    };
    let is_suite = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        name.ends_with("_SUITE") && !is_built(path, file) && !is_foreign(path, file)
    };
    files.into_iter().filter(is_suite).collect()
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
