//! Calls that are more than a jump: through imports, funs and names, to built-ins, to nothing.

use crate::builtins::{Builtin, Context, Control, Native};
use crate::process::{Answer, Process, Resource, State, Stop};
use crate::program::{FunLookup, Lookup, Program};
use crate::raise::{Raise, Top};
use crate::stack::Frame;
use reverl_lang::code::{FunId, ModuleInfo, NOWHERE, Op, Reg, Target};
use reverl_term::{Atom, Fun, Term, atoms};

/// OTP's handler of calls of functions that are not there.
const ERROR_HANDLER: &str = "error_handler";
const UNDEFINED_FUNCTION: &str = "undefined_function";

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

    /// Enters the code of a function whose arguments are in place from `a0` on.
    pub(crate) fn enter(&mut self, program: &Program, fun: FunId, a0: Reg, tail: bool) -> Entered {
        let info = program.code.fun(fun);
        if tail {
            let base = self.stack.base;
            for i in 0..info.arity as usize {
                self.stack.terms.swap(base + i, base + a0 as usize + i);
            }
        } else {
            let base = self.stack.base as u32;
            self.stack.frames.push(Frame { ret: self.pc + 1, base });
            self.stack.base += a0 as usize;
        }
        let top = self.stack.base + info.registers as usize;
        self.pc = info.entry;
        if top > program.limits.stack {
            return Entered::Stop(Stop::OutOf(Resource::Stack));
        }
        self.stack.ensure(top);
        Entered::Code
    }

    /// As `enter`, with what the closure holds put behind the arguments.
    pub(crate) fn enter_closure(
        &mut self,
        program: &Program,
        closure: &Term,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        let Some(Fun::Local(closure)) = closure.as_fun() else { unreachable!("a closure") };
        let FunLookup::Found(fun) = program.function_of(closure) else { unreachable!("found") };
        let first = self.stack.base + a0 as usize + n as usize;
        self.stack.ensure(first + closure.env.len());
        for (i, value) in closure.env.iter().enumerate() {
            self.stack.terms[first + i] = value.clone();
        }
        self.enter(program, fun, a0, tail)
    }

    pub(crate) fn call_import(
        &mut self,
        program: &Program,
        import: reverl_lang::code::ImportId,
        a0: Reg,
        tail: bool,
    ) -> Entered {
        let i = &program.code.imports[import.0 as usize];
        let target = match i.target.get() {
            Target::Unresolved => match program.resolve(&self.local.seen, import) {
                Lookup::Found(target) => target,
                Lookup::Load(module) => return Entered::Stop(Stop::Load(module)),
                Lookup::Undefined => {
                    return self.undefined(program, i.module, i.name, a0, i.arity, tail);
                }
                Lookup::Elsewhere => {
                    let handler = Atom::new(ERROR_HANDLER);
                    return self.handle_undefined(
                        program,
                        handler,
                        [i.module, i.name],
                        a0,
                        i.arity,
                        tail,
                    );
                }
            },
            target => target,
        };
        self.call_target(program, target, a0, i.arity, tail)
    }

    pub(crate) fn call_target(
        &mut self,
        program: &Program,
        target: Target,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        match target {
            Target::Fun(fun) => self.enter(program, fun, a0, tail),
            Target::Builtin(index) => self.call_builtin(program, index, a0, n, tail),
            Target::Unresolved => unreachable!("resolved before"),
        }
    }

    pub(crate) fn call_builtin(
        &mut self,
        program: &Program,
        index: u32,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        let builtin = Program::builtin(index);
        let args = self.args(a0, n).to_vec();
        match builtin.native {
            Native::Function(function) => {
                let mut context = Context { local: &mut self.local, program, builtin };
                match function(&mut context, &args) {
                    Ok(value) if tail => {
                        self.return_value(program, value);
                        self.or_ended()
                    }
                    Ok(value) => {
                        let at = self.stack.base + a0 as usize;
                        self.stack.terms[at] = value;
                        self.pc += 1;
                        Entered::Code
                    }
                    Err(raise) => {
                        let raise = builtin.raised(raise, &args);
                        self.raised(program, raise)
                    }
                }
            }
            Native::Shortcut(function) => match function(&args) {
                Some(value) if tail => {
                    self.return_value(program, value);
                    self.or_ended()
                }
                Some(value) => {
                    let at = self.stack.base + a0 as usize;
                    self.stack.terms[at] = value;
                    self.pc += 1;
                    Entered::Code
                }
                None => self.call_definition(program, builtin, a0, n, tail),
            },
            Native::System => {
                let to = if tail { Answer::Return(a0) } else { Answer::To(a0) };
                self.state = State::Asking { to, builtin: Some(index) };
                Entered::Stop(Stop::Request { builtin: index, args })
            }
            Native::Control(control) => self.control(program, control, args, a0, tail),
        }
    }

    /// The Erlang definition of a function that also has a shortcut.
    pub(crate) fn call_definition(
        &mut self,
        program: &Program,
        builtin: &Builtin,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        let (module, name) = (Atom::new(builtin.module), Atom::new(builtin.name));
        match program.code.exported(module, name, u32::from(n)) {
            Some(fun) => self.enter(program, fun, a0, tail),
            None if program.is_loaded(module) || program.is_missing(module) => {
                self.undefined(program, module, name, a0, n, tail)
            }
            None => Entered::Stop(Stop::Load(module)),
        }
    }

    /// Built-ins that are themselves calls.
    pub(crate) fn control(
        &mut self,
        program: &Program,
        control: Control,
        args: Vec<Term>,
        a0: Reg,
        tail: bool,
    ) -> Entered {
        match control {
            Control::Apply | Control::ApplyFun => {
                let is_fun = matches!(control, Control::ApplyFun);
                self.apply_list(program, is_fun, &args, a0, tail)
            }
            Control::ForgetCallers => {
                let registers = program.code.fun(program.code.fun_at(self.pc)).registers as usize;
                self.stack.forget_callers(registers);
                self.give(program, a0, Ok(Term::atom(atoms::OK)))
            }
            Control::KeepMessage => {
                self.mailbox.keep(args[0].clone());
                self.give(program, a0, Ok(Term::atom(atoms::OK)))
            }
        }
    }

    /// `apply` with the arguments in a list.
    fn apply_list(
        &mut self,
        program: &Program,
        is_fun: bool,
        args: &[Term],
        a0: Reg,
        tail: bool,
    ) -> Entered {
        let list = args.last().and_then(|list| list.to_vec());
        let callee_args = match list {
            Some(list) if list.len() < 256 => list,
            _ => {
                let name = reverl_term::Atom::new("apply");
                let raise = Raise::badarg().by(atoms::ERLANG, name, args);
                return self.raised(program, raise);
            }
        };
        let n = callee_args.len() as u16;
        // The module must be there before the arguments are spread over those of `apply`.
        let callee = match (is_fun, args[0].as_fun()) {
            (true, Some(Fun::External { module, name, .. })) => Some((*module, *name)),
            (true, _) => None,
            (false, _) => args[0].as_atom().zip(args[1].as_atom()),
        };
        if let Some((module, name)) = callee {
            if let Some(missing) = self.missing_for(program, module, name, n) {
                return Entered::Stop(Stop::Load(missing));
            }
        }
        let first = self.stack.base + a0 as usize;
        self.stack.ensure(first + callee_args.len() + 2);
        for (i, value) in callee_args.into_iter().enumerate() {
            self.stack.terms[first + i] = value;
        }
        let after = first + n as usize;
        self.stack.terms[after] = args[0].clone();
        if is_fun {
            return self.call_fun(program, a0, n, tail);
        }
        self.stack.terms[after + 1] = args[1].clone();
        self.apply(program, a0, n, tail)
    }

    pub(crate) fn call_fun(&mut self, program: &Program, a0: Reg, n: u16, tail: bool) -> Entered {
        let callee = self.arg(a0 + n).clone();
        match callee.as_fun() {
            Some(fun) if fun.arity() != u32::from(n) => {
                let args = Term::list(self.args(a0, n).iter().cloned());
                let what = Term::tuple(vec![callee.clone(), args]);
                self.raised(program, Raise::tagged(atoms::BADARITY, &what).by_caller())
            }
            Some(Fun::Local(closure)) => match program.function_of(closure) {
                FunLookup::Found(_) => self.enter_closure(program, &callee, a0, n, tail),
                FunLookup::Load(module) => Entered::Stop(Stop::Load(module)),
                FunLookup::NoModule => {
                    let args = Term::list(self.args(a0, n).iter().cloned());
                    let entry = Term::tuple(vec![callee.clone(), args, Term::nil()]);
                    let undef = Raise::error(Term::atom(atoms::UNDEF));
                    self.raised(program, Raise { top: Top::Entry(entry), ..undef })
                }
                FunLookup::NoFunction => {
                    self.raised(program, Raise::tagged(atoms::BADFUN, &callee).by_caller())
                }
            },
            Some(Fun::External { module, name, .. }) => {
                self.call_named(program, *module, *name, a0, n, tail)
            }
            None => self.raised(program, Raise::tagged(atoms::BADFUN, &callee).by_caller()),
        }
    }

    pub(crate) fn apply(&mut self, program: &Program, a0: Reg, n: u16, tail: bool) -> Entered {
        let (module, name) = (self.arg(a0 + n).as_atom(), self.arg(a0 + n + 1).as_atom());
        let (Some(module), Some(name)) = (module, name) else {
            let args = Term::list(self.args(a0, n).iter().cloned());
            let all = [self.arg(a0 + n).clone(), self.arg(a0 + n + 1).clone(), args];
            let apply = reverl_term::Atom::new("apply");
            let raise = Raise::badarg().by(atoms::ERLANG, apply, &all);
            return self.raised(program, raise);
        };
        self.call_named(program, module, name, a0, n, tail)
    }

    fn call_named(
        &mut self,
        program: &Program,
        module: Atom,
        name: Atom,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        match program.lookup(&self.local.seen, module, name, n) {
            Lookup::Found(target) => self.call_target(program, target, a0, n, tail),
            Lookup::Load(module) => Entered::Stop(Stop::Load(module)),
            Lookup::Undefined => self.undefined(program, module, name, a0, n, tail),
            Lookup::Elsewhere => {
                let handler = Atom::new(ERROR_HANDLER);
                self.handle_undefined(program, handler, [module, name], a0, n, tail)
            }
        }
    }

    pub(crate) fn undefined(
        &mut self,
        program: &Program,
        module: Atom,
        name: Atom,
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        if let Some(handler) = self.undefined_handler(program, module) {
            return self.handle_undefined(program, handler, [module, name], a0, n, tail);
        }
        let args = self.args(a0, n).to_vec();
        Entered::after_exception(self.raise_undef(program, module, name, &args, tail))
    }

    /// The module that must be loaded before this call can be made.
    fn missing_for(&self, program: &Program, module: Atom, name: Atom, n: u16) -> Option<Atom> {
        let handler = match program.lookup(&self.local.seen, module, name, n) {
            Lookup::Found(_) => return None,
            Lookup::Load(module) => return Some(module),
            Lookup::Undefined => self.undefined_handler(program, module)?,
            Lookup::Elsewhere => Atom::new(ERROR_HANDLER),
        };
        match program.lookup(&self.local.seen, handler, Atom::new(UNDEFINED_FUNCTION), 3) {
            Lookup::Load(module) => Some(module),
            _ => None,
        }
    }

    /// The module that handles a call of what is not there, if the process or the module called
    /// has one. Nobody can tell whether OTP's own was asked where it would only raise `undef`.
    fn undefined_handler(&self, program: &Program, module: Atom) -> Option<Atom> {
        let flag = self.local.flags.get(&Term::atom_named(ERROR_HANDLER));
        let chosen = flag.and_then(Term::as_atom).filter(|handler| handler.name() != ERROR_HANDLER);
        let called = (Atom::new("$handle_undefined_function"), 2);
        let has_own = |info: &ModuleInfo| info.exports.contains_key(&called);
        let own = program.module(&self.local.seen, module).filter(|info| has_own(info));
        let handler = chosen.or_else(|| own.map(|_| Atom::new(ERROR_HANDLER)))?;
        // A handler that is not there either cannot help.
        match program.lookup(&self.local.seen, handler, Atom::new(UNDEFINED_FUNCTION), 3) {
            Lookup::Undefined => None,
            _ => Some(handler),
        }
    }

    /// Calls `Handler:undefined_function(M, F, Args)` in place of the function.
    fn handle_undefined(
        &mut self,
        program: &Program,
        handler: Atom,
        [module, name]: [Atom; 2],
        a0: Reg,
        n: u16,
        tail: bool,
    ) -> Entered {
        let undefined_function = Atom::new(UNDEFINED_FUNCTION);
        let target = match program.lookup(&self.local.seen, handler, undefined_function, 3) {
            Lookup::Found(target) => target,
            Lookup::Load(module) => return Entered::Stop(Stop::Load(module)),
            Lookup::Undefined | Lookup::Elsewhere => {
                let args = self.args(a0, n).to_vec();
                let caught = self.raise_undef(program, module, name, &args, tail);
                return Entered::after_exception(caught);
            }
        };
        let args = Term::list(self.args(a0, n).to_vec());
        let first = self.stack.base + a0 as usize;
        self.stack.ensure(first + 3);
        let call = [Term::atom(module), Term::atom(name), args];
        self.stack.terms[first..first + 3].clone_from_slice(&call);
        self.call_target(program, target, a0, 3, tail)
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
        import: reverl_lang::code::ImportId,
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
        function(&mut context, args)
    }
}
