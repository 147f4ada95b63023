//! What `reverl explore` can be asked to hold of every execution: invariants, a sequential model, ends
//! that are meant so, failures that are known; and the files that other programs read.

mod sources;

use serde_json::Value;
use sources::Sources;

fn kinds(report: &Value) -> Vec<&str> {
    let failures = report["failures"].as_array().expect("failures");
    let counting = failures.iter().filter(|f| f["is_warning"] == false && f["is_known"] == false);
    counting.filter_map(|f| f["kind"].as_str()).collect()
}

/// Two clients sell the last item if both look before either sells; later the count is put right.
const STOCK: &str = "
    init(N) -> {ok, N}.
    handle_call(look, _, N) -> {reply, N, N};
    handle_call(take, _, N) -> {reply, ok, N - 1};
    handle_call(correct, _, N) -> {reply, ok, max(N, 0)}.
    handle_cast(_, N) -> {noreply, N}.
    sell(Me) ->
        case gen_server:call(stock, look) > 0 of
            true -> gen_server:call(stock, take);
            false -> none
        end,
        Me ! sold.
    main() ->
        {ok, _} = gen_server:start({local, stock}, ?MODULE, 1, []),
        Me = self(),
        [spawn(fun() -> sell(Me) end) || _ <- [1, 2]],
        [receive sold -> ok end || _ <- [1, 2]],
        gen_server:call(stock, correct),
        ok.
    main_fixed() ->
        {ok, _} = gen_server:start({local, stock}, ?MODULE, 1, []),
        sell(self()), sell(self()),
        [receive sold -> ok end || _ <- [1, 2]],
        ok.
";

#[test]
fn an_invariant_is_asked_at_every_moment_and_not_only_at_the_end() {
    let stock = Sources::new("stock", &[("stock", STOCK)]);
    let invariant = ["--invariant", "maps:get(stock, States) >= 0"];
    let (code, report) = stock.report(&["-e", "stock:main()"]);
    assert_eq!((code, kinds(&report)), (0, vec![]), "{report}");
    let (code, report) = stock.report(&[&["-e", "stock:main()"][..], &invariant].concat());
    assert_eq!((code, kinds(&report)), (1, vec!["invariant"]), "{report}");
    let found = &report["failures"][0];
    assert_eq!(found["reason"], "maps:get(stock, States) >= 0 is false");
    assert!(found["count"].as_u64() < report["executions"].as_u64(), "some hold: {report}");
    assert!(found["decisive"].as_str().is_some_and(|why| why.contains("before")), "{found}");
    let (code, report) = stock.report(&[&["-e", "stock:main_fixed()"][..], &invariant].concat());
    assert_eq!((code, kinds(&report)), (0, vec![]), "{report}");
}

#[test]
fn an_invariant_may_look_into_tables_and_must_not_change_anything() {
    let table = "
        main() ->
            ets:new(t, [named_table, public]), ets:insert(t, {n, 0}),
            Me = self(),
            [spawn(fun() -> ets:insert(t, {n, ets:lookup_element(t, n, 2) + 1}), Me ! x end)
             || _ <- [1, 2]],
            [receive x -> ok end || _ <- [1, 2]],
            ok.
    ";
    let table = Sources::new("table", &[("table", table)]);
    let asked = |expr: &str| table.explore(&["-e", "table:main()", "--invariant", expr]);
    assert_eq!(asked("ets:lookup_element(t, n, 2) =< 2").status.code(), Some(0));
    assert_eq!(asked("ets:lookup_element(t, n, 2) < 2").status.code(), Some(1));
    let never = asked("ets:lookup_element(u, n, 2) < 2");
    let said = String::from_utf8_lossy(&never.stdout).into_owned();
    assert!(said.contains("has no value at any moment: error: badarg"), "{said}");
    let changes = asked("ets:insert(t, {n, 0})");
    let said = String::from_utf8_lossy(&changes.stderr).into_owned();
    assert_eq!(changes.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot be asked at every moment"), "{said}");
}

/// A register that is written at one server and read at another, which is told by a cast.
const REGISTER: &str = "
    init(Next) -> {ok, {0, Next}}.
    handle_call({write, V}, _, {_, Next}) ->
        [gen_server:cast(N, {set, V}) || N <- Next],
        {reply, ok, {V, Next}};
    handle_call(read, _, {V, _} = S) -> {reply, V, S}.
    handle_cast({set, V}, {_, Next}) -> {noreply, {V, Next}}.
    start(Name, Next) -> {ok, _} = gen_server:start({local, Name}, ?MODULE, Next, []).
    stale() ->
        start(copy, []), start(original, [copy]),
        gen_server:call(original, {write, 1}),
        gen_server:call(copy, read), ok.
    fresh() ->
        start(original, []),
        Me = self(),
        spawn(fun() -> gen_server:call(original, {write, 1}), Me ! done end),
        gen_server:call(original, read),
        receive done -> ok end,
        gen_server:call(original, read), ok.
";

const MODEL: &str = "
    init() -> 0.
    apply({write, V}, _) -> {ok, V};
    apply(read, V) -> {V, V}.
";

#[test]
fn answers_that_no_order_of_the_calls_gives_are_found() {
    let modules = [("register", REGISTER), ("cell", MODEL), ("bad", "init() -> 0.")];
    let register = Sources::new("register", &modules);
    let model = |entry: &str, model: &str| {
        register.report(&["-e", &format!("register:{entry}()"), "--linearizable", model])
    };
    let (code, report) = model("stale", "cell");
    assert_eq!((code, kinds(&report)), (1, vec!["linearizability"]), "{report}");
    let reason = report["failures"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("{write,1} -> ok, read -> 0"), "{reason}");
    assert_eq!(report["failures"][0]["count"], 1, "the cast may also come first: {report}");
    let (code, report) = model("fresh", "cell");
    assert_eq!((code, kinds(&report)), (0, vec![]), "{report}");
    let unknown = register.explore(&["-e", "register:fresh()", "--linearizable", "bad"]);
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert_eq!(unknown.status.code(), Some(2), "{said}");
    assert!(said.contains("bad is not a model") && said.contains("apply(Call, State)"), "{said}");
}

/// One process ends by intention, another by a fault in some executions.
const ENDS: &str = "
    main() ->
        Me = self(),
        spawn(fun() -> exit({stopped, 7}) end),
        spawn(fun() -> Me ! a end), spawn(fun() -> Me ! b end),
        receive X -> X end,
        spawn(fun() -> a = X end),
        ok.
";

#[test]
fn ends_that_are_expected_and_failures_that_are_known_do_not_count() {
    let ends = Sources::new("ends", &[("ends", ENDS)]);
    let call = ["-e", "ends:main()"];
    let (_, report) = ends.report(&call);
    assert_eq!(kinds(&report), ["crashed", "crashed"], "{report}");
    let expected = [&call[..], &["--expect-exit", "{stopped, _}"]].concat();
    let (code, report) = ends.report(&expected);
    assert_eq!((code, kinds(&report)), (1, vec!["crashed"]), "{report}");
    let (code, _) = ends.report(&[&call[..], &["--write-baseline", "known.json"]].concat());
    assert_eq!(code, 1);
    let known = [&call[..], &["--baseline", "known.json"]].concat();
    let (code, report) = ends.report(&known);
    assert_eq!((code, kinds(&report)), (0, vec![]), "{report}");
    // Lines may move; another failure is not known.
    let moved = ENDS.replacen('\n', "\n\n\n", 1);
    let text = format!("-module(ends).\n-compile(export_all).\n{moved}");
    std::fs::write(ends.0.join("ends.erl"), &text).expect("written");
    assert_eq!(ends.report(&known).0, 0);
    std::fs::write(ends.0.join("ends.erl"), text.replace("a = X", "c = X")).expect("written");
    let (code, report) = ends.report(&known);
    assert_eq!((code, kinds(&report)), (1, vec!["crashed"]), "{report}");
    let bad = ends.explore(&[&call[..], &["--expect-exit", "{stopped"]].concat());
    assert_eq!(bad.status.code(), Some(2));
    let missing = ends.explore(&[&call[..], &["--baseline", "nowhere.json"]].concat());
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(said.contains("--write-baseline makes such a file"), "{said}");
}

#[test]
fn failures_are_written_for_code_hosts_with_their_lines_and_steps() {
    let ends = Sources::new("sarif", &[("ends", ENDS)]);
    let files = ["--sarif", "found.sarif", "--junit", "found.xml"];
    let (code, _) = ends.report(&[&["-e", "ends:main()"][..], &files].concat());
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&ends.read("found.sarif")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let wrong = results
        .iter()
        .find(|r| r["message"]["text"].as_str().is_some_and(|text| text.contains("badmatch")));
    let wrong = wrong.unwrap_or_else(|| panic!("the fault is among them: {log}"));
    let place = &wrong["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 9, "{wrong}");
    assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|f| f.ends_with("ends.erl")));
    assert!(!wrong["codeFlows"][0]["threadFlows"][0]["locations"][0].is_null(), "{wrong}");
    assert!(ends.read("found.xml").contains("failures=\"1\""));
}
