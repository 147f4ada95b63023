//! Tables, words, regular expressions, digests and random numbers: the programs in `crates/programs/erl/lines` run
//! in OTP and in Reverl, and every line they print must be the same.

mod both;

use both::{Folders, compare};
use reverl_causal::Loader;
use reverl_machine::Program;
use reverl_programs::Files;

static LINES: Folders = Folders::new(&["lines"]);

fn in_otp(module: &str) -> String {
    LINES.in_otp(&format!("{module}:main()"))
}

fn in_reverl(module: &str, loader: Box<dyn Loader>) -> String {
    both::in_reverl(Program::new(), loader, &format!("{module}:main()"))
}

/// Modules as on a machine without OTP.
fn own_modules() -> Files {
    Files::without_otp(&LINES.path().join("show.erl"))
}

/// Compares all lines; the least number says that none got lost.
fn check(module: &str, least: usize) {
    let (otp, reverl) = (in_otp(module), in_reverl(module, Box::new(LINES.modules())));
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

#[test]
fn a_program_that_traces_itself_is_told_what_otp_tells() {
    check("tracing", 300);
}

#[test]
fn otps_text_tracer_works_on_it() {
    check("tracing_dbg", 60);
}
