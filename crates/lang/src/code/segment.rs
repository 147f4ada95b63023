//! Segments of binaries.

use super::Reg;

/// The type of a segment of a bit pattern or construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentType {
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `binary`, `bitstring`: a value of bits.
    Bits,
    /// `utf8`
    Utf8,
    /// `utf16`
    Utf16,
    /// `utf32`
    Utf32,
}

/// The size of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentSize {
    /// Constant, in bits.
    Bits(u64),
    /// In units, from a register.
    Register(Reg),
    /// All that is left (`binary` without a size), which must be a multiple of the unit.
    Rest,
    /// The utf types determine their size themselves.
    Own,
}

/// A segment of a bit pattern or construction, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The type of the value.
    pub kind: SegmentType,
    /// How large it is.
    pub size: SegmentSize,
    /// How many bits a unit of the size has.
    pub unit: u16,
    /// Whether an integer is signed.
    pub signed: bool,
    /// Whether the least significant byte comes first.
    pub little: bool,
}
