//! Guards and bodies of match specifications, checked before they run.

use super::call::{self, Function};
use super::pattern::variable;
use super::trace::Act;
use reverl_term::{Term, View};

/// A guard or body of a match specification.
pub enum Expr {
    Const(Term),
    Var(u32),
    /// `'$_'`: the whole term.
    Whole,
    /// `'$$'`: all variables.
    All,
    Tuple(Vec<Expr>),
    Cons(Box<Expr>, Box<Expr>),
    Map(Vec<(Expr, Expr)>),
    Call(Function, Vec<Expr>),
    /// What only a specification of traced calls can do.
    Act(Act, Vec<Expr>),
    /// All arguments are computed and must be booleans.
    And(Vec<Expr>),
    Or(Vec<Expr>),
    AndAlso(Vec<Expr>),
    OrElse(Vec<Expr>),
}

/// What expressions may use.
pub struct Allowed {
    /// The variables that the head binds.
    pub bound: Vec<u32>,
    /// It is about traced calls and messages, not about objects of a table.
    pub is_trace: bool,
}

impl Expr {
    /// Problems are added to `errors`; the expression is of no use then.
    pub fn compile(term: &Term, allowed: &Allowed, errors: &mut Vec<String>) -> Expr {
        if let Some(n) = variable(term) {
            if !allowed.bound.contains(&n) {
                errors.push(format!("Variable ${n} is unbound."));
            }
            return Expr::Var(n);
        }
        match term.view() {
            View::Atom(a) if a.name() == "$_" => Expr::Whole,
            View::Atom(a) if a.name() == "$$" => Expr::All,
            View::Tuple([inner]) if inner.as_tuple().is_some() => {
                let elements = inner.as_tuple().unwrap_or(&[]).iter();
                Expr::Tuple(elements.map(|t| Expr::compile(t, allowed, errors)).collect())
            }
            View::Tuple([name, args @ ..]) if name.is_atom() => {
                Expr::call(name, args, allowed, errors)
            }
            View::Tuple(_) => {
                errors.push(format!(
                    "{} is neither a function call, nor a tuple (tuples are written {{{{ ... }}}}).",
                    shown(term)
                ));
                Expr::Const(Term::nil())
            }
            View::Cons(..) => {
                let mut cells = term.list_iter();
                let heads: Vec<Expr> =
                    cells.by_ref().map(|t| Expr::compile(t, allowed, errors)).collect();
                let tail = Expr::compile(cells.tail(), allowed, errors);
                heads.into_iter().rev().fold(tail, |t, h| Expr::Cons(Box::new(h), Box::new(t)))
            }
            View::Map(map) => {
                let mut one = |t: &Term| Expr::compile(t, allowed, errors);
                Expr::Map(map.iter().map(|(k, v)| (one(k), one(v))).collect())
            }
            _ => Expr::Const(term.clone()),
        }
    }

    fn call(name: &Term, args: &[Term], allowed: &Allowed, errors: &mut Vec<String>) -> Expr {
        let text = name.as_atom().map_or("", |a| a.name());
        if let ("const", [value]) = (text, args) {
            return Expr::Const(value.clone());
        }
        let mut all = || args.iter().map(|t| Expr::compile(t, allowed, errors)).collect();
        match text {
            "and" if !args.is_empty() => return Expr::And(all()),
            "or" if !args.is_empty() => return Expr::Or(all()),
            "andalso" if !args.is_empty() => return Expr::AndAlso(all()),
            "orelse" if !args.is_empty() => return Expr::OrElse(all()),
            _ => {}
        }
        let args: Vec<Expr> = all();
        let act = Act::find(text, args.len()).filter(|_| allowed.is_trace);
        if let Some(act) = act {
            return Expr::Act(act, args);
        }
        match call::find(text, args.len()) {
            Some(function) => Expr::Call(function, args),
            None => {
                let name = shown(name);
                errors.push(format!("Function {name}/{} does_not_exist.", args.len()));
                Expr::Const(Term::nil())
            }
        }
    }
}

fn shown(term: &Term) -> String {
    reverl_term::fmt::write(term)
}
