//! Calls that are more than a jump: through imports, funs and names.

use crate::builtins::{Context, Native};
use crate::native::bounded;
use crate::process::{Process, Resource, State, Stop};
use crate::program::{FunLookup, Lookup, Program};
use crate::raise::{Raise, Top};
use crate::stack::Frame;
use reverl_lang::code::{FunId, ImportId, NOWHERE, Op, Reg, Target};
use reverl_term::{Atom, Fun, Term, atoms};

/// Where the arguments of a call are, and what comes after it.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    /// The register of the first argument.
    pub a0: Reg,
    /// How many arguments there are.
    pub n: u16,
    /// Nothing comes after it in the function that calls.
    pub tail: bool,
}

/// The full name of a function, without its arity.
#[derive(Clone, Copy)]
pub(crate) struct Callee {
    pub module: Atom,
    pub name: Atom,
}

/// What a call led to.
pub(crate) enum Entered {
    /// Code goes on at the process's new `pc`.
    Code,
    Stop(Stop),
}

impl Entered {
    /// An exception was raised: the process has caught it, or has ended.
    pub fn after_exception(is_caught: bool) -> Entered {
        if is_caught { Entered::Code } else { Entered::Stop(Stop::Ended) }
    }
}

impl Process {
    /// Stops again as a process did that waits already.
    pub(crate) fn wait_again(&self, program: &Program) -> Stop {
        match program.code.ins[self.pc as usize].op {
            Op::ReceiveWait { timeout, .. } if timeout != NOWHERE => {
                let timeout = self.arg(timeout).as_small().map(|t| t as u64);
                Stop::Wait { timeout }
            }
            _ => Stop::Wait { timeout: None },
        }
    }

    pub(crate) fn arg(&self, reg: Reg) -> &Term {
        &self.stack.terms[self.stack.base + reg as usize]
    }

    pub(crate) fn args(&self, a0: Reg, n: u16) -> &[Term] {
        let first = self.stack.base + a0 as usize;
        &self.stack.terms[first..first + n as usize]
    }

    fn args_of(&self, call: Call) -> Term {
        Term::list(self.args(call.a0, call.n).iter().cloned())
    }

    /// Enters the code of a function whose arguments are in place.
    pub(crate) fn enter(&mut self, program: &Program, fun: FunId, call: Call) -> Entered {
        let info = program.code.fun(fun);
        let a0 = call.a0 as usize;
        if call.tail {
            let base = self.stack.base;
            for i in 0..info.arity as usize {
                self.stack.terms.swap(base + i, base + a0 + i);
            }
        } else {
            let base = self.stack.base as u32;
            self.stack.frames.push(Frame { ret: self.pc + 1, base });
            self.stack.base += a0;
        }
        let top = self.stack.base + info.registers as usize;
        self.pc = info.entry;
        if top > program.limits.stack {
            return Entered::Stop(Stop::OutOf(Resource::Stack));
        }
        self.stack.ensure(top);
        Entered::Code
    }

    /// As `enter`, with the values that a closure holds put behind the arguments.
    pub(crate) fn enter_closure(
        &mut self,
        program: &Program,
        fun: FunId,
        env: &[Term],
        call: Call,
    ) -> Entered {
        let first = self.stack.base + call.a0 as usize + call.n as usize;
        self.stack.ensure(first + env.len());
        for (i, value) in env.iter().enumerate() {
            self.stack.terms[first + i] = value.clone();
        }
        self.enter(program, fun, call)
    }

    pub(crate) fn call_import(
        &mut self,
        program: &Program,
        import: ImportId,
        a0: Reg,
        tail: bool,
    ) -> Entered {
        let i = &program.code.imports[import.0 as usize];
        let call = Call { a0, n: i.arity, tail };
        match i.target.get() {
            Target::Unresolved => {
                let found = program.resolve(&self.local.seen, import);
                self.call_found(program, found, Callee { module: i.module, name: i.name }, call)
            }
            target => self.call_target(program, target, call),
        }
    }

    fn call_named(&mut self, program: &Program, callee: Callee, call: Call) -> Entered {
        let found = program.lookup(&self.local.seen, callee.module, callee.name, call.n);
        self.call_found(program, found, callee, call)
    }

    fn call_found(
        &mut self,
        program: &Program,
        found: Lookup,
        callee: Callee,
        call: Call,
    ) -> Entered {
        match found {
            Lookup::Found(target) => self.call_target(program, target, call),
            Lookup::Load(module) => Entered::Stop(Stop::Load(module)),
            Lookup::Undefined => self.call_undefined(program, callee, call),
            Lookup::Elsewhere => self.call_elsewhere(program, callee, call),
        }
    }

    pub(crate) fn call_target(&mut self, program: &Program, target: Target, call: Call) -> Entered {
        match target {
            Target::Fun(fun) => self.enter(program, fun, call),
            Target::Builtin(index) => self.call_builtin(program, index, call),
            Target::Unresolved => unreachable!("resolved before"),
        }
    }

    /// `apply` with the arguments in a list.
    pub(crate) fn apply_list(
        &mut self,
        program: &Program,
        is_fun: bool,
        args: &[Term],
        a0: Reg,
        tail: bool,
    ) -> Entered {
        let list = args.last().and_then(|list| list.to_vec());
        let Some(callee_args) = list.filter(|list| list.len() < 256) else {
            return self.raise_bad_apply(program, args);
        };
        let call = Call { a0, n: callee_args.len() as u16, tail };
        // The module must be there before the arguments are spread over those of `apply`.
        let callee = match (is_fun, args[0].as_fun()) {
            (true, Some(Fun::External { module, name, .. })) => Some((*module, *name)),
            (true, _) => None,
            (false, _) => args[0].as_atom().zip(args[1].as_atom()),
        };
        let callee = callee.map(|(module, name)| Callee { module, name });
        let missing = callee.and_then(|it| self.missing_for(program, it, &callee_args));
        if let Some(missing) = missing {
            return Entered::Stop(Stop::Load(missing));
        }
        let first = self.stack.base + a0 as usize;
        let after = first + callee_args.len();
        self.stack.ensure(after + 2);
        for (i, value) in callee_args.into_iter().enumerate() {
            self.stack.terms[first + i] = value;
        }
        self.stack.terms[after] = args[0].clone();
        if is_fun {
            return self.call_fun(program, call);
        }
        self.stack.terms[after + 1] = args[1].clone();
        self.apply(program, call)
    }

    /// Calls the fun that stands behind the arguments.
    pub(crate) fn call_fun(&mut self, program: &Program, call: Call) -> Entered {
        let callee = self.arg(call.a0 + call.n).clone();
        match callee.as_fun() {
            Some(fun) if fun.arity() != u32::from(call.n) => {
                let what = Term::tuple(vec![callee.clone(), self.args_of(call)]);
                self.raised(
                    program,
                    Raise::tagged(atoms::BADARITY, &what).by_call_of_fun(call.tail),
                )
            }
            Some(Fun::Local(closure)) => match program.function_of(closure) {
                FunLookup::Found(fun) => self.enter_closure(program, fun, &closure.env, call),
                FunLookup::Load(module) => Entered::Stop(Stop::Load(module)),
                FunLookup::NoModule => {
                    let entry = Term::tuple(vec![callee.clone(), self.args_of(call), Term::nil()]);
                    let undef = Raise::error(Term::atom(atoms::UNDEF));
                    self.raised(program, Raise { top: Top::Entry(entry), ..undef })
                }
                FunLookup::NoFunction => self.raise_badfun(program, &callee, call),
            },
            Some(Fun::External { module, name, .. }) => {
                self.call_named(program, Callee { module: *module, name: *name }, call)
            }
            None => self.raise_badfun(program, &callee, call),
        }
    }

    fn raise_badfun(&mut self, program: &Program, callee: &Term, call: Call) -> Entered {
        self.raised(program, Raise::tagged(atoms::BADFUN, callee).by_call_of_fun(call.tail))
    }

    /// Calls the function whose module and name stand behind the arguments.
    pub(crate) fn apply(&mut self, program: &Program, call: Call) -> Entered {
        let [module, name] = [0, 1].map(|i| self.arg(call.a0 + call.n + i).clone());
        match (module.as_atom(), name.as_atom()) {
            (Some(module), Some(name)) => self.call_named(program, Callee { module, name }, call),
            _ => self.raise_bad_apply(program, &[module, name, self.args_of(call)]),
        }
    }

    fn raise_bad_apply(&mut self, program: &Program, args: &[Term]) -> Entered {
        self.raised(program, Raise::badarg().by(atoms::ERLANG, Atom::new("apply"), args))
    }

    pub(crate) fn raised(&mut self, program: &Program, raise: Raise) -> Entered {
        Entered::after_exception(self.raise(program, raise))
    }

    pub(crate) fn or_ended(&self) -> Entered {
        match self.state {
            State::Ended => Entered::Stop(Stop::Ended),
            _ => Entered::Code,
        }
    }

    pub(crate) fn guard_call(
        &mut self,
        program: &Program,
        import: ImportId,
        a0: Reg,
    ) -> Result<Term, Raise> {
        let i = &program.code.imports[import.0 as usize];
        let target = match i.target.get() {
            Target::Unresolved => match program.resolve(&self.local.seen, import) {
                Lookup::Found(target) => target,
                _ => return Err(Raise::badarg()),
            },
            target => target,
        };
        let Target::Builtin(index) = target else { return Err(Raise::badarg()) };
        let builtin = Program::builtin(index);
        let Native::Function(function) = builtin.native else { return Err(Raise::badarg()) };
        let first = self.stack.base + a0 as usize;
        let args = &self.stack.terms[first..first + i.arity as usize];
        let mut context = Context { local: &mut self.local, program, builtin };
        bounded(|| function(&mut context, args))
    }
}
