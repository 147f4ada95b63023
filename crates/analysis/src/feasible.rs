//! Whether a choice of messages can really happen, and in what order.
//!
//! A receive takes the oldest message that matches. So if it takes c, every other message that
//! matches and is not yet consumed must arrive after c (or after the receive, if it times out).
//! Together with program order, "sent before it arrives before it is received" and the order of
//! signals between two processes, this is a graph; the choice is possible exactly if the graph
//! has no cycle, and any topological order is an execution.

use crate::history::{EventKind, History, Travel};
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

/// Something whose place in an order is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The event of this number.
    Event(usize),
    /// This signal is delivered.
    Arrive(SignalId),
    /// The receive that is added.
    Extra,
}

/// The part of a history that is kept, and perhaps a receive more.
pub struct Choice<'h> {
    /// The execution that is varied.
    pub history: &'h History,
    /// Whether each event is kept.
    pub kept: Vec<bool>,
    /// What must happen in addition.
    pub extra: Option<Extra>,
    /// How exit signals arrive.
    pub exits: Delivery,
}

/// A receive after everything that is kept of its process.
pub struct Extra {
    /// The process that it happens to.
    pub proc: ProcId,
    /// `None` is its time-out.
    pub taken: Option<SignalId>,
    /// Which messages of the inbox match.
    pub row: Vec<bool>,
}

/// For a receive (by number of its event): which messages of its process's inbox match.
pub type Matches = HashMap<usize, Vec<bool>>;

impl Choice<'_> {
    fn is_sent(&self, id: SignalId) -> bool {
        self.history.sent_by.get(&id).is_some_and(|by| self.kept[*by])
    }

    /// An order in which it can happen, or `None` if it cannot.
    pub fn order(&self, matches: &Matches, delivery: Delivery) -> Option<Vec<Node>> {
        let history = self.history;
        let mut graph = Graph { same: self.at_once(), ..Graph::default() };
        for (i, event) in history.events.iter().enumerate().filter(|(i, _)| self.kept[*i]) {
            let node = graph.node(Node::Event(i), event.actor());
            for before in event.after.iter().filter(|b| self.kept[**b] && !self.is_loose(**b, i)) {
                let before = graph.node(Node::Event(*before), None);
                graph.edge(before, node);
            }
        }
        if let Some(extra) = &self.extra {
            let node = graph.node(Node::Extra, Some(extra.proc));
            let chain = extra.proc.0 as usize;
            let own = (0..history.events.len()).filter(|i| self.kept[*i]);
            for before in own.filter(|i| history.events[*i].chain == chain) {
                let before = graph.node(Node::Event(before), None);
                graph.edge(before, node);
            }
        }
        if self.exits == Delivery::Instant {
            for (arrived, id, proc) in &history.spared {
                // It had ended, or trapped exit signals.
                let first = history.traps[id.from.0 as usize].unwrap_or(*arrived);
                let end = history.end[proc.0 as usize].filter(|e| self.kept[*e] && e != arrived);
                if let Some(end) = end.filter(|_| self.kept[*arrived] && self.kept[first]) {
                    let first = graph.node(Node::Event(first), None);
                    let end = graph.node(Node::Event(end), None);
                    graph.edge(first, end);
                }
            }
        }
        for p in 0..history.inbox.len() {
            let arrive = self.travels(&mut graph, p, delivery);
            self.receives(&mut graph, p, &arrive, matches)?;
        }
        graph.sorted()
    }

    /// Whether the order of two events makes no difference: one is the arrival of an exit signal that
    /// nobody notices, the other what its receiver does.
    fn is_loose(&self, a: usize, b: usize) -> bool {
        let history = self.history;
        let is_own = |i: usize, arrival: usize| {
            history.events[i].chain == history.events[arrival].proc.0 as usize
        };
        self.exits == Delivery::Instant
            && (history.is_unheard(a) && is_own(b, a) || history.is_unheard(b) && is_own(a, b))
    }

    /// Exit signals that arrive at once are one with what sent them.
    fn at_once(&self) -> HashMap<usize, usize> {
        let mut same = HashMap::new();
        if self.exits == Delivery::Pair {
            return same;
        }
        for (id, travel) in self.history.travels.iter().flatten() {
            if let Travel::Exit(Some(arrived)) = travel {
                same.insert(*arrived, self.history.sent_by[id]);
            }
        }
        same
    }

    /// Whether an exit signal that has not arrived would end a process.
    fn would_end(&self, p: usize, id: SignalId, travel: &Travel) -> bool {
        let Travel::Exit(arrived) = travel else { return false };
        let has_arrived = arrived.is_some_and(|a| self.kept[a]);
        let ends = arrived.is_none_or(|a| self.history.events[a].chain == p);
        !has_arrived && ends && !self.history.harmless.contains(&id)
    }

    /// A process that an exit signal would end has done all that it does before that was sent.
    fn lives_until(&self, graph: &mut Graph, p: usize, id: SignalId, sent: usize) {
        let history = self.history;
        // Or it traps exit signals by then.
        if let Some(since) =
            history.traps[p].filter(|f| self.kept[*f] && !history.kills.contains(&id))
        {
            let (since, sent) =
                (graph.node(Node::Event(since), None), graph.node(Node::Event(sent), None));
            return graph.edge(since, sent);
        }
        let mut own = (0..history.events.len()).filter(|i| self.kept[*i]);
        if let Some(last) = own.rfind(|i| history.events[*i].chain == p) {
            let (last, sent) =
                (graph.node(Node::Event(last), None), graph.node(Node::Event(sent), None));
            graph.edge(last, sent);
        }
        if self.extra.as_ref().is_some_and(|extra| extra.proc.0 as usize == p) {
            let (last, sent) = (graph.node(Node::Extra, None), graph.node(Node::Event(sent), None));
            graph.edge(last, sent);
        }
    }

    /// Signals arrive after they were sent, those of one sender in order. Gives the node of each
    /// arrival.
    fn travels(&self, graph: &mut Graph, p: usize, delivery: Delivery) -> HashMap<SignalId, usize> {
        let history = self.history;
        let end = history.end[p].filter(|end| self.kept[*end]);
        // The last arrival of each sender; `None` if an exit signal of its is still on the way.
        let mut last_of: HashMap<ProcId, Option<usize>> = HashMap::new();
        let mut arrive = HashMap::new();
        for (id, travel) in history.travels[p].iter().filter(|(id, _)| self.is_sent(*id)) {
            let sent = history.sent_by[id];
            if self.exits == Delivery::Instant && self.would_end(p, *id, travel) {
                self.lives_until(graph, p, *id, sent);
            }
            if last_of.get(&id.from) == Some(&None) {
                continue;
            }
            let send = graph.node(Node::Event(sent), None);
            let node = match travel {
                Travel::Exit(Some(arrived)) if self.kept[*arrived] => {
                    graph.node(Node::Event(*arrived), None)
                }
                Travel::Exit(_) => {
                    last_of.insert(id.from, None);
                    continue;
                }
                Travel::Timer(fired) => {
                    arrive.insert(*id, graph.node(Node::Event(*fired), None));
                    continue;
                }
                // So does what a process sends itself.
                _ if delivery == Delivery::Instant || id.from.0 as usize == p => send,
                Travel::Message | Travel::Tie => graph.node(Node::Arrive(*id), None),
            };
            let earlier = last_of.insert(id.from, Some(node)).flatten();
            earlier.filter(|e| *e != node).into_iter().for_each(|e| graph.edge(e, node));
            if node != send {
                graph.edge(send, node);
            }
            match (travel, end) {
                // It was there, or not, when the process ended.
                (Travel::Tie, Some(end)) if sent < graph.happens_at(end) => {
                    let end = graph.node(Node::Event(end), None);
                    graph.edge(node, end);
                }
                (Travel::Tie, _) => {}
                _ => drop(arrive.insert(*id, node)),
            }
        }
        arrive
    }

    /// What a receive takes arrives before everything else that it would take.
    fn receives(
        &self,
        graph: &mut Graph,
        p: usize,
        arrive: &HashMap<SignalId, usize>,
        matches: &Matches,
    ) -> Option<()> {
        let history = self.history;
        let mut consumed: Vec<SignalId> = vec![];
        let kept = history.receives[p].iter().filter(|i| self.kept[**i]).map(|i| {
            let EventKind::Receive { taken, .. } = history.events[*i].kind else {
                unreachable!("it is a receive")
            };
            (Node::Event(*i), taken, matches.get(i))
        });
        let extra = self.extra.iter().filter(|extra| extra.proc.0 as usize == p);
        let extra = extra.map(|extra| (Node::Extra, extra.taken, Some(&extra.row)));
        for (node, taken, row) in kept.chain(extra) {
            let receive = graph.node(node, None);
            let first = match taken {
                Some(id) => {
                    let arrived = *arrive.get(&id)?;
                    graph.edge(arrived, receive);
                    arrived
                }
                None => receive,
            };
            for (column, id) in history.inbox[p].iter().enumerate() {
                let Some(other) = arrive.get(id) else { continue };
                let fits = row.is_none_or(|row| row.get(column).copied().unwrap_or(false));
                if !fits || taken == Some(*id) || consumed.contains(id) {
                    continue;
                }
                // What one deed sends arrives in the order of sending.
                if first == *other && taken.is_some_and(|taken| taken.k < id.k) {
                    continue;
                }
                graph.edge(first, *other);
            }
            consumed.extend(taken);
        }
        Some(())
    }
}

#[derive(Default)]
struct Graph {
    /// Events that are one with others.
    same: HashMap<usize, usize>,
    index: HashMap<Node, usize>,
    nodes: Vec<Node>,
    /// The process that acts; an arrival is nobody's act.
    actors: Vec<Option<ProcId>>,
    next: Vec<Vec<usize>>,
    before: Vec<usize>,
}

impl Graph {
    /// The event that an event is one with.
    fn happens_at(&self, mut event: usize) -> usize {
        while let Some(other) = self.same.get(&event) {
            event = *other;
        }
        event
    }

    fn node(&mut self, mut node: Node, actor: Option<ProcId>) -> usize {
        if let Node::Event(event) = node {
            node = Node::Event(self.happens_at(event));
        }
        let i = *self.index.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.actors.push(None);
            self.next.push(vec![]);
            self.before.push(0);
            self.nodes.len() - 1
        });
        self.actors[i] = self.actors[i].or(actor);
        i
    }

    fn edge(&mut self, from: usize, to: usize) {
        if from == to && self.is_one_of_several(from) {
            return;
        }
        self.next[from].push(to);
        self.before[to] += 1;
    }

    /// Whether the node stands for an event and what arrived with it.
    fn is_one_of_several(&self, node: usize) -> bool {
        matches!(self.nodes[node], Node::Event(event) if self.same.values().any(|e| *e == event))
    }

    fn sorted(mut self) -> Option<Vec<Node>> {
        let mut ready: Vec<usize> =
            (0..self.nodes.len()).rev().filter(|n| self.before[*n] == 0).collect();
        let mut order: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut last = None;
        while !ready.is_empty() {
            // One process goes on as long as it can: an execution is easier to read with few
            // switches, and arrivals wait until somebody needs them.
            let same = ready.iter().rposition(|n| last.is_some() && self.actors[*n] == last);
            let other = ready.iter().rposition(|n| self.actors[*n].is_none());
            let n = ready.remove(same.or(other).unwrap_or(ready.len() - 1));
            order.push(self.nodes[n]);
            last = self.actors[n].or(last);
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
