//! The Erlang programs that Reverl is tested with, all of them, each with a row that says how it
//! is called and what is in it.
//!
//! A law is written once and runs on every program:
//!
//! ```
//! use reverl_causal::schedule::RoundRobin;
//! use reverl_programs::{Length, all, run};
//!
//! for program in all() {
//!     let system = run(program, &mut RoundRobin, Length::SHORT);
//!     assert!(system.execution().steps() > 0, "{program}");
//! }
//! ```
//!
//! A program that was found to break something joins the table, and from then on every law is
//! tried on it.
#![forbid(unsafe_code)]

pub mod brute;
pub mod compare;
mod dice;
mod executions;
mod loader;
mod program;
pub mod random;
mod table;

pub use dice::Dice;
pub use executions::{for_each_crowd, for_each_crowd_on_nodes, for_each_execution};
pub use loader::{Files, Texts, text};
pub use program::{Program, Tag};

use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use reverl_causal::{Step, System};
use reverl_lang::project::otp_lib;
use std::path::{Path, PathBuf};

/// The directory of the programs.
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("erl")
}

/// Every program that can run on this machine: without an installed OTP, some cannot.
pub fn all() -> impl Iterator<Item = &'static Program> {
    static HAS_OTP: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let has_otp = *HAS_OTP.get_or_init(|| {
        let left_out = table::PROGRAMS.iter().filter(|p| p.needs_otp).count();
        let has_otp = otp_lib().is_some();
        if !has_otp {
            eprintln!("{left_out} programs are left out: they need an installed OTP");
        }
        has_otp
    });
    table::PROGRAMS.iter().filter(move |p| has_otp || !p.needs_otp)
}

/// Every row, whether its program can run on this machine or not.
pub fn rows() -> &'static [Program] {
    table::PROGRAMS
}

/// The programs that have something in them.
pub fn tagged(tag: Tag) -> impl Iterator<Item = &'static Program> {
    all().filter(move |p| p.has(tag))
}

/// The program of this name.
pub fn named(name: &str) -> &'static Program {
    let mut rows = table::PROGRAMS.iter();
    rows.find(|p| p.name() == name).unwrap_or_else(|| panic!("there is no program '{name}'"))
}

/// How much of a program is run. The beginning of an execution is an execution too, so that laws
/// whose cost grows with its square or cube can ask for little.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    pub events: usize,
    pub steps: u64,
}

impl Length {
    /// The beginning: what a law can look at from every side.
    pub const SHORT: Length = Length { events: 90, steps: 4_000 };
    /// Enough for every program to show what is in it.
    pub const LONG: Length = Length { events: 3_000, steps: 200_000 };

    fn goes_on(self, system: &System) -> bool {
        system.execution().event_count() < self.events && system.execution().steps() < self.steps
    }
}

/// An execution of a program by a schedule, of this length or to its end.
pub fn run(program: &Program, schedule: &mut dyn Schedule, length: Length) -> System {
    let mut system = program.system();
    go_on(&mut system, schedule, length);
    system
}

/// Lets a system run, until it has this length or to its end.
pub fn go_on(system: &mut System, schedule: &mut dyn Schedule, length: Length) {
    system.run(&mut Slices(schedule), &mut |system| length.goes_on(system));
}

/// A schedule that looks up often, so that no execution becomes much longer than it should.
struct Slices<'s>(&'s mut dyn Schedule);

impl Slices<'_> {
    const STEPS: u64 = 40;
}

impl Schedule for Slices<'_> {
    fn next(&mut self, system: &mut System) -> Option<Step> {
        Some(match self.0.next(system)? {
            Step::Run { proc, until } => {
                let limit = system.execution().proc(proc).steps + Self::STEPS;
                Step::Run { proc, until: until.with_limit(until.limit().min(limit)) }
            }
            other => other,
        })
    }

    fn instant_delivery(&self) -> bool {
        self.0.instant_delivery()
    }
}

/// The usual schedule, and so many random ones of each kind.
pub fn schedules(seeds: u64) -> Vec<Box<dyn Schedule>> {
    let mut all: Vec<Box<dyn Schedule>> = vec![Box::new(RoundRobin)];
    for seed in 0..seeds {
        all.push(Box::new(Random::new(seed, Preference::None, true)));
        all.push(Box::new(Random::new(seed, Preference::None, false)));
        all.push(Box::new(Random::new(seed, Preference::Processes, false)));
        all.push(Box::new(Random::new(seed, Preference::Deliveries, false)));
    }
    all
}
