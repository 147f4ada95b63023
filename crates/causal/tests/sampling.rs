//! What sampling schedules promise: what is possible comes, and often enough.

use reverl_causal::System;
use reverl_causal::sampling::{Arrival, PartialOrder, Priorities};
use reverl_term::fmt;
use std::collections::BTreeMap;

const ARRIVAL: Arrival = Arrival { instant: false, early: 0 };

/// Three processes send one message each, beside two others that talk to each other all the time;
/// the result is the order of arrival.
const SENDERS: &str = "-module(senders).\n-export([main/0]).\n\
    main() ->\n\
        Me = self(),\n\
        Pong = spawn(fun() -> pong() end),\n\
        spawn(fun() -> ping(Pong, 20) end),\n\
        [spawn(fun() -> Me ! N end) || N <- [a, b, c]],\n\
        [receive M when is_atom(M) -> M end || _ <- [1, 2, 3]].\n\
    ping(_, 0) -> ok;\n\
    ping(To, N) -> To ! self(), receive pong -> ping(To, N - 1) end.\n\
    pong() -> receive From -> From ! pong, pong() end.\n";

/// How often each result comes in so many runs.
fn results(runs: u64, mut go: impl FnMut(u64, &mut System)) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for seed in 0..runs {
        let mut run = reverl_programs::text(SENDERS);
        go(seed, &mut run);
        let exit = run.execution().proc(run.main).exit().expect("it ends");
        *found.entry(fmt::write(exit.value.as_ref().expect("a value"))).or_default() += 1;
    }
    found
}

#[test]
fn each_order_comes_as_often_as_priorities_promise() {
    let (runs, depth) = (400, 3);
    let (mut agents, mut choices) = (0, 0);
    let found = results(runs, |seed, run| {
        let mut schedule = Priorities::new(seed, depth, 100, ARRIVAL);
        run.run(&mut schedule, &mut |s| !s.has_exited(s.main));
        let (a, c) = schedule.size();
        (agents, choices) = (a.max(agents), c.max(choices));
    });
    assert_eq!(found.len(), 6, "{found:?}");
    let promised = 1.0 / (agents as f64 * (choices as f64).powi(depth as i32 - 1));
    for (order, times) in found {
        assert!(times as f64 / runs as f64 >= promised, "{order}: {times}");
    }
}

#[test]
fn every_order_of_messages_comes_whatever_else_happens() {
    let found = results(300, |seed, run| {
        run.run(&mut PartialOrder::new(seed, ARRIVAL), &mut |s| !s.has_exited(s.main));
    });
    assert_eq!(found.len(), 6, "{found:?}");
}

#[test]
fn a_seed_is_an_execution() {
    let order = |seed: u64| {
        let mut run = reverl_programs::text(SENDERS);
        run.run(&mut Priorities::new(seed, 3, 100, ARRIVAL), &mut |s| !s.has_exited(s.main));
        run.execution().events().collect::<Vec<_>>()
    };
    assert_eq!(order(7), order(7));
    assert!((0..20).any(|seed| order(seed) != order(7)));
}
