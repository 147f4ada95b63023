//! Funs: of other modules by name, and closures with the variables they keep.

use super::emit::FunLowering;
use super::free::FreeVars;
use super::*;
use reverl_term::{Fun, atoms};

impl<'a> FunLowering<'_, 'a> {
    pub fn fun_remote(
        &mut self,
        e: &Expr,
        module: &'a Expr,
        name: &'a Expr,
        arity: &'a Expr,
        d: Reg,
    ) {
        let id = self.node_id(e);
        match (&module.kind, &name.kind, &arity.kind) {
            (ExprKind::Atom(m), ExprKind::Atom(f), ExprKind::Integer(Integer::Small(a))) => {
                self.step(Rule::Fun, id);
                self.load(&external_fun(*m, *f, *a as u32), d);
            }
            _ => {
                let a0 = self.push_values([module, name, arity]);
                let import = self.l.code.import(atoms::ERLANG, Atom::new("make_fun"), 3);
                self.emit_step(Op::CallRemote { import, a0 }, Rule::Fun, id);
                self.emit(Op::Move { d, s: a0 });
            }
        }
    }

    pub fn closure(&mut self, e: &'a Expr, name: Option<Atom>, clauses: &'a [Clause], d: Reg) {
        let id = self.node_id(e);
        let mut env = FreeVars::of_fun(name, clauses);
        env.retain(|v| self.is_known_in_fun(*v));
        self.names.order.sort(&mut env);
        let a0 = self.new_temps(env.len());
        for (i, var) in env.iter().enumerate() {
            let s = self.register(*var);
            self.emit(Op::Move { d: a0 + i as Reg, s });
        }
        let arity = clauses[0].patterns.len() + env.len();
        let index = self.l.closures;
        self.l.closures += 1;
        let kind = FunKind::Closure { env: env.len() as u16, index };
        let fun = self.l.declare(self.names.fun(e), arity as u16, kind, e.span);
        let info = &mut self.l.code.funs[fun.0 as usize];
        // What compiled code does not list is not a function there.
        if self.l.module.lambdas.is_some() && info.lambda.is_none() {
            info.part_of = Some(self.id);
        }
        let n = env.len() as u16;
        self.emit_step(Op::MakeFun { d, fun, a0, n }, Rule::Fun, id);
        let parent = self.names.inside_of_fun();
        let closure = PendingClosure { id: fun, name, clauses, env, parent };
        self.l.pending.push(Pending::Closure(closure));
    }
}

pub fn external_fun(module: Atom, name: Atom, arity: u32) -> Term {
    Term::fun(Fun::External { module, name, arity })
}
