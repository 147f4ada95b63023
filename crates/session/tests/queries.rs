//! Queries show what is there: all of it in windows, none of it twice, the same to every face.

mod nowhere;

use nowhere::Nowhere;
use reverl_analysis::races::races;
use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::{Preference, Random, Schedule};
use reverl_causal::{Chain, Cut, Edge, EventRef, System};
use reverl_programs::Length;
use reverl_session::command::Debugger;
use reverl_session::describe;
use reverl_session::event::{EventKind, EventWeight, event_name, event_named};
use reverl_session::failure::{FailureKind, failures};
use reverl_session::position::apply_place;
use reverl_session::query::axis::{Axis, Scale};
use reverl_session::query::events::{row, told_row};
use reverl_session::query::process::MOST_CALLS;
use reverl_session::query::search::{SearchBounds, SearchBy, learn_lines, search};
use reverl_session::query::{self, Detail, VIEWS};
use reverl_session::session::{Session, default_schedule};
use reverl_session::text::event_line;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

/// A program that has run, by a schedule.
fn ran(mut system: System, mut schedule: Box<dyn Schedule>) -> Debugger {
    reverl_programs::go_on(&mut system, &mut *schedule, Length::SHORT);
    Debugger::new(Session::new(system, schedule), Box::new(Nowhere))
}

/// The same by chance.
fn ran_by_chance(beginning: &System, seed: u64) -> Debugger {
    ran(beginning.beginning(), Box::new(Random::new(seed, Preference::None, false)))
}

/// Every program under the usual and under a random schedule.
fn everywhere(mut check: impl FnMut(&str, &mut Debugger)) {
    for (number, program) in reverl_programs::all().enumerate() {
        let (system, name) = (program.system(), program.name());
        check(&name, &mut ran_by_chance(&system, number as u64));
        check(&name, &mut ran(system, default_schedule()));
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

// papers: 003 | 3.2 | the diagram of processes and messages | ui, export
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
fn a_part_of_an_axis_keeps_the_order_leaves_nothing_asked_for_out_and_has_no_empty_column() {
    everywhere(|example, d| {
        let half: Vec<u32> = own_processes(d).into_iter().step_by(2).collect();
        for (scale, telling) in
            [("order", false), ("order", true), ("messages", true), ("depth", true)]
        {
            let asked = json!({ "lanes": half, "among": half, "scale": scale, "telling": telling });
            let part = look(d, "diagram", asked);
            let whole = look(d, "diagram", json!({ "lanes": half, "scale": scale }));
            let columns_of = |window: &Value| -> BTreeMap<String, u64> {
                let events = window["drawn"]["detail"]["events"].as_array().expect("few events");
                let name = |e: &Value| format!("{} {} {}", e[1], e[4], e[5]);
                events.iter().map(|e| (name(e), e[0].as_u64().expect("a column"))).collect()
            };
            let (part_of, whole_of) = (columns_of(&part), columns_of(&whole));
            // Nothing but what libraries do for themselves and arrivals is left out.
            let execution = d.session.execution();
            let is_left_out = |event: EventRef| {
                let is_arrival = event.chain() == Chain::Delivery && {
                    let p = execution.proc(event.proc);
                    let signal = p.deliveries[event.index() as usize].signal;
                    execution.signal(signal).receive().is_some()
                };
                let weight = describe::weight(&d.session.system, event);
                telling && (is_arrival || weight == EventWeight::Internal)
            };
            let wanted = all_events(d)
                .into_iter()
                .filter(|event| half.contains(&event.proc.0) && !is_left_out(*event));
            assert_eq!(part_of.len(), wanted.count(), "{example} {scale} {telling}");
            // Later is later, and at the same time is at the same time.
            let mut pairs: Vec<(u64, u64)> =
                part_of.iter().map(|(name, column)| (whole_of[name], *column)).collect();
            pairs.sort_unstable();
            for two in pairs.windows(2) {
                assert_eq!(two[0].0 == two[1].0, two[0].1 == two[1].1, "{example} {scale}");
                assert!(two[0].1 <= two[1].1, "{example} {scale}");
            }
            let used: BTreeSet<u64> = part_of.into_values().collect();
            let columns = part["columns"].as_u64().expect("a number");
            assert!(used.into_iter().eq(0..columns) || wanted_none(&part), "{example} {scale}");
        }
    });
}

/// Whether nothing is drawn: an axis has a column in any case.
fn wanted_none(window: &Value) -> bool {
    window["drawn"]["detail"]["events"].as_array().is_some_and(Vec::is_empty)
}

/// What stands on an axis before something that it depends on.
fn misplaced(d: &Debugger, scale: Scale) -> Vec<String> {
    let execution = d.session.execution();
    // A signal that kills and the death are one, in two columns: the signal is shown first, whatever
    // its victim did until then.
    let past = |event: EventRef| -> HashSet<EventRef> {
        let (mut seen, mut todo) = (HashSet::new(), vec![event]);
        while let Some(event) = todo.pop() {
            execution.causes(event, &mut |edge, cause| {
                if edge != Edge::Kill && seen.insert(cause) {
                    todo.push(cause);
                }
            });
        }
        seen
    };
    let axis = Axis::of(execution, scale);
    let column = |e: EventRef| axis.column(execution.order_of(e));
    let mut wrong = vec![];
    for event in execution.events() {
        for cause in past(event) {
            let is_behind = match scale {
                Scale::Depth => column(cause) < column(event),
                Scale::Order | Scale::Messages => column(cause) <= column(event),
            };
            if !is_behind {
                wrong.push(format!("{event:?} before {cause:?}"));
            }
        }
    }
    wrong
}

#[test]
fn causes_stand_before_their_effects_on_every_axis() {
    everywhere(|program, d| {
        for scale in [Scale::Order, Scale::Messages, Scale::Depth] {
            assert_eq!(misplaced(d, scale), [] as [String; 0], "{program} {scale:?}");
        }
    });
}

// papers: 004 | 3.2 | race sets in every face | races
#[test]
fn races_are_those_of_the_analysis() {
    everywhere(|example, d| {
        let mut all = vec![];
        races(&d.session.system, &mut |race| all.push(race));
        // What processes of the system receive is not shown.
        let execution = d.session.system.execution();
        all.retain(|race| !execution.proc(race.receive.proc).is_system);
        let expected: BTreeSet<String> = all
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
        for bad in ["x", "1", "1.2", "999999.0.0", "1.2.x", "-1.0.0"] {
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
        "first": event_name(middle), "second": event_name(middle),
        "variable": "X", "place": "main/0", "about": "names", "message": "#83.1", "of": { "event": event_name(middle) },
    })
}

// papers: 000 | 4 (views) | looking at history, mailbox, what can happen changes nothing | history, mailbox, enabled
#[test]
fn looking_moves_nothing() {
    everywhere(|example, d| {
        // A program that was stopped before its first event has nothing to select.
        let Some(middle) = all_events(d).get(all_events(d).len() / 2).copied() else { return };
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
    let program = reverl_programs::named("examples/stock/stock");
    let d = ran(program.system(), default_schedule());
    let middle = all_events(&d)[all_events(&d).len() / 2];
    for view in VIEWS {
        let told = query::ask(&d, view.name, any_question(middle)).map_err(|why| why.to_string());
        let unread = told.err().filter(|why| why.contains("cannot be read"));
        assert_eq!(unread, None, "{}", view.name);
    }
}

/// What a search finds does not depend on what was searched before.
#[test]
fn an_index_leaves_nothing_out_and_adds_nothing() {
    let mut compared = 0;
    everywhere(|example, d| {
        let lines: Vec<String> = all_events(d)
            .into_iter()
            .filter(|e| !d.session.execution().proc(e.proc).is_system)
            .map(|e| event_line(&row(&d.session.system, e, Detail::Brief)).to_lowercase())
            .collect();
        let some = lines.iter().step_by(lines.len().div_ceil(6).max(1));
        let parts = |line: &String| {
            let letters: Vec<char> = line.chars().collect();
            [(3, 5), (10, 4), (20, 9)]
                .map(|(from, length)| letters.iter().skip(from).take(length).collect::<String>())
        };
        let texts: Vec<String> = some.flat_map(parts).filter(|text| !text.is_empty()).collect();
        // Of every other program the index is made while nobody searches.
        if compared % 2 == 0 {
            while learn_lines(&d.session, Duration::from_micros(50)) {}
        }
        // Twice: the first time the index is made.
        for text in texts.iter().chain(&texts) {
            let bounds = SearchBounds { from: 0, most: 0, patience: None, detail: Detail::Brief };
            let found = search(&d.session, SearchBy::Text, text, &bounds).expect("a search");
            let expected = lines.iter().filter(|line| line.contains(text.as_str())).count();
            assert_eq!(found.count, expected, "{example} {text}");
            compared += 1;
        }
    });
    assert!(compared > 1_000, "{compared}");
}

/// A fork of the diagram is a receive with a race that can be taken.
#[test]
fn forks_are_the_races_that_can_be_taken() {
    let mut compared = 0;
    everywhere(|example, d| {
        let lanes: Vec<u32> = d.session.execution().ids().map(|p| p.0).collect();
        for number in lanes {
            let forks = look(d, "forks", json!({ "lanes": [number] }));
            let races = look(d, "races", json!({ "proc": number }));
            if forks["more"] == true || !races["next"].is_null() {
                continue;
            }
            let rows = races["races"].as_array().expect("rows").iter();
            let takeable = rows.filter(|row| {
                let racing = row["racing"].as_array().expect("messages");
                racing.iter().take(6).any(|message| message["actual"] == true)
            });
            let expected: Vec<&Value> = takeable.map(|row| &row["event"]).collect();
            let found: Vec<&Value> =
                forks["forks"].as_array().expect("rows").iter().map(|f| &f["event"]).collect();
            assert_eq!(found, expected, "{example} {number}");
            compared += found.len();
        }
    });
    assert!(compared > 20, "{compared}");
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
        for failure in failures(&d.session.system, false, &|_| false) {
            let kinds = match failure.kind {
                FailureKind::Deadlock => vec![FailureKind::Blocked],
                FailureKind::Unreceived => vec![FailureKind::Lost, FailureKind::Orphan],
                // It is told beside the problems.
                FailureKind::Halted => continue,
                kind => vec![kind],
            };
            let is_told = |kind: &FailureKind| told.iter().any(|(k, _)| *k == json!(kind));
            assert!(kinds.iter().any(is_told), "{example} {failure:?}");
        }
    });
}

#[test]
fn terms_unfold_to_their_parts() {
    let program = reverl_programs::named("examples/dining/dining_order_bug");
    let d = ran(program.system(), default_schedule());
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

// papers: 000 | 4 (views) | the full history: every step beside that of events | history steps
#[test]
fn the_full_history_has_every_step_with_the_rule_of_its_moment() {
    everywhere(|name, d| {
        for proc in own_processes(d) {
            let listed = look(d, "steps", json!({ "proc": proc, "count": 40 }));
            let rows = listed["steps"].as_array().expect("rows");
            let count = listed["count"].as_u64().expect("a count");
            let numbers: Vec<u64> = rows.iter().filter_map(|row| row["step"].as_u64()).collect();
            let expected: Vec<u64> = (count.saturating_sub(40)..count).collect();
            assert_eq!(numbers, expected, "{name} {proc}");
            for row in rows.iter().step_by(9) {
                let at = json!({ "proc": proc, "step": row["step"] });
                let there = look(d, "process", json!({ "proc": proc, "at": at }));
                assert_eq!(row["rule"], there["rule"], "{name} {proc} {row}");
            }
        }
    });
}

#[test]
fn an_event_of_a_library_is_told_at_the_nearest_line_of_the_programs_own() {
    let mut told = 0;
    everywhere(|name, d| {
        let actions = all_events(d).into_iter().filter(|e| e.chain() == Chain::Action);
        for event in actions.step_by(5) {
            let row = told_row(&d.session.system, event, Detail::Brief);
            if d.session.execution().proc(event.proc).is_system || row.kind == EventKind::Exit {
                continue;
            }
            let at = json!({ "proc": event.proc.0, "step": row.step - 1 });
            let there = look(d, "process", json!({ "proc": event.proc.0, "at": at }));
            let calls = there["calls"].as_array().expect("calls");
            let own = calls.iter().position(|call| call["owner"] == "own");
            let line = own.filter(|level| *level > 0).map(|level| {
                format!("{}:{}", calls[level]["file"].as_str().unwrap_or(""), calls[level]["line"])
            });
            if calls.len() < MOST_CALLS {
                assert_eq!(row.own_at, line, "{name} {}", event_line(&row));
                told += usize::from(line.is_some());
            }
        }
    });
    assert!(told > 500, "only {told} events were told so");
}
