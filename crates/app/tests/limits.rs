//! Small values that stand for enormous ones: whatever is done with them ends in an error of the
//! process that did it, in bounded memory, or is told in bounded words.

use std::process::{Command, Output};

const PROGRAM: &str = "-module(enormous).
-export([bits/0, padded/0, returned/0, raised/0, compared/0, packed/0, goes_on/0]).
shared(0) -> [];
shared(N) -> X = shared(N - 1), [X | X].
bits() -> S = 1 bsl 40, <<0:S>>.
padded() -> io_lib:format(\"~1000000000s\", [\"a\"]).
returned() -> shared(60).
raised() -> exit(shared(60)).
compared() -> shared(60) =:= shared(60).
packed() -> term_to_binary(shared(60)).
goes_on() -> {try packed() catch error:Reason -> Reason end, still_here}.
";

fn run(function: &str) -> Output {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("enormous.erl");
    std::fs::write(&file, PROGRAM).expect("written");
    let mut reverl = Command::new(env!("CARGO_BIN_EXE_reverl"));
    reverl.arg("run").arg(&file).args(["-e", &format!("enormous:{function}()")]);
    reverl.args(["--max-memory", "1500"]).output().expect("reverl runs")
}

fn check(function: &str, code: i32, says: &str) {
    let output = run(function);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{function}: {said:.300}");
    assert!(said.contains(says) && said.len() < 10_000, "{function}: {said:.300}");
}

#[test]
fn a_binary_that_fits_nowhere_is_an_error() {
    check("bits", 1, "error: system_limit");
}

#[test]
fn what_would_never_be_compared_or_packed_is_an_error() {
    check("compared", 1, "error: system_limit");
    check("packed", 1, "error: system_limit");
}

#[test]
fn what_is_too_large_to_be_shown_says_so() {
    check("returned", 0, "too large to be shown");
    check("raised", 1, "too large to be shown");
    check("padded", 0, "too large to be shown");
}

#[test]
fn the_process_can_catch_it_and_goes_on() {
    check("goes_on", 0, "=> {system_limit,still_here}");
}
