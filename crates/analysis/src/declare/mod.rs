//! Declarative debugging (paper 003): the computations of an execution as a tree, and which of
//! them to ask about next. Nothing of it is stored with the execution: processes run again.

pub mod strategy;
pub mod trace;
pub mod tree;

pub use strategy::Strategy;
pub use tree::{End, Kind, Node, NodeId, Tree};
