//! Calls of built-ins that the loop does not make itself.

use crate::builtins::{Builtin, Context, Control, Native};
use crate::calls::{Call, Callee, Entered};
use crate::kernel;
use crate::process::{Answer, Process, State, Stop};
use crate::program::Program;
use crate::raise::Raise;
use reverl_lang::code::Reg;
use reverl_term::work::{self, TooMuch};
use reverl_term::{Atom, Term, atoms};

/// What a built-in function does, or that it is more than one may do.
#[inline]
pub(crate) fn bounded(doing: impl FnOnce() -> Result<Term, Raise>) -> Result<Term, Raise> {
    work::within(work::MOST, doing).unwrap_or_else(|TooMuch| Err(Raise::system_limit()))
}

/// A shortcut that would do too much is left to the function that it stands for, which ends where
/// every function ends.
#[inline]
pub(crate) fn bounded_shortcut(
    function: fn(&[Term]) -> Option<Term>,
    args: &[Term],
) -> Option<Term> {
    work::within(work::MOST, || function(args)).ok().flatten()
}

impl Process {
    pub(crate) fn call_builtin(&mut self, program: &Program, index: u32, call: Call) -> Entered {
        let builtin = Program::builtin(index);
        let args = self.args(call.a0, call.n).to_vec();
        if let (Native::OfModule(_), Some(module)) =
            (builtin.native, args.first().and_then(Term::as_atom))
        {
            if !program.is_loaded(module) && !program.is_missing(module) {
                return Entered::Stop(Stop::Load(module));
            }
        }
        match builtin.native {
            Native::Function(function) | Native::OfModule(function) => {
                let mut context = Context { local: &mut self.local, program, builtin };
                match bounded(|| function(&mut context, &args)) {
                    Ok(value) => self.give_to_caller(program, value, call),
                    Err(raise) => self.builtin_raised(program, builtin, raise, call.a0),
                }
            }
            Native::Shortcut(function) => match bounded_shortcut(function, &args) {
                Some(value) => self.give_to_caller(program, value, call),
                None => self.call_definition(program, builtin, call),
            },
            Native::Checked(check) => match check(&args) {
                Ok(()) => self.call_definition(program, builtin, call),
                Err(raise) => self.builtin_raised(program, builtin, raise, call.a0),
            },
            Native::System if program.starts_kernel && kernel::concerns(builtin, &args) => {
                self.call_definition(program, builtin, call)
            }
            Native::System => {
                let to = if call.tail { Answer::Return(call.a0) } else { Answer::To(call.a0) };
                self.state = State::Asking { to, builtin: Some(index) };
                Entered::Stop(Stop::Request { builtin: index, args })
            }
            Native::Control(control) => self.control(program, control, &args, call),
        }
    }

    fn give_to_caller(&mut self, program: &Program, value: Term, call: Call) -> Entered {
        if call.tail {
            self.return_value(program, value);
            return self.or_ended();
        }
        self.give(program, call.a0, Ok(value))
    }

    /// A built-in whose arguments are still in place has raised an exception.
    #[cold]
    #[inline(never)]
    pub(crate) fn builtin_raised(
        &mut self,
        program: &Program,
        builtin: &Builtin,
        raise: Raise,
        a0: Reg,
    ) -> Entered {
        let raise = builtin.raised(raise, self.args(a0, u16::from(builtin.arity)));
        self.raised(program, raise)
    }

    /// The Erlang definition of a function that also has a row here.
    fn call_definition(&mut self, program: &Program, builtin: &Builtin, call: Call) -> Entered {
        let (module, name) = (Atom::new(builtin.module), Atom::new(builtin.name));
        match program.code.exported(module, name, u32::from(call.n)) {
            Some(fun) => self.enter(program, fun, call),
            None if program.is_loaded(module) || program.is_missing(module) => {
                self.call_undefined(program, Callee { module, name }, call)
            }
            None => Entered::Stop(Stop::Load(module)),
        }
    }

    /// Built-ins that are themselves calls, or change how the process goes on.
    fn control(
        &mut self,
        program: &Program,
        control: Control,
        args: &[Term],
        call: Call,
    ) -> Entered {
        match control {
            Control::Apply => self.apply_list(program, false, args, call.a0, call.tail),
            Control::ApplyFun => self.apply_list(program, true, args, call.a0, call.tail),
            Control::ForgetCallers => {
                let registers = program.code.fun(program.code.fun_at(self.pc)).registers as usize;
                self.stack.forget_callers(registers);
                self.forget_marks();
                self.give(program, call.a0, Ok(Term::atom(atoms::OK)))
            }
            Control::KeepMessage => {
                self.mailbox.keep(args[0].clone());
                self.give(program, call.a0, Ok(Term::atom(atoms::OK)))
            }
        }
    }
}
