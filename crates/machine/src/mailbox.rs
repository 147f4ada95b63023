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

/// What a receive took.
#[derive(Clone)]
pub enum Taken {
    /// A message that was delivered.
    Delivered(Message),
    /// A message that was put back: it was received before.
    Kept,
}

/// The mailbox of a process.
#[derive(Clone, Default)]
pub struct Mailbox {
    /// What was received and put back, until the program itself takes it: what woke the process
    /// from hibernation, what an evaluated `receive` passed over. It is older than all others, and
    /// counts as received already.
    kept: VecDeque<Message>,
    /// In order of delivery, but priority messages come before all others.
    messages: VecDeque<Message>,
    /// How many of them are priority messages.
    urgent: usize,
    /// The message a receive looks at next; those before it match none of its clauses.
    scan: usize,
}

impl Mailbox {
    /// Puts a message at the end.
    #[inline]
    pub fn push(&mut self, message: Message) {
        self.messages.push_back(message);
    }

    /// Puts a priority message behind the others of its kind, before all ordinary ones.
    pub fn push_urgent(&mut self, message: Message) {
        self.messages.insert(self.urgent, message);
        self.scan = self.scan.min(self.kept.len() + self.urgent);
        self.urgent += 1;
    }

    /// How many messages are in it.
    pub fn len(&self) -> usize {
        self.messages.len() + self.kept.len()
    }

    /// Whether no message is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The messages in order of delivery.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.kept.iter().chain(&self.messages)
    }

    /// A receive begins: it looks at the oldest message first.
    pub fn rewind(&mut self) {
        self.scan = 0;
    }

    /// The message that a receive looks at next.
    pub fn current(&self) -> Option<&Message> {
        match self.scan.checked_sub(self.kept.len()) {
            Some(i) => self.messages.get(i),
            None => self.kept.get(self.scan),
        }
    }

    /// The message that was looked at does not match: the next one is looked at.
    pub fn skip(&mut self) {
        self.scan += 1;
    }

    /// Takes the message that was looked at last.
    pub fn take(&mut self) -> Taken {
        let at = std::mem::take(&mut self.scan);
        let Some(at) = at.checked_sub(self.kept.len()) else {
            self.kept.remove(at);
            return Taken::Kept;
        };
        self.urgent -= usize::from(at < self.urgent);
        let message = match at {
            0 => self.messages.pop_front(),
            i => self.messages.remove(i),
        };
        Taken::Delivered(message.expect("a receive looked at it"))
    }

    /// Puts a message back that was received, before all others.
    pub fn keep(&mut self, term: Term) {
        self.kept.push_front(Message { id: MessageId(u64::MAX), term });
        self.scan = 0;
    }

    /// What belongs to the process and not to the system: the messages that it has put back.
    pub fn only_kept(&self) -> Mailbox {
        Mailbox { kept: self.kept.clone(), ..Mailbox::default() }
    }

    /// Puts these messages in the place of all others that were not received yet.
    pub fn replace(&mut self, messages: impl IntoIterator<Item = Message>) {
        self.messages = messages.into_iter().collect();
        self.urgent = 0;
        self.scan = 0;
    }
}
