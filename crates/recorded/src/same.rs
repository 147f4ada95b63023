//! When what was computed is what was recorded.
//!
//! Equal, except that funs have other names here, and that stack traces differ: one here ends where
//! the recording begins, and has the frames and lines that a compiler's optimiser would change. Code
//! that was compiled may have its debug info packed in another way.

use reverl_lang::beam::Beam;
use reverl_term::{Fun, Term, View};

pub fn same(told: &Term, own: &Term) -> bool {
    let mut work = vec![(told.clone(), own.clone())];
    while let Some((a, b)) = work.pop() {
        if a == b {
            continue;
        }
        match (a.view(), b.view()) {
            (View::Tuple(x), View::Tuple(y)) if x.len() == y.len() => {
                work.extend(x.iter().cloned().zip(y.iter().cloned()));
            }
            _ if a.is_list() && b.is_list() => match (a.to_vec(), b.to_vec()) {
                (Some(x), Some(y)) if is_trace(&x) && is_trace(&y) => {}
                (Some(x), Some(y)) if x.len() == y.len() => {
                    work.extend(x.into_iter().zip(y));
                }
                _ => return false,
            },
            (View::Map(x), View::Map(y)) if x.len() == y.len() => {
                for (key, value) in x.iter() {
                    match y.get(key) {
                        Some(other) => work.push((value.clone(), other.clone())),
                        None => return false,
                    }
                }
            }
            _ if is_same_code(&a, &b) => {}
            _ if a.as_fun().is_some() && b.as_fun().is_some() => {
                if a.as_fun().map(|f| f.arity()) != b.as_fun().map(|f| f.arity()) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

/// Whether both are the code of a module with the same chunks.
fn is_same_code(told: &Term, own: &Term) -> bool {
    let (Some(told), Some(own)) = (told.binary_bytes(), own.binary_bytes()) else { return false };
    if !told.starts_with(b"FOR1") || !own.starts_with(b"FOR1") {
        return false;
    }
    let (Ok(told), Ok(own)) = (Beam::new(&told), Beam::new(&own)) else { return false };
    told.is_same_as(&own)
}

/// A list of frames `{Module, Function, Arity, Location}`.
fn is_trace(list: &[Term]) -> bool {
    let is_frame = |t: &Term| match t.as_tuple() {
        Some([module, name, _, location]) => {
            module.is_atom() && name.is_atom() && location.is_list()
        }
        // What programs make of a frame themselves may lack the location.
        Some([module, name, arguments]) => {
            module.is_atom() && name.is_atom() && (arguments.is_list() || arguments.is_small())
        }
        _ => false,
    };
    !list.is_empty() && list.iter().all(is_frame)
}

/// The reason for an end without the stack trace that an error adds to it.
pub fn without_trace(reason: &Term) -> Term {
    match reason.as_tuple() {
        Some([bare, trace]) if trace.to_vec().is_some_and(|l| is_trace(&l)) => bare.clone(),
        _ => reason.clone(),
    }
}

/// As `same`; stack traces may differ in frames that only one side has.
pub fn same_reason(told: &Term, own: &Term) -> bool {
    same(told, own) || same(&without_trace(told), &without_trace(own))
}

/// Whether a term can be compared by its hash: it has none of what may differ where nothing went
/// another way.
pub fn has_stable_hash(t: &Term) -> bool {
    let mut work = vec![t.clone()];
    while let Some(t) = work.pop() {
        match t.view() {
            View::Fun(Fun::Local(_)) => return false,
            View::Tuple(parts) => work.extend(parts.iter().cloned()),
            View::Map(map) => work.extend(map.iter().flat_map(|(k, v)| [k.clone(), v.clone()])),
            View::Cons(..) => {
                let mut rest = t.clone();
                let mut parts = vec![];
                while let Some((head, tail)) = rest.as_cons().map(|(h, t)| (h.clone(), t.clone())) {
                    parts.push(head);
                    rest = tail;
                }
                if is_trace(&parts) {
                    return false;
                }
                work.extend(parts);
                work.push(rest);
            }
            _ => {}
        }
    }
    true
}
