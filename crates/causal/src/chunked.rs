//! A sequence that only grows at its end, in chunks that never move once they are full.
//!
//! Executions are many such sequences that grow side by side. A `Vec` would copy each of them
//! again and again into larger blocks and leave the smaller ones behind, and touching fresh
//! memory is what recording an event costs most. The first chunk grows little by little, because
//! there may be very many processes that do little.

use std::ops::{Index, IndexMut, Range};

/// A list that only grows and whose elements never move; copies share the full chunks.
#[derive(Clone)]
pub struct Chunked<T> {
    /// invariant: each holds `CHUNK` elements.
    full: Vec<Box<[T]>>,
    /// The chunk that grows; here, so that adding to it is one step away.
    last: Vec<T>,
}

const CHUNK: usize = 64;
/// The allocator's own steps make most of these no copy.
const FEW: usize = 4;
/// With so many full chunks, one that is nearly empty is no great waste.
const MANY: usize = 4;

impl<T> Default for Chunked<T> {
    fn default() -> Chunked<T> {
        Chunked { full: vec![], last: vec![] }
    }
}

impl<T> Chunked<T> {
    /// Adds an element at the end.
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
        if self.last.len() == CHUNK {
            let full = std::mem::take(&mut self.last);
            self.full.push(full.into_boxed_slice());
        }
        let more = match self.full.len() < MANY {
            true => FEW,
            false => CHUNK,
        };
        // A copy has no room beyond its elements, however many they are.
        self.last.reserve_exact(more.min(CHUNK - self.last.len()));
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    #[inline]
    fn chunk(&self, i: usize) -> &[T] {
        if i == self.full.len() { &self.last } else { &self.full[i] }
    }

    /// The element with this number.
    pub fn get(&self, i: usize) -> Option<&T> {
        (i < self.len()).then(|| &self[i])
    }

    /// The element that was added last.
    #[inline]
    pub fn last(&self) -> Option<&T> {
        // Room is made only for an element that comes: it is empty at the very beginning alone.
        self.last.last()
    }

    /// All elements in the order in which they were added.
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
        whole * CHUNK + self.chunk(whole).partition_point(holds)
    }
}

impl<T> Index<usize> for Chunked<T> {
    type Output = T;

    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.chunk(i / CHUNK)[i % CHUNK]
    }
}

impl<T> IndexMut<usize> for Chunked<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        let (chunk, at) = (i / CHUNK, i % CHUNK);
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

    /// A search goes on from copies of executions of any length.
    #[test]
    fn a_copy_grows_like_the_original() {
        for n in 0..300 {
            let mut original = Chunked::default();
            (0..n).for_each(|i| original.push(i));
            let mut copy = original.clone();
            (n..400).for_each(|i| copy.push(i));
            assert_eq!(copy.len(), 400);
            assert!((0..400).all(|i| copy[i] == i), "copied with {n} elements");
        }
    }
}
