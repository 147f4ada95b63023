//! What an event costs when an execution grows: longer, with more processes, with more messages
//! waiting. `cargo run --release -p reverl-causal --example scale`.

#[path = "bench/support.rs"]
mod support;

use reverl_causal::schedule::RoundRobin;
use std::time::Instant;
use support::{call_with, resident};

/// Nanoseconds and bytes for one event.
fn cost(function: &str, args: [i64; 2]) -> (f64, f64, usize, usize) {
    let before = resident();
    let mut system = call_with("scale", function, &args);
    let begin = Instant::now();
    system.run(&mut RoundRobin, &mut |_| true);
    let nanoseconds = begin.elapsed().as_nanos() as f64;
    let events = system.execution.event_count();
    let bytes = resident().saturating_sub(before) as f64;
    let processes = system.execution.ids().count();
    (nanoseconds / events as f64, bytes / events as f64, events, processes)
}

fn compare(what: &str, function: &str, small: [i64; 2], large: [i64; 2]) {
    // The best of three: the machine has other things to do.
    let best = |args| {
        let runs = (0..3).map(|_| cost(function, args).0);
        runs.fold(f64::INFINITY, f64::min)
    };
    let (a, b) = (best(small), best(large));
    println!("{what:48} {a:6.0} ns -> {b:6.0} ns an event: x{:.2}", b / a);
}

fn main() {
    compare("ring of 100, 1,000 -> 1,000,000 hops", "ring", [100, 1_000], [100, 1_000_000]);
    compare(
        "ring of 10 -> 10,000 processes, 300,000 hops",
        "ring",
        [10, 300_000],
        [10_000, 300_000],
    );
    compare("100 -> 100,000 messages waiting", "pending", [100, 1], [100_000, 1]);
    // Without the creation of the processes.
    let talk = |processes: i64| {
        let rounds = 200_000;
        let (quiet, loud) = (cost("idle", [processes, 0]), cost("idle", [processes, rounds]));
        let time = loud.0 * loud.2 as f64 - quiet.0 * quiet.2 as f64;
        time / (loud.2 - quiet.2) as f64
    };
    let (few, many) = (talk(100), talk(100_000));
    println!(
        "{:48} {few:6.0} ns -> {many:6.0} ns an event: x{:.2}",
        "100 -> 100,000 idle processes",
        many / few
    );
    let (time, bytes, events, processes) = cost("ring", [100_000, 3_300_000]);
    println!("{processes} processes, {events} events: {time:.0} ns and {bytes:.0} bytes an event");
}
