//! Logs of CauDEr's tracer: opened beside a program, or alone if the program is near; and written.

use crate::program_args::ProgramArgs;
use reverl_analysis::cauder::{self, CauderLog, Extent};
use reverl_causal::{Cut, System};
use reverl_session::outcome;
use reverl_session::outside::Output;
use reverl_session::session::Session;
use std::path::{Path, PathBuf};

/// Steps after which a program that follows a log is stopped.
const MOST_STEPS: u64 = 100_000_000;

/// Whether this is a log directory.
pub fn is_log(path: &Path) -> bool {
    path.join("trace_result.log").is_file()
}

/// A log directory among the files given.
pub fn directory(args: &ProgramArgs) -> Option<PathBuf> {
    args.files.iter().find(|f| is_log(f)).cloned()
}

fn read(dir: &Path) -> Result<CauderLog, String> {
    let entries = std::fs::read_dir(dir)
        .map_err(|e| format!("cannot read '{}': {e}", dir.display()))?
        .flatten();
    let files: Vec<(String, String)> = entries
        .filter_map(|e| {
            let name = e.file_name().to_str()?.to_string();
            Some((name, std::fs::read_to_string(e.path()).ok()?))
        })
        .collect();
    cauder::import(&files).map_err(|why| format!("'{}': {why}", dir.display()))
}

/// A session at the end of what a log says. The program is among the files given, or beside the
/// log: in its directory, in the one around it, or in the current one.
pub fn open(args: &ProgramArgs, dir: &Path) -> Result<Session, String> {
    let log = read(dir)?;
    let mut program = args.clone();
    program.files.retain(|f| f != dir);
    if program.files.is_empty() {
        program.files.push(near(dir, &log.call)?);
    }
    program.entry = program.entry.or(Some(log.call.clone()));
    let system = program.system(Output::Keep)?;
    let fits = |system: &System| differs(&log, system).is_none();
    let real = cauder::follow(&system, &log, MOST_STEPS, &fits).ok_or(format!(
        "'{}': the program cannot do what this log says; was it logged with another version?",
        dir.display()
    ))?;
    let mut session = Session::new(real, program.schedule()?);
    session.departed = differs(&log, &session.system);
    match (&session.departed, log.extent) {
        (Some(why), _) => eprintln!("reverl: {why}"),
        (None, Extent::Prefix) => {
            eprintln!(
                "reverl: the log was cut off: this is where it stops, what comes next is free"
            );
        }
        (None, Extent::Whole) => {}
    }
    Ok(session)
}

/// The source of the module that was called.
fn near(dir: &Path, call: &str) -> Result<PathBuf, String> {
    let module = call.split(':').next().unwrap_or_default().trim_matches('\'');
    let name = format!("{module}.erl");
    let around = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
    let places = [Some(dir), around, Some(Path::new("."))].into_iter().flatten();
    let mut files = places.map(|place| place.join(&name));
    files
        .find(|file| file.is_file())
        .ok_or(format!("'{}': there is no {name} beside it: name the program too", dir.display()))
}

/// The value that the call had here and in the log, where they can be compared and differ.
fn differs(log: &CauderLog, system: &System) -> Option<String> {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let was = log.result.as_ref()?;
    let exit = system.execution().proc(system.main).exit();
    let value = exit.and_then(|exit| exit.value.as_ref());
    let Some(is) = value.map(outcome::show) else {
        return Some(format!("the log says that the value is {was}, here there is none"));
    };
    let has_names = ["<0.", "#Ref<", "#Fun<", "#Port<"].iter().any(|name| was.contains(name));
    let differ = !has_names && plain(was) != plain(&is);
    differ.then(|| format!("the log says that the value is {was}, here it is {is}"))
}

/// Writes what has happened up to where a session stands as a log, to a new directory.
pub fn write(session: &Session, call: &str, dir: &Path) -> Result<(), String> {
    let system = &session.system;
    let exit = system.execution().proc(system.main).exit();
    let result = exit.and_then(|exit| exit.value.as_ref()).map(outcome::show);
    let cut: &Cut = &session.cut;
    std::fs::create_dir_all(dir).map_err(|e| format!("cannot make '{}': {e}", dir.display()))?;
    for (name, text) in cauder::export(system, cut, call, result).files() {
        crate::disk::write_whole(&dir.join(name), text.as_bytes())?;
    }
    Ok(())
}
