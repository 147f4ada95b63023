//! A copy of a process ends as the process does, wherever the copy was made.
//!
//! Chains of calls with frames of very different sizes are the hard case: a copy brings back
//! only the topmost frames of its stack, and a return asks nobody whether there is room.

use proptest::prelude::*;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::{Ending, Local, Process, Program, Stop};
use reverl_term::{Atom, Pid, Term, fmt};
use std::path::Path;

fn program(text: &str) -> Program {
    let mut program = Program::new();
    let sources = &mut program.code.sources;
    let bytes = text.as_bytes().to_vec();
    let (module, problems) =
        load_bytes(Path::new("chain.erl"), bytes, &Options::default(), sources);
    let module = module.unwrap_or_else(|| panic!("{problems:?}\n{text}"));
    program.load(&module);
    program
}

/// Functions that call each other in a row. Each keeps as many variables as `sizes` says across
/// its call, and makes a tuple of them afterwards; the last one counts without a frame.
fn chain(sizes: &[usize]) -> String {
    let mut text = String::from("-module(chain).\n-export([main/0]).\nmain() -> f0(1).\n");
    for (i, size) in sizes.iter().enumerate() {
        let bind = |j: usize| format!("    V{j} = A + {j},\n");
        let binds: String = (0..*size).map(bind).collect();
        let elements: String = (0..*size).map(|j| format!(", V{j}")).collect();
        text += &format!("f{i}(A) ->\n{binds}    X = f{}(A + 1),\n    {{X{elements}}}.\n", i + 1);
    }
    text + &format!("f{}(A) -> count(30, A).\n", sizes.len())
        + "count(0, A) -> A;\ncount(N, A) -> count(N - 1, A).\n"
}

fn start(program: &Program) -> Process {
    let main = program.function(Atom::new("chain"), Atom::new("main"), 0).expect("main/0");
    Process::start(program, main, vec![], Local::new(Pid::local(80, 0), Term::nil()))
}

fn result(process: &Process) -> String {
    match process.ending() {
        Some(Ending::Value(value)) => fmt::write(value),
        _ => panic!("the process has not returned"),
    }
}

fn run_to_the_end(mut process: Process, program: &Program) -> String {
    assert!(matches!(process.run(program, u64::MAX), Stop::Ended));
    result(&process)
}

/// Every copy that is made on the way, each `every` steps, ends with the value of a plain run.
fn check_copies(sizes: &[usize], every: u64) {
    let program = program(&chain(sizes));
    let expected = run_to_the_end(start(&program), &program);
    let mut process = start(&program);
    let mut copies = vec![];
    // An instruction may weigh more than `every` steps: the limit grows, whether it was reached
    // or not.
    let mut limit = every;
    while !matches!(process.run(&program, limit), Stop::Ended) {
        copies.push(process.snapshot(&program));
        limit += every;
    }
    assert_eq!(result(&process), expected, "a process of which copies were made");
    for copy in copies.into_iter().rev() {
        let at = copy.steps();
        assert_eq!(run_to_the_end(copy, &program), expected, "a copy of step {at}");
    }
}

#[test]
fn a_small_frame_above_a_large_one_can_be_copied() {
    check_copies(&[16, 1], 20);
    check_copies(&[200, 0, 0], 7);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn copies_end_as_the_original(
        sizes in prop::collection::vec(0..40usize, 1..40),
        every in 1..60u64,
    ) {
        check_copies(&sizes, every);
    }
}
