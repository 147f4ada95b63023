//! The first half of `~p`: a term as a tree of texts with known widths, cut at the depth asked for. No line is broken
//! here; `layout.rs` does that.
//!
//! The tree lives in two arenas and is built with a work list, so deep terms need no stack to build, walk or drop it.

use super::Encoding;
use super::chars::text_width;
use super::pretty::PrettyOptions;
use super::printable::{is_printable_latin1, printable_list, quoted};
use super::write::{bits_parts, leaf, write_atom};
use crate::atom::Atom;
use crate::bits::Bits;
use crate::map;
use crate::term::Term;
use crate::view::View;
use crate::work::{Turns, WRITTEN};

pub(super) type Id = usize;

pub(super) struct Outline {
    pub nodes: Vec<Node>,
    text: String,
}

pub(super) struct Node {
    pub shape: Shape,
    /// Columns it takes on one line.
    pub width: i64,
}

pub(super) enum Shape {
    /// A range of `Outline::text`.
    Text(usize, usize),
    /// The numbers of a bit string, which may be broken between any two.
    Bits(Vec<String>),
    List(Items),
    /// Tagged when it has an atom first and something after it.
    Tuple {
        tagged: bool,
        items: Items,
    },
    Map(Items),
    Pair(Id, Id),
    Record {
        name: Id,
        fields: Items,
    },
    Field {
        name: Id,
        value: Id,
    },
}

pub(super) struct Items {
    pub items: Vec<Id>,
    pub end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Closed,
    /// Cut off by the depth.
    Dots,
    /// The tail of an improper list.
    Tail(Id),
}

impl Outline {
    pub fn text(&self, from: usize, to: usize) -> &str {
        &self.text[from..to]
    }

    /// Whether a node is plain text, which may share a line with its neighbours.
    pub fn is_text(&self, id: Id) -> bool {
        matches!(self.nodes[id].shape, Shape::Text(..))
    }

    fn push(&mut self, shape: Shape, width: i64) -> Id {
        self.nodes.push(Node { shape, width });
        self.nodes.len() - 1
    }

    fn push_text(&mut self, s: &str) -> Id {
        let from = self.text.len();
        self.text.push_str(s);
        self.push(Shape::Text(from, self.text.len()), text_width(s) as i64)
    }
}

/// A composite whose parts are being outlined.
struct Open<'a> {
    kind: Kind<'a>,
    done: Vec<Id>,
    /// The depth left at the next part.
    depth: i64,
    end: End,
}

enum Kind<'a> {
    List(&'a Term),
    /// The tail is outlined next, and closes the list.
    ListTail,
    Tuple {
        all: &'a [Term],
        rest: &'a [Term],
    },
    Map {
        next: Option<(&'a Term, &'a Term)>,
        pairs: map::Iter<'a>,
        each: i64,
    },
    Pair(std::array::IntoIter<&'a Term, 2>),
    Record {
        name: Atom,
        names: std::vec::IntoIter<Atom>,
        rest: &'a [Term],
    },
    Field {
        name: Atom,
        value: Option<&'a Term>,
    },
}

enum Step<'a> {
    Outline(&'a Term, i64),
    Enter(Open<'a>),
    Close,
}

pub(super) struct Outliner<'o> {
    outline: Outline,
    options: &'o PrettyOptions<'o>,
}

impl<'o> Outliner<'o> {
    pub fn new(options: &'o PrettyOptions<'o>) -> Outliner<'o> {
        Outliner { outline: Outline { nodes: Vec::new(), text: String::new() }, options }
    }

    /// The outline of a term, and the id of its root. The depth is not 0.
    pub fn run(mut self, term: &Term) -> (Outline, Id) {
        let mut stack: Vec<Open<'_>> = Vec::new();
        let mut step = Step::Outline(term, self.options.depth);
        let mut turns = Turns::default();
        loop {
            // A node takes several times as much room as its text.
            turns.turn(4 * WRITTEN);
            let done = match step {
                Step::Outline(t, d) => match self.begin(t, d) {
                    Ok(id) => id,
                    Err(open) => {
                        stack.push(open);
                        step = next(stack.last_mut().expect("just pushed"));
                        continue;
                    }
                },
                Step::Enter(open) => {
                    stack.push(open);
                    step = next(stack.last_mut().expect("just pushed"));
                    continue;
                }
                Step::Close => self.close(stack.pop().expect("something to close")),
            };
            let Some(top) = stack.last_mut() else { return (self.outline, done) };
            match top.kind {
                Kind::ListTail => {
                    top.end = End::Tail(done);
                    step = Step::Close;
                }
                _ => {
                    top.done.push(done);
                    step = next(top);
                }
            }
        }
    }

    /// A leaf's node, or a composite to open.
    fn begin<'a>(&mut self, t: &'a Term, d: i64) -> Result<Id, Open<'a>> {
        let open = |kind| Err(Open { kind, done: Vec::new(), depth: d, end: End::Closed });
        let encoding = self.options.encoding;
        match t.view() {
            View::Cons(..) => {
                if self.options.strings && d != 1 {
                    if let Some(s) = printable_list(t) {
                        return Ok(self.outline.push_text(&quoted(&s, '"', false)));
                    }
                }
                open(Kind::List(t))
            }
            View::Tuple([]) => Ok(self.outline.push_text("{}")),
            View::Tuple(_) if d == 1 => Ok(self.outline.push_text("{...}")),
            View::Tuple(all) => {
                let record = all[0].as_atom().and_then(|tag| {
                    Some((tag, (self.options.record_fields?)(tag, all.len() - 1)?))
                });
                match record {
                    Some((name, names)) => {
                        let kind = Kind::Record { name, names: names.into_iter(), rest: &all[1..] };
                        Err(Open { kind, done: Vec::new(), depth: d - 1, end: End::Closed })
                    }
                    None => open(Kind::Tuple { all, rest: all }),
                }
            }
            View::Map(m) if m.is_empty() => Ok(self.outline.push_text("#{}")),
            View::Map(_) if d == 1 => Ok(self.outline.push_text("#{...}")),
            View::Map(m) => {
                let mut pairs = m.iter();
                open(Kind::Map { next: pairs.next(), pairs, each: d - 1 })
            }
            View::Bits(b) => Ok(self.bits(b, d)),
            View::Atom(a) => Ok(self.outline.push_text(&write_atom(a, encoding))),
            _ => Ok(self.outline.push_text(&leaf(t, Encoding::Latin1))),
        }
    }

    fn bits(&mut self, b: &Bits, d: i64) -> Id {
        if b.bit_len() == 0 {
            return self.outline.push_text("<<>>");
        }
        if d == 1 {
            return self.outline.push_text("<<...>>");
        }
        if self.options.strings && b.is_binary() {
            if let Some(s) = binary_text(&b.to_vec(), d - 1, self.options.encoding) {
                return self.outline.push_text(&s);
            }
        }
        let parts = bits_parts(b, d);
        let width = 4 + parts.iter().map(|p| p.len() + 1).sum::<usize>() - 1;
        self.outline.push(Shape::Bits(parts), width as i64)
    }

    fn close(&mut self, open: Open<'_>) -> Id {
        let Open { kind, done, end, .. } = open;
        let sum = self.sum(&done, end);
        let items = Items { items: done, end };
        match kind {
            Kind::List(_) | Kind::ListTail => self.outline.push(Shape::List(items), 2 + sum),
            Kind::Tuple { all, .. } => {
                let tagged = all[0].is_atom() && all.len() > 1;
                self.outline.push(Shape::Tuple { tagged, items }, 2 + sum)
            }
            Kind::Map { .. } => self.outline.push(Shape::Map(items), 3 + sum),
            Kind::Pair(_) => {
                // " => " where the sum counted one comma.
                self.outline.push(Shape::Pair(items.items[0], items.items[1]), sum + 3)
            }
            Kind::Record { name, .. } => {
                let name = format!("#{}", write_atom(name, self.options.encoding));
                let name = self.outline.push_text(&name);
                let width = self.outline.nodes[name].width + 2 + sum;
                self.outline.push(Shape::Record { name, fields: items }, width)
            }
            Kind::Field { name, .. } => {
                let name = self.outline.push_text(&write_atom(name, self.options.encoding));
                let width = self.outline.nodes[name].width + 3 + sum;
                self.outline.push(Shape::Field { name, value: items.items[0] }, width)
            }
        }
    }

    /// The width of items and what separates them.
    fn sum(&self, items: &[Id], end: End) -> i64 {
        let last = match end {
            End::Closed => None,
            End::Dots => Some(3),
            End::Tail(t) => Some(self.outline.nodes[t].width),
        };
        let widths: i64 = items.iter().map(|&i| self.outline.nodes[i].width).sum();
        let count = items.len() + last.is_some() as usize;
        widths + last.unwrap_or(0) + count.saturating_sub(1) as i64
    }
}

/// What comes next in a composite, as its depth runs out.
fn next<'a>(open: &mut Open<'a>) -> Step<'a> {
    let cut = open.depth == 1;
    let enter = |kind, depth| Step::Enter(Open { kind, done: Vec::new(), depth, end: End::Closed });
    match &mut open.kind {
        Kind::List(rest) if rest.is_nil() => return Step::Close,
        Kind::Tuple { rest: [], .. } | Kind::Record { rest: [], .. } => return Step::Close,
        Kind::Map { next: None, .. } => return Step::Close,
        Kind::List(_) | Kind::Tuple { .. } | Kind::Record { .. } | Kind::Map { .. } if cut => {
            open.end = End::Dots;
            return Step::Close;
        }
        Kind::Pair(parts) => {
            return parts.next().map_or(Step::Close, |t| Step::Outline(t, open.depth));
        }
        Kind::Field { value, .. } => {
            return value.take().map_or(Step::Close, |t| Step::Outline(t, open.depth));
        }
        _ => {}
    }
    open.depth -= 1;
    let depth = open.depth;
    match &mut open.kind {
        Kind::List(rest) => match rest.as_cons() {
            Some((h, t)) => {
                *rest = t;
                Step::Outline(h, depth)
            }
            None => {
                let tail = *rest;
                open.kind = Kind::ListTail;
                Step::Outline(tail, depth)
            }
        },
        Kind::Tuple { rest, .. } => {
            let (e, more) = rest.split_first().expect("looked at above");
            *rest = more;
            Step::Outline(e, depth)
        }
        Kind::Map { next, pairs, each } => {
            let (k, v) = std::mem::replace(next, pairs.next()).expect("looked at above");
            enter(Kind::Pair([k, v].into_iter()), *each)
        }
        Kind::Record { names, rest, .. } => {
            let (e, more) = rest.split_first().expect("looked at above");
            *rest = more;
            let name = names.next().expect("a name for each field");
            enter(Kind::Field { name, value: Some(e) }, depth)
        }
        Kind::ListTail | Kind::Pair(_) | Kind::Field { .. } => unreachable!("returned above"),
    }
}

/// A binary as `<<"text">>`, whole or cut, if enough of it is printable.
fn binary_text(bytes: &[u8], depth: i64, encoding: Encoding) -> Option<String> {
    // Four characters count as one level of depth.
    let most = if depth >= 0 { bytes.len().min(4 * depth as usize) } else { bytes.len() };
    if most == 0 {
        return None;
    }
    if encoding == Encoding::Unicode {
        if let Some(found) = utf8_text(bytes, most, depth) {
            return found;
        }
    }
    let printable = bytes[..most].iter().take_while(|&&b| is_printable_latin1(b as u32)).count();
    let text: String = bytes[..printable].iter().map(|&b| b as char).collect();
    let text = quoted(&text, '"', false);
    if printable == bytes.len() {
        Some(format!("<<{text}>>"))
    } else if printable == most || depth > 0 && printable as i64 >= depth {
        Some(format!("<<{text}...>>"))
    } else {
        None
    }
}

/// As `binary_text`, read as UTF-8; `None` if the first `most` characters are not that.
fn utf8_text(bytes: &[u8], most: usize, depth: i64) -> Option<Option<String>> {
    let (text, valid) = match std::str::from_utf8(bytes) {
        Ok(s) => (s, true),
        Err(e) => (std::str::from_utf8(&bytes[..e.valid_up_to()]).ok()?, false),
    };
    if !valid && text.chars().count() < most {
        return None;
    }
    let shown: String =
        text.chars().take(most).take_while(|&c| is_printable_latin1(c as u32)).collect();
    let count = shown.chars().count();
    let kind = if shown.len() == count { "" } else { "/utf8" };
    let quoted = quoted(&shown, '"', false);
    Some(if shown.len() == bytes.len() {
        Some(format!("<<{quoted}{kind}>>"))
    } else if depth > 0 && count as i64 >= depth {
        Some(format!("<<{quoted}{kind}...>>"))
    } else {
        None
    })
}
