//! `disconnect` and `terminate`: the only requests that end a session. One that others use goes on
//! without this client.

use super::{Ending, Handled, Reaction};
use serde_json::Value;

pub fn handle(command: &str, arguments: &Value) -> Handled {
    let restarts = arguments["restart"].as_bool().unwrap_or(false);
    Ok(Reaction::End(match command {
        "terminate" if !restarts => Ending::Terminate,
        _ => Ending::Disconnect,
    }))
}
