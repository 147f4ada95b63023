//! What a command is answered with: the answer of a query, or what a move came to. A face renders
//! it as text or as JSON.

use crate::exceptions::{Catcher, RaisedException};
use crate::explore::SearchReport;
use crate::outcome::{self, OutcomeKind};
use crate::query::Detail;
use crate::query::changes::StateChanges;
use crate::query::compare::ComparedBranches;
use crate::query::enabled::EnabledSteps;
use crate::query::events::{self, EventList, EventRow, PassedEvent, UndoneEvents};
use crate::query::failure::FailureReport;
use crate::query::find::FoundValues;
use crate::query::logged::{LoggedValue, LoggedValues};
use crate::query::messages::Messages;
use crate::query::notation::Notation;
use crate::query::notes::{NoteList, Report};
use crate::query::order::EventOrder;
use crate::query::output::ProgramOutput;
use crate::query::print::PrintedValue;
use crate::query::problems::Problems;
use crate::query::process::{Calls, Frame, Here};
use crate::query::processes::ProcessList;
use crate::query::races::{RaceList, RaceSenders};
use crate::query::search::FoundEvents;
use crate::query::session::{BranchList, BreakpointList, BreakpointRow, HelpList, MarkList};
use crate::query::sources::Listing;
use crate::query::steps::StepList;
use crate::query::term;
use crate::query::tree::FamilyTree;
use crate::query::unmatched::Unmatched;
use crate::query::values::LastChange;
use crate::query::why::Reason;
use crate::session::{KnownEnd, Moved};
use reverl_causal::{EventRef, Plan, ProcId, System};
use serde::Serialize;
use ts_rs::TS;

/// A plan can pass a million events: programs that want them all ask for the roll log.
const MOST_EVENTS: usize = 1_000;

/// What a command answers; each face renders it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// There is nothing to say.
    Nothing {},
    Done {
        ok: bool,
    },
    Move(Box<Move>),
    /// A move to a target: what was passed matters more than where it led.
    Passed(Box<Move>),
    Plan(PlanView),
    Processes(ProcessList),
    Bindings(Calls),
    AllBindings(Calls),
    Calls(Calls),
    Frame(Frame),
    Listing(Listing),
    Mailbox(Messages),
    Network(Messages),
    History(EventList),
    Steps(StepList),
    Log(EventList),
    Trace(EventList),
    RollLog(UndoneEvents),
    Events(FoundEvents),
    Enabled(EnabledSteps),
    Problems(Problems),
    Failure(Box<FailureReport>),
    Compared(Box<ComparedBranches>),
    /// A recorded execution has become a branch, and how it ended.
    Adopted {
        branch: String,
        file: String,
        end: String,
    },
    Order(Box<EventOrder>),
    Notation(Notation),
    Senders(RaceSenders),
    Changes(StateChanges),
    Logged(LoggedValues),
    Unmatched(Unmatched),
    Family(FamilyTree),
    Races(RaceList),
    Output(ProgramOutput),
    Value(PrintedValue),
    Reason(Box<Reason>),
    Branches(BranchList),
    Breakpoints(BreakpointList),
    Breakpoint(BreakpointRow),
    Displayed(Vec<Displayed>),
    Marks(MarkList),
    Notes(NoteList),
    Report(Report),
    Last(Box<LastChange>),
    Found(FoundValues),
    Deleted {
        deleted: usize,
    },
    Explored(Box<SearchReport>),
    Saved {
        file: String,
        events: usize,
    },
    Help(HelpList),
}

/// How a move came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Along what had happened already.
    Replayed,
    /// New steps were taken.
    Ran,
    /// The same, on a new branch.
    Branched {
        branch: String,
    },
    Undone,
    /// Only the process that commands are about has changed, or nothing.
    Stayed,
}

/// Where a command has led.
#[derive(Clone, Debug, Serialize)]
pub struct Move {
    pub moved: MoveKind,
    pub notes: Vec<Note>,
    /// What was passed, where it is more than the process in question.
    pub plan: Option<PlanView>,
    pub here: Here,
    /// What is displayed after each move.
    pub displayed: Vec<Displayed>,
    /// What the commands of a breakpoint have answered.
    pub answers: Vec<AnswerAtStop>,
}

/// An expression that is displayed after each move.
#[derive(Clone, Debug, Serialize)]
pub struct Displayed {
    pub id: usize,
    pub expression: String,
    pub value: LoggedValue,
}

/// What a command of a breakpoint has answered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerAtStop {
    Answer(Box<Reply>),
    Refused(String),
}

/// What undoing or redoing passed, or would pass.
#[derive(Clone, Debug, Serialize)]
pub struct PlanView {
    pub what: PlanVerb,
    pub steps: u64,
    pub processes: usize,
    pub event_count: usize,
    /// The first of them.
    pub events: Vec<PassedEvent>,
}

/// Which way a plan was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanVerb {
    Undone,
    Redone,
    WouldUndo,
    WouldRedo,
}

impl PlanView {
    pub fn of(system: &System, plan: &Plan, what: PlanVerb) -> PlanView {
        let first = &plan.events[..plan.events.len().min(MOST_EVENTS)];
        let is_undone = matches!(what, PlanVerb::Undone | PlanVerb::WouldUndo);
        // What an undo takes along is outside of the cut that it leads to, what a redo takes inside.
        let is_passed = |e: EventRef| plan.to.contains(system.execution(), e) != is_undone;
        PlanView {
            what,
            steps: plan.steps(),
            processes: plan.moved.len(),
            event_count: plan.events.len(),
            events: events::passed(system, first, is_undone, &is_passed, Detail::Whole),
        }
    }
}

/// What there is to say about a move beside where it led.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    BranchOpened {
        branch: String,
    },
    OnBranch {
        branch: String,
    },
    Breakpoint(BreakpointRow),
    /// A process is about to raise an exception.
    Exception {
        breakpoint: BreakpointRow,
        class: String,
        reason: String,
        catcher: Catcher,
    },
    /// A breakpoint whose condition has no value stops once, to say so.
    ConditionFails {
        breakpoint: BreakpointRow,
        why: String,
    },
    NoBreakpointBefore,
    AtBeginning,
    EverythingReplayed,
    AtFirstFunction,
    /// How far a run has come.
    Ended(EndOfRun),
    /// What happened.
    Event(Box<EventRow>),
    UndoneLast {
        event_count: usize,
        steps: u64,
        events: Vec<EventRow>,
    },
    UndoneAll {
        event_count: usize,
    },
    ReplayedAll,
    ArrivedFirst {
        branch: String,
        message: String,
        delivered: usize,
    },
    TimedOut {
        branch: String,
        process: String,
    },
    /// A variable has another value on this branch.
    Assigned {
        branch: String,
        name: String,
        value: String,
        process: String,
    },
    /// A process ended where it stood.
    Killed {
        branch: String,
        process: String,
    },
    /// Something happened to nodes or their connections.
    Disturbed {
        branch: String,
        change: String,
    },
    /// How a branch ended beside the one that it came from.
    Became(Box<ComparedBranches>),
    /// A run has done all but deliver so many signals.
    OnTheirWay {
        left: usize,
    },
    /// Of several steps not all could be taken.
    NotFurther {
        why: String,
    },
    Loaded {
        file: String,
    },
    FreshExecution,
}

/// Why a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EndOfRun {
    Stopped,
    Deadlock,
    Crashed,
    Finished,
    /// It has finished, and so many things went wrong in other processes, or tests failed.
    FinishedBut(usize),
    /// The main process has ended, and so many others go on.
    OthersGoOn(usize),
    /// What came next on a recorded node is not known.
    NotKnown(KnownEnd),
}

impl EndOfRun {
    /// How the run stands now.
    pub fn of(system: &System) -> EndOfRun {
        let more = !system.is_over();
        match (OutcomeKind::of(system, true), more) {
            (OutcomeKind::Limit, true) => EndOfRun::Stopped,
            (OutcomeKind::Limit | OutcomeKind::Deadlock, _) => EndOfRun::Deadlock,
            (OutcomeKind::Crashed, _) => EndOfRun::Crashed,
            (OutcomeKind::Finished | OutcomeKind::Failed, true) => {
                let alive = |p: &ProcId| !system.has_exited(*p);
                EndOfRun::OthersGoOn(outcome::own_processes(system).filter(alive).count())
            }
            (OutcomeKind::Finished | OutcomeKind::Failed, false) => EndOfRun::Finished,
        }
    }
}

impl Note {
    /// A note that names an exception.
    pub fn raised(breakpoint: BreakpointRow, raised: &RaisedException) -> Note {
        Note::Exception {
            breakpoint,
            class: raised.class.name().into(),
            reason: term::line(&raised.reason, Detail::Brief),
            catcher: raised.catcher,
        }
    }

    /// A note that names one event.
    pub fn event(system: &System, event: EventRef) -> Note {
        Note::Event(Box::new(events::told_row(system, event, Detail::Whole)))
    }
}

impl From<&Moved> for MoveKind {
    fn from(moved: &Moved) -> MoveKind {
        match moved {
            Moved::Replayed => MoveKind::Replayed,
            Moved::Ran => MoveKind::Ran,
            Moved::Branched(branch) => MoveKind::Branched { branch: branch.clone() },
        }
    }
}
