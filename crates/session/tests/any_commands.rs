//! Whatever is typed in whatever order, on processes that do whatever ties processes together:
//! each command is answered, and where we are is a consistent cut of a real execution.

mod nowhere;

use nowhere::Nowhere;
use reverl_causal::execution::{Action, ActionKind};
use reverl_causal::{Cut, Entry, EventRef, System, Target, plan};
use reverl_lang::project::ProgramSources;
use reverl_machine::Program;
use reverl_programs::Dice;
use reverl_session::command::Debugger;
use reverl_session::modules::Modules;
use reverl_session::outside::{Output, RealOutside};
use reverl_session::session::{Session, default_schedule};
use reverl_term::{Atom, Term};
use std::path::PathBuf;

const SESSIONS: u64 = 600;
const COMMANDS: usize = 40;

/// One process, message and number is put in where they stand.
const FORMS: &[&str] = &[
    "run",
    "run 9",
    "step K PID",
    "step 2 event PID",
    "step 3 line PID",
    "next PID",
    "finish PID",
    "alone reverse-next",
    "alone step 3 line",
    "alone continue",
    "reverse-finish 2",
    "break exception uncaught",
    "break exception error hit 2",
    "break orphan",
    "reverse-step K PID",
    "reverse-step 2 event PID",
    "reverse-next PID",
    "reverse-finish PID",
    "back 7",
    "deliver",
    "deliver #M",
    "choose #M",
    "choose timeout #M",
    "choose timeout PID",
    "take #M",
    "choose Other = self()",
    "choose Number = 17",
    "take Number = Number + 1",
    "choose kill PID",
    "take kill PID {because, Other}",
    "undo send #M",
    "undo receive #M",
    "undo deliver #M",
    "undo spawn PID",
    "undo start PID",
    "undo exit PID",
    "undo register one",
    "undo register two",
    "undo variable Other",
    "undo line 18",
    "undo all",
    "redo send #M",
    "redo receive #M",
    "redo spawn PID",
    "redo exit PID",
    "redo all",
    "undo-one PID",
    "redo-one PID",
    "goto PID@K",
    "goto failure",
    "goto failure 2",
    "goto why Other",
    "set code all",
    "set code own",
    "split a | b",
    "lose a b",
    "heal",
    "kill-node b",
    "step 2 call PID",
    "ps",
    "ps all",
    "why-before 1a0 2a0",
    "why-before #M #M",
    "notation",
    "notation PID",
    "races",
    "races senders",
    "bindings needed PID",
    "break forever",
    "break output 'x'",
    "break state State",
    "values state State",
    "log receive _ self()",
    "log spawn self()",
    "info nodes",
    "adopt nowhere.reverl",
    "undo 3 --dry-run",
    "failure",
    "failure 2",
    "changes",
    "compare main",
    "compare b1",
    "why-not #M",
    "at 1a0 where",
    "at 0a1 bindings",
    "note too late",
    "note 1a0 the first",
    "notes",
    "unnote 1",
    "report",
    "enabled",
    "problems",
    "network",
    "mailbox PID",
    "bindings all PID",
    "where PID",
    "history PID",
    "history steps PID 7",
    "log PID",
    "trace 30",
    "events exit",
    "rolllog",
    "branches",
    "branch main",
    "branch b1",
    "branch b2",
    "why Other",
    "print {Number, Other}",
    "output",
    "up",
    "down",
    "tbreak exit",
    "watch Other",
    "ignore 1 2",
    "commands 1 where",
    "display Other",
    "undisplay",
    "until",
    "until 18",
    "mark here",
    "goto here",
    "undo to here",
    "redo to here",
    "undo send #M receive #M",
    "undo 3 PID",
    "values Other",
    "last Other",
    "history 5",
    "info timers",
    "info supervisors",
    "break exit",
    "break actors:op/5",
    "continue",
    "reverse-continue",
    "delete",
    "set schedule random 3",
    "set schedule round-robin",
    "set delivery manual",
    "set delivery instant",
];

fn programs() -> PathBuf {
    reverl_programs::directory().join("events")
}

fn crowd(seed: u64) -> Debugger {
    let args = Term::list([Term::int(seed as i64)]);
    let entry = Entry::Call { module: Atom::new("actors"), name: Atom::new("main"), args };
    let modules =
        Modules::new(ProgramSources { paths: vec![programs()], ..ProgramSources::default() });
    let world = RealOutside { output: Output::Keep };
    let system = System::new(Program::new(), Box::new(modules), Box::new(world), entry);
    Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere))
}

fn any_command(dice: &mut Dice) -> String {
    let form = FORMS[dice.below(FORMS.len())];
    let (pid, message) =
        (dice.below(13) + 83, format!("{}.{}", dice.below(13) + 83, dice.below(7) + 1));
    let number = (dice.below(60) + 1).to_string();
    form.replace("PID", &format!("<0.{pid}.0>"))
        .replace("#M", &format!("#{message}"))
        .replace('K', &number)
}

/// With every event, its causes; and nobody does anything after the end.
fn assert_consistent(session: &Session, typed: &[String]) {
    let (execution, cut) = (session.execution(), &session.cut);
    for proc in execution.ids() {
        let actions = &execution.proc(proc).actions;
        let is_exit = |a: &Action| matches!(a.what(), ActionKind::Exit(_));
        let first = actions.iter().position(is_exit);
        assert!(first.is_none_or(|i| i + 1 == actions.len()), "{proc:?} after {typed:#?}");
    }
    let at: Vec<EventRef> = execution.events().filter(|e| cut.contains(execution, *e)).collect();
    for event in at {
        let causes = plan::redo(execution, &Cut::start(execution), Target::Event(event)).to;
        for proc in execution.ids() {
            let (needed, there) = (causes.place(proc), cut.place(proc));
            let holds = needed.steps <= there.steps && needed.deliveries <= there.deliveries;
            assert!(holds, "{event:?} without its causes after {typed:#?}");
        }
    }
}

// papers: 000 | 3 (rollback operators) | rollback up to a sending, delivery or receive, a spawn, the start or the end of a process | undo send, deliver, receive, spawn, start, exit
#[test]
fn any_commands_in_any_order_are_answered_and_lead_to_consistent_cuts() {
    for seed in 0..SESSIONS {
        let (mut debugger, mut dice) = (crowd(seed), Dice(seed));
        let mut typed = vec![format!("actors:main({seed})"), "run".to_string()];
        debugger.command("run").expect("it runs");
        for _ in 0..COMMANDS {
            let command = any_command(&mut dice);
            typed.push(command.clone());
            let answer = std::panic::AssertUnwindSafe(|| debugger.command(&command));
            match std::panic::catch_unwind(answer) {
                Ok(Ok(_)) => {}
                Ok(Err(why)) => {
                    assert!(!why.to_string().is_empty(), "{command}: refused without a reason")
                }
                Err(_) => panic!("not answered: {typed:#?}"),
            }
        }
        assert_consistent(&debugger.session, &typed);
    }
}
