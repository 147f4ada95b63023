//! How the parts of an execution are named: processes, signals, and the events of their chains.

use serde::{Deserialize, Serialize};

/// A process: its number in the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProcId(pub u32);

/// A node: 0 is the one that the program begins on, any other has the number of its own process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The node that the program begins on.
    pub const FIRST: NodeId = NodeId(0);
}

/// The k-th signal that a process sent: the same however the others were scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignalId {
    /// The process that sent it.
    pub from: ProcId,
    /// Its number among the signals of that process.
    pub k: u32,
}

/// The two sequences of events that each process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// What processes do.
    Action,
    /// What arrives at them.
    Delivery,
}

/// A number that may be missing, in four bytes: executions have very many of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Maybe(u32);

impl Maybe {
    pub const NONE: Maybe = Maybe(u32::MAX);

    pub fn some(n: u32) -> Maybe {
        debug_assert!(n != u32::MAX);
        Maybe(n)
    }

    pub fn get(self) -> Option<u32> {
        (self.0 != u32::MAX).then_some(self.0)
    }
}

impl From<Option<u32>> for Maybe {
    fn from(n: Option<u32>) -> Maybe {
        n.map_or(Maybe::NONE, Maybe::some)
    }
}

/// Names one event.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventRef {
    /// The process that it is an event of.
    pub proc: ProcId,
    /// The index in its chain, twice, and one more for a delivery.
    place: u32,
}

impl EventRef {
    /// The action of a process with this number.
    #[inline]
    pub fn action(proc: ProcId, index: usize) -> EventRef {
        EventRef { proc, place: (index as u32) << 1 }
    }

    /// The delivery to a process with this number.
    #[inline]
    pub fn delivery(proc: ProcId, index: usize) -> EventRef {
        EventRef { proc, place: (index as u32) << 1 | 1 }
    }

    /// Which of the two sequences of its process it is in.
    #[inline]
    pub fn chain(self) -> Chain {
        if self.place & 1 == 0 { Chain::Action } else { Chain::Delivery }
    }

    /// Its number in that sequence.
    #[inline]
    pub fn index(self) -> u32 {
        self.place >> 1
    }
}

impl std::fmt::Debug for EventRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}[{}] of {:?}", self.chain(), self.index(), self.proc)
    }
}

/// The arrival of a signal.
#[derive(Clone, Copy)]
pub struct Delivery {
    /// The signal that arrived.
    pub signal: SignalId,
    /// How many actions the process had done when it arrived, and in the two lowest bits whether it
    /// became (or was) a message in the mailbox, and whether one before all ordinary ones.
    after: u32,
    /// Its place in `Execution::order`.
    pub order: u32,
}

impl Delivery {
    #[inline]
    pub(crate) fn new(signal: SignalId, actions: usize, in_mailbox: bool, order: u32) -> Delivery {
        Delivery { signal, after: (actions as u32) << 2 | u32::from(in_mailbox), order }
    }

    /// How many actions the process had done when it arrived.
    #[inline]
    pub fn after_actions(&self) -> u32 {
        self.after >> 2
    }

    /// It goes before all ordinary messages.
    pub(crate) fn make_urgent(&mut self) {
        self.after |= 2;
    }

    /// It went before all ordinary messages.
    #[inline]
    pub fn is_urgent(&self) -> bool {
        self.after & 2 == 2
    }

    /// It became (or was) a message in the mailbox.
    #[inline]
    pub fn in_mailbox(&self) -> bool {
        self.after & 1 == 1
    }
}
