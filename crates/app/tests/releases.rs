//! Recording and running on other releases of OTP than the installed one: those that
//! `scripts/otp-folders` has put beside it. Where there are none, a line says so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[path = "record/causes_table.rs"]
mod causes_table;

/// One OTP, and a directory for what is made with it.
struct Otp {
    release: u32,
    path: std::ffi::OsString,
    dir: PathBuf,
}

impl Otp {
    /// The OTP of this release, if it is there.
    fn find(release: u32, test: &str) -> Option<Otp> {
        let bin = folders()?.join(release.to_string()).join("bin");
        if !bin.join("erl").exists() {
            // Not through `eprintln`: nobody would see it.
            let loud = format!("\nOTP {release} is not in {}: NOT TESTED\n", bin.display());
            let _ = std::io::stderr().write_all(loud.as_bytes());
            return None;
        }
        let others = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(bin).chain(std::env::split_paths(&others));
        let path = std::env::join_paths(paths).expect("a path");
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("otp-{release}-{test}"));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory");
        Some(Otp { release, path, dir })
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.current_dir(&self.dir).env("PATH", &self.path).args(args);
        command.stdin(Stdio::null()).output().expect("it runs")
    }

    fn reverl(&self, args: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_reverl"), args)
    }

    /// Compiles a program of the shared set.
    fn compile(&self, file: &str) {
        let source = reverl_programs::directory().join(file);
        let source = source.to_str().expect("a name");
        let done = self.command("erlc", &["+debug_info", source]);
        assert!(done.status.success(), "OTP {}: {}", self.release, text(&done.stdout));
    }

    fn check_exact(&self, call: &str, flags: &[&str]) {
        let mut args = vec!["record", "-o", "r.reverl", "--", "erl", "-noshell"];
        args.extend(["-kernel", "logger_level", "emergency", "-pa", "."]);
        args.extend(flags);
        args.extend(["-eval", call, "-s", "init", "stop"]);
        let said = text(&self.reverl(&args).stderr);
        assert!(said.contains("replayed exactly"), "OTP {}: {call}: {said}", self.release);
    }
}

/// As `scripts/otp-folders` looks for it.
fn folders() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = || named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    named("REVERL_OTP_FOLDERS").or_else(|| Some(cache()?.join("reverl-otp")))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn recordings_are_exact(release: u32) {
    let Some(otp) = Otp::find(release, "record") else { return };
    for (module, functions) in causes_table::CAUSES {
        otp.compile(&format!("recorded/{module}.erl"));
        functions.iter().for_each(|f| otp.check_exact(&format!("{module}:{f}()"), &[]));
    }
    otp.compile("recorded/named_node.erl");
    let name = format!("reverl_test_{release}_{}", std::process::id());
    otp.check_exact("named_node:main()", &["-sname", &name]);
    std::fs::write(otp.dir.join("story.txt"), "told\n").expect("a file");
    otp.compile("outside/story.erl");
    let stories = ["race", "server", "crashing_server", "supervised", "timers", "timeouts"];
    let more = ["monitors", "table", "selective", "names", "many", "killed", "inputs"];
    for story in stories.into_iter().chain(more) {
        otp.check_exact(&format!("story:{story}()"), &[]);
    }
    otp.compile("recorded/plain_tests.erl");
    otp.check_exact("eunit:test(plain_tests)", &[]);
}

#[test]
fn recordings_of_otp_27_are_exact() {
    recordings_are_exact(27);
}

#[test]
fn recordings_of_otp_29_are_exact() {
    recordings_are_exact(29);
}

/// What is new since OTP 25 runs as it does there.
fn newer_programs_run(release: u32) {
    let Some(otp) = Otp::find(release, "run") else { return };
    let sources = std::fs::read_dir(reverl_programs::directory().join("releases"));
    for source in sources.expect("there are some").flatten() {
        let file = source.path();
        let module = file.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
        let since: u32 = module[3..5].parse().expect("a release");
        if since > release {
            continue;
        }
        otp.compile(&format!("releases/{module}.erl"));
        let eval = format!("io:format(\"=> ~0p~n\", [{module}:main()]), halt().");
        let expected = text(&otp.command("erl", &["-noshell", "-eval", &eval]).stdout);
        let call = format!("{module}:main()");
        let ran = otp.reverl(&["run", "-e", &call, file.to_str().expect("a name")]);
        let from_beam = otp.reverl(&["run", "-e", &call, &format!("{module}.beam")]);
        for ran in [ran, from_beam] {
            let told = text(&ran.stdout) + &text(&ran.stderr);
            assert_eq!(told.lines().next(), expected.lines().next(), "OTP {release}: {told}");
        }
    }
}

#[test]
fn what_is_new_in_otp_27_runs() {
    newer_programs_run(27);
}

#[test]
fn what_is_new_in_otp_29_runs() {
    newer_programs_run(29);
}
