//! Opening what was given: a program, a recording, a log; and sessions on disk.

mod anew;
pub mod cauder;
mod node;

use node::Extent;
pub use node::{stopped, tell_missing};

use crate::disk::{kept_directory, make_private, write_whole};
use crate::program_args::{ProgramArgs, memory_limit};
use reverl_causal::recording::{self, Recording, Writer};
use reverl_causal::{Cut, System};
use reverl_lang::source::SourceFile;
use reverl_recorded::NodeRecording;
use reverl_recorded::list;
use reverl_session::command::Host;
use reverl_session::error::HostError;
use reverl_session::notebook::Notebook;
use reverl_session::outside::Output;
use reverl_session::session::Session;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The face's part of a session: it knows the command line.
pub struct CommandLine {
    pub args: ProgramArgs,
}

impl CommandLine {
    /// A session at the beginning of the program, or where a recording was left.
    pub fn session(&self) -> Result<Session, String> {
        self.session_of(Extent::Whole)
    }

    /// As `session`; of a long recording first the failure and what led to it.
    pub fn opening_session(&self) -> Result<Session, String> {
        self.session_of(Extent::FailureFirst)
    }

    fn session_of(&self, extent: Extent) -> Result<Session, String> {
        match existing_to(&self.args, extent) {
            Some(session) => session,
            None => Ok(Session::new(self.args.system(Output::Keep)?, self.args.schedule()?)),
        }
    }

    fn write(&self, session: &Session, path: &Path) -> Result<(), String> {
        if session.is_part {
            return Err("only a part of the recording is open, and a part is not saved: \
                 'load FILE' replays all of it"
                .into());
        }
        let mut writer = match node_parts(&self.args) {
            Some(parts) => {
                let meta = with_notebook(json!({ "node": true }), session);
                let mut writer = Writer::new(meta.to_string().as_bytes());
                parts.iter().for_each(|part| writer.node(part));
                writer
            }
            None => {
                let args = program_of(&self.args)?;
                let meta = with_notebook(meta(&args, &session.system), session);
                Writer::new(meta.to_string().as_bytes())
            }
        };
        writer.branch(session.branch_name(), session.execution(), &session.cut);
        for other in session.other_branches() {
            writer.branch(&other.name, other.execution(), other.cut());
        }
        write_whole(path, &writer.finish())
    }
}

impl Host for CommandLine {
    fn fresh(&self) -> Result<Session, HostError> {
        self.session().map_err(HostError::CannotBegin)
    }

    fn save(&self, session: &Session, path: &str) -> Result<(), HostError> {
        self.write(session, Path::new(path)).map_err(HostError::CannotSave)
    }

    fn open(&self, path: &str) -> Result<Session, HostError> {
        open(Path::new(path), self.args.max_memory).map_err(HostError::CannotOpen)
    }
}

/// What stands in place of the program in a recording of a real node: it brings its own.
pub const OF_NODE: &[u8] = br#"{"node":true}"#;

/// The description of the program with what people have noted.
fn with_notebook(mut meta: Value, session: &Session) -> Value {
    if !session.notebook.is_empty() {
        meta["notebook"] = json!(session.notebook);
    }
    meta
}

/// What people have noted. What cannot be read is left out: it is not the execution.
fn notebook(recording: &Recording) -> Notebook {
    let meta = description(recording).unwrap_or_default();
    serde_json::from_value(meta["notebook"].clone()).unwrap_or_default()
}

/// What was recorded on a real node, if that is what was given.
fn node_parts(args: &ProgramArgs) -> Option<Vec<Vec<u8>>> {
    let recording = read(&recording_file(args)?).ok()?;
    (!recording.node.is_empty()).then_some(recording.node)
}

/// Saves one finished execution.
pub fn save_system(args: &ProgramArgs, system: &System, path: &Path) -> Result<(), String> {
    let mut writer = Writer::new(meta(args, system).to_string().as_bytes());
    writer.branch("main", system.execution(), &Cut::end(system.execution()));
    write_whole(path, &writer.finish())
}

/// The recording among the files given, if there is one.
fn recording_file(args: &ProgramArgs) -> Option<PathBuf> {
    args.files.iter().find(|f| f.extension().is_some_and(|e| e == "reverl")).cloned()
}

/// The program that is meant: the one of a recording if that is what was given.
pub fn program_of(args: &ProgramArgs) -> Result<ProgramArgs, String> {
    let Some(path) = recording_file(args) else { return Ok(args.clone()) };
    let shown = path.display();
    let recording = read(&path)?;
    if !recording.node.is_empty() {
        let recorded = NodeRecording::read(&recording.node);
        return anew::program(args, &recorded).map_err(|why| format!("'{shown}': {why}"));
    }
    let mut own = description(&recording)
        .and_then(|meta| program(&meta))
        .map_err(|why| format!("'{shown}': {why}"))?;
    own.entry = args.given_entry().or(own.entry);
    Ok(own)
}

/// The execution that is given instead of a program: a recording, or a log of CauDEr's.
pub fn existing(args: &ProgramArgs) -> Option<Result<Session, String>> {
    existing_to(args, Extent::Whole)
}

fn existing_to(args: &ProgramArgs, extent: Extent) -> Option<Result<Session, String>> {
    match recording_file(args) {
        Some(path) => Some(open_to(&path, args.max_memory, extent)),
        None => cauder::directory(args).map(|dir| cauder::open(args, &dir)),
    }
}

fn meta(args: &ProgramArgs, system: &System) -> Value {
    let program = system.program();
    let own = program.code.sources.iter().filter(|(_, f)| f.path.is_file());
    let otp = reverl_lang::project::otp_lib();
    let own = own.filter(|(_, f)| otp.as_ref().is_none_or(|otp| !f.path.starts_with(otp)));
    let text = |f: &SourceFile| {
        // Of an application's resource file a module was made, whose text is not the file's.
        let text = match f.path.extension().is_some_and(|e| e == "app" || e == "src") {
            true => std::fs::read_to_string(&f.path).ok()?,
            false => f.text.as_deref()?.to_string(),
        };
        Some(json!({ "path": absolute(&f.path), "name": &*f.name, "text": text }))
    };
    let texts: Vec<Value> = own.filter_map(|(_, f)| text(f)).collect();
    let paths = |list: &[PathBuf]| list.iter().map(|p| absolute(p)).collect::<Vec<_>>();
    json!({
        "files": paths(&args.files),
        "entry": args.given_entry(),
        "include": paths(&args.include),
        "define": args.define,
        "pa": paths(&args.pa),
        "config": args.config.as_deref().map(absolute),
        "reports": args.reports,
        "kernel": args.kernel,
        "texts": texts,
    })
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Opens a recording where it was left. Replaying it takes so many megabytes at most.
pub fn open(path: &Path, max_memory: Option<u64>) -> Result<Session, String> {
    open_to(path, max_memory, Extent::Whole)
}

fn open_to(path: &Path, max_memory: Option<u64>, extent: Extent) -> Result<Session, String> {
    let recording = read(path)?;
    let opened = session(&recording, memory_limit(max_memory), extent);
    let mut opened = opened.map_err(|why| format!("'{}': {why}", path.display()))?;
    opened.notebook = notebook(&recording);
    Ok(opened)
}

fn read(path: &Path) -> Result<Recording, String> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read '{shown}': {e}"))?;
    recording::read(&bytes).map_err(|why| format!("'{shown}': {why}"))
}

/// Prints what was recorded on a real node, a line an event, of one process or of all.
pub fn list(path: &Path, process: Option<&str>) -> Result<i32, String> {
    let recording = read(path)?;
    if recording.node.is_empty() {
        return Err(format!("'{}' was not recorded on a real node", path.display()));
    }
    let recorded = NodeRecording::read(&recording.node);
    let mut out = std::io::stdout().lock();
    if recorded.lacks_beginning {
        eprintln!("reverl: the newest events; those before them were not kept");
    }
    let is_wanted = |line: &str| {
        process.is_none_or(|pid| line.strip_prefix(pid).is_some_and(|rest| rest.starts_with(' ')))
    };
    for i in 0..recorded.entries.len() {
        let line = Some(list::line(&recorded, i)).filter(|line| is_wanted(line));
        let numbered = line.map(|line| format!("{:>6} {line}", i + 1));
        let named = list::names_before(&recorded, i).map(|line| format!("       {line}"));
        for line in named.chain(numbered) {
            // Whoever reads may have had enough.
            if writeln!(out, "{line}").is_err() {
                return Ok(0);
            }
        }
    }
    Ok(0)
}

fn description(recording: &Recording) -> Result<Value, String> {
    serde_json::from_slice(&recording.meta)
        .map_err(|_| "its description of the program cannot be read".to_string())
}

fn session(recording: &Recording, memory: u64, extent: Extent) -> Result<Session, String> {
    if !recording.node.is_empty() {
        return node::session(recording, memory, extent);
    }
    let args = program(&description(recording)?)?;
    let mut system = args.system(Output::Keep)?;
    let first = recording.branches.first().ok_or("it has no execution")?;
    let end = first.places.as_ref().map(|(end, _)| end);
    let whole = system.replay(&first.family, first.steps.iter().cloned(), end);
    if let Err(diverged) = whole {
        return Err(format!(
            "the program does not do what was recorded: at step {}, {}",
            diverged.step + 1,
            diverged.why
        ));
    }
    let mut session = Session::new(system, args.schedule()?);
    session.name_branch(&first.name);
    if let Some((_, cut)) = &first.places {
        session.cut = fitted(cut, &session);
    }
    for branch in &recording.branches[1..] {
        let end = branch.places.as_ref().map(|(end, _)| end);
        let added = session.add_branch(&branch.name, |system| {
            system.replay(&branch.family, branch.steps.iter().cloned(), end).is_ok()
        });
        if !added {
            return Err(format!("the program does not do what branch {} recorded", branch.name));
        }
    }
    Ok(session)
}

/// A cut of the same execution has as many processes; a damaged one is the end.
fn fitted(cut: &Cut, session: &Session) -> Cut {
    let end = Cut::end(session.execution());
    let known = session.execution().ids().all(|p| {
        cut.place(p).steps <= end.place(p).steps
            && cut.place(p).deliveries <= end.place(p).deliveries
    });
    if known { cut.clone() } else { end }
}

/// The program as it was recorded: the files where they were if they have not changed, else the
/// texts from the recording, put where they can be read.
fn program(meta: &Value) -> Result<ProgramArgs, String> {
    let list = |key: &str| -> Vec<PathBuf> {
        let items = meta[key].as_array().into_iter().flatten();
        items.filter_map(|v| v.as_str().map(PathBuf::from)).collect()
    };
    let texts: Vec<(PathBuf, &str)> = meta["texts"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|t| Some((PathBuf::from(t["path"].as_str()?), t["text"].as_str()?)))
        .collect();
    let unchanged = texts.iter().all(|(path, text)| is_still(path, text));
    let root = if unchanged { PathBuf::new() } else { unpack(&texts)? };
    // What is not a text, such as a directory of compiled modules, stays where it is.
    let moved = |path: PathBuf| match under(&root, &path) {
        unpacked if !unchanged && unpacked.exists() => unpacked,
        _ => path,
    };
    let named = meta["texts"].as_array().into_iter().flatten();
    let named = named.filter_map(|t| Some((t["path"].as_str()?, t["name"].as_str()?)));
    Ok(ProgramArgs {
        names: named.map(|(path, name)| (moved(path.into()), name.into())).collect(),
        config: meta["config"].as_str().map(PathBuf::from),
        reports: meta["reports"].as_bool().unwrap_or(false),
        kernel: list("kernel").iter().map(|name| name.display().to_string()).collect(),
        entry: meta["entry"].as_str().map(str::to_string),
        include: list("include").into_iter().map(moved).collect(),
        define: list("define").iter().map(|p| p.display().to_string()).collect(),
        pa: list("pa"),
        ..ProgramArgs::of_files(list("files").into_iter().map(moved).collect())
    })
}

/// Whether a file has this text. A recording may name anything, so what is not a file of that
/// length is not read: a device need not end.
fn is_still(path: &Path, text: &str) -> bool {
    let found = std::fs::metadata(path);
    found.is_ok_and(|m| m.is_file() && m.len() == text.len() as u64)
        && std::fs::read(path).is_ok_and(|now| now == text.as_bytes())
}

/// A path of a recording, inside of `root` whatever it says.
fn under(root: &Path, path: &Path) -> PathBuf {
    let parts = path.components().filter(|c| matches!(c, std::path::Component::Normal(_)));
    root.join(parts.collect::<PathBuf>())
}

fn unpack(texts: &[(PathBuf, &str)]) -> Result<PathBuf, String> {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    kept_directory(&format!("sources-{:016x}", hasher.finish()), |root| {
        for (path, text) in texts {
            let file = under(root, path);
            make_private(file.parent().unwrap_or(root))?;
            std::fs::write(&file, text)
                .map_err(|e| format!("cannot unpack '{}': {e}", file.display()))?;
        }
        Ok(())
    })
}
