//! What to ask next: what is settled, what is suspicious, who else can answer, and when it is over.

use super::judge::Judged;
use super::question::{self, Aspect};
use super::{Ask, Judgment, Now, Verdict};
use reverl_analysis::declare::strategy::Search;
use reverl_analysis::declare::{End, Kind, NodeId};
use reverl_causal::System;

impl Ask {
    pub(super) fn is_settled(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        self.state.judged.get(&id) == Some(&Judgment::Right)
            || self.state.trusted_procs.contains(&node.proc)
            || (node.is_computation() && self.state.trusted.contains(&node.fun))
    }

    pub(super) fn is_unknown(&self, id: NodeId) -> bool {
        self.state.judged.get(&id) == Some(&Judgment::Unknown)
    }

    /// How suspicious a computation is by itself: one that failed more, one of a function that
    /// was found right elsewhere less.
    pub(super) fn suspicion(&self, id: NodeId) -> f64 {
        let node = self.tree.node(id);
        let failed = matches!(node.end, End::Raised | End::Killed | End::Blocked);
        let by_end = if failed || node.kind == Kind::Blocked { 3.0 } else { 1.0 };
        let right = self.state.judged.iter().filter(|(other, judgment)| {
            **judgment == Judgment::Right && self.tree.node(**other).fun == node.fun
        });
        by_end / (1.0 + right.count() as f64)
    }

    pub(super) fn next(&self) -> Option<NodeId> {
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
    pub(super) fn advance(&mut self, system: &System) {
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

    pub(super) fn ask_about(&mut self, system: &System, id: NodeId) {
        self.state.now = Now::About(id);
        if self.answered_by_itself(system, id) && self.state.verdict.is_none() {
            self.advance(system);
        }
    }

    /// Whether somebody else than the user knows the answer; it is then taken.
    pub(super) fn answered_by_itself(&mut self, system: &System, id: NodeId) -> bool {
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

    pub(super) fn conclude(&mut self, system: &System, id: NodeId) {
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
