//! Which messages a receive would take. To ask, its process is run again up to there; but a process is what
//! it was told, so one that was told the same in another execution need not be asked again.

use crate::feasible::Matches;
use crate::history::{EventKind, History};
use crate::observation::hash_of;
use reverl_causal::execution::Proc;
use reverl_causal::{Action, ActionKind, Entry, Execution, ProcId, System};
use reverl_term::Term;
use reverl_term::etf::{EncodeOptions, encode};
use std::collections::HashMap;

/// So many answers are kept; then all are forgotten.
const MOST: usize = 1 << 20;

/// What was asked before, by what the process had been told and by the message.
#[derive(Default)]
pub struct MatchMemo {
    known: HashMap<(u64, u64), bool>,
}

impl MatchMemo {
    /// For each receive, which messages that were sent to its process it would take.
    pub fn all(&mut self, run: &System, history: &History) -> Matches {
        if self.known.len() > MOST {
            self.known.clear();
        }
        let execution = run.execution();
        let mut matches = HashMap::new();
        for (p, receives) in history.receives.iter().enumerate().filter(|(_, r)| !r.is_empty()) {
            let proc = ProcId(p as u32);
            let inbox = &history.inbox[p];
            let messages: Vec<u64> =
                inbox.iter().map(|id| number(&execution.signal(*id).message)).collect();
            let mut told = ToldSoFar::new(execution, proc);
            for i in receives {
                let EventKind::Receive { step, .. } = history.events[*i].kind else { continue };
                let state = told.before(step);
                let known = |message: &u64| self.known.get(&(state, *message)).copied();
                let remembered: Option<Vec<bool>> = messages.iter().map(known).collect();
                let row = remembered.unwrap_or_else(|| run.matches_at(proc, step - 1, inbox));
                let asked = messages.iter().map(|message| (state, *message));
                self.known.extend(asked.zip(row.iter().copied()));
                matches.insert(*i, row);
            }
        }
        matches
    }
}

/// A number for everything that a process was told up to some step.
struct ToldSoFar<'e> {
    execution: &'e Execution,
    actions: Box<dyn Iterator<Item = &'e Action> + 'e>,
    next: Option<&'e Action>,
    /// The step that was asked for last.
    step: u64,
    state: u64,
}

impl<'e> ToldSoFar<'e> {
    fn new(execution: &'e Execution, proc: ProcId) -> ToldSoFar<'e> {
        let p = execution.proc(proc);
        let mut actions: Box<dyn Iterator<Item = &'e Action> + 'e> = Box::new(p.actions.iter());
        let next = actions.next();
        ToldSoFar { execution, actions, next, step: 0, state: beginning(p) }
    }

    /// Before the action at this step; steps are asked for in their order.
    fn before(&mut self, step: u64) -> u64 {
        debug_assert!(self.step <= step, "receives of a process come in their order");
        self.step = step;
        while let Some(action) = self.next.filter(|action| action.step < step) {
            self.state = hash_of((self.state, action.step, self.told(action)));
            self.next = self.actions.next();
        }
        self.state
    }

    fn told(&self, action: &Action) -> u64 {
        match action.what() {
            ActionKind::Receive(id) => number(&self.execution.signal(id).message),
            ActionKind::Request(answered) => match &answered.answer {
                Ok(value) => number(value),
                Err(raise) => hash_of(("raises", number(&raise.reason))),
            },
            ActionKind::Assign(assigned) => number(&assigned.value),
            ActionKind::Send(_) | ActionKind::Timeout | ActionKind::Exit(_) => 0,
        }
    }
}

/// What a process was started with.
fn beginning(p: &Proc) -> u64 {
    let of = match &p.entry {
        Entry::Call { module, name, args } => hash_of((module, name, number(args))),
        Entry::Fun { fun, args } => hash_of((number(fun), number(args))),
    };
    hash_of((of, &*p.path))
}

/// A number for a value: only those that are exactly equal have the same, but for one chance in 2^64.
fn number(term: &Term) -> u64 {
    match term.as_small() {
        Some(small) => hash_of(small),
        None => hash_of(encode(term, &EncodeOptions::default())),
    }
}
