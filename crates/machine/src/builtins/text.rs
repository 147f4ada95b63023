//! Atoms as text, and reading text from terms.

use super::{Builtin, Value, function};
use crate::raise::Raise;
use reverl_term::{Atom, Term, atoms};

pub const TABLE: &[Builtin] = &[
    function("erlang", "atom_to_list", 1, |_, a| {
        a[0].as_atom().map(|a| Term::string(a.name())).ok_or_else(Raise::badarg)
    }),
    function("erlang", "list_to_atom", 1, |c, a| mint(c, &list(&a[0])?)),
    function("erlang", "list_to_existing_atom", 1, |_, a| existing(&list(&a[0])?)),
    function("erlang", "atom_to_binary", 1, |_, a| atom_to_binary(&a[0], None)),
    function("erlang", "atom_to_binary", 2, |_, a| atom_to_binary(&a[0], Some(&a[1]))),
    function("erlang", "binary_to_atom", 1, |c, a| mint(c, &binary(&a[0], None)?)),
    function("erlang", "binary_to_atom", 2, |c, a| mint(c, &binary(&a[0], Some(&a[1]))?)),
    function("erlang", "binary_to_existing_atom", 1, |_, a| existing(&binary(&a[0], None)?)),
    function("erlang", "binary_to_existing_atom", 2, |_, a| existing(&binary(&a[0], Some(&a[1]))?)),
    function("reverl", "uppercase", 1, |_, a| Ok(Term::string(&list(&a[0])?.to_uppercase()))),
    function("reverl", "lowercase", 1, |_, a| Ok(Term::string(&list(&a[0])?.to_lowercase()))),
];

/// How many characters an atom may have.
const MAX_ATOM: usize = 255;

fn mint(context: &super::Context, text: &str) -> Value {
    let full = Atom::existing(text).is_none() && Atom::count() >= context.program.limits.atoms;
    if full || text.chars().count() > MAX_ATOM {
        return Err(Raise::system_limit());
    }
    Ok(Term::atom(Atom::new(text)))
}

fn existing(text: &str) -> Value {
    Atom::existing(text).map(Term::atom).ok_or_else(Raise::badarg)
}

fn list(t: &Term) -> Result<String, Raise> {
    characters(t).filter(|_| t.is_list()).ok_or_else(Raise::badarg)
}

#[derive(PartialEq)]
enum Encoding {
    Latin1,
    Utf8,
}

fn encoding(t: Option<&Term>) -> Result<Encoding, Raise> {
    match t.map(|t| t.as_atom()) {
        None | Some(Some(atoms::UTF8 | atoms::UNICODE)) => Ok(Encoding::Utf8),
        Some(Some(atoms::LATIN1)) => Ok(Encoding::Latin1),
        _ => Err(Raise::badarg()),
    }
}

fn binary(t: &Term, of: Option<&Term>) -> Result<String, Raise> {
    let bytes = t.binary_bytes().ok_or_else(Raise::badarg)?;
    match encoding(of)? {
        Encoding::Latin1 => Ok(string(&bytes)),
        Encoding::Utf8 => String::from_utf8(bytes.to_vec()).map_err(|_| Raise::badarg()),
    }
}

fn atom_to_binary(t: &Term, to: Option<&Term>) -> Value {
    let name = t.as_atom().ok_or_else(Raise::badarg)?.name();
    if encoding(to)? == Encoding::Utf8 {
        return Ok(Term::binary(name.as_bytes()));
    }
    let bytes: Option<Vec<u8>> = name.chars().map(|c| u8::try_from(c as u32).ok()).collect();
    bytes.map(|bytes| Term::binary(&bytes)).ok_or_else(Raise::badarg)
}

/// The text of Latin-1 bytes.
pub fn string(bytes: &[u8]) -> String {
    bytes.iter().map(|b| *b as char).collect()
}

/// The text of a flat list of characters.
pub fn characters(t: &Term) -> Option<String> {
    let mut items = t.list_iter();
    let text: Option<String> =
        items.by_ref().map(|c| char::from_u32(u32::try_from(c.as_small()?).ok()?)).collect();
    text.filter(|_| items.tail().is_nil())
}

/// The text of a flat list of Latin-1 characters.
pub fn latin1(t: &Term) -> Option<String> {
    characters(t).filter(|text| text.chars().all(|c| c as u32 <= 255))
}
