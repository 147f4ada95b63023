//! A session: one program, its executions, and where we are.
//!
//! The cut says where. Going back or forward inside what has happened moves the cut and nothing
//! else; going on where nothing has happened yet lets the living system run. If the cut is not
//! at the end and something else than the old future is wanted, a branch is opened.

use crate::notebook::Notebook;
use crate::outcome;
use crate::query::Cache;
use crate::records::Records;
use reverl_causal::plan::{self, Plan, Target};
use reverl_causal::schedule::{AllButDeliveries, ByAction, RoundRobin, Schedule};
use reverl_causal::{
    Arrivals, Cut, EventRef, Execution, Happened, Place, ProcId, SignalId, Step, System, Until,
};
use reverl_machine::Process;
use reverl_term::Atom;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;

/// An execution, the cut one stands at, and the branches beside it.
pub struct Session {
    pub system: System,
    pub cut: Cut,
    /// The process that commands are about unless they say otherwise.
    pub current: ProcId,
    schedule: Box<dyn Schedule>,
    /// Signals are delivered by hand.
    is_manual: bool,
    /// The name of the branch we are on, and the others.
    branch: String,
    others: Vec<Branch>,
    branches_made: usize,
    /// What the last rollback undid on this branch, latest first.
    pub roll_log: Vec<EventRef>,
    /// Asked now and then in long work; true stops it where it is. Work that only looks asks too.
    interrupt: RefCell<Option<Interrupt>>,
    /// The last work was stopped by `interrupt`.
    interrupted: Cell<bool>,
    /// Marks, and what else is saved with the session.
    pub notebook: Notebook,
    /// What questions remember.
    pub(crate) cache: Cache,
    /// Where a recorded node did something else, if it did: what comes after is not what happened.
    pub departed: Option<String>,
    /// What else a recording of a node does not show as it was, in sentences: it is torn, or ends before
    /// the node did, or something else is printed.
    pub notices: Vec<String>,
    /// It has only what led to a failure, of a longer recording.
    pub is_part: bool,
}

/// The branch that a session begins with.
pub const MAIN_BRANCH: &str = "main";

/// Whether long work has to stop now.
pub type Interrupt = Box<dyn FnMut(&System) -> bool>;

/// A branch that we are not on.
pub struct Branch {
    pub name: String,
    system: System,
    cut: Cut,
    roll_log: Vec<EventRef>,
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The process does not exist here.
    NotSpawned,
    HasExited,
    /// It waits in a receive, and nothing that it wants has arrived.
    Blocked,
    AtStart,
    NoSuchBranch,
    /// A single step cannot be undone (or done) alone: this event stands in the way.
    InTheWay(EventRef),
    /// The user did not want to wait for it.
    Stopped,
    /// It would come after the end of what is known of a recorded node.
    NotKnown(KnownEnd),
}

/// Why what came next on a recorded node is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KnownEnd {
    /// A replay departs from its recording here.
    Departed,
    /// Only a part of the recording is open.
    Part,
    /// The recording ends before the node did.
    NotRecorded,
}

/// What a forward request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// Along what had happened already.
    Replayed,
    /// New steps were taken.
    Ran,
    /// The same, on a new branch of this name.
    Branched(String),
}

impl Session {
    /// A session at the end of what `system` has done.
    pub fn new(system: System, schedule: Box<dyn Schedule>) -> Session {
        let current = system.main;
        let cut = Cut::end(system.execution());
        Session {
            system,
            cut,
            current,
            schedule,
            branch: MAIN_BRANCH.into(),
            others: vec![],
            branches_made: 0,
            is_manual: false,
            roll_log: vec![],
            interrupt: RefCell::default(),
            interrupted: Cell::new(false),
            notebook: Notebook::default(),
            cache: Cache::default(),
            departed: None,
            notices: vec![],
            is_part: false,
        }
    }

    pub fn execution(&self) -> &Execution {
        self.system.execution()
    }

    pub fn set_schedule(&mut self, schedule: Box<dyn Schedule>) {
        self.schedule = schedule;
    }

    /// Another schedule for a while: the one that it was is handed out.
    pub(crate) fn replace_schedule(&mut self, schedule: Box<dyn Schedule>) -> Box<dyn Schedule> {
        std::mem::replace(&mut self.schedule, schedule)
    }

    /// Signals wait to be delivered by hand instead of arriving at once: a run does all but that.
    pub fn set_manual_delivery(&mut self, manual: bool) {
        self.is_manual = manual;
        self.system.set_arrivals(if manual { Arrivals::Queued } else { Arrivals::AtOnce });
    }

    /// How many signals wait to be delivered by hand, if that is all that can happen.
    pub fn left_to_deliver(&self) -> usize {
        let enabled = if self.is_manual { self.system.enabled() } else { vec![] };
        if enabled.iter().any(|step| !matches!(step, Step::Deliver { .. })) {
            return 0;
        }
        let execution = self.execution();
        let is_alive = |to: ProcId| !self.system.has_exited(to);
        let flying = Cut::end(execution).in_flight(execution).into_iter();
        let arriving = |id: &SignalId| execution.signal(*id).to().is_some_and(is_alive);
        if enabled.is_empty() { 0 } else { flying.filter(arriving).count() }
    }

    /// Whether all that has happened is within the cut.
    pub fn is_at_end(&self) -> bool {
        self.cut == Cut::end(self.execution())
    }

    /// The process at the cut, computed again if it has gone on since.
    pub fn state(&self, proc: ProcId) -> Process {
        let steps = self.cut.place(proc).steps;
        self.system.state_at(proc, steps)
    }

    /// The steps of a process within the cut.
    pub fn steps_of(&self, proc: ProcId) -> u64 {
        self.cut.place(proc).steps
    }

    /// Refuses a process that is not yet spawned or has ended at the cut.
    pub fn check_alive(&self, proc: ProcId) -> Result<(), Refused> {
        if !self.cut.is_spawned(self.execution(), proc) {
            return Err(Refused::NotSpawned);
        }
        if self.cut.has_exited(self.execution(), proc) {
            return Err(Refused::HasExited);
        }
        Ok(())
    }

    /// The modules that are the program's own, found once for those that are loaded.
    pub fn own(&self) -> Rc<HashSet<Atom>> {
        let modules = self.system.program().code.modules.len();
        let mut kept = self.cache.own.borrow_mut();
        match &*kept {
            Some((known, own)) if *known == modules => own.clone(),
            _ => {
                let own = Rc::new(outcome::own_code(&self.system));
                *kept = Some((modules, own.clone()));
                own
            }
        }
    }

    /// The records of the program, found once for the modules that are loaded.
    pub fn records(&self) -> Rc<Records> {
        let program = self.system.program();
        let modules = program.code.modules.len();
        let mut kept = self.cache.records.borrow_mut();
        match &*kept {
            Some((known, records)) if *known == modules => records.clone(),
            _ => {
                let records = Rc::new(Records::of(&program.code));
                *kept = Some((modules, records.clone()));
                records
            }
        }
    }

    // -- Back

    /// What undoing `target` would undo.
    pub fn plan_undo(&self, target: Target) -> Plan {
        plan::undo(self.execution(), &self.cut, target)
    }

    /// What must be redone for this target to have happened.
    pub fn plan_redo(&self, target: Target) -> Plan {
        plan::redo(self.execution(), &self.cut, target)
    }

    /// What going to a cut that is all before or all after this one would pass.
    pub fn plan_to(&self, to: Cut) -> Plan {
        let execution = self.execution();
        let between = |e: &EventRef| self.cut.contains(execution, *e) != to.contains(execution, *e);
        let mut events: Vec<EventRef> = execution.events().filter(between).collect();
        if events.first().is_some_and(|e| self.cut.contains(execution, *e)) {
            events.reverse();
        }
        let moved = execution.ids().filter_map(|p| {
            let (from, to) = (self.cut.place(p).steps, to.place(p).steps);
            (from != to).then_some((p, from, to))
        });
        let moved = moved.collect();
        Plan { to, events, moved }
    }

    /// Moves to the cut of this plan.
    pub fn carry_out(&mut self, plan: &Plan) {
        let back = plan.to.total_steps() < self.cut.total_steps()
            || plan.events.first().is_some_and(|e| self.cut.contains(self.execution(), *e));
        if back {
            self.roll_log = plan.events.clone();
        }
        self.cut = plan.to.clone();
        if !self.cut.is_spawned(self.execution(), self.current) {
            self.current = self.system.main;
        }
    }

    /// Steps back in one process, with all consequences.
    pub fn back(&mut self, proc: ProcId, steps: u64) -> Result<Plan, Refused> {
        let now = self.steps_of(proc);
        if now == 0 {
            return Err(Refused::AtStart);
        }
        let plan = self.plan_undo(Target::Steps(proc, now.saturating_sub(steps)));
        self.carry_out(&plan);
        Ok(plan)
    }

    // -- Forward

    /// Steps forward in one process, with all causes; past what has happened, it runs.
    pub fn forward(&mut self, proc: ProcId, steps: u64) -> Result<Moved, Refused> {
        self.check_alive(proc)?;
        let now = self.steps_of(proc);
        let known = self.execution().proc(proc).steps;
        if now < known {
            let plan = self.plan_redo(Target::Steps(proc, now.saturating_add(steps).min(known)));
            self.carry_out(&plan);
            if now.saturating_add(steps) <= known {
                return Ok(Moved::Replayed);
            }
        }
        let limit = now.saturating_add(steps);
        self.at_the_end(|session| {
            let before = session.execution().proc(proc).steps;
            let until = Until::Steps(limit);
            match session.system.step(&Step::Run { proc, until }) {
                Ok(Happened::Waits) if session.execution().proc(proc).steps == before => {
                    Err(Refused::Blocked)
                }
                _ => Ok(()),
            }
        })
    }

    /// Makes sure that the living system is at the cut, lets it do something, and moves there.
    pub fn at_the_end(
        &mut self,
        act: impl FnOnce(&mut Session) -> Result<(), Refused>,
    ) -> Result<Moved, Refused> {
        let branched =
            if self.is_at_end() { None } else { Some(self.open_branch(&self.cut.clone())?) };
        if let Some(end) = self.known_end() {
            return Err(Refused::NotKnown(end));
        }
        let done = act(self);
        self.cut = Cut::end(self.execution());
        done?;
        Ok(branched.map_or(Moved::Ran, Moved::Branched))
    }

    /// Runs by the schedule until nothing can happen or `more` says no. First what has happened
    /// already happens again.
    pub fn run(&mut self, more: &mut dyn FnMut(&System) -> bool) {
        self.run_telling(false, &mut |system, _, _| more(system));
    }

    /// As `run`, but `more` is told each step and what came of it; `by_action` makes processes
    /// give control back after each action.
    pub fn run_telling(
        &mut self,
        by_action: bool,
        more: &mut dyn FnMut(&System, &Step, Happened) -> bool,
    ) {
        self.cut = Cut::end(self.execution());
        if self.known_end().is_some() {
            return;
        }
        let (interrupt, interrupted) = (self.interrupt.get_mut(), self.interrupted.get_mut());
        *interrupted = false;
        let mut all_but_deliveries = AllButDeliveries;
        let chosen: &mut dyn Schedule = match self.is_manual {
            true => &mut all_but_deliveries,
            false => &mut *self.schedule,
        };
        let mut by_actions = ByAction(chosen);
        let schedule: &mut dyn Schedule = match by_action {
            true => &mut by_actions,
            false => &mut *by_actions.0,
        };
        self.system.run_telling(schedule, &mut |system, step, happened| {
            let goes_on = more(system, step, happened);
            *interrupted = goes_on && interrupt.as_mut().is_some_and(|stop| stop(system));
            goes_on && !*interrupted
        });
        self.cut = Cut::end(self.execution());
    }

    /// Why nothing is computed beyond the end of what is known, if that is so: it never happened, or
    /// what did is not known.
    pub fn known_end(&self) -> Option<KnownEnd> {
        match self.branch == MAIN_BRANCH {
            true if self.departed.is_some() => Some(KnownEnd::Departed),
            true if self.is_part => Some(KnownEnd::Part),
            true if self.system.is_unfinished() => Some(KnownEnd::NotRecorded),
            _ => None,
        }
    }

    /// Whether long work that runs nothing new has to stop now.
    pub(crate) fn has_to_stop(&self) -> bool {
        let mut interrupt = self.interrupt.borrow_mut();
        let stop = interrupt.as_mut().is_some_and(|stop| stop(&self.system));
        self.interrupted.set(self.interrupted.get() || stop);
        stop
    }

    /// Long work asks this whether to stop, until another is set.
    pub fn set_interrupt(&mut self, interrupt: Option<Interrupt>) {
        self.interrupt = RefCell::new(interrupt);
        self.interrupted.set(false);
    }

    /// Whether the last work was stopped before its end.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    /// Lets one enabled thing of the living system happen.
    pub fn take(&mut self, step: Step) -> Result<Moved, Refused> {
        self.at_the_end(|session| {
            session.system.step(&step).map(drop).map_err(|_| Refused::Blocked)
        })
    }

    /// Runs one process to its next action.
    pub fn run_until_action(&mut self, proc: ProcId) -> Result<Moved, Refused> {
        self.take(Step::Run { proc, until: Until::Action(u64::MAX) })
    }

    // -- Uncontrolled moves: exactly one event, or refused

    /// Undoes the last action or delivery of a process if nothing depends on it.
    pub fn undo_alone(&mut self, event: EventRef) -> Result<Plan, Refused> {
        let plan = self.plan_undo(Target::Event(event));
        match plan.events.iter().find(|e| **e != event) {
            Some(other) => Err(Refused::InTheWay(*other)),
            None => {
                self.carry_out(&plan);
                Ok(plan)
            }
        }
    }

    /// Redoes this event, if nothing but the event itself is needed.
    pub fn redo_alone(&mut self, event: EventRef) -> Result<Plan, Refused> {
        let plan = self.plan_redo(Target::Event(event));
        match plan.events.iter().find(|e| **e != event) {
            Some(other) => Err(Refused::InTheWay(*other)),
            None => {
                self.carry_out(&plan);
                Ok(plan)
            }
        }
    }

    // -- Branches

    pub fn branch_name(&self) -> &str {
        &self.branch
    }

    pub fn other_branches(&self) -> &[Branch] {
        &self.others
    }

    /// A cut becomes the end of a new execution; the old one stays reachable by its name, as it
    /// stands here.
    pub fn open_branch(&mut self, at: &Cut) -> Result<String, Refused> {
        let mut interrupt = self.interrupt.borrow_mut();
        let mut more = |branch: &System| !interrupt.as_mut().is_some_and(|stop| stop(branch));
        let system = self.system.branch_while(at, &mut more).ok_or(Refused::Stopped)?;
        drop(interrupt);
        let name = self.new_name();
        let system = std::mem::replace(&mut self.system, system);
        let name_before = std::mem::replace(&mut self.branch, name.clone());
        let roll_log = std::mem::take(&mut self.roll_log);
        self.others.push(Branch { name: name_before, system, cut: self.cut.clone(), roll_log });
        self.cut = Cut::end(self.execution());
        Ok(name)
    }

    /// A name that no branch has had.
    fn new_name(&mut self) -> String {
        loop {
            self.branches_made += 1;
            let name = format!("b{}", self.branches_made);
            if name != self.branch && self.others.iter().all(|other| other.name != name) {
                return name;
            }
        }
    }

    /// The branch that we are on was called so when it was saved.
    pub fn name_branch(&mut self, name: &str) {
        self.branch = name.into();
    }

    /// Adds a branch that was recorded: `replay` makes a fresh system replay it.
    pub fn add_branch(&mut self, name: &str, replay: impl FnOnce(&mut System) -> bool) -> bool {
        let mut system = self.system.beginning();
        let replayed = replay(&mut system);
        let cut = Cut::end(system.execution());
        self.others.push(Branch { name: name.into(), system, cut, roll_log: vec![] });
        replayed
    }

    /// Adds a branch that was found; returns its name.
    pub fn keep_branch(&mut self, system: System) -> String {
        let name = self.new_name();
        let cut = Cut::end(system.execution());
        self.others.push(Branch { name: name.clone(), system, cut, roll_log: vec![] });
        name
    }

    /// Goes over to another branch, at the cut where it was left.
    pub fn switch_branch(&mut self, name: &str) -> Result<(), Refused> {
        if name == self.branch {
            return Ok(());
        }
        let found = self.others.iter().position(|b| b.name == name);
        let other = self.others.remove(found.ok_or(Refused::NoSuchBranch)?);
        let system = std::mem::replace(&mut self.system, other.system);
        let cut = std::mem::replace(&mut self.cut, other.cut);
        let name = std::mem::replace(&mut self.branch, other.name);
        let roll_log = std::mem::replace(&mut self.roll_log, other.roll_log);
        self.others.push(Branch { name, system, cut, roll_log });
        // Another branch may have fewer processes.
        let is_known = (self.current.0 as usize) < self.execution().procs().len();
        if !is_known || !self.cut.is_spawned(self.execution(), self.current) {
            self.current = self.system.main;
        }
        Ok(())
    }

    /// Back to the very beginning.
    pub fn rewind(&mut self) {
        let plan =
            Plan { to: Cut::start(self.execution()), events: self.events_in_cut(), moved: vec![] };
        self.roll_log = plan.events.iter().rev().copied().collect();
        self.cut = plan.to;
        self.current = self.system.main;
    }

    /// All that has happened happens again.
    pub fn replay_all(&mut self) {
        self.cut = Cut::end(self.execution());
    }

    /// The events within the cut, in the order in which they happened.
    pub fn events_in_cut(&self) -> Vec<EventRef> {
        let execution = self.execution();
        let inside = execution.events().filter(|e| self.cut.contains(execution, *e));
        inside.collect()
    }

    /// How many events there are in the cut.
    pub fn events_here(&self) -> usize {
        self.execution().ids().map(|p| self.events_here_of(p)).sum()
    }

    /// The same of one process.
    pub fn events_here_of(&self, proc: ProcId) -> usize {
        let place = self.cut.place(proc);
        self.execution().proc(proc).actions_at(place.steps) + place.deliveries as usize
    }

    pub fn place(&self, proc: ProcId) -> Place {
        self.cut.place(proc)
    }
}

impl Branch {
    pub fn execution(&self) -> &Execution {
        self.system.execution()
    }

    pub fn system(&self) -> &System {
        &self.system
    }

    pub fn cut(&self) -> &Cut {
        &self.cut
    }
}

/// The schedule that people expect unless they ask for another.
pub fn default_schedule() -> Box<dyn Schedule> {
    Box::new(RoundRobin)
}
