//! Times the sequential programs of `bench/bench.erl`: `cargo run --release --example bench -- SIZE`.

use reverl_machine::{Ending, Local, Process, Program, Stop};
use reverl_term::{Atom, Pid, Term, atoms};
use std::path::Path;

fn main() {
    let size = std::env::args().nth(1).unwrap_or("full".into());
    let only = std::env::args().nth(2);
    let mut program = Program::new();
    let options = reverl_lang::options::Options::default();
    let mut sources = std::mem::take(&mut program.code.sources);
    let (module, problems) =
        reverl_lang::module::load_source(Path::new("bench/bench.erl"), &options, &mut sources);
    program.code.sources = sources;
    assert!(problems.is_empty(), "{} problems", problems.len());
    program.load(&module.expect("a module"));
    let m = Atom::new("bench");
    for name in ["fib", "loop", "nrev", "revlen", "mandel", "binapp", "strapp", "mapupd", "deep", "hof", "tryloop"] {
        if only.as_deref().is_some_and(|o| o != name) {
            continue;
        }
        let fun = program.code.exported(m, Atom::new("run"), 2).expect("run/2");
        let args = vec![Term::atom(Atom::new(name)), Term::atom(Atom::new(&size))];
        let pid = Pid { node: atoms::NONODE, id: 80, serial: 0, creation: 0 };
        let local = Local::new(pid, Term::nil());
        let mut process = Process::start(&program, fun, args, local);
        let start = std::time::Instant::now();
        let stop = process.run(&mut program, u64::MAX);
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let Stop::Ended = stop else { panic!("{name}: did not end") };
        match process.ending() {
            Some(Ending::Value(v)) => println!("{name:8} {ms:9.1} ms {:12} steps {}", process.steps(), v.as_small().unwrap_or(-1)),
            _ => println!("{name:8} failed"),
        }
    }
}
