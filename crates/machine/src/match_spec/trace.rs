//! Match specifications of what is traced: their terms are the arguments of a call, or a message and
//! who it concerns, and beside matching they say what is to be told and done.

use super::eval::{self, Scope};
use super::expr::Expr;
use super::{Spec, is_ground};
use reverl_term::{Atom, Pid, Term, View, atoms};
use std::cell::RefCell;

/// What a specification of something traced can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Act {
    ReturnTrace,
    ExceptionTrace,
    Caller,
    Message,
    Silent,
    Enable,
    Disable,
    /// It has no effect here, and the value that it has without one.
    Nothing(bool),
}

impl Act {
    pub fn find(name: &str, arity: usize) -> Option<Act> {
        Some(match (name, arity) {
            ("return_trace", 0) => Act::ReturnTrace,
            ("exception_trace", 0) => Act::ExceptionTrace,
            ("caller", 0) => Act::Caller,
            ("message", 1) => Act::Message,
            ("silent", 1) => Act::Silent,
            ("enable_trace", 1) => Act::Enable,
            ("disable_trace", 1) => Act::Disable,
            ("display", 1) | ("enable_trace" | "disable_trace", 2) => Act::Nothing(true),
            ("process_dump", 0) | ("set_tcw", 1) | ("set_seq_token", 2) => Act::Nothing(true),
            ("is_seq_trace", 0) => Act::Nothing(false),
            _ => return None,
        })
    }
}

/// What is told of something that is traced.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Said {
    /// That it happened.
    #[default]
    Plain,
    /// The same, with a value beside.
    With(Term),
    /// Nothing.
    Nothing,
}

/// What a specification says of something that it matches.
#[derive(Clone, Debug, Default)]
pub struct TraceResult {
    /// What is told.
    pub said: Said,
    /// The value of the call is told when it returns.
    pub returns: bool,
    /// The same, and the exception with which it ends.
    pub exceptions: bool,
    /// From now on the calls of the process are told, or not.
    pub silent: Option<bool>,
    /// Flags that the process has from now on, or not.
    pub flags: Vec<(bool, Atom)>,
}

/// What a specification does while it runs.
pub struct Doing {
    caller: Term,
    result: RefCell<TraceResult>,
}

impl Doing {
    pub fn act(&self, act: Act, args: &[Term]) -> Option<Term> {
        let mut result = self.result.borrow_mut();
        match act {
            Act::ReturnTrace => result.returns = true,
            Act::ExceptionTrace => (result.returns, result.exceptions) = (true, true),
            Act::Caller => return Some(self.caller.clone()),
            Act::Message => {
                result.said = match args[0].as_bool() {
                    Some(true) => Said::Plain,
                    Some(false) => Said::Nothing,
                    None => Said::With(args[0].clone()),
                };
            }
            Act::Silent => result.silent = args[0].as_bool().or(result.silent),
            Act::Enable => result.flags.push((true, args[0].as_atom()?)),
            Act::Disable => result.flags.push((false, args[0].as_atom()?)),
            Act::Nothing(value) => return Some(Term::bool(value)),
        }
        Some(Term::bool(true))
    }
}

impl Spec {
    /// The compiled specification, or what is wrong with it.
    pub fn compile_trace(spec: &Term) -> Result<Spec, Vec<String>> {
        let compiled = Spec::compile_as(spec, true)?;
        let is_head = |head: &Term| match head.view() {
            View::Cons(..) | View::Nil => true,
            View::Atom(name) => name == atoms::UNDERSCORE || !is_ground(head),
            _ => false,
        };
        match compiled.clauses.iter().all(|clause| is_head(&clause.head_term)) {
            true => Ok(compiled),
            false => Err(vec!["Match head is invalid in this context.".to_string()]),
        }
    }

    /// What it would say of something with these parts, and what it would want to be told later.
    pub fn tested(&self, parts: &Term, own: Pid) -> (Term, Term) {
        let Some(result) = self.trace(parts, own, Term::atom(atoms::UNDEFINED)) else {
            return (Term::bool(false), Term::nil());
        };
        let value = match result.said {
            Said::Plain => Term::bool(true),
            Said::With(value) => value,
            Said::Nothing => Term::bool(false),
        };
        let flags = [
            (result.returns && !result.exceptions, "return_trace"),
            (result.exceptions, "exception_trace"),
        ];
        let wanted = flags.iter().filter(|(is, _)| *is).map(|(_, name)| Term::atom_named(name));
        (value, Term::list(wanted.collect::<Vec<Term>>()))
    }

    /// A specification of traced calls, sends or receives; `None` if it is not one. One without
    /// clauses matches everything, as `true` does.
    pub fn of_trace(spec: &Term) -> Option<Spec> {
        if spec.is_nil() || spec.as_bool() == Some(true) {
            return Some(Spec { clauses: vec![] });
        }
        if Spec::is_too_deep(spec) {
            return None;
        }
        Spec::compile_trace(spec).ok()
    }

    /// What is to be told of something with these parts; `None` if no clause fits.
    pub fn trace(&self, parts: &Term, own: Pid, caller: Term) -> Option<TraceResult> {
        if self.clauses.is_empty() {
            return Some(TraceResult::default());
        }
        let doing = Doing { caller, result: RefCell::default() };
        let fits = self.clauses.iter().any(|clause| {
            let Some(bindings) = clause.head.bind(parts) else { return false };
            let doing = Some(&doing);
            let scope = Scope { term: parts, bindings: &bindings, own, doing };
            let holds = |guard: &Expr| {
                eval::guard(guard, &scope).is_some_and(|v| v.as_bool() == Some(true))
            };
            let fits = clause.guards.iter().all(holds);
            if fits {
                clause.body.iter().for_each(|expr| drop(eval::body(expr, &scope)));
            }
            fits
        });
        fits.then(|| doing.result.into_inner())
    }
}
