//! Claims about the container; the code inside is compared in `tests/otp_forms.rs`.

use super::*;
use reverl_term::etf::{EncodeOptions, encode};

fn container(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"BEAM".to_vec();
    for (name, chunk) in chunks {
        body.extend_from_slice(*name);
        body.extend_from_slice(&(chunk.len() as u32).to_be_bytes());
        body.extend_from_slice(chunk);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    let mut file = b"FOR1".to_vec();
    file.extend_from_slice(&(body.len() as u32).to_be_bytes());
    file.extend_from_slice(&body);
    file
}

fn name(text: &str) -> Term {
    Term::atom_named(text)
}

fn forms() -> Term {
    let module = vec![name("attribute"), Term::small(1), name("module"), name("m")];
    Term::list(vec![Term::tuple(module)])
}

fn code(chunks: &[(&[u8; 4], Vec<u8>)]) -> Result<String, BeamError> {
    let file = container(chunks);
    Beam::new(&file)?.forms(&ErlangOnly).map(|forms| forms.to_string())
}

fn encoded(term: Term) -> Vec<u8> {
    encode(&term, &EncodeOptions::default())
}

#[test]
fn both_kinds_of_debug_info_are_read() {
    let both = Term::tuple(vec![forms(), Term::NIL]);
    let new = Term::tuple(vec![name("debug_info_v1"), name("erl_abstract_code"), both]);
    let old = Term::tuple(vec![name("raw_abstract_v1"), forms()]);
    assert_eq!(code(&[(b"Dbgi", encoded(new))]), Ok(forms().to_string()));
    assert_eq!(code(&[(b"Abst", encoded(old))]), Ok(forms().to_string()));
}

#[test]
fn what_the_compiler_was_told_to_export_is_exported() {
    let exports_all = |options: Vec<Term>| {
        let both = Term::tuple(vec![forms(), Term::list(options)]);
        let info = Term::tuple(vec![name("debug_info_v1"), name("erl_abstract_code"), both]);
        let file = container(&[(b"Dbgi", encoded(info))]);
        let mut sources = SourceMap::default();
        let read = read_bytes(&file, Path::new("m.beam"), &ErlangOnly, &mut sources);
        read.expect("it is one").0.export_all
    };
    assert!(exports_all(vec![name("debug_info"), name("export_all")]));
    assert!(!exports_all(vec![name("debug_info")]));
}

#[test]
fn what_is_missing_is_said() {
    let none = Term::tuple(vec![name("none"), Term::NIL]);
    let none = Term::tuple(vec![name("debug_info_v1"), name("erl_abstract_code"), none]);
    let elixir = Term::tuple(vec![name("debug_info_v1"), name("elixir_erl"), Term::NIL]);
    assert_eq!(code(&[(b"Dbgi", encoded(none))]), Err(BeamError::NoDebugInfo));
    assert_eq!(code(&[(b"Abst", vec![])]), Err(BeamError::NoDebugInfo));
    assert_eq!(code(&[]), Err(BeamError::NoDebugInfo));
    assert_eq!(code(&[(b"Dbgi", b"\0des3_cbc".to_vec())]), Err(BeamError::Encrypted));
    let other = code(&[(b"Dbgi", encoded(elixir))]).expect_err("it is not Erlang's");
    assert!(matches!(&other, BeamError::OtherLanguage { backend, .. } if backend == "elixir_erl"));
    assert!(BeamError::NoDebugInfo.hint().is_some_and(|h| h.contains("+debug_info")));
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    let file = container(&[(b"AtU8", b"\0\0\0\x01\x01m".to_vec())]);
    assert!(Beam::new(&file[..file.len() - 4]).is_err());
    assert!(Beam::new(b"").is_err());
    assert!(Beam::new(b"FOR1\0\0\0\0NOPE").is_err());
}

#[test]
fn both_atom_tables_are_read() {
    let file = container(&[(b"AtU8", "\0\0\0\x02\x01m\x02å".into())]);
    assert_eq!(Beam::new(&file).map(|b| b.atoms()), Ok(vec!["m".into(), "å".into()]));
    let file = container(&[(b"Atom", b"\0\0\0\x02\x01m\x01\xe5".to_vec())]);
    assert_eq!(Beam::new(&file).map(|b| b.atoms()), Ok(vec!["m".into(), "å".into()]));
}
