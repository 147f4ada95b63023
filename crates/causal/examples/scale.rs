//! What an event costs when an execution grows: longer, with more processes, with more messages
//! waiting. `cargo run --release -p reverl-causal --example scale`.

#[path = "bench/support.rs"]
mod support;

use cpu_time::ThreadTime;
use reverl_causal::schedule::RoundRobin;

use support::{call_with, resident};

struct Cost {
    nanoseconds: f64,
    bytes: u64,
    events: usize,
    processes: usize,
}

fn cost(function: &str, args: [i64; 2]) -> Cost {
    let mut system = call_with("scale", function, &args);
    let before = resident();
    let begin = ThreadTime::now();
    system.run(&mut RoundRobin, &mut |_| true);
    Cost {
        nanoseconds: begin.elapsed().as_nanos() as f64,
        bytes: resident().saturating_sub(before),
        events: system.execution().event_count(),
        processes: system.execution().ids().count(),
    }
}

/// The best of three: the machine has other things to do.
fn best(function: &str, args: [i64; 2]) -> Cost {
    let runs = (0..3).map(|_| cost(function, args));
    runs.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds)).expect("three runs")
}

fn compare(what: &str, small: f64, large: f64) {
    println!("{what:48} {small:6.0} ns -> {large:6.0} ns an event: x{:.2}", large / small);
}

/// Nanoseconds an event.
fn event(function: &str, args: [i64; 2]) -> f64 {
    let Cost { nanoseconds, events, .. } = best(function, args);
    nanoseconds / events as f64
}

/// Nanoseconds an event among so many processes, whose creation is not counted.
fn beyond_creation(function: &str, processes: i64, rounds: i64) -> f64 {
    let (quiet, loud) = (best(function, [processes, 0]), best(function, [processes, rounds]));
    (loud.nanoseconds - quiet.nanoseconds) / (loud.events - quiet.events) as f64
}

fn main() {
    // First, while no memory is left over from others.
    let Cost { nanoseconds, bytes, events, processes } = cost("ring", [100_000, 3_300_000]);
    let (time, room) = (nanoseconds / events as f64, bytes as f64 / events as f64);
    println!("{processes} processes, {events} events: {time:.0} ns and {room:.0} bytes an event");
    let ring = |args| event("ring", args);
    compare("ring of 100, 1,000 -> 1,000,000 hops", ring([100, 1_000]), ring([100, 1_000_000]));
    let hops = |processes| beyond_creation("ring", processes, 300_000);
    compare("ring of 10 -> 10,000 processes, 300,000 hops", hops(10), hops(10_000));
    compare("creating 100 -> 100,000 processes", ring([100, 0]), ring([100_000, 0]));
    let pending = |n| event("pending", [n, 1]);
    compare("100 -> 100,000 messages waiting", pending(100), pending(100_000));
    let talk = |others| beyond_creation("idle", others, 500_000);
    compare("100 -> 100,000 idle processes", talk(100), talk(100_000));
}
