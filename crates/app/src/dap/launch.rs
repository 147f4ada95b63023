//! What a launch configuration says, and the session that it asks for.

use super::adapter::{Incoming, Opened};
use super::protocol::OutputCategory;
use crate::program_args::{Allowed, ProgramArgs};
use crate::tests;
use crate::ui::interface::Action;
use crate::ui::session_thread::Opening;
use crate::ui::worker::Worker;
use reverl_session::command::{self, CommandInput, Setting};
use reverl_session::walk::CodeScope;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Sender;

/// One or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Many {
    One(String),
    Several(Vec<String>),
}

impl Default for Many {
    fn default() -> Many {
        Many::Several(vec![])
    }
}

impl Many {
    fn all(&self) -> &[String] {
        match self {
            Many::One(one) => std::slice::from_ref(one),
            Many::Several(all) => all,
        }
    }
}

/// The arguments of `launch`: those of the command line, by the names that editors give them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LaunchConfig {
    /// Source files, .beam files, directories of a project, or a recording.
    program: Many,
    /// A recording, which is opened instead of a program.
    recording: Option<String>,
    /// A command that is recorded first.
    record: Vec<String>,
    entry: Option<String>,
    /// `eunit`, `ct`, or a test as `module:function`.
    test: Option<String>,
    cwd: Option<PathBuf>,
    include: Vec<String>,
    define: Vec<String>,
    pa: Vec<String>,
    config: Option<String>,
    allow_os: bool,
    max_memory: Option<u64>,
    schedule: Option<String>,
    seed: u64,
    pub stop_on_entry: bool,
    /// Whether steps that begin in the program's own code end there, over OTP's.
    just_my_code: Option<bool>,
    pub no_debug: bool,
}

impl LaunchConfig {
    fn path(&self, text: &str) -> PathBuf {
        self.cwd.as_deref().unwrap_or(Path::new("")).join(text)
    }

    /// The program as the command line would have named it.
    fn program(&self) -> Result<ProgramArgs, String> {
        let paths = |all: &[String]| all.iter().map(|p| self.path(p)).collect::<Vec<_>>();
        let files = match &self.recording {
            Some(recording) => vec![self.path(recording)],
            None => paths(self.program.all()),
        };
        if files.is_empty() {
            return Err("say what to debug: \"program\" (files or a project), \"recording\" (a \
                        .reverl file) or \"record\" (a command) in the launch configuration"
                .into());
        }
        let given = ProgramArgs {
            entry: self.entry.clone(),
            include: paths(&self.include),
            define: self.define.clone(),
            pa: paths(&self.pa),
            config: self.config.as_deref().map(|file| self.path(file)),
            allow: if self.allow_os { vec![Allowed::Os] } else { vec![] },
            max_memory: self.max_memory,
            seed: self.seed,
            schedule: self.schedule.clone().unwrap_or_else(|| "round-robin".into()),
            ..ProgramArgs::of_files(files)
        };
        self.with_test(given)
    }

    fn with_test(&self, given: ProgramArgs) -> Result<ProgramArgs, String> {
        match self.test.as_deref() {
            None => Ok(given),
            Some("eunit") => tests::eunit(&given),
            Some("ct") => tests::common_test(&given),
            Some(test) => {
                let (module, function) = test.split_once(':').ok_or_else(|| {
                    format!(
                        "'{test}' is not a test: write \"eunit\", \"ct\" or \"module:function\""
                    )
                })?;
                let function = function.trim_end_matches("/0");
                let (mut program, ..) = tests::tested(&given)?;
                let generator = if function.ends_with("_test_") { "generator, " } else { "" };
                program.entry = Some(match generator {
                    "" => format!("eunit:test(fun {module}:{function}/0)"),
                    _ => format!("eunit:test({{generator, fun {module}:{function}/0}})"),
                });
                Ok(program)
            }
        }
    }

    /// Opens the session on a thread of its own: compiling and replaying can take long.
    pub fn open(self, tell: Sender<Incoming>) {
        let open = move || {
            let opened = self.opened(&tell);
            let _ = tell.send(Incoming::Opened(opened));
        };
        let builder = std::thread::Builder::new().stack_size(crate::STACK);
        builder.spawn(open).expect("a thread");
    }

    fn opened(mut self, tell: &Sender<Incoming>) -> Result<Opened, String> {
        let mut recorded = None;
        if !self.record.is_empty() {
            let dir = tempfile::Builder::new().prefix("reverl-dap-").tempdir();
            let dir = dir.map_err(|e| format!("cannot record: {e}"))?;
            let file = dir.path().join("recording.reverl");
            self.recorded(&file, tell)?;
            self.recording = Some(file.display().to_string());
            recorded = Some(dir);
        }
        let worker = Worker::start(self.program()?, Opening::AtStart)?;
        let stop_on_entry = self.stop_on_entry;
        let worker = Arc::new(worker);
        if self.just_my_code == Some(false) {
            let all = command::Command::Set(Setting::Code(CodeScope::All));
            let action = Action::Command { command: CommandInput::Data(all), proc: None };
            worker.begin(action, |_| ())?;
        }
        Ok(Opened { worker, stop_on_entry, is_shared: false, recorded })
    }

    /// Runs the command under `reverl record`; what it prints is told as it comes.
    fn recorded(&self, file: &Path, tell: &Sender<Incoming>) -> Result<(), String> {
        let own = std::env::current_exe().map_err(|e| format!("cannot record: {e}"))?;
        let mut command = Command::new(own);
        command.arg("record").arg("-o").arg(file).arg("--").args(&self.record);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot record: {e}"))?;
        let printed = child.stdout.take().map(|out| say(out, OutputCategory::Stdout, tell));
        let complained = child.stderr.take().map(|out| say(out, OutputCategory::Stderr, tell));
        let ended = child.wait().map_err(|e| format!("cannot record: {e}"))?;
        for thread in printed.into_iter().chain(complained) {
            let _ = thread.join();
        }
        // The command may fail: that is why it is recorded.
        match file.exists() {
            true => Ok(()),
            false => Err(format!("the command was not recorded ({ended}); the console says why")),
        }
    }
}

fn say(
    out: impl Read + Send + 'static,
    category: OutputCategory,
    tell: &Sender<Incoming>,
) -> std::thread::JoinHandle<()> {
    let tell = tell.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            let _ = tell.send(Incoming::Said(category, line + "\n"));
        }
    })
}
