//! The bit syntax, one segment after the other.

use super::{Eval, Judge, names};
use reverl_lang::ast::*;
use reverl_lang::code::Rule;
use reverl_term::bits::{BitsBuilder, Endian};
use reverl_term::{Term, atoms};

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Integer,
    Float,
    Bits,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Copy)]
struct Spec {
    kind: Type,
    unit: usize,
    signed: bool,
    little: bool,
}

impl Spec {
    fn of(element: &BinElement) -> Spec {
        let mut spec = Spec { kind: Type::Integer, unit: 1, signed: false, little: false };
        for word in &element.specs {
            if let BinSpec::Word(word) = word {
                match word.name() {
                    "float" => spec.kind = Type::Float,
                    "binary" | "bytes" => (spec.kind, spec.unit) = (Type::Bits, 8),
                    "bitstring" | "bits" => spec.kind = Type::Bits,
                    "utf8" => spec.kind = Type::Utf8,
                    "utf16" => spec.kind = Type::Utf16,
                    "utf32" => spec.kind = Type::Utf32,
                    "signed" => spec.signed = true,
                    "little" | "native" => spec.little = true,
                    _ => {}
                }
            }
        }
        for word in &element.specs {
            if let BinSpec::Unit(unit) = word {
                spec.unit = *unit as usize;
            }
        }
        spec
    }

    fn endian(self) -> Endian {
        if self.little { Endian::Little } else { Endian::Big }
    }

    /// In bits; `None` for all that there is, or as much as the value needs.
    fn size(self, given: Option<usize>) -> Option<usize> {
        match (given, self.kind) {
            (Some(n), _) => Some(n * self.unit),
            (None, Type::Integer) => Some(8 * self.unit),
            (None, Type::Float) => Some(64 * self.unit),
            (None, _) => None,
        }
    }
}

/// Text, numbers and characters without sizes and types are a literal: no step.
fn is_literal(elements: &[BinElement]) -> bool {
    elements.iter().all(|element| {
        let utf8 = match element.specs.as_slice() {
            [] => false,
            [BinSpec::Word(word)] if word.name() == "utf8" => true,
            _ => return false,
        };
        let is_text = matches!(element.value.kind, ExprKind::String(_));
        let is_byte =
            matches!(element.value.kind, ExprKind::Integer(Integer::Small(_)) | ExprKind::Char(_));
        element.size.is_none() && (is_text || (is_byte && !utf8))
    })
}

impl<'t> Judge<'t, '_> {
    pub(super) fn make_bits(&mut self, e: &Expr, elements: &'t [BinElement]) -> Eval<'t> {
        let (mut parts, mut is_bad) = (vec![], false);
        for element in elements {
            let values = match &element.value.kind {
                ExprKind::String(text) => {
                    text.chars().map(|c| Term::int(i64::from(u32::from(c)))).collect()
                }
                _ => vec![self.value(&element.value)?],
            };
            let size = element.size.as_ref().map(|size| self.value(size)).transpose()?;
            let is_size = |size: &Term| size.as_small().is_some_and(|n| n >= 0);
            is_bad |= !size.as_ref().is_none_or(is_size);
            values.into_iter().for_each(|value| parts.push((value, size.clone(), element)));
        }
        if !is_literal(elements) {
            self.step(Rule::Op, e.span)?;
        }
        if is_bad {
            return self.error(Term::atom(atoms::BADARG));
        }
        let mut bits = BitsBuilder::new();
        for (value, size, element) in parts {
            let size = match size.map(|size| size.as_small().and_then(|n| n.try_into().ok())) {
                Some(None) => return self.error(Term::atom(atoms::BADARG)),
                given => given.flatten(),
            };
            if put(&mut bits, &value, size, Spec::of(element)).is_none() {
                return self.error(Term::atom(atoms::BADARG));
            }
        }
        Ok(bits.finish())
    }

    /// Reads the segments; what is left of the value. A whole pattern leaves nothing.
    pub(super) fn bits_match(
        &mut self,
        elements: &'t [BinElement],
        value: &Term,
        whole: bool,
    ) -> Option<Term> {
        let bits = value.as_bits()?;
        let (mut at, mut read_here) = (0, vec![]);
        for element in elements {
            let spec = Spec::of(element);
            let size = match &element.size {
                None => None,
                Some(size) => {
                    let size = self.outside(size, &read_here)?;
                    Some(usize::try_from(size.as_small()?).ok()?)
                }
            };
            names::of_pattern(&element.value, &mut read_here);
            let wanted: Vec<Term> = match &element.value.kind {
                ExprKind::String(text) => {
                    text.chars().map(|c| Term::int(i64::from(u32::from(c)))).collect()
                }
                _ => vec![],
            };
            if matches!(element.value.kind, ExprKind::String(_)) {
                for wanted in wanted {
                    let (found, after) = read(bits, at, size, spec)?;
                    if found != wanted {
                        return None;
                    }
                    at = after;
                }
                continue;
            }
            let (found, after) = read(bits, at, size, spec)?;
            // A whole number in the place of a float means that float.
            let wanted = match spec.kind {
                Type::Float => reverl_lang::lower::constant::constant(&element.value),
                _ => None,
            };
            let matched = match wanted {
                Some(wanted) => reverl_term::loose_eq(&wanted, &found),
                None => self.part_matches(&element.value, &found),
            };
            if !matched {
                return None;
            }
            at = after;
        }
        let left = bits.bit_len() - at;
        (!whole || left == 0).then(|| bits.slice(at, left))
    }

    /// Where the segments of a generator's pattern end, whatever their values are.
    pub(super) fn bits_rest(&mut self, elements: &'t [BinElement], value: &Term) -> Option<Term> {
        let bits = value.as_bits()?;
        let before = self.scope().len();
        let (mut at, mut read_here) = (0, vec![]);
        for element in elements {
            let size = match &element.size {
                None => None,
                Some(size) => {
                    let size = self.outside(size, &read_here)?;
                    Some(usize::try_from(size.as_small()?).ok()?)
                }
            };
            names::of_pattern(&element.value, &mut read_here);
            let count = match &element.value.kind {
                ExprKind::String(text) => text.chars().count(),
                _ => 1,
            };
            for _ in 0..count {
                let Some((found, after)) = read(bits, at, size, Spec::of(element)) else {
                    self.scope().truncate(before);
                    return None;
                };
                if let ExprKind::Var(name) = &element.value.kind {
                    self.scope().push((*name, found));
                }
                at = after;
            }
        }
        self.scope().truncate(before);
        Some(bits.slice(at, bits.bit_len() - at))
    }
}

fn character(value: &Term) -> Option<char> {
    char::from_u32(u32::try_from(value.as_small()?).ok()?)
}

fn put(bits: &mut BitsBuilder, value: &Term, given: Option<usize>, spec: Spec) -> Option<()> {
    let size = spec.size(given);
    match spec.kind {
        Type::Integer => bits.push_int(value, size?, spec.endian()).then_some(()),
        Type::Float => {
            let value = reverl_term::num::mul(value, &Term::float(1.0)).ok()?.as_float()?;
            bits.push_float(value, size?, spec.endian()).then_some(())
        }
        Type::Bits => {
            let own = value.as_bits()?;
            let fits = match size {
                Some(n) => n <= own.bit_len(),
                None => own.bit_len() % spec.unit == 0,
            };
            bits.push_bits_of(&own.part(0, size.unwrap_or(own.bit_len()).min(own.bit_len())));
            fits.then_some(())
        }
        Type::Utf8 | Type::Utf16 | Type::Utf32 => {
            let c = character(value)?;
            match spec.kind {
                Type::Utf8 => bits.push_utf8(c),
                Type::Utf16 => bits.push_utf16(c, spec.endian()),
                _ => bits.push_utf32(c, spec.endian()),
            }
            Some(())
        }
    }
}

fn read(
    bits: &reverl_term::Bits,
    at: usize,
    given: Option<usize>,
    spec: Spec,
) -> Option<(Term, usize)> {
    let left = bits.bit_len() - at;
    let character = |found: Option<(char, usize)>| {
        let (c, size) = found?;
        Some((Term::int(i64::from(u32::from(c))), at + size))
    };
    match spec.kind {
        Type::Utf8 => return character(bits.get_utf8(at)),
        Type::Utf16 => return character(bits.get_utf16(at, spec.little)),
        Type::Utf32 => return character(bits.get_utf32(at, spec.little)),
        _ => {}
    }
    let size = spec.size(given).unwrap_or(left);
    if size > left {
        return None;
    }
    let value = match spec.kind {
        Type::Integer => bits.get_int(at, size, spec.signed, spec.little),
        Type::Float => Term::float(bits.get_float(at, size, spec.little)?),
        _ if given.is_none() && left % spec.unit != 0 => return None,
        _ => bits.slice(at, size),
    };
    Some((value, at + size))
}
