//! `io_lib:format/2`.

use super::Encoding;
use super::chars::{Chars, chars_to_string, chars_to_term, prefix, push_str, width};
use super::directive::{Directive, Piece, scan};
use super::number::{exponent_form, fixed_form, general_form};
use super::pretty::{PrettyOptions, pretty};
use super::write::write_depth;
use num_bigint::BigInt;

use crate::num::format_int;
use crate::term::Term;
use crate::view::View;
use crate::work::{self, WRITTEN};

/// A format and arguments that do not fit each other: Erlang's `badarg`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// The arguments do not fit the format, or the format is malformed.
    BadArg,
}

type Result<T> = std::result::Result<T, FormatError>;

/// The characters of a formatted text. The format is a string, a binary or an atom; `args` a list.
pub fn format(format: &Term, args: &Term) -> Result<Chars> {
    let mut out = Chars::new();
    for piece in pieces(format, args)? {
        match piece {
            Piece::Char(c) => out.push(c),
            Piece::Directive(d) => d.run(&mut out)?,
        }
    }
    Ok(out)
}

/// The deep list that `io_lib:format/2` gives, where its shape is simple: what stands for a term
/// or a string is a list in the list, all else is in it. `None` where the parts have parts.
pub fn format_deep(format: &Term, args: &Term) -> Option<Term> {
    let (mut out, mut shape) = (Chars::new(), vec![]);
    for piece in pieces(format, args).ok()? {
        let from = out.len();
        let mut is_part = false;
        match piece {
            Piece::Char(c) => out.push(c),
            Piece::Directive(d) => {
                d.run(&mut out).ok()?;
                is_part = d.is_part();
                if is_part && !d.is_simple(&out[from..]) {
                    return None;
                }
            }
        }
        match is_part {
            true => shape.push(chars_to_term(&out[from..])),
            false => shape.extend(out[from..].iter().map(|c| Term::small(i64::from(*c)))),
        }
    }
    Some(Term::list(shape))
}

/// Whether a term is written as one flat string, pretty or not.
pub fn is_flat(t: &Term) -> bool {
    !matches!(t.view(), View::Cons(..) | View::Tuple(_) | View::Map(_) | View::Bits(_))
}

fn pieces(format: &Term, args: &Term) -> Result<Vec<Piece>> {
    let mut text = Chars::new();
    match format.view() {
        View::Atom(a) => push_str(&mut text, a.name()),
        View::Bits(b) if b.is_binary() => text.extend(b.to_vec().into_iter().map(u32::from)),
        View::Nil | View::Cons(..) => flatten(format, &mut text, &|_, _| Err(FormatError::BadArg))?,
        _ => return Err(FormatError::BadArg),
    }
    scan(&text, args.to_vec().ok_or(FormatError::BadArg)?)
}

/// `format` as the flat list that `io_lib:format/2` gives when flattened.
pub fn format_term(text: &Term, args: &Term) -> Result<Term> {
    Ok(chars_to_term(&format(text, args)?))
}

/// `format` with a Rust format string, as a Rust string.
pub fn format_string(text: &str, args: &[Term]) -> Result<String> {
    let args = Term::list(args.iter().cloned());
    Ok(chars_to_string(&format(&Term::string(text), &args)?))
}

/// The characters of a deep list; what is neither a list nor a character goes to `other`.
fn flatten(
    t: &Term,
    out: &mut Chars,
    other: &dyn Fn(&Term, &mut Chars) -> Result<()>,
) -> Result<()> {
    let mut todo = vec![t];
    while let Some(t) = todo.pop() {
        match t.view() {
            View::Nil => {}
            View::Cons(h, t) => {
                todo.push(t);
                match h.as_small() {
                    Some(c) => out.push(u32::try_from(c).map_err(|_| FormatError::BadArg)?),
                    None => todo.push(h),
                }
            }
            _ => other(t, out)?,
        }
    }
    Ok(())
}

/// The column after this text, from 0.
fn column(text: &[u32]) -> i64 {
    let start = text.iter().rposition(|&c| c == '\n' as u32).map_or(0, |i| i + 1);
    text[start..].iter().fold(0, |n, &c| if c == '\t' as u32 { (n + 8) / 8 * 8 } else { n + 1 })
}

fn code_points(s: &str) -> Chars {
    s.chars().map(|c| c as u32).collect()
}

impl Directive {
    fn run(&self, out: &mut Chars) -> Result<()> {
        // Asked for before it is made.
        let precision = self.precision.map_or(0, i64::unsigned_abs);
        let wanted = (self.width.unwrap_or(0) as u64).saturating_add(precision);
        work::spend(wanted.saturating_mul(WRITTEN));
        let text = match self.control {
            'w' => self.field(code_points(&write_depth(&self.args[0], -1, self.encoding)))?,
            'W' => {
                let text = write_depth(&self.args[0], self.depth()?, self.encoding);
                self.field(code_points(&text))?
            }
            'p' => self.pretty(-1, column(out))?,
            'P' => self.pretty(self.depth()?, column(out))?,
            's' => self.string()?,
            'c' => self.character()?,
            'e' | 'f' | 'g' => self.float()?,
            'b' | 'B' | 'x' | 'X' | '+' | '#' => self.integer()?,
            '~' => self.repeated('~' as u32)?,
            'n' if self.left => return Err(FormatError::BadArg),
            'n' => vec!['\n' as u32; self.width.unwrap_or(1)],
            _ => Chars::new(),
        };
        out.extend(text);
        Ok(())
    }

    /// Whether OTP gives a list of its own for it.
    fn is_part(&self) -> bool {
        match self.control {
            's' => !self.args[0].is_atom(),
            control => matches!(control, 'w' | 'W' | 'p' | 'P'),
        }
    }

    /// Whether that list is flat.
    fn is_simple(&self, text: &[u32]) -> bool {
        let arg = &self.args[0];
        let is_plain = self.width.is_none() && self.precision.is_none();
        let is_line = |text: &[u32]| text.first() == Some(&('"' as u32)) && !text.contains(&10);
        is_plain
            && match self.control {
                's' => !arg.is_list() || arg.list_iter().all(|c| c.as_small().is_some()),
                'p' => is_flat(arg) || arg.is_list() && is_line(text),
                'w' => is_flat(arg),
                _ => false,
            }
    }

    fn depth(&self) -> Result<i64> {
        self.args[1].as_i64().ok_or(FormatError::BadArg)
    }

    /// A precision that counts something.
    fn count(&self) -> Result<Option<usize>> {
        self.precision.map(|p| usize::try_from(p).map_err(|_| FormatError::BadArg)).transpose()
    }

    fn padded(&self, text: &[u32], padding: usize) -> Chars {
        let pad = std::iter::repeat_n(self.pad, padding);
        if self.left {
            text.iter().copied().chain(pad).collect()
        } else {
            pad.chain(text.iter().copied()).collect()
        }
    }

    /// Text that must not be cut: stars where it does not fit its field.
    fn field_of(&self, text: Chars, field: Option<usize>, precision: Option<usize>) -> Chars {
        let Some(field) = field.or(precision) else { return text };
        let length = width(&text);
        let room = length.min(precision.map_or(field, |p| p.min(field)));
        if length > room {
            self.padded(&vec!['*' as u32; room], field - room)
        } else {
            self.padded(&text, field - length)
        }
    }

    fn field(&self, text: Chars) -> Result<Chars> {
        Ok(self.field_of(text, self.width, self.count()?))
    }

    fn pretty(&self, depth: i64, column: i64) -> Result<Chars> {
        if self.left {
            return Err(FormatError::BadArg);
        }
        let options = PrettyOptions {
            column: self.precision.unwrap_or(column + 1),
            line_length: self.width.map_or(80, |w| w as i64),
            depth,
            encoding: self.encoding,
            strings: self.strings,
            ..PrettyOptions::default()
        };
        Ok(code_points(&pretty(&self.args[0], &options)))
    }

    fn string(&self) -> Result<Chars> {
        let mut text = Chars::new();
        let unicode = self.encoding == Encoding::Unicode;
        match self.args[0].view() {
            View::Atom(a) => push_str(&mut text, a.name()),
            _ => flatten(&self.args[0], &mut text, &|t, out| push_binary(t, unicode, out))?,
        }
        if !unicode && text.iter().any(|&c| c > 255) {
            return Err(FormatError::BadArg);
        }
        let cut = |n: usize| prefix(&text, n, unicode && text.iter().any(|&c| c > 255));
        let length = width(&text);
        Ok(match (self.width, self.count()?) {
            (None, None) => text,
            (Some(f), None) if length > f => cut(f).to_vec(),
            (Some(f), None) => self.padded(&text, f - length),
            (None, Some(p)) if length > p => cut(p).to_vec(),
            (None, Some(p)) => self.extended(&text, p - length),
            (Some(f), Some(p)) if f < p => return Err(FormatError::BadArg),
            (Some(f), Some(p)) if f == p && length <= p => self.padded(&text, f - length),
            (Some(f), Some(p)) if length > p => self.padded(cut(p), f - p),
            (Some(f), Some(p)) => self.padded(&self.extended(&text, p - length), f - p),
        })
    }

    fn extended(&self, text: &[u32], by: usize) -> Chars {
        text.iter().copied().chain(std::iter::repeat_n(self.pad, by)).collect()
    }

    fn character(&self) -> Result<Chars> {
        let c = self.args[0].to_bigint().ok_or(FormatError::BadArg)?;
        let c = if self.encoding == Encoding::Latin1 { c & BigInt::from(255) } else { c };
        self.repeated(u32::try_from(c).map_err(|_| FormatError::BadArg)?)
    }

    fn repeated(&self, c: u32) -> Result<Chars> {
        match (self.width, self.count()?) {
            (None, None) => Ok(vec![c]),
            (Some(n), None) | (None, Some(n)) => Ok(vec![c; n]),
            (Some(f), Some(p)) if f >= p => Ok(self.padded(&vec![c; p], f - p)),
            _ => Err(FormatError::BadArg),
        }
    }

    fn float(&self) -> Result<Chars> {
        let f = self.args[0].as_float().ok_or(FormatError::BadArg)?;
        let precision = self.precision.unwrap_or(6);
        let (fixed, precision) = match self.control {
            'g' if precision < 1 => return Err(FormatError::BadArg),
            'g' => general_form(f, precision),
            control => (control == 'f', precision),
        };
        if precision < if fixed { 1 } else { 2 } {
            return Err(FormatError::BadArg);
        }
        let n = precision as usize;
        let text = code_points(&if fixed { fixed_form(f, n) } else { exponent_form(f, n) });
        Ok(match self.width {
            None => text,
            w => self.field_of(text, w, w),
        })
    }

    fn integer(&self) -> Result<Chars> {
        let base = self.precision.unwrap_or(10);
        if !(2..=36).contains(&base) {
            return Err(FormatError::BadArg);
        }
        let digits = format_int(&self.args[0], base as u32).ok_or(FormatError::BadArg)?;
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(d) => ("-", d),
            None => ("", digits.as_str()),
        };
        let mut text = code_points(sign);
        match self.control {
            '+' | '#' => push_str(&mut text, &format!("{base}#")),
            'x' | 'X' => match self.args[1].as_atom() {
                Some(a) => push_str(&mut text, a.name()),
                None => flatten(&self.args[1], &mut text, &|_, _| Err(FormatError::BadArg))?,
            },
            _ => {}
        }
        let lower = matches!(self.control, 'b' | 'x' | '+');
        push_str(&mut text, &if lower { digits.to_ascii_lowercase() } else { digits.to_owned() });
        Ok(self.field_of(text, self.width, None))
    }
}

/// A binary inside a string: bytes, or UTF-8 where it is that and the `t` modifier asks for it.
fn push_binary(t: &Term, unicode: bool, out: &mut Chars) -> Result<()> {
    let bytes = t.binary_bytes().ok_or(FormatError::BadArg)?;
    match std::str::from_utf8(&bytes) {
        Ok(s) if unicode => push_str(out, s),
        _ => out.extend(bytes.iter().map(|&b| u32::from(b))),
    }
    Ok(())
}
