//! Which computation to ask about next.

use super::tree::{NodeId, Tree};

/// How the next question is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The heaviest child of what is known to be wrong.
    TopDown,
    /// What splits the suspects in halves.
    DivideAndQuery,
    /// Top-down, but one process to its end before another.
    Process,
    /// What splits the suspicion in halves: not every suspect is equally suspicious.
    Suspicion,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 4] =
        [Strategy::Suspicion, Strategy::DivideAndQuery, Strategy::TopDown, Strategy::Process];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::TopDown => "top-down",
            Strategy::DivideAndQuery => "divide-and-query",
            Strategy::Process => "process",
            Strategy::Suspicion => "suspicion",
        }
    }

    /// The strategy of this name.
    pub fn named(name: &str) -> Option<Strategy> {
        Strategy::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// What is known when a strategy chooses.
pub struct Search<'a> {
    /// What is asked about.
    pub tree: &'a Tree,
    /// This computation is wrong, or contains what is.
    pub wrong: NodeId,
    /// Only what began before this step of its process can be to blame.
    pub until: u64,
    /// Whether a computation and all inside it is right.
    pub settled: &'a dyn Fn(NodeId) -> bool,
    /// Whether nobody can judge it: what is inside it can still be asked about.
    pub unknown: &'a dyn Fn(NodeId) -> bool,
    /// How suspicious a computation is by itself.
    pub suspicion: &'a dyn Fn(NodeId) -> f64,
}

impl Search<'_> {
    /// The computation to ask about; `None` if nothing inside the wrong one is left.
    pub fn next(&self, strategy: Strategy) -> Option<NodeId> {
        match strategy {
            Strategy::TopDown | Strategy::Process => self.heaviest_child(),
            Strategy::DivideAndQuery => self.half(&|_| 1.0),
            Strategy::Suspicion => self.half(self.suspicion),
        }
    }

    fn is_suspect(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        let in_time = node.proc != self.tree.node(self.wrong).proc || node.from < self.until;
        in_time && !(self.settled)(id)
    }

    /// The nearest computations inside a node that can be asked about.
    fn inside(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = vec![];
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            for child in self.tree.children(id) {
                let asked = self.tree.node(*child).is_computation() && !(self.unknown)(*child);
                match asked {
                    false if !(self.settled)(*child) => todo.push(*child),
                    true if self.is_suspect(*child) => found.push(*child),
                    _ => {}
                }
            }
        }
        found
    }

    fn heaviest_child(&self) -> Option<NodeId> {
        let weights = self.weights(&|_| 1.0);
        // Of equal ones the last: what happened last is nearest to the symptom.
        let heavier = |a: &NodeId, b: &NodeId| {
            let weight = |id: &NodeId| weights[id.0 as usize];
            let node = |id: &NodeId| (self.tree.node(*id).proc, self.tree.node(*id).from);
            weight(a).total_cmp(&weight(b)).then(node(a).cmp(&node(b)))
        };
        self.inside(self.wrong).into_iter().max_by(heavier)
    }

    /// The sum over all suspects inside each node.
    fn weights(&self, own: &dyn Fn(NodeId) -> f64) -> Vec<f64> {
        let mut weights = vec![0.0; self.tree.len()];
        for id in self.tree.bottom_up() {
            let i = id.0 as usize;
            let node = self.tree.node(*id);
            if node.is_computation() {
                if !self.is_suspect(*id) && *id != self.wrong {
                    weights[i] = 0.0;
                    continue;
                }
                weights[i] += if (self.unknown)(*id) { 0.0 } else { own(*id) };
            }
            if let Some(parent) = node.parent {
                weights[parent.0 as usize] += weights[i];
            }
        }
        weights
    }

    fn half(&self, own: &dyn Fn(NodeId) -> f64) -> Option<NodeId> {
        let weights = self.weights(own);
        let half = weights[self.wrong.0 as usize] / 2.0;
        // Of equally good ones the heaviest, then the last: nearest to the symptom.
        let mut best: Option<(f64, f64, u64, NodeId)> = None;
        let mut todo = self.inside(self.wrong);
        while let Some(id) = todo.pop() {
            let weight = weights[id.0 as usize];
            let candidate = ((weight - half).abs(), -weight, !self.tree.node(id).to, id);
            if best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
            // Inside something lighter than half everything is farther from half.
            if weight > half {
                todo.extend(self.inside(id));
            }
        }
        best.map(|(.., id)| id)
    }
}
