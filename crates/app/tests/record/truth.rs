//! What a replay shows that is not as it was on the node is said, in every face.

use super::*;

/// Records a function of the program that departs, and says what the recorder said.
fn record_departing(function: &str, file: &str) -> String {
    compile_once("departs");
    let recorded = record(file, &[], &format!("departs:{function}(), halt()."));
    assert!(recorded.status.success());
    text(&recorded.stderr)
}

const NEVER: &str = "what would come next never happened";

#[test]
fn nothing_comes_after_a_replay_has_departed() {
    let file = "decided.reverl";
    let said = record_departing("decided", file);
    assert!(said.contains("but the replay departs from the recording"), "{said}");
    let replayed = reverl(&["replay", file]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stdout));
    // The place and the call are those of the program, not of what stands in for it.
    let told = text(&replayed.stderr);
    assert!(told.contains("departs.erl:21:"), "{told}");
    assert!(told.contains("computed: a call of erlang:make_ref()"), "{told}");
    let json = text(&reverl(&["replay", "--json", file]).stdout);
    assert!(json.contains("\"departed\":\"the replay departs"), "{json}");
    for going_on in ["continue", "run", "step", "back 2\ncontinue", "deliver"] {
        let shown = debug(file, &format!("{going_on}\nproblems\nfailure\nq\n"));
        assert!(shown.contains(NEVER) || going_on == "deliver", "{going_on}: {shown}");
        let lies = ["deadlock", "has finished", "nothing went wrong", "not_recorded", "blocked:"];
        assert!(lies.iter().all(|lie| !shown.contains(lie)), "{going_on}: {shown}");
    }
}

#[test]
fn what_is_printed_otherwise_is_told() {
    let file = "printed.reverl";
    let said = record_departing("printed", file);
    let told = "the replay prints something else than the node did, first at event";
    assert!(said.contains("replayed exactly") && said.contains(told), "{said}");
    assert!(said.contains("departs.erl:21:\n  computed: "), "{said}");
    let replayed = text(&reverl(&["replay", file]).stderr);
    assert!(replayed.contains(told), "{replayed}");
    assert!(debug(file, "failure\nq\n").contains(&format!("! {told}")));
}

#[test]
fn a_recording_that_is_torn_says_so() {
    let recorded = record("not-torn.reverl", &[], "story:race(), halt().");
    assert!(recorded.status.success());
    let whole = std::fs::read(program().join("not-torn.reverl")).expect("it is there");
    std::fs::write(program().join("torn.reverl"), &whole[..whole.len() - 40]).expect("written");
    let replayed = reverl(&["replay", "torn.reverl"]);
    let said = text(&replayed.stderr);
    assert!(said.contains("the recording is torn"), "{said}");
    assert!(!replayed.status.success());
}

#[test]
fn a_recording_of_a_killed_node_does_not_go_on() {
    let eval =
        "spawn(fun() -> timer:sleep(300), os:cmd(\"kill -9 \" ++ os:getpid()) end), story:slow().";
    record("killed-and-continued.reverl", &["--trigger", "story:slow"], eval);
    let shown = debug("killed-and-continued.reverl", "continue\nfailure\nq\n");
    assert!(shown.contains("the recording ends here, before the node did"), "{shown}");
    assert!(
        shown.contains("! recording stopped before the command ended: it was killed"),
        "{shown}"
    );
    assert!(!shown.contains("deadlock") && !shown.contains("blocked"), "{shown}");
}
