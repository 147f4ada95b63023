//! `ask`: questions about computations until one is wrong although all inside it is right
//! (paper 003). The dialogue is a state that answers change; faces show its questions.

pub mod eunit;
pub mod facts;
pub mod judge;
pub mod memory;
pub mod oracle;
pub mod own;
pub mod question;
mod same;
pub mod specs;
pub mod summary;
mod verdict;
pub mod zoom;

use facts::{Facts, facts};
use judge::{Judge, Judged};
use question::{Aspect, Question};
use reverl_analysis::declare::strategy::Search;
use reverl_analysis::declare::tree::ROOT;
use reverl_analysis::declare::{End, Kind, NodeId, Strategy, Tree};
use reverl_causal::{EventRef, ProcId, SignalId, System};
use reverl_lang::code::FunId;
use reverl_term::Atom;
use std::collections::{HashMap, HashSet};
pub use verdict::Verdict;

/// Where the user saw something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Anywhere,
    Process(ProcId),
    Event(EventRef),
}

/// What an answer says beside one of the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
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
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: String,
    pub at: String,
    pub pid: String,
    pub answer: String,
    /// `user`, or who answered instead.
    pub by: String,
    /// What the answer was about, for keeping it.
    pub key: Option<String>,
    pub aspect: Option<Aspect>,
}

impl Asked {
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "question": self.question,
            "at": self.at,
            "pid": self.pid,
            "answer": self.answer,
            "by": self.by,
        })
    }
}

#[derive(Clone)]
struct State {
    judged: HashMap<NodeId, Judgment>,
    trusted: HashSet<FunId>,
    trusted_modules: HashSet<Atom>,
    trusted_procs: HashSet<ProcId>,
    strategy: Strategy,
    /// This is wrong, or contains what is, by what happened until the step.
    wrong: NodeId,
    until: u64,
    now: Now,
    asked: Vec<Asked>,
    verdict: Option<Verdict>,
}

pub struct Ask {
    pub tree: Tree,
    state: State,
    past: Vec<State>,
    judges: Vec<Box<dyn Judge>>,
}

impl Ask {
    pub fn new(
        system: &mut System,
        start: Start,
        strategy: Strategy,
        judges: Vec<Box<dyn Judge>>,
    ) -> Ask {
        let own = own::own_modules(&system.program.code);
        let tree = Tree::new(system, &|system, fun| own::is_own(&own, system, fun));
        let state = State {
            judged: HashMap::new(),
            trusted: HashSet::new(),
            trusted_modules: HashSet::new(),
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
        ask
    }

    fn begin(&mut self, system: &mut System, start: Start) {
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

    pub fn asked(&self) -> &[Asked] {
        &self.state.asked
    }

    pub fn is_over(&self) -> bool {
        self.state.now == Now::Ended
    }

    /// `None` although it is over: everything was judged right, or nothing could be.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.state.verdict.as_ref().filter(|_| self.is_over())
    }

    /// What the wrong computation did itself.
    pub fn zoom(&self, system: &mut System) -> Vec<zoom::Part> {
        match self.verdict() {
            Some(verdict) => zoom::parts(system, self.tree.node(verdict.node)),
            None => vec![],
        }
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

    fn facts(&self, system: &mut System, id: NodeId) -> Facts {
        let receive = match self.tree.node(id).kind {
            Kind::Transition => self.tree.receive_of(id),
            _ => None,
        };
        facts(system, self.tree.node(id), receive.map(|r| self.tree.node(r)))
    }

    pub fn question(&self, system: &mut System) -> Option<Question> {
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
        let own = |p: &ProcId| !system.execution.proc(*p).is_system;
        let mut procs: Vec<ProcId> = system.execution.ids().filter(own).collect();
        procs.reverse();
        procs
    }

    fn mailbox(&self, system: &mut System, id: NodeId) -> Vec<SignalId> {
        self.facts(system, id).receive.map_or(vec![], |r| r.mailbox)
    }

    // -- Answers

    pub fn answer(&mut self, system: &mut System, answer: &Answer) -> Result<(), String> {
        if let Answer::Undo(n) = answer {
            return self.undo(*n);
        }
        if let Answer::Strategy(strategy) = answer {
            self.state.strategy = *strategy;
            if let Now::About(_) = self.state.now {
                self.advance(system);
            }
            return Ok(());
        }
        let Some(question) = self.question(system) else {
            return Err("the error is already found; 'u' takes the last answer back".into());
        };
        let before = self.state.clone();
        let said = match answer {
            Answer::Option(n) => {
                let option = n.checked_sub(1).and_then(|i| question.options.get(i));
                let Some(option) = option else {
                    return Err(format!("choose 1 to {}, or 'h' for help", question.options.len()));
                };
                option.text.lines().next().unwrap_or_default().to_string()
            }
            Answer::DontKnow => "don't know".into(),
            Answer::Inadmissible => "should never have been called so".into(),
            Answer::TrustFunction => "trust this function".into(),
            Answer::TrustModule => "trust this module".into(),
            Answer::TrustProcess => "trust this process".into(),
            Answer::Strategy(_) | Answer::Undo(_) => unreachable!("answered above"),
        };
        self.note(&question, said, "user");
        if let (Now::About(id), Answer::Option(n)) = (self.state.now.clone(), answer) {
            let facts = self.facts(system, id);
            let asked = self.state.asked.last_mut().expect("just noted");
            asked.key = Some(memory::key(system, self.tree.node(id), &facts));
            asked.aspect = Some(question.options[n - 1].aspect);
        }
        match answer {
            Answer::Option(n) => self.choose(system, question.options[n - 1].aspect),
            other => self.other_answer(system, other),
        }
        self.past.push(before);
        Ok(())
    }

    fn note(&mut self, question: &Question, answer: String, by: &str) {
        self.state.asked.push(Asked {
            question: question.head.clone(),
            at: question.at.clone(),
            pid: question.pid.clone(),
            answer,
            by: by.into(),
            key: None,
            aspect: None,
        });
    }

    fn undo(&mut self, n: usize) -> Result<(), String> {
        if n == 0 || n > self.past.len() {
            return Err(format!("there are {} answers to take back", self.past.len()));
        }
        self.past.truncate(self.past.len() - n + 1);
        self.state = self.past.pop().expect("as many as were counted");
        Ok(())
    }

    fn node_in_question(&self) -> Option<NodeId> {
        match self.state.now {
            Now::About(id)
            | Now::WhichSent(id)
            | Now::WhichCreated(id)
            | Now::WhichReceived(id)
            | Now::WhichVariable(id)
            | Now::WhichSender(id) => Some(id),
            Now::Ended => None,
        }
    }

    fn other_answer(&mut self, system: &mut System, answer: &Answer) {
        let Some(id) = self.node_in_question() else { return };
        let node = *self.tree.node(id);
        match answer {
            Answer::TrustFunction => {
                self.state.trusted.insert(node.fun);
            }
            Answer::TrustModule => {
                let module = system.program.code.fun(node.fun).module;
                let own = system.program.code.funs.iter().enumerate();
                let of_module = own.filter(|(_, f)| f.module == module);
                self.state.trusted.extend(of_module.map(|(i, _)| FunId(i as u32)));
                self.state.trusted_modules.insert(module);
            }
            Answer::TrustProcess => {
                self.state.trusted_procs.insert(node.proc);
            }
            Answer::Inadmissible => return self.inadmissible(system, id),
            _ => {
                self.state.judged.insert(id, Judgment::Unknown);
            }
        }
        self.advance(system);
    }

    fn choose(&mut self, system: &mut System, aspect: Aspect) {
        match (self.state.now.clone(), aspect) {
            (Now::About(id), aspect) => self.judged(system, id, aspect),
            (Now::WhichSent(id), Aspect::Item(i)) => {
                let signal = facts::sent(system, self.tree.node(id))[i];
                let (_, step) = sent_at(system, signal);
                self.blame_for(system, id, step);
            }
            (Now::WhichCreated(id), Aspect::Item(i)) => {
                let child = facts::spawned(system, self.tree.node(id))[i];
                match spawned_at(system, child) {
                    Some((_, step)) => self.blame_for(system, id, step),
                    None => self.blame(system, id, u64::MAX),
                }
            }
            (Now::WhichReceived(id), Aspect::Item(i)) => {
                let signal = self.mailbox(system, id)[i];
                self.ask_sender(system, id, signal);
            }
            (Now::WhichReceived(id), _) => self.state.now = Now::WhichSender(id),
            (Now::WhichVariable(id), Aspect::Item(i)) => self.wrong_variable(system, id, i),
            (Now::WhichSender(_), Aspect::Item(i)) => {
                let proc = self.processes(system)[i];
                self.state.wrong = self.tree.process(proc).unwrap_or(ROOT);
                self.state.until = u64::MAX;
                self.advance(system);
            }
            (now, _) => {
                // Something is missing: the computation itself failed to do it, or one inside.
                let Some(id) = ({
                    self.state.now = now;
                    self.node_in_question()
                }) else {
                    return;
                };
                self.blame(system, id, u64::MAX);
            }
        }
    }

    /// A computation is right, or one aspect of it is wrong.
    fn judged(&mut self, system: &mut System, id: NodeId, aspect: Aspect) {
        let node = *self.tree.node(id);
        match aspect {
            Aspect::Nothing => {
                self.state.judged.insert(id, Judgment::Right);
                self.advance(system);
            }
            Aspect::Sent if !facts::sent(system, &node).is_empty() => {
                self.state.judged.insert(id, Judgment::Wrong);
                self.state.now = Now::WhichSent(id);
            }
            Aspect::Created if !facts::spawned(system, &node).is_empty() => {
                self.state.judged.insert(id, Judgment::Wrong);
                self.state.now = Now::WhichCreated(id);
            }
            // Which message a receive takes is decided by its patterns and guards alone.
            Aspect::Consumed | Aspect::Waits => {
                self.state.judged.insert(id, Judgment::Wrong);
                self.conclude(system, id);
            }
            Aspect::PreviousReceive => {
                let receive = self.tree.receive_of(id).unwrap_or(id);
                self.ask_about(system, receive);
            }
            Aspect::Context => self.state.now = Now::WhichVariable(id),
            Aspect::Received => self.state.now = Now::WhichReceived(id),
            _ => self.blame(system, id, u64::MAX),
        }
    }

    /// The computation is wrong; what ended in it by `until` can be the reason.
    fn blame(&mut self, system: &mut System, id: NodeId, until: u64) {
        self.state.judged.insert(id, Judgment::Wrong);
        self.state.wrong = id;
        self.state.until = until;
        self.advance(system);
    }

    /// An action of a computation is wrong. The child that did it is asked about first: it may
    /// have done right what it was called for.
    fn blame_for(&mut self, system: &mut System, id: NodeId, step: u64) {
        self.state.judged.insert(id, Judgment::Wrong);
        self.state.wrong = id;
        self.state.until = step;
        let did = |child: &&NodeId| self.tree.node(**child).contains(step);
        match self.tree.children(id).iter().find(did).copied() {
            Some(child) if !self.is_settled(child) && !self.is_unknown(child) => {
                self.ask_about(system, child);
            }
            _ => self.advance(system),
        }
    }

    /// An action is wrong: so is the innermost computation that did it.
    fn blame_at(&mut self, system: &mut System, proc: ProcId, step: u64) {
        match self.tree.innermost(proc, step) {
            Some(id) => self.blame(system, id, step),
            None => self.advance(system),
        }
    }

    fn blame_spawn(&mut self, system: &mut System, child: ProcId) {
        match spawned_at(system, child) {
            Some((parent, step)) => self.blame_at(system, parent, step),
            None => self.advance(system),
        }
    }

    /// A message is not expected: is what its sender did there?
    fn ask_sender(&mut self, system: &mut System, id: NodeId, signal: SignalId) {
        let (proc, step) = sent_at(system, signal);
        match self.tree.innermost(proc, step) {
            Some(sender) => match self.state.judged.get(&sender) {
                Some(Judgment::Wrong | Judgment::Right) => self.blame(system, sender, step),
                _ => {
                    self.state.wrong = self.tree.process(proc).unwrap_or(ROOT);
                    self.ask_about(system, sender);
                }
            },
            // From a trusted function: nothing to ask about.
            None => {
                self.state.judged.insert(id, Judgment::Unknown);
                self.advance(system);
            }
        }
    }

    /// The caller is to blame for a call that should not be.
    fn inadmissible(&mut self, system: &mut System, id: NodeId) {
        let node = *self.tree.node(id);
        if matches!(node.kind, Kind::Receive | Kind::Blocked) {
            self.state.now = Now::WhichVariable(id);
            return;
        }
        let call = self.tree.call_of(id).unwrap_or(id);
        match self.tree.node(call).parent {
            Some(parent) if self.tree.node(parent).is_computation() => {
                self.blame(system, parent, node.called);
            }
            _ => self.blame_spawn(system, node.proc),
        }
    }

    /// A variable of a receive's context is wrong: what gave it its value?
    fn wrong_variable(&mut self, system: &mut System, id: NodeId, i: usize) {
        let facts = self.facts(system, id);
        let Some((name, _)) = facts.receive.and_then(|r| r.context.get(i).cloned()) else {
            return self.advance(system);
        };
        let node = *self.tree.node(id);
        let has = |context: &[(Atom, _)]| context.iter().any(|(n, _)| *n == name);
        // The segments of this call, the earliest first: in the first one that ends with the
        // variable bound it got its value.
        let mut segments: Vec<NodeId> = self
            .tree
            .ids()
            .filter(|other| {
                let n = self.tree.node(*other);
                n.proc == node.proc
                    && n.called == node.called
                    && n.from <= node.from
                    && matches!(n.kind, Kind::Call | Kind::Transition)
            })
            .collect();
        segments.sort_by_key(|s| self.tree.node(*s).from);
        let entry = facts::bound_at_entry(system, &node);
        if has(&entry) {
            let call = self.tree.call_of(id).unwrap_or(id);
            return self.inadmissible(system, call);
        }
        for segment in segments {
            if let Some(receive) = self.tree.receive_of(segment) {
                let facts = self.facts(system, receive);
                let taken = facts.receive.as_ref();
                if taken.is_some_and(|r| has(&r.context)) {
                    return match taken.and_then(|r| r.consumed) {
                        Some(signal) => self.ask_sender(system, id, signal),
                        None => self.blame(system, segment, u64::MAX),
                    };
                }
            }
            let n = *self.tree.node(segment);
            if n.end == End::Receive && n.to >= node.from {
                return self.blame(system, segment, u64::MAX);
            }
            if n.end == End::Receive && has(&facts::bound_at_exit(system, &n)) {
                return self.blame(system, segment, u64::MAX);
            }
        }
        self.state.judged.insert(id, Judgment::Unknown);
        self.advance(system);
    }

    // -- What next

    fn is_settled(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        self.state.judged.get(&id) == Some(&Judgment::Right)
            || self.state.trusted_procs.contains(&node.proc)
            || (node.is_computation() && self.state.trusted.contains(&node.fun))
    }

    fn is_unknown(&self, id: NodeId) -> bool {
        self.state.judged.get(&id) == Some(&Judgment::Unknown)
    }

    /// How suspicious a computation is by itself: one that failed more, one of a function that
    /// was found right elsewhere less.
    fn suspicion(&self, id: NodeId) -> f64 {
        let node = self.tree.node(id);
        let failed = matches!(node.end, End::Raised | End::Killed | End::Blocked);
        let by_end = if failed || node.kind == Kind::Blocked { 3.0 } else { 1.0 };
        let right = self.state.judged.iter().filter(|(other, judgment)| {
            **judgment == Judgment::Right && self.tree.node(**other).fun == node.fun
        });
        by_end / (1.0 + right.count() as f64)
    }

    fn next(&self) -> Option<NodeId> {
        let search = Search {
            tree: &self.tree,
            wrong: self.state.wrong,
            until: self.state.until,
            settled: &|id| self.is_settled(id),
            unknown: &|id| self.is_unknown(id),
            suspicion: &|id| self.suspicion(id),
        };
        search.next(self.state.strategy)
    }

    /// Finds the next question that only the user can answer.
    fn advance(&mut self, system: &mut System) {
        while let Some(id) = self.next() {
            if self.state.judged.get(&id) == Some(&Judgment::Wrong) {
                self.state.wrong = id;
                self.state.until = u64::MAX;
            } else if !self.answered_by_itself(system, id) {
                self.state.now = Now::About(id);
                return;
            } else if self.state.now == Now::Ended && self.state.verdict.is_some() {
                return;
            }
        }
        self.conclude(system, self.state.wrong);
    }

    fn ask_about(&mut self, system: &mut System, id: NodeId) {
        self.state.now = Now::About(id);
        if self.answered_by_itself(system, id) && self.state.verdict.is_none() {
            self.advance(system);
        }
    }

    /// Whether somebody else than the user knows the answer; it is then taken.
    fn answered_by_itself(&mut self, system: &mut System, id: NodeId) -> bool {
        let facts = self.facts(system, id);
        let node = *self.tree.node(id);
        let mut found: Option<Judged> = None;
        for judge in &mut self.judges {
            found = judge.judge(system, &self.tree, id, &facts);
            if found.is_some() {
                break;
            }
        }
        let Some(judged) = found else { return false };
        let question = question::about(system, &node, &facts);
        self.note(&question, judged.said.clone(), &judged.by);
        if judged.inadmissible {
            self.inadmissible(system, id);
            return true;
        }
        match judged.aspect {
            Aspect::Nothing => {
                self.state.judged.insert(id, Judgment::Right);
            }
            Aspect::Consumed | Aspect::Waits => {
                self.state.judged.insert(id, Judgment::Wrong);
                self.conclude(system, id);
            }
            _ => {
                self.state.judged.insert(id, Judgment::Wrong);
                self.state.wrong = id;
                self.state.until = judged.step.unwrap_or(u64::MAX);
            }
        }
        true
    }

    fn conclude(&mut self, system: &mut System, id: NodeId) {
        self.state.now = Now::Ended;
        self.state.verdict = None;
        if self.tree.node(id).is_computation() {
            let unknown: Vec<NodeId> =
                self.tree.ids().filter(|other| self.is_unknown(*other)).collect();
            let within = |other: &NodeId| self.tree.ancestors(*other).any(|a| a == id);
            let unknown: Vec<NodeId> = unknown.into_iter().filter(within).collect();
            self.state.verdict = Some(Verdict::new(system, &self.tree, id, &unknown));
        }
    }
}

/// The process and step at which a process was created.
fn spawned_at(system: &System, child: ProcId) -> Option<(ProcId, u64)> {
    let (parent, action) = system.execution.proc(child).parent?;
    Some((parent, system.execution.proc(parent).actions[action as usize].step))
}

/// The process and step at which a signal was sent.
fn sent_at(system: &System, signal: SignalId) -> (ProcId, u64) {
    let by = system.execution.signal(signal).sent_by as usize;
    (signal.from, system.execution.proc(signal.from).actions[by].step)
}
