//! `reverl run`: to the end, the program's output as it comes, then the outcome.

use crate::program_args::ProgramArgs;
use crate::recorded;
use clap::Args;
use reverl_causal::{ProcId, System};
use reverl_lang::project::otp_lib;
use reverl_session::describe;
use reverl_session::outcome::{self, Status, Unreceived, Verdict, show};
use reverl_session::outside::Output;
use reverl_term::{Atom, Term, fmt};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Run a program to its end and tell how it ended.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Stop after so many steps of all processes together
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Servers that wake up again and again would run for ever: how long others may go on when the main
/// process has ended, unless `--max-steps` says otherwise.
const STEPS_AFTER_MAIN: u64 = 5_000_000;

/// Ctrl-C stops the run, and its outcome is told.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub fn run(args: &RunArgs) -> Result<i32, String> {
    let output = if args.json { Output::Keep } else { Output::Print };
    if let Some(session) = recorded::existing(&args.program) {
        let session = session?;
        return Ok(tell(&session.system, args.json, !session.system.enabled().is_empty()));
    }
    let mut system = args.program.system(output)?;
    let mut schedule = args.program.schedule()?;
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let bound = args.max_steps.unwrap_or(u64::MAX);
    let (mut limited, mut turns, mut main_ended_at) = (false, 0u64, None);
    system.run(&mut *schedule, &mut |s: &System| {
        turns += 1;
        // Adding up all processes is not for every turn of the loop.
        if bound != u64::MAX || turns % 1024 == 0 {
            let steps = s.execution.steps();
            limited = steps >= bound || INTERRUPTED.load(Ordering::Relaxed);
            if s.has_exited(s.main) && args.max_steps.is_none() {
                limited |= steps - *main_ended_at.get_or_insert(steps) > STEPS_AFTER_MAIN;
            }
        }
        !limited
    });
    Ok(tell(&system, args.json, limited))
}

/// Prints the outcome; the exit code tells it too.
pub fn tell(system: &System, json: bool, limited: bool) -> i32 {
    let verdict = outcome::verdict(system, limited);
    if json {
        println!("{}", report(system, verdict));
    } else {
        print_outcome(system, verdict, limited);
    }
    i32::from(verdict != Verdict::Finished)
}

fn own(system: &System) -> impl Iterator<Item = ProcId> + '_ {
    system.execution.ids().filter(|p| !system.execution.proc(*p).is_system)
}

fn pid(system: &System, proc: ProcId) -> String {
    reverl_term::fmt::write(&system.pid(proc))
}

pub fn report(system: &System, verdict: Verdict) -> Value {
    let (lost, orphans) = outcome::unreceived(system);
    json!({
        "outcome": verdict.name(),
        "main": process(system, system.main),
        "processes": own(system).map(|p| process(system, p)).collect::<Vec<_>>(),
        "lost": lost.iter().map(|u| message(system, u)).collect::<Vec<_>>(),
        "orphans": orphans.iter().map(|u| message(system, u)).collect::<Vec<_>>(),
        "steps": system.execution.steps(),
        "events": system.execution.event_count(),
        "output": outcome::output(system, None),
    })
}

fn process(system: &System, proc: ProcId) -> Value {
    let p = system.execution.proc(proc);
    let exit = p.exit();
    json!({
        "pid": pid(system, proc),
        "path": &*p.path,
        "entry": describe::initial_call(system, proc),
        "status": outcome::status(system, proc).name(),
        "result": exit.and_then(|e| e.value.as_ref()).map(show),
        "exit_reason": exit.map(|e| show(&e.reason)),
        "at": outcome::place(system, proc),
        "own_at": outcome::own_place(system, proc),
    })
}

fn message(system: &System, m: &Unreceived) -> Value {
    json!({
        "from": pid(system, m.from),
        "to": m.to.map(|to| pid(system, to)),
        "message": show(&m.message),
    })
}

fn print_outcome(system: &System, verdict: Verdict, limited: bool) {
    let main = system.execution.proc(system.main);
    match (verdict, main.exit()) {
        (Verdict::Finished, Some(exit)) => match &exit.value {
            Some(value) => println!("=> {}", show(value)),
            None => println!("the main process exited: {}", show(&exit.reason)),
        },
        (Verdict::Crashed, Some(exit)) => {
            let at = outcome::place_in_words(system, system.main);
            println!("the main process crashed at {at}");
            println!("{}", reason_text(system, exit));
        }
        (Verdict::Finished | Verdict::Crashed, None) => match system.halted() {
            Some(code) if code != 0 => println!("the program halted with {code}"),
            _ => println!("the program halted"),
        },
        (Verdict::Deadlock, _) => println!("deadlock: the main process waits for ever"),
        (Verdict::Limit, _) => println!("stopped after {} steps", system.execution.steps()),
    }
    let (idle, others): (Vec<ProcId>, Vec<ProcId>) =
        own(system).partition(|p| outcome::is_idle(system, *p));
    for proc in others {
        let p = system.execution.proc(proc);
        let at = outcome::place_in_words(system, proc);
        let call = describe::initial_call(system, proc);
        let who = format!("{} ({}, {call})", pid(system, proc), p.path);
        match (outcome::status(system, proc), p.exit()) {
            (Status::Blocked, _) => println!("blocked: {who} in the receive at {at}"),
            (Status::Exited, Some(exit))
                if proc != system.main && !outcome::is_normal(&exit.reason) =>
            {
                let reason = describe::short(&outcome::short_reason(&exit.reason));
                let signal = exit.killed_by.and_then(|i| p.deliveries.get(i as usize));
                match signal.map(|d| pid(system, d.signal.from)) {
                    Some(by) => println!("ended by {by}: {who} at {at}: {reason}"),
                    None => println!("crashed: {who} at {at}: {reason}"),
                }
            }
            (Status::Running, _) if limited => println!("still running: {who} at {at}"),
            _ => {}
        }
    }
    if limited && verdict != Verdict::Limit {
        println!("the others would go on; --max-steps N lets them run longer");
    }
    if let [first, ..] = idle.as_slice() {
        let name = |p: &ProcId| match system.live(*p).name() {
            Some(name) => fmt::write(&Term::atom(name)),
            None => format!("{} ({})", pid(system, *p), describe::initial_call(system, *p)),
        };
        let shown: Vec<String> = idle.iter().take(10).map(name).collect();
        let more = if idle.len() > 10 { ", ..." } else { "" };
        let wait = if idle == [*first] { "waits" } else { "wait" };
        println!("idle: {}{more} {wait} for requests", shown.join(", "));
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (what, list) in [("lost", lost), ("orphan", orphans)] {
        for m in list.iter().take(20) {
            let to = m.to.map_or("nobody".into(), |to| pid(system, to));
            println!("{what} message: {} from {} to {to}", show(&m.message), pid(system, m.from));
        }
    }
}

/// The reason with its stack trace, a frame a line.
fn reason_text(system: &System, exit: &reverl_causal::execution::Exited) -> String {
    let Some(e) = &exit.exception else { return format!("  exit signal: {}", show(&exit.reason)) };
    let mut text = format!("  {}: {}", e.class.atom().name(), show(&e.reason));
    let trace = outcome::trace(system, system.main);
    for frame in &trace {
        let at = frame.at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        text.push_str(&format!("\n    in {}{at}", frame.call()));
    }
    match trace.first() {
        Some(frame) if e.reason.is_atom_eq(Atom::new("undef")) => {
            text + &format!("\n  {}", undefined(system, frame.module))
        }
        _ => text,
    }
}

/// Where Reverl looked for what is not there.
fn undefined(system: &System, module: Atom) -> String {
    let name = fmt::write(&Term::atom(module));
    if system.program().code.modules.contains_key(&module) {
        return format!("module {name} is there, but does not export that function");
    }
    if let Some(why) = system.world().why_missing(module) {
        return format!("module {name} is not there: {why}");
    }
    let otp = match otp_lib() {
        Some(lib) => format!("in OTP ({})", lib.display()),
        None => "in an OTP, which is not installed".into(),
    };
    format!(
        "module {name} is not in the files given, beside them, in their project, or {otp}: \
         give its file, or the directory of its .beam with --pa"
    )
}
