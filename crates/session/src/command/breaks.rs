//! Breakpoints on places and events: how they are set, found in the code, and when they hold.

use super::hit_counts::CountedHits;
use super::{Answered, BreakSpec, Command, Debugger, Lifetime, Reply, StopAt};
use crate::error::CommandError;
use crate::eval::{self, NoValue, Typed};
use crate::exceptions::ExceptionStop;
use crate::query::session::BreakpointRow;
use crate::scope;
use crate::session::Session;
use crate::stops::Stops;
use crate::wanted::WantedEvent;
use crate::watched::{self, WatchedExpression};
use reverl_causal::ProcId;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::FileId;
use reverl_lang::visit::collect_vars;
use reverl_machine::Process;
use reverl_term::Atom;
use std::cell::RefCell;

/// A breakpoint with its number and condition.
pub struct Breakpoint {
    pub(super) id: usize,
    pub(super) spec: BreakSpec,
    pub(super) stop: Stop,
    /// The condition of its specification.
    condition: Option<Typed>,
    /// The expression that has to have another value than before.
    watched: Option<WatchedExpression>,
    /// So many stops it lets pass.
    pub(super) ignored: u64,
    /// What is done at each stop.
    pub(super) commands: Vec<Command>,
    /// The times that it was come to.
    pub(super) counted: RefCell<CountedHits>,
    /// That its condition cannot be evaluated was said already.
    pub(super) has_complained: bool,
}

/// A place that was found in the code, or what an event has to be.
pub(super) enum Stop {
    /// Code: a line, a function, a binding.
    Code(Stops),
    /// An event of a kind, with a message that matches or a text in it.
    Event(WantedEvent),
    /// A process begins to wait for ever.
    Forever,
    /// A message is sent that nobody receives.
    Orphan,
    /// An exception is raised.
    Exception(ExceptionStop),
}

/// What a breakpoint says of a moment at its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    Stops,
    GoesOn,
    /// The condition has no value, or is neither true nor false.
    Fails(String),
}

impl Breakpoint {
    fn new(session: &Session, id: usize, spec: BreakSpec, stop: Stop) -> Breakpoint {
        let condition = spec.condition.as_deref().map(Typed::new);
        let watched = match &spec.at {
            StopAt::Change(change) => WatchedExpression::new(session, change).ok(),
            _ => None,
        };
        Breakpoint {
            id,
            spec,
            stop,
            condition,
            watched,
            ignored: 0,
            commands: vec![],
            counted: RefCell::default(),
            has_complained: false,
        }
    }

    /// The breakpoint as `breakpoints` lists it.
    pub fn row(&self) -> BreakpointRow {
        let commands = self.commands.iter().map(|c| c.words(&|n| n.to_string())).collect();
        BreakpointRow {
            id: self.id,
            text: self.spec.to_string(),
            lifetime: self.spec.lifetime,
            ignored: self.ignored,
            commands,
        }
    }

    /// Whether a process stops that has come to the place.
    pub(super) fn verdict(
        &self,
        session: &Session,
        (proc, process): (ProcId, &Process),
        step: u64,
    ) -> Verdict {
        if !self.is_there(session, process, step) || !self.changes(session, (proc, process), step) {
            return Verdict::GoesOn;
        }
        let Some(condition) = &self.condition else { return Verdict::Stops };
        match condition.value(session, process, step) {
            Ok(value) => match value.as_bool() {
                Some(true) => Verdict::Stops,
                Some(false) => Verdict::GoesOn,
                None => Verdict::Fails(format!("'{condition}' is {value}, not true or false")),
            },
            Err(why) => Verdict::Fails(format!("'{condition}' cannot be evaluated: {why}")),
        }
    }

    /// Whether a watched expression has another value than before. A first value is not a change.
    fn changes(&self, session: &Session, (proc, process): (ProcId, &Process), step: u64) -> bool {
        let Some(watched) = &self.watched else { return true };
        let change = || watched.change(session, process, step);
        watched.proc == proc && change().is_some_and(|new| new.before.is_some())
    }

    /// The choice of a clause takes no step: who comes to a place in it may have left it again.
    fn is_there(&self, session: &Session, process: &Process, step: u64) -> bool {
        let program = session.system.program();
        let code = &program.code;
        let info = code.fun(code.fun_at(process.pc()));
        match &self.spec.at {
            StopAt::Function { name, .. } => info.name.name() == name,
            StopAt::Variable(name) => {
                let bound = scope::bindings_at(code, process, step);
                bound.iter().any(|(bound, _)| bound.name() == name)
            }
            StopAt::Line(_)
            | StopAt::Event { .. }
            | StopAt::Change(_)
            | StopAt::Forever
            | StopAt::Orphan
            | StopAt::Exception(_) => true,
        }
    }
}

impl Debugger {
    pub(super) fn add_breakpoint(&mut self, spec: &BreakSpec) -> Answered {
        let stop = self.stop(&spec.at)?;
        if let Some(condition) = &spec.condition {
            self.check_condition(condition, &stop)?;
        }
        self.breakpoints_made += 1;
        let breakpoint = Breakpoint::new(&self.session, self.breakpoints_made, spec.clone(), stop);
        let row = breakpoint.row();
        self.breakpoints.push(breakpoint);
        Ok(Reply::Breakpoint(row))
    }

    /// Stops where an expression of the current process has another value than before.
    pub(super) fn watch(&mut self, expression: &str) -> Answered {
        let proc = self.session.current;
        let level = self.level(&self.session.now(), proc);
        let change = watched::meant_here(&self.session, proc, level, expression);
        let (condition, lifetime) = (None, Lifetime::Stays);
        let spec = BreakSpec { at: StopAt::Change(change), condition, lifetime, hits: None };
        if !matches!(&spec.at, StopAt::Change(change) if change.of_state) {
            let stop = self.stop(&spec.at)?;
            self.check_condition(expression, &stop)?;
        }
        self.add_breakpoint(&spec)
    }

    fn breakpoint_mut(&mut self, id: usize) -> Result<&mut Breakpoint, CommandError> {
        self.breakpoints.iter_mut().find(|b| b.id == id).ok_or(CommandError::NoBreakpoint)
    }

    pub(super) fn ignore(&mut self, id: usize, count: u64) -> Answered {
        let breakpoint = self.breakpoint_mut(id)?;
        breakpoint.ignored = count;
        Ok(Reply::Breakpoint(breakpoint.row()))
    }

    pub(super) fn set_commands(&mut self, id: usize, commands: &[Command]) -> Answered {
        let breakpoint = self.breakpoint_mut(id)?;
        breakpoint.commands = commands.to_vec();
        Ok(Reply::Breakpoint(breakpoint.row()))
    }

    /// A condition has to be Erlang, and the records in it those of a module that it is asked in.
    /// Whether its variables are bound depends on the moment.
    fn check_condition(&self, condition: &str, stop: &Stop) -> Result<(), CommandError> {
        let bad = |why: NoValue| CommandError::BadCondition {
            condition: condition.to_string(),
            why: why.to_string(),
        };
        let mut names = vec![];
        if let Ok(exprs) = parse_exprs(condition, FileId(u32::MAX)) {
            exprs.iter().for_each(|e| collect_vars(e, &mut names));
        }
        let mut modules = self.modules_of(stop);
        let world = self.session.system.world();
        let first = modules.pop();
        let compiled = eval::compile(world, condition, &names, first);
        let Err(why) = compiled else { return Ok(()) };
        let others = |module| eval::compile(world, condition, &names, Some(module)).is_ok();
        if modules.into_iter().any(others) { Ok(()) } else { Err(bad(why)) }
    }

    fn modules_of(&self, stop: &Stop) -> Vec<Atom> {
        let program = self.session.system.program();
        let code = &program.code;
        let mut modules: Vec<Atom> = match stop {
            Stop::Code(stops) => {
                stops.instructions().map(|pc| code.fun(code.fun_at(pc)).module).collect()
            }
            Stop::Event(_) | Stop::Forever | Stop::Orphan | Stop::Exception(_) => vec![],
        };
        modules.sort_by_key(|module| module.name());
        modules.dedup();
        modules
    }

    fn stop(&self, at: &StopAt) -> Result<Stop, CommandError> {
        let session = &self.session;
        let stops = match at {
            StopAt::Event { kind, pattern } => {
                let wanted = WantedEvent::new(&session.system, *kind, pattern.as_deref())?;
                return Ok(Stop::Event(wanted));
            }
            StopAt::Forever => return Ok(Stop::Forever),
            StopAt::Orphan => return Ok(Stop::Orphan),
            StopAt::Exception(kind) => return Ok(Stop::Exception(*kind)),
            StopAt::Change(change) => {
                let mut stops = Stops::default();
                stops.extend(WatchedExpression::new(session, change)?.stops(), 0);
                stops
            }
            _ => session.stops_at(at)?,
        };
        Ok(Stop::Code(stops))
    }

    pub(super) fn delete_breakpoints(&mut self, id: Option<usize>) -> Answered {
        let before = self.breakpoints.len();
        match id {
            Some(id) => self.breakpoints.retain(|b| b.id != id),
            None => self.breakpoints.clear(),
        }
        match before - self.breakpoints.len() {
            0 => Err(CommandError::NoBreakpoint),
            deleted => Ok(Reply::Deleted { deleted }),
        }
    }

    /// Breakpoints name places in code, and the code was loaded anew.
    pub(super) fn place_breakpoints_anew(&mut self) {
        self.last_stop = None;
        for Breakpoint { id, spec, ignored, commands, .. } in std::mem::take(&mut self.breakpoints)
        {
            if let Ok(stop) = self.stop(&spec.at) {
                let placed = Breakpoint::new(&self.session, id, spec, stop);
                self.breakpoints.push(Breakpoint { ignored, commands, ..placed });
            }
        }
    }
}
