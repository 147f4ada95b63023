//! Programs that do what a replay cannot compute, each in another way: what is recorded of them
//! replays exactly.

use super::*;

#[path = "causes_table.rs"]
mod causes_table;

/// A program of the table: each of its functions is recorded.
fn check_cause(module: &str) {
    let row = causes_table::CAUSES.iter().find(|(name, _)| *name == module);
    check_exact(module, row.expect("it is in the table").1, &[]);
}

/// A program of `crates/programs/erl/recorded`, compiled; each of these functions is recorded.
fn check_exact(module: &str, functions: &[&str], flags: &[&str]) {
    compile_once(module);
    for function in functions {
        record_exactly(module, function, &format!("{module}-{function}.reverl"), flags);
    }
}

fn record_exactly(module: &str, function: &str, file: &str, flags: &[&str]) {
    let eval = format!("{module}:{function}()");
    let mut args = vec!["record", "-o", file, "--", "erl", "-noshell"];
    args.extend(["-kernel", "logger_level", "emergency", "-pa", "."]);
    args.extend(flags);
    args.extend(["-eval", &eval, "-s", "init", "stop"]);
    let said = text(&reverl(&args).stderr);
    assert!(said.contains("replayed exactly"), "{module}:{function}: {said}");
}

#[test]
fn references_of_aliases() {
    check_cause("alias_call");
}

#[test]
fn keys_of_the_process_dictionary() {
    check_cause("dictionary_order");
}

#[test]
fn processes_that_are_ended_on_their_way_to_something_else() {
    check_cause("ended_before");
}

#[test]
fn requests_to_nodes_that_are_not_there() {
    check_cause("remote_request");
}

#[test]
fn stack_traces_of_recorded_calls_that_fail() {
    check_cause("raised_frames");
}

#[test]
fn exit_signals_from_outside() {
    check_cause("exit_from_outside");
}

#[test]
fn a_monitor_that_is_flushed_after_its_message() {
    check_cause("flush_after_down");
}

#[test]
fn what_arrives_right_before_a_time_out() {
    check_cause("before_timeout");
}

#[test]
fn servers_that_hibernate() {
    check_cause("hibernates");
}

#[test]
fn messages_that_come_inside_of_calls() {
    check_cause("hidden_messages");
}

#[test]
fn requests_of_io_that_are_atoms() {
    check_cause("io_getopts");
}

#[test]
fn a_long_computation_at_the_end() {
    check_cause("long_end");
}

#[test]
fn calls_of_modules_that_do_not_exist() {
    check_cause("missing_module");
}

/// What is OTP's own is known by the paths of the node.
#[test]
fn a_recording_opens_where_no_otp_is() {
    check_cause("left_idle");
    let no_otp = [("PATH", ""), ("ERL_ROOTDIR", "/nonexistent")];
    let (file, commands) = ("left_idle-main.reverl", "ps\nfailure\nq\n");
    assert_eq!(debug_with(file, commands, &no_otp), debug(file, commands));
}

#[test]
fn a_node_with_a_name() {
    let name = format!("reverl_test_{}", std::process::id());
    check_exact("named_node", &["main"], &["-sname", &name]);
}

#[test]
fn a_node_that_is_named_and_loses_its_name() {
    check_cause("named_later");
}

#[test]
fn funs_with_several_values_their_texts_and_frames() {
    check_cause("fun_values");
}

#[test]
fn links_and_monitors_of_silent_processes_outside() {
    check_cause("outside_links");
    // Another future of the same past knows of these processes, too.
    let begun = text(&reverl(&["replay", "--list", "outside_links-linked.reverl"]).stdout);
    let pid = begun.split_whitespace().find(|w| w.starts_with("<0.")).expect("a process");
    let tried = debug("outside_links-linked.reverl", &format!("back 4\ntake kill {pid} oops\nq\n"));
    assert!(tried.contains("b1 exits with oops"), "{tried}");
}

#[test]
fn ports_as_links() {
    check_cause("port_links");
}

#[test]
fn funs_in_recorded_values() {
    check_cause("recorded_funs");
}

#[test]
fn answers_to_questions_of_the_system() {
    check_cause("signal_replies");
}

#[test]
fn calls_that_the_node_makes_otherwise() {
    check_cause("single_causes");
}

#[test]
fn tests_are_recorded_without_a_trigger() {
    compile_once("plain_tests");
    let recorded = record("tests.reverl", &[], "eunit:test(plain_tests), halt().");
    let said = text(&recorded.stderr);
    assert!(said.contains("replayed exactly"), "{said}");
    let list = text(&reverl(&["replay", "--list", "tests.reverl"]).stdout);
    assert!(list.contains("begins with eunit_proc:start/"), "{list}");
}

/// However the suite is started: by the tool, by a script that nobody looks into, or by a call.
#[test]
fn suites_of_common_test_are_recorded_without_a_trigger() {
    compile_once("recorded_SUITE");
    let tool = "ct_run -noshell -no_auto_compile -dir . -suite recorded_SUITE -logdir .";
    let call = "ct:run_test([{dir, \".\"}, {suite, recorded_SUITE}, {logdir, \".\"}, {auto_compile, false}])";
    let ways: [Vec<&str>; 3] = [
        tool.split(' ').collect(),
        vec!["sh", "-c", tool],
        vec!["erl", "-noshell", "-eval", call, "-s", "init", "stop"],
    ];
    for way in ways {
        let args = [vec!["record", "-o", "suite.reverl", "--"], way].concat();
        let recorded = reverl(&args);
        let (printed, said) = (text(&recorded.stdout), text(&recorded.stderr));
        assert!(printed.contains("2 ok, 1 failed of 3 test cases"), "{printed}{said}");
        assert!(said.contains("replayed exactly"), "{said}");
    }
}

#[test]
fn modules_made_at_run_time() {
    check_cause("loaded_at_run_time");
}

#[test]
fn calls_of_lists_that_the_compiler_made_loops() {
    check_cause("list_loops");
}

#[test]
fn maps_that_a_node_orders_by_the_numbers_of_its_atoms() {
    check_cause("atom_maps");
}

#[test]
fn modules_in_several_versions() {
    check_cause("versions_at_run_time");
}

#[test]
fn processes_that_end_with_messages_in_their_mailbox() {
    check_cause("unread_at_end");
}

#[test]
fn functions_that_an_option_of_the_compiler_exports() {
    let source = reverl_programs::directory().join("recorded/exported_by_option.erl");
    // Apart from the others, which are compiled in the usual way.
    let own = program().join("exported");
    std::fs::create_dir_all(&own).expect("a directory");
    let options = ["+debug_info", "+export_all", "-o"];
    let erlc = Command::new("erlc").args(options).arg(&own).arg(source).status();
    assert!(erlc.expect("erlc runs").success());
    let eval = "exported_by_option:main()";
    let args = ["record", "-o", "x.reverl", "--", "erl", "-noshell", "-pa", "exported", "-eval"];
    let said = text(&reverl(&[&args[..], &[eval, "-s", "init", "stop"]].concat()).stderr);
    assert!(said.contains("replayed exactly"), "{said}");
}

#[test]
fn code_that_the_program_compiles_with_cover() {
    compile_once("covered_part");
    check_exact("covered_code", &["main"], &[]);
}

#[test]
fn funs_of_modules_without_debug_info() {
    let source = reverl_programs::directory().join("recorded/bare_funs.erl");
    // Apart from the others, which all have debug info.
    let own = program().join("bare");
    std::fs::create_dir_all(&own).expect("a directory");
    let erlc = Command::new("erlc").arg("-o").arg(&own).arg(source).status();
    assert!(erlc.expect("erlc runs").success());
    check_exact("calls_bare_funs", &["main"], &["-pa", "bare"]);
}

#[test]
fn processes_that_were_killed_while_they_asked_can_be_looked_at() {
    compile_once("unread_at_end");
    record_exactly("unread_at_end", "asking", "asked.reverl", &[]);
    let shown = debug("asked.reverl", "ps\nq\n");
    assert!(shown.contains("killed") && !shown.contains("fault of Reverl's own"), "{shown}");
}

/// A few of what `scripts/storm` does by the hundred. They are judged by what a message that comes together
/// with a time-out does: a tracer that does not know the mark of a process whose time is up loses nearly all.
#[test]
fn random_programs() {
    compile_once("random_storm");
    for seed in 1..=8 {
        let file = format!("storm-{seed}.reverl");
        let recorded = record(&file, &[], &format!("random_storm:main({seed}), halt()."));
        let said = text(&recorded.stderr);
        assert!(said.contains("replayed exactly"), "seed {seed}: {said}");
    }
}
