//! Sparse snapshots of one process, from which any of its moments can be computed again.
//!
//! Kept on a binary ruler: a snapshot in slot i is kept while its age is at most
//! `SPREAD * interval * 2^(trailing zeros of i)`. So they are dense near the present and
//! thin out behind, and their number grows with the logarithm of the steps only.

use reverl_machine::Process;

/// A process as it was at one of its steps.
pub struct Checkpoint {
    /// The process as it was, with an empty mailbox.
    pub process: Process,
    /// How many actions of the process were done.
    pub actions: usize,
}

/// The checkpoints of one process, dense near its end and thin far back.
#[derive(Default)]
pub struct Checkpoints {
    /// By steps.
    kept: Vec<Checkpoint>,
    /// The steps of the newest that was pushed.
    newest: u64,
}

const SPREAD: u64 = 256;
/// Thinning looks at all of them, so it is done only now and then.
const THINNED_EVERY: usize = 32;

impl Checkpoints {
    /// At how many steps the next one is due.
    #[inline]
    pub fn due(&self, interval: u64) -> u64 {
        self.newest.saturating_add(interval)
    }

    /// Keeps one more, and lets go of those that have become too dense.
    pub fn push(&mut self, checkpoint: Checkpoint, interval: u64) {
        let now = checkpoint.process.steps();
        self.kept.push(checkpoint);
        self.newest = now;
        if self.kept.len() % THINNED_EVERY == 0 {
            self.kept.retain(|c| {
                let slot = (c.process.steps() / interval).max(1);
                let reach = (SPREAD * interval) << slot.trailing_zeros().min(40);
                now - c.process.steps() <= reach
            });
        }
    }

    /// The last snapshot at or before `steps`.
    pub fn before(&self, steps: u64) -> Option<&Checkpoint> {
        let after = self.kept.partition_point(|c| c.process.steps() <= steps);
        after.checked_sub(1).map(|i| &self.kept[i])
    }

    /// Adds a snapshot taken while re-executing.
    pub fn insert(&mut self, checkpoint: Checkpoint) {
        let at = self.kept.partition_point(|c| c.process.steps() < checkpoint.process.steps());
        let taken = self.kept.get(at).map(|c| c.process.steps());
        if taken != Some(checkpoint.process.steps()) {
            self.kept.insert(at, checkpoint);
        }
    }

    /// How many checkpoints there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
