//! Binaries: types, sizes and units of their segments.

use super::Lint;
use super::scope::Binding;
use crate::ast::*;
use crate::diagnostic::ProblemKind;
use reverl_term::Atom;

/// The type specifiers of a segment, sorted out.
#[derive(Default)]
struct Specs {
    kind: Option<&'static str>,
    sign: Option<&'static str>,
    endian: Option<&'static str>,
    unit: Option<u32>,
}

/// Which of the three a word sets, and to what.
fn meaning(word: Atom) -> Option<(&'static str, &'static str)> {
    Some(match word.name() {
        "integer" => ("type", "integer"),
        "float" => ("type", "float"),
        "binary" | "bytes" => ("type", "binary"),
        "bitstring" | "bits" => ("type", "bitstring"),
        "utf8" => ("type", "utf8"),
        "utf16" => ("type", "utf16"),
        "utf32" => ("type", "utf32"),
        "signed" => ("sign", "signed"),
        "unsigned" => ("sign", "unsigned"),
        "big" => ("endianness", "big"),
        "little" => ("endianness", "little"),
        "native" => ("endianness", "native"),
        _ => return None,
    })
}

impl Lint<'_> {
    pub(super) fn binary_construction(&mut self, elements: &[BinElement]) {
        for element in elements {
            self.bit_types(element, false);
        }
        let parts =
            elements.iter().flat_map(|e| std::iter::once(&e.value).chain(e.size.as_deref()));
        self.beside(parts);
    }

    /// The specifiers of one segment must agree with each other.
    pub(super) fn bit_types(&mut self, element: &BinElement, in_pattern: bool) {
        let Some(specs) = self.specs(element) else { return };
        let utf = specs.kind.is_some_and(|k| k.starts_with("utf"));
        let sized = element.size.is_some();
        let string = matches!(element.value.kind, ExprKind::String(_));
        if utf && (sized || specs.unit.is_some()) {
            let message =
                "neither size nor unit must be given for segments of type utf8/utf16/utf32";
            self.error(element.span, message);
        } else if let Some(unit) = specs.unit.filter(|u| !(1..=256).contains(u)) {
            self.error(element.span, format!("bit type {{unit,{unit}}} undefined"));
        } else if specs.unit.is_some()
            && !sized
            && !matches!(specs.kind, Some("binary" | "bitstring"))
        {
            let message = "a bit unit size must not be specified unless a size is specified too";
            self.error(element.span, message);
        } else if in_pattern && string && !utf && (sized || !element.specs.is_empty()) {
            let plain = matches!(specs.kind, None | Some("integer")) && !sized;
            if !plain {
                let message = "a literal string in a binary pattern must not have a type or a size";
                self.error(element.span, message);
            }
        }
    }

    fn specs(&mut self, element: &BinElement) -> Option<Specs> {
        let mut specs = Specs::default();
        let before = self.problems.len();
        for spec in &element.specs {
            match spec {
                BinSpec::Unit(unit) => match specs.unit.replace(*unit) {
                    Some(other) if other != *unit => {
                        self.mismatch(element, &unit.to_string(), &other.to_string(), "unit");
                    }
                    _ => {}
                },
                BinSpec::Word(word) => {
                    let Some((what, value)) = meaning(*word) else {
                        let message = format!("bit type {} undefined", crate::print::atom(*word));
                        self.error(element.span, message);
                        continue;
                    };
                    let slot = match what {
                        "type" => &mut specs.kind,
                        "sign" => &mut specs.sign,
                        _ => &mut specs.endian,
                    };
                    match slot.replace(value) {
                        Some(other) if other != value => {
                            self.mismatch(element, value, other, what);
                        }
                        _ => {}
                    }
                }
            }
        }
        (self.problems.len() == before).then_some(specs)
    }

    fn mismatch(&mut self, element: &BinElement, one: &str, other: &str, what: &str) {
        let message =
            format!("conflict in {what} specification for bit field: '{one}' and '{other}'");
        self.error(element.span, message);
    }

    /// In a pattern a size is a guard expression.
    pub(super) fn bit_size(&mut self, size: &Expr) {
        if let ExprKind::Var(name) = size.kind {
            if self.scope.get(name).is_some_and(|b| b != Binding::Bound) || name.name() != "_" {
                self.variable(name, size.span);
                return;
            }
        }
        let before = self.problems.len();
        self.guard(size);
        for problem in &mut self.problems[before..] {
            problem.message = match problem.message.strip_suffix("illegal in guard") {
                Some(call) => format!("{call}illegal in a size expression for a binary segment"),
                None if problem.kind == ProblemKind::IllegalGuard => "illegal bit size".to_string(),
                None => continue,
            };
        }
    }

    pub(super) fn unsized_before_the_end(&mut self, element: &BinElement, last: bool) {
        if !last && is_unsized(element) {
            let message =
                "a binary field without size is only allowed at the end of a binary pattern";
            self.error(element.span, message);
        }
    }

    pub(super) fn sized_in_generator(&mut self, elements: &[BinElement]) {
        if let Some(last) = elements.last().filter(|e| is_unsized(e)) {
            let message = "binary fields without size are not allowed in patterns of bit string \
                           generators";
            self.error(last.span, message);
        }
    }
}

/// A binary that takes all that is left.
fn is_unsized(element: &BinElement) -> bool {
    let binary = element.specs.iter().any(|spec| match spec {
        BinSpec::Word(word) => {
            matches!(word.name(), "binary" | "bytes" | "bitstring" | "bits")
        }
        BinSpec::Unit(_) => false,
    });
    element.size.is_none() && binary
}
