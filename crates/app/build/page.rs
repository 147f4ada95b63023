//! Makes the page of `reverl ui` a part of the binary: `npm ci` and the bundler, in cargo's own
//! directory. Without Node or without its packages the binary is built without the page, and
//! `reverl ui` says so.

use std::path::{Path, PathBuf};
use std::process::Command;

const INPUTS: &[&str] = &["package.json", "package-lock.json", ".npmrc", "bundle.mjs", "src"];

/// Writes `page.rs` with the files of the page, or with none.
pub fn embed(root: &Path, out: &Path) {
    let root = root.join("../../web");
    println!("cargo::rerun-if-changed=build/page.rs");
    for input in INPUTS {
        println!("cargo::rerun-if-changed={}", root.join(input).display());
    }
    let files = match page(&root, out) {
        Ok(files) => files,
        Err(why) => {
            println!("cargo::warning=built without the page of 'reverl ui': {why}");
            // A file that never is there: the next build tries again.
            println!("cargo::rerun-if-changed={}", out.join("try-again").display());
            vec![]
        }
    };
    let rows: String = files
        .iter()
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("    ({name:?}, include_bytes!({path:?})),\n")
        })
        .collect();
    let text = format!("/// Name and bytes.\nconst FILES: &[(&str, &[u8])] = &[\n{rows}];\n");
    std::fs::write(out.join("page.rs"), text).expect("cargo's directory can be written");
}

/// Builds the page and gives its files.
fn page(root: &Path, out: &Path) -> Result<Vec<PathBuf>, String> {
    let work = out.join("web");
    let fresh = |e: std::io::Error| format!("cannot prepare {}: {e}", work.display());
    std::fs::create_dir_all(&work).map_err(fresh)?;
    if work.join("src").exists() {
        std::fs::remove_dir_all(work.join("src")).map_err(fresh)?;
    }
    let lock_before = std::fs::read(work.join("package-lock.json")).ok();
    for input in INPUTS {
        copy(&root.join(input), &work.join(input)).map_err(fresh)?;
    }
    let lock_now = std::fs::read(work.join("package-lock.json")).ok();
    if lock_before != lock_now || !work.join("node_modules").exists() {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let quiet = ["ci", "--no-audit", "--no-fund", "--silent"];
        run(Command::new(npm).args(quiet).current_dir(&work)).inspect_err(|_| {
            // What is half there must not count as there.
            let _ = std::fs::remove_dir_all(work.join("node_modules"));
        })?;
    }
    run(Command::new("node").arg("bundle.mjs").arg("dist").current_dir(&work))?;
    let files = std::fs::read_dir(work.join("dist")).map_err(fresh)?;
    let mut files: Vec<PathBuf> = files.flatten().map(|f| f.path()).collect();
    files.sort();
    Ok(files)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().to_string();
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let line = told.lines().find(|l| !l.trim().is_empty()).unwrap_or("it failed");
    Err(format!("{name}: {line}"))
}
