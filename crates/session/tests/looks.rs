//! Who looks at tables, names and processes aside, right before the program itself looked, is told
//! what the program was told.

use reverl_causal::schedule::RoundRobin;
use reverl_causal::{ActionKind, EventRef};
use reverl_programs::Length;
use reverl_session::session::{Session, default_schedule};

const LENGTH: Length = Length { events: 150, steps: 20_000 };
/// So many looks of each program are asked again.
const MOST: usize = 8;
/// What `process_info` tells of the steps of a process.
const STEPS: &[&str] = &["current_", "reductions", "memory", "heap", "stack", "status"];

#[test]
fn a_look_aside_is_told_what_the_program_was_told() {
    let mut compared = 0;
    for program in reverl_programs::all() {
        let mut system = program.system();
        reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
        let session = Session::new(system, default_schedule());
        let execution = session.execution();
        let actions: Vec<EventRef> = execution
            .ids()
            .flat_map(|proc| {
                let actions = execution.proc(proc).actions.len();
                (0..actions).map(move |i| EventRef::action(proc, i))
            })
            .collect();
        let mut asked = 0;
        for event in actions {
            let Some(ActionKind::Request(answered)) = execution.action(event).map(|a| a.what())
            else {
                continue;
            };
            if asked == MOST {
                break;
            }
            // A send whose receiver does not exist is a request without a built-in.
            if answered.builtin as usize >= reverl_machine::builtins::all().len() {
                continue;
            }
            // How far a process had come between its actions is not part of a cut.
            let asks = answered.args.last().map(|asked| asked.to_string()).unwrap_or_default();
            if STEPS.iter().any(|word| asks.contains(word)) {
                continue;
            }
            let before = session.before(event);
            let mut copy = session.system.branch(&before.cut);
            let told = copy.look_aside(event.proc, answered.builtin, &answered.args);
            let Some(told) = told else { continue };
            asked += 1;
            let builtin = reverl_machine::Program::builtin(answered.builtin).name;
            let name = format!("{program} {event:?} {builtin}");
            match (told, &answered.answer) {
                (Ok(told), Ok(was)) => assert_eq!(told.to_string(), was.to_string(), "{name}"),
                (Err(_), Err(_)) => {}
                (told, _) => panic!("{name}: {:?} is not what was told", told.is_ok()),
            }
        }
        compared += asked;
    }
    eprintln!("{compared} looks compared");
    assert!(compared > 200);
}
