//! An execution as a story that a person reads: what the program's own processes did to each other,
//! under the names that people call them, calls in one line with their answers, and the lines of the
//! program's own code. What OTP does for itself is left out.

use crate::describe;
use crate::event::{EventKind, EventWeight};
use crate::failure::{self, Failure};
use crate::otp::message::{Protocol, Recognised, reply_to};
use crate::places::exit_event;
use crate::query::failure::own_place_of;
use crate::{names, outcome, reasons, testing};
use reverl_causal::{ActionKind, Chain, Cut, EventRef, ProcId, SignalId, System, Target, plan};
use reverl_term::Atom;
use std::collections::{HashMap, HashSet};

/// So much of a story is told.
const MOST_LINES: usize = 2_000;

/// How a failure came about, a line for each thing that matters, in order: of a crash, its causes
/// and nothing else. The end is always told.
pub fn story(system: &System, failure: &Failure) -> Vec<String> {
    told(system, failure).into_iter().map(|(_, line)| line).collect()
}

/// The events of the story, with its lines.
pub fn told(system: &System, failure: &Failure) -> Vec<(EventRef, String)> {
    let teller = Teller::of(system);
    let execution = system.execution();
    let crash = failure::crashed(system, failure).and_then(|proc| exit_event(execution, proc));
    let causes: Option<HashSet<EventRef>> = crash.map(|exit| {
        let plan = plan::redo(execution, &Cut::start(execution), Target::Event(exit));
        plan.events.into_iter().collect()
    });
    let is_told = |e: &EventRef| causes.as_ref().is_none_or(|causes| causes.contains(e));
    let events: Vec<EventRef> =
        execution.events().filter(|e| is_told(e) && teller.matters(*e)).collect();
    let left_out = events.len().saturating_sub(MOST_LINES);
    let mut lines: Vec<(EventRef, String)> =
        events[left_out..].iter().filter_map(|e| Some((*e, teller.line(*e)?))).collect();
    if let (1.., Some((_, first))) = (left_out, lines.first_mut()) {
        *first = format!("(after {left_out} earlier events) {first}");
    }
    lines
}

pub(super) struct Teller<'s> {
    system: &'s System,
    own: HashSet<Atom>,
    /// Different processes have different names here.
    names: HashMap<ProcId, String>,
}

impl<'s> Teller<'s> {
    /// A teller of this execution.
    pub fn of(system: &'s System) -> Teller<'s> {
        let execution = system.execution();
        let called: Vec<(ProcId, String)> = execution
            .ids()
            .filter(|p| execution.proc(*p).is_spawned)
            .map(|p| (p, names::called(system, p)))
            .collect();
        let mut count: HashMap<&str, u32> = HashMap::new();
        called.iter().for_each(|(_, name)| *count.entry(name).or_default() += 1);
        let unique = |(proc, name): &(ProcId, String)| match count[name.as_str()] {
            1 => (*proc, name.clone()),
            _ => (*proc, format!("{name} {}", describe::pid(system, *proc))),
        };
        let names = called.iter().map(unique).collect();
        Teller { system, own: outcome::own_code(system), names }
    }

    /// What a process is called in the story.
    pub fn name(&self, proc: Option<ProcId>) -> &str {
        proc.and_then(|proc| self.names.get(&proc)).map_or("nobody", String::as_str)
    }

    /// A message with its sender.
    pub fn message(&self, id: SignalId) -> String {
        let message = Recognised::of(self.system, id);
        let content = match message.protocol {
            Protocol::Call | Protocol::Cast => describe::short(&message.content),
            _ => message.words(self.system),
        };
        format!("{content} of {}", self.name(Some(id.from)))
    }

    /// Arrivals show where they are received; what OTP does for itself shows nowhere.
    fn matters(&self, event: EventRef) -> bool {
        let is_system = self.system.execution().proc(event.proc).is_system;
        !is_system
            && !testing::is_beginning(self.system, event)
            && event.chain() == Chain::Action
            && describe::weight(self.system, event) == EventWeight::Main
    }

    fn line(&self, event: EventRef) -> Option<String> {
        let what = self.what(event)?;
        let at = own_place_of(self.system, &self.own, event);
        let at = at.map_or(String::new(), |at| format!("  ({at})"));
        Some(format!("{} {what}{at}", self.name(Some(event.proc))))
    }

    fn what(&self, event: EventRef) -> Option<String> {
        let execution = self.system.execution();
        match execution.action(event)?.what() {
            ActionKind::Receive(id) => self.receives(id),
            ActionKind::Exit(exited) => match &exited.value {
                Some(value) if event.proc == self.system.main => {
                    Some(format!("ends with {}", describe::short(value)))
                }
                Some(_) => None,
                None if outcome::is_normal(&exited.reason) => None,
                None if exited.killed_by.is_some() => {
                    Some(format!("is ended: {}", describe::short(&exited.reason)))
                }
                None => {
                    let trace = outcome::trace(self.system, event.proc);
                    let why = reasons::sentence(self.system, &exited.reason, trace.first());
                    Some(format!("crashes: {why}"))
                }
            },
            ActionKind::Request(answered) => match answered.effect.spawned {
                Some(child) => Some(format!("starts {}", self.name(Some(child)))),
                None => self.requests(event),
            },
            ActionKind::Send(_) => self.requests(event),
            ActionKind::Timeout => Some("times out".into()),
            ActionKind::Assign(_) => Some(describe::what(self.system, event)),
        }
    }

    fn requests(&self, event: EventRef) -> Option<String> {
        let id = describe::message_of(self.system, event);
        match (id, describe::kind(self.system, event)) {
            (Some(id), EventKind::Send) => self.sends(id),
            _ => Some(describe::what(self.system, event)),
        }
    }

    fn sends(&self, id: SignalId) -> Option<String> {
        let message = Recognised::of(self.system, id);
        let to = self.name(self.system.execution().signal(id).to());
        let content = describe::short(&message.content);
        match message.protocol {
            Protocol::Call => Some(format!("calls {to} {content}{}", self.answer(id))),
            Protocol::Cast => Some(format!("casts {to} {content}")),
            // It stands with the call.
            Protocol::Reply => None,
            _ => Some(format!("sends {to} {}", message.words(self.system))),
        }
    }

    /// What a call came to.
    fn answer(&self, call: SignalId) -> String {
        match reply_to(self.system, call) {
            Some(reply) => {
                let content = Recognised::of(self.system, reply).content;
                format!(" -> {}", describe::short(&content))
            }
            None => ", which is not answered".into(),
        }
    }

    fn receives(&self, id: SignalId) -> Option<String> {
        let message = Recognised::of(self.system, id);
        let from = self.name(Some(id.from));
        let content = describe::short(&message.content);
        match message.protocol {
            Protocol::Call | Protocol::Cast => Some(format!("handles {content} of {from}")),
            Protocol::Reply => None,
            Protocol::Down | Protocol::Exit => {
                Some(format!("is told: {}", message.words(self.system)))
            }
            Protocol::Timer => Some(format!("is told by a timer: {content}")),
            _ => Some(format!("receives {content} from {from}")),
        }
    }
}
