//! Processes become a system, and an execution a graph that one can walk.
//!
//! Three ideas: an execution is a graph of events; where we are in it is a cut; a process's
//! state is computed again, not stored.
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod action;
mod boot;
pub mod branch;
pub mod checkpoint;
pub mod chunked;
pub mod cluster;
mod crash_report;
pub mod cut;
mod dice;
pub mod edges;
pub mod ets;
mod event;
pub mod execution;
pub mod fold;
mod foresight;
mod given;
pub mod held;
mod look;
pub mod object;
mod on_the_way;
pub mod order;
pub mod plan;
mod proc;
mod ready;
pub mod recording;
pub mod replay;
pub mod requests;
pub mod sampling;
pub mod schedule;
pub mod script;
mod signal;
mod signals;
pub mod step;
pub mod system;
pub mod timer;
mod tracing;
pub mod unrest;
pub mod world;

pub use cut::{Cut, Place};
pub use edges::Edge;
pub use execution::{
    Action, ActionKind, Chain, Delivery, Entry, EventRef, Execution, NodeId, ProcId, SignalId,
};
pub use plan::{Plan, Target};
pub use step::{Happened, Impossible, Input, Step, Until};
pub use system::{Arrivals, Asked, System};
pub use world::{
    FileStatus, Loader, NoOutside, Outside, PortCommand, PortRefusal, PortSaid, World,
};
