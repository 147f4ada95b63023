//! `reverl check` on a project: headers found without flags, copies in `_build` left alone.

use std::path::{Path, PathBuf};
use std::process::Command;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("a file in the tree")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

/// A rebar3 project whose only problem is the undefined function in `bad.erl`.
fn project(name: &str) -> PathBuf {
    let dir = format!("reverl-check-{name}-{}", std::process::id());
    let root = std::env::temp_dir().join(dir);
    let _ = std::fs::remove_dir_all(&root);
    write(&root, "rebar.config", "{deps, [dep]}.\n");
    let good = "-module(good).\n-export([f/0]).\n-include(\"web.hrl\").\n\
                -include_lib(\"dep/include/dep.hrl\").\n-include_lib(\"stdlib/include/assert.hrl\").\n\
                f() -> ?assert(?WEB =:= ?DEP).\n";
    write(&root, "apps/web/src/good.erl", good);
    write(&root, "apps/web/include/web.hrl", "-define(WEB, 1).\n");
    write(&root, "apps/web/src/bad.erl", "-module(bad).\n-export([f/0]).\nf() -> g().\n");
    write(&root, "_build/default/lib/dep/include/dep.hrl", "-define(DEP, 1).\n");
    write(&root, "_build/default/lib/dep/src/dep.erl", "-module(dep).\nbroken(\n");
    root
}

fn check(root: &Path, args: &[&str]) -> (serde_json::Value, Option<i32>) {
    let mut reverl = Command::new(env!("CARGO_BIN_EXE_reverl"));
    let ran = reverl.current_dir(root).args(["check", "--json"]).args(args).output();
    let ran = ran.expect("reverl runs");
    (serde_json::from_slice(&ran.stdout).expect("JSON"), ran.status.code())
}

#[test]
fn a_project_is_checked_without_flags_and_without_its_build() {
    let root = project("whole");
    let (report, code) = check(&root, &["."]);
    assert_eq!((&report["files"], &report["errors"]), (&2.into(), &1.into()), "{report}");
    assert_eq!(code, Some(2));
    let (report, code) = check(&root, &["apps/web/src/good.erl"]);
    assert_eq!((&report["errors"], code), (&0.into(), Some(0)), "{report}");
    let _ = std::fs::remove_dir_all(root);
}

#[test]
fn a_directory_inside_the_build_is_checked_when_it_is_named() {
    let root = project("inside");
    let (report, code) = check(&root, &["_build/default/lib/dep"]);
    assert_eq!((&report["files"], code), (&1.into(), Some(2)), "{report}");
    let _ = std::fs::remove_dir_all(root);
}
