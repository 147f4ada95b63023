//! Failures as SARIF 2.1.0, the format in which code hosts and editors take the findings of tools: each
//! at its line, with its story as the steps that lead there.

use super::cases::Explored;
use reverl_session::explore::FailureGroup;
use reverl_session::failure::FailureKind;
use serde_json::{Value, json};

/// One run with the failures of all searches.
pub fn log(explored: &[Explored]) -> Value {
    let rules: Vec<Value> =
        FailureKind::ALL.iter().map(|kind| json!({ "id": kind.name() })).collect();
    let results: Vec<Value> = explored
        .iter()
        .flat_map(|one| one.report.failures.iter().map(|group| result(&one.test, group)))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "reverl",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
        }],
    })
}

fn result(search: &str, group: &FailureGroup) -> Value {
    let failure = &group.failure;
    let level = if group.is_warning { "warning" } else { "error" };
    let decisive = group.decisive.as_ref().map_or(String::new(), |race| format!(" ({race})"));
    let text = format!("{search}: {}{decisive}", failure.reason);
    let mut result = json!({
        "ruleId": failure.kind.name(),
        "level": level,
        "message": { "text": text },
        "occurrenceCount": group.count,
    });
    if group.is_known {
        result["baselineState"] = json!("unchanged");
    }
    if let Some(location) = location(&failure.at, None) {
        result["locations"] = json!([location]);
    }
    let steps: Vec<Value> = group.story.iter().map(|line| step(line)).collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// A line of a story; its place stands behind it in parentheses.
fn step(line: &str) -> Value {
    let place = line.rsplit_once('(').and_then(|(_, place)| place.strip_suffix(')'));
    let said = json!({ "message": { "text": line } });
    let location = place.and_then(|place| location(place, Some(line))).unwrap_or(said);
    json!({ "location": location })
}

/// `file:line` as a place.
fn location(at: &str, message: Option<&str>) -> Option<Value> {
    let (file, line) = at.rsplit_once(':')?;
    let line: u32 = line.parse().ok().filter(|line| *line > 0)?;
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(file) },
        "region": { "startLine": line },
    }});
    if let Some(text) = message {
        location["message"] = json!({ "text": text });
    }
    Some(location)
}

/// A path as a URI: relative ones stay so, what a URI cannot have is escaped.
fn uri(file: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"/-._~".contains(&b);
    let escaped = |b: u8| match is_plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    };
    let path: String = file.bytes().map(escaped).collect();
    if file.starts_with('/') { format!("file://{path}") } else { path }
}
