//! Every exported function of many modules of OTP, called with good, bad and random arguments: each
//! call must give the value that it has on OTP, or the same exception with the same frames.
//!
//! `crates/programs/erl/calls/call_runner.erl` makes the calls from a seed, on OTP, which keeps them
//! in a file; then Reverl carries them out. `REVERL_CALLS=200 cargo test --release -p reverl-session
//! --test otp_calls` makes so many calls of each function instead of a few, with `REVERL_SEED` others.

mod both;

use both::Folders;
use reverl_machine::Program;
use std::path::Path;

static CALLS: Folders = Folders::new(&["calls", "corpus"]);

fn from_environment(name: &str, usual: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Makes calls and carries them out on OTP.
fn in_otp(file: &Path, modules: &str) -> String {
    let (seed, count) = (from_environment("REVERL_SEED", 1), from_environment("REVERL_CALLS", 6));
    CALLS.in_otp(&format!(
        "io:setopts([{{encoding, unicode}}]), logger:set_primary_config(level, none), \
         call_runner:make({file:?}, [{modules}], {seed}, {count})"
    ))
}

fn in_reverl(file: &Path) -> String {
    let call = format!("call_runner:carry_out({file:?})");
    both::in_reverl(Program::on_installed_otp(), Box::new(CALLS.modules()), &call)
}

/// Compares all calls of these modules; the least number of functions says that none got lost.
fn check(modules: &str, functions: usize) {
    let name = modules.split(',').next().expect("a module");
    let file = CALLS.compiled().join(format!("{name}.calls"));
    let (otp, reverl) = (in_otp(&file, modules), in_reverl(&file));
    let (otp, reverl): (Vec<&str>, Vec<&str>) = (otp.lines().collect(), reverl.lines().collect());
    both::compare(&otp, &reverl, 4 * functions);
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
