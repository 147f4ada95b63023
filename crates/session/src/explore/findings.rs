//! What exploring finds: results, and failures in groups, each with a story.

use super::inevitable::Horizon;
use super::{Checks, Sampled, SearchError, decisive, story};
use crate::event::event_name;
use crate::failure::{self, Failure, FailureKind};
use reverl_analysis::explore::{Summary, Visit};
use reverl_analysis::feasible::Delivery;
use reverl_analysis::realise::realise;
use reverl_analysis::timeouts::Timeouts;
use reverl_causal::{EventRef, ProcId, System};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use ts_rs::TS;

/// Different results that are told apart.
const MOST_RESULTS: usize = 100_000;
/// Executions with more events are told, but not made walkable.
const MOST_EVENTS: usize = 50_000;

/// The event after which a failure could not be avoided any more.
#[derive(Clone, Debug, Serialize, TS)]
pub struct InevitableAt {
    pub event: String,
    /// How much the program's processes had done by then.
    pub actions: usize,
}

impl InevitableAt {
    fn of(system: &System, event: EventRef) -> InevitableAt {
        let execution = system.execution();
        let until = execution.order_of(event);
        let own = execution.ids().filter(|proc| !execution.proc(*proc).is_system);
        let done = |proc: ProcId| {
            execution.proc(proc).actions.iter().take_while(|a| a.order <= until).count()
        };
        InevitableAt { event: event_name(event), actions: own.map(done).sum() }
    }
}

/// Executions that fail in one way.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FailureGroup {
    #[serde(flatten)]
    pub failure: Failure,
    /// It is told, but does not make the search fail.
    pub is_warning: bool,
    /// Somebody has said that it is known, so that it does not make the search fail either.
    pub is_known: bool,
    /// What its executions have in common: the failure, with roles in place of pids.
    #[serde(skip)]
    key: Failure,
    pub count: u64,
    /// The race that decides about it, in a sentence.
    pub decisive: Option<String>,
    /// What happens in one of them.
    pub story: Vec<String>,
    /// After this line of the story, counted from 1, it fails so whatever comes next; 0 if it always
    /// fails so.
    pub inevitable: Option<usize>,
    /// What that line tells, in the execution that was kept.
    pub inevitable_at: Option<InevitableAt>,
    /// The seed of a random execution that fails so.
    pub seed: Option<u64>,
    /// Where one of them was saved, to be walked through.
    pub recording: Option<PathBuf>,
    /// The branch that one of them became.
    pub branch: Option<String>,
}

impl FailureGroup {
    /// What its executions have in common.
    pub fn with_roles(&self) -> &Failure {
        &self.key
    }

    /// Whether it makes a search fail.
    pub fn counts(&self) -> bool {
        !self.is_warning && !self.is_known
    }
}

/// What becomes of a failing execution as it can really happen.
pub trait Keeper {
    /// Keeps an execution and notes in the groups of its failures where. What was kept of a group
    /// before is replaced.
    fn keep(&mut self, real: System, groups: &mut [&mut FailureGroup]) -> Result<(), SearchError>;

    /// Keeps an execution that went well, if somebody wants to see those, and says where.
    fn keep_good(&mut self, _real: &dyn Fn() -> Option<System>) -> Result<Kept, SearchError> {
        Ok(None)
    }
}

/// Where something was kept, if it was.
pub type Kept = Option<PathBuf>;

/// Which failures count.
#[derive(Clone, Debug)]
pub struct FailureRules {
    /// They are told, but do not make a search fail.
    pub warnings: Vec<FailureKind>,
    /// They are not told.
    pub ignored: Vec<FailureKind>,
}

impl Default for FailureRules {
    /// A message that nobody receives is often meant so.
    fn default() -> FailureRules {
        FailureRules { warnings: vec![FailureKind::Unreceived], ignored: vec![] }
    }
}

/// What was found by one worker, or by all.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    rules: FailureRules,
    results: BTreeMap<String, ResultGroup>,
    groups: Vec<FailureGroup>,
}

/// The executions with one result.
#[derive(Clone, Debug, Default)]
struct ResultGroup {
    count: u64,
    recording: Kept,
}

/// A result and how many executions gave it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ResultCount {
    pub value: String,
    pub count: u64,
    /// Where one of them was saved that went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub recording: Kept,
}

/// What a search came to.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SearchReport {
    pub executions: u64,
    /// No execution was left out.
    pub complete: bool,
    /// Things whose orders were not explored.
    pub unexplored: Vec<String>,
    pub cut_off: u64,
    /// Executions with more delays than allowed were left out.
    pub left_out: bool,
    pub out_of_memory: bool,
    /// If executions were drawn at random, what that promises.
    pub sampled: Option<Sampled>,
    /// What the search took for granted, in words.
    pub assumed: Option<String>,
    pub seconds: f64,
    pub results: Vec<ResultCount>,
    pub failures: Vec<FailureGroup>,
}

impl SearchReport {
    /// Whether something was found that makes the search fail.
    pub fn fails(&self) -> bool {
        self.failures.iter().any(FailureGroup::counts)
    }

    /// Says which time-outs the search let happen.
    pub fn assume(&mut self, timeouts: Timeouts) {
        self.assumed = match timeouts {
            Timeouts::Any => None,
            Timeouts::Short(bound) => Some(format!(
                "time-outs of {bound} ms or more come only when nothing else can happen"
            )),
            Timeouts::Idle => Some("time-outs come only when nothing else can happen".into()),
            Timeouts::Never => Some("time-outs never come".into()),
        };
    }
}

impl Findings {
    /// Nothing yet, to be judged by these rules.
    pub fn by(rules: FailureRules) -> Findings {
        Findings { rules, ..Findings::default() }
    }

    /// How many different failures there are.
    pub fn kinds(&self) -> usize {
        self.groups.len()
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether some execution fails.
    pub fn has_failures(&self) -> bool {
        self.groups.iter().any(|group| !group.is_warning)
    }

    pub fn groups_mut(&mut self) -> &mut [FailureGroup] {
        &mut self.groups
    }

    /// Adds what another worker found.
    pub fn merge(&mut self, other: Findings) {
        for (value, group) in other.results {
            let known = self.results.entry(value).or_default();
            known.count += group.count;
            known.recording = known.recording.take().or(group.recording);
        }
        for group in other.groups {
            match self.groups.iter_mut().find(|g| g.key == group.key) {
                Some(known) => known.count += group.count,
                None => self.groups.push(group),
            }
        }
    }

    /// Takes an execution into account.
    pub(super) fn judge(
        &mut self,
        visit: Visit,
        delivery: Delivery,
        checks: &Checks,
        keeper: &mut dyn Keeper,
    ) -> Result<(), SearchError> {
        let system = visit.system;
        let result = failure::result(system, visit.is_cut_off);
        // Memory must not grow with the executions: beyond so many, results are only counted.
        let known = self.results.len() < MOST_RESULTS || self.results.contains_key(&result);
        let result = if known { result } else { "(others)".into() };
        let failures = checks.failures(system, visit.is_cut_off, delivery)?;
        let group = self.results.entry(result).or_default();
        group.count += 1;
        let is_good = failures.is_empty() && !visit.is_cut_off;
        if is_good && group.count == 1 && system.execution().event_count() <= MOST_EVENTS {
            group.recording = keeper.keep_good(&|| realise(system, delivery))?;
        }
        let mut new = vec![];
        for failure in failures {
            if self.rules.ignored.contains(&failure.kind) {
                continue;
            }
            let key = failure.with_roles(system);
            if let Some(group) = self.groups.iter_mut().find(|g| g.key == key) {
                group.count += 1;
                continue;
            }
            new.push(FailureGroup {
                is_warning: self.rules.warnings.contains(&failure.kind),
                is_known: false,
                failure,
                key,
                count: 1,
                decisive: None,
                story: vec![],
                inevitable: None,
                inevitable_at: None,
                seed: None,
                recording: None,
                branch: None,
            });
        }
        let new_groups = &mut new.iter_mut().collect::<Vec<_>>();
        explain(system, delivery, None, checks, keeper, new_groups)?;
        self.groups.extend(new);
        Ok(())
    }

    /// Replaces the stories of failures that a simpler execution has too. Returns how many
    /// failures are left without one in `simple`, the groups that were replaced already.
    pub(super) fn simplify(
        &mut self,
        visit: Visit,
        horizon: Horizon,
        checks: &Checks,
        keeper: &mut dyn Keeper,
        simple: &mut Vec<usize>,
    ) -> Result<usize, SearchError> {
        let delivery = horizon.delivery;
        let system = visit.system;
        let failures = checks.failures(system, visit.is_cut_off, delivery)?;
        let keys: Vec<Failure> = failures.iter().map(|f| f.with_roles(system)).collect();
        let mut simpler = vec![];
        for (i, group) in self.groups.iter_mut().enumerate() {
            let found = keys.iter().position(|key| *key == group.key);
            if let Some(found) = found.filter(|_| !simple.contains(&i)) {
                // The story is about these pids.
                group.failure = failures[found].clone();
                simpler.push(group);
                simple.push(i);
            }
        }
        explain(system, delivery, Some(horizon), checks, keeper, &mut simpler)?;
        Ok(self.groups.len() - simple.len())
    }

    /// The findings as every face reports them.
    pub fn report(&self, summary: &Summary, seconds: f64) -> SearchReport {
        // The worst first.
        let mut failures = self.groups.clone();
        failures.sort_by_key(|group| (group.is_warning, group.failure.kind));
        let result = |(value, group): (&String, &ResultGroup)| ResultCount {
            value: value.clone(),
            count: group.count,
            recording: group.recording.clone(),
        };
        SearchReport {
            executions: summary.executions,
            complete: summary.complete,
            unexplored: summary.unexplored.iter().map(|what| what.to_string()).collect(),
            cut_off: summary.cut_off,
            left_out: summary.left_out,
            out_of_memory: summary.out_of_memory,
            sampled: None,
            assumed: None,
            seconds,
            results: self.results.iter().map(result).collect(),
            failures,
        }
    }
}

/// Tells a failing execution as it can really happen, and keeps it for the groups of its failures.
fn explain(
    found: &mut System,
    delivery: Delivery,
    horizon: Option<Horizon>,
    checks: &Checks,
    keeper: &mut dyn Keeper,
    groups: &mut [&mut FailureGroup],
) -> Result<(), SearchError> {
    if groups.is_empty() {
        return Ok(());
    }
    let is_long = found.execution().event_count() > MOST_EVENTS;
    let real = if is_long { None } else { realise(found, delivery) };
    for group in groups.iter_mut() {
        group.story = story::story(real.as_ref().unwrap_or(found), &group.key);
        let tried = real.as_ref().filter(|_| !group.is_warning);
        group.decisive = tried.and_then(|real| decisive::race(real, &group.key, checks));
        let point = tried.zip(horizon).and_then(|(real, horizon)| {
            Some((real, horizon.point_of_no_return(real, &group.key, checks)?))
        });
        group.inevitable = point.as_ref().map(|(_, point)| point.line);
        group.inevitable_at =
            point.and_then(|(real, point)| Some(InevitableAt::of(real, point.event?)));
    }
    real.map_or(Ok(()), |real| keeper.keep(real, groups))
}
