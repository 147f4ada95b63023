//! An answer that is given from a recording, and what was computed beside it.

use reverl_term::{Fun, Term, View};

/// The answer that is given, with funs of the program as they were computed, where both are alike:
/// the compiler of a recorded node may have left out variables that a fun of the source keeps.
pub fn with_funs_of(given: &Term, own: &Term) -> Term {
    match (given.view(), own.view()) {
        (View::Fun(Fun::Local(told)), View::Fun(Fun::Local(made))) => {
            let is_same = told.module == made.module && told.arity == made.arity;
            if is_same { own.clone() } else { given.clone() }
        }
        (View::Tuple(told), View::Tuple(made)) if told.len() == made.len() => {
            if !told.iter().any(has_fun) {
                return given.clone();
            }
            let parts = told.iter().zip(made).map(|(told, made)| with_funs_of(told, made));
            Term::tuple(parts.collect::<Vec<_>>())
        }
        (View::Cons(..), View::Cons(..)) => match (given.to_vec(), own.to_vec()) {
            (Some(told), Some(made)) if told.len() == made.len() && has_fun(given) => {
                Term::list(told.iter().zip(&made).map(|(told, made)| with_funs_of(told, made)))
            }
            _ => given.clone(),
        },
        (View::Map(told), View::Map(made)) if told.iter().any(|(_, value)| has_fun(value)) => {
            let value = |key: &Term, told: &Term| match made.get(key) {
                Some(made) => with_funs_of(told, made),
                None => told.clone(),
            };
            Term::map_from(told.iter().map(|(k, v)| (k.clone(), value(k, v))).collect())
        }
        _ => given.clone(),
    }
}

fn has_fun(term: &Term) -> bool {
    match term.view() {
        View::Fun(_) => true,
        View::Tuple(parts) => parts.iter().any(has_fun),
        View::Cons(..) => term.list_iter().any(has_fun),
        View::Map(map) => map.iter().any(|(_, value)| has_fun(value)),
        _ => false,
    }
}
