//! The one interface under all faces: a program or a recording, opened, run and walked.
#![forbid(unsafe_code)]

pub mod ask;
mod brief;
pub mod command;
pub mod compile;
pub mod crash;
pub mod describe;

pub mod dialogue;
pub mod entry;
pub mod error;
pub mod eval;
pub mod event;
pub mod explore;
pub mod failure;
pub mod fault;
pub mod language;
pub mod lines;
pub mod modules;
pub mod names;
pub mod notebook;
pub mod origin;
pub mod otp;
pub mod outcome;
pub mod outside;
pub mod places;
pub mod position;
pub mod property;
pub mod query;
pub mod reasons;
pub mod records;
pub mod schedules;
pub mod scope;
pub mod sequence;
pub mod session;
pub mod stops;
pub mod target;
pub mod testing;
pub mod text;
pub mod transform;
pub mod translation;
pub mod viewpoint;
pub mod waits;
pub mod walk;
pub mod watched;
