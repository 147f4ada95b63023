//! `reverl`: the command line.
#![forbid(unsafe_code)]

mod ask;
mod check;
mod dap;
mod debug;
mod disk;
mod explore;
mod export;
mod fault;
mod interrupt;
mod open;
mod program_args;
mod races;
mod record;
mod replay;
mod run;
mod tests;
mod ui;

use clap::{Parser, Subcommand};
use std::ffi::OsString;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A causal-consistent reversible debugger for Erlang.
#[derive(Parser)]
#[command(name = "reverl", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::RunArgs),
    Debug(debug::DebugArgs),
    Check(check::CheckArgs),
    Replay(replay::ReplayArgs),
    Explore(Box<explore::ExploreArgs>),
    Races(races::RacesArgs),
    Ask(ask::AskArgs),
    Export(export::ExportArgs),
    Record(record::RecordArgs),
    Ui(ui::UiArgs),
    Dap(dap::DapArgs),
}

/// Enough for the deepest expression that the parser accepts.
const STACK: usize = 256 << 20;

fn main() {
    // A reader that has seen enough (`| head`) ends us quietly.
    sigpipe::reset();
    fault::say_how_to_replay();
    let cli = Cli::parse_from(nodes_with_their_calls(std::env::args_os().collect()));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || dispatch(cli));
    let code = worker.expect("a thread").join().unwrap_or(101);
    disk::remove_fresh_directories();
    std::process::exit(code);
}

fn dispatch(cli: Cli) -> i32 {
    let done = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Debug(args) => debug::run(&args),
        Command::Check(args) => Ok(check::run(&args)),
        Command::Replay(args) => replay::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Races(args) => races::run(&args),
        Command::Ask(args) => ask::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Ui(args) => ui::run(&args),
        Command::Dap(args) => dap::run(&args),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("reverl: {}", problem.trim_end());
        2
    })
}

/// Each `--node NAME -e CALL` as one word: a call belongs to the node before it. Where a real node is
/// recorded there are no calls.
fn nodes_with_their_calls(words: Vec<OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = vec![];
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let is_name = all.last().is_some_and(|last| last == "--node");
        let has_call = words.peek().is_some_and(|next| next == "-e" || next == "--entry");
        all.push(word);
        if is_name && has_call {
            words.next();
            let call = words.next().unwrap_or_default();
            if let Some(name) = all.last_mut() {
                name.push("=");
                name.push(call);
            }
        }
    }
    all
}
