//! Programs run on the real OTP of this machine, recorded, and replayed: what the replay prints
//! is what the node printed, to the letter.

#[path = "record/bounds.rs"]
mod bounds;
#[path = "record/causes.rs"]
mod causes;
#[path = "record/disk.rs"]
mod disk;
#[path = "record/faults.rs"]
mod faults;
#[path = "record/prefixes.rs"]
mod prefixes;
#[path = "record/releases.rs"]
mod releases;
#[path = "record/scripts.rs"]
mod scripts;
#[path = "record/slices.rs"]
mod slices;
#[path = "record/triggers.rs"]
mod triggers;
#[path = "record/truth.rs"]
mod truth;
#[path = "record/views.rs"]
mod views;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

/// A directory with the program, compiled once.
fn program() -> PathBuf {
    static ONCE: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    ONCE.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recorded");
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory");
        std::fs::write(dir.join("story.txt"), "told\n").expect("a file");
        let source = reverl_programs::directory().join("outside/story.erl");
        let erlc = Command::new("erlc").args(["+debug_info", "-o"]).arg(&dir).arg(source).status();
        assert!(erlc.expect("erlc runs").success());
        dir
    })
    .clone()
}

/// Compiles a program, if no other test has: one that is recorded meanwhile would not find it.
fn compile_once(module: &str) {
    static COMPILED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if compiled.insert(module.into()) {
        let source = reverl_programs::directory().join(format!("recorded/{module}.erl"));
        let mut erlc = Command::new("erlc");
        let erlc = erlc.args(["+debug_info", "-o"]).arg(program()).arg(source).status();
        assert!(erlc.expect("erlc runs").success());
    }
}

fn reverl(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(program()).args(args).stdin(Stdio::null());
    command.output().expect("reverl runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const ERL: &[&str] = &["erl", "-noshell", "-kernel", "logger_level", "emergency", "-eval"];

fn record(file: &str, options: &[&str], eval: &str) -> Output {
    let mut args = vec!["record", "-o", file];
    args.extend(options);
    args.push("--");
    args.extend(ERL);
    args.push(eval);
    reverl(&args)
}

/// Records a call several times; each time the replay prints what the node printed, and the
/// value that the node printed last.
fn check_replayed(function: &str, times: usize, options: &[&str]) {
    for n in 0..times {
        let file = format!("{function}-{n}{}.reverl", options.join(""));
        let eval = format!("story:{function}(), halt().");
        let recorded = record(&file, options, &eval);
        let printed = text(&recorded.stdout);
        let said = text(&recorded.stderr);
        assert!(said.contains("replayed exactly"), "{function} {options:?}: {said}\n{printed}");
        let replayed = reverl(&["replay", &file]);
        let again = text(&replayed.stdout);
        assert!(again.starts_with(&printed), "{function}: node\n{printed}replay\n{again}");
        let value = printed.lines().last().expect("it prints its value");
        assert!(again[printed.len()..].starts_with(&format!("=> {value}")), "{function}: {again}");
        std::fs::remove_file(program().join(&file)).expect("it is there");
    }
}

// papers: 001 | 3 (tracer) | an execution of a real node is logged and replayed | record, replay
#[test]
fn a_race_is_replayed_as_it_went() {
    check_replayed("race", 5, &[]);
    check_replayed("race", 2, &["--checked"]);
    check_replayed("race", 2, &["--level", "light"]);
}

#[test]
fn servers_and_supervisors_are_replayed() {
    check_replayed("server", 3, &[]);
    check_replayed("server", 1, &["--level", "light"]);
    check_replayed("server", 1, &["--checked"]);
    check_replayed("crashing_server", 2, &[]);
    check_replayed("supervised", 3, &[]);
}

#[test]
fn timers_and_time_outs_are_replayed() {
    check_replayed("timers", 2, &[]);
    check_replayed("timeouts", 4, &[]);
}

#[test]
fn ends_are_replayed() {
    check_replayed("monitors", 3, &[]);
    check_replayed("killed", 2, &[]);
    check_replayed("aliases", 2, &[]);
}

#[test]
fn shared_things_are_replayed() {
    check_replayed("table", 3, &[]);
    check_replayed("names", 3, &[]);
    check_replayed("inputs", 1, &[]);
}

#[test]
fn load_is_replayed() {
    check_replayed("selective", 3, &[]);
    check_replayed("many", 1, &[]);
}

#[test]
fn a_node_that_halts_leaves_all_that_happened() {
    let recorded = record("halts.reverl", &[], "story:halts().");
    assert_eq!(recorded.status.code(), Some(3), "{}", text(&recorded.stderr));
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let replayed = reverl(&["replay", "halts.reverl"]);
    assert!(text(&replayed.stdout).starts_with("before\n"), "{}", text(&replayed.stdout));
}

#[test]
fn a_node_that_is_killed_leaves_a_recording_that_replays_to_the_kill() {
    // The node itself kills its operating system process after a while.
    let eval =
        "spawn(fun() -> timer:sleep(300), os:cmd(\"kill -9 \" ++ os:getpid()) end), story:slow().";
    let recorded = record("killed-node.reverl", &["--trigger", "story:slow"], eval);
    assert_eq!(recorded.status.code(), Some(137), "{}", text(&recorded.stderr));
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let printed = text(&recorded.stdout);
    assert!(printed.lines().count() > 10, "{printed}");
    let replayed = text(&reverl(&["replay", "killed-node.reverl"]).stdout);
    // The last line may have been on its way out when the node was killed.
    let squares: Vec<&str> = replayed.lines().take_while(|l| l.parse::<u64>().is_ok()).collect();
    let told: Vec<&str> = printed.lines().collect();
    let common = squares.len().min(told.len());
    assert_eq!(squares[..common], told[..common]);
    assert!(squares.len() + 2 >= told.len(), "{} of {}", squares.len(), told.len());
}

#[test]
fn a_recording_that_is_cut_opens_up_to_the_cut() {
    let recorded = record("whole.reverl", &[], "story:race(), halt().");
    assert!(recorded.status.success());
    let whole = std::fs::read(program().join("whole.reverl")).expect("it is there");
    for i in 0..12 {
        let length = whole.len() * i / 12;
        std::fs::write(program().join("cut.reverl"), &whole[..length]).expect("written");
        let replayed = reverl(&["replay", "cut.reverl"]);
        let said = text(&replayed.stderr);
        assert!(replayed.status.code().is_some_and(|c| c <= 2), "{length} bytes: {said}");
        assert!(!said.contains("panicked"), "{length} bytes: {said}");
    }
}

#[test]
fn what_cannot_be_recorded_is_said() {
    // Again and again: the end of the failed start must not come in the way of saying so.
    for n in 0..100 {
        let nothing = reverl(&["record", "-o", "no-command.reverl", "--", "no-such-command-here"]);
        let (said, code) = (text(&nothing.stderr), nothing.status);
        assert!(said.contains("there is no command 'no-such-command-here'"), "{n}: {said} {code}");
        assert_eq!(code.code(), Some(2));
    }
    let no_node = reverl(&["record", "--", "true"]);
    assert!(text(&no_node.stderr).contains("started no Erlang node"));
    let no_call = record("nothing.reverl", &[], "io:format(\"~n\"), halt().");
    assert!(text(&no_call.stderr).contains("--trigger"), "{}", text(&no_call.stderr));
    let bad = record("nothing.reverl", &["--trigger", "story"], "halt().");
    assert!(text(&bad.stderr).contains("write module:function"));
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn recordings_open_in_every_command() {
    record("views.reverl", &[], "story:race(), halt().");
    let races = reverl(&["races", "views.reverl"]);
    assert_eq!(races.status.code(), Some(1), "{}", text(&races.stderr));
    assert!(text(&races.stdout).contains("could have been received instead"));
    let run = reverl(&["run", "views.reverl", "--json"]);
    assert!(text(&run.stdout).contains("\"outcome\":\"finished\""), "{}", text(&run.stdout));
    let list = reverl(&["replay", "--list", "views.reverl"]);
    assert!(text(&list.stdout).contains("begins with story:race/0 []"));
}

/// The example project, compiled as rebar3 would.
fn till(debug_info: &str) -> PathBuf {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/till");
    let ebin = program().join(format!("till{debug_info}"));
    std::fs::create_dir_all(&ebin).expect("a directory");
    std::fs::copy(example.join("src/till.app.src"), ebin.join("till.app")).expect("copied");
    for module in ["till", "till_app", "till_sup", "till_box"] {
        let source = example.join(format!("src/{module}.erl"));
        let mut erlc = Command::new("erlc");
        erlc.args((!debug_info.is_empty()).then_some(debug_info)).arg("-o").arg(&ebin).arg(source);
        assert!(erlc.status().expect("erlc runs").success());
    }
    ebin
}

const DAY: &str = "application:ensure_all_started(till), till:day(), halt().";

#[test]
fn an_application_is_recorded_and_another_order_tried() {
    let ebin = till("+debug_info");
    let ebin = ebin.to_str().expect("a name");
    let args = ["record", "-o", "day.reverl", "--", "erl", "-noshell", "-pa", ebin, "-eval", DAY];
    let recorded = reverl(&args);
    let said = text(&recorded.stderr);
    assert!(said.contains("replayed exactly"), "{said}");
    let replayed = text(&reverl(&["replay", "day.reverl"]).stdout);
    assert!(replayed.starts_with(&text(&recorded.stdout)), "{replayed}");
    let races = text(&reverl(&["races", "day.reverl"]).stdout);
    let other = races.lines().rfind(|l| l.contains("could have been received instead"));
    let other = other.and_then(|l| l.split_whitespace().next()).expect("the cashiers race");
    let commands = format!("choose {other}\nrun\nsave branched.reverl\nq\n");
    let tried = debug("day.reverl", &commands);
    assert!(tried.contains("branch b1"), "{tried}");
    assert!(tried.contains("the program has finished"), "{tried}");
    assert!(debug("branched.reverl", "branches\nq\n").contains("* b1"));
}

fn debug(file: &str, commands: &str) -> String {
    debug_with(file, commands, &[])
}

/// A dialogue, with these variables of the environment.
fn debug_with(file: &str, commands: &str, variables: &[(&str, &str)]) -> String {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(program()).args(["debug", file]).envs(variables.iter().copied());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("reverl runs");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(commands.as_bytes()).expect("written");
    drop(input);
    text(&child.wait_with_output().expect("it ends").stdout)
}

#[test]
fn modules_without_debug_info_are_named_with_the_line_that_fixes_it() {
    let ebin = till("");
    let ebin = ebin.to_str().expect("a name");
    let args = ["record", "-o", "bare.reverl", "--", "erl", "-noshell", "-pa", ebin, "-eval", DAY];
    let said = text(&reverl(&args).stderr);
    let replayed = text(&reverl(&["replay", "bare.reverl"]).stderr);
    for said in [said, replayed] {
        let lines = said.lines().filter(|l| l.contains("not in the recording"));
        assert_eq!(lines.count(), 1, "{said}");
        assert!(said.contains("not in the recording: 4 modules ("), "{said}");
        assert!(said.contains("till_box.beam, "), "{said}");
        assert!(said.contains("the .beam file has no debug info"), "{said}");
        assert!(said.contains("erlc +debug_info"), "{said}");
    }
}

#[test]
fn a_running_node_is_recorded() {
    let name = format!("reverl_test_{}@localhost", std::process::id());
    let mut node = Command::new("erl")
        .current_dir(program())
        .args(["-noshell", "-sname", &name, "-setcookie", "c", "-eval", "story:work()."])
        .stdin(Stdio::null())
        .spawn()
        .expect("erl runs");
    let options =
        ["--node", &name, "--cookie", "c", "--trigger", "story:job", "--max-seconds", "1"];
    let mut said = String::new();
    // It takes a moment until it can be reached.
    for _ in 0..20 {
        let args = [&["record", "-o", "attached.reverl"], &options[..]].concat();
        said = text(&reverl(&args).stderr);
        if !said.contains("no connection") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    // It can be recorded again, by one recorder at a time.
    let args = [&["record", "-o", "attached-again.reverl"], &options[..]].concat();
    let again = text(&reverl(&args).stderr);
    let mut second = Command::new(env!("CARGO_BIN_EXE_reverl"));
    second.current_dir(program()).args(&args[..3]).args(&options[..6]);
    second.args(["--max-seconds", "3"]).stdin(Stdio::null());
    let mut second = second.stderr(Stdio::piped()).spawn().expect("reverl runs");
    let mut begun = String::new();
    let mut told = BufReader::new(second.stderr.take().expect("piped"));
    told.read_line(&mut begun).expect("it says that it records");
    let args = [&["record", "-o", "attached-twice.reverl"], &options[..]].concat();
    let at_once = text(&reverl(&args).stderr);
    let _ = second.wait();
    let _ = node.kill();
    let _ = node.wait();
    assert!(said.contains("replayed exactly"), "{said}");
    assert!(again.contains("replayed exactly"), "{again}");
    assert!(at_once.contains("it is being recorded already"), "{at_once}");
    let list = text(&reverl(&["replay", "--list", "attached.reverl"]).stdout);
    assert!(list.contains("begins with story:job/1 [3]"), "{list}");
}
