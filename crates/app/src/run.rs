//! `reverl run`: to the end, the program's output as it comes, then the outcome.

use crate::interrupt;
use crate::open;
use crate::program_args::ProgramArgs;
use crate::tests;
use clap::Args;
use reverl_causal::System;
use reverl_session::outside::Output;
use reverl_session::query::outcome::{Outcome, outcome};
use reverl_session::session::Session;
use reverl_session::text;
use serde_json::json;

/// Run a program to its end and tell how it ended.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Stop after so many steps of all processes together
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Run the EUnit tests of the files and directories; the exit code tells whether all passed
    #[arg(long, conflicts_with = "entry")]
    pub eunit: bool,
    /// Run the Common Test suites of the directories; the exit code tells whether all passed
    #[arg(long, conflicts_with_all = ["entry", "eunit"])]
    pub ct: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Servers that wake up again and again would run for ever: how long others may go on when the main
/// process has ended, unless `--max-steps` says otherwise.
const STEPS_AFTER_MAIN: u64 = 5_000_000;

pub fn run(args: &RunArgs) -> Result<i32, String> {
    let output = if args.json { Output::Keep } else { Output::Print };
    if let Some(session) = open::existing(&args.program) {
        let session = session?;
        if !args.json {
            print!("{}", reverl_session::outcome::output(&session.system, None));
        }
        return Ok(tell_session(&session, args.json));
    }
    let program = match (args.eunit, args.ct) {
        (true, _) => tests::eunit(&args.program)?,
        (_, true) => tests::common_test(&args.program)?,
        _ => args.program.clone(),
    };
    let mut system = program.system(output)?;
    let mut schedule = args.program.schedule()?;
    interrupt::catch_ctrl_c();
    let bound = args.max_steps.unwrap_or(u64::MAX);
    let (mut limited, mut turns, mut main_ended_at) = (false, 0u64, None);
    system.run(&mut *schedule, &mut |s: &System| {
        turns += 1;
        // Adding up all processes is not for every turn of the loop.
        if bound != u64::MAX || turns % 1024 == 0 {
            let steps = s.execution().steps();
            limited = steps >= bound || interrupt::is_wanted();
            if s.has_exited(s.main) && args.max_steps.is_none() {
                limited |= steps - *main_ended_at.get_or_insert(steps) > STEPS_AFTER_MAIN;
            }
        }
        !limited
    });
    Ok(tell(&system, args.json, limited))
}

/// Prints how a recording ended. One that departs has not shown how it ended.
pub fn tell_session(session: &Session, json: bool) -> i32 {
    let outcome = Outcome {
        departed: session.departed.clone(),
        is_replay: true,
        ..outcome(&session.system, !session.system.is_over())
    };
    let code = tell_outcome(&outcome, json);
    if session.departed.is_some() { code.max(1) } else { code }
}

/// Prints the outcome; the exit code tells it too.
pub fn tell(system: &System, json: bool, limited: bool) -> i32 {
    tell_outcome(&outcome(system, limited), json)
}

fn tell_outcome(outcome: &Outcome, json: bool) -> i32 {
    match json {
        true => println!("{}", json!(outcome)),
        false => println!("{}", text::outcome(outcome)),
    }
    outcome.outcome.exit_code()
}
