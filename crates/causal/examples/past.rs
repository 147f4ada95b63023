//! What the past costs: going back one step, jumping in a long run, undoing a million steps, and
//! the memory of events. `cargo run --release -p reverl-causal --example past`.

#[path = "bench/support.rs"]
mod support;

use reverl_causal::plan::{self, Target};
use reverl_causal::{Cut, EventRef, ProcId, System};
use std::time::Instant;
use support::{call_with, resident, start};

fn average(times: u32, mut f: impl FnMut(u32)) -> f64 {
    let begin = Instant::now();
    (0..times).for_each(&mut f);
    begin.elapsed().as_secs_f64() * 1e3 / f64::from(times)
}

/// A number that looks random and is the same every time.
fn scattered(i: u32, below: u64) -> u64 {
    (u64::from(i) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) % below
}

fn jumps(function: &str, size: &str) {
    jumps_in(function, start(function, size));
}

fn jumps_in(what: &str, mut system: System) {
    let before = resident();
    system.run(&mut reverl_causal::schedule::RoundRobin, &mut |_| true);
    let main = system.main;
    let steps = system.execution().proc(main).steps;
    let memory = resident().saturating_sub(before);
    let mut worst: f64 = 0.0;
    let jump = average(200, |i| {
        let begin = Instant::now();
        system.state_at(main, scattered(i, steps));
        worst = worst.max(begin.elapsed().as_secs_f64() * 1e3);
    });
    let back = average(200, |i| {
        system.state_at(main, steps - 1 - u64::from(i));
    });
    println!(
        "{what:8} {steps:10} steps: jump {jump:.3} ms (worst {worst:.3}), one step back {back:.3} ms, {} kB for the past",
        memory >> 10
    );
}

fn rollback() {
    let mut system: System = start("ring", "full");
    let before = resident();
    system.run(&mut reverl_causal::schedule::RoundRobin, &mut |_| true);
    let events = system.execution().event_count();
    let memory = resident().saturating_sub(before);
    println!("ring: {events} events, {} bytes an event with all processes", memory / events as u64);
    let end = Cut::end(system.execution());
    // The send of the main process from which a million steps follow.
    let main = system.main;
    let mut undone = 0;
    for i in (0..system.execution().proc(main).actions.len()).rev() {
        let target = Target::Event(EventRef::action(main, i));
        if i % 100 == 0 {
            let begin = Instant::now();
            let plan = plan::undo(system.execution(), &end, target);
            undone = plan.steps();
            if undone > 1_000_000 {
                let ms = begin.elapsed().as_secs_f64() * 1e3;
                println!(
                    "undoing {undone} steps in {} processes, {} events: {ms:.1} ms",
                    plan.moved.len(),
                    plan.events.len()
                );
                return;
            }
        }
    }
    println!("the largest rollback was {undone} steps of {:?}", ProcId(1));
}

fn main() {
    // First, while no memory is left over from others.
    rollback();
    jumps("loop", "full");
    jumps("nrev", "full");
    jumps("deep", "full");
    // Two processes that never compute long without a message.
    jumps_in("talk", call_with("scale", "idle", &[0, 1_000_000]));
}
