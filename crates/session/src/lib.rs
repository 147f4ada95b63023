//! The one interface under all faces: a program or a recording, opened, run and walked.

pub mod ask;
mod brief;
pub mod command;
pub mod describe;
pub mod diagram;
pub mod dialogue;
pub mod entry;
pub mod eval;
pub mod failure;
pub mod modules;
pub mod outcome;
pub mod outside;
pub mod scope;
pub mod search;
pub mod session;
pub mod transform;
pub mod view;
pub mod walk;
