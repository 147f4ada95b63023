//! One instruction that the loop does not do itself: what is rare, what is a call anyway, and how
//! instructions fail.

use crate::bits;
use crate::calls::{Call, Entered};
use crate::maps;
use crate::ops;
use crate::process::Process;
use crate::program::Program;
use crate::raise::{Raise, catch_value, show_trace};
use reverl_lang::code::{Alu, Failure, NOWHERE, Op, Pc, Reg};
use reverl_term::Term;

impl Process {
    /// Executes the instruction at `pc`, which is `op`.
    #[inline(never)]
    pub(crate) fn execute(&mut self, program: &Program, op: Op) -> Entered {
        match op {
            Op::Add { d, a, b } => self.arithmetic(program, Alu::Add, d, a, b),
            Op::Sub { d, a, b } => self.arithmetic(program, Alu::Sub, d, a, b),
            Op::Alu { op, d, a, b } => self.arithmetic(program, op, d, a, b),
            Op::AddInt { d, a, i } => {
                let names_operator = program.otp.release >= 26;
                let sum = ops::add_int(self.arg(a), i, names_operator);
                self.give(program, d, sum)
            }
            Op::Una { op, d, a } => {
                let a = self.arg(a);
                let value = ops::una(op, a).map_err(|raise| ops::unary_operator(op, raise, a));
                self.give(program, d, value)
            }
            Op::GuardUna { op, d, a, els } => {
                let value = ops::una(op, self.arg(a)).ok();
                self.give_or_go(d, value, els)
            }
            Op::GuardCall { import, a0, els } => {
                let value = self.guard_call(program, import, a0).ok();
                self.give_or_go(a0, value, els)
            }
            Op::Circuit { a, .. } => self.fail(program, Failure::BadArgOf, a),

            Op::MapGet { d, map, key, els } => {
                let value = self.arg(map).as_map().and_then(|m| m.get(self.arg(key))).cloned();
                self.give_or_go(d, value, els)
            }

            Op::MakeMap { d, a0, n } => {
                let map = maps::make(self.args(a0, 2 * n));
                self.give(program, d, Ok(map))
            }
            Op::UpdateMap { d, a0, shape } => {
                let shape = &program.code.map_shapes[shape as usize];
                let map = std::mem::take(self.arg_mut(d));
                let pairs = self.args(a0, 2 * shape.pairs as u16);
                let map = maps::update(map, pairs, &shape.exact);
                self.give(program, d, map)
            }
            Op::MakeBits { d, shape } => {
                let bits = bits::build(&program.code.bit_shapes[shape as usize], |r| self.arg(r));
                self.give(program, d, bits)
            }
            Op::MakeFun { d, fun, a0, n } => {
                let closure = ops::closure(&program.code, fun, self.args(a0, n));
                self.give(program, d, Ok(closure))
            }

            Op::CallRemote { import, a0 } => self.call_import(program, import, a0, false),
            Op::TailRemote { import, a0 } => self.call_import(program, import, a0, true),
            Op::CallFun { a0, n } => self.call_fun(program, Call { a0, n, tail: false }),
            Op::TailFun { a0, n } => self.call_fun(program, Call { a0, n, tail: true }),
            Op::Apply { a0, n } => self.apply(program, Call { a0, n, tail: false }),
            Op::TailApply { a0, n } => self.apply(program, Call { a0, n, tail: true }),
            Op::Return { a } => {
                // The variables of the last call of all can still be looked at.
                let value = match self.stack.is_last() {
                    true => self.arg(a).clone(),
                    false => std::mem::take(self.arg_mut(a)),
                };
                self.return_value(program, value);
                self.or_ended()
            }
            Op::ReceiveStart { timeout } => {
                if timeout != NOWHERE {
                    if let Err(raise) = ops::check_timeout(self.arg(timeout)) {
                        return self.raised(program, raise);
                    }
                }
                self.mailbox.rewind();
                self.go_to(self.pc + 1)
            }

            Op::Fail { failure, a } => self.fail(program, failure, a),
            Op::FunctionClause => Entered::after_exception(self.function_clause(program)),
            Op::Reraise { a } => Entered::after_exception(self.reraise(program, a)),
            Op::BuildTrace { d, a } => {
                let trace = show_trace(&program.code, self.arg(a));
                self.give(program, d, Ok(trace))
            }
            Op::CatchValue { d, a } => {
                let class = ops::caught_class(self.arg(a));
                let (reason, raw) = (self.arg(a + 1).clone(), self.arg(a + 2));
                let value = catch_value(&program.code, class, reason, raw);
                self.give(program, d, Ok(value))
            }
            other => unreachable!("the loop does {other:?} itself"),
        }
    }

    fn arithmetic(&mut self, program: &Program, op: Alu, d: Reg, a: Reg, b: Reg) -> Entered {
        let (a, b) = (self.arg(a), self.arg(b));
        let value = ops::alu(op, a, b).map_err(|raise| ops::operator(op, raise, a, b));
        self.give(program, d, value)
    }

    fn fail(&mut self, program: &Program, failure: Failure, a: Reg) -> Entered {
        let raise = ops::failure(failure, self.arg(a));
        self.raised(program, raise)
    }

    /// `Op::BitsGet`; where it goes on if the segment cannot be read.
    #[inline(never)]
    pub(crate) fn get_bits(
        &mut self,
        program: &Program,
        segment: u32,
        d: Reg,
        a: Reg,
    ) -> Result<(), Pc> {
        let (segment, els) = &program.code.segments[segment as usize];
        let at = self.arg(a + 1).as_small().unwrap_or(0) as u64;
        let read = bits::read(segment, self.arg(a), at, |r| self.arg(r));
        let (value, after) = read.ok_or(*els)?;
        self.put(d, value);
        self.put(a + 1, Term::small(after as i64));
        Ok(())
    }

    fn arg_mut(&mut self, reg: Reg) -> &mut Term {
        &mut self.stack.terms[self.stack.base + reg as usize]
    }

    fn put(&mut self, d: Reg, value: Term) {
        *self.arg_mut(d) = value;
    }

    fn go_to(&mut self, pc: Pc) -> Entered {
        self.pc = pc;
        Entered::Code
    }

    /// The value goes to `d`, and the next instruction follows.
    pub(crate) fn give(
        &mut self,
        program: &Program,
        d: Reg,
        value: Result<Term, Raise>,
    ) -> Entered {
        match value {
            Ok(value) => {
                self.put(d, value);
                self.go_to(self.pc + 1)
            }
            Err(raise) => self.raised(program, raise),
        }
    }

    fn give_or_go(&mut self, d: Reg, value: Option<Term>, els: Pc) -> Entered {
        match value {
            Some(value) => {
                self.put(d, value);
                self.go_to(self.pc + 1)
            }
            None => self.go_to(els),
        }
    }
}
