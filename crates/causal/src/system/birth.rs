//! How a system and its processes begin.

use super::{Elsewhere, InHand, Present, Root, RunningProcess, System, local_pid};
use crate::chunked::Chunked;
use crate::execution::*;
use crate::object::{Object, Value};
use crate::requests;
use crate::world::{Loader, Outside, World};
use reverl_machine::builtins::control::CONSOLE_PID;
use reverl_machine::{Local, Program, Watch};
use reverl_term::{Atom, Pid, Term};
use std::cell::RefCell;
use std::rc::Rc;

const FIRST_PID: u32 = 83;

impl System {
    /// A system that is about to run a call in its main process.
    pub fn new(
        mut program: Program,
        loader: Box<dyn Loader>,
        outside: Box<dyn Outside>,
        entry: Entry,
    ) -> System {
        crate::boot::load(&mut program);
        let leader = Term::pid(local_pid(CONSOLE_PID));
        let console = Root {
            pid: local_pid(CONSOLE_PID),
            path: "console".into(),
            entry: Entry::Call {
                module: Atom::new("reverl_console"),
                name: Atom::new("loop"),
                args: Term::nil(),
            },
            group_leader: leader.clone(),
            is_system: true,
            names: vec![Atom::new("user")],
            trap_exit: false,
            node: NodeId::FIRST,
            is_node: false,
        };
        let main = Root {
            pid: local_pid(FIRST_PID),
            path: "P".into(),
            entry,
            group_leader: leader,
            is_system: false,
            names: vec![],
            trap_exit: false,
            node: NodeId::FIRST,
            is_node: false,
        };
        System::booted(World::new(program, loader, outside), [console, main].into())
    }

    /// A system whose first processes are these; the first that is the program's own is the main
    /// one.
    pub fn with_roots(
        mut program: Program,
        loader: Box<dyn Loader>,
        outside: Box<dyn Outside>,
        roots: Rc<[Root]>,
    ) -> System {
        crate::boot::load(&mut program);
        System::booted(World::new(program, loader, outside), roots)
    }

    /// Another execution of the same program, which begins with another call.
    pub fn begun_with(&self, entry: Entry) -> System {
        let mut roots = self.roots.to_vec();
        roots[self.main.0 as usize].entry = entry;
        System::booted(self.world.clone(), roots.into())
    }

    /// As `new`, for a program that has been used before.
    pub(crate) fn booted(world: World, roots: Rc<[Root]>) -> System {
        let handlers = requests::index();
        let main = roots.iter().position(|r| !r.is_system).unwrap_or(0);
        let mut system = System {
            world,
            execution: Execution::default(),
            present: Present::default(),
            in_hand: InHand::default(),
            handlers,
            main: ProcId(main as u32),
            watch: Watch::default(),
            call_watch: None,
            looked: 0,
            roots: roots.clone(),
            elsewhere: Elsewhere::default(),
        };
        for root in roots.iter() {
            let Root { pid, path, entry, group_leader, is_system, names, trap_exit, node, is_node } =
                root.clone();
            let id = system.add_proc(None, pid, &path, entry.clone(), group_leader, is_system);
            system.execution.proc_mut(id).node = node;
            system.present.running[id.0 as usize].process.local.trap_exit = trap_exit;
            if is_node {
                system.be_node(id, node, pid.node, entry);
                let named = Object::NodeNamed(pid.node);
                system.execution.objects.begin_with(named, Value::Proc(id));
            } else if is_system {
                // It starts when the first request for it arrives.
                system.unready(id);
            }
            for name in names {
                system.present.running[id.0 as usize].name = Some(name);
                system.execution.objects.begin_with(Object::Name(node, name), Value::Proc(id));
            }
        }
        system
    }

    fn add_proc(
        &mut self,
        parent: Option<(ProcId, u32)>,
        pid: Pid,
        path: &str,
        entry: Entry,
        group_leader: Term,
        is_system: bool,
    ) -> ProcId {
        let id = ProcId(self.execution.procs.len() as u32);
        self.reserve(pid, entry.clone(), group_leader.clone());
        self.begin(id, parent, path, entry, group_leader, is_system);
        id
    }

    /// Makes room for a process that may come.
    pub(crate) fn reserve(&mut self, pid: Pid, entry: Entry, group_leader: Term) {
        let id = ProcId(self.execution.procs.len() as u32);
        self.reserve_unnamed(pid, entry, group_leader);
        self.execution.set_pid(pid, id);
    }

    /// Room that nobody can name.
    pub(crate) fn reserve_unnamed(&mut self, pid: Pid, entry: Entry, group_leader: Term) {
        let live = self.start(&entry, pid, group_leader.clone());
        self.execution.procs.push(Proc {
            pid,
            parent: None,
            path: "".into(),
            entry,
            group_leader,
            seen: None,
            node: NodeId::FIRST,
            is_system: false,
            is_spawned: false,
            has_exited: false,
            actions: Chunked::default(),
            deliveries: Chunked::default(),
            signals: Chunked::default(),
            rare: None,
            steps: 0,
            children: 0,
        });
        self.present.running.push(live);
    }

    /// A process for which there is room begins.
    fn begin(
        &mut self,
        id: ProcId,
        parent: Option<(ProcId, u32)>,
        path: &str,
        entry: Entry,
        group_leader: Term,
        is_system: bool,
    ) {
        let pid = self.execution.proc(id).pid;
        self.present.running[id.0 as usize] = self.start(&entry, pid, group_leader.clone());
        let p = self.execution.proc_mut(id);
        p.parent = parent;
        p.path = path.into();
        p.entry = entry;
        p.group_leader = group_leader;
        p.seen = self.present.editions.current.clone();
        p.is_system = is_system;
        p.is_spawned = true;
        self.present.ready.push_back(id, &mut self.present.running);
    }

    fn start(&mut self, entry: &Entry, pid: Pid, group_leader: Term) -> RunningProcess {
        let mut local = Local::new(pid, group_leader);
        local.initial_call = entry.mfa();
        local.seen = self.present.editions.current.clone();
        let process = crate::boot::start(&self.world.program(), entry, local);
        RunningProcess {
            process,
            checkpoints: RefCell::default(),
            turn: 0,
            relations: None,
            name: None,
            wait: None,
            traces_calls: false,
        }
    }

    /// A new child of `parent`, by the action that is being recorded.
    pub(crate) fn spawn(&mut self, parent: ProcId, entry: Entry, node: NodeId) -> ProcId {
        let action = self.execution.proc(parent).actions.len() as u32;
        self.change_population(self.upcoming(parent), node);
        let p = self.execution.proc_mut(parent);
        p.children += 1;
        let k = p.children;
        let path = format!("{}.{k}", p.path);
        let leader = self.running(parent).process.local.group_leader.clone();
        // What a node's own process starts is the node's, not the program's.
        let is_system = self.execution.proc(parent).is_system || self.is_of_node(parent);
        let by = Some((parent, action));
        let minted = self.execution.minted.get(&(parent, k)).copied();
        let id = minted.unwrap_or(ProcId(self.execution.procs.len() as u32));
        if minted.is_none() {
            let next = local_pid(FIRST_PID + id.0 - 1);
            self.reserve(next, entry.clone(), leader.clone());
            self.execution.minted.insert((parent, k), id);
        }
        self.settle(id, node);
        self.begin(id, by, &path, entry, leader, is_system);
        id
    }

    /// A process that is about to begin belongs to a node: its identifier says to which.
    fn settle(&mut self, id: ProcId, node: NodeId) {
        let p = self.execution.proc_mut(id);
        p.node = node;
        if node == NodeId::FIRST {
            return;
        }
        let name = self.execution.proc(ProcId(node.0)).pid.node;
        let pid = Pid { node: name, creation: node.0, ..self.execution.proc(id).pid };
        self.execution.proc_mut(id).pid = pid;
        self.execution.set_pid(pid, id);
    }

    /// A new node of this name, by the action that is being recorded: its process.
    pub(crate) fn start_node(&mut self, parent: ProcId, name: Atom, entry: Entry) -> ProcId {
        let id = self.spawn(parent, entry.clone(), NodeId::FIRST);
        self.be_node(id, NodeId(id.0), name, entry);
        id
    }

    /// A process is that of a node from its beginning on.
    fn be_node(&mut self, id: ProcId, node: NodeId, name: Atom, entry: Entry) {
        let p = self.execution.proc_mut(id);
        if node != NodeId::FIRST {
            p.pid = Pid { node: name, creation: node.0, ..p.pid };
        }
        p.node = node;
        let (pid, leader) = (p.pid, p.group_leader.clone());
        self.execution.set_pid(pid, id);
        let turn = self.present.running[id.0 as usize].turn;
        self.present.running[id.0 as usize] = self.start(&entry, pid, leader);
        self.present.running[id.0 as usize].turn = turn;
        if !self.execution.nodes.contains(&id) {
            self.execution.nodes.push(id);
        }
    }
}
