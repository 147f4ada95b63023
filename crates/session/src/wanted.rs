//! Events that a person asks for: of a kind, and with a message that matches or a line that has a
//! text in it.

use crate::describe;
use crate::eval::{NotAPattern, Pattern};
use crate::event::EventKind;
use crate::otp::message::{Protocol, Recognised};
use crate::outcome;
use reverl_causal::{EventRef, System};

/// What an event has to be.
pub struct WantedEvent {
    kind: EventKind,
    has: Option<Wanted>,
}

enum Wanted {
    /// Its message matches, or what a call or cast is about.
    Message(Pattern),
    /// What it printed, or its line, has this in it.
    Text(String),
}

impl WantedEvent {
    /// Events of a kind. What the text means depends on that: of a message it is a pattern.
    pub fn new(
        system: &System,
        kind: EventKind,
        text: Option<&str>,
    ) -> Result<WantedEvent, NotAPattern> {
        let has_message = matches!(kind, EventKind::Send | EventKind::Receive | EventKind::Deliver);
        let has = match text {
            None => None,
            Some(text) if has_message => Some(Wanted::Message(Pattern::new(system, text)?)),
            Some(text) => Some(Wanted::Text(text.into())),
        };
        Ok(WantedEvent { kind, has })
    }

    /// Whether an event is such a one.
    pub fn fits(&self, system: &System, event: EventRef) -> bool {
        if describe::kind(system, event) != self.kind {
            return false;
        }
        match &self.has {
            None => true,
            // Of a call or a cast, also what a person wrote of it.
            Some(Wanted::Message(pattern)) => {
                describe::message_of(system, event).is_some_and(|id| {
                    let local = || system.running(event.proc).process.local.clone();
                    pattern.matches(system, event.proc, id)
                        || match Recognised::of(system, id) {
                            Recognised { protocol: Protocol::Plain, .. } => false,
                            known => pattern.matches_term(system, local(), known.content),
                        }
                })
            }
            Some(Wanted::Text(text)) => match outcome::output_of(system, event) {
                Some(printed) => printed.contains(text),
                None => describe::what(system, event).contains(text),
            },
        }
    }
}
