//! In which order the search added the events of an execution. That is not always the order in
//! which they happened: an event that another one came before keeps its place.

use std::rc::Rc;
use std::sync::Arc;

/// When the search added an event.
#[derive(Clone, Debug, Default)]
pub struct Stamp {
    /// When the event itself was.
    pub at: u32,
    /// When what it sends was: later, if the event was done again with something before it.
    pub sent: u32,
    /// Events that must not come before it any more: executions in which they do are found from
    /// elsewhere.
    pub asleep: Arc<[u64]>,
}

impl Stamp {
    /// Of an event that was added at the end.
    pub fn new(at: u32) -> Stamp {
        Stamp { at, sent: at, asleep: Arc::default() }
    }

    /// Of an event that is done again, and sends at another time.
    pub fn again(&self, sent: u32) -> Stamp {
        Stamp { sent, ..self.clone() }
    }
}

/// The stamps of all events, by the order in which they happened.
#[derive(Clone, Default)]
pub struct Stamps {
    /// Of the events that the execution was led through.
    given: Rc<[Stamp]>,
    /// Of the first event after these.
    next: u32,
}

impl Stamps {
    /// Those of a beginning; what follows was added after it.
    pub fn after(given: Vec<Stamp>) -> Stamps {
        let last = |s: &Stamp| s.at.max(s.sent) + 1;
        let next = given.iter().map(last).max().unwrap_or(0);
        Stamps { given: given.into(), next }
    }

    /// The stamp of an event.
    pub fn of(&self, event: usize) -> Stamp {
        match self.given.get(event) {
            Some(stamp) => stamp.clone(),
            None => Stamp::new(self.next + (event - self.given.len()) as u32),
        }
    }

    /// How many events the execution was led through.
    pub fn given(&self) -> usize {
        self.given.len()
    }
}
