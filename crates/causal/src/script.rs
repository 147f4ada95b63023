//! A script: the steps that lead to where an execution is, with nothing that can be computed. A
//! branch replays the script of its past, a recording keeps it on disk.

use crate::cut::Cut;
use crate::execution::*;
use crate::step::{Input, Step, Until};
use serde::{Deserialize, Serialize};

/// Which process the k-th child of a parent is: parent, k, child, its pid as `serial << 32 | id`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Family(pub Vec<(u32, u32, u32, u64)>);

/// Who is whose child in an execution.
pub fn family(execution: &Execution) -> Family {
    let minted = execution.minted.iter();
    let number = |pid: reverl_term::Pid| u64::from(pid.serial) << 32 | u64::from(pid.id);
    let mut rows: Vec<_> =
        minted.map(|((p, k), c)| (p.0, *k, c.0, number(execution.proc(*c).pid))).collect();
    rows.sort_unstable_by_key(|row| row.2);
    Family(rows)
}

/// The steps that lead from one cut to another that contains it.
pub fn script<'e>(
    past: &'e Execution,
    from: &'e Cut,
    to: &'e Cut,
) -> impl Iterator<Item = Step> + 'e {
    let between = move |e: &EventRef| to.contains(past, *e) && !from.contains(past, *e);
    let events = past.events().filter(between);
    events.flat_map(move |event| steps_of(past, event).into_iter().flatten())
}

/// What must be done for an event to happen again: at most two steps.
fn steps_of(past: &Execution, event: EventRef) -> [Option<Step>; 2] {
    let p = past.proc(event.proc);
    let proc = event.proc;
    let run = |until: Until| Some(Step::Run { proc, until });
    if event.chain() == Chain::Delivery {
        let signal = p.deliveries[event.index() as usize].signal;
        if *past.kind(signal) == SignalKind::Timer {
            let started_by = past.signal(signal).sent_by();
            return [Some(Step::Fire { owner: signal.from, started_by }), None];
        }
        // One that is killed dies at the step at which it died.
        let killed = p.exit().is_some_and(|e| e.killing_signal() == Some(event.index()));
        let last = p.actions.last().filter(|_| killed).map(|exit| exit.step - 1);
        let deliver = Some(Step::Deliver { signal, to: proc });
        return [last.and_then(|last| run(Until::Steps(last))), deliver];
    }
    let action = &p.actions[event.index() as usize];
    let step = action.step;
    match action.what() {
        ActionKind::Timeout => [run(Until::Steps(step - 1)), Some(Step::TimeOut { proc })],
        ActionKind::Assign(Assigned { name, register, value }) => {
            let (name, register) = (name.name().to_string(), *register);
            let assign = Step::Assign { proc, name, register, value: Input::of_value(value) };
            [run(Until::Steps(step - 1)), Some(assign)]
        }
        ActionKind::Exit(exited) if exited.killed_by == Some(Killer::Hand) => {
            let reason = Input::of_value(&exited.reason);
            [run(Until::Steps(step - 1)), Some(Step::End { proc, reason })]
        }
        // The delivery that killed it does it again.
        ActionKind::Exit(exited) if exited.killed_by.is_some() => [None, None],
        ActionKind::Request(answered) if answered.is_kept() => {
            let with = Some(Input::of(&answered.answer));
            [run(Until::Need(step)), Some(Step::Answer { proc, with })]
        }
        ActionKind::Send(_)
        | ActionKind::Receive(_)
        | ActionKind::Request(_)
        | ActionKind::Exit(_) => [run(Until::Action(step)), None],
    }
}
