//! What executions of one program share is there for each of them, at any time.

use reverl_causal::schedule::RoundRobin;
use reverl_causal::*;
use reverl_lang::forms::Module;
use reverl_lang::module::load_bytes;
use reverl_lang::options::Options;
use reverl_lang::source::SourceMap;
use reverl_machine::Program;
use reverl_term::{Atom, Fun, Term, fmt};
use std::path::Path;

/// Gives the same text for whatever module it is asked, and counts how often it was.
struct Text {
    text: &'static str,
    asked: std::rc::Rc<std::cell::Cell<u32>>,
}

impl Loader for Text {
    fn load(&mut self, _: Atom, sources: &mut SourceMap) -> Option<Module> {
        self.asked.set(self.asked.get() + 1);
        assert!(self.asked.get() < 100, "the same module is asked for again and again");
        let bytes = self.text.as_bytes().to_vec();
        load_bytes(Path::new("text.erl"), bytes, &Options::default(), sources).0
    }
}

fn system(text: &'static str, module: &str) -> System {
    let entry =
        Entry::Call { module: Atom::new(module), name: Atom::new("main"), args: Term::nil() };
    let loader = Text { text, asked: Default::default() };
    System::new(Program::new(), Box::new(loader), Box::new(NoOutside), entry)
}

const PING: &str = "-module(ping).
-export([main/0]).
main() ->
    Self = self(),
    Pong = spawn(fun() -> pong(20, Self) end),
    [begin Pong ! N, receive {N, Answer} -> Answer end end || N <- lists:seq(1, 20)].
pong(0, _) -> ok;
pong(Left, To) -> receive N -> To ! {N, N * N}, pong(Left - 1, To) end.
";

/// Every moment of the main process, as its registers print.
fn moments(system: &System) -> Vec<String> {
    let steps = system.execution().proc(system.main).steps;
    let registers = |step| {
        let process = system.state_at(system.main, step);
        process.registers().iter().map(fmt::write).collect::<Vec<_>>().join(" ")
    };
    (0..=steps).map(registers).collect()
}

#[test]
fn the_past_can_be_looked_at_while_and_after_a_branch_uses_the_same_code() {
    let mut first = system(PING, "ping");
    first.world().change(|program| program.limits.checkpoint = 5);
    first.run(&mut RoundRobin, &mut |_| true);
    let before = moments(&first);
    let middle = first.execution().events().nth(20).expect("an event");
    let end = Cut::end(first.execution());
    let cut = plan::undo(first.execution(), &end, Target::Event(middle)).to;
    let mut branch = first.branch(&cut);
    assert!(moments(&first) == before, "beside a branch");
    branch.run(&mut RoundRobin, &mut |_| true);
    assert!(moments(&branch) == before, "the branch does the same");
    drop(branch);
    assert!(moments(&first) == before, "after the branch is gone");
    let begun_anew = first.beginning();
    drop(first);
    assert_eq!(moments(&begun_anew).len(), 1, "one that outlives the first");
}

#[test]
fn a_module_under_another_name_is_not_the_one_that_was_asked_for() {
    let mut system = system("-module(other).\n-export([main/0]).\nmain() -> ok.\n", "asked");
    system.run(&mut RoundRobin, &mut |_| true);
    let exit = system.execution().proc(system.main).exit().expect("it ends");
    let reason = fmt::write(&exit.reason);
    assert!(reason.starts_with("{undef,[{asked,main,[],"), "{reason}");
}

#[test]
fn an_entry_that_is_a_built_in_and_what_depends_on_the_system_can_be_undone_and_redone() {
    let atom = |name: &str| Term::atom(Atom::new(name));
    let entries = [
        ("ets", "new", vec![atom("t"), Term::nil()]),
        ("erlang", "monotonic_time", vec![]),
        ("erlang", "whereis", vec![atom("user")]),
        ("erlang", "monitor", vec![atom("process"), atom("user")]),
        ("persistent_term", "get", vec![atom("x"), Term::int(1)]),
        ("erlang", "spawn", vec![atom("erlang"), atom("whereis"), Term::list([atom("user")])]),
    ];
    let mut all = vec![];
    for (module, name, args) in entries {
        let (module, name, arity) = (Atom::new(module), Atom::new(name), args.len() as u32);
        let fun = Term::fun(Fun::External { module, name, arity });
        all.push(Entry::Fun { fun, args: Term::list(args.clone()) });
        all.push(Entry::Call { module, name, args: Term::list(args) });
    }
    for entry in all {
        let (loader, outside) = (Box::new(NoOutside), Box::new(NoOutside));
        let mut system = System::new(Program::new(), loader, outside, entry);
        assert_eq!(moments(&system).len(), 1, "before anything has happened");
        system.run(&mut RoundRobin, &mut |_| true);
        assert!(moments(&system).len() > 1);
        let execution = system.execution();
        let (start, end) = (Cut::start(execution), Cut::end(execution));
        for event in execution.events() {
            let redo = plan::redo(execution, &start, Target::Event(event));
            assert!(redo.to.contains(execution, event));
            let undo = plan::undo(execution, &end, Target::Event(event));
            assert!(!undo.to.contains(execution, event));
        }
    }
}
