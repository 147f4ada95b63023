//! Files: what the disk knows of them, and files in memory, as on a node.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Files in memory: reading, writing, positions, modes and errors.
const MEMORY: &str = r#"-module(memory).
-export([main/0]).

tried(F) -> try F() catch Class:Reason -> {Class, Reason} end.

main() ->
    {ok, F} = file:open("hello world\nnext\n", [ram, read, write]),
    {ok, B} = file:open(<<"abc">>, [ram, binary, read]),
    {ok, W} = file:open([], [ram, write]),
    [tried(G) || G <- [
        fun() -> file:read(F, 5) end,
        fun() -> file:position(F, cur) end,
        fun() -> file:position(F, 6) end,
        fun() -> file:write(F, "WORLD") end,
        fun() -> file:pread(F, 0, 20) end,
        fun() -> file:pread(F, [{0, 2}, {100, 2}, {3, 3}]) end,
        fun() -> file:pwrite(F, 20, "x") end,
        fun() -> ram_file:get_file(F) end,
        fun() -> ram_file:get_size(F) end,
        fun() -> file:position(F, eof) end,
        fun() -> file:read(F, 1) end,
        fun() -> file:position(F, {bof, 3}), file:truncate(F), ram_file:get_file(F) end,
        fun() -> file:read(B, 10) end,
        fun() -> file:read(B, 1) end,
        fun() -> file:write(B, "x") end,
        fun() -> file:write(W, ["a", <<"b">>]) end,
        fun() -> file:read(W, 1) end,
        fun() -> ram_file:get_file(W) end,
        fun() -> file:position(F, {cur, -10}) end,
        fun() -> file:sync(F) end,
        fun() -> file:close(B) end,
        fun() -> file:open(foo, [ram]) end,
        fun() -> file:open("x", [ram, raw]) end,
        fun() -> {ok, G} = file:open("y", [ram]), file:read(G, 3) end,
        fun() -> {ok, S} = file:open("", [ram, read, write]), {file:copy(W, S), file:position(W, 0)} end,
        fun() ->
            {ok, From} = file:open("copied", [ram, read]),
            {ok, To} = file:open("", [ram, read, write]),
            {file:copy(From, To), ram_file:get_file(To)}
        end]].
"#;

/// What the disk knows. When something was read last may change meanwhile.
const TIMES: &str = r#"-module(times).
-export([main/0]).

main() ->
    Infos = [file:read_file_info(File, Options) || File <- ["times.erl", "/etc/passwd", "/bin"],
                                                   Options <- [[], [{time, posix}], [{time, universal}]]],
    [setelement(5, Info, some_time) || {ok, Info} <- Infos] ++
        [filelib:last_modified("times.erl"), filelib:file_size("times.erl"),
         file:read_file_info("nosuch"), file:read_file_info("times.erl/"), file:read_file(<<"no", 255>>),
         is_list(os:find_executable("sh")), os:find_executable("nosuchprogram")].
"#;

fn directory(name: &str, text: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("reverl-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("made");
    std::fs::write(dir.join(format!("{name}.erl")), text).expect("written");
    dir
}

fn lines(command: &str, dir: &Path, args: &[&str]) -> Vec<String> {
    let ran = Command::new(command).current_dir(dir).args(args).output().expect("it runs");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    text.lines().filter(|line| line.starts_with("= ")).map(str::to_string).collect()
}

fn is_as_on_a_node(name: &str, text: &str) {
    let dir = directory(name, text);
    let file = format!("{name}.erl");
    let shown = format!("[io:format(\"= ~0p~n\", [R]) || R <- {name}:main()]");
    lines("erlc", &dir, &[&file]);
    let node = lines("erl", &dir, &["-noshell", "-eval", &format!("{shown}, halt().")]);
    let run = lines(env!("CARGO_BIN_EXE_reverl"), &dir, &["run", &file, "-e", &shown]);
    std::fs::remove_dir_all(&dir).expect("removed");
    assert!(node.len() > 10, "{node:?}");
    assert_eq!(run, node);
}

#[test]
fn files_in_memory_are_as_on_a_node() {
    is_as_on_a_node("memory", MEMORY);
}

#[test]
fn what_the_disk_knows_of_files_is_told_as_on_a_node() {
    is_as_on_a_node("times", TIMES);
}
