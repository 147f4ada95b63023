//! How fast the front end is: our lexing, preprocessing and parsing of stdlib and kernel against
//! OTP's `epp:parse_file` on the same files in the same run. CPU time, both on one core.
//!
//! `cargo run --release -p reverl-lang --example bench_front`

use reverl_lang::libraries::Libraries;
use reverl_lang::module::load_source;
use reverl_lang::options::Options;
use reverl_lang::project::{files_under, otp_lib};
use reverl_lang::source::SourceMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// As in the `reverl` binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: u32 = 10;

fn main() {
    let Some(lib) = otp_lib() else {
        eprintln!("no OTP found: put erl on the PATH");
        std::process::exit(2);
    };
    let libraries = Arc::new(Libraries::new([lib]));
    let apps = ["stdlib", "kernel"].map(|app| libraries.app_dir(app).unwrap_or_default());
    let files: Vec<PathBuf> =
        apps.iter().flat_map(|app| files_under(&app.join("src"), &["erl"])).collect();
    let bytes: u64 = files.iter().filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum();
    let includes: Vec<PathBuf> = apps.iter().map(|app| app.join("include")).collect();

    // The first round warms caches on both sides and is not counted.
    parse_all(&files, &includes, &libraries);
    let mut ours = Duration::MAX;
    for _ in 0..ROUNDS {
        let started = cpu_time();
        parse_all(&files, &includes, &libraries);
        ours = ours.min(cpu_time() - started);
    }
    let theirs = otp(&files, &includes);
    let rate = bytes as f64 / 1e6 / ours.as_secs_f64();
    println!("{} files, {:.1} MB", files.len(), bytes as f64 / 1e6);
    println!("reverl  {:>8.1} ms  ({rate:.0} MB/s)", ours.as_secs_f64() * 1e3);
    println!("epp     {:>8.1} ms", theirs.as_secs_f64() * 1e3);
    println!("ratio   {:>8.1}", theirs.as_secs_f64() / ours.as_secs_f64());
}

/// What this thread has spent on a core so far; other work on the machine does not count.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(spent.expect("Linux says how long a thread has run"))
}

fn parse_all(files: &[PathBuf], includes: &[PathBuf], libraries: &Arc<Libraries>) {
    for file in files {
        let mut options = Options { libraries: libraries.clone(), ..Options::default() };
        options.include_dirs = includes.to_vec();
        let mut sources = SourceMap::default();
        let result = load_source(file, &options, &mut sources);
        assert!(result.0.is_some(), "{}", file.display());
    }
}

/// CPU time (`erlang:statistics(runtime)`) of `epp:parse_file` over the files, best of some rounds.
fn otp(files: &[PathBuf], includes: &[PathBuf]) -> Duration {
    let list = |paths: &[PathBuf]| {
        let quoted: Vec<String> =
            paths.iter().map(|p| format!("{:?}", p.display().to_string())).collect();
        format!("[{}]", quoted.join(","))
    };
    let program = format!(
        "Fs = {}, Is = {}, \
         Round = fun() -> {{T0, _}} = statistics(runtime), \
           [{{ok, _}} = epp:parse_file(F, [{{includes, Is}}]) || F <- Fs], \
           {{T1, _}} = statistics(runtime), T1 - T0 end, \
         Round(), io:format(\"~w~n\", [lists:min([Round() || _ <- [1,2,3]])]), halt().",
        list(files),
        list(includes)
    );
    // One scheduler: OTP's own pipelining over cores would not be CPU time saved.
    let output = Command::new("erl").args(["+S", "1", "-noshell", "-eval", &program]).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    Duration::from_millis(text.trim().parse().expect("erl prints milliseconds"))
}
