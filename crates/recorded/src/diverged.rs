//! Where the machine departs from a recording.

use std::fmt;

/// What was recorded, and what was computed instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the event in the recording, from 1.
    pub event: usize,
    /// The process in which they differ.
    pub pid: String,
    /// `file:line`, if the process had begun.
    pub place: String,
    /// What the recording says, for people.
    pub recorded: String,
    /// What the machine computed, for people.
    pub computed: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { event, pid, place, recorded, computed } = self;
        write!(f, "the replay departs from the recording at event {event}, in process {pid}")?;
        if !place.is_empty() {
            write!(f, " at {place}")?;
        }
        write!(f, ":\n  recorded: {recorded}\n  computed: {computed}")
    }
}
