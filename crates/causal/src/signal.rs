//! Signals: what processes send each other, messages among them.

use crate::event::{Maybe, ProcId};
use reverl_term::Term;

/// Something on its way from one process to another.
#[derive(Clone)]
pub struct Signal {
    to: Maybe,
    /// The number of the sender's action that sent it, twice, and one more if it is not a plain
    /// message: `Execution::kind` knows what it is then.
    sender: u32,
    pub(crate) delivery: Maybe,
    pub(crate) receive: Maybe,
    /// The value that was sent.
    pub message: Term,
}

impl Signal {
    /// A signal of the `sent_by`-th action of its sender; `delivery` if it is there at once.
    #[inline]
    pub(crate) fn new(
        sent_by: u32,
        to: Option<ProcId>,
        is_plain: bool,
        delivery: Maybe,
        message: Term,
    ) -> Signal {
        let sender = sent_by << 1 | u32::from(!is_plain);
        let to = Maybe::from(to.map(|to| to.0));
        Signal { to, sender, delivery, receive: Maybe::NONE, message }
    }

    /// The number of the sender's action that sent it.
    #[inline]
    pub fn sent_by(&self) -> u32 {
        self.sender >> 1
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.sender & 1 == 0
    }

    /// `None`: there was no such process, it was lost at once.
    pub fn to(&self) -> Option<ProcId> {
        self.to.get().map(ProcId)
    }

    pub(crate) fn set_to(&mut self, to: Option<ProcId>) {
        self.to = Maybe::from(to.map(|to| to.0));
    }

    /// Its number in the receiver's deliveries.
    pub fn delivery(&self) -> Option<u32> {
        self.delivery.get()
    }

    /// The number of the receiver's action that consumed it.
    pub fn receive(&self) -> Option<u32> {
        self.receive.get()
    }
}

/// What a signal does to its receiver.
#[derive(Clone, PartialEq, Eq)]
pub enum SignalKind {
    /// A message of the program.
    Message,
    /// Sent to an alias, and whether as a priority message.
    AliasMessage(Term, bool),
    /// `exit/2` or the end of a linked process; `message` is what a trapping process finds.
    Exit {
        /// It came along a link.
        linked: bool,
        /// The reason that it carries.
        reason: Term,
    },
    /// `link/1`.
    Link,
    /// `unlink/1`.
    Unlink,
    /// `message` is the reference, or for `Monitor` `{Ref, What, Tag}`.
    Monitor,
    /// `demonitor/1`.
    Demonitor,
    /// The end of a monitored process; `message` is what arrives.
    Down,
    /// From the clock; `message` is what arrives. It has its number from the start of the timer on,
    /// and a receiver when that fires.
    Timer,
    /// `group_leader/2`.
    GroupLeader,
    /// A number that is kept for an answer of a dead process: it had it, and may come again.
    Unsent,
}

impl SignalKind {
    /// Whether links, monitors or aliases of its receiver decide what becomes of it, or change.
    pub(crate) fn depends_on_ties(&self) -> bool {
        match self {
            SignalKind::Exit { linked, .. } => *linked,
            SignalKind::Link | SignalKind::Unlink => true,
            SignalKind::Down | SignalKind::AliasMessage(..) => true,
            _ => false,
        }
    }

    /// Sent by `!` and its like.
    pub fn is_message(&self) -> bool {
        matches!(self, SignalKind::Message | SignalKind::AliasMessage(..))
    }
}
