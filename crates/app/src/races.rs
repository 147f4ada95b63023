//! `reverl races`: where another message could have been received instead.

use crate::open;
use crate::program_args::ProgramArgs;
use clap::Args;
use reverl_session::outside::Output;
use reverl_session::query::race_report::report;
use reverl_session::text;
use serde_json::json;

/// Run a program (or open a recording) and list the message races of its execution.
#[derive(Args, Clone, Debug)]
pub struct RacesArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// List also receives before which another message could have come that they would not take
    #[arg(long)]
    pub potential: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &RacesArgs) -> Result<i32, String> {
    let system = match open::existing(&args.program) {
        Some(session) => session?.system,
        None => {
            let mut system = args.program.system(Output::Keep)?;
            system.run(&mut *args.program.schedule()?, &mut |_| true);
            system
        }
    };
    let report = report(&system, args.potential);
    match args.json {
        true => println!("{}", json!(report)),
        false => println!("{}", text::race_report(&report)),
    }
    Ok(i32::from(report.actual > 0))
}
