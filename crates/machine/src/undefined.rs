//! Calls of functions that are not there: who handles them, and `undef` if nobody does.

use crate::builtins::Native;
use crate::calls::{Call, Callee, Entered};
use crate::process::{Process, Stop};
use crate::program::{Lookup, Program};
use reverl_lang::code::{ModuleInfo, Target};
use reverl_term::{Atom, Term};

/// OTP's handler of calls of functions that are not there.
const ERROR_HANDLER: &str = "error_handler";
const UNDEFINED_FUNCTION: &str = "undefined_function";

impl Process {
    /// There is no such function.
    #[cold]
    #[inline(never)]
    pub(crate) fn call_undefined(
        &mut self,
        program: &Program,
        callee: Callee,
        call: Call,
    ) -> Entered {
        match self.undefined_handler(program, callee.module) {
            Some(handler) => self.call_handler(program, handler, callee, call),
            None => self.undef(program, callee, call),
        }
    }

    /// The module was deleted, or is to be looked for where the program says.
    #[cold]
    #[inline(never)]
    pub(crate) fn call_elsewhere(
        &mut self,
        program: &Program,
        callee: Callee,
        call: Call,
    ) -> Entered {
        self.call_handler(program, Atom::new(ERROR_HANDLER), callee, call)
    }

    /// The module that must be loaded before this call can be made.
    pub(crate) fn missing_for(
        &self,
        program: &Program,
        callee: Callee,
        args: &[Term],
    ) -> Option<Atom> {
        let n = args.len() as u16;
        let handler = match program.lookup(&self.local.seen, callee.module, callee.name, n) {
            Lookup::Found(target) => return missing_for_target(program, target, args),
            Lookup::Load(module) => return Some(module),
            Lookup::Undefined => self.undefined_handler(program, callee.module)?,
            Lookup::Elsewhere => Atom::new(ERROR_HANDLER),
        };
        match self.handling_function(program, handler) {
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
        match self.handling_function(program, handler) {
            Lookup::Undefined => None,
            _ => Some(handler),
        }
    }

    fn handling_function(&self, program: &Program, handler: Atom) -> Lookup {
        program.lookup(&self.local.seen, handler, Atom::new(UNDEFINED_FUNCTION), 3)
    }

    /// Calls `Handler:undefined_function(M, F, Args)` in place of the function.
    fn call_handler(
        &mut self,
        program: &Program,
        handler: Atom,
        callee: Callee,
        call: Call,
    ) -> Entered {
        let target = match self.handling_function(program, handler) {
            Lookup::Found(target) => target,
            Lookup::Load(module) => return Entered::Stop(Stop::Load(module)),
            Lookup::Undefined | Lookup::Elsewhere => return self.undef(program, callee, call),
        };
        let args = Term::list(self.args(call.a0, call.n).to_vec());
        let first = self.stack.base + call.a0 as usize;
        self.stack.ensure(first + 3);
        let handled = [Term::atom(callee.module), Term::atom(callee.name), args];
        self.stack.terms[first..first + 3].clone_from_slice(&handled);
        self.call_target(program, target, Call { n: 3, ..call })
    }

    fn undef(&mut self, program: &Program, callee: Callee, call: Call) -> Entered {
        let args = self.args(call.a0, call.n).to_vec();
        let Callee { module, name } = callee;
        Entered::after_exception(self.raise_undef(program, module, name, &args, call.tail))
    }
}

/// The module that a built-in needs: the one that it is about, or the one that has its definition.
fn missing_for_target(program: &Program, target: Target, args: &[Term]) -> Option<Atom> {
    let Target::Builtin(index) = target else { return None };
    let builtin = Program::builtin(index);
    let needed = match builtin.native {
        Native::OfModule(_) => args.first().and_then(Term::as_atom)?,
        Native::Shortcut(_) | Native::Checked(_) => Atom::new(builtin.module),
        Native::Function(_) | Native::System | Native::Control(_) => return None,
    };
    (!program.is_loaded(needed) && !program.is_missing(needed)).then_some(needed)
}
