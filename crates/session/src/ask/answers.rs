//! What an answer leads to: a computation is right, or it is to blame, or its sender, its caller or
//! what computed a variable is asked about next.

use super::facts;
use super::question::{Aspect, Question};
use super::{Ask, AskError, Asked, Judgment, Now, UserAnswer, memory};
use reverl_analysis::declare::tree::ROOT;
use reverl_analysis::declare::{End, Kind, NodeId};
use reverl_causal::{ProcId, SignalId, System};
use reverl_lang::code::FunId;
use reverl_term::Atom;

impl Ask {
    /// Takes the user's answer to the current question and goes on to the next one.
    pub fn answer(&mut self, system: &System, answer: &UserAnswer) -> Result<(), AskError> {
        if let UserAnswer::Undo(n) = answer {
            return self.undo(*n);
        }
        if let UserAnswer::Strategy(strategy) = answer {
            self.state.strategy = *strategy;
            if let Now::About(_) = self.state.now {
                self.advance(system);
            }
            return Ok(());
        }
        let Some(question) = self.question(system) else {
            return Err(AskError::AlreadyFound);
        };
        let before = self.state.clone();
        let said = match answer {
            UserAnswer::Option(n) => {
                let option = n.checked_sub(1).and_then(|i| question.options.get(i));
                let Some(option) = option else {
                    return Err(AskError::NoOption(question.options.len()));
                };
                option.text.lines().next().unwrap_or_default().to_string()
            }
            UserAnswer::DontKnow => "don't know".into(),
            UserAnswer::Inadmissible => "should never have been called so".into(),
            UserAnswer::TrustFunction => "trust this function".into(),
            UserAnswer::TrustModule => "trust this module".into(),
            UserAnswer::TrustProcess => "trust this process".into(),
            UserAnswer::Strategy(_) | UserAnswer::Undo(_) => unreachable!("answered above"),
        };
        self.note(&question, said, "user");
        if let (Now::About(id), UserAnswer::Option(n)) = (self.state.now.clone(), answer) {
            let facts = self.facts(system, id);
            let asked = self.state.asked.last_mut().expect("just noted");
            asked.key = Some(memory::key(system, self.tree.node(id), &facts));
            asked.aspect = Some(question.options[n - 1].aspect);
        }
        match answer {
            UserAnswer::Option(n) => self.choose(system, question.options[n - 1].aspect),
            other => self.other_answer(system, other),
        }
        self.answer_what_has_one_answer(system);
        self.past.push(before);
        Ok(())
    }

    /// A question that has one answer is not asked.
    pub(super) fn answer_what_has_one_answer(&mut self, system: &System) {
        while let Some(question) = self.question(system) {
            let [only] = question.options.as_slice() else { return };
            let (said, aspect) = (only.text.lines().next().unwrap_or_default(), only.aspect);
            self.note(&question, said.to_string(), "the only answer");
            self.choose(system, aspect);
        }
    }

    pub(super) fn note(&mut self, question: &Question, answer: String, by: &str) {
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

    pub(super) fn undo(&mut self, n: usize) -> Result<(), AskError> {
        if n == 0 || n > self.past.len() {
            return Err(AskError::TooFewAnswers(self.past.len()));
        }
        self.past.truncate(self.past.len() - n + 1);
        self.state = self.past.pop().expect("as many as were counted");
        Ok(())
    }

    pub(super) fn node_in_question(&self) -> Option<NodeId> {
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

    pub(super) fn other_answer(&mut self, system: &System, answer: &UserAnswer) {
        let Some(id) = self.node_in_question() else { return };
        let node = *self.tree.node(id);
        match answer {
            UserAnswer::TrustFunction => {
                self.state.trusted.insert(node.fun);
            }
            UserAnswer::TrustModule => {
                let program = system.program();
                let module = program.code.fun(node.fun).module;
                let own = program.code.funs.iter().enumerate();
                let of_module = own.filter(|(_, f)| f.module == module);
                self.state.trusted.extend(of_module.map(|(i, _)| FunId(i as u32)));
            }
            UserAnswer::TrustProcess => {
                self.state.trusted_procs.insert(node.proc);
            }
            UserAnswer::Inadmissible => return self.inadmissible(system, id),
            _ => {
                self.state.judged.insert(id, Judgment::Unknown);
            }
        }
        self.advance(system);
    }

    pub(super) fn choose(&mut self, system: &System, aspect: Aspect) {
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
    pub(super) fn judged(&mut self, system: &System, id: NodeId, aspect: Aspect) {
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
    pub(super) fn blame(&mut self, system: &System, id: NodeId, until: u64) {
        self.state.judged.insert(id, Judgment::Wrong);
        self.state.wrong = id;
        self.state.until = until;
        self.advance(system);
    }

    /// An action of a computation is wrong. The child that did it is asked about first: it may
    /// have done right what it was called for.
    pub(super) fn blame_for(&mut self, system: &System, id: NodeId, step: u64) {
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
    pub(super) fn blame_at(&mut self, system: &System, proc: ProcId, step: u64) {
        match self.tree.innermost(proc, step) {
            Some(id) => self.blame(system, id, step),
            None => self.advance(system),
        }
    }

    pub(super) fn blame_spawn(&mut self, system: &System, child: ProcId) {
        match spawned_at(system, child) {
            Some((parent, step)) => self.blame_at(system, parent, step),
            None => self.advance(system),
        }
    }

    /// A message is not expected: is what its sender did there?
    pub(super) fn ask_sender(&mut self, system: &System, id: NodeId, signal: SignalId) {
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
    pub(super) fn inadmissible(&mut self, system: &System, id: NodeId) {
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
    pub(super) fn wrong_variable(&mut self, system: &System, id: NodeId, i: usize) {
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
}

/// The process and step at which a process was created.
fn spawned_at(system: &System, child: ProcId) -> Option<(ProcId, u64)> {
    let (parent, action) = system.execution().proc(child).parent?;
    Some((parent, system.execution().proc(parent).actions[action as usize].step))
}

/// The process and step at which a signal was sent.
fn sent_at(system: &System, signal: SignalId) -> (ProcId, u64) {
    let by = system.execution().signal(signal).sent_by() as usize;
    (signal.from, system.execution().proc(signal.from).actions[by].step)
}
