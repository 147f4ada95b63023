//! What every command that runs a program takes: files, the entry, paths, bounds.

use clap::{Args, ValueEnum};
use reverl_causal::schedule::Schedule;
use reverl_causal::unrest::{Faults, Unrest};
use reverl_causal::{Outside, System};
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_session::compile::load_file;
use reverl_session::entry::entry;
use reverl_session::error::BadCommand;
use reverl_session::language;
use reverl_session::modules::Modules;
use reverl_session::outside::{AllowingOs, Output, RealOutside, machine_memory};
use reverl_session::schedules::ScheduleName;
use reverl_term::{Atom, Term};
use std::path::PathBuf;

/// What a program may do outside of Reverl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Allowed {
    Os,
}

/// The arguments that name a program and how it is run; every command that runs one has them.
#[derive(Args, Clone, Debug)]
pub struct ProgramArgs {
    /// Source files, .beam files, or directories of a project
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The call to run: 'mod:fun(Args)', or any expression
    #[arg(short = 'e', long = "entry", value_name = "CALL")]
    pub entry: Option<String>,
    /// A node of several, with the call that it runs: --node a -e 'CALL' --node b -e 'CALL'
    #[arg(long = "node", value_name = "NAME")]
    pub nodes: Vec<String>,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro, with the value `true` unless another is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search this directory for .beam files
    #[arg(long = "pa", value_name = "DIR")]
    pub pa: Vec<PathBuf>,
    /// Set the parameters of applications that this file has, such as a sys.config
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print what OTP reports of crashes, restarts and progress, as its logger does on a node
    #[arg(long)]
    pub reports: bool,
    /// Let the program do this for real: `os` for commands of the operating system
    #[arg(long, value_name = "WHAT", value_enum)]
    pub allow: Vec<Allowed>,
    /// End a process when Reverl uses more memory than this (default: half of the machine's)
    #[arg(long, value_name = "MEGABYTES")]
    pub max_memory: Option<u64>,
    /// End a process whose stack holds more values than this
    #[arg(long, value_name = "N")]
    pub max_stack: Option<usize>,
    /// Steps between two checkpoints: fewer make going back faster, more cost less memory
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    pub checkpoint_steps: u64,
    /// The seed of a random schedule
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// What runs next: round-robin, random, random-delivery, processes-first, deliveries-first
    #[arg(long, default_value = "round-robin", value_name = "NAME")]
    pub schedule: String,
    /// Cut or lose connections between nodes at random, by the seed, so many at most
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub max_splits: u32,
    /// End nodes at random, by the seed, so many at most
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub max_crashes: u32,
    /// Processes of OTP's `kernel` that are there before the program begins.
    #[arg(skip)]
    pub kernel: Vec<String>,
    /// What files of a recording were called when the program was run.
    #[arg(skip)]
    pub names: Vec<(PathBuf, String)>,
}

/// In how many choices of a schedule a fault is tried once.
const FAULT_IN: usize = 40;

pub fn split_define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (text.to_string(), None),
    }
}

impl ProgramArgs {
    /// These files, and the usual for everything else.
    pub fn of_files(files: Vec<PathBuf>) -> ProgramArgs {
        ProgramArgs {
            files,
            entry: None,
            nodes: vec![],
            include: vec![],
            define: vec![],
            pa: vec![],
            config: None,
            reports: false,
            allow: vec![],
            max_memory: None,
            max_stack: None,
            checkpoint_steps: 10_000,
            seed: 0,
            schedule: "round-robin".into(),
            max_splits: 0,
            max_crashes: 0,
            kernel: vec![],
            names: vec![],
        }
    }

    pub fn schedule(&self) -> Result<Box<dyn Schedule>, String> {
        let name = ScheduleName::named(&self.schedule);
        let name = name.ok_or_else(|| BadCommand::NoSchedule(self.schedule.clone()).to_string())?;
        let calm = name.schedule(self.seed);
        Ok(match self.faults() {
            none if none.is_none() => calm,
            faults => Box::new(Unrest::new(calm, self.seed, faults, FAULT_IN)),
        })
    }

    /// What may go wrong with nodes and their connections.
    pub fn faults(&self) -> Faults {
        Faults { splits: self.max_splits, crashes: self.max_crashes }
    }

    /// The call to run, if one was given: that of several nodes if these were.
    pub fn given_entry(&self) -> Option<String> {
        let (name, call) = (
            |node: &str| node.split_once('=').map_or(node, |(name, _)| name).to_string(),
            |node: &str| node.split_once('=').map_or("ok", |(_, call)| call).to_string(),
        );
        let quoted = |node: &str| reverl_term::fmt::write(&Term::atom(Atom::new(&name(node))));
        let one = |node: &String| format!("{{{}, fun() -> {} end}}", quoted(node), call(node));
        match self.nodes.is_empty() {
            true => self.entry.clone(),
            false => {
                let all: Vec<String> = self.nodes.iter().map(one).collect();
                Some(format!("reverl_cluster:run([{}])", all.join(", ")))
            }
        }
    }

    /// A system that is about to run the entry.
    pub fn system(&self, output: Output) -> Result<System, String> {
        let (mut program, modules, first) = self.program()?;
        let text = match (self.given_entry(), first) {
            (Some(text), _) => text,
            (None, Some(module)) => {
                let quoted = reverl_term::fmt::write(&reverl_term::Term::atom(module));
                let main =
                    |arity| program.code.exported(module, Atom::new("main"), arity).is_some();
                match (main(0), main(1)) {
                    (true, _) => format!("{quoted}:main()"),
                    // As `escript` calls it without arguments.
                    (false, true) => format!("{quoted}:main([])"),
                    (false, false) => {
                        return Err(format!(
                            "{quoted} does not export main/0: say what to run, \
                             -e '{quoted}:function(Args)'"
                        ));
                    }
                }
            }
            (None, None) => return Err("say what to run: -e 'module:function(Args)'".into()),
        };
        let text = self.configured(text);
        let entry = entry(&text, &mut program).map_err(|why| why.to_string())?;
        let (module, ..) = entry.mfa();
        let loaded = program.code.modules.keys().map(|name| name.name());
        language::speak_as(loaded.chain([module.name()]));
        let real = RealOutside { output };
        let outside: Box<dyn Outside> = match self.allow.contains(&Allowed::Os) {
            true => Box::new(AllowingOs::new(real)),
            false => Box::new(real),
        };
        Ok(System::new(program, Box::new(modules), outside, entry))
    }

    /// The call, after the parameters of applications have been set and the logger was started.
    fn configured(&self, call: String) -> String {
        let config = self.config.as_ref().map(|file| {
            let quoted =
                reverl_term::fmt::write(&Term::binary(file.as_os_str().as_encoded_bytes()));
            format!("reverl_kernel:config(unicode:characters_to_list({quoted})), ")
        });
        let reports = self.reports.then(|| "reverl_kernel:need(logger), ".to_string());
        let kernel = (!self.kernel.is_empty())
            .then(|| format!("reverl_kernel:before([{}]), ", self.kernel.join(", ")));
        match config.into_iter().chain(reports).chain(kernel).collect::<String>() {
            nothing if nothing.is_empty() => call,
            first => format!("begin {first}{call} end"),
        }
    }

    /// The modules of the files, where more are found, and the first one's name.
    pub fn program(&self) -> Result<(Program, Modules, Option<Atom>), String> {
        if let Some(missing) = self.files.iter().chain(&self.config).find(|f| !f.exists()) {
            return Err(format!("there is no file or directory '{}'", missing.display()));
        }
        let modules = Modules::new(ProgramSources {
            paths: self.files.clone(),
            code_dirs: self.pa.clone(),
            include_dirs: self.include.clone(),
            defines: self.define.iter().map(|d| split_define(d)).collect(),
        });
        let mut program = Program::on_installed_otp();
        program.limits.memory = memory_limit(self.max_memory);
        program.limits.checkpoint = self.checkpoint_steps.max(1);
        if let Some(stack) = self.max_stack {
            program.limits.stack = stack;
        }
        for (path, name) in &self.names {
            program.code.sources.name_file(path.clone(), name.clone());
        }
        let mut first = None;
        for file in self.files.iter().filter(|f| f.is_file()) {
            let name = load_file(&modules, file, &mut program).map_err(|why| why.to_string())?;
            first = first.or(Some(name));
        }
        Ok((program, modules, first))
    }
}

/// How many bytes may be used: so many megabytes, or half of what the machine has.
pub fn memory_limit(megabytes: Option<u64>) -> u64 {
    let half = || machine_memory().map_or(u64::MAX, |all| all / 2);
    megabytes.map_or_else(half, |megabytes| megabytes << 20)
}
