//! The programs in `crates/programs/erl/exact`: the value of each stands in its first line, and
//! both OTP and Reverl must give it.

use reverl_causal::schedule::RoundRobin;
use reverl_programs::{Program, all};
use reverl_term::fmt;
use std::process::Command;

fn programs() -> impl Iterator<Item = &'static Program> {
    all().filter(|p| p.file.starts_with("exact/"))
}

/// What the first line says.
fn expected(program: &Program) -> String {
    let text = std::fs::read_to_string(program.path()).expect("a program");
    let first = text.lines().next().and_then(|line| line.strip_prefix("%% Value: "));
    first.unwrap_or_else(|| panic!("{program}: its first line says no value")).to_string()
}

fn in_reverl(program: &Program) -> String {
    let mut system = program.system();
    system.run(&mut RoundRobin, &mut |system| system.execution().steps() < 50_000_000);
    match system.execution().proc(system.main).exit() {
        Some(exit) if exit.exception.is_none() => {
            let value = exit.value.clone().expect("it ended by itself");
            fmt::format_string("~0p", &[value]).expect("a value")
        }
        Some(exit) => fmt::write(&exit.reason),
        None => "it waits".to_string(),
    }
}

#[test]
fn programs_have_the_values_of_their_first_lines() {
    let mut wrong = vec![];
    for program in programs() {
        let (expected, value) = (expected(program), in_reverl(program));
        if expected != value {
            wrong.push(format!("{program}\nshould be {expected}\nis        {value}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn otp_gives_the_values_of_the_first_lines() {
    let dir = std::env::temp_dir().join(format!("reverl-values-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for .beam files");
    let files: Vec<_> = programs().map(Program::path).collect();
    let compiled = Command::new("erlc").arg("-o").arg(&dir).args(&files).output();
    let compiled = compiled.expect("this test needs OTP's erlc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
    let calls: Vec<String> =
        programs().map(|p| format!("io:format(\"~0p~n\", [{}])", p.call())).collect();
    let call = format!("logger:set_primary_config(level, none), {}, halt().", calls.join(", "));
    let ran = Command::new("erl").current_dir(&dir).args(["-noshell", "-eval", &call]).output();
    let ran = ran.expect("this test needs OTP's erl");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    let mut lines = printed.lines();
    for program in programs() {
        assert_eq!(lines.next(), Some(expected(program).as_str()), "{program}");
    }
    let _ = std::fs::remove_dir_all(dir);
}
