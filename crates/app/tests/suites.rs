//! Tests as the entry of exploration, beside EUnit's: each case of a suite is a search of its own.

mod sources;

use serde_json::Value;
use sources::Sources;

const COUNTER: &str = "
    start() -> gen_server:start({local, counter}, ?MODULE, 0, []).
    add() -> set(value() + 1).
    value() -> gen_server:call(counter, value).
    set(V) -> gen_server:call(counter, {set, V}).
    init(V) -> {ok, V}.
    handle_call(value, _, V) -> {reply, V, V};
    handle_call({set, V}, _, _) -> {reply, ok, V}.
    handle_cast(_, V) -> {noreply, V}.
";

const SUITE: &str = "
    -include_lib(\"common_test/include/ct.hrl\").
    all() -> [one, {group, many}, skipped, fails].
    groups() -> [{many, [parallel], [two, {group, inner}]}, {inner, [three]}].
    init_per_suite(C) -> {ok, _} = counter:start(), [{n, 7} | C].
    end_per_suite(_) -> gen_server:stop(counter).
    init_per_group(G, C) -> [{g, G} | C].
    init_per_testcase(skipped, _) -> {skip, later};
    init_per_testcase(_, C) -> counter:set(0), C.
    one(C) -> 7 = ?config(n, C), counter:add(), 1 = counter:value().
    two(C) -> many = ?config(g, C), both().
    three(C) -> inner = ?config(g, C), [{name, inner}] = ?config(tc_group_properties, C), ok.
    skipped(_) -> error(never).
    fails(_) -> ct:fail(no).
    both() ->
        Me = self(),
        [spawn_link(fun() -> counter:add(), Me ! done end) || _ <- [1, 2]],
        [receive done -> ok end || _ <- [1, 2]],
        2 = counter:value().
";

#[test]
fn each_case_of_a_suite_is_explored_with_all_that_is_set_up_for_it() {
    let suite = Sources::new("suite", &[("counter", COUNTER), ("counter_SUITE", SUITE)]);
    let (code, report) = suite.report(&["--ct", "--junit", "found.xml"]);
    assert_eq!(code, 1, "{report}");
    let tests = report["tests"].as_array().expect("tests");
    let verdict = |one: &Value| {
        let failures = one["failures"].as_array().expect("failures").iter();
        let counting = failures.filter(|f| f["is_warning"] == false);
        let reasons: Vec<String> = counting.map(|f| f["reason"].to_string()).collect();
        (one["test"].as_str().expect("a name").to_string(), reasons)
    };
    let passes = |name: &str| (format!("counter_SUITE:{name}"), vec![]);
    let fails = |name: &str, why: &str| (format!("counter_SUITE:{name}"), vec![format!("{why:?}")]);
    let expected = [
        passes("one"),
        fails("two (many)", "{badmatch,1}"),
        passes("three (many/inner)"),
        passes("skipped"),
        fails("fails", "{test_case_failed,no}"),
    ];
    assert_eq!(tests.iter().map(verdict).collect::<Vec<_>>(), expected, "{report}");
    let two = &tests[1];
    assert!(two["executions"].as_u64() > two["failures"][0]["count"].as_u64(), "{two}");
    assert!(two["failures"][0]["decisive"].as_str().is_some_and(|d| d.contains("before")), "{two}");
    assert!(suite.read("found.xml").contains("name=\"counter_SUITE:two (many)\""));
}
