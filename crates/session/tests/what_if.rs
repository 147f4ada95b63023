//! What somebody tries on a branch is an event like others: it can be undone and replayed, and
//! what comes of it is what would have come of the program if it had been so.

mod nowhere;

use nowhere::{debugger, ran};
use reverl_causal::execution::Killer;
use reverl_causal::{Cut, EventRef, ProcId};
use reverl_programs::{Length, compare};
use reverl_session::command::{Chosen, Command, Debugger, ProcessMoment, ProcessRef, TargetSpec};
use reverl_session::event::event_name;
use reverl_session::scope;
use reverl_session::session::default_schedule;
use reverl_session::viewpoint::MomentSpec;

const LENGTH: Length = Length { events: 120, steps: 8_000 };

/// A few processes of the program itself.
fn own(d: &Debugger) -> Vec<ProcId> {
    let execution = d.session.execution();
    execution.ids().filter(|p| !execution.proc(*p).is_system).take(4).collect()
}

fn at(proc: ProcId, step: u64) -> ProcessMoment {
    let moment = Some(MomentSpec::Step { proc: proc.0, step });
    ProcessMoment { process: Some(ProcessRef::Number(proc.0)), moment }
}

/// What was tried: the last event of the process on the branch that has just begun.
fn tried(d: &Debugger, proc: ProcId) -> EventRef {
    EventRef::action(proc, d.session.execution().proc(proc).actions.len() - 1)
}

/// The branch can be replayed from its beginning, every moment of the process can be computed
/// again, and undoing what was tried leads to before it.
fn is_like_any_event(name: &str, d: &mut Debugger, event: EventRef) {
    reverl_programs::go_on(&mut d.session.system, &mut *default_schedule(), LENGTH);
    let execution = d.session.execution();
    let again = d.session.system.branch(&Cut::end(execution));
    assert_eq!(compare::log(again.execution()), compare::log(execution), "{name}");
    let p = execution.proc(event.proc);
    let step = p.actions[event.index() as usize].step;
    for step in step.saturating_sub(3)..(step + 20).min(p.steps) {
        d.session.system.state_at(event.proc, step);
    }
    d.session.cut = Cut::end(d.session.execution());
    d.carry_out(&Command::undo(TargetSpec::Event(event_name(event)))).expect("undone");
    assert_eq!(d.session.cut.place(event.proc).steps, step - 1, "{name}");
    assert!(!d.session.cut.contains(d.session.execution(), event), "{name}");
}

#[test]
fn another_value_is_an_event_like_others_and_from_then_on_the_value() {
    let mut count = 0;
    for program in reverl_programs::all() {
        let mut d = ran(program, LENGTH);
        let procs = own(&d);
        for proc in procs {
            let steps = d.session.execution().proc(proc).steps;
            let step = if proc == d.session.system.main { 0 } else { steps / 2 };
            let process = d.session.system.state_at(proc, step);
            let bound = {
                let program = d.session.system.program();
                scope::variables_at(&program.code, &process, process.steps())
            };
            let Some((variable, _)) = bound.first() else { continue };
            let name = variable.name().to_string();
            let chosen =
                Chosen::Value { name, expression: "{other, value}".into(), at: at(proc, step) };
            if d.carry_out(&Command::Choose(chosen)).is_err() {
                continue;
            }
            let event = tried(&d, proc);
            let now = d.session.state(proc);
            let bound = scope::bindings_at(
                &d.session.system.program().code,
                &now,
                d.session.steps_of(proc),
            );
            let given = bound.iter().find(|(name, _)| name == variable);
            assert_eq!(
                given.map(|(_, v)| v.to_string()).as_deref(),
                Some("{other,value}"),
                "{program} {proc:?} {step} {}",
                variable.name()
            );
            is_like_any_event(&program.name(), &mut d, event);
            count += 1;
            d = ran(program, LENGTH);
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn an_end_by_hand_is_an_event_like_others_and_told_to_who_is_tied() {
    let mut count = 0;
    for program in reverl_programs::all() {
        let mut d = ran(program, LENGTH);
        let procs = own(&d);
        for proc in procs {
            let step = d.session.execution().proc(proc).steps / 2;
            let chosen = Chosen::Kill { reason: Some("tried".into()), at: at(proc, step) };
            if d.carry_out(&Command::Choose(chosen)).is_err() {
                continue;
            }
            let event = tried(&d, proc);
            let exit = d.session.execution().proc(proc).exit().expect("it has ended");
            assert_eq!(exit.killed_by, Some(Killer::Hand));
            assert_eq!(exit.reason.to_string(), "tried");
            is_like_any_event(&program.name(), &mut d, event);
            count += 1;
            d = ran(program, LENGTH);
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_comes_of_another_value_is_what_the_program_does_with_it() {
    let cases = [
        ("done/1", "R = 1000", "1001"),
        ("done/1", "R = R * R", "25601"),
        // One turn of the loop is left out, or one more is made.
        ("loop/2", "K = 2", "81"),
        ("loop/2", "K = 4", "321"),
        ("loop/2", "N = 1", "9"),
    ];
    for (function, chosen, expected) in cases {
        let mut d = debugger("moments/why_argument");
        for typed in [format!("break why_argument:{function}"), "continue".into()] {
            d.command(&typed).unwrap_or_else(|why| panic!("{typed}: {why}"));
        }
        d.command("delete").expect("no breakpoint is left");
        d.command(&format!("take {chosen}")).unwrap_or_else(|why| panic!("{chosen}: {why}"));
        let main = d.session.execution().proc(d.session.system.main);
        let value = main.exit().and_then(|exit| exit.value.clone()).expect("a value");
        assert_eq!(value.to_string(), expected, "{chosen}");
    }
}

// papers: 004 | 3.2 | variants beside each other | branches, compare
#[test]
fn the_map_of_branches_has_each_below_the_one_that_it_parts_from() {
    let mut d = debugger("moments/why_argument");
    let to_the_loop = ["break why_argument:loop/2", "continue", "delete"];
    let branches = ["take K = 2", "branch main", "take N = 5", "branch main", "run"];
    for typed in to_the_loop.iter().chain(&branches) {
        d.command(typed).unwrap_or_else(|why| panic!("{typed}: {why}"));
    }
    let map = reverl_session::query::ask(&d, "branch_map", serde_json::json!({})).expect("a map");
    let rows = map["branches"].as_array().expect("branches");
    let told: Vec<_> = rows.iter().map(|row| (&row["name"], &row["parent"], &row["end"])).collect();
    let [main, b1, b2] = told.as_slice() else { panic!("three branches: {map}") };
    assert_eq!(*main, (&"main".into(), &serde_json::Value::Null, &"ends with 161".into()));
    assert_eq!(*b1, (&"b1".into(), &"main".into(), &"ends with 81".into()));
    assert_eq!(*b2, (&"b2".into(), &"main".into(), &"ends with 41".into()));
    for row in &rows[1..] {
        assert!(row["alike"].as_u64() < row["actions"].as_u64(), "{row}");
    }
}
