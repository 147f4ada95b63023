//! How often a breakpoint was come to. The number belongs to the execution and not to the way in
//! which somebody walks along it: going back, the third time is still the third.

use super::Debugger;
use super::breaks::{Stop, Verdict};
use super::running::{Hit, HitOrder, order};
use crate::describe;
use crate::stops::Search;
use reverl_causal::{EventRef, ProcId};
use std::collections::HashMap;

/// The times that were found in an execution, as far as it was looked through.
#[derive(Default)]
pub(super) struct CountedHits {
    branch: String,
    /// By process: the first position that was not looked at.
    next: HashMap<ProcId, u64>,
    next_event: usize,
    found: Vec<HitOrder>,
}

impl Debugger {
    /// Which time of its breakpoint a hit is, counted from 1.
    pub(super) fn hit_number(&self, hit: &Hit) -> u64 {
        let breakpoint = &self.breakpoints[hit.breakpoint];
        let mut counted = breakpoint.counted.borrow_mut();
        if counted.branch != self.session.branch_name() {
            let branch = self.session.branch_name().to_string();
            *counted = CountedHits { branch, ..CountedHits::default() };
        }
        match &breakpoint.stop {
            Stop::Code(_) => self.count_positions(hit.breakpoint, &mut counted),
            Stop::Event(_) => self.count_events(hit.breakpoint, &mut counted),
            Stop::Exception(kind) => {
                let procs = self.session.execution().ids();
                let raised = procs.flat_map(|proc| {
                    let raised = self.session.exceptions(proc).into_iter();
                    let of_kind = raised.filter(|raised| raised.is_of(*kind));
                    of_kind.map(move |raised| (proc, raised.step))
                });
                let orders = raised.map(|(proc, step)| order(&self.session, proc, step));
                counted.found = orders.collect();
            }
            Stop::Forever | Stop::Orphan => return 1,
        }
        // What comes next decides where a position stands in the order, and that can change until
        // something does: the process and its step do not.
        let before = |found: &&HitOrder| {
            (found.0, found.2, found.3) < (hit.order.0, hit.order.2, hit.order.3)
        };
        1 + counted.found.iter().filter(before).count() as u64
    }

    fn count_positions(&self, number: usize, counted: &mut CountedHits) {
        let (session, breakpoint) = (&self.session, &self.breakpoints[number]);
        let Stop::Code(stops) = &breakpoint.stop else { return };
        // Orders of positions behind the last event of a process are not final: they are made anew.
        let known: Vec<(ProcId, u64)> = counted.found.iter().map(|(_, _, p, s)| (*p, *s)).collect();
        counted.found = known.into_iter().map(|(p, s)| order(session, p, s)).collect();
        for proc in session.execution().ids() {
            let to = session.execution().proc(proc).steps;
            let from = counted.next.get(&proc).copied().unwrap_or(0);
            if from > to {
                continue;
            }
            let mut search = Search::new(session, proc, stops, from, to);
            while let Some((step, _)) = search.advance() {
                let verdict = breakpoint.verdict(session, (proc, search.process()), step);
                if verdict == Verdict::Stops {
                    counted.found.push(order(session, proc, step));
                }
            }
            counted.next.insert(proc, to + 1);
        }
    }

    fn count_events(&self, number: usize, counted: &mut CountedHits) {
        let (session, breakpoint) = (&self.session, &self.breakpoints[number]);
        let Stop::Event(wanted) = &breakpoint.stop else { return };
        let (system, execution) = (&session.system, session.execution());
        let from = counted.next_event;
        counted.next_event = execution.event_count();
        let new = (from..counted.next_event).filter_map(|i| execution.event(i));
        let fits = new.filter(|event: &EventRef| wanted.fits(system, *event));
        counted.found.extend(fits.map(|event| {
            let step = describe::step_of(system, event);
            (execution.order_of(event), 1, event.proc, step)
        }));
    }
}
