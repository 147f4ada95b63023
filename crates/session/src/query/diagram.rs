//! A window of the space-time diagram, in as much detail as it has room for.
//!
//! The face says which processes and which columns it shows. Few events come one by one, with
//! their arrows; many come as a density per process, so that a window of a million events is no
//! more to send than one of a thousand.

use super::axis::{AskedColumns, Axis};
use super::drawing::{
    Arrow, CallSpan, Density, DiagramWindow, Drawn, DrawnEvent, DrawnEvents, HiddenArrow, Lane,
    MessageBundle, SelectedEvent,
};
use super::selection::Selection;
use super::{Query, process_numbered};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::{EventKind, event_name, event_named};
use crate::otp::message::{Protocol, Recognised, reply_to};
use crate::session::Session;
use crate::{describe, outcome};
use reverl_causal::{ActionKind, Chain, Edge, EventRef, Execution, ProcId, SignalId, fold};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use ts_rs::TS;

/// Events that are sent one by one; more become a density.
const DETAIL: usize = 2_500;
/// Events that get a text beside them.
const LABELLED: usize = 220;
/// Events of a window in which calls are drawn as spans.
const SPANNED: usize = 600;
/// Events of a window in which messages are drawn as bundles.
const MOST_BUNDLED: usize = 100_000;
/// Bundles of a window, and the parts of it that messages of the same time are in.
const MOST_BUNDLES: usize = 400;
const PARTS: usize = 40;
/// How far before the window the arrows through hidden processes are followed.
const LOOK_BACK: usize = 5_000;
/// So many visible events are remembered behind what comes out of hidden processes.
const MOST_SOURCES: usize = 8;

// What a face needs to know of an event beside its place.
const IN_CUT: u8 = 1;
const CAUSE: u8 = 2;
const CONSEQUENCE: u8 = 4;

fn four_hundred() -> usize {
    400
}

/// Asks for a window of the diagram.
#[derive(Deserialize, TS)]
pub struct DiagramQuery {
    /// The processes that have a lane, those whose descendants are drawn with them, and those that
    /// were put away.
    #[serde(default)]
    lanes: Vec<u32>,
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<u32>>")]
    folded: Vec<u32>,
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<u32>>")]
    hidden: Vec<u32>,
    #[serde(flatten)]
    #[ts(flatten)]
    columns: AskedColumns,
    #[serde(default)]
    #[ts(optional = nullable)]
    select: Option<String>,
    #[serde(default = "four_hundred")]
    #[ts(optional, as = "Option<usize>")]
    buckets: usize,
    /// So many events there is room for one by one.
    #[serde(default)]
    #[ts(optional)]
    most: Option<usize>,
}

impl Query for DiagramQuery {
    const NAME: &'static str = "diagram";
    const HELP: &'static str = "a window of the space-time diagram";
    type Answer = DiagramWindow;

    fn answer(&self, debugger: &Debugger) -> Result<DiagramWindow, QueryError> {
        let session = &debugger.session;
        let execution = session.execution();
        let selection = match &self.select {
            Some(name) => {
                let event = event_named(execution, name);
                let event = event.ok_or_else(|| QueryError::NoEvent(name.clone()))?;
                Some(Selection::of(session, event))
            }
            None => None,
        };
        let shown = Shown::new(execution, self);
        let (axis, from, to) = self.columns.seen(session);
        let most = self.most.unwrap_or(DETAIL).min(DETAIL);
        let drawing =
            Drawing { session, axis: &axis, selection: selection.as_deref(), shown: &shown, most };
        Ok(drawing.window(from, to, self.buckets.clamp(1, 2_000)))
    }
}

/// Part of the window, lane of the sender and of the receiver; the sums of the columns in which they
/// were sent and arrived, and how many.
type BundleSum = ((usize, u32, u32), (u64, u64, u32));

/// Which processes are on the screen, and which the person has put away.
struct Shown {
    lanes: Vec<ProcId>,
    /// By process: its events are drawn (in its own lane or in that of a folded ancestor).
    visible: Vec<bool>,
    hidden: HashSet<ProcId>,
}

impl Shown {
    fn new(execution: &Execution, asked: &DiagramQuery) -> Shown {
        let procs = |numbers: &[u32]| -> Vec<ProcId> {
            numbers.iter().filter_map(|n| process_numbered(execution, *n).ok()).collect()
        };
        let lanes = procs(&asked.lanes);
        let folded: HashSet<ProcId> = procs(&asked.folded).into_iter().collect();
        let hidden: HashSet<ProcId> = procs(&asked.hidden).into_iter().collect();
        let mut visible = vec![false; execution.procs().len()];
        lanes.iter().for_each(|p| visible[p.0 as usize] = true);
        if !folded.is_empty() {
            // Parents come before their children.
            let mut under = vec![false; execution.procs().len()];
            for id in execution.ids() {
                let Some((parent, _)) = execution.proc(id).parent else { continue };
                let parent_shown = folded.contains(&parent) && visible[parent.0 as usize];
                if parent_shown || under[parent.0 as usize] {
                    under[id.0 as usize] = true;
                    visible[id.0 as usize] |= !hidden.contains(&id);
                }
            }
        }
        Shown { lanes, visible, hidden }
    }

    fn has(&self, proc: ProcId) -> bool {
        self.visible.get(proc.0 as usize).copied().unwrap_or(false)
    }
}

struct Drawing<'d> {
    session: &'d Session,
    axis: &'d Axis,
    selection: Option<&'d Selection>,
    shown: &'d Shown,
    /// Events that are sent one by one.
    most: usize,
}

impl Drawing<'_> {
    fn execution(&self) -> &Execution {
        self.session.execution()
    }

    fn column(&self, event: EventRef) -> u32 {
        self.axis.column(self.execution().order_of(event))
    }

    fn window(&self, from: usize, to: usize, buckets: usize) -> DiagramWindow {
        let selected = self.selection.map(|s| SelectedEvent {
            event: event_name(s.event),
            column: self.column(s.event),
            causes: s.causes,
            consequences: s.undone.events.saturating_sub(1),
            near: s.near.iter().map(|p| p.0).collect(),
        });
        let drawn = match self.events(from, to) {
            Some(events) => Drawn::Detail(DrawnEvents {
                labels: self.labels(&events),
                arrows: self.arrows(&events),
                through: self.through_hidden(from, to),
                spans: self.spans(&events),
                events: events.iter().map(|e| self.event(*e)).collect(),
            }),
            None => Drawn::Density(self.density(from, to, buckets)),
        };
        DiagramWindow {
            columns: self.axis.len(),
            from,
            to,
            lanes: self.shown.lanes.iter().map(|proc| self.lane(*proc)).collect(),
            frontier: self.frontier(),
            selected,
            drawn,
        }
    }

    fn lane(&self, proc: ProcId) -> Lane {
        let execution = self.execution();
        let p = execution.proc(proc);
        let spawned = p.parent.map(|(parent, i)| EventRef::action(parent, i as usize));
        let exit = p.exit().map(|_| EventRef::action(proc, p.actions.len() - 1));
        let (last, next) = self.around_cut(proc);
        Lane {
            id: proc.0,
            start: spawned.map(|e| self.column(e)),
            end: exit.map(|e| self.column(e)),
            last,
            next,
        }
    }

    /// The columns of the last event in the cut and of the first one outside it.
    fn around_cut(&self, proc: ProcId) -> (Option<u32>, Option<u32>) {
        let execution = self.execution();
        let p = execution.proc(proc);
        let place = self.session.cut.place(proc);
        let (a, d) = (p.actions_at(place.steps), place.deliveries as usize);
        let action = |i: usize| p.actions.get(i).map(|a| self.axis.column(a.order));
        let delivery = |i: usize| p.deliveries.get(i).map(|d| self.axis.column(d.order));
        let before = |i: usize| i.checked_sub(1);
        let last = before(a).and_then(action).max(before(d).and_then(delivery));
        let next = [action(a), delivery(d)].into_iter().flatten().min();
        (last, next)
    }

    /// The first column that has something outside the cut.
    fn frontier(&self) -> u32 {
        let execution = self.execution();
        let next = execution.ids().filter_map(|p| self.around_cut(p).1);
        next.min().unwrap_or(self.axis.len() as u32)
    }

    /// The visible events of the window, unless they are too many.
    fn events(&self, from: usize, to: usize) -> Option<Vec<EventRef>> {
        let mut events = vec![];
        for place in self.axis.places(from, to) {
            let Some(event) = self.execution().event(place as usize) else { break };
            let is_selected = self.selection.is_some_and(|s| s.event == event);
            if self.shown.has(event.proc) && (self.axis.shows(place) || is_selected) {
                if events.len() == self.most {
                    return None;
                }
                events.push(event);
            }
        }
        Some(events)
    }

    fn flags(&self, event: EventRef) -> u8 {
        let execution = self.execution();
        let mut flags = 0;
        if self.session.cut.contains(execution, event) {
            flags |= IN_CUT;
        }
        if let Some(s) = self.selection {
            if s.past.contains(execution, event) {
                flags |= CAUSE;
            }
            if !s.rest.contains(execution, event) {
                flags |= CONSEQUENCE;
            }
        }
        flags
    }

    fn event(&self, event: EventRef) -> DrawnEvent {
        let chain = u8::from(event.chain() == Chain::Delivery);
        let kind = kind_letter(self.session, event);
        let (column, flags) = (self.column(event), self.flags(event));
        DrawnEvent(column, event.proc.0, kind, flags, chain, event.index())
    }

    fn labels(&self, events: &[EventRef]) -> Vec<String> {
        if events.len() > LABELLED {
            return vec![];
        }
        let session = self.session;
        let noted: HashMap<&str, &str> = session
            .notebook
            .notes
            .iter()
            .filter(|note| note.branch == session.branch_name())
            .map(|note| (note.event.as_str(), note.text.as_str()))
            .collect();
        let label = |event: &EventRef| match noted.get(event_name(*event).as_str()) {
            Some(text) => format!("✎ {text}"),
            None => label(session, *event),
        };
        events.iter().map(label).collect()
    }

    /// The calls that begin or end in the window: from the sending to the receive of the reply.
    fn spans(&self, events: &[EventRef]) -> Vec<CallSpan> {
        if events.len() > SPANNED {
            return vec![];
        }
        let system = &self.session.system;
        let mut calls: Vec<SignalId> = vec![];
        for event in events.iter().filter(|event| event.chain() == Chain::Action) {
            let Some(id) = describe::message_of(system, *event) else { continue };
            let recognised = Recognised::of(system, id);
            let call = match recognised.protocol {
                Protocol::Call if id.from == event.proc => Some(id),
                Protocol::Reply => recognised.call,
                _ => None,
            };
            calls.extend(call.filter(|call| !calls.contains(call)));
        }
        calls.into_iter().map(|call| self.span(call)).collect()
    }

    fn span(&self, call: SignalId) -> CallSpan {
        let (system, execution) = (&self.session.system, self.execution());
        let reply = reply_to(system, call);
        let end = reply.and_then(|reply| execution.signal(reply).receive());
        let words = Recognised::of(system, call).words(system);
        let answer = reply.map(|reply| Recognised::of(system, reply).content);
        CallSpan {
            proc: call.from.0,
            from: self
                .column(EventRef::action(call.from, execution.signal(call).sent_by() as usize)),
            to: end.map(|i| self.column(EventRef::action(call.from, i as usize))),
            text: match answer {
                Some(answer) => format!("{words} → {}", describe::short(&answer)),
                None => words,
            },
        }
    }

    /// Message arrows and spawns that touch the window.
    fn arrows(&self, events: &[EventRef]) -> Vec<Arrow> {
        let execution = self.execution();
        let mut seen: HashSet<SignalId> = HashSet::new();
        let mut arrows = vec![];
        for event in events {
            for id in signals_of(execution, *event) {
                if seen.insert(id) {
                    arrows.extend(self.arrow(id));
                }
            }
            if let Some(child) = execution.child_of(*event) {
                if self.shown.has(child) {
                    let at = self.column(*event);
                    let (from, to) = ((at, event.proc.0), (at, child.0));
                    arrows.push(Arrow::Spawn { from, to, flags: self.flags(*event) });
                }
            }
        }
        arrows
    }

    fn arrow(&self, id: SignalId) -> Option<Arrow> {
        let execution = self.execution();
        let signal = execution.signal(id);
        let to = signal.to()?;
        if self.shown.hidden.contains(&to) || self.shown.hidden.contains(&id.from) {
            return None;
        }
        if execution.proc(to).is_system || execution.proc(id.from).is_system {
            return None;
        }
        let sent = EventRef::action(id.from, signal.sent_by() as usize);
        let delivered = signal.delivery().map(|i| EventRef::delivery(to, i as usize));
        let received = signal.receive().map(|i| EventRef::action(to, i as usize));
        let end = received.or(delivered);
        Some(Arrow::Message {
            id: describe::signal_name(&self.session.system, id),
            from: (self.column(sent), id.from.0),
            to: (end.map(|e| self.column(e)), to.0),
            delivered: delivered.map(|e| self.column(e)),
            received: received.is_some(),
            flags: self.flags(sent),
            end: end.map_or(0, |e| self.flags(e)),
        })
    }

    /// Arrows between visible processes that pass through hidden ones.
    fn through_hidden(&self, from: usize, to: usize) -> Vec<HiddenArrow> {
        if self.shown.hidden.is_empty() {
            return vec![];
        }
        let execution = self.execution();
        let is_hidden = |p: ProcId| self.shown.hidden.contains(&p);
        let window = self.axis.places(from.saturating_sub(LOOK_BACK), to);
        let events = window.map_while(|place| execution.event(place as usize));
        let follows = |edge| matches!(edge, Edge::Program | Edge::Message | Edge::Receive);
        let merge = |sources: &mut Vec<EventRef>, others: &Vec<EventRef>| sources.extend(others);
        let mut arrows = vec![];
        // Carried along: the last events of visible processes that led here.
        fold::carry(execution, events, follows, merge, |event, sources| {
            let many = sources.len().saturating_sub(MOST_SOURCES);
            sources.drain(..many);
            if is_hidden(event.proc) || event.chain() == Chain::Delivery {
                return;
            }
            let kind = execution.action(event).map(|a| a.what());
            let from_hidden = matches!(kind, Some(ActionKind::Receive(id)) if is_hidden(id.from));
            if from_hidden && self.shown.has(event.proc) {
                let others = sources.iter().filter(|source| source.proc != event.proc);
                arrows.extend(others.map(|source| HiddenArrow {
                    from: (self.column(*source), source.proc.0),
                    to: (self.column(event), event.proc.0),
                    flags: self.flags(event),
                }));
            }
            *sources = vec![event];
        });
        arrows
    }

    fn density(&self, from: usize, to: usize, buckets: usize) -> Density {
        let execution = self.execution();
        let lane = self.lane_of_each();
        let width = to.saturating_sub(from).max(1);
        let mut counts = vec![0u32; buckets * self.shown.lanes.len()];
        for place in self.axis.places(from, to) {
            let Some(proc) = execution.process_at(place as usize) else { break };
            if let Some(lane) = lane[proc.0 as usize].filter(|_| self.axis.shows(place)) {
                let bucket = (self.axis.column(place) as usize - from) * buckets / width;
                counts[lane as usize * buckets + bucket.min(buckets - 1)] += 1;
            }
        }
        let rows: Vec<String> =
            counts.chunks(buckets).map(|row| row.iter().map(digit).collect()).collect();
        Density { buckets, rows, bundles: self.bundles(from, to, &lane) }
    }

    /// By process, the number of the lane that it is drawn in: its own, or that of an ancestor.
    fn lane_of_each(&self) -> Vec<Option<u32>> {
        let execution = self.execution();
        let lane_of: HashMap<ProcId, usize> =
            self.shown.lanes.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let mut lane: Vec<Option<u32>> = vec![None; execution.procs().len()];
        for id in execution.ids().filter(|p| self.shown.has(*p)) {
            let mut at = id;
            let own = loop {
                match (lane_of.get(&at), execution.proc(at).parent) {
                    (Some(lane), _) => break Some(*lane as u32),
                    (None, Some((parent, _))) => at = parent,
                    (None, None) => break None,
                }
            };
            lane[id.0 as usize] = own;
        }
        lane
    }

    /// The messages between the lanes of a window, those of about the same time together.
    fn bundles(&self, from: usize, to: usize, lane: &[Option<u32>]) -> Vec<MessageBundle> {
        let execution = self.execution();
        let places: Vec<u32> = self.axis.places(from, to).take(MOST_BUNDLED + 1).collect();
        if places.len() > MOST_BUNDLED {
            return vec![];
        }
        let mut found: HashMap<(usize, u32, u32), (u64, u64, u32)> = HashMap::new();
        for place in places.into_iter().filter(|place| self.axis.shows(*place)) {
            let Some(event) = execution.event(place as usize) else { break };
            let Some(sender) = lane[event.proc.0 as usize] else { continue };
            let sent = self.axis.column(place);
            for id in execution.signals_of(event) {
                let signal = execution.signal(id);
                let (Some(to_proc), Some(delivery)) = (signal.to(), signal.delivery()) else {
                    continue;
                };
                let receiver = lane[to_proc.0 as usize].filter(|lane| *lane != sender);
                let Some(receiver) = receiver else { continue };
                let arrived = self.column(EventRef::delivery(to_proc, delivery as usize));
                let part = (sent as usize - from) * PARTS / to.saturating_sub(from).max(1);
                let sum = found.entry((part, sender, receiver)).or_default();
                *sum = (sum.0 + u64::from(sent), sum.1 + u64::from(arrived), sum.2 + 1);
            }
        }
        let proc = |lane: u32| self.shown.lanes[lane as usize].0;
        let bundle = |((_, sender, receiver), (sent, arrived, count)): BundleSum| {
            let middle = |sum: u64| (sum / u64::from(count)) as u32;
            let (from, to) = ((middle(sent), proc(sender)), (middle(arrived), proc(receiver)));
            MessageBundle { from, to, count }
        };
        let mut bundles: Vec<MessageBundle> = found.into_iter().map(bundle).collect();
        bundles.sort_by_key(|b| (std::cmp::Reverse(b.count), b.from, b.to));
        bundles.truncate(MOST_BUNDLES);
        bundles
    }
}

/// A count as one character, which grows with its logarithm.
pub(super) fn digit(count: &u32) -> char {
    match count {
        0 => '0',
        n => char::from(b'1' + n.ilog2().min(8) as u8),
    }
}

/// The messages that an event sends, delivers or takes.
fn signals_of(execution: &Execution, event: EventRef) -> Vec<SignalId> {
    if event.chain() == Chain::Delivery {
        return vec![execution.proc(event.proc).deliveries[event.index() as usize].signal];
    }
    match execution.action(event).map(|a| a.what()) {
        Some(ActionKind::Receive(signal)) => vec![signal],
        _ => execution.signals_of(event).collect(),
    }
}

/// One letter per kind of event: a face draws each as a shape of its own.
fn kind_letter(session: &Session, event: EventRef) -> char {
    match describe::kind(&session.system, event) {
        EventKind::Send => 's',
        EventKind::Receive => 'r',
        EventKind::Deliver => 'd',
        EventKind::Spawn => 'p',
        EventKind::Timeout => 't',
        EventKind::Output => 'o',
        EventKind::Signal => 'g',
        EventKind::Exit => match session.execution().proc(event.proc).exit() {
            Some(exit) if !outcome::is_normal(&exit.reason) => 'X',
            _ => 'x',
        },
        EventKind::Assign => 'a',
        EventKind::Register | EventKind::Unregister | EventKind::Call | EventKind::Table => 'c',
    }
}

/// A few characters for an event, if it needs any.
fn label(session: &Session, event: EventRef) -> String {
    let system = &session.system;
    const MOST: usize = 40;
    let text = match describe::kind(system, event) {
        EventKind::Send | EventKind::Receive => {
            let id = describe::message_of(system, event);
            id.map(|id| Recognised::of(system, id).words(system)).unwrap_or_default()
        }
        EventKind::Deliver | EventKind::Output | EventKind::Spawn => String::new(),
        EventKind::Timeout => "after".into(),
        _ => describe::what(system, event),
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
