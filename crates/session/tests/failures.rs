//! What went wrong is told the worst first, and a moment that is only looked at is what going there
//! would show.

mod nowhere;

use nowhere::ran;
use reverl_causal::{Chain, EventRef};
use reverl_programs::{Length, Tag};
use reverl_session::command::{Command, Debugger, TargetSpec};
use reverl_session::event::event_name;
use reverl_session::failure::FailureKind;
use reverl_session::query::{self, Detail, failure};
use serde_json::{Value, json};

/// Every program, run for a while.
fn everywhere(check: impl Fn(&str, &mut Debugger)) {
    for program in reverl_programs::all() {
        check(&program.name(), &mut ran(program, Length::SHORT));
    }
}

fn look(d: &Debugger, view: &str, asked: Value) -> Value {
    query::ask(d, view, asked).unwrap_or_else(|why| panic!("{view}: {why}"))
}

fn rank(kind: FailureKind) -> u8 {
    match kind {
        FailureKind::Failed => 0,
        FailureKind::Crashed | FailureKind::Assertion => 1,
        FailureKind::Killed => 2,
        FailureKind::Deadlock => 3,
        FailureKind::Lost => 4,
        FailureKind::Orphan => 5,
        other => panic!("{other:?} is not a failure of its own"),
    }
}

// papers: 004 | 2, Fig. 1 | lost and orphan messages, blocked processes | problems, failure
#[test]
fn the_worst_comes_first_and_each_has_its_card() {
    everywhere(|name, d| {
        let report = failure::report(&d.session, 0, Detail::Brief);
        let ranks: Vec<u8> = report.failures.iter().map(|row| rank(row.kind)).collect();
        assert!(ranks.is_sorted(), "{name}: {ranks:?}");
        assert_eq!(report.card.is_some(), report.count > 0, "{name}");
        for which in 0..report.count.min(5) {
            let card = failure::report(&d.session, which, Detail::Brief).card.expect("a card");
            assert!(!card.row.headline.is_empty(), "{name}");
            assert_eq!(card.row.headline, report.failures[which].headline, "{name}");
        }
    });
}

#[test]
fn looking_at_an_event_shows_what_undoing_it_leads_to() {
    everywhere(|name, d| {
        let actions = |e: &EventRef| e.chain() == Chain::Action;
        let events: Vec<EventRef> = d.session.execution().events().filter(actions).collect();
        for event in events.into_iter().step_by(7) {
            let (proc, named) = (event.proc.0, event_name(event));
            let at = json!({ "event": named });
            let looked = look(d, "process", json!({ "proc": proc, "at": at }));
            let before = d.session.cut.clone();
            d.carry_out(&Command::undo(TargetSpec::Event(named.clone()))).expect("undone");
            let there = look(d, "process", json!({ "proc": proc }));
            for field in ["step", "calls", "file", "line", "state"] {
                assert_eq!(looked[field], there[field], "{name} {named} {field}");
            }
            d.session.cut = before;
        }
    });
}

#[test]
fn a_crash_is_shown_where_it_was_raised() {
    let d = ran(reverl_programs::named("moments/crash_in_loop"), Length::LONG);
    let card = failure::report(&d.session, 0, Detail::Brief).card.expect("it crashes");
    assert!(card.row.headline.contains("crashed"), "{}", card.row.headline);
    let bound = |name: &str| {
        let found = card.bindings.iter().find(|b| b.name == name);
        found.map(|b| b.value.text.clone())
    };
    assert_eq!(bound("Name").as_deref(), Some("bread"));
    assert_eq!(bound("N").as_deref(), Some("0"));
}

/// Nothing of the program is on the stack when a server ends that has returned `{stop, ..}`.
#[test]
fn the_end_of_a_server_is_shown_where_its_reason_was_made() {
    let d = ran(reverl_programs::named("servers/quits"), Length::LONG);
    let expected = [("{too_few,-1}", "quits.erl:20"), ("{unknown,nonsense}", "quits.erl:23")];
    for (which, (reason, at)) in expected.into_iter().enumerate() {
        let report = failure::report(&d.session, which, Detail::Brief);
        let card = report.card.expect("a card");
        assert!(card.row.headline.ends_with(reason), "{}", card.row.headline);
        assert!(card.row.at.ends_with(at), "{}", card.row.at);
        assert!(report.failures[which].at.ends_with(at), "{}", report.failures[which].at);
        // The second server was started by the program, not in place of the first.
        assert!(card.after.restarted_as.is_empty(), "{:?}", card.after);
    }
}

#[test]
fn each_clause_tells_why_it_does_not_take_a_message() {
    let d = ran(reverl_programs::named("examples/dining/dining_order_bug"), Length::LONG);
    let told = look(&d, "unmatched", json!({ "message": "#84.3" }));
    assert_eq!(told["process"]["called"], "waiter");
    let clauses = told["clauses"].as_array().expect("clauses");
    assert!(clauses.len() >= 2, "{told}");
    assert!(clauses.iter().all(|clause| clause["verdict"] == "pattern"), "{told}");
    // One that was received is not asked about.
    let told = look(&d, "unmatched", json!({ "message": "#88.1" }));
    assert_eq!(told["sentence"], "it was received");
}

/// What changed the whole of a state changed one of its parts, and the values of a part follow one
/// another.
#[test]
fn what_changed_a_state_changed_a_part_of_it() {
    let mut compared = 0;
    for program in reverl_programs::tagged(Tag::Behaviours) {
        let (name, d) = (program.name(), ran(program, Length::LONG));
        let procs: Vec<u32> = d.session.execution().ids().map(|p| p.0).collect();
        for proc in procs {
            let changes = |path: &[usize]| {
                let told = query::ask(&d, "changes", json!({ "proc": proc, "path": path })).ok();
                told.and_then(|told| told["changes"].as_array().cloned()).unwrap_or_default()
            };
            let events = |rows: &[Value]| -> Vec<String> {
                rows.iter().map(|row| row["event"]["event"].to_string()).collect()
            };
            let parts = query::ask(&d, "term", json!({ "of": { "state": proc } }));
            let Ok(parts) = parts else { continue };
            let whole = changes(&[]);
            let count = parts["parts"].as_array().map_or(0, Vec::len);
            if whole.is_empty() || count == 0 {
                continue;
            }
            let mut of_parts = vec![];
            for i in 0..count {
                let rows = changes(&[i]);
                for pair in rows.windows(2) {
                    assert_eq!(pair[1]["after"], pair[0]["before"], "{name} {proc} {i}");
                }
                of_parts.extend(events(&rows));
                compared += rows.len();
            }
            for event in &of_parts {
                assert!(events(&whole).contains(event), "{name} {proc} {event}");
            }
            // The latest change is in a part that is still there, unless a part was taken away.
            let kept = whole[0]["after"]["kind"] == whole[0]["before"]["kind"];
            assert!(!kept || !of_parts.is_empty(), "{name} {proc}: {whole:?}");
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn going_to_a_failure_leads_to_the_moment_of_its_card() {
    everywhere(|name, d| {
        let count = failure::report(&d.session, 0, Detail::Brief).count;
        for which in 0..count.min(5) {
            let card = failure::report(&d.session, which, Detail::Brief).card.expect("a card");
            let went = d.carry_out(&Command::GotoFailure { which: Some(which + 1) });
            let Some(moment) = card.moment else {
                let why = went.expect_err(name).to_string();
                assert!(why.contains("'failure' tells"), "{name}: {why}");
                continue;
            };
            went.unwrap_or_else(|why| panic!("{name}: {which}: {why}"));
            let current = d.session.current.0;
            let looked = look(d, "process", json!({ "proc": current, "at": moment }));
            let there = look(d, "process", json!({ "proc": current }));
            for field in ["step", "calls", "file", "line"] {
                assert_eq!(looked[field], there[field], "{name} {which} {field}");
            }
        }
        let beyond = d.carry_out(&Command::GotoFailure { which: Some(count + 1) });
        assert!(beyond.is_err(), "{name}");
    });
}
