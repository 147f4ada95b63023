//! What `reverl explore` says of programs whose executions are known: their results, the worst
//! failure, and whether that is all.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is said of a program.
#[derive(Debug, PartialEq)]
struct Said {
    results: Vec<String>,
    worst: Option<String>,
    exit_code: i32,
    complete: bool,
}

fn explore(program: &str, args: &[&str]) -> (Said, Value) {
    let file = reverl_programs::directory().join(program).with_extension("erl");
    let save = std::env::temp_dir().join(format!("reverl-explored-{}", std::process::id()));
    // Tests run beside each other, some with the same program.
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    let save: PathBuf = save.join(SEARCHES.fetch_add(1, Ordering::Relaxed).to_string());
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.arg("explore").arg(file).args(args).arg("--json").arg("--save").arg(&save);
    let output = command.output().expect("reverl runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let _ = std::fs::remove_dir_all(&save);
    let values = report["results"].as_array().into_iter().flatten();
    let said = Said {
        results: values.filter_map(|r| r["value"].as_str().map(str::to_string)).collect(),
        worst: report["failures"][0]["kind"].as_str().map(str::to_string),
        exit_code: output.status.code().expect("an exit code"),
        complete: report["complete"] == true,
    };
    (said, report)
}

/// The whole answer: these results, this worst failure, and nothing left out.
fn check(program: &str, args: &[&str], results: &[&str], worst: Option<&str>) {
    let expected = Said {
        results: results.iter().map(|r| r.to_string()).collect(),
        worst: worst.map(str::to_string),
        exit_code: i32::from(worst.is_some_and(|kind| kind != "unreceived")),
        complete: true,
    };
    assert_eq!(explore(program, args).0, expected, "{program} {args:?}");
}

/// The same with both kinds of delivery.
fn check_both(program: &str, args: &[&str], results: &[&str], worst: Option<&str>) {
    for delivery in ["pair", "instant"] {
        check(program, &[args, &["--delivery", delivery]].concat(), results, worst);
    }
}

#[test]
fn a_time_out_of_infinity_never_comes() {
    check_both("search/infinity_timeout", &[], &["ok"], None);
    check_both("search/infinity_race", &["--timeouts", "any"], &["ok"], None);
    if reverl_lang::project::otp_lib().is_some() {
        check_both("servers/infinity_server", &[], &["1"], None);
    }
}

#[test]
fn long_time_outs_come_only_when_nothing_else_can_happen() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an installed OTP");
    }
    check_both("servers/call_timeout", &[], &["ok"], None);
    let (any, _) = explore("servers/call_timeout", &["--timeouts", "any"]);
    assert_eq!(any.worst.as_deref(), Some("crashed"));
    let (short, _) = explore("servers/call_timeout", &["--timeout-bound", "5001"]);
    assert_eq!(short.worst.as_deref(), Some("crashed"));
}

#[test]
fn what_was_assumed_of_time_outs_is_said() {
    let said = |args: &[&str]| explore("search/infinity_timeout", args).1["assumed"].clone();
    assert_eq!(said(&["--timeouts", "any"]), Value::Null);
    let usual = said(&[]);
    assert!(usual.as_str().is_some_and(|text| text.contains("1000 ms")), "{usual}");
    let other = said(&["--timeout-bound", "20"]);
    assert!(other.as_str().is_some_and(|text| text.contains("20 ms")), "{other}");
}

#[test]
fn a_main_process_that_is_killed_and_a_halt_are_failures() {
    check_both("moments/main_killed", &[], &["exit: boom"], Some("killed"));
    check_both("moments/halt_one", &[], &["halt(1)"], Some("halted"));
    check_both("moments/halt_one", &["-e", "halt_one:zero()"], &["halt(0)"], None);
}

#[test]
fn workers_that_wait_for_each_other_are_a_deadlock_and_idle_servers_are_not() {
    check_both("search/workers_wait", &[], &["ok"], Some("deadlock"));
    check_both("search/workers_locks", &[], &["ok"], Some("deadlock"));
    let (_, report) = explore("search/workers_wait", &[]);
    let reason = report["failures"][0]["reason"].as_str().expect("a reason");
    assert!(reason.contains("-fun-0-") && reason.contains("-fun-1-"), "{reason}");
    check_both("search/idle_server", &[], &["ok"], None);
}

#[test]
fn a_message_that_nobody_receives_is_told_and_fails_only_if_asked() {
    check_both("search/lost_or_orphan", &[], &["ok"], Some("unreceived"));
    let (strict, _) = explore("search/lost_or_orphan", &["--fail-on", "unreceived"]);
    assert_eq!(strict.exit_code, 1);
    check("search/lost_or_orphan", &["--ignore", "unreceived"], &["ok"], None);
}

#[test]
fn failures_that_differ_in_pids_only_are_one() {
    let (_, report) = explore("search/grouped_by_pid", &[]);
    assert_eq!(report["failures"].as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!(report["failures"][0]["count"], 2);
}

#[test]
fn a_search_ends_in_its_time_wherever_it_is() {
    let begun = std::time::Instant::now();
    let args = ["--delivery", "instant", "--max-seconds", "1"];
    let (said, _) = explore("search/endless_wait", &args);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    assert_eq!((said.exit_code, said.complete), (3, false));
}

/// Systems of OTP's behaviours, each with one fault that an ordinary run does not show.
#[test]
fn seeded_faults_of_otp_systems_come_first() {
    if reverl_lang::project::otp_lib().is_none() {
        return eprintln!("left out: it needs an installed OTP");
    }
    let systems = [
        ("cache", "crashed", "cache.erl:36: {badmatch,old}"),
        ("door", "crashed", "already_closed"),
        ("limiter", "crashed", "limiter.erl:27: {badmatch,false}"),
        ("lock", "crashed", "lock.erl:13: function_clause"),
        ("pool", "crashed", "pool.erl:40: {badmatch,false}"),
        ("pubsub", "deadlock", "pubsub.erl:29"),
        ("tpc", "crashed", "tpc.erl:42: {badmatch,"),
    ];
    for (name, kind, words) in systems {
        let (call, program) = (format!("{name}:test()"), format!("servers/{name}"));
        let (said, report) = explore(&program, &["-e", &call, "--delivery", "instant"]);
        assert_eq!((said.worst.as_deref(), said.complete), (Some(kind), true), "{name}");
        let first = &report["failures"][0];
        let told = format!("{}: {}", first["at"], first["reason"]).replace('"', "");
        assert!(told.contains(words), "{name}: {told}");
    }
}

#[test]
fn a_timer_can_come_before_a_message() {
    check_both("search/timer_first", &[], &["a", "t"], Some("unreceived"));
}

#[test]
fn what_a_process_sends_itself_is_there_at_once() {
    check_both("search/self_message", &["--timeouts", "any"], &["got"], None);
}

#[test]
fn the_console_answers_requests_that_are_written_by_hand() {
    check_both("search/io_request", &[], &["got", "none"], Some("unreceived"));
}

/// What is not explored is named, and then nothing is said to be complete.
#[test]
fn orders_that_are_not_explored_are_named() {
    let programs = [
        ("search/own_mailbox", "looks at mailboxes"),
        ("search/own_mailbox_race", "looks at mailboxes"),
        ("search/clock_order", "reads of the clock"),
        ("search/timer_to_name", "timers to names"),
        ("search/monitored_by", "looks at links and monitors"),
        ("search/process_status", "looks at what another process is doing"),
    ];
    for (program, what) in programs {
        for delivery in ["pair", "instant"] {
            let (said, report) = explore(program, &["--delivery", delivery]);
            let named = report["unexplored"].as_array().into_iter().flatten();
            assert!(named.into_iter().any(|name| name == what), "{program}: {report}");
            assert!(!said.complete && said.exit_code == 3, "{program}: {said:?}");
        }
    }
    let (own, _) = explore("search/own_mailbox", &[]);
    assert_eq!(own.results, ["{message_queue_len,1}"]);
}

/// Among them one in which a child is ended by its parent's exit before it has done anything.
#[test]
fn pair_delivery_visits_what_instant_delivery_does() {
    let of = |delivery: &str| {
        let (_, report) = explore("search/killed_unborn", &["--delivery", delivery]);
        report["executions"].as_u64().expect("a number")
    };
    assert!(of("pair") >= of("instant"));
}

/// What is said of long time-outs holds of long timers too; the shorter of two comes first.
#[test]
fn long_timers_come_only_when_nothing_else_can_happen() {
    check_both("search/long_timers", &["-e", "long_timers:shutdown()"], &["shutdown"], None);
    check_both("search/long_timers", &["-e", "long_timers:shorter()"], &["waited"], None);
    let any = ["-e", "long_timers:shorter()", "--timeouts", "any"];
    check_both("search/long_timers", &any, &["fired", "waited"], Some("unreceived"));
}

/// Each test of EUnit is a search of its own; what a fixture sets up is not explored.
#[test]
fn tests_are_explored_one_by_one() {
    let junit = std::env::temp_dir().join(format!("reverl-junit-{}.xml", std::process::id()));
    let (said, report) =
        explore("search/shared_counter", &["--eunit", "--junit", &junit.to_string_lossy()]);
    assert_eq!(said.exit_code, 1);
    let tests = report["tests"].as_array().expect("tests");
    let verdict = |test: &Value| {
        let name = test["test"].as_str().expect("a name").replace("shared_counter:", "");
        let failed = test["failures"].as_array().into_iter().flatten();
        let failed = failed.filter(|f| f["is_warning"] == false).count();
        (name, test["executions"].as_u64(), failed, test["complete"] == true)
    };
    let found: Vec<_> = tests.iter().map(verdict).collect();
    let expected = [
        ("adding_test_ (one adds)", 1, 0),
        ("adding_test_ (two add)", 6, 1),
        ("order_test", 2, 1),
        ("plain_test", 1, 0),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, n, failed)| (name.to_string(), Some(*n), *failed, true))
        .collect();
    assert_eq!(found, expected);
    // The story is short, has the names that people use, and says which race decides.
    let lost = &tests[1]["failures"][0];
    let decisive = lost["decisive"].as_str().expect("a race decides");
    let is_it = decisive.contains("shared_counter takes value of add")
        && decisive.contains("before {set,1} of add");
    assert!(is_it, "{decisive}");
    let story: Vec<&str> =
        lost["story"].as_array().expect("a story").iter().filter_map(Value::as_str).collect();
    assert!(story.len() < 25, "{story:#?}");
    assert!(
        story.iter().any(|line| line.contains("calls shared_counter value -> 0")),
        "{story:#?}"
    );
    assert!(story.iter().any(|line| line.contains("crashes: expected 2, got 1")), "{story:#?}");
    let xml = std::fs::read_to_string(&junit).expect("it was written");
    let _ = std::fs::remove_file(&junit);
    assert_eq!(xml.matches("<testcase ").count(), 4, "{xml}");
    assert_eq!(xml.matches("<failure ").count(), 2, "{xml}");
}

/// The kinds of failure that so many random executions show, each with the seed that shows it first.
fn drawn(program: &str, args: &[&str]) -> (Vec<(String, u64)>, Value) {
    let report = explore(program, args).1;
    let failures = report["failures"].as_array().expect("failures").iter();
    let counting = failures.filter(|f| f["is_warning"] == false);
    let told = |f: &Value| (f["reason"].to_string(), f["seed"].as_u64().expect("a seed"));
    (counting.map(told).collect(), report)
}

#[test]
fn priorities_show_in_few_executions_what_a_uniform_choice_does_not() {
    if reverl_lang::project::otp_lib().is_none() {
        eprintln!("left out: OTP is not installed");
        return;
    }
    for program in ["limiter", "door"] {
        let (file, entry) = (format!("servers/{program}"), format!("{program}:test()"));
        let walks = |sampling: &str, more: &[&str]| {
            let args = ["-e", &entry, "--walks", "300", "--sampling", sampling];
            drawn(&file, &[&args, more].concat())
        };
        assert_eq!(walks("uniform", &[]).0, [], "{program}");
        for sampling in ["pct", "pos"] {
            let (found, report) = walks(sampling, &[]);
            assert!(!found.is_empty(), "{program} {sampling}: {report}");
            // A seed means an execution, whatever was drawn before.
            for (reason, seed) in found {
                let seed = seed.to_string();
                let again = ["-e", &entry, "--walks", "1", "--sampling", sampling, "--seed", &seed];
                let (found, report) = drawn(&file, &again);
                assert!(found.iter().any(|(r, _)| *r == reason), "{program} {seed}: {report}");
            }
        }
        // A time-out that may not be early is not drawn either.
        assert_eq!(walks("pct", &["--timeouts", "idle"]).0, [], "{program}");
    }
}

#[test]
fn functions_of_tables_that_concern_other_keys_do_not_multiply_executions() {
    let (said, report) = explore("search/insert_list", &[]);
    assert_eq!((said.complete, report["executions"].as_u64()), (true, Some(1)), "{report}");
}

/// The line of the first failure's story after which it cannot be avoided any more.
fn point_of_no_return(report: &Value) -> &str {
    let failure = &report["failures"][0];
    let line = failure["inevitable"].as_u64().unwrap_or_else(|| panic!("{failure}")) as usize;
    line.checked_sub(1).map_or("", |i| failure["story"][i].as_str().expect("a line"))
}

#[test]
fn it_is_told_from_when_on_a_failure_could_not_be_avoided() {
    // The reader writes what it has read before the other one's change; once that has cleared the
    // cache, nothing will clear it again.
    let report = explore("servers/cache", &["-e", "cache:test()"]).1;
    let line = point_of_no_return(&report);
    assert!(line.contains("write ets:delete(cache, k) = true"), "{line}");
    // One that fails in every execution does so from the start.
    let report = explore("moments/halt_one", &[]).1;
    assert_eq!(point_of_no_return(&report), "", "{report}");
}

/// The results of an example whose servers are OTP's, or nothing where there is no OTP.
fn results_of_example(name: &str, call: &str, args: &[&str]) -> Option<Vec<String>> {
    reverl_lang::project::otp_lib()?;
    let example = format!("../../../examples/{name}/{name}");
    Some(explore(&example, &[&["-e", call], args].concat()).0.results)
}

#[test]
fn a_visit_over_tcp_that_is_not_counted_is_found() {
    let walks = ["--walks", "300"];
    let Some(results) = results_of_example("visits", "visits:main()", &walks) else { return };
    assert!(results.contains(&"exit: {badmatch,1}".to_string()), "{results:?}");
}

#[test]
fn a_call_in_the_middle_of_an_upgrade_is_found_and_one_after_it_is_not_blamed() {
    let Some(early) = results_of_example("upgrade", "upgrade:main(early)", &[]) else { return };
    let late = results_of_example("upgrade", "upgrade:main(done)", &[]);
    assert!(early.contains(&"exit: function_clause".to_string()), "{early:?}");
    assert_eq!(late, Some(vec!["ok".to_string()]));
}

#[test]
fn an_update_of_mnesia_that_is_lost_is_found_and_none_in_transactions() {
    let walks = ["--walks", "50"];
    let Some(unsafe_) = results_of_example("ledger", "ledger:main(unsafe)", &walks) else { return };
    let safe = results_of_example("ledger", "ledger:main(safe)", &walks);
    assert!(unsafe_.iter().any(|r| r.starts_with("exit: {badmatch,1")), "{unsafe_:?}");
    assert_eq!(safe, Some(vec!["180".to_string()]));
}

const LOGS: &str = "-module(logs).
-include_lib(\"kernel/include/logger.hrl\").
-export([main/0]).
main() ->
    Self = self(),
    [spawn(fun() -> Self ! I end) || I <- [1, 2]],
    ?LOG_ERROR(\"about to receive\"),
    receive I -> I end.
";

#[test]
fn how_the_logger_starts_is_not_explored() {
    if reverl_lang::project::otp_lib().is_none() {
        return;
    }
    let dir = std::env::temp_dir().join(format!("reverl-logs-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("made");
    std::fs::write(dir.join("logs.erl"), LOGS).expect("written");
    let (said, report) = explore(dir.join("logs").to_str().expect("a name"), &[]);
    std::fs::remove_dir_all(&dir).expect("removed");
    assert_eq!((said.results.len(), &report["executions"]), (2, &Value::from(2)), "{report}");
}
