//! Executions that a law is tried on: of every program, under several schedules.

use crate::{Files, Length};
use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::unrest::{Faults, Unrest};
use reverl_causal::{Entry, NoOutside, System};
use reverl_machine::Program;
use reverl_term::{Atom, Term};

/// Every program under the usual schedule and two others; those that are made of what ties
/// processes together under many.
pub fn for_each_execution(mut law: impl FnMut(&mut System, &str)) {
    for (number, program) in crate::all().enumerate() {
        let is_dense = program.file.starts_with("events/") && program.call == "main()";
        let beginning = program.system();
        let schedules = crate::schedules(if is_dense { 6 } else { 1 });
        for (i, mut schedule) in schedules.into_iter().enumerate() {
            // One of two schedules with instant delivery, and one of two without.
            if !is_dense && i > 0 && (i + number) % 2 == 0 {
                continue;
            }
            let mut system = beginning.beginning();
            crate::go_on(&mut system, &mut *schedule, Length::SHORT);
            law(&mut system, &format!("{program}, schedule {i}"));
        }
    }
    for_each_crowd(10, &mut law);
    for_each_crowd_on_nodes(6, law);
}

/// As `for_each_crowd`, on several nodes whose connections are lost and that end at random.
pub fn for_each_crowd_on_nodes(crowds: i64, mut law: impl FnMut(&mut System, &str)) {
    let actors = crate::directory().join("nodes/node_crowd.erl");
    let faults = Faults { splits: 3, crashes: 1 };
    for seed in 0..crowds {
        let args = Term::list([Term::int(seed)]);
        let entry = Entry::Call { module: Atom::new("node_crowd"), name: Atom::new("main"), args };
        let loader = Box::new(Files::without_otp(&actors));
        let mut system = System::new(Program::new(), loader, Box::new(NoOutside), entry);
        let calm = Random::new(seed as u64, Preference::None, seed % 2 == 0);
        let mut schedule = Unrest::new(calm, seed as u64, faults, 20);
        system.run(&mut schedule, &mut |s| s.execution().event_count() < 3_000);
        law(&mut system, &format!("node_crowd:main({seed})"));
    }
}

/// Processes that do what a number tells them, with everything that ties processes together.
pub fn for_each_crowd(crowds: i64, mut law: impl FnMut(&mut System, &str)) {
    let actors = crate::directory().join("events/actors.erl");
    for seed in 0..crowds {
        let args = Term::list([Term::int(seed)]);
        let entry = Entry::Call { module: Atom::new("actors"), name: Atom::new("main"), args };
        let loader = Box::new(Files::without_otp(&actors));
        let mut system = System::new(Program::new(), loader, Box::new(NoOutside), entry);
        let mut schedule: Box<dyn Schedule> = match seed % 3 {
            0 => Box::new(RoundRobin),
            1 => Box::new(Random::new(seed as u64, Preference::None, true)),
            _ => Box::new(Random::new(seed as u64, Preference::None, false)),
        };
        system.run(&mut *schedule, &mut |_| true);
        law(&mut system, &format!("actors:main({seed})"));
    }
}
