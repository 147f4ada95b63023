//! Tables, words, regular expressions, digests and random numbers: the programs in `crates/programs/erl/lines` run
//! in OTP and in Reverl, and every line they print must be the same.

use reverl_causal::schedule::RoundRobin;
use reverl_causal::{Loader, System};
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

fn programs() -> PathBuf {
    reverl_programs::directory().join("lines")
}

/// The programs compiled by OTP, once for all tests.
fn compiled() -> &'static Path {
    static EBIN: OnceLock<PathBuf> = OnceLock::new();
    EBIN.get_or_init(|| {
        let ebin = std::env::temp_dir().join(format!("reverl-shared-{}", std::process::id()));
        std::fs::create_dir_all(&ebin).expect("a directory for .beam files");
        let sources = std::fs::read_dir(programs()).expect("the programs");
        let names = sources.filter_map(|e| e.ok()?.file_name().into_string().ok());
        let done = Command::new("erlc")
            .current_dir(programs())
            .arg("-o")
            .arg(&ebin)
            .args(names.filter(|n| n.ends_with(".erl")))
            .output()
            .expect("this test needs OTP's erlc");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        ebin
    })
}

fn in_otp(module: &str) -> String {
    let ran = Command::new("erl")
        .args(["-noshell", "-pa"])
        .arg(compiled())
        .args(["-eval", &format!("{module}:main(), halt().")])
        .output()
        .expect("this test needs OTP's erl");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn in_reverl(module: &str, loader: Box<dyn Loader>) -> String {
    let mut program = Program::new();
    let entry = entry(&format!("{module}:main()"), &mut program).expect("a call");
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, loader, Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    outcome::output(&system, None)
}

/// Modules as on a machine without OTP.
fn own_modules() -> Files {
    Files::without_otp(&programs().join("show.erl"))
}

fn compare(otp: &[&str], reverl: &[&str], least: usize) {
    assert!(otp.len() >= least, "OTP printed only {} lines: {:?}", otp.len(), otp.last());
    let differs = otp.iter().zip(reverl).filter(|(a, b)| a != b);
    let shown: Vec<String> =
        differs.map(|(a, b)| format!("OTP:    {a}\nReverl: {b}")).take(20).collect();
    assert!(shown.is_empty(), "the first of those that differ:\n{}", shown.join("\n"));
    assert_eq!(otp.len(), reverl.len(), "Reverl stopped early: {:?}", reverl.last());
}

/// Compares all lines; the least number says that none got lost.
fn check(module: &str, least: usize) {
    let modules =
        Modules::new(ProgramSources { paths: vec![programs()], ..ProgramSources::default() });
    let (otp, reverl) = (in_otp(module), in_reverl(module, Box::new(modules)));
    let (otp, reverl): (Vec<&str>, Vec<&str>) = (otp.lines().collect(), reverl.lines().collect());
    compare(&otp, &reverl, least);
}

/// Compares the lines that tell no error, with Reverl's own modules: where an error comes from
/// inside a module is that module's affair.
fn check_own(module: &str, least: usize) {
    let (otp, reverl) = (in_otp(module), in_reverl(module, Box::new(own_modules())));
    let is_value = |line: &&str| !line.contains(": {error,");
    let otp: Vec<&str> = otp.lines().filter(is_value).collect();
    let reverl: Vec<&str> = reverl.lines().filter(is_value).collect();
    compare(&otp, &reverl, least);
}

#[test]
fn tables_answer_every_call_as_in_otp() {
    check("ets_calls", 137);
}

#[test]
fn tables_keep_their_objects_in_the_order_of_otp() {
    check("ets_random", 4900);
}

#[test]
fn match_specifications_mean_what_they_mean_in_otp() {
    check("ets_specs", 10_000);
}

#[test]
fn arrays_of_words_and_persistent_terms_agree_with_otp() {
    check("words", 50);
}

#[test]
fn code_is_found_where_otp_finds_it() {
    check("code_paths", 21);
}

#[test]
fn the_logger_prints_and_is_set_as_in_otp() {
    check("logging", 19);
}

#[test]
fn servers_of_kernel_answer_as_in_otp() {
    check("kernel_servers", 19);
}

#[test]
fn sockets_of_one_machine_behave_as_in_otp() {
    check("sockets", 31);
}

#[test]
fn sockets_take_http_apart_as_in_otp() {
    check("http_packets", 21);
}

#[test]
fn files_are_written_and_read_in_all_modes_as_in_otp() {
    check("file_modes", 19);
}

#[test]
fn packed_streams_agree_with_otp() {
    check("zlib_streams", 13);
}

#[test]
fn regular_expressions_agree_with_otp() {
    check("re_calls", 11_000);
}

#[test]
fn digests_agree_with_otp() {
    check("digests", 150);
}

#[test]
fn ciphers_agree_with_otp() {
    check("ciphers", 1_400);
}

#[test]
fn seeds_give_the_random_numbers_of_otp() {
    check("numbers", 60);
}

#[test]
fn base64_and_calendar_agree_with_otp() {
    check("times", 65);
}

#[test]
fn our_own_tables_agree_with_otp() {
    check_own("ets_random", 4000);
}

#[test]
fn our_own_regular_expressions_agree_with_otp() {
    check_own("re_calls", 10_000);
}

#[test]
fn our_own_random_numbers_are_those_of_otp() {
    check_own("numbers_own", 30);
}

#[test]
fn our_own_base64_and_calendar_agree_with_otp() {
    check_own("times", 50);
}

/// In OTP `\8` without eight groups is the character 8, and a pattern that calls itself without
/// end is refused; PCRE2 has it the other way round.
#[test]
fn fixme_what_pcre2_takes_and_refuses_otherwise() {
    let system = in_reverl("re_gaps", Box::new(own_modules()));
    assert_eq!(system, "{error,{\"reference to non-existent subpattern\",2}}\n{ok,re_pattern}\n");
}
