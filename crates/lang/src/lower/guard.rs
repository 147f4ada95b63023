//! Guards: tests without effects, whose every failure goes to the next clause.

use super::constant::constant;
use super::emit::{FunLowering, Holes, Operand};
use super::expr::{alu, una};
use super::*;
use reverl_term::atoms;

impl<'a> FunLowering<'_, 'a> {
    /// Alternatives of conjunctions; goes on if one holds.
    pub fn guard(&mut self, alternatives: &'a [Vec<Expr>], fails: &mut Holes) {
        let temp = self.temp;
        let Some((last, init)) = alternatives.split_last() else { return };
        let mut holds = vec![];
        for alternative in init {
            let mut next = vec![];
            alternative.iter().for_each(|test| self.test(test, &mut next));
            holds.push(self.emit(Op::Jmp { to: 0 }));
            self.patch_here(&next);
        }
        last.iter().for_each(|test| self.test(test, fails));
        self.patch_here(&holds);
        self.temp = temp;
    }

    /// Goes on if `e` is true; it is not if it fails or is anything else.
    pub fn test(&mut self, e: &'a Expr, fails: &mut Holes) {
        match &e.kind {
            ExprKind::Atom(a) if *a == atoms::TRUE => {}
            ExprKind::Binop { op: BinaryOp::AndAlso, left, right, .. } => {
                self.test(left, fails);
                self.test(right, fails);
            }
            ExprKind::Binop { op: BinaryOp::OrElse, left, right, .. } if cannot_fail(left) => {
                let mut second = vec![];
                self.test(left, &mut second);
                let holds = self.emit(Op::Jmp { to: 0 });
                self.patch_here(&second);
                self.test(right, fails);
                self.patch_here(&[holds]);
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } if cannot_fail(operand) => {
                let mut holds = vec![];
                self.test(operand, &mut holds);
                fails.push(self.emit(Op::Jmp { to: 0 }));
                self.patch_here(&holds);
            }
            ExprKind::Binop { op, left, right, .. } if is_comparison(*op) => {
                self.comparison(alu(*op), left, right, fails);
            }
            ExprKind::Call { function, args } => match type_test(function, args) {
                Some(test) => {
                    let value = self.guard_value(&args[0], fails);
                    let a = self.in_register(value);
                    fails.push(self.emit(Op::Test { test, a, els: 0 }));
                }
                None => self.is_true(e, fails),
            },
            _ => self.is_true(e, fails),
        }
    }

    fn is_true(&mut self, e: &'a Expr, fails: &mut Holes) {
        let value = self.guard_value(e, fails);
        let a = self.in_register(value);
        fails.push(self.emit(Op::IsTrue { a, els: 0 }));
    }

    fn comparison(&mut self, op: Alu, left: &'a Expr, right: &'a Expr, fails: &mut Holes) {
        let a = self.guard_value(left, fails);
        let b = self.guard_value(right, fails);
        let short = |t: &Term| t.as_small().and_then(|i| i16::try_from(i).ok());
        let op = match (a, b) {
            (Operand::Register(a), Operand::Literal(k)) if short(&k).is_some() => {
                Op::CompareInt { op, a, i: short(&k).unwrap_or(0), els: 0 }
            }
            (Operand::Literal(k), Operand::Register(a)) if short(&k).is_some() => {
                Op::CompareInt { op: mirrored(op), a, i: short(&k).unwrap_or(0), els: 0 }
            }
            (a, b) => {
                let a = self.in_register(a);
                let b = self.in_register(b);
                Op::Compare { op, a, b, els: 0 }
            }
        };
        fails.push(self.emit(op));
    }

    /// The value of a guard expression.
    pub fn guard_value(&mut self, e: &'a Expr, fails: &mut Holes) -> Operand {
        if let Some(term) = constant(e) {
            return Operand::Literal(term);
        }
        match &e.kind {
            ExprKind::Var(name) => Operand::Register(self.register(*name)),
            ExprKind::Block(body) if body.len() == 1 => self.guard_value(&body[0], fails),
            _ => {
                let d = self.new_temp();
                self.guard_into(e, d, fails);
                Operand::Register(d)
            }
        }
    }

    fn guard_register(&mut self, e: &'a Expr, fails: &mut Holes) -> Reg {
        let value = self.guard_value(e, fails);
        self.in_register(value)
    }

    fn guard_into(&mut self, e: &'a Expr, d: Reg, fails: &mut Holes) {
        match &e.kind {
            ExprKind::Binop {
                op: op @ (BinaryOp::AndAlso | BinaryOp::OrElse),
                left,
                right,
                ..
            } => {
                let want = *op == BinaryOp::AndAlso;
                let a = self.guard_register(left, fails);
                self.emit(Op::Move { d, s: a });
                // Neither boolean: the guard fails.
                fails.push(self.emit(Op::Test { test: TypeTest::Boolean, a: d, els: 0 }));
                let out = self.emit(Op::Circuit { a: d, want, els: 0 });
                let b = self.guard_register(right, fails);
                self.emit(Op::Move { d, s: b });
                self.patch_here(&[out]);
            }
            ExprKind::Binop { op, left, right, .. } => {
                let a = self.guard_register(left, fails);
                let b = self.guard_register(right, fails);
                fails.push(self.emit(Op::GuardAlu { op: alu(*op), d, a, b, els: 0 }));
            }
            ExprKind::Unary { op, operand } => {
                let a = self.guard_register(operand, fails);
                fails.push(self.emit(Op::GuardUna { op: una(*op), d, a, els: 0 }));
            }
            ExprKind::Call { function, args } => self.guard_call(e, function, args, d, fails),
            ExprKind::RecordAccess { record, name, field, .. } => {
                let a = self.guard_register(record, fails);
                self.record_tests(*name, a, fails);
                let i = self.field_index(*name, *field);
                self.emit(Op::Element { d, a, i });
            }
            // Constructions can fail too (`#{a := 1}`, `<<X:Y>>`): then the guard does.
            _ => {
                self.flush();
                let caught = self.new_temps(3);
                let start = self.here();
                self.without_steps(|f| f.into(e, d));
                let over = self.emit(Op::Jmp { to: 0 });
                let end = self.here();
                self.handlers.push(Handler { start, end, target: end, reg: caught });
                fails.push(self.emit(Op::Jmp { to: 0 }));
                self.patch_here(&[over]);
            }
        }
    }

    fn guard_call(
        &mut self,
        e: &'a Expr,
        function: &'a Expr,
        args: &'a [Expr],
        d: Reg,
        fails: &mut Holes,
    ) {
        let name = match &function.kind {
            ExprKind::Atom(name) => *name,
            ExprKind::Remote { name, .. } => match &name.kind {
                ExprKind::Atom(name) => *name,
                _ => atoms::UNDEFINED,
            },
            _ => atoms::UNDEFINED,
        };
        if let ("is_record", [value, record]) = (name.name(), args) {
            if self.known_record(record).is_some() {
                if is_not_a_tuple(value) {
                    return self.load(&Term::bool(false), d);
                }
                let a = self.guard_register(value, fails);
                return self.without_steps(|f| f.is_record(e, a, record, d));
            }
        }
        let a0 = self.new_temps(args.len().max(1));
        for (i, arg) in args.iter().enumerate() {
            let s = self.guard_register(arg, fails);
            self.emit(Op::Move { d: a0 + i as Reg, s });
        }
        let import = self.l.code.import(atoms::ERLANG, name, args.len() as u16);
        fails.push(self.emit(Op::GuardCall { import, a0, els: 0 }));
        self.emit(Op::Move { d, s: a0 });
    }
}

/// What cannot be a record by its form is not even evaluated in a guard, as in OTP.
fn is_not_a_tuple(e: &Expr) -> bool {
    use ExprKind::{Binary, Binop, List, Unary};
    matches!(e.kind, Binary(_) | List { .. } | Unary { .. } | Binop { .. })
}

fn is_comparison(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::AndAlso | BinaryOp::OrElse | BinaryOp::Send) && alu(op).is_comparison()
}

/// The comparison with its operands exchanged.
fn mirrored(op: Alu) -> Alu {
    match op {
        Alu::Less => Alu::Greater,
        Alu::Greater => Alu::Less,
        Alu::LessEqual => Alu::GreaterEqual,
        Alu::GreaterEqual => Alu::LessEqual,
        same => same,
    }
}

/// A test that is true or false and nothing else, so that it can be negated.
fn cannot_fail(e: &Expr) -> bool {
    let simple = |e: &Expr| matches!(e.kind, ExprKind::Var(_)) || constant(e).is_some();
    match &e.kind {
        ExprKind::Binop { op, left, right, .. } if is_comparison(*op) => {
            simple(left) && simple(right)
        }
        ExprKind::Binop { op: BinaryOp::AndAlso | BinaryOp::OrElse, left, right, .. } => {
            cannot_fail(left) && cannot_fail(right)
        }
        ExprKind::Unary { op: UnaryOp::Not, operand } => cannot_fail(operand),
        ExprKind::Call { function, args } => {
            type_test(function, args).is_some() && args.iter().all(simple)
        }
        _ => false,
    }
}

fn type_test(function: &Expr, args: &[Expr]) -> Option<TypeTest> {
    let name = match &function.kind {
        ExprKind::Atom(name) => name,
        ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
            (ExprKind::Atom(m), ExprKind::Atom(name)) if *m == atoms::ERLANG => name,
            _ => return None,
        },
        _ => return None,
    };
    if args.len() != 1 {
        return None;
    }
    Some(match name.name() {
        "is_atom" | "atom" => TypeTest::Atom,
        "is_binary" | "binary" => TypeTest::Binary,
        "is_bitstring" => TypeTest::Bitstring,
        "is_boolean" => TypeTest::Boolean,
        "is_float" | "float" => TypeTest::Float,
        "is_function" | "function" => TypeTest::Function,
        "is_integer" | "integer" => TypeTest::Integer,
        "is_list" | "list" => TypeTest::List,
        "is_map" => TypeTest::Map,
        "is_number" | "number" => TypeTest::Number,
        "is_pid" | "pid" => TypeTest::Pid,
        "is_port" | "port" => TypeTest::Port,
        "is_reference" | "reference" => TypeTest::Reference,
        "is_tuple" | "tuple" => TypeTest::Tuple,
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Whether `e` may stand in a guard: then a filter fails silently instead of raising.
    pub fn is_guard_test(&self, e: &Expr) -> bool {
        let parts = |e: &Expr| {
            let mut all = true;
            crate::visit::for_each_part(e, &mut |part| all &= self.is_guard_test(part));
            all
        };
        match &e.kind {
            ExprKind::Call { function, args } => {
                let name = match &function.kind {
                    ExprKind::Atom(name) => match self.callee(*name, args.len() as u32) {
                        Callee::Remote(module) if module == atoms::ERLANG => *name,
                        // A function of one's own, or imported, with the name of a BIF.
                        _ => return false,
                    },
                    ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                        (ExprKind::Atom(m), ExprKind::Atom(name)) if *m == atoms::ERLANG => *name,
                        _ => return false,
                    },
                    _ => return false,
                };
                crate::bifs::is_guard_bif(name, args.len() as u32)
                    && args.iter().all(|e| self.is_guard_test(e))
            }
            ExprKind::Binop {
                op: BinaryOp::Send | BinaryOp::Append | BinaryOp::Subtract, ..
            } => false,
            ExprKind::Var(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Atom(_)
            | ExprKind::String(_)
            | ExprKind::Nil
            | ExprKind::RecordIndex { .. } => true,
            ExprKind::List { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Map(_)
            | ExprKind::MapUpdate { .. }
            | ExprKind::Record { .. }
            | ExprKind::RecordAccess { .. }
            | ExprKind::Binary(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binop { .. } => parts(e),
            _ => false,
        }
    }
}
