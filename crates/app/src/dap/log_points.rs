//! Log points: text with expressions in braces, told for every time that a process came to a line.
//! What has happened already is told at once.

use super::debugging::Debugging;
use super::protocol::{Source, event};
use reverl_session::command::{LineSpec, StopAt};
use reverl_session::query::Detail;
use reverl_session::query::logged::{LoggedRow, LoggedValue, logged};
use serde_json::{Value, json};

/// So many times of one log point are told.
const MOST: usize = 10_000;

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Expression(String),
}

/// One log point, and how often it was told.
#[derive(Clone, Debug)]
pub struct LogPoint {
    at: StopAt,
    source: Source,
    line: u32,
    parts: Vec<Part>,
    told: usize,
}

impl LogPoint {
    pub fn new(file: String, line: u32, message: &str, source: Source) -> LogPoint {
        let at = StopAt::Line(LineSpec { file: Some(file), line });
        LogPoint { at, source, line, parts: parts(message), told: 0 }
    }

    /// What was not told yet.
    fn news(&mut self, debugging: &Debugging) -> Vec<Value> {
        let expressions: Vec<String> = self.parts.iter().filter_map(Part::expression).collect();
        // Without any, it only matters that the line was come to.
        let asked = if expressions.is_empty() { vec!["true".into()] } else { expressions };
        let at = self.at.clone();
        let found = debugging.look(move |debugger| {
            let values = |expression: &String| {
                logged(&debugger.session, &at, expression, None, (MOST, Detail::Brief))
                    .map(|values| values.rows)
                    .unwrap_or_default()
            };
            asked.iter().map(values).collect::<Vec<Vec<LoggedRow>>>()
        });
        let columns = found.unwrap_or_default();
        let count = columns.first().map_or(0, Vec::len);
        let from = std::mem::replace(&mut self.told, count).min(count);
        (from..count).map(|i| self.line_of(&columns, i)).collect()
    }

    fn line_of(&self, columns: &[Vec<LoggedRow>], row: usize) -> Value {
        let mut values = columns.iter().filter_map(|column| column.get(row));
        let who = columns.first().and_then(|c| c.get(row)).map(|row| row.process.called.clone());
        let text: String = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Expression(_) => match values.next().map(|row| &row.value) {
                    Some(LoggedValue::Value(value)) => value.clone(),
                    Some(LoggedValue::None(why)) => format!("({why})"),
                    None => String::new(),
                },
            })
            .collect();
        let text = format!("{}: {text}\n", who.unwrap_or_default());
        let body = json!({
            "category": "console", "output": text, "source": self.source, "line": self.line,
        });
        event("output", body)
    }
}

impl Part {
    fn expression(&self) -> Option<String> {
        match self {
            Part::Expression(text) => Some(text.clone()),
            Part::Text(_) => None,
        }
    }
}

/// Braces in an expression belong to it: tuples and maps have them.
fn parts(message: &str) -> Vec<Part> {
    let (mut parts, mut text, mut depth) = (vec![], String::new(), 0);
    for c in message.chars() {
        match c {
            '{' if depth == 0 => {
                parts.push(Part::Text(std::mem::take(&mut text)));
                depth = 1;
            }
            '}' if depth == 1 => {
                parts.push(Part::Expression(std::mem::take(&mut text)));
                depth = 0;
            }
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}' && depth > 0);
                text.push(c);
            }
        }
    }
    parts.push(Part::Text(text));
    parts
}

/// What all log points have to tell that they have not told yet.
pub fn news(debugging: &mut Debugging) -> Vec<Value> {
    let mut all = std::mem::take(&mut debugging.log_points);
    let points = all.values_mut().flatten();
    let told = points.flat_map(|point| point.news(debugging)).collect();
    debugging.log_points = all;
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_inside_of_an_expression_belong_to_it() {
        let text = |text: &str| Part::Text(text.into());
        let expression = |text: &str| Part::Expression(text.into());
        assert_eq!(parts("plain"), [text("plain")]);
        assert_eq!(
            parts("a {X} b {{X, Y}}"),
            [text("a "), expression("X"), text(" b "), expression("{X, Y}"), text("")]
        );
    }
}
