//! Moments with names: to be gone back to, or to be the target of undo and redo.

use super::{Answered, Debugger, MoveKind, Note, Reply};
use crate::error::CommandError;
use crate::notebook::{Mark, NotedBreakpoint};
use crate::position::{apply_place, place_text};
use crate::query::session;
use reverl_causal::ProcId;

impl Debugger {
    /// This moment is called so from now on.
    pub(super) fn mark(&mut self, name: &str) -> Answered {
        let session = &mut self.session;
        let mark = Mark {
            name: name.into(),
            branch: session.branch_name().into(),
            place: place_text(session),
            process: session.current.0,
        };
        session.notebook.marks.retain(|known| known.name != name);
        session.notebook.marks.push(mark);
        let list = session::marks(&self.session);
        Ok(Reply::Marks(session::MarkList {
            marks: list.marks.into_iter().filter(|mark| mark.name == name).collect(),
        }))
    }

    pub(super) fn unmark(&mut self, name: &str) -> Answered {
        let marks = &mut self.session.notebook.marks;
        let before = marks.len();
        marks.retain(|mark| mark.name != name);
        match before - marks.len() {
            0 => Err(CommandError::NoMark(name.into())),
            deleted => Ok(Reply::Deleted { deleted }),
        }
    }

    /// Goes to exactly this moment, on whichever branch it is.
    pub(super) fn goto_mark(&mut self, name: &str) -> Answered {
        let mark = self.session.notebook.mark(name).cloned();
        let mark = mark.ok_or_else(|| CommandError::NoMark(name.into()))?;
        let branch = self.session.branch_name().to_string();
        let before = self.session.cut.total_steps();
        apply_place(&mut self.session, &mark.branch, &mark.place)?;
        let execution = self.session.execution();
        let known = execution.ids().find(|p| p.0 == mark.process);
        let is_there = |p: &ProcId| self.session.cut.is_spawned(execution, *p);
        let current = known.filter(is_there).unwrap_or(self.session.system.main);
        let moved = match self.session.cut.total_steps() < before {
            true => MoveKind::Undone,
            false => MoveKind::Replayed,
        };
        let other = (branch != mark.branch).then_some(Note::OnBranch { branch: mark.branch });
        Ok(self.arrived(current, moved, other.into_iter().collect()))
    }

    /// Writes down what is saved with the session.
    pub(super) fn note_breakpoints(&mut self) {
        let noted = self.breakpoints.iter().map(|b| NotedBreakpoint {
            spec: b.spec.clone(),
            ignored: b.ignored,
            commands: b.commands.clone(),
        });
        self.session.notebook.breakpoints = noted.collect();
        let displays = self.displays.iter().map(|(_, expression)| expression.clone());
        self.session.notebook.displays = displays.collect();
    }

    /// Takes up what was saved with the session, beside what there is already.
    pub(super) fn take_up_noted(&mut self) {
        for noted in self.session.notebook.breakpoints.clone() {
            let is_known = self.breakpoints.iter().any(|b| b.spec == noted.spec);
            // A place that is not there any more is left out.
            if !is_known && self.add_breakpoint(&noted.spec).is_ok() {
                if let Some(placed) = self.breakpoints.last_mut() {
                    (placed.ignored, placed.commands) = (noted.ignored, noted.commands);
                }
            }
        }
        for expression in self.session.notebook.displays.clone() {
            if !self.displays.iter().any(|(_, known)| *known == expression) {
                self.displays_made += 1;
                self.displays.push((self.displays_made, expression));
            }
        }
    }
}
