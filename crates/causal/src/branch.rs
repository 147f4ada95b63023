//! A branch: another future of the same past.
//!
//! The past is lived through again: every event of the cut happens in its old order, answered
//! as it was answered then. What comes out is a system that is alive at the cut, and whose
//! processes, messages and references have the names they had.

use crate::cut::Cut;
use crate::execution::*;
use crate::system::{Loader, Outside, System, Until};
use reverl_lang::forms::Module;
use reverl_lang::source::SourceMap;
use reverl_machine::{Program, Raise};
use reverl_term::{Atom, Term};

/// What a system has on loan while it is the one in use.
pub struct Shared {
    program: Program,
    loader: Box<dyn Loader>,
    outside: Box<dyn Outside>,
}

/// Stands in for what was lent.
struct Absent;

impl Loader for Absent {
    fn load(&mut self, _: Atom, _: &mut SourceMap) -> Option<Module> {
        None
    }
}

impl Outside for Absent {
    fn read_line(&mut self) -> Option<String> {
        None
    }
    fn read_file(&mut self, _: &str) -> Result<Vec<u8>, Atom> {
        Err(Atom::new("enoent"))
    }
    fn environment(&mut self, _: &str) -> Option<String> {
        None
    }
    fn output(&mut self, _: &str) {}
}

impl System {
    /// Takes program, loader and outside away, to be given to another branch.
    pub fn lend(&mut self) -> Shared {
        Shared {
            program: std::mem::take(&mut self.program),
            loader: std::mem::replace(&mut self.loader, Box::new(Absent)),
            outside: std::mem::replace(&mut self.outside, Box::new(Absent)),
        }
    }

    pub fn borrow(&mut self, shared: Shared) {
        self.program = shared.program;
        self.loader = shared.loader;
        self.outside = shared.outside;
    }

    /// A system that is alive at the cut. It takes over what this one had on loan.
    pub fn branch(&mut self, cut: &Cut) -> System {
        let Shared { program, loader, outside } = self.lend();
        let main = self.execution.proc(self.main).entry.clone();
        let mut branch = System::booted(program, loader, Box::new(Absent), main);
        branch.expect(&self.execution);
        branch.instant = false;
        branch.relive(&self.execution, cut);
        branch.instant = self.instant;
        branch.outside = outside;
        branch
    }

    /// Lives through the events of the cut again.
    fn relive(&mut self, past: &Execution, cut: &Cut) {
        for event in past.order.iter().filter(|e| cut.contains(past, **e)) {
            match event.chain {
                Chain::Action => self.relive_action(past, *event),
                Chain::Delivery => self.relive_delivery(past, *event),
            }
        }
        for proc in past.ids().filter(|p| cut.is_spawned(past, *p)) {
            let steps = cut.place(proc).steps;
            if !self.has_exited(proc) && self.live(proc).process.steps() < steps {
                self.advance(proc, steps, Until::Limit);
            }
        }
        self.answers = None;
    }

    fn relive_action(&mut self, past: &Execution, event: EventRef) {
        let action = &past.proc(event.proc).actions[event.index as usize];
        self.answers = match &action.what {
            What::Request(answered) => Some(answered.answer.clone()),
            _ => None,
        };
        match &action.what {
            What::Timeout => {
                self.advance(event.proc, action.step - 1, Until::Action);
                if self.execution.proc(event.proc).actions.len() <= event.index as usize {
                    self.time_out(event.proc);
                }
            }
            What::Exit(exited) if exited.killed_by.is_some() => {}
            What::Exit(_) => {
                self.advance(event.proc, u64::MAX, Until::Action);
            }
            _ => {
                self.advance(event.proc, action.step, Until::Action);
            }
        }
        debug_assert!(
            self.execution.proc(event.proc).actions.len() > event.index as usize,
            "the past can be lived again"
        );
    }

    fn relive_delivery(&mut self, past: &Execution, event: EventRef) {
        let delivery = past.proc(event.proc).deliveries[event.index as usize];
        let signal = past.signal(delivery.signal);
        if past.proc(event.proc).exit().is_some_and(|e| e.killed_by == Some(event.index)) {
            // It dies at the step at which it died.
            let last = past.proc(event.proc).actions.last().map_or(0, |a| a.step - 1);
            self.advance(event.proc, last, Until::Limit);
        }
        if signal.kind == SignalKind::Timer {
            return self.fire_timer_of(delivery.signal.from, signal.sent_by);
        }
        // A dead process answers when a link or monitor reaches it, which is no event of its own.
        let SignalId { from, k } = delivery.signal;
        while self.execution.proc(from).signals.len() <= k as usize {
            let before = self.in_network(event.proc, from);
            self.deliver_next(event.proc, from);
            assert!(
                self.in_network(event.proc, from) < before,
                "{:?} answered nothing to {:?}",
                from,
                event
            );
        }
        self.deliver_next(from, event.proc);
    }

    /// Reserves the places of all processes that the old execution had, so that whoever is
    /// spawned again is the same as before.
    fn expect(&mut self, past: &Execution) {
        self.execution.minted = past.minted.clone();
        for id in self.execution.procs.len()..past.procs.len() {
            let p = &past.procs[id];
            self.reserve(p.pid, p.entry.clone(), p.group_leader.clone());
        }
    }

    /// The answer that a request had the last time, while the past is lived again.
    pub(crate) fn old_answer(&mut self) -> Option<Result<Term, Raise>> {
        self.answers.take()
    }
}
