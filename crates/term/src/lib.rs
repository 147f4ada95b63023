//! Erlang's values: what they are, how they compare, count, print and travel, exactly as OTP 25 does it.
//!
//! No IO, no clock, no processes: a term is a value and everything here is a function of values.
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)
)]

mod atom;
pub mod atoms;
pub mod bits;
pub mod etf;
pub mod fmt;
mod fun;
mod hash;
mod heap;
mod ids;
mod jenkins;
pub mod map;
mod map_order;
mod murmur;
pub mod num;
mod order;
mod phash;
mod term;
mod value;
mod view;
pub mod work;

pub use atom::Atom;
pub use bits::{Bits, BitsBuilder, Endian};
pub use fun::{Closure, Fun};
pub use hash::dictionary_hash;
pub use heap::MAX_TUPLE;
pub use ids::{AtHome, Pid, Port, Ref};
pub use map::Map;
pub use map_order::MapOrder;
pub use num_bigint::BigInt;
pub use order::{compare, compare_exact, exact_eq, let_zeros_differ, loose_eq};
pub use phash::{phash, phash2, phash2_default};
pub use term::{MAX_SMALL, MIN_SMALL, Term};
pub use view::{ListIter, View};
