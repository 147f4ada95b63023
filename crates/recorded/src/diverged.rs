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
        let (recorded, computed) = around_difference(recorded, computed);
        write!(f, ":\n  recorded: {recorded}\n  computed: {computed}")
    }
}

/// Where a process printed something else than on the node, and went on as it did there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintDifference {
    /// The number of the event in the recording, from 1.
    pub event: usize,
    /// The process that printed.
    pub pid: String,
    /// `file:line` of the call.
    pub place: String,
    /// What the machine printed, for people.
    pub computed: String,
}

impl fmt::Display for PrintDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PrintDifference { event, pid, place, computed } = self;
        let computed: String = computed.chars().take(SHOWN).collect();
        write!(
            f,
            "the replay prints something else than the node did, first at event {event}, in process \
             {pid} at {place}:\n  computed: {computed}"
        )
    }
}

/// How many characters of a text are shown, and how many of these come before the first difference.
const SHOWN: usize = 400;
const BEFORE: usize = 100;

/// Two texts as far as they have room: from a little before the place where they begin to differ.
fn around_difference(a: &str, b: &str) -> (String, String) {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| {
        let length = text.chars().count();
        if length <= SHOWN {
            return text.to_string();
        }
        let from = same.saturating_sub(BEFORE);
        let part: String = text.chars().skip(from).take(SHOWN).collect();
        let left = if from > 0 { ".. " } else { "" };
        let right = if from + SHOWN < length { " .." } else { "" };
        format!("{left}{part}{right}")
    };
    (shown(a), shown(b))
}
