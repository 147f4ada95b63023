//! Where the debugger stops is where a brute-force search of all positions stops: lines, calls,
//! variables, conditions, forwards and backwards.

mod judge;
mod nowhere;
mod run;

use judge::{Function, Trace, with_deep_stack};
use nowhere::{Nowhere, debugger, said};
use reverl_causal::{Cut, ProcId};
use reverl_session::command::{Debugger, LineSpec, StopAt};
use reverl_session::outcome::show;
use reverl_session::query::Detail;
use reverl_session::query::logged::{self, LoggedValue};
use reverl_session::session::{Session, default_schedule};
use reverl_session::stops::{Search, Stops};
use run::{Run, all_stops, everywhere, positions, spread};
use std::cell::Cell;
use std::collections::BTreeSet;

#[test]
fn lines_functions_and_variables_are_found_where_brute_force_finds_them() {
    with_deep_stack(|| {
        let compared = Cell::new(0);
        everywhere(|run| {
            for (&proc, trace) in &run.traces {
                let begin = |i: usize| trace[i].begins_line(trace);
                let with_extent = |_: &Session, step: u64| trace[step as usize].has_extent;
                let all = run.stops(proc, &Stops::every_line(0), with_extent);
                let expected = positions(trace, |i| begin(i) && trace[i].has_extent);
                let differs = all.iter().zip(&expected).position(|(a, b)| a != b);
                let around = differs.map(|i| (all[i], expected[i], &trace[all[i] as usize].line));
                assert_eq!((all.len(), around), (expected.len(), None), "{}: {proc:?}", run.name);
                compared.set(compared.get() + trace.len());
                for (file, line) in run.lines(12) {
                    let on_it = |p: &judge::Position| {
                        p.line.as_ref().is_some_and(|(f, l)| **f == file && *l == line)
                    };
                    let found =
                        run.stops(proc, &run.session().line_stops(Some(&file), line), |_, _| true);
                    let expected = positions(trace, |i| begin(i) && on_it(&trace[i]));
                    assert_eq!(found, expected, "{}: {proc:?}, line {line}", run.name);
                }
                for name in run.variables(12) {
                    let bound = |session: &Session, step: u64| {
                        let process = session.system.state_at(proc, step);
                        let code = &session.system.program().code;
                        let bound = reverl_session::scope::bindings_at(code, &process, step);
                        bound.iter().any(|(bound, _)| *bound == name)
                    };
                    let found = run.stops(proc, &run.session().variable_stops(name), bound);
                    let expected = positions(trace, |i| trace[i].binds(name, trace));
                    assert_eq!(found, expected, "{}: {proc:?}, {}", run.name, name.name());
                }
                for (module, name, arity) in run.functions(12) {
                    let inside = |session: &Session, step: u64| {
                        let process = session.system.state_at(proc, step);
                        let code = &session.system.program().code;
                        code.fun(code.fun_at(process.pc())).name == name
                    };
                    let stops = run.session().function_stops(Some(module), name, Some(arity));
                    let found = run.stops(proc, &stops, inside);
                    let is_it = |i: usize| {
                        trace[i].module == module
                            && trace[i].function == Function::Named(name, arity)
                            && trace[i].before.is_none()
                    };
                    assert_eq!(
                        found,
                        positions(trace, is_it),
                        "{}: {proc:?}, {}",
                        run.name,
                        name.name()
                    );
                }
            }
        });
        eprintln!("{} positions compared", compared.get());
    });
}

// papers: 000 | related work | breakpoints that hold backwards too | break, reverse-continue
#[test]
fn continuing_stops_where_brute_force_says_forwards_and_backwards() {
    with_deep_stack(|| {
        let compared = Cell::new(0);
        everywhere(|run| {
            if !run.session().system.enabled().is_empty() {
                return;
            }
            for (file, line) in run.lines(3) {
                run.debugger.session.rewind();
                let command = format!("break {file}:{line}");
                run.debugger.command(&command).unwrap_or_else(|why| panic!("{command}: {why}"));
                let mut expected = BTreeSet::new();
                for (&proc, trace) in &run.traces {
                    let on_it = |p: &judge::Position| {
                        p.line.as_ref().is_some_and(|(f, l)| **f == *file && *l == line)
                    };
                    let begin = |i: usize| trace[i].begins_line(trace) && on_it(&trace[i]);
                    expected.extend(positions(trace, begin).into_iter().map(|at| (proc, at)));
                }
                let main = run.debugger.session.system.main;
                // Where it begins it does not come to.
                let at_start = expected.remove(&(main, 0));
                let end = Cut::end(run.session().execution());
                let forwards = all_stops(&mut run.debugger, "continue");
                let visited: BTreeSet<_> = forwards.iter().copied().collect();
                assert_eq!(visited.len(), forwards.len(), "{}: {line} twice", run.name);
                assert_eq!(visited, expected, "{}: {line} forwards", run.name);
                run.debugger.session.cut = end;
                let mut backwards = all_stops(&mut run.debugger, "reverse-continue all");
                if at_start {
                    assert_eq!(backwards.pop(), Some((main, 0)), "{}: {line}", run.name);
                }
                backwards.reverse();
                // Where a process stands it does not come back to.
                let passed =
                    |(p, at): &(ProcId, u64)| *at < run.session().execution().proc(*p).steps;
                let forwards: Vec<_> = forwards.into_iter().filter(passed).collect();
                assert_eq!(backwards, forwards, "{}: {line} backwards", run.name);
                compared.set(compared.get() + forwards.len());
                run.debugger.command("delete").expect("there is one");
            }
        });
        eprintln!("{} stops compared, in both directions", compared.get());
    });
}

#[test]
fn a_live_run_stops_where_a_replayed_one_does() {
    with_deep_stack(|| {
        let compared = Cell::new(0);
        everywhere(|run| {
            if !run.session().system.enabled().is_empty() {
                return;
            }
            for (file, line) in run.lines(2) {
                let beginning = run.session().system.beginning();
                let session = Session::new(beginning, default_schedule());
                let mut live = Debugger::new(session, Box::new(Nowhere));
                let command = format!("break {file}:{line}");
                live.command(&command).unwrap_or_else(|why| panic!("{command}: {why}"));
                let found = all_stops(&mut live, "continue");
                let visited: BTreeSet<_> = found.iter().copied().collect();
                assert_eq!(visited.len(), found.len(), "{}: {line} twice, {found:?}", run.name);
                let stops = live.session.line_stops(Some(&file), line);
                let mut expected = BTreeSet::new();
                let execution = live.session.execution();
                for proc in execution.ids() {
                    let end = execution.proc(proc).steps;
                    let mut search = Search::new(&live.session, proc, &stops, 0, end);
                    // One that was killed before its first step did not come anywhere.
                    let born = end > 1 || execution.proc(proc).exit().is_none();
                    while let Some((at, _)) = search.advance().filter(|_| born) {
                        expected.insert((proc, at));
                    }
                }
                expected.remove(&(live.session.system.main, 0));
                assert_eq!(visited, expected, "{}: {line}", run.name);
                compared.set(compared.get() + found.len());
            }
        });
        eprintln!("{} live stops compared", compared.get());
    });
}

/// The lowest depth from the first of some positions to each of them.
fn lowest_so_far(trace: &Trace, positions: impl Iterator<Item = usize>) -> Vec<usize> {
    let lower = |lowest: &mut usize, m: usize| {
        *lowest = trace[m].depth.min(*lowest);
        Some(*lowest)
    };
    positions.scan(usize::MAX, lower).collect()
}

/// Where a move leads from a position, said by the positions themselves. `counts` says at which of
/// them it can end.
fn expected_move(
    trace: &Trace,
    command: &str,
    n: usize,
    counts: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let depth = |m: usize| trace[m].depth;
    let ends = |m: &usize| trace[*m].begins_line(trace) && counts(*m);
    // A library that is further out than the walk.
    let is_library = |k: usize, out: usize| depth(k) < out && !counts(k) && !trace[k].is_end();
    let since = lowest_so_far(trace, n..trace.len());
    let is_outermost = |m: usize| depth(m) == since[m - n];
    // The calls of the walk have returned to a library, here first.
    let left_at = |out: usize| (n..trace.len()).find(|k| is_library(*k, out) && is_outermost(*k));
    let caller = |n: usize| (0..n).rev().find(|m| depth(*m) == depth(n) - 1);
    let own_caller = || std::iter::successors(Some(n), |m| caller(*m)).skip(1).find(|m| counts(*m));
    match command {
        "step line" => (n + 1..trace.len()).find(ends),
        "next" => {
            let left = left_at(depth(n));
            let has_left = |m: usize| left.is_some_and(|left| left <= m);
            (n + 1..trace.len()).find(|m| ends(m) && (is_outermost(*m) || has_left(*m)))
        }
        "finish" => {
            let out = own_caller().map(depth);
            let has_returned = |m: usize| out.is_some_and(|out| depth(m) <= out) && counts(m);
            let left = left_at(out.unwrap_or(depth(n)));
            let goes_on = |m: usize| ends(&m) && left.is_some_and(|left| left <= m);
            (n + 1..trace.len()).find(|m| has_returned(*m) || goes_on(*m))
        }
        "step call" => (n + 1..trace.len()).find(|m| counts(*m) && trace[*m].before.is_none()),
        "reverse-step line" => (0..n).rev().find(ends),
        "reverse-next" => {
            // A process that is done is outside all its calls.
            let last = if trace[n].is_end() { n.checked_sub(1)? } else { n };
            let until = lowest_so_far(trace, (0..=last).rev());
            let is_open = |m: usize| depth(m) == until[last - m];
            let is_caller = |k: &usize| is_library(*k, depth(last)) && is_open(*k);
            let callers: Vec<usize> = (0..=last).filter(is_caller).collect();
            (0..n).rev().filter(ends).find(|m| {
                // Before a library took over that has called the program again, only what the
                // program itself does later can have come after the end of the line's call.
                match callers.get(callers.partition_point(|k| k <= m)) {
                    Some(k) => (*m..*k).filter(|j| counts(*j)).all(|j| depth(j) >= depth(*m)),
                    None => is_open(*m),
                }
            })
        }
        "reverse-finish" if depth(n) == 1 => Some(0),
        "reverse-finish" => own_caller().or_else(|| caller(n)),
        other => unreachable!("{other}"),
    }
}

/// Moves from positions of one process. From the program's own code they end there, unless all
/// code is wanted.
fn check_moves(run: &mut Run, proc: ProcId, scope: &str) -> usize {
    let moves = [
        "step line",
        "next",
        "finish",
        "step call",
        "reverse-step line",
        "reverse-next",
        "reverse-finish",
    ];
    let own = run.session().own();
    let (trace, mut compared) = (&run.traces[&proc], 0);
    run.debugger.command(&format!("set code {scope}")).expect("a setting");
    let execution = run.debugger.session.execution();
    let exited = execution.proc(proc).exit().is_some();
    let path = execution.proc(proc).path.to_string();
    let last = trace.len() - usize::from(exited);
    let is_own = |m: usize| own.contains(&trace[m].module);
    let begins = (0..last).filter(|n| scope == "all" || is_own(*n)).collect();
    for n in spread(begins, 20) {
        for command in moves {
            let counts = |m: usize| scope == "all" || is_own(m);
            let Some(expected) = expected_move(trace, command, n, &counts) else { continue };
            let to = format!("goto {path}@{n}");
            run.debugger.command(&to).unwrap_or_else(|why| panic!("{to}: {why}"));
            let name = format!("{}: {proc:?}@{n} {command}, code {scope}", run.name);
            let moved = run.debugger.command(command);
            moved.unwrap_or_else(|why| panic!("{name}: {why}"));
            let mut at = run.debugger.session.steps_of(proc);
            // A call that no clause takes is entered too, but has no position of its own.
            while command == "step call"
                && at < expected as u64
                && trace[at as usize].before.is_some()
            {
                run.debugger.command(command).unwrap_or_else(|why| panic!("{name}: {why}"));
                at = run.debugger.session.steps_of(proc);
            }
            let way = || {
                let way = &trace[n.min(expected)..=n.max(expected)];
                way.iter().map(|p| (p.depth, p.module.name())).collect::<Vec<_>>()
            };
            assert_eq!(at, expected as u64, "{name} {:?}", way());
            compared += 1;
        }
    }
    compared
}

// papers: 000 | 4 (manual mode) | steps forward and backward in a chosen process | step, next, finish and back
// papers: 001 | 4 (granularity) | a call in one step, or step by step; library code in one step | next, step line, set code
#[test]
fn moves_lead_where_the_positions_say() {
    with_deep_stack(|| {
        let (compared, libraries) = (Cell::new(0), Cell::new(0));
        everywhere(|run| {
            let own = run.session().own();
            let procs: Vec<ProcId> = run.traces.keys().copied().collect();
            for proc in procs {
                let trace = &run.traces[&proc];
                let has_extent = |all: bool| {
                    let mut counted = trace.iter().filter(|p| all || own.contains(&p.module));
                    counted.all(|p| p.has_extent)
                };
                let (whole, own_part) = (has_extent(true), has_extent(false));
                if whole {
                    compared.set(compared.get() + check_moves(run, proc, "all"));
                }
                let is_mixed = run.traces[&proc].iter().any(|p| !own.contains(&p.module));
                if own_part && is_mixed {
                    libraries.set(libraries.get() + check_moves(run, proc, "own"));
                }
            }
        });
        eprintln!("{} moves compared, {} over libraries", compared.get(), libraries.get());
        assert!(libraries.get() > 1_000);
    });
}

#[test]
fn conditions_are_asked_where_the_line_begins() {
    let mut d = debugger("moments/break_line");
    said(&mut d, "break 7 if Y =:= 3");
    assert!(said(&mut d, "continue").contains("break_line.erl:7"));
    for line in [6, 7, 11] {
        let mut d = debugger("moments/break_lines");
        said(&mut d, &format!("break {line}"));
        let stopped = said(&mut d, "continue");
        assert!(stopped.contains(&format!("break_lines.erl:{line}")), "{line}: {stopped}");
    }
}

#[test]
fn a_condition_that_cannot_be_is_refused_and_one_that_fails_is_told_once() {
    let mut d = debugger("moments/break_condition");
    for bad in ["1 +", "State#account.nosuch > 1", "State#nosuch.balance > 1", ")"] {
        let refused = said(&mut d, &format!("break add/2 if {bad}"));
        assert!(refused.contains("cannot be a condition"), "{bad}: {refused}");
    }
    assert!(said(&mut d, "break add/2 if Nosuch > 3").contains("breakpoint 1"));
    let first = said(&mut d, "continue");
    assert!(first.contains("variable 'Nosuch' is unbound"), "{first}");
    let then = said(&mut d, "continue");
    assert!(then.contains("has finished"), "{then}");
    let mut d = debugger("moments/break_condition");
    said(&mut d, "break add/2 if 7");
    let first = said(&mut d, "continue");
    assert!(first.contains("'7' is 7, not true or false"), "{first}");
}

#[test]
fn moves_stop_at_breakpoints_on_their_way_in_whatever_process() {
    let mut d = debugger("moments/next_past_break");
    said(&mut d, "break serve/1");
    let stopped = (0..10).map(|_| said(&mut d, "next")).find(|said| said.contains("breakpoint 1"));
    let stopped = stopped.expect("a server that is run through serve/1");
    assert!(stopped.contains("serve/1"), "{stopped}");
    let mut d = debugger("moments/next_past_break");
    said(&mut d, "break loop/0");
    said(&mut d, "continue");
    said(&mut d, "delete 1");
    said(&mut d, "break serve/1");
    let stopped = said(&mut d, "finish");
    assert!(stopped.contains("breakpoint 2") && stopped.contains("serve/1"), "{stopped}");
    // The same along what is known.
    said(&mut d, "run");
    said(&mut d, "run");
    said(&mut d, "undo all");
    let stopped = said(&mut d, "step 1000");
    assert!(stopped.contains("breakpoint 2") && stopped.contains("serve/1"), "{stopped}");
}

#[test]
fn a_line_without_code_means_the_next_one_of_its_clause() {
    let mut d = debugger("moments/why_unchanged");
    // A head: its body is on the line itself, or on the next one.
    let text = std::fs::read_to_string(reverl_programs::named("moments/why_unchanged").path());
    let text = text.expect("the program");
    let has_code = |line: &str| line.trim_start().starts_with("wait(") || line.contains("->");
    for (number, line) in text.lines().enumerate().filter(|(_, line)| has_code(line)) {
        let set = said(&mut d, &format!("break {}", number + 1));
        assert!(set.contains("breakpoint"), "{line}: {set}");
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('-')) {
        let refused = said(&mut d, &format!("break {}", number + 1));
        assert!(refused.contains("there is no code for"), "{line}: {refused}");
    }
}

/// A log is what the judge sees at each of its positions, of all processes.
#[test]
fn a_log_has_every_value_that_brute_force_finds() {
    with_deep_stack(|| {
        let compared = Cell::new(0);
        everywhere(|run| {
            let session = run.session();
            for (file, line) in run.lines(2) {
                let here = |p: &judge::Position| {
                    p.line.as_ref().is_some_and(|(f, l)| **f == *file && *l == line)
                };
                let at = StopAt::Line(LineSpec { file: Some(file.clone()), line });
                for name in run.variables(1) {
                    let text = name.name();
                    let logged =
                        logged::logged(session, &at, text, None, (usize::MAX, Detail::Whole));
                    let logged = logged.unwrap_or_else(|why| panic!("{}: {why}", run.name));
                    let mut found: Vec<(u32, u64, Option<String>)> = logged
                        .rows
                        .iter()
                        .map(|row| (row.process.proc, row.step, value(&row.value)))
                        .collect();
                    found.sort_unstable();
                    let mut expected = vec![];
                    for (proc, trace) in &run.traces {
                        let hits = trace.iter().enumerate();
                        let hits = hits.filter(|(_, p)| here(p) && p.begins_line(trace));
                        expected.extend(hits.map(|(step, p)| {
                            let bound = p.variables.iter().find(|(bound, _)| *bound == name);
                            (proc.0, step as u64, bound.map(|(_, value)| show(value)))
                        }));
                    }
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{} {file}:{line} {text}", run.name);
                    compared.set(compared.get() + expected.len());
                }
            }
        });
        eprintln!("{} values compared", compared.get());
        assert!(compared.get() > 1_000);
    });
}

fn value(logged: &LoggedValue) -> Option<String> {
    match logged {
        LoggedValue::Value(value) => Some(value.clone()),
        LoggedValue::None(_) => None,
    }
}
