//! From choices to an execution that really happens, with every delivery in its place.

use crate::feasible::{Choice, Delivery, Node};
use crate::history::{EventKind, History, is_deed};
use crate::matching::MatchMemo;
use crate::observation::message_name;
use reverl_causal::{Arrivals, EventRef, ProcId, SignalId, Step, System, Until};

/// A real execution of the same choices, which goes on for as long as the other did.
pub fn realise(found: &System, delivery: Delivery) -> Option<System> {
    let mut real = realise_exactly(found, delivery)?;
    // One that was cut off does not end.
    let most = found.execution().steps();
    real.run(&mut reverl_causal::schedule::RoundRobin, &mut |s| s.execution().steps() < most);
    Some(real)
}

/// A real execution of the same choices: with deliveries in an order in which they are possible,
/// so that it can be walked, saved and opened like any other.
pub fn realise_exactly(found: &System, delivery: Delivery) -> Option<System> {
    let history = History::of(found.execution());
    let matches = MatchMemo::default().all(found, &history);
    let kept = vec![true; history.events.len()];
    let order = Choice { history: &history, kept, extra: None, exits: delivery }
        .order(&matches, delivery)?;
    let old = |p: ProcId| found.execution().proc(p).path.clone();
    let names: Vec<_> =
        (0..found.execution().procs().len() as u32).map(|p| old(ProcId(p))).collect();
    let mut real = found.beginning();
    let system = &mut real;
    let at_once = delivery == Delivery::Instant;
    system.set_arrivals(if at_once { Arrivals::AtOnce } else { Arrivals::Queued });
    let here = |system: &mut System, p: ProcId| spawned(system, &names[p.0 as usize]);
    for node in order {
        match node {
            Node::Event(i) => {
                let event = &history.events[i];
                let proc = here(system, event.proc)?;
                match event.kind {
                    EventKind::Act | EventKind::Receive { .. } => {
                        act(system, proc, event.kind)?;
                        while let Some(step) = system.next_to_itself() {
                            system.step(&step).ok()?;
                        }
                    }
                    EventKind::Fire(started_by) => {
                        system.step(&Step::Fire { owner: proc, started_by }).ok()?;
                    }
                    EventKind::Arrive(id) => {
                        let from = here(system, id.from)?;
                        arrive(system, from, proc, same_signal(system, found, from, id)?)?;
                    }
                }
            }
            Node::Arrive(id) => {
                let from = here(system, id.from)?;
                let to = here(system, found.execution().signal(id).to()?)?;
                arrive(system, from, to, same_signal(system, found, from, id)?)?;
            }
            Node::Extra => {}
        }
    }
    system.set_arrivals(Arrivals::AtOnce);
    Some(real)
}

/// The signal that is called here what it was called there.
fn same_signal(real: &System, found: &System, from: ProcId, id: SignalId) -> Option<SignalId> {
    let name = message_name(found.execution(), id);
    let count = real.execution().proc(from).signals.len() as u32;
    let same = |id: &SignalId| message_name(real.execution(), *id) == name;
    let by_number = SignalId { from, k: id.k };
    if id.k < count && same(&by_number) {
        return Some(by_number);
    }
    (0..count).map(|k| SignalId { from, k }).find(same)
}

fn run_to_action(real: &mut System, proc: ProcId) {
    let _ = real.step(&Step::Run { proc, until: Until::Action(u64::MAX) });
}

/// The process does its next deed.
fn act(real: &mut System, proc: ProcId, did: EventKind) -> Option<()> {
    loop {
        let before = real.execution().proc(proc).actions.len();
        run_to_action(real, proc);
        let after = real.execution().proc(proc).actions.len();
        if after > before {
            if is_deed(real.execution(), EventRef::action(proc, before)) {
                return Some(());
            }
            continue;
        }
        if !matches!(did, EventKind::Receive { taken: None, .. }) || !real.is_waiting(proc) {
            return None;
        }
        return real.step(&Step::TimeOut { proc }).ok().map(drop);
    }
}

/// A signal arrives, and what was sent before it.
fn arrive(real: &mut System, from: ProcId, to: ProcId, id: SignalId) -> Option<()> {
    // Whatever is never received may also come too late.
    while real.execution().signal(id).delivery().is_none() && !real.has_exited(to) {
        let before = real.execution().event_count();
        let signal = real.next_signal(from, to)?;
        real.step(&Step::Deliver { signal, to }).ok()?;
        if real.execution().event_count() == before {
            return None;
        }
    }
    Some(())
}

/// The process with this path; its parent goes on until it has spawned it.
fn spawned(real: &mut System, path: &str) -> Option<ProcId> {
    loop {
        let found = real.execution().ids().find(|q| *real.execution().proc(*q).path == *path);
        if found.is_some() {
            return found;
        }
        let parent = spawned(real, path.rsplit_once('.')?.0)?;
        let before = real.execution().event_count();
        run_to_action(real, parent);
        if real.execution().event_count() == before {
            return None;
        }
    }
}
