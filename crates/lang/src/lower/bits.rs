//! Bit syntax: patterns read segment by segment, constructions are built in one go.

use super::constant::{arithmetic, constant};
use super::emit::{FunLowering, Holes};
use super::*;
use reverl_term::{atoms, num};

/// The type of an element, with the size still an expression.
struct Spec {
    kind: SegmentType,
    unit: u16,
    signed: bool,
    little: bool,
}

fn spec_of(element: &BinElement) -> Spec {
    let mut kind = SegmentType::Integer;
    let mut unit = None;
    let (mut signed, mut little) = (false, false);
    let mut default_unit = 1;
    for spec in &element.specs {
        match spec {
            BinSpec::Unit(n) => unit = Some(*n as u16),
            BinSpec::Word(word) => match word.name() {
                "float" => kind = SegmentType::Float,
                "binary" | "bytes" => {
                    kind = SegmentType::Bits;
                    default_unit = 8;
                }
                "bitstring" | "bits" => kind = SegmentType::Bits,
                "utf8" => kind = SegmentType::Utf8,
                "utf16" => kind = SegmentType::Utf16,
                "utf32" => kind = SegmentType::Utf32,
                "signed" => signed = true,
                "little" => little = true,
                "native" => little = cfg!(target_endian = "little"),
                _ => {}
            },
        }
    }
    Spec { kind, unit: unit.unwrap_or(default_unit), signed, little }
}

impl Spec {
    fn default_size(&self) -> SegmentSize {
        match self.kind {
            SegmentType::Integer => SegmentSize::Bits(8 * u64::from(self.unit)),
            SegmentType::Float => SegmentSize::Bits(64 * u64::from(self.unit)),
            SegmentType::Bits => SegmentSize::Rest,
            _ => SegmentSize::Own,
        }
    }

    fn with_size(&self, size: SegmentSize) -> Segment {
        let Spec { kind, unit, signed, little } = *self;
        Segment { kind, size, unit, signed, little }
    }
}

/// A constant size, in bits.
fn constant_size(size: &Expr, unit: u16) -> Option<SegmentSize> {
    let n = constant(size)?.as_small()?;
    Some(SegmentSize::Bits(u64::try_from(n).ok()?.checked_mul(u64::from(unit))?))
}

impl<'a> FunLowering<'_, 'a> {
    pub fn bits_pattern(
        &mut self,
        elements: &'a [BinElement],
        reg: Reg,
        fails: &mut Holes,
        seen: &mut Vec<Atom>,
    ) {
        let at = self.new_temps(2);
        fails.push(self.emit(Op::BitsStart { d: at, a: reg, els: 0 }));
        self.segments_pattern(elements, at, true, fails, seen);
        let all_read = elements.last().is_some_and(|e| {
            e.size.is_none() && matches!(spec_of(e).default_size(), SegmentSize::Rest)
        });
        if !all_read {
            fails.push(self.emit(Op::BitsEnd { a: at, els: 0 }));
        }
    }

    /// Reads the segments; without `values`, only to know where they end.
    pub fn segments_pattern(
        &mut self,
        elements: &'a [BinElement],
        at: Reg,
        values: bool,
        fails: &mut Holes,
        seen: &mut Vec<Atom>,
    ) {
        // Sizes mean these, and not what is outside.
        let mut read = vec![];
        for element in elements {
            let spec = spec_of(element);
            if let ExprKind::String(text) = &element.value.kind {
                self.string_pattern(text, element, &spec, at, values, fails);
                continue;
            }
            let size = match &element.size {
                None => spec.default_size(),
                Some(size) => constant_size(size, spec.unit).unwrap_or_else(|| {
                    let value = self.with_shadowed(&read, |f| f.guard_value(size, fails));
                    SegmentSize::Register(self.in_register(value))
                }),
            };
            crate::visit::collect_vars(&element.value, &mut read);
            let is_new = |f: &Self, name: &Atom| !f.is_bound(*name) && !seen.contains(name);
            let d = match &element.value.kind {
                ExprKind::Var(name) if *name != atoms::UNDERSCORE && is_new(self, name) => {
                    self.register(*name)
                }
                _ => self.new_temp(),
            };
            self.read_segment(spec.with_size(size), d, at, fails);
            let number = arithmetic(&element.value).filter(|_| spec.kind == SegmentType::Float);
            if let Some(Ok(float)) = number.map(|n| num::float(&n)) {
                // An integer means the float that is read.
                if values {
                    self.match_constant(&float, d, fails);
                }
            } else if values || matches!(element.value.kind, ExprKind::Var(_)) {
                let mut ignored = vec![];
                let seen = if values { &mut *seen } else { &mut ignored };
                self.pattern_part(&element.value, d, fails, seen);
            }
        }
    }

    pub fn read_segment(&mut self, segment: Segment, d: Reg, a: Reg, fails: &mut Holes) {
        self.l.code.segments.push((segment, 0));
        let segment = self.l.code.segments.len() as u32 - 1;
        fails.push(self.emit(Op::BitsGet { segment, d, a }));
    }

    /// `"abc"` in a pattern: each character with the same type; plain bytes are compared at once.
    fn string_pattern(
        &mut self,
        text: &str,
        element: &'a BinElement,
        spec: &Spec,
        at: Reg,
        values: bool,
        fails: &mut Holes,
    ) {
        let d = self.new_temp();
        // A character that is not a byte is compared with one all the same, and never matches.
        let bytes: Option<Vec<u8>> =
            text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        let plain = element.specs.is_empty() && element.size.is_none();
        if let Some(bytes) = bytes.filter(|_| plain) {
            let size = SegmentSize::Bits(8 * bytes.len() as u64);
            let whole =
                Segment { kind: SegmentType::Bits, size, unit: 8, signed: false, little: false };
            self.read_segment(whole, d, at, fails);
            if values {
                self.match_constant(&Term::binary(&bytes), d, fails);
            }
            return;
        }
        let size = element.size.as_deref().and_then(|s| constant_size(s, spec.unit));
        for c in text.chars() {
            self.read_segment(spec.with_size(size.unwrap_or(spec.default_size())), d, at, fails);
            if values {
                self.match_constant(&Term::int(i64::from(u32::from(c))), d, fails);
            }
        }
    }

    pub fn make_bits(&mut self, e: &Expr, elements: &'a [BinElement], d: Reg) {
        let id = self.node_id(e);
        let mut shape = vec![];
        for element in elements {
            let spec = spec_of(element);
            if let ExprKind::String(text) = &element.value.kind {
                self.string_segments(text, element, &spec, &mut shape);
                continue;
            }
            let value = self.temp;
            self.push_value(&element.value);
            let size = match &element.size {
                None => spec.default_size(),
                Some(size) => constant_size(size, spec.unit).unwrap_or_else(|| {
                    let reg = self.temp;
                    self.push_value(size);
                    SegmentSize::Register(reg)
                }),
            };
            shape.push((value, spec.with_size(size)));
        }
        self.step(Rule::Op, id);
        self.at = id;
        self.emit_bits(shape, d);
    }

    pub fn emit_bits(&mut self, shape: Vec<(Reg, Segment)>, d: Reg) {
        self.l.code.bit_shapes.push(shape);
        let shape = self.l.code.bit_shapes.len() as u32 - 1;
        self.emit(Op::MakeBits { d, shape });
    }

    fn string_segments(
        &mut self,
        text: &str,
        element: &'a BinElement,
        spec: &Spec,
        shape: &mut Vec<(Reg, Segment)>,
    ) {
        if element.specs.is_empty() && element.size.is_none() {
            let bytes: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
            let value = self.literal_in_register(Term::binary(&bytes));
            shape.push((value, ALL_BITS));
            return;
        }
        let size = match &element.size {
            None => spec.default_size(),
            Some(size) => constant_size(size, spec.unit).unwrap_or_else(|| {
                let reg = self.temp;
                self.push_value(size);
                SegmentSize::Register(reg)
            }),
        };
        if let (true, SegmentSize::Register(_)) = (text.is_empty(), size) {
            // There is nothing to build, but the size must be one.
            let nothing = Spec { kind: SegmentType::Integer, unit: 0, ..*spec };
            let value = self.literal_in_register(Term::int(0));
            shape.push((value, nothing.with_size(size)));
        }
        for c in text.chars() {
            let value = self.literal_in_register(Term::int(i64::from(u32::from(c))));
            shape.push((value, spec.with_size(size)));
        }
    }
}

/// `Value/bits`
pub const ALL_BITS: Segment = Segment {
    kind: SegmentType::Bits,
    size: SegmentSize::Rest,
    unit: 1,
    signed: false,
    little: false,
};
