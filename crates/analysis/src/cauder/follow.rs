//! A program that does what a log of CauDEr's says. The log has neither time-outs nor exits: a
//! receive that cannot take what comes next in the log has timed out, and where it could have done
//! either, both are tried.

use super::{CauderLog, Extent, LogEntry};
use crate::explore::Bounds;
use crate::extend;
use crate::feasible::Delivery;
use crate::realise::{realise, realise_exactly};
use reverl_causal::{
    ActionKind, EventRef, Execution, Happened, ProcId, SignalId, Step, System, Until,
};
use std::collections::{BTreeMap, HashMap};

/// Ways of choosing between a message and a time-out that are tried.
const MOST_ATTEMPTS: usize = 200;
/// Steps of one process between two of its actions.
const PATIENCE: u64 = 50_000_000;

/// What a receive did that could take its message and could time out too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ambiguous {
    Took,
    TimedOut,
}

/// The program cannot do what the log says.
struct Departed;

/// A real execution in which the program does what the log says: to its end if the log is whole,
/// else up to where it stops. If several can be, one that `fits` otherwise; `None` if none can.
pub fn follow(
    system: &System,
    log: &CauderLog,
    steps: u64,
    fits: &dyn Fn(&System) -> bool,
) -> Option<System> {
    let mut choices = vec![];
    let mut first = None;
    for _ in 0..MOST_ATTEMPTS {
        let mut run = system.beginning();
        let mut lead = Lead::new(log, std::mem::take(&mut choices), run.main);
        run.hold(true);
        if lead.along(&mut run).is_ok() {
            let real = match log.extent {
                Extent::Prefix => realise_exactly(&run, Delivery::Pair),
                Extent::Whole => {
                    let bounds = Bounds { steps, ..Bounds::default() };
                    extend::Lead::new(Delivery::Pair, bounds).to_the_end(&mut run);
                    realise(&run, Delivery::Pair)
                }
            };
            if real.as_ref().is_some_and(fits) {
                return real;
            }
            first = first.or(real);
        }
        // The last choice that can be another is.
        choices = lead.made;
        while choices.last() == Some(&Ambiguous::TimedOut) {
            choices.pop();
        }
        match choices.last_mut() {
            Some(last) => *last = Ambiguous::TimedOut,
            None => break,
        }
    }
    first
}

/// How far each process has come in its log.
struct Lead<'l> {
    log: &'l CauderLog,
    at: BTreeMap<ProcId, (i64, usize)>,
    sent: HashMap<i64, SignalId>,
    planned: Vec<Ambiguous>,
    made: Vec<Ambiguous>,
}

impl<'l> Lead<'l> {
    fn new(log: &'l CauderLog, planned: Vec<Ambiguous>, main: ProcId) -> Lead<'l> {
        let at = BTreeMap::from([(main, (log.main, 0))]);
        Lead { log, at, sent: HashMap::new(), planned, made: vec![] }
    }

    fn next(&self, proc: ProcId) -> Option<LogEntry> {
        let (pid, at) = self.at.get(&proc)?;
        self.log.entries.get(pid)?.get(*at).copied()
    }

    fn is_done(&self) -> bool {
        let known = self.at.values().map(|(_, at)| at).sum::<usize>();
        known == self.log.entries.values().map(Vec::len).sum::<usize>()
    }

    /// Does all that the log says.
    fn along(&mut self, run: &mut System) -> Result<(), Departed> {
        while !self.is_done() {
            let mut moved = false;
            for proc in self.at.keys().copied().collect::<Vec<_>>() {
                moved |= self.advance(run, proc)?;
            }
            if !moved && !self.unstick(run) {
                return Err(Departed);
            }
        }
        Ok(())
    }

    /// One process goes on as far as the log and the messages that there are let it.
    fn advance(&mut self, run: &mut System, proc: ProcId) -> Result<bool, Departed> {
        let mut moved = false;
        while let Some(entry) = self.next(proc) {
            if run.has_exited(proc) {
                return Err(Departed);
            }
            let before = run.execution().proc(proc).actions.len();
            let until = Until::Action(run.running(proc).process.steps() + PATIENCE);
            match run.step(&Step::Run { proc, until }) {
                Ok(Happened::Waits) => match self.receive(run, proc, entry)? {
                    true => moved = true,
                    false => return Ok(moved),
                },
                Ok(Happened::Acted | Happened::Exited) => {
                    self.acted(run.execution(), proc, before)?;
                    moved = true;
                }
                _ => return Err(Departed),
            }
        }
        Ok(moved)
    }

    /// A process waits in a receive: it takes what the log says, or times out. False if it has to
    /// wait for another process.
    fn receive(
        &mut self,
        run: &mut System,
        proc: ProcId,
        entry: LogEntry,
    ) -> Result<bool, Departed> {
        let LogEntry::Receive(uid) = entry else { return Ok(time_out(run, proc)) };
        let Some(message) = self.sent.get(&uid).copied() else { return Ok(false) };
        let is_there = run.held_for(proc).contains(&message);
        if !is_there || !run.would_take(proc, message) {
            return if time_out(run, proc) { Ok(true) } else { Err(Departed) };
        }
        if run.receive_timeout(proc).is_some() {
            let choice = self.planned.get(self.made.len()).copied().unwrap_or(Ambiguous::Took);
            self.made.push(choice);
            if choice == Ambiguous::TimedOut {
                return if time_out(run, proc) { Ok(true) } else { Err(Departed) };
            }
        }
        run.step(&Step::Take { proc, message }).map_err(|_| Departed)?;
        self.passed(proc);
        Ok(true)
    }

    fn passed(&mut self, proc: ProcId) {
        if let Some((_, at)) = self.at.get_mut(&proc) {
            *at += 1;
        }
    }

    /// What a process has just done is what the log says, if it is something that a log has.
    fn acted(
        &mut self,
        execution: &Execution,
        proc: ProcId,
        before: usize,
    ) -> Result<(), Departed> {
        for i in before..execution.proc(proc).actions.len() {
            for child in children(execution, proc, i) {
                let Some(LogEntry::Spawn(pid)) = self.next(proc) else { return Err(Departed) };
                self.at.insert(child, (pid, 0));
                self.passed(proc);
            }
            for id in messages(execution, proc, i) {
                let Some(LogEntry::Send(uid)) = self.next(proc) else { return Err(Departed) };
                self.sent.insert(uid, id);
                self.passed(proc);
            }
        }
        Ok(())
    }

    /// What a log does not have, when nobody can go on without it: an exit signal arrives, a timer
    /// fires, a receive times out.
    fn unstick(&mut self, run: &mut System) -> bool {
        if let Some(signal) = run.held_exits().first().copied() {
            let to = run.execution().signal(signal).to();
            return to.is_some_and(|to| run.step(&Step::Deliver { signal, to }).is_ok());
        }
        if let Some(timer) = run.next_timer() {
            return run.step(&timer).is_ok();
        }
        let waiting = self.at.keys().copied().filter(|p| self.next(*p).is_some());
        let waiting: Vec<ProcId> = waiting.filter(|p| run.is_waiting(*p)).collect();
        let timeouts = waiting.into_iter().filter_map(|p| Some((run.receive_timeout(p)?, p)));
        timeouts.min().is_some_and(|(_, proc)| run.step(&Step::TimeOut { proc }).is_ok())
    }
}

fn time_out(run: &mut System, proc: ProcId) -> bool {
    run.receive_timeout(proc).is_some() && run.step(&Step::TimeOut { proc }).is_ok()
}

/// The processes that an action has spawned.
pub(super) fn children(execution: &Execution, proc: ProcId, action: usize) -> Vec<ProcId> {
    let parent = Some((proc, action as u32));
    execution.ids().filter(|child| execution.proc(*child).parent == parent).collect()
}

/// The messages that an action has sent.
pub(super) fn messages(execution: &Execution, proc: ProcId, action: usize) -> Vec<SignalId> {
    let signals = match execution.action(EventRef::action(proc, action)).map(|a| a.what()) {
        Some(ActionKind::Send(k)) => k..k + 1,
        Some(ActionKind::Request(answered)) => answered.effect.signals.clone(),
        _ => 0..0,
    };
    let ids = signals.map(|k| SignalId { from: proc, k });
    ids.filter(|id| execution.kind(*id).is_message()).collect()
}
