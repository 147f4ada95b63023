//! Breakpoints on places and events: how they are set and found in the code.

use super::{Answered, BreakSpec, Debugger, LineSpec, Reply, StopAt};
use crate::error::CommandError;
use crate::eval::Pattern;
use crate::event::EventKind;
use crate::query::session::BreakpointRow;
use reverl_machine::Watch;
use reverl_term::Atom;

pub struct Breakpoint {
    pub(super) id: usize,
    pub(super) spec: BreakSpec,
    pub(super) stop: Stop,
}

/// A place that was found in the code, or what an event has to be.
pub(super) enum Stop {
    /// Code: a line, a function, a binding.
    Code(Watch),
    /// An event of a kind, with a message that matches.
    Event { kind: EventKind, pattern: Option<Pattern> },
}

impl Breakpoint {
    pub fn row(&self) -> BreakpointRow {
        BreakpointRow { id: self.id, text: self.spec.to_string() }
    }
}

impl Debugger {
    pub(super) fn add_breakpoint(&mut self, spec: &BreakSpec) -> Answered {
        let stop = self.stop(&spec.at)?;
        self.breakpoints_made += 1;
        let id = self.breakpoints_made;
        self.breakpoints.push(Breakpoint { id, spec: spec.clone(), stop });
        Ok(Reply::Breakpoint(BreakpointRow { id, text: spec.to_string() }))
    }

    fn stop(&self, at: &StopAt) -> Result<Stop, CommandError> {
        let session = &self.session;
        let watch = match at {
            StopAt::Event { kind, pattern } => {
                let pattern = pattern.as_ref().map(|p| Pattern::new(&session.system, p));
                return Ok(Stop::Event { kind: *kind, pattern: pattern.transpose()? });
            }
            StopAt::Variable(name) => session.variable_watch(Atom::new(name)),
            StopAt::Line(LineSpec { file, line }) => session.line_watch(file.as_deref(), *line),
            StopAt::Function { module, name, arity } => {
                let module = module.as_ref().map(|m| Atom::new(m));
                let is_loaded = |m: &Atom| session.system.program().is_loaded(*m);
                if let Some(module) = module.filter(|m| !is_loaded(m)) {
                    session.system.world().load(module);
                }
                session.function_watch(module, Atom::new(name), *arity)
            }
        };
        match watch.is_empty() {
            true => Err(CommandError::NoCode(at.to_string())),
            false => Ok(Stop::Code(watch)),
        }
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
        for Breakpoint { id, spec, .. } in std::mem::take(&mut self.breakpoints) {
            if let Ok(stop) = self.stop(&spec.at) {
                self.breakpoints.push(Breakpoint { id, spec, stop });
            }
        }
    }
}
