//! The computations of one process, found by running it again.
//!
//! The process stops wherever a computation can begin or end: at the entry of a function of the
//! program, where a call returns to, where a handler catches, where a receive takes its message
//! and where its clauses join. Which calls are in progress tells the rest: what is above the
//! current depth has ended; an entry at the depth of the last call is a tail call of it.

use super::tree::{End, Kind, Node, NodeId, ROOT};
use reverl_causal::{ProcId, System};
use reverl_lang::code::{FunId, FunKind, NOWHERE, Op, Pc};
use reverl_machine::{Process, Watch};

const ENTRY: u8 = 1;
const TAKE: u8 = 2;
const JOIN: u8 = 4;
const HANDLER: u8 = 8;
const RETURN: u8 = 16;

/// `Node::exit` of what ended with its process.
pub const PROCESS_END: Pc = Pc::MAX;

/// The instructions at which computations begin and end.
pub struct Marks {
    watch: Watch,
    roles: Vec<u8>,
}

impl Marks {
    /// The instructions where calls of the user's own functions begin and end.
    pub fn new(system: &System, is_own: &dyn Fn(&System, FunId) -> bool) -> Marks {
        let code = &system.program().code;
        let mut marks = Marks { watch: Watch::default(), roles: vec![0; code.ins.len() + 1] };
        for (i, info) in code.funs.iter().enumerate() {
            // Exceptions of the program's functions can be caught anywhere.
            info.handlers.iter().for_each(|h| marks.mark(h.target, HANDLER));
            if !is_own(system, FunId(i as u32)) {
                continue;
            }
            if info.kind != FunKind::Comprehension {
                marks.mark(info.entry, ENTRY);
            }
            for pc in info.entry..info.end {
                match code.ins[pc as usize].op {
                    Op::ReceiveTake { .. } => marks.mark(pc, TAKE),
                    Op::ReceiveWait { timeout, .. } if timeout != NOWHERE => {
                        marks.mark(pc + 1, TAKE);
                    }
                    _ => {}
                }
            }
            let joined = info.receives.iter().filter(|r| r.value != NOWHERE);
            joined.for_each(|r| marks.mark(r.end, JOIN));
        }
        marks
    }

    fn mark(&mut self, pc: Pc, role: u8) {
        self.roles[pc as usize] |= role;
        self.watch.insert(pc);
    }
}

/// Adds the nodes of a process.
pub fn trace(system: &System, proc: ProcId, marks: &mut Marks, nodes: &mut Vec<Node>) {
    let total = system.execution().proc(proc).steps;
    let mut replay = system.from_start(proc);
    let mut tracer = Tracer::new(proc, nodes);
    while replay.watch_to(system, total, &marks.watch) {
        let process = &replay.process;
        let role = marks.roles[process.pc() as usize];
        if role & RETURN != 0 {
            tracer.unwound(process, End::Value);
        }
        if role & HANDLER != 0 {
            tracer.unwound(process, End::Raised);
        }
        if role & JOIN != 0 {
            tracer.joined(process);
        }
        if role & ENTRY != 0 {
            tracer.entered(system, process);
            if let Some((ret, _)) = process.stack().callers().next() {
                marks.mark(ret, RETURN);
            }
        }
        if role & TAKE != 0 {
            tracer.took(process);
        }
    }
    tracer.finish(system, &replay.process);
}

/// A call in progress.
struct Frame {
    depth: u32,
    fun: FunId,
    called: u64,
    entry: Pc,
    /// The segment in which it was last at work.
    segment: u32,
}

struct Tracer<'a> {
    proc: ProcId,
    nodes: &'a mut Vec<Node>,
    process: NodeId,
    /// One for each depth at most: a tail call takes its caller's place.
    frames: Vec<Frame>,
    /// The computations of this segment that have not ended, outer before inner.
    open: Vec<NodeId>,
    /// Those of this segment that are in no other one so far.
    roots: Vec<NodeId>,
    segment: u32,
    segment_from: u64,
}

impl<'a> Tracer<'a> {
    fn new(proc: ProcId, nodes: &'a mut Vec<Node>) -> Tracer<'a> {
        let process = NodeId(nodes.len() as u32);
        nodes.push(Node::whole(proc, Kind::Process, Some(ROOT)));
        Tracer {
            proc,
            nodes,
            process,
            frames: vec![],
            open: vec![],
            roots: vec![],
            segment: 0,
            segment_from: 0,
        }
    }

    fn add(&mut self, kind: Kind, fun: FunId, depth: u32, from: u64, called: u64, entry: Pc) {
        let id = NodeId(self.nodes.len() as u32);
        let parent = self.open.last().copied();
        if parent.is_none() {
            self.roots.push(id);
        }
        self.nodes.push(Node {
            proc: self.proc,
            kind,
            end: End::Running,
            fun,
            depth,
            from,
            to: u64::MAX,
            called,
            entry,
            exit: PROCESS_END,
            parent: Some(parent.unwrap_or(self.process)),
        });
        self.open.push(id);
    }

    fn close(&mut self, id: NodeId, to: u64, exit: Pc, end: End) {
        let node = &mut self.nodes[id.0 as usize];
        (node.to, node.exit, node.end) = (to, exit, end);
    }

    fn depth_of(&self, id: NodeId) -> u32 {
        self.nodes[id.0 as usize].depth
    }

    /// The innermost call goes on in this segment: its transition contains what its callees did.
    fn resume(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        if !self.open.is_empty() || frame.segment == self.segment {
            return;
        }
        frame.segment = self.segment;
        let (fun, depth, called, entry) = (frame.fun, frame.depth, frame.called, frame.entry);
        let inside = std::mem::take(&mut self.roots);
        self.add(Kind::Transition, fun, depth, self.segment_from, called, entry);
        let outer = self.open.last().copied();
        inside.iter().for_each(|id| self.nodes[id.0 as usize].parent = outer);
    }

    fn entered(&mut self, system: &System, process: &Process) {
        let (depth, step, entry) = (process.depth() as u32, process.steps(), process.pc());
        self.resume();
        while self.frames.last().is_some_and(|f| f.depth >= depth) {
            self.frames.pop();
        }
        let fun = system.program().code.fun_at(entry);
        self.add(Kind::Call, fun, depth, step, step, entry);
        let segment = self.segment;
        self.frames.push(Frame { depth, fun, called: step, entry, segment });
    }

    /// All calls above the process's depth have ended.
    fn unwound(&mut self, process: &Process, end: End) {
        let depth = process.depth() as u32;
        while self.frames.last().is_some_and(|f| f.depth > depth) {
            self.resume();
            self.frames.pop();
            let below = self.frames.last().map_or(0, |f| f.depth + 1).max(depth + 1);
            while let Some(id) = self.open.last().copied().filter(|id| self.depth_of(*id) >= below)
            {
                self.open.pop();
                self.close(id, process.steps(), process.pc(), end);
            }
        }
    }

    /// The clauses of the receive of this segment may join here.
    fn joined(&mut self, process: &Process) {
        let Some(id) = self.open.last().copied() else { return };
        let node = self.nodes[id.0 as usize];
        if node.kind == Kind::Receive && node.depth == process.depth() as u32 {
            self.open.pop();
            self.close(id, process.steps(), process.pc(), End::Value);
        }
    }

    /// A receive takes a message or times out: a new segment begins.
    fn took(&mut self, process: &Process) {
        let (step, pc) = (process.steps(), process.pc());
        self.suspend(step, pc, End::Receive);
        self.segment += 1;
        self.segment_from = step;
        self.resume();
        let Some(frame) = self.frames.last() else { return };
        let (fun, called) = (frame.fun, frame.called);
        self.add(Kind::Receive, fun, process.depth() as u32, step, called, pc);
    }

    /// Everything open stops where the process stands.
    fn suspend(&mut self, step: u64, pc: Pc, end: End) {
        for id in std::mem::take(&mut self.open) {
            self.close(id, step, pc, end);
        }
        self.roots.clear();
    }

    fn finish(mut self, system: &System, process: &Process) {
        let total = system.execution().proc(self.proc).steps;
        match system.execution().proc(self.proc).exit() {
            Some(exited) if exited.killed_by.is_some() => {
                self.suspend(total, PROCESS_END, End::Killed);
            }
            Some(exited) => {
                let end = if exited.value.is_some() { End::Value } else { End::Raised };
                while !self.frames.is_empty() {
                    self.resume();
                    self.frames.pop();
                    if self.frames.last().is_some_and(|f| f.segment != self.segment) {
                        self.suspend_keeping_roots(total, end);
                    }
                }
                self.suspend(total, PROCESS_END, end);
            }
            None if process.is_waiting() => self.blocked(system, process),
            None => self.suspend(total, process.pc(), End::Running),
        }
    }

    /// Closes what is open; what contains it may still come.
    fn suspend_keeping_roots(&mut self, to: u64, end: End) {
        for id in std::mem::take(&mut self.open) {
            self.close(id, to, PROCESS_END, end);
        }
    }

    fn blocked(&mut self, system: &System, process: &Process) {
        let (step, pc) = (process.steps(), process.pc());
        let fun = system.program().code.fun_at(pc);
        match self.frames.last() {
            Some(frame) if frame.depth == process.depth() as u32 && frame.fun == fun => {
                let called = frame.called;
                self.suspend(step, pc, End::Receive);
                let depth = process.depth() as u32;
                self.add(Kind::Blocked, fun, depth, step, called, pc);
                self.suspend(u64::MAX, pc, End::Blocked);
            }
            // It waits inside a function that is trusted.
            _ => self.suspend(step, pc, End::Blocked),
        }
    }
}
