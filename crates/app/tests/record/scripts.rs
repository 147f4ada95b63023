//! Scripts are recorded from their main function on.

use super::*;

const SUM: &str = "main(Args) ->
    Self = self(),
    spawn(fun() -> Self ! {sum, lists:sum([list_to_integer(A) || A <- Args])} end),
    receive {sum, N} -> io:format(\"~p ~p~n\", [N, is_integer(erlang:unique_integer())]) end.
";

/// Records a script; what is said, and the list of events.
fn run_script(file: &str) -> (String, String) {
    let recording = format!("{file}.reverl");
    let recorded = reverl(&["record", "-o", &recording, "--", "escript", file, "1", "2"]);
    let list = text(&reverl(&["replay", "--list", &recording]).stdout);
    (text(&recorded.stdout) + &text(&recorded.stderr), list)
}

#[test]
fn a_script_that_is_compiled() {
    let script = format!("#!/usr/bin/env escript\n-mode(compile).\n{SUM}");
    std::fs::write(program().join("compiled.escript"), script).expect("written");
    let (said, list) = run_script("compiled.escript");
    assert!(said.starts_with("3 true\n"), "{said}");
    assert!(said.contains("replayed exactly"), "{said}");
    assert!(list.contains(":main/1 [[[49],[50]]]"), "{list}");
}

#[test]
fn a_script_that_is_an_archive() {
    let helper = "-module(helper).\n-export([sum/1]).\nsum(Args) -> main(Args).\n";
    let main = "-module(packed).\n-export([main/1]).\nmain(Args) -> helper:sum(Args).\n";
    let dir = program();
    std::fs::write(dir.join("helper.erl"), format!("{helper}{SUM}")).expect("written");
    std::fs::write(dir.join("packed.erl"), main).expect("written");
    let create = "[{ok, _} = c:c(M, [debug_info, {outdir, \"packed\"}]) || M <- [helper, packed]],
        {ok, Files} = file:list_dir(\"packed\"),
        Packed = [{\"packed/ebin/\" ++ F, element(2, file:read_file(\"packed/\" ++ F))} || F <- Files],
        {ok, {_, Zip}} = zip:create(\"z\", Packed, [memory]),
        ok = escript:create(\"packed.escript\", [shebang, {archive, Zip},
                                               {emu_args, \"-escript main packed\"}]),
        halt().";
    std::fs::create_dir_all(dir.join("packed")).expect("a directory");
    let made = Command::new("erl").current_dir(&dir).args(["-noshell", "-eval", create]).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    std::fs::remove_dir_all(dir.join("packed")).expect("removed");
    let (said, list) = run_script("packed.escript");
    assert!(said.starts_with("3 true\n"), "{said}");
    assert!(said.contains("replayed exactly"), "{said}");
    assert!(list.contains("begins with packed:main/1"), "{list}");
}
