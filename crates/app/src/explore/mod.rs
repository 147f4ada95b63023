//! `reverl explore`: every execution that the program can have, and which of them fail.

mod baseline;
mod cases;
mod junit;
mod keep;
mod sarif;
pub mod workers;

use crate::disk::unguessable_directory;
use crate::interrupt;
use crate::open;
use crate::program_args::ProgramArgs;
use cases::{Explored, Framework};
use clap::{Args, ValueEnum};
use reverl_analysis::explore::{Bounds, Summary};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::timeouts::Timeouts;
use reverl_causal::System;
use reverl_session::explore::{
    Baseline, Expectations, FailureRules, Findings, LONG_TIMEOUT, Sampled, Sampling, Search,
    SearchReport, Simplification, Walks,
};
use reverl_session::failure::FailureKind;
use reverl_session::text;
use serde::Deserialize;
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use ts_rs::TS;
use workers::{Task, cores};

/// Visit every distinct execution of a program and report those that fail.
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What is guaranteed about arrival: pair (what Erlang promises) or instant (one node)
    #[arg(long, value_enum, default_value = "pair")]
    pub delivery: Arrival,
    /// Stop at the first failure
    #[arg(long, conflicts_with = "keep_going")]
    pub first: bool,
    /// Visit everything whatever fails (the default)
    #[arg(long)]
    pub keep_going: bool,
    /// When time-outs come: any (before any message), short (only short ones do, long ones when
    /// nothing else can happen), idle (only when nothing else can happen), never
    #[arg(long, value_enum, default_value = "short")]
    pub timeouts: TimeoutRule,
    /// A time-out of so many milliseconds or more is a long one
    #[arg(long, default_value_t = LONG_TIMEOUT, value_name = "MS")]
    pub timeout_bound: u64,
    /// Cut an execution off after so many steps
    #[arg(long, default_value_t = 10_000_000, value_name = "N")]
    pub max_steps: u64,
    /// Visit at most so many executions
    #[arg(long, default_value_t = u64::MAX, value_name = "N", hide_default_value = true)]
    pub max_executions: u64,
    /// Leave out executions in which more than so many receives take something else than the
    /// first message that comes
    #[arg(long, default_value_t = u32::MAX, value_name = "N", hide_default_value = true)]
    pub max_delays: u32,
    /// Instead of everything, this many random executions (`--seed` gives others)
    #[arg(long, value_name = "N")]
    pub walks: Option<u64>,
    /// How `--walks` draws executions: pos (a random priority for each event), pct (priorities of
    /// processes that change `--depth` - 1 times: says how probable it is that a failure was found),
    /// uniform (any step that is possible)
    #[arg(long, value_enum, default_value = "pos", requires = "walks")]
    pub sampling: SamplingRule,
    /// How many things must come in a certain order for a failure that `--sampling pct` looks for
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// What every execution should satisfy: an expression over `Result`, `Output`, `Messages`
    #[arg(long, value_name = "EXPR")]
    pub property: Option<String>,
    /// What should be true after every event: an expression over tables, names, processes, and
    /// `States`, the states of servers by name (may be given several times)
    #[arg(long, value_name = "EXPR")]
    pub invariant: Vec<String>,
    /// The answers of calls should be those of some order of the calls, as this module tells:
    /// `init() -> State`, `apply(Call, State) -> {Answer, State}`
    #[arg(long, value_name = "MODULE")]
    pub linearizable: Option<String>,
    /// A process that ends with a reason of this pattern has not failed (may be given several times)
    #[arg(long, value_name = "PATTERN")]
    pub expect_exit: Vec<String>,
    /// Failures that this file names are known and do not make the search fail
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the failures to this file, to be given as `--baseline` later
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Write the failures to this file, as SARIF
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Fail also for these: unreceived messages are only told unless given here
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = failure_kind)]
    pub fail_on: Vec<FailureKind>,
    /// Say nothing of these: crashed, assertion, killed, deadlock, unreceived, ...
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = failure_kind)]
    pub ignore: Vec<FailureKind>,
    /// Stop after so many seconds
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// How many threads search; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Save the simplest failing execution of each kind in this directory (default: a new one
    /// among the temporary files)
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Explore each EUnit test of the files and directories by itself, or of the modules that are
    /// named beside them; what fixtures set up is not explored. `--max-seconds` is for each test
    /// (default: 60)
    #[arg(long, conflicts_with_all = ["entry", "property"])]
    pub eunit: bool,
    /// The same for each case of the suites of Common Test
    #[arg(long, conflicts_with_all = ["entry", "property", "eunit"])]
    pub ct: bool,
    /// The same for each test of a mix project, which `mix` compiles
    #[arg(long, conflicts_with_all = ["entry", "property", "eunit", "ct"])]
    pub exunit: bool,
    /// Write the verdicts to this file, as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// How many executions are drawn where faults may happen, unless another number is given.
const WALKS_WITH_FAULTS: u64 = 1_000;

impl ExploreArgs {
    /// How many random executions are drawn instead of searching all: faults can happen at any
    /// moment, so where there may be some not all executions are searched.
    fn drawn(&self) -> Option<u64> {
        let faults = (!self.program.faults().is_none()).then_some(WALKS_WITH_FAULTS);
        self.walks.or(faults)
    }

    fn expectations(&self) -> Expectations {
        Expectations {
            property: self.property.clone(),
            invariants: self.invariant.clone(),
            model: self.linearizable.clone(),
            expected_exits: self.expect_exit.clone(),
        }
    }

    fn rules(&self) -> FailureRules {
        let mut rules = FailureRules::default();
        rules.warnings.retain(|kind| !self.fail_on.contains(kind));
        rules.ignored.clone_from(&self.ignore);
        rules
    }
}

fn failure_kind(name: &str) -> Result<FailureKind, String> {
    FailureKind::named(name).ok_or_else(|| {
        let names: Vec<&str> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("'{name}' is not a kind of failure: they are {}", names.join(", "))
    })
}

/// When time-outs come.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum TimeoutRule {
    Any,
    Short,
    Idle,
    Never,
}

impl TimeoutRule {
    /// The rule, if time-outs are long from so many milliseconds on.
    fn with(self, bound: u64) -> Timeouts {
        match self {
            TimeoutRule::Any => Timeouts::Any,
            TimeoutRule::Short => Timeouts::Short(bound),
            TimeoutRule::Idle => Timeouts::Idle,
            TimeoutRule::Never => Timeouts::Never,
        }
    }
}

/// How random executions are drawn.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum SamplingRule {
    Uniform,
    Pct,
    Pos,
}

/// What is guaranteed about the arrival of messages.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Arrival {
    #[default]
    Pair,
    Instant,
}

impl From<Arrival> for Delivery {
    fn from(arrival: Arrival) -> Delivery {
        match arrival {
            Arrival::Pair => Delivery::Pair,
            Arrival::Instant => Delivery::Instant,
        }
    }
}

pub fn run(args: &ExploreArgs) -> Result<i32, String> {
    // Without a handler Ctrl-C ends the search as it would any program.
    interrupt::catch_ctrl_c();
    let dir = args.save.clone().unwrap_or_else(|| unguessable_directory("reverl-failures"));
    let framework = match (args.eunit, args.ct, args.exunit) {
        (true, ..) => Some(Framework::EUnit),
        (_, true, _) => Some(Framework::CommonTest),
        (.., true) => Some(Framework::ExUnit),
        _ => None,
    };
    if let Some(framework) = framework {
        return cases::run(args, framework, &dir);
    }
    let task = Task {
        // Of a recording, it is the program that is explored.
        program: open::program_of(&args.program)?,
        expectations: args.expectations(),
        dir,
        is_test: false,
        keeps_good: 0,
    };
    let task = task.with_kernel()?;
    let call = task.program.entry.clone().unwrap_or_else(|| "main()".into());
    let report = explore(args, &task, &call)?;
    match args.json {
        true => println!("{}", json!(report)),
        false => println!("{}", text::report(&report)),
    }
    let verdict = exit_code([&report]);
    write_files(args, &[Explored { module: String::new(), test: call, report }])?;
    Ok(verdict)
}

/// Writes what was found in the formats that other programs read.
fn write_files(args: &ExploreArgs, explored: &[Explored]) -> Result<(), String> {
    let write = |file: &Path, text: String| {
        std::fs::write(file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))
    };
    if let Some(file) = &args.junit {
        write(file, junit::xml(explored))?;
    }
    if let Some(file) = &args.sarif {
        write(file, format!("{:#}\n", sarif::log(explored)))?;
    }
    if let Some(file) = &args.write_baseline {
        let mut baseline = Baseline::default();
        explored.iter().for_each(|one| baseline.add(&one.test, &one.report));
        baseline::write(file, &baseline)?;
    }
    Ok(())
}

/// One search, under the name by which its failures are known.
fn explore(args: &ExploreArgs, task: &Task, name: &str) -> Result<SearchReport, String> {
    let known = args.baseline.as_deref().map(baseline::read).transpose()?;
    let start = Instant::now();
    let goes_on = |findings: &Findings| {
        let in_time = args.max_seconds.is_none_or(|s| start.elapsed().as_secs() < s);
        in_time && !interrupt::is_wanted() && !(args.first && findings.has_failures())
    };
    let bounds = Bounds {
        steps: args.max_steps,
        executions: args.max_executions,
        changes: args.max_delays,
        timeouts: args.timeouts.with(args.timeout_bound),
        ends_with_main: task.is_test,
    };
    let deadline = args.max_seconds.map(|s| start + Duration::from_secs(s));
    let (mut findings, summary, sampled) = match args.drawn() {
        Some(walks) => walk(args, task, walks, &goes_on)?,
        None => {
            let (findings, summary) = search(args, task, bounds, deadline, &goes_on)?;
            (findings, summary, None)
        }
    };
    if !findings.is_empty() && args.drawn().is_none() && !interrupt::is_wanted() {
        look_for_simpler(args, task, bounds, deadline, &mut findings)?;
    }
    let mut report = findings.report(&summary, start.elapsed().as_secs_f64());
    report.sampled = sampled;
    if args.drawn().is_none() {
        report.assume(bounds.timeouts);
    }
    known.iter().for_each(|known| known.apply(name, &mut report));
    Ok(report)
}

fn exit_code<'r>(reports: impl IntoIterator<Item = &'r SearchReport> + Clone) -> i32 {
    if reports.clone().into_iter().any(SearchReport::fails) {
        return 1;
    }
    if reports.into_iter().all(|report| report.complete) { 0 } else { 3 }
}

/// All executions, by as many workers as there are.
fn search(
    args: &ExploreArgs,
    task: &Task,
    bounds: Bounds,
    deadline: Option<Instant>,
    goes_on: &(dyn Fn(&Findings) -> bool + Sync),
) -> Result<(Findings, Summary), String> {
    let start = Instant::now();
    let is_over = move || {
        interrupt::is_wanted() || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    };
    let search = match task.past()? {
        Some(past) => {
            let steps = bounds.steps.saturating_add(past.execution().steps());
            let bounds = Bounds { steps, ..bounds };
            Search::after(past.execution(), args.delivery.into(), bounds, args.rules())
        }
        None => Search::new(args.delivery.into(), bounds, args.rules()),
    };
    let search = search.until(Box::new(is_over));
    let workers = args.workers.unwrap_or_else(cores).max(1);
    let shows = !args.json && std::io::stderr().is_terminal();
    let worker = |number: usize| {
        let shows = number == 0 && shows;
        let done = task.work(&search, &mut |findings, number| {
            if shows && number % 256 == 0 {
                show_progress(&search.summary(), findings.kinds(), start);
            }
            goes_on(findings)
        });
        if shows {
            eprint!("\r\x1b[K");
        }
        done
    };
    let mut findings = Findings::default();
    std::thread::scope(|scope| {
        let start = |n| {
            let builder = std::thread::Builder::new().stack_size(crate::STACK);
            builder.spawn_scoped(scope, move || worker(n)).expect("a thread")
        };
        let started: Vec<_> = (0..workers).map(start).collect();
        for handle in started {
            findings.merge(handle.join().map_err(|_| "a worker failed".to_string())??);
        }
        Ok::<(), String>(())
    })?;
    Ok((findings, search.summary()))
}

/// Random executions instead of all.
fn walk(
    args: &ExploreArgs,
    task: &Task,
    count: u64,
    goes_on: &dyn Fn(&Findings) -> bool,
) -> Result<(Findings, Summary, Option<Sampled>), String> {
    let (system, checks) = task.system()?;
    let walks = Walks {
        count,
        seed: args.program.seed,
        steps: args.max_steps,
        delivery: args.delivery.into(),
        rules: args.rules(),
        sampling: match args.sampling {
            SamplingRule::Uniform => Sampling::Uniform,
            SamplingRule::Pct => Sampling::Priorities { depth: args.depth },
            SamplingRule::Pos => Sampling::PartialOrder,
        },
        early: args.timeouts.with(args.timeout_bound).early(),
        faults: args.program.faults(),
    };
    let found = walks.walk(&system, &checks, &mut task.recordings(), goes_on);
    let (findings, summary, sampled) = found.map_err(|why| why.to_string())?;
    Ok((findings, summary, Some(sampled)))
}

fn look_for_simpler(
    args: &ExploreArgs,
    task: &Task,
    bounds: Bounds,
    deadline: Option<Instant>,
    findings: &mut Findings,
) -> Result<(), String> {
    if std::io::stderr().is_terminal() {
        eprintln!("looking for the simplest executions that fail so ...");
    }
    let (system, checks) = task.system()?;
    let past = task.past()?;
    let simplification = Simplification {
        system: &system,
        past: past.as_ref().map(System::execution),
        delivery: args.delivery.into(),
        bounds,
        deadline,
        checks: &checks,
    };
    simplification.look(findings, &mut task.recordings()).map_err(|why| why.to_string())
}

fn show_progress(summary: &Summary, failures: usize, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = summary.executions as f64 / seconds;
    let left = match summary.share {
        share if share > 0.001 => {
            let left = seconds * (1.0 - share).max(0.0) / share;
            format!(", about {:.0}% done, {left:.0} s left", share * 100.0)
        }
        _ => String::new(),
    };
    let n = summary.executions;
    eprint!("\r\x1b[K{n} executions, {rate:.0} a second, {failures} kinds of failure{left} ");
    let _ = std::io::stderr().flush();
}
