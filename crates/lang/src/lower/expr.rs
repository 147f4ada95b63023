//! Expressions in bodies.

use super::constant::{arithmetic, constant};
use super::emit::{Dest, FunLowering, Operand};
use super::fun::external_fun;
use super::*;
use reverl_term::atoms;

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
                // OTP's compiler puts what is constant last, and an exception tells its order.
                let is_swapped = matches!(op, Alu::Mul | Alu::Band | Alu::Bor | Alu::Bxor)
                    && arithmetic(left).is_some()
                    && arithmetic(right).is_none();
                let a = self.in_register(a);
                let b = self.in_register(b);
                let (a, b) = if is_swapped { (b, a) } else { (a, b) };
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
