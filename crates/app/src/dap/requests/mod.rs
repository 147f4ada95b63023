//! Every request of the protocol that needs a session, one file each: what is asked, and the
//! reaction to it as data. The adapter carries the reaction out.

mod breakpoint_locations;
mod cancel;
mod completions;
mod configuration_done;
mod data_breakpoints;
mod evaluate;
mod exception_breakpoints;
mod exception_info;
mod function_breakpoints;
mod goto;
pub mod initialize;
pub mod leave;
mod line_breakpoints;
mod moves;
mod pause;
mod restart;
mod restart_frame;
mod reverl;
mod scopes;
mod set_variable;
mod sources;
mod stack_trace;
mod threads;
mod variables;

use super::debugging::{Debugging, Moving};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// There is nothing to attach to.
pub const NO_SESSION: &str = "this server has no session to attach to: start 'reverl ui FILE \
     --dap-port N' (or 'reverl debug FILE --dap-port N') and connect to that port, or say 'launch'";

/// What a request leads to.
pub enum Reaction {
    /// It is answered.
    Answer(Value),
    /// It is answered, and then these events are sent.
    Events(Value, Vec<Value>),
    /// It is answered when something else is done.
    Later,
    /// A command is carried out.
    Move(Moving),
    /// It is answered, and the session stands still where it is.
    Stop(Value, String),
    /// The session ends.
    End(Ending),
}

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client goes.
    Disconnect,
    /// The client wants the program to end, and will go then.
    Terminate,
}

/// A reaction, or the sentence with which the request is refused.
pub type Handled = Result<Reaction, String>;

/// A request of the protocol.
pub trait Request {
    const COMMAND: &'static str;
    type Arguments: DeserializeOwned;
    fn handle(debugging: &mut Debugging, arguments: Self::Arguments) -> Handled;
}

/// The arguments of a request.
pub fn arguments<T: DeserializeOwned>(command: &str, arguments: Value) -> Result<T, String> {
    serde_json::from_value(arguments)
        .map_err(|why| format!("the arguments of '{command}' cannot be read: {why}"))
}

/// A row of the table of requests.
struct Row {
    command: &'static str,
    handle: fn(&mut Debugging, Value) -> Handled,
}

const fn row<R: Request>() -> Row {
    Row { command: R::COMMAND, handle: read_and_handle::<R> }
}

fn read_and_handle<R: Request>(debugging: &mut Debugging, given: Value) -> Handled {
    R::handle(debugging, arguments(R::COMMAND, given)?)
}

const REQUESTS: &[Row] = &[
    row::<configuration_done::ConfigurationDone>(),
    row::<line_breakpoints::SetBreakpoints>(),
    row::<function_breakpoints::SetFunctionBreakpoints>(),
    row::<exception_breakpoints::SetExceptionBreakpoints>(),
    row::<data_breakpoints::DataBreakpointInfo>(),
    row::<data_breakpoints::SetDataBreakpoints>(),
    row::<breakpoint_locations::BreakpointLocations>(),
    row::<threads::Threads>(),
    row::<stack_trace::StackTrace>(),
    row::<scopes::Scopes>(),
    row::<variables::Variables>(),
    row::<set_variable::SetVariable>(),
    row::<sources::SourceRequest>(),
    row::<sources::LoadedSources>(),
    row::<moves::Continue>(),
    row::<moves::Next>(),
    row::<moves::StepIn>(),
    row::<moves::StepOut>(),
    row::<moves::StepBack>(),
    row::<moves::ReverseContinue>(),
    row::<pause::Pause>(),
    row::<evaluate::Evaluate>(),
    row::<completions::Completions>(),
    row::<exception_info::ExceptionInfo>(),
    row::<restart_frame::RestartFrame>(),
    row::<goto::GotoTargets>(),
    row::<goto::Goto>(),
    row::<cancel::Cancel>(),
    row::<restart::Restart>(),
    row::<reverl::View>(),
    row::<reverl::Do>(),
    row::<reverl::Page>(),
];

/// Handles a request of a session that is open.
pub fn handle(debugging: &mut Debugging, command: &str, arguments: Value) -> Handled {
    let row = REQUESTS.iter().find(|row| row.command == command);
    let row = row.ok_or_else(|| format!("there is no request '{command}' here"))?;
    (row.handle)(debugging, arguments)
}

/// A process as a thread. Clients want numbers above 0.
pub fn thread_id(proc: u32) -> i64 {
    i64::from(proc) + 1
}

/// The process of a thread.
fn process_of(thread: i64) -> Result<u32, String> {
    let number = u32::try_from(thread).ok().and_then(|number| number.checked_sub(1));
    number.ok_or_else(|| format!("there is no thread {thread}"))
}
