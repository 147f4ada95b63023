//! What is remembered between two questions, so that the second one is quick. It belongs to one
//! session and is about executions that only grow: an entry holds for the length it was made for.

use super::axis::Axes;
use super::races::KnownInbox;
use super::selection::Selection;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Default)]
pub struct Cache {
    pub(super) axes: RefCell<Axes>,
    pub(super) selection: RefCell<Option<Rc<Selection>>>,
    pub(super) inbox: RefCell<Option<Rc<KnownInbox>>>,
}
