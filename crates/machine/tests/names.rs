//! How a name becomes something to call, and what an exception says of where it came from.

use reverl_lang::code::Target;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_machine::raise::{self, Top};
use reverl_machine::{Class, Ending, Local, Lookup, Process, Program, Raise, Stop};
use reverl_term::{Atom, Pid, Term, fmt};
use std::path::Path;

fn load(program: &mut Program, text: &str) {
    let name = text.split_once("-module(").and_then(|(_, rest)| rest.split_once(')'));
    let path = format!("{}.erl", name.expect("a name").0);
    let sources = &mut program.code.sources;
    let (module, problems) =
        load_bytes(Path::new(&path), text.into(), &Options::default(), sources);
    program.load(&module.unwrap_or_else(|| panic!("{problems:?}")));
}

fn found(program: &Program, module: &str, name: &str, arity: u16) -> String {
    match program.lookup(&None, Atom::new(module), Atom::new(name), arity) {
        Lookup::Found(Target::Fun(fun)) => {
            let info = program.code.fun(fun);
            format!("function {}:{}/{}", info.module.name(), info.name.name(), info.arity)
        }
        Lookup::Found(Target::Builtin(index)) => {
            let builtin = Program::builtin(index);
            format!("built-in {}:{}/{}", builtin.module, builtin.name, builtin.arity)
        }
        Lookup::Found(_) => "unresolved".into(),
        Lookup::Load(module) => format!("load {}", module.name()),
        Lookup::Undefined | Lookup::Elsewhere => "undefined".into(),
    }
}

const MODULE: &str = "-module(m).\n-export([open/1]).\nopen(X) -> hidden(X).\nhidden(X) -> X.\n";

#[test]
fn a_name_is_a_built_in_an_exported_function_or_undefined() {
    let mut program = Program::new();
    assert_eq!(found(&program, "erlang", "self", 0), "built-in erlang:self/0");
    assert_eq!(found(&program, "m", "open", 1), "load m");
    load(&mut program, MODULE);
    assert_eq!(found(&program, "m", "open", 1), "function m:open/1");
    assert_eq!(found(&program, "m", "open", 2), "undefined");
    assert_eq!(found(&program, "m", "hidden", 1), "undefined");
    let local = program.function(Atom::new("m"), Atom::new("hidden"), 1);
    assert!(local.is_some(), "inside of its module it is known");
}

#[test]
fn a_module_that_does_not_exist_is_asked_for_once() {
    let mut program = Program::new();
    assert_eq!(found(&program, "nowhere", "f", 0), "load nowhere");
    program.set_missing(Atom::new("nowhere"));
    assert_eq!(found(&program, "nowhere", "f", 0), "undefined");
    assert!(program.is_missing(Atom::new("nowhere")) && !program.is_loaded(Atom::new("nowhere")));
}

#[test]
fn a_module_that_is_loaded_again_is_the_new_one() {
    let mut program = Program::new();
    load(&mut program, MODULE);
    let first = program.function(Atom::new("m"), Atom::new("open"), 1);
    load(&mut program, "-module(m).\n-export([open/1]).\nopen(X) -> {new, X}.\n");
    assert_ne!(program.function(Atom::new("m"), Atom::new("open"), 1), first);
    assert_eq!(found(&program, "m", "open", 1), "function m:open/1");
}

#[test]
fn a_function_can_be_replaced_by_another_whoever_calls_it() {
    let mut program = Program::new();
    load(&mut program, MODULE);
    let open = program.function(Atom::new("m"), Atom::new("open"), 1).expect("it is there");
    let key = (Atom::new("erlang"), Atom::new("node"), 1);
    program.redirected.insert(key, open);
    assert_eq!(found(&program, "erlang", "node", 1), "function m:open/1");
    program.unaided.insert((Atom::new("erlang"), Atom::new("self")));
    assert_ne!(found(&program, "erlang", "self", 0), "built-in erlang:self/0");
}

/// Runs `m:main/0` to its end, and shows its value or its exception.
fn run(text: &str) -> String {
    let mut program = Program::new();
    load(&mut program, text);
    let main = program.function(Atom::new("m"), Atom::new("main"), 0).expect("main/0");
    let local = Local::new(Pid::local(80, 0), Term::nil());
    let mut process = Process::start(&program, main, vec![], local);
    assert!(matches!(process.run(&program, u64::MAX), Stop::Ended));
    match process.ending() {
        Some(Ending::Value(value)) => fmt::write(value),
        Some(Ending::Exception(e)) => {
            let trace = raise::show_trace(&program.code, &e.trace);
            format!("{} {} {}", e.class.atom().name(), fmt::write(&e.reason), fmt::write(&trace))
        }
        _ => "killed".into(),
    }
}

fn body(body: &str) -> String {
    run(&format!("-module(m).\n-export([main/0]).\nmain() ->\n    {body}.\n"))
}

#[test]
fn a_trace_begins_with_the_built_in_that_failed_or_with_its_caller() {
    let failed = body("X = hd([]), X");
    let info = "[{error_info,#{module => erl_erts_errors}}]";
    let at = r#"{m,main,0,[{file,[109,46,101,114,108]},{line,4}]}"#;
    assert_eq!(failed, format!("error badarg [{{erlang,hd,[[]],{info}}},{at}]"));
    assert_eq!(body("X = throw(up), X"), format!("throw up [{at}]"));
    assert_eq!(body("X = exit(out), X"), format!("exit out [{at}]"));
}

#[test]
fn a_catch_gives_what_erlang_gives() {
    assert_eq!(body("catch throw(up)"), "up");
    assert_eq!(body("catch exit(out)"), "{'EXIT',out}");
    assert!(body("catch error(bad)").starts_with("{'EXIT',{bad,[{m,main,0,"));
    assert_eq!(body("try error(bad) catch error:E -> {caught, E} end"), "{caught,bad}");
}

#[test]
fn a_trace_is_no_longer_than_otps() {
    let call = |i: usize| format!("f{i}() -> X = f{}(), {{{i}, X}}.\n", i + 1);
    let calls: String = (0..20).map(call).collect();
    let text = format!("-module(m).\n-export([main/0]).\nmain() -> f0().\n{calls}");
    let shown = run(&(text + "f20() -> error(deep).\n"));
    assert_eq!(shown.matches("{m,f").count(), raise::TRACE_DEPTH, "{shown}");
    assert!(shown.starts_with("error deep [{m,f20,0,"), "{shown}");
}

#[test]
fn whoever_is_named_first_is_at_the_top_of_the_trace() {
    let (m, f, g) = (Atom::new("m"), Atom::new("f"), Atom::new("g"));
    let named = Raise::badarg_because("small").by(m, f, &[Term::int(1)]).by(m, g, &[]);
    let Top::Entry(entry) = named.top else { panic!("the built-in is named") };
    let shown = fmt::write(&entry);
    assert_eq!(shown, "{m,f,[1],[{error_info,#{cause => small,module => erl_stdlib_errors}}]}");
    assert!(matches!(Raise::badarg().by_caller().by(m, f, &[]).top, Top::Caller));
}

#[test]
fn classes_are_their_atoms() {
    for class in [Class::Error, Class::Exit, Class::Throw] {
        assert_eq!(Class::from_term(&Term::atom(class.atom())), Some(class));
    }
    assert_eq!(Class::from_term(&Term::atom_named("other")), None);
    assert_eq!(Class::from_term(&Term::int(1)), None);
}
