//! `scopes`: the variables of a call, and what its process has beside them.

use super::super::debugging::Debugging;
use super::super::protocol::Scope;
use super::super::references::{Container, FrameRef};
use super::{Handled, Reaction, Request};
use reverl_session::otp;
use reverl_session::query::info::InfoAbout;
use reverl_session::query::process::mailbox_length;
use reverl_session::query::term::TermSource;
use serde::Deserialize;
use serde_json::json;

/// The request `scopes`.
pub struct Scopes;

/// What it is asked with.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    frame_id: i64,
}

/// What a process has, as far as it is cheap to know.
struct Kept {
    /// The behaviour's word for its state.
    has_state: bool,
    mailbox: usize,
}

impl Request for Scopes {
    const COMMAND: &'static str = "scopes";
    type Arguments = Arguments;

    fn handle(debugging: &mut Debugging, asked: Arguments) -> Handled {
        let frame = debugging.references.frame_of(asked.frame_id)?;
        let FrameRef { proc, .. } = frame;
        let kept = debugging.look(move |d| {
            let found = d.session.execution().ids().find(|p| p.0 == proc)?;
            let seen = d.session.now();
            let has_state = otp::state::state(&seen, found).is_some();
            Some(Kept { has_state, mailbox: mailbox_length(&seen, found) })
        })?;
        let kept = kept.ok_or_else(|| format!("there is no process number {proc}"))?;
        let mut scopes = vec![scope(debugging, "Variables", Container::Locals(frame))];
        scopes[0].presentation_hint = Some("locals");
        if kept.has_state {
            let of = TermSource::State { state: proc, at: None };
            let state = Container::Parts { of, path: vec![] };
            scopes.push(scope(debugging, "State", state));
        }
        let mut mailbox =
            scope(debugging, &format!("Mailbox ({})", kept.mailbox), Container::Mailbox { proc });
        mailbox.indexed_variables = Some(kept.mailbox);
        scopes.push(mailbox);
        let dictionary = Container::info(InfoAbout::Dictionary, proc, vec![1]);
        let tables = Container::info(InfoAbout::Tables, proc, vec![]);
        for (name, container) in [
            ("Dictionary", dictionary),
            ("Links and monitors", Container::Ties { proc }),
            ("Tables", tables),
        ] {
            // These are asked of a copy of the system.
            let expensive = true;
            scopes.push(Scope { expensive, ..scope(debugging, name, container) });
        }
        Ok(Reaction::Answer(json!({ "scopes": scopes })))
    }
}

fn scope(debugging: &mut Debugging, name: &str, container: Container) -> Scope {
    Scope {
        name: name.into(),
        presentation_hint: None,
        variables_reference: debugging.references.container(container),
        named_variables: None,
        indexed_variables: None,
        expensive: false,
    }
}
