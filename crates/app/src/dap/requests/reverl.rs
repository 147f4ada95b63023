//! Requests beside the protocol, for extensions that know Reverl: any view of `docs/api.md`, any
//! command, and the page that shows the same session.

use super::super::debugging::{Debugging, Moving};
use super::{Handled, Reaction, Request};
use crate::ui;
use reverl_session::command::CommandInput;
use reverl_session::query;
use serde::Deserialize;
use serde_json::{Value, json};

/// `reverl/view`: the answer of a view.
pub struct View;

/// What it is asked with.
#[derive(Deserialize)]
pub struct ViewArguments {
    view: String,
    #[serde(flatten)]
    asked: serde_json::Map<String, Value>,
}

impl Request for View {
    const COMMAND: &'static str = "reverl/view";
    type Arguments = ViewArguments;

    fn handle(debugging: &mut Debugging, asked: ViewArguments) -> Handled {
        let ViewArguments { view, asked } = asked;
        let answer = debugging.find(move |d| query::ask(d, &view, Value::Object(asked)))?;
        Ok(Reaction::Answer(answer))
    }
}

/// `reverl/do`: carries out a command, and tells where it has led.
pub struct Do;

/// What it is asked with.
#[derive(Deserialize)]
pub struct DoArguments {
    command: CommandInput,
    #[serde(default)]
    proc: Option<u32>,
}

impl Request for Do {
    const COMMAND: &'static str = "reverl/do";
    type Arguments = DoArguments;

    fn handle(_: &mut Debugging, asked: DoArguments) -> Handled {
        let command = asked.command.parse().map_err(|why| why.to_string())?;
        Ok(Reaction::Move(Moving::of(command, asked.proc, "goto")))
    }
}

/// `reverl/page`: the address of a page that shows this session, at the same place.
pub struct Page;

/// What it is asked with.
#[derive(Deserialize)]
pub struct PageArguments {}

impl Request for Page {
    const COMMAND: &'static str = "reverl/page";
    type Arguments = PageArguments;

    fn handle(debugging: &mut Debugging, _: PageArguments) -> Handled {
        if debugging.page.is_none() {
            debugging.page = Some(ui::serve_beside(debugging.worker().clone())?);
        }
        Ok(Reaction::Answer(json!({ "address": debugging.page })))
    }
}
