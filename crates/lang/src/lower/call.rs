//! Calls: of functions of the module and of others, of built-ins, of funs; in tail position too.

use super::emit::{Dest, FunLowering, Operand, can_stay};
use super::*;
use reverl_term::atoms;

impl<'a> FunLowering<'_, 'a> {
    /// A call. Returns the register in which the value is.
    pub fn call(&mut self, e: &'a Expr, dest: Dest) -> Reg {
        let ExprKind::Call { function, args } = &e.kind else { unreachable!("not a call") };
        let n = args.len() as u16;
        match &function.kind {
            ExprKind::Atom(name) => {
                match self.l.callee(*name, args.len() as u32) {
                    Callee::Local(fun) => {
                        let id = self.node_id(e);
                        let keeps_caller = self.l.code.fun(fun).inlined;
                        if dest == Dest::Tail && !keeps_caller {
                            return self.tail_call(fun, args, id);
                        }
                        let a0 = self.args(args);
                        self.emit_step(Op::Call { fun, a0 }, Rule::Call, id);
                        if dest == Dest::Tail {
                            // It keeps its caller, whose name a trace shows.
                            self.return_value(a0, e.span);
                        }
                        a0
                    }
                    Callee::Remote(module) => self.remote_call(e, module, *name, args, dest),
                }
            }
            ExprKind::Remote { module, name } => match (&module.kind, &name.kind) {
                (ExprKind::Atom(module), ExprKind::Atom(name)) => {
                    self.remote_call(e, *module, *name, args, dest)
                }
                _ => {
                    let id = self.node_id(e);
                    // OTP evaluates module and name before the arguments.
                    let [m, f] = [module, name].map(|x| self.value_register(x));
                    // Without arguments module and name stand where the first would.
                    let a0 = self.push_values(args);
                    for s in [m, f] {
                        let d = self.new_temp();
                        self.emit(Op::Move { d, s });
                    }
                    let (plain, tail) = (Op::Apply { a0, n }, Op::TailApply { a0, n });
                    self.emit_call(plain, tail, a0, dest, id)
                }
            },
            _ => {
                let id = self.node_id(e);
                let s = self.value_register(function);
                let a0 = self.push_values(args);
                let d = self.new_temp();
                self.emit(Op::Move { d, s });
                self.emit_call(Op::CallFun { a0, n }, Op::TailFun { a0, n }, a0, dest, id)
            }
        }
    }

    /// Arguments that are handed on in their own places, as loops do, are not moved.
    fn tail_call(&mut self, fun: FunId, args: &'a [Expr], id: ExprId) -> Reg {
        let a0 = self.temp;
        let mut moved = vec![];
        let group = self.start_group(args);
        for (arg, i) in args.iter().zip(0..) {
            match &arg.kind {
                ExprKind::Var(name) if can_stay(i) && self.register(*name) == i => {
                    let var = self.node_id(arg);
                    self.step(Rule::Var, var);
                    self.new_temp();
                }
                _ => {
                    self.push_value(arg);
                    moved.push(i);
                }
            }
            self.end_operand(group);
        }
        self.end_group(group);
        let op = self.tail_call_op(fun, a0, moved);
        self.emit_step(op, Rule::Call, id);
        a0
    }

    fn args(&mut self, args: &'a [Expr]) -> Reg {
        let a0 = self.push_values(args);
        if args.is_empty() {
            // The value of a call without arguments still needs a place.
            self.new_temp();
        }
        a0
    }

    fn remote_call(
        &mut self,
        e: &'a Expr,
        module: Atom,
        name: Atom,
        args: &'a [Expr],
        dest: Dest,
    ) -> Reg {
        if let Some(value) = self.special_call(e, module, name, args) {
            let reg = self.in_register(value);
            if dest == Dest::Tail {
                self.return_value(reg, e.span);
            }
            return reg;
        }
        if module.name() == "lists"
            && let Some(value) = self.list_loop(e, name, args, dest)
        {
            return value;
        }
        let id = self.node_id(e);
        let (module, name) = as_guard_bif(module, name, args.len());
        let a0 = self.args(args);
        let is_self = module == atoms::ERLANG && name.name() == "self" && args.is_empty();
        if is_self && dest != Dest::Tail {
            self.emit_step(Op::OwnPid { d: a0 }, Rule::Call, id);
            return a0;
        }
        let import = self.l.code.import(module, name, args.len() as u16);
        let (plain, tail) = (Op::CallRemote { import, a0 }, Op::TailRemote { import, a0 });
        // It gives up its callers itself, and blames them if it is called wrongly.
        let keeps_caller = module == atoms::ERLANG && name.name() == "hibernate";
        if keeps_caller && dest == Dest::Tail {
            self.emit_step(plain, Rule::Call, id);
            self.return_value(a0, e.span);
            return a0;
        }
        self.emit_call(plain, tail, a0, dest, id)
    }

    pub fn emit_call(&mut self, plain: Op, tail: Op, a0: Reg, dest: Dest, id: ExprId) -> Reg {
        let op = if dest == Dest::Tail { tail } else { plain };
        self.emit_step(op, Rule::Call, id);
        a0
    }

    /// Calls that the compiler answers itself. What is written without a module has been resolved.
    fn special_call(
        &mut self,
        e: &'a Expr,
        module: Atom,
        name: Atom,
        args: &'a [Expr],
    ) -> Option<Operand> {
        match (name.name(), args) {
            ("record_info", [what, record]) if module == self.l.module.name => {
                self.record_info(what, record)
            }
            ("is_record", [value, record])
                if module == atoms::ERLANG && self.known_record(record).is_some() =>
            {
                let d = self.new_temp();
                let a = self.value_register(value);
                self.is_record(e, a, record, d);
                Some(Operand::Register(d))
            }
            _ => None,
        }
    }
}

/// OTP's compiler makes these functions of `maps` the guard BIFs, whose names a trace then shows.
fn as_guard_bif(module: Atom, name: Atom, arity: usize) -> (Atom, Atom) {
    let bif = match (module == atoms::MAPS, name.name(), arity) {
        (true, "is_key", 2) => "is_map_key",
        (true, "get", 2) => "map_get",
        (true, "size", 1) => "map_size",
        _ => return (module, name),
    };
    (atoms::ERLANG, Atom::new(bif))
}
