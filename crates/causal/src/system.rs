//! The living end of an execution: processes that run, and the events they add.

mod advance;
mod birth;
mod by_hand;
mod fork;
mod live;

use crate::execution::*;
use crate::held::HeldMessages;
use crate::ready::Ready;
use crate::requests::Handler;
use crate::schedule::Schedule;
use crate::step::{Happened, Step, Until};
use crate::timer::{RunningTimer, Timer, Timers};
use crate::world::World;
use reverl_machine::{MessageId, Process, Program, Watch};
use reverl_term::{Atom, Pid, Term, atoms};
use std::cell::Ref;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// A program that runs: what has happened, what there is now, and what it runs in.
pub struct System {
    pub(crate) world: World,
    /// invariant: only `step` and what it calls write to it, and it only grows.
    pub(crate) execution: Execution,
    pub(crate) present: Present,
    pub(crate) in_hand: InHand,
    handlers: &'static [Option<Handler>],
    /// The process that runs the program's entry call.
    pub main: ProcId,
    /// Instructions before which a running process stops.
    pub watch: Watch,
    /// Where traced calls begin, as far as it is known.
    pub(crate) call_watch: Option<Rc<reverl_machine::tracing::CallWatch>>,
    /// How often the limits were looked at.
    looked: u32,
    /// The processes that are there from the start.
    pub(crate) roots: Rc<[Root]>,
    pub(crate) elsewhere: Elsewhere,
}

/// What there is now: all that its processes change besides the execution, which tells how it came
/// to this.
#[derive(Default)]
pub(crate) struct Present {
    pub running: Vec<RunningProcess>,
    pub ready: Ready,
    /// Signals on their way, by receiver and sender: each queue keeps its order.
    pub network: BTreeMap<(ProcId, ProcId), VecDeque<SignalId>>,
    pub timers: Timers,
    pub tables: crate::ets::Index,
    /// Nanoseconds since the start, in virtual time.
    pub now: u64,
    pub arrivals: Arrivals,
    /// The exit code, once the program has asked for it with `halt`.
    pub halted: Option<i32>,
    /// Which versions of modules are current.
    pub editions: crate::requests::Editions,
    /// Somebody has been traced: only then need anybody look.
    pub has_tracing: bool,
    /// How processes are traced from their beginning on.
    pub traced_new: Option<crate::tracing::Traced>,
}

/// What goes with the request that is being answered.
#[derive(Default)]
pub(crate) struct InHand {
    /// The answer that it is given.
    pub given: Option<Result<Term, reverl_machine::Raise>>,
    /// The number that a dead process's answer had in the past that is replayed.
    pub answer_number: Option<u32>,
    /// It changed the process's own state.
    pub local_changed: bool,
}

/// What is known of processes that are not in this system, because a recording left them out.
#[derive(Clone, Default)]
pub(crate) struct Elsewhere {
    /// The names that processes of ours have or had, if others belong to processes elsewhere (see
    /// `System::name_others`).
    pub own_names: Option<Rc<HashSet<Atom>>>,
    /// The names that nobody had when something was sent to them, which was an error.
    refused_names: HashSet<Atom>,
    /// The processes of ours that were told of somebody who is not there, if others are known not to have been (see
    /// `System::tell_of_nobody`).
    pub told_of_nobody: Option<Rc<HashSet<Pid>>>,
    /// Who made an alias whose reference was given.
    pub given_aliases: HashMap<Term, ProcId>,
    /// The recording ends before the node did.
    pub is_unfinished: bool,
}

impl Elsewhere {
    /// Whether a name that nobody has here may belong to a process elsewhere.
    pub fn may_have(&mut self, name: Atom) -> bool {
        let may = self.own_names.as_ref().is_some_and(|own| !own.contains(&name));
        if !may {
            self.refused_names.insert(name);
        }
        may
    }

    /// Whether a process that is not in this system is there for this one, which links to it or watches it.
    pub fn may_be_there_for(&self, pid: Pid) -> bool {
        self.told_of_nobody.as_ref().is_some_and(|told| !told.contains(&pid))
    }

    /// A process elsewhere has this name. What was an error before stays one.
    pub fn has(&mut self, name: Atom) {
        if let Some(own) = &mut self.own_names {
            if own.contains(&name) && !self.refused_names.contains(&name) {
                Rc::make_mut(own).remove(&name);
            }
        }
    }
}

/// A process that nobody spawned.
#[derive(Clone)]
pub struct Root {
    /// Its identifier.
    pub pid: Pid,
    /// Its name that is the same in all executions.
    pub path: Rc<str>,
    /// What it runs.
    pub entry: Entry,
    /// Its group leader.
    pub group_leader: Term,
    /// Not one of the program's own; it starts when the first message for it arrives.
    pub is_system: bool,
    /// The names that it is registered under.
    pub names: Vec<Atom>,
    /// Whether exit signals reach it as messages.
    pub trap_exit: bool,
    /// The node that it runs on.
    pub node: NodeId,
    /// It is the process of that node.
    pub is_node: bool,
}

pub(crate) use advance::STEP_NS;
pub use fork::Moment;
pub use live::{Alias, Asked, RunningProcess, Watcher};
pub(crate) use live::{Relations, Watched};

/// How signals get to their receivers.
#[derive(Clone, Default)]
pub enum Arrivals {
    /// They arrive at the moment they are sent, as on one BEAM node.
    #[default]
    AtOnce,
    /// They wait in a queue for each pair of processes until they are delivered.
    Queued,
    /// They arrive at once, but receives take only what they are told to.
    Held(HeldMessages),
}

impl Arrivals {
    #[inline]
    pub(crate) fn are_at_once(&self) -> bool {
        !matches!(self, Arrivals::Queued)
    }

    #[inline]
    pub(crate) fn held_mut(&mut self) -> Option<&mut HeldMessages> {
        match self {
            Arrivals::Held(held) => Some(held),
            _ => None,
        }
    }

    pub(crate) fn held(&self) -> Option<&HeldMessages> {
        match self {
            Arrivals::Held(held) => Some(held),
            _ => None,
        }
    }
}

impl System {
    /// What has happened so far.
    #[inline]
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// What this system shares with the other executions of its program.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The code. Nothing that can load a module may happen while the answer is kept.
    pub fn program(&self) -> Ref<'_, Program> {
        self.world.program()
    }

    /// The running side of a process.
    pub fn running(&self, proc: ProcId) -> &RunningProcess {
        &self.present.running[proc.0 as usize]
    }

    pub(crate) fn running_mut(&mut self, proc: ProcId) -> &mut RunningProcess {
        &mut self.present.running[proc.0 as usize]
    }

    /// The identifier of a process, as a term.
    pub fn pid(&self, proc: ProcId) -> Term {
        Term::pid(self.execution.proc(proc).pid)
    }

    /// Whether the process has ended.
    pub fn has_exited(&self, proc: ProcId) -> bool {
        self.execution.proc(proc).has_exited
    }

    /// The exit code that the program asked for with `halt`.
    pub fn halted(&self) -> Option<i32> {
        self.present.halted
    }

    // -- What can happen

    /// Everything that can happen now. Time goes on only when nothing else can happen, so a timer
    /// that is not due yet is listed alone.
    pub fn enabled(&self) -> Vec<Step> {
        let run = |proc| Step::Run { proc, until: Until::Steps(u64::MAX) };
        let runs = self.present.ready.iter(&self.present.running).map(run);
        let queues =
            self.present.network.iter().filter(|((to, _), queue)| self.can_arrive(*to, queue));
        let heads = queues.filter_map(|((to, _), queue)| Some((*to, *queue.front()?)));
        let deliveries = heads.map(|(to, signal)| Step::Deliver { signal, to });
        if let Some(end) = self.next_end_with_node() {
            return vec![end];
        }
        let enabled: Vec<Step> = runs.chain(deliveries).collect();
        if enabled.is_empty() { self.next_timer().into_iter().collect() } else { enabled }
    }

    /// Whether it matters that these signals arrive. What is on its way to a process that has ended
    /// is lost, but for links and monitors, which are answered.
    fn can_arrive(&self, to: ProcId, queue: &VecDeque<SignalId>) -> bool {
        let is_answered = |id: &SignalId| {
            matches!(self.execution.kind(*id), SignalKind::Link | SignalKind::Monitor)
        };
        !self.has_exited(to) || queue.iter().any(is_answered)
    }

    /// Whether nothing can happen any more. Held messages and the clock are whoever's who holds
    /// them.
    pub fn is_at_rest(&self) -> bool {
        let is_held = self.present.arrivals.held().is_some();
        let arrives = |((to, _), queue): (&(ProcId, ProcId), &VecDeque<SignalId>)| {
            !queue.is_empty() && self.can_arrive(*to, queue)
        };
        self.present.halted.is_some()
            || self.present.ready.iter(&self.present.running).next().is_none()
                && !self.present.network.iter().any(arrives)
                && (is_held || self.present.timers.is_empty())
    }

    /// What came next is not known: the recording of a node ends before the node did.
    pub fn is_unfinished(&self) -> bool {
        self.elsewhere.is_unfinished
    }

    /// Says that a recording ends before its node did.
    pub fn set_unfinished(&mut self) {
        self.elsewhere.is_unfinished = true;
    }

    /// Whether nothing can happen any more, for all that is known.
    pub fn is_over(&self) -> bool {
        self.is_at_rest() && !self.is_unfinished()
    }

    /// The process whose turn it is.
    pub fn next_ready(&mut self) -> Option<ProcId> {
        self.present.ready.front(&self.present.running)
    }

    pub(crate) fn first_in_network(&self) -> Option<Step> {
        let ((to, _), queue) = self.present.network.first_key_value()?;
        queue.front().map(|signal| Step::Deliver { signal: *signal, to: *to })
    }

    /// The oldest signal that is on its way from one process to another.
    pub fn next_signal(&self, from: ProcId, to: ProcId) -> Option<SignalId> {
        self.present.network.get(&(to, from))?.front().copied()
    }

    /// The arrival of something that a process sent itself: on a node that is there at once.
    pub fn next_to_itself(&self) -> Option<Step> {
        if let Some(end) = self.next_end_with_node() {
            return Some(end);
        }
        let own = self.present.network.iter().filter(|((to, from), _)| to == from);
        let mut live = own.filter(|((to, _), _)| !self.has_exited(*to));
        live.find_map(|((to, _), queue)| {
            queue.front().map(|signal| Step::Deliver { signal: *signal, to: *to })
        })
    }

    /// What the earliest timer does.
    pub fn next_timer(&self) -> Option<Step> {
        self.present.timers.first().map(|(_, timer)| match timer {
            Timer::Wake(proc) => Step::TimeOut { proc: *proc },
            Timer::Send(send) => Step::Fire { owner: send.owner, started_by: send.started_by },
        })
    }

    /// In how many milliseconds the earliest timer does so.
    pub fn next_timer_in(&self) -> Option<u64> {
        let ((at, _), _) = self.present.timers.first()?;
        Some(at.saturating_sub(self.present.now) / 1_000_000)
    }

    /// All timers that run, the next first.
    pub fn running_timers(&self) -> Vec<RunningTimer> {
        let now = self.present.now;
        let timer = |(at, timer): (u64, &Timer)| {
            let milliseconds = at.saturating_sub(now) / 1_000_000;
            match timer {
                Timer::Wake(proc) => RunningTimer { milliseconds, owner: *proc, message: None },
                Timer::Send(send) => {
                    let message = self.execution.signal(send.signal()).message.clone();
                    let message = Some((send.to.clone(), message));
                    RunningTimer { milliseconds, owner: send.owner, message }
                }
            }
        };
        self.present.timers.all().map(timer).collect()
    }

    /// What a timer does whose time has come.
    pub(crate) fn due_timer(&self) -> Option<Step> {
        let is_due =
            self.present.timers.first().is_some_and(|((at, _), _)| *at <= self.present.now);
        if is_due { self.next_timer() } else { None }
    }

    /// Runs by a schedule until nothing can happen, the program halts or `more` says no; it is
    /// asked after each step.
    pub fn run(&mut self, schedule: &mut dyn Schedule, more: &mut dyn FnMut(&System) -> bool) {
        self.run_by(schedule, |system, _, _| more(system));
    }

    /// As `run`, but `more` is told each step and what came of it.
    pub fn run_telling(
        &mut self,
        schedule: &mut dyn Schedule,
        more: &mut dyn FnMut(&System, &Step, Happened) -> bool,
    ) {
        self.run_by(schedule, more);
    }

    #[inline]
    fn run_by(
        &mut self,
        schedule: &mut dyn Schedule,
        mut more: impl FnMut(&System, &Step, Happened) -> bool,
    ) {
        let queued = !schedule.instant_delivery() && self.present.arrivals.are_at_once();
        let before =
            queued.then(|| std::mem::replace(&mut self.present.arrivals, Arrivals::Queued));
        while self.present.halted.is_none() {
            // Read where it was written, field by field: a copy as a whole would have to wait
            // until all that was written before it is in memory.
            let next = schedule.next(self);
            let Some(step) = &next else { break };
            // What a schedule chooses can happen.
            let Ok(happened) = self.step(step) else { break };
            if !more(self, step, happened) {
                break;
            }
        }
        before.into_iter().for_each(|before| self.present.arrivals = before);
    }

    /// A copy of a living process as it stands.
    pub fn frozen(&mut self, proc: ProcId) -> Process {
        self.present.running[proc.0 as usize].process.snapshot(&self.world.program())
    }

    /// From now on signals arrive in this way.
    pub fn set_arrivals(&mut self, arrivals: Arrivals) {
        self.present.arrivals = arrivals;
    }

    #[inline(always)]
    pub(crate) fn unready(&mut self, proc: ProcId) {
        self.present.ready.remove(proc, &mut self.present.running);
    }

    #[inline]
    pub(crate) fn make_ready(&mut self, proc: ProcId) {
        let p = self.execution.proc(proc);
        // One that was undone may still be known to somebody.
        if self.running(proc).turn == 0 && p.is_spawned && !p.has_exited {
            self.present.ready.push_back(proc, &mut self.present.running);
        }
    }

    /// As `make_ready`, but its turn is not over.
    fn make_ready_first(&mut self, proc: ProcId) {
        if !self.has_exited(proc) {
            self.present.ready.remove(proc, &mut self.present.running);
            self.present.ready.push_front(proc, &mut self.present.running);
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
