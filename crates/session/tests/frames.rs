//! Going up and down among the calls of a process: what is printed there is what the calls have.

mod nowhere;

use nowhere::{Nowhere, debugger, said};
use reverl_causal::ProcId;
use reverl_causal::schedule::RoundRobin;
use reverl_programs::Length;
use reverl_session::command::{Debugger, Reply};
use reverl_session::language;
use reverl_session::outcome::{own_processes, show};
use reverl_session::query::Detail;
use reverl_session::query::process::{Calls, calls};
use reverl_session::session::{Session, default_schedule};

const LENGTH: Length = Length { events: 100, steps: 2_000 };
/// Not all programs: each expression is compiled.
const EVERY: usize = 3;
/// Positions of each process that are looked at.
const POSITIONS: u64 = 2;

fn all_calls(d: &Debugger, proc: ProcId) -> Calls {
    calls(&d.session.now(), proc, usize::MAX, Detail::Whole)
}

/// A variable of the call that is looked at is printed with the value that the call has.
fn check_variables(d: &mut Debugger, proc: ProcId, level: usize, name: &str) -> usize {
    let seen = all_calls(d, proc);
    let values = reverl_session::scope::levels_at_cut(&d.session.now(), proc);
    let expected = language::visible(&values[level].bindings);
    assert_eq!(expected.len(), seen.calls[level].bindings.len(), "{name}");
    for (variable, value) in expected.iter().take(3) {
        let printed = d.command(&format!("print {variable}"));
        let Ok(Reply::Value(printed)) = printed else { panic!("{name}: {variable}: {printed:?}") };
        assert_eq!(printed.value, show(value), "{name}: {variable} at level {level}");
        let is_as_erlang_has_it = printed.pretty == language::pretty(value);
        assert!(is_as_erlang_has_it || printed.pretty.contains('#'), "{name}: {}", printed.pretty);
        // Where it came from is asked of the same call, and begins with the same value.
        let why = d.command(&format!("why {variable}"));
        let Ok(Reply::Reason(why)) = why else { panic!("{name}: why {variable}: {why:?}") };
        assert_eq!(why.value, show(value), "{name}: why {variable} at level {level}");
        let first = why.chain.first().map(|hop| hop.variable.as_deref());
        // Who hibernates has left all calls, that one too: nobody can tell how it began.
        let is_cut_off = first.is_none() && seen.calls[level].function == "erlang:hibernate/3";
        let begins_here = first == Some(Some(variable.as_str()));
        assert!(begins_here || is_cut_off, "{name}: {variable} at level {level}: {first:?}");
    }
    expected.len().min(3)
}

#[test]
fn what_is_printed_in_a_call_is_what_the_call_has() {
    let mut compared = 0;
    for program in reverl_programs::all().step_by(EVERY) {
        let mut system = program.system();
        reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
        let mut d = Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere));
        let own: Vec<ProcId> = own_processes(&d.session.system).take(2).collect();
        for proc in own {
            let (path, steps) = {
                let p = d.session.execution().proc(proc);
                (p.path.to_string(), p.steps)
            };
            for i in 0..POSITIONS.min(steps) {
                let to = format!("goto {path}@{}", (i + 1) * steps / POSITIONS.min(steps));
                d.command(&to).unwrap_or_else(|why| panic!("{program}: {to}: {why}"));
                let depth = all_calls(&d, proc).depth;
                for level in 0..depth.min(3) {
                    compared += check_variables(&mut d, proc, level, &format!("{program} {to}"));
                    let further = d.command("up").is_ok();
                    assert_eq!(further, level + 1 < depth, "{program} {to}");
                }
            }
        }
    }
    eprintln!("{compared} variables compared");
    assert!(compared > 500);
}

#[test]
fn up_and_down_are_each_others_inverse_and_a_move_is_innermost_again() {
    let mut d = debugger("moments/crash_in_loop");
    said(&mut d, "run");
    said(&mut d, "undo exit P");
    let innermost = said(&mut d, "bindings");
    let up = said(&mut d, "up");
    assert!(up.starts_with("#1 "), "{up}");
    let outer = said(&mut d, "bindings");
    assert_ne!(outer, innermost);
    assert!(said(&mut d, "where").contains("<- here"));
    assert_eq!(said(&mut d, "down 9"), said(&mut d, "frame 0"));
    assert_eq!(said(&mut d, "bindings"), innermost);
    assert_eq!(said(&mut d, "down"), "this is the innermost call");
    said(&mut d, "up 99");
    assert_eq!(said(&mut d, "up"), "this is the first call of the process");
    assert!(said(&mut d, "frame 99").starts_with("there is no call 99"));
    said(&mut d, "reverse-step");
    assert!(!said(&mut d, "where").contains("<- here"));
}
