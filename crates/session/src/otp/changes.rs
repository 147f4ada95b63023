//! What changed the state of a server: each message after which its callback module kept another
//! one.

use super::state::state;
use crate::session::Session;
use reverl_causal::{ActionKind, EventRef, ProcId};
use reverl_term::{Term, exact_eq};

/// Receives that are looked at.
const MOST: usize = 300;

/// A message that changed a state.
pub struct Change {
    /// Its receive.
    pub event: EventRef,
    /// What was asked about; none if it was not there.
    pub before: Option<Term>,
    pub after: Option<Term>,
}

/// The changes of a process up to a step, the latest first, and how many receives before them were
/// not looked at. `part` takes what is asked about out of a state.
pub fn changes(
    session: &Session,
    proc: ProcId,
    until: u64,
    part: &dyn Fn(&Term) -> Option<Term>,
) -> (Vec<Change>, usize) {
    let p = session.execution().proc(proc);
    let ends_a_receive =
        |i: &usize| matches!(p.actions[*i].what(), ActionKind::Receive(_) | ActionKind::Timeout);
    let mut receives = (0..p.actions_at(until)).rev().filter(ends_a_receive);
    let at = |step: u64| state(&session.at_step(proc, step), proc).map(|s| part(&s.value));
    let mut after = at(until);
    let mut found = vec![];
    for i in receives.by_ref().take(MOST) {
        let before = at(p.actions[i].step.saturating_sub(1));
        if let (Some(before), Some(after)) = (&before, &after)
            && !is_same(before, after)
        {
            let (before, after) = (before.clone(), after.clone());
            found.push(Change { event: EventRef::action(proc, i), before, after });
        }
        after = before.or(after);
    }
    (found, receives.count())
}

fn is_same(one: &Option<Term>, other: &Option<Term>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => exact_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// The state before the last message that a process received before a step.
pub fn before_last_message(session: &Session, proc: ProcId, until: u64) -> Option<Term> {
    let p = session.execution().proc(proc);
    let is_receive = |i: &usize| matches!(p.actions[*i].what(), ActionKind::Receive(_));
    let mut receives = (0..p.actions_at(until)).rev().filter(is_receive);
    // While a callback runs, the state is still the one that its message found.
    let now = state(&session.at_step(proc, until), proc)?.value;
    let before = |i: usize| {
        let step = p.actions[i].step.saturating_sub(1);
        Some(state(&session.at_step(proc, step), proc)?.value)
    };
    let last = before(receives.next()?)?;
    let is_busy = !session.system.state_at(proc, until).is_waiting();
    match exact_eq(&last, &now) && is_busy {
        true => receives.next().and_then(before),
        false => Some(last),
    }
}
