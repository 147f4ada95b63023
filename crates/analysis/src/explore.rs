//! Visiting every execution that a program can have.
//!
//! Each execution is run with its messages held back, so that only what receives take matters.
//! From each, every race gives a variant (paper 004): keep what does not depend on the receive,
//! let it take the other message, and go on. Logs that were seen are not visited again, so each
//! distinct execution counts once; reversing single races reaches all of them.

use crate::feasible::{Choice, Delivery, Matches, Node};
use crate::history::{Deed, History, Log, MessageName, Taken, at};
use reverl_causal::{ProcId, SignalId, System};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Steps of one execution.
    pub steps: u64,
    pub executions: u64,
}

/// What a finished execution is judged by.
pub struct Visit<'v> {
    pub system: &'v mut System,
    /// It was cut off by the bound on steps.
    pub is_cut_off: bool,
    /// The place of this execution among those visited, from 0.
    pub number: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub executions: u64,
    /// Everything was visited.
    pub complete: bool,
    /// Some orders (of names, tables, deaths by signal) were met that are not reversed.
    pub other_races: bool,
    pub cut_off: u64,
}

/// What is still to be visited, and what has been.
pub struct Explorer {
    delivery: Delivery,
    bounds: Bounds,
    work: Vec<Log>,
    begun: HashSet<u64>,
    seen: HashSet<u64>,
    summary: Summary,
}

impl Explorer {
    pub fn new(delivery: Delivery, bounds: Bounds) -> Explorer {
        Explorer {
            delivery,
            bounds,
            work: vec![Log::default()],
            begun: HashSet::new(),
            seen: HashSet::new(),
            summary: Summary::default(),
        }
    }

    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    pub fn left(&self) -> usize {
        self.work.len()
    }

    /// Visits executions until all are visited or `visit` says no. `system` lends its program.
    pub fn run(&mut self, system: &mut System, visit: &mut dyn FnMut(Visit) -> bool) -> Summary {
        while let Some(forced) = self.work.pop() {
            if self.summary.executions >= self.bounds.executions {
                self.work.push(forced);
                break;
            }
            let mut run = system.beginning();
            let settled = follow(&mut run, &forced, self.bounds.steps);
            let history = History::of(&run.execution);
            let log = history.log();
            if self.seen.insert(log.fingerprint()) {
                let number = self.summary.executions;
                self.summary.executions += 1;
                self.summary.other_races |= history.other_races;
                self.summary.cut_off += u64::from(!settled);
                let matches = all_matches(&mut run, &history);
                let goes_on = visit(Visit { system: &mut run, is_cut_off: !settled, number });
                self.variants(&run, &history, &log, &matches);
                if !goes_on {
                    system.borrow(run.lend());
                    return self.summary.clone();
                }
            }
            system.borrow(run.lend());
        }
        self.summary.complete =
            self.work.is_empty() && self.summary.cut_off == 0 && !self.summary.other_races;
        self.summary.clone()
    }

    /// Every other thing that a receive could have taken.
    fn variants(&mut self, run: &System, history: &History, log: &Log, matches: &Matches) {
        for p in 0..history.deeds.len() {
            let proc = ProcId(p as u32);
            let mut nth = 0;
            for (i, deed) in history.deeds[p].iter().enumerate() {
                let Deed::Receive { taken, .. } = deed else { continue };
                nth += 1;
                for other in self.alternatives(run, history, proc, i, nth, *taken, matches) {
                    self.add_variant(history, log, proc, i, nth, other, matches);
                }
            }
        }
    }

    /// What else the receive could take: of each sender its first message that matches, if the
    /// receive itself did not cause it to be sent (004, Def. 5).
    #[allow(clippy::too_many_arguments)]
    fn alternatives(
        &self,
        run: &System,
        history: &History,
        proc: ProcId,
        deed: usize,
        nth: u32,
        taken: Option<SignalId>,
        matches: &Matches,
    ) -> Vec<Option<SignalId>> {
        let p = proc.0 as usize;
        let consumed = history.deeds[p][..deed].iter().filter_map(|d| match d {
            Deed::Receive { taken, .. } => *taken,
            Deed::Send(_) => None,
        });
        let consumed: HashSet<SignalId> = consumed.collect();
        let mut senders = HashSet::new();
        let mut found = vec![];
        for (column, id) in history.inbox[p].iter().enumerate() {
            let fits = matches[&(proc, deed)][column];
            if !fits || consumed.contains(id) || !senders.insert(id.from) {
                continue;
            }
            let caused = at(&history.send_clocks[id], proc) >= nth;
            if Some(*id) != taken && !caused {
                found.push(Some(*id));
            }
        }
        let can_time_out = matches.contains_key(&(proc, deed)) && waits_finitely(run, proc, deed, history);
        if taken.is_some() && can_time_out {
            found.push(None);
        }
        found
    }

    #[allow(clippy::too_many_arguments)]
    fn add_variant(
        &mut self,
        history: &History,
        log: &Log,
        proc: ProcId,
        deed: usize,
        nth: u32,
        other: Option<SignalId>,
        matches: &Matches,
    ) {
        let mut forced = Log::default();
        let mut kept = vec![0; history.deeds.len()];
        for q in 0..history.deeds.len() {
            let mut receives = 0;
            for d in &history.deeds[q] {
                if let Deed::Receive { .. } = d {
                    let after = at(&history.receive_clocks[q][receives], proc) >= nth;
                    if after {
                        break;
                    }
                    receives += 1;
                }
                kept[q] += 1;
            }
            let own = log.0.get(&history.names[q]).map_or(&[][..], |v| v);
            if receives > 0 {
                forced.0.insert(history.names[q], own[..receives].to_vec());
            }
        }
        kept[proc.0 as usize] = deed + 1;
        let chosen = match other {
            Some(id) => Taken::Message(history.message_name(id)),
            None => Taken::Timeout,
        };
        forced.0.entry(history.names[proc.0 as usize]).or_default().push(chosen);
        if !self.begun.insert(forced.fingerprint()) {
            return;
        }
        let choice = Choice { history, kept, changed: Some((proc, deed, other)) };
        if choice.order(matches, self.delivery).is_some() {
            self.work.push(forced);
        }
    }
}

/// Whether the receive has an `after` that can fire.
fn waits_finitely(run: &System, proc: ProcId, deed: usize, history: &History) -> bool {
    let Deed::Receive { step, .. } = history.deeds[proc.0 as usize][deed] else { return false };
    let p = run.execution.proc(proc);
    let i = p.actions_at(step).saturating_sub(1);
    run.program.code.waits_finitely(p.actions[i].pc)
}

/// For each receive, which messages that were sent to its process it would take.
fn all_matches(run: &mut System, history: &History) -> Matches {
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

/// Runs from the beginning, each receive taking what the log says; beyond it, the oldest message
/// that matches, and time-outs only when nothing else can happen. False if it was cut off.
fn follow(run: &mut System, forced: &Log, steps: u64) -> bool {
    run.hold();
    let mut done: HashMap<ProcId, usize> = HashMap::new();
    loop {
        if !run.settle(steps) {
            return run.halted().is_some();
        }
        let waiting: Vec<ProcId> = run.execution.ids().filter(|p| run.is_waiting(*p)).collect();
        let mut moved = false;
        let mut impatient: Option<(u64, ProcId)> = None;
        for proc in waiting {
            let name = crate::history::name_of(&run.execution, proc);
            let count = done.entry(proc).or_default();
            let wanted = forced.0.get(&name).and_then(|taken| taken.get(*count)).copied();
            let held = run.held_for(proc);
            let took = match wanted {
                Some(Taken::Timeout) => {
                    run.let_time_out(proc);
                    true
                }
                Some(Taken::Message(message)) => match find(run, &held, message) {
                    Some(id) => run.offer(proc, id),
                    None => false,
                },
                None => held.into_iter().any(|id| run.offer(proc, id)),
            };
            *count += usize::from(took);
            moved |= took;
            if !took && wanted.is_none() {
                if let Some(ms) = run.patience(proc) {
                    if impatient.is_none_or(|(least, _)| ms < least) {
                        impatient = Some((ms, proc));
                    }
                }
            }
        }
        if moved {
            continue;
        }
        if run.fire_next_timer() {
            continue;
        }
        match impatient {
            Some((_, proc)) => {
                run.let_time_out(proc);
                *done.entry(proc).or_default() += 1;
            }
            None => return true,
        }
    }
}

fn find(run: &System, held: &[SignalId], wanted: MessageName) -> Option<SignalId> {
    held.iter().copied().find(|id| {
        id.k == wanted.k && crate::history::name_of(&run.execution, id.from) == wanted.from
    })
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
    let here = |real: &System, p: ProcId| {
        real.execution.ids().find(|q| real.execution.proc(*q).path == names[p.0 as usize])
    };
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

fn receives(system: &System, proc: ProcId) -> usize {
    let actions = &system.execution.proc(proc).actions;
    let is_receive = |a: &&reverl_causal::Action| {
        matches!(a.what, reverl_causal::What::Receive(_) | reverl_causal::What::Timeout)
    };
    actions.iter().filter(is_receive).count()
}
