//! Patterns of binaries: segments of every type, with sizes that are constants, variables from
//! outside of the pattern, or read earlier in the same binary.

use super::pattern::{Head, Shape};
use super::{Generator, Kind};

/// What is read of a segment, and how it is written behind the value.
const CONSTANT: &[(&str, Kind)] = &[
    ("", Kind::Int),
    (":4", Kind::Int),
    ("/signed", Kind::Int),
    (":16/little", Kind::Int),
    (":24/signed", Kind::Int),
    (":3/integer-signed-little", Kind::Int),
    (":2/unit:8", Kind::Int),
    ("/float", Kind::Float),
    (":32/float", Kind::Float),
    (":16/float-little", Kind::Float),
    ("/utf8", Kind::Size),
    ("/utf16", Kind::Size),
    ("/utf16-little", Kind::Size),
    ("/utf32", Kind::Size),
    (":2/binary", Kind::Bin),
    (":5/bits", Kind::Bin),
    (":3/binary-unit:4", Kind::Bin),
    (":0", Kind::Int),
];

/// The same with a size that is an expression.
const SIZED: &[(&str, Kind)] = &[
    ("", Kind::Int),
    ("/little", Kind::Int),
    ("/signed-unit:2", Kind::Int),
    ("/float", Kind::Float),
    ("/binary", Kind::Bin),
    ("/bits", Kind::Bin),
];

/// The size of a segment.
struct Size {
    name: String,
    pattern: String,
    /// In the scope outside, where it must be small.
    value: String,
}

impl Generator {
    /// A pattern of a whole binary.
    pub fn bits_shape(&mut self, head: &mut Head) -> Shape {
        let Shape { pattern, value } = self.segments_shape(head);
        let rest = self.random.pick(&["", "/bits", "/binary"]);
        if rest.is_empty() {
            return Shape { pattern, value };
        }
        let name = self.new_variable(head, Kind::Bin).pattern;
        let comma = if pattern == "<<>>" { "" } else { ", " };
        let inside = pattern.trim_end_matches(">>");
        let rested = format!("{inside}{comma}{name}{rest}>>");
        let more = self.random.pick(&["", "1, 2", "\"abc\"", "5:3"]);
        let comma = if more.is_empty() || value == "<<>>" { "" } else { ", " };
        let value = format!("{}{comma}{more}>>", value.trim_end_matches(">>"));
        Shape { pattern: rested, value }
    }

    /// Segments that can be read again and again, as a generator does it.
    pub fn segments_shape(&mut self, head: &mut Head) -> Shape {
        let (mut patterns, mut values) = (vec![], vec![]);
        // What this binary has read so far, with the constants.
        let mut own: Vec<(String, String)> = vec![];
        for _ in 0..self.random.below(4) {
            if self.random.once_in(8) {
                let text = self.random.pick(&["\"ab\"", "\"\"", "\"é\"/utf8", "\"ab\"/utf16"]);
                patterns.push(text.to_string());
                values.push(text.to_string());
                continue;
            }
            let segment = self.segment(head, &mut own);
            patterns.push(segment.pattern);
            values.push(segment.value);
        }
        Shape {
            pattern: format!("<<{}>>", patterns.join(", ")),
            value: format!("<<{}>>", values.join(", ")),
        }
    }

    fn segment(&mut self, head: &mut Head, own: &mut Vec<(String, String)>) -> Shape {
        let size = if self.random.once_in(2) { self.size(head, own) } else { None };
        let Some(size) = size else {
            let (form, kind) = self.random.pick(CONSTANT);
            let Shape { pattern, value } = self.segment_value(head, kind, own, None);
            return Shape { pattern: pattern + form, value: format!("(id({value})){form}") };
        };
        let (form, kind) = self.random.pick(SIZED);
        let Shape { pattern, value } = self.segment_value(head, kind, own, Some(&size.name));
        Shape {
            pattern: format!("{pattern}:{}{form}", size.pattern),
            value: format!("(id({value})):{}{form}", size.value),
        }
    }

    /// A size that is read from elsewhere, if there is anything to read.
    fn size(&mut self, head: &Head, own: &[(String, String)]) -> Option<Size> {
        if !own.is_empty() && self.random.once_in(2) {
            let (name, constant) = own[self.random.below(own.len())].clone();
            return Some(self.size_of(name, &constant));
        }
        let name = self.outside(head.base, |g| g.variable(Kind::Size))?;
        // Hidden by what this binary has read.
        if own.iter().any(|(n, _)| *n == name) {
            return None;
        }
        Some(self.size_of(name.clone(), &name))
    }

    fn size_of(&mut self, name: String, value: &str) -> Size {
        let form = self.random.pick(&["%", "%", "%", "(% band 7)", "(% + 1)", "(abs(%))"]);
        let pattern = form.replace('%', &name);
        Size { name, pattern, value: format!("({} band 31)", form.replace('%', value)) }
    }

    /// What is compared or bound: a variable, sometimes one with the name of the size, or a constant.
    fn segment_value(
        &mut self,
        head: &mut Head,
        kind: Kind,
        own: &mut Vec<(String, String)>,
        size: Option<&str>,
    ) -> Shape {
        let constant = match kind {
            Kind::Int | Kind::Size => self.random.pick(&["1", "2", "3", "7", "0"]),
            Kind::Float => self.random.pick(&["1.0", "1", "0.5", "-2", "2.5"]),
            _ => self.random.pick(&["<<1, 2>>", "<<5:5>>", "<<\"abcdefghijkl\">>", "<<5:3>>"]),
        };
        let value = constant.to_string();
        match self.random.below(8) {
            0 => Shape { pattern: "_".into(), value },
            1 | 2 if kind != Kind::Bin => Shape { pattern: value.clone(), value },
            3 => match self.known_variable(head, kind) {
                Some(known) => {
                    own.push((known.pattern.clone(), known.value.clone()));
                    known
                }
                None => Shape { pattern: "_".into(), value },
            },
            _ => {
                let pattern = self.segment_variable(head, size);
                if !head.new.iter().any(|(n, _)| *n == pattern) {
                    head.new.push((pattern.clone(), Some(value.clone())));
                    self.scope.push((pattern.clone(), kind));
                }
                own.push((pattern.clone(), value.clone()));
                Shape { pattern, value }
            }
        }
    }

    fn segment_variable(&mut self, head: &Head, size: Option<&str>) -> String {
        match (head.outer, size) {
            (super::pattern::Outer::Compared, _) => self.name(),
            (_, Some(size)) if self.random.once_in(3) => size.to_string(),
            _ => self.hiding_name(),
        }
    }
}
