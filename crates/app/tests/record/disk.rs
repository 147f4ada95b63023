//! Disks without room, and directories to which other users can write.

use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

/// Bytes after which the tracer may not make a file longer: a chunk fits, a large value does not.
const LONGEST_FILE: usize = 1_500_000;

fn limited(file: &str, eval: &str) -> Output {
    // A shell counts in blocks of 512 bytes. A longer file is an error then, and not a signal.
    let limit = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", LONGEST_FILE / 512);
    let mut command = Command::new("sh");
    command.current_dir(program()).stdin(Stdio::null());
    command.args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_reverl"), "record", "-o", file, "--"]);
    command.args(ERL).arg(eval).output().expect("sh runs")
}

#[test]
fn a_node_runs_on_when_there_is_no_room_for_its_events() {
    let eval = format!("story:large({}), halt().", 2 * LONGEST_FILE);
    let recorded = limited("full.reverl", &eval);
    let (printed, said) = (text(&recorded.stdout), text(&recorded.stderr));
    assert!(recorded.status.success(), "{said}");
    assert_eq!(printed, format!("before\n{}\nafter\n", 2 * LONGEST_FILE));
    assert!(said.contains("recording stopped before the command ended: File too large"), "{said}");
    assert!(said.contains("replayed exactly"), "{said}");
    let replayed = reverl(&["replay", "full.reverl"]);
    assert!(text(&replayed.stderr).contains("recording stopped before the command ended"));
    let replayed = text(&replayed.stdout);
    assert!(replayed.starts_with("before\n") && !replayed.contains("\nafter\n"), "{replayed}");
}

#[test]
fn a_recording_that_cannot_be_written_is_recovered_from_its_parts() {
    // When the recording is to be written, a directory has its name.
    let eval = "file:make_dir(\"taken.reverl\"), story:race(), halt().";
    let recorded = record("taken.reverl", &[], eval);
    let said = text(&recorded.stderr);
    assert_eq!(recorded.status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write 'taken.reverl'"), "{said}");
    let (_, rest) = said.split_once("--recover '").expect("it says how to go on");
    let (parts, _) = rest.split_once('\'').expect("a path in quotes");
    let recovered = reverl(&["record", "-o", "rescued.reverl", "--recover", parts]);
    let said = text(&recovered.stderr);
    assert!(recovered.status.success() && said.contains("replayed exactly"), "{said}");
    let replayed = text(&reverl(&["replay", "rescued.reverl"]).stdout);
    assert!(replayed.starts_with(&text(&recorded.stdout)), "{replayed}");
    std::fs::remove_dir_all(parts).expect("it was kept");
    std::fs::remove_dir(program().join("taken.reverl")).expect("it is there");
}

#[test]
fn a_directory_is_refused_before_anything_runs() {
    let refused = record("..", &[], "io:format(\"it runs~n\"), halt().");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("'..' is a directory"), "{}", text(&refused.stderr));
    assert_eq!(text(&refused.stdout), "");
}

/// A cache in which a tracer was put by a recording, and where.
struct Cache {
    root: PathBuf,
    tracer: PathBuf,
}

impl Cache {
    fn new(name: &str) -> Cache {
        let root = program().join(name);
        for dir in ["cache", "tmp"] {
            std::fs::create_dir_all(root.join(dir)).expect("a directory");
        }
        let mut cache = Cache { root, tracer: PathBuf::new() };
        cache.check_recorded();
        let own = cache.root.join("cache/reverl");
        let made = std::fs::read_dir(&own).expect("it was made").flatten().map(|e| e.path());
        let made: Vec<PathBuf> = made.collect();
        cache.tracer = made.into_iter().next().expect("the tracer");
        for dir in [&own, &cache.tracer] {
            assert_eq!(std::fs::metadata(dir).expect("it is there").mode() & 0o777, 0o700);
        }
        cache
    }

    /// Puts a tracer of somebody else's in place of the one that is there.
    fn plant(&self) {
        let source = self.root.join("reverl_tracer.erl");
        let text = "-module(reverl_tracer).\n-export([start/0]).\n\
                    start() -> io:format(\"somebody else's~n\").\n";
        std::fs::write(&source, text).expect("written");
        let erlc = Command::new("erlc").arg("-o").arg(&self.tracer).arg(source).status();
        assert!(erlc.expect("erlc runs").success());
    }

    fn record(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
        command.current_dir(program()).stdin(Stdio::null());
        command.env("XDG_CACHE_HOME", self.root.join("cache")).env("TMPDIR", self.root.join("tmp"));
        command.args(["record", "-o"]).arg(self.root.join("run.reverl")).arg("--").args(ERL);
        command.arg("story:halts().").output().expect("reverl runs")
    }

    /// It is recorded, by our tracer, and nothing stays behind.
    fn check_recorded(&self) {
        let recorded = self.record();
        let said = text(&recorded.stderr);
        assert!(said.contains("replayed exactly"), "{said}");
        assert_eq!(text(&recorded.stdout), "before\n");
        let left = std::fs::read_dir(self.root.join("tmp")).expect("listed").flatten();
        assert_eq!(left.map(|e| e.path()).collect::<Vec<_>>(), [] as [PathBuf; 0]);
    }
}

#[test]
fn a_tracer_where_others_can_write_is_not_run() {
    let cache = Cache::new("shared-tracer");
    cache.plant();
    // While the directory is the user's own alone, what is in it is the user's.
    assert!(text(&cache.record().stdout).starts_with("somebody else's\n"), "nothing was planted");
    let open = |dir: &Path| {
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o777)).expect("it is ours");
    };
    open(&cache.tracer);
    cache.check_recorded();
    let cache = Cache::new("shared-cache");
    cache.plant();
    open(&cache.root.join("cache"));
    cache.check_recorded();
}

#[test]
fn a_link_to_a_tracer_is_not_followed() {
    let cache = Cache::new("linked-tracer");
    cache.plant();
    let elsewhere = cache.root.join("elsewhere");
    std::fs::rename(&cache.tracer, &elsewhere).expect("moved");
    std::os::unix::fs::symlink(&elsewhere, &cache.tracer).expect("made");
    cache.check_recorded();
}
