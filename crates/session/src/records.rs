//! Records by the names of their fields, and values on one line that show them so.

use crate::language;
use reverl_lang::code::Code;
use reverl_term::{Atom, Term, View};
use std::collections::HashMap;

/// The records of a program: name and number of fields say which. Two modules whose records of one
/// name have different fields make it unknown.
#[derive(Default)]
pub struct Records {
    fields: HashMap<(Atom, usize), Option<Vec<Atom>>>,
}

impl Records {
    /// The records that these modules declare.
    pub fn of(code: &Code) -> Records {
        let mut records = Records::default();
        for record in code.modules.values().flat_map(|module| &module.records) {
            let fields: Vec<Atom> = record.fields.iter().map(|f| f.name).collect();
            let known = records.fields.entry((record.name, fields.len()));
            let known = known.or_insert_with(|| Some(fields.clone()));
            if known.as_ref().is_some_and(|known| *known != fields) {
                *known = None;
            }
        }
        records
    }

    /// The names of the fields, if a term is a record.
    pub fn fields(&self, term: &Term) -> Option<&[Atom]> {
        let [tag, values @ ..] = term.as_tuple()? else { return None };
        let known = self.fields.get(&(tag.as_atom()?, values.len()))?;
        known.as_deref().filter(|fields| !fields.is_empty())
    }

    /// A term on one line, of at most so many characters, and whether there is more.
    pub fn line(&self, term: &Term, most: usize) -> (String, bool) {
        let mut line = Line { records: self, text: String::new(), most };
        line.write(term);
        match line.text.char_indices().nth(most) {
            Some((end, _)) => (line.text[..end].to_string(), true),
            None => (line.text, false),
        }
    }
}

struct Line<'r> {
    records: &'r Records,
    text: String,
    most: usize,
}

impl Line<'_> {
    fn is_full(&self) -> bool {
        self.text.len() > 4 * self.most
    }

    fn write(&mut self, term: &Term) {
        if self.is_full() {
            return;
        }
        if let (Some(fields), Some(values)) = (self.records.fields(term), term.as_tuple()) {
            self.text.push_str(&format!("#{}{{", language::value(&values[0])));
            for (i, (field, value)) in fields.iter().zip(&values[1..]).enumerate() {
                self.text.push_str(if i > 0 { "," } else { "" });
                self.text.push_str(&format!("{}=", language::value(&Term::atom(*field))));
                self.write(value);
            }
            self.text.push('}');
            return;
        }
        match term.view() {
            View::Tuple(parts) => self.between('{', parts.iter(), '}'),
            View::Cons(..) if !is_text(term) => self.list(term),
            View::Map(map) if map.len() <= self.most => {
                self.text.push_str("#{");
                for (i, (key, value)) in map.sorted().into_iter().enumerate() {
                    self.text.push_str(if i > 0 { "," } else { "" });
                    self.write(key);
                    self.text.push_str(" => ");
                    self.write(value);
                }
                self.text.push('}');
            }
            _ => self.text.push_str(&crate::brief::line(term, self.most).0),
        }
    }

    fn between<'t>(&mut self, open: char, parts: impl Iterator<Item = &'t Term>, close: char) {
        self.text.push(open);
        for (i, part) in parts.enumerate() {
            if self.is_full() {
                return;
            }
            self.text.push_str(if i > 0 { "," } else { "" });
            self.write(part);
        }
        self.text.push(close);
    }

    fn list(&mut self, term: &Term) {
        let mut cells = term.list_iter();
        self.text.push('[');
        let mut first = true;
        for part in cells.by_ref() {
            if self.is_full() {
                return;
            }
            self.text.push_str(if first { "" } else { "," });
            first = false;
            self.write(part);
        }
        if !cells.tail().is_nil() {
            self.text.push('|');
            let tail = cells.tail().clone();
            self.write(&tail);
        }
        self.text.push(']');
    }
}

/// A list of characters is written as text.
fn is_text(term: &Term) -> bool {
    let is_printable = |c: &Term| c.as_small().is_some_and(|c| c >= 32 || (7..=13).contains(&c));
    term.list_iter().take(100).all(is_printable)
}
