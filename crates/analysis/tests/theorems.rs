//! 002, Thm 3.6: two executions have the same log if and only if they are causally equivalent.

use reverl_analysis::history::History;
use reverl_causal::object::Object;
use reverl_causal::schedule::{Preference, Random, RoundRobin};
use reverl_causal::{ActionKind, Chain, EventRef, System, script};
use reverl_machine::builtins::nature::{Look, Nature};
use reverl_programs::Length;
use reverl_programs::compare::{Chains, chains};

/// What each process did, but for how far it had run when it was killed. That messages arrived
/// which nobody received is not in the log.
fn done(system: &System) -> Chains {
    let execution = system.execution();
    let was_killed = |event: EventRef| match execution.action(event).map(|a| a.what()) {
        Some(ActionKind::Exit(exited)) => exited.killed_by.is_some(),
        _ => false,
    };
    chains(execution, |event| event.chain() == Chain::Action && !was_killed(event))
}

/// Programs whose logs tell two executions apart that are equivalent: their order of writes has no
/// effect, as of writing the same value twice. They are explored more often than need be.
const FINER: &[&str] = &[
    "events/links",
    "search/demonitor_flush",
    "search/insert_list",
    "search/insert_new_fails",
    "search/same_value_write",
];

/// Whether what is not explored, and so not in the log, plays a part: the clock and other input,
/// looks at mailboxes, the versions of modules.
fn is_beyond_the_log(system: &System) -> bool {
    let execution = system.execution();
    let has_input =
        execution.events().any(|event| match execution.action(event).map(|a| a.what()) {
            Some(ActionKind::Request(answered)) => {
                answered.is_kept() || answered.nature() == Nature::Look(Look::ProcessInfo)
            }
            _ => false,
        });
    has_input || !execution.objects().accesses(Object::Code).is_empty()
}

// papers: 002 | Thm 3.6 | the same log exactly if equivalent | explore
#[test]
fn executions_have_the_same_log_exactly_if_they_are_equivalent() {
    let (mut same, mut different) = (0, 0);
    for program in reverl_programs::all() {
        let mut first = program.system();
        reverl_programs::go_on(&mut first, &mut RoundRobin, Length::LONG);
        // Only whole executions: where one is cut off depends on its schedule.
        let is_long = first.execution().event_count() > 400;
        if !first.is_at_rest() || is_long || is_beyond_the_log(&first) {
            continue;
        }
        let log = |system: &System| History::of(system.execution()).log().clone();
        let first_log = log(&first);
        let events = done(&first);
        for seed in 0..12 {
            let mut other = first.beginning();
            other.reserve_children(&script::family(first.execution()));
            let mut schedule = Random::new(seed, Preference::None, seed % 2 == 0);
            reverl_programs::go_on(&mut other, &mut schedule, Length::LONG);
            if !other.is_at_rest() {
                continue;
            }
            let has_same_log = log(&other) == first_log;
            let is_equivalent = done(&other) == events;
            assert!(
                is_equivalent || !has_same_log,
                "{program}, seed {seed}: the log tells too little"
            );
            let is_finer = is_equivalent && !has_same_log;
            let is_known = FINER.contains(&program.name().as_str());
            assert!(!is_finer || is_known, "{program}, seed {seed}: the log tells too much");
            *if is_equivalent { &mut same } else { &mut different } += 1;
        }
    }
    assert!(same > 100 && different > 50, "{same} the same, {different} others");
}
