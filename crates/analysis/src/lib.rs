//! What else could have happened: functions of an execution graph.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

pub mod cauder;
pub mod conflicts;
pub mod declare;
pub mod explore;
mod extend;
pub mod feasible;
mod follow;
mod footprint;
pub mod history;
mod matching;
pub mod observation;
pub mod prefix;
pub mod races;
pub mod realise;
mod revisit;
mod stamps;
pub mod timeouts;
