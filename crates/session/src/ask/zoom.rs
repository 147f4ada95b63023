//! Inside a wrong function: what it did itself, step by step, so that the wrong part can be
//! named. Calls it made are right (or they would be the verdict), so they are only values here.

use super::facts::{self, CameTo};
use super::question::{self, place, value};
use super::rejected;
use crate::scope;
use reverl_analysis::declare::{Kind, Node};
use reverl_causal::System;
use reverl_lang::code::{Handler, Pc, Rule};
use reverl_lang::source::Span;
use reverl_machine::{Process, Watch};
use reverl_term::Atom;
use serde::Serialize;
use std::collections::HashMap;
use ts_rs::TS;

/// One thing that the function did.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Part {
    pub kind: PartKind,
    pub text: String,
    pub at: String,
}

/// What a part of a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// A clause that was tried and not taken.
    Rejected,
    Clause,
    Branch,
    Binding,
    Value,
}

/// Enough to look at by eye; a longer function is cut.
const MOST: usize = 60;

/// What a computation did in its own frame, in order.
pub fn parts(system: &System, node: &Node) -> Vec<Part> {
    let mut found = vec![];
    if node.kind == Kind::Call {
        let args = facts::facts(system, node, None).args;
        found.extend(rejected::of_call(system, node, &args));
        let clause = facts::clause_span(system, node);
        let at = place(system, clause);
        found.push(Part {
            kind: PartKind::Clause,
            text: format!("the clause at {at} was chosen"),
            at,
        });
    }
    let stops = own_stops(system, node);
    // What the head binds belongs to the clause.
    let head = facts::bound_at_entry(system, node);
    let mut known: Vec<Atom> = head.into_iter().map(|(name, _)| name).collect();
    let mut choosing: Option<(&'static str, String)> = None;
    let mut before: Option<Pc> = None;
    for stop in stops {
        if let Some((what, at)) = choosing.take_if(|(_, at)| *at != stop.at) {
            let text = format!("the {what} at {at} went on at {}", stop.at);
            found.push(Part { kind: PartKind::Branch, text, at: stop.at.clone() });
        }
        found.extend(stop.left);
        for (name, bound) in &stop.bindings {
            if !known.contains(name) {
                known.push(*name);
                let at = bound_at(system, node, *name, stop.pc);
                let text = format!("{} = {}", name.name(), value(bound));
                found.push(Part { kind: PartKind::Binding, text, at });
            }
        }
        let program = system.program();
        let rules = program.code.substeps_of(stop.pc).iter().map(|s| s.rule);
        let is_told = stop.choice.iter().any(|part| part.kind == PartKind::Branch);
        found.extend(stop.choice);
        for rule in rules {
            match rule {
                Rule::Case | Rule::If | Rule::Catch if is_told => {}
                Rule::Case | Rule::If => {
                    let what = if rule == Rule::Case { "case" } else { "if" };
                    choosing = Some((what, stop.at.clone()));
                }
                Rule::Catch => choosing = Some(("handler", stop.at.clone())),
                _ => {}
            }
        }
        before = Some(stop.pc);
        if found.len() >= MOST {
            break;
        }
    }
    let facts = facts::facts(system, node, None);
    let text = match &facts.came_to {
        CameTo::Value(v) => format!("the value {}", value(v)),
        other => question::came_to(system, other).lines().next().unwrap_or_default().to_string(),
    };
    let at = before.map_or(String::new(), |pc| place(system, system.program().code.span_at(pc)));
    found.push(Part { kind: PartKind::Value, text, at });
    found
}

/// Where the value of a variable was computed.
fn bound_at(system: &System, node: &Node, name: Atom, seen: Pc) -> String {
    let program = system.program();
    let code = &program.code;
    let is_it =
        |v: &&reverl_lang::code::VarRange| v.name == name && v.start <= seen && seen < v.end;
    let start = code.fun(node.fun).vars.iter().find(is_it).map_or(seen, |v| v.start);
    place(system, code.span_at(start.saturating_sub(1)))
}

/// What a process chooses where it is about to, and what it does not.
fn choice(system: &System, process: &Process) -> Vec<Part> {
    let span = {
        let program = system.program();
        let code = &program.code;
        let steps = code.substeps_of(process.pc());
        let step =
            steps.iter().find(|step| matches!(step.rule, Rule::Case | Rule::If | Rule::Catch));
        step.map(|step| code.exprs[step.expr.0 as usize].span)
    };
    span.map_or(vec![], |span| rejected::of_choice(system, process, span))
}

struct At {
    pc: Pc,
    /// Where it chooses: what was taken, and what not.
    choice: Vec<Part>,
    /// The same of the bodies of `try`s that it has just come out of.
    left: Vec<Part>,
    at: String,
    bindings: Vec<(Atom, reverl_term::Term)>,
}

/// Every instruction with a step of its own that the function executed in its own frame.
fn own_stops(system: &System, node: &Node) -> Vec<At> {
    let mut watch = Watch::default();
    {
        let program = system.program();
        let info = program.code.fun(node.fun);
        (info.entry..info.end).for_each(|pc| watch.insert(pc));
    }
    let before = node.from.saturating_sub(1);
    let mut replay = match node.from {
        0 => system.from_start(node.proc),
        _ => system.nearest(node.proc, before),
    };
    if node.from > 0 {
        replay.run_to(system, before);
    }
    let mut bodies = TryBodies::of(system, node);
    let mut found = vec![];
    while replay.watch_to(system, node.to, &watch) && found.len() < 2000 {
        let process = &mut replay.process;
        let inside = process.steps() >= node.from && process.depth() as u32 == node.depth;
        if inside && let Some(mut stop) = stop(system, process) {
            stop.left = bodies.left(system, process);
            found.push(stop);
        }
    }
    found
}

/// The bodies of `try`s that a function is in.
struct TryBodies {
    all: Vec<(Handler, Span)>,
    /// The process as it came into a body, by the handler.
    entered: HashMap<Pc, Process>,
}

impl TryBodies {
    fn of(system: &System, node: &Node) -> TryBodies {
        let all = rejected::tries(&system.program().code, node.fun);
        TryBodies { all, entered: HashMap::new() }
    }

    /// What the `of` of each body chose that a process has come out of, if it raised nothing.
    fn left(&mut self, system: &System, process: &mut Process) -> Vec<Part> {
        let pc = process.pc();
        let raised = self.all.iter().any(|(handler, _)| handler.target == pc);
        let mut chosen = vec![];
        for (handler, span) in &self.all {
            if handler.start <= pc && pc < handler.end {
                let known = self.entered.entry(handler.target);
                known.or_insert_with(|| process.snapshot(&system.program()));
            } else if let Some(before) = self.entered.remove(&handler.target)
                && !raised
            {
                chosen.extend(rejected::of_choice(system, &before, *span));
            }
        }
        chosen
    }
}

/// Where a process stands, if the instruction there is a step.
fn stop(system: &System, process: &Process) -> Option<At> {
    // Clauses are evaluated, for which the program must not be in use.
    let choice = choice(system, process);
    let program = system.program();
    let pc = process.pc();
    (program.code.ins[pc as usize].weight > 0).then_some(())?;
    let shown = program.code.sources.shown_at(program.code.span_at(pc));
    let at = shown.map_or(String::new(), |(file, line)| format!("{file}:{line}"));
    // With what the steps of the instruction bind on the way.
    let bindings = scope::bindings(&program.code, pc, u8::MAX, process.registers());
    Some(At { pc, choice, left: vec![], at, bindings })
}
