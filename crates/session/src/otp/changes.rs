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
    pub before: Term,
    pub after: Term,
}

/// The changes of a process up to a step, the latest first. `part` takes what is asked about out
/// of a state.
pub fn changes(
    session: &Session,
    proc: ProcId,
    until: u64,
    part: &dyn Fn(&Term) -> Option<Term>,
) -> Vec<Change> {
    let p = session.execution().proc(proc);
    let receives = (0..p.actions_at(until))
        .rev()
        .filter(|i| matches!(p.actions[*i].what(), ActionKind::Receive(_)));
    let at = |step: u64| state(&session.at_step(proc, step), proc).and_then(|s| part(&s.value));
    let mut after = at(until);
    let mut found = vec![];
    for i in receives.take(MOST) {
        let before = at(p.actions[i].step.saturating_sub(1));
        if let (Some(before), Some(after)) = (&before, &after) {
            if !exact_eq(before, after) {
                let (before, after) = (before.clone(), after.clone());
                found.push(Change { event: EventRef::action(proc, i), before, after });
            }
        }
        after = before.or(after);
    }
    found
}
