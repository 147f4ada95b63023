//! The declarative dialogue as a face that is no terminal has it: begun, answered and shown as
//! JSON. It is about one branch as long as that was when the dialogue began.

use crate::ask::judge::Judge;
use crate::ask::specs::Specs;
use crate::ask::summary::Summary;
use crate::ask::{Answer, Ask, Start};
use crate::session::Session;
use crate::view::event_named;
use reverl_analysis::declare::Strategy;
use reverl_causal::ProcId;
use serde_json::{Value, json};

pub struct Dialogue {
    ask: Ask,
    branch: String,
    events: usize,
}

impl Dialogue {
    /// Begins where something wrong was seen: at an event, in a process, or anywhere.
    pub fn begin(session: &mut Session, asked: &Value) -> Result<Dialogue, String> {
        let execution = session.execution();
        if execution.event_count() == 0 {
            return Err("nothing has happened yet: let the program run first".into());
        }
        let start = if let Some(name) = asked["event"].as_str() {
            Start::Event(event_named(execution, name)?)
        } else if let Some(n) = asked["process"].as_u64() {
            let known = execution.ids().any(|p| u64::from(p.0) == n);
            let missing = || format!("there is no process number {n}");
            Start::Process(known.then_some(ProcId(n as u32)).ok_or_else(missing)?)
        } else {
            Start::Anywhere
        };
        let strategy = strategy(asked["strategy"].as_str().unwrap_or("suspicion"))?;
        let (branch, events) = (session.branch_name().to_string(), execution.event_count());
        let judges: Vec<Box<dyn Judge>> = vec![Box::new(Specs::new())];
        let ask = Ask::new(&session.system, start, strategy, judges);
        Ok(Dialogue { ask, branch, events })
    }

    /// Whether the session still shows the execution that the questions are about.
    fn check(&self, session: &Session) -> Result<(), String> {
        let same = session.branch_name() == self.branch
            && session.execution().event_count() == self.events;
        let elsewhere = || {
            format!(
                "the questions are about branch {} with {} events: go there, or begin anew",
                self.branch, self.events
            )
        };
        same.then_some(()).ok_or_else(elsewhere)
    }

    /// An answer: `{"option": N}`, `{"undo": N}`, `{"strategy": NAME}`, or `{"say": WORD}`.
    pub fn answer(&mut self, session: &mut Session, said: &Value) -> Result<(), String> {
        self.check(session)?;
        let answer = if let Some(n) = said["option"].as_u64() {
            Answer::Option(n as usize)
        } else if let Some(n) = said["undo"].as_u64() {
            Answer::Undo(n as usize)
        } else if let Some(name) = said["strategy"].as_str() {
            Answer::Strategy(strategy(name)?)
        } else {
            match said["say"].as_str().unwrap_or_default() {
                "dont-know" => Answer::DontKnow,
                "inadmissible" => Answer::Inadmissible,
                "trust-function" => Answer::TrustFunction,
                "trust-module" => Answer::TrustModule,
                "trust-process" => Answer::TrustProcess,
                other => return Err(format!("'{other}' is no answer")),
            }
        };
        self.ask.answer(&session.system, &answer)
    }

    pub fn json(&self, session: &mut Session) -> Value {
        if let Err(why) = self.check(session) {
            return json!({ "elsewhere": why });
        }
        let system = &session.system;
        let question = self.ask.question(system).map(|q| q.json());
        let why = question.as_ref().map(|_| self.ask.why(system));
        let asked: Vec<Value> = self.ask.asked().iter().map(|a| a.json()).collect();
        json!({
            "question": question,
            "why": why,
            "suspects": self.ask.suspects(),
            "asked": asked,
            "over": self.ask.is_over(),
            "verdict": self.ask.verdict().map(|v| v.json()),
            "strategy": self.ask.strategy().name(),
        })
    }
}

fn strategy(name: &str) -> Result<Strategy, String> {
    Strategy::named(name).ok_or_else(|| format!("there is no strategy '{name}'"))
}

/// Where one can begin: the processes, what each was called with and what came of it.
pub fn beginnings(session: &Session) -> Value {
    const MOST: usize = 200;
    let mut summary = Summary::new(&session.system);
    summary.processes.truncate(MOST);
    let mut rows = summary.json();
    let numbers = summary.processes.iter().map(|p| p.proc.0);
    if let Some(rows) = rows.as_array_mut() {
        rows.iter_mut().zip(numbers).for_each(|(row, n)| row["proc"] = json!(n));
    }
    json!({
        "processes": rows,
        "strategies": Strategy::ALL.iter().map(|s| s.name()).collect::<Vec<_>>(),
    })
}
