//! Ports to programs of the operating system: with `--allow os` they run for real and answer as on a
//! node; what they said is kept, so that a replay does not run them again.

use std::path::{Path, PathBuf};
use std::process::Command;

const PORTS: &str = r#"-module(talks).
-export([main/0, marks/1]).

main() ->
    process_flag(trap_exit, true),
    [tried(F) || F <- [fun echo/0, fun missing/0, fun refused/0, fun shell/0, fun cat/0, fun packets/0,
                       fun lines/0, fun directory/0, fun wrong/0, fun connect/0, fun bad_message/0,
                       fun watched/0, fun owner_ends/0, fun data/0, fun counted/0, fun deaf/0]].

tried(F) -> try F() catch Class:Reason -> {Class, Reason} end.

all(Port) ->
    receive
        {Port, Message} -> [Message | all(Port)];
        {'EXIT', Port, Reason} -> [{exit, Reason} | all(Port)]
    after 300 -> []
    end.

echo() ->
    Port = open_port({spawn, "echo hello"}, [exit_status]),
    {is_port(Port), all(Port), tried(fun() -> port_close(Port) end)}.

missing() -> all(open_port({spawn, "exit 3"}, [exit_status])).

refused() ->
    [tried(fun() -> open_port({spawn_executable, File}, []) end) || File <- ["/bin/nosuch", "/etc/passwd"]].

shell() ->
    Args = ["-c", "echo $X; echo err 1>&2; exit 4"],
    Port = open_port({spawn_executable, "/bin/sh"},
                     [{args, Args}, {env, [{"X", "val"}]}, stderr_to_stdout, exit_status, binary]),
    Said = all(Port),
    {iolist_to_binary([D || {data, D} <- Said]), [M || M <- Said, element(1, M) =/= data]}.

cat() ->
    Port = open_port({spawn, "cat"}, [binary]),
    true = port_command(Port, <<"abc">>),
    First = all(Port),
    Port ! {self(), {command, ["d", <<"ef">>]}},
    Second = all(Port),
    Port ! {self(), close},
    {First, Second, all(Port)}.

packets() ->
    Port = open_port({spawn, "cat"}, [{packet, 2}]),
    port_command(Port, "abc"),
    port_command(Port, "de"),
    Said = all(Port),
    true = port_close(Port),
    {Said, all(Port), erlang:port_info(Port)}.

lines() -> all(open_port({spawn, "printf 'a\\nbcdefgh\\nxy'"}, [{line, 4}, eof])).

directory() -> all(open_port({spawn, "pwd"}, [{cd, "/"}])).

wrong() ->
    [tried(F) || F <- [fun() -> open_port({spawn, "ls"}, [foo]) end, fun() -> open_port({spawn, "ls"}, foo) end,
                       fun() -> port_command(open_port({spawn, "cat"}, []), [a]) end,
                       fun() -> port_close(self()) end, fun() -> port_connect(nobody, self()) end]].

connect() ->
    Port = open_port({spawn, "cat"}, []),
    Port ! {self(), {connect, self()}},
    Said = all(Port),
    port_close(Port),
    Said.

bad_message() ->
    Port = open_port({spawn, "cat"}, []),
    Port ! bad,
    all(Port).

watched() ->
    Port = open_port({spawn, "cat"}, []),
    Ref = monitor(port, Port),
    port_close(Port),
    receive {'DOWN', Ref, port, Port, Reason} -> Reason after 300 -> none end.

owner_ends() ->
    Self = self(),
    spawn(fun() -> Self ! {port, open_port({spawn, "cat"}, [])} end),
    receive {port, Port} -> timer:sleep(200), erlang:port_info(Port) end.

data() ->
    Port = open_port({spawn, "cat"}, []),
    unlink(Port),
    Set = {erlang:port_set_data(Port, {my, data}), erlang:port_get_data(Port)},
    {Set, port_connect(Port, self()), port_close(Port), tried(fun() -> port_command(Port, "a") end)}.

counted() ->
    Port = open_port({spawn, "cat"}, []),
    port_command(Port, "four"),
    all(Port),
    Counts = [erlang:port_info(Port, Item) || Item <- [name, input, output]],
    {lists:member(Port, erlang:ports()), Counts, port_close(Port)}.

%% Nobody reads what is written.
deaf() ->
    Port = open_port({spawn, "sleep 0.1"}, [eof]),
    timer:sleep(200),
    Said = all(Port),
    Written = [tried(fun() -> port_command(Port, binary:copy(<<"a">>, 100000)) end) || _ <- [1, 2]],
    timer:sleep(200),
    {Said, hd(Written)}.

%% Leaves a mark in a file each time it really runs.
marks(File) ->
    Port = open_port({spawn, "sh -c 'echo ran >> " ++ File ++ "; echo done'"}, [exit_status]),
    io:format("~p~n", [all(Port)]).
"#;

fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("reverl-ports-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("made");
    std::fs::write(dir.join("talks.erl"), PORTS).expect("written");
    dir
}

fn said(command: &str, dir: &Path, args: &[&str]) -> String {
    let ran = Command::new(command).current_dir(dir).args(args).output().expect("it runs");
    [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat()
}

fn reverl(dir: &Path, args: &[&str]) -> String {
    said(env!("CARGO_BIN_EXE_reverl"), dir, args)
}

#[test]
fn ports_talk_to_programs_as_on_a_node() {
    let dir = directory("talk");
    let shown = "lists:foreach(fun(R) -> io:format(\"= ~0p~n\", [R]) end, talks:main())";
    said("erlc", &dir, &["talks.erl"]);
    let node = said("erl", &dir, &["-noshell", "-eval", &format!("{shown}, halt().")]);
    let run = reverl(&dir, &["run", "talks.erl", "--allow", "os", "-e", shown]);
    let refused = reverl(&dir, &["run", "talks.erl", "-e", "open_port({spawn, \"ls\"}, [])"]);
    std::fs::remove_dir_all(&dir).expect("removed");
    let results = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("= ")).map(str::to_string).collect()
    };
    assert!(results(&node).len() > 10, "{node}");
    assert_eq!(results(&run), results(&node));
    assert!(refused.contains("run only with --allow os"), "{refused}");
}

#[test]
fn what_a_port_said_is_kept_and_its_program_is_not_run_again() {
    let dir = directory("kept");
    let call = "talks:marks(\"ran.txt\")";
    let script = "run\nsave once.reverl\nquit\n";
    std::fs::write(dir.join("script"), script).expect("written");
    let args = ["debug", "talks.erl", "--allow", "os", "-e", call, "--script", "script"];
    let debugged = reverl(&dir, &args);
    let replayed = reverl(&dir, &["replay", "once.reverl"]);
    let ran = std::fs::read_to_string(dir.join("ran.txt")).unwrap_or_default();
    std::fs::remove_dir_all(&dir).expect("removed");
    let told = "[{data,\"done\\n\"},{exit_status,0}]";
    assert!(replayed.contains(told), "{debugged}\n{replayed}");
    assert_eq!(ran, "ran\n");
}
