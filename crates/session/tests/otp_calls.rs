//! Every exported function of many modules of OTP, called with good, bad and random arguments: each
//! call must give the value that it has on OTP, or the same exception with the same frames.
//!
//! `crates/programs/erl/calls/call_runner.erl` makes the calls from a seed, on OTP, which keeps them
//! in a file; then Reverl carries them out. `REVERL_CALLS=200 cargo test --release -p reverl-session
//! --test otp_calls` makes so many calls of each function instead of a few, with `REVERL_SEED` others.

use reverl_causal::System;
use reverl_causal::schedule::RoundRobin;
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_session::entry::entry;
use reverl_session::modules::Modules;
use reverl_session::outcome;
use reverl_session::outside::{Output, RealOutside};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn programs() -> PathBuf {
    reverl_programs::directory().join("calls")
}

/// The makers of calls compiled by OTP, once for all tests.
fn compiled() -> &'static Path {
    static EBIN: OnceLock<PathBuf> = OnceLock::new();
    EBIN.get_or_init(|| {
        let ebin = std::env::temp_dir().join(format!("reverl-calls-{}", std::process::id()));
        std::fs::create_dir_all(&ebin).expect("a directory for .beam files");
        let sources = std::fs::read_dir(programs()).expect("the programs");
        let done = Command::new("erlc")
            .arg("-o")
            .arg(&ebin)
            .args(sources.filter_map(|entry| Some(entry.ok()?.path())))
            .output()
            .expect("this test needs OTP's erlc");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        ebin
    })
}

fn from_environment(name: &str, usual: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Makes calls and carries them out on OTP.
fn in_otp(file: &Path, modules: &str) -> String {
    let (seed, count) = (from_environment("REVERL_SEED", 1), from_environment("REVERL_CALLS", 6));
    let call = format!(
        "io:setopts([{{encoding, unicode}}]), logger:set_primary_config(level, none), \
         call_runner:make({file:?}, [{modules}], {seed}, {count}), halt()."
    );
    let ran = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(compiled())
        .args(["-eval", &call])
        .output()
        .expect("this test needs OTP's erl");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn in_reverl(file: &Path) -> String {
    let modules =
        Modules::new(ProgramSources { paths: vec![programs()], ..ProgramSources::default() });
    let mut program = Program::on_installed_otp();
    let call = format!("call_runner:carry_out({file:?})");
    let entry = entry(&call, &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, Box::new(modules), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    outcome::output(&system, None)
}

/// Compares all calls of these modules; the least number of functions says that none got lost.
fn check(modules: &str, functions: usize) {
    let name = modules.split(',').next().expect("a module");
    let file = compiled().join(format!("{name}.calls"));
    let (otp, reverl) = (in_otp(&file, modules), in_reverl(&file));
    let (otp, reverl): (Vec<&str>, Vec<&str>) = (otp.lines().collect(), reverl.lines().collect());
    assert!(otp.len() >= 4 * functions, "OTP made only {} calls: {:?}", otp.len(), otp.last());
    let differs = otp.iter().zip(&reverl).filter(|(a, b)| a != b);
    let shown: Vec<String> =
        differs.map(|(a, b)| format!("OTP:    {a}\nReverl: {b}")).take(20).collect();
    assert!(shown.is_empty(), "the first of those that differ:\n{}", shown.join("\n"));
    assert_eq!(otp.len(), reverl.len(), "Reverl stopped early: {:?}", reverl.last());
}

#[test]
fn lists_maps_and_text_agree_with_otp() {
    check("lists, maps, string, binary, unicode, unicode_util, proplists", 380);
}

#[test]
fn patterns_formats_and_dates_agree_with_otp() {
    check("re, io_lib, io_lib_pretty, io_lib_format, io_lib_fread, calendar, filename", 120);
}

#[test]
fn collections_agree_with_otp() {
    check(
        "queue, gb_trees, gb_sets, ordsets, sets, dict, orddict, array, digraph, digraph_utils, sofs",
        380,
    );
}

#[test]
fn numbers_codes_and_clocks_agree_with_otp() {
    check(
        "math, rand, timer, base64, crypto, uri_string, zlib, atomics, counters, persistent_term, json",
        120,
    );
}

#[test]
fn the_language_in_itself_agrees_with_otp() {
    check(
        "erl_scan, erl_parse, erl_eval, erl_pp, erl_anno, erl_internal, eval_bits, erl_bits",
        130,
    );
}

#[test]
fn tables_agree_with_otp() {
    check("ets", 50);
}

#[test]
fn module_erlang_agrees_with_otp() {
    check("erlang", 220);
}
