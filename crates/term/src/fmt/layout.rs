//! The second half of `~p`: breaking an outline into lines, where and as far indented as `io_lib_pretty` does it.
//!
//! Composite parts are laid out by tasks on a stack. A task never needs to know what the ones before it printed, only
//! the column they were promised to end at; so measuring is the same walk as printing, with other eyes. Measuring finds
//! the indentation of tagged tuples: the tag's width if no line then starts beyond the middle, else 4, else 1. It
//! differs from printing in four places, marked below, which are OTP's own.

use super::outline::{End, Id, Items, Outline, Shape};

pub(super) struct Layout<'o> {
    pub outline: &'o Outline,
    pub line_length: i64,
    /// The most characters on a line, indentation not counted.
    pub most: i64,
}

/// Where a part goes: its column, the indentation of lines broken inside it, how many closing brackets follow it on its
/// last line, and how many characters its line has before it.
#[derive(Clone, Copy)]
struct Place {
    column: i64,
    indent: i64,
    closing: i64,
    before: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Elements,
    Pairs,
    Fields,
}

enum Task {
    Text(&'static str),
    NewLine(i64),
    Node(Id, Place),
    /// The items from `next` on of a composite whose items start at `first.column` when on a new line; `column` is where
    /// the last one ended.
    Rest {
        node: Id,
        of: Of,
        next: usize,
        first: Place,
        column: i64,
        bar: &'static str,
    },
}

/// An indentation that would push lines beyond the middle.
struct NoGood;

struct Walk<'l> {
    layout: &'l Layout<'l>,
    /// How far the parts of tagged tuples and records are indented; as wide as the tag if not positive.
    tag_indent: i64,
    measuring: bool,
    out: String,
    tasks: Vec<Task>,
}

impl<'o> Layout<'o> {
    /// The node over several lines, starting at `column`.
    pub fn lines(&self, root: Id, column: i64) -> String {
        let place = Place { column, indent: column - 1, closing: 0, before: 0 };
        let good = |indent: &i64| self.walk(root, place, *indent, true).is_ok();
        let tag_indent = [-1, 4].into_iter().find(good).unwrap_or(1);
        match self.walk(root, place, tag_indent, false) {
            Ok(text) => text,
            Err(NoGood) => unreachable!("only measuring refuses"),
        }
    }

    fn walk(
        &self,
        root: Id,
        place: Place,
        tag_indent: i64,
        measuring: bool,
    ) -> Result<String, NoGood> {
        let tasks = vec![Task::Node(root, place)];
        let mut walk = Walk { layout: self, tag_indent, measuring, out: String::new(), tasks };
        while let Some(task) = walk.tasks.pop() {
            match task {
                Task::Text(s) => walk.emit(s),
                Task::NewLine(indent) => walk.new_line(indent),
                Task::Node(id, place) => walk.node(id, place)?,
                Task::Rest { node, of, next, first, column, bar } => {
                    walk.rest(node, of, next, first, column, bar)?
                }
            }
        }
        Ok(walk.out)
    }

    pub fn one_line(&self, root: Id) -> String {
        let mut out = String::new();
        self.write(root, &mut out);
        out
    }

    /// A node on one line; again with a work list.
    fn write(&self, root: Id, out: &mut String) {
        enum Todo {
            Node(Id),
            Text(&'static str),
            Items(Id, usize),
        }
        let mut todo = vec![Todo::Node(root)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Text(s) => out.push_str(s),
                Todo::Node(id) => match &self.outline.nodes[id].shape {
                    Shape::Text(from, to) => out.push_str(self.outline.text(*from, *to)),
                    Shape::Bits(parts) => {
                        out.push_str("<<");
                        out.push_str(&parts.join(","));
                        out.push_str(">>");
                    }
                    Shape::List(_) => {
                        out.push('[');
                        todo.extend([Todo::Text("]"), Todo::Items(id, 0)]);
                    }
                    Shape::Tuple { .. } => {
                        out.push('{');
                        todo.extend([Todo::Text("}"), Todo::Items(id, 0)]);
                    }
                    Shape::Map(_) => {
                        out.push_str("#{");
                        todo.extend([Todo::Text("}"), Todo::Items(id, 0)]);
                    }
                    Shape::Record { name, .. } => {
                        todo.extend([Todo::Text("}"), Todo::Items(id, 0), Todo::Text("{")]);
                        todo.push(Todo::Node(*name));
                    }
                    Shape::Pair(k, v) => {
                        todo.extend([Todo::Node(*v), Todo::Text(" => "), Todo::Node(*k)])
                    }
                    Shape::Field { name, value } => {
                        todo.extend([Todo::Node(*value), Todo::Text(" = "), Todo::Node(*name)])
                    }
                },
                Todo::Items(id, i) => {
                    let (items, bar) = self.items(id);
                    if let Some(&item) = items.items.get(i) {
                        if i > 0 {
                            out.push(',');
                        }
                        todo.extend([Todo::Items(id, i + 1), Todo::Node(item)]);
                        continue;
                    }
                    if i > 0 && items.end != End::Closed {
                        out.push_str(bar);
                    }
                    match items.end {
                        End::Closed => {}
                        End::Dots => out.push_str("..."),
                        End::Tail(t) => todo.push(Todo::Node(t)),
                    }
                }
            }
        }
    }

    /// The items of a composite, and what stands before an end that is not one.
    fn items(&self, id: Id) -> (&'o Items, &'static str) {
        match &self.outline.nodes[id].shape {
            Shape::List(items) => (items, "|"),
            Shape::Tuple { items, .. } | Shape::Map(items) => (items, ","),
            Shape::Record { fields, .. } => (fields, ","),
            _ => unreachable!("only composites have items"),
        }
    }

    fn width(&self, id: Id) -> i64 {
        self.outline.nodes[id].width
    }

    /// Whether a node fits on the line it starts on.
    fn fits(&self, id: Id, p: Place) -> bool {
        let width = self.width(id);
        width < self.line_length - p.column - p.closing && width + p.before + p.closing <= self.most
    }

    /// Whether a node is made of texts only, so that something may follow it on its line.
    fn is_flat(&self, id: Id) -> bool {
        match self.outline.nodes[id].shape {
            Shape::Pair(k, v) => self.outline.is_text(k) && self.outline.is_text(v),
            Shape::Field { value, .. } => self.outline.is_text(value),
            _ => self.outline.is_text(id),
        }
    }
}

impl Walk<'_> {
    fn emit(&mut self, s: &str) {
        if !self.measuring {
            self.out.push_str(s);
        }
    }

    fn new_line(&mut self, indent: i64) {
        if !self.measuring {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', indent as usize));
        }
    }

    fn write(&mut self, id: Id) {
        if !self.measuring {
            let layout = self.layout;
            layout.write(id, &mut self.out);
        }
    }

    /// Refuses, while measuring, to start lines beyond the middle unless a whole line fits behind that.
    fn check(&self, good: bool) -> Result<(), NoGood> {
        if self.measuring && !good { Err(NoGood) } else { Ok(()) }
    }

    /// How many brackets close after an item: none if another item follows.
    fn closing_after(&self, items: &Items, i: usize, closing: i64) -> i64 {
        if i + 1 < items.items.len() { 0 } else { closing + 1 }
    }

    fn node(&mut self, id: Id, p: Place) -> Result<(), NoGood> {
        let layout = self.layout;
        if layout.fits(id, p) {
            self.write(id);
            return Ok(());
        }
        let inside = |by: i64| Place {
            column: p.column + by,
            indent: p.indent + by,
            before: p.before + 1,
            ..p
        };
        match &layout.outline.nodes[id].shape {
            Shape::List(_) => {
                self.emit("[");
                self.tasks.push(Task::Text("]"));
                self.items(id, Of::Elements, 0, inside(1), "|")
            }
            Shape::Tuple { tagged: false, .. } => {
                self.emit("{");
                self.tasks.push(Task::Text("}"));
                self.items(id, Of::Elements, 0, inside(1), ",")
            }
            Shape::Tuple { tagged: true, items } => {
                self.emit("{");
                self.tasks.push(Task::Text("}"));
                self.tagged(id, items.items[0], Place { before: p.before + 1, ..p })
            }
            Shape::Map(_) => {
                self.emit("#{");
                self.tasks.push(Task::Text("}"));
                // Measuring counts both characters, printing one.
                let before = p.before + if self.measuring { 2 } else { 1 };
                self.items(id, Of::Pairs, 0, Place { before, ..inside(2) }, ",")
            }
            Shape::Record { name, fields } => {
                self.write(*name);
                self.emit("{");
                self.tasks.push(Task::Text("}"));
                let name = layout.width(*name);
                if fields.items.is_empty() {
                    self.emit(if fields.end == End::Dots { "..." } else { "" });
                    return Ok(());
                }
                let p = Place { before: p.before + name + 1, ..p };
                let (first, broken) = self.record_place(name + 1, p)?;
                if broken {
                    self.new_line(first.indent);
                }
                self.items(id, Of::Fields, 0, first, ",")
            }
            Shape::Bits(parts) => {
                self.bits(parts, p);
                Ok(())
            }
            Shape::Text(..) => {
                self.write(id);
                Ok(())
            }
            Shape::Pair(..) | Shape::Field { .. } => unreachable!("laid out by `item`"),
        }
    }

    /// The elements after a tag start right behind it, or on a new line when the tag is wider than the indentation.
    fn tagged(&mut self, id: Id, tag: Id, p: Place) -> Result<(), NoGood> {
        let (length, most) = (self.layout.line_length, self.layout.most);
        let width = self.layout.width(tag);
        let behind = p.column + width + 2;
        self.write(tag);
        if self.tag_indent > 0 && width + 2 > self.tag_indent {
            let column = p.column + self.tag_indent;
            self.check(most + column <= length || column <= length / 2)?;
            let indent = p.indent + self.tag_indent;
            let first = Place { column, indent, before: p.before + width, ..p };
            self.rest(id, Of::Elements, 1, first, behind, ",")
        } else {
            self.check(most + behind < length || behind < length / 2)?;
            self.emit(",");
            let indent = p.indent + width + 2;
            let first = Place { column: behind, indent, before: p.before + width + 1, ..p };
            self.items(id, Of::Elements, 1, first, ",")
        }
    }

    /// Where fields, or a field's value, go behind a name of this width; and whether on a new line.
    fn record_place(&self, name: i64, p: Place) -> Result<(Place, bool), NoGood> {
        let broken = self.tag_indent > 0 && name > self.tag_indent;
        let by = if broken { self.tag_indent } else { name };
        let column = p.column + by;
        let (length, most) = (self.layout.line_length, self.layout.most);
        self.check(most + column <= length || column <= length / 2)?;
        let before = if broken { 0 } else { p.before };
        Ok((Place { column, indent: p.indent + by, before, ..p }, broken))
    }

    /// The items of a composite from `next` on, the first of them right here.
    fn items(
        &mut self,
        node: Id,
        of: Of,
        next: usize,
        p: Place,
        bar: &'static str,
    ) -> Result<(), NoGood> {
        let (items, _) = self.layout.items(node);
        let Some(&item) = items.items.get(next) else {
            self.emit("...");
            return Ok(());
        };
        let closing = self.closing_after(items, next, p.closing);
        let place = Place { closing, ..p };
        let width = self.item_width(item, place);
        let before = match of {
            // Printing forgets what stood before the first pair, measuring does not.
            Of::Pairs if !self.measuring => width,
            _ => p.before + width,
        };
        let first = Place { before, ..p };
        let column = p.column + width;
        self.tasks.push(Task::Rest { node, of, next: next + 1, first, column, bar });
        self.item(item, place)
    }

    /// The width an item's successor should assume: a whole line if nothing may follow on the item's own.
    fn item_width(&self, id: Id, p: Place) -> i64 {
        let alone = !self.layout.fits(id, p) || !self.layout.is_flat(id);
        if alone { self.layout.line_length } else { self.layout.width(id) }
    }

    /// Puts an item here, above the task of what follows it.
    fn item(&mut self, id: Id, p: Place) -> Result<(), NoGood> {
        let layout = self.layout;
        if layout.fits(id, p) {
            self.write(id);
            return Ok(());
        }
        match layout.outline.nodes[id].shape {
            Shape::Pair(k, v) => {
                let by = if self.tag_indent > 0 { self.tag_indent } else { 4 };
                let (column, indent) = (p.column + by, p.indent + by);
                let value = Place { column, indent, before: 0, ..p };
                self.tasks.extend([Task::Node(v, value), Task::NewLine(indent)]);
                self.tasks.extend([Task::Text(" =>"), Task::Node(k, p)]);
            }
            Shape::Field { name, value } => {
                let width = layout.width(name) + 3;
                let p = Place { before: p.before + width, ..p };
                let (place, broken) = self.record_place(width, p)?;
                self.write(name);
                if broken {
                    self.emit(" =");
                    self.new_line(place.indent);
                } else {
                    self.emit(" = ");
                }
                self.tasks.push(Task::Node(value, place));
            }
            _ => self.tasks.push(Task::Node(id, p)),
        }
        Ok(())
    }

    fn rest(
        &mut self,
        node: Id,
        of: Of,
        next: usize,
        first: Place,
        column: i64,
        bar: &'static str,
    ) -> Result<(), NoGood> {
        let layout = self.layout;
        let (length, most) = (layout.line_length, layout.most);
        let (items, _) = layout.items(node);
        let (mut next, mut column, mut before) = (next, column, first.before);
        while let Some(&item) = items.items.get(next) {
            let closing = self.closing_after(items, next, first.closing);
            let width = 1 + layout.width(item);
            // An item that others follow needs room for the comma.
            let after = closing.max(1);
            if width < length - column - after
                && before + width + after <= most
                && layout.is_flat(item)
            {
                self.emit(",");
                self.write(item);
                (next, column, before) = (next + 1, column + width, before + width);
                continue;
            }
            self.emit(",");
            self.new_line(first.indent);
            let place = Place { closing, before: 0, ..first };
            let width = self.item_width(item, place);
            // Measuring fields goes on from the old column.
            let from = if of == Of::Fields && self.measuring { column } else { first.column };
            let first = Place { before: width, ..first };
            let column = from + width;
            self.tasks.push(Task::Rest { node, of, next: next + 1, first, column, bar });
            return self.item(item, place);
        }
        match items.end {
            End::Closed => {}
            End::Dots => {
                self.emit(bar);
                self.emit("...");
            }
            End::Tail(t) => {
                self.emit(bar);
                let p = Place { column, closing: first.closing + 1, before: before + 1, ..first };
                let width = layout.width(t) + 1;
                let room = length - column - p.closing;
                if width < room && width + before + p.closing <= most && layout.is_flat(t) {
                    self.write(t);
                } else {
                    self.new_line(first.indent);
                    // Measuring goes on from the old column.
                    let column = if self.measuring { column } else { first.column };
                    self.tasks.push(Task::Node(t, Place { column, before: 0, ..p }));
                }
            }
        }
        Ok(())
    }

    /// Numbers of a bit string, as many a line as fit.
    fn bits(&mut self, parts: &[String], p: Place) {
        let most = self.layout.most - 4 - p.before;
        let room = (self.layout.line_length - p.column - 2).min(most) - p.closing;
        let room = room.max(8);
        self.emit("<<");
        let mut left = room;
        for (i, part) in parts.iter().enumerate() {
            let last = i + 1 == parts.len();
            let width = part.len() as i64 + if last { 0 } else { 1 };
            if width > left {
                self.new_line(p.indent + 2);
                left = room;
            }
            left -= width;
            self.emit(part);
            if !last {
                self.emit(",");
            }
        }
        self.emit(">>");
    }
}
