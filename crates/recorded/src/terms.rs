//! Terms of a recording.

use crate::format::ATOMS;
use crate::parts::RecordedValue;
use reverl_machine::raise::Top;
use reverl_machine::{Class, Raise};
use reverl_term::{Atom, Pid, Ref, Term, etf, fmt};

/// A term from its external format. All of a recording were read once when it was opened
/// (`check`), so nothing is lost here.
pub fn term(bytes: &[u8]) -> Term {
    decoded(bytes).unwrap_or_default()
}

/// A term from its external format, if the bytes are one.
pub fn decoded(bytes: &[u8]) -> Option<Term> {
    etf::decode(bytes, &etf::DecodeOptions::default()).ok().map(|(term, _)| term)
}

/// The pid that is recorded as `serial << 32 | id`.
pub fn pid(number: u64) -> Pid {
    Pid::local(number as u32, (number >> 32) as u32)
}

/// The term as text.
pub fn show(term: &Term) -> String {
    fmt::write(term)
}

/// A recorded value as a term.
pub fn value_of(value: &RecordedValue) -> Term {
    match value {
        RecordedValue::Int(n) => Term::int(*n),
        RecordedValue::Ref(words) => Term::reference(Ref::local(*words)),
        RecordedValue::Atom(i) => {
            Term::atom(Atom::new(ATOMS.get(*i as usize).unwrap_or(&"undefined")))
        }
        RecordedValue::Term(bytes) => term(bytes),
    }
}

/// The exception that is recorded as `{Class, Reason}`.
pub fn raise(exception: &Term) -> Raise {
    let (class, reason) = match exception.as_tuple() {
        Some([class, reason]) => (class.as_atom().map(|a| a.name()), reason.clone()),
        _ => (None, Term::nil()),
    };
    let class = match class {
        Some("exit") => Class::Exit,
        Some("throw") => Class::Throw,
        _ => Class::Error,
    };
    Raise { class, reason, top: Top::Builtin }
}
