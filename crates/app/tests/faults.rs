//! A fault of Reverl's own ends what was asked, not the session. A build with debug assertions fails
//! on purpose where `REVERL_FAULT` says; others have nothing of the kind.
#![cfg(debug_assertions)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_fault_of_our_own_ends_the_command_and_says_how_to_see_it_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let script = dir.path().join("faulty.script");
    std::fs::write(&script, "step 3\nps\nbindings\n").expect("written");
    let program = "examples/stock/stock.erl";
    let faulty = |script: &Path| {
        Command::new(env!("CARGO_BIN_EXE_reverl"))
            .current_dir(root())
            .args(["debug", program, "--seed", "7", "--script"])
            .arg(script)
            .env("REVERL_FAULT", "ps")
            .output()
            .expect("reverl runs")
    };
    let output = faulty(&script);
    let (told, said) = (text(&output.stdout), text(&output.stderr));
    assert!(told.contains("'ps' failed by a fault of Reverl's own; the session goes on"), "{told}");
    assert!(told.contains("(reverl) bindings\nServer = <0.83.0>"), "{told}");
    assert_eq!(output.status.code(), Some(1));
    // First how to see it again, and then the fault.
    let recipe = said.lines().nth(1).expect("a recipe");
    let start = format!("reverl debug {program} --seed 7 --script ");
    let kept = recipe.strip_prefix(&start).unwrap_or_else(|| panic!("{said}"));
    assert!(said.lines().skip(2).any(|line| line.contains("panicked")), "{said}");
    assert_eq!(std::fs::read_to_string(kept).expect("a script"), "step 3\nps\n");
    let again = text(&faulty(Path::new(kept)).stdout);
    assert!(again.contains("'ps' failed by a fault"), "{again}");
    std::fs::remove_file(kept).expect("it was there");
}
