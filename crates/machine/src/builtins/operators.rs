//! The operators of the language as functions of module `erlang`, and the type tests.

use super::{Builtin, function};
use crate::ops;
use crate::raise::Raise;
use reverl_lang::code::{Alu, TypeTest, Una};
use reverl_term::{Atom, BigInt, Term, View, compare};

/// A row for an operator of two operands.
macro_rules! binary {
    ($name:literal, $op:ident) => {
        function("erlang", $name, 2, |_, a| ops::alu(Alu::$op, &a[0], &a[1]))
    };
}

macro_rules! unary {
    ($name:literal, $op:ident) => {
        function("erlang", $name, 1, |_, a| ops::una(Una::$op, &a[0]))
    };
}

macro_rules! test {
    ($name:literal, $test:ident) => {
        function("erlang", $name, 1, |_, a| Ok(Term::bool(ops::type_test(TypeTest::$test, &a[0]))))
    };
}

pub const TABLE: &[Builtin] = &[
    binary!("+", Add),
    binary!("-", Sub),
    binary!("*", Mul),
    binary!("/", Div),
    binary!("div", IntDiv),
    binary!("rem", Rem),
    binary!("band", Band),
    binary!("bor", Bor),
    binary!("bxor", Bxor),
    binary!("bsl", Bsl),
    binary!("bsr", Bsr),
    binary!("and", And),
    binary!("or", Or),
    binary!("xor", Xor),
    binary!("++", Append),
    binary!("append", Append),
    binary!("--", Subtract),
    binary!("subtract", Subtract),
    binary!("==", Equal),
    binary!("/=", NotEqual),
    binary!("=<", LessEqual),
    binary!("<", Less),
    binary!(">=", GreaterEqual),
    binary!(">", Greater),
    binary!("=:=", ExactEqual),
    binary!("=/=", ExactNotEqual),
    unary!("+", Plus),
    unary!("-", Minus),
    unary!("not", Not),
    unary!("bnot", Bnot),
    test!("is_atom", Atom),
    test!("is_binary", Binary),
    test!("is_bitstring", Bitstring),
    test!("is_boolean", Boolean),
    test!("is_float", Float),
    test!("is_function", Function),
    test!("is_integer", Integer),
    test!("is_list", List),
    test!("is_map", Map),
    test!("is_number", Number),
    test!("is_pid", Pid),
    test!("is_port", Port),
    test!("is_reference", Reference),
    test!("is_tuple", Tuple),
    function("erlang", "is_function", 2, |_, a| is_function(&a[0], &a[1])),
    function("erlang", "is_integer", 3, |_, a| {
        if !a[1].is_integer() || !a[2].is_integer() {
            return Err(Raise::badarg());
        }
        let is_within = || compare(&a[1], &a[0]).is_le() && compare(&a[0], &a[2]).is_le();
        Ok(Term::bool(a[0].is_integer() && is_within()))
    })
    .since(29),
    // There are no native records.
    function("erlang", "is_record", 1, |_, _| Ok(Term::bool(false))).since(29),
    function("erlang", "is_record", 2, |_, a| {
        let Some(name) = a[1].as_atom() else { return Err(Raise::badarg()) };
        Ok(Term::bool(is_record(&a[0], name)))
    }),
    function("erlang", "is_record", 3, |c, a| {
        // A module and a name ask for a native record.
        if c.program.otp.release >= 29 && a[1].is_atom() && a[2].is_atom() {
            return Ok(Term::bool(false));
        }
        let (Some(name), true) = (a[1].as_atom(), a[2].is_integer()) else {
            return Err(Raise::badarg());
        };
        let size = a[0].as_tuple().map(<[Term]>::len);
        Ok(Term::bool(is_record(&a[0], name) && size.is_some() && size == a[2].as_usize()))
    }),
    function("erlang", "min", 2, |_, a| {
        let holds = ops::compare(Alu::LessEqual, &a[0], &a[1]);
        Ok(if holds.ok_or_else(Raise::system_limit)? { a[0].clone() } else { a[1].clone() })
    }),
    function("erlang", "max", 2, |_, a| {
        let holds = ops::compare(Alu::GreaterEqual, &a[0], &a[1]);
        Ok(if holds.ok_or_else(Raise::system_limit)? { a[0].clone() } else { a[1].clone() })
    }),
    function("erts_internal", "cmp_term", 2, |_, a| {
        Ok(Term::int(reverl_term::compare_exact(&a[0], &a[1]) as i64))
    }),
    function("erts_debug", "same", 2, |_, a| Ok(Term::bool(Term::raw_eq(&a[0], &a[1])))),
];

fn is_function(fun: &Term, arity: &Term) -> super::Value {
    let arity = match arity.view() {
        View::Int(n) if n >= 0 => Some(n),
        View::Big(n) if *n > BigInt::from(0) => None,
        _ => return Err(Raise::badarg()),
    };
    Ok(Term::bool(fun.as_fun().is_some_and(|f| Some(i64::from(f.arity())) == arity)))
}

fn is_record(t: &Term, name: Atom) -> bool {
    t.as_tuple().is_some_and(|t| t.first().is_some_and(|tag| tag.is_atom_eq(name)))
}
