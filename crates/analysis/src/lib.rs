//! What else could have happened: functions of an execution graph.

pub mod cauder;
pub mod conflicts;
pub mod declare;
mod enumerate;
pub mod explore;
pub mod feasible;
pub mod history;
pub mod races;
