//! The command line, as its contract in README says.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn reverl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .args(args)
        .output()
        .expect("reverl runs")
}

/// The same on a machine without OTP.
fn reverl_without_otp(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .env("PATH", "")
        .env("ERL_ROOTDIR", env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .expect("reverl runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        let text = String::from_utf8_lossy(&output.stdout);
        panic!("{e}: {text} {}", String::from_utf8_lossy(&output.stderr))
    })
}

/// A program in a directory of its own, which goes with it.
struct Program {
    dir: PathBuf,
    file: String,
}

impl Program {
    fn new(name: &str, text: &str) -> Program {
        let dir = std::env::temp_dir().join(format!("reverl-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        let file = dir.join(format!("{name}.erl"));
        std::fs::write(&file, text).expect("written");
        Program { dir, file: file.display().to_string() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

// papers: 000 | 4 | a program is opened, with a call and its arguments | run, debug -e
#[test]
fn a_finished_run_tells_its_result_and_exits_with_0() {
    let output = reverl(&["run", "examples/dining/dining.erl", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["outcome"], "finished");
    assert_eq!(report["main"]["result"], "{everybody_ate,[1,2,3]}");
    assert_eq!(report["main"]["pid"], "<0.83.0>");
    assert_eq!(report["processes"].as_array().map(Vec::len), Some(8));
}

#[test]
fn a_deadlock_and_a_crash_exit_with_1_and_say_where() {
    let report = json(&reverl(&["run", "examples/tcp/tcp.erl", "--json"]));
    assert_eq!(report["outcome"], "deadlock");
    assert_eq!(report["main"]["at"], "examples/tcp/tcp.erl:6");
    assert_eq!(report["orphans"].as_array().map(Vec::len), Some(1));
    let output = reverl(&["run", "examples/tcp/tcp.erl", "-e", "tcp:nothing()", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&output)["outcome"], "crashed");
}

#[test]
fn output_comes_before_the_outcome() {
    let output = reverl(&["run", "examples/stock/stock.erl"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Stock: 3\n=> {left,3}\n");
}

#[test]
fn errors_of_usage_and_compilation_exit_with_2_and_say_what_to_do() {
    let missing = reverl(&["run", "no/such/file.erl"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no file or directory"));
    let broken = Program::new("broken", "-module(broken).\n-export([main/0]).\nmain() -> X.\n");
    let output = reverl(&["run", &broken.file]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("broken.erl:3:") && said.contains("variable 'X' is unbound"), "{said}");
    let schedule = reverl(&["run", "examples/stock/stock.erl", "--schedule", "fair"]);
    assert!(String::from_utf8_lossy(&schedule.stderr).contains("choose round-robin"));
}

// papers: 000 | 4 (automatic mode) | a scheduler that chooses by chance | set schedule random
#[test]
fn a_run_is_a_function_of_its_seed() {
    let run = |seed: u32| {
        let seed = seed.to_string();
        let args = [
            "run",
            "examples/proxy/proxy.erl",
            "--schedule",
            "random-delivery",
            "--seed",
            &seed,
            "--json",
        ];
        json(&reverl(&args))
    };
    assert_eq!(run(7), run(7));
    let outcomes: std::collections::BTreeSet<String> =
        (0..20).map(|seed| run(seed)["main"]["result"].to_string()).collect();
    assert_eq!(
        outcomes.len(),
        2,
        "some seeds let the proxy be overtaken, some do not: {outcomes:?}"
    );
}

#[test]
fn the_main_job_needs_no_otp() {
    for example in ["dining/dining", "stock/stock"] {
        let file = format!("examples/{example}.erl");
        let without = reverl_without_otp(&["run", &file]);
        let said = String::from_utf8_lossy(&without.stderr);
        assert_eq!(without.status.code(), Some(0), "{example}: {said}");
        assert_eq!(without.stdout, reverl(&["run", &file]).stdout, "{example}");
    }
}

#[test]
fn bad_programs_hit_a_limit_and_say_so() {
    let program = Program::new(
        "limits",
        "-module(limits).\n-export([deep/0, double/1]).\n\
         deep() -> 1 + deep().\ndouble(L) -> double(L ++ L).\n",
    );
    let deep =
        reverl(&["run", &program.file, "-e", "limits:deep()", "--max-stack", "1000000", "--json"]);
    assert_eq!(json(&deep)["main"]["exit_reason"], "{system_limit,stack}");
    let endless =
        Program::new("endless", "-module(endless).\n-export([main/0]).\nmain() -> main().\n");
    let stopped = reverl(&["run", &endless.file, "--max-steps", "100000", "--json"]);
    assert_eq!(json(&stopped)["outcome"], "limit");
}

// papers: 004 | 2 | an execution that fails is kept and walked through | explore, debug R.reverl
#[test]
fn exploration_tells_failures_and_saves_them_as_recordings() {
    let dir = std::env::temp_dir().join(format!("reverl-explore-{}", std::process::id()));
    let save = dir.display().to_string();
    let output = reverl(&["explore", "examples/proxy/proxy.erl", "--json", "--save", &save]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    assert_eq!((&report["executions"], &report["complete"]), (&2.into(), &true.into()));
    let failures = report["failures"].as_array().expect("failures");
    let crash = failures.iter().find(|f| f["kind"] == "crashed").expect("a crash");
    assert_eq!(crash["at"], "examples/proxy/proxy.erl:33");
    let recording = crash["recording"].as_str().expect("saved");
    let replayed = json(&reverl(&["replay", recording, "--json"]));
    assert_eq!(replayed["outcome"], "deadlock");
    let races = reverl(&["races", recording, "--json"]);
    assert_eq!(races.status.code(), Some(1));
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn programs_without_failure_explore_to_0_and_bounded_ones_to_3() {
    let all = reverl(&["explore", "examples/stock/stock.erl", "--json"]);
    assert_eq!(all.status.code(), Some(0));
    let some = reverl(&["explore", "examples/stock/stock.erl", "--json", "--max-executions", "2"]);
    assert_eq!(some.status.code(), Some(3));
    let one = json(&reverl(&["explore", "examples/stock/stock.erl", "--json", "--workers", "1"]));
    let two = json(&reverl(&["explore", "examples/stock/stock.erl", "--json", "--workers", "2"]));
    assert_eq!((&one["executions"], &one["results"]), (&two["executions"], &two["results"]));
}

#[test]
fn a_damaged_recording_is_an_error_and_never_a_panic() {
    let dir = std::env::temp_dir().join(format!("reverl-damaged-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let path = dir.join("x.reverl");
    let script = dir.join("script");
    std::fs::write(&script, format!("run\nsave {}\n", path.display())).expect("written");
    let script = script.display().to_string();
    reverl(&["debug", "examples/stock/stock.erl", "--script", &script]);
    let bytes = std::fs::read(&path).expect("saved");
    for length in [0, 5, 9, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).expect("written");
        let output = reverl(&["replay", &path.display().to_string()]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{length}: {said}");
        assert!(!said.contains("panicked"), "{length}: {said}");
    }
    std::fs::remove_dir_all(&dir).expect("removed");
}

// papers: 001 | 3 | the choices of a log are followed | run PROGRAM LOGDIR
#[test]
fn a_log_of_cauder_is_replayed_with_the_choices_it_recorded() {
    // The server takes the proxy's message first: the order that the default schedule does not give.
    let dir = std::env::temp_dir().join(format!("reverl-cauder-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    for (name, text) in [
        ("trace_result.log", "call \"proxy:main()\"\nmain_pid 71\nresult 42\n"),
        (
            "trace_71.log",
            "{71,spawn,73}\n{71,spawn,74}\n{71,send,1}\n{71,send,2}\n{71,'receive',4}\n",
        ),
        ("trace_73.log", "{73,'receive',3}\n{73,'receive',2}\n{73,send,4}\n"),
        ("trace_74.log", "{74,'receive',1}\n{74,send,3}\n"),
    ] {
        std::fs::write(dir.join(name), text).expect("written");
    }
    let log = dir.display().to_string();
    let report = json(&reverl(&["run", "examples/proxy/proxy.erl", &log, "--json"]));
    assert_eq!(report["main"]["result"], "42");
    let unfit = reverl(&["run", "examples/stock/stock.erl", &log, "-e", "stock:main()"]);
    assert!(String::from_utf8_lossy(&unfit.stderr).contains("cannot do what this log says"));
    std::fs::remove_dir_all(&dir).expect("removed");
}

/// A program beside the directory of its log.
struct Logged {
    dir: tempfile::TempDir,
}

impl Logged {
    fn new(module: &str, text: &str, log: &[(&str, &str)]) -> Logged {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |path: PathBuf, text: &str| std::fs::write(path, text).expect("written");
        write(dir.path().join(format!("{module}.erl")), text);
        std::fs::create_dir(dir.path().join("log")).expect("made");
        for (name, text) in log {
            write(dir.path().join("log").join(name), text);
        }
        Logged { dir }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }
}

fn result_log(module: &str, value: &str, how: &str) -> String {
    format!(
        "{{call,{{{module},main,[]}}}}.\n{{comp,802050}}.\n{{exec,10294}}.\n{{node,nonode@nohost}}.\n\
         {{pid,82}}.\n{{return,{value}}}.\n{{tracing,{how}}}.\n"
    )
}

// papers: 001 | 3 | the log of a traced execution is followed | replay LOGDIR
#[test]
fn logs_of_cauder_open_whose_values_are_names_or_whose_process_slept() {
    let spawn = "{trace_spawn,nonode@nohost,86,true}.\n";
    let of_pid = Logged::new(
        "gives_pid",
        "-module(gives_pid).\n-export([main/0]).\nmain() -> spawn(fun() -> ok end).\n",
        &[
            ("trace_result.log", &result_log("gives_pid", "{value,<0.86.0>}", "success")),
            ("trace_82.log", spawn),
            ("trace_86.log", ""),
        ],
    );
    let output = reverl(&["replay", &of_pid.path("log")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let sleeper = Logged::new(
        "sleeper",
        "-module(sleeper).\n-export([main/0]).\nmain() ->\n    Me = self(),\n    \
         spawn(fun() -> Me ! a end),\n    receive a -> early after 5 -> ok end,\n    \
         timer:sleep(10), io:format(\"hi~n\"),\n    receive a -> late end.\n",
        &[
            ("trace_result.log", &result_log("sleeper", "{value,late}", "success")),
            ("trace_82.log", &format!("{spawn}{{trace_receive,0}}.\n")),
            ("trace_86.log", "{trace_send,0}.\n"),
        ],
    );
    let output = reverl(&["replay", &sleeper.path("log")]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("hi") && text.contains("late"), "{text}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_log_of_cauder_that_was_cut_off_ends_where_it_stops_and_one_that_differs_says_so() {
    let cut = Logged::new(
        "endless",
        "-module(endless).\n-export([main/0]).\n\
         main() -> P = spawn(fun() -> pong() end), ping(P).\n\
         ping(P) -> P ! {self(), ping}, receive pong -> ping(P) end.\n\
         pong() -> receive {P, ping} -> P ! pong, pong() end.\n",
        &[
            ("trace_result.log", &result_log("endless", "none", "timeout")),
            (
                "trace_82.log",
                "{trace_spawn,nonode@nohost,86,true}.\n{trace_send,0}.\n{trace_receive,1}.\n\
                 {trace_send,2}.\n",
            ),
            ("trace_86.log", "{trace_receive,0}.\n{trace_send,1}.\n"),
        ],
    );
    let output = reverl(&["run", &cut.path("endless.erl"), &cut.path("log"), "--json"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("was cut off"));
    let report = json(&output);
    // A spawn, three messages that were sent and arrive, two receives.
    assert_eq!(report["events"], 9, "{report}");
    let differs = Logged::new(
        "differs",
        "-module(differs).\n-export([main/0]).\nmain() -> ok.\n",
        &[
            ("trace_result.log", &result_log("differs", "{value,foo}", "success")),
            ("trace_82.log", ""),
        ],
    );
    let output = reverl(&["replay", &differs.path("log")]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the log says that the value is foo, here it is ok"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_execution_is_written_as_a_log_of_cauder_and_replayed_from_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let log = dir.path().join("log").display().to_string();
    let program = "examples/stock/stock.erl";
    let seeded = ["--schedule", "random", "--seed", "5"];
    let export = [&["export", program, "--what", "cauder-log", "-o", &log], &seeded[..]].concat();
    assert!(reverl(&export).status.success());
    let run = json(&reverl(&[&["run", program, "--json"], &seeded[..]].concat()));
    let replayed = json(&reverl(&["replay", &log, program, "--json"]));
    assert_eq!(replayed["main"]["result"], run["main"]["result"]);
    assert_eq!(replayed["output"], run["output"]);
}

#[test]
fn branches_keep_their_names_when_a_session_is_saved_and_opened() {
    let dir = tempfile::tempdir().expect("a directory");
    let (file, script) = (dir.path().join("s.reverl"), dir.path().join("script"));
    let typed = |text: &str, program: &str| {
        std::fs::write(&script, text).expect("written");
        let output = reverl(&["debug", program, "--script", &script.display().to_string()]);
        String::from_utf8(output.stdout).expect("text")
    };
    let saved = file.display().to_string();
    typed(
        &format!("run\nchoose #85.1\nnote 1a0 here it parts\nsave {saved}\n"),
        "examples/proxy/proxy.erl",
    );
    let told = typed("branches\nnotes\nchoose kill <0.85.0>\nbranches\n", &saved);
    assert!(told.contains("* b1: ") && told.contains("  main: "), "{told}");
    assert!(told.contains("1: here it parts\n    <0.83.0>"), "{told}");
    assert!(told.contains("* b2: "), "{told}");
}

#[test]
fn marks_breakpoints_and_displays_are_saved_with_a_session() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("s.reverl").display().to_string();
    let script = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let first = script(
        "first",
        &format!(
            "until 12\nmark begun\nbreak server/1 if Stock > 4\nignore 1 1\n\
             commands 1 print Stock\ndisplay Stock\nrun\nsave {file}\n"
        ),
    );
    let saved = reverl(&["debug", "examples/stock/stock.erl", "--script", &first]);
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stdout));
    let second = script("second", "marks\nbreaks\ngoto begun\n");
    let opened = reverl(&["debug", &file, "--script", &second]);
    let text = String::from_utf8_lossy(&opened.stdout);
    assert!(text.contains("begun: <0.83.0> (main)@10"), "{text}");
    assert!(text.contains("1: server/1 if Stock > 4\n     print Stock"), "{text}");
    assert!(text.contains("1: Stock = 0"), "{text}");
}

// papers: 000 | 4 | any function can be the first, also one that is not exported | -e
#[test]
fn a_function_that_is_not_exported_can_be_the_entry() {
    let text = "-module(inner).\n-export([main/0]).\n-record(r, {x}).\nmain() -> ok.\n\
        helper(N, [_]) -> (twice(#r{x = N}))#r.x.\ntwice(R) -> R#r{x = R#r.x * 2}.\n";
    let program = Program::new("inner", text);
    let report = json(&reverl(&["run", &program.file, "-e", "inner:helper(21, [a])", "--json"]));
    assert_eq!(report["main"]["result"], "42", "{report}");
    let missing = json(&reverl(&["run", &program.file, "-e", "inner:helper(21)", "--json"]));
    assert_eq!(missing["outcome"], "crashed", "{missing}");
}

#[test]
fn races_of_time_outs_tables_names_and_exits() {
    let text = "-module(others).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    \
        S = self(),\n    spawn(fun() -> ets:insert(T, {a, 1}), S ! done end),\n    \
        spawn(fun() -> ets:insert(T, {a, 2}), register(foo, self()), S ! done end),\n    \
        P = spawn(fun() -> receive never -> ok end end),\n    exit(P, kill),\n    \
        receive done -> ok after 100 -> late end,\n    receive done -> ok end,\n    \
        whereis(foo).\n";
    let program = Program::new("others", text);
    let report = json(&reverl(&["races", &program.file, "--json"]));
    let others = report["others"].as_array().expect("a list");
    let kinds: Vec<&str> = others.iter().filter_map(|o| o["kind"].as_str()).collect();
    assert_eq!(kinds, ["timeout", "exit", "table", "name"], "{report}");
    // A message puts these two in order: no race.
    let ordered = "-module(ordered).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [public]),\n    \
        S = self(),\n    spawn(fun() -> ets:insert(T, {a, 1}), S ! done end),\n    \
        receive done -> ets:lookup(T, a) end.\n";
    let program = Program::new("ordered", ordered);
    let report = json(&reverl(&["races", &program.file, "--json"]));
    assert_eq!(report["others"].as_array().map(Vec::len), Some(0), "{report}");
}

const SENDERS: &str = "-module(senders).\n-export([main/0]).\nmain() ->\n    S = self(),\n    \
    [spawn(fun() -> S ! I end) || I <- [1, 2, 3, 4]],\n    [receive X -> X end || _ <- [1, 2, 3, 4]].\n";

#[test]
fn a_property_is_checked_in_every_execution() {
    let program = Program::new("senders", SENDERS);
    let explore = |more: &[&str]| {
        let mut args = vec!["explore", program.file.as_str(), "--json"];
        args.extend(more);
        let output = reverl(&args);
        (output.status.code(), json(&output))
    };
    let (code, report) = explore(&["--property", "lists:sort(Result) =:= [1,2,3,4]"]);
    assert_eq!((code, &report["executions"]), (Some(0), &Value::from(24)));
    let (code, report) = explore(&["--property", "fun([First | _]) -> First =/= 3 end"]);
    assert_eq!(code, Some(1));
    let failure = &report["failures"][0];
    let saved = failure["recording"].as_str().expect("a path");
    assert_eq!(reverl(&["replay", saved]).status.code(), Some(0), "{saved}");
    assert_eq!((&failure["kind"], &failure["count"]), (&"property".into(), &6.into()), "{report}");
    // The story is the simplest: only the first receive takes something else.
    let story: Vec<&str> =
        failure["story"].as_array().expect("a story").iter().filter_map(Value::as_str).collect();
    let taken: Vec<&str> = story.iter().filter(|l| l.contains("receives")).copied().collect();
    assert!(taken[0].contains("receives 3") && taken[1].contains("receives 1"), "{taken:?}");
    // A property that is none is an error, not a failure.
    let bad = reverl(&["explore", &program.file, "--property", "self() ! x"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn bounded_searches_say_that_they_are() {
    let program = Program::new("bounded", &SENDERS.replace("(senders)", "(bounded)"));
    let explore = |more: &[&str]| {
        let mut args = vec!["explore", program.file.as_str(), "--json"];
        args.extend(more);
        let output = reverl(&args);
        (output.status.code(), json(&output)["executions"].as_u64())
    };
    // No receive takes anything else; one does: 3 + 2 + 1 more.
    assert_eq!(explore(&["--max-delays", "0"]), (Some(3), Some(1)));
    assert_eq!(explore(&["--max-delays", "1"]), (Some(3), Some(7)));
    assert_eq!(explore(&["--max-delays", "3"]), (Some(0), Some(24)));
    assert_eq!(explore(&["--max-executions", "5"]), (Some(3), Some(5)));
    let (code, visited) = explore(&["--walks", "200"]);
    assert_eq!(code, Some(3));
    assert!(visited.is_some_and(|n| n > 10 && n <= 24), "{visited:?}");
    for workers in ["1", "2", "4"] {
        assert_eq!(explore(&["--workers", workers]), (Some(0), Some(24)));
    }
}

#[test]
fn a_run_does_not_wait_for_servers_that_never_rest() {
    let text = "-module(ticks).\n-export([main/0]).\nmain() -> spawn(fun tick/0), done.\n\
                tick() -> receive after 1000 -> tick() end.\n";
    let program = Program::new("ticks", text);
    let ran = reverl(&["run", &program.file]);
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(told.starts_with("=> done\n") && told.contains("the others would go on"), "{told}");
    assert_eq!(ran.status.code(), Some(0));
}

#[test]
fn escripts_are_run_and_keep_their_lines() {
    let text = "#!/usr/bin/env escript\n%%! -smp enable\n\
                main([N]) -> io:format(\"~p~n\", [1 div list_to_integer(N)]);\n\
                main([]) -> io:format(\"usage: ~s N~n\", [?MODULE]), halt(2).\n";
    let program = Program::new("divides", text);
    let script = program.dir.join("divides");
    std::fs::rename(&program.file, &script).expect("renamed");
    let script = script.display().to_string();
    let told = |args: &[&str]| {
        String::from_utf8_lossy(&reverl(&[&["run", &script], args].concat()).stdout).into_owned()
    };
    assert_eq!(told(&[]), "usage: divides N\nthe program halted with 2\n");
    assert_eq!(told(&["-e", "divides:main([\"1\"])"]), "1\n=> ok\n");
    let crashed = told(&["-e", "divides:main([\"0\"])"]);
    assert!(crashed.contains("divides:3"), "{crashed}");
}

/// Who can still be woken is not blocked, and what is on its way is not an orphan.
#[test]
fn what_goes_on_is_not_called_an_end() {
    let moments = reverl_programs::directory().join("moments");
    let ended = |name: &str, script: &str| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.script"));
        std::fs::write(&path, script).expect("written");
        let file = moments.join(format!("{name}.erl"));
        let (file, path) = (file.to_str().expect("a path"), path.to_str().expect("a path"));
        String::from_utf8_lossy(&reverl(&["debug", file, "--script", path]).stdout).into_owned()
    };
    let early = ended("finished_early", "run 10\nproblems\n");
    assert!(early.contains("the main process has ended; 1 process goes on"), "{early}");
    assert!(early.contains("no problems") && !early.contains("has finished"), "{early}");
    let pair = ended("endless_pair", "run 50\nproblems\n");
    assert!(pair.contains("no problems"), "{pair}");
    let linked = ended("linked_end", "run\nproblems\n");
    assert!(linked.contains("ended by <0.84.0>: <0.85.0>"), "{linked}");
    assert!(!linked.contains("reverl_boot"), "{linked}");
    let stopped = moments.join("finished_early.erl");
    let stopped = reverl(&["run", stopped.to_str().expect("a path"), "--max-steps", "200"]);
    let told = String::from_utf8_lossy(&stopped.stdout).into_owned();
    assert!(told.contains("waits: <0.84.0>") && !told.contains("blocked"), "{told}");
}

/// A build can trust the exit code of a run of tests.
#[test]
fn a_run_of_tests_that_fail_exits_with_1() {
    let recorded = reverl_programs::directory().join("recorded");
    let path = |name: &str| recorded.join(name).display().to_string();
    let (tests, shop) = (path("shop_tests.erl"), path("shop.erl"));
    let failed = reverl(&["run", "-e", "eunit:test(shop_tests)", &tests, &shop, "--json"]);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(json(&failed)["outcome"], "failed");
    let passed = reverl(&["run", "-e", "eunit:test(plain_tests)", &path("plain_tests.erl")]);
    assert_eq!(passed.status.code(), Some(0));
}

/// Messages of one sender keep their order, so the second cannot be taken in place of the first.
#[test]
fn what_the_order_of_one_sender_forbids_is_not_a_race() {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let erl = reverl_programs::directory().join("search");
    let races = |name: &str| reverl(&["races", erl.join(name).to_str().expect("a path")]);
    let pair = races("pair_race.erl");
    assert_eq!(pair.status.code(), Some(0));
    assert!(text(&pair.stdout).starts_with("0 receives with races"), "{}", text(&pair.stdout));
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("races.script");
    std::fs::write(&script, "run\nraces\n").expect("written");
    let file = erl.join("pair_race_three.erl").display().to_string();
    let typed = reverl(&["debug", &file, "--script", script.to_str().expect("a path")]);
    assert!(text(&typed.stdout).contains("could have been received instead"));
    let three = text(&races("pair_race_three.erl").stdout);
    assert!(three.contains("{k,l2}") && !three.contains("{k,l3}"), "{three}");
}

#[test]
fn a_lost_update_in_a_table_is_found_and_told() {
    let all = json(&reverl(&["explore", "examples/tally/tally.erl", "--json"]));
    assert_eq!(all["complete"], true);
    assert_eq!(all["unexplored"], serde_json::json!([]));
    assert_eq!(all["executions"], 4);
    assert_eq!(all["failures"][0]["reason"], "{badmatch,1}");
    let story = all["failures"][0]["story"].to_string();
    assert_eq!(story.matches("ets:lookup(").count(), 2, "{story}");
    // What is told can be lived through.
    let path = all["failures"][0]["recording"].as_str().expect("it is saved");
    let replayed = json(&reverl(&["replay", path, "--json"]));
    assert_eq!(replayed["outcome"], "crashed");
}

#[test]
fn a_search_that_needs_too_much_memory_stops_and_tells_what_it_found() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../programs/erl/counts/programs.erl");
    let args = ["explore", file, "-e", "programs:table(6)", "--json", "--max-memory", "10"];
    let output = reverl(&args);
    assert_eq!(output.status.code(), Some(3));
    let report = json(&output);
    assert_eq!((&report["complete"], &report["out_of_memory"]), (&false.into(), &true.into()));
    assert!(report["executions"].as_u64() > Some(10), "{report}");
}

#[test]
fn a_dialogue_through_pipes_is_answered_line_by_line_and_an_interrupt_stops_only_the_command() {
    let text = "-module(endless).\n-export([main/0]).\n\
        main() -> P = spawn(fun echo/0), loop(P).\n\
        loop(P) -> P ! self(), receive P -> loop(P) end.\n\
        echo() -> receive From -> From ! self(), echo() end.\n";
    let program = Program::new("endless", text);
    let mut debugger = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .args(["debug", &program.file, "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("reverl runs");
    let mut input = debugger.stdin.take().expect("a pipe");
    let (say, said) = std::sync::mpsc::channel();
    let output = BufReader::new(debugger.stdout.take().expect("a pipe"));
    std::thread::spawn(move || output.lines().map_while(Result::ok).for_each(|l| _ = say.send(l)));
    let mut ask = |command: &str| writeln!(input, "{command}").expect("it listens");
    let answer = |line: String| serde_json::from_str::<Value>(&line).expect("JSON");
    let long = Duration::from_secs(60);

    ask("enabled");
    assert_eq!(answer(said.recv_timeout(long).expect("an answer"))["command"], "enabled");
    ask("run");
    // It may not have begun when the first interrupt comes.
    let ran = (0..200).find_map(|_| {
        let pid = debugger.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().expect("kill");
        said.recv_timeout(Duration::from_millis(100)).ok()
    });
    let ran = answer(ran.expect("an interrupt stops it"));
    assert!(ran["text"].as_str().is_some_and(|t| t.starts_with("stopped")), "{ran}");
    ask("back 2");
    assert_eq!(answer(said.recv_timeout(long).expect("an answer"))["ok"], true);
    // Every move says how it came about, what it passed and where it led.
    ask("undo 1");
    let undone = answer(said.recv_timeout(long).expect("an answer"));
    let data = &undone["data"];
    assert_eq!((&data["moved"], &data["plan"]["what"]), (&"undone".into(), &"undone".into()));
    assert!(data["here"]["step"].is_u64() && data["plan"]["steps"].is_u64(), "{undone}");
    ask("quit");
    assert!(debugger.wait().expect("it ends").success());
}

// papers: 003 | 4.2 | diagrams of creation and evaluation as SVG | export --what processes, calls
#[test]
fn trees_of_processes_and_calls_are_drawn_with_every_node() {
    let drawn = |what: &str, format: &str| {
        let args = ["export", "examples/tcp/tcp.erl", "--what", what, "--format", format];
        String::from_utf8(reverl(&args).stdout).expect("text")
    };
    for what in ["processes", "calls"] {
        let (text, svg) = (drawn(what, "text"), drawn(what, "svg"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert_eq!(svg.matches("<text").count(), text.lines().count(), "{what}");
        // All but those without a parent are joined to one.
        let joined = text.lines().filter(|line| line.starts_with("  ")).count();
        assert_eq!(svg.matches("<path").count(), joined, "{what}");
    }
}

#[test]
fn a_recording_that_is_a_branch_already_does_not_become_another() {
    let dir = Program::new("adopted", "-module(adopted).\n");
    let file = dir.dir.join("proxy.reverl").display().to_string();
    let script = dir.dir.join("script");
    let commands = format!("run\nsave {file}\nadopt {file}\ntake #85.1\nadopt {file}\nbranches\n");
    std::fs::write(&script, commands).expect("written");
    let script = script.display().to_string();
    let output = reverl(&["debug", "examples/proxy/proxy.erl", "--script", &script]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.matches("branch main: ").count(), 2, "{said}");
    assert!(said.contains("b1") && !said.contains("b2"), "{said}");
}
