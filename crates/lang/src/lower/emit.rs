//! The code of one function while it is written: registers, pending steps, scopes.

use super::group::Group;
use super::*;
use reverl_term::atoms;

/// Where the value of an expression stands.
pub enum Operand {
    Register(Reg),
    Literal(Term),
}

/// Where a value must go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dest {
    Register(Reg),
    /// It is the value of the function.
    Tail,
}

/// Instructions whose failure target is not known yet.
pub type Holes = Vec<usize>;

/// One function while its code is written.
pub struct FunLowering<'l, 'a> {
    pub l: &'l mut Lowering<'a>,
    pub id: FunId,
    pub names: LiftedNames,
    /// Steps that are added to the next instruction.
    pub pend: Vec<SubStep>,
    /// The expression that instructions now belong to.
    pub at: ExprId,
    entry: Pc,
    registers: HashMap<Atom, Reg>,
    /// Variables bound here, oldest first; a scope is a suffix.
    bound: Vec<Atom>,
    /// For each of `bound`, its entry in `vars` (hidden variables have none).
    ranges: Vec<Option<usize>>,
    vars: Vec<VarRange>,
    pub handlers: Vec<Handler>,
    pub receives: Vec<ReceiveRange>,
    pub clauses: Vec<(Pc, Span)>,
    /// What a fun closed over, and its own name: known in each clause that does not hide it.
    outer: Vec<(Atom, Reg)>,
    /// The outer variables that the patterns being matched hide: keys and sizes still mean them.
    pub shadowed: Vec<(Atom, Reg)>,
    /// Operands around what is being written, the innermost last.
    pub groups: Vec<Group>,
    first_temp: Reg,
    pub temp: Reg,
    max: Reg,
}

impl<'l, 'a> FunLowering<'l, 'a> {
    pub fn new(l: &'l mut Lowering<'a>, id: FunId, names: LiftedNames) -> FunLowering<'l, 'a> {
        let entry = l.code.ins.len() as Pc;
        let span = l.code.fun(id).span;
        l.code.exprs.push(ExprInfo { span, place: span, fun: id });
        let at = ExprId(l.code.exprs.len() as u32 - 1);
        FunLowering {
            l,
            id,
            names,
            pend: vec![],
            at,
            entry,
            registers: HashMap::new(),
            bound: vec![],
            ranges: vec![],
            vars: vec![],
            handlers: vec![],
            receives: vec![],
            clauses: vec![],
            outer: vec![],
            shadowed: vec![],
            groups: vec![],
            first_temp: 0,
            temp: 0,
            max: 0,
        }
    }

    /// The closed-over values follow the arguments; a named fun can call itself.
    pub fn open_closure(&mut self, name: Option<Atom>, arity: u16, env: &[Atom]) {
        self.outer = env.iter().zip(arity..).map(|(var, reg)| (*var, reg)).collect();
        self.reserve(arity + env.len() as Reg);
        if let Some(name) = name.filter(|n| *n != atoms::UNDERSCORE) {
            let d = self.new_temp();
            self.first_temp = self.temp;
            self.emit(Op::MakeFun { d, fun: self.id, a0: arity, n: env.len() as u16 });
            self.outer.push((name, d));
        }
    }

    /// Binds what was closed over, except what the `hiding` parameters hide.
    pub fn bind_outer(&mut self, hiding: &[Atom]) {
        self.shadowed.clear();
        for (name, reg) in self.outer.clone() {
            match hiding.contains(&name) {
                true => self.shadowed.push((name, reg)),
                false => self.bind_to(name, reg),
            }
        }
    }

    /// Lets `inner` see the outer variables that patterns hide, except those in `read`.
    pub fn with_shadowed<T>(&mut self, read: &[Atom], inner: impl FnOnce(&mut Self) -> T) -> T {
        let mut kept = vec![];
        for (name, reg) in self.shadowed.iter().filter(|(name, _)| !read.contains(name)) {
            kept.push((*name, self.registers.insert(*name, *reg)));
        }
        let result = inner(self);
        for (name, own) in kept {
            match own {
                Some(reg) => self.registers.insert(name, reg),
                None => self.registers.remove(&name),
            };
        }
        result
    }

    /// Keeps the registers below `n` from being used for anything else.
    pub fn reserve(&mut self, n: Reg) {
        self.first_temp = self.first_temp.max(n);
        self.temp = self.temp.max(n);
        self.max = self.max.max(n);
    }

    /// Gives each variable of these expressions that has none a register of its own.
    pub fn assign_registers<'e>(&mut self, exprs: impl Iterator<Item = &'e Expr>) {
        let mut names = Vec::new();
        exprs.for_each(|e| own_vars(e, &mut names));
        for name in names {
            if !self.registers.contains_key(&name) {
                let reg = self.first_temp;
                self.registers.insert(name, reg);
                self.reserve(reg + 1);
            }
        }
    }

    /// Forgets the registers of the last clause: the next one has its own variables.
    pub fn restart_registers(&mut self, first_temp: Reg) {
        self.registers.clear();
        self.first_temp = first_temp;
        self.temp = first_temp;
    }

    pub fn first_temp(&self) -> Reg {
        self.first_temp
    }

    pub fn finish(self) {
        let end = self.here();
        let info = &mut self.l.code.funs[self.id.0 as usize];
        info.entry = self.entry;
        info.end = end;
        // Three more: an exception is handed over in class, reason and trace.
        info.registers = self.max + 3;
        info.handlers = self.handlers;
        info.receives = self.receives;
        info.clauses = self.clauses;
        info.vars = self.vars;
    }

    pub fn emit(&mut self, op: Op) -> usize {
        // An instruction's weight is a byte; a chain of pure steps can be longer.
        while self.pend.len() > 200 {
            let rest = self.pend.split_off(200);
            self.push(Op::Nop);
            self.pend = rest;
            self.bound_later(200);
        }
        self.push(op)
    }

    fn push(&mut self, op: Op) -> usize {
        let code = &mut *self.l.code;
        code.sub_start.push(code.substeps.len() as u32);
        code.ins.push(Ins { op, weight: self.pend.len() as u8 });
        code.substeps.append(&mut self.pend);
        code.at.push(self.at);
        code.ins.len() - 1
    }

    pub fn step(&mut self, rule: Rule, expr: ExprId) {
        self.pend.push(SubStep { rule, expr });
    }

    /// An instruction that itself performs the step, after the pending ones.
    pub fn emit_step(&mut self, op: Op, rule: Rule, expr: ExprId) -> usize {
        self.at = expr;
        self.step(rule, expr);
        self.emit(op)
    }

    /// A tail call, of whose arguments those in `moved` stand from `a0` on.
    pub fn tail_call_op(&self, fun: FunId, a0: Reg, moved: impl IntoIterator<Item = Reg>) -> Op {
        let bit = |i: Reg| if can_stay(i) { 1 << i } else { 0 };
        let moved = moved.into_iter().fold(0, |bits, i| bits | bit(i));
        match fun == self.id && u32::from(self.l.code.fun(fun).arity) <= u32::BITS {
            true => Op::Again { to: self.entry, a0, moved },
            false => Op::TailCall { fun, a0, moved },
        }
    }

    /// Gives pending steps an instruction, so that what follows can be jumped to.
    pub fn flush(&mut self) {
        if !self.pend.is_empty() {
            self.emit(Op::Nop);
        }
    }

    /// Code of a guard or pattern, which weighs nothing, made as in a body.
    pub fn without_steps(&mut self, emit: impl FnOnce(&mut Self)) {
        self.flush();
        let first = self.here() as usize;
        let steps = self.l.code.substeps.len();
        emit(self);
        self.pend.clear();
        let code = &mut *self.l.code;
        code.substeps.truncate(steps);
        code.ins[first..].iter_mut().for_each(|ins| ins.weight = 0);
        code.sub_start[first..].iter_mut().for_each(|start| *start = steps as u32);
    }

    pub fn here(&self) -> Pc {
        self.l.code.ins.len() as Pc
    }

    pub fn patch(&mut self, holes: &[usize], to: Pc) {
        for &hole in holes {
            self.patch_one(hole, to);
        }
    }

    fn patch_one(&mut self, hole: usize, to: Pc) {
        let op = &mut self.l.code.ins[hole].op;
        if let Some(els) = op.els_mut() {
            *els = to;
            return;
        }
        match op {
            Op::BitsGet { segment, .. } => self.l.code.segments[*segment as usize].1 = to,
            Op::Jmp { to: target } | Op::ReceiveSkip { to: target } => *target = to,
            Op::ReceiveNext { wait, .. } => *wait = to,
            Op::ReceiveWait { again, .. } => *again = to,
            other => unreachable!("nothing to patch in {other:?}"),
        }
    }

    pub fn patch_here(&mut self, holes: &[usize]) {
        if !holes.is_empty() {
            self.flush();
            let here = self.here();
            self.patch(holes, here);
        }
    }

    pub fn new_temp(&mut self) -> Reg {
        let reg = self.temp;
        self.temp += 1;
        self.max = self.max.max(self.temp);
        assert!(self.temp < NOWHERE - 8, "a function with more than 65,000 live values");
        reg
    }

    pub fn new_temps(&mut self, n: usize) -> Reg {
        let first = self.temp;
        (0..n).for_each(|_| {
            self.new_temp();
        });
        first
    }

    pub fn expr_id(&mut self, span: Span) -> ExprId {
        self.place_id(span, span)
    }

    pub fn node_id(&mut self, e: &Expr) -> ExprId {
        self.place_id(e.span, e.place())
    }

    pub fn place_id(&mut self, span: Span, place: Span) -> ExprId {
        self.l.code.exprs.push(ExprInfo { span, place, fun: self.id });
        ExprId(self.l.code.exprs.len() as u32 - 1)
    }

    // -- Scopes

    pub fn is_bound(&self, name: Atom) -> bool {
        self.bound.contains(&name)
    }

    pub fn register(&mut self, name: Atom) -> Reg {
        if let Some(reg) = self.registers.get(&name) {
            return *reg;
        }
        // Only a variable that lint would refuse comes here; any register will do.
        let reg = self.new_temp();
        self.registers.insert(name, reg);
        reg
    }

    /// The variable is bound from the next substep on, in its register.
    pub fn bind(&mut self, name: Atom) {
        let reg = self.register(name);
        self.bind_to(name, reg);
        self.names.order.name(name);
    }

    pub fn bind_to(&mut self, name: Atom, reg: Reg) {
        self.registers.insert(name, reg);
        let start_sub = self.pend.len().min(255) as u8;
        let hidden = name.name().starts_with('-');
        self.bound.push(name);
        if hidden {
            return self.ranges.push(None);
        }
        self.vars.push(VarRange { name, reg, start: self.here(), start_sub, end: Pc::MAX });
        self.ranges.push(Some(self.vars.len() - 1));
    }

    /// The last instruction has taken only the first so many of the steps that wait: what is
    /// bound by the others is bound at the next instruction.
    pub fn bound_later(&mut self, taken: u8) {
        let here = self.here();
        for var in self.vars.iter_mut().rev().take_while(|v| v.start + 1 >= here) {
            if var.start + 1 == here && var.start_sub > taken {
                (var.start, var.start_sub) = (here, var.start_sub - taken);
            }
        }
    }

    /// What was bound inside `mark` is bound from here on: the message has only now been taken.
    pub fn bound_from_here(&mut self, mark: usize) {
        let here = self.here();
        for range in self.ranges[mark..].iter().flatten() {
            let var = &mut self.vars[*range];
            (var.start, var.start_sub) = (here, 0);
        }
    }

    pub fn scope(&self) -> usize {
        self.bound.len()
    }

    /// The variables that were bound inside `mark` so far.
    pub fn bound_since(&self, mark: usize) -> &[Atom] {
        &self.bound[mark..]
    }

    /// Leaves all scopes inside `mark`; returns the variables that were bound there.
    pub fn leave(&mut self, mark: usize) -> Vec<Atom> {
        let end = self.here();
        for range in self.ranges.drain(mark..).flatten() {
            self.vars[range].end = end;
        }
        self.bound.split_off(mark)
    }
}

/// Whether an argument of a tail call may be where it stands already.
pub fn can_stay(argument: Reg) -> bool {
    u32::from(argument) < u32::BITS
}

/// The variables that this function itself binds or uses: not those of the functions that its
/// funs and comprehensions become (whose first source is still evaluated here).
pub(super) fn own_vars(expr: &Expr, into: &mut Vec<Atom>) {
    let first_source = |qualifiers: &[Qualifier], into: &mut Vec<Atom>| {
        for qualifier in qualifiers {
            match qualifier {
                Qualifier::Filter(test) => own_vars(test, into),
                Qualifier::Generator(g) => return own_vars(&g.source, into),
                Qualifier::Zip { generators, .. } => {
                    return generators.iter().for_each(|g| own_vars(&g.source, into));
                }
            }
        }
    };
    match &expr.kind {
        ExprKind::Fun { .. } => {}
        ExprKind::ListComp { qualifiers, .. }
        | ExprKind::BinaryComp { qualifiers, .. }
        | ExprKind::MapComp { qualifiers, .. } => {
            let has_generator = qualifiers.iter().any(|q| !matches!(q, Qualifier::Filter(_)));
            if has_generator {
                first_source(qualifiers, into);
            } else {
                crate::visit::for_each_part(expr, &mut |part| own_vars(part, into));
            }
        }
        ExprKind::Var(name) => {
            if *name != atoms::UNDERSCORE && !into.contains(name) {
                into.push(*name);
            }
        }
        _ => crate::visit::for_each_part(expr, &mut |part| own_vars(part, into)),
    }
}
