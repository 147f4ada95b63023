//! Exceptions: what raises them, what they carry, how a stack trace is captured and shown.

use crate::library;
use reverl_lang::code::{Code, FunId, Op, Pc};
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
    /// The function that calls a fun which cannot be called. If something comes after the call,
    /// the BEAM has put the place to return to on the stack already, and shows the function twice.
    CallOfFun,
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

    /// The error `system_limit` of the built-in.
    pub fn system_limit() -> Raise {
        Raise::error(Term::atom(atoms::SYSTEM_LIMIT))
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

    /// What was called is not a fun for these arguments.
    pub fn by_call_of_fun(self, tail: bool) -> Raise {
        Raise { top: if tail { Top::Caller } else { Top::CallOfFun }, ..self }
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

    /// The trace begins with the recorded function that `reverl:recorded(Module, Name, Args)` stands
    /// for: a built-in with its arguments. Of others it is not known what they had called.
    pub(crate) fn by_recorded(self, call: &[Term]) -> Raise {
        let [module, name, args] = call else { return self };
        let (Some(module), Some(name)) = (module.as_atom(), name.as_atom()) else { return self };
        let args = args.to_vec().unwrap_or_default();
        if PRELOADED.contains(&module.name()) || module == Atom::new("ets") {
            return self.by(module, name, &args);
        }
        Raise { top: Top::Entry(entry(module, name, Term::int(args.len() as i64), vec![])), ..self }
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

/// Modules that OTP has in its emulator. They are compiled without line numbers.
const PRELOADED: &[&str] = &[
    "atomics",
    "counters",
    "erl_init",
    "erl_prim_loader",
    "erl_tracer",
    "erlang",
    "erts_code_purger",
    "erts_internal",
    "init",
    "persistent_term",
    "prim_buffer",
    "prim_eval",
    "prim_file",
    "prim_inet",
    "prim_net",
    "prim_socket",
    "prim_zip",
    "zlib",
];

/// The location of an instruction as the entry of a trace has it.
pub fn shown_location(code: &Code, module: Atom, pc: Pc) -> Vec<Term> {
    // What is ours in a module of OTP is not written in Erlang there.
    let file = code.sources.shown_at(code.place_at(pc)).map(|(file, _)| file);
    let is_amended = file.is_some_and(|file| file.starts_with(library::AMENDED_FILES));
    match is_amended || PRELOADED.contains(&module.name()) {
        true => vec![],
        false => location(code, pc),
    }
}

/// The list that Erlang shows for a raw trace. A function that OTP has inlined is part of its
/// caller: the caller's name stands with its place.
pub fn show_trace(code: &Code, raw: &Term) -> Term {
    let Some(parts) = raw.as_tuple() else { return raw.clone() };
    let mut entries = Vec::with_capacity(parts.len());
    let mut inner = None;
    if let Some([module, name, ..]) = parts[0].as_tuple() {
        entries.push(parts[0].clone());
        inner = module.as_atom().zip(name.as_atom());
    }
    let mut inlined_place = None;
    for (i, pc) in parts[1..].iter().enumerate() {
        let pc = pc.as_small().unwrap_or(0) as Pc;
        let info = code.fun(code.fun_at(pc));
        let callee = inner.replace((info.module, info.name));
        if inlined_place.is_none() && has_left_inlined(code, pc, callee) {
            continue;
        }
        let place = inlined_place.take().unwrap_or_else(|| shown_location(code, info.module, pc));
        let caller = parts.get(i + 2);
        let is_in_caller = match info.part_of {
            Some(outer) => caller.is_some_and(|caller| calls_fun_in(code, caller, outer)),
            None => info.inlined && caller.is_some_and(|it| is_called_locally(code, it, info.name)),
        };
        if is_in_caller {
            inlined_place = Some(place);
            continue;
        }
        let info = code.fun(whole_function(code, code.fun_at(pc)));
        let arity = Term::int(i64::from(info.arity));
        entries.push(entry(info.module, info.name, arity, place));
    }
    Term::list(entries)
}

/// Whether the frame is that of a call of an inlined function which came last in its caller, and
/// has called another one last itself: in OTP all three are one call.
fn has_left_inlined(code: &Code, pc: Pc, callee: Option<(Atom, Atom)>) -> bool {
    let Op::Call { fun, .. } = code.ins[pc as usize].op else { return false };
    let called = code.fun(fun);
    let comes_last =
        matches!(code.ins.get(pc as usize + 1), Some(next) if matches!(next.op, Op::Return { .. }));
    called.inlined && comes_last && callee.is_some_and(|it| it != (called.module, called.name))
}

/// Whether a frame is in a call of a function of this name in its own module.
pub fn is_called_locally(code: &Code, caller: &Term, name: Atom) -> bool {
    let pc = caller.as_small().unwrap_or(0) as usize;
    matches!(code.ins[pc].op, Op::Call { fun, .. } if code.fun(fun).name == name)
}

/// Whether a frame is in a call of a fun by this function.
fn calls_fun_in(code: &Code, caller: &Term, function: FunId) -> bool {
    let pc = caller.as_small().unwrap_or(0) as Pc;
    code.fun_at(pc) == function && matches!(code.ins[pc as usize].op, Op::CallFun { .. })
}

/// The function that OTP's compiler has made a fun a part of, or else itself.
fn whole_function(code: &Code, fun: FunId) -> FunId {
    code.fun(fun).part_of.map_or(fun, |outer| whole_function(code, outer))
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
