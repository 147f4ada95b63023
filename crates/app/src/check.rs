//! `reverl check`: every problem of every file, and nothing else.

use crate::program_args::split_define;
use clap::Args;
use reverl_lang::beam::load_beam;
use reverl_lang::diagnostic::{Diagnostic, MAX_PROBLEMS, Severity};
use reverl_lang::lint::{lint, lint_broken};
use reverl_lang::module::{load_source, misnamed};
use reverl_lang::project::{ModuleFinder, ProgramSources, files_under, is_built};
use reverl_lang::source::SourceMap;
use reverl_session::modules::finder;
use reverl_session::transform::transform;
use reverl_session::translation::Translation;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// Read Erlang files and report every problem that erlc would refuse them for.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Source files, .beam files, or directories to search for .erl files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro, with the value `true` unless another is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search this directory for .beam files and its application
    #[arg(long = "pa", value_name = "DIR")]
    pub pa: Vec<PathBuf>,
    /// The OTP release whose language the files are in (default: the one that is installed)
    #[arg(long)]
    pub release: Option<u32>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// What was found in one file.
struct Checked {
    index: usize,
    text: String,
    json: Vec<serde_json::Value>,
    errors: usize,
    warnings: usize,
}

/// Checks the files and prints what is wrong. 0: nothing, 2: errors, as for all commands.
pub fn run(args: &CheckArgs) -> i32 {
    let mut files = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            let own = files_under(path, &["erl"]).into_iter().filter(|f| !is_built(path, f));
            files.extend(own);
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        eprintln!("reverl check: no .erl files in what was given");
        return 2;
    }
    let finder = finder(ProgramSources {
        paths: args.files.clone(),
        code_dirs: args.pa.clone(),
        include_dirs: args.include.clone(),
        defines: args.define.iter().map(|d| split_define(d)).collect(),
    });
    let results = check_all(&files, &finder, args.release);
    report(&results, files.len(), args.json)
}

/// All files, spread over the cores, results in the order of the files.
fn check_all(files: &[PathBuf], finder: &Arc<ModuleFinder>, release: Option<u32>) -> Vec<Checked> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(files.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(index) else { return };
                    let _ = sender.send(check_file(index, path, finder, release));
                }
            });
        }
    });
    drop(sender);
    let mut results: Vec<Checked> = receiver.iter().collect();
    results.sort_by_key(|checked| checked.index);
    results
}

fn check_file(
    index: usize,
    path: &Path,
    finder: &Arc<ModuleFinder>,
    release: Option<u32>,
) -> Checked {
    let mut sources = SourceMap::default();
    let (module, mut problems) = if path.extension().is_some_and(|e| e == "beam") {
        load_beam(path, &Translation::new(finder.clone()), &mut sources)
    } else {
        let mut options = finder.options_for(path);
        options.release = release.unwrap_or(options.release);
        load_source(path, &options, &mut sources)
    };
    let misnamed = module.as_ref().and_then(|module| misnamed(module, path));
    let understood = !problems.iter().any(Diagnostic::is_error);
    match module {
        Some(module) if understood => {
            let (module, failed) = transform(module, finder, &[], &mut sources);
            problems.extend(failed);
            problems.extend(lint(&module));
        }
        Some(module) => problems.extend(lint_broken(&module)),
        None => {}
    }
    problems.extend(misnamed);
    problems.truncate(MAX_PROBLEMS);
    let count = |severity| problems.iter().filter(|p| p.severity == severity).count();
    Checked {
        index,
        text: problems.iter().map(|p| p.render(&sources)).collect(),
        json: problems.iter().map(|p| p.to_json(&sources)).collect(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
    }
}

fn report(results: &[Checked], files: usize, json: bool) -> i32 {
    let errors: usize = results.iter().map(|r| r.errors).sum();
    let warnings: usize = results.iter().map(|r| r.warnings).sum();
    if json {
        let diagnostics: Vec<&serde_json::Value> = results.iter().flat_map(|r| &r.json).collect();
        let object = serde_json::json!({
            "files": files,
            "errors": errors,
            "warnings": warnings,
            "diagnostics": diagnostics,
        });
        // A closed pipe is the reader's choice, not an error of ours.
        let _ = writeln!(std::io::stdout(), "{object}");
    } else {
        let mut stderr = std::io::stderr().lock();
        for result in results {
            let _ = stderr.write_all(result.text.as_bytes());
        }
        let _ = writeln!(std::io::stdout(), "{files} files: {errors} errors, {warnings} warnings");
    }
    if errors > 0 { 2 } else { 0 }
}
