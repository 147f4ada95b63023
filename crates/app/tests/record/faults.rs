//! Nodes and recorders that are killed, and several recorders at once: the node never notices, and
//! what happened before can be opened.

use super::*;
use std::process::Child;
use std::time::Duration;

fn spawn_record(file: &Path, eval: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    command.current_dir(program()).args(["record", "-o"]).arg(file).arg("--");
    command.args(ERL).arg(eval).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("reverl runs")
}

/// Moments at which something is killed, in milliseconds: before, at and after the node has started.
const MOMENTS: [u64; 5] = [60, 250, 500, 800, 1300];

#[test]
fn a_node_that_is_killed_at_any_moment_leaves_what_happened_before() {
    for moment in MOMENTS {
        let file = format!("killed-at-{moment}.reverl");
        let kill = format!(
            "spawn(fun() -> timer:sleep({moment}), os:cmd(\"kill -9 \" ++ os:getpid()) end), \
             story:slow()."
        );
        let recorded = record(&file, &["--trigger", "story:slow"], &kill);
        let said = text(&recorded.stderr);
        assert_eq!(recorded.status.code(), Some(137), "{moment}: {said}");
        assert!(said.contains("replayed exactly"), "{moment}: {said}");
        let listed = text(&reverl(&["replay", "--list", &file]).stdout);
        assert!(listed.contains("begins with story:slow/0"), "{moment}: {listed}");
        // Whoever waits waits for what did not come any more: that is not a deadlock.
        let replayed = reverl(&["replay", &file]);
        let told = text(&replayed.stdout) + &text(&replayed.stderr);
        assert!(told.contains("it was killed (signal 9)"), "{moment}: {told}");
        assert!(!told.contains("deadlock") && !told.contains("blocked"), "{moment}: {told}");
    }
}

#[test]
fn a_node_runs_on_when_its_recorder_is_killed() {
    let mut recovered = 0;
    for moment in MOMENTS {
        let own = program().join(format!("recorder-killed-{moment}"));
        std::fs::create_dir_all(&own).expect("a directory");
        let printed = program().join(format!("printed-{moment}.txt"));
        let _ = std::fs::remove_file(&printed);
        let eval = format!(
            "timer:sleep(1200), story:race(), file:write_file({:?}, \"all\"), halt().",
            printed.to_str().expect("a name")
        );
        let mut recorder = spawn_record(&own.join("never.reverl"), &eval);
        std::thread::sleep(Duration::from_millis(moment));
        recorder.kill().expect("it runs");
        let _ = recorder.wait();
        let parts = std::fs::read_dir(&own).expect("listed").flatten().next();
        let Some(parts) = parts.map(|entry| entry.path()) else { continue };
        // A node that had started goes on to its end.
        let has_started = std::fs::read_dir(&parts)
            .expect("listed")
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("node-"));
        if !has_started {
            continue;
        }
        for _ in 0..100 {
            if printed.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!(printed.exists(), "{moment}: the node did not come to its end");
        let directory = parts.to_str().expect("a name");
        let file = format!("recovered-{moment}.reverl");
        let rescued = reverl(&["record", "-o", &file, "--recover", directory]);
        let said = text(&rescued.stderr);
        assert!(said.contains("replayed exactly"), "{moment}: {said}");
        recovered += 1;
    }
    assert!(recovered > 0, "no recorder was killed while its node ran");
}

#[test]
fn two_recorders_at_once_write_one_file_or_the_other() {
    let eval = "story:race(), halt().";
    let both = [(); 2].map(|()| spawn_record(Path::new("both.reverl"), eval));
    for recorder in both {
        let output = recorder.wait_with_output().expect("it ends");
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("replayed exactly"), "{said}");
        assert!(!text(&output.stdout).is_empty());
    }
    let replayed = reverl(&["replay", "both.reverl"]);
    assert!(replayed.status.success(), "{}", text(&replayed.stderr));
}
