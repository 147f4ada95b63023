//! `initialize`: what the client can do, and what we can. Everything that is announced here works.

use super::super::adapter::Client;
use super::exception_breakpoints::filters;
use serde_json::{Value, json};

/// The client, and our capabilities.
pub fn handle(arguments: &Value) -> (Client, Value) {
    let has = |name: &str| arguments[name].as_bool().unwrap_or(false);
    let client = Client {
        has_invalidated: has("supportsInvalidatedEvent"),
        has_progress: has("supportsProgressReporting"),
        has_variable_paging: has("supportsVariablePaging"),
        from_zero: arguments["linesStartAt1"] == json!(false),
    };
    (client, capabilities())
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "exceptionBreakpointFilters": filters(),
        "supportsStepBack": true,
        "supportsSetVariable": true,
        "supportsRestartFrame": true,
        "supportsGotoTargetsRequest": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": [" ", ":", "#", "<"],
        "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsValueFormattingOptions": false,
        "supportTerminateDebuggee": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsLoadedSourcesRequest": true,
        "supportsLogPoints": true,
        "supportsTerminateRequest": true,
        "supportsDataBreakpoints": true,
        "supportsCancelRequest": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsSteppingGranularity": true,
        "supportsExceptionFilterOptions": true,
        "supportsSingleThreadExecutionRequests": true,
    })
}
