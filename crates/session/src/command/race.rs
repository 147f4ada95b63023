//! Taking the other message of a race.

use super::{Answered, Debugger, MoveKind, Note, Reply};
use crate::error::{CommandError, QueryError};
use crate::places;
use crate::query::compare::{self, ComparedBranches};
use crate::session::Refused;
use reverl_analysis::races::{Inbox, Traffic};
use reverl_causal::execution::SignalKind;
use reverl_causal::{ActionKind, Cut, EventRef, Execution, ProcId, SignalId, Target, plan};

impl Debugger {
    /// Lets the receiver of a message get it before what it received instead (paper 004, race
    /// variants): all and only the causes are kept, the message arrives first, and a branch begins.
    pub(super) fn choose(&mut self, message: &str) -> Answered {
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
        let before = std::mem::replace(&mut self.session.cut, cut);
        let branch = self.session.open_branch().map_err(|why| {
            self.session.cut = before;
            self.refused(why, to)
        })?;
        let delivered = self.session.system.bring(id, to);
        self.session.replay_all();
        let moved = MoveKind::Branched { branch: branch.clone() };
        let note = Note::ArrivedFirst { branch, message: message.into(), delivered };
        Ok(self.arrived(to, moved, vec![note]))
    }

    /// Lets the receiver of a message get it first, lets everything run on, and tells what became
    /// different.
    pub(super) fn take(&mut self, message: &str) -> Answered {
        let before = self.session.branch_name().to_string();
        self.choose(message)?;
        self.run(None)?;
        Ok(Reply::Compared(Box::new(self.compared(&before)?)))
    }

    /// This branch beside another.
    pub(super) fn compared(&self, name: &str) -> Result<ComparedBranches, QueryError> {
        let other = self.session.other_branches().iter().find(|b| b.name == name);
        let other = other.ok_or_else(|| QueryError::NoOtherBranch(name.into()))?;
        Ok(compare::branches(&self.session, other))
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
                let delivery = Target::Event(EventRef::delivery(to, arrived));
                let without = plan::undo_extent(execution, cut, delivery).to;
                // The receiver goes as far as the receive, if it can without other messages.
                let forward = plan::redo(execution, &without, Target::Steps(to, before)).to;
                let same = forward.place(to).deliveries == without.place(to).deliveries;
                return Ok(Some(if same { forward } else { without }));
            }
        }
        Ok(None)
    }
}

/// A cut with everything that sending the message needs.
fn with_send(execution: &Execution, id: SignalId, from: Cut) -> Cut {
    let redo = |cut: Cut, sent| plan::redo_extent(execution, &cut, Target::Event(sent)).to;
    execution.senders(id).fold(from, redo)
}
