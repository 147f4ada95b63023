//! The messages that were delivered and not yet received, and how far a receive has looked.

use reverl_term::Term;
use std::collections::VecDeque;

/// Names one message of an execution for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u64);

#[derive(Clone)]
pub struct Message {
    pub id: MessageId,
    pub term: Term,
}

#[derive(Clone, Default)]
pub struct Mailbox {
    /// In order of delivery.
    messages: VecDeque<Message>,
    /// The message a receive looks at next; those before it match none of its clauses.
    scan: usize,
}

impl Mailbox {
    #[inline]
    pub fn push(&mut self, message: Message) {
        self.messages.push_back(message);
    }

    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter()
    }

    /// A receive begins: it looks at the oldest message first.
    pub fn rewind(&mut self) {
        self.scan = 0;
    }

    pub fn current(&self) -> Option<&Message> {
        self.messages.get(self.scan)
    }

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

    pub fn replace(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.messages = messages.into_iter().collect();
        self.scan = 0;
    }
}
