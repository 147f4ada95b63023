//! Recordings of real nodes.
//!
//! A tracer in the node (`crates/recorder`) writes chunks; here they become one recording, and a
//! recording becomes an execution: its modules run in the machine, driven by what was recorded,
//! and everything that the machine computes is checked against it.
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

pub mod diverged;
#[path = "../../recorder/src/format.rs"]
mod format;
pub mod inputs;
pub mod list;
pub mod local;
pub mod modules;
pub mod node;
pub mod parts;
pub mod replay;
mod same;
pub mod slice;
pub mod terms;
pub mod trace;

pub use diverged::Divergence;
pub use parts::{
    FunctionRole, NodeRecording, Origin, RecordedProcess, TraceAction, TraceEntry, TracedFunction,
};
