//! The schedules that people can choose, by name.

use reverl_causal::schedule::{Preference, Random, RoundRobin, Schedule};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The schedules that can be asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ScheduleName {
    #[default]
    RoundRobin,
    Random,
    RandomDelivery,
    ProcessesFirst,
    DeliveriesFirst,
}

impl ScheduleName {
    pub fn named(name: &str) -> Option<ScheduleName> {
        Some(match name {
            "round-robin" | "first-come" => ScheduleName::RoundRobin,
            "random" => ScheduleName::Random,
            "random-delivery" => ScheduleName::RandomDelivery,
            "processes-first" => ScheduleName::ProcessesFirst,
            "deliveries-first" => ScheduleName::DeliveriesFirst,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            ScheduleName::RoundRobin => "round-robin",
            ScheduleName::Random => "random",
            ScheduleName::RandomDelivery => "random-delivery",
            ScheduleName::ProcessesFirst => "processes-first",
            ScheduleName::DeliveriesFirst => "deliveries-first",
        }
    }

    /// The schedule itself; `seed` is for those that throw dice.
    pub fn schedule(self, seed: u64) -> Box<dyn Schedule> {
        let random = |preference, instant| Box::new(Random::new(seed, preference, instant));
        match self {
            ScheduleName::RoundRobin => Box::new(RoundRobin),
            ScheduleName::Random => random(Preference::None, true),
            ScheduleName::RandomDelivery => random(Preference::None, false),
            ScheduleName::ProcessesFirst => random(Preference::Processes, false),
            ScheduleName::DeliveriesFirst => random(Preference::Deliveries, false),
        }
    }
}
