//! The living end of an execution: processes that run, and the events they add.

mod fork;

use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::chunked::Chunked;
use crate::execution::*;
use crate::object::{Object, Value};
use crate::ready::{Ready, Turn, Turns};
use crate::requests::{self, Handler, Reply};
use crate::schedule::{Choice, Schedule};
use crate::timer::Timers;
use reverl_lang::code::Pc;
use reverl_lang::forms::Module;
use reverl_lang::source::SourceMap;
use reverl_machine::{
    Class, Ending, Local, Message, MessageId, Process, Program, Resource, Stop, Watch,
};
use reverl_term::{Atom, Pid, Term, View, atoms};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Where modules come from.
pub trait Loader {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module>;
}

/// What only the outside knows: asked once, recorded for ever.
pub trait Outside {
    /// A line of standard input with its newline; `None` at its end.
    fn read_line(&mut self) -> Option<String>;
    /// The contents of a file, or the reason (`enoent`, ..) why not.
    fn read_file(&mut self, path: &str) -> Result<Vec<u8>, Atom>;
    fn environment(&mut self, name: &str) -> Option<String>;
    /// Bytes that nobody can foresee.
    fn random_bytes(&mut self, n: usize) -> Vec<u8>;
    /// Shown as it comes.
    fn output(&mut self, text: &str);
    /// How many bytes of memory are in use; 0 if nobody knows.
    fn memory_used(&mut self) -> u64 {
        0
    }
}

pub struct System {
    pub program: Program,
    pub execution: Execution,
    pub(crate) live: Vec<Live>,
    ready: Ready,
    /// Signals on their way, by receiver and sender: each queue keeps its order.
    pub(crate) network: BTreeMap<(ProcId, ProcId), VecDeque<SignalId>>,
    pub(crate) timers: Timers,
    pub(crate) tables: crate::ets::Index,
    /// Nanoseconds since the start, in virtual time.
    pub(crate) now: u64,
    pub(crate) instant: bool,
    pub(crate) halted: Option<i32>,
    pub(crate) loader: Box<dyn Loader>,
    pub(crate) outside: Box<dyn Outside>,
    /// Signals of the request in hand that arrive as soon as it is recorded.
    pub(crate) arriving: Vec<SignalId>,
    /// While the past is lived again: the answer that the request in hand had then.
    pub(crate) answers: Option<Result<Term, reverl_machine::Raise>>,
    /// While the past is lived again: the number that a dead process's answer had then.
    pub(crate) answer_number: Option<u32>,
    /// The request in hand changed the process's own state.
    local_changed: bool,
    handlers: &'static [Option<Handler>],
    pub main: ProcId,
    pub(crate) held: Option<crate::held::Held>,
    /// Instructions before which a running process stops.
    pub watch: Watch,
    /// How often the limits were looked at.
    looked: u32,
    /// Whether `take` lets a process go on after it has acted.
    pub until: Until,
    /// What happened last.
    pub last: Option<(Choice, Progress)>,
    /// The processes that are there from the start.
    pub(crate) roots: Rc<[Root]>,
    /// The names that processes of ours have or had, if others belong to processes that are not
    /// here (see `System::name_others`).
    pub(crate) own_names: Option<Rc<HashSet<Atom>>>,
    /// Who made an alias whose reference was given.
    pub(crate) given_aliases: HashMap<Term, ProcId>,
}

/// A process that nobody spawned.
#[derive(Clone)]
pub struct Root {
    pub pid: Pid,
    pub path: Rc<str>,
    pub entry: Entry,
    pub group_leader: Term,
    /// Not one of the program's own; it starts when the first message for it arrives.
    pub is_system: bool,
    pub names: Vec<Atom>,
    pub trap_exit: bool,
}

/// The running side of a process.
pub struct Live {
    pub process: Process,
    pub checkpoints: Checkpoints,
    turn: Turn,
    /// Apart, because most processes have none.
    relations: Option<Box<Relations>>,
    pub(crate) name: Option<Atom>,
    wait: Option<Wait>,
}

/// The time of a receive that has an `after`.
#[derive(Clone, Copy)]
enum Wait {
    Until(crate::timer::Key),
    /// It is over, but a message had come before that the process has not looked at yet.
    Over,
}

/// What ties a process to others.
#[derive(Clone, Default)]
pub(crate) struct Relations {
    pub links: BTreeSet<ProcId>,
    /// Who monitors this process: reference, watcher, how it named this one, tag of the message.
    pub watchers: Vec<Watcher>,
    /// What this process monitors.
    pub monitors: HashMap<Term, Watched>,
    pub aliases: HashMap<Term, Alias>,
}

#[derive(Clone, Copy)]
pub(crate) struct Watched {
    pub proc: ProcId,
    /// An answer through its alias has ended it on this side; the other does not know.
    pub is_answered: bool,
}

impl Watched {
    pub fn new(proc: ProcId) -> Watched {
        Watched { proc, is_answered: false }
    }
}

#[derive(Clone)]
pub struct Watcher {
    pub reference: Term,
    pub watcher: ProcId,
    pub what: Term,
    pub tag: Term,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alias {
    Explicit,
    /// Ends with the monitor.
    Demonitor,
    /// Ends with the first message through it.
    Reply,
}

impl Turns for Vec<Live> {
    #[inline]
    fn turn(&self, proc: ProcId) -> Turn {
        self[proc.0 as usize].turn
    }

    #[inline]
    fn set_turn(&mut self, proc: ProcId, turn: Turn) {
        self[proc.0 as usize].turn = turn;
    }
}

impl Live {
    pub(crate) fn relations(&self) -> Option<&Relations> {
        self.relations.as_deref()
    }

    /// Only where there is something to add or to look for.
    pub(crate) fn relations_mut(&mut self) -> &mut Relations {
        self.relations.get_or_insert_default()
    }

    /// All of them, at its end.
    pub(crate) fn take_relations(&mut self) -> Relations {
        self.relations.take().map_or_else(Relations::default, |relations| *relations)
    }

    /// The name it is registered under now.
    pub fn name(&self) -> Option<Atom> {
        self.name
    }
}

pub use fork::Moment;

/// What came of letting a process run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It used its steps and can go on.
    Paused,
    /// It did something that others can notice, and can go on.
    Acted,
    /// It is about to execute a watched instruction.
    Watched,
    /// It waits for a message or a time-out.
    Blocked,
    Exited,
}

/// When a process that runs gives control back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Until {
    Limit,
    /// After each action.
    Action,
}

/// Nanoseconds of virtual time that a step takes.
const STEP_NS: u64 = 10;
const FIRST_PID: u32 = 83;
const CONSOLE_PID: u32 = 64;

impl System {
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
        };
        let main = Root {
            pid: local_pid(FIRST_PID),
            path: "P".into(),
            entry,
            group_leader: leader,
            is_system: false,
            names: vec![],
            trap_exit: false,
        };
        System::booted(program, loader, outside, [console, main].into())
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
        System::booted(program, loader, outside, roots)
    }

    /// As `new`, for a program that has been used before.
    pub(crate) fn booted(
        program: Program,
        loader: Box<dyn Loader>,
        outside: Box<dyn Outside>,
        roots: Rc<[Root]>,
    ) -> System {
        let handlers = requests::index(&program);
        let main = roots.iter().position(|r| !r.is_system).unwrap_or(0);
        let mut system = System {
            program,
            execution: Execution::default(),
            live: vec![],
            ready: Ready::default(),
            network: BTreeMap::new(),
            timers: Timers::default(),
            tables: crate::ets::Index::default(),
            now: 0,
            instant: true,
            halted: None,
            loader,
            outside,
            arriving: vec![],
            answers: None,
            answer_number: None,
            local_changed: false,
            handlers,
            main: ProcId(main as u32),
            held: None,
            watch: Watch::default(),
            looked: 0,
            until: Until::Limit,
            last: None,
            roots: roots.clone(),
            own_names: None,
            given_aliases: HashMap::new(),
        };
        for root in roots.iter() {
            let Root { pid, path, entry, group_leader, is_system, names, trap_exit } = root.clone();
            let id = system.add_proc(None, pid, &path, entry, group_leader, is_system);
            system.live[id.0 as usize].process.local.trap_exit = trap_exit;
            if is_system {
                // It starts when the first request for it arrives.
                system.unready(id);
            }
            let start = EventRef::action(id, 0);
            for name in names {
                system.live[id.0 as usize].name = Some(name);
                system.execution.objects.write(Object::Name(name), start, Value::Proc(id));
            }
        }
        system.execution.objects.of_event.clear();
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
        self.live.push(live);
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
        self.live[id.0 as usize] = self.start(&entry, pid, group_leader.clone());
        let p = self.execution.proc_mut(id);
        p.parent = parent;
        p.path = path.into();
        p.entry = entry;
        p.group_leader = group_leader;
        p.is_system = is_system;
        p.is_spawned = true;
        self.ready.push_back(id, &mut self.live);
    }

    fn start(&mut self, entry: &Entry, pid: Pid, group_leader: Term) -> Live {
        let mut local = Local::new(pid, group_leader);
        local.initial_call = entry.mfa();
        let process = crate::boot::start(&self.program, entry, local);
        Live {
            process,
            checkpoints: Checkpoints::default(),
            turn: 0,
            relations: None,
            name: None,
            wait: None,
        }
    }

    /// A new child of `parent`, by the action that is being recorded.
    pub(crate) fn spawn(&mut self, parent: ProcId, entry: Entry) -> ProcId {
        let action = self.execution.proc(parent).actions.len() as u32;
        let p = self.execution.proc_mut(parent);
        p.children += 1;
        let k = p.children;
        let path = format!("{}.{k}", p.path);
        let leader = self.live(parent).process.local.group_leader.clone();
        let is_system = self.execution.proc(parent).is_system;
        let by = Some((parent, action));
        if let Some(id) = self.execution.minted.get(&(parent, k)).copied() {
            self.begin(id, by, &path, entry, leader, is_system);
            return id;
        }
        let next = FIRST_PID + self.execution.procs.len() as u32 - 1;
        let id = self.add_proc(by, local_pid(next), &path, entry, leader, is_system);
        self.execution.minted.insert((parent, k), id);
        id
    }

    pub fn live(&self, proc: ProcId) -> &Live {
        &self.live[proc.0 as usize]
    }

    pub(crate) fn live_mut(&mut self, proc: ProcId) -> &mut Live {
        &mut self.live[proc.0 as usize]
    }

    pub fn pid(&self, proc: ProcId) -> Term {
        Term::pid(self.execution.proc(proc).pid)
    }

    pub fn has_exited(&self, proc: ProcId) -> bool {
        self.execution.proc(proc).has_exited
    }

    /// The exit code that the program asked for with `halt`.
    pub fn halted(&self) -> Option<i32> {
        self.halted
    }

    // -- What can happen

    pub fn enabled(&self) -> Vec<Choice> {
        let runs = self.ready.iter(&self.live).map(|proc| Choice::Run { proc, steps: u64::MAX });
        // What is on its way to a process that has ended is lost.
        let queues = self.network.iter().filter(|((to, _), _)| !self.has_exited(*to));
        let deliveries = queues.map(|((to, from), _)| Choice::Deliver { from: *from, to: *to });
        runs.chain(deliveries).collect()
    }

    pub(crate) fn next_ready(&mut self) -> Option<ProcId> {
        self.ready.front(&self.live)
    }

    pub(crate) fn first_in_network(&self) -> Option<(ProcId, ProcId)> {
        self.network.keys().next().map(|(to, from)| (*from, *to))
    }

    pub(crate) fn in_network(&self, from: ProcId, to: ProcId) -> usize {
        self.network.get(&(to, from)).map_or(0, VecDeque::len)
    }

    pub(crate) fn has_timers(&self) -> bool {
        !self.timers.is_empty()
    }

    pub(crate) fn timer_is_due(&self) -> bool {
        self.timers.next().is_some_and(|at| at <= self.now)
    }

    /// Runs by a schedule until nothing can happen, the program halts or `more` says no; it is
    /// asked after each choice.
    pub fn run(&mut self, schedule: &mut dyn Schedule, more: &mut dyn FnMut(&System) -> bool) {
        let instant = self.instant;
        self.instant &= schedule.instant_delivery();
        while self.halted.is_none() {
            let Some(choice) = schedule.next(self) else { break };
            let progress = self.take(choice);
            self.last = Some((choice, progress));
            if !more(self) {
                break;
            }
        }
        self.instant = instant;
    }

    /// The process that has just stopped before a watched instruction.
    pub fn last_watched(&self) -> Option<ProcId> {
        match self.last {
            Some((Choice::Run { proc, .. }, Progress::Watched)) => Some(proc),
            _ => None,
        }
    }

    /// A copy of a living process as it stands.
    pub fn frozen(&mut self, proc: ProcId) -> Process {
        self.live[proc.0 as usize].process.snapshot(&self.program)
    }

    pub fn set_instant(&mut self, instant: bool) {
        self.instant = instant;
    }

    /// Runs one process up to `limit` steps in all.
    pub fn run_one(&mut self, proc: ProcId, limit: u64) -> Progress {
        self.run_until(proc, limit, Until::Limit)
    }

    pub fn run_until(&mut self, proc: ProcId, limit: u64, until: Until) -> Progress {
        if self.has_exited(proc) {
            return Progress::Exited;
        }
        self.unready(proc);
        let before = self.live(proc).process.steps();
        let progress = self.advance(proc, limit, until);
        self.now += (self.live(proc).process.steps() - before) * STEP_NS;
        progress
    }

    /// Lets one enabled thing happen.
    pub fn take(&mut self, choice: Choice) -> Progress {
        match choice {
            Choice::Run { proc, steps } => {
                let limit = self.live(proc).process.steps().saturating_add(steps);
                self.run_until(proc, limit, self.until)
            }
            Choice::Deliver { from, to } => {
                self.deliver_next(from, to);
                Progress::Acted
            }
            Choice::Fire => {
                self.fire();
                Progress::Acted
            }
        }
    }

    pub(crate) fn unready(&mut self, proc: ProcId) {
        self.ready.remove(proc, &mut self.live);
    }

    #[inline]
    pub(crate) fn make_ready(&mut self, proc: ProcId) {
        let p = self.execution.proc(proc);
        // One that was undone may still be known to somebody.
        if self.live(proc).turn == 0 && p.is_spawned && !p.has_exited {
            self.ready.push_back(proc, &mut self.live);
        }
    }

    /// As `make_ready`, but its turn is not over.
    fn make_ready_first(&mut self, proc: ProcId) {
        if !self.has_exited(proc) {
            self.ready.remove(proc, &mut self.live);
            self.ready.push_front(proc, &mut self.live);
        }
    }

    // -- One process

    /// Runs a process up to `limit` steps in all.
    pub(crate) fn advance(&mut self, proc: ProcId, limit: u64, until: Until) -> Progress {
        loop {
            let due = self.checkpoint_due(proc).min(limit);
            let process = &mut self.live[proc.0 as usize].process;
            let stop = match self.watch.is_empty() {
                true => process.run(&mut self.program, due),
                false => process.run_watching(&mut self.program, due, &self.watch),
            };
            self.execution.procs[proc.0 as usize].steps = self.live(proc).process.steps();
            let acted = match stop {
                Stop::Watched => {
                    self.make_ready_first(proc);
                    return Progress::Watched;
                }
                Stop::Limit => {
                    if due < limit {
                        self.checkpoint(proc);
                        if let Some(resource) = self.exhausted(proc) {
                            self.out_of(proc, resource);
                            return Progress::Exited;
                        }
                        continue;
                    }
                    // The limit may lie inside the next instruction, between two of its substeps.
                    self.execution.procs[proc.0 as usize].steps = limit;
                    self.make_ready(proc);
                    return Progress::Paused;
                }
                Stop::Send { to, message } => {
                    self.send_action(proc, &to, message);
                    true
                }
                Stop::Request { builtin, args } => {
                    self.request(proc, builtin, args);
                    true
                }
                Stop::Received(message) => {
                    self.received(proc, message);
                    true
                }
                Stop::Wait { .. } if self.held.is_some() => return Progress::Blocked,
                Stop::Wait { timeout } if self.is_time_over(proc, timeout) => {
                    // The time-out is a step of its own.
                    if limit <= self.live(proc).process.steps() {
                        self.make_ready(proc);
                        return Progress::Paused;
                    }
                    self.time_out(proc);
                    true
                }
                Stop::Wait { timeout } => {
                    self.wait(proc, timeout);
                    return Progress::Blocked;
                }
                Stop::Load(module) => {
                    self.load(module);
                    false
                }
                Stop::Ended => {
                    // The exit is a step of its own.
                    if limit <= self.live(proc).process.steps() {
                        self.make_ready(proc);
                        return Progress::Paused;
                    }
                    self.ended(proc);
                    return Progress::Exited;
                }
                Stop::OutOf(resource) => {
                    self.out_of(proc, resource);
                    return Progress::Exited;
                }
            };
            if self.has_exited(proc) {
                return Progress::Exited;
            }
            if self.halted.is_some() {
                self.make_ready(proc);
                return Progress::Paused;
            }
            if acted && until == Until::Action {
                self.make_ready(proc);
                return Progress::Acted;
            }
        }
    }

    #[inline]
    pub(crate) fn checkpoint_due(&self, proc: ProcId) -> u64 {
        self.live(proc).checkpoints.due(self.program.limits.checkpoint)
    }

    pub(crate) fn checkpoint(&mut self, proc: ProcId) {
        let actions = self.execution.proc(proc).actions.len();
        let live = &mut self.live[proc.0 as usize];
        let process = live.process.snapshot(&self.program);
        live.checkpoints.push(Checkpoint { process, actions }, self.program.limits.checkpoint);
    }

    /// The limit that a long-running process has reached. Memory is looked at now and then only.
    pub(crate) fn exhausted(&mut self, proc: ProcId) -> Option<Resource> {
        if self.live(proc).process.stack().size() > self.program.limits.stack {
            return Some(Resource::Stack);
        }
        self.looked += 1;
        if self.looked % 16 == 0 && self.outside.memory_used() > self.program.limits.memory {
            return Some(Resource::Memory);
        }
        None
    }

    pub fn load(&mut self, module: Atom) {
        match self.loader.load(module, &mut self.program.code.sources) {
            Some(loaded) => self.program.load(&loaded),
            None => self.program.set_missing(module),
        }
    }

    /// The event that the request in hand is going to be.
    pub(crate) fn upcoming(&self, proc: ProcId) -> EventRef {
        EventRef::action(proc, self.execution.proc(proc).actions.len())
    }

    /// `pc` is the instruction that does it.
    #[inline(always)]
    pub(crate) fn record(&mut self, proc: ProcId, step: u64, pc: Pc, deed: Deed) {
        let order = self.execution.event_count() as u32;
        self.execution.order.push_action(proc);
        self.execution.procs[proc.0 as usize].actions.push(Action { step, order, pc, deed });
    }

    pub(crate) fn request(&mut self, proc: ProcId, builtin: u32, args: Vec<Term>) {
        let Reply { answer, effect } = match self.handlers[builtin as usize] {
            Some(handler) => handler(self, proc, &args),
            None => Reply::raise(reverl_machine::Raise::error(Term::atom(atoms::UNDEF))),
        };
        // Inputs are what they were when the past is lived again.
        let old = self.old_answer();
        let is_given = old.is_some();
        let answer = old.unwrap_or(answer);
        let given = answer.clone();
        let step = self.live(proc).process.steps();
        let changed = std::mem::take(&mut self.local_changed);
        let local = changed.then(|| Box::new(self.live(proc).process.local.clone()));
        let answered = Answered { builtin, args, answer, effect, local, is_given };
        let process = &self.live(proc).process;
        let pc = match requests::is_stand_in(builtin) {
            // Who called the function that this stands in for.
            true => process.stack().return_to().map_or(process.pc(), |ret| ret - 1),
            false => process.pc(),
        };
        self.record(proc, step, pc, Deed::request(answered));
        let live = &mut self.live[proc.0 as usize];
        live.process.answer(&self.program, given);
        let arriving = std::mem::take(&mut self.arriving);
        if self.instant {
            arriving.into_iter().for_each(|signal| self.deliver(signal));
        }
    }

    /// The process's own state, for a request that changes it.
    pub(crate) fn local_mut(&mut self, proc: ProcId) -> &mut Local {
        self.local_changed = true;
        &mut self.live[proc.0 as usize].process.local
    }

    /// A reference that a request makes: the one in the answer that is given, if there is one.
    pub(crate) fn new_ref(&mut self, proc: ProcId) -> Term {
        let given = match &self.answers {
            Some(Ok(value)) => match value.view() {
                View::Ref(_) => Some(value.clone()),
                View::Tuple([_, reference]) => Some(reference.clone()),
                _ => None,
            },
            _ => None,
        };
        match given {
            Some(reference) => {
                self.given_aliases.insert(reference.clone(), proc);
                reference
            }
            None => self.local_mut(proc).make_ref(),
        }
    }

    pub(crate) fn received(&mut self, proc: ProcId, message: Message) {
        let signal = signal_of(message.id);
        let index = self.execution.proc(proc).actions.len() as u32;
        self.execution.signal_mut(signal).receive = crate::execution::Maybe::some(index);
        let process = &self.live(proc).process;
        // The process already stands behind the instruction.
        self.record(proc, process.steps(), process.pc() - 1, Deed::receive(signal));
        self.stop_waiting(proc);
    }

    fn stop_waiting(&mut self, proc: ProcId) {
        if let Some(Wait::Until(key)) = self.live_mut(proc).wait.take() {
            self.timers.cancel(key);
        }
    }

    /// A receive found nothing: whether that is the end of it.
    fn is_time_over(&self, proc: ProcId, timeout: Option<u64>) -> bool {
        timeout == Some(0) || matches!(self.live(proc).wait, Some(Wait::Over))
    }

    fn wait(&mut self, proc: ProcId, timeout: Option<u64>) {
        if let (Some(ms), None) = (timeout, self.live(proc).wait) {
            let key = self.timers.wake(self.now + ms * 1_000_000, proc);
            self.live_mut(proc).wait = Some(Wait::Until(key));
        }
    }

    pub(crate) fn time_out(&mut self, proc: ProcId) {
        self.stop_waiting(proc);
        self.execution.proc_mut(proc).add_timeout();
        let live = self.live_mut(proc);
        live.process.time_out();
        // The step that follows is the time-out's own.
        let (step, pc) = (live.process.steps() + 1, live.process.pc() - 1);
        self.record(proc, step, pc, Deed::timeout());
        self.make_ready(proc);
    }

    fn fire(&mut self) {
        let Some((at, timer)) = self.timers.pop() else { return };
        self.now = self.now.max(at);
        match timer {
            crate::timer::Timer::Wake(proc) => {
                let live = self.live_mut(proc);
                live.wait = Some(Wait::Over);
                // A message that has come in time is looked at first.
                if live.process.is_waiting() {
                    self.time_out(proc);
                }
            }
            crate::timer::Timer::Send(send) => self.timer_fired(send),
        }
    }

    /// Lets the timer that an action started fire now.
    pub(crate) fn fire_timer_of(&mut self, owner: ProcId, started_by: u32) -> Option<()> {
        let (at, timer) = self.timers.take_of(owner, started_by)?;
        self.now = self.now.max(at);
        self.timer_fired(timer);
        Some(())
    }

    // -- Ends

    pub(crate) fn out_of(&mut self, proc: ProcId, resource: Resource) {
        let what = match resource {
            Resource::Stack => "stack",
            Resource::Memory => "memory",
        };
        let limit = Term::tuple(vec![Term::atom(atoms::SYSTEM_LIMIT), Term::atom(Atom::new(what))]);
        self.live_mut(proc).process.kill(limit);
        self.ended(proc);
    }

    /// The process has ended by itself.
    pub(crate) fn ended(&mut self, proc: ProcId) {
        let (reason, exception, value) = match self.live(proc).process.ending() {
            Some(Ending::Value(value)) => (Term::atom(atoms::NORMAL), None, Some(value.clone())),
            Some(Ending::Exception(e)) => (self.exit_reason(e), Some(e.clone()), None),
            None => unreachable!("it has ended"),
        };
        self.exit(proc, reason, exception, value, None);
    }

    fn exit_reason(&self, e: &reverl_machine::Exception) -> Term {
        let with_trace = |reason: Term| {
            let trace = reverl_machine::raise::show_trace(&self.program.code, &e.trace);
            Term::tuple(vec![reason, trace])
        };
        match e.class {
            Class::Exit => e.reason.clone(),
            Class::Error => with_trace(e.reason.clone()),
            Class::Throw => {
                with_trace(Term::tuple(vec![Term::atom(atoms::NOCATCH), e.reason.clone()]))
            }
        }
    }

    pub(crate) fn forget_wait(&mut self, proc: ProcId) {
        self.stop_waiting(proc);
        self.unready(proc);
    }
}

pub(crate) fn local_pid(id: u32) -> Pid {
    Pid { node: atoms::NONODE, id, serial: 0, creation: 0 }
}

pub(crate) fn message_id(signal: SignalId) -> MessageId {
    MessageId(u64::from(signal.from.0) << 32 | u64::from(signal.k))
}

pub(crate) fn signal_of(id: MessageId) -> SignalId {
    SignalId { from: ProcId((id.0 >> 32) as u32), k: id.0 as u32 }
}
