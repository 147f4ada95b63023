//! What exploring finds: results, and failures in groups, each with a story and a recording.

use super::ExploreArgs;
use super::property::Property;
use crate::disk::make_private;
use crate::recorded;
use reverl_analysis::explore::{Summary, Visit};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::realise::realise;
use reverl_causal::{ProcId, System};
use reverl_session::failure::{self, Failure};
use reverl_session::{describe, outcome};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Different results that are told apart.
const MOST_RESULTS: usize = 100_000;

/// Executions with more events are told, but not made walkable.
const MOST_EVENTS: usize = 50_000;

/// So much of a story is told.
const MOST_LINES: usize = 10_000;

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

    /// Takes an execution into account.
    pub fn judge(
        &mut self,
        args: &ExploreArgs,
        visit: Visit,
        delivery: Delivery,
        property: Option<&Property>,
    ) -> Result<(), String> {
        let system = visit.system;
        let result = failure::result(system, visit.is_cut_off);
        // Memory must not grow with the executions: beyond so many, results are only counted.
        let known = self.results.len() < MOST_RESULTS || self.results.contains_key(&result);
        let result = if known { result } else { "(others)".into() };
        *self.results.entry(result).or_default() += 1;
        for (kind, at, reason) in all_failures(system, visit.is_cut_off, property)? {
            if let Some(group) = self.groups.iter_mut().find(|g| g.is_same(kind, &at, &reason)) {
                group.count += 1;
                continue;
            }
            let (story, recording) = explain(args, system, delivery, None)?;
            self.groups.push(Group { kind, at, reason, count: 1, story, recording });
        }
        Ok(())
    }

    /// Replaces the stories of failures that a simpler execution has too. Returns how many
    /// failures are left without one in `simple`, the groups that were replaced already.
    pub fn simplify(
        &mut self,
        args: &ExploreArgs,
        visit: Visit,
        delivery: Delivery,
        property: Option<&Property>,
        simple: &mut Vec<usize>,
    ) -> Result<usize, String> {
        let system = visit.system;
        for (kind, at, reason) in all_failures(system, visit.is_cut_off, property)? {
            let found = self.groups.iter().position(|g| g.is_same(kind, &at, &reason));
            let Some(i) = found.filter(|i| !simple.contains(i)) else { continue };
            let path = self.groups[i].recording.clone();
            let (story, recording) = explain(args, system, delivery, path)?;
            (self.groups[i].story, self.groups[i].recording) = (story, recording);
            simple.push(i);
        }
        Ok(self.groups.len() - simple.len())
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub fn json(&self, summary: &Summary, seconds: f64) -> Value {
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
            "unexplored": summary.unexplored,
            "out_of_memory": summary.out_of_memory,
            "seconds": seconds,
            "results": results,
            "failures": failures,
        })
    }

    pub fn print(&self, summary: &Summary, seconds: f64) {
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
        if !summary.unexplored.is_empty() {
            let what: Vec<&str> = summary.unexplored.iter().copied().collect();
            println!("not explored: orders of {}", what.join(", "));
        }
        if summary.cut_off > 0 {
            println!(
                "{} executions were cut off: --max-steps explores them further",
                summary.cut_off
            );
        }
        if summary.out_of_memory {
            println!(
                "stopped: most of the memory is used; --max-memory allows more, --delivery instant \
                 and --max-delays need less, --walks needs next to none"
            );
        }
        if summary.left_out {
            println!("executions with more delays were left out: --max-delays allows more");
        }
        match (summary.complete, self.groups.is_empty()) {
            (true, true) => println!("complete: no execution fails"),
            (true, false) => println!("complete"),
            (false, _) => println!("not complete"),
        }
    }
}

/// The failing execution as it can really happen: told, and saved if wished, under the name that
/// the failure had before if it had one.
fn explain(
    args: &ExploreArgs,
    found: &mut System,
    delivery: Delivery,
    path: Option<PathBuf>,
) -> Result<(Vec<String>, Option<PathBuf>), String> {
    let is_long = found.execution.event_count() > MOST_EVENTS;
    let real = if is_long { None } else { realise(found, delivery) };
    let Some(real) = real else {
        return Ok((told(found), None));
    };
    let story = told(&real);
    let saved = match &args.save {
        Some(dir) => {
            make_private(dir)?;
            let path = path.unwrap_or_else(|| free_name(dir));
            recorded::save_system(&args.program, &real, &path)?;
            Some(path)
        }
        None => None,
    };
    Ok((story, saved))
}

/// An execution as a story: what the program's own processes did, in order.
fn told(system: &System) -> Vec<String> {
    let own = |p: ProcId| !system.execution.proc(p).is_system;
    let events = system.execution.events().filter(|e| own(e.proc));
    events.take(MOST_LINES).map(|e| describe::event_line(system, e)).collect()
}

fn all_failures(
    system: &mut System,
    is_cut_off: bool,
    property: Option<&Property>,
) -> Result<Vec<Failure>, String> {
    let mut found = failure::failures(system, is_cut_off);
    if let Some(broken) = property.filter(|_| !is_cut_off).map(|p| p.broken(system)).transpose()? {
        let at = outcome::place(system, system.main);
        found.extend(broken.map(|reason| ("property", at, reason)));
    }
    Ok(found)
}

/// A name that no other failure has.
fn free_name(dir: &std::path::Path) -> PathBuf {
    let names = (1..).map(|n| dir.join(format!("failure-{n}.reverl")));
    // Made at once, so that no other worker takes the same.
    let is_free = |p: &PathBuf| std::fs::File::create_new(p).is_ok() || !dir.is_dir();
    names.into_iter().find(is_free).expect("numbers do not end")
}
