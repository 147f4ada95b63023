//! The debugging tree: which computation contains which (paper 003, section 6).
//!
//! A process is cut into segments: from its start, or from the message that a receive takes, to
//! the next receive or the end (the paper's medium-sized normal forms). In a segment, calls
//! contain calls. Only the skeleton is kept, a few words a node; arguments, values and messages
//! are computed when someone looks.

use reverl_causal::{ProcId, System};
use reverl_lang::code::{FunId, Pc};

/// A computation: its number in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Which rule of the paper's calculus a node is the conclusion of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The whole execution: all processes (Tr).
    Execution,
    /// All segments of one process (PROC, CONSUME).
    Process,
    /// A function call up to its value or the first receive (BFUN).
    Call,
    /// A call that went on after a receive (RCV1).
    Transition,
    /// A receive and what its clause did (RCV3).
    Receive,
    /// A receive in which the process waits for ever (LOCK).
    Blocked,
}

/// What a computation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A value, which is there when the process stands before `Node::exit`.
    Value,
    /// An exception, likewise.
    Raised,
    /// It stands before taking a message in the receive at `Node::exit`.
    Receive,
    /// It waits in the receive at `Node::exit`, and nothing comes.
    Blocked,
    /// An exit signal ended the process.
    Killed,
    /// It was not finished when the execution was stopped.
    Running,
}

/// A computation that a question can be asked about.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The process that evaluated it.
    pub proc: ProcId,
    /// What was evaluated.
    pub kind: Kind,
    /// How it ended.
    pub end: End,
    /// The function, or the one that contains the receive.
    pub fun: FunId,
    /// How many calls were in progress below.
    pub depth: u32,
    /// The actions of the computation are those with `from < step <= to`.
    pub from: u64,
    /// Its last step.
    pub to: u64,
    /// The step at which the function was called.
    pub called: u64,
    /// The entry of the function, or the instruction that takes the message (or waits).
    pub entry: Pc,
    /// The instruction that it ended at.
    pub exit: Pc,
    /// The evaluation that it is a part of.
    pub parent: Option<NodeId>,
}

impl Node {
    /// All of a process, or of the execution.
    pub fn whole(proc: ProcId, kind: Kind, parent: Option<NodeId>) -> Node {
        Node {
            proc,
            kind,
            end: End::Running,
            fun: FunId(0),
            depth: 0,
            from: 0,
            to: u64::MAX,
            called: 0,
            entry: 0,
            exit: super::trace::PROCESS_END,
            parent,
        }
    }

    /// Whether this step of its process is a part of it.
    pub fn contains(&self, step: u64) -> bool {
        self.from < step && step <= self.to
    }

    /// Whether people can be asked about it.
    pub fn is_computation(&self) -> bool {
        !matches!(self.kind, Kind::Execution | Kind::Process)
    }
}

/// The computations of an execution, each below the one that asked for it.
pub struct Tree {
    nodes: Vec<Node>,
    /// The children of node i are `children[first[i]..first[i + 1]]`, in order of time.
    children: Vec<NodeId>,
    first: Vec<u32>,
    /// Every node after all of its descendants.
    bottom_up: Vec<NodeId>,
}

/// The whole execution.
pub const ROOT: NodeId = NodeId(0);

impl Tree {
    /// The tree of everything that the program's own processes did. `is_own` says which
    /// functions are the program's: others are trusted and no nodes.
    pub fn new(system: &System, is_own: &dyn Fn(&System, FunId) -> bool) -> Tree {
        let mut nodes = vec![Node::whole(system.main, Kind::Execution, None)];
        let mut marks = super::trace::Marks::new(system, is_own);
        let procs: Vec<ProcId> = system.execution().ids().collect();
        for proc in procs {
            if !system.execution().proc(proc).is_system {
                super::trace::trace(system, proc, &mut marks, &mut nodes);
            }
        }
        Tree::of(nodes)
    }

    fn of(nodes: Vec<Node>) -> Tree {
        let mut first = vec![0u32; nodes.len() + 1];
        for node in &nodes {
            if let Some(parent) = node.parent {
                first[parent.0 as usize + 1] += 1;
            }
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut by_time: Vec<u32> = (0..nodes.len() as u32).collect();
        by_time.sort_by_key(|i| {
            let node = &nodes[*i as usize];
            (node.proc, node.from, *i)
        });
        let mut next = first.clone();
        let mut children = vec![ROOT; *first.last().unwrap_or(&0) as usize];
        for i in by_time {
            if let Some(parent) = nodes[i as usize].parent {
                let at = &mut next[parent.0 as usize];
                children[*at as usize] = NodeId(i);
                *at += 1;
            }
        }
        let mut tree = Tree { nodes, children, first, bottom_up: vec![] };
        tree.bottom_up = tree.sorted_bottom_up();
        tree
    }

    fn sorted_bottom_up(&self) -> Vec<NodeId> {
        let mut order = vec![ROOT];
        let mut next = 0;
        while let Some(node) = order.get(next).copied() {
            order.extend_from_slice(self.children(node));
            next += 1;
        }
        order.reverse();
        order
    }

    /// How many nodes there are, with the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The node with this number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The numbers of all nodes.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Its direct parts, in order.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        let i = id.0 as usize;
        &self.children[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// All nodes, parts before what they are parts of.
    pub fn bottom_up(&self) -> &[NodeId] {
        &self.bottom_up
    }

    /// What it is a part of, from the inside out.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(id).parent, |id| self.node(*id).parent)
    }

    /// The node of a whole process.
    pub fn process(&self, proc: ProcId) -> Option<NodeId> {
        self.children(ROOT).iter().copied().find(|id| self.node(*id).proc == proc)
    }

    /// The innermost computation that did the action at `step` of a process.
    pub fn innermost(&self, proc: ProcId, step: u64) -> Option<NodeId> {
        let mut found = self.process(proc)?;
        let inside = |id: &NodeId| self.node(*id).contains(step);
        while let Some(child) = self.children(found).iter().copied().find(inside) {
            found = child;
        }
        Some(found).filter(|id| self.node(*id).is_computation())
    }

    /// The receive in whose segment a transition lies.
    pub fn receive_of(&self, transition: NodeId) -> Option<NodeId> {
        let mut at = transition;
        loop {
            at = *self.children(at).first()?;
            match self.node(at).kind {
                Kind::Receive => return Some(at),
                Kind::Transition => {}
                _ => return None,
            }
        }
    }

    /// The call that began the function in which a node lies.
    pub fn call_of(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        let process = self.process(node.proc)?;
        let mut todo = vec![process];
        while let Some(at) = todo.pop() {
            let n = self.node(at);
            if n.kind == Kind::Call && n.from == node.called && n.depth == node.depth {
                return Some(at);
            }
            let reaches = |c: &&NodeId| {
                let c = self.node(**c);
                c.from <= node.called && node.called <= c.to
            };
            todo.extend(self.children(at).iter().filter(reaches));
        }
        None
    }
}
