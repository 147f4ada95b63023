//! What is remembered between two questions, so that the second one is quick. It belongs to one
//! session and is about executions that only grow: an entry holds for the length it was made for.

use super::axis::{Axes, Scale};
use super::races::{KnownTraffic, look_at_busiest};
use super::selection::Selection;
use super::text_index::TextIndex;
use crate::exceptions::KnownExceptions;
use crate::records::Records;
use crate::session::Session;
use reverl_term::Atom;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

/// What queries compute once for each execution and look at often.
#[derive(Default)]
pub struct Cache {
    pub(super) axes: RefCell<Axes>,
    pub(super) selection: RefCell<Option<Rc<Selection>>>,
    pub(super) traffic: RefCell<Option<KnownTraffic>>,
    pub(super) texts: RefCell<TextIndex>,
    /// Which of so many modules are the program's own.
    pub(crate) own: RefCell<Option<(usize, Rc<HashSet<Atom>>)>>,
    /// The records of so many modules.
    pub(crate) records: RefCell<Option<(usize, Rc<Records>)>>,
    pub(crate) exceptions: RefCell<KnownExceptions>,
}

/// Of a shorter execution everything is found at once.
const LONG: usize = 100_000;

impl Session {
    /// Finds out one of the things about a long execution that take a while and that somebody may ask
    /// for. Whether there was one: a face that has nothing else to do asks again.
    pub fn prepare(&self) -> bool {
        let execution = self.execution();
        if execution.event_count() < LONG {
            return false;
        }
        for scale in [Scale::Depth, Scale::Messages] {
            if !self.cache.axes.borrow().has(self.branch_name(), execution, scale) {
                self.axis(scale);
                return true;
            }
        }
        look_at_busiest(self)
    }
}
