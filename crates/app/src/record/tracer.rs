//! The tracer that this binary carries, put where a node can load it.

use crate::disk::{kept_directory, make_private};
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/reverl_tracer.so"));
const MODULE: &str = include_str!("../../../recorder/erl/reverl_tracer.erl");

/// A directory with the compiled module and the library. A node runs what is in it, so it must be
/// one that no other user can write to.
pub fn directory() -> Result<PathBuf, String> {
    kept_directory(&format!("tracer-{:016x}", fingerprint()), fill)
}

/// A copy of that directory, which nobody else uses.
pub fn copy(to: &Path) -> Result<PathBuf, String> {
    let from = directory()?;
    make_private(to)?;
    for file in ["reverl_tracer.so", "reverl_tracer.beam"] {
        std::fs::copy(from.join(file), to.join(file))
            .map_err(|e| format!("cannot write to '{}': {e}", to.display()))?;
    }
    Ok(to.to_owned())
}

fn fill(dir: &Path) -> Result<(), String> {
    let wrong = |e: std::io::Error| format!("cannot write to '{}': {e}", dir.display());
    std::fs::write(dir.join("reverl_tracer.so"), LIBRARY).map_err(wrong)?;
    let source = dir.join("reverl_tracer.erl");
    std::fs::write(&source, MODULE).map_err(wrong)?;
    let done = Command::new("erlc").arg("-o").arg(dir).arg(&source).output().map_err(|e| {
        format!(
            "cannot run `erlc`: {e}\nRecording needs an installed Erlang/OTP (`erl` and `erlc` in \
             the PATH); without one, `reverl run` and `reverl debug` interpret a program"
        )
    })?;
    match done.status.success() {
        true => Ok(()),
        false => Err(format!(
            "`erlc` does not compile the tracer:\n{}{}",
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr)
        )),
    }
}

/// Another version of Reverl, or of Erlang, has another directory.
fn fingerprint() -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (LIBRARY, MODULE, std::env::var_os("PATH")).hash(&mut hasher);
    hasher.finish()
}
