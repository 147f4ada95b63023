//! `ask`: questions about computations until one is wrong although all inside it is right
//! (paper 003). The dialogue is a state that answers change; faces show its questions.

mod answers;
pub mod beginnings;
pub mod facts;
pub mod judge;
pub mod memory;
mod next;
pub mod oracle;
pub mod own;
pub mod question;
mod rejected;
mod same;
pub mod specs;
pub mod test_cases;
mod verdict;
pub mod zoom;

use facts::{Facts, facts};
use judge::Judge;
use question::{Aspect, Question};
use reverl_analysis::declare::tree::ROOT;
use reverl_analysis::declare::{Kind, NodeId, Strategy, Tree};
use reverl_causal::{EventRef, ProcId, SignalId, System};
use reverl_lang::code::FunId;
use reverl_term::Atom;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use thiserror::Error;
use ts_rs::TS;
pub use verdict::{Verdict, VerdictKind};

/// Where the user saw something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Anywhere,
    Process(ProcId),
    Event(EventRef),
}

/// Why an answer cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AskError {
    #[error("nothing has happened yet: let the program run first")]
    NothingHappened,
    #[error("there is no event '{0}'")]
    NoEvent(String),
    #[error("there is no process number {0}")]
    NoProcess(u32),
    #[error("there is no strategy '{0}'")]
    NoStrategy(String),
    #[error("no question was asked")]
    NoQuestion,
    #[error(
        "the questions are about branch {branch} with {events} events: go there, or begin anew"
    )]
    Elsewhere { branch: String, events: usize },
    #[error("the error is already found; 'u' takes the last answer back")]
    AlreadyFound,
    #[error("choose 1 to {0}, or 'h' for help")]
    NoOption(usize),
    #[error("there are {0} answers to take back")]
    TooFewAnswers(usize),
}

/// What an answer says beside one of the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserAnswer {
    /// The number of an option, from 1.
    Option(usize),
    DontKnow,
    /// It should never have been called so.
    Inadmissible,
    TrustFunction,
    TrustModule,
    TrustProcess,
    Strategy(Strategy),
    /// Takes back this many answers.
    Undo(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judgment {
    Right,
    Wrong,
    Unknown,
}

/// What is to be answered next.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Now {
    About(NodeId),
    WhichSent(NodeId),
    WhichCreated(NodeId),
    WhichReceived(NodeId),
    WhichVariable(NodeId),
    /// A message is missing: who should have sent it?
    WhichSender(NodeId),
    Ended,
}

/// A question that was answered.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Asked {
    pub question: String,
    pub at: String,
    pub pid: String,
    pub answer: String,
    /// `user`, or who answered instead.
    pub by: String,
    /// What the answer was about, for keeping it.
    #[serde(skip)]
    #[ts(skip)]
    pub key: Option<String>,
    #[serde(skip)]
    #[ts(skip)]
    pub aspect: Option<Aspect>,
}

#[derive(Clone)]
struct State {
    judged: HashMap<NodeId, Judgment>,
    trusted: HashSet<FunId>,
    trusted_procs: HashSet<ProcId>,
    strategy: Strategy,
    /// This is wrong, or contains what is, by what happened until the step.
    wrong: NodeId,
    until: u64,
    now: Now,
    asked: Vec<Asked>,
    verdict: Option<Verdict>,
}

/// A dialogue about one call: which of the calls below it are known to be right or wrong.
pub struct Ask {
    pub tree: Tree,
    state: State,
    past: Vec<State>,
    judges: Vec<Box<dyn Judge>>,
}

impl Ask {
    /// Begins with the tree of calls below a wrong one.
    pub fn new(
        system: &System,
        start: Start,
        strategy: Strategy,
        judges: Vec<Box<dyn Judge>>,
    ) -> Ask {
        let own = own::own_modules(&system.program().code);
        let tree = Tree::new(system, &|system, fun| own::is_own(&own, system, fun));
        let state = State {
            judged: HashMap::new(),
            trusted: HashSet::new(),
            trusted_procs: HashSet::new(),
            strategy,
            wrong: ROOT,
            until: u64::MAX,
            now: Now::Ended,
            asked: vec![],
            verdict: None,
        };
        let mut ask = Ask { tree, state, past: vec![], judges };
        ask.begin(system, start);
        ask.answer_what_has_one_answer(system);
        ask
    }

    fn begin(&mut self, system: &System, start: Start) {
        match start {
            Start::Anywhere => self.advance(system),
            Start::Process(proc) => {
                self.state.wrong = self.tree.process(proc).unwrap_or(ROOT);
                self.advance(system);
            }
            Start::Event(event) => {
                let step = crate::describe::step_of(system, event);
                let inner = self.tree.innermost(event.proc, step);
                let outer = inner.map(|id| self.outermost(id));
                self.state.wrong = self.tree.process(event.proc).unwrap_or(ROOT);
                match outer {
                    Some(id) => self.ask_about(system, id),
                    None => self.advance(system),
                }
            }
        }
    }

    fn outermost(&self, id: NodeId) -> NodeId {
        let is_computation = |id: &NodeId| self.tree.node(*id).is_computation();
        self.tree.ancestors(id).filter(is_computation).last().unwrap_or(id)
    }

    pub fn strategy(&self) -> Strategy {
        self.state.strategy
    }

    /// The questions so far with their answers, the oldest first.
    pub fn asked(&self) -> &[Asked] {
        &self.state.asked
    }

    /// Whether the wrong line is found, or nothing is left to ask.
    pub fn is_over(&self) -> bool {
        self.state.now == Now::Ended
    }

    /// `None` although it is over: everything was judged right, or nothing could be.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.state.verdict.as_ref().filter(|_| self.is_over())
    }

    /// Who was called wrong although nothing in it is: what was said of it contradicts itself, and
    /// one of the answers has to be taken back.
    pub fn contradiction(&self, system: &System) -> Option<String> {
        let wrong = self.tree.node(self.state.wrong);
        let is_trusted = self.state.trusted_procs.contains(&wrong.proc);
        let is_it = self.is_over() && self.verdict().is_none() && wrong.kind == Kind::Process;
        is_it.then(|| {
            let who = crate::describe::who(system, wrong.proc);
            let how = if is_trusted { "is trusted" } else { "was found right or trusted" };
            format!("process {who} was called wrong, but everything in it {how}")
        })
    }

    /// What the wrong computation did itself; before it is found, what the one did that is asked
    /// about.
    pub fn zoom(&self, system: &System) -> Vec<zoom::Part> {
        let looked_at = match (self.verdict(), &self.state.now) {
            (Some(verdict), _) => Some(verdict.node),
            (None, Now::About(id)) => Some(*id),
            (None, _) => None,
        };
        looked_at.map_or(vec![], |id| zoom::parts(system, self.tree.node(id)))
    }

    /// How many computations can still be the wrong one.
    pub fn suspects(&self) -> usize {
        let mut count = 0;
        let mut todo = vec![self.state.wrong];
        while let Some(id) = todo.pop() {
            count += usize::from(self.tree.node(id).is_computation());
            todo.extend(self.tree.children(id).iter().filter(|id| !self.is_settled(**id)));
        }
        count
    }

    // -- Questions

    fn facts(&self, system: &System, id: NodeId) -> Facts {
        let receive = match self.tree.node(id).kind {
            Kind::Transition => self.tree.receive_of(id),
            _ => None,
        };
        facts(system, self.tree.node(id), receive.map(|r| self.tree.node(r)))
    }

    /// The next question, unless the dialogue is over.
    pub fn question(&self, system: &System) -> Option<Question> {
        let missing = Some("None of these: one more was expected");
        Some(match self.state.now {
            Now::Ended => return None,
            Now::About(id) => {
                let facts = self.facts(system, id);
                question::about(system, self.tree.node(id), &facts)
            }
            Now::WhichSent(id) => {
                let node = self.tree.node(id);
                let sent = facts::sent(system, node);
                let items = sent.iter().map(|s| question::message(system, *s)).collect();
                question::which(system, node, "Sent messages", items, missing)
            }
            Now::WhichCreated(id) => {
                let node = self.tree.node(id);
                let spawned = facts::spawned(system, node);
                let items = spawned.iter().map(|p| question::process(system, *p)).collect();
                question::which(system, node, "Created processes", items, missing)
            }
            Now::WhichReceived(id) => {
                let mailbox = self.mailbox(system, id);
                let items = mailbox.iter().map(|s| question::message(system, *s)).collect();
                question::which(system, self.tree.node(id), "Received messages", items, missing)
            }
            Now::WhichVariable(id) => {
                let facts = self.facts(system, id);
                let context = facts.receive.map_or(vec![], |r| r.context);
                let show = |(name, value): &(Atom, _)| {
                    format!("{} = {}", name.name(), question::value(value))
                };
                let items = context.iter().map(show).collect();
                question::which(system, self.tree.node(id), "Context", items, None)
            }
            Now::WhichSender(id) => {
                let procs = self.processes(system);
                let items = procs.iter().map(|p| question::process(system, *p)).collect();
                let head = "A message is missing: who should have sent it?";
                let mut q = question::which(system, self.tree.node(id), head, items, None);
                q.prompt = "Which process should have sent it?";
                q
            }
        })
    }

    /// Why this is asked, in a sentence.
    pub fn why(&self, system: &System) -> String {
        let wrong = self.tree.node(self.state.wrong);
        let inside = match wrong.kind {
            Kind::Execution => "the execution".to_string(),
            Kind::Process => format!("process {}", crate::describe::who(system, wrong.proc)),
            _ => format!(
                "{} in process {}, which is wrong",
                question::function_name(system, wrong.fun),
                crate::describe::who(system, wrong.proc)
            ),
        };
        format!(
            "the error is inside {inside}; {} computations are suspects, and the strategy \
             '{}' chose this one",
            self.suspects(),
            self.state.strategy.name()
        )
    }

    /// The program's processes, the youngest first.
    pub fn processes(&self, system: &System) -> Vec<ProcId> {
        let own = |p: &ProcId| !system.execution().proc(*p).is_system;
        let mut procs: Vec<ProcId> = system.execution().ids().filter(own).collect();
        procs.reverse();
        procs
    }

    fn mailbox(&self, system: &System, id: NodeId) -> Vec<SignalId> {
        self.facts(system, id).receive.map_or(vec![], |r| r.mailbox)
    }
}
