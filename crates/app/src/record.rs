//! `reverl record`: any command, unmodified, with a tracer in its Erlang node.

mod assemble;
mod attach;
mod made;
mod prefix;
mod tracer;
mod watch;

use crate::disk::write_whole;
use crate::open::{stopped, tell_missing};
use crate::program_args::memory_limit;
use clap::{Args, ValueEnum};
use prefix::WantedOrder;
use reverl_machine::Program;
use reverl_recorded::modules::{LoadReport, Modules};
use reverl_recorded::parts::NodeRecording;
use reverl_recorded::{inputs, replay};
use reverl_session::outside::{Output, RealOutside};
use reverl_session::translation::Translation;
use reverl_term::Atom;
use std::cell::RefCell;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::rc::Rc;

/// Run a command and record what its Erlang processes do.
#[derive(Args, Clone, Debug)]
pub struct RecordArgs {
    /// Where the recording goes
    #[arg(short = 'o', long = "output", default_value = "recording.reverl", value_name = "FILE")]
    pub output: PathBuf,
    /// How much is recorded
    #[arg(long, value_enum, default_value_t = Level::Exact)]
    pub level: Level,
    /// Record a hash of every message, so that a replay that departs is found at once
    #[arg(long)]
    pub checked: bool,
    /// Begin with calls of this function, or with the process of this registered name (default:
    /// what the command line calls, and what applications start with)
    #[arg(long, value_name = "MODULE:FUNCTION|name:NAME")]
    pub trigger: Vec<String>,
    /// Let messages come in the order of this recording, as far as it goes; then the command runs freely
    #[arg(long, value_name = "RECORDING", conflicts_with = "node")]
    pub prefix: Option<PathBuf>,
    /// Stop recording after so many events
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_events: u64,
    /// Stop recording after so many bytes (K, M, G)
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "0")]
    pub max_size: u64,
    /// Stop recording after so many seconds
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub max_seconds: u64,
    /// Keep only the newest events, about this many bytes of them (K, M, G), and write them when
    /// the command fails, is interrupted, or on SIGUSR1
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "0")]
    pub keep: u64,
    /// Do not replay the recording once to see that it can be
    #[arg(long)]
    pub no_check: bool,
    /// Record on this running node instead, from the calls that --trigger names until Enter is
    /// pressed or --max-seconds are over
    #[arg(long, value_name = "NAME@HOST", conflicts_with = "command", requires = "trigger")]
    pub node: Option<String>,
    /// The cookie of that node (default: the one in the home directory)
    #[arg(long, requires = "node")]
    pub cookie: Option<String>,
    /// Make a recording of what an interrupted `reverl record` left in this directory
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub recover: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required_unless_present_any = ["recover", "node"], value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// How much of a node is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Level {
    /// Deliveries and time-outs: which message a receive took is computed
    #[value(alias = "light")]
    Exact,
    /// The contents of all messages as well
    Full,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Exact => "exact",
            Level::Full => "full",
        }
    }
}

fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().find(|(_, c)| !c.is_ascii_digit()) {
        Some((i, _)) => text.split_at(i),
        None => (text, ""),
    };
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" | "KB" => 10,
        "M" | "MB" => 20,
        "G" | "GB" => 30,
        _ => return Err("a number, then K, M or G".into()),
    };
    digits.parse::<u64>().map(|n| n << shift).map_err(|e| e.to_string())
}

pub fn run(args: &RecordArgs) -> Result<i32, String> {
    if args.output.is_dir() {
        let shown = args.output.display();
        return Err(format!("'{shown}' is a directory: name a file with -o"));
    }
    if let Some(parts) = &args.recover {
        let finished = finish(args, parts, &args.output, None, None);
        return finished.map(|()| 0).map_err(|unfinished| unfinished.to_string());
    }
    let parts = args.output.with_extension(format!("parts-{}", std::process::id()));
    let parts = std::path::absolute(&parts).unwrap_or(parts);
    let wanted = args.prefix.as_deref().map(prefix::read).transpose()?;
    prepare(args, &parts, wanted.as_ref())?;
    let done = record(args, &parts, wanted.as_ref());
    if !matches!(done, Err(Unfinished::NotWritten(_))) {
        let _ = std::fs::remove_dir_all(&parts);
    }
    done.map_err(|unfinished| match unfinished {
        Unfinished::NotRecorded(why) => why,
        Unfinished::NotWritten(why) => format!(
            "{why}\nWhat was recorded is kept. Make a recording of it where there is room:\n  \
             reverl record -o FILE --recover '{}'",
            parts.display()
        ),
    })
}

/// Why there is no recording.
#[derive(Debug)]
enum Unfinished {
    /// There is nothing to make one of.
    NotRecorded(String),
    /// The parts are there, and the file could not be written.
    NotWritten(String),
}

impl std::fmt::Display for Unfinished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Unfinished::NotRecorded(why) | Unfinished::NotWritten(why)) = self;
        f.write_str(why)
    }
}

/// Records and writes the recording; what the command's exit code was.
fn record(
    args: &RecordArgs,
    parts: &Path,
    wanted: Option<&WantedOrder>,
) -> Result<i32, Unfinished> {
    let mut written = 0;
    let status = match &args.node {
        Some(node) => attach::record(args, node, parts).map(|()| ExitStatus::default()),
        None => run_command(args, parts, &mut written),
    };
    let status = status.map_err(Unfinished::NotRecorded)?;
    // A command that was killed has no code; a shell would say 128 and the signal.
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    if args.keep > 0 && code == 0 && args.node.is_none() {
        eprintln!("reverl: the command succeeded: its last events are not written");
        return Ok(code);
    }
    finish(args, parts, &nth_output(&args.output, written), status.signal(), wanted)?;
    Ok(code)
}

/// The directory of the parts, with what the tracer has to know.
fn prepare(args: &RecordArgs, parts: &Path, wanted: Option<&WantedOrder>) -> Result<(), String> {
    let wrong = |e: std::io::Error| format!("cannot write to '{}': {e}", parts.display());
    let (names, calls): (Vec<&String>, Vec<&String>) =
        args.trigger.iter().partition(|t| t.starts_with(BY_NAME));
    let names: Vec<String> = names.iter().map(|n| atom(&n[BY_NAME.len()..])).collect();
    // Without triggers, a run that follows another one begins with the call that the other began with.
    let entry = wanted.filter(|_| args.trigger.is_empty()).map(|wanted| &wanted.entry);
    let triggers: Result<Vec<String>, String> =
        calls.into_iter().chain(entry).map(|t| trigger(t)).collect();
    let flag = |on: bool| u64::from(on);
    let limits = [
        args.max_events,
        args.max_size,
        args.keep,
        flag(args.checked),
        flag(args.level == Level::Full),
        flag(!args.trigger.is_empty() || wanted.is_some()),
    ];
    let settings = format!(
        "{{level, {}}}.\n{{limits, {limits:?}}}.\n{{triggers, [{}]}}.\n{{names, [{}]}}.\n{{seconds, {}}}.\n\
         {{opaque, {}}}.\n{{known, {}}}.\n{{inputs, {}}}.\n",
        args.level.name(),
        triggers?.join(", "),
        names.join(", "),
        args.max_seconds,
        inputs::opaque_modules(),
        inputs::known(),
        inputs::rows(),
    );
    let order = wanted.map(|wanted| wanted.order.to_string());
    let settings = match &order {
        Some(_) => settings + &format!("{{prefix, {:?}}}.\n", parts.join("prefix")),
        None => settings,
    };
    std::fs::create_dir_all(parts.parent().unwrap_or(parts)).map_err(wrong)?;
    // What a program does is nobody else's business, and what is there already is not ours.
    DirBuilder::new().mode(0o700).create(parts).map_err(wrong)?;
    let command = args.command.join("\n");
    let files = [("settings", settings.as_str()), ("level", args.level.name())];
    let more = [("command", command.as_str())].into_iter();
    let more = more.chain(order.as_deref().map(|order| ("prefix", order)));
    for (name, text) in files.into_iter().chain(more) {
        std::fs::write(parts.join(name), text).map_err(|e| {
            let _ = std::fs::remove_dir_all(parts);
            wrong(e)
        })?;
    }
    Ok(())
}

/// What a trigger by name begins with. A module of that name is written in quotes.
const BY_NAME: &str = "name:";

fn atom(name: &str) -> String {
    let atom = reverl_term::Atom::new(name.trim_matches('\''));
    reverl_term::fmt::write(&reverl_term::Term::atom(atom))
}

/// `module:function` as `{module, function}`; also `Module.function`, as Elixir has it.
fn trigger(text: &str) -> Result<String, String> {
    let of_elixir = text.rsplit_once('.').filter(|_| text.starts_with(char::is_uppercase));
    let (module, function) = match of_elixir {
        Some((module, function)) => (format!("Elixir.{module}"), function),
        None => text
            .split_once(':')
            .filter(|(m, f)| !m.is_empty() && !f.is_empty())
            .map(|(module, function)| (module.to_string(), function))
            .ok_or(format!("'{text}' is not a trigger; write module:function or name:NAME"))?,
    };
    let function = function.split('/').next().unwrap_or(function);
    Ok(format!("{{{}, {}}}", atom(&module), atom(function)))
}

/// What a node does first. A release loads nothing by itself, so the tracer is loaded by name; and
/// whatever happens, the node goes on.
const START: &str = "catch(code:load_file(reverl_tracer)),catch(reverl_tracer:start())";

fn run_command(args: &RecordArgs, parts: &Path, written: &mut u32) -> Result<ExitStatus, String> {
    let tracer = tracer::directory()?;
    let mut flags = std::env::var("ERL_AFLAGS").unwrap_or_default();
    flags.push_str(&format!(" -pa \"{}\" -eval {START}", tracer.display()));
    if args.prefix.is_some() {
        flags.push_str(prefix::FLAGS);
    }
    let mut command = Command::new(&args.command[0]);
    command.args(&args.command[1..]);
    command.env("ERL_AFLAGS", flags.trim_start()).env("REVERL_RECORD", parts);
    let asked = || {
        if args.keep > 0 {
            match finish(args, parts, &nth_output(&args.output, *written), None, None) {
                Ok(()) => *written += 1,
                Err(why) => eprintln!("reverl: {why}"),
            }
        }
    };
    watch::run(&mut command, asked).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            format!(
                "there is no command '{}': give one that is on the PATH, or its path",
                args.command[0]
            )
        }
        _ => format!("cannot run '{}': {e}", args.command[0]),
    })
}

/// Makes the one file of the parts, and says what is in it. `signal` is what ended the command.
fn finish(
    args: &RecordArgs,
    parts: &Path,
    output: &Path,
    signal: Option<i32>,
    wanted: Option<&WantedOrder>,
) -> Result<(), Unfinished> {
    let (mut recorded, made) = assemble::read(parts).map_err(Unfinished::NotRecorded)?;
    if let Some(signal) = signal {
        recorded.stopped_by.get_or_insert(format!("it was killed (signal {signal})"));
    }
    let translation = Translation::installed();
    let own = assemble::own_modules(&recorded, parts);
    let mut problems = made::add_made_modules(&mut recorded, &made, &translation);
    problems.extend(assemble::add_modules(&mut recorded, &own, &translation));
    recorded.interpret_later_versions();
    let (mut verdict, mut used) = ("not checked".to_string(), LoadReport::default());
    if recorded.lacks_beginning {
        verdict = "the newest ones: see `reverl replay --list`".into();
    } else if !args.no_check {
        (verdict, used) = check(&recorded, parts, &translation, wanted);
    }
    let finder = assemble::finder(&recorded, parts);
    let path = |name: &String| Some(finder.find(Atom::new(name))?.path()?.to_owned());
    let wanted: Vec<(String, PathBuf)> =
        used.names.iter().filter_map(|name| Some((name.clone(), path(name)?))).collect();
    problems.extend(assemble::add_modules(&mut recorded, &wanted, &translation));
    problems.sort();
    problems.dedup();
    recorded.missing = problems;
    let bytes = assemble::file(&recorded);
    write_whole(output, &bytes).map_err(Unfinished::NotWritten)?;
    let without = NodeRecording { entries: vec![], ..recorded.clone() };
    let of_events = bytes.len().saturating_sub(assemble::file(&without).len());
    let each = of_events as f64 / recorded.entries.len().max(1) as f64;
    let processes = recorded.processes.iter();
    let own = processes.filter(|p| p.origin != reverl_recorded::Origin::Outside && p.pid != 0);
    eprintln!(
        "reverl: {} events of {} processes in '{}' ({} bytes, {each:.1} bytes an event), {verdict}",
        recorded.entries.len(),
        own.count(),
        output.display(),
        bytes.len(),
    );
    if let Some(stopped) = stopped(&recorded) {
        eprintln!("reverl: {stopped}");
    }
    tell_missing(&recorded);
    Ok(())
}

/// Where a recording goes. One that keeps the newest events may be asked for them several times:
/// none of them overwrites another.
fn nth_output(output: &Path, before: u32) -> PathBuf {
    if before == 0 {
        return output.to_owned();
    }
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{stem}-{}.reverl", before + 1))
}

/// Replays once: that tells whether it can be done, and which modules it takes.
fn check(
    recorded: &NodeRecording,
    parts: &Path,
    translation: &Translation,
    wanted: Option<&WantedOrder>,
) -> (String, LoadReport) {
    let finder = assemble::finder(recorded, parts);
    let modules = Modules::new(recorded.modules.clone(), finder, Box::new(translation.clone()));
    let loaded: Rc<RefCell<LoadReport>> = modules.loaded.clone();
    let world = Box::new(RealOutside { output: Output::Keep });
    let mut program = Program::new();
    program.limits.memory = memory_limit(None);
    let verdict = match replay::replay(recorded, Box::new(modules), world, program) {
        Ok(replayed) => match replayed.divergence {
            None if replayed.is_full => {
                format!(
                    "of which the first {} replay exactly and fill the memory",
                    replayed.entries
                )
            }
            None => {
                let followed = wanted.map(|wanted| prefix::tell(wanted, &replayed.system));
                let prints = replayed.prints.map(|difference| format!("but {difference}"));
                let said = [Some("replayed exactly".to_string()), followed, prints];
                said.into_iter().flatten().collect::<Vec<_>>().join("; ")
            }
            Some(divergence) => format!("but {divergence}"),
        },
        Err(why) => why,
    };
    let loaded = std::mem::take(&mut *loaded.borrow_mut());
    (verdict, loaded)
}
