//! `~p`: terms over as many lines as they need.

use super::Encoding;
use super::layout::Layout;
use super::outline::Outliner;
use super::write::{leaf, write_atom};
use crate::atom::Atom;
use crate::term::Term;
use crate::view::View;

/// Returns the field names of the record with this name and size, if there is one.
pub type RecordFields<'a> = dyn Fn(Atom, usize) -> Option<Vec<Atom>> + 'a;

/// How a term is laid out: the options of `io_lib_pretty:print/2`.
#[derive(Clone)]
pub struct PrettyOptions<'a> {
    /// Where on its line the text starts, from 1.
    pub column: i64,
    /// 0 for a single line.
    pub line_length: i64,
    /// The most characters on a line without its indentation; none if negative.
    pub line_max_chars: i64,
    /// Levels shown; all if negative.
    pub depth: i64,
    /// How characters beyond Latin-1 are shown.
    pub encoding: Encoding,
    /// Whether lists and binaries of printable characters are shown as text.
    pub strings: bool,
    /// Looks up the fields of records, which are then shown by name.
    pub record_fields: Option<&'a RecordFields<'a>>,
}

impl Default for PrettyOptions<'_> {
    fn default() -> Self {
        PrettyOptions {
            column: 1,
            line_length: 80,
            line_max_chars: -1,
            depth: -1,
            encoding: Encoding::Latin1,
            strings: true,
            record_fields: None,
        }
    }
}

/// `io_lib_pretty:print/2`.
pub fn pretty(t: &Term, options: &PrettyOptions<'_>) -> String {
    if options.depth == 0 {
        return "...".into();
    }
    match t.view() {
        View::Atom(a) => return write_atom(a, options.encoding),
        View::Nil | View::Cons(..) | View::Tuple(_) | View::Map(_) | View::Bits(_) => {}
        _ => return leaf(t, Encoding::Latin1),
    }
    let (outline, root) = Outliner::new(options).run(t);
    let width = outline.nodes[root].width;
    let most = if options.line_max_chars < 0 { width } else { options.line_max_chars };
    let column = options.column.max(1);
    let layout = Layout { outline: &outline, line_length: options.line_length, most };
    if options.line_length == 0 || width < options.line_length - column && width <= most {
        layout.one_line(root)
    } else {
        layout.lines(root, column)
    }
}
