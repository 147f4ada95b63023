//! What a program wrote, made and deleted: kept here, in front of what is on the disk.
//!
//! Reading the disk is an input (`reverl:read_file/1`); this never is.

use super::console::text_of;
use super::{Reply, Row};
use crate::execution::ProcId;
use crate::object::{Object, Value};
use crate::system::System;
use reverl_term::{Atom, Map, Term, atoms};

pub const TABLE: &[Row] = &[
    ("reverl", "file_kept", 1, |s, p, a| {
        let none = Term::atom_named("none");
        Reply::value(files(s, p).get(&a[0]).cloned().unwrap_or(none))
    }),
    ("reverl", "file_write", 3, |s, p, a| write(s, p, a).unwrap_or_else(Reply::badarg)),
    ("reverl", "file_mark", 2, |s, p, a| {
        keep(s, p, &a[0], a[1].clone());
        Reply::value(Term::atom(atoms::OK))
    }),
    ("reverl", "file_children", 1, |s, p, a| children(s, p, a).unwrap_or_else(Reply::badarg)),
];

/// Paths with their bytes, or `deleted` or `directory`.
fn files(s: &mut System, p: ProcId) -> Map {
    let event = s.upcoming(p);
    match s.execution.objects.read(Object::Files, event) {
        Value::Terms(all) => all,
        _ => Map::new(),
    }
}

fn keep(s: &mut System, p: ProcId, path: &Term, what: Term) {
    let mut all = files(s, p);
    all.insert(path.clone(), what);
    let event = s.upcoming(p);
    s.execution.objects.write(Object::Files, event, Value::Terms(all));
}

/// The whole file, at its end, or from an offset on; between its end and that there are zeros.
fn write(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let bytes = a[2].binary_bytes()?;
    let kept = files(s, p).get(&a[0]).and_then(|f| Some(f.binary_bytes()?.to_vec()));
    let mut file = kept.unwrap_or_default();
    let at = match a[1].as_atom() {
        Some(whole) if whole == Atom::new("whole") => {
            file.clear();
            0
        }
        Some(_) => file.len(),
        None => a[1].as_usize()?,
    };
    let end = at.checked_add(bytes.len())?;
    file.resize(file.len().max(end), 0);
    file[at..end].copy_from_slice(&bytes);
    keep(s, p, &a[0], Term::binary(&file));
    Some(Reply::value(Term::atom(atoms::OK)))
}

/// Names in a directory with what is kept of them: `file`, `directory` or `deleted`.
fn children(s: &mut System, p: ProcId, a: &[Term]) -> Option<Reply> {
    let parent = text_of(&a[0])?;
    let parent = format!("{}/", parent.trim_end_matches('/'));
    let child = |(path, what): (&Term, &Term)| {
        let path = text_of(path)?;
        let name = path.strip_prefix(&parent).filter(|n| !n.is_empty() && !n.contains('/'))?;
        let what = if what.is_atom() { what.clone() } else { Term::atom_named("file") };
        Some(Term::tuple(vec![Term::string(name), what]))
    };
    let found: Vec<Term> = files(s, p).iter().filter_map(child).collect();
    Some(Reply::value(Term::list(found)))
}
