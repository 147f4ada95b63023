//! Which race decides whether an execution fails: with the other message first, it no longer does.

use super::Checks;
use super::story::Teller;
use crate::command::cut_before;
use crate::failure::Failure;
use reverl_analysis::races::{Race, races};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Cut, SignalId, System};

/// So many other messages are tried, the last ones first.
const MOST: usize = 24;
/// Longer executions are not tried: each would be replayed so often.
const MOST_EVENTS: usize = 5_000;

/// The last race that decides about a failure, in a sentence.
pub fn race(system: &System, failure: &Failure, checks: &Checks) -> Option<String> {
    if system.execution().event_count() > MOST_EVENTS {
        return None;
    }
    let mut all: Vec<Race> = vec![];
    races(system, &mut |race| all.push(race));
    all.sort_by_key(|race| std::cmp::Reverse(system.execution().order_of(race.receive)));
    let tried = all.iter().flat_map(|race| {
        let actual = race.racing.iter().filter(|other| other.is_actual);
        actual.map(move |other| (race, other.message))
    });
    let fails_so = |branch: &System, is_cut_off| {
        let found = checks.failures_of_real(branch, is_cut_off).unwrap_or_default();
        is_cut_off || found.iter().any(|f| f.with_roles(branch) == *failure)
    };
    let (race, other) =
        tried.take(MOST).find(|(race, other)| !with_the_other(system, race, *other, &fails_so))?;
    let teller = Teller::of(system);
    let who = teller.name(Some(race.receive.proc));
    let (first, second) = (teller.message(race.taken), teller.message(other));
    Some(format!("it fails so because {who} takes {first} before {second}"))
}

/// Whether it fails in the same way if the other message is taken.
fn with_the_other(
    system: &System,
    race: &Race,
    other: SignalId,
    fails_so: &dyn Fn(&System, bool) -> bool,
) -> bool {
    let execution = system.execution();
    let (Some(arrived), Some(step)) = (
        execution.signal(race.taken).delivery(),
        execution.action(race.receive).map(|action| action.step),
    ) else {
        return true;
    };
    let to = race.receive.proc;
    let cut = cut_before(execution, &Cut::end(execution), to, arrived as usize, step - 1);
    let mut branch = system.branch(&cut);
    if branch.bring(other, to) == 0 {
        return true;
    }
    let most = execution.steps() * 4 + 200_000;
    branch.run(&mut RoundRobin, &mut |s| s.execution().steps() < most);
    let is_cut_off = branch.execution().steps() >= most;
    fails_so(&branch, is_cut_off)
}
