//! The corpus in `corpus/` runs in OTP and in Reverl; every line must be the same.
//!
//! A module of the corpus gives its cases as funs; `corpus_runner.erl` runs each in a process of
//! its own and prints one line: the value, or the exception with its stack trace.

mod both;

use both::Folders;
use reverl_machine::Program;
use reverl_programs::Files;

static CORPUS: Folders = Folders::new(&["corpus"]);

/// What OTP prints for a module.
fn in_otp(module: &str) -> String {
    CORPUS.in_otp(&format!(
        "io:setopts([{{encoding, unicode}}]), logger:set_primary_config(level, none), {}",
        call(module)
    ))
}

fn call(module: &str) -> String {
    format!("corpus_runner:run([{module}])")
}

fn in_reverl(module: &str) -> String {
    let loader = CORPUS.modules();
    let problems = loader.problems();
    let printed = both::in_reverl(Program::new(), Box::new(loader), &call(module));
    assert!(problems.borrow().is_empty(), "{}", problems.borrow().join("\n"));
    without_directory(&printed)
}

/// OTP compiled the files where they are, so it names them without a directory.
fn without_directory(printed: &str) -> String {
    printed.replace(&format!("{}/", CORPUS.path().display()), "")
}

/// Runs the cases of a module in both; the least number says that none got lost.
fn check_corpus(module: &str, least: usize) {
    let (otp, reverl) = (in_otp(module), in_reverl(module));
    let (otp, reverl): (Vec<&str>, Vec<&str>) = (otp.lines().collect(), reverl.lines().collect());
    both::compare(&otp, &reverl, least);
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
fn dictionaries_are_listed_in_the_order_of_otp() {
    check_corpus("dictionaries", 23);
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
    let own = Files::without_otp(&CORPUS.path().join("corpus_runner.erl"));
    let own = both::in_reverl(Program::new(), Box::new(own), &call(module));
    let (otp, own) = (in_otp(module), without_directory(&own));
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
