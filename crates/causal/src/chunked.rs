//! A sequence that only grows at its end, in chunks that never move.
//!
//! Executions are many such sequences that grow side by side. A `Vec` would copy each of them
//! again and again into larger blocks and leave the smaller ones behind, and touching fresh
//! memory is what recording an event costs most.

use std::ops::{Index, IndexMut, Range};

#[derive(Clone)]
pub struct Chunked<T> {
    /// invariant: all but the last hold `CHUNK` elements, and none is empty.
    chunks: Vec<Vec<T>>,
    len: usize,
}

const CHUNK: usize = 16;

impl<T> Default for Chunked<T> {
    fn default() -> Chunked<T> {
        Chunked { chunks: vec![], len: 0 }
    }
}

impl<T> Chunked<T> {
    pub fn push(&mut self, element: T) {
        if self.len % CHUNK == 0 {
            // The first chunk grows by itself: most processes do little.
            let room = if self.len == 0 { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(room));
        }
        let last = self.chunks.len() - 1;
        self.chunks[last].push(element);
        self.len += 1;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn get(&self, i: usize) -> Option<&T> {
        self.chunks.get(i / CHUNK)?.get(i % CHUNK)
    }

    pub fn last(&self) -> Option<&T> {
        self.chunks.last()?.last()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.chunks.iter().flatten()
    }

    /// A part of it, without walking there.
    pub fn range(&self, part: Range<usize>) -> impl DoubleEndedIterator<Item = &T> {
        part.map(|i| &self[i])
    }

    /// The first place where `holds` is false, if it is true before and false after.
    pub fn partition_point(&self, mut holds: impl FnMut(&T) -> bool) -> usize {
        let whole = self.chunks.partition_point(|c| c.last().is_some_and(&mut holds));
        match self.chunks.get(whole) {
            Some(chunk) => whole * CHUNK + chunk.partition_point(holds),
            None => self.len,
        }
    }
}

impl<T> Index<usize> for Chunked<T> {
    type Output = T;

    fn index(&self, i: usize) -> &T {
        &self.chunks[i / CHUNK][i % CHUNK]
    }
}

impl<T> IndexMut<usize> for Chunked<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.chunks[i / CHUNK][i % CHUNK]
    }
}

impl<'a, T> IntoIterator for &'a Chunked<T> {
    type Item = &'a T;
    type IntoIter = std::iter::Flatten<std::slice::Iter<'a, Vec<T>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.chunks.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sequence() {
        for n in [0, 1, 63, 64, 65, 1000] {
            let mut sequence = Chunked::default();
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
