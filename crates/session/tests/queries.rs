//! Queries show what is there: all of it in windows, none of it twice, the same to every face.

mod nowhere;

use nowhere::Nowhere;
use reverl_analysis::races::races;
use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::{Preference, Random, Schedule};
use reverl_causal::{Cut, Entry, EventRef, System};
use reverl_lang::module::load_source;
use reverl_lang::options::Options;
use reverl_lang::project::Given;
use reverl_machine::Program;
use reverl_session::command::Debugger;
use reverl_session::describe;
use reverl_session::event::{event_name, event_named};
use reverl_session::failure::{FailureKind, failures};
use reverl_session::modules::Modules;
use reverl_session::outside::{Output, RealOutside};
use reverl_session::position::apply_place;
use reverl_session::query::axis::{Axis, Scale};
use reverl_session::query::{self, VIEWS};
use reverl_session::session::{Session, default_schedule};
use reverl_term::{Atom, Term};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const PROGRAMS: &[&str] = &[
    "dining/dining.erl",
    "dining/dining_order_bug.erl",
    "proxy/proxy.erl",
    "stock/stock.erl",
    "tcp/tcp.erl",
];

/// A program that has run to its end, by a schedule.
fn ran(example: &str, schedule: Box<dyn Schedule>) -> Debugger {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example);
    let mut program = Program::new();
    let (module, _) = load_source(&path, &Options::default(), &mut program.code.sources);
    let module = module.expect("an example compiles");
    program.load(&module);
    let entry = Entry::Call { module: module.name, name: Atom::new("main"), args: Term::nil() };
    let modules = Box::new(Modules::new(Given::default()));
    let world = Box::new(RealOutside { output: Output::Keep });
    let system = System::new(program, modules, world, entry);
    let mut session = Session::new(system, schedule);
    session.run(&mut |system| system.execution.steps() < 3_000);
    Debugger::new(session, Box::new(Nowhere))
}

/// Every example under the usual and under random schedules.
fn everywhere(check: impl Fn(&str, &mut Debugger)) {
    for example in PROGRAMS {
        check(example, &mut ran(example, default_schedule()));
        for seed in 0..3 {
            let random = Random::new(seed, Preference::None, false);
            check(example, &mut ran(example, Box::new(random)));
        }
    }
}

fn look(d: &Debugger, view: &str, asked: Value) -> Value {
    query::ask(d, view, asked).unwrap_or_else(|why| panic!("{view}: {why}"))
}

fn all_events(d: &Debugger) -> Vec<EventRef> {
    d.session.execution().events().collect()
}

fn own_processes(d: &Debugger) -> Vec<u32> {
    d.session.execution().ids().map(|p| p.0).collect()
}

#[test]
fn names_of_events_lead_back_to_them() {
    everywhere(|_, d| {
        for event in all_events(d) {
            let name = event_name(event);
            assert_eq!(event_named(d.session.execution(), &name), Some(event));
        }
        for bad in ["", "a", "1", "1a", "1x2", "99a0", "1a9999999", "1a-1", "é1a1"] {
            assert!(event_named(d.session.execution(), bad).is_none(), "{bad}");
        }
    });
}

#[test]
fn windows_of_the_diagram_show_every_event_once() {
    everywhere(|example, d| {
        let lanes = own_processes(d);
        for scale in ["order", "messages", "depth"] {
            let whole = look(d, "diagram", json!({ "lanes": lanes, "scale": scale }));
            let columns = whole["columns"].as_u64().expect("a number");
            let mut seen = BTreeSet::new();
            for from in (0..columns).step_by(7) {
                let asked = json!({ "lanes": lanes, "scale": scale, "from": from, "to": from + 7 });
                let window = look(d, "diagram", asked);
                for event in window["drawn"]["detail"]["events"].as_array().expect("few events") {
                    let column = event[0].as_u64().expect("a column");
                    assert!((from..from + 7).contains(&column));
                    let name = (event[1].clone(), event[4].clone(), event[5].clone());
                    assert!(seen.insert(format!("{name:?}")), "{example} {scale}: twice");
                }
            }
            assert_eq!(seen.len(), all_events(d).len(), "{example} {scale}");
        }
    });
}

#[test]
fn causes_stand_before_their_effects_on_every_axis() {
    everywhere(|example, d| {
        let execution = d.session.execution();
        for scale in [Scale::Order, Scale::Messages, Scale::Depth] {
            let axis = Axis::of(execution, scale);
            for event in all_events(d) {
                let past = plan::redo(execution, &Cut::start(execution), Target::Event(event));
                let column = |e: EventRef| axis.column(execution.order_of(e));
                for cause in past.events {
                    assert!(column(cause) <= column(event), "{example} {scale:?}");
                    let strict = scale == Scale::Depth && cause != event;
                    assert!(!strict || column(cause) < column(event), "{example} depth");
                }
            }
        }
    });
}

#[test]
fn races_are_those_of_the_analysis() {
    everywhere(|example, d| {
        let expected: BTreeSet<String> = races(&d.session.system)
            .iter()
            .flat_map(|race| {
                let system = &d.session.system;
                let name = event_name(race.receive);
                let one = |r: &reverl_analysis::races::Racing| {
                    let id = describe::signal_name(system, r.message);
                    format!("{name} {id} {}", r.is_actual)
                };
                race.racing.iter().map(one).collect::<Vec<_>>()
            })
            .collect();
        let mut found = BTreeSet::new();
        let mut from = json!(0);
        while !from.is_null() {
            let page = look(d, "races", json!({ "from": from }));
            for race in page["races"].as_array().expect("a list") {
                for other in race["racing"].as_array().expect("a list") {
                    let part = |v: &Value| v.as_str().expect("a text").to_string();
                    let (event, id) = (part(&race["event"]), part(&other["id"]));
                    found.insert(format!("{event} {id} {}", other["actual"]));
                }
            }
            from = page["next"].clone();
        }
        // A view names a dozen messages for a receive at most.
        let strange = found.difference(&expected).next();
        assert!(strange.is_none(), "{example}: {strange:?}");
        let receives = |all: &BTreeSet<String>| -> BTreeSet<String> {
            all.iter().filter_map(|r| r.split(' ').next().map(str::to_string)).collect()
        };
        let missing = receives(&expected).difference(&receives(&found)).next().cloned();
        assert!(missing.is_none(), "{example}: {missing:?}");
    });
}

#[test]
fn a_place_is_found_again_and_nonsense_is_lowered_to_a_consistent_cut() {
    everywhere(|example, d| {
        let events = all_events(d);
        for event in events.iter().step_by(3) {
            d.session.replay_all();
            let plan = d.session.plan_undo(Target::Event(*event));
            d.session.carry_out(&plan);
            let cut = d.session.cut.clone();
            let place = look(d, "summary", json!({}))["place"].as_str().expect("text").to_string();
            d.session.rewind();
            apply_place(&mut d.session, "main", &place).expect("it was there");
            assert_eq!(d.session.cut, cut, "{example} {place}");
        }
        // Only one process goes back: all that depends on it must follow.
        apply_place(&mut d.session, "main", "1.1.0").expect("a place");
        let execution = d.session.execution();
        for event in events.iter().filter(|e| d.session.cut.contains(execution, **e)) {
            let causes = plan::redo(execution, &d.session.cut, Target::Event(*event));
            assert!(causes.is_empty(), "{example}: a cause is missing");
        }
        for bad in ["x", "1", "1.2", "99.0.0", "1.2.x", "-1.0.0"] {
            assert!(apply_place(&mut d.session, "main", bad).is_err(), "{bad}");
        }
        assert!(apply_place(&mut d.session, "nowhere", "end").is_err());
    });
}

#[test]
fn the_extent_of_a_move_is_the_size_of_its_plan() {
    everywhere(|_, d| {
        let execution = d.session.execution();
        let (start, end) = (Cut::start(execution), Cut::end(execution));
        for event in all_events(d) {
            let target = Target::Event(event);
            let pairs = [
                (plan::undo(execution, &end, target), plan::undo_extent(execution, &end, target)),
                (
                    plan::redo(execution, &start, target),
                    plan::redo_extent(execution, &start, target),
                ),
            ];
            for (plan, extent) in pairs {
                assert_eq!(extent.to, plan.to);
                assert_eq!(extent.events, plan.events.len());
                assert_eq!(extent.steps, plan.steps());
                assert_eq!(extent.processes, plan.moved.len());
            }
        }
    });
}

/// What every view can be asked with in the middle of any example.
fn any_question(middle: EventRef) -> Value {
    json!({
        "proc": 1, "ids": [1, 2, 3], "lanes": [1, 2], "event": event_name(middle),
        "events": [event_name(middle)], "select": event_name(middle), "text": "a",
        "command": "enabled", "target": "1", "file": "x", "with": "x", "expression": "1",
        "variable": "X", "of": { "event": event_name(middle) },
    })
}

#[test]
fn looking_moves_nothing() {
    everywhere(|example, d| {
        let middle = all_events(d)[all_events(d).len() / 2];
        let plan = d.session.plan_undo(Target::Event(middle));
        d.session.carry_out(&plan);
        let (cut, current) = (d.session.cut.clone(), d.session.current);
        let count = all_events(d).len();
        for view in VIEWS {
            // Some have nothing to show here; none may do anything.
            let _ = query::ask(d, view.name, any_question(middle));
            assert_eq!(d.session.cut, cut, "{example} {}", view.name);
            assert_eq!(d.session.current, current, "{example} {}", view.name);
            assert_eq!(all_events(d).len(), count, "{example} {}", view.name);
        }
        assert!(query::ask(d, "command", json!({ "command": "run" })).is_err());
    });
}

#[test]
fn every_view_understands_what_it_is_asked() {
    let d = ran("stock/stock.erl", default_schedule());
    let middle = all_events(&d)[all_events(&d).len() / 2];
    for view in VIEWS {
        let told = query::ask(&d, view.name, any_question(middle)).map_err(|why| why.to_string());
        let unread = told.err().filter(|why| why.contains("cannot be read"));
        assert_eq!(unread, None, "{}", view.name);
    }
}

#[test]
fn what_went_wrong_is_the_same_to_all_who_ask() {
    everywhere(|example, d| {
        let outcome = query::outcome::outcome(&d.session.system, false);
        let problems = look(d, "problems", json!({}));
        let all = outcome.problems.iter().chain(&outcome.lost).chain(&outcome.orphans);
        let told: Vec<(Value, Value)> =
            all.map(|p| (json!(p.kind), json!(p.process.proc))).collect();
        let listed = problems["problems"].as_array().expect("a list").iter();
        let listed: Vec<(Value, Value)> =
            listed.map(|p| (p["kind"].clone(), p["proc"].clone())).collect();
        assert_eq!(told, listed, "{example}");
        for failure in failures(&d.session.system, false) {
            let kind = match failure.kind {
                FailureKind::Deadlock => FailureKind::Blocked,
                kind => kind,
            };
            assert!(told.iter().any(|(k, _)| *k == json!(kind)), "{example} {failure:?}");
        }
    });
}

#[test]
fn terms_unfold_to_their_parts() {
    let d = ran("dining/dining_order_bug.erl", default_schedule());
    let whole = look(&d, "process", json!({ "proc": 5 }));
    let forks = &whole["calls"][0]["bindings"][0];
    assert_eq!(forks["name"], "Forks");
    assert_eq!(forks["opens"], true);
    let of = json!({ "proc": 5, "level": 0, "variable": "Forks" });
    let list = look(&d, "term", json!({ "of": of, "path": [] }));
    assert_eq!(list["count"], 3);
    let pair = look(&d, "term", json!({ "of": of, "path": [1] }));
    assert_eq!(pair["parts"][0]["text"], "2");
}
