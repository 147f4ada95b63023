//! Other releases of OTP than the installed one, in folders.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One OTP, and a directory for what is made with it.
pub struct Otp {
    #[allow(dead_code, reason = "not all tests ask for it")]
    pub release: u32,
    path: std::ffi::OsString,
    pub dir: PathBuf,
}

impl Otp {
    /// The OTP of this release, if it is there.
    pub fn find(release: u32, test: &str) -> Option<Otp> {
        let bin = folders()?.join(release.to_string()).join("bin");
        if !bin.join("erl").exists() {
            say(&format!("OTP {release} is not in {}: NOT TESTED", bin.display()));
            return None;
        }
        let others = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(bin).chain(std::env::split_paths(&others));
        let path = std::env::join_paths(paths).expect("a path");
        Some(Otp::with_path(release, path, test))
    }

    /// The OTP of this machine.
    #[allow(dead_code, reason = "not all tests ask for it")]
    pub fn installed(test: &str) -> Otp {
        Otp::with_path(0, std::env::var_os("PATH").unwrap_or_default(), test)
    }

    /// Whether there is such a command.
    #[allow(dead_code, reason = "not all tests ask for it")]
    pub fn has(&self, command: &str) -> bool {
        std::env::split_paths(&self.path).any(|dir| dir.join(command).exists())
    }

    fn with_path(release: u32, path: std::ffi::OsString, test: &str) -> Otp {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("otp-{release}-{test}"));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a directory");
        Otp { release, path, dir }
    }

    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.current_dir(&self.dir).env("PATH", &self.path).args(args);
        command.stdin(Stdio::null()).output().expect("it runs")
    }

    #[allow(dead_code, reason = "not all tests ask for it")]
    pub fn reverl(&self, args: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_reverl"), args)
    }
}

/// A line that is seen although the test passes, which `eprintln` is not.
pub fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("\n{line}\n").as_bytes());
}

/// As `scripts/otp-folders` looks for it.
fn folders() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = || named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    named("REVERL_OTP_FOLDERS").or_else(|| Some(cache()?.join("reverl-otp")))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
