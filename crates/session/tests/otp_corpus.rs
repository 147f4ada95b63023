//! The corpus in `corpus/` runs in OTP and in Reverl; every line must be the same.
//!
//! A module of the corpus gives its cases as funs; `corpus_runner.erl` runs each in a process of
//! its own and prints one line: the value, or the exception with its stack trace.

use reverl_causal::System;
use reverl_causal::schedule::RoundRobin;
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_programs::Files;
use reverl_session::entry::entry;
use reverl_session::modules::Modules;
use reverl_session::outcome;
use reverl_session::outside::{Output, RealOutside};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn corpus() -> PathBuf {
    reverl_programs::directory().join("corpus")
}

/// The corpus compiled by OTP, once for all tests.
fn compiled() -> &'static Path {
    static EBIN: OnceLock<PathBuf> = OnceLock::new();
    EBIN.get_or_init(|| {
        let ebin = std::env::temp_dir().join(format!("reverl-corpus-{}", std::process::id()));
        std::fs::create_dir_all(&ebin).expect("a directory for .beam files");
        let sources = std::fs::read_dir(corpus()).expect("the corpus");
        let names = sources.filter_map(|e| e.ok()?.file_name().into_string().ok());
        let compiled = Command::new("erlc")
            .current_dir(corpus())
            .arg("-o")
            .arg(&ebin)
            .args(names.filter(|n| n.ends_with(".erl")))
            .output()
            .expect("this test needs OTP's erlc");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
        ebin
    })
}

/// What OTP prints for a module.
fn in_otp(module: &str) -> String {
    let call = format!(
        "io:setopts([{{encoding, unicode}}]), logger:set_primary_config(level, none), \
         corpus_runner:run([{module}]), halt()."
    );
    let ran = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(compiled())
        .args(["-eval", &call])
        .output()
        .expect("this test needs OTP's erl");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn in_reverl(module: &str) -> String {
    let given = ProgramSources { paths: vec![corpus()], ..ProgramSources::default() };
    let loader = Modules::new(given);
    let problems = loader.problems();
    let mut program = Program::new();
    let entry = entry(&format!("corpus_runner:run([{module}])"), &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, Box::new(loader), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    assert!(problems.borrow().is_empty(), "{}", problems.borrow().join("\n"));
    printed(&system)
}

/// OTP compiled the files where they are, so it names them without a directory.
fn printed(system: &System) -> String {
    outcome::output(system, None).replace(&format!("{}/", corpus().display()), "")
}

/// Runs the cases of a module in both; the least number says that none got lost.
fn check_corpus(module: &str, least: usize) {
    let (otp, reverl) = (in_otp(module), in_reverl(module));
    let (otp, reverl): (Vec<&str>, Vec<&str>) = (otp.lines().collect(), reverl.lines().collect());
    assert!(otp.len() >= least, "OTP ran only {} cases: {:?}", otp.len(), otp.last());
    let differs = otp.iter().zip(&reverl).filter(|(a, b)| a != b);
    let shown: Vec<String> = differs.map(|(a, b)| format!("OTP:    {a}\nReverl: {b}")).collect();
    assert!(shown.is_empty(), "{} of {} differ\n{}", shown.len(), otp.len(), shown.join("\n"));
    assert_eq!(otp.len(), reverl.len(), "Reverl stopped early: {:?}", reverl.last());
}

#[test]
fn conversions_agree_with_otp() {
    check_corpus("erlang_conversions", 120);
}

#[test]
fn basic_functions_agree_with_otp() {
    check_corpus("erlang_basics", 190);
}

#[test]
fn causes_of_errors_agree_with_otp() {
    check_corpus("causes", 44);
}

#[test]
fn lists_and_maps_agree_with_otp() {
    check_corpus("lists_cases", 190);
}

#[test]
fn binaries_text_and_numbers_agree_with_otp() {
    check_corpus("binaries_text", 170);
}

#[test]
fn deep_lists_of_text_have_the_shape_of_otp() {
    check_corpus("deep_text", 34);
}

#[test]
fn constructs_and_their_traces_agree_with_otp() {
    check_corpus("constructs", 165);
}

#[test]
fn wide_calls_records_and_tuples_agree_with_otp() {
    check_corpus("wide", 21);
}

#[test]
fn all_forms_of_spawning_monitoring_and_timers_agree_with_otp() {
    check_corpus("spawning", 45);
}

#[test]
fn lines_of_expressions_over_several_lines_agree_with_otp() {
    check_corpus("lines", 30);
}

#[test]
fn data_structures_agree_with_otp() {
    check_corpus("structures", 170);
}

#[test]
fn funs_from_outside_are_as_in_otp() {
    check_corpus("funs_from_outside", 26);
}

#[test]
fn behaviours_of_otp_run_as_in_otp() {
    check_corpus("behaviours", 8);
}

/// Values must be OTP's; exceptions come from other code there. `gaps` are cases that differ.
fn check_without_otp(module: &str, gaps: &[&str]) {
    let mut program = Program::new();
    let entry = entry(&format!("corpus_runner:run([{module}])"), &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let own = Files::without_otp(&corpus().join("corpus_runner.erl"));
    let mut system = System::new(program, Box::new(own), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    let (otp, own) = (in_otp(module), printed(&system));
    assert_eq!(
        otp.lines().count(),
        own.lines().count(),
        "Reverl stopped: {:?}",
        own.lines().last()
    );
    let is_gap = |line: &str| gaps.iter().any(|gap| line.starts_with(&format!("{module} {gap} ")));
    let values = otp.lines().zip(own.lines()).filter(|(a, _)| a.contains(" {value,") && !is_gap(a));
    let differs: Vec<_> = values.filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "{} differ: {differs:#?}", differs.len());
}

#[test]
fn own_lists_and_maps_have_the_values_of_otp() {
    // The order of 1 and 1.0 after a sort.
    check_without_otp("lists_cases", &["27"]);
}

#[test]
fn own_data_structures_have_the_representation_of_otp() {
    check_without_otp("structures", &[]);
}

#[test]
fn own_strings_have_the_values_of_otp() {
    // Normalisation, the shape of the rest after an error, `io_lib:fread`, what is wrong with packed data.
    check_without_otp("binaries_text", &["12", "15", "17"]);
}

#[test]
fn conversions_and_constructs_need_no_otp() {
    check_without_otp("erlang_conversions", &[]);
    check_without_otp("erlang_basics", &[]);
    check_without_otp("constructs", &[]);
}
