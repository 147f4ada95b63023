//! `reverl explore`: every execution that the program can have, and which of them fail.

use crate::program_args::ProgramArgs;
use crate::recorded;
use clap::Args;
use reverl_analysis::explore::{Bounds, Explorer, Visit, realise};
use reverl_analysis::feasible::Delivery;
use reverl_causal::{ProcId, System};
use reverl_session::describe;
use reverl_session::outcome::{self, Status, show};
use reverl_session::world::Output;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
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
    /// Stop after so many seconds
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// How many threads search; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Save the first failing execution of each kind in this directory
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Failures of one kind at one place for one reason.
#[derive(Clone)]
pub struct Group {
    kind: &'static str,
    at: String,
    reason: String,
    count: u64,
    story: Vec<String>,
    recording: Option<PathBuf>,
}

impl Group {
    fn is_same(&self, kind: &str, at: &str, reason: &str) -> bool {
        self.kind == kind && self.at == at && self.reason == reason
    }
}

#[derive(Clone, Default)]
pub struct Findings {
    results: BTreeMap<String, u64>,
    groups: Vec<Group>,
}

pub fn run(args: &ExploreArgs) -> Result<i32, String> {
    let delivery = match args.delivery.as_str() {
        "pair" => Delivery::Pair,
        "instant" => Delivery::Instant,
        other => return Err(format!("'{other}' is no kind of delivery; choose pair or instant")),
    };
    let bounds = Bounds { steps: args.max_steps, executions: args.max_executions };
    let explorer = Explorer::new(delivery, bounds);
    let start = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.unwrap_or(cores).max(1);
    let worker = |number: usize| {
        let progress = number == 0 && std::io::stderr().is_terminal();
        let done = work(args, &explorer, delivery, &mut |findings, number| {
            if progress && number % 256 == 0 {
                show_progress(number, start);
            }
            let in_time = args.max_seconds.is_none_or(|s| start.elapsed().as_secs() < s);
            in_time && (!args.first || findings.groups.is_empty())
        });
        if progress {
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
    let summary = explorer.summary();
    let seconds = start.elapsed().as_secs_f64();
    let found = !findings.groups.is_empty();
    if args.json {
        println!("{}", findings.json(&summary, seconds));
    } else {
        findings.print(&summary, seconds);
    }
    Ok(match (found, summary.complete) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => 3,
    })
}

/// One worker: a system belongs to one thread, so each makes its own. `goes_on` is asked after
/// each execution, with what was found so far and the execution's number.
pub fn work(
    args: &ExploreArgs,
    explorer: &Explorer,
    delivery: Delivery,
    goes_on: &mut dyn FnMut(&Findings, u64) -> bool,
) -> Result<Findings, String> {
    let mut system = args.program.system(Output::Keep)?;
    let mut findings = Findings::default();
    let mut trouble = None;
    explorer.work(&mut system, &mut |visit: Visit| {
        let number = visit.number;
        if let Err(why) = findings.judge(args, visit, delivery) {
            trouble = Some(why);
            return false;
        }
        goes_on(&findings, number)
    });
    trouble.map_or(Ok(findings), Err)
}

fn show_progress(number: u64, start: Instant) {
    let rate = (number + 1) as f64 / start.elapsed().as_secs_f64();
    eprint!("\r{} executions, {rate:.0} a second ", number + 1);
    let _ = std::io::stderr().flush();
}

impl Findings {
    /// How many different failures there are.
    pub fn kinds(&self) -> usize {
        self.groups.len()
    }

    pub fn merge(&mut self, other: Findings) {
        for (value, count) in other.results {
            *self.results.entry(value).or_default() += count;
        }
        for group in other.groups {
            match self.groups.iter_mut().find(|g| g.is_same(group.kind, &group.at, &group.reason)) {
                Some(known) => known.count += group.count,
                None => self.groups.push(group),
            }
        }
    }

    fn judge(
        &mut self,
        args: &ExploreArgs,
        visit: Visit,
        delivery: Delivery,
    ) -> Result<(), String> {
        let system = visit.system;
        let main = system.execution.proc(system.main).exit();
        let result = match main {
            Some(exit) => match &exit.value {
                Some(value) => show(value),
                None => format!("exit: {}", short_reason(&exit.reason)),
            },
            None if visit.is_cut_off => "cut off".into(),
            None => "blocked".into(),
        };
        *self.results.entry(result).or_default() += 1;
        for (kind, at, reason) in failures(system, visit.is_cut_off) {
            if let Some(group) = self.groups.iter_mut().find(|g| g.is_same(kind, &at, &reason)) {
                group.count += 1;
                continue;
            }
            let (story, recording) = self.explain(args, system, delivery)?;
            self.groups.push(Group { kind, at, reason, count: 1, story, recording });
        }
        Ok(())
    }

    /// The failing execution as it can really happen: told, and saved if wished.
    fn explain(
        &self,
        args: &ExploreArgs,
        found: &mut System,
        delivery: Delivery,
    ) -> Result<(Vec<String>, Option<PathBuf>), String> {
        let Some(mut real) = realise(found, delivery) else {
            let order = &found.execution.order;
            let story = order.iter().map(|e| describe::event_line(found, *e)).collect();
            return Ok((story, None));
        };
        let own = |p: ProcId| !real.execution.proc(p).is_system;
        let told = real.execution.order.iter().filter(|e| own(e.proc));
        let story = told.map(|e| describe::event_line(&real, *e)).collect();
        let saved = match &args.save {
            Some(dir) => {
                std::fs::create_dir_all(dir)
                    .map_err(|e| format!("cannot make '{}': {e}", dir.display()))?;
                let path = free_name(dir);
                recorded::save_system(&args.program, &real, &path)?;
                Some(path)
            }
            None => None,
        };
        found.borrow(real.lend());
        Ok((story, saved))
    }

    pub fn json(&self, summary: &reverl_analysis::explore::Summary, seconds: f64) -> Value {
        let results: Vec<Value> =
            self.results.iter().map(|(v, n)| json!({ "value": v, "count": n })).collect();
        let failures: Vec<Value> = self
            .groups
            .iter()
            .map(|g| {
                json!({
                    "kind": g.kind,
                    "count": g.count,
                    "at": g.at,
                    "reason": g.reason,
                    "story": g.story,
                    "recording": g.recording,
                })
            })
            .collect();
        json!({
            "executions": summary.executions,
            "complete": summary.complete,
            "seconds": seconds,
            "results": results,
            "failures": failures,
        })
    }

    fn print(&self, summary: &reverl_analysis::explore::Summary, seconds: f64) {
        println!("{} executions in {seconds:.2} s", summary.executions);
        for (value, count) in &self.results {
            println!("  {count} x {value}");
        }
        for (i, g) in self.groups.iter().enumerate() {
            println!("{}. {} in {} executions at {}: {}", i + 1, g.kind, g.count, g.at, g.reason);
            for (n, line) in g.story.iter().enumerate().take(40) {
                println!("    {:>3}. {line}", n + 1);
            }
            if let Some(path) = &g.recording {
                println!("    walk through it: reverl debug {}", path.display());
            }
        }
        if summary.other_races {
            println!(
                "not explored: orders of accesses to names and tables, and of deaths by signal"
            );
        }
        if summary.cut_off > 0 {
            println!(
                "{} executions were cut off: --max-steps explores them further",
                summary.cut_off
            );
        }
        match (summary.complete, self.groups.is_empty()) {
            (true, true) => println!("complete: no execution fails"),
            (true, false) => println!("complete"),
            (false, _) => println!("not complete"),
        }
    }
}

/// A name that no other failure has.
fn free_name(dir: &std::path::Path) -> PathBuf {
    let names = (1..).map(|n| dir.join(format!("failure-{n}.reverl")));
    // Made at once, so that no other worker takes the same.
    let is_free = |p: &PathBuf| std::fs::File::create_new(p).is_ok() || !dir.is_dir();
    names.into_iter().find(is_free).expect("numbers do not end")
}

fn short_reason(reason: &reverl_term::Term) -> String {
    // A stack trace says where, not what: `at` has that.
    match reason.as_tuple() {
        Some([what, trace]) if trace.is_list() => show(what),
        _ => show(reason),
    }
}

/// Everything that is wrong with a finished execution: kind, place, reason.
fn failures(system: &System, is_cut_off: bool) -> Vec<(&'static str, String, String)> {
    let mut found = vec![];
    let own = system.execution.ids().filter(|p| !system.execution.proc(*p).is_system);
    for proc in own {
        let p = system.execution.proc(proc);
        let at = outcome::place(system, proc);
        match (outcome::status(system, proc), p.exit()) {
            // A process that was killed by another's end is not a failure of its own.
            (_, Some(exit)) if !outcome::is_normal(&exit.reason) && exit.killed_by.is_none() => {
                let reason = short_reason(&exit.reason);
                let is_assertion = reason.starts_with("{assert");
                found.push((if is_assertion { "assertion" } else { "crash" }, at, reason));
            }
            (Status::Blocked, None) if proc == system.main && !is_cut_off => {
                found.push(("deadlock", at, "the main process waits for ever".into()));
            }
            _ => {}
        }
    }
    if is_cut_off {
        found.push(("limit", String::new(), "the bound on steps was reached".into()));
        return found;
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [("lost", lost), ("orphan", orphans)] {
        if let Some(m) = list.first() {
            let sent_by = system.execution.signal(m.signal).sent_by as usize;
            let action = system.execution.proc(m.from).actions.get(sent_by);
            let at = action.map_or(String::new(), |a| describe::place(system, a.pc));
            found.push((kind, at, show(&m.message)));
        }
    }
    found
}
