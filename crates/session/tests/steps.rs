//! Steps are the reductions of paper 001, one at a time and in order.

use reverl_causal::schedule::RoundRobin;
use reverl_causal::{ActionKind, Entry, System};
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::project::ProgramSources;
use reverl_lang::source::SourceMap;
use reverl_machine::Program;
use reverl_session::modules::Modules;
use reverl_session::outside::{Output, RealOutside};
use reverl_session::scope;
use reverl_term::{Atom, Term};
use std::path::Path;

fn parsed(body: &str, sources: &mut SourceMap) -> Module {
    let text =
        format!("-module(steps).\n-feature(maybe_expr, enable).\n-export([main/0]).\n{body}\n");
    let (module, problems) =
        load_bytes(Path::new("steps.erl"), text.into_bytes(), &Options::default(), sources);
    assert!(problems.iter().all(|p| !p.is_error()), "{problems:?}");
    module.expect("a module")
}

fn run(body: &str) -> System {
    let mut program = Program::new();
    let module = parsed(body, &mut program.code.sources);
    program.load(&module);
    let entry =
        Entry::Call { module: Atom::new("steps"), name: Atom::new("main"), args: Term::nil() };
    let modules = Modules::new(ProgramSources::default());
    let world = RealOutside { output: Output::Keep };
    let mut system = System::new(program, Box::new(modules), Box::new(world), entry);
    system.run(&mut RoundRobin, &mut |_| true);
    system
}

/// Runs the program at full speed, then looks at every moment of the main process.
fn check_steps(body: &str, expected: &str) {
    let system = run(body);
    let main = system.main;
    let end = system.execution().proc(main).steps;
    let mut rules = vec![];
    for step in 0..end {
        let process = system.state_at(main, step);
        if process.is_waiting() {
            // What a waiting process does next is the system's business.
            let actions = &system.execution().proc(main).actions;
            let next =
                actions.get(system.execution().proc(main).actions_at(step)).map(|a| a.what());
            let timeout = matches!(next, Some(ActionKind::Timeout));
            rules.push(if timeout { "Timeout".into() } else { "Receive".into() });
            continue;
        }
        if let Some((rule, _)) = scope::here(&system.program().code, &process, step).next {
            if process.ending().is_none() {
                rules.push(format!("{rule:?}"));
            }
        }
    }
    assert_eq!(rules.join(" "), expected, "{body}");
}

// papers: 001 | Fig. 4 (Match, Seq) | a match binds, a sequence drops what is done | step
#[test]
fn a_sequence_binds_and_drops() {
    check_steps("main() -> X = ok, Y = X, Y.", "Match Seq Var Match Seq Var Return");
}

// papers: 001 | Fig. 4 (Op, Bif) | operators and built-ins are reductions of their own | step
#[test]
fn operators_are_steps() {
    check_steps("main() -> A = 1, A + 2 * A.", "Match Seq Var Var Op Op Return");
}

// papers: 001 | Fig. 4 (Case) | a case chooses a clause by pattern and guard | step
#[test]
fn a_case_chooses_and_joins() {
    check_steps("main() -> case ok of ok -> yes; _ -> no end.", "Case Return");
    check_steps("main() -> X = case ok of ok -> yes end, X.", "Case Join Match Seq Var Return");
}

// papers: 001 | Fig. 4 (If) | an if chooses by its guards | step
#[test]
fn an_if_chooses() {
    check_steps("main() -> X = 1, if X > 3 -> big; true -> small end.", "Match Seq If Return");
}

// papers: 001 | Fig. 4 (Call, Return) | calls have a stack of their own | step, where
#[test]
fn a_call_returns() {
    check_steps("main() -> X = f(1), X. f(N) -> N.", "Call Var Return Match Seq Var Return");
}

// papers: 001 | Fig. 4 (Fun) | funs are values with their environment | step
#[test]
fn a_fun_is_made_and_called() {
    check_steps("main() -> F = fun(X) -> X end, F(1).", "Fun Match Seq Var Call Var Return");
}

// papers: 001 | 3.1 | forward and backward rules of the system | step, reverse-step
#[test]
fn messages_are_steps() {
    check_steps(
        "main() -> self() ! hello, receive X -> X end.",
        "Call Send Seq Receive Var Return",
    );
}

// papers: 001 | 2 (after) | a receive that times out | step, choose timeout
#[test]
fn a_time_out_is_a_step() {
    check_steps("main() -> receive after 5 -> late end.", "Timeout Return");
}

// papers: 001 | 2 (sugar) | comprehensions turn by turn | step
#[test]
fn a_comprehension_turns() {
    check_steps(
        "main() -> [X || X <- [a, b]].",
        "Call Generate Var Generate Var Generate Return Return Return",
    );
}

// papers: 001 | 2 (exceptions) | what is raised is caught or ends the process | step
#[test]
fn an_exception_is_caught() {
    check_steps("main() -> try throw(x) catch throw:Y -> Y end.", "Call Catch Var Return");
    check_steps("main() -> maybe ok ?= no else no -> left end.", "Match Else Return");
}
