//! `reverl races`: where another message could have been received instead.

use crate::program_args::ProgramArgs;
use crate::recorded;
use clap::Args;
use reverl_analysis::conflicts::{Conflict, conflicts};
use reverl_analysis::races::{Race, races};
use reverl_causal::object::Object;
use reverl_causal::{EventRef, SignalId, System};
use reverl_session::describe;
use reverl_session::outcome::show;
use reverl_session::outside::Output;
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
    let system = match recorded::existing(&args.program) {
        Some(session) => session?.system,
        None => {
            let mut system = args.program.system(Output::Keep)?;
            system.run(&mut *args.program.schedule()?, &mut |_| true);
            system
        }
    };
    let found = races(&system);
    let others = conflicts(&system);
    if args.json {
        let rows: Vec<Value> = found.iter().map(|r| row(&system, r)).collect();
        let others: Vec<Value> = others.iter().map(|c| other_row(&system, c)).collect();
        println!("{}", json!({ "races": rows, "others": others }));
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
        for conflict in &others {
            let (kind, events, text) = told(&system, conflict);
            println!("{kind}: {text}");
            for event in events {
                println!("    {}", describe::event_line(&system, event));
            }
        }
        let actual = found.iter().filter(|r| r.racing.iter().any(|o| o.is_actual)).count();
        println!(
            "{} receives with races, {actual} of them actual; {} other races",
            found.len(),
            others.len()
        );
    }
    let any = found.iter().any(|r| r.racing.iter().any(|o| o.is_actual));
    Ok(i32::from(any))
}

/// What kind of race it is, its events, and what it is about.
fn told(system: &System, conflict: &Conflict) -> (&'static str, Vec<EventRef>, String) {
    let message = |id: SignalId| {
        let name = describe::signal_name(system, id);
        format!("{name} {}", show(&system.execution.signal(id).message))
    };
    match conflict {
        Conflict::LateMessage { timeout, message: id } => {
            let text = format!("{} would have been taken if it had come earlier", message(*id));
            ("timeout", vec![*timeout], text)
        }
        Conflict::CouldTimeOut { receive } => {
            ("timeout", vec![*receive], "it could have timed out before the message came".into())
        }
        Conflict::Killed { exit, signal } => {
            let from = describe::who(system, signal.from);
            ("exit", vec![*exit], format!("the exit signal of {from} could have come at any step"))
        }
        Conflict::Access { object, first, second } => {
            let (kind, what) = match object {
                Object::Name(name) => ("name", name.name().to_string()),
                Object::Table(_) => ("table", "a table".into()),
                Object::TableName(name) => ("table", format!("the table {}", name.name())),
                Object::Atomics(_) => ("atomics", "atomics or counters".into()),
                _ => ("shared", "something shared".into()),
            };
            let text = format!("two accesses of {what} could have come in the other order");
            (kind, vec![*first, *second], text)
        }
    }
}

fn other_row(system: &System, conflict: &Conflict) -> Value {
    let (kind, events, text) = told(system, conflict);
    let events: Vec<Value> = events.iter().map(|e| describe::event_json(system, *e)).collect();
    json!({ "kind": kind, "text": text, "events": events })
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
