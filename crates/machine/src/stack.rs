//! The call stack of one process: one growable array of registers, and frames that can be frozen.
//!
//! A frame is a window on the array; a call's arguments are the top of the caller's window and
//! become the bottom of the callee's. A snapshot freezes everything below the current frame into
//! an immutable shared segment, so it costs the same at any depth; a return into a frozen
//! segment copies a few frames back.

use reverl_lang::code::{Code, Pc};
use reverl_term::Term;
use std::rc::Rc;

/// A call that has not returned yet.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where the call returns to.
    pub ret: Pc,
    /// Where the caller's window begins.
    pub base: u32,
}

/// The stack of a process.
#[derive(Default)]
pub struct Stack {
    /// invariant: every element is a valid term, also above the current window.
    pub(crate) terms: Vec<Term>,
    pub(crate) base: usize,
    pub(crate) frames: Vec<Frame>,
    below: Option<Link>,
    /// How many registers lie in frozen segments.
    frozen: usize,
}

/// A frame inside a frozen segment.
#[derive(Clone)]
struct Link {
    segment: Rc<Segment>,
    /// How many of the segment's frames lie below this one.
    frames: usize,
    base: usize,
    ret: Pc,
    /// The index at which the value that is returned belongs.
    slot: usize,
}

struct Segment {
    terms: Vec<Term>,
    frames: Box<[Frame]>,
    below: Option<Link>,
}

impl Drop for Segment {
    /// A long chain of segments must not be dropped by recursion.
    fn drop(&mut self) {
        let mut next = self.below.take();
        while let Some(link) = next {
            next = Rc::try_unwrap(link.segment).ok().and_then(|mut s| s.below.take());
        }
    }
}

/// How many frames a return into a shared segment brings back.
const THAWED: usize = 16;

impl Stack {
    /// The stack of a function that begins with these arguments and has so many registers.
    pub fn new(args: Vec<Term>, registers: usize) -> Stack {
        let mut terms = args;
        terms.resize(registers.max(terms.len()), Term::nil());
        Stack { terms, base: 0, frames: vec![], below: None, frozen: 0 }
    }

    /// Makes room for more registers than `top`.
    #[cold]
    #[inline(never)]
    pub fn grow(&mut self, top: usize) {
        self.terms.resize((top * 2).max(16), Term::nil());
    }

    /// Makes room for at least `top` registers.
    pub fn ensure(&mut self, top: usize) {
        if top > self.terms.len() {
            self.grow(top);
        }
    }

    /// How many registers are in use, all frames together.
    pub fn size(&self) -> usize {
        self.frozen + self.base
    }

    /// Where the current call returns to.
    pub fn return_to(&self) -> Option<Pc> {
        let below = self.below.as_ref().map(|link| link.ret);
        self.frames.last().map(|frame| frame.ret).or(below)
    }

    /// Whether nothing is below the current call.
    pub fn is_last(&self) -> bool {
        self.frames.is_empty() && self.below.is_none()
    }

    /// How many calls are below the current one.
    pub fn depth(&self) -> usize {
        let mut depth = self.frames.len();
        let mut link = self.below.as_ref();
        while let Some(l) = link {
            depth += l.frames + 1;
            link = l.segment.below.as_ref();
        }
        depth
    }

    /// Drops all callers of the current frame, of `registers` registers.
    pub fn forget_callers(&mut self, registers: usize) {
        let base = std::mem::take(&mut self.base);
        self.ensure(base + registers);
        (0..registers).for_each(|i| self.terms.swap(i, base + i));
        self.terms.truncate(registers);
        self.frames.clear();
        self.below = None;
        self.frozen = 0;
    }

    /// Everything below the current frame, of `registers` registers, becomes shared.
    pub fn freeze(&mut self, registers: usize) -> Stack {
        self.ensure(self.base + registers);
        if let Some(caller) = self.frames.pop() {
            // The buffer stays: what is below moves out, and the current frame to its bottom.
            let slot = self.base;
            let terms = self.terms[..slot].iter_mut().map(std::mem::take).collect();
            (0..registers).for_each(|i| self.terms.swap(i, slot + i));
            let frames = self.frames.as_slice().into();
            let count = self.frames.len();
            self.frames.clear();
            let segment = Rc::new(Segment { terms, frames, below: self.below.take() });
            let base = caller.base as usize;
            self.below = Some(Link { segment, frames: count, base, ret: caller.ret, slot });
            self.base = 0;
            self.frozen += slot;
        }
        let terms = self.terms[self.base..self.base + registers].to_vec();
        Stack { terms, base: 0, frames: vec![], below: self.below.clone(), frozen: self.frozen }
    }

    /// A copy of a stack that was just frozen (or has not yet called anything).
    pub fn share(&self) -> Stack {
        debug_assert!(self.frames.is_empty() && self.base == 0, "only frozen stacks are shared");
        Stack {
            terms: self.terms.clone(),
            base: 0,
            frames: vec![],
            below: self.below.clone(),
            frozen: self.frozen,
        }
    }

    /// Makes the frozen frame below the bottom the current one again. Returns where it goes on
    /// and the index at which the callee's value belongs.
    #[cold]
    #[inline(never)]
    pub fn thaw(&mut self, code: &Code) -> Option<(Pc, usize)> {
        let Link { segment, frames, base, ret, slot } = self.below.take()?;
        let shift = match Rc::try_unwrap(segment) {
            Ok(mut segment) => {
                self.ensure(slot);
                for (to, from) in self.terms.iter_mut().zip(&mut segment.terms[..slot]) {
                    std::mem::swap(to, from);
                }
                self.frames.extend_from_slice(&segment.frames[..frames]);
                self.below = segment.below.take();
                0
            }
            Err(segment) => self.copy_back(segment, frames, base, slot),
        };
        self.base = base - shift;
        self.frozen -= slot - shift;
        self.ensure(self.room(code, ret).max(slot - shift + 1));
        Some((ret, slot - shift))
    }

    /// How many registers the current frame, which goes on at `pc`, and all frames that it can
    /// return to without another thaw need: a return checks nothing.
    fn room(&self, code: &Code, pc: Pc) -> usize {
        let top = |base: usize, pc: Pc| base + code.fun(code.fun_at(pc)).registers as usize;
        let callers = self.frames.iter().map(|frame| top(frame.base as usize, frame.ret));
        callers.fold(top(self.base, pc), usize::max)
    }

    /// Whether the current frame, which goes on at `pc`, has all its registers.
    pub(crate) fn has_room(&self, code: &Code, pc: Pc) -> bool {
        self.base + code.fun(code.fun_at(pc)).registers as usize <= self.terms.len()
    }

    /// Copies the topmost frames of a shared segment; returns how far they moved down.
    fn copy_back(&mut self, segment: Rc<Segment>, n: usize, base: usize, slot: usize) -> usize {
        let keep = n.saturating_sub(THAWED);
        let lowest = segment.frames[..n].get(keep).map_or(base, |f| f.base as usize);
        let lowest = if keep == 0 { 0 } else { lowest };
        self.ensure(slot - lowest);
        for (to, from) in self.terms.iter_mut().zip(&segment.terms[lowest..slot]) {
            to.clone_from(from);
        }
        let moved = |f: &Frame| Frame { ret: f.ret, base: f.base - lowest as u32 };
        self.frames.clear();
        self.frames.extend(segment.frames[keep..n].iter().map(moved));
        self.below = match keep.checked_sub(1) {
            None => segment.below.clone(),
            Some(below) => {
                let frame = segment.frames[below];
                let base = frame.base as usize;
                Some(Link { segment, frames: below, base, ret: frame.ret, slot: lowest })
            }
        };
        lowest
    }

    /// The frames from the caller of the current one down: return address and registers.
    pub fn callers(&self) -> Callers<'_> {
        Callers {
            terms: &self.terms,
            frames: &self.frames,
            top: self.base,
            link: self.below.as_ref(),
        }
    }
}

/// Walks the calls below the current one.
pub struct Callers<'a> {
    terms: &'a [Term],
    frames: &'a [Frame],
    /// The callee's base: where the next caller's registers end.
    top: usize,
    link: Option<&'a Link>,
}

impl<'a> Iterator for Callers<'a> {
    type Item = (Pc, &'a [Term]);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((last, rest)) = self.frames.split_last() {
            self.frames = rest;
            let base = last.base as usize;
            let registers = &self.terms[base..self.top];
            self.top = base;
            return Some((last.ret, registers));
        }
        let link = self.link?;
        let segment = &link.segment;
        self.terms = &segment.terms;
        self.frames = &segment.frames[..link.frames];
        self.top = link.base;
        self.link = segment.below.as_ref();
        Some((link.ret, &segment.terms[link.base..link.slot]))
    }
}

#[cfg(test)]
mod tests;
