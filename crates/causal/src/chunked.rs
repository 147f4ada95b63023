//! A sequence that only grows at its end, in chunks that never move.
//!
//! Executions are many such sequences that grow side by side. A `Vec` would copy each of them
//! again and again into larger blocks and leave the smaller ones behind, and touching fresh
//! memory is what recording an event costs most.

use std::ops::{Index, IndexMut, Range};

#[derive(Clone)]
pub struct Chunked<T, const CHUNK: usize = 16> {
    /// invariant: each holds `CHUNK` elements.
    full: Vec<Vec<T>>,
    /// The chunk that grows; here, so that adding to it is one step away.
    last: Vec<T>,
}

impl<T, const CHUNK: usize> Default for Chunked<T, CHUNK> {
    fn default() -> Self {
        Chunked { full: vec![], last: vec![] }
    }
}

impl<T, const CHUNK: usize> Chunked<T, CHUNK> {
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
            let full = std::mem::replace(&mut self.last, Vec::with_capacity(CHUNK));
            self.full.push(full);
        } else {
            // Only the first chunk grows: most processes do little.
            let room = (self.last.len() * 2).clamp(4, CHUNK);
            self.last.reserve_exact(room - self.last.len());
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    #[inline]
    fn chunk(&self, i: usize) -> &[T] {
        if i == self.full.len() { &self.last } else { &self.full[i] }
    }

    pub fn get(&self, i: usize) -> Option<&T> {
        (i < self.len()).then(|| &self.chunk(i / CHUNK)[i % CHUNK])
    }

    #[inline]
    pub fn last(&self) -> Option<&T> {
        // The growing chunk is empty only at the very beginning.
        self.last.last()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.full.iter().flatten().chain(&self.last)
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

impl<T, const CHUNK: usize> Index<usize> for Chunked<T, CHUNK> {
    type Output = T;

    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.chunk(i / CHUNK)[i % CHUNK]
    }
}

impl<T, const CHUNK: usize> IndexMut<usize> for Chunked<T, CHUNK> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        let chunk = i / CHUNK;
        if chunk == self.full.len() {
            &mut self.last[i % CHUNK]
        } else {
            &mut self.full[chunk][i % CHUNK]
        }
    }
}

impl<'a, T, const CHUNK: usize> IntoIterator for &'a Chunked<T, CHUNK> {
    type Item = &'a T;
    type IntoIter =
        std::iter::Chain<std::iter::Flatten<std::slice::Iter<'a, Vec<T>>>, std::slice::Iter<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.full.iter().flatten().chain(&self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sequence() {
        for n in [0, 1, 15, 16, 17, 32, 33, 1000] {
            let mut sequence: Chunked<usize> = Chunked::default();
            (0..n).for_each(|i| sequence.push(i));
            let plain: Vec<usize> = (0..n).collect();
            assert_eq!(sequence.len(), n);
            assert_eq!(sequence.last(), plain.last());
            assert!(sequence.iter().eq(&plain));
            assert!(sequence.iter().rev().eq(plain.iter().rev()));
            assert_eq!(sequence.get(n), None);
            for i in (0..n).step_by(7) {
                assert_eq!(sequence[i], i);
                assert_eq!(sequence.partition_point(|e| *e < i), i);
                assert!(sequence.range(i..n).eq(&plain[i..]));
            }
            assert_eq!(sequence.partition_point(|_| true), n);
        }
    }
}
