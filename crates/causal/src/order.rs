//! All events of an execution in the order in which they happened: one linearisation.
//!
//! For each only its process and its chain are kept. Which event of the chain it is follows from
//! how many came before, or from the event that has that place.

use crate::chunked::Chunked;
use crate::execution::{EventRef, Execution, Proc, ProcId};

#[derive(Clone, Default)]
pub(crate) struct Order {
    /// The number of the process, twice, and one more for a delivery.
    chains: Chunked<u32>,
}

impl Order {
    #[inline]
    pub fn push_action(&mut self, of: ProcId) {
        self.chains.push(of.0 << 1);
    }

    #[inline]
    pub fn push_delivery(&mut self, to: ProcId) {
        self.chains.push(to.0 << 1 | 1);
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.chains.len()
    }
}

fn event_of(chain: u32, index: usize) -> EventRef {
    let proc = ProcId(chain >> 1);
    match chain & 1 {
        0 => EventRef::action(proc, index),
        _ => EventRef::delivery(proc, index),
    }
}

fn length(p: &Proc, chain: u32) -> usize {
    if chain & 1 == 0 { p.actions.len() } else { p.deliveries.len() }
}

impl Execution {
    /// How many events there are in all.
    pub fn event_count(&self) -> usize {
        self.order.len()
    }

    /// The event at a place of the order.
    pub fn event(&self, place: usize) -> Option<EventRef> {
        let chain = *self.order.chains.get(place)?;
        let p = self.proc(ProcId(chain >> 1));
        let index = match chain & 1 {
            0 => p.actions.partition_point(|a| (a.order as usize) < place),
            _ => p.deliveries.partition_point(|d| (d.order as usize) < place),
        };
        Some(event_of(chain, index))
    }

    /// Whose event that is: known at once.
    pub fn process_at(&self, place: usize) -> Option<ProcId> {
        self.order.chains.get(place).map(|chain| ProcId(chain >> 1))
    }

    /// The event that happened last.
    pub fn last_event(&self) -> Option<EventRef> {
        self.event(self.event_count().checked_sub(1)?)
    }

    /// All of them; both ends can be taken from.
    pub fn events(&self) -> Events<'_> {
        Events { execution: self, first: 0, end: self.event_count(), passed: vec![], left: vec![] }
    }
}

/// The events of an execution, causes first.
pub struct Events<'e> {
    execution: &'e Execution,
    first: usize,
    end: usize,
    /// How many events of each chain were taken from the front; empty until one is.
    passed: Vec<u32>,
    /// How many events of each chain are before the end; empty until one is taken from there.
    left: Vec<u32>,
}

impl Events<'_> {
    fn lengths(&self) -> Vec<u32> {
        let chains = 0..2 * self.execution.procs.len() as u32;
        chains.map(|c| length(&self.execution.procs[c as usize / 2], c) as u32).collect()
    }
}

impl Iterator for Events<'_> {
    type Item = EventRef;

    fn next(&mut self) -> Option<EventRef> {
        if self.first == self.end {
            return None;
        }
        if self.passed.is_empty() {
            self.passed = vec![0; 2 * self.execution.procs.len()];
        }
        let chain = self.execution.order.chains[self.first];
        let passed = &mut self.passed[chain as usize];
        let event = event_of(chain, *passed as usize);
        *passed += 1;
        self.first += 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.first, Some(self.end - self.first))
    }
}

impl DoubleEndedIterator for Events<'_> {
    fn next_back(&mut self) -> Option<EventRef> {
        if self.first == self.end {
            return None;
        }
        if self.left.is_empty() {
            self.left = self.lengths();
        }
        self.end -= 1;
        let chain = self.execution.order.chains[self.end];
        let left = &mut self.left[chain as usize];
        *left -= 1;
        Some(event_of(chain, *left as usize))
    }
}

impl ExactSizeIterator for Events<'_> {}
