//! Which calls a program wants to be told of, and which of those that were begun are still open.
//!
//! A process that is traced runs in the same loop as others, which then stops where such a call
//! begins or is over. Who is told is not known here.

use crate::builtins::Native;
use crate::match_spec::Spec;
use crate::process::Process;
use crate::program::{Lookup, Program};
use crate::raise::Class;
use crate::run::Watch;
use reverl_lang::code::{FunId, ImportId, Op, Pc, Target};
use reverl_term::{Atom, Term};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The name of a function and the number of its arguments.
pub type Mfa = (Atom, Atom, u32);

/// What `trace_pattern` has set. Part of what a process sees of the code (`Edition`).
#[derive(Clone, Default)]
pub struct Patterns {
    /// In the order in which they were set.
    rules: Vec<Rule>,
    /// Which messages are told when they are sent, if not all.
    pub send: Option<Filter>,
    /// Which messages are told when they arrive, if not all.
    pub receive: Option<Filter>,
}

/// A match specification, compiled and as it was written.
#[derive(Clone)]
pub struct Filter {
    /// As it was written.
    pub text: Term,
    /// `None`: it matches nothing.
    pub spec: Option<Rc<Spec>>,
}

/// One call of `trace_pattern` for functions.
#[derive(Clone)]
pub struct Rule {
    /// The functions; `None` is any.
    pub module: Option<Atom>,
    /// The name.
    pub name: Option<Atom>,
    /// The number of arguments.
    pub arity: Option<u32>,
    /// Calls inside of a module count too.
    pub is_local: bool,
    /// Of the arguments. One that matches nothing ends the tracing of the functions.
    pub filter: Filter,
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} patterns", self.rules.len())
    }
}

impl Rule {
    fn is_about(&self, (module, name, arity): Mfa) -> bool {
        self.module.is_none_or(|m| m == module)
            && self.name.is_none_or(|n| n == name)
            && self.arity.is_none_or(|a| a == arity)
    }

    fn functions(&self) -> (Option<Atom>, Option<Atom>, Option<u32>) {
        (self.module, self.name, self.arity)
    }
}

impl Patterns {
    /// The same with one more.
    pub fn with(&self, rule: Rule) -> Patterns {
        let mut next = self.clone();
        let is_replaced = |old: &Rule| {
            old.functions() == rule.functions()
                && (old.is_local == rule.is_local || rule.filter.spec.is_some())
        };
        next.rules.retain(|old| !is_replaced(old));
        next.rules.push(rule);
        next
    }

    /// What was set for a function last. Ending the one kind of tracing leaves the other.
    pub fn rule(&self, function: Mfa) -> Option<&Rule> {
        let rules = self.rules.iter().filter(|rule| rule.is_about(function));
        rules.fold(None, |set: Option<&Rule>, rule| match rule.filter.spec {
            Some(_) => Some(rule),
            None => set.filter(|set| set.is_local != rule.is_local),
        })
    }
}

/// Where the calls of some patterns begin in code that is as long as this.
pub struct CallWatch {
    patterns: Rc<Patterns>,
    length: usize,
    /// All these places.
    pub watch: Watch,
    begins: HashMap<Pc, Begin>,
}

/// A place where a traced call begins.
#[derive(Clone, Copy)]
enum Begin {
    /// The first instruction of a function.
    Function(FunId),
    /// The instruction that calls a function that has no code.
    Builtin(ImportId),
}

/// A call that begins.
pub struct Begun {
    /// The function.
    pub function: Mfa,
    /// The list of its arguments.
    pub args: Term,
    /// The function that it returns to, if there is one.
    pub caller: Option<Mfa>,
    /// How many calls are below it.
    depth: usize,
    /// Where it is, if it has no code of its own and is not the last deed of its caller.
    site: Option<Pc>,
}

impl CallWatch {
    /// The places where calls of these patterns begin.
    pub fn new(program: &Program, patterns: &Rc<Patterns>) -> CallWatch {
        let code = &program.code;
        let mut begins = HashMap::new();
        for (i, fun) in code.funs.iter().enumerate() {
            if patterns.rule((fun.module, fun.name, u32::from(fun.arity))).is_some() {
                begins.insert(fun.entry, Begin::Function(FunId(i as u32)));
            }
        }
        let is_traced: Vec<bool> = code
            .imports
            .iter()
            .map(|import| {
                let found = program.lookup(&None, import.module, import.name, import.arity);
                let rule = patterns.rule((import.module, import.name, u32::from(import.arity)));
                matches!(found, Lookup::Found(Target::Builtin(_))) && rule.is_some()
            })
            .collect();
        if is_traced.iter().any(|is| *is) {
            for (pc, ins) in code.ins.iter().enumerate() {
                if let Op::CallRemote { import, .. } | Op::TailRemote { import, .. } = ins.op {
                    if is_traced[import.0 as usize] {
                        begins.insert(pc as Pc, Begin::Builtin(import));
                    }
                }
            }
        }
        let mut watch = Watch::default();
        begins.keys().for_each(|pc| watch.insert(*pc));
        CallWatch { patterns: patterns.clone(), length: code.ins.len(), watch, begins }
    }

    /// Whether it still holds: the patterns are these, and no code was added.
    pub fn is_of(&self, program: &Program, patterns: &Rc<Patterns>) -> bool {
        Rc::ptr_eq(&self.patterns, patterns) && self.length == program.code.ins.len()
    }
}

/// What is told when a call is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Its value.
    Return,
    /// Its value, or the exception that it ends with.
    Exception,
    /// Where it returns to.
    ReturnTo,
}

/// A call that is open, and of which something is told when it is over.
#[derive(Clone)]
struct Mark {
    function: Mfa,
    kind: MarkKind,
    depth: usize,
    site: Option<Pc>,
}

/// The open calls of a process of which something is told when they are over.
#[derive(Clone, Default)]
pub(crate) struct Marks {
    /// The innermost last.
    open: Vec<Mark>,
    /// The exception that has ended calls which are still in `open`.
    raised: Option<(Class, Term)>,
}

/// A call that is over.
pub struct Over {
    /// The function.
    pub function: Mfa,
    /// What is told.
    pub kind: MarkKind,
    /// Its value, or the exception that it ended with.
    pub outcome: Result<Term, (Class, Term)>,
    /// The function that goes on.
    pub goes_on: Option<Mfa>,
}

impl Process {
    /// The call that begins here, if it is one of these.
    pub fn begun(&self, program: &Program, calls: &CallWatch) -> Option<Begun> {
        let code = &program.code;
        let depth = self.stack.depth();
        let caller = self.stack.return_to().map(|ret| ret - 1);
        match *calls.begins.get(&self.pc)? {
            Begin::Function(fun) => {
                let info = code.fun(fun);
                let function = (info.module, info.name, u32::from(info.arity));
                let by = code.ins.get(self.came_from as usize).map(|ins| ins.op);
                let rule = calls.patterns.rule(function)?;
                if !rule.is_local && !is_remote(by) || is_of_builtin(program, by, function) {
                    return None;
                }
                let args = Term::list(self.args(0, info.arity).iter().cloned());
                let caller = self.named(program, caller);
                Some(Begun { function, args, caller, depth, site: None })
            }
            Begin::Builtin(import) => {
                let import = &code.imports[import.0 as usize];
                let (a0, is_last) = match code.ins[self.pc as usize].op {
                    Op::CallRemote { a0, .. } => (a0, false),
                    Op::TailRemote { a0, .. } => (a0, true),
                    _ => return None,
                };
                let function = (import.module, import.name, u32::from(import.arity));
                let args = Term::list(self.args(a0, import.arity).iter().cloned());
                let caller = if is_last { caller } else { Some(self.pc) };
                let site = (!is_last).then_some(self.pc);
                let caller = self.named(program, caller);
                Some(Begun { function, args, caller, depth, site })
            }
        }
    }

    /// The function that an instruction belongs to, unless it is what processes begin with.
    fn named(&self, program: &Program, pc: Option<Pc>) -> Option<Mfa> {
        let info = program.code.fun(program.code.fun_at(pc?));
        let is_boot = info.module.name() == "reverl_boot";
        (!is_boot).then_some((info.module, info.name, u32::from(info.arity)))
    }

    /// Something is to be told when a call that has just begun is over.
    pub fn mark(&mut self, begun: &Begun, kind: MarkKind) {
        let (function, depth, site) = (begun.function, begun.depth, begun.site);
        let marks = self.marks.get_or_insert_default();
        // Where a call returns to is told once, however many calls were its last deeds.
        let is_there = |mark: &Mark| mark.kind == MarkKind::ReturnTo && mark.depth == depth;
        if kind == MarkKind::ReturnTo && site.is_none() && marks.open.iter().any(is_there) {
            return;
        }
        marks.open.push(Mark { function, kind, depth, site });
    }

    /// Nothing more is told of the calls that are open.
    pub fn forget_marks(&mut self) {
        self.marks = None;
    }

    /// Whether a call is over of which something is to be told.
    pub fn has_left_call(&self) -> bool {
        let Some(mark) = self.marks.as_ref().and_then(|marks| marks.open.last()) else {
            return false;
        };
        self.is_over(mark)
    }

    fn is_over(&self, mark: &Mark) -> bool {
        let depth = self.stack.depth();
        let is_back = |site: Pc| depth == mark.depth && self.pc != site;
        self.ending().is_some() || depth < mark.depth || mark.site.is_some_and(is_back)
    }

    /// The calls that are over, the innermost first.
    pub fn take_over(&mut self, program: &Program) -> Vec<Over> {
        let mut over = vec![];
        while self.has_left_call() {
            let Some(mark) = self.marks.as_mut().and_then(|marks| marks.open.pop()) else { break };
            let raised = self.marks.as_ref().and_then(|marks| marks.raised.clone());
            let outcome = match (self.ending(), raised) {
                (Some(crate::Ending::Value(value)), _) => Ok(value.clone()),
                (Some(crate::Ending::Exception(e)), _) => Err((e.class, e.reason.clone())),
                (None, Some(raised)) => Err(raised),
                (None, None) => Ok(self.value_of_call(program)),
            };
            let goes_on = self.ending().is_none().then_some(self.pc);
            let goes_on = self.named(program, goes_on);
            over.push(Over { function: mark.function, kind: mark.kind, outcome, goes_on });
        }
        if let Some(marks) = self.marks.as_mut() {
            marks.raised = None;
        }
        self.marks.take_if(|marks| marks.open.is_empty());
        over
    }

    /// The value of the call behind which the process stands.
    fn value_of_call(&self, program: &Program) -> Term {
        match program.code.ins[self.pc as usize - 1].op {
            Op::Call { a0, .. }
            | Op::CallRemote { a0, .. }
            | Op::CallFun { a0, .. }
            | Op::Apply { a0, .. } => self.arg(a0).clone(),
            _ => Term::nil(),
        }
    }

    /// An exception has been caught: it may have ended calls of which something is to be told.
    pub(crate) fn note_caught(&mut self, class: Class, reason: &Term) {
        if self.has_left_call() {
            if let Some(marks) = self.marks.as_mut() {
                marks.raised = Some((class, reason.clone()));
            }
        }
    }
}

/// Whether a function was called by its full name.
fn is_remote(by: Option<Op>) -> bool {
    !matches!(by, Some(Op::Call { .. } | Op::TailCall { .. } | Op::Again { .. }))
}

/// Whether the call was told where it was made: the function is Erlang's way of doing what is
/// usually done natively.
fn is_of_builtin(program: &Program, by: Option<Op>, function: Mfa) -> bool {
    let Some(Op::CallRemote { import, .. } | Op::TailRemote { import, .. }) = by else {
        return false;
    };
    let import = &program.code.imports[import.0 as usize];
    let Target::Builtin(index) = import.target.get() else { return false };
    let is_native =
        matches!(Program::builtin(index).native, Native::Shortcut(_) | Native::Checked(_));
    is_native && (import.module, import.name, u32::from(import.arity)) == function
}
