//! Moving the cut: down by exactly the consequences of something, up by exactly its causes.
//!
//! Both are pure computations on the graph (paper 002, Def. 4.5 and 5.2, and its minimality
//! theorem 5.6): they yield a plan, which can be shown before it is carried out.

use crate::cut::{Cut, Place};
use crate::execution::{Chain, EventRef, Execution, ProcId, SignalId, What};

/// A move of the cut, and the events it passes.
#[derive(Clone, Debug)]
pub struct Plan {
    pub to: Cut,
    /// Undone events latest first, redone events earliest first: a causal order of doing it.
    pub events: Vec<EventRef>,
    /// Processes whose place changes, with their steps before and after.
    pub moved: Vec<(ProcId, u64, u64)>,
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.events.is_empty()
    }

    pub fn steps(&self) -> u64 {
        self.moved.iter().map(|(_, from, to)| from.abs_diff(*to)).sum()
    }
}

/// What must become undone (or done).
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Event(EventRef),
    /// The process is to be at this step.
    Steps(ProcId, u64),
}

/// The size of a move, without its events.
#[derive(Clone, Debug)]
pub struct Extent {
    pub to: Cut,
    pub events: usize,
    pub steps: u64,
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
            sweep.ensure_spawned(proc);
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
        let (first, end) = (p.actions_at(to), p.actions_at(place.steps));
        self.cut.set(proc, Place { steps: to, ..place });
        self.touched.push(proc);
        for i in first..end {
            let event = EventRef::action(proc, i);
            self.pass(p.actions[i].order, event);
            self.consequences_of_action(event, p.actions[i].what());
            if let (_, Some(later)) = p.tie_deliveries_around(i as u32) {
                self.work.push(EventRef::delivery(proc, later as usize));
            }
            self.later_accesses(event);
        }
    }

    fn lower_deliveries(&mut self, proc: ProcId, to: u32) {
        let place = self.cut.place(proc);
        if place.deliveries <= to {
            return;
        }
        self.cut.set(proc, Place { deliveries: to, ..place });
        self.touched.push(proc);
        let p = self.execution.proc(proc);
        for i in to..place.deliveries {
            let event = EventRef::delivery(proc, i as usize);
            self.pass(p.deliveries[i as usize].order, event);
            let signal = self.execution.signal(p.deliveries[i as usize].signal);
            if let Some(receive) = signal.receive() {
                self.work.push(EventRef::action(proc, receive as usize));
            }
            if let (_, Some(later)) = p.tie_actions_around(i) {
                self.work.push(EventRef::action(proc, later as usize));
            }
            self.later_accesses(event);
        }
        if p.exit().is_some() {
            // Everything of a process comes before its exit.
            self.work.push(EventRef::action(proc, p.actions.len() - 1));
        }
    }

    fn consequences_of_action(&mut self, event: EventRef, what: What) {
        match what {
            What::Send(k) => self.undeliver(event.proc, k..k + 1),
            What::Receive(_) => {}
            What::Timeout => {
                // It happened because nothing that matches had arrived before.
                let p = self.execution.proc(event.proc);
                let later = p.deliveries.partition_point(|d| d.after_actions() <= event.index());
                if later < p.deliveries.len() {
                    self.work.push(EventRef::delivery(event.proc, later));
                }
            }
            What::Request(answered) => {
                if let Some(child) = answered.effect.spawned {
                    self.lower_steps(child, 0);
                    self.lower_deliveries(child, 0);
                }
                self.undeliver(event.proc, answered.effect.signals.clone());
                if let Some(k) = self.execution.timers.get(&event) {
                    self.undeliver(event.proc, *k..*k + 1);
                }
            }
            What::Exit(exited) => {
                // With what it answered after its end.
                let end = self.execution.proc(event.proc).signals.len() as u32;
                self.undeliver(event.proc, exited.signals.start..end);
                // A signal that kills and the death are one.
                if let Some(i) = exited.killed_by {
                    self.work.push(EventRef::delivery(event.proc, i as usize));
                }
            }
        }
    }

    fn undeliver(&mut self, from: ProcId, signals: std::ops::Range<u32>) {
        for k in signals {
            let signal = &self.execution.proc(from).signals[k as usize];
            if let (Some(to), Some(i)) = (signal.to(), signal.delivery()) {
                self.work.push(EventRef::delivery(to, i as usize));
            }
            if let Some(reply) = self.execution.late.get(&SignalId { from, k }) {
                if let Some(i) = self.execution.signal(*reply).delivery() {
                    self.work.push(EventRef::delivery(from, i as usize));
                }
            }
        }
    }

    /// The next write depends on an access; on a write, so do the reads before that.
    fn later_accesses(&mut self, event: EventRef) {
        for &(object, i) in self.execution.objects.accesses_of(event) {
            let accesses = &self.execution.objects.map[&object].accesses;
            let is_write = accesses[i as usize].write;
            for access in &accesses[i as usize + 1..] {
                if is_write || access.write {
                    self.work.push(access.event);
                }
                if access.write {
                    break;
                }
            }
        }
    }

    // -- Up

    fn include(&mut self, event: EventRef) {
        if self.cut.contains(self.execution, event) {
            return;
        }
        self.ensure_spawned(event.proc);
        match event.chain() {
            Chain::Action => {
                let step = self.execution.proc(event.proc).actions[event.index() as usize].step;
                self.raise_steps(event.proc, step);
            }
            Chain::Delivery => self.raise_deliveries(event.proc, event.index() + 1),
        }
    }

    fn ensure_spawned(&mut self, proc: ProcId) {
        if let Some((parent, action)) = self.execution.proc(proc).parent {
            self.work.push(EventRef::action(parent, action as usize));
        }
    }

    fn raise_steps(&mut self, proc: ProcId, to: u64) {
        let place = self.cut.place(proc);
        if place.steps >= to {
            return;
        }
        let p = self.execution.proc(proc);
        let (first, end) = (p.actions_at(place.steps), p.actions_at(to));
        self.cut.set(proc, Place { steps: to, ..place });
        self.touched.push(proc);
        for i in first..end {
            let event = EventRef::action(proc, i);
            self.pass(p.actions[i].order, event);
            match p.actions[i].what() {
                What::Receive(signal) => {
                    if let Some(d) = self.execution.signal(signal).delivery() {
                        self.raise_deliveries(proc, d + 1);
                    }
                }
                What::Exit(_) => self.raise_deliveries(proc, p.deliveries.len() as u32),
                What::Send(_) | What::Timeout | What::Request(_) => {}
            }
            if let (Some(earlier), _) = p.tie_deliveries_around(i as u32) {
                self.raise_deliveries(proc, earlier + 1);
            }
            self.earlier_accesses(event);
        }
    }

    fn raise_deliveries(&mut self, proc: ProcId, to: u32) {
        let place = self.cut.place(proc);
        if place.deliveries >= to {
            return;
        }
        self.cut.set(proc, Place { deliveries: to, ..place });
        self.touched.push(proc);
        let p = self.execution.proc(proc);
        for i in place.deliveries..to {
            let event = EventRef::delivery(proc, i as usize);
            self.pass(p.deliveries[i as usize].order, event);
            let delivery = p.deliveries[i as usize];
            if p.exit().is_some_and(|e| e.killed_by == Some(i)) {
                self.work.push(EventRef::action(proc, p.actions.len() - 1));
            }
            let sent_by = self.execution.signal(delivery.signal).sent_by();
            self.work.push(EventRef::action(delivery.signal.from, sent_by as usize));
            if let Some(request) = self.execution.late_reply_to.get(&delivery.signal) {
                let asked_by = self.execution.signal(*request).sent_by() as usize;
                self.work.push(EventRef::action(request.from, asked_by));
            }
            if let Some(timeout) = p.timeout_before(&delivery) {
                self.work.push(EventRef::action(proc, timeout as usize));
            }
            if let (Some(earlier), _) = p.tie_actions_around(i) {
                self.work.push(EventRef::action(proc, earlier as usize));
            }
            self.earlier_accesses(event);
        }
    }

    /// An access depends on the write before it; a write, also on the reads since that.
    fn earlier_accesses(&mut self, event: EventRef) {
        for &(object, i) in self.execution.objects.accesses_of(event) {
            let accesses = &self.execution.objects.map[&object].accesses;
            let is_write = accesses[i as usize].write;
            for access in accesses[..i as usize].iter().rev() {
                if is_write || access.write {
                    self.work.push(access.event);
                }
                if access.write {
                    break;
                }
            }
        }
    }
}
