//! Nodes and the connections between them (after the distributed extension of CauDEr).
//!
//! A node beside the first is a process of the system: its spawn is the node's start, its end the
//! node's. Two nodes are joined by a line, an object that whatever goes from one to the other reads
//! and whatever connects or parts them writes; happened-before follows from that. What a program
//! does to a line is part of its own action; what happens to it from outside is an answer that the
//! process of the later node is given.

use crate::execution::{EventRef, Execution, NodeId, ProcId, SignalId, SignalKind};
use crate::object::{Mode, Object, Value};
use crate::signals::{down_message, exit_message};
use crate::step::{Input, Step, Until};
use crate::system::System;
use reverl_term::{Atom, Term, View, atoms};

/// How two nodes stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// They are not connected: whoever sends something connects them.
    Down,
    /// They are connected.
    Up,
    /// They cannot reach each other.
    Cut,
}

/// The line between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// How the nodes stand to each other.
    pub state: LineState,
    /// How often they have been connected.
    pub connections: u64,
}

impl Line {
    fn read(value: &Value) -> Line {
        let Value::Number(n) = value else {
            return Line { state: LineState::Down, connections: 0 };
        };
        let state = match n % 4 {
            0 => LineState::Down,
            1 => LineState::Up,
            _ => LineState::Cut,
        };
        Line { state, connections: n / 4 }
    }

    fn value(self) -> Value {
        Value::Number(self.connections * 4 + self.state as u64)
    }
}

/// What happens to a line from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The connection is lost. The next message connects the nodes again.
    Lost,
    /// The connection is lost, and nothing gets through.
    Cut,
    /// Nodes that were cut off can be reached again.
    Healed,
}

impl Disturbance {
    /// Every kind of it.
    pub const ALL: [Disturbance; 3] = [Disturbance::Lost, Disturbance::Cut, Disturbance::Healed];

    /// The word for it in the answer that the process of a node is given.
    pub fn word(self) -> &'static str {
        match self {
            Disturbance::Lost => "lost",
            Disturbance::Cut => "cut",
            Disturbance::Healed => "healed",
        }
    }

    /// What the process of a node was told: the kind, and the names of the other nodes.
    pub fn told(answer: &Term) -> Option<(Disturbance, Vec<Atom>)> {
        let View::Tuple([word, nodes]) = answer.view() else { return None };
        let word = word.as_atom()?.name();
        let kind = Disturbance::ALL.into_iter().find(|kind| kind.word() == word)?;
        let nodes = nodes.to_vec()?.iter().map(Term::as_atom).collect::<Option<_>>()?;
        Some((kind, nodes))
    }
}

fn line_of(a: NodeId, b: NodeId) -> Object {
    Object::Line(a.min(b), a.max(b))
}

impl Execution {
    /// The node that a process runs on.
    #[inline]
    pub fn node_of(&self, proc: ProcId) -> NodeId {
        self.proc(proc).node
    }

    /// The process of a node; the first one need not have any.
    pub fn process_of(&self, node: NodeId) -> Option<ProcId> {
        match node {
            NodeId::FIRST => self.nodes.iter().copied().find(|p| self.node_of(*p) == node),
            NodeId(number) => Some(ProcId(number)),
        }
    }

    /// All nodes that there are or were, the first one first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let started = self.nodes.iter().filter(|p| self.proc(**p).is_spawned);
        let others = started.map(|p| self.node_of(*p)).filter(|node| *node != NodeId::FIRST);
        std::iter::once(NodeId::FIRST).chain(others)
    }

    /// How two nodes stand to each other.
    pub fn line(&self, a: NodeId, b: NodeId) -> Line {
        Line::read(self.objects.value(line_of(a, b)))
    }

    /// How two nodes stand to each other after the accesses that `included` holds for.
    pub fn line_at(&self, a: NodeId, b: NodeId, included: impl Fn(EventRef) -> bool) -> Line {
        Line::read(self.objects.value_at(line_of(a, b), included))
    }

    /// Whether a signal goes from one node to another. What tells that a connection has come or
    /// gone does not: each node knows that by itself. Who stops a node does so from outside.
    fn crosses(&self, id: SignalId, to: ProcId) -> bool {
        let is_console = |proc: ProcId| proc.0 == 0 && self.proc(proc).is_system;
        self.node_of(id.from) != self.node_of(to)
            && !self.news.contains(&id)
            && !self.nodes.contains(&to)
            && !is_console(id.from)
            && !is_console(to)
    }
}

impl System {
    /// The node that a process runs on.
    #[inline]
    pub fn node_of(&self, proc: ProcId) -> NodeId {
        self.execution.node_of(proc)
    }

    /// Whether a process is that of a node.
    pub fn is_of_node(&self, proc: ProcId) -> bool {
        self.execution.nodes.contains(&proc)
    }

    /// Whether there is more than one node.
    #[inline]
    pub(crate) fn has_nodes(&self) -> bool {
        !self.execution.nodes.is_empty()
    }

    /// The name of a node, as its processes see it now.
    pub fn name_of_node(&self, node: NodeId) -> Atom {
        match node {
            NodeId::FIRST => {
                let current = self.present.editions.current.as_ref();
                current.and_then(|edition| edition.node).unwrap_or(atoms::NONODE)
            }
            NodeId(number) => self.execution.proc(ProcId(number)).pid.node,
        }
    }

    /// The living node with this name; to ask is to read.
    pub(crate) fn node_named(&mut self, name: Atom, event: EventRef) -> Option<NodeId> {
        if name == self.name_of_node(NodeId::FIRST) {
            return self.is_up(NodeId::FIRST, event).then_some(NodeId::FIRST);
        }
        match self.execution.objects.read(Object::NodeNamed(name), event) {
            Value::Proc(node) => Some(self.node_of(node)),
            _ => None,
        }
    }

    /// Whether a node lives, which is a look at its process.
    fn is_up(&mut self, node: NodeId, event: EventRef) -> bool {
        let Some(process) = self.execution.process_of(node) else { return true };
        self.execution.objects.read(Object::Life(process), event);
        !self.has_exited(process)
    }

    /// Whether something gets from one node to another; they are connected if they were not.
    pub(crate) fn reach(&mut self, event: EventRef, from: NodeId, to: NodeId) -> bool {
        if from == to {
            return true;
        }
        match Line::read(&self.execution.objects.read(line_of(from, to), event)).state {
            LineState::Up => true,
            LineState::Cut => false,
            LineState::Down if self.is_up(to, event) && self.is_up(from, event) => {
                self.connect(event, from, to);
                true
            }
            LineState::Down => false,
        }
    }

    /// Whether what a process does now gets to another process's node.
    #[inline]
    pub(crate) fn reaches(&mut self, from: ProcId, to: ProcId) -> bool {
        if !self.has_nodes() || self.is_everywhere(from) || self.is_everywhere(to) {
            return true;
        }
        let event = self.upcoming(from);
        self.reach(event, self.node_of(from), self.node_of(to))
    }

    /// Whether the nodes of two processes are connected, for what goes only then from one to the other.
    pub(crate) fn is_joined(&mut self, from: ProcId, to: ProcId) -> bool {
        let (here, there) = (self.node_of(from), self.node_of(to));
        if here == there || self.is_everywhere(from) || self.is_everywhere(to) {
            return true;
        }
        let event = self.upcoming(from);
        let line = self.execution.objects.read(line_of(here, there), event);
        Line::read(&line).state == LineState::Up
    }

    /// An event depends on what has become of the connection of two nodes.
    pub(crate) fn look_at_line(&mut self, event: EventRef, a: NodeId, b: NodeId) {
        self.execution.objects.read(line_of(a, b), event);
    }

    /// The console is one for all nodes.
    fn is_everywhere(&self, proc: ProcId) -> bool {
        proc.0 == 0 && self.execution.proc(proc).is_system
    }

    /// A signal that goes from one node to another arrives: not before or after the loss of the
    /// connection, as the case may be.
    pub(crate) fn arrives_over_line(&mut self, id: SignalId, to: ProcId) {
        if self.has_nodes() && self.execution.crosses(id, to) {
            let event = EventRef::delivery(to, self.execution.proc(to).deliveries.len());
            let line = line_of(self.node_of(id.from), self.node_of(to));
            self.execution.objects.read(line, event);
        }
    }

    /// A node that was hidden at its start.
    pub(crate) fn is_hidden(&self, node: NodeId) -> bool {
        let process = self.execution.process_of(node);
        let entry = process.map(|p| self.execution.proc(p).entry.clone());
        let Some(crate::execution::Entry::Call { args, .. }) = entry else { return false };
        args.to_vec().is_some_and(|args| args.iter().any(|a| a.is_atom_eq(Atom::new("hidden"))))
    }

    /// The nodes that a node is connected to, in the order in which they were started.
    pub fn peers(&self, node: NodeId) -> Vec<NodeId> {
        let is_connected =
            |other: &NodeId| self.execution.line(node, *other).state == LineState::Up;
        self.execution.nodes().filter(|other| *other != node && is_connected(other)).collect()
    }

    /// Two nodes are connected, and with them all that either of them is connected to, unless they
    /// are hidden.
    fn connect(&mut self, event: EventRef, a: NodeId, b: NodeId) {
        let group = |s: &mut System, node: NodeId| {
            let mut group = vec![node];
            if !s.is_hidden(a) && !s.is_hidden(b) {
                s.execution.objects.read(Object::Peers(node), event);
                group.extend(s.peers(node).into_iter().filter(|other| !s.is_hidden(*other)));
            }
            group
        };
        let (with_a, with_b) = (group(self, a), group(self, b));
        for x in &with_a {
            for y in &with_b {
                if x == y {
                    continue;
                }
                self.look_at_line(event, *x, *y);
                if self.execution.line(*x, *y).state == LineState::Down {
                    self.set_line(event, *x, *y, LineState::Up);
                }
            }
        }
    }

    fn set_line(&mut self, event: EventRef, a: NodeId, b: NodeId, state: LineState) {
        let mut line = self.execution.line(a, b);
        let before = std::mem::replace(&mut line.state, state);
        line.connections += u64::from(state == LineState::Up);
        self.execution.objects.write(line_of(a, b), event, line.value());
        if (before == LineState::Up) == (state == LineState::Up) {
            return;
        }
        for (here, there) in [(a, b), (b, a)] {
            self.execution.objects.access(Object::Peers(here), event, Mode::WritePart);
            let word = if state == LineState::Up { "nodeup" } else { "nodedown" };
            self.tell_watchers(event, here, there, word);
        }
    }

    /// A number that no other connection of a node has or had.
    pub(crate) fn connection_number(&self, here: NodeId, there: NodeId) -> u64 {
        u64::from(there.0) << 20 | self.execution.line(here, there).connections
    }

    /// Who wants to know it is told that a connection has come or gone.
    fn tell_watchers(&mut self, event: EventRef, here: NodeId, there: NodeId, word: &str) {
        let watchers = self.execution.objects.read(Object::NodeWatchers(here), event);
        let Value::Term(watchers) = watchers else { return };
        let name = Term::atom(self.name_of_node(there));
        let is_hidden = self.is_hidden(there);
        let connection = self.connection_number(here, there);
        let mut left = vec![];
        for watcher in watchers.to_vec().unwrap_or_default() {
            let View::Tuple([pid, what, form]) = watcher.view() else { continue };
            let is_of_node = what.as_atom().is_some_and(|node| Term::atom(node) == name);
            let kind = what.as_atom().map_or("", |what| what.name());
            let is_meant = match kind {
                "all" => true,
                "visible" => !is_hidden,
                "hidden" => is_hidden,
                _ => is_of_node && word == "nodedown",
            };
            // Who watches one node is told once.
            if !(is_meant && is_of_node) {
                left.push(watcher.clone());
            }
            let to = pid.as_pid().and_then(|pid| self.execution.find(pid));
            if let Some(to) = to.filter(|_| is_meant) {
                let mut parts = vec![Term::atom_named(word), name.clone()];
                parts.extend(details(form, is_hidden, connection, word));
                self.put_news(event.proc, to, SignalKind::Message, Term::tuple(parts));
            }
        }
        if left.len() < watchers.list_len().unwrap_or(0) {
            let left = Value::Term(Term::list(left));
            self.execution.objects.write(Object::NodeWatchers(here), event, left);
        }
    }

    /// The connection of two nodes ends. Who was tied to somebody on the other is told, and what is
    /// on its way between them is lost.
    pub(crate) fn part(&mut self, event: EventRef, a: NodeId, b: NodeId, state: LineState) -> bool {
        self.part_telling(event, a, b, state, &[a, b])
    }

    fn part_telling(
        &mut self,
        event: EventRef,
        a: NodeId,
        b: NodeId,
        state: LineState,
        told: &[NodeId],
    ) -> bool {
        let was_up = self.execution.line(a, b).state == LineState::Up;
        if was_up {
            let is_between = |(to, from): &&(ProcId, ProcId)| {
                let pair = (self.node_of(*to), self.node_of(*from));
                pair == (a, b) || pair == (b, a)
            };
            let lost: Vec<_> = self.present.network.keys().filter(is_between).copied().collect();
            lost.into_iter().for_each(|pair| self.lose(pair));
            let procs: Vec<ProcId> = self.execution.ids().collect();
            for proc in procs {
                let here = self.node_of(proc);
                if told.contains(&here) && !self.has_exited(proc) {
                    self.sever(event, proc, if here == a { b } else { a });
                }
            }
        }
        self.set_line(event, a, b, state);
        was_up
    }

    /// What is on its way over a line that is lost does not arrive.
    fn lose(&mut self, (to, from): (ProcId, ProcId)) {
        let Some(mut queue) = self.present.network.remove(&(to, from)) else { return };
        queue.retain(|id| !self.execution.crosses(*id, to));
        if !queue.is_empty() {
            self.present.network.insert((to, from), queue);
        }
    }

    /// Tells a process what its own node knows.
    fn put_news(&mut self, from: ProcId, to: ProcId, kind: SignalKind, message: Term) {
        let k = self.put_signal(from, Some(to), kind, message);
        self.execution.news.insert(SignalId { from, k });
    }

    /// A process loses its ties to all processes of a node.
    fn sever(&mut self, event: EventRef, proc: ProcId, node: NodeId) {
        let Some(relations) = self.running(proc).relations() else { return };
        let is_there = |other: ProcId| self.node_of(other) == node && !self.is_of_node(other);
        let links: Vec<_> = relations.links.iter().copied().filter(|l| is_there(*l)).collect();
        let mut monitors: Vec<_> = relations.monitors.iter().collect();
        monitors.retain(|(_, watched)| {
            is_there(watched.proc) && !watched.is_answered && !watched.is_lost
        });
        monitors.sort_by(|(a, _), (b, _)| reverl_term::compare(a, b));
        let downs: Vec<_> =
            monitors.into_iter().map(|(r, w)| (r.clone(), w.what.clone(), w.tag.clone())).collect();
        let kept = |w: &crate::system::Watcher| !is_there(w.watcher);
        let watchers: Vec<_> = relations.watchers.iter().filter(|w| kept(w)).cloned().collect();
        let is_watched = watchers.len() < relations.watchers.len();
        if is_watched || !links.is_empty() || !downs.is_empty() {
            self.running_mut(proc).relations_mut().lost_nodes.insert(node);
        }
        let lost = Term::atom_named("noconnection");
        for other in links {
            let relations = self.running_mut(proc).relations_mut();
            relations.links.remove(&other);
            relations.lost_links.insert(other);
            let message = exit_message(self.pid(other), lost.clone());
            let kind = SignalKind::Exit { linked: true, reason: lost.clone() };
            self.put_news(event.proc, proc, kind, message);
        }
        for (reference, what, tag) in downs {
            let monitors = &mut self.running_mut(proc).relations_mut().monitors;
            monitors.entry(reference.clone()).and_modify(|watched| watched.is_lost = true);
            let message = down_message(&tag, &reference, &what, lost.clone());
            self.put_news(event.proc, proc, SignalKind::Down, message);
        }
        self.running_mut(proc).relations_mut().watchers = watchers;
    }

    /// A node ends with its process: its connections are lost, and all that runs there is killed.
    pub(crate) fn node_ends(&mut self, process: ProcId, event: EventRef) {
        let node = self.node_of(process);
        let name = self.execution.proc(process).pid.node;
        if node != NodeId::FIRST {
            self.execution.objects.write(Object::NodeNamed(name), event, Value::Nothing);
        }
        self.execution.objects.read(Object::Peers(node), event);
        for other in self.peers(node) {
            self.part_telling(event, node, other, LineState::Down, &[other]);
        }
        self.look_at_population(event, node);
        let alive = self.execution.ids().filter(|p| {
            self.node_of(*p) == node && !self.has_exited(*p) && *p != process && p.0 != 0
        });
        for proc in alive.collect::<Vec<_>>() {
            let reason = Term::atom(atoms::KILL);
            let message = exit_message(self.pid(process), reason.clone());
            let kind = SignalKind::Exit { linked: false, reason };
            self.put_signal(process, Some(proc), kind, message);
        }
    }

    /// The end of a process on a node that has ended: nothing comes before it.
    pub fn next_end_with_node(&self) -> Option<Step> {
        let nodes = self.execution.nodes.iter().filter(|node| self.has_exited(**node));
        let queue = |node: ProcId| {
            let mut queues = self.present.network.iter().filter(move |((_, f), _)| *f == node);
            queues.find_map(|((to, _), queue)| {
                let is_end = |id: &&SignalId| self.is_end_with_node(**id);
                queue.front().filter(is_end).map(|s| Step::Deliver { signal: *s, to: *to })
            })
        };
        nodes.into_iter().find_map(|node| queue(*node))
    }

    /// Whether a signal is what ends a process together with its node.
    pub(crate) fn is_end_with_node(&self, id: SignalId) -> bool {
        let is_exit = matches!(self.execution.kind(id), SignalKind::Exit { linked: false, .. });
        is_exit && self.is_of_node(id.from)
    }

    /// Whether the process of a node has come so far that something can happen to the node.
    pub fn can_disturb(&self, process: ProcId) -> bool {
        !self.has_exited(process) && self.asked(process).is_some()
    }

    /// Lets the processes of nodes go on to where they wait for what happens to their nodes, which
    /// no other process can tell.
    pub fn settle_nodes(&mut self) {
        for process in self.execution.nodes.clone() {
            if !self.has_exited(process) && self.asked(process).is_none() {
                let limit = self.running(process).process.steps() + 16;
                let _ = self.step(&Step::Run { proc: process, until: Until::Need(limit) });
            }
        }
    }

    /// The steps by which something happens to the lines between the nodes of two groups.
    pub fn disturb(&self, kind: Disturbance, these: &[NodeId], those: &[NodeId]) -> Vec<Step> {
        let mut steps = vec![];
        for holder in self.execution.nodes() {
            let others = match (these.contains(&holder), those.contains(&holder)) {
                (true, _) => those,
                (_, true) => these,
                _ => continue,
            };
            let others = others.iter().filter(|other| **other < holder);
            let names: Vec<Term> =
                others.map(|other| Term::atom(self.name_of_node(*other))).collect();
            if let (false, NodeId(number)) = (names.is_empty(), holder) {
                let told = Term::tuple(vec![Term::atom_named(kind.word()), Term::list(names)]);
                let with = Some(Input::of_value(&told));
                let proc = ProcId(number);
                if self.can_disturb(proc) {
                    steps.push(Step::Answer { proc, with });
                }
            }
        }
        steps
    }

    /// What happens to the connections of a node, told by whoever is outside.
    pub(crate) fn disturbed(&mut self, process: ProcId, told: &Term) {
        let Some((kind, names)) = Disturbance::told(told) else { return };
        let (event, node) = (self.upcoming(process), self.node_of(process));
        for name in names {
            let Some(other) = self.node_named(name, event) else { continue };
            match kind {
                Disturbance::Lost if self.execution.line(node, other).state == LineState::Up => {
                    self.part(event, node, other, LineState::Down);
                }
                Disturbance::Lost => {}
                Disturbance::Cut => _ = self.part(event, node, other, LineState::Cut),
                Disturbance::Healed => {
                    if self.execution.line(node, other).state == LineState::Cut {
                        self.set_line(event, node, other, LineState::Down);
                    }
                }
            }
        }
    }
}

/// What a message about a node has beside its name, if more was asked for.
fn details(form: &Term, is_hidden: bool, connection: u64, word: &str) -> Option<Term> {
    let kind = Term::atom_named(if is_hidden { "hidden" } else { "visible" });
    let down = (word == "nodedown").then(|| Term::atom_named("connection_closed"));
    let mut pairs = vec![];
    let (has, is_map) = match form.as_map() {
        Some(map) => {
            let has = |key: &str| {
                map.get(&Term::atom_named(key)).is_some_and(|v| v.as_bool() == Some(true))
            };
            (vec![has("node_type"), has("nodedown_reason"), has("connection_id")], true)
        }
        None => {
            let options = form.to_vec()?;
            let has = |key: &str| options.iter().any(|o| o.is_atom_eq(Atom::new(key)));
            let is_kind = |o: &Term| o.as_tuple().is_some();
            let kind = options.iter().any(is_kind);
            (vec![kind, has("nodedown_reason"), has("connection_id")], false)
        }
    };
    if has[2] {
        pairs.push((Term::atom_named("connection_id"), Term::int(connection as i64)));
    }
    if has[0] {
        pairs.push((Term::atom_named("node_type"), kind));
    }
    if let (true, Some(down)) = (has[1], down) {
        pairs.push((Term::atom_named("nodedown_reason"), down));
    }
    Some(match is_map {
        true => Term::map_from(pairs),
        false => Term::list(pairs.into_iter().map(|(k, v)| Term::tuple(vec![k, v]))),
    })
}
