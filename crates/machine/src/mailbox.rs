//! The messages that were delivered and not yet received, and how far a receive has looked.

use reverl_term::Term;
use std::collections::VecDeque;

/// The permanent name of one message of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u64);

/// A message that was delivered.
#[derive(Clone)]
pub struct Message {
    /// Which message of the execution it is.
    pub id: MessageId,
    /// The value that was sent.
    pub term: Term,
}

/// The mailbox of a process.
#[derive(Clone, Default)]
pub struct Mailbox {
    /// In order of delivery.
    messages: VecDeque<Message>,
    /// The message a receive looks at next; those before it match none of its clauses.
    scan: usize,
}

impl Mailbox {
    /// Puts a message at the end.
    #[inline]
    pub fn push(&mut self, message: Message) {
        self.messages.push_back(message);
    }

    /// How many messages are in it.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether no message is in it.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The messages in order of delivery.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter()
    }

    /// A receive begins: it looks at the oldest message first.
    pub fn rewind(&mut self) {
        self.scan = 0;
    }

    /// The message that a receive looks at next.
    pub fn current(&self) -> Option<&Message> {
        self.messages.get(self.scan)
    }

    /// The message that was looked at does not match: the next one is looked at.
    pub fn skip(&mut self) {
        self.scan += 1;
    }

    /// Takes the message that was looked at last.
    pub fn take(&mut self) -> Message {
        let message = match self.scan {
            0 => self.messages.pop_front(),
            i => self.messages.remove(i),
        };
        self.scan = 0;
        message.expect("a receive looked at it")
    }

    /// Puts these messages in the place of all others.
    pub fn replace(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.messages = messages.into_iter().collect();
        self.scan = 0;
    }
}
