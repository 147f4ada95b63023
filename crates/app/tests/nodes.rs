//! Several nodes, from the command line: given with what each runs, parted by hand and at random.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// What `reverl` prints, and its exit code.
fn reverl(args: &[&str]) -> (String, i32) {
    let ran = Command::new(env!("CARGO_BIN_EXE_reverl")).args(args).output().expect("it runs");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    (text + &String::from_utf8_lossy(&ran.stderr), ran.status.code().unwrap_or(-1))
}

const TWO: &str = "-module(two).\n\
    -export([client/0, server/0]).\n\
    server() -> register(server, self()), loop(0).\n\
    loop(N) -> receive {From, add, K} -> From ! {sum, N + K}, loop(N + K) end.\n\
    client() ->\n\
        pong = net_adm:ping(b@localhost),\n\
        receive after 10 -> ok end,\n\
        {server, b@localhost} ! {self(), add, 5},\n\
        receive {sum, S} -> {S, node(), nodes()} after 1000 -> nothing end.\n";

#[test]
fn each_node_of_the_command_line_runs_its_call() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("two.erl");
    std::fs::File::create(&path).and_then(|mut f| f.write_all(TWO.as_bytes())).expect("written");
    let program = path.to_str().expect("a path");
    let args =
        ["run", program, "--node", "a", "-e", "two:client()", "--node", "b", "-e", "two:server()"];
    let (text, code) = reverl(&args);
    assert!(text.contains("=> {5,a@localhost,[b@localhost]}"), "{text}");
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_split_brain_is_found_where_connections_are_lost_at_random_and_only_there() {
    let program = file("examples/leader/leader.erl");
    let program = program.to_str().expect("a path");
    let (text, code) = reverl(&["explore", program]);
    assert_eq!(code, 0, "{text}");
    let (text, code) = reverl(&["explore", program, "--max-splits", "1", "--first"]);
    assert!(text.contains("{split_brain,["), "{text}");
    assert_eq!(code, 1, "{text}");
}

#[test]
fn nodes_are_parted_healed_and_ended_in_the_debugger() {
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("script");
    let commands = "run\nundo receive #91.1\nsplit b | c\nrun\nheal\nkill-node c\n\
                    kill-node client\nsplit nowhere\n";
    std::fs::write(&script, commands).expect("written");
    let program = file("examples/leader/leader.erl");
    let (text, _) = reverl(&[
        "debug",
        program.to_str().expect("a path"),
        "--script",
        script.to_str().expect("a path"),
    ]);
    assert!(text.contains("split b | c; 'run' goes on from here"), "{text}");
    assert!(text.contains("split_brain"), "{text}");
    assert!(text.contains("heal; 'run' goes on from here"), "{text}");
    assert!(text.contains("runs on 'client': it does not end alone"), "{text}");
    assert!(text.contains("kill-node c; 'run' goes on from here"), "{text}");
    assert!(text.contains("there is no node 'nowhere' here; there are: client, b, d"), "{text}");
}
