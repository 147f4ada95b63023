//! Runs code. One Erlang process is a pure, deterministic coroutine: it computes until it needs
//! something from outside, says what, and goes on with the answer.
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod bits;
pub mod builtins;
mod calls;
mod dictionary;
pub mod edition;
mod execute;
mod heap;
pub mod kernel;
pub mod library;
pub mod mailbox;
mod maps;
pub mod match_spec;
mod module_info;
mod native;
mod ops;
pub mod process;
pub mod program;
pub mod raise;
mod regex;
mod run;
pub mod stack;
pub mod tracing;
mod undefined;
mod unwind;

pub use mailbox::{Mailbox, Message, MessageId, Taken};
pub use process::{Ending, Local, Process, Resource, Stop};
pub use program::{Lookup, OtpVersion, Program};
pub use raise::{Class, Exception, Raise};
pub use run::Watch;
