//! Any moment of a process, computed again: from the nearest snapshot, with the answers that the
//! execution recorded (paper 002, Lemma 3.5: a process is deterministic given its inputs).

use crate::checkpoint::Checkpoint;
use crate::execution::{Action, ActionKind, ProcId};
use crate::system::{System, message_id};
use reverl_machine::builtins::nature::Nature;
use reverl_machine::{Local, Message, Process, Stop, Watch};

/// The process does something else than what was recorded of it, and what that is.
#[derive(Debug)]
pub struct Departed(String);

/// A process that follows what was recorded of it.
pub struct Replay {
    /// The process at this point of its past.
    pub process: Process,
    proc: ProcId,
    /// The next action of the process.
    next: usize,
}

impl Replay {
    /// Goes on to `steps`. Stops earlier only if the process was not there yet.
    pub fn run_to(&mut self, system: &System, steps: u64) {
        self.watch_to(system, steps, &Watch::default());
    }

    /// As `run_to`, but stops before a watched instruction: true if it did.
    pub fn watch_to(&mut self, system: &System, steps: u64, watch: &Watch) -> bool {
        self.follow(system, steps, watch).unwrap_or_else(|Departed(how)| panic!("{how}"))
    }

    /// As `run_to`, for a process that was given other values than it had.
    pub fn try_to(&mut self, system: &System, steps: u64) -> Result<(), Departed> {
        self.follow(system, steps, &Watch::default()).map(|_| ())
    }

    fn follow(&mut self, system: &System, steps: u64, watch: &Watch) -> Result<bool, Departed> {
        let (program, execution) = (&system.program(), &system.execution);
        let process = execution.proc(self.proc);
        let actions = &process.actions;
        // Of a process that was killed, nothing runs after the step at which that happened.
        let killed = |a: &&Action| matches!(a.what(), ActionKind::Exit(e) if e.killed_by.is_some());
        let last = actions.last().filter(killed).map_or(u64::MAX, |exit| exit.step - 1);
        // The action whose message was given.
        let mut given = None;
        loop {
            let unasked = process.unasked_from(self.next).map_or(u64::MAX, |a| a.step - 1);
            let until = steps.min(last).min(unasked);
            let stop = match watch.is_empty() {
                true => self.process.run(program, until),
                false => self.process.run_watching(program, until, watch),
            };
            let due = actions.get(self.next).filter(|a| a.step <= steps).map(|a| a.what());
            // What comes with an action comes when the process is there, not where it is watched.
            let is_there = due.is_some() && !matches!(stop, Stop::Watched | Stop::Limit);
            if let Some(leader) = process.leader_before(self.next).filter(|_| is_there) {
                self.process.local.group_leader = execution.signal(leader).message.clone();
            }
            if let Some(seen) = process.edition_at(self.next).filter(|_| is_there) {
                self.process.local.seen = seen.clone();
            }
            match (stop, due) {
                (Stop::Watched, _) => return Ok(true),
                (Stop::Send { message, .. }, Some(ActionKind::Send(_))) => {
                    self.process.answer(program, Ok(message));
                }
                (
                    Stop::Limit | Stop::Wait { .. } | Stop::Ended,
                    Some(ActionKind::Request(answered)),
                ) if answered.nature() == Nature::Trace => self.process.pass_step(),
                (Stop::Send { .. } | Stop::Request { .. }, Some(ActionKind::Request(answered))) => {
                    if let Some(local) = &answered.local {
                        self.process.local = (**local).clone();
                    }
                    self.process.answer(program, answered.answer.clone());
                }
                (Stop::Received(_), Some(ActionKind::Receive(_))) => {}
                (Stop::Wait { .. }, Some(ActionKind::Receive(signal)))
                    if given.replace(self.next) != Some(self.next) =>
                {
                    let term = execution.signal(signal).message.clone();
                    self.process.deliver(Message { id: message_id(signal), term });
                    // The receive itself comes next.
                    continue;
                }
                (Stop::Wait { .. }, Some(ActionKind::Timeout)) => self.process.time_out(),
                (Stop::Limit | Stop::Wait { .. }, Some(ActionKind::Assign(assigned))) => {
                    self.process.assign(assigned.register, assigned.value.clone());
                }
                (
                    Stop::Limit | Stop::Wait { .. } | Stop::Ended | Stop::OutOf(_),
                    Some(ActionKind::Exit(exited)),
                ) => {
                    if self.process.ending().is_none() {
                        self.process.kill(exited.reason.clone());
                    }
                    return Ok(false);
                }
                // What it asked for when it was killed was never answered.
                (Stop::Send { .. } | Stop::Request { .. }, due)
                    if actions.get(self.next).filter(killed).is_some() =>
                {
                    if let Some(ActionKind::Exit(exited)) = due {
                        self.process.kill(exited.reason.clone());
                    }
                    return Ok(false);
                }
                (Stop::Limit | Stop::Load(_) | Stop::OutOf(_), _) => return Ok(false),
                (Stop::Wait { .. } | Stop::Ended, None) => return Ok(false),
                (stop, due) => {
                    return Err(Departed(format!(
                        "process {} does not do again what it did: at step {} of {}, next is {}, \
                         not {}",
                        execution.proc(self.proc).path,
                        self.process.steps(),
                        steps,
                        due.map_or("nothing", kind_name),
                        stop_name(&stop),
                    )));
                }
            }
            self.next += 1;
        }
    }
}

fn kind_name(what: ActionKind) -> &'static str {
    match what {
        ActionKind::Send(_) => "a send",
        ActionKind::Receive(_) => "a receive",
        ActionKind::Timeout => "a time-out",
        ActionKind::Request(_) => "a request",
        ActionKind::Assign(_) => "an assignment",
        ActionKind::Exit(_) => "its exit",
    }
}

fn stop_name(stop: &Stop) -> &'static str {
    match stop {
        Stop::Limit => "a step",
        Stop::Watched => "a watched step",
        Stop::Send { .. } => "a send",
        Stop::Request { .. } => "a request",
        Stop::Received(_) => "a receive",
        Stop::Wait { .. } => "waiting",
        Stop::Load(_) => "a module",
        Stop::Ended => "its end",
        Stop::OutOf(_) => "a limit of the machine",
    }
}

impl System {
    /// The process as it was after `steps` steps. Its mailbox is not part of it: that depends on
    /// the cut (`Cut::mailbox`).
    pub fn state_at(&self, proc: ProcId, steps: u64) -> Process {
        let mut replay = self.nearest(proc, steps);
        // Looking at one moment, people look at its neighbours next: leave snapshots on the way.
        let mut distance = steps.saturating_sub(replay.process.steps());
        while distance > 512 {
            distance /= 2;
            let at = steps - distance;
            replay.run_to(self, at);
            if replay.process.steps() + 64 < at || replay.process.ending().is_some() {
                break;
            }
            let process = replay.process.snapshot(&self.program());
            let checkpoint = Checkpoint { process, actions: replay.next };
            self.running(proc).checkpoints.borrow_mut().insert(checkpoint);
        }
        replay.run_to(self, steps);
        replay.process
    }

    /// A replay that starts at or before `steps`.
    pub fn nearest(&self, proc: ProcId, steps: u64) -> Replay {
        match self.running(proc).checkpoints.borrow().before(steps) {
            Some(checkpoint) => {
                Replay { process: checkpoint.process.fork(), proc, next: checkpoint.actions }
            }
            None => self.from_start(proc),
        }
    }

    /// The process at its first step.
    pub fn from_start(&self, proc: ProcId) -> Replay {
        let p = self.execution.proc(proc);
        let mut local = Local::new(p.pid, p.group_leader.clone());
        local.initial_call = p.entry.mfa();
        local.seen = p.seen.clone();
        Replay { process: crate::boot::start(&self.program(), &p.entry, local), proc, next: 0 }
    }
}
