//! `reverl replay`: a recording replayed and checked against itself.

use crate::open;
use crate::program_args::ProgramArgs;
use crate::run::tell_session;
use clap::Args;
use std::path::PathBuf;

/// Replay a recording, say where the program departs from it, and tell how it ends.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The recording, or the directory of a log that CauDEr's tracer wrote
    #[arg(value_name = "FILE")]
    pub recording: PathBuf,
    /// The program of a log, if it is not beside it
    #[arg(value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,
    /// List what was recorded on a real node instead
    #[arg(long)]
    pub list: bool,
    /// List what this process did alone: <0.84.0>
    #[arg(long, value_name = "PID", requires = "list")]
    pub process: Option<String>,
    /// Replay as much as has room in this memory (default: half of the machine's)
    #[arg(long, value_name = "MEGABYTES")]
    pub max_memory: Option<u64>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &ReplayArgs) -> Result<i32, String> {
    if args.list {
        return open::list(&args.recording, args.process.as_deref());
    }
    let session = match open::cauder::is_log(&args.recording) {
        true => {
            let program = ProgramArgs::of_files(args.program.clone());
            open::cauder::open(&program, &args.recording)?
        }
        false => open::open(&args.recording, args.max_memory)?,
    };
    if !args.json {
        print!("{}", reverl_session::outcome::output(&session.system, None));
    }
    Ok(tell_session(&session, args.json))
}
