//! Taking the other message of a race.

use super::{Answered, Chosen, Debugger, MoveKind, Note, Reply};
use crate::error::CommandError;
use crate::query::compare;
use crate::session::{Refused, Session};
use crate::{describe, places};
use reverl_analysis::races::{Inbox, Traffic};
use reverl_causal::execution::SignalKind;
use reverl_causal::{
    ActionKind, Cut, EventRef, Execution, ProcId, SignalId, Step, Target, Until, plan,
};

impl Debugger {
    /// Lets the receiver of a message get it before what it received instead (paper 004, race
    /// variants): all and only the causes are kept, the message arrives first, and a branch begins.
    pub(super) fn choose(&mut self, chosen: &Chosen) -> Answered {
        match chosen {
            Chosen::Message(message) => self.choose_message(message),
            Chosen::TimeOut(of) => self.choose_timeout(of),
            Chosen::Value { name, expression, at } => self.choose_value(name, expression, at),
            Chosen::Nodes(change) => self.choose_nodes(change),
            Chosen::Kill { reason, at } => self.choose_end(reason.as_deref(), at),
        }
    }

    /// As `choose`, then to the end; says what became different.
    pub(super) fn take(&mut self, chosen: &Chosen) -> Answered {
        let before = self.session.branch_name().to_string();
        self.choose(chosen)?;
        let mut reply = self.run(None)?;
        let became = Note::Became(Box::new(compare::branches(&self.session, &before)?));
        if let Reply::Move(moved) = &mut reply {
            moved.notes.push(became);
        }
        Ok(reply)
    }

    /// A receive times out: the one that took a message, or that in which a process waits here.
    /// What it could have taken has not come yet.
    fn choose_timeout(&mut self, of: &str) -> Answered {
        let (proc, steps) = self.receive_of(of)?;
        let session = &self.session;
        if session.system.timeout_at(proc, steps).is_none() {
            return Err(CommandError::NoTimeout);
        }
        let cut = cut_without_messages(session, proc, steps);
        if cut.place(proc).steps < steps {
            return Err(CommandError::CameAfter(of.into()));
        }
        let branch = self.branch_at(&cut, proc)?;
        let system = &mut self.session.system;
        let _ = system.step(&Step::Run { proc, until: Until::Need(u64::MAX) });
        let _ = system.step(&Step::TimeOut { proc });
        self.session.replay_all();
        let process = describe::pid(&self.session.system, proc);
        let note = Note::TimedOut { branch: branch.clone(), process };
        Ok(self.arrived(proc, MoveKind::Branched { branch }, vec![note]))
    }

    /// The process that receives, and how many steps it has taken when it waits.
    fn receive_of(&self, word: &str) -> Result<(ProcId, u64), CommandError> {
        let session = &self.session;
        if word.starts_with('#') {
            let id = places::message(session, word)?;
            let receive = places::receive_event(session.execution(), id);
            let receive = receive.ok_or_else(|| CommandError::NotReceived(word.into()))?;
            let step = session.execution().action(receive).map_or(0, |a| a.step);
            return Ok((receive.proc, step - 1));
        }
        let proc = places::process(session, word)?;
        let waits = session.state(proc).is_waiting();
        let who = || describe::pid(&session.system, proc);
        if waits {
            Ok((proc, session.steps_of(proc)))
        } else {
            Err(CommandError::DoesNotWait(who()))
        }
    }

    pub(super) fn branch_at(&mut self, cut: &Cut, about: ProcId) -> Result<String, CommandError> {
        self.session.open_branch(cut).map_err(|why| self.refused(why, about))
    }

    fn choose_message(&mut self, message: &str) -> Answered {
        let id = places::message(&self.session, message)?;
        let execution = self.session.execution();
        let to = execution.signal(id).to().ok_or(match execution.kind(id) {
            SignalKind::Timer => CommandError::TimerNotFired,
            SignalKind::Unsent => CommandError::NotSentHere,
            _ => CommandError::SentToNobody,
        })?;
        // Everything the send needs, and nothing more than there is here.
        let mut cut = with_send(execution, id, self.session.cut.clone());
        match self.chosen_receive(id, to, &cut)? {
            Some(before) => cut = before,
            None if self.is_on_its_way(id, to) => {}
            None => return Err(CommandError::NoRace(message.into())),
        }
        let branch = self.branch_at(&cut, to)?;
        let delivered = self.session.system.bring(id, to);
        self.session.replay_all();
        let moved = MoveKind::Branched { branch: branch.clone() };
        let note = Note::ArrivedFirst { branch, message: message.into(), delivered };
        Ok(self.arrived(to, moved, vec![note]))
    }

    /// Whether a message can still arrive here.
    fn is_on_its_way(&self, id: SignalId, to: ProcId) -> bool {
        let (execution, cut) = (self.session.execution(), &self.session.cut);
        let arrived = execution.signal(id).delivery().is_some_and(|i| i < cut.place(to).deliveries);
        !arrived && !cut.has_exited(execution, to)
    }

    /// The cut before the receive that takes the message instead, if there is one.
    fn chosen_receive(
        &self,
        id: SignalId,
        to: ProcId,
        cut: &Cut,
    ) -> Result<Option<Cut>, CommandError> {
        let execution = self.session.execution();
        let p = execution.proc(to);
        let own = execution.signal(id).delivery().map_or(p.deliveries.len(), |i| i as usize);
        // They race if the one that was received did not cause this one to be sent (004, Def. 5).
        let first = with_send(execution, id, Cut::start(execution)).place(to).deliveries as usize;
        let receives: Vec<(usize, usize, bool)> = p
            .actions
            .iter()
            .enumerate()
            .filter_map(|(i, a)| match a.what() {
                ActionKind::Receive(taken) => {
                    let arrived = execution.signal(taken).delivery()? as usize;
                    let done = self.session.cut.contains(execution, EventRef::action(to, i));
                    (first..own).contains(&arrived).then_some((i, arrived, done))
                }
                _ => None,
            })
            .collect();
        let inbox = Inbox::of(execution, &Traffic::of(execution), to);
        // After going back, the next receive is meant; else the first that it could have been.
        let some_ahead = receives.iter().any(|(_, _, done)| !done);
        for (receive, arrived, done) in receives {
            if some_ahead && done {
                continue;
            }
            if self.session.has_to_stop() {
                return Err(self.refused(Refused::Stopped, to));
            }
            let before = p.actions[receive].step - 1;
            if inbox.can_take(&self.session.system, EventRef::action(to, receive), id) {
                return Ok(Some(cut_before(execution, cut, to, arrived, before)));
            }
        }
        Ok(None)
    }
}

/// The cut at which a process comes to a receive, after so many steps, before the message has
/// arrived that it took.
pub(crate) fn cut_before(
    execution: &Execution,
    cut: &Cut,
    to: ProcId,
    arrived: usize,
    steps: u64,
) -> Cut {
    let delivery = Target::Event(EventRef::delivery(to, arrived));
    let without = plan::undo_extent(execution, cut, delivery).to;
    // The receiver goes as far as the receive, if it can without other messages.
    let forward = plan::redo(execution, &without, Target::Steps(to, steps)).to;
    let same = forward.place(to).deliveries == without.place(to).deliveries;
    if same { forward } else { without }
}

/// A cut with everything that sending the message needs.
fn with_send(execution: &Execution, id: SignalId, from: Cut) -> Cut {
    let redo = |cut: Cut, sent| plan::redo_extent(execution, &cut, Target::Event(sent)).to;
    execution.senders(id).fold(from, redo)
}

/// A cut at which a process waits after so many steps, and nothing is in its mailbox that would
/// end the wait.
fn cut_without_messages(session: &Session, proc: ProcId, steps: u64) -> Cut {
    let execution = session.execution();
    let receive = session.cut.place(proc).steps > steps;
    let mut cut = match receive {
        true => plan::undo(execution, &session.cut, Target::Steps(proc, steps)).to,
        false => plan::redo(execution, &session.cut, Target::Steps(proc, steps)).to,
    };
    loop {
        let waiting = cut.mailbox(execution, proc);
        let matching = session.system.matches_at(proc, steps, &waiting);
        let first = waiting.iter().zip(matching).find(|(_, matches)| *matches);
        let Some(delivery) = first.and_then(|(id, _)| places::delivery_event(execution, *id))
        else {
            return cut;
        };
        cut = plan::undo(execution, &cut, Target::Event(delivery)).to;
    }
}
