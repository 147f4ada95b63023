//! Who can go on, in the order of their turns.
//!
//! Whoever is taken out of the middle leaves an entry behind, which is passed over later: living
//! through a past lets processes go on in any order, and there may be very many of them.

use crate::execution::ProcId;
use std::collections::VecDeque;

/// Which turn of all each process waits for. It is kept with the process, which is at hand then.
pub(crate) trait Turns {
    fn turn(&self, proc: ProcId) -> Turn;
    fn set_turn(&mut self, proc: ProcId, turn: Turn);
}

/// 0 for a process that cannot go on.
pub(crate) type Turn = u64;

#[derive(Clone, Default)]
pub(crate) struct Ready {
    /// An entry counts only while its process waits for that turn.
    queue: VecDeque<(ProcId, Turn)>,
    issued: Turn,
    /// How many entries do not count.
    stale: usize,
}

impl Ready {
    #[inline]
    pub fn push_back(&mut self, proc: ProcId, turns: &mut impl Turns) {
        let turn = self.issue(proc, turns);
        self.queue.push_back((proc, turn));
    }

    pub fn push_front(&mut self, proc: ProcId, turns: &mut impl Turns) {
        let turn = self.issue(proc, turns);
        self.queue.push_front((proc, turn));
    }

    fn issue(&mut self, proc: ProcId, turns: &mut impl Turns) -> Turn {
        debug_assert!(turns.turn(proc) == 0, "a process waits for one turn");
        self.issued += 1;
        turns.set_turn(proc, self.issued);
        self.issued
    }

    /// The one whose turn it is.
    #[inline]
    pub fn front(&mut self, turns: &impl Turns) -> Option<ProcId> {
        while let Some((proc, turn)) = self.queue.front().copied() {
            if turns.turn(proc) == turn {
                return Some(proc);
            }
            self.queue.pop_front();
            self.stale -= 1;
        }
        None
    }

    #[inline(always)]
    pub fn remove(&mut self, proc: ProcId, turns: &mut impl Turns) {
        let turn = turns.turn(proc);
        if turn == 0 {
            return;
        }
        turns.set_turn(proc, 0);
        if self.queue.front() == Some(&(proc, turn)) {
            self.queue.pop_front();
        } else {
            self.leave_behind(turns);
        }
    }

    /// An entry in the middle does not count any more.
    #[cold]
    #[inline(never)]
    fn leave_behind(&mut self, turns: &impl Turns) {
        self.stale += 1;
        if self.stale > 64 && self.stale > self.queue.len() / 2 {
            self.queue.retain(|(proc, turn)| turns.turn(*proc) == *turn);
            self.stale = 0;
        }
    }

    pub fn iter(&self, turns: &impl Turns) -> impl Iterator<Item = ProcId> {
        let counts = |(proc, turn): &&(ProcId, Turn)| turns.turn(*proc) == *turn;
        self.queue.iter().filter(counts).map(|(proc, _)| *proc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Turns for Vec<Turn> {
        fn turn(&self, proc: ProcId) -> Turn {
            self[proc.0 as usize]
        }
        fn set_turn(&mut self, proc: ProcId, turn: Turn) {
            self[proc.0 as usize] = turn;
        }
    }

    #[test]
    fn turns_are_those_of_a_plain_queue() {
        let (mut ready, mut turns) = (Ready::default(), vec![0; 300]);
        let mut plain: VecDeque<ProcId> = VecDeque::new();
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let proc = ProcId((state >> 33) as u32 % 300);
            match (state >> 60, plain.contains(&proc)) {
                (0..8, false) => {
                    ready.push_back(proc, &mut turns);
                    plain.push_back(proc);
                }
                (8, false) => {
                    ready.push_front(proc, &mut turns);
                    plain.push_front(proc);
                }
                (9, _) => {
                    let first = ready.front(&turns);
                    assert_eq!(first, plain.pop_front());
                    first.into_iter().for_each(|proc| ready.remove(proc, &mut turns));
                }
                _ => {
                    ready.remove(proc, &mut turns);
                    plain.retain(|p| *p != proc);
                }
            }
            assert_eq!(turns[proc.0 as usize] != 0, plain.contains(&proc));
        }
        assert!(ready.iter(&turns).eq(plain));
    }
}
