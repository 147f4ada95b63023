//! A sequence that only grows at its end, in chunks that never move once they are full.
//!
//! Executions are many such sequences that grow side by side. A `Vec` would copy each of them
//! again and again into larger blocks and leave the smaller ones behind, and touching fresh
//! memory is what recording an event costs most. The first chunks are small, because there may
//! be very many processes that do little; the later ones are large, for those that do much.

use std::ops::{Index, IndexMut, Range};

#[derive(Clone)]
pub struct Chunked<T> {
    /// invariant: the first `SMALL` hold `SMALL` elements each, the others `LARGE`.
    full: Vec<Box<[T]>>,
    /// The chunk that grows; here, so that adding to it is one step away.
    last: Vec<T>,
}

const SMALL: usize = 8;
/// As many as all the small ones together, so that places are found by division alone.
const LARGE: usize = SMALL * SMALL;

/// With so many chunks, a large one that is nearly empty is no great waste.
const MANY: usize = SMALL + 3;

/// The chunk that holds the i-th element, and where in it.
#[inline]
fn place(i: usize) -> (usize, usize) {
    match i < LARGE {
        true => (i / SMALL, i % SMALL),
        false => (SMALL - 1 + i / LARGE, i % LARGE),
    }
}

/// How many elements lie before a chunk.
#[inline]
fn before(chunk: usize) -> usize {
    match chunk < SMALL {
        true => chunk * SMALL,
        false => (chunk + 1 - SMALL) * LARGE,
    }
}

impl<T> Default for Chunked<T> {
    fn default() -> Chunked<T> {
        Chunked { full: vec![], last: vec![] }
    }
}

impl<T> Chunked<T> {
    #[inline]
    pub fn push(&mut self, element: T) {
        if self.last.len() == self.last.capacity() {
            self.make_room();
        }
        self.last.push(element);
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let size = if self.full.len() < SMALL { SMALL } else { LARGE };
        if self.last.len() < size {
            // A large chunk is not all there at once, nor is the first one of all.
            let room = (self.last.len() * 2).clamp(SMALL / 2, size);
            self.last.reserve_exact(room - self.last.len());
            return;
        }
        let begin = if self.full.len() < MANY { SMALL } else { LARGE };
        let full = std::mem::replace(&mut self.last, Vec::with_capacity(begin));
        self.full.push(full.into_boxed_slice());
    }

    #[inline]
    pub fn len(&self) -> usize {
        before(self.full.len()) + self.last.len()
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    #[inline]
    fn chunk(&self, i: usize) -> &[T] {
        if i == self.full.len() { &self.last } else { &self.full[i] }
    }

    pub fn get(&self, i: usize) -> Option<&T> {
        (i < self.len()).then(|| &self[i])
    }

    #[inline]
    pub fn last(&self) -> Option<&T> {
        // The growing chunk is empty only at the very beginning.
        self.last.last()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.into_iter()
    }

    /// A part of it, without walking there.
    pub fn range(&self, part: Range<usize>) -> impl DoubleEndedIterator<Item = &T> {
        part.map(|i| &self[i])
    }

    /// The first place where `holds` is false, if it is true before and false after.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        let whole = self.full.partition_point(|c| c.last().is_some_and(&mut holds));
        before(whole) + self.chunk(whole).partition_point(holds)
    }
}

impl<T> Index<usize> for Chunked<T> {
    type Output = T;

    #[inline]
    fn index(&self, i: usize) -> &T {
        let (chunk, at) = place(i);
        &self.chunk(chunk)[at]
    }
}

impl<T> IndexMut<usize> for Chunked<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        let (chunk, at) = place(i);
        if chunk == self.full.len() { &mut self.last[at] } else { &mut self.full[chunk][at] }
    }
}

impl<'a, T> IntoIterator for &'a Chunked<T> {
    type Item = &'a T;
    type IntoIter = std::iter::Chain<
        std::iter::Flatten<std::slice::Iter<'a, Box<[T]>>>,
        std::slice::Iter<'a, T>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.full.iter().flatten().chain(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sequence() {
        for n in [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000] {
            let mut sequence = Chunked::default();
            (0..n).for_each(|i| sequence.push(i));
            let plain: Vec<usize> = (0..n).collect();
            assert_eq!(sequence.len(), n);
            assert_eq!(sequence.last(), plain.last());
            assert!(sequence.iter().eq(&plain));
            assert!(sequence.iter().rev().eq(plain.iter().rev()));
            assert_eq!(sequence.get(n), None);
            for i in 0..n {
                assert_eq!(sequence[i], i);
                assert_eq!(sequence.partition_point(|e| *e < i), i);
                assert!(sequence.range(i..n).eq(&plain[i..]));
            }
            assert_eq!(sequence.partition_point(|_| true), n);
        }
    }
}
