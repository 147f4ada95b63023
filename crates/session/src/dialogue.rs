//! The declarative dialogue as a face that is not a terminal leads it: begun, answered and shown as
//! data. It is about one branch as long as that was when the dialogue began.

use crate::ask::beginnings::{Beginning, Beginnings};
use crate::ask::judge::Judge;
use crate::ask::question::QuestionRow;
use crate::ask::specs::Specs;
use crate::ask::zoom::Part;
use crate::ask::{Ask, AskError, Asked, Start, UserAnswer, Verdict};
use crate::event::event_named;
use crate::session::Session;
use reverl_analysis::declare::Strategy;
use reverl_causal::ProcId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Processes that one can begin with.
const MOST: usize = 200;

/// Declarative debugging within a session.
pub struct Dialogue {
    ask: Ask,
    branch: String,
    events: usize,
}

/// Where something wrong was seen: at an event, in a process, or anywhere.
#[derive(Clone, Debug, Default, Deserialize, TS)]
pub struct DialogueStart {
    #[serde(default)]
    #[ts(optional)]
    event: Option<String>,
    #[serde(default)]
    #[ts(optional)]
    process: Option<u32>,
    #[serde(default)]
    #[ts(optional)]
    strategy: Option<String>,
}

/// An answer beside the options.
#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum SaidWord {
    DontKnow,
    Inadmissible,
    TrustFunction,
    TrustModule,
    TrustProcess,
}

/// What is said to a dialogue.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum DialogueStep {
    Begin(DialogueStart),
    /// The number of an option, from 1.
    Option(usize),
    Say(SaidWord),
    /// Takes back this many answers.
    Undo(usize),
    Strategy(String),
    End(bool),
}

/// Where a dialogue stands.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DialogueState {
    /// Why it cannot go on here: the session shows another execution.
    pub elsewhere: Option<String>,
    pub question: Option<QuestionRow>,
    pub why: Option<String>,
    pub suspects: usize,
    pub asked: Vec<Asked>,
    pub over: bool,
    pub verdict: Option<Verdict>,
    pub strategy: &'static str,
    /// What the computation in question did itself, step by step.
    pub inside: Vec<Part>,
}

/// Where one can begin, and how.
#[derive(Clone, Debug, Serialize, TS)]
pub struct DialogueChoices {
    pub processes: Vec<Beginning>,
    pub strategies: Vec<&'static str>,
}

impl Dialogue {
    /// Begins to ask about the call that `start` names.
    pub fn begin(session: &Session, start: &DialogueStart) -> Result<Dialogue, AskError> {
        let execution = session.execution();
        if execution.event_count() == 0 {
            return Err(AskError::NothingHappened);
        }
        let from = match (&start.event, start.process) {
            (Some(name), _) => {
                let event = event_named(execution, name);
                Start::Event(event.ok_or_else(|| AskError::NoEvent(name.clone()))?)
            }
            (None, Some(n)) => {
                let known = execution.ids().any(|p| p.0 == n);
                Start::Process(known.then_some(ProcId(n)).ok_or(AskError::NoProcess(n))?)
            }
            (None, None) => Start::Anywhere,
        };
        let strategy = strategy(start.strategy.as_deref().unwrap_or("suspicion"))?;
        let (branch, events) = (session.branch_name().to_string(), execution.event_count());
        let judges: Vec<Box<dyn Judge>> = vec![Box::new(Specs::new())];
        let ask = Ask::new(&session.system, from, strategy, judges);
        Ok(Dialogue { ask, branch, events })
    }

    /// Whether the session still shows the execution that the questions are about.
    fn check(&self, session: &Session) -> Result<(), AskError> {
        let same = session.branch_name() == self.branch
            && session.execution().event_count() == self.events;
        let elsewhere = || AskError::Elsewhere { branch: self.branch.clone(), events: self.events };
        same.then_some(()).ok_or_else(elsewhere)
    }

    pub fn answer(&mut self, session: &Session, answer: &UserAnswer) -> Result<(), AskError> {
        self.check(session)?;
        self.ask.answer(&session.system, answer)
    }

    /// Where the dialogue stands, for every face.
    pub fn state(&self, session: &Session) -> DialogueState {
        let elsewhere = self.check(session).err().map(|why| why.to_string());
        let system = &session.system;
        let question = match elsewhere {
            Some(_) => None,
            None => self.ask.question(system).map(|q| q.row()),
        };
        let why = question.as_ref().map(|_| self.ask.why(system));
        let inside = if elsewhere.is_none() { self.ask.zoom(system) } else { vec![] };
        DialogueState {
            elsewhere,
            question,
            why,
            suspects: self.ask.suspects(),
            asked: self.ask.asked().to_vec(),
            over: self.ask.is_over(),
            verdict: self.ask.verdict().cloned(),
            strategy: self.ask.strategy().name(),
            inside,
        }
    }
}

/// Begins, answers or ends the dialogue of a session.
pub fn step(
    dialogue: &mut Option<Dialogue>,
    session: &Session,
    step: &DialogueStep,
) -> Result<(), AskError> {
    let answer = match step {
        DialogueStep::Begin(start) => {
            *dialogue = Some(Dialogue::begin(session, start)?);
            return Ok(());
        }
        DialogueStep::End(_) => {
            *dialogue = None;
            return Ok(());
        }
        DialogueStep::Option(n) => UserAnswer::Option(*n),
        DialogueStep::Undo(n) => UserAnswer::Undo(*n),
        DialogueStep::Strategy(name) => UserAnswer::Strategy(strategy(name)?),
        DialogueStep::Say(SaidWord::DontKnow) => UserAnswer::DontKnow,
        DialogueStep::Say(SaidWord::Inadmissible) => UserAnswer::Inadmissible,
        DialogueStep::Say(SaidWord::TrustFunction) => UserAnswer::TrustFunction,
        DialogueStep::Say(SaidWord::TrustModule) => UserAnswer::TrustModule,
        DialogueStep::Say(SaidWord::TrustProcess) => UserAnswer::TrustProcess,
    };
    dialogue.as_mut().ok_or(AskError::NoQuestion)?.answer(session, &answer)
}

fn strategy(name: &str) -> Result<Strategy, AskError> {
    Strategy::named(name).ok_or_else(|| AskError::NoStrategy(name.into()))
}

/// Where one can begin: the processes, what each was called with and what came of it.
pub fn choices(session: &Session) -> DialogueChoices {
    let mut processes = Beginnings::new(&session.system).processes;
    processes.truncate(MOST);
    DialogueChoices { processes, strategies: Strategy::ALL.iter().map(|s| s.name()).collect() }
}
