//! `reverl ask`: the sessions of paper 003, and seeded bugs that a correct version of the program
//! finds: the culprit is the seeded function or receive (soundness and completeness, Thm 1).

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ask(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .arg("ask")
        .args(args)
        .arg("--json")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("reverl runs");
    let text = String::from_utf8(output.stdout).expect("text");
    serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn scripted(program: &str, answers: &str, more: &[&str]) -> Value {
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("answers");
    std::fs::write(&script, answers).expect("written");
    let mut args = vec![program, "--script", script.to_str().expect("a path")];
    args.extend(more);
    ask(&args)
}

const STRATEGIES: [&str; 4] = ["suspicion", "divide-and-query", "top-down", "process"];

/// Paper 003, section 3.5, first session: the server's process, value wrong, value wrong.
#[test]
fn two_questions_find_the_first_error_of_the_handshake() {
    for strategy in STRATEGIES {
        let found = scripted("examples/tcp/tcp.erl", "3\n2\n4\n", &["--strategy", strategy]);
        assert_eq!(found["verdict"]["at"], "examples/tcp/tcp.erl:11", "{strategy}");
        assert_eq!(found["verdict"]["kind"], "wrong receive");
        assert_eq!(found["questions"].as_array().map(Vec::len), Some(2), "{strategy}");
    }
}

/// Second session: from the process that sent the wrong message, through the one that sent it
/// what it did not expect.
#[test]
fn five_questions_find_the_second_error_of_the_handshake() {
    let program = "examples/tcp/second_bug/tcp.erl";
    for strategy in STRATEGIES {
        let found = scripted(program, "1\n1\n2\n1\n5\n1\n", &["--strategy", strategy]);
        assert_eq!(found["verdict"]["at"], format!("{program}:39"), "{strategy}");
        assert_eq!(found["verdict"]["function"], "tcp:syn_ack/3");
        assert_eq!(found["questions"].as_array().map(Vec::len), Some(5), "{strategy}");
    }
}

/// A change of a correct program, and who is to blame for it.
struct Bug {
    module: &'static str,
    right: &'static str,
    wrong: &'static str,
    function: &'static str,
    kind: &'static str,
}

const fn bug(
    module: &'static str,
    right: &'static str,
    wrong: &'static str,
    function: &'static str,
    kind: &'static str,
) -> Bug {
    Bug { module, right, wrong, function, kind }
}

const FUNCTION: &str = "wrong function";
const RECEIVE: &str = "wrong receive";
const TRANSITION: &str = "wrong transition";
const FAILING: &str = "erroneously failing receive";
const FIRST: &str = "wrong first step";

#[rustfmt::skip]
const BUGS: &[Bug] = &[
    bug("sorting", "quick(Low) ++ [P | quick(High)]", "quick(Low) ++ quick(High)", "sorting:quick/1", FUNCTION),
    bug("sorting", "when X < P -> part(P, T, [X | Low], High)", "when X < P -> part(P, T, [P | Low], High)", "sorting:part/4", FUNCTION),
    bug("sorting", "merge(A, []) -> A;", "merge(_, []) -> [];", "sorting:merge/2", FUNCTION),
    bug("sorting", "when X =< Y -> [X | merge", "when X =< Y -> [Y | merge", "sorting:merge/2", FUNCTION),
    bug("sorting", "insert(X, [Y | T]) -> [Y | insert(X, T)]", "insert(X, [Y | T]) -> [Y, X | T]", "sorting:insert/2", FUNCTION),
    bug("sorting", "fun(X, Sorted) -> insert(X, Sorted) end", "fun(X, _) -> insert(X, []) end", "sorting:insertion/1", FUNCTION),
    bug("sorting", "(length(Sorted) + 1) div 2", "(length(Sorted) + 3) div 2", "sorting:median/1", FUNCTION),
    bug("calc", "negate(N) -> -N", "negate(N) -> N", "calc:negate/1", FUNCTION),
    bug("calc", "apply_op(sub, A, B) -> A - B", "apply_op(sub, A, B) -> B - A", "calc:apply_op/3", FUNCTION),
    bug("calc", "_ -> throw({unbound, V})", "_ -> throw({unknown, V})", "calc:lookup/2", FUNCTION),
    bug("calc", "error:badarith -> {error, arithmetic}", "error:badarith -> {error, other}", "calc:safe/2", FUNCTION),
    bug("calc", "eval({neg, A}, Env) -> negate(eval(A, Env))", "eval({neg, A}, Env) -> eval(A, Env)", "calc:eval/2", FUNCTION),
    bug("bank", "Has >= N -> {ok, change(P, -N, Accounts)}", "Has >= N -> {ok, change(P, N, Accounts)}", "bank:handle/2", FUNCTION),
    bug("bank", "fun(Has) -> Has + N end", "fun(Has) -> Has - N end", "bank:change/3", FUNCTION),
    bug("bank", "            bank(Changed)", "            bank(Accounts)", "bank:bank/1", RECEIVE),
    bug("bank", "From ! {Ref, maps:get(P, Accounts, none)}", "From ! {Ref, maps:get(p, Accounts, none)}", "bank:bank/1", RECEIVE),
    bug("bank", "call(Bank, {deposit, To, N}), {moved, N}", "call(Bank, {deposit, From, N}), {moved, N}", "bank:transfer/4", TRANSITION),
    bug("bank", "{Ref, Answer} -> Answer", "{Ref, Answer} -> {answer, Answer}", "bank:call/2", RECEIVE),
    bug("pool", "square(N) -> N * N", "square(N) -> N + N", "pool:square/1", FUNCTION),
    bug("pool", "{ok, Value};", "{done, Value};", "pool:wait/2", RECEIVE),
    bug("pool", "[{Job, Result} | Results]", "[{Result, Job} | Results]", "pool:collect/2", TRANSITION),
    bug("pool", "{'DOWN', Ref, process, Pid, Reason}", "{down, Ref, process, Pid, Reason}", "pool:wait/2", FAILING),
    bug("pool", "[self(), Job]", "[self(), job]", "pool:start/1", FUNCTION),
    bug("counter", "S#{now := Now + N}", "S#{now := N}", "counter:handle_cast/2", FUNCTION),
    bug("counter", "{Left, S#{now := Left}}", "{Left, S#{now := Now}}", "counter:take/2", FUNCTION),
    bug("counter", "{noreply, S#{now := N}}.\n\ntake", "{noreply, S#{start := N}}.\n\ntake", "counter:handle_info/2", FUNCTION),
    bug("relay", "double(N) -> 2 * N", "double(N) -> 3 * N", "relay:double/1", FUNCTION),
    bug("relay", "fun(N) -> N + 1 end", "fun(N) -> N + 2 end", "relay:main/0", FUNCTION),
    bug("relay", "[scaled(X) | gather(N - 1)]", "[X | gather(N - 1)]", "relay:gather/1", TRANSITION),
    bug("relay", "Next ! {item, F(I)}", "Next ! {item, I}", "relay:stage/2", RECEIVE),
    bug("relay", "{item, I} -> I after", "{item, _} -> none after", "relay:gather/1", RECEIVE),
    bug("relay", "    To ! stop.", "    To ! halt.", "relay:feed/2", FUNCTION),
    bug("relay", "scaled(X) -> 10 * X", "scaled(X) -> X", "relay:scaled/1", FUNCTION),
    bug("relay", "        stop ->\n            Next ! stop,", "        halt ->\n            Next ! stop,", "relay:stage/2", FAILING),
    bug("relay", "feed(Middle, [1, 2, 3])", "feed(Middle, [1, 2])", "relay:main/0", FIRST),
];

#[test]
fn a_correct_version_finds_every_seeded_bug() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut wrong = vec![];
    for (i, bug) in BUGS.iter().enumerate() {
        let right = root().join(format!("crates/app/tests/ask/{}.erl", bug.module));
        let text = std::fs::read_to_string(&right).expect("readable");
        assert_eq!(text.matches(bug.right).count(), 1, "{} in {}", bug.right, bug.module);
        let place = dir.path().join(i.to_string());
        std::fs::create_dir(&place).expect("a directory");
        let mutant = place.join(format!("{}.erl", bug.module));
        std::fs::write(&mutant, text.replacen(bug.right, bug.wrong, 1)).expect("written");
        for strategy in STRATEGIES {
            let found = ask(&[
                mutant.to_str().expect("a path"),
                "--oracle",
                right.to_str().expect("a path"),
                "--strategy",
                strategy,
            ]);
            let verdict = &found["verdict"];
            let as_seeded = verdict["function"] == bug.function && verdict["kind"] == bug.kind;
            let asked = found["questions"].as_array().map_or(0, Vec::len);
            println!("{strategy:16} {asked:3} questions  {} -> {}", bug.right, bug.wrong);
            if !as_seeded || found["complete"] != true {
                wrong.push(format!("{}: {} ({strategy}): {verdict}", bug.module, bug.wrong));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
