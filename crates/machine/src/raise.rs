//! Exceptions: what raises them, what they carry, how a stack trace is captured and shown.

use reverl_lang::code::{Code, Pc};
use reverl_term::{Atom, Map, Term, atoms};

/// The class of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `error`
    Error,
    /// `exit`
    Exit,
    /// `throw`
    Throw,
}

impl Class {
    /// The atom of the class.
    pub fn atom(self) -> Atom {
        match self {
            Class::Error => atoms::ERROR,
            Class::Exit => atoms::EXIT,
            Class::Throw => atoms::THROW,
        }
    }

    /// The class that the atom names.
    pub fn from_term(term: &Term) -> Option<Class> {
        match term.as_atom()? {
            atoms::ERROR => Some(Class::Error),
            atoms::EXIT => Some(Class::Exit),
            atoms::THROW => Some(Class::Throw),
            _ => None,
        }
    }
}

/// The exception that a built-in raises instead of returning a value.
#[derive(Clone)]
pub struct Raise {
    /// The class of the exception.
    pub class: Class,
    /// Its reason.
    pub reason: Term,
    /// What its stack trace begins with.
    pub top: Top,
}

/// What the stack trace begins with.
#[derive(Clone)]
pub enum Top {
    /// The built-in that failed, with its arguments; the machine fills them in.
    Builtin,
    /// The same, with the cause that `error_info` holds.
    Because(Atom),
    /// This entry.
    Entry(Term),
    /// The function that called it (`erlang:error/1`, `throw/1`).
    Caller,
    /// The same, showing these arguments (`erlang:error/2`).
    CallerArgs(Term),
    /// The function that called it, with arguments if given and this behind its location
    /// (`erlang:error/3`).
    CallerInfo(Option<Term>, Term),
    /// A complete trace (`erlang:raise/3`).
    Trace(Term),
}

impl Raise {
    /// An error of the built-in with this reason.
    pub fn error(reason: Term) -> Raise {
        Raise { class: Class::Error, reason, top: Top::Builtin }
    }

    /// The error `badarg` of the built-in.
    pub fn badarg() -> Raise {
        Raise::error(Term::atom(atoms::BADARG))
    }

    /// `badarg` with the cause that OTP reports.
    pub fn badarg_because(cause: &str) -> Raise {
        Raise { top: Top::Because(Atom::new(cause)), ..Raise::badarg() }
    }

    /// `{Tag, Value}` as an error.
    pub fn tagged(tag: Atom, value: &Term) -> Raise {
        Raise::error(Term::tuple(vec![Term::atom(tag), value.clone()]))
    }

    /// An exception that the caller of the built-in raises.
    pub fn of_caller(class: Class, reason: Term) -> Raise {
        Raise { class, reason, top: Top::Caller }
    }

    /// The trace begins with the function that ran, not with a built-in.
    pub fn by_caller(self) -> Raise {
        Raise { top: Top::Caller, ..self }
    }

    /// The trace begins with `module:name(args)`, unless it is known already.
    pub fn by(self, module: Atom, name: Atom, args: &[Term]) -> Raise {
        let cause = match self.top {
            Top::Builtin => None,
            Top::Because(cause) => Some(cause),
            _ => return self,
        };
        Raise { top: Top::Entry(builtin_entry(module, name, args, cause)), ..self }
    }
}

impl From<reverl_term::num::NumError> for Raise {
    fn from(error: reverl_term::num::NumError) -> Raise {
        Raise::error(Term::atom(match error {
            reverl_term::num::NumError::BadArith => atoms::BADARITH,
            reverl_term::num::NumError::SystemLimit => atoms::SYSTEM_LIMIT,
        }))
    }
}

/// An exception on its way to a handler. The trace is raw: `{Top, Pc1, Pc2, ..}`, made readable
/// only when somebody looks (`show_trace`), or a complete trace as a list.
#[derive(Clone)]
pub struct Exception {
    /// Its class.
    pub class: Class,
    /// Its reason.
    pub reason: Term,
    /// Its raw stack trace.
    pub trace: Term,
}

/// OTP's default `backtrace_depth`.
pub const TRACE_DEPTH: usize = 8;

/// The entry for a built-in that failed on these arguments.
pub fn builtin_entry(module: Atom, name: Atom, args: &[Term], cause: Option<Atom>) -> Term {
    let helper = match module.name() {
        "erlang" | "atomics" | "counters" | "persistent_term" | "erts_internal" => {
            "erl_erts_errors"
        }
        _ => "erl_stdlib_errors",
    };
    let mut info = Map::new();
    info.insert(Term::atom(Atom::new("module")), Term::atom(Atom::new(helper)));
    if let Some(cause) = cause {
        info.insert(Term::atom(atoms::CAUSE), Term::atom(cause));
    }
    let location = Term::tuple(vec![Term::atom(atoms::ERROR_INFO), Term::map(info)]);
    entry(module, name, Term::list(args.iter().cloned()), vec![location])
}

/// `{M, F, ArityOrArgs, Location}`
pub fn entry(module: Atom, name: Atom, arity_or_args: Term, location: Vec<Term>) -> Term {
    Term::tuple(vec![Term::atom(module), Term::atom(name), arity_or_args, Term::list(location)])
}

/// `[{file, File}, {line, Line}]` of an instruction.
pub fn location(code: &Code, pc: Pc) -> Vec<Term> {
    location_of_span(code, code.place_at(pc))
}

/// `[{file, File}, {line, Line}]` of a place in the source; empty if it has none.
pub fn location_of_span(code: &Code, span: reverl_lang::source::Span) -> Vec<Term> {
    match code.sources.shown_at(span) {
        Some((file, line)) if line > 0 => vec![
            Term::tuple(vec![Term::atom(atoms::FILE), Term::string(&file)]),
            Term::tuple(vec![Term::atom(atoms::LINE), Term::int(i64::from(line))]),
        ],
        _ => vec![],
    }
}

/// The list that Erlang shows for a raw trace.
pub fn show_trace(code: &Code, raw: &Term) -> Term {
    let Some(parts) = raw.as_tuple() else { return raw.clone() };
    let mut entries = Vec::with_capacity(parts.len());
    if !parts[0].is_nil() {
        entries.push(parts[0].clone());
    }
    for pc in &parts[1..] {
        let pc = pc.as_small().unwrap_or(0) as Pc;
        let info = code.fun(code.fun_at(pc));
        let arity = Term::int(i64::from(info.arity));
        entries.push(entry(info.module, info.name, arity, location(code, pc)));
    }
    entries.truncate(TRACE_DEPTH);
    Term::list(entries)
}

/// The value of `catch` for an exception.
pub fn catch_value(code: &Code, class: Class, reason: Term, raw: &Term) -> Term {
    let exit = |value: Term| Term::tuple(vec![Term::atom(atoms::EXIT_UPPER), value]);
    match class {
        Class::Throw => reason,
        Class::Exit => exit(reason),
        Class::Error => exit(Term::tuple(vec![reason, show_trace(code, raw)])),
    }
}
