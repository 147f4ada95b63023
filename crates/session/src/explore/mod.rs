//! Exploring: every execution that a program can have, or that can follow from a moment, and which
//! of them fail. Command line, page and debugger search with this.

mod baseline;
mod checks;
mod decisive;
mod findings;
mod inevitable;
mod invariant;
mod linearizable;
mod story;
mod walks;

pub use baseline::{Baseline, KnownFailure};
pub use checks::{Checks, Expectations};
pub use findings::{FailureGroup, FailureRules, Findings, Keeper, Kept, ResultCount, SearchReport};
pub use walks::{Sampled, Sampling, Walks};

use crate::eval::{NoValue, NotAPattern};
use crate::property::PropertyError;
use inevitable::Horizon;
use reverl_analysis::explore::{Bounds, Explorer, IsOver, Summary, Visit};
use reverl_analysis::feasible::Delivery;
use reverl_causal::{Execution, System};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Unless told otherwise, a time-out of so many milliseconds comes only when nothing else can
/// happen.
pub const LONG_TIMEOUT: u64 = 1_000;

/// What looking for simpler executions may cost.
const MOST_SIMPLE_TIME: Duration = Duration::from_secs(10);
const MOST_SIMPLE: u64 = 20_000;

/// Why a search ended before its time.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SearchError {
    #[error(transparent)]
    Property(#[from] PropertyError),
    #[error("an exit reason is given as a pattern: {0}")]
    Pattern(#[from] NotAPattern),
    #[error("'{text}' cannot be asked at every moment: {why}")]
    NotAnInvariant { text: String, why: NoValue },
    #[error(
        "{module} is not a model: {why} (it must export init() -> State and \
         apply(Call, State) -> {{Answer, State}}, which only compute)"
    )]
    NotAModel { module: String, why: NoValue },
    #[error("{module}:apply/2 gave {value} instead of {{Answer, State}}")]
    NotAnswerAndState { module: String, value: String },
    #[error("an execution has more than {0} calls of the model: give a smaller program")]
    TooManyCalls(usize),
    /// A failing execution could not be kept, in the words of whoever keeps it.
    #[error("{0}")]
    NotKept(String),
}

/// A search that several workers share; each brings a system of its own.
pub struct Search {
    explorer: Explorer,
    delivery: Delivery,
    rules: FailureRules,
}

impl Search {
    /// Of the whole program.
    pub fn new(delivery: Delivery, bounds: Bounds, rules: FailureRules) -> Search {
        Search { explorer: Explorer::new(delivery, bounds), delivery, rules }
    }

    /// Of what can follow after the end of an execution.
    pub fn after(
        execution: &Execution,
        delivery: Delivery,
        bounds: Bounds,
        rules: FailureRules,
    ) -> Search {
        Search { explorer: Explorer::after(execution, delivery, bounds), delivery, rules }
    }

    /// The same search, which stops when this says so, wherever it is.
    pub fn until(self, is_over: IsOver) -> Search {
        Search { explorer: self.explorer.until(is_over), ..self }
    }

    /// How far it is.
    pub fn summary(&self) -> Summary {
        self.explorer.summary()
    }

    /// One worker. `goes_on` is asked after each execution, with what was found so far, the
    /// execution and its number.
    pub fn work(
        &self,
        system: &System,
        checks: &Checks,
        keeper: &mut dyn Keeper,
        goes_on: &mut dyn FnMut(&Findings, &System, u64) -> bool,
    ) -> Result<Findings, SearchError> {
        let mut findings = Findings::by(self.rules.clone());
        let mut trouble = Ok(());
        self.explorer.work(system, &mut |visit: Visit| {
            let number = visit.number;
            let Visit { system, is_cut_off, .. } = visit;
            let visit = Visit { system: &mut *system, is_cut_off, number };
            trouble = findings.judge(visit, self.delivery, checks, keeper);
            trouble.is_ok() && goes_on(&findings, system, number)
        });
        trouble.map(|()| findings)
    }
}

/// A search for simple counterexamples: of all executions that fail in one way, the first with the
/// fewest choices that differ from the first one that comes to mind.
pub struct Simplification<'s> {
    pub system: &'s System,
    /// If it is given, all executions begin with it.
    pub past: Option<&'s Execution>,
    pub delivery: Delivery,
    pub bounds: Bounds,
    pub deadline: Option<Instant>,
    pub checks: &'s Checks,
}

impl Simplification<'_> {
    /// Looks with ever more changes until every failure has been met, or it takes too long.
    pub fn look(
        &self,
        findings: &mut Findings,
        keeper: &mut dyn Keeper,
    ) -> Result<(), SearchError> {
        let end = Instant::now() + MOST_SIMPLE_TIME;
        let end = self.deadline.map_or(end, |deadline| deadline.min(end));
        let is_over = move || Instant::now() >= end;
        let horizon = Horizon { delivery: self.delivery, bounds: self.bounds, end };
        let mut simple = vec![];
        for changes in 0.. {
            let explorer = self.explorer(changes).until(Box::new(is_over));
            let mut left = Ok(findings.kinds());
            explorer.work(self.system, &mut |visit| {
                left = findings.simplify(visit, horizon, self.checks, keeper, &mut simple);
                matches!(left, Ok(1..))
            });
            let all = !explorer.summary().left_out;
            if left? == 0 || all || is_over() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn explorer(&self, changes: u32) -> Explorer {
        let bounds = Bounds { executions: MOST_SIMPLE, changes, ..self.bounds };
        match self.past {
            Some(past) => Explorer::after(past, self.delivery, bounds),
            None => Explorer::new(self.delivery, bounds),
        }
    }
}
