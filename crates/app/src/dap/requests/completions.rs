//! `completions`: what can be typed in the console here, by the rules of the terminal's debugger.

use super::super::debugging::Debugging;
use super::{Handled, Reaction, Request};
use crate::debug::completion::Words;
use serde::Deserialize;
use serde_json::{Value, json};

/// Words that are offered at once.
const MOST: usize = 500;

/// The request `completions`.
pub struct Completions;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    text: String,
    /// Counted in UTF-16 code units, from 1.
    column: usize,
}

impl Request for Completions {
    const COMMAND: &'static str = "completions";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let before = asked.column.saturating_sub(usize::from(!debugging.client.from_zero));
        let units: Vec<u16> = asked.text.encode_utf16().take(before).collect();
        let begun = String::from_utf16_lossy(&units);
        let known = debugging.look(|d| d.completions())?;
        let (start, words) = Words { known }.candidates(&begun);
        let (from, length) = {
            let word = begun.get(start..).unwrap_or_default();
            let length = word.encode_utf16().count();
            (begun.encode_utf16().count() - length, length)
        };
        let item = |word: String| json!({ "label": word, "start": from, "length": length });
        let targets: Vec<Value> = words.into_iter().take(MOST).map(item).collect();
        Ok(Reaction::Answer(json!({ "targets": targets })))
    }
}
