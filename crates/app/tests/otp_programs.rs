//! Programs as people write them with OTP: applications, parse transforms, EUnit, modules beside
//! each other.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Files in a directory of their own, which goes with them.
struct Files {
    dir: PathBuf,
}

impl Files {
    fn new(name: &str, files: &[(&str, &str)]) -> Files {
        let dir = std::env::temp_dir().join(format!("reverl-otp-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        for (file, text) in files {
            let path = dir.join(file);
            std::fs::create_dir_all(path.parent().expect("a file in the tree")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        Files { dir }
    }

    /// What a command prints on both outputs, and its exit code.
    fn reverl(&self, args: &[&str]) -> (String, Option<i32>) {
        told(Command::new(env!("CARGO_BIN_EXE_reverl")), &self.dir, args)
    }
}

fn told(mut command: Command, dir: &Path, args: &[&str]) -> (String, Option<i32>) {
    let ran = command.current_dir(dir).args(args).output().expect("it runs");
    let text = [ran.stdout, ran.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), ran.status.code())
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

const ANSWERS: &str = "-module(answers).
-export([parse_transform/2, format_error/1]).
parse_transform(Forms, _) ->
    case lists:keymember(refused, 3, Forms) of
        true -> {error, [{\"f\", [{3, ?MODULE, why}]}], []};
        false -> answer(Forms)
    end.
answer({atom, At, the_answer}) -> {integer, At, 42};
answer(T) when is_tuple(T) -> list_to_tuple(answer(tuple_to_list(T)));
answer([H | T]) -> [answer(H) | answer(T)];
answer(Other) -> Other.
format_error(why) -> \"no answers here\".
";

#[test]
fn parse_transforms_are_run() {
    let files = Files::new(
        "transforms",
        &[
            ("answers.erl", ANSWERS),
            (
                "asks.erl",
                "-module(asks).
-compile({parse_transform, answers}).
-include_lib(\"stdlib/include/ms_transform.hrl\").
-export([main/0, fails/0]).
main() -> {the_answer, ets:fun2ms(fun({K, V}) when V > 1 -> K end)}.
fails() ->
    hd([]).
",
            ),
            (
                "refused.erl",
                "-module(refused).\n-compile({parse_transform, answers}).\n-refused(true).\n",
            ),
            ("lacks.erl", "-module(lacks).\n-compile({parse_transform, nowhere}).\n"),
        ],
    );
    let (text, code) = files.reverl(&["run", "asks.erl"]);
    let value = "=> {42,[{{'$1','$2'},[{'>','$2',1}],['$1']}]}";
    assert!(text.contains(value) && code == Some(0), "{text}");
    let (text, _) = files.reverl(&["run", "asks.erl", "-e", "asks:fails()"]);
    assert!(text.contains("crashed at asks.erl:7"), "{text}");
    let (text, code) = files.reverl(&["check", "refused.erl", "lacks.erl", "asks.erl"]);
    assert!(
        text.contains("refused.erl:3:1: error: parse transform 'answers': no answers here")
            && text.contains("lacks.erl:2:1: error: undefined parse transform 'nowhere'")
            && text.contains("3 files: 2 errors"),
        "{text}"
    );
    assert_eq!(code, Some(2));
}

const TESTS: &str = "-module(sums).
-include_lib(\"eunit/include/eunit.hrl\").
add(A, B) -> A + B.
right_test() -> ?assertEqual(3, add(1, 2)).
wrong_test() -> ?assertEqual(4, add(1, 2)).
several_test_() -> [?_assert(add(1, N) > N) || N <- [1, 2]].
";

#[test]
fn eunit_says_what_it_says_in_otp() {
    let files = Files::new("eunit", &[("sums.erl", TESTS)]);
    let (ours, code) = files.reverl(&["run", "sums.erl", "-e", "eunit:test(sums)"]);
    told(Command::new("erlc"), &files.dir, &["sums.erl"]);
    let (theirs, _) =
        told(Command::new("erl"), &files.dir, &["-noshell", "-eval", "eunit:test(sums), halt()."]);
    assert!(theirs.contains("Failed: 1.  Skipped: 0.  Passed: 3."), "{theirs}");
    let (said, outcome) = ours.split_once("=> ").expect("an outcome");
    // Which funs OTP's optimiser removed is not to be seen here.
    let without_trace = |text: &str| {
        let lines = text.lines().filter(|l| !l.starts_with("in "));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(without_trace(said), without_trace(&theirs));
    assert!(outcome.starts_with("error"), "{ours}");
    assert_eq!(code, Some(1));
}

#[test]
fn modules_beside_a_file_are_found_and_others_are_asked_for() {
    let files = Files::new(
        "beside",
        &[
            ("first.erl", "-module(first).\n-export([main/0]).\nmain() -> second:f().\n"),
            ("second.erl", "-module(second).\n-export([f/0]).\nf() -> X = third:g(), X.\n"),
        ],
    );
    let (text, code) = files.reverl(&["run", "first.erl"]);
    assert!(text.contains("in second:f/0 (second.erl:3)"), "{text}");
    assert!(text.contains("module third is not in the files given"), "{text}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_crash_in_otp_names_the_line_that_called_it() {
    let server = "-module(server).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
main() ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    gen_server:cast(P, third),
    catch gen_server:call(P, hello),
    lists:nth(3, [a]),
    ok.
init(_) -> {ok, none}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(third, S) ->
    io:format(\"~p~n\", [lists:nth(3, [S])]),
    {noreply, S}.
";
    let files = Files::new("crash", &[("server.erl", server)]);
    let (text, code) = files.reverl(&["run", "server.erl"]);
    assert!(text.contains("the main process crashed at lists.erl:"), "{text}");
    assert!(text.contains(", called from server.erl:8"), "{text}");
    assert!(text.contains("(P.1, server:init/1) at lists.erl:"), "{text}");
    assert!(text.contains(", called from server.erl:13: function_clause"), "{text}");
    assert_eq!(code, Some(1));
}

const COUNTER: &str = "-module(counter).
-behaviour(application).
-behaviour(supervisor).
-behaviour(gen_server).
-export([main/0, start/2, stop/1, init/1, handle_call/3, handle_cast/2]).
main() ->
    io:format(\"~p~n\", [application:get_env(counter, first)]),
    io:format(\"~p~n\", [application:start(counter)]),
    io:format(\"~p~n\", [application:ensure_all_started(counter)]),
    io:format(\"~p~n\", [application:load(counter)]),
    io:format(\"~p~n\", [[gen_server:call(server, next) || _ <- [a, b]]]),
    io:format(\"~p~n\", [application:get_application(whereis(server))]),
    io:format(\"~p~n\", [lists:sort([A || {A, _, _} <- application:which_applications()])]),
    ok = application:set_env(counter, first, 7),
    io:format(\"~p~n\", [application:get_env(counter, first, none)]),
    Old = whereis(server),
    gen_server:cast(server, crash),
    restarted(Old),
    io:format(\"~p~n\", [gen_server:call(server, next)]),
    io:format(\"~p ~p\\n\", [application:stop(counter), whereis(server)]),
    io:format(\"~p~n\", [application:stop(counter)]),
    io:format(\"~p~n\", [application:start(nowhere)]),
    io:format(\"~p~n\", [application:ensure_all_started(needy)]).
restarted(Old) ->
    case whereis(server) of
        New when is_pid(New), New =/= Old -> ok;
        _ -> timer:sleep(5), restarted(Old)
    end.
start(normal, Args) -> supervisor:start_link(?MODULE, {children, Args}).
stop(_) -> io:format(\"stopped~n\").
init({children, Args}) ->
    Start = {gen_server, start_link, [{local, server}, ?MODULE, Args, []]},
    {ok, {#{}, [#{id => server, start => Start}]}};
init(Step) ->
    {ok, First} = application:get_env(first),
    {ok, {First, Step}}.
handle_call(next, _, {N, Step}) -> {reply, N, {N + Step, Step}}.
handle_cast(crash, _) -> exit(crashed).
";

#[test]
fn applications_start_and_stop_as_in_otp() {
    let resource = "%% What people write.
{application, counter,
 [{description, \"Counts\"}, {vsn, \"1\"}, {modules, []}, {registered, [server]},
  {applications, [kernel, stdlib]}, {env, [{first, 5}]}, {mod, {counter, 2}}]}.
";
    let needy = "{application, needy, [{vsn, \"1\"}, {applications, [kernel, counter, nowhere]}]}.";
    let files = Files::new(
        "applications",
        &[
            ("rebar.config", ""),
            ("apps/counter/src/counter.erl", COUNTER),
            ("apps/counter/src/counter.app.src", resource),
            ("apps/needy/src/needy.app.src", needy),
            // As a build tool would make them.
            ("ebin/counter.app", resource),
            ("ebin/needy.app", needy),
        ],
    );
    let (ours, code) = files.reverl(&["run", ".", "-e", "counter:main()"]);
    told(Command::new("erlc"), &files.dir, &["-o", "ebin", "apps/counter/src/counter.erl"]);
    let call = "logger:set_primary_config(level, none), counter:main(), halt().";
    let erl = ["-noshell", "-pa", "ebin", "-eval", call];
    let (theirs, _) = told(Command::new("erl"), &files.dir, &erl);
    assert!(theirs.contains("[5,7]") && theirs.lines().count() == 15, "{theirs}");
    let (said, outcome) = ours.split_once("=> ").expect("an outcome");
    assert_eq!(said, theirs);
    assert!(outcome.contains("idle: init, application_controller wait for requests"), "{ours}");
    assert_eq!(code, Some(0));
}

#[test]
fn standard_input_is_read_as_in_otp() {
    let reads = "-module(reads).
-export([main/0]).
main() ->
    Show = fun(Read) -> io:format(\"~p~n\", [Read]) end,
    Show(io:fread(\"two> \", \"~d ~d\")),
    Show(io:get_line(\"line> \")),
    Show(io:get_chars(\"chars> \", 4)),
    Show(io:get_line('')),
    Show(io:read(\"term> \")),
    Show(io:read(\"term> \")),
    Show(io:fread(\"word> \", \"~s\")),
    Show(io:get_line(\"rest> \")),
    Show(io:get_line(\"end> \")),
    Show(io:get_chars(\"end> \", 2)),
    Show(io:fread(\"end> \", \"~d\")),
    Show(io:read(\"end> \")).
";
    let input = "1\n2 rest\nnext\n{a,\n b}. \nfoo bar.\nhello you\n";
    let files = Files::new("input", &[("reads.erl", reads), ("input", input)]);
    told(Command::new("erlc"), &files.dir, &["reads.erl"]);
    let reading = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.stdin(std::fs::File::open(files.dir.join("input")).expect("the input"));
        told(command, &files.dir, args).0
    };
    let theirs = reading("erl", &["-noshell", "-eval", "reads:main(), halt()."]);
    let ours = reading(env!("CARGO_BIN_EXE_reverl"), &["run", "reads.erl"]);
    assert_eq!(ours, theirs + "=> ok\n");
}

#[test]
fn files_behave_as_in_otp_and_the_disk_is_left_alone() {
    let files =
        Files::new("files", &[("files.erl", include_str!("../../programs/erl/outside/files.erl"))]);
    told(Command::new("erlc"), &files.dir, &["files.erl"]);
    let erl = ["-noshell", "-eval", "files:main(), halt()."];
    let (theirs, _) = told(Command::new("erl"), &files.dir, &erl);
    assert!(theirs.lines().count() > 120, "{theirs}");
    let (ours, _) = files.reverl(&["run", "files.erl"]);
    let differs: Vec<_> = ours.lines().zip(theirs.lines()).filter(|(a, b)| a != b).collect();
    assert!(differs.is_empty(), "{differs:#?}");
    assert!(ours[theirs.len()..].starts_with("=> ok\n"), "{ours}");
    let keeps = Files::new(
        "kept",
        &[(
            "keeps.erl",
            "-module(keeps).\n-export([main/0]).\nmain() -> file:write_file(\"new\", []).\n",
        )],
    );
    let (text, _) = keeps.reverl(&["run", "keeps.erl"]);
    assert!(text.contains("=> ok") && !keeps.dir.join("new").exists(), "{text}");
}

const TESTED: &str = "-module(tested).
-export([double/1]).
double(N) -> 2 * N.
-ifdef(TEST).
-include_lib(\"eunit/include/eunit.hrl\").
double_test() -> ?assertEqual(4, double(2)).
-endif.
";

const TESTED_TESTS: &str = "-module(tested_tests).
-include_lib(\"eunit/include/eunit.hrl\").
zero_test() -> ?assertEqual(0, tested:double(0)).
";

#[test]
fn eunit_runs_the_tests_of_a_directory_and_tells_their_verdict() {
    let mut all = vec![("src/tested.erl", TESTED), ("test/tested_tests.erl", TESTED_TESTS)];
    let (told, code) = Files::new("eunit", &all).reverl(&["run", ".", "--eunit"]);
    assert!(told.contains("2 tests passed."), "{told}");
    assert_eq!(code, Some(0), "{told}");
    let wrong = "-module(wrong_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
                 one_test() -> ?assertEqual(1, tested:double(1)).\n";
    all.push(("test/wrong_tests.erl", wrong));
    let (told, code) = Files::new("eunit-fails", &all).reverl(&["run", ".", "--eunit"]);
    assert!(told.contains("Failed: 1.  Skipped: 0.  Passed: 2."), "{told}");
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn what_cannot_be_compiled_is_named_and_the_tests_do_not_pass() {
    let broken = "-module(broken).\n-include_lib(\"nowhere/include/nowhere.hrl\").\n";
    let files =
        Files::new("eunit-broken", &[("src/tested.erl", TESTED), ("src/broken.erl", broken)]);
    let (told, code) = files.reverl(&["run", ".", "--eunit"]);
    assert!(told.contains("broken is left out") && told.contains("nowhere.hrl"), "{told}");
    assert!(told.contains("Test passed."), "{told}");
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn common_test_runs_the_suites_of_a_directory_and_tells_their_verdict() {
    let suite = |expected: &str| {
        format!(
            "-module(tested_SUITE).\n-export([all/0, init_per_suite/1, end_per_suite/1, doubles/1]).\n\
             all() -> [doubles].\ninit_per_suite(C) -> [{{n, 2}} | C].\nend_per_suite(_) -> ok.\n\
             doubles(C) -> {expected} = tested:double(proplists:get_value(n, C)).\n"
        )
    };
    for (expected, verdict) in [("4", 0), ("5", 1)] {
        let suite = suite(expected);
        let files = Files::new(
            &format!("ct-{expected}"),
            &[("src/tested.erl", TESTED), ("test/tested_SUITE.erl", &suite)],
        );
        let (told, code) = files.reverl(&["run", ".", "--ct"]);
        let ok = 1 - verdict;
        assert!(told.contains(&format!("{ok} ok, {verdict} failed of 1 test cases")), "{told}");
        assert_eq!(code, Some(verdict), "{told}");
        // How a test runner ends its processes is not a fault of the program.
        assert!(!told.contains("test_server:"), "{told}");
        assert!(!files.dir.join("logs").exists(), "what suites write stays in the execution");
    }
}

#[test]
fn a_configuration_file_sets_the_parameters_of_applications() {
    let main = "-module(main).\n-export([main/0]).\n\
                main() -> {application:get_env(app, a), application:get_env(app, b)}.\n";
    let config = "[{app, [{a, 1}]}, \"more\"].\n";
    let more = "[{app, [{b, 2}]}].\n";
    let files =
        Files::new("config", &[("main.erl", main), ("sys.config", config), ("more.config", more)]);
    let (told, code) = files.reverl(&["run", "main.erl", "--config", "sys.config"]);
    assert!(told.contains("=> {{ok,1},{ok,2}}"), "{told}");
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn commands_run_only_if_they_are_allowed() {
    let main = "-module(main).\n-export([main/0]).\nmain() -> os:cmd(\"echo hello\").\n";
    let files = Files::new("commands", &[("main.erl", main)]);
    let (told, code) = files.reverl(&["run", "main.erl"]);
    assert!(told.contains("--allow os"), "{told}");
    assert_eq!(code, Some(1), "{told}");
    let (told, code) = files.reverl(&["run", "main.erl", "--allow", "os"]);
    assert!(told.contains(r#"=> "hello\n""#), "{told}");
    assert_eq!(code, Some(0), "{told}");
}
