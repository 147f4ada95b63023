//! Breakpoints on places and events. They hold in both directions.

use super::line::Line;
use super::{Debugger, Reply};
use crate::describe;
use crate::eval::{self, Compiled};
use crate::scope;
use crate::session::Session;
use reverl_causal::replay::Replay;
use reverl_causal::{EventRef, Happened, ProcId, Step, Target};
use reverl_machine::{Process, Watch};
use reverl_term::Atom;
use serde_json::{Value, json};
use std::collections::HashMap;

pub struct Breakpoint {
    pub id: usize,
    pub text: String,
    kind: Kind,
    condition: Option<String>,
}

enum Kind {
    /// Code: a line, a function, a binding.
    Code(Watch),
    /// An event of a kind, with a message that matches.
    Event { kind: String, pattern: Option<Compiled> },
}

const EVENT_KINDS: &[&str] = &[
    "send", "receive", "deliver", "spawn", "exit", "timeout", "register", "output", "call",
    "signal", "table",
];

/// `FILE:N` or `N`.
pub fn file_line(text: &str) -> Option<(Option<String>, u32)> {
    match text.rsplit_once(':') {
        Some((file, line)) => Some((Some(file.to_string()), line.parse().ok()?)),
        None => Some((None, text.parse().ok()?)),
    }
}

pub fn add(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let rest = line.rest();
    let (what, condition) = match rest.split_once(" if ") {
        Some((what, condition)) => (what.trim(), Some(condition.trim().to_string())),
        None => (rest, None),
    };
    let head = Line::parse(&format!("break {what}"));
    let kind = match head.args().as_slice() {
        [] => {
            return Err(
                "say where: a line, a function, an event or a variable; 'help break' shows how"
                    .into(),
            );
        }
        ["variable", name] => Kind::Code(d.session.variable_watch(Atom::new(name))),
        [kind] if EVENT_KINDS.contains(kind) => {
            Kind::Event { kind: kind.to_string(), pattern: None }
        }
        [kind, pattern] if EVENT_KINDS.contains(kind) => {
            let text = format!("case M of {pattern} -> true; _ -> false end");
            let compiled = eval::compile(d.session.system.world(), &text, &[Atom::new("M")], None);
            let pattern =
                compiled.map_err(|e| format!("'{pattern}' is no pattern: {}", e.text()))?;
            Kind::Event { kind: kind.to_string(), pattern: Some(pattern) }
        }
        [place] => match file_line(place) {
            Some((file, line)) => Kind::Code(d.session.line_watch(file.as_deref(), line)),
            None => Kind::Code(function(d, place)?),
        },
        _ => return Err(format!("'{what}' is no place to stop at; 'help break' shows how")),
    };
    if let Kind::Code(watch) = &kind {
        if watch.is_empty() {
            return Err(format!("there is no code for '{what}' in the loaded modules"));
        }
    }
    d.breakpoints_made += 1;
    let id = d.breakpoints_made;
    d.breakpoints.push(Breakpoint { id, text: rest.to_string(), kind, condition });
    Ok(Reply::new(format!("breakpoint {id}: {rest}"), json!({ "id": id, "text": rest })))
}

/// `[M:]F[/A]`
fn function(d: &mut Debugger, place: &str) -> Result<Watch, String> {
    let (module, rest) = match place.split_once(':') {
        Some((module, rest)) => (Some(Atom::new(module)), rest),
        None => (None, place),
    };
    let (name, arity) = match rest.split_once('/') {
        Some((name, arity)) => {
            let arity = arity.parse().map_err(|_| format!("'{arity}' is no arity"))?;
            (name, Some(arity))
        }
        None => (rest, None),
    };
    if let Some(module) = module.filter(|m| !d.session.system.program().is_loaded(*m)) {
        d.session.system.world().load(module);
    }
    Ok(d.session.function_watch(module, Atom::new(name), arity))
}

pub fn list(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let text: Vec<String> = d.breakpoints.iter().map(|b| format!("{}: {}", b.id, b.text)).collect();
    let data: Vec<Value> =
        d.breakpoints.iter().map(|b| json!({ "id": b.id, "text": b.text })).collect();
    let text = if text.is_empty() { "there are no breakpoints".into() } else { text.join("\n") };
    Ok(Reply::new(text, json!({ "breakpoints": data })))
}

pub fn delete(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let before = d.breakpoints.len();
    match line.number() {
        Some(id) => d.breakpoints.retain(|b| b.id as u64 != id),
        None => d.breakpoints.clear(),
    }
    let gone = before - d.breakpoints.len();
    if gone == 0 {
        return Err("there is no such breakpoint; 'breaks' lists them".into());
    }
    Ok(Reply::new(format!("deleted {gone}"), json!({ "deleted": gone })))
}

/// The breakpoint that stops a process before the instruction it is at.
fn code_hit(session: &mut Session, all: &[Breakpoint], process: &Process) -> Option<usize> {
    let pc = process.pc();
    for (i, b) in all.iter().enumerate() {
        let here = matches!(&b.kind, Kind::Code(w) if w.contains(pc));
        if here && b.condition.as_ref().is_none_or(|c| holds(session, c, process)) {
            return Some(i);
        }
    }
    None
}

/// Whether a condition is true in the scope of a process; one that fails is not.
fn holds(session: &mut Session, condition: &str, process: &Process) -> bool {
    let system = &session.system;
    let program = system.program();
    let code = &program.code;
    let module = code.fun(code.fun_at(process.pc())).module;
    let bound = scope::bindings(code, process.pc(), 0, process.registers());
    let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
    drop(program);
    match eval::compile(system.world(), condition, &names, Some(module)) {
        Ok(compiled) => eval::evaluate(system, &compiled, values, process.local.clone())
            .is_ok_and(|v| v.as_bool() == Some(true)),
        Err(_) => false,
    }
}

/// The process that has just stopped before a watched instruction.
pub(super) fn watched(step: &Step, happened: Happened) -> Option<ProcId> {
    match (step, happened) {
        (Step::Run { proc, .. }, Happened::Watched) => Some(*proc),
        _ => None,
    }
}

impl Debugger {
    pub(super) fn has_breakpoints(&self) -> bool {
        !self.breakpoints.is_empty()
    }

    fn watch(&self) -> Watch {
        let mut watch = Watch::default();
        for b in &self.breakpoints {
            if let Kind::Code(w) = &b.kind {
                watch.extend(w);
            }
        }
        watch
    }

    fn has_event_breakpoints(&self) -> bool {
        self.breakpoints.iter().any(|b| matches!(b.kind, Kind::Event { .. }))
    }

    fn event_hit(&mut self, event: EventRef) -> Option<usize> {
        let kind = describe::kind(&self.session.system, event);
        for i in 0..self.breakpoints.len() {
            let Kind::Event { kind: wanted, pattern } = &self.breakpoints[i].kind else { continue };
            if wanted != kind {
                continue;
            }
            let Some(pattern) = pattern else { return Some(i) };
            let system = &self.session.system;
            let Some(id) = describe::message_of(system, event) else { continue };
            let message = system.execution.signal(id).message.clone();
            let local = system.live(event.proc).process.local.clone();
            let matched = eval::evaluate(system, pattern, vec![message], local);
            if matched.is_ok_and(|v| v.as_bool() == Some(true)) {
                return Some(i);
            }
        }
        None
    }

    fn hit_text(&self, breakpoint: usize) -> String {
        let b = &self.breakpoints[breakpoint];
        format!("breakpoint {}: {}", b.id, b.text)
    }

    /// Goes on to the next breakpoint: along what has happened, then live.
    pub(super) fn run_to_breakpoint(&mut self) -> Option<(ProcId, String)> {
        if let Some((proc, target, breakpoint)) = self.known_breakpoint() {
            let plan = self.session.plan_redo(target);
            self.session.carry_out(&plan);
            self.session.current = proc;
            return Some((proc, self.hit_text(breakpoint)));
        }
        self.session.replay_all();
        self.session.system.watch = self.watch();
        let hit = self.run_live();
        self.session.system.watch = Watch::default();
        let (proc, breakpoint) = hit?;
        self.session.current = proc;
        Some((proc, self.hit_text(breakpoint)))
    }

    fn run_live(&mut self) -> Option<(ProcId, usize)> {
        loop {
            let mut seen = self.session.execution().event_count();
            let (mut stopped, mut at) = (false, None);
            let events = self.has_event_breakpoints();
            // Stops whenever a breakpoint may have been hit; whether it was is decided outside.
            self.session.run_telling(events, &mut |system, step, happened| {
                at = watched(step, happened);
                stopped = at.is_some() || (events && system.execution.event_count() > seen);
                !stopped
            });
            while let Some(event) = self.session.execution().event(seen) {
                if let Some(b) = self.event_hit(event) {
                    return Some((event.proc, b));
                }
                seen += 1;
            }
            if let Some(proc) = at {
                let process = self.session.system.frozen(proc);
                if let Some(b) = code_hit(&mut self.session, &self.breakpoints, &process) {
                    return Some((proc, b));
                }
            }
            if !stopped {
                return None;
            }
        }
    }

    /// The first breakpoint in what has already happened after the cut.
    fn known_breakpoint(&mut self) -> Option<(ProcId, Target, usize)> {
        let watch = self.watch();
        let later: Vec<EventRef> = {
            let execution = self.session.execution();
            let outside = |e: &EventRef| !self.session.cut.contains(execution, *e);
            execution.events().filter(outside).collect()
        };
        let mut replays: HashMap<ProcId, Replay> = HashMap::new();
        for event in later {
            let to = describe::step_of(&self.session.system, event);
            if let Some(hit) = self.watch_segment(&mut replays, event.proc, to, &watch) {
                return Some(hit);
            }
            if let Some(b) = self.event_hit(event) {
                return Some((event.proc, Target::Event(event), b));
            }
        }
        // Steps after the last event of each process.
        let rest: Vec<ProcId> = self.session.execution().ids().collect();
        for proc in rest {
            let end = self.session.execution().proc(proc).steps;
            if self.session.steps_of(proc) < end {
                if let Some(hit) = self.watch_segment(&mut replays, proc, end, &watch) {
                    return Some(hit);
                }
            }
        }
        None
    }

    fn watch_segment(
        &mut self,
        replays: &mut HashMap<ProcId, Replay>,
        proc: ProcId,
        to: u64,
        watch: &Watch,
    ) -> Option<(ProcId, Target, usize)> {
        if watch.is_empty() {
            return None;
        }
        let from = self.session.steps_of(proc);
        let session = &mut self.session;
        let mut replay =
            replays.remove(&proc).unwrap_or_else(|| session.system.nearest(proc, from));
        loop {
            if !replay.watch_to(&self.session.system, to, watch) {
                replays.insert(proc, replay);
                return None;
            }
            let step = replay.process.steps();
            if step > from {
                if let Some(b) = code_hit(&mut self.session, &self.breakpoints, &replay.process) {
                    return Some((proc, Target::Steps(proc, step), b));
                }
            }
        }
    }

    /// The last breakpoint before the cut among these processes.
    pub(super) fn last_breakpoint(&mut self, procs: &[ProcId]) -> Option<(ProcId, Target, String)> {
        let watch = self.watch();
        let mut best: Option<(u32, ProcId, Target, usize)> = None;
        for &proc in procs {
            let mut breakpoint = None;
            let breakpoints = &self.breakpoints;
            let step = match watch.is_empty() {
                true => None,
                false => self.session.last_hit(proc, &watch, &mut |session, _, process| {
                    let hit = code_hit(session, breakpoints, process);
                    breakpoint = hit.or(breakpoint);
                    hit.is_some()
                }),
            };
            let found = step.zip(breakpoint);
            if let Some((step, b)) = found {
                let p = self.session.execution().proc(proc);
                let before = p.actions_at(step);
                let order = before.checked_sub(1).map_or(0, |i| p.actions[i].order);
                if best.as_ref().is_none_or(|(o, ..)| order >= *o) {
                    best = Some((order, proc, Target::Steps(proc, step), b));
                }
            }
        }
        if self.has_event_breakpoints() {
            for event in self.session.events_in_cut().into_iter().rev() {
                let order = self.session.execution().order_of(event);
                if best.as_ref().is_some_and(|(o, ..)| *o >= order) {
                    break;
                }
                if procs.contains(&event.proc) {
                    if let Some(b) = self.event_hit(event) {
                        best = Some((order, event.proc, Target::Event(event), b));
                        break;
                    }
                }
            }
        }
        best.map(|(_, proc, target, b)| (proc, target, self.hit_text(b)))
    }
}
