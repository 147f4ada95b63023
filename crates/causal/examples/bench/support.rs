//! What the benchmarks share: `bench/bench.erl` as a system that is about to run.

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
        if let Some(own) = reverl_machine::library::find(module.name()) {
            let path = format!("{}.erl", module.name());
            let text = own.text.into();
            return reverl_lang::module::load_bytes(Path::new(&path), text, &options, sources).0;
        }
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

/// `bench:Function(Args)`, all atoms.
#[allow(dead_code, reason = "not every benchmark uses it")]
pub fn call(function: &str, args: &[&str]) -> System {
    let args = Term::list(args.iter().map(|a| Term::atom(Atom::new(a))));
    let entry = Entry::Call { module: Atom::new("bench"), name: Atom::new(function), args };
    System::new(Program::new(), Box::new(Bench), Box::new(Nothing), entry)
}

/// `Module:Function(Args)`, all integers.
#[allow(dead_code, reason = "not every benchmark uses it")]
pub fn call_with(module: &str, function: &str, args: &[i64]) -> System {
    let args = Term::list(args.iter().map(|a| Term::int(*a)));
    let entry = Entry::Call { module: Atom::new(module), name: Atom::new(function), args };
    System::new(Program::new(), Box::new(Bench), Box::new(Nothing), entry)
}

/// `bench:run(Name, Size)`.
#[allow(dead_code, reason = "not every benchmark uses it")]
pub fn start(name: &str, size: &str) -> System {
    call("run", &[name, size])
}

/// Bytes of memory in use.
#[allow(dead_code, reason = "not every benchmark uses it")]
pub fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) * 4096
}
