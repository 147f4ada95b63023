//! Values as Elixir's `inspect` writes them, on one line.

use super::PREFIX;
use reverl_term::work::{self, WRITTEN};
use reverl_term::{Atom, Bits, Fun, Map, Term, View, fmt};

/// A value.
pub fn inspect(term: &Term) -> String {
    let mut out = String::new();
    write(term, &mut out, 0);
    out
}

/// Deeper than this, dots stand for the rest.
const MAX_DEPTH: usize = 200;

fn write(term: &Term, out: &mut String, depth: usize) {
    work::spend(WRITTEN);
    if depth > MAX_DEPTH {
        return out.push_str("...");
    }
    let below = depth + 1;
    match term.view() {
        View::Atom(atom) => out.push_str(&atom_text(atom)),
        View::Nil => out.push_str("[]"),
        View::Cons(..) => list(term, out, below),
        View::Tuple(parts) => {
            out.push('{');
            separated(parts.iter(), out, |part, out| write(part, out, below));
            out.push('}');
        }
        View::Map(map) => map_text(map, out, below),
        View::Bits(bits) => out.push_str(&bits_text(bits)),
        View::Pid(_) => out.push_str(&format!("#PID{}", fmt::write(term))),
        View::Ref(_) => out.push_str(&fmt::write(term).replacen("#Ref", "#Reference", 1)),
        View::Fun(fun) => out.push_str(&fun_text(fun)),
        _ => out.push_str(&fmt::write(term)),
    }
}

fn separated<T>(items: impl Iterator<Item = T>, out: &mut String, one: impl Fn(T, &mut String)) {
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        one(item, out);
    }
}

/// `:ok`, `nil`, `Enum`, `:"two words"`.
pub fn atom_text(atom: Atom) -> String {
    let name = atom.name();
    if matches!(name, "nil" | "true" | "false") {
        return name.to_string();
    }
    if let Some(alias) = name.strip_prefix(PREFIX).filter(|alias| is_alias(alias)) {
        return alias.to_string();
    }
    match is_plain(name) {
        true => format!(":{name}"),
        false => format!(":{}", quoted(name)),
    }
}

fn is_alias(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    name.split('.').all(is_part)
}

/// Whether an atom needs no quotes.
fn is_plain(name: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "+", "-", "*", "/", "=", "==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||", "!",
        "&", "|", "++", "--", "<>", "|>", "..", ".", "->", "<-", "=~", "%{}", "%", "{}", "<<>>",
        "^", "@", "::",
    ];
    let end = name.strip_suffix(['?', '!']).unwrap_or(name);
    let begins = end.starts_with(|c: char| c.is_alphabetic() || c == '_');
    begins && end.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@')
        || OPERATORS.contains(&name)
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{1b}' => out.push_str("\\e"),
            '\0' => out.push_str("\\0"),
            '#' if chars.peek() == Some(&'{') => out.push_str("\\#"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn is_printable(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\t' | '\r' | '\u{1b}')
}

fn list(term: &Term, out: &mut String, depth: usize) {
    let mut cells = term.list_iter();
    let items: Vec<&Term> = cells.by_ref().collect();
    let tail = cells.tail();
    if tail.is_nil() {
        let chars = items.iter().map(|t| char::from_u32(u32::try_from(t.as_small()?).ok()?));
        let chars: Option<String> = chars.collect();
        if let Some(text) = chars.filter(|text| text.chars().all(is_printable)) {
            return out.push_str(&format!("~c{}", quoted(&text)));
        }
    }
    out.push('[');
    if tail.is_nil() && items.iter().all(|item| keyword(item).is_some()) {
        let pairs = items.iter().filter_map(|item| keyword(item));
        separated(pairs, out, |(key, value), out| pair(key, value, out, depth));
    } else {
        separated(items.into_iter(), out, |item, out| write(item, out, depth));
    }
    if !tail.is_nil() {
        out.push_str(" | ");
        write(tail, out, depth);
    }
    out.push(']');
}

/// An element of a keyword list: a pair whose first is an atom that is not a module.
fn keyword(term: &Term) -> Option<(Atom, &Term)> {
    match term.as_tuple()? {
        [key, value] => Some((key.as_atom().filter(is_key)?, value)),
        _ => None,
    }
}

fn is_key(atom: &Atom) -> bool {
    !atom.name().strip_prefix(PREFIX).is_some_and(is_alias)
}

/// `key: value`
fn pair(key: Atom, value: &Term, out: &mut String, depth: usize) {
    match is_plain(key.name()) {
        true => out.push_str(key.name()),
        false => out.push_str(&quoted(key.name())),
    }
    out.push_str(": ");
    write(value, out, depth);
}

fn map_text(map: &Map, out: &mut String, depth: usize) {
    let pairs = map.sorted();
    let named = |name: &str| {
        pairs.iter().find(|(key, _)| key.is_atom_eq(Atom::new(name))).map(|(_, value)| *value)
    };
    let kind = named("__struct__").and_then(|kind| kind.as_atom());
    let kind = kind.filter(|kind| !is_key(kind)).map(atom_text);
    match (kind.as_deref(), named("first"), named("last"), named("step"), named("map")) {
        (Some("Range"), Some(first), Some(last), Some(step), _) => {
            write(first, out, depth);
            out.push_str("..");
            write(last, out, depth);
            if step.as_small() != Some(1) {
                out.push_str("//");
                write(step, out, depth);
            }
            return;
        }
        (Some("MapSet"), _, _, _, Some(members)) if members.as_map().is_some() => {
            let members = members.as_map().map(Map::sorted).unwrap_or_default();
            out.push_str("MapSet.new([");
            separated(members.iter(), out, |(key, _), out| write(key, out, depth));
            return out.push_str("])");
        }
        _ => {}
    }
    out.push('%');
    out.push_str(kind.as_deref().unwrap_or_default());
    out.push('{');
    let is_struct = |key: &Term| kind.is_some() && key.is_atom_eq(Atom::new("__struct__"));
    let fields: Vec<_> = pairs.iter().filter(|(key, _)| !is_struct(key)).collect();
    let all_keys = fields.iter().all(|(key, _)| key.as_atom().as_ref().is_some_and(is_key));
    separated(fields.iter(), out, |(key, value), out| match key.as_atom() {
        Some(key) if all_keys => pair(key, value, out, depth),
        _ => {
            write(key, out, depth);
            out.push_str(" => ");
            write(value, out, depth);
        }
    });
    out.push('}');
}

/// `"text"`, `<<1, 2>>`, `<<1, 2::size(3)>>`.
fn bits_text(bits: &Bits) -> String {
    let bytes = bits.to_vec();
    let rest = bits.bit_len() % 8;
    if rest == 0 {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            if text.chars().all(is_printable) {
                return quoted(text);
            }
        }
    }
    let last = bytes.len().saturating_sub(1);
    let parts = bytes.iter().enumerate().map(|(i, byte)| match i == last && rest > 0 {
        true => format!("{}::size({rest})", byte >> (8 - rest)),
        false => byte.to_string(),
    });
    format!("<<{}>>", parts.collect::<Vec<_>>().join(", "))
}

fn fun_text(fun: &Fun) -> String {
    match fun {
        Fun::External { module, name, arity } => {
            format!("&{}/{arity}", qualified(*module, *name))
        }
        Fun::Local(closure) => {
            let module = atom_text(closure.module);
            format!("#Function<{}.{}/{} in {module}>", closure.index, closure.uniq, closure.arity)
        }
    }
}

/// `Enum.map`, `:lists.map`, `Kernel."two words"`.
pub fn qualified(module: Atom, name: Atom) -> String {
    let name = name.name();
    let macros = name.strip_prefix("MACRO-").unwrap_or(name);
    match is_plain(macros) {
        true => format!("{}.{macros}", atom_text(module)),
        false => format!("{}.{}", atom_text(module), quoted(macros)),
    }
}

/// `Enum.map/2`; a function inside of another is `anonymous fn/1 in Enum.map/2`.
pub fn function(module: Atom, name: Atom, arity: u32) -> String {
    let inner = name.name().strip_prefix('-').and_then(|rest| rest.split_once("-fun-"));
    match inner.and_then(|(outer, _)| outer.rsplit_once('/')) {
        Some((outer, of)) => {
            format!("anonymous fn/{arity} in {}/{of}", qualified(module, Atom::new(outer)))
        }
        None => format!("{}/{arity}", qualified(module, name)),
    }
}
