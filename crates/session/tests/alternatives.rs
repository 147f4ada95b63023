//! What could have happened instead, by a command: another message, or a time-out.

mod nowhere;

use nowhere::Nowhere;
use reverl_causal::schedule::{Preference, Random};
use reverl_causal::{ActionKind, EventRef, SignalId, System};
use reverl_programs::Length;
use reverl_session::command::{Debugger, Note, Reply};
use reverl_session::error::CommandError;
use reverl_session::session::{Session, default_schedule};

fn debugger(system: System) -> Debugger {
    Debugger::new(Session::new(system, default_schedule()), Box::new(Nowhere))
}

/// Every receive that took a message, with the steps of its process before it.
fn receives(system: &System) -> Vec<(EventRef, SignalId, u64)> {
    let execution = system.execution();
    let receive = |event: EventRef| match execution.action(event).map(|a| (a.what(), a.step)) {
        Some((ActionKind::Receive(taken), step)) => Some((event, taken, step - 1)),
        _ => None,
    };
    execution.events().filter_map(receive).collect()
}

/// `#84.2`, as it is typed.
fn typed(system: &System, id: SignalId) -> String {
    format!("#{}.{}", system.execution().proc(id.from).pid.id, id.k + 1)
}

// papers: 004 | 3.2 (time-outs) | a time-out instead of a message | choose timeout
#[test]
fn every_receive_with_a_time_out_can_time_out_instead() {
    let (mut chosen, mut refused) = (0, 0);
    for (number, program) in reverl_programs::all().enumerate() {
        let beginning = program.system();
        let mut system = beginning.beginning();
        let mut schedule = Random::new(number as u64, Preference::None, true);
        reverl_programs::go_on(&mut system, &mut schedule, Length::SHORT);
        for (event, taken, steps) in receives(&system).into_iter().take(12) {
            let may = system.timeout_at(event.proc, steps).is_some();
            let end = reverl_causal::Cut::end(system.execution());
            let mut d = debugger(system.branch(&end));
            let command = format!("choose timeout {}", typed(&system, taken));
            match d.command(&command) {
                Ok(_) => {
                    assert!(may, "{program}: {command}");
                    let p = d.session.execution().proc(event.proc);
                    let last = p.actions.last().map(|a| (a.what(), a.step));
                    let is_it = matches!(last, Some((ActionKind::Timeout, at)) if at == steps + 1);
                    assert!(is_it, "{program}: {command}");
                    chosen += 1;
                }
                Err(CommandError::NoTimeout) => assert!(!may, "{program}: {command}"),
                Err(CommandError::CameAfter(_)) => refused += 1,
                Err(why) => panic!("{program}: {command}: {why}"),
            }
        }
    }
    assert!(chosen > 60 && refused < chosen / 10, "{chosen} timed out, {refused} could not");
}

// papers: 004 | 3.2 (race variants) | another message of the race set is received instead | choose, take
// papers: 001 | 4 (future work) | another message than that of the log is received | choose, take
// papers: 000 | 5 (Actoverse) | an interleaving is forced by its messages | take
#[test]
fn taking_an_alternative_runs_on_and_says_what_became_different() {
    let mut system = reverl_programs::named("moments/value_or_timeout").system();
    reverl_programs::go_on(&mut system, &mut Random::new(1, Preference::None, true), Length::LONG);
    let mut d = debugger(system);
    let Ok(Reply::Move(moved)) = d.command("take timeout #84.1") else { panic!("it moves") };
    let ends = moved.notes.iter().find_map(|note| match note {
        Note::Became(ends) => Some(ends),
        _ => None,
    });
    let ends = ends.expect("it says what became different");
    assert_eq!(ends.here_end, "ends with timed_out");
    assert_eq!(ends.there_end, "ends with 42");
    assert_eq!(ends.differ, 1);
    // The branch that was left stands where it stood.
    d.command("branch main").expect("it is there");
    assert!(d.session.is_at_end());
}

// papers: 000 | 4 (Normalize) | all is done but deliveries | set delivery manual, run
// papers: 000 | 4 (global mailbox) | messages on their way, delivered by hand | network, deliver
#[test]
fn with_delivery_by_hand_a_run_does_all_but_deliveries() {
    let mut d = debugger(reverl_programs::named("moments/value_or_timeout").system());
    d.command("set delivery manual").expect("a setting");
    for left in [1, 1, 0] {
        d.command("run").expect("it runs");
        assert_eq!(d.session.left_to_deliver(), left);
        if left > 0 {
            d.command("deliver").expect("it is on its way");
        }
    }
    let exit = d.session.execution().proc(d.session.system.main).exit();
    assert_eq!(exit.and_then(|exit| exit.value.as_ref()?.as_small()), Some(42));
}
