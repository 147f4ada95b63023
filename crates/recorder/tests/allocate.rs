//! A file that the tracer maps has room on disk for each of its bytes: writing to the mapping can
//! then not end the node by a signal.

#![allow(dead_code, reason = "each test file uses a part")]

mod written;

use std::os::unix::fs::MetadataExt;
use written::allocate;

#[test]
fn a_new_file_has_all_its_blocks() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("chunk");
    let len = 1 << 20;
    let file = allocate::new_file(path.to_str().expect("a name"), len).expect("room");
    let found = file.metadata().expect("it is there");
    assert_eq!(found.len(), len as u64);
    assert!(found.blocks() * 512 >= len as u64, "{} blocks of 512 bytes", found.blocks());
    assert!(std::fs::read(&path).expect("it can be read").iter().all(|b| *b == 0));
}

#[test]
fn a_file_without_room_is_an_error_and_leaves_nothing_behind() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("chunk");
    let largest = i64::MAX as usize - 4096;
    let refused = allocate::new_file(path.to_str().expect("a name"), largest);
    assert!(refused.is_err(), "no disk is that large");
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_there_already_is_not_touched() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("chunk");
    std::fs::write(&path, b"precious").expect("written");
    assert!(allocate::new_file(path.to_str().expect("a name"), 4096).is_err());
    assert_eq!(std::fs::read(&path).expect("it is there"), b"precious");
}
