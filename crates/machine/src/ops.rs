//! Operators, tests and comparisons on terms, as code uses them.

use crate::raise::{Class, Raise};
use reverl_lang::code::{Alu, Code, Failure, FunId, FunKind, TypeTest, Una};
use reverl_term::work;
use reverl_term::{
    Atom, Closure, Fun, Term, View, atoms, compare as order, exact_eq, loose_eq, num,
};
use std::cmp::Ordering;

pub fn alu(op: Alu, a: &Term, b: &Term) -> Result<Term, Raise> {
    Ok(match op {
        Alu::Add => num::add(a, b)?,
        Alu::Sub => num::sub(a, b)?,
        Alu::Mul => num::mul(a, b)?,
        Alu::Div => num::div(a, b)?,
        Alu::IntDiv => num::int_div(a, b)?,
        Alu::Rem => num::rem(a, b)?,
        Alu::Band => num::band(a, b)?,
        Alu::Bor => num::bor(a, b)?,
        Alu::Bxor => num::bxor(a, b)?,
        Alu::Bsl => num::bsl(a, b)?,
        Alu::Bsr => num::bsr(a, b)?,
        Alu::And => Term::bool(boolean(a)? & boolean(b)?),
        Alu::Or => Term::bool(boolean(a)? | boolean(b)?),
        Alu::Xor => Term::bool(boolean(a)? ^ boolean(b)?),
        Alu::Append => append(a, b)?,
        Alu::Subtract => subtract(a, b)?,
        comparison => match compare(comparison, a, b) {
            Some(holds) => Term::bool(holds),
            None => return Err(Raise::system_limit()),
        },
    })
}

/// The fast path of `+`: `None` unless both are small and the sum is.
#[inline(always)]
pub fn small_sum(a: &Term, b: &Term) -> Option<Term> {
    if Term::both_small(a, b) { Term::add_small(a, b) } else { None }
}

#[inline(always)]
pub fn small_difference(a: &Term, b: &Term) -> Option<Term> {
    if Term::both_small(a, b) { Term::sub_small(a, b) } else { None }
}

fn boolean(t: &Term) -> Result<bool, Raise> {
    t.as_bool().ok_or_else(Raise::badarg)
}

/// How many list cells one operation may copy. A program that copies more has gone wrong.
const MAX_COPIED: usize = 1 << 27;

pub fn append(a: &Term, b: &Term) -> Result<Term, Raise> {
    if a.is_nil() {
        return Ok(b.clone());
    }
    let items = a.to_vec().ok_or_else(Raise::badarg)?;
    if items.len() > MAX_COPIED {
        return Err(Raise::system_limit());
    }
    Ok(Term::list_with_tail(items, b.clone()))
}

/// `A -- B`: for each element of B, the first equal one of A is removed.
pub fn subtract(a: &Term, b: &Term) -> Result<Term, Raise> {
    let items = a.to_vec().ok_or_else(Raise::badarg)?;
    let remove = b.to_vec().ok_or_else(Raise::badarg)?;
    if remove.is_empty() {
        return Ok(a.clone());
    }
    let mut counts = std::collections::HashMap::new();
    for item in remove {
        *counts.entry(item).or_insert(0u32) += 1;
    }
    let kept = items.into_iter().filter(|item| match counts.get_mut(item) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    let kept: Vec<Term> = kept.collect();
    Ok(Term::list(kept))
}

pub fn una(op: Una, a: &Term) -> Result<Term, Raise> {
    match op {
        Una::Plus if a.is_number() => Ok(a.clone()),
        Una::Plus => Err(Raise::error(Term::atom(atoms::BADARITH))),
        Una::Minus => Ok(num::neg(a)?),
        Una::Bnot => Ok(num::bnot(a)?),
        Una::Not => Ok(Term::bool(!boolean(a)?)),
    }
}

/// Adds an integer that the program has written. The loader of OTP 25 makes an instruction of its
/// own for that, whose failure does not name the operator in the trace.
pub fn add_int(a: &Term, i: i32, names_operator: bool) -> Result<Term, Raise> {
    alu(Alu::Add, a, &Term::small(i64::from(i))).map_err(|raise| {
        if !names_operator {
            return raise.by_caller();
        }
        // What is subtracted was written without a sign.
        let op = if i < 0 { Alu::Sub } else { Alu::Add };
        operator(op, raise, a, &Term::small(i64::from(i).abs()))
    })
}

/// The exception of a failed operator: its trace begins with the operator as a function.
/// That of `/` does not, because OTP compiles it to instructions on floats.
pub fn operator(op: Alu, raise: Raise, a: &Term, b: &Term) -> Raise {
    if op == Alu::Div {
        return raise.by_caller();
    }
    raise.by(atoms::ERLANG, Atom::new(op.name()), &[a.clone(), b.clone()])
}

pub fn unary_operator(op: Una, raise: Raise, a: &Term) -> Raise {
    raise.by(atoms::ERLANG, Atom::new(op.name()), std::slice::from_ref(a))
}

/// As `alu`, but without the reason of a failure.
#[inline(never)]
pub fn value(op: Alu, a: &Term, b: &Term) -> Option<Term> {
    alu(op, a, b).ok()
}

/// `None` if the terms stand for more than can be compared.
#[inline]
pub fn compare(op: Alu, a: &Term, b: &Term) -> Option<bool> {
    match (a.as_small(), b.as_small()) {
        (Some(x), Some(y)) => Some(holds(op, x.cmp(&y))),
        _ => compare_terms(op, a, b),
    }
}

#[inline(never)]
fn compare_terms(op: Alu, a: &Term, b: &Term) -> Option<bool> {
    let compared = || match op {
        Alu::ExactEqual => exact_eq(a, b),
        Alu::ExactNotEqual => !exact_eq(a, b),
        Alu::Equal => loose_eq(a, b),
        Alu::NotEqual => !loose_eq(a, b),
        op => holds(op, order(a, b)),
    };
    match a.is_immediate() || b.is_immediate() {
        true => Some(compared()),
        false => work::within(work::MOST, compared).ok(),
    }
}

/// The elements of a value that is known to be a tuple.
#[inline]
pub fn elements(tuple: &Term) -> &[Term] {
    match tuple.as_tuple() {
        Some(elements) => elements,
        None => unreachable!("a tuple was matched before its elements"),
    }
}

#[inline]
pub fn compare_int(op: Alu, a: &Term, i: i16) -> Option<bool> {
    match a.as_small() {
        Some(x) => Some(holds(op, x.cmp(&i64::from(i)))),
        None => compare(op, a, &Term::small(i64::from(i))),
    }
}

#[inline]
fn holds(op: Alu, ordering: Ordering) -> bool {
    match op {
        Alu::Less => ordering.is_lt(),
        Alu::LessEqual => ordering.is_le(),
        Alu::Greater => ordering.is_gt(),
        Alu::GreaterEqual => ordering.is_ge(),
        Alu::Equal | Alu::ExactEqual => ordering.is_eq(),
        _ => ordering.is_ne(),
    }
}

#[inline]
pub fn type_test(test: TypeTest, t: &Term) -> bool {
    match test {
        TypeTest::Atom => t.is_atom(),
        TypeTest::Integer => t.is_integer(),
        TypeTest::List => t.is_list(),
        TypeTest::Tuple => t.as_tuple().is_some(),
        TypeTest::Boolean => t.as_bool().is_some(),
        TypeTest::Number => t.is_number(),
        TypeTest::Float => t.as_float().is_some(),
        TypeTest::Map => t.as_map().is_some(),
        TypeTest::Function => t.as_fun().is_some(),
        TypeTest::Binary => t.as_bits().is_some_and(|b| b.is_binary()),
        TypeTest::Bitstring => t.as_bits().is_some(),
        TypeTest::Pid => t.as_pid().is_some(),
        TypeTest::Port => t.as_port().is_some(),
        TypeTest::Reference => matches!(t.view(), View::Ref(_)),
    }
}

/// What code raises when nothing matches.
pub fn failure(failure: Failure, value: &Term) -> Raise {
    let tag = match failure {
        Failure::BadMatch => atoms::BADMATCH,
        Failure::CaseClause => atoms::CASE_CLAUSE,
        Failure::TryClause => atoms::TRY_CLAUSE,
        Failure::ElseClause => atoms::ELSE_CLAUSE,
        Failure::BadRecord => atoms::BADRECORD,
        Failure::BadGenerator => atoms::BAD_GENERATOR,
        Failure::BadGenerators => Atom::new("bad_generators"),
        Failure::BadFilter => atoms::BAD_FILTER,
        Failure::BadArgOf => atoms::BADARG,
        Failure::IfClause => {
            return Raise::of_caller(Class::Error, Term::atom(atoms::IF_CLAUSE));
        }
    };
    Raise::tagged(tag, value).by_caller()
}

pub fn check_timeout(timeout: &Term) -> Result<(), Raise> {
    let fits = timeout.as_small().is_some_and(|t| (0..=0xFFFF_FFFF).contains(&t));
    if fits || timeout.is_atom_eq(atoms::INFINITY) {
        return Ok(());
    }
    Err(Raise::of_caller(Class::Error, Term::atom(atoms::TIMEOUT_VALUE)))
}

pub fn caught_class(term: &Term) -> Class {
    Class::from_term(term).unwrap_or(Class::Error)
}

/// The number that distinguishes the funs of a function from all others.
fn uniq_of_fun(fun: FunId, arity: u16) -> u32 {
    u32::from(arity) + (fun.0 << 8)
}

/// The function of a number that `uniq_of_fun` made; of another one, any.
pub fn fun_of_uniq(uniq: u32) -> FunId {
    FunId(uniq >> 8)
}

/// A fun that closes over `env`; of a named function (`fun f/1`) it holds nothing.
pub fn closure(code: &Code, fun: FunId, env: &[Term]) -> Term {
    let info = code.fun(fun);
    let (index, uniq) = match (info.lambda, info.kind) {
        (Some(lambda), _) => (lambda.index, lambda.uniq),
        (None, FunKind::Closure { index, .. }) => (index, uniq_of_fun(fun, info.arity)),
        (None, _) => (0, uniq_of_fun(fun, info.arity)),
    };
    Term::fun(Fun::Local(Closure {
        module: info.module,
        name: info.name,
        index,
        uniq,
        new_uniq: [0; 16],
        arity: u32::from(info.arity) - env.len() as u32,
        code: Some(fun.0),
        env: env.into(),
    }))
}
