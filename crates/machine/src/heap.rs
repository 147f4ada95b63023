//! How much a process holds, in words as the BEAM counts them. Nothing here is on a heap of its
//! own: it is computed when a process has set a limit.

use crate::process::Process;
use reverl_term::{Term, View};

impl Process {
    /// Whether stack, dictionary and mailbox hold more than so many words.
    pub fn holds_more_than(&self, words: u64) -> bool {
        let mut sum = self.stack.terms.len() as u64;
        let dictionary = self.local.dictionary.terms();
        let mailbox = self.mailbox.iter().map(|message| &message.term);
        let mut todo: Vec<&Term> =
            self.stack.terms.iter().chain(dictionary).chain(mailbox).collect();
        while let Some(term) = todo.pop() {
            if sum > words {
                return true;
            }
            sum += size(term, &mut todo);
        }
        sum > words
    }
}

/// The words of a term itself; what is in it is left to do.
fn size<'a>(term: &'a Term, todo: &mut Vec<&'a Term>) -> u64 {
    match term.view() {
        View::Cons(head, tail) => {
            todo.extend([tail, head]);
            2
        }
        View::Tuple(parts) => {
            todo.extend(parts);
            1 + parts.len() as u64
        }
        View::Map(map) => {
            todo.extend(map.iter().flat_map(|(key, value)| [key, value]));
            3 + 2 * map.len() as u64
        }
        View::Float(_) => 2,
        View::Big(n) => 1 + n.bits().div_ceil(64),
        // Larger ones are kept outside of a heap.
        View::Bits(bits) => 2 + (bits.bit_len() as u64).div_ceil(64).min(8),
        _ => 0,
    }
}
