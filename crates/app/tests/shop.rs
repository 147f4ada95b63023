//! An application with supervisors, fifty servers and customers: whatever goes wrong in it is told
//! as people think of it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// What `commands` are answered with in a session of the shop.
fn told(call: &str, commands: &str) -> String {
    let name = format!("reverl-shop-{}-{}", std::process::id(), commands.len() + call.len());
    let script = std::env::temp_dir().join(name);
    std::fs::write(&script, commands).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_reverl"))
        .current_dir(root())
        .args(["debug", "examples/shop", "-e", call, "--script"])
        .arg(&script)
        .output()
        .expect("reverl runs");
    std::fs::remove_file(&script).expect("removed");
    String::from_utf8(output.stdout).expect("text")
}

fn check(call: &str, commands: &str, expected: &[&str]) {
    let told = told(call, commands);
    for line in expected {
        assert!(told.contains(line), "'{line}' is not in:\n{told}");
    }
}

#[test]
fn a_crashed_server_is_named_with_its_line_its_call_and_its_caller() {
    check(
        "shop:crash()",
        "run\nfailure\n",
        &[
            "x shelf_13 crashed: there is no key cheese  (examples/shop/src/shop_shelf.erl:19)",
            "while serving call {take,cheese} of customer_7 (examples/shop/src/shop.erl:42)",
            "restarted as shelf_13 (2)",
            "customer_7 ended with it",
            "Sku = cheese",
            "Shelf = #shelf{id=13,items=#{apple => #item{sku=apple,price=7,",
        ],
    );
}

#[test]
fn servers_that_wait_for_each_other_are_told_as_a_chain() {
    check(
        "shop:deadlock()",
        "run\nfailure\n",
        &[
            "x deadlock: shelf_13 and shelf_31 wait for each other",
            "shelf_13 waits for the reply of shelf_31 to call {give,apple}",
            "shelf_31 waits for the reply of shelf_13 to call {give,apple}",
            "swapper waits for the reply of shelf_13 to call {swap,31,apple}",
        ],
    );
}

#[test]
fn a_message_that_nobody_took_is_told_and_idle_servers_are_not() {
    let told = told("shop:lost()", "run\nfailure\n");
    assert!(told.contains("x lost never received {recept,3} of customer"), "{told}");
    assert!(!told.contains("idle"), "{told}");
}

#[test]
fn a_failed_test_tells_what_it_expected_and_got() {
    check(
        "eunit:test(shop)",
        "run\nfailure\n",
        &[
            "x test shop_tests:busy_day_test failed: expected {total,700}, got {total,931}",
            "expected   {total,700}",
            "got        {total,931}",
        ],
    );
}

#[test]
fn processes_are_listed_as_they_belong_to_each_other() {
    check(
        "shop:crash()",
        "run\nps\n",
        &[
            "    shop_sup                       <0.91.0>   supervisor, 6 children, idle",
            "        shelf_13                   <0.107.0>  crashed: there is no key cheese, restarted",
            "        7 more                                idle",
            "    16 more                                   finished",
            "processes of the runtime: 'ps all'",
        ],
    );
}

#[test]
fn a_server_tells_what_changed_its_state_and_its_history_is_calls_and_casts() {
    check(
        "shop:crash()",
        "run\nchanges shelf_12\nhistory shelf_12\n",
        &[
            "receives call {take,bread} #152.5 from <0.152.0> (customer_5)",
            " -> #shelf{id=12,items=#{apple => #item{sku=apple,price=7,stock=3}},clients=[],log=",
            "receives cast {put,apple,3}",
            "sends reply {ok,2}",
            "of libraries alone",
        ],
    );
}

#[test]
fn a_moment_is_looked_at_without_going_there() {
    check("shop:crash()", "run\nat 1a3 where\n", &["(reverl) at 1a3 where\n#0 "]);
    check("shop:crash()", "run\nat 1a3 step\n", &["'step' does not look at one moment"]);
}
