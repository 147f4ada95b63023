//! `reverl explore`: every execution that the program can have, and which of them fail.

mod findings;
mod property;
mod simple;

use crate::disk::unguessable_directory;
use crate::program_args::ProgramArgs;
use crate::recorded;
use clap::Args;
pub use findings::Findings;
use property::Property;
use reverl_analysis::explore::{Bounds, Explorer, Summary, Visit};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::history::History;
use reverl_causal::schedule::{Preference, Random};
use reverl_session::outside::Output;
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Visit every distinct execution of a program and report those that fail.
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// What is guaranteed about arrival: pair (what Erlang promises) or instant (one node)
    #[arg(long, default_value = "pair", value_name = "pair|instant")]
    pub delivery: String,
    /// Stop at the first failure
    #[arg(long, conflicts_with = "keep_going")]
    pub first: bool,
    /// Visit everything whatever fails (the default)
    #[arg(long)]
    pub keep_going: bool,
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
    /// What every execution should satisfy: an expression over `Result`, `Output`, `Messages`
    #[arg(long, value_name = "EXPR")]
    pub property: Option<String>,
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
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl ExploreArgs {
    /// Everything, without bounds.
    pub fn new(program: ProgramArgs) -> ExploreArgs {
        ExploreArgs {
            program,
            delivery: "pair".into(),
            first: false,
            keep_going: true,
            max_steps: 10_000_000,
            max_executions: u64::MAX,
            max_delays: u32::MAX,
            walks: None,
            property: None,
            max_seconds: None,
            workers: None,
            save: None,
            json: false,
        }
    }
}

/// The user has had enough: what was found by then is told.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub fn run(args: &ExploreArgs) -> Result<i32, String> {
    let save = args.save.clone().unwrap_or_else(|| unguessable_directory("reverl-failures"));
    let args = &ExploreArgs { save: Some(save), ..args.clone() };
    // Of a recording, it is the program that is explored.
    let args = &ExploreArgs { program: recorded::program_of(&args.program)?, ..args.clone() };
    let delivery = match args.delivery.as_str() {
        "pair" => Delivery::Pair,
        "instant" => Delivery::Instant,
        other => return Err(format!("'{other}' is no kind of delivery; choose pair or instant")),
    };
    // Without a handler Ctrl-C ends the search as it would any program.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let start = Instant::now();
    let goes_on = |findings: &Findings| {
        let in_time = args.max_seconds.is_none_or(|s| start.elapsed().as_secs() < s);
        in_time && !INTERRUPTED.load(Ordering::Relaxed) && (!args.first || findings.is_empty())
    };
    let (mut findings, summary) = match args.walks {
        Some(walks) => walk(args, delivery, walks, &goes_on)?,
        None => search(args, delivery, start, &goes_on)?,
    };
    if !findings.is_empty() && args.walks.is_none() && !INTERRUPTED.load(Ordering::Relaxed) {
        simple::simplify(args, delivery, &mut findings)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        println!("{}", findings.json(&summary, seconds));
    } else {
        findings.print(&summary, seconds);
    }
    Ok(match (findings.is_empty(), summary.complete) {
        (false, _) => 1,
        (true, true) => 0,
        (true, false) => 3,
    })
}

/// All executions, by as many workers as there are.
fn search(
    args: &ExploreArgs,
    delivery: Delivery,
    start: Instant,
    goes_on: &(dyn Fn(&Findings) -> bool + Sync),
) -> Result<(Findings, Summary), String> {
    let bounds =
        Bounds { steps: args.max_steps, executions: args.max_executions, changes: args.max_delays };
    let explorer = Explorer::new(delivery, bounds);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.unwrap_or(cores).max(1);
    let shows = !args.json && std::io::stderr().is_terminal();
    let worker = |number: usize| {
        let shows = number == 0 && shows;
        let done = work(args, &explorer, delivery, &mut |findings, number| {
            if shows && number % 256 == 0 {
                show_progress(&explorer.summary(), findings.kinds(), start);
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
    Ok((findings, explorer.summary()))
}

/// Random executions, each with a seed of its own; those that were seen before do not count.
fn walk(
    args: &ExploreArgs,
    delivery: Delivery,
    walks: u64,
    goes_on: &dyn Fn(&Findings) -> bool,
) -> Result<(Findings, Summary), String> {
    let system = args.program.system(Output::Keep)?;
    let property = args.property.as_ref().map(|text| Property::new(text, &system));
    let property = property.transpose()?;
    let mut findings = Findings::default();
    let mut summary = Summary::default();
    let mut seen = HashSet::new();
    for number in 0..walks {
        let mut run = system.beginning();
        let seed = args.program.seed.wrapping_add(number);
        let mut schedule = Random::new(seed, Preference::None, delivery == Delivery::Instant);
        run.run(&mut schedule, &mut |s| s.execution.steps() < args.max_steps);
        let is_cut_off = run.execution.steps() >= args.max_steps;
        if seen.insert(History::of(&run.execution, delivery).log().fingerprint()) {
            summary.executions += 1;
            summary.cut_off += u64::from(is_cut_off);
            let visit = Visit { system: &mut run, is_cut_off, number };
            findings.judge(args, visit, delivery, property.as_ref())?;
        }
        if !goes_on(&findings) {
            break;
        }
    }
    Ok((findings, summary))
}

/// One worker: a system belongs to one thread, so each makes its own. `goes_on` is asked after
/// each execution, with what was found so far and the execution's number.
pub fn work(
    args: &ExploreArgs,
    explorer: &Explorer,
    delivery: Delivery,
    goes_on: &mut dyn FnMut(&Findings, u64) -> bool,
) -> Result<Findings, String> {
    let system = args.program.system(Output::Keep)?;
    let property = args.property.as_ref().map(|text| Property::new(text, &system));
    let property = property.transpose()?;
    let mut findings = Findings::default();
    let mut trouble = None;
    explorer.work(&system, &mut |visit: Visit| {
        let number = visit.number;
        if let Err(why) = findings.judge(args, visit, delivery, property.as_ref()) {
            trouble = Some(why);
            return false;
        }
        goes_on(&findings, number)
    });
    trouble.map_or(Ok(findings), Err)
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
