//! Small programs that a test writes itself, and what exploring says of them.
#![allow(dead_code)] // Each test uses what it needs.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Erlang modules in a directory of their own, which goes with them.
pub struct Sources(pub PathBuf);

impl Sources {
    pub fn new(name: &str, modules: &[(&str, &str)]) -> Sources {
        let dir = std::env::temp_dir().join(format!("reverl-expect-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory");
        for (module, text) in modules {
            let text = format!("-module({module}).\n-compile(export_all).\n{text}");
            std::fs::write(dir.join(format!("{module}.erl")), text).expect("written");
        }
        Sources(dir)
    }

    /// Explores a call with these arguments; all files are named as seen from their directory.
    pub fn explore(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_reverl"))
            .current_dir(&self.0)
            .args(["explore", ".", "--save", "kept"])
            .args(args)
            .output()
            .expect("reverl runs")
    }

    pub fn report(&self, args: &[&str]) -> (i32, Value) {
        let output = self.explore(&[args, &["--json"]].concat());
        let code = output.status.code().expect("an exit code");
        let report = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
        (code, report)
    }

    pub fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).expect("it was written")
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
