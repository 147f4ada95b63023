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
    /// An integer.
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

    /// The value of an integer that is not small.
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

    /// The value of an integer of any size.
    pub fn to_bigint(&self) -> Option<BigInt> {
        match self.as_small() {
            Some(i) => Some(i.into()),
            None => self.as_big().cloned(),
        }
    }

    /// Whether it is an integer, small or not.
    pub fn is_integer(&self) -> bool {
        self.is_small() || self.as_big().is_some()
    }

    /// Whether it is an integer or a float.
    pub fn is_number(&self) -> bool {
        self.is_integer() || self.as_float().is_some()
    }

    /// The term of a float.
    #[inline]
    pub fn float(f: f64) -> Term {
        Term::of(f)
    }

    /// The float, if it is one.
    #[inline(always)]
    pub fn as_float(&self) -> Option<f64> {
        self.get().copied()
    }

    /// The term of a map.
    pub fn map(m: Map) -> Term {
        Term::of(m)
    }

    /// The map, if it is one.
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

    /// The term of a bit string.
    #[inline]
    pub fn bits(b: Bits) -> Term {
        Term::of(b)
    }

    /// The bit string, if it is one.
    #[inline]
    pub fn as_bits(&self) -> Option<&Bits> {
        self.get()
    }

    /// A bit string owned by nobody else.
    #[inline]
    pub fn bits_mut(&mut self) -> Option<&mut Bits> {
        self.get_mut()
    }

    /// The term of a fun.
    pub fn fun(f: Fun) -> Term {
        Term::of(f)
    }

    /// The fun, if it is one.
    #[inline]
    pub fn as_fun(&self) -> Option<&Fun> {
        self.get()
    }

    /// The term of a reference.
    pub fn reference(r: Ref) -> Term {
        Term::of(r)
    }

    /// The reference, if it is one.
    pub fn as_reference(&self) -> Option<&Ref> {
        self.get()
    }
}
