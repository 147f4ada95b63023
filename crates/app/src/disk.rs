//! What Reverl puts on the disk: files that are there whole or not at all, and directories to
//! which no other user of the machine can write.
//!
//! Directories for temporary files belong to everybody: a name in them that can be guessed may be
//! taken already, by somebody who waits for us to read or write there.

use nix::unistd::geteuid;
use std::fs::{DirBuilder, Permissions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{Builder, TempDir};

/// A file is there whole or not at all, and nothing else stays behind.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As readable as any other new file of the user's.
    let readable = Permissions::from_mode(0o666);
    let part = Builder::new().prefix(".reverl-part-").permissions(readable).tempfile_in(dir);
    part.and_then(|mut part| {
        part.as_file_mut().write_all(bytes)?;
        part.as_file().sync_all()?;
        part.persist(path).map_err(|e| e.error)
    })
    .map(drop)
    .map_err(|e| format!("cannot write '{}': {e}", path.display()))
}

/// A directory of this user's own that is filled once and found again under its name. Where the
/// user has no place for it, it is a new one, which is removed at the end.
pub fn kept_directory(
    name: &str,
    fill: impl Fn(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let Some(home) = cache() else { return fresh_directory(&fill) };
    let dir = home.join(name);
    if is_own(&dir, geteuid().as_raw()) {
        return Ok(dir);
    }
    let part = private_directory(&home)?;
    fill(part.path())?;
    // Others may do the same at the same time: the one that is ready first wins.
    match std::fs::rename(part.path(), &dir) {
        Ok(()) => drop(part.keep()),
        Err(_) if is_own(&dir, geteuid().as_raw()) => {}
        Err(_) => return fresh_directory(&fill),
    }
    Ok(dir)
}

/// Directories to be removed when the program ends.
static FRESH: Mutex<Vec<TempDir>> = Mutex::new(vec![]);

fn fresh_directory(fill: &impl Fn(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
    let dir = private_directory(&std::env::temp_dir())?;
    fill(dir.path())?;
    let path = dir.path().to_owned();
    FRESH.lock().unwrap_or_else(PoisonError::into_inner).push(dir);
    Ok(path)
}

/// Removes what was made for this run alone.
pub fn remove_fresh_directories() {
    FRESH.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

fn private_directory(dir: &Path) -> Result<TempDir, String> {
    let only_own = Permissions::from_mode(0o700);
    let made = Builder::new().prefix("reverl-").permissions(only_own).tempdir_in(dir);
    made.map_err(|e| format!("cannot make a directory in '{}': {e}", dir.display()))
}

/// A name among temporary files that nobody can guess; nothing is there yet.
pub fn unguessable_directory(prefix: &str) -> PathBuf {
    let number = getrandom::u64().expect("the operating system has random bytes");
    std::env::temp_dir().join(format!("{prefix}-{number:016x}"))
}

/// Makes a directory, unless it is there, that is nobody else's business.
pub fn make_private(dir: &Path) -> Result<(), String> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.map_err(|e| format!("cannot make '{}': {e}", dir.display()))
}

/// The directory for what can be made again, if there is one that others cannot write to.
fn cache() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    let own = base.join("reverl");
    make_private(&own).ok()?;
    let me = geteuid().as_raw();
    (keeps_its_names(&base, me) && is_own(&own, me)).then_some(own)
}

/// Whether a directory is the user's, and others cannot write to it.
fn is_own(dir: &Path, user: u32) -> bool {
    // A link is not followed: it would be somebody else's word for what is there.
    let found = std::fs::symlink_metadata(dir);
    found.is_ok_and(|m| m.is_dir() && m.uid() == user && m.mode() & 0o022 == 0)
}

/// Whether nobody but the user (and the system's own) can give a name in this directory to
/// something else. In a sticky one each name is its owner's.
fn keeps_its_names(dir: &Path, user: u32) -> bool {
    std::fs::metadata(dir).is_ok_and(|m| {
        let is_trusted = m.uid() == user || m.uid() == 0;
        m.is_dir() && is_trusted && (m.mode() & 0o022 == 0 || m.mode() & 0o1000 != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    }

    #[test]
    fn a_directory_of_another_user_is_not_own() {
        let dir = tempfile::tempdir().expect("a directory");
        let me = geteuid().as_raw();
        set_mode(dir.path(), 0o755);
        assert!(is_own(dir.path(), me));
        assert!(!is_own(dir.path(), me + 1));
        assert!(keeps_its_names(dir.path(), me));
    }

    #[test]
    fn a_directory_that_others_can_write_to_is_not_own() {
        let dir = tempfile::tempdir().expect("a directory");
        let me = geteuid().as_raw();
        for mode in [0o777, 0o775, 0o1777, 0o722] {
            set_mode(dir.path(), mode);
            assert!(!is_own(dir.path(), me), "{mode:o}");
            assert_eq!(keeps_its_names(dir.path(), me), mode == 0o1777, "{mode:o}");
        }
        set_mode(dir.path(), 0o700);
    }

    #[test]
    fn a_link_to_an_own_directory_is_not_own() {
        let dir = tempfile::tempdir().expect("a directory");
        let (own, link) = (dir.path().join("own"), dir.path().join("link"));
        make_private(&own).expect("made");
        std::os::unix::fs::symlink(&own, &link).expect("made");
        let me = geteuid().as_raw();
        assert!(is_own(&own, me) && !is_own(&link, me));
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_nothing_behind() {
        let dir = tempfile::tempdir().expect("a directory");
        let taken = dir.path().join("taken.reverl");
        std::fs::create_dir(&taken).expect("made");
        let why = write_whole(&taken, b"bytes").expect_err("a directory is no file");
        assert!(why.contains("taken.reverl"), "{why}");
        assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1);
        let free = dir.path().join("free.reverl");
        write_whole(&free, b"bytes").expect("written");
        assert_eq!(std::fs::read(&free).expect("read"), b"bytes");
        assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 2);
    }
}
