//! Whatever a file holds, the answer is a list of problems: no panic, no overflow, no hang.

use proptest::prelude::*;
use reverl_lang::diagnostic::Diagnostic;
use reverl_lang::lint::lint;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::parser::{parse_expr, parse_term};
use reverl_lang::source::{FileId, SourceMap};
use std::path::Path;

/// Everything the front end does with a text, down to showing what is wrong.
fn front_end(bytes: Vec<u8>) -> Vec<Diagnostic> {
    let mut sources = SourceMap::default();
    let options = Options::default();
    let (module, mut problems) = load_bytes(Path::new("t.erl"), bytes, &options, &mut sources);
    if let Some(module) = module {
        problems.extend(lint(&module));
        let _ = reverl_lang::print::module(&module);
    }
    for problem in problems.iter().take(50) {
        let _ = problem.render(&sources);
        let _ = problem.to_json(&sources);
    }
    problems
}

fn module_with(body: &str) -> Vec<u8> {
    format!("-module(t).\n-export([f/1]).\n{body}").into_bytes()
}

fn check_too_deep(open: &str, middle: &str, close: &str) {
    let depth = 100_000;
    let expr = format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
    let problems = front_end(module_with(&format!("f(_) -> {expr}.\n")));
    let deep = problems.iter().any(|p| p.message.starts_with("nested too deeply"));
    assert!(deep, "{open}: {:?}", problems.first());
}

#[test]
fn nesting_of_a_hundred_thousand_levels_is_an_error() {
    check_too_deep("(", "1", ")");
    check_too_deep("[", "1", "]");
    check_too_deep("{", "1", "}");
    check_too_deep("- ", "1", "");
    check_too_deep("not ", "1", "");
    check_too_deep("catch ", "1", "");
    check_too_deep("begin ", "1", " end");
    check_too_deep("case 1 of 1 -> ", "1", " end");
    check_too_deep("fun () -> ", "1", " end");
    check_too_deep("#{a => ", "1", "}");
    check_too_deep("#r{a = ", "1", "}");
    check_too_deep("<<(", "1", ")>>");
    check_too_deep("f(", "1", ")");
    check_too_deep("[1 | ", "[]", "]");
    check_too_deep("[X || X <- ", "[]", "]");
    check_too_deep("1 ++ ", "1", "");
    check_too_deep("", "1", " + 1");
    check_too_deep("X = ", "1", "");
    check_too_deep("1 orelse ", "1", "");
    check_too_deep("", "X", "#{a => 1}");
    check_too_deep("", "X", "#r.a");
}

#[test]
fn nested_types_are_an_error_too() {
    for (open, close) in [("[", "]"), ("{", "}"), ("fun(() -> ", ")"), ("(", ")"), ("- ", "")] {
        let ty = format!("{}a{}", open.repeat(100_000), close.repeat(100_000));
        let problems = front_end(module_with(&format!("-type t() :: {ty}.\nf(_) -> 1.\n")));
        assert!(problems.iter().any(|p| p.message.starts_with("nested too deeply")), "{open}");
    }
}

#[test]
fn deep_trees_up_to_the_limit_are_read_linted_and_printed() {
    let expr = format!("{}1{}", "[".repeat(1_900), "]".repeat(1_900));
    let problems = front_end(module_with(&format!("f(_) -> {expr}.\n")));
    assert_eq!(problems, vec![]);
    let sum = vec!["1"; 1_900].join(" + ");
    assert_eq!(front_end(module_with(&format!("f(_) -> {sum}.\n"))), vec![]);
}

#[test]
fn long_is_not_deep() {
    let list = vec!["1"; 200_000].join(", ");
    assert_eq!(front_end(module_with(&format!("f(_) -> [{list}].\n"))), vec![]);
    let strings = "\"a\" ".repeat(100_000);
    assert_eq!(front_end(module_with(&format!("f(_) -> {strings}.\n"))), vec![]);
    let clauses: String = (0..50_000).map(|i| format!("f({i}) -> {i};\n")).collect();
    assert_eq!(front_end(module_with(&format!("{clauses}f(_) -> 0.\n"))), vec![]);
    let union = vec!["a"; 100_000].join(" | ");
    assert_eq!(front_end(module_with(&format!("-type t() :: {union}.\nf(_) -> 1.\n"))), vec![]);
}

#[test]
fn ten_megabytes_on_one_line_are_read() {
    let body = "g() -> ok, X = 1, X. ";
    let long = format!("f(_) -> [{}].", "abcdefgh, ".repeat(1_000_000) + "x");
    assert_eq!(front_end(module_with(&format!("{body}{long}"))), vec![]);
    let problems = front_end(module_with(&format!("f(_) -> \"{}", "x".repeat(10_000_000))));
    assert!(problems.iter().any(|p| p.message.starts_with("unterminated string")));
}

#[test]
fn a_file_full_of_errors_on_one_line_is_answered_soon() {
    let problems = front_end(module_with(&"f() -> å. ".repeat(200_000)));
    assert!(!problems.is_empty() && problems.len() < 2_000);
    let problems = front_end(module_with(&"f( . ".repeat(200_000)));
    assert!(!problems.is_empty() && problems.len() < 2_000);
}

#[test]
fn a_digit_string_of_a_megabyte_is_a_number() {
    let digits = "7".repeat(100_000);
    assert_eq!(front_end(module_with(&format!("f(_) -> {digits}.\n"))), vec![]);
}

#[test]
fn macros_that_double_are_stopped() {
    let mut body = String::from("-define(M0, x).\n");
    for i in 1..64 {
        body += &format!("-define(M{i}, ?M{0}, ?M{0}).\n", i - 1);
    }
    let problems = front_end(module_with(&format!("{body}f(_) -> [?M63].\n")));
    assert!(problems.iter().any(|p| p.message == "macro expansion too large"));
}

#[test]
fn macros_with_arguments_that_double_are_stopped() {
    let mut body = String::from("-define(M0(X), X, X).\n");
    for i in 1..64 {
        body += &format!("-define(M{i}(X), ?M{0}(X), ?M{0}(X)).\n", i - 1);
    }
    let problems = front_end(module_with(&format!("{body}f(_) -> [?M63(a)].\n")));
    assert!(problems.iter().any(|p| p.message == "macro expansion too large"));
}

#[test]
fn macros_that_expand_to_nothing_often_are_stopped() {
    let mut body = String::from("-define(M0, ).\n");
    for i in 1..64 {
        body += &format!("-define(M{i}, ?M{0} ?M{0}).\n", i - 1);
    }
    let problems = front_end(module_with(&format!("{body}f(_) -> ?M63 ok.\n")));
    assert!(problems.iter().any(|p| p.message == "macro expansion too large"));
}

#[test]
fn a_chain_of_a_hundred_thousand_macros_expands() {
    let mut body = String::from("-define(M0, x).\n");
    for i in 1..100_000 {
        body += &format!("-define(M{i}, ?M{}).\n", i - 1);
    }
    assert_eq!(front_end(module_with(&format!("{body}f(_) -> ?M99999.\n"))), vec![]);
    let mut body = String::from("-define(M0(X), X).\n");
    for i in 1..20_000 {
        body += &format!("-define(M{i}(X), ?M{}(X)).\n", i - 1);
    }
    assert_eq!(front_end(module_with(&format!("{body}f(_) -> ?M19999(1).\n"))), vec![]);
}

#[test]
fn a_hundred_thousand_conditionals_are_balanced() {
    let open = "-ifdef(X).\n".repeat(100_000);
    let close = "-endif.\n".repeat(100_000);
    assert_eq!(front_end(module_with(&format!("{open}{close}f(_) -> 1.\n"))), vec![]);
}

#[test]
fn bytes_that_are_not_text_are_an_error() {
    let problems = front_end((0..=255u8).cycle().take(100_000).collect());
    assert!(problems.iter().any(Diagnostic::is_error));
    assert!(front_end(vec![0xff; 1000]).iter().any(Diagnostic::is_error));
    assert!(front_end(Vec::new()).iter().any(Diagnostic::is_error));
    assert!(front_end(vec![0; 1_000_000]).iter().any(Diagnostic::is_error));
}

#[test]
fn text_at_a_prompt_may_be_anything() {
    for text in ["", ".", "1 +", "[", "\"", "$", "?M", "a. b", "1, 2", "f(", "#{", "\u{0}"] {
        let _ = parse_expr(text, FileId(0));
        let _ = parse_term(text, FileId(0));
    }
    assert!(parse_expr("lists:map(fun (X) -> X end, [1, 2])", FileId(0)).is_ok());
    assert!(parse_term("{a, [1, -2], #{b => <<\"c\">>}}", FileId(0)).is_ok());
    assert!(parse_term("f()", FileId(0)).is_err());
}

/// A real module to damage; any will do.
const SAMPLE: &str = include_str!("fixtures/legal.erl");

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        front_end(bytes);
    }

    #[test]
    fn random_tokens_never_panic(words in proptest::collection::vec(
        proptest::sample::select(vec![
            "f", "X", "_", "(", ")", "[", "]", "{", "}", "<<", ">>", ",", ";", ".\n", "->", "-", "+",
            "=", "#", "|", "||", "<-", "<=", ":=", "=>", ":", "::", "?", "??", "?M", "case", "of",
            "end", "fun", "if", "when", "try", "catch", "after", "receive", "begin", "1", "1.5",
            "\"s\"", "$c", "-define(M,", "-define(M(X),", "-ifdef(M).\n", "-else.\n", "-endif.\n",
            "-if(", "-record(r,", "-type t() ::", "-spec f()", "-export([", "/", "..", "...", "!",
            "andalso", "orelse", "not", "++", "==", "<", "maybe", "?=", "else", "~b\"x\"", "&&",
        ]), 0..200)) {
        let text = format!("-module(t).\n{}", words.join(" "));
        front_end(text.into_bytes());
    }

    #[test]
    fn damaged_programs_never_panic(
        at in 0..SAMPLE.len(), len in 0..40usize, insert in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let mut bytes = b"-module(t).\n".to_vec();
        bytes.extend_from_slice(SAMPLE.as_bytes());
        let at = at.min(bytes.len());
        let end = (at + len).min(bytes.len());
        bytes.splice(at..end, insert);
        front_end(bytes);
    }

    #[test]
    fn random_beams_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut file = b"FOR1\0\0\0\0BEAM".to_vec();
        file.extend_from_slice(b"Dbgi\0\0\0\x40\x83");
        file.extend_from_slice(&bytes);
        if let Ok(beam) = reverl_lang::beam::Beam::new(&file) {
            let _ = beam.atoms();
            if let Ok(forms) = beam.forms(&reverl_lang::beam::ErlangOnly) {
                let _ = reverl_lang::abstract_form::read(&forms, &mut SourceMap::default(), &|_| None);
            }
        }
        let _ = reverl_lang::beam::Beam::new(&bytes);
    }
}
