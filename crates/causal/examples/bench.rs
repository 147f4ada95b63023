//! Times the programs of `bench/bench.erl` with full reversibility, one after another:
//! `cargo run --release -p reverl-causal --example bench -- [full|small|tiny] [NAME]`.

use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Entry, Loader, Outside, System};
use reverl_lang::forms::Module;
use reverl_lang::source::SourceMap;
use reverl_machine::Program;
use reverl_term::{Atom, Term};
use std::path::Path;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Bench;

impl Loader for Bench {
    fn load(&mut self, module: Atom, sources: &mut SourceMap) -> Option<Module> {
        let options = reverl_lang::options::Options::default();
        let path = format!("bench/{}.erl", module.name());
        reverl_lang::module::load_source(Path::new(&path), &options, sources).0
    }
}

struct Nothing;

impl Outside for Nothing {
    fn read_line(&mut self) -> Option<String> {
        None
    }
    fn read_file(&mut self, _: &str) -> Result<Vec<u8>, Atom> {
        Err(Atom::new("enoent"))
    }
    fn environment(&mut self, _: &str) -> Option<String> {
        None
    }
    fn random_bytes(&mut self, n: usize) -> Vec<u8> {
        vec![0; n]
    }
    fn output(&mut self, text: &str) {
        print!("{text}");
    }
}

const NAMES: &[&str] = &[
    "fib", "loop", "nrev", "revlen", "ring", "fanin", "flood", "mandel", "binapp", "strapp",
    "mapupd", "deep", "hof", "tryloop",
];

fn call(function: &str, args: &[&str]) -> (System, f64) {
    let args = Term::list(args.iter().map(|a| Term::atom(Atom::new(a))));
    let entry = Entry::Call { module: Atom::new("bench"), name: Atom::new(function), args };
    let mut system = System::new(Program::new(), Box::new(Bench), Box::new(Nothing), entry);
    let start = cpu_time();
    system.run(&mut RoundRobin, &mut |_| true);
    (system, (cpu_time() - start).as_secs_f64() * 1e3)
}

/// Time of this thread alone: what else the machine does must not count.
fn cpu_time() -> std::time::Duration {
    cpu_time::ThreadTime::now().as_duration()
}

fn value(system: &System) -> Option<&Term> {
    system.execution.proc(system.main).exit().and_then(|e| e.value.as_ref())
}

fn main() {
    let size = std::env::args().nth(1).unwrap_or("full".into());
    let only = std::env::args().nth(2);
    for name in NAMES.iter().filter(|n| only.as_deref().is_none_or(|o| o == **n)) {
        let (expected, _) = call("expected", &[name, &size]);
        let (system, ms) = call("run", &[name, &size]);
        let right = value(&system).is_some() && value(&system) == value(&expected);
        println!(
            "{name:8} {ms:9.1} ms {:12} steps {:9} events {}",
            system.execution.steps(),
            system.execution.event_count(),
            if right { "ok" } else { "WRONG" },
        );
    }
}
