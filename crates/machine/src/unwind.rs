//! From a raised exception to the handler that catches it.

use crate::builtins::nature::Nature;
use crate::process::{Answer, Ending, Process};
use crate::program::Program;
use crate::raise::{
    Exception, Raise, TRACE_DEPTH, Top, entry, is_called_locally, location_of_span,
};
use reverl_lang::code::{Handler, Op, Pc, Reg};
use reverl_term::{Atom, Term, atoms};

impl Process {
    /// Raises at the current instruction. False if nothing catches it: the process has ended.
    pub(crate) fn raise(&mut self, program: &Program, raise: Raise) -> bool {
        let trace = match raise.top {
            Top::Trace(trace) => trace,
            Top::Entry(top) => self.raw_trace(top, true),
            Top::Builtin | Top::Because(_) | Top::Caller => self.raw_trace(Term::nil(), true),
            Top::CallOfFun => {
                let here = Term::small(i64::from(self.pc));
                self.trace_of_callers(vec![Term::nil(), here.clone(), here], 0)
            }
            Top::CallerArgs(args) => self.caller_trace(program, Some(args), None),
            Top::CallerInfo(args, info) => self.caller_trace(program, args, Some(info)),
        };
        self.unwind(program, Exception { class: raise.class, reason: raise.reason, trace })
    }

    /// The trace that begins with the function that runs; with the one that called it if OTP
    /// has inlined it there.
    fn caller_trace(
        &self,
        program: &Program,
        args: Option<Term>,
        error_info: Option<Term>,
    ) -> Term {
        let code = &program.code;
        let mut fun = code.fun(code.fun_at(self.pc));
        let mut place = crate::raise::shown_location(code, fun.module, self.pc);
        place.extend(error_info);
        let mut skipped = 0;
        for (ret, _) in self.stack.callers() {
            if !fun.inlined {
                break;
            }
            fun = code.fun(code.fun_at(ret - 1));
            skipped += 1;
        }
        let args = args.unwrap_or_else(|| Term::int(i64::from(fun.arity)));
        self.trace_of_callers(vec![entry(fun.module, fun.name, args, place)], skipped)
    }

    pub(crate) fn reraise(&mut self, program: &Program, a: Reg) -> bool {
        let at = self.stack.base + a as usize;
        let class = crate::ops::caught_class(&self.stack.terms[at]);
        let reason = self.stack.terms[at + 1].clone();
        let trace = self.stack.terms[at + 2].clone();
        self.unwind(program, Exception { class, reason, trace })
    }

    /// No clause of the current function fits its arguments.
    pub(crate) fn function_clause(&mut self, program: &Program) -> bool {
        let info = program.code.fun(program.code.fun_at(self.pc));
        let first = self.stack.base;
        let args = &self.stack.terms[first..first + info.arity as usize];
        let args = Term::list(args.iter().cloned());
        let place = location_of_span(&program.code, info.span);
        // Where a function is inlined, OTP calls another one that only raises this, and last.
        let caller = self.stack.callers().next().map(|(ret, _)| Term::small(i64::from(ret) - 1));
        let is_inlined = info.inlined
            && caller.is_some_and(|caller| is_called_locally(&program.code, &caller, info.name));
        let (name, skipped) = match is_inlined {
            true => (Atom::new(&format!("-inlined-{}/{}-", info.name.name(), info.arity)), 1),
            false => (info.name, 0),
        };
        let top = entry(info.module, name, args, place);
        let trace = self.trace_of_callers(vec![top], skipped);
        let reason = Term::atom(atoms::FUNCTION_CLAUSE);
        self.unwind(program, Exception { class: crate::raise::Class::Error, reason, trace })
    }

    pub(crate) fn raise_undef(
        &mut self,
        program: &Program,
        module: Atom,
        name: Atom,
        args: &[Term],
        tail: bool,
    ) -> bool {
        let top = entry(module, name, Term::list(args.iter().cloned()), vec![]);
        // A tail call has already left the function that made it.
        let trace = self.raw_trace(top, !tail);
        let reason = Term::atom(atoms::UNDEF);
        let class = crate::raise::Class::Error;
        if tail {
            return self.unwind_from_caller(program, Exception { class, reason, trace });
        }
        self.unwind(program, Exception { class, reason, trace })
    }

    /// A request was answered with an exception: the instruction says what was asked.
    pub(crate) fn raise_from_request(
        &mut self,
        program: &Program,
        raise: Raise,
        to: Answer,
        builtin: Option<u32>,
    ) {
        let (Answer::To(a0) | Answer::Return(a0)) = to;
        let reg = |r: Reg| self.stack.terms[self.stack.base + r as usize].clone();
        let raise = match (builtin, program.code.ins[self.pc as usize].op) {
            (Some(builtin), _) => {
                let builtin = Program::builtin(builtin);
                let args = self.args(a0, u16::from(builtin.arity));
                match builtin.nature {
                    Nature::StandIn => {
                        let raise = raise.by_recorded(args);
                        return self.raise_of_stand_in(program, raise);
                    }
                    _ => builtin.raised(raise, args),
                }
            }
            (None, Op::Send { to, message, .. }) => {
                raise.by(atoms::ERLANG, Atom::new("send"), &[reg(to), reg(message)])
            }
            _ => raise,
        };
        self.raise(program, raise);
    }

    /// The function that stands in for a recorded one is not in the trace.
    fn raise_of_stand_in(&mut self, program: &Program, raise: Raise) {
        let trace = match raise.top {
            Top::Entry(top) => self.raw_trace(top, false),
            _ => {
                self.raise(program, raise);
                return;
            }
        };
        let exception = Exception { class: raise.class, reason: raise.reason, trace };
        self.unwind_from_caller(program, exception);
    }

    /// Where the process is, as an exception would show it.
    pub fn stack_trace(&self, program: &Program) -> Term {
        crate::raise::show_trace(&program.code, &self.raw_trace(Term::nil(), true))
    }

    /// `{Top, Pc1, Pc2, ..}`: enough to show the trace later.
    fn raw_trace(&self, top: Term, with_current: bool) -> Term {
        let mut parts = Vec::with_capacity(TRACE_DEPTH + 1);
        parts.push(top);
        if with_current {
            parts.push(Term::small(i64::from(self.pc)));
        }
        self.trace_of_callers(parts, 0)
    }

    fn trace_of_callers(&self, mut parts: Vec<Term>, skipped: usize) -> Term {
        let depth = self.local.seen.as_ref().and_then(|edition| edition.trace_depth);
        let most = depth.unwrap_or(TRACE_DEPTH) + usize::from(parts[0].is_nil());
        parts.truncate(most.max(1));
        // A recursion leaves many calls that return to one place; the BEAM keeps one of them.
        let mut last = None;
        for (ret, _) in self.stack.callers().skip(skipped) {
            if parts.len() >= most {
                break;
            }
            if last.replace(ret) != Some(ret) {
                parts.push(Term::small(i64::from(ret) - 1));
            }
        }
        Term::tuple(parts)
    }

    fn unwind(&mut self, program: &Program, exception: Exception) -> bool {
        if let Some(handler) = handler(program, self.pc) {
            self.handle(handler, exception);
            return true;
        }
        self.unwind_from_caller(program, exception)
    }

    fn unwind_from_caller(&mut self, program: &Program, exception: Exception) -> bool {
        let handlers = self.stack.callers().map(|(ret, _)| handler(program, ret - 1));
        let found = handlers.enumerate().find_map(|(i, handler)| Some((i, handler?)));
        let Some((calls, handler)) = found else {
            // Nothing is left: who looks at it sees the call that raised the exception.
            self.end(Ending::Exception(exception));
            return false;
        };
        for _ in 0..=calls {
            match self.stack.frames.pop() {
                Some(frame) => self.stack.base = frame.base as usize,
                None => drop(self.stack.thaw(&program.code)),
            }
        }
        self.handle(handler, exception);
        true
    }

    fn handle(&mut self, handler: Handler, exception: Exception) {
        if self.marks.is_some() {
            self.pc = handler.target;
            self.note_caught(exception.class, &exception.reason);
        }
        let at = self.stack.base + handler.reg as usize;
        self.stack.ensure(at + 3);
        self.stack.terms[at] = Term::atom(exception.class.atom());
        self.stack.terms[at + 1] = exception.reason;
        self.stack.terms[at + 2] = exception.trace;
        self.pc = handler.target;
    }
}

/// The innermost handler around an instruction.
fn handler(program: &Program, pc: Pc) -> Option<Handler> {
    let info = program.code.fun(program.code.fun_at(pc));
    info.handlers.iter().find(|h| h.start <= pc && pc < h.end).copied()
}
