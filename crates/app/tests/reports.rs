//! What OTP reports by itself (`--reports`): the same text as on a node, but for pids, times and sizes.

use std::path::PathBuf;
use std::process::Command;

const REPORTING: &str = "-module(reporting).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, crash/1]).

main() ->
    process_flag(trap_exit, true),
    {Plain, Ended} = spawn_monitor(?MODULE, crash, [1]),
    receive {'DOWN', Ended, _, Plain, _} -> ok end,
    Proc = proc_lib:spawn_link(?MODULE, crash, [2]),
    receive {'EXIT', Proc, _} -> ok end,
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    [{_, Server, _, _}] = supervisor:which_children(Sup),
    gen_server:cast(Server, crash),
    New = new_child(Sup, Server),
    sys:get_state(New),
    timer:sleep(50),
    done.

new_child(Sup, Old) ->
    case supervisor:which_children(Sup) of
        [{_, New, _, _}] when is_pid(New), New =/= Old -> New;
        _ -> new_child(Sup, Old)
    end.

crash(N) ->
    error({crash, N}).

init(sup) -> {ok, {#{}, [#{id => child, start => {gen_server, start_link, [?MODULE, [], []]}}]}};
init([]) -> {ok, state}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(crash, S) -> crash(S).
";

fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("reverl-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("made");
    std::fs::write(dir.join("reporting.erl"), REPORTING).expect("written");
    dir
}

fn said(command: &str, dir: &PathBuf, args: &[&str]) -> String {
    let ran = Command::new(command).current_dir(dir).args(args).output().expect("it runs");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Without what is different each time.
fn lasting(text: &str) -> Vec<String> {
    let changes = ["heap_size:", "stack_size:", "reductions:"];
    let lines = text.lines().filter(|line| !changes.iter().any(|c| line.contains(c)));
    let line = |line: &str| match line.split_once("REPORT====") {
        Some((kind, _)) => kind.to_string(),
        None => without_pids(line),
    };
    lines.map(line).collect()
}

/// Each pid as `<>`.
fn without_pids(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("<0.") {
        kept.push_str(before);
        kept.push_str("<>");
        rest = after.split_once('>').map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[test]
fn reports_of_crashes_and_restarts_are_printed_as_on_a_node() {
    let dir = directory("reports");
    said("erlc", &dir, &["reporting.erl"]);
    let call = "reporting:main(), init:stop().";
    let node = said("erl", &dir, &["-noshell", "-eval", call]);
    let reverl = env!("CARGO_BIN_EXE_reverl");
    let run = said(reverl, &dir, &["run", "reporting.erl", "--reports"]);
    let quiet = said(reverl, &dir, &["run", "reporting.erl"]);
    std::fs::remove_dir_all(&dir).expect("removed");
    let outcome = run.find("=> done").expect("it ends");
    assert_eq!(lasting(&run[..outcome]), lasting(&node));
    for kind in ["=ERROR REPORT", "=CRASH REPORT", "=SUPERVISOR REPORT", "Error in process"] {
        assert!(run.contains(kind), "{kind}: {run}");
    }
    assert!(!quiet.contains("REPORT"), "{quiet}");
}

#[test]
fn processes_of_the_kernel_are_found_by_their_names() {
    let dir = directory("names");
    let all = "{[N || N <- registered(), not is_pid(whereis(N))], whereis(nobody), \
               lists:member(rex, registered()), length(supervisor:which_children(kernel_sup)) > 5, \
               [element(1, A) || A <- application:which_applications()]}";
    let run = said(env!("CARGO_BIN_EXE_reverl"), &dir, &["run", "reporting.erl", "-e", all]);
    let shown = format!("io:format(\"=> ~w~n\", [{all}]), halt().");
    let node = said("erl", &dir, &["-noshell", "-eval", &shown]);
    std::fs::remove_dir_all(&dir).expect("removed");
    assert_eq!(run.lines().next(), node.lines().next(), "{run}");
}
