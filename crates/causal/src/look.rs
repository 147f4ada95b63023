//! Looks at a whole process: at its mailbox, its dictionary, where it stands. Such a look comes
//! after everything that the process has done and that has arrived there, and before the rest.
//! The same holds for a signal that changes what a process is while it runs: another group leader.

use crate::execution::{Chain, EventRef, Execution, Proc, ProcId};

/// What somebody looked at: a process after so many actions and arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Who looked.
    pub event: EventRef,
    /// How many actions the process had done.
    pub actions: u32,
    /// How many signals had been delivered to it.
    pub deliveries: u32,
}

impl EventRef {
    /// Whether both are of one chain.
    pub(crate) fn is_beside(self, other: EventRef) -> bool {
        self.proc == other.proc && self.chain() == other.chain()
    }
}

impl Look {
    /// The process had done nothing, and nothing had arrived.
    pub fn is_at_nothing(&self) -> bool {
        self.actions == 0 && self.deliveries == 0
    }

    /// What was there of one chain.
    fn count(&self, chain: Chain) -> u32 {
        match chain {
            Chain::Action => self.actions,
            Chain::Delivery => self.deliveries,
        }
    }
}

impl Execution {
    /// The process that an event looks at, and how far that was.
    pub fn look(&self, event: EventRef) -> Option<(ProcId, Look)> {
        let (of, i) = *self.looks.get(&event)?;
        Some((of, self.proc(of).looks()[i as usize]))
    }

    /// Whether an event looks at the process of another when so many of the other's chain were there.
    pub(crate) fn looks_when(&self, event: EventRef, other: EventRef, count: u32) -> bool {
        let found = self.look(event);
        found.is_some_and(|(of, look)| of == other.proc && look.count(other.chain()) == count)
    }

    /// An event looks at a process as it is now.
    pub(crate) fn look_at(&mut self, of: ProcId, event: EventRef) {
        let p = self.proc_mut(of);
        let (actions, deliveries) = (p.actions.len() as u32, p.deliveries.len() as u32);
        let looks = p.looks_mut();
        looks.push(Look { event, actions, deliveries });
        let last = looks.len() as u32 - 1;
        self.looks.insert(event, (of, last));
    }
}

impl Proc {
    /// Who looked at the process just before it did this, or before this arrived.
    pub(crate) fn looks_before(&self, event: EventRef) -> impl Iterator<Item = EventRef> {
        self.looks_when(event, event.index())
    }

    /// Who looked at the process just after.
    pub(crate) fn looks_after(&self, event: EventRef) -> impl Iterator<Item = EventRef> {
        self.looks_when(event, event.index() + 1)
    }

    /// Who looked when so many events of the chain had happened; a chain has an order of its own.
    fn looks_when(&self, event: EventRef, count: u32) -> impl Iterator<Item = EventRef> {
        let chain = event.chain();
        let first = self.looks().partition_point(|look| look.count(chain) < count);
        let looks = self.looks()[first..].iter().take_while(move |l| l.count(chain) == count);
        looks.filter(move |look| !look.event.is_beside(event)).map(|look| look.event)
    }
}
