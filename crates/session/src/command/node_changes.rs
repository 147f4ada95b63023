//! What if a connection had been lost, or a node had ended: branches that begin with that.

use super::{Answered, Debugger, MoveKind, NodeChange, Note};
use crate::error::CommandError;
use crate::names;
use reverl_causal::cluster::{Disturbance, LineState};
use reverl_causal::{Cut, Input, NodeId, Step};
use reverl_term::{Term, atoms};

impl Debugger {
    /// Something happens to nodes or their connections, here.
    pub(super) fn choose_nodes(&mut self, change: &NodeChange) -> Answered {
        let (cut, current) = (self.session.cut.clone(), self.session.current);
        // Asked before anything moves.
        self.steps_of(change, &cut)?;
        let branch = self.branch_at(&cut, current)?;
        self.session.system.settle_nodes();
        let here = self.session.cut.clone();
        for step in self.steps_of(change, &here)? {
            let done = self.session.system.step(&step);
            done.map_err(|_| CommandError::NodeNotReady(change.to_string()))?;
        }
        while let Some(end) = self.session.system.next_end_with_node() {
            if self.session.system.step(&end).is_err() {
                break;
            }
        }
        self.session.replay_all();
        let note = Note::Disturbed { branch: branch.clone(), change: change.to_string() };
        let moved = MoveKind::Branched { branch };
        Ok(self.arrived(current, moved, vec![note]))
    }

    fn steps_of(&self, change: &NodeChange, cut: &Cut) -> Result<Vec<Step>, CommandError> {
        let nodes = self.nodes_at(cut);
        let find = |name: &String| {
            let is_it = |node: &&NodeId| self.is_called(**node, name);
            let found = nodes.iter().find(is_it).copied();
            found.ok_or_else(|| CommandError::NoNode(name.clone(), self.names_of(&nodes)))
        };
        let all = |names: &[String]| names.iter().map(find).collect::<Result<Vec<_>, _>>();
        let system = &self.session.system;
        let steps = match change {
            NodeChange::Split { these, those } => {
                let these = all(these)?;
                let those = match those.is_empty() {
                    true => nodes.iter().copied().filter(|n| !these.contains(n)).collect(),
                    false => all(those)?,
                };
                system.disturb(Disturbance::Cut, &these, &those)
            }
            NodeChange::Lose { one, other } => {
                system.disturb(Disturbance::Lost, &[find(one)?], &[find(other)?])
            }
            NodeChange::Heal => self.healing(&nodes, cut),
            NodeChange::Kill { node } => {
                let process = system.execution().process_of(find(node)?);
                let proc = process.ok_or_else(|| CommandError::FirstNode(node.clone()))?;
                let reason = Input::of_value(&Term::atom(atoms::KILLED));
                vec![Step::End { proc, reason }]
            }
        };
        if steps.is_empty() {
            return Err(CommandError::NodeNotReady(change.to_string()));
        }
        Ok(steps)
    }

    /// Whatever is cut can be reached again.
    fn healing(&self, nodes: &[NodeId], cut: &Cut) -> Vec<Step> {
        let execution = self.session.execution();
        let included = |event| cut.contains(execution, event);
        let is_cut =
            |a: NodeId, b: NodeId| execution.line_at(a, b, included).state == LineState::Cut;
        let mut steps = vec![];
        for (i, a) in nodes.iter().enumerate() {
            let apart: Vec<NodeId> =
                nodes[..i].iter().copied().filter(|b| is_cut(*a, *b)).collect();
            steps.extend(self.session.system.disturb(Disturbance::Healed, &[*a], &apart));
        }
        steps
    }

    /// The nodes that run at a cut.
    fn nodes_at(&self, cut: &Cut) -> Vec<NodeId> {
        let execution = self.session.execution();
        let runs = |node: &NodeId| {
            execution.process_of(*node).is_none_or(|process| {
                cut.is_spawned(execution, process) && !cut.has_exited(execution, process)
            })
        };
        execution.nodes().filter(runs).collect()
    }

    fn is_called(&self, node: NodeId, name: &str) -> bool {
        let system = &self.session.system;
        system.name_of_node(node).name() == name || names::short_name(system, node) == name
    }

    fn names_of(&self, nodes: &[NodeId]) -> String {
        let name = |node: &NodeId| names::short_name(&self.session.system, *node);
        nodes.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}
