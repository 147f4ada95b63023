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
// papers: 003 | 3.5 | the first error of the handshake | ask
// papers: 003 | 3.5 | the processes with their first call and result, to begin at one | ask --process
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
// papers: 003 | 3.5 | the second error of the handshake | ask
// papers: 003 | 3.5 | an event of the diagram to begin at | ask --event
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

// papers: 003 | 4.1, 6.1 | an oracle answers instead of the user | ask --oracle
// papers: 003 | 4.4 | heaviest-first top-down, divide and query, process-directed | ask --strategy
// papers: 003 | 4.5, Def. 6, Thm 1 | a wrong function or receive is found wherever one is | ask
#[test]
fn a_correct_version_finds_every_seeded_bug() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut wrong = vec![];
    for (i, bug) in BUGS.iter().enumerate() {
        let right = reverl_programs::directory().join(format!("questions/{}.erl", bug.module));
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

/// Writes a module and asks about it with these answers.
fn ask_of(module: &str, text: &str, answers: &str, more: &[&str]) -> (Value, String) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(format!("{module}.erl"));
    std::fs::write(&path, text).expect("written");
    let found = scripted(path.to_str().expect("a path"), answers, more);
    let at = found["verdict"]["at"].as_str().unwrap_or_default();
    let line = at.rsplit(':').next().unwrap_or_default().to_string();
    (found, line)
}

const SIBLINGS: &str = "-module(siblings).
-export([main/0]).
main() -> X = first(), Y = second(), {X, Y}.
first() -> self() ! {first, 1}, one.
second() -> self() ! {second, 2}, two.
";

/// A computation has its own effects, not those of the one before it; siblings are siblings.
// papers: 003 | 4.1, 5 | the debugging tree has calls and receives with their effects | ask
#[test]
fn effects_belong_to_who_did_them() {
    // main's value is wrong; its child `second` (the last) is right, then `first` is not.
    let answers = "1\n1\n4\n1\n";
    let (found, line) = ask_of("siblings", SIBLINGS, answers, &["--strategy", "top-down"]);
    assert_eq!((line.as_str(), &found["verdict"]["function"]), ("4", &"siblings:first/0".into()));
    // The question about `second` told of its own message only.
    let dir = tempfile::tempdir().expect("a directory");
    let (path, script) = (dir.path().join("siblings.erl"), dir.path().join("answers"));
    std::fs::write(&path, SIBLINGS).expect("written");
    std::fs::write(&script, "1\n1\na\n").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .args(["ask", "--strategy", "top-down", "--script"])
        .args([&script, &path])
        .output()
        .expect("reverl runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let question = text.rsplit("siblings:second()").next().expect("asked");
    assert!(question.contains("{second,2}") && !question.contains("{first,1}"), "{question}");
}

const EQUAL: &str = "-module(equal).
-export([main/0, good/1, bad/1]).
main() ->
    Self = self(),
    spawn(?MODULE, good, [Self]),
    spawn(?MODULE, bad, [Self]),
    receive X -> receive X -> X end end.
good(To) -> To ! go.
bad(To) -> To ! go.
";

/// Of two equal messages each has its own sender.
// papers: 003 | 4.3 | a wrong message leads to the one who sent it | ask
#[test]
fn equal_messages_have_their_own_senders() {
    for (which, function) in [("1", "equal:good/1"), ("2", "equal:bad/1")] {
        // main: what followed the second receive is right, the first receive had messages that
        // were not expected: this one; its sender sent a wrong message.
        let answers = format!("3\n5\n1\n2\n{which}\n2\n1\n");
        let (found, _) = ask_of("equal", EQUAL, &answers, &["--strategy", "top-down"]);
        assert_eq!(found["verdict"]["function"], function, "{found}");
    }
}

const WAITS: &str = "-module(waits).
-export([main/0, server/1]).
main() ->
    Server = spawn(?MODULE, server, [self()]),
    Server ! {ask, 1},
    Server ! {ask, 2},
    receive {answer, N} -> N end.
server(To) ->
    receive {question, N} -> To ! {answer, N} end.
";

/// A wait shows what had arrived, also before the receive was reached; and that it takes none of
/// it can be the error.
// papers: 003 | 4.5 | a process that waits is a symptom | ask
#[test]
fn a_wait_that_should_not_be() {
    // The server's process; it waits for ever: it should take one of the messages.
    let answers = "1\n3\n";
    let (found, line) = ask_of("waits", WAITS, answers, &["--strategy", "suspicion"]);
    assert_eq!(found["verdict"]["kind"], "erroneously failing receive", "{found}");
    assert_eq!(line, "9");
}

/// A message is missing: its sender should have sent it.
// papers: 003 | future work | a question with one possible answer is not asked | ask
// papers: 003 | 4.5, 6.3 | a missing message leads to who should have sent it | ask
#[test]
fn a_missing_message_leads_to_who_should_have_sent_it() {
    // main waits for ever: a message is missing (its mailbox is empty, so nobody is asked which),
    // the server should have sent it; the server waits wrongly.
    let answers = "2\n2\n1\n3\n";
    let (found, line) = ask_of("waits", WAITS, answers, &["--strategy", "suspicion"]);
    assert_eq!(found["verdict"]["kind"], "erroneously failing receive", "{found}");
    assert_eq!(line, "9");
    assert_eq!(found["questions"][1]["by"], "the only answer", "{found}");
}

const CONTEXT: &str = "-module(context).
-export([main/0, worker/2]).
main() ->
    Limit = limit(5),
    W = spawn(?MODULE, worker, [self(), Limit]),
    W ! go,
    receive N -> N end.
limit(N) -> N - 1.
worker(To, Limit) ->
    receive go -> To ! {limit, Limit} end.
";

/// A wrong context leads to what computed it: the caller, and what it called.
// papers: 003 | 4.3 | questions about context, result, sent messages, created processes | ask
#[test]
fn a_wrong_context_leads_to_what_computed_it() {
    // The worker's receive: its context is wrong, the variable Limit; so main, which created
    // the worker so, is wrong; limit/1 came to a wrong value.
    let answers = "1\n1\n1\n1\n1\n";
    let (found, line) = ask_of("context", CONTEXT, answers, &["--strategy", "top-down"]);
    assert_eq!(found["verdict"]["function"], "context:limit/1", "{found}");
    assert_eq!(line, "8");
}

const SPEC: &str = "-module(spec).
-export([main/0]).
-spec main() -> ok.
main() -> half(7), ok.
-spec half(integer()) -> integer().
half(N) -> N / 2.
";

// papers: 003 | 3.3 | specifications as oracles | ask
#[test]
fn specs_answer_by_themselves() {
    let (found, line) = ask_of("spec", SPEC, "1\n1\n", &["--strategy", "divide-and-query"]);
    assert_eq!(found["verdict"]["function"], "spec:half/1", "{found}");
    assert_eq!(line, "6");
    let by: Vec<_> =
        found["questions"].as_array().expect("a list").iter().map(|q| &q["by"]).collect();
    assert!(by.contains(&&Value::from("-spec half/1")), "{by:?}");
}

const TESTED: &str = "-module(tested).
-export([main/0]).
main() -> twice(inc(3)).
inc(N) -> N + 1.
twice(N) -> N + 2.
inc_test() -> 4 = inc(3).
";

// papers: 003 | 3.3 | unit tests as oracles | ask
#[test]
fn passing_tests_answer_by_themselves() {
    // main is wrong, twice is right: only inc is left, and a test says that it is right.
    let (found, _) = ask_of("tested", TESTED, "1\n1\n4\n", &["--strategy", "top-down"]);
    assert_eq!(found["verdict"]["function"], "tested:main/0", "{found}");
    let last = &found["questions"][2];
    assert_eq!(last["by"], "tested:inc_test/0", "{found}");
}

/// Answers are kept in a file and used again, also after an edit.
// papers: 003 | 4.4 | answers are remembered | ask --answers
#[test]
fn answers_are_remembered() {
    let dir = tempfile::tempdir().expect("a directory");
    let kept = dir.path().join("answers.json");
    let more =
        ["--strategy", "top-down", "--no-tests", "--answers", kept.to_str().expect("a path")];
    let (found, _) = ask_of("tested", TESTED, "1\n1\n1\n", &more);
    assert_eq!(found["verdict"]["function"], "tested:twice/1", "{found}");
    let edited = format!("{TESTED}\nmore() -> inc(1).\n");
    let edited = edited.replace("[main/0]", "[main/0, more/0]").replace("-export", "\n-export");
    let (again, _) = ask_of("tested", &edited, "1\n", &more);
    assert_eq!(again["verdict"]["function"], "tested:twice/1", "{again}");
    assert_eq!(again["questions"][0]["by"], "an earlier answer");
    std::fs::write(&kept, "no answers").expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .args(["ask", "examples/tcp/tcp.erl", "--process", "<0.84.0>", "--answers"])
        .arg(&kept)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("reverl runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("does not hold answers") && said.contains("name another file"), "{said}");
}

/// Undo, trust, don't know, inadmissible, another strategy, why, and words that are no answer.
// papers: 003 | 3.5, 4.4 | trust, do not know, inadmissible, undo, another strategy | ask: t, d, i, u, s
#[test]
fn the_other_answers() {
    let program = "examples/tcp/second_bug/tcp.erl";
    // Taking back leads to the same verdict.
    let found = scripted(program, "1\n5\nu\n1\nu 9\nw\nc\nr\nh\nblah\n2\n1\n5\n1\n", &[]);
    assert_eq!(found["verdict"]["at"], format!("{program}:39"));
    // Trusting what is wrong leaves nothing to blame there.
    let found = scripted(program, "1\nt\n", &["--strategy", "top-down"]);
    assert_eq!(found["verdict"], Value::Null);
    // Then the one who said so is told, and can take it back.
    let found = scripted(program, "1\ntp\nu\n1\nu\n2\n1\n5\n1\n", &[]);
    assert!(found["verdict"].is_object(), "{found}");
    // Nobody knows: the verdict says which computations were not judged.
    let (found, _) = ask_of("tested", TESTED, "1\n1\nd\n", &["--strategy", "top-down"]);
    assert_eq!(found["verdict"]["function"], "tested:main/0");
    assert_eq!(found["verdict"]["unless"].as_array().map(Vec::len), Some(1), "{found}");
    // A call that should not be is its caller's fault.
    let (found, _) = ask_of("tested", TESTED, "1\ns top-down\n1\ni\n", &[]);
    assert_eq!(found["verdict"]["function"], "tested:main/0", "{found}");
}

/// Asking goes on inside the wrong function.
// papers: 003 | cited work (zoom) | inside the wrong function: the wrong part of it | ask, after the verdict
#[test]
fn zoom_names_the_wrong_part() {
    let text = "-module(zoomed).\n-export([main/0]).\nmain() ->\n    A = 2,\n    B = A + 3,\n    \
                case B of\n        5 -> right;\n        _ -> wrong\n    end.\n";
    let (found, _) = ask_of("zoomed", text, "1\n1\n3\n", &[]);
    assert_eq!(found["zoom"]["text"], "B = 5", "{found}");
    let at = found["zoom"]["at"].as_str().expect("a place");
    assert!(at.ends_with("zoomed.erl:5"), "{at}");
}

const CHOOSING: &str = "-module(choosing).
-export([main/0]).
main() -> {rate(7), rate(70)}.
rate({per_cent, N}) -> N;
rate(N) when N > 100 -> much;
rate(N) ->
    case N * 2 of
        20 -> exactly;
        M when M > 200 -> more;
        _ -> little
    end.
";

/// Clauses that were tried and not taken are parts too, at any question.
// papers: 003 | cited work (zoom) | zooming into any call at will | ask: z
// papers: 003 | cited work (zoom) | questions about patterns and guards that failed | ask: z
// papers: 003 | cited work (zoom) | of a case or if: its argument, the clause taken and its value | ask: z
#[test]
fn any_call_is_looked_into_with_the_patterns_and_guards_that_failed() {
    // main's value is wrong; then rate(70) is asked about, and looked into.
    let (found, _) = ask_of("choosing", CHOOSING, "1\n1\nz\n2\n", &["--strategy", "top-down"]);
    assert_eq!(found["verdict"], Value::Null, "{found}");
    let said = found["zoom"]["text"].as_str().expect("a part");
    assert_eq!(said, "the clause 'N when N > 100' was not taken: its guard N > 100 is not true");
    assert!(found["zoom"]["at"].as_str().is_some_and(|at| at.ends_with("choosing.erl:5")));
    let parts = |answers: &str| {
        let (found, _) = ask_of("choosing", CHOOSING, answers, &["--strategy", "top-down"]);
        found["zoom"]["text"].as_str().unwrap_or_default().to_string()
    };
    let first = "the clause '{per_cent, N}' was not taken: its pattern does not match 70";
    assert_eq!(parts("1\n1\nz\n1\n"), first);
    assert_eq!(
        parts("1\n1\nz\n4\n"),
        "the clause '20' was not taken: its pattern does not match 140"
    );
    let guard = "the clause 'M when M > 200' was not taken: its guard M > 200 is not true";
    assert_eq!(parts("1\n1\nz\n5\n"), guard);
    let taken = "case N * 2, which is 140: the clause '_' was taken; its value is";
    assert!(parts("1\n1\nz\n6\n").starts_with(taken), "{}", parts("1\n1\nz\n6\n"));
    // Who only looks goes on with the question: then it is right, and so is the other call.
    let (found, _) =
        ask_of("choosing", CHOOSING, "1\n1\nz\na\n4\n4\n", &["--strategy", "top-down"]);
    assert_eq!(found["verdict"]["function"], "choosing:main/0", "{found}");
}

const RESCUING: &str = "-module(rescuing).
-export([main/0]).
main() -> {rescue(0), rescue(4)}.
rescue(N) ->
    try 12 div N of
        4 -> four;
        M when M > 100 -> much;
        M -> {is, M}
    catch
        throw:gone -> gone;
        error:Reason when Reason =:= badarg -> bad;
        Class:Reason:_ -> {Class, Reason}
    after
        ok
    end.
";

// papers: 003 | cited work (zoom) | of a try: what it raised or came to, and the clauses that did not take it | ask: z
#[test]
fn a_try_is_looked_into_with_the_clauses_that_did_not_take_what_it_came_to() {
    let parts = |answers: &str| {
        let (found, said) = ask_of("rescuing", RESCUING, answers, &["--strategy", "top-down"]);
        found["zoom"]["text"].as_str().map_or(said, str::to_string)
    };
    // main's value is wrong and rescue(4) right: then rescue(0) is asked about.
    let raised = ["1\n1\n4\nz\n2\n", "1\n1\n4\nz\n3\n", "1\n1\n4\nz\n4\n"].map(parts);
    assert_eq!(
        raised,
        [
            "the clause 'throw:gone' was not taken: its pattern does not match error:badarith",
            "the clause 'error:Reason when Reason =:= badarg' was not taken: its guard Reason =:= badarg is not true",
            "try, which raised error:badarith: the clause 'Class:Reason:_' was taken; its value is {error,badarith}",
        ]
    );
    let came = ["1\n1\nz\n2\n", "1\n1\nz\n3\n", "1\n1\nz\n4\n"].map(parts);
    assert_eq!(
        came,
        [
            "the clause '4' was not taken: its pattern does not match 3",
            "the clause 'M when M > 100' was not taken: its guard M > 100 is not true",
            "try 12 div N, which is 3: the clause 'M' was taken; its value is {is,3}",
        ]
    );
}

/// Writes modules into one directory and asks about the first.
fn ask_of_all(modules: &[(&str, &str)], answers: &str) -> Value {
    let dir = tempfile::tempdir().expect("a directory");
    let mut paths = vec![];
    for (module, text) in modules {
        let path = dir.path().join(format!("{module}.erl"));
        std::fs::write(&path, text).expect("written");
        paths.push(path.to_str().expect("a path").to_string());
    }
    let more: Vec<&str> = paths[1..].iter().map(String::as_str).collect();
    let more = [&["--strategy", "top-down"], more.as_slice()].concat();
    scripted(&paths[0], answers, &more)
}

const COUNTED: &str = "-module(counted).
-export([main/0, inc/1]).
main() -> twice(inc(3)).
inc(N) -> N + 1.
twice(N) -> N + 2.
";

const COUNTED_SUITE: &str = "-module(counted_SUITE).
-export([all/0, groups/0, init_per_suite/1, counts/1, fails/1]).
all() -> [{group, good}, fails].
groups() -> [{good, [parallel], [counts]}].
init_per_suite(Config) -> [{first, 3} | Config].
counts(Config) -> 4 = counted:inc(proplists:get_value(first, Config)).
fails(_) -> 7 = counted:inc(3).
";

// papers: 003 | 3.3 | cases of Common Test as oracles | ask
#[test]
fn passing_cases_of_common_test_answer_by_themselves() {
    let found = ask_of_all(&[("counted", COUNTED), ("counted_SUITE", COUNTED_SUITE)], "1\n1\n4\n");
    assert_eq!(found["verdict"]["function"], "counted:main/0", "{found}");
    assert_eq!(found["questions"][2]["by"], "counted_SUITE:counts/1", "{found}");
}

const COUNTED_PROPERTIES: &str = "-module(counted_props).
-export([prop_inc/0, prop_wrong/0]).
prop_inc() -> proper:forall([1, 3], fun(N) -> counted:inc(N) =:= N + 1 end).
prop_wrong() -> proper:forall([1, 3], fun(N) -> counted:twice(N) =:= 2 * N end).
";

/// What Reverl asks of PropEr: the property is tried, and the answer is whether it held.
const PROPER: &str = "-module(proper).
-export([forall/2, quickcheck/2]).
forall(Values, Holds) -> {forall, Values, Holds}.
quickcheck({forall, Values, Holds}, [quiet, {numtests, N}]) when N > 0 ->
    lists:all(Holds, Values).
";

// papers: 003 | 3.3 | properties (PropEr) as oracles | ask
#[test]
fn properties_that_hold_answer_by_themselves() {
    let modules = [("counted", COUNTED), ("counted_props", COUNTED_PROPERTIES), ("proper", PROPER)];
    let found = ask_of_all(&modules, "1\n1\n4\n");
    assert_eq!(found["verdict"]["function"], "counted:main/0", "{found}");
    assert_eq!(found["questions"][2]["by"], "counted_props:prop_inc/0", "{found}");
}
