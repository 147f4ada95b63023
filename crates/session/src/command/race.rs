//! Taking the other message of a race.

use super::line::Line;
use super::{Debugger, Reply, places};
use crate::session::Refused;
use reverl_causal::execution::SignalKind;
use reverl_causal::{Cut, EventRef, Target, What, plan};

/// Lets the receiver of a message get it before what it received instead (paper 004, race
/// variants): all and only the causes are kept, the message arrives first, and a branch begins.
pub fn choose(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let args = line.args();
    let [word] = args.as_slice() else { return Err("say which message: choose #84.2".into()) };
    let id = places::message(&d.session, word)?;
    let execution = d.session.execution();
    let to = execution.signal(id).to().ok_or(match execution.kind(id) {
        SignalKind::Timer => "its timer has not fired here: 'undo send' goes to before its start",
        SignalKind::Unsent => "it was not sent on this branch; 'branches' lists the others",
        _ => "it was sent to nobody: nobody can receive it",
    })?;
    let p = execution.proc(to);
    let with_send = |from: Cut| {
        let redo = |cut: Cut, sent| plan::redo_extent(execution, &cut, Target::Event(sent)).to;
        execution.senders(id).fold(from, redo)
    };
    // Everything the send needs, and nothing more than there is here.
    let mut cut = with_send(d.session.cut.clone());
    let own = execution.signal(id).delivery().map_or(p.deliveries.len(), |i| i as usize);
    // They race if the one that was received did not cause this one to be sent (004, Def. 5).
    let first = with_send(Cut::start(execution)).place(to).deliveries as usize;
    let receives: Vec<(usize, usize, bool)> = p
        .actions
        .iter()
        .enumerate()
        .filter_map(|(i, a)| match a.what() {
            What::Receive(taken) => {
                let arrived = execution.signal(taken).delivery()? as usize;
                let done = d.session.cut.contains(execution, EventRef::action(to, i));
                (first..own).contains(&arrived).then_some((i, arrived, done))
            }
            _ => None,
        })
        .collect();
    // After going back, the next receive is meant; else the first that it could have been.
    let some_ahead = receives.iter().any(|(_, _, done)| !done);
    let steps: Vec<u64> = p.actions.iter().map(|a| a.step).collect();
    let mut chosen = None;
    for (receive, arrived, done) in receives {
        if some_ahead && done {
            continue;
        }
        if d.session.has_to_stop() {
            return Err(d.refused(&Refused::Stopped, to));
        }
        if d.session.system.matches_at(to, steps[receive] - 1, &[id]) == [true] {
            let before = Target::Event(EventRef::delivery(to, arrived));
            let without = plan::undo_extent(d.session.execution(), &cut, before).to;
            chosen = Some((receive, without));
            break;
        }
    }
    let execution = d.session.execution();
    match chosen {
        Some((receive, without)) => {
            // The receiver goes as far as the receive, if it can without other messages.
            let step = Target::Steps(to, steps[receive] - 1);
            let forward = plan::redo(execution, &without, step).to;
            let same = forward.place(to).deliveries == without.place(to).deliveries;
            cut = if same { forward } else { without };
        }
        None if execution.signal(id).receive().is_some() => {
            return Err(format!("{word} raced with nothing: no other message could come later"));
        }
        None => {}
    }
    let before = std::mem::replace(&mut d.session.cut, cut);
    let branch = d.session.open_branch().map_err(|why| {
        d.session.cut = before;
        d.refused(&why, to)
    })?;
    let arrived = d.session.system.bring(id, to);
    d.session.replay_all();
    let note = format!(
        "branch {branch}: {} arrived first ({arrived} delivered); 'run' goes on from here",
        word
    );
    Ok(d.arrived(to, Some(note)))
}
