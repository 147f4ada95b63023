//! Moving the cut: down by exactly the consequences of something, up by exactly its causes.
//!
//! Both are pure computations on the graph (paper 002, Def. 4.5 and 5.2, and its minimality
//! theorem 5.6): they yield a plan, which can be shown before it is carried out.

use crate::cut::{Cut, Place};
use crate::execution::{Chain, EventRef, Execution, ProcId};

/// A move of the cut, and the events it passes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The cut that it leads to.
    pub to: Cut,
    /// Undone events latest first, redone events earliest first: a causal order of doing it.
    pub events: Vec<EventRef>,
    /// Processes whose place changes, with their steps before and after.
    pub moved: Vec<(ProcId, u64, u64)>,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.events.is_empty()
    }

    /// How many steps are taken or undone.
    pub fn steps(&self) -> u64 {
        self.moved.iter().map(|(_, from, to)| from.abs_diff(*to)).sum()
    }
}

/// What must become undone (or done).
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// An event.
    Event(EventRef),
    /// The process is to be at this step.
    Steps(ProcId, u64),
}

/// The size of a move, without its events.
#[derive(Clone, Debug)]
pub struct Extent {
    /// The cut that it leads to.
    pub to: Cut,
    /// How many events it takes.
    pub events: usize,
    /// How many steps.
    pub steps: u64,
    /// In how many processes.
    pub processes: usize,
}

/// The least move down after which `target` is not done (of an event), or the process is at most
/// at that step.
pub fn undo(execution: &Execution, cut: &Cut, target: Target) -> Plan {
    let mut plan = swept_down(execution, cut, target, Keep::Events).plan(cut);
    plan.events.reverse();
    plan
}

/// The least move up after which `target` is done.
pub fn redo(execution: &Execution, cut: &Cut, target: Target) -> Plan {
    swept_up(execution, cut, target, Keep::Events).plan(cut)
}

/// How large `undo` would be. Not ordering a million events, it is quicker.
pub fn undo_extent(execution: &Execution, cut: &Cut, target: Target) -> Extent {
    swept_down(execution, cut, target, Keep::Count).extent(cut)
}

/// How large `redo` would be.
pub fn redo_extent(execution: &Execution, cut: &Cut, target: Target) -> Extent {
    swept_up(execution, cut, target, Keep::Count).extent(cut)
}

/// What a sweep remembers of the events that it passes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Events,
    Count,
}

fn swept_down<'e>(execution: &'e Execution, cut: &Cut, target: Target, keep: Keep) -> Sweep<'e> {
    let mut sweep = Sweep::new(execution, cut.clone(), keep);
    match target {
        Target::Event(event) => sweep.work.push(event),
        Target::Steps(proc, steps) => sweep.lower_steps(proc, steps),
    }
    while let Some(event) = sweep.work.pop() {
        sweep.remove(event);
    }
    sweep
}

fn swept_up<'e>(execution: &'e Execution, cut: &Cut, target: Target, keep: Keep) -> Sweep<'e> {
    let mut sweep = Sweep::new(execution, cut.clone(), keep);
    match target {
        Target::Event(event) => sweep.work.push(event),
        Target::Steps(proc, steps) => {
            let spawn = execution.proc(proc).parent;
            sweep.work.extend(spawn.map(|(parent, i)| EventRef::action(parent, i as usize)));
            sweep.raise_steps(proc, steps.min(execution.proc(proc).steps));
        }
    }
    while let Some(event) = sweep.work.pop() {
        sweep.include(event);
    }
    sweep
}

struct Sweep<'e> {
    execution: &'e Execution,
    cut: Cut,
    work: Vec<EventRef>,
    /// With their places in the order of events.
    passed: Vec<(u32, EventRef)>,
    count: usize,
    keep: Keep,
    touched: Vec<ProcId>,
}

impl<'e> Sweep<'e> {
    fn new(execution: &'e Execution, cut: Cut, keep: Keep) -> Sweep<'e> {
        let (work, passed, touched) = (vec![], vec![], vec![]);
        Sweep { execution, cut, work, passed, count: 0, keep, touched }
    }

    fn pass(&mut self, order: u32, event: EventRef) {
        self.count += 1;
        if self.keep == Keep::Events {
            self.passed.push((order, event));
        }
    }

    fn plan(mut self, before: &Cut) -> Plan {
        self.passed.sort_unstable_by_key(|(order, _)| *order);
        let events = self.passed.iter().map(|(_, event)| *event).collect();
        let moved = self.moved(before);
        Plan { to: self.cut, events, moved }
    }

    fn extent(mut self, before: &Cut) -> Extent {
        let moved = self.moved(before);
        let steps = moved.iter().map(|(_, from, to)| from.abs_diff(*to)).sum();
        Extent { to: self.cut, events: self.count, steps, processes: moved.len() }
    }

    fn moved(&mut self, before: &Cut) -> Vec<(ProcId, u64, u64)> {
        self.touched.sort();
        self.touched.dedup();
        let cut = &self.cut;
        let moved = self.touched.iter().filter_map(|p| {
            let (from, to) = (before.place(*p).steps, cut.place(*p).steps);
            (from != to).then_some((*p, from, to))
        });
        moved.collect()
    }

    /// Passes an event on the way down: all that comes after it goes too.
    fn undo(&mut self, order: u32, event: EventRef) {
        self.pass(order, event);
        let work = &mut self.work;
        self.execution.consequences(event, &mut |edge, consequence| {
            // Chains are gone through from end to end.
            if !edge.is_along_chain() {
                work.push(consequence);
            }
        });
        // Steps of a child that are not events.
        if let Some(child) = self.execution.child_of(event) {
            self.lower_steps(child, 0);
        }
    }

    /// Passes an event on the way up: all that comes before it comes too.
    fn redo(&mut self, order: u32, event: EventRef) {
        self.pass(order, event);
        let work = &mut self.work;
        self.execution.causes(event, &mut |edge, cause| {
            if !edge.is_along_chain() {
                work.push(cause);
            }
        });
    }

    // -- Down

    fn remove(&mut self, event: EventRef) {
        if !self.cut.contains(self.execution, event) {
            return;
        }
        match event.chain() {
            Chain::Action => {
                let step = self.execution.proc(event.proc).actions[event.index() as usize].step;
                self.lower_steps(event.proc, step - 1);
            }
            Chain::Delivery => self.lower_deliveries(event.proc, event.index()),
        }
    }

    fn lower_steps(&mut self, proc: ProcId, to: u64) {
        let place = self.cut.place(proc);
        if place.steps <= to {
            return;
        }
        let p = self.execution.proc(proc);
        self.cut.set(proc, Place { steps: to, ..place });
        self.touched.push(proc);
        for i in p.actions_at(to)..p.actions_at(place.steps) {
            self.undo(p.actions[i].order, EventRef::action(proc, i));
        }
    }

    fn lower_deliveries(&mut self, proc: ProcId, to: u32) {
        let place = self.cut.place(proc);
        if place.deliveries <= to {
            return;
        }
        let p = self.execution.proc(proc);
        self.cut.set(proc, Place { deliveries: to, ..place });
        self.touched.push(proc);
        for i in to..place.deliveries {
            let i = i as usize;
            self.undo(p.deliveries[i].order, EventRef::delivery(proc, i));
        }
    }

    // -- Up

    fn include(&mut self, event: EventRef) {
        if self.cut.contains(self.execution, event) {
            return;
        }
        match event.chain() {
            Chain::Action => {
                let step = self.execution.proc(event.proc).actions[event.index() as usize].step;
                self.raise_steps(event.proc, step);
            }
            Chain::Delivery => self.raise_deliveries(event.proc, event.index() + 1),
        }
    }

    fn raise_steps(&mut self, proc: ProcId, to: u64) {
        let place = self.cut.place(proc);
        if place.steps >= to {
            return;
        }
        let p = self.execution.proc(proc);
        self.cut.set(proc, Place { steps: to, ..place });
        self.touched.push(proc);
        for i in p.actions_at(place.steps)..p.actions_at(to) {
            self.redo(p.actions[i].order, EventRef::action(proc, i));
        }
    }

    fn raise_deliveries(&mut self, proc: ProcId, to: u32) {
        let place = self.cut.place(proc);
        if place.deliveries >= to {
            return;
        }
        let p = self.execution.proc(proc);
        self.cut.set(proc, Place { deliveries: to, ..place });
        self.touched.push(proc);
        for i in place.deliveries..to {
            let i = i as usize;
            self.redo(p.deliveries[i].order, EventRef::delivery(proc, i));
        }
    }
}
