//! The protocol's messages as far as they are sent, by the names of its specification. Fields that
//! are none are left out.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A request that has to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub seq: i64,
    pub command: String,
}

impl Header {
    pub fn success(&self, body: Value) -> Value {
        let mut message = json!({
            "type": "response", "request_seq": self.seq, "success": true, "command": self.command,
        });
        if !body.is_null() {
            message["body"] = body;
        }
        message
    }

    /// The sentence is for people; clients that show it take it from either place.
    pub fn failure(&self, why: &str) -> Value {
        // Our own extension tells by itself what became of its requests.
        let is_of_extension = self.command.starts_with("reverl/");
        let is_told = !is_of_extension && !BY_ITSELF.contains(&self.command.as_str());
        json!({
            "type": "response", "request_seq": self.seq, "success": false,
            "command": self.command, "message": why,
            "body": { "error": { "id": 1, "format": escaped(why), "showUser": is_told } },
        })
    }
}

/// What clients ask by themselves, also of a moment that is over when the question comes: they show the answer
/// where they wanted it, and nobody should be alarmed.
const BY_ITSELF: &[&str] = &[
    "breakpointLocations",
    "completions",
    "evaluate",
    "exceptionInfo",
    "loadedSources",
    "scopes",
    "source",
    "stackTrace",
    "threads",
    "variables",
];

/// What stands in braces would be a variable.
fn escaped(text: &str) -> String {
    text.replace('{', "(").replace('}', ")")
}

/// An event with its body.
pub fn event(name: &str, body: Value) -> Value {
    match body.is_null() {
        true => json!({ "type": "event", "event": name }),
        false => json!({ "type": "event", "event": name, "body": body }),
    }
}

/// Where text that the client shows comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputCategory {
    Console,
    Important,
    Stdout,
    Stderr,
}

/// Text for the client's console.
pub fn output(category: OutputCategory, text: &str) -> Value {
    let category = match category {
        OutputCategory::Console => "console",
        OutputCategory::Important => "important",
        OutputCategory::Stdout => "stdout",
        OutputCategory::Stderr => "stderr",
    };
    event("output", json!({ "category": category, "output": text }))
}

/// A source file: one that the client can read, or one that it asks us for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

/// A process.
#[derive(Clone, Debug, Serialize)]
pub struct Thread {
    pub id: i64,
    pub name: String,
}

/// A call.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StackFrame {
    pub id: i64,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    pub line: u32,
    pub column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<u32>,
    pub can_restart: bool,
    pub module_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<&'static str>,
}

/// Variables that belong together.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<&'static str>,
    pub variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<usize>,
    pub expensive: bool,
}

/// A name with its value.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    pub name: String,
    pub value: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    pub variables_reference: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<Value>,
}

/// A breakpoint as the client is told of it: one that cannot be hit says why.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Breakpoint {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<usize>,
    pub verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl Breakpoint {
    /// One that cannot be hit.
    pub fn refused(why: String) -> Breakpoint {
        Breakpoint { id: None, verified: false, message: Some(why), line: None, source: None }
    }

    /// One that can be.
    pub fn set(id: usize) -> Breakpoint {
        Breakpoint { id: Some(id), verified: true, message: None, line: None, source: None }
    }
}
