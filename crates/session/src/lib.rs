//! The one interface under all faces: a program or a recording, opened, run and walked.

pub mod entry;
pub mod modules;
pub mod outcome;
pub mod scope;
pub mod session;
pub mod world;
