//! Every command on a recording of a small race on a real node.

use super::*;
use std::io::{BufRead, BufReader};

fn race(file: &str) {
    let recorded = record(file, &[], "story:job(2), halt().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
}

#[test]
fn questions_are_asked_about_a_recording() {
    race("asked-about.reverl");
    // Whatever comes first is wrong.
    std::fs::write(program().join("answers"), "1\n".repeat(12)).expect("written");
    let list = text(&reverl(&["replay", "--list", "asked-about.reverl"]).stdout);
    let begun = list.lines().find(|l| l.contains("begins with")).expect("it begins");
    let pid = begun.split_whitespace().nth(1).expect("a pid");
    let args = ["ask", "asked-about.reverl", "--process", pid, "--script", "answers"];
    let asked = reverl(&args);
    let said = text(&asked.stdout);
    assert_eq!(asked.status.code(), Some(0), "{said}{}", text(&asked.stderr));
    assert!(said.contains("story:job(2)"), "{said}");
    assert!(said.contains("The error has been detected: wrong function"), "{said}");
}

#[test]
fn a_recording_is_drawn() {
    race("drawn.reverl");
    let draw = |args: &[&str]| {
        let drawn = reverl(&[&["export", "drawn.reverl"], args].concat());
        assert!(drawn.status.success(), "{args:?}: {}", text(&drawn.stderr));
        text(&drawn.stdout)
    };
    let sequence = draw(&[]);
    assert_eq!(sequence.matches(" created ").count(), 2, "{sequence}");
    assert_eq!(sequence.matches(" takes ").count(), 2, "{sequence}");
    assert!(draw(&["--format", "mermaid"]).starts_with("sequenceDiagram"));
    assert!(draw(&["--format", "svg"]).starts_with("<svg"));
    assert_eq!(draw(&["--what", "processes"]).lines().count(), 3);
    assert!(draw(&["--what", "calls"]).contains("story:job(2)"));
}

#[test]
fn the_program_of_a_recording_is_explored() {
    race("explored.reverl");
    let explored = reverl(&["explore", "explored.reverl"]);
    let said = text(&explored.stdout);
    assert_eq!(explored.status.code(), Some(0), "{said}{}", text(&explored.stderr));
    assert!(said.contains("[1,4]") && said.contains("[4,1]"), "{said}");
    let property = ["explore", "explored.reverl", "--property", "Result =:= [1, 4]"];
    assert_eq!(reverl(&property).status.code(), Some(1), "the other order is a failure");
    let other = text(&reverl(&["explore", "explored.reverl", "-e", "story:job(3)"]).stdout);
    assert!(other.starts_with("6 executions"), "{other}");
}

#[test]
fn what_cannot_be_explored_is_said() {
    let recorded = record("several.reverl", &[], "story:job(2), story:job(2), halt().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let explored = reverl(&["explore", "several.reverl"]);
    let said = text(&explored.stderr);
    assert_eq!(explored.status.code(), Some(2), "{said}");
    assert!(said.contains("2 calls were recorded"), "{said}");
    assert!(said.contains("-e 'module:function(Args)'"), "{said}");
}

#[test]
fn the_page_shows_a_recording() {
    race("page.reverl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(program()).args(["ui", "page.reverl", "--no-open"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("reverl runs");
    let mut line = String::new();
    let _ = BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line);
    let _ = child.kill();
    let _ = child.wait();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
}

/// Recordings are opened because something went wrong: there the session begins, and going back
/// from there asks every process.
#[test]
fn a_recording_of_a_failed_test_opens_at_the_assertion() {
    compile_once("wrong_sum_tests");
    let file = "wrong-sum.reverl";
    let recorded = record(file, &[], "eunit:test(wrong_sum_tests), halt().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let commands = "print Numbers\nbreak served/1\nrc\nprint Client\nrc\nrc\nq\n";
    let said = debug(file, commands);
    let greeting = said.split("(reverl)").next().expect("it greets");
    let here = greeting.lines().rev().nth(1).expect("it says where it is");
    assert!(here.ends_with("wrong_sum_tests.erl:12)"), "{said}");
    assert!(said.contains("[1,2,3]"), "{said}");
    let hits = said.matches("breakpoint 1: served/1\n").count();
    assert_eq!(hits, 3, "where it is set, and in each test: {said}");
    assert!(said.contains("no breakpoint is met before this moment: nothing moved"), "{said}");
}
