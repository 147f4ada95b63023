//! Running guards and bodies of match specifications.

use super::expr::Expr;
use super::pattern::Bindings;
use super::trace::Doing;
use reverl_term::{Map, Pid, Term};

/// What the parts of a match specification can see: the object and the variables.
pub struct Scope<'a> {
    pub term: &'a Term,
    pub bindings: &'a Bindings,
    /// The process that runs it.
    pub own: Pid,
    /// What is done beside, if it is about something that is traced.
    pub doing: Option<&'a Doing>,
}

/// What becomes of a call that fails.
#[derive(Clone, Copy)]
enum Failure {
    /// The whole guard fails.
    Ends,
    /// The call's value is `'EXIT'`, and the rest goes on.
    IsValue,
}

/// The value of a guard; `None` if something in it fails.
pub fn guard(expr: &Expr, scope: &Scope) -> Option<Term> {
    eval(expr, scope, Failure::Ends)
}

pub fn body(expr: &Expr, scope: &Scope) -> Term {
    eval(expr, scope, Failure::IsValue).unwrap_or_else(exit)
}

fn exit() -> Term {
    Term::atom(reverl_term::atoms::EXIT_UPPER)
}

fn eval(expr: &Expr, scope: &Scope, failure: Failure) -> Option<Term> {
    let value = |expr: &Expr| eval(expr, scope, failure);
    let result = match expr {
        Expr::Const(term) => Some(term.clone()),
        Expr::Var(n) => {
            let found = scope.bindings.binary_search_by_key(n, |(k, _)| *k);
            found.ok().map(|i| scope.bindings[i].1.clone())
        }
        Expr::Whole => Some(scope.term.clone()),
        Expr::All => {
            let all: Vec<Term> = scope.bindings.iter().map(|(_, t)| t.clone()).collect();
            Some(Term::list(all))
        }
        Expr::Tuple(parts) => {
            let parts: Option<Vec<Term>> = parts.iter().map(value).collect();
            parts.map(Term::tuple)
        }
        Expr::Cons(..) => list(expr, scope, failure),
        Expr::Map(pairs) => {
            let pairs: Option<Map> =
                pairs.iter().map(|(k, v)| Some((value(k)?, value(v)?))).collect();
            pairs.map(Term::map)
        }
        Expr::Call(function, args) => {
            let args: Vec<Term> = args.iter().map(value).collect::<Option<_>>()?;
            function(&args, scope.own)
        }
        Expr::Act(act, args) => {
            let args: Vec<Term> = args.iter().map(value).collect::<Option<_>>()?;
            scope.doing.and_then(|doing| doing.act(*act, &args))
        }
        Expr::And(args) => booleans(args, scope, failure, |a, b| a & b),
        Expr::Or(args) => booleans(args, scope, failure, |a, b| a | b),
        Expr::AndAlso(args) => in_turn(args, scope, failure, false),
        Expr::OrElse(args) => in_turn(args, scope, failure, true),
    };
    match failure {
        Failure::Ends => result,
        Failure::IsValue => Some(result.unwrap_or_else(exit)),
    }
}

fn list(expr: &Expr, scope: &Scope, failure: Failure) -> Option<Term> {
    let mut heads = vec![];
    let mut rest = expr;
    while let Expr::Cons(head, tail) = rest {
        heads.push(eval(head, scope, failure)?);
        rest = tail;
    }
    Some(Term::list_with_tail(heads, eval(rest, scope, failure)?))
}

fn booleans(
    args: &[Expr],
    scope: &Scope,
    failure: Failure,
    join: fn(bool, bool) -> bool,
) -> Option<Term> {
    let values: Vec<Term> = args.iter().map(|a| eval(a, scope, failure)).collect::<Option<_>>()?;
    let values: Vec<bool> = values.iter().map(Term::as_bool).collect::<Option<_>>()?;
    values.into_iter().reduce(join).map(Term::bool)
}

/// `andalso` and `orelse`: the last argument may be anything.
fn in_turn(args: &[Expr], scope: &Scope, failure: Failure, stop: bool) -> Option<Term> {
    let (last, tests) = args.split_last()?;
    for test in tests {
        if eval(test, scope, failure)?.as_bool()? == stop {
            return Some(Term::bool(stop));
        }
    }
    eval(last, scope, failure)
}
