//! Whole debugging sessions, typed and compared to the letter: the papers' stories among them.
//! `UPDATE_STORIES=1` writes the expectations anew; read them before you commit them.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Runs the session that the script's first line names.
fn session(script: &Path) -> String {
    let text = std::fs::read_to_string(script).expect("a script");
    let command =
        text.lines().next().and_then(|l| l.strip_prefix("%% reverl ")).expect("a command");
    let output = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .args(command.split_whitespace())
        .arg("--script")
        .arg(script)
        .output()
        .expect("reverl runs");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn check_story(name: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let told = session(&dir.join(format!("{name}.script")));
    let file = dir.join(format!("{name}.expected"));
    if std::env::var_os("UPDATE_STORIES").is_some() {
        std::fs::write(&file, &told).expect("written");
    }
    let expected = std::fs::read_to_string(&file).expect("an expectation");
    for (n, (is, should)) in told.lines().zip(expected.lines()).enumerate() {
        assert_eq!(is, should, "{name}: line {}", n + 1);
    }
    assert_eq!(told.lines().count(), expected.lines().count(), "{name}: length");
}

// papers: 000 | 4.2 | the message order violation of the dining philosophers | undo receive, where
#[test]
fn the_waiter_takes_a_hungry_philosopher_for_a_fork() {
    check_story("dining_order");
}

// papers: 000 | 4.2 | the livelock of the dining philosophers | undo send, why
#[test]
fn the_waiter_gives_one_fork_back_twice() {
    check_story("dining_modulo");
}

// papers: 001 | Example 1 | a server that serves its customers in any order | choose
#[test]
fn the_stock_server_serves_in_any_order() {
    check_story("stock");
}

// Planted bugs: three commands lead from a crash of the main process to the messages that are the
// cause; what follows in these dialogues shows more.

#[test]
fn the_bank_loses_money_between_two_calls() {
    if !has_otp() {
        return;
    }
    check_story("bank");
    let told = told("bank", 3);
    // Both tellers had seen 100: the second set forgets the first.
    assert!(told.contains("receives call {set,ada,150} #86.5 from <0.86.0> (deposit_50)"));
    assert!(told.contains("balance=130}}\n -> #{ada => #account{owner=ada,balance=150}}"));
}

#[test]
fn the_chat_room_forgets_who_speaks_before_it_was_told_of_them() {
    if !has_otp() {
        return;
    }
    check_story("chat");
    let told = told("chat", 3);
    assert!(told.contains("receives cast {say,ada,hello}"));
    assert!(told.contains("members=#{},lost=0}\n -> #room{topic=weather,members=#{},lost=1}"));
}

#[test]
fn a_job_is_done_twice_since_it_was_never_taken_from_those_that_run() {
    if !has_otp() {
        return;
    }
    check_story("jobs");
    let told = told("jobs", 3);
    assert!(told.contains("receives DOWN of worker: normal"));
    assert!(told.contains("<0.86.0> => 2},done=[2,1]}\n -> #queue{waiting=[2]"), "{told}");
}

// What whole OTP programs do is undone: a connection that was accepted, an upgrade, a commit.

#[test]
fn a_connection_that_was_accepted_is_undone_with_what_it_counted() {
    if !has_otp() {
        return;
    }
    check_story("visits");
    let told = told("visits", 6);
    assert!(told.contains("supervisor, 1 children") && told.contains("[{count,1}]"), "{told}");
}

#[test]
fn an_upgrade_is_undone_and_a_call_in_its_middle_is_tried() {
    if !has_otp() {
        return;
    }
    check_story("upgrade");
    let told = told("upgrade", 8);
    let versions = ["'EXIT'\n(reverl) redo all", "\nreply\n(reverl) races"];
    assert!(versions.iter().all(|seen| told.contains(seen)), "{told}");
    assert!(
        told.contains("#86.2 call {add,ada,1} from <0.86.0> (new_call) could have been received")
    );
}

#[test]
fn a_commit_of_mnesia_is_undone_and_done_again() {
    if !has_otp() {
        return;
    }
    check_story("ledger");
    let told = told("ledger", 7);
    let (before, after) =
        ("[#account{owner=ada,balance=130}]", "[#account{owner=ada,balance=180}]");
    let at = |text| told.find(text).unwrap_or_else(|| panic!("{text}: {told}"));
    assert!(at(before) < at(after), "{told}");
}

/// Servers of OTP run in OTP's own modules.
fn has_otp() -> bool {
    let found = reverl_lang::project::otp_lib().is_some();
    if !found {
        eprintln!("left out: it needs an OTP");
    }
    found
}

/// What the first commands of a dialogue were answered.
fn told(name: &str, commands: usize) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let text = std::fs::read_to_string(dir.join(format!("{name}.expected"))).expect("a dialogue");
    text.split("\n(reverl) ").take(commands + 1).collect::<Vec<_>>().join("\n(reverl) ")
}

#[test]
fn an_update_is_lost_in_some_executions_from_here() {
    check_story("tally");
}

// papers: 002 | 2, Example 2.1 | the client, the server and the proxy that is overtaken | undo receive, choose
// papers: 000 | 4 (views) | state and trace | where, mailbox, trace
#[test]
fn the_proxy_is_overtaken() {
    check_story("proxy");
}

#[test]
fn the_handshake_stops_at_a_wrong_port() {
    check_story("tcp");
}

// papers: 000 | 4 (automatic mode) | so many steps forward or back, chosen by a scheduler | run N, back N
// papers: 000 | 3 | rollback to before a variable was bound | undo variable
// papers: 000 | 4 (manual mode) | a step back alone, only where nothing depends on it | undo-one, alone
#[test]
fn every_move_has_its_way_back_and_bad_input_an_answer() {
    check_story("moves");
}

// papers: 000 | 4 (Roll Log) | which actions a rollback has undone | rolllog
#[test]
fn an_expression_is_watched_displayed_and_told_over_time() {
    check_story("watching");
}

#[test]
fn a_call_further_out_is_looked_from() {
    check_story("calls");
}

#[test]
fn what_was_noted_becomes_a_report() {
    check_story("notes");
}
