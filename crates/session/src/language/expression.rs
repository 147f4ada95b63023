//! What a person types in Elixir, as Erlang: calls, variables and their fields, atoms, texts, lists,
//! tuples, numbers and most operators. It goes word by word; what it does not know stays as it is.

use super::{PREFIX, meant};
use reverl_term::{Atom, Term, fmt};

/// The same in Erlang, with these variables.
pub fn erlang(text: &str, bound: &[Atom]) -> String {
    let mut words = Words { rest: text, out: String::new(), bound };
    while !words.rest.is_empty() {
        words.next();
    }
    words.out
}

struct Words<'t> {
    rest: &'t str,
    out: String,
    bound: &'t [Atom],
}

/// The operators that Erlang writes in another way, longer ones first.
const OPERATORS: &[(&str, &str)] = &[
    ("===", "=:="),
    ("!==", "=/="),
    ("!=", "/="),
    ("<=", "=<"),
    ("&&", " andalso "),
    ("||", " orelse "),
];

/// Words that are operators in both languages, or whose meaning is another one in Erlang.
const KEYWORDS: &[(&str, &str)] = &[
    ("and", "andalso"),
    ("or", "orelse"),
    ("not", "not"),
    ("nil", "nil"),
    ("true", "true"),
    ("false", "false"),
    ("self", "self"),
];

fn atom(name: &str) -> String {
    fmt::write(&Term::atom(Atom::new(name)))
}

/// How long a name is at the beginning of a text.
fn name_length(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    end + usize::from(text[end..].starts_with(['?', '!']) && !text[end..].starts_with("!="))
}

impl<'t> Words<'t> {
    fn next(&mut self) {
        let rest = self.rest;
        let first = rest.chars().next().unwrap_or(' ');
        match first {
            '"' => self.text(),
            ':' if rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                let length = name_length(&rest[1..]);
                self.module_or_atom(&rest[1..1 + length], 1 + length);
            }
            c if c.is_ascii_uppercase() => self.alias(),
            c if c.is_alphabetic() || c == '_' => self.name(),
            c if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
                self.take(end.unwrap_or(rest.len()), |number| number.replace('_', ""));
            }
            '%' if rest[1..].starts_with('{') => self.take(1, |_| "#".into()),
            _ => match OPERATORS.iter().find(|(own, _)| rest.starts_with(own)) {
                Some((own, theirs)) => self.take(own.len(), |_| (*theirs).into()),
                None => self.take(first.len_utf8(), str::to_string),
            },
        }
    }

    fn take(&mut self, length: usize, write: impl FnOnce(&str) -> String) {
        let (word, rest) = self.rest.split_at(length);
        self.out.push_str(&write(word));
        self.rest = rest;
    }

    /// `"text"` is a binary.
    fn text(&mut self) {
        let mut escaped = false;
        let end = self.rest[1..].find(|c| {
            let is_end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            is_end
        });
        let length = end.map_or(self.rest.len(), |end| end + 2);
        self.take(length, |text| format!("<<{text}/utf8>>"));
    }

    /// `:lists.map(`, or an atom.
    fn module_or_atom(&mut self, name: &str, length: usize) {
        self.take(length, |_| atom(name));
        self.remote_name();
    }

    /// What follows a module: `.name(`.
    fn remote_name(&mut self) {
        let Some(rest) = self.rest.strip_prefix('.') else { return };
        let length = name_length(rest);
        if length > 0 {
            self.take(1 + length, |name| format!(":{}", atom(&name[1..])));
        }
    }

    /// `Enum`, `Enum.map(`, `My.Module.f(`.
    fn alias(&mut self) {
        let mut length = name_length(self.rest);
        while self.rest[length..].starts_with('.')
            && self.rest[length + 1..].starts_with(|c: char| c.is_ascii_uppercase())
        {
            length += 1 + name_length(&self.rest[length + 1..]);
        }
        self.take(length, |alias| atom(&format!("{PREFIX}{alias}")));
        self.remote_name();
    }

    /// A variable with its fields, a key, a function, or a word of the language.
    fn name(&mut self) {
        let length = name_length(self.rest);
        let (name, rest) = self.rest.split_at(length);
        let is_key = rest.starts_with(": ");
        if is_key {
            return self.take(length + 1, |_| format!("{} =>", atom(name)));
        }
        let Some(variable) = meant(name, self.bound) else {
            let known = KEYWORDS.iter().find(|(own, _)| *own == name);
            return self.take(length, |_| known.map_or(atom(name), |(_, theirs)| (*theirs).into()));
        };
        self.rest = rest;
        let mut value = variable.name().to_string();
        while let Some(field) = self.rest.strip_prefix('.') {
            let length = name_length(field);
            value = format!("maps:get({}, {value})", atom(&field[..length]));
            self.rest = &field[length..];
        }
        self.out.push_str(&value);
    }
}
