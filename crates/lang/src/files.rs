//! The file system and the environment, as far as the front end looks at them. No other module of
//! this crate does (`clippy.toml` holds them to it): what is read of a machine is read here.
#![expect(clippy::disallowed_methods, reason = "this is the one place")]

use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Whatever a person names: a file, or a pipe.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path)
}

/// What a program names. A device or a pipe need not end, so only a file is read.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    match is_file(path) {
        true => std::fs::read(path),
        false => Err(Error::from(ErrorKind::NotFound)),
    }
}

/// Whether there is a file at this path.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether there is a directory at this path.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// What is in a directory, sorted; nothing if it cannot be read.
pub fn entries(dir: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Deeper trees than this are mistakes.
const MAX_DEPTH: usize = 32;

/// All files with one of the extensions, sorted by path; hidden directories are left out, and so
/// are links to directories, which may go round in a circle.
pub fn below(dir: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![(dir.to_owned(), 0)];
    while let Some((dir, depth)) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if depth < MAX_DEPTH && !is_hidden {
                    pending.push((path, depth + 1));
                }
            } else if has_extension(&path, extensions) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e))
}

/// A path from the root of the file system; as it is where nobody knows the current directory.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// What a path leads to when all links are followed.
pub fn resolved(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The value of an environment variable.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
