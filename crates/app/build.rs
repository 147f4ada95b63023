//! What the binary carries: the tracer (`crates/recorder`), compiled here, and the page of
//! `reverl ui`.
//!
//! The tracer is a shared library for another program, an Erlang node, and needs no crates: the compiler
//! that compiles this compiles it too.

#[path = "build/page.rs"]
mod page;

use std::path::PathBuf;
use std::process::Command;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let source = root.join("../recorder/src");
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    let mut rustc = Command::new(std::env::var("RUSTC").expect("set by cargo"));
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "reverl_tracer"]);
    rustc.args(["-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols"]);
    rustc.args(["--target", &std::env::var("TARGET").expect("set by cargo")]);
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "macos") {
        // The node has the functions that it calls.
        rustc.args(["-C", "link-arg=-undefined", "-C", "link-arg=dynamic_lookup"]);
    }
    rustc.arg(source.join("lib.rs")).arg("-o").arg(out.join("reverl_tracer.so"));
    let status = rustc.status().expect("the compiler runs");
    assert!(status.success(), "the tracer does not compile");
    page::embed(&root, &out);
}
