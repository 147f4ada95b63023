//! Files that have all their bytes on disk before they are mapped into memory.
//!
//! A page of a mapped file for which the disk has no room ends the node by a signal. A file that
//! is allocated first has room for each of its pages, or it is not made and the caller receives an error.

use std::fs::{File, OpenOptions};
use std::io::Result;

/// A new file of `len` zero bytes; nothing stays behind if there is no room for it.
pub fn new_file(path: &str, len: usize) -> Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    allocate(&file, len).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })?;
    Ok(file)
}

#[cfg(target_os = "linux")]
fn allocate(file: &File, len: usize) -> Result<()> {
    use std::os::fd::AsRawFd;
    use std::os::raw::c_int;
    unsafe extern "C" {
        fn posix_fallocate64(fd: c_int, at: i64, len: i64) -> c_int;
    }
    // SAFETY: it takes numbers alone.
    match unsafe { posix_fallocate64(file.as_raw_fd(), 0, len as i64) } {
        0 => Ok(()),
        error => Err(std::io::Error::from_raw_os_error(error)),
    }
}

/// Where no call allocates a file, writing it does.
#[cfg(not(target_os = "linux"))]
fn allocate(mut file: &File, len: usize) -> Result<()> {
    use std::io::Write;
    let zeros = [0; 1 << 14];
    let mut left = len;
    while left > 0 {
        let next = left.min(zeros.len());
        file.write_all(&zeros[..next])?;
        left -= next;
    }
    Ok(())
}
