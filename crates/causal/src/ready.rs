//! Who can go on, in the order of their turns.
//!
//! Whoever is taken out of the middle leaves an entry behind, which is passed over later: living
//! through a past lets processes go on in any order, and there may be very many of them.

use crate::execution::ProcId;
use std::collections::VecDeque;

#[derive(Clone, Default)]
pub(crate) struct Ready {
    /// An entry counts only while its process has that ticket.
    queue: VecDeque<(ProcId, u64)>,
    /// For each process the ticket that it has; 0 if it cannot go on.
    tickets: Vec<u64>,
    issued: u64,
    /// How many entries do not count.
    stale: usize,
}

impl Ready {
    #[inline]
    pub fn contains(&self, proc: ProcId) -> bool {
        self.tickets.get(proc.0 as usize).is_some_and(|ticket| *ticket != 0)
    }

    #[inline]
    pub fn push_back(&mut self, proc: ProcId) {
        let ticket = self.issue(proc);
        self.queue.push_back((proc, ticket));
    }

    pub fn push_front(&mut self, proc: ProcId) {
        let ticket = self.issue(proc);
        self.queue.push_front((proc, ticket));
    }

    fn issue(&mut self, proc: ProcId) -> u64 {
        debug_assert!(!self.contains(proc), "a process has one turn");
        let i = proc.0 as usize;
        if i >= self.tickets.len() {
            self.tickets.resize(i + 1, 0);
        }
        self.issued += 1;
        self.tickets[i] = self.issued;
        self.issued
    }

    /// The one whose turn it is.
    #[inline]
    pub fn front(&mut self) -> Option<ProcId> {
        while let Some((proc, ticket)) = self.queue.front().copied() {
            if self.tickets[proc.0 as usize] == ticket {
                return Some(proc);
            }
            self.queue.pop_front();
            self.stale -= 1;
        }
        None
    }

    #[inline]
    pub fn remove(&mut self, proc: ProcId) {
        if !self.contains(proc) {
            return;
        }
        let ticket = std::mem::take(&mut self.tickets[proc.0 as usize]);
        if self.queue.front() == Some(&(proc, ticket)) {
            self.queue.pop_front();
            return;
        }
        self.stale += 1;
        if self.stale > 64 && self.stale > self.queue.len() / 2 {
            let tickets = &self.tickets;
            self.queue.retain(|(proc, ticket)| tickets[proc.0 as usize] == *ticket);
            self.stale = 0;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = ProcId> + '_ {
        let counts = |(proc, ticket): &&(ProcId, u64)| self.tickets[proc.0 as usize] == *ticket;
        self.queue.iter().filter(counts).map(|(proc, _)| *proc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_a_plain_queue() {
        let mut ready = Ready::default();
        let mut plain: VecDeque<ProcId> = VecDeque::new();
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let proc = ProcId((state >> 33) as u32 % 300);
            match (state >> 60, plain.contains(&proc)) {
                (0..8, false) => {
                    ready.push_back(proc);
                    plain.push_back(proc);
                }
                (8, false) => {
                    ready.push_front(proc);
                    plain.push_front(proc);
                }
                (9, _) => {
                    let first = ready.front();
                    assert_eq!(first, plain.pop_front());
                    first.into_iter().for_each(|proc| ready.remove(proc));
                }
                _ => {
                    ready.remove(proc);
                    plain.retain(|p| *p != proc);
                }
            }
            assert_eq!(ready.contains(proc), plain.contains(&proc));
        }
        assert!(ready.iter().eq(plain));
    }
}
