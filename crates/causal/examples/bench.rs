//! Times the programs of `bench/bench.erl` with full reversibility, one after another, each the
//! best of five runs as `scripts/bench` does with OTP:
//! `cargo run --release -p reverl-causal --example bench -- [full|small|tiny] [NAME]`.

#[path = "bench/support.rs"]
mod support;

use reverl_causal::System;
use reverl_causal::schedule::RoundRobin;
use reverl_term::Term;
use support::call;

const NAMES: &[&str] = &[
    "fib", "loop", "nrev", "revlen", "ring", "fanin", "flood", "mandel", "binapp", "strapp",
    "mapupd", "deep", "hof", "tryloop",
];

fn timed(function: &str, args: &[&str]) -> (System, f64) {
    let mut system = call(function, args);
    let start = cpu_time();
    system.run(&mut RoundRobin, &mut |_| true);
    (system, (cpu_time() - start).as_secs_f64() * 1e3)
}

/// Time of this thread alone: what else the machine does must not count.
fn cpu_time() -> std::time::Duration {
    cpu_time::ThreadTime::now().as_duration()
}

fn value(system: &System) -> Option<&Term> {
    system.execution().proc(system.main).exit().and_then(|e| e.value.as_ref())
}

fn main() {
    let size = std::env::args().nth(1).unwrap_or("full".into());
    let only = std::env::args().nth(2);
    for name in NAMES.iter().filter(|n| only.as_deref().is_none_or(|o| o == **n)) {
        let (expected, _) = timed("expected", &[name, &size]);
        let (mut system, mut ms) = timed("run", &[name, &size]);
        for _ in 1..5 {
            drop(system);
            let (again, took) = timed("run", &[name, &size]);
            (system, ms) = (again, ms.min(took));
        }
        let right = value(&system).is_some() && value(&system) == value(&expected);
        println!(
            "{name:8} {ms:9.1} ms {:12} steps {:9} events {}",
            system.execution().steps(),
            system.execution().event_count(),
            if right { "ok" } else { "WRONG" },
        );
    }
}
