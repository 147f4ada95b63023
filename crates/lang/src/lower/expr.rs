//! Expressions in bodies.

use super::constant::constant;
use super::emit::{Dest, FunLowering, Operand, can_stay};
use super::free::FreeVars;
use super::*;
use reverl_term::{Fun, atoms};

impl<'a> FunLowering<'_, 'a> {
    pub fn load(&mut self, term: &Term, d: Reg) {
        let op = match (term.as_small(), term.as_atom()) {
            (Some(i), _) if i32::try_from(i).is_ok() => Op::Int { d, i: i as i32 },
            (_, Some(atom)) => Op::Atom { d, atom },
            _ => Op::Lit { d, k: self.l.code.literal(term.clone()) },
        };
        self.emit(op);
    }

    /// The register in which an operand stands, loading a literal if need be.
    pub fn in_register(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Register(reg) => reg,
            Operand::Literal(term) => {
                // The steps that wait belong to what uses the operand, not to loading it.
                let pend = std::mem::take(&mut self.pend);
                let d = self.new_temp();
                self.load(&term, d);
                self.pend = pend;
                self.bound_later(0);
                d
            }
        }
    }

    pub fn value_register(&mut self, e: &'a Expr) -> Reg {
        let operand = self.operand(e);
        self.in_register(operand)
    }

    /// Evaluates `e` to wherever it is cheapest to leave it.
    pub fn operand(&mut self, e: &'a Expr) -> Operand {
        if let Some(term) = constant(e) {
            return Operand::Literal(term);
        }
        match &e.kind {
            ExprKind::Var(name) => {
                let id = self.node_id(e);
                let reg = self.register(*name);
                self.step(Rule::Var, id);
                Operand::Register(reg)
            }
            ExprKind::Match { pattern, value } => match self.fresh_variable(pattern) {
                Some(name) => {
                    let reg = self.match_variable(e, name, value);
                    Operand::Register(reg)
                }
                None => Operand::Register(self.match_pattern(e, pattern, value)),
            },
            ExprKind::Block(body) => {
                let last = self.all_but_last(body);
                self.operand(last)
            }
            _ => {
                let reg = self.temp;
                self.push_value(e);
                Operand::Register(reg)
            }
        }
    }

    /// Evaluates `e` into the next free register, which becomes taken.
    pub fn push_value(&mut self, e: &'a Expr) {
        let d = self.new_temp();
        if let ExprKind::Call { .. } = &e.kind {
            // A call leaves its value where its first argument was: mostly no move is needed.
            self.temp = d;
            let s = self.call(e, Dest::Register(d));
            if s != d {
                self.emit(Op::Move { d, s });
            }
        } else {
            self.into(e, d);
        }
        self.temp = d + 1;
    }

    /// Evaluates operands into neighbouring registers.
    pub fn push_values(&mut self, exprs: impl IntoIterator<Item = &'a Expr> + Clone) -> Reg {
        let a0 = self.temp;
        let group = self.start_group(exprs.clone());
        for e in exprs {
            self.push_value(e);
            self.end_operand(group);
        }
        self.end_group(group);
        a0
    }

    fn fresh_variable(&self, pattern: &Expr) -> Option<Atom> {
        match &pattern.kind {
            ExprKind::Var(n) if *n != atoms::UNDERSCORE && !self.is_bound(*n) => Some(*n),
            _ => None,
        }
    }

    fn match_variable(&mut self, e: &Expr, name: Atom, value: &'a Expr) -> Reg {
        let id = self.node_id(e);
        let reg = self.register(name);
        self.into(value, reg);
        self.step(Rule::Match, id);
        self.bind(name);
        reg
    }

    fn match_pattern(&mut self, e: &'a Expr, pattern: &'a Expr, value: &'a Expr) -> Reg {
        let id = self.node_id(e);
        let reg = self.value_register(value);
        self.at = id;
        self.step(Rule::Match, id);
        let mut fails = vec![];
        self.pattern(pattern, reg, &mut fails);
        if !fails.is_empty() {
            let over = self.emit(Op::Jmp { to: 0 });
            self.patch_here(&fails);
            self.emit(Op::Fail { failure: Failure::BadMatch, a: reg });
            self.patch_here(&[over]);
        }
        self.bind_pattern(pattern);
        reg
    }

    /// Evaluates all expressions of a body but the last, which it returns.
    pub fn all_but_last(&mut self, body: &'a [Expr]) -> &'a Expr {
        let (last, init) = body.split_last().expect("a body is never empty");
        for e in init {
            let temp = self.temp;
            self.operand(e);
            self.temp = temp;
            let id = self.node_id(e);
            self.step(Rule::Seq, id);
        }
        last
    }

    pub fn body(&mut self, body: &'a [Expr], dest: Dest) {
        let last = self.all_but_last(body);
        self.expr(last, dest);
    }

    pub fn expr(&mut self, e: &'a Expr, dest: Dest) {
        match dest {
            Dest::Register(d) => self.into(e, d),
            Dest::Tail => self.tail(e),
        }
    }

    fn tail(&mut self, e: &'a Expr) {
        let temp = self.temp;
        match &e.kind {
            ExprKind::Block(body) => self.body(body, Dest::Tail),
            ExprKind::Case { .. }
            | ExprKind::If(_)
            | ExprKind::Receive { .. }
            | ExprKind::Maybe { .. }
            | ExprKind::Try(_) => self.branching(e, Dest::Tail),
            ExprKind::Call { .. } => {
                self.call(e, Dest::Tail);
            }
            ExprKind::ListComp { .. } | ExprKind::BinaryComp { .. } => {
                self.comprehension(e, Dest::Tail);
            }
            _ => {
                let a = self.value_register(e);
                self.return_value(a, e.span);
            }
        }
        self.temp = temp;
    }

    pub fn return_value(&mut self, a: Reg, span: Span) {
        let id = self.expr_id(span);
        self.emit_step(Op::Return { a }, Rule::Return, id);
    }

    /// Evaluates `e` into register `d`.
    pub fn into(&mut self, e: &'a Expr, d: Reg) {
        if let Some(term) = constant(e) {
            return self.load(&term, d);
        }
        let temp = self.temp;
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Match { .. } | ExprKind::Block(_) => {
                match self.operand(e) {
                    Operand::Literal(term) => self.load(&term, d),
                    Operand::Register(s) if s != d => {
                        self.emit(Op::Move { d, s });
                    }
                    Operand::Register(_) => {}
                }
            }
            ExprKind::List { elements, tail } => self.list(elements, tail.as_deref(), d),
            ExprKind::Tuple(parts) => {
                let a0 = self.push_values(parts);
                self.emit(Op::MakeTuple { d, a0, n: parts.len() as u16 });
            }
            ExprKind::Map(fields) => {
                let a0 = self.pairs(fields);
                self.emit(Op::MakeMap { d, a0, n: fields.len() as u16 });
            }
            ExprKind::MapUpdate { map, fields, .. } => self.map_update(e, map, fields, d),
            ExprKind::Record { .. }
            | ExprKind::RecordUpdate { .. }
            | ExprKind::RecordAccess { .. }
            | ExprKind::RecordIndex { .. } => self.record(e, d),
            ExprKind::Binary(elements) => self.make_bits(e, elements, d),
            ExprKind::Unary { op, operand } => {
                let id = self.node_id(e);
                let a = self.value_register(operand);
                self.emit_step(Op::Una { op: una(*op), d, a }, Rule::Op, id);
            }
            ExprKind::Binop { op, left, right, .. } => self.binop(e, *op, left, right, d),
            ExprKind::Call { .. } => {
                let s = self.call(e, Dest::Register(d));
                if s != d {
                    self.emit(Op::Move { d, s });
                }
            }
            ExprKind::Case { .. }
            | ExprKind::If(_)
            | ExprKind::Receive { .. }
            | ExprKind::Maybe { .. }
            | ExprKind::Try(_)
            | ExprKind::Catch(_) => self.branching(e, Dest::Register(d)),
            ExprKind::FunLocal { name, arity } => {
                let id = self.node_id(e);
                match self.l.callee(*name, *arity) {
                    Callee::Local(fun) => {
                        self.emit_step(Op::MakeFun { d, fun, a0: 0, n: 0 }, Rule::Fun, id);
                    }
                    Callee::Remote(module) => {
                        let fun = external_fun(module, *name, *arity);
                        self.step(Rule::Fun, id);
                        self.load(&fun, d);
                    }
                }
            }
            ExprKind::FunRemote { module, name, arity } => {
                self.fun_remote(e, module, name, arity, d);
            }
            ExprKind::Fun { name, clauses } => self.closure(e, *name, clauses, d),
            ExprKind::ListComp { .. } | ExprKind::BinaryComp { .. } | ExprKind::MapComp { .. } => {
                self.comprehension(e, Dest::Register(d));
            }
            // A `?=` outside `maybe` and a lone `m:f` are refused by the parser.
            ExprKind::MaybeMatch { value, .. } => self.into(value, d),
            ExprKind::Remote { .. } => self.load(&Term::nil(), d),
            _ => unreachable!("constants are done"),
        }
        self.temp = temp;
    }

    fn list(&mut self, elements: &'a [Expr], tail: Option<&'a Expr>, d: Reg) {
        let group = self.start_group(elements.iter().chain(tail));
        let mut heads: Vec<Reg> = vec![];
        for element in elements {
            let reg = self.temp;
            heads.push(match elements.len() {
                1 => self.value_register(element),
                _ => {
                    self.push_value(element);
                    reg
                }
            });
            self.end_operand(group);
        }
        let mut t = match tail {
            Some(tail) => self.value_register(tail),
            None => self.in_register(Operand::Literal(Term::nil())),
        };
        self.end_group(group);
        for (i, h) in heads.into_iter().enumerate().rev() {
            let cell = if i == 0 { d } else { h };
            self.emit_cons(cell, h, t);
            t = cell;
        }
    }

    /// A list cell; the values of temporaries are moved into it.
    pub fn emit_cons(&mut self, d: Reg, h: Reg, t: Reg) {
        let is_temp = |reg: Reg| u8::from(reg >= self.first_temp());
        let take = is_temp(h) | is_temp(t) << 1;
        self.emit(Op::MakeCons { d, h, t, take });
    }

    fn pairs(&mut self, fields: &'a [MapField]) -> Reg {
        // Each pair sees what those before it bind, in funs too: they are not operands.
        let a0 = self.temp;
        fields.iter().flat_map(|f| [&f.key, &f.value]).for_each(|e| self.push_value(e));
        a0
    }

    fn map_update(&mut self, e: &Expr, map: &'a Expr, fields: &'a [MapField], d: Reg) {
        let id = self.node_id(e);
        let m = self.new_temp();
        self.into(map, m);
        let a0 = self.pairs(fields);
        self.l.code.map_shapes.push(MapShape { exact: exact_fields(fields), pairs: fields.len() });
        let shape = self.l.code.map_shapes.len() as u32 - 1;
        self.emit_step(Op::UpdateMap { d: m, a0, shape }, Rule::Op, id);
        self.emit(Op::Move { d, s: m });
    }

    fn binop(&mut self, e: &'a Expr, op: BinaryOp, left: &'a Expr, right: &'a Expr, d: Reg) {
        let id = self.node_id(e);
        match op {
            BinaryOp::AndAlso | BinaryOp::OrElse => {
                return self.circuit(id, op == BinaryOp::AndAlso, left, right, d);
            }
            BinaryOp::Send => {
                let group = self.start_group([left, right]);
                let to = self.value_register(left);
                self.end_operand(group);
                let message = self.value_register(right);
                self.end_group(group);
                self.emit_step(Op::Send { d, to, message }, Rule::Send, id);
                return;
            }
            _ => {}
        }
        let op = alu(op);
        let group = self.start_group([left, right]);
        let a = self.operand(left);
        self.end_operand(group);
        let b = self.operand(right);
        self.end_group(group);
        self.at = id;
        self.step(Rule::Op, id);
        match (op, a, b) {
            (Alu::Add, Operand::Register(a), Operand::Literal(k))
            | (Alu::Add, Operand::Literal(k), Operand::Register(a))
                if small(&k).is_some() =>
            {
                self.emit(Op::AddInt { d, a, i: small(&k).unwrap_or(0) });
            }
            (Alu::Sub, Operand::Register(a), Operand::Literal(k))
                if small(&k).is_some_and(|i| i >= 0) =>
            {
                self.emit(Op::AddInt { d, a, i: -small(&k).unwrap_or(0) });
            }
            (op, a, b) => {
                let a = self.in_register(a);
                let b = self.in_register(b);
                self.emit(match op {
                    Alu::Add => Op::Add { d, a, b },
                    Alu::Sub => Op::Sub { d, a, b },
                    op => Op::Alu { op, d, a, b },
                });
            }
        }
    }

    /// `andalso` (want = true) and `orelse`.
    fn circuit(&mut self, id: ExprId, want: bool, left: &'a Expr, right: &'a Expr, d: Reg) {
        // Not straight into `d`: it may be a variable's register, which must not hold half a value.
        let t = self.new_temp();
        self.into(left, t);
        let out = self.emit_step(Op::Circuit { a: t, want, els: 0 }, Rule::Op, id);
        // The right side may not be evaluated: nobody can mean what it binds.
        let outer = self.scope();
        self.into(right, t);
        self.flush();
        self.leave(outer);
        self.patch_here(&[out]);
        self.emit(Op::Move { d, s: t });
    }

    fn fun_remote(&mut self, e: &Expr, module: &'a Expr, name: &'a Expr, arity: &'a Expr, d: Reg) {
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

    fn closure(&mut self, e: &'a Expr, name: Option<Atom>, clauses: &'a [Clause], d: Reg) {
        let id = self.node_id(e);
        let mut env = FreeVars::of_fun(name, clauses);
        env.retain(|v| self.is_known_in_fun(*v));
        self.order_as_compiled(&mut env);
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
        let n = env.len() as u16;
        self.emit_step(Op::MakeFun { d, fun, a0, n }, Rule::Fun, id);
        let parent = self.names.clone();
        let closure = PendingClosure { id: fun, name, clauses, env, parent };
        self.l.pending.push(Pending::Closure(closure));
    }

    /// A fun that comes from a node brings its values in the order that OTP's compiler gave them:
    /// first the parameters of the function around it, then the others by name. What came out of
    /// a larger pattern is ordered in the compiler's own way, which is not followed here.
    fn order_as_compiled(&mut self, env: &mut [Atom]) {
        let arity = self.l.code.fun(self.id).arity;
        env.sort_by_cached_key(|var| {
            let reg = self.register(*var);
            (if reg < arity { reg } else { arity }, var.name())
        });
    }

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

/// The pairs that update a key, in the order in which OTP asks for it: neighbours with constant
/// keys in the order of their keys.
fn exact_fields(fields: &[MapField]) -> Vec<usize> {
    let mut order: Vec<usize> = vec![];
    let mut run: Vec<(Term, usize)> = vec![];
    for (i, field) in fields.iter().enumerate() {
        let exact = field.kind == MapFieldKind::Exact;
        match constant(&field.key).filter(|_| exact) {
            Some(key) => run.push((key, i)),
            None => {
                take_sorted(&mut run, &mut order);
                order.extend(exact.then_some(i));
            }
        }
    }
    take_sorted(&mut run, &mut order);
    order
}

fn take_sorted(run: &mut Vec<(Term, usize)>, order: &mut Vec<usize>) {
    run.sort_by(|a, b| reverl_term::compare_exact(&a.0, &b.0));
    order.extend(run.drain(..).map(|(_, i)| i));
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

fn external_fun(module: Atom, name: Atom, arity: u32) -> Term {
    Term::fun(Fun::External { module, name, arity })
}

fn small(term: &Term) -> Option<i32> {
    term.as_small().and_then(|i| i32::try_from(i).ok())
}

pub fn una(op: UnaryOp) -> Una {
    match op {
        UnaryOp::Plus => Una::Plus,
        UnaryOp::Minus => Una::Minus,
        UnaryOp::Not => Una::Not,
        UnaryOp::Bnot => Una::Bnot,
    }
}

/// All binary operators but the short-circuit ones and `!`.
pub fn alu(op: BinaryOp) -> Alu {
    match op {
        BinaryOp::Add => Alu::Add,
        BinaryOp::Sub => Alu::Sub,
        BinaryOp::Mul => Alu::Mul,
        BinaryOp::Div => Alu::Div,
        BinaryOp::IntDiv => Alu::IntDiv,
        BinaryOp::Rem => Alu::Rem,
        BinaryOp::Band => Alu::Band,
        BinaryOp::Bor => Alu::Bor,
        BinaryOp::Bxor => Alu::Bxor,
        BinaryOp::Bsl => Alu::Bsl,
        BinaryOp::Bsr => Alu::Bsr,
        BinaryOp::And => Alu::And,
        BinaryOp::Or => Alu::Or,
        BinaryOp::Xor => Alu::Xor,
        BinaryOp::Equal => Alu::Equal,
        BinaryOp::NotEqual => Alu::NotEqual,
        BinaryOp::LessEqual => Alu::LessEqual,
        BinaryOp::Less => Alu::Less,
        BinaryOp::GreaterEqual => Alu::GreaterEqual,
        BinaryOp::Greater => Alu::Greater,
        BinaryOp::ExactEqual => Alu::ExactEqual,
        BinaryOp::ExactNotEqual => Alu::ExactNotEqual,
        BinaryOp::Append => Alu::Append,
        BinaryOp::Subtract => Alu::Subtract,
        BinaryOp::AndAlso | BinaryOp::OrElse | BinaryOp::Send => {
            unreachable!("{op:?} is not arithmetic")
        }
    }
}
