//! What recordings begin with: calls, several of them in one process, and processes by name.

use super::*;

fn list(file: &str) -> String {
    text(&reverl(&["replay", "--list", file]).stdout)
}

#[test]
fn calls_of_one_process_follow_each_other() {
    let eval = "[story:job(5) || _ <- lists:seq(1, 20)], story:race(), halt().";
    let recorded = record("calls.reverl", &[], eval);
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let replayed = text(&reverl(&["replay", "calls.reverl"]).stdout);
    let printed = text(&recorded.stdout);
    assert!(replayed.starts_with(&printed), "{printed}{replayed}");
    assert!(replayed[printed.len()..].starts_with(&format!("=> {printed}")), "{replayed}");
}

#[test]
fn what_is_sent_between_calls_is_known() {
    let eval = "P = story:echo(), P ! hello, P ! you, timer:sleep(200), story:job(2), halt().";
    let recorded = record("between.reverl", &[], eval);
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    assert_eq!(text(&recorded.stdout), "hello\nyou\n");
    let replayed = text(&reverl(&["replay", "between.reverl"]).stdout);
    assert!(replayed.starts_with("hello\nyou\n"), "{replayed}");
}

#[test]
fn a_server_is_recorded_by_its_name() {
    let recorded = record("named.reverl", &["--trigger", "name:counter"], "story:shop(), halt().");
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let list = list("named.reverl");
    assert!(list.contains("begins with gen_server:init_it/6"), "{list}");
    // Its clients are outside: what they ask is there.
    assert!(list.contains("{add,3}"), "{list}");
    assert!(!list.contains("story:shop"), "{list}");
}

#[test]
fn a_plain_process_is_recorded_by_its_name() {
    let recorded = || {
        let recorded = record("till.reverl", &["--trigger", "name:till"], "story:shop(), halt().");
        text(&recorded.stderr)
    };
    // On a busy machine it can be gone before anybody has looked for its name.
    let tries = std::iter::repeat_with(recorded).take(10);
    let mut found = tries.filter(|told| !told.contains("nothing was recorded"));
    let told = found.next().expect("it is found in one of ten tries");
    assert!(told.contains("replayed exactly"), "{told}");
    let list = list("till.reverl");
    assert!(list.contains("begins with story:till/1"), "{list}");
    assert!(list.contains("close"), "{list}");
    let replayed = text(&reverl(&["replay", "till.reverl"]).stdout);
    assert!(replayed.contains("takings,120"), "{replayed}");
}

/// Processes outside are left alone after a while, but not the one that goes on to the program.
#[test]
fn recording_begins_however_late_the_call_is_made() {
    let busy = "[erlang:make_ref() || _ <- lists:seq(1, 5000)]";
    let recorded = record("late.reverl", &[], &format!("{busy}, story:race(), halt()."));
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    // With --trigger it may be any process.
    let eval = format!("spawn(fun() -> {busy}, story:race(), halt() end).");
    let recorded = record("late.reverl", &["--trigger", "story:race"], &eval);
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
}

/// As a tool does that builds a project: its directory comes into the path first, its application is
/// started by its tests.
#[test]
fn applications_that_come_into_the_path_later_are_recorded_with_their_servers() {
    let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop");
    let dir = program().join("later");
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut erlc = Command::new("erlc");
    erlc.args(["+debug_info", "-I"]).arg(shop.join("src")).arg("-o").arg(&dir);
    for part in ["src", "test"] {
        let files = std::fs::read_dir(shop.join(part)).expect("a directory").flatten();
        let files = files.map(|file| file.path());
        erlc.args(files.filter(|path| path.extension().is_some_and(|e| e == "erl")));
    }
    assert!(erlc.status().expect("erlc runs").success());
    std::fs::copy(shop.join("src/shop.app.src"), dir.join("shop.app")).expect("a file");
    // The tool needs a while to load what it runs.
    let eval = "code:add_pathz(\"later\"), timer:sleep(500), eunit:test(shop_tests), halt().";
    let recorded = record("later.reverl", &[], eval);
    assert!(text(&recorded.stderr).contains("replayed exactly"), "{}", text(&recorded.stderr));
    let list = list("later.reverl");
    assert!(list.contains("begins with shop_app:start/2"), "{list}");
    assert!(list.contains("shop_ledger"), "{list}");
}
