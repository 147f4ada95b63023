//! From choices to an execution that really happens, with every delivery in its place.

use crate::feasible::{Choice, Delivery, Matches, Node};
use crate::follow::follow;
use crate::history::{Deed, History, Log};
use reverl_causal::{ProcId, SignalId, System};
use std::collections::HashMap;

/// For each receive, which messages that were sent to its process it would take.
pub fn all_matches(run: &mut System, history: &History) -> Matches {
    let mut matches = HashMap::new();
    for (p, deeds) in history.deeds.iter().enumerate() {
        let proc = ProcId(p as u32);
        for (i, deed) in deeds.iter().enumerate() {
            if let Deed::Receive { step, .. } = deed {
                let row = run.matches_at(proc, step - 1, &history.inbox[p]);
                matches.insert((proc, i), row);
            }
        }
    }
    matches
}

/// A real execution in which every receive takes what the log says (and beyond it, what comes
/// first). `None` if that cannot happen.
pub fn replay_log(system: &mut System, log: &Log, steps: u64) -> Option<System> {
    let mut run = system.beginning();
    follow(&mut run, log, steps, Delivery::Pair);
    let followed = History::of(&run.execution).log();
    let fits = log
        .0
        .iter()
        .all(|(name, taken)| followed.0.get(name).is_some_and(|own| own.starts_with(taken)));
    let real = if fits { realise(&mut run, Delivery::Pair) } else { None };
    if real.is_none() {
        system.borrow(run.lend());
    }
    real
}

/// A real execution of the same choices: with deliveries in an order in which they are possible,
/// so that it can be walked, saved and opened like any other.
pub fn realise(found: &mut System, delivery: Delivery) -> Option<System> {
    let mut real = None;
    let done = realise_in(found, delivery, &mut real);
    if done.is_none() {
        // What was lent goes back.
        real.into_iter().for_each(|mut real: System| found.borrow(real.lend()));
        return None;
    }
    real
}

fn realise_in(found: &mut System, delivery: Delivery, real: &mut Option<System>) -> Option<()> {
    let history = History::of(&found.execution);
    let matches = all_matches(found, &history);
    let kept = history.deeds.iter().map(Vec::len).collect();
    let order = Choice { history: &history, kept, changed: None }.order(&matches, delivery)?;
    let old = |p: ProcId| found.execution.proc(p).path.clone();
    let names: Vec<_> = (0..found.execution.procs.len() as u32).map(|p| old(ProcId(p))).collect();
    let real = real.insert(found.beginning());
    real.set_instant(delivery == Delivery::Instant);
    let here = |real: &mut System, p: ProcId| spawned(real, &names[p.0 as usize]);
    for node in order {
        match node {
            Node::Send(id) => {
                let from = here(real, id.from)?;
                while real.execution.proc(from).signals.len() <= id.k as usize {
                    let before = real.execution.order.len();
                    real.act(from);
                    if real.execution.order.len() == before && !real.fire_next_timer() {
                        return None;
                    }
                }
            }
            Node::Arrive(id) => {
                let from = here(real, id.from)?;
                let to = here(real, found.execution.signal(id).to()?)?;
                // Whatever is never received may also come too late.
                while real.execution.signal(SignalId { from, k: id.k }).delivery().is_none()
                    && !real.has_exited(to)
                {
                    let before = real.execution.order.len();
                    real.take(reverl_causal::schedule::Choice::Deliver { from, to });
                    if real.execution.order.len() == before {
                        return None;
                    }
                }
            }
            Node::Receive(proc, i) => {
                let here = here(real, proc)?;
                let wanted = history.deeds[proc.0 as usize][..=i]
                    .iter()
                    .filter(|d| matches!(d, Deed::Receive { .. }))
                    .count();
                while receives(real, here) < wanted {
                    let before = real.execution.order.len();
                    real.act(here);
                    if real.execution.order.len() == before {
                        if !real.is_waiting(here) {
                            return None;
                        }
                        real.let_time_out(here);
                    }
                }
            }
        }
    }
    real.set_instant(true);
    real.run(&mut reverl_causal::schedule::RoundRobin, &mut |_| true);
    Some(())
}

/// The process with this path; its parent goes on until it has spawned it.
fn spawned(real: &mut System, path: &str) -> Option<ProcId> {
    loop {
        let found = real.execution.ids().find(|q| *real.execution.proc(*q).path == *path);
        if found.is_some() {
            return found;
        }
        let parent = spawned(real, path.rsplit_once('.')?.0)?;
        let before = real.execution.order.len();
        real.act(parent);
        if real.execution.order.len() == before {
            return None;
        }
    }
}

fn receives(system: &System, proc: ProcId) -> usize {
    let actions = &system.execution.proc(proc).actions;
    let is_receive = |a: &&reverl_causal::Action| {
        matches!(a.what(), reverl_causal::What::Receive(_) | reverl_causal::What::Timeout)
    };
    actions.iter().filter(is_receive).count()
}
