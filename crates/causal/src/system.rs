//! The living end of an execution: processes that run, and the events they add.

mod advance;
mod birth;
mod fork;
mod live;

use crate::execution::*;
use crate::ready::Ready;
use crate::requests::Handler;
use crate::schedule::{Choice, Schedule};
use crate::timer::Timers;
use crate::world::World;
use reverl_machine::{MessageId, Process, Program, Watch};
use reverl_term::{Atom, Pid, Term, atoms};
use std::cell::Ref;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

pub struct System {
    pub(crate) world: World,
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

pub use fork::Moment;
pub(crate) use live::Watched;
pub use live::{Alias, Live, Watcher};

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

impl System {
    /// What this system shares with the other executions of its program.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The code. Nothing that can load a module may happen while the answer is kept.
    pub fn program(&self) -> Ref<'_, Program> {
        self.world.program()
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
        self.live[proc.0 as usize].process.snapshot(&self.world.program())
    }

    pub fn set_instant(&mut self, instant: bool) {
        self.instant = instant;
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
