//! Every question that a face can ask, one file each. A question is a struct of what was asked,
//! its answer a struct of plain data; terminal, `--json` and the page render the same answer.
//!
//! A question sees the debugger by a shared reference, so that asking cannot move a session. Every
//! answer is bounded: the bounds are part of the question.

pub mod asked_place;
pub mod axis;
pub mod branch_map;
mod cache;
pub mod changes;
pub mod code_lines;
pub mod compare;
pub mod diagram;
pub mod dialogue;
pub mod difference;
pub mod drawing;
pub mod enabled;
pub mod event;
pub mod events;
pub mod failure;
pub mod find;
pub mod forks;
pub mod functions;
pub mod info;
pub mod living;
pub mod logged;
pub mod look;
pub mod messages;
pub mod minimap;
mod near;
pub mod notation;
pub mod notes;
pub mod order;
pub mod outcome;
pub mod output;
pub mod picture;
pub mod plan;
pub mod print;
pub mod problems;
pub mod process;
pub mod processes;
pub mod race_report;
pub mod races;
mod renaming;
pub mod search;
mod selection;
pub mod session;
pub mod sources;
pub mod stack;
pub mod steps;
pub mod summary;
pub mod table;
pub mod term;
mod text_index;
pub mod tree;
pub mod typescript;
pub mod unmatched;
pub mod values;
pub mod why;

pub use cache::Cache;

use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::names;
use reverl_causal::plan::Extent;
use reverl_causal::{Execution, Plan, ProcId, System};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ts_rs::TS;

/// What was asked, and how it is answered.
pub trait Query: DeserializeOwned + TS + 'static {
    /// How the interface calls it.
    const NAME: &'static str;
    const HELP: &'static str;
    type Answer: Serialize + TS + 'static;

    fn answer(&self, debugger: &Debugger) -> Result<Self::Answer, QueryError>;
}

/// A row of the table of questions: what the interface knows of each.
pub struct View {
    pub name: &'static str,
    pub help: &'static str,
    answer: fn(&Debugger, Value) -> Result<Value, QueryError>,
    /// Adds the types of question and answer to a TypeScript file.
    declare: fn(&mut typescript::Declarations),
}

const fn view<Q: Query>() -> View {
    View { name: Q::NAME, help: Q::HELP, answer: answer::<Q>, declare: typescript::declare::<Q> }
}

fn answer<Q: Query>(debugger: &Debugger, asked: Value) -> Result<Value, QueryError> {
    let question: Q = serde_json::from_value(asked)
        .map_err(|why| QueryError::Unreadable { view: Q::NAME, why: why.to_string() })?;
    let answer = question.answer(debugger)?;
    Ok(serde_json::to_value(answer).expect("an answer is plain data"))
}

/// All questions of the interface.
pub const VIEWS: &[View] = &[
    view::<summary::SummaryQuery>(),
    view::<table::TableQuery>(),
    view::<processes::RowsQuery>(),
    view::<tree::TreeQuery>(),
    view::<processes::MailboxesQuery>(),
    view::<process::ProcessQuery>(),
    view::<stack::StackQuery>(),
    view::<living::LivingQuery>(),
    view::<term::TermQuery>(),
    view::<changes::ChangesQuery>(),
    view::<forks::ForksQuery>(),
    view::<notes::NotesQuery>(),
    view::<notes::ReportQuery>(),
    view::<logged::LoggedQuery>(),
    view::<info::InfoQuery>(),
    view::<unmatched::UnmatchedQuery>(),
    view::<messages::NetworkQuery>(),
    view::<sources::FilesQuery>(),
    view::<functions::FunctionsQuery>(),
    view::<sources::SourceQuery>(),
    view::<code_lines::CodeLinesQuery>(),
    view::<session::BreakpointsQuery>(),
    view::<session::HelpQuery>(),
    view::<diagram::DiagramQuery>(),
    view::<minimap::MinimapQuery>(),
    view::<event::EventQuery>(),
    view::<events::NamedQuery>(),
    view::<events::HistoryQuery>(),
    view::<steps::StepsQuery>(),
    view::<events::LogQuery>(),
    view::<events::TraceQuery>(),
    view::<events::RollLogQuery>(),
    view::<output::OutputQuery>(),
    view::<failure::FailureQuery>(),
    view::<problems::ProblemsQuery>(),
    view::<races::RacesQuery>(),
    view::<dialogue::DialogueQuery>(),
    view::<enabled::EnabledQuery>(),
    view::<print::PrintQuery>(),
    view::<why::WhyQuery>(),
    view::<look::CommandQuery>(),
    view::<plan::PlanQuery>(),
    view::<search::SearchQuery>(),
    view::<compare::CompareQuery>(),
    view::<branch_map::BranchMapQuery>(),
    view::<picture::PictureQuery>(),
    view::<order::OrderQuery>(),
    view::<notation::NotationQuery>(),
    view::<races::SendersQuery>(),
];

/// Answers a question of the interface by its name.
pub fn ask(debugger: &Debugger, name: &str, asked: Value) -> Result<Value, QueryError> {
    let view = VIEWS.iter().find(|v| v.name == name);
    let view = view.ok_or_else(|| QueryError::NoView(name.into()))?;
    (view.answer)(debugger, asked)
}

/// A process as every answer names it: its number, the same on every branch, and what people call
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ProcRef {
    pub proc: u32,
    pub pid: String,
    /// The registered name, which it keeps after its end.
    pub name: Option<String>,
    /// What people call it.
    pub called: String,
}

impl ProcRef {
    /// This process with its name.
    pub fn of(system: &System, proc: ProcId) -> ProcRef {
        let name = names::registered(system, proc);
        let called = names::called(system, proc);
        ProcRef { proc: proc.0, pid: describe::pid(system, proc), name, called }
    }
}

/// How much of a term an answer has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// One line of bounded length.
    #[default]
    Brief,
    Whole,
}

/// How much a plan moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Size {
    pub steps: u64,
    pub events: usize,
    pub processes: usize,
}

impl Size {
    /// The size of what has happened.
    pub fn of(extent: &Extent) -> Size {
        let Extent { events, steps, processes, .. } = *extent;
        Size { steps, events, processes }
    }

    /// The size of what a plan undoes or redoes.
    pub fn of_plan(plan: &Plan) -> Size {
        Size { steps: plan.steps(), events: plan.events.len(), processes: plan.moved.len() }
    }
}

/// The process of a number, if it was spawned in this execution.
fn process_numbered(execution: &Execution, number: u32) -> Result<ProcId, QueryError> {
    let known = execution.procs().get(number as usize).is_some_and(|p| p.is_spawned);
    known.then_some(ProcId(number)).ok_or(QueryError::NoProcessNumber(number))
}
