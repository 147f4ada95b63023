//! How much one function may do with terms. A small term can stand for an enormous one, because its
//! parts are shared: whoever walks through all of it would never come to an end, and what is written
//! on the way would not fit anywhere. A walk counts what it does, and is left where it is too much.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// So much may be done at once: a few seconds, or about a gigabyte of what is written.
pub const MOST: u64 = 1 << 30;

/// What a cell of a list, or so many bytes, count for where they are written.
pub const WRITTEN: u64 = 8;

/// So much is counted before anybody is told.
const AT_ONCE: u32 = 4096;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// A walk was left, because there was more to do than may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch;

/// Counts so much as done.
///
/// # Panics
/// Leaves whoever is `within` a bound that this passes, as a panic does, but without a word.
pub fn spend(much: u64) {
    let left = LEFT.get().checked_sub(much);
    LEFT.set(left.unwrap_or_else(|| resume_unwind(Box::new(TooMuch))));
}

/// Does something that may do so much, unless it is inside something that may do less.
pub fn within<T>(most: u64, doing: impl FnOnce() -> T) -> Result<T, TooMuch> {
    let before = LEFT.replace(LEFT.get().min(most));
    let done = catch_unwind(AssertUnwindSafe(doing));
    let spent = most.min(before) - LEFT.get();
    LEFT.set(before.saturating_sub(spent));
    done.map_err(|why| match why.downcast::<TooMuch>() {
        Ok(too_much) => *too_much,
        Err(other) => resume_unwind(other),
    })
}

/// What a loop counts its turns with.
#[derive(Default)]
pub(crate) struct Turns(u32);

impl Turns {
    /// One more turn, which counts for so much.
    #[inline]
    pub(crate) fn turn(&mut self, worth: u64) {
        self.0 += 1;
        if self.0 == AT_ONCE {
            self.0 = 0;
            spend(u64::from(AT_ONCE) * worth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_left_and_the_rest_goes_on() {
        assert_eq!(within(10, || spend(10)), Ok(()));
        assert_eq!(within(10, || spend(11)), Err(TooMuch));
        assert_eq!(within(10, || within(100, || spend(50))), Ok(Err(TooMuch)));
        // What was done inside counts outside.
        assert_eq!(
            within(10, || within(6, || spend(6)).and_then(|()| within(6, || spend(6)))),
            Ok(Err(TooMuch))
        );
        spend(1 << 40);
    }
}
