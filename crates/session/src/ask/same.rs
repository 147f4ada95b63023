//! Terms of two versions of a program: funs are the same if they are the same fun of the source
//! and hold the same values.

use reverl_lang::code::{Code, FunId};
use reverl_machine::Program;
use reverl_term::{Fun, Map, Term, View, exact_eq};

/// Whether two values are the same but for their pids, references and funs.
pub fn same(a: &Term, b: &Term) -> bool {
    match (a.view(), b.view()) {
        (View::Cons(..), View::Cons(..)) => {
            let (mut left, mut right) = (a.list_iter(), b.list_iter());
            loop {
                match (left.next(), right.next()) {
                    (Some(x), Some(y)) if same(x, y) => {}
                    (None, None) => return same_tail(left.tail(), right.tail()),
                    _ => return false,
                }
            }
        }
        (View::Tuple(a), View::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (View::Map(a), View::Map(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        (View::Fun(Fun::Local(a)), View::Fun(Fun::Local(b))) => {
            (a.module, a.name, a.arity) == (b.module, b.name, b.arity)
                && a.env.len() == b.env.len()
                && a.env.iter().zip(&b.env).all(|(a, b)| same(a, b))
        }
        _ => exact_eq(a, b),
    }
}

fn same_tail(a: &Term, b: &Term) -> bool {
    a.is_nil() && b.is_nil() || same(a, b)
}

/// The function of another version of the program: same module, name and arity.
pub fn counterpart(from: &Code, fun: FunId, to: &Code) -> Option<FunId> {
    let info = from.fun(fun);
    let same = |f: &reverl_lang::code::FunInfo| {
        f.module == info.module && f.name == info.name && f.arity == info.arity
    };
    // A module that was loaded again has its newest functions last.
    to.funs.iter().rposition(same).map(|i| FunId(i as u32))
}

/// A term of one version for the other: its funs enter the other's code.
pub fn moved(term: &Term, from: &Code, to: &Program) -> Option<Term> {
    Some(match term.view() {
        View::Cons(..) => {
            let mut cells = term.list_iter();
            let items: Option<Vec<Term>> = cells.by_ref().map(|t| moved(t, from, to)).collect();
            let tail = cells.tail();
            let tail = if tail.is_nil() { Term::nil() } else { moved(tail, from, to)? };
            items?.into_iter().rev().fold(tail, |tail, head| Term::cons(head, tail))
        }
        View::Tuple(items) => {
            let items: Option<Vec<Term>> = items.iter().map(|t| moved(t, from, to)).collect();
            Term::tuple(items?)
        }
        View::Map(map) => {
            let mut out = Map::new();
            for (key, value) in map.iter() {
                out.insert(moved(key, from, to)?, moved(value, from, to)?);
            }
            Term::map(out)
        }
        View::Fun(Fun::Local(closure)) => {
            let mut other = closure.clone();
            if let Some(code) = closure.code {
                other.code = Some(counterpart(from, FunId(code), &to.code)?.0);
            }
            let env: Option<Vec<Term>> = closure.env.iter().map(|t| moved(t, from, to)).collect();
            other.env = env?.into();
            Term::fun(Fun::Local(other))
        }
        _ => term.clone(),
    })
}
