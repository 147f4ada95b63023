//! Match specifications: the little language in which `ets` asks for objects, and tracing for calls.
//!
//! A specification is a list of clauses `{Head, Guards, Body}`. It is compiled once and then run
//! on terms.

mod call;
mod eval;
mod expr;
mod pattern;
mod trace;

use crate::raise::Raise;
use expr::{Allowed, Expr};
use pattern::Pattern;
use reverl_term::{Pid, Term, View, atoms};

pub use pattern::is_ground;
pub use trace::{Said, TraceResult};

/// What marks the term of a compiled specification. OTP has a reference to something hidden; here
/// the specification stays a plain value, so that undoing and replaying need not know of it.
const COMPILED: &str = "$compiled_match_spec";

/// How deeply a specification can be nested: all that is done with it recurses.
const MAX_DEPTH: usize = 3_500;

/// A compiled match specification.
pub struct Spec {
    clauses: Vec<Clause>,
}

struct Clause {
    head: Pattern,
    guards: Vec<Expr>,
    /// invariant: not empty, but for traced calls.
    body: Vec<Expr>,
    /// As they were written, for what must be proved about the key.
    head_term: Term,
    body_term: Term,
}

impl Spec {
    /// The same for the search of a table, where there may be no clause: then nothing fits.
    pub fn for_search(spec: &Term) -> Result<Spec, Raise> {
        if spec.is_nil() { Ok(Spec { clauses: vec![] }) } else { Spec::checked(spec) }
    }

    /// The compiled specification, or the exception of a function that is given it.
    pub fn checked(spec: &Term) -> Result<Spec, Raise> {
        if Spec::is_too_deep(spec) {
            return Err(Raise::error(Term::atom(atoms::SYSTEM_LIMIT)));
        }
        Spec::compile(spec).map_err(|_| Raise::badarg())
    }

    /// Whether it is nested more deeply than OTP would compile it.
    fn is_too_deep(spec: &Term) -> bool {
        let mut todo = vec![(spec, 0)];
        while let Some((term, depth)) = todo.pop() {
            if depth > MAX_DEPTH {
                return true;
            }
            match term.view() {
                View::Tuple(parts) => todo.extend(parts.iter().map(|part| (part, depth + 1))),
                View::Cons(..) => todo.extend(term.list_iter().map(|part| (part, depth + 1))),
                View::Map(map) => todo.extend(map.iter().map(|(_, value)| (value, depth + 1))),
                _ => {}
            }
        }
        false
    }

    /// The compiled specification, or what is wrong with it.
    pub fn compile(spec: &Term) -> Result<Spec, Vec<String>> {
        Spec::compile_as(spec, false)
    }

    fn compile_as(spec: &Term, is_trace: bool) -> Result<Spec, Vec<String>> {
        let mut errors = vec![];
        let mut compiled = vec![];
        for [head, guards, body] in clauses(spec)? {
            let guards = expressions(guards)?;
            if !is_trace && !matches!(body.view(), View::Cons(..)) {
                return Err(vec!["Body clause does not return anything.".to_string()]);
            }
            let exprs = expressions(body)?;
            let pattern = Pattern::compile(head);
            let allowed = Allowed { bound: pattern.variables(), is_trace };
            let mut all = |terms: &[Term]| -> Vec<Expr> {
                terms.iter().map(|t| Expr::compile(t, &allowed, &mut errors)).collect()
            };
            let (guards, exprs) = (all(&guards), all(&exprs));
            compiled.push(Clause {
                head: pattern,
                guards,
                body: exprs,
                head_term: head.clone(),
                body_term: body.clone(),
            });
        }
        if errors.is_empty() { Ok(Spec { clauses: compiled }) } else { Err(errors) }
    }

    /// The specification behind a term that `compiled` made.
    pub fn from_compiled(term: &Term) -> Option<Spec> {
        match term.as_tuple() {
            Some([tag, spec]) if tag.as_atom()?.name() == COMPILED => Spec::checked(spec).ok(),
            _ => None,
        }
    }

    /// The value for a term: of the first clause that fits.
    pub fn run(&self, term: &Term, own: Pid) -> Option<Term> {
        self.clauses.iter().find_map(|clause| {
            let bindings = clause.head.bind(term)?;
            let scope = eval::Scope { term, bindings: &bindings, own, doing: None };
            let holds = |guard: &Expr| {
                eval::guard(guard, &scope).is_some_and(|v| v.as_bool() == Some(true))
            };
            if !clause.guards.iter().all(holds) {
                return None;
            }
            clause.body.last().map(|expr| eval::body(expr, &scope))
        })
    }

    /// The keys that can match, if every clause names one: nothing else need be looked at.
    pub fn keys(&self, keypos: usize) -> Option<Vec<Term>> {
        let mut keys: Vec<Term> = vec![];
        for clause in &self.clauses {
            let key = clause.head_term.as_tuple().and_then(|t| t.get(keypos - 1))?;
            if !is_ground(key) {
                return None;
            }
            if !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        Some(keys)
    }

    /// Whether every result is an object with the key of the one it came from: proved from the
    /// text, as OTP does before it replaces objects.
    pub fn keeps_key(&self, keypos: usize) -> bool {
        self.clauses.iter().all(|clause| clause.keeps_key(keypos))
    }
}

impl Clause {
    fn keeps_key(&self, keypos: usize) -> bool {
        let Some(body) = self.body_term.to_vec().filter(|b| b.len() == 1) else { return false };
        if body[0].as_atom().is_some_and(|a| a.name() == "$_") {
            return true;
        }
        let made = match body[0].view() {
            View::Tuple([inner]) => inner.as_tuple(),
            View::Tuple([tag, inner]) if tag.as_atom().is_some_and(|a| a.name() == "const") => {
                inner.as_tuple()
            }
            _ => None,
        };
        let Some(key) = made.and_then(|t| t.get(keypos - 1)) else { return false };
        if let View::Tuple([f, n, of]) = key.view() {
            let whole = of.as_atom().is_some_and(|a| a.name() == "$_");
            let element = f.as_atom().is_some_and(|a| a.name() == "element");
            return whole && element && n.as_usize() == Some(keypos);
        }
        let head = self.head_term.as_tuple().and_then(|t| t.get(keypos - 1));
        head.is_some_and(|h| h == key && !h.is_atom_eq(reverl_term::atoms::UNDERSCORE))
    }
}

/// The parts of all clauses, or what is wrong with their shape.
fn clauses(spec: &Term) -> Result<Vec<&[Term; 3]>, Vec<String>> {
    let wrong = |text: &str| Err(vec![format!("Match program{text}")]);
    if !matches!(spec.view(), View::Cons(..)) {
        return wrong("s are not in a list.");
    }
    if spec.to_vec().is_none() {
        return wrong("s are not in a proper list.");
    }
    let mut found = vec![];
    for clause in spec.list_iter() {
        match clause.as_tuple().and_then(|parts| parts.try_into().ok()) {
            Some(parts) => found.push(parts),
            None => return wrong(" part is not a tuple of arity 3."),
        }
    }
    Ok(found)
}

/// The expressions of guards or a body.
fn expressions(list: &Term) -> Result<Vec<Term>, Vec<String>> {
    let wrong = |kind: &str| vec![format!("Match expression is not a {kind}.")];
    match list.view() {
        View::Nil => Ok(vec![]),
        View::Cons(..) => list.to_vec().ok_or_else(|| wrong("proper list")),
        _ => Err(wrong("list")),
    }
}

/// The term that stands for a compiled specification.
pub fn compiled(spec: &Term) -> Term {
    Term::tuple(vec![Term::atom_named(COMPILED), spec.clone()])
}

/// Whether this is the term of a compiled specification.
pub fn is_compiled(term: &Term) -> bool {
    Spec::from_compiled(term).is_some()
}

/// `[{Pattern, [], [What]}]`
pub fn simple(pattern: &Term, what: &str) -> Term {
    let body = Term::list([Term::atom_named(what)]);
    Term::list([Term::tuple(vec![pattern.clone(), Term::nil(), body])])
}
