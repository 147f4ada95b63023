//! Whether a choice of messages can really happen, and in what order.
//!
//! A receive takes the oldest message that matches. So if it takes c, every other message that
//! matches and is not yet consumed must arrive after c (or after the receive, if it times out).
//! Together with program order, "sent before it arrives before it is received" and the order of
//! signals between two processes, this is a graph; the choice is possible exactly if the graph
//! has no cycle, and any topological order is an execution.

use crate::history::{Deed, History};
use reverl_causal::{ProcId, SignalId};
use std::collections::HashMap;

/// What is guaranteed about arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Only the order between two processes: what Erlang promises.
    Pair,
    /// Arrival at the moment of sending: what one node does.
    Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Send(SignalId),
    Arrive(SignalId),
    /// The process's deed of this number, a receive.
    Receive(ProcId, usize),
}

impl Node {
    /// The process that acts; an arrival is nobody's act.
    fn actor(&self) -> Option<ProcId> {
        match self {
            Node::Send(id) => Some(id.from),
            Node::Receive(proc, _) => Some(*proc),
            Node::Arrive(_) => None,
        }
    }
}

/// The part of a history that is kept, with the last receive of one process changed.
pub struct Choice<'h> {
    pub history: &'h History,
    /// How many deeds of each process are kept.
    pub kept: Vec<usize>,
    /// The deed that takes something else, and what; `None` is its time-out.
    pub changed: Option<(ProcId, usize, Option<SignalId>)>,
}

/// For a receive of a process (by number of its deed): which messages of its inbox match.
pub type Matches = HashMap<(ProcId, usize), Vec<bool>>;

impl Choice<'_> {
    fn taken(&self, proc: ProcId, i: usize) -> Option<Option<SignalId>> {
        match (self.changed, self.history.deeds[proc.0 as usize][i]) {
            (Some((p, j, taken)), Deed::Receive { .. }) if p == proc && i == j => Some(taken),
            (_, Deed::Receive { taken, .. }) => Some(taken),
            (_, Deed::Send(_)) => None,
        }
    }

    /// The node of a deed that is kept.
    fn deed(&self, proc: ProcId, i: usize) -> Option<Node> {
        let kept = self.kept[proc.0 as usize];
        Some(match self.history.deeds[proc.0 as usize][..kept].get(i)? {
            Deed::Send(id) => Node::Send(*id),
            Deed::Receive { .. } => Node::Receive(proc, i),
        })
    }

    /// An order in which it can happen, or `None` if it cannot.
    pub fn order(&self, matches: &Matches, delivery: Delivery) -> Option<Vec<Node>> {
        let mut graph = Graph::default();
        let mut sent = HashMap::new();
        for (p, deeds) in self.history.deeds.iter().enumerate() {
            let proc = ProcId(p as u32);
            let mut before = None;
            for (i, deed) in deeds[..self.kept[p]].iter().enumerate() {
                let node = match deed {
                    Deed::Send(id) => {
                        sent.insert(*id, ());
                        Node::Send(*id)
                    }
                    Deed::Receive { .. } => Node::Receive(proc, i),
                };
                let node = graph.node(node);
                before.into_iter().for_each(|b| graph.edge(b, node));
                before = Some(node);
            }
        }
        for (child, born) in self.history.born.iter().enumerate() {
            let Some((parent, after)) = born else { continue };
            let before = after.checked_sub(1).filter(|i| *i < self.kept[parent.0 as usize]);
            let first = self.deed(ProcId(child as u32), 0);
            let last = before.and_then(|i| self.deed(*parent, i));
            if let Some((last, first)) = last.zip(first) {
                let (last, first) = (graph.node(last), graph.node(first));
                graph.edge(last, first);
            }
        }
        for (p, inbox) in self.history.inbox.iter().enumerate() {
            self.arrivals(&mut graph, ProcId(p as u32), inbox, &sent, matches, delivery);
        }
        graph.sorted()
    }

    fn arrivals(
        &self,
        graph: &mut Graph,
        proc: ProcId,
        inbox: &[SignalId],
        sent: &HashMap<SignalId, ()>,
        matches: &Matches,
        delivery: Delivery,
    ) {
        let here: Vec<(usize, SignalId)> =
            inbox.iter().copied().enumerate().filter(|(_, id)| sent.contains_key(id)).collect();
        let mut last_of: HashMap<ProcId, usize> = HashMap::new();
        let mut arrive: HashMap<SignalId, usize> = HashMap::new();
        for (_, id) in &here {
            let send = graph.node(Node::Send(*id));
            let node = match delivery {
                Delivery::Pair => {
                    let node = graph.node(Node::Arrive(*id));
                    graph.edge(send, node);
                    node
                }
                Delivery::Instant => send,
            };
            if let Some(earlier) = last_of.insert(id.from, node) {
                graph.edge(earlier, node);
            }
            arrive.insert(*id, node);
        }
        let mut consumed: Vec<SignalId> = vec![];
        for i in 0..self.kept[proc.0 as usize] {
            let Some(taken) = self.taken(proc, i) else { continue };
            let receive = graph.node(Node::Receive(proc, i));
            let first = match taken.and_then(|id| arrive.get(&id).copied()) {
                Some(node) => {
                    graph.edge(node, receive);
                    node
                }
                None => receive,
            };
            let row = matches.get(&(proc, i));
            for (column, id) in &here {
                let fits = row.is_none_or(|row| row.get(*column).copied().unwrap_or(false));
                if fits && taken != Some(*id) && !consumed.contains(id) {
                    graph.edge(first, arrive[id]);
                }
            }
            consumed.extend(taken);
        }
    }
}

#[derive(Default)]
struct Graph {
    index: HashMap<Node, usize>,
    nodes: Vec<Node>,
    next: Vec<Vec<usize>>,
    before: Vec<usize>,
}

impl Graph {
    fn node(&mut self, node: Node) -> usize {
        *self.index.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.next.push(vec![]);
            self.before.push(0);
            self.nodes.len() - 1
        })
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.next[from].push(to);
        self.before[to] += 1;
    }

    fn sorted(mut self) -> Option<Vec<Node>> {
        let mut ready: Vec<usize> =
            (0..self.nodes.len()).rev().filter(|n| self.before[*n] == 0).collect();
        let mut order: Vec<Node> = Vec::with_capacity(self.nodes.len());
        while !ready.is_empty() {
            // One process goes on as long as it can: an execution is easier to read with few
            // switches, and arrivals wait until somebody needs them.
            let last = order.iter().rev().find_map(|n| n.actor());
            let same = ready.iter().rposition(|n| last.is_some() && self.nodes[*n].actor() == last);
            let other = ready.iter().rposition(|n| self.nodes[*n].actor().is_none());
            let n = ready.remove(same.or(other).unwrap_or(ready.len() - 1));
            order.push(self.nodes[n]);
            for &m in &self.next[n] {
                self.before[m] -= 1;
                if self.before[m] == 0 {
                    ready.push(m);
                }
            }
        }
        (order.len() == self.nodes.len()).then_some(order)
    }
}
