//! Claims about small terms; whole modules go through `tests/otp_forms.rs` and
//! `tests/round_trip.rs`.

use super::*;
use crate::source::SourceMap;
use reverl_term::{Atom, Term};

fn name(text: &str) -> Term {
    Term::atom(Atom::new(text))
}

fn read_forms(forms: Vec<Term>) -> Result<String, Unreadable> {
    let mut sources = SourceMap::default();
    let (module, _) = read(&Term::list(forms), &mut sources, &|_| None)?;
    Ok(crate::print::module(&module))
}

fn module_form() -> Term {
    Term::tuple(vec![name("attribute"), Term::small(1), name("module"), name("m")])
}

#[test]
fn a_form_that_is_not_known_is_named() {
    let odd = Term::tuple(vec![name("surprise"), Term::small(1), name("x")]);
    let answer = read_forms(vec![module_form(), odd]);
    assert_eq!(answer, Err(Unreadable("{surprise,1,x}".to_string())));
}

#[test]
fn no_module_is_an_error() {
    assert!(read_forms(vec![]).is_err());
    assert!(read_forms(vec![name("eof")]).is_err());
}

#[test]
fn annotations_may_be_lists() {
    let location = Term::tuple(vec![name("location"), Term::small(7)]);
    let anno = Term::list(vec![Term::tuple(vec![name("generated"), name("true")]), location]);
    let value = Term::list(vec![Term::small(1), name("x")]);
    let form = Term::tuple(vec![name("attribute"), anno, name("foo"), value]);
    assert_eq!(
        read_forms(vec![module_form(), form]).as_deref(),
        Ok("-module(m).\n-foo([1, x]).\n")
    );
}

#[test]
fn a_term_nested_too_deeply_is_refused() {
    let mut expr = Term::tuple(vec![name("nil"), Term::small(1)]);
    for _ in 0..100_000 {
        expr = Term::tuple(vec![name("tuple"), Term::small(1), Term::list(vec![expr])]);
    }
    let body = Term::list(vec![expr]);
    let clause = vec![name("clause"), Term::small(1), Term::NIL, Term::NIL, body];
    let clauses = Term::list(vec![Term::tuple(clause)]);
    let function = vec![name("function"), Term::small(1), name("f"), Term::small(0), clauses];
    let answer = read_forms(vec![module_form(), Term::tuple(function)]);
    assert!(answer.is_err_and(|e| e.0.contains("levels deep")));
}
