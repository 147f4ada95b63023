//! What tables mean for cause and effect.

use reverl_causal::object::Mode;
use reverl_causal::plan::{self, Target};
use reverl_causal::schedule::RoundRobin;
use reverl_causal::*;
use reverl_machine::Program;

fn run(text: &str) -> System {
    let mut system = reverl_programs::text(text);
    system.run(&mut RoundRobin, &mut |_| true);
    system
}

/// The requests of a built-in in the order in which they were made.
fn requests(system: &System, name: &str) -> Vec<EventRef> {
    let is_it = |event: &EventRef| match system.execution().action(*event).map(|a| a.what()) {
        Some(ActionKind::Request(answered)) if answered.builtin != u32::MAX => {
            Program::builtin(answered.builtin).name == name
        }
        _ => false,
    };
    system.execution().events().filter(is_it).collect()
}

const TWO_TABLES: &str = "
-module(t).
-export([main/0]).
main() ->
    A = ets:new(a, [public]),
    B = ets:new(b, [public]),
    Me = self(),
    spawn(fun() -> ets:insert(A, {x, 1}), Me ! go end),
    spawn(fun() -> ets:insert_new(B, {y, 1}) end),
    receive go -> ok end,
    spawn(fun() -> ets:lookup(A, x) end),
    spawn(fun() -> ets:lookup(A, x) end),
    spawn(fun() -> ets:lookup(B, y) end),
    %% Its tables would end with it.
    receive never -> ok end.
";

#[test]
fn undoing_a_write_undoes_the_reads_that_saw_it() {
    let system = run(TWO_TABLES);
    let end = Cut::end(system.execution());
    let insert = requests(&system, "insert")[0];
    let lookups = requests(&system, "lookup");
    let plan = plan::undo(system.execution(), &end, Target::Event(insert));
    assert_eq!(lookups.len(), 3);
    assert!(plan.events.contains(&lookups[0]) && plan.events.contains(&lookups[1]));
}

#[test]
fn reads_of_one_table_do_not_depend_on_each_other() {
    let system = run(TWO_TABLES);
    let end = Cut::end(system.execution());
    let lookups = requests(&system, "lookup");
    for lookup in &lookups {
        let plan = plan::undo(system.execution(), &end, Target::Event(*lookup));
        let others = lookups.iter().filter(|l| *l != lookup);
        assert!(others.into_iter().all(|other| !plan.events.contains(other)));
    }
}

#[test]
fn tables_are_independent_of_each_other() {
    let system = run(TWO_TABLES);
    let end = Cut::end(system.execution());
    let write = requests(&system, "insert_new")[0];
    let plan = plan::undo(system.execution(), &end, Target::Event(write));
    let lookups = requests(&system, "lookup");
    assert!(!plan.events.contains(&lookups[0]) && plan.events.contains(&lookups[2]));
}

#[test]
fn a_write_that_changes_nothing_is_only_a_read() {
    let system = run("
        -module(t).
        -export([main/0]).
        main() ->
            T = ets:new(t, [public]),
            ets:insert(T, {x, 1}),
            false = ets:insert_new(T, {x, 2}),
            spawn(fun() -> ets:lookup(T, x) end).
    ");
    let end = Cut::end(system.execution());
    let object = requests(&system, "insert_new")[0];
    let accesses = system.execution().objects().accesses_of(object);
    let histories =
        accesses.iter().map(|(o, i)| (system.execution().objects().accesses(*o), *i as usize));
    assert!({ histories }.all(|(history, i)| history[i].mode == Mode::Read));
    assert!(end.total_steps() > 0);
}

#[test]
fn a_table_of_a_process_that_ends_goes_to_its_heir_with_a_message() {
    let system = run("
        -module(t).
        -export([main/0]).
        main() ->
            Me = self(),
            spawn(fun() ->
                T = ets:new(t, [{heir, Me, will}]),
                ets:insert(T, {x, 1}),
                ets:new(lost, [named_table])
            end),
            receive
                {'ETS-TRANSFER', T, _, will} ->
                    Me = ets:info(T, owner),
                    undefined = ets:info(lost),
                    ets:lookup(T, x)
            end.
    ");
    let exit = system.execution().proc(system.main).exit().expect("it has ended");
    let value = exit.value.clone().expect("with a value");
    assert_eq!(reverl_term::fmt::write(&value), "[{x,1}]");
}
