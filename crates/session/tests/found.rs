//! Values are found where they are: in every message that has them, also inside of others, and in
//! the variables of the program's own code.

mod judge;
mod nowhere;
mod run;

use judge::with_deep_stack;
use nowhere::{debugger, said};
use reverl_causal::SignalId;
use reverl_causal::schedule::RoundRobin;
use reverl_programs::Length;
use reverl_session::outcome::show;
use reverl_session::query::find::{FoundValue, find};
use reverl_session::session::{Session, default_schedule};
use reverl_term::{Term, View};
use run::Run;
use std::collections::BTreeSet;

const LENGTH: Length = Length { events: 100, steps: 3_000 };

/// Whether a term is another or has it inside.
fn has(term: &Term, wanted: &str) -> bool {
    let inside = match term.view() {
        View::Tuple(parts) => parts.iter().any(|part| has(part, wanted)),
        View::Cons(head, tail) => has(head, wanted) || has(tail, wanted),
        View::Map(map) => map.iter().any(|(k, v)| has(k, wanted) || has(v, wanted)),
        _ => false,
    };
    inside || show(term) == wanted
}

/// The text of a value that can be typed.
fn typed(term: &Term) -> Option<String> {
    let text = show(term);
    let is_plain = !["#", "<", "\n"].iter().any(|odd| text.contains(odd));
    (is_plain && text.len() < 200).then_some(text)
}

#[test]
fn a_value_is_found_in_every_message_that_has_it() {
    let mut compared = 0;
    for program in reverl_programs::all().step_by(2) {
        let mut system = program.system();
        reverl_programs::go_on(&mut system, &mut RoundRobin, LENGTH);
        let session = Session::new(system, default_schedule());
        let execution = session.execution();
        let sent = execution.ids().filter(|p| !execution.proc(*p).is_system).flat_map(|from| {
            let count = execution.proc(from).signals.len() as u32;
            (0..count).map(move |k| SignalId { from, k })
        });
        let sent: Vec<SignalId> = sent.filter(|id| execution.kind(*id).is_message()).collect();
        let texts: BTreeSet<String> =
            sent.iter().filter_map(|id| typed(&execution.signal(*id).message)).collect();
        for text in texts.iter().take(3) {
            let found = find(&session, text, usize::MAX);
            let found = found.unwrap_or_else(|why| panic!("{program}: {text}: {why}"));
            let messages = found.found.iter();
            let messages = messages.filter(|f| matches!(f, FoundValue::Message(_))).count();
            let expected =
                sent.iter().filter(|id| has(&execution.signal(**id).message, text)).count();
            assert_eq!(messages, expected, "{program}: {text}");
            compared += expected;
        }
    }
    eprintln!("{compared} messages compared");
    assert!(compared > 50);
}

#[test]
fn a_value_is_found_in_variables_and_by_a_pattern() {
    let mut d = debugger("moments/why_argument");
    said(&mut d, "run");
    let value = said(&mut d, "find 20");
    assert!(value.contains("sends {val,20}") && value.contains("V = 20"), "{value}");
    let pattern = said(&mut d, "find {val, _}");
    assert!(pattern.contains("sends {val,20}"), "{pattern}");
    assert_eq!(said(&mut d, "find no_such_value"), "it occurs nowhere");
    let events = said(&mut d, "events {val, _}");
    assert!(events.contains("receives {val,20}"), "{events}");
    let last = said(&mut d, "history 1");
    assert!(last.starts_with("... ") && last.contains("before these"), "{last}");
}

/// Every binding that the judge sees in the program's own code, of a value that has another inside.
#[test]
fn a_value_is_found_in_every_variable_that_has_it() {
    with_deep_stack(|| {
        let mut compared = 0;
        let small = reverl_programs::all().filter(|p| p.name().starts_with("moments/"));
        for run in small.filter_map(Run::new) {
            let own = run.session().own();
            let bound = run.traces.iter().flat_map(|(proc, trace)| {
                let own = trace.iter().filter(|p| own.contains(&p.module));
                own.flat_map(move |p| {
                    let new = p.variables.iter().filter(|(name, _)| p.binds(*name, trace));
                    new.map(|(name, value)| (proc.0, name.name().to_string(), value.clone()))
                })
            });
            let bound: Vec<(u32, String, Term)> = bound.collect();
            let texts: BTreeSet<String> = bound.iter().filter_map(|(.., v)| typed(v)).collect();
            for text in run::spread(texts.into_iter().collect(), 2) {
                let found = find(run.session(), &text, usize::MAX);
                let found = found.unwrap_or_else(|why| panic!("{}: {text}: {why}", run.name));
                let variables = found.found.iter().filter_map(|found| match found {
                    FoundValue::Variable(row) => Some((row.process.proc, row.name.clone())),
                    FoundValue::Message(_) => None,
                });
                let variables: BTreeSet<(u32, String)> = variables.collect();
                let with_it = bound.iter().filter(|(.., value)| has(value, &text));
                let expected: BTreeSet<(u32, String)> =
                    with_it.map(|(proc, name, _)| (*proc, name.clone())).collect();
                assert_eq!(variables, expected, "{}: {text}", run.name);
                compared += expected.len();
            }
        }
        eprintln!("{compared} variables compared");
        assert!(compared > 40);
    });
}
