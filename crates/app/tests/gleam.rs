//! What Gleam's compiler makes of a project, recorded and run: the source that is shown is Gleam's.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SOURCE: &str = r#"pub type Item {
  Item(name: String, price: Int)
}

pub fn share(items: List(Item), people: Int) -> Int {
  let assert True = people > 0
  total(items) / people
}

pub fn main() {
  share([Item("tea", 3)], 0)
}
"#;

/// As Gleam writes it: each function is preceded by its place.
const COMPILED: &str = r#"-module(stall).
-compile([no_auto_import, nowarn_unused_vars, nowarn_unused_function, nowarn_nomatch, inline]).
-define(FILEPATH, "src/stall.gleam").
-export([share/2, main/0]).

-file("src/stall.gleam", 5).
-spec share(list({item, binary(), integer()}), integer()) -> integer().
share(Items, People) ->
    case People > 0 of
        true -> erlang:length(Items) div People;
        _assert_fail -> erlang:error(#{gleam_error => let_assert, file => <<?FILEPATH/utf8>>, line => 6})
    end.

-file("src/stall.gleam", 10).
-spec main() -> integer().
main() ->
    share([{item, <<"tea"/utf8>>, 3}], 0).
"#;

/// A project where Gleam would have built it: its directory, and that of its code.
fn project() -> (PathBuf, PathBuf) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gleam");
    let _ = std::fs::remove_dir_all(&root);
    let built = root.join("build/dev/erlang/stall");
    let (made, ebin) = (built.join("_gleam_artefacts"), built.join("ebin"));
    for dir in [&root.join("src"), &made, &ebin] {
        std::fs::create_dir_all(dir).expect("a directory");
    }
    std::fs::write(root.join("src/stall.gleam"), SOURCE).expect("a file");
    std::fs::write(made.join("stall.erl"), COMPILED).expect("a file");
    let mut erlc = Command::new("erlc");
    erlc.args(["+debug_info", "-o"]).arg(&ebin).arg(made.join("stall.erl"));
    assert!(erlc.status().expect("erlc runs").success());
    (root, ebin)
}

fn shown(dir: &Path, args: &[&str], input: &'static str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(dir).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("reverl runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("piped"), input.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    [output.stdout, output.stderr].map(|o| String::from_utf8_lossy(&o).into_owned()).concat()
}

#[test]
fn the_source_of_a_gleam_project_is_shown_where_it_is_recorded_and_where_it_is_run() {
    let (root, ebin) = project();
    let ebin = ebin.to_str().expect("a name");
    let eval = ["-noshell", "-pa", ebin, "-eval", "catch stall:main()", "-s", "init", "stop"];
    let record = [&["record", "-o", "stall.reverl", "--", "erl"], &eval[..]].concat();
    let said = shown(&root, &record, "");
    assert!(said.contains("replayed exactly"), "{said}");
    // From elsewhere, and when the source is not there any more.
    let recording = root.join("stall.reverl").display().to_string();
    let run = shown(
        Path::new("/"),
        &["debug", "-e", "stall:main()", &format!("{ebin}/stall.beam")],
        "run\nlist\nq\n",
    );
    std::fs::remove_file(root.join("src/stall.gleam")).expect("it is there");
    let debug = shown(Path::new("/"), &["debug", &recording], "list\nq\n");
    for text in [run, debug] {
        assert!(text.contains("stall:share/2 (src/stall.gleam:"), "{text}");
        assert!(text.contains("let assert True = people > 0"), "{text}");
    }
}
