//! The plugin of rebar3 and the tasks of mix, with real rebar3 and mix.

#[path = "releases/otp.rs"]
mod otp;

use otp::{Otp, say, text};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).expect("copied")),
        }
    }
}

fn write(otp: &Otp, files: &[(&str, &str)]) {
    for (name, text) in files {
        let file = otp.dir.join(name);
        std::fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
        std::fs::write(file, text).expect("written");
    }
}

/// A command with the `reverl` of this test, its exit code and all that it says.
fn say_of(otp: &Otp, command: &str) -> (bool, String) {
    let line = format!("REVERL='{}' {command}", env!("CARGO_BIN_EXE_reverl"));
    let ran = otp.command("sh", &["-c", &line]);
    (ran.status.success(), text(&ran.stdout) + &text(&ran.stderr))
}

const COUNTER: &str = "-module(counter).\n-export([start/0, add/0, value/0, loop/1]).\n\
    start() -> register(counter, spawn(?MODULE, loop, [0])).\n\
    add() -> set(value() + 1).\n\
    value() -> counter ! {value, self()}, receive {value, V} -> V end.\n\
    set(V) -> counter ! {set, V}.\n\
    loop(N) -> receive {value, P} -> P ! {value, N}, loop(N); {set, V} -> loop(V) end.\n";

const TESTS: &str = "-module(counter_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
    one_test() -> counter:start(), counter:add(), ?assertEqual(1, counter:value()).\n\
    two_test() -> counter:start(), Me = self(),\n\
        [spawn(fun() -> counter:add(), Me ! done end) || _ <- [1, 2]],\n\
        [receive done -> ok end || _ <- [1, 2]], ?assertEqual(2, counter:value()).\n";

#[test]
fn rebar3_explores_runs_and_records_the_tests_of_a_project() {
    let Some(otp) = Otp::find(27, "rebar3-plugin") else { return };
    if !otp.has("rebar3") {
        return say("rebar3 is not there: NOT TESTED");
    }
    copy(&root().join("integrations/rebar3_reverl"), &otp.dir.join("_checkouts/rebar3_reverl"));
    let app = "{application, counter, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n";
    write(
        &otp,
        &[
            ("rebar.config", "{plugins, [rebar3_reverl]}.\n"),
            ("src/counter.app.src", app),
            ("src/counter.erl", COUNTER),
            ("test/counter_tests.erl", TESTS),
        ],
    );
    let (passes, said) = say_of(&otp, "rebar3 reverl explore --first --junit found.xml");
    assert!(!passes && said.contains("counter_tests:two_test    fails in "), "{said}");
    assert!(said.contains("counter_tests:one_test    1 execution in "), "{said}");
    assert!(said.contains("reverl explore found failures (see above)"), "{said}");
    let xml = std::fs::read_to_string(otp.dir.join("found.xml")).expect("it was written");
    assert!(xml.contains("failures=\"1\""), "{xml}");
    let (passes, said) = say_of(&otp, "rebar3 reverl explore -- --max-steps 10");
    assert!(!passes && said.contains("limit"), "{said}");
    let (_, said) = say_of(&otp, "rebar3 reverl run");
    assert!(said.contains("counter_tests"), "{said}");
    let (_, said) = say_of(&otp, "rebar3 reverl record");
    assert!(said.contains("in 'tests.reverl'") && said.contains("replayed exactly"), "{said}");
    let missing = otp.command("sh", &["-c", "unset REVERL; rebar3 reverl explore"]);
    let said = text(&missing.stdout) + &text(&missing.stderr);
    assert!(said.contains("'reverl' is not in the path; set REVERL to where it is"), "{said}");
}

/// A server whose clients lose updates, and one test of each kind.
const ELIXIR: &str = "defmodule Tally do\n\
    use Agent\n\
    def start, do: Agent.start_link(fn -> 0 end, name: __MODULE__)\n\
    def value, do: Agent.get(__MODULE__, & &1)\n\
    def lossy, do: (v = value(); Agent.update(__MODULE__, fn _ -> v + 1 end))\n\
    def sound, do: Agent.update(__MODULE__, & &1 + 1)\n\
    end\n";

const EXUNIT: &str = "defmodule TallyTest do\n\
    use ExUnit.Case\n\
    setup do\n  {:ok, _} = Tally.start()\n  {:ok, step: 1}\nend\n\
    defp both(f) do\n\
      me = self()\n\
      for _ <- 1..2, do: spawn_link(fn -> f.(); send(me, :done) end)\n\
      for _ <- 1..2, do: (receive do: (:done -> :ok))\n\
      Tally.value()\n\
    end\n\
    test \"sound\", %{step: step} do\n  assert both(&Tally.sound/0) == 2 * step\nend\n\
    test \"lossy\" do\n  assert both(&Tally.lossy/0) == 2\nend\n\
    end\n";

#[test]
fn mix_explores_the_tests_of_a_project() {
    let otp = Otp::installed("mix-tasks");
    if !otp.has("mix") {
        return say("Elixir is not installed: NOT TESTED");
    }
    copy(&root().join("integrations/mix_reverl"), &otp.dir.join("mix_reverl"));
    let project = "defmodule Tally.MixProject do\n  use Mix.Project\n  def project, do: [app: :tally, \
        version: \"1.0.0\", deps: [{:mix_reverl, path: \"mix_reverl\", runtime: false}]]\nend\n";
    write(
        &otp,
        &[
            ("mix.exs", project),
            ("lib/tally.ex", ELIXIR),
            ("test/test_helper.exs", "ExUnit.start()\n"),
            ("test/tally_test.exs", EXUNIT),
        ],
    );
    let (passes, said) = say_of(&otp, "mix reverl.explore --first --max-seconds 20");
    assert!(!passes && said.contains("TallyTest: test lossy    fails in "), "{said}");
    assert!(!said.contains("test sound    fails"), "{said}");
    let told = said.lines().find(|line| line.contains("1. assertion in ")).unwrap_or_default();
    assert!(told.contains("test/tally_test.exs:17"), "{said}");
    let (passes, said) = say_of(&otp, "mix reverl.explore NoTest");
    assert!(!passes && said.contains("no module with tests 'NoTest'"), "{said}");
}
