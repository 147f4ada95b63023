//! From Erlang text (or the debug info of a `.beam`) to code that the machine can run.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]
#![warn(missing_docs)]

pub mod abstract_form;
#[allow(missing_docs, reason = "its items are the words of Erlang's abstract format")]
pub mod ast;
pub mod beam;
mod behaviour;
pub mod bifs;
pub mod code;
pub mod diagnostic;
pub mod encoding;
pub mod files;
mod flow;
pub mod forms;
pub mod lexer;
pub mod libraries;
pub mod lint;
pub mod lower;
pub mod module;
pub mod options;
pub mod parser;
pub mod preprocess;
pub mod print;
pub mod project;
pub mod source;
pub mod token;
pub mod visit;
