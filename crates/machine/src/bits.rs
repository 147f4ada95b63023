//! Reading and building bitstrings, segment by segment.

use crate::raise::{Class, Raise, Top};
use reverl_lang::code::{Reg, Segment, SegmentSize, SegmentType};
use reverl_term::{Atom, Bits, BitsBuilder, Endian, Map, Term, atoms, compare};

/// A segment is not longer: 2 GiB.
const MOST_BITS: usize = 1 << 34;

/// The size of a segment in bits; `None` if it is negative, too large or not an integer.
fn size_in_bits<'t>(
    segment: &Segment,
    rest: usize,
    register: impl Fn(Reg) -> &'t Term,
) -> Option<usize> {
    match segment.size {
        SegmentSize::Bits(bits) => Some(bits as usize),
        SegmentSize::Register(reg) => {
            let n = usize::try_from(register(reg).as_small()?).ok()?;
            n.checked_mul(segment.unit as usize).filter(|bits| *bits <= MOST_BITS)
        }
        SegmentSize::Rest => (rest % segment.unit as usize == 0).then_some(rest),
        SegmentSize::Own => Some(0),
    }
}

/// One segment of a pattern at bit `at`: its value and where it ends.
#[inline]
pub fn read<'t>(
    segment: &Segment,
    value: &Term,
    at: u64,
    register: impl Fn(Reg) -> &'t Term,
) -> Option<(Term, u64)> {
    let bits = value.as_bits()?;
    let at = at as usize;
    let rest = bits.bit_len().checked_sub(at)?;
    if let (SegmentType::Integer, SegmentSize::Bits(8), false) =
        (segment.kind, segment.size, segment.signed)
    {
        if rest < 8 {
            return None;
        }
        return Some((Term::small(bits.get_u64(at, 8) as i64), at as u64 + 8));
    }
    let size = size_in_bits(segment, rest, register)?;
    if size > rest {
        return None;
    }
    let little = segment.little;
    let (value, used) = match segment.kind {
        SegmentType::Integer => (bits.get_int(at, size, segment.signed, little), size),
        SegmentType::Float => (Term::float(bits.get_float(at, size, little)?), size),
        SegmentType::Bits => (bits.slice(at, size), size),
        SegmentType::Utf8 => character(bits.get_utf8(at))?,
        SegmentType::Utf16 => character(bits.get_utf16(at, little))?,
        SegmentType::Utf32 => character(bits.get_utf32(at, little))?,
    };
    Some((value, (at + used) as u64))
}

fn character(read: Option<(char, usize)>) -> Option<(Term, usize)> {
    let (c, used) = read?;
    Some((Term::small(i64::from(u32::from(c))), used))
}

/// Builds all segments; values and sizes are in registers.
pub fn build<'t>(
    shape: &[(Reg, Segment)],
    register: impl Fn(Reg) -> &'t Term + Copy,
) -> Result<Term, Raise> {
    let mut segments = shape.iter().enumerate();
    // `<<Acc/binary, ..>>` grows the accumulator in place.
    let appending = match shape.first() {
        Some((reg, first)) if matches!(first.size, SegmentSize::Rest) => {
            BitsBuilder::appending(register(*reg))
        }
        _ => None,
    };
    let mut builder = match appending {
        Some(builder) => {
            let (i, (reg, first)) = segments.next().expect("the first");
            if builder.bit_len() % first.unit as usize != 0 {
                return Err(bad_segment(i, first, "unit", register(*reg)));
            }
            builder
        }
        None => BitsBuilder::new(),
    };
    for (i, (reg, segment)) in segments {
        let value = register(*reg);
        let fits = push(&mut builder, segment, value, register);
        fits.map_err(|why| {
            // A wrong size is what the error is about, not the value.
            let about = match (why, segment.size) {
                ("size" | "invalid", SegmentSize::Register(reg)) => register(reg),
                _ => value,
            };
            bad_segment(i, segment, why, about)
        })?;
    }
    Ok(builder.finish())
}

fn push<'t>(
    builder: &mut BitsBuilder,
    segment: &Segment,
    value: &Term,
    register: impl Fn(Reg) -> &'t Term,
) -> Result<(), &'static str> {
    let whole = value.as_bits().map_or(0, Bits::bit_len);
    let endian = if segment.little { Endian::Little } else { Endian::Big };
    let size = size_in_bits(segment, whole, register).ok_or(match segment.size {
        SegmentSize::Rest => "unit",
        _ => "size",
    });
    match segment.kind {
        SegmentType::Integer => {
            if !value.is_integer() {
                return Err("type");
            }
            if !builder.push_int(value, size?, endian) {
                return Err("type");
            }
        }
        SegmentType::Float => {
            let float = match (value.as_float(), reverl_term::num::float(value)) {
                (Some(x), _) => x,
                (None, Ok(t)) => t.as_float().ok_or("type")?,
                _ => return Err("type"),
            };
            if !builder.push_float(float, size?, endian) {
                return Err("invalid");
            }
        }
        SegmentType::Bits => {
            let bits = value.as_bits().ok_or("type")?;
            let size = size?;
            if size > bits.bit_len() {
                return Err("short");
            }
            builder.push_bits_of(&bits.part(0, size));
        }
        SegmentType::Utf8 | SegmentType::Utf16 | SegmentType::Utf32 => {
            let c = value.as_small().and_then(|i| u32::try_from(i).ok());
            let c = c.and_then(char::from_u32).ok_or("type")?;
            match segment.kind {
                SegmentType::Utf8 => builder.push_utf8(c),
                SegmentType::Utf16 => builder.push_utf16(c, endian),
                _ => builder.push_utf32(c, endian),
            }
        }
    }
    Ok(())
}

/// The error of a construction, with the cause that OTP reports: which segment, of which type, what
/// was wrong with which value.
fn bad_segment(index: usize, segment: &Segment, why: &'static str, value: &Term) -> Raise {
    let atom = |name: &str| Term::atom(Atom::new(name));
    let kind = match segment.kind {
        SegmentType::Integer => "integer",
        SegmentType::Float => "float",
        SegmentType::Bits => "binary",
        SegmentType::Utf8 => "utf8",
        SegmentType::Utf16 => "utf16",
        SegmentType::Utf32 => "utf32",
    };
    let number = Term::int(index as i64 + 1);
    let cause = Term::tuple(vec![number, atom(kind), atom(why), value.clone()]);
    let mut info = Map::new();
    info.insert(atom("cause"), cause);
    info.insert(atom("function"), atom("format_bs_fail"));
    info.insert(atom("module"), atom("erl_erts_errors"));
    let info = Term::tuple(vec![Term::atom(atoms::ERROR_INFO), Term::map(info)]);
    // A size that could be one is too large; without bits, as in `<<"":Size>>`, it is only wrong.
    let is_large = value.is_integer()
        && compare(value, &Term::int(MOST_BITS as i64 / i64::from(segment.unit.max(1)))).is_gt();
    let too_large = why == "size" && is_large && segment.unit > 0;
    let reason = if too_large { atoms::SYSTEM_LIMIT } else { atoms::BADARG };
    Raise { class: Class::Error, reason: Term::atom(reason), top: Top::CallerInfo(None, info) }
}
