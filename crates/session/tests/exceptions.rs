//! Breakpoints on exceptions: the same ones live, along what has happened and backwards, and all of
//! them, as a search of all positions says.

mod nowhere;

use nowhere::Nowhere;
use reverl_causal::ProcId;
use reverl_lang::code::Pc;
use reverl_programs::{Length, Program, Tag};
use reverl_session::command::{Debugger, Note, Reply};
use reverl_session::exceptions::{Catcher, ExceptionStop};
use reverl_session::session::{Session, default_schedule};
use std::collections::{BTreeSet, HashSet};

/// Programs that take longer are looked at elsewhere.
const MOST_STEPS: u64 = 15_000;

type Stops = Vec<(ProcId, u64)>;

/// The stops of a command that is given until nothing stops it any more.
fn stops(debugger: &mut Debugger, command: &str) -> Stops {
    let mut found = vec![];
    loop {
        let Ok(Reply::Move(moved)) = debugger.command(command) else { panic!("{command}") };
        let is_stop = |note: &Note| matches!(note, Note::Exception { .. });
        if !moved.notes.iter().any(is_stop) {
            return found;
        }
        let proc = debugger.session.current;
        found.push((proc, debugger.session.steps_of(proc)));
        assert!(found.len() < 2_000, "{found:?}");
    }
}

/// Programs with exceptions that come to an end soon.
fn programs() -> impl Iterator<Item = &'static Program> {
    reverl_programs::tagged(Tag::Exceptions).filter(|program| {
        let mut system = program.system();
        let length = Length { events: 2_000, steps: MOST_STEPS };
        reverl_programs::go_on(&mut system, &mut *default_schedule(), length);
        system.is_over()
    })
}

fn debugger(program: &Program) -> Debugger {
    Debugger::new(Session::new(program.system(), default_schedule()), Box::new(Nowhere))
}

#[test]
fn exceptions_are_the_same_live_along_what_has_happened_and_backwards() {
    let mut compared = 0;
    for program in programs() {
        for kind in ExceptionStop::ALL {
            let mut d = debugger(program);
            d.command(&format!("break exception {}", kind.name())).expect("a breakpoint");
            let mut live: BTreeSet<_> = stops(&mut d, "continue").into_iter().collect();
            live.remove(&(d.session.system.main, 0));
            d.command("undo all").expect("the beginning");
            let known = stops(&mut d, "continue");
            let mut back = stops(&mut d, "reverse-continue all");
            back.reverse();
            // Who stands at the very beginning has nothing before it, and does not come there.
            let main = d.session.system.main;
            back.retain(|stop| *stop != (main, 0));
            let name = kind.name();
            assert_eq!(known, back, "{program} {name} backwards");
            let known: BTreeSet<_> = known.into_iter().collect();
            assert_eq!(live, known, "{program} {name} live and along what is known");
            compared += known.len();
        }
    }
    assert!(compared > 50, "only {compared} stops");
}

/// The steps with which processes come to handlers of the program's own code, found by looking at
/// every position.
fn caught_by_the_program(session: &Session) -> BTreeSet<(ProcId, u64)> {
    let targets: HashSet<Pc> = {
        let program = session.system.program();
        let handlers = program.code.funs.iter().flat_map(|info| &info.handlers);
        handlers.map(|handler| handler.target).collect()
    };
    let own = session.own();
    let mut found = BTreeSet::new();
    for proc in session.execution().ids() {
        for step in 0..session.execution().proc(proc).steps {
            let (now, next) =
                (session.system.state_at(proc, step), session.system.state_at(proc, step + 1));
            let program = session.system.program();
            let catching = program.code.fun(program.code.fun_at(next.pc())).module;
            let is_handler = targets.contains(&next.pc()) && next.steps() == step + 1;
            if is_handler && !targets.contains(&now.pc()) && own.contains(&catching) {
                found.insert((proc, step));
            }
        }
    }
    found
}

#[test]
fn every_exception_that_the_program_catches_is_found_and_nothing_else() {
    let mut compared = 0;
    for program in programs() {
        let mut d = debugger(program);
        d.command("run").expect("it runs");
        let session = &d.session;
        let known: BTreeSet<(ProcId, u64)> = session
            .execution()
            .ids()
            .flat_map(|proc| {
                let raised = session.exceptions(proc).into_iter();
                let caught = raised.filter(|raised| raised.catcher == Catcher::Program);
                caught.map(move |raised| (proc, raised.step)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(known, caught_by_the_program(session), "{program}");
        compared += known.len();
    }
    assert!(compared > 5, "only {compared} exceptions");
}
