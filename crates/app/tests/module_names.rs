//! Which file a module comes from, and what is said when the file of that name is not it.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().expect("inside")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    dir
}

fn reverl(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reverl"));
    let Output { status, stdout, stderr } =
        command.current_dir(dir).args(args).output().expect("reverl runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout) + &text(stderr))
}

const FOO: &str = "-module(bar).\n-export([main/0]).\nmain() -> ok.\n";
const CALLER: &str = "-module(caller).\n-export([main/0]).\nmain() -> foo:main().\n";

#[test]
fn a_call_of_a_module_whose_file_defines_another_is_undefined_and_says_so() {
    let dir = tree(&[("foo.erl", FOO), ("caller.erl", CALLER)]);
    for args in [&["run", "caller.erl"][..], &["run", "foo.erl", "-e", "foo:main()"]] {
        let (code, said) = reverl(dir.path(), args);
        assert_eq!(code, Some(1), "{args:?}: {said}");
        assert!(said.contains("undef"), "{args:?}: {said}");
        assert!(said.contains("foo.erl defines bar, not foo"), "{args:?}: {said}");
    }
}

#[test]
fn a_file_is_run_whatever_its_name() {
    let dir = tree(&[("foo.erl", FOO)]);
    let (code, said) = reverl(dir.path(), &["run", "foo.erl"]);
    assert_eq!((code, said.lines().next()), (Some(0), Some("=> ok")), "{said}");
}

#[test]
fn a_file_named_otherwise_than_its_module_is_an_error_as_it_is_to_erlc() {
    let dir = tree(&[("foo.erl", FOO), ("bar.erl", FOO)]);
    let (code, said) = reverl(dir.path(), &["check", "foo.erl"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("foo.erl:1:"), "{said}");
    assert!(said.contains("module name 'bar' does not match file name 'foo'"), "{said}");
    let (code, said) = reverl(dir.path(), &["check", "bar.erl"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn a_call_of_a_module_with_errors_shows_them() {
    let broken = "-module(foo).\n-export([main/0]).\nmain() -> X.\n";
    let dir = tree(&[("foo.erl", broken), ("caller.erl", CALLER)]);
    let (code, said) = reverl(dir.path(), &["run", "caller.erl"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("undef") && said.contains("foo.erl cannot be used"), "{said}");
    assert!(said.contains("variable 'X' is unbound"), "{said}");
}

#[test]
fn a_module_of_an_unrelated_project_does_not_take_the_place_of_otps() {
    let hello = "-module(hello).\n-export([main/0]).\n\
                 main() -> proplists:get_value(a, [{a, 1}]).\n";
    let foreign = "-module(proplists).\n-export([get_value/2]).\n\
                   get_value(_, _) -> from_an_unrelated_project.\n";
    let dir = tree(&[("src/hello/hello.erl", hello), ("src/other/proplists.erl", foreign)]);
    let (code, said) = reverl(dir.path(), &["run", "src/hello/hello.erl"]);
    assert_eq!((code, said.lines().next()), (Some(0), Some("=> 1")), "{said}");
}
