//! `reverl races`: where another message could have been received instead.

use crate::program_args::ProgramArgs;
use crate::recorded;
use clap::Args;
use reverl_analysis::races::{Race, races};
use reverl_causal::System;
use reverl_session::describe;
use reverl_session::outcome::show;
use reverl_session::world::Output;
use serde_json::{Value, json};

/// Run a program (or open a recording) and list the message races of its execution.
#[derive(Args, Clone, Debug)]
pub struct RacesArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &RacesArgs) -> Result<i32, String> {
    let mut system = match recorded::existing(&args.program) {
        Some(session) => session?.system,
        None => {
            let mut system = args.program.system(Output::Keep)?;
            system.run(&mut *args.program.schedule()?, &mut |_| true);
            system
        }
    };
    let found = races(&mut system);
    if args.json {
        let rows: Vec<Value> = found.iter().map(|r| row(&system, r)).collect();
        println!("{}", json!({ "races": rows }));
    } else {
        for race in &found {
            println!("{}", describe::event_line(&system, race.receive));
            for other in &race.racing {
                let id = describe::signal_name(&system, other.message);
                let message = show(&system.execution.signal(other.message).message);
                let sender = describe::who(&system, other.message.from);
                let kind = if other.is_actual {
                    "could have been received instead"
                } else {
                    "could have arrived before, but does not match"
                };
                println!("    {id} {message} from {sender} {kind}");
            }
        }
        let actual = found.iter().filter(|r| r.racing.iter().any(|o| o.is_actual)).count();
        println!("{} receives with races, {actual} of them actual", found.len());
    }
    let any = found.iter().any(|r| r.racing.iter().any(|o| o.is_actual));
    Ok(i32::from(any))
}

fn row(system: &System, race: &Race) -> Value {
    let racing: Vec<Value> = race
        .racing
        .iter()
        .map(|o| {
            json!({
                "id": describe::signal_name(system, o.message),
                "message": show(&system.execution.signal(o.message).message),
                "from": describe::pid(system, o.message.from),
                "actual": o.is_actual,
            })
        })
        .collect();
    let mut receive = describe::event_json(system, race.receive);
    receive["racing"] = json!(racing);
    receive
}
