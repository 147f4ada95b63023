//! Terms that need an object behind them: making them, and asking what they are. No unsafe code: `term.rs` pairs each
//! type with its kind.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::bits::Bits;
use crate::fun::Fun;
use crate::ids::Ref;
use crate::map::Map;
use crate::term::{MAX_SMALL, MIN_SMALL, Term};

impl Term {
    #[inline(always)]
    pub fn int(i: i64) -> Term {
        if (MIN_SMALL..=MAX_SMALL).contains(&i) { Term::small(i) } else { Term::new_big(i.into()) }
    }

    /// An integer of any size; small ones become small.
    pub fn big(i: BigInt) -> Term {
        match i.to_i64() {
            Some(i) => Term::int(i),
            None => Term::new_big(i),
        }
    }

    #[cold]
    fn new_big(i: BigInt) -> Term {
        Term::of(i)
    }

    pub fn as_big(&self) -> Option<&BigInt> {
        self.get()
    }

    /// An integer that fits 64 bits.
    #[inline]
    pub fn as_i64(&self) -> Option<i64> {
        match self.as_small() {
            Some(i) => Some(i),
            None => self.as_big()?.to_i64(),
        }
    }

    /// An integer that fits a size or an index.
    pub fn as_usize(&self) -> Option<usize> {
        self.as_i64().and_then(|i| usize::try_from(i).ok())
    }

    pub fn to_bigint(&self) -> Option<BigInt> {
        match self.as_small() {
            Some(i) => Some(i.into()),
            None => self.as_big().cloned(),
        }
    }

    pub fn is_integer(&self) -> bool {
        self.is_small() || self.as_big().is_some()
    }

    pub fn is_number(&self) -> bool {
        self.is_integer() || self.as_float().is_some()
    }

    #[inline]
    pub fn float(f: f64) -> Term {
        Term::of(f)
    }

    #[inline(always)]
    pub fn as_float(&self) -> Option<f64> {
        self.get().copied()
    }

    pub fn map(m: Map) -> Term {
        Term::of(m)
    }

    #[inline]
    pub fn as_map(&self) -> Option<&Map> {
        self.get()
    }

    /// A map to change: this term's own, copied first (cheaply) if others share it.
    #[inline]
    pub fn map_mut(&mut self) -> Option<&mut Map> {
        if self.share_count() > 1 {
            *self = Term::map(self.as_map()?.clone());
        }
        self.get_mut()
    }

    #[inline]
    pub fn bits(b: Bits) -> Term {
        Term::of(b)
    }

    #[inline]
    pub fn as_bits(&self) -> Option<&Bits> {
        self.get()
    }

    /// A bit string owned by nobody else.
    #[inline]
    pub fn bits_mut(&mut self) -> Option<&mut Bits> {
        self.get_mut()
    }

    pub fn fun(f: Fun) -> Term {
        Term::of(f)
    }

    #[inline]
    pub fn as_fun(&self) -> Option<&Fun> {
        self.get()
    }

    pub fn reference(r: Ref) -> Term {
        Term::of(r)
    }

    pub fn as_reference(&self) -> Option<&Ref> {
        self.get()
    }
}
