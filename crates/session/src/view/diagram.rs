//! A window of the space-time diagram, in as much detail as it has room for.
//!
//! The face says which processes and which columns it shows. Few events come one by one, with
//! their arrows; many come as a density per process, so that a window of a million events is no
//! more to send than one of a thousand.

use super::axis::{Axis, Scale};
use super::{Counts, Selection, Viewer, event_name, event_named, number, proc_in, term};
use crate::command::Debugger;
use crate::session::Session;
use crate::{describe, outcome};
use reverl_causal::plan::{self, Target};
use reverl_causal::{Chain, Cut, EventRef, Execution, ProcId, SignalId, What};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// Events that are sent one by one; more become a density.
const DETAIL: usize = 2_500;
/// Events that get a text beside them.
const LABELLED: usize = 220;
/// How far before the window the arrows through hidden processes are followed.
const LOOK_BACK: usize = 5_000;

// What a face needs to know of an event beside its place.
const IN_CUT: u8 = 1;
const CAUSE: u8 = 2;
const CONSEQUENCE: u8 = 4;

pub fn window(v: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let session = &d.session;
    let execution = session.execution();
    let scale = Scale::named(asked["scale"].as_str().unwrap_or_default());
    v.select(session, asked["select"].as_str())?;
    let branch = session.branch_name().to_string();
    let shown = Shown::new(execution, asked);
    let (axis, selection) = (v.axes.of(&branch, execution, scale), v.selection.as_ref());
    let from = number(asked, "from", 0) as usize;
    let to = number(asked, "to", axis.len() as u64) as usize;
    let drawing = Drawing { session, axis, selection, shown: &shown };
    let lanes: Vec<Value> = shown.lanes.iter().map(|proc| drawing.lane(*proc)).collect();
    let mut data = json!({
        "columns": axis.len(),
        "from": from,
        "to": to,
        "lanes": lanes,
        "frontier": drawing.frontier(),
        "selected": selection.map(|s| json!({
            "event": event_name(s.event),
            "column": axis.column(execution.order_of(s.event)),
            "causes": s.causes,
            "consequences": s.undone.events.saturating_sub(1),
        })),
    });
    match drawing.events(from, to) {
        Some(events) => {
            data["labels"] = drawing.labels(&events);
            data["arrows"] = drawing.arrows(&events);
            data["through"] = drawing.through_hidden(from, to);
            data["events"] = events.iter().map(|e| drawing.event(*e)).collect();
        }
        None => {
            let buckets = (number(asked, "buckets", 400) as usize).clamp(1, 2_000);
            data["density"] = drawing.density(from, to, buckets);
        }
    }
    Ok(data)
}

/// How many events there are in each part of the whole, and where processes crashed.
pub fn minimap(v: &mut Viewer, d: &mut Debugger, asked: &Value) -> Result<Value, String> {
    let session = &d.session;
    let execution = session.execution();
    let scale = Scale::named(asked["scale"].as_str().unwrap_or_default());
    let axis = v.axes.of(session.branch_name(), execution, scale);
    let buckets = (number(asked, "buckets", 300) as usize).clamp(1, 2_000);
    let columns = axis.len().max(1);
    let mut counts = vec![0u32; buckets];
    for order in 0..execution.event_count() as u32 {
        counts[axis.column(order) as usize * buckets / columns] += 1;
    }
    let crashes = execution.ids().filter_map(|p| {
        let proc = execution.proc(p);
        let crashed = proc.exit().is_some_and(|e| !outcome::is_normal(&e.reason));
        let last = proc.actions.last().filter(|_| crashed && !proc.is_system)?;
        Some(axis.column(last.order))
    });
    let crashes: Vec<u32> = crashes.take(500).collect();
    Ok(json!({ "columns": axis.len(), "counts": counts, "crashes": crashes }))
}

impl Viewer {
    /// Finds causes and consequences of the selected event, once.
    pub(super) fn select(&mut self, session: &Session, name: Option<&str>) -> Result<(), String> {
        let Some(name) = name else {
            self.selection = None;
            return Ok(());
        };
        let execution = session.execution();
        let event = event_named(execution, name)?;
        let (branch, length) = (session.branch_name(), execution.event_count());
        let known = self
            .selection
            .as_ref()
            .is_some_and(|s| s.event == event && s.branch == branch && s.length == length);
        if known {
            return Ok(());
        }
        let causes = plan::redo_extent(execution, &Cut::start(execution), Target::Event(event));
        let consequences = plan::undo_extent(execution, &Cut::end(execution), Target::Event(event));
        self.selection = Some(Selection {
            event,
            branch: branch.to_string(),
            length,
            past: causes.to,
            causes: causes.events.saturating_sub(1),
            undone: Counts::of(&consequences),
            rest: consequences.to,
        });
        Ok(())
    }
}

/// Which processes are on the screen, and which the person has put away.
struct Shown {
    lanes: Vec<ProcId>,
    /// By process: its events are drawn (in its own lane or in that of a folded ancestor).
    visible: Vec<bool>,
    hidden: HashSet<ProcId>,
}

impl Shown {
    fn new(execution: &Execution, asked: &Value) -> Shown {
        let procs = |key: &str| -> Vec<ProcId> {
            let all = asked[key].as_array().into_iter().flatten();
            all.filter_map(|v| proc_in(execution, v).ok()).collect()
        };
        let lanes = procs("lanes");
        let folded: HashSet<ProcId> = procs("folded").into_iter().collect();
        let hidden: HashSet<ProcId> = procs("hidden").into_iter().collect();
        let mut visible = vec![false; execution.procs.len()];
        lanes.iter().for_each(|p| visible[p.0 as usize] = true);
        if !folded.is_empty() {
            // Parents come before their children.
            let mut under = vec![false; execution.procs.len()];
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
}

impl Drawing<'_> {
    fn execution(&self) -> &Execution {
        self.session.execution()
    }

    fn column(&self, event: EventRef) -> u32 {
        self.axis.column(self.execution().order_of(event))
    }

    /// From where to where a process lives, and between which of its events the cut lies.
    fn lane(&self, proc: ProcId) -> Value {
        let execution = self.execution();
        let p = execution.proc(proc);
        let spawned = p.parent.map(|(parent, i)| EventRef::action(parent, i as usize));
        let exit = p.exit().map(|_| EventRef::action(proc, p.actions.len() - 1));
        let (last, next) = self.around_cut(proc);
        json!({
            "id": proc.0,
            "start": spawned.map(|e| self.column(e)),
            "end": exit.map(|e| self.column(e)),
            "last": last,
            "next": next,
        })
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
            if self.shown.has(event.proc) {
                if events.len() == DETAIL {
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

    /// Column, process, kind, flags, chain (0: actions, 1: deliveries), number in the chain.
    fn event(&self, event: EventRef) -> Value {
        let chain = u8::from(event.chain() == Chain::Delivery);
        json!([
            self.column(event),
            event.proc.0,
            kind_letter(self.session, event),
            self.flags(event),
            chain,
            event.index()
        ])
    }

    fn labels(&self, events: &[EventRef]) -> Value {
        if events.len() > LABELLED {
            return json!([]);
        }
        let label = |event: &EventRef| label(self.session, *event);
        events.iter().map(label).collect()
    }

    /// Message arrows and spawns that touch the window.
    fn arrows(&self, events: &[EventRef]) -> Value {
        let execution = self.execution();
        let mut seen: HashSet<SignalId> = HashSet::new();
        let mut arrows = vec![];
        for event in events {
            for id in signals_of(execution, *event) {
                if seen.insert(id) {
                    arrows.extend(self.arrow(id));
                }
            }
            if let Some(child) = spawned(execution, *event) {
                if self.shown.has(child) {
                    let at = self.column(*event);
                    arrows.push(json!({
                        "kind": "spawn",
                        "from": [at, event.proc.0],
                        "to": [at, child.0],
                        "flags": self.flags(*event),
                    }));
                }
            }
        }
        json!(arrows)
    }

    fn arrow(&self, id: SignalId) -> Option<Value> {
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
        Some(json!({
            "kind": "message",
            "id": describe::signal_name(&self.session.system, id),
            "from": [self.column(sent), id.from.0],
            "to": [end.map(|e| self.column(e)), to.0],
            "delivered": delivered.map(|e| self.column(e)),
            "received": received.is_some(),
            "flags": self.flags(sent),
            "end": end.map_or(0, |e| self.flags(e)),
        }))
    }

    /// Arrows between visible processes that pass through hidden ones.
    fn through_hidden(&self, from: usize, to: usize) -> Value {
        if self.shown.hidden.is_empty() {
            return json!([]);
        }
        let execution = self.execution();
        let is_hidden = |p: ProcId| self.shown.hidden.contains(&p);
        // The last sends from visible processes that each hidden process knows of.
        let mut known: HashMap<ProcId, Vec<EventRef>> = HashMap::new();
        let mut carried: HashMap<SignalId, Vec<EventRef>> = HashMap::new();
        let mut arrows = vec![];
        for place in self.axis.places(from.saturating_sub(LOOK_BACK), to) {
            let Some(event) = execution.event(place as usize) else { break };
            for id in signals_of(execution, event) {
                let Some(receiver) = execution.signal(id).to() else { continue };
                let sent = EventRef::action(id.from, execution.signal(id).sent_by() as usize);
                if event == sent && is_hidden(id.from) {
                    let sources = known.entry(id.from).or_default();
                    carried.insert(id, sources.clone());
                    // What came before is known by what it has just said; the last cause stays.
                    let many = sources.len().saturating_sub(1);
                    sources.drain(..many);
                }
                let receives = execution.signal(id).receive();
                let is_receive = receives.map(|i| EventRef::action(receiver, i as usize));
                if is_receive != Some(event) {
                    continue;
                }
                let through = match is_hidden(id.from) {
                    true => carried.get(&id).cloned().unwrap_or_default(),
                    false => vec![sent],
                };
                if is_hidden(receiver) {
                    let sources = known.entry(receiver).or_default();
                    sources.extend(through);
                    let many = sources.len().saturating_sub(8);
                    sources.drain(..many);
                } else if is_hidden(id.from) && self.shown.has(receiver) {
                    for source in through.iter().filter(|s| s.proc != receiver) {
                        arrows.push(json!({
                            "from": [self.column(*source), source.proc.0],
                            "to": [self.column(event), receiver.0],
                            "flags": self.flags(event),
                        }));
                    }
                }
            }
        }
        json!(arrows)
    }

    /// For each lane one digit per bucket: 0 nothing, each further digit about twice as many.
    fn density(&self, from: usize, to: usize, buckets: usize) -> Value {
        let execution = self.execution();
        let lane_of: HashMap<ProcId, usize> =
            self.shown.lanes.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let mut lane: Vec<Option<u32>> = vec![None; execution.procs.len()];
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
        let width = to.saturating_sub(from).max(1);
        let mut counts = vec![0u32; buckets * self.shown.lanes.len()];
        for place in self.axis.places(from, to) {
            let Some(proc) = execution.process_at(place as usize) else { break };
            if let Some(lane) = lane[proc.0 as usize] {
                let bucket = (self.axis.column(place) as usize - from) * buckets / width;
                counts[lane as usize * buckets + bucket.min(buckets - 1)] += 1;
            }
        }
        let digit = |n: &u32| match n {
            0 => '0',
            n => char::from(b'1' + n.ilog2().min(8) as u8),
        };
        let rows: Vec<String> =
            counts.chunks(buckets).map(|row| row.iter().map(digit).collect()).collect();
        json!({ "buckets": buckets, "rows": rows })
    }
}

/// The messages that an event sends, gets or takes.
fn signals_of(execution: &Execution, event: EventRef) -> Vec<SignalId> {
    let own = |k| SignalId { from: event.proc, k };
    if event.chain() == Chain::Delivery {
        return vec![execution.proc(event.proc).deliveries[event.index() as usize].signal];
    }
    match execution.action(event).map(|a| a.what()) {
        Some(What::Send(k)) => vec![own(k)],
        Some(What::Receive(signal)) => vec![signal],
        Some(What::Request(answered)) => answered.effect.signals.clone().map(own).collect(),
        Some(What::Exit(exited)) => exited.signals.clone().map(own).collect(),
        Some(What::Timeout) | None => vec![],
    }
}

fn spawned(execution: &Execution, event: EventRef) -> Option<ProcId> {
    match execution.action(event)?.what() {
        What::Request(answered) => answered.effect.spawned,
        _ => None,
    }
}

/// One letter per kind of event: a face draws each as a shape of its own.
fn kind_letter(session: &Session, event: EventRef) -> &'static str {
    match describe::kind(&session.system, event) {
        "send" => "s",
        "receive" => "r",
        "deliver" => "d",
        "spawn" => "p",
        "timeout" => "t",
        "output" => "o",
        "signal" => "g",
        "exit" => match session.execution().proc(event.proc).exit() {
            Some(exit) if !outcome::is_normal(&exit.reason) => "X",
            _ => "x",
        },
        _ => "c",
    }
}

/// A few characters for an event, if it needs any.
fn label(session: &Session, event: EventRef) -> String {
    let system = &session.system;
    const MOST: usize = 40;
    let text = match describe::kind(system, event) {
        "send" | "receive" => {
            let id = describe::message_of(system, event);
            id.map(|id| term::brief(&system.execution.signal(id).message)).unwrap_or_default()
        }
        "deliver" | "output" | "spawn" => String::new(),
        "timeout" => "after".into(),
        _ => describe::what(system, event),
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
