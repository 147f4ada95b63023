//! A second opinion on every moment of a process: a slow evaluator of the syntax tree.
//!
//! It shares nothing with lowering and the machine's loop. It follows one process of an execution
//! with the inputs that it had (messages, answers of the system, stack traces) and tells before
//! each step what the step is and what all calls in progress look like. A step is counted where
//! `docs/semantics.md` says so; patterns, guards and the choice of a clause count nothing.
#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

mod bits;
mod branch;
mod call;
mod comprehension;
mod expr;
mod names;
mod pattern;
mod trace;
mod trees;

pub use trace::{Position, Trace, trace};
pub use trees::{Trees, keeping_tree_of, keeping_trees};

use reverl_causal::{ActionKind, Entry, ProcId, System};
use reverl_lang::code::Rule;
use reverl_lang::source::Span;
use reverl_machine::{Class, Local};
use reverl_term::{Atom, Term};

/// A call in progress.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Each call has a number of its own, also one that takes the place of its caller.
    pub id: u64,
    pub module: Atom,
    pub function: Function,
    /// What it is about.
    pub at: Span,
    pub scope: Scope,
}

/// The variables that are bound, oldest first.
pub type Scope = Vec<(Atom, Term)>;

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Function {
    Named(Atom, u32),
    /// A `fun`, and where it was written.
    Fun(Span),
    /// A turn of a comprehension.
    Turn,
}

/// What comes after a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    Step(Rule),
    /// An exception that nothing catches was raised, or the first function has returned.
    End,
}

/// A position of a process.
pub struct Moment<'a> {
    pub step: u64,
    pub next: Next,
    /// The innermost call is the last one. Who changes a variable here asks what would have come
    /// of another value.
    pub frames: &'a mut [Frame],
}

/// Why an expression has no value.
enum Leave<'t> {
    Raise(Raised),
    /// The function goes on as another one.
    Tail(Callee<'t>, Vec<Term>),
    /// Nothing more was recorded, or the process waits.
    Over,
}

struct Raised {
    class: Class,
    reason: Term,
    /// Taken from the recorded execution when somebody looks at it.
    trace: Term,
}

type Eval<'t, T = Term> = Result<T, Leave<'t>>;

/// Something that can be called.
#[derive(Clone)]
enum Callee<'t> {
    Named(&'t reverl_lang::forms::Module, &'t reverl_lang::ast::Function),
    Fun(call::CalledFun<'t>),
    Builtin(u32),
    Undefined(Atom, Atom),
}

/// How far a process could be followed.
#[derive(Clone, Debug, PartialEq)]
pub enum Followed {
    /// To its last recorded position.
    All,
    /// Up to something whose tree is not there.
    Up { to: u64, because: String },
    /// Up to where the recorded process did something else.
    Differs(String),
}

/// The evaluator, while it follows one process.
pub struct Judge<'t, 'l> {
    system: &'t System,
    trees: &'t Trees,
    proc: ProcId,
    frames: Vec<Frame>,
    calls: u64,
    steps: u64,
    /// The last recorded position.
    end: u64,
    /// The position at which an exit signal killed it.
    killed: Option<u64>,
    next_action: usize,
    local: Local,
    /// In patterns and guards nothing is a step.
    is_quiet: bool,
    /// For operands that stand beside each other and are being evaluated, what those before have
    /// bound: a comprehension in the next one has variables of its own of these names.
    groups: Vec<Vec<Atom>>,
    /// What the head that is being matched hides: keys and sizes in it mean these.
    shadowed: Scope,
    /// The calls in progress when an exception was raised last.
    raised_in: Vec<Frame>,
    /// The first call as it was at its last step: who ends, ends with the variables it had.
    last: Vec<Frame>,
    cannot: Option<String>,
    differs: Option<String>,
    look: &'l mut dyn FnMut(&mut Moment),
}

/// Follows a process of an execution and shows each of its positions, in order.
pub fn follow(
    system: &System,
    trees: &Trees,
    proc: ProcId,
    look: &mut dyn FnMut(&mut Moment),
) -> Followed {
    let p = system.execution().proc(proc);
    let mut local = Local::new(p.pid, p.group_leader.clone());
    local.initial_call = p.entry.mfa();
    local.seen = p.seen.clone();
    let killed = p.actions.last().and_then(|a| match a.what() {
        ActionKind::Exit(exited) if exited.killed_by.is_some() => Some(a.step),
        _ => None,
    });
    let mut judge = Judge {
        system,
        trees,
        proc,
        frames: vec![],
        calls: 0,
        steps: 0,
        end: p.steps,
        killed,
        next_action: 0,
        local,
        is_quiet: false,
        groups: vec![],
        shadowed: vec![],
        raised_in: vec![],
        last: vec![],
        cannot: None,
        differs: None,
        look,
    };
    judge.whole(&p.entry)
}

impl<'t> Judge<'t, '_> {
    fn whole(&mut self, entry: &Entry) -> Followed {
        let args = match entry {
            Entry::Call { args, .. } | Entry::Fun { args, .. } => args.to_vec().unwrap_or_default(),
        };
        let callee = match entry {
            Entry::Call { module, name, .. } => Ok(self.callee(*module, *name, args.len())),
            Entry::Fun { fun, .. } => self.fun_callee(fun, &args),
        };
        let ended = match callee {
            Ok(Callee::Builtin(_)) => {
                self.cannot = Some("begins with a built-in".into());
                return self.followed();
            }
            Ok(callee) => self.apply(callee, args),
            Err(leave) => Err(leave),
        };
        match &ended {
            Err(Leave::Raise(_)) => self.frames = std::mem::take(&mut self.raised_in),
            Ok(_) => self.frames = std::mem::take(&mut self.last),
            Err(_) => {}
        }
        if !matches!(ended, Err(Leave::Over)) {
            // The exit itself is a step, which changes nothing.
            if self.steps + 1 < self.end {
                self.differs.get_or_insert(format!("it ends, not at {}", self.end));
            }
            while self.steps <= self.end {
                self.show(Next::End);
                self.steps += 1;
            }
        }
        self.followed()
    }

    fn followed(&mut self) -> Followed {
        match (self.differs.take(), self.cannot.take()) {
            (Some(how), _) => Followed::Differs(format!("at {}: {how}", self.steps)),
            (None, Some(because)) => Followed::Up { to: self.steps, because },
            (None, None) => Followed::All,
        }
    }

    fn show(&mut self, next: Next) {
        (self.look)(&mut Moment { step: self.steps, next, frames: &mut self.frames });
    }

    /// One step, which an expression at this place takes.
    fn step(&mut self, rule: Rule, span: Span) -> Eval<'t, ()> {
        if self.is_quiet {
            return Ok(());
        }
        self.frame().at = span;
        if self.frames.len() == 1 {
            self.last.clone_from(&self.frames);
        }
        self.show(Next::Step(rule));
        if self.killed == Some(self.steps + 1) {
            self.steps += 1;
            self.show(Next::End);
            return Err(Leave::Over);
        }
        if self.steps == self.end {
            return Err(Leave::Over);
        }
        self.steps += 1;
        Ok(())
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is in progress")
    }

    fn scope(&mut self) -> &mut Scope {
        &mut self.frame().scope
    }

    fn raise<T>(&mut self, class: Class, reason: Term) -> Eval<'t, T> {
        if !self.is_quiet {
            self.raised_in = self.frames.clone();
        }
        Err(Leave::Raise(Raised { class, reason, trace: Term::nil() }))
    }

    fn error<T>(&mut self, reason: Term) -> Eval<'t, T> {
        self.raise(Class::Error, reason)
    }

    /// `{Tag, Value}` as an error.
    fn error_of<T>(&mut self, tag: &str, value: Term) -> Eval<'t, T> {
        self.error(Term::tuple(vec![Term::atom(Atom::new(tag)), value]))
    }

    /// The recorded process has done something else: nothing more can be said.
    fn differs<T>(&mut self, how: String) -> Eval<'t, T> {
        self.differs = Some(how);
        Err(Leave::Over)
    }

    /// What cannot be followed ends the work.
    fn give_up<T>(&mut self, because: impl Into<String>) -> Eval<'t, T> {
        self.cannot = Some(because.into());
        Err(Leave::Over)
    }
}

/// Recursion of the program is recursion of the judge.
pub fn with_deep_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
