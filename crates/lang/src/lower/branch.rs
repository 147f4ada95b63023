//! Expressions that choose: function clauses, case, if, receive, try, catch, maybe.

use super::emit::{Dest, FunLowering, Holes};
use super::pattern::pattern_vars;
use super::*;
use reverl_term::atoms;

/// What happens when no clause fits.
#[derive(Clone, Copy)]
enum NoMatch {
    Fail(Failure, Reg),
    /// A `catch` without a fitting clause lets the exception pass.
    Reraise(Reg),
    /// A receive goes on with the next message: its own code follows the clauses.
    Skip {
        again: Pc,
    },
}

/// What is left to do after some clauses.
struct Chosen {
    /// The ends of their bodies, to be joined.
    ends: Holes,
    /// The variables that all of them bound.
    exported: Vec<Atom>,
    /// The last clause always fits.
    exhaustive: bool,
}

/// Code whose exceptions come to the code that follows it.
struct Protected {
    /// The first of the three registers in which an exception is.
    caught: Reg,
    /// The jump over the code for exceptions.
    over: usize,
    /// The variables that were bound.
    bound: Vec<Atom>,
}

impl<'a> FunLowering<'_, 'a> {
    /// The clauses of a function or fun, whose arguments are in the registers from 0 on.
    pub fn clauses_of_function(&mut self, clauses: &'a [Clause], arity: u16) {
        self.reserve(arity);
        let first_temp = self.first_temp();
        let whole = self.at;
        for clause in clauses {
            self.restart_registers(first_temp);
            self.clauses.push((self.here(), clause.span));
            let mut parameters = vec![];
            clause.patterns.iter().for_each(|p| pattern_vars(p, &mut parameters));
            self.bind_outer(&parameters);
            for (i, pattern) in clause.patterns.iter().enumerate() {
                // A variable as parameter simply names the argument's register.
                if let ExprKind::Var(name) = &pattern.kind {
                    if *name != atoms::UNDERSCORE && !self.is_bound(*name) {
                        self.bind_to(*name, i as Reg);
                    }
                }
            }
            let parts = [clause.patterns.as_slice(), clause.body.as_slice()];
            self.assign_registers(parts.into_iter().flatten());
            let mut fails = vec![];
            // A variable of one parameter may come again in the next.
            let mut seen = vec![];
            for (i, pattern) in clause.patterns.iter().enumerate() {
                if !self.names_register(pattern, i as Reg) {
                    self.pattern_part(pattern, i as Reg, &mut fails, &mut seen);
                }
            }
            clause.patterns.iter().for_each(|p| self.bind_pattern(p));
            self.names.order.parameters(&clause.patterns, &self.l.records);
            self.shadowed.clear();
            self.guard(&clause.guard, &mut fails);
            self.body(&clause.body, Dest::Tail);
            self.leave(0);
            self.patch_here(&fails);
            if fails.is_empty() {
                return;
            }
        }
        self.at = whole;
        self.emit(Op::FunctionClause);
    }

    fn names_register(&mut self, pattern: &Expr, reg: Reg) -> bool {
        match &pattern.kind {
            ExprKind::Var(name) if *name != atoms::UNDERSCORE => self.register(*name) == reg,
            ExprKind::Var(_) => true,
            _ => false,
        }
    }

    pub fn branching(&mut self, e: &'a Expr, dest: Dest) {
        let temp = self.temp;
        match &e.kind {
            ExprKind::Case { subject, clauses } => {
                let id = self.node_id(e);
                let reg = self.value_register(subject);
                self.at = id;
                self.step(Rule::Case, id);
                self.choose(clauses, reg, id, NoMatch::Fail(Failure::CaseClause, reg), dest);
            }
            ExprKind::If(clauses) => {
                let id = self.node_id(e);
                self.at = id;
                self.step(Rule::If, id);
                self.choose(clauses, 0, id, NoMatch::Fail(Failure::IfClause, 0), dest);
            }
            ExprKind::Receive { clauses, after } => self.receive(e, clauses, after.as_ref(), dest),
            ExprKind::Try(parts) if parts.after.is_empty() => self.try_catch(e, parts, dest),
            ExprKind::Try(parts) => self.try_after(e, parts, dest),
            ExprKind::Catch(body) => self.catch(e, body, dest),
            ExprKind::Maybe { body, else_clauses } => self.maybe(e, body, else_clauses, dest),
            _ => unreachable!("not a choice"),
        }
        self.temp = temp;
    }

    /// Clauses on the value in `reg`, each with at most one pattern, up to where they join.
    fn choose(
        &mut self,
        clauses: &'a [Clause],
        reg: Reg,
        id: ExprId,
        otherwise: NoMatch,
        dest: Dest,
    ) {
        let chosen = self.clauses(clauses, reg, id, otherwise, dest);
        if !chosen.exhaustive {
            self.at = id;
            match otherwise {
                NoMatch::Fail(failure, a) => self.emit(Op::Fail { failure, a }),
                NoMatch::Reraise(a) => self.emit(Op::Reraise { a }),
                NoMatch::Skip { .. } => unreachable!("a receive joins its own clauses"),
            };
        }
        self.patch_here(&chosen.ends);
        self.rebind(chosen.exported);
    }

    fn clauses(
        &mut self,
        clauses: &'a [Clause],
        reg: Reg,
        id: ExprId,
        otherwise: NoMatch,
        dest: Dest,
    ) -> Chosen {
        let temp = self.temp;
        let outer = self.scope();
        let mut ends = vec![];
        let mut exported: Option<Vec<Atom>> = None;
        let mut exhaustive = false;
        for clause in clauses {
            self.temp = temp;
            let mut fails = vec![];
            match (otherwise, clause.patterns.as_slice()) {
                (NoMatch::Reraise(_), [caught]) => self.caught_pattern(caught, reg, &mut fails),
                (_, [pattern]) => {
                    self.pattern(pattern, reg, &mut fails);
                    self.bind_pattern(pattern);
                }
                _ => {}
            }
            self.guard(&clause.guard, &mut fails);
            if let NoMatch::Skip { again } = otherwise {
                self.emit_step(Op::ReceiveTake { again }, Rule::Receive, id);
                self.bound_from_here(outer);
            }
            self.branch_body(&clause.body, id, dest, &mut ends);
            let bound = self.leave(outer);
            exported = Some(in_both(exported, bound));
            self.patch_here(&fails);
            // What follows a clause that always fits is never reached, but only what all of the
            // clauses bind is bound after them.
            exhaustive |= fails.is_empty();
        }
        Chosen { ends, exported: exported.unwrap_or_default(), exhaustive }
    }

    fn rebind(&mut self, exported: Vec<Atom>) {
        for name in exported {
            if !self.is_bound(name) {
                self.bind(name);
            }
        }
    }

    fn branch_body(&mut self, body: &'a [Expr], id: ExprId, dest: Dest, ends: &mut Holes) {
        self.body(body, dest);
        if let Dest::Register(_) = dest {
            self.step(Rule::Join, id);
            ends.push(self.emit(Op::Jmp { to: 0 }));
        }
    }

    fn receive(&mut self, e: &Expr, clauses: &'a [Clause], after: Option<&'a After>, dest: Dest) {
        let id = self.node_id(e);
        let timeout = match after {
            Some(after) if !is_infinity(&after.timeout) => {
                let reg = self.new_temp();
                self.into(&after.timeout, reg);
                reg
            }
            _ => NOWHERE,
        };
        self.at = id;
        let start = self.emit(Op::ReceiveStart { timeout }) as Pc;
        let message = self.new_temp();
        let outer = self.scope();
        let again = self.here();
        let next = self.emit(Op::ReceiveNext { d: message, wait: 0 });
        let chosen = self.clauses(clauses, message, id, NoMatch::Skip { again }, dest);
        let (mut ends, mut exported) = (chosen.ends, chosen.exported);
        self.emit(Op::ReceiveSkip { to: again });
        self.patch_here(&[next]);
        self.at = id;
        self.emit(Op::ReceiveWait { timeout, again });
        if let Some(after) = after.filter(|_| timeout != NOWHERE) {
            self.step(Rule::Timeout, id);
            self.branch_body(&after.body, id, dest, &mut ends);
            let bound = self.leave(outer);
            let before = (!clauses.is_empty()).then_some(exported);
            exported = in_both(before, bound);
        }
        self.patch_here(&ends);
        let value = match dest {
            Dest::Register(reg) => reg,
            Dest::Tail => NOWHERE,
        };
        self.receives.push(ReceiveRange { start, end: self.here(), value, expr: id });
        self.rebind(exported);
    }

    /// The pattern `{Class, Reason, Stacktrace}` of a catch clause on three registers.
    fn caught_pattern(&mut self, caught: &'a Expr, reg: Reg, fails: &mut Holes) {
        let ExprKind::Tuple(parts) = &caught.kind else { unreachable!("the parser's own tuple") };
        self.pattern(&parts[0], reg, fails);
        self.bind_pattern(&parts[0]);
        self.pattern(&parts[1], reg + 1, fails);
        self.bind_pattern(&parts[1]);
        if let ExprKind::Var(name) = &parts[2].kind {
            if *name != atoms::UNDERSCORE {
                let d = self.register(*name);
                self.emit(Op::BuildTrace { d, a: reg + 2 });
                self.bind(*name);
            }
        }
    }

    /// Runs `protected` so that its exceptions come to the code that follows it.
    fn protect(&mut self, protected: impl FnOnce(&mut Self)) -> Protected {
        self.flush();
        let caught = self.new_temps(3);
        let start = self.here();
        let outer = self.scope();
        protected(self);
        let over = self.emit(Op::Jmp { to: 0 });
        let end = self.here();
        let bound = self.leave(outer);
        self.handlers.push(Handler { start, end, target: end, reg: caught });
        Protected { caught, over, bound }
    }

    fn try_catch(&mut self, e: &'a Expr, parts: &'a Try, dest: Dest) {
        let id = self.node_id(e);
        let value = self.new_temp();
        let Protected { caught, over, bound } =
            self.protect(|f| f.body(&parts.body, Dest::Register(value)));
        self.at = id;
        self.step(Rule::Catch, id);
        let mut ends = vec![];
        // Variables bound inside a `try` are unsafe after it: nobody can mean them.
        let outer = self.scope();
        self.choose(&parts.catch_clauses, caught, id, NoMatch::Reraise(caught), dest);
        self.leave(outer);
        if let Dest::Register(_) = dest {
            self.flush();
            ends.push(self.emit(Op::Jmp { to: 0 }));
        }
        self.patch_here(&[over]);
        if parts.of_clauses.is_empty() {
            self.give(value, dest, e.span);
        } else {
            let otherwise = NoMatch::Fail(Failure::TryClause, value);
            // Only here is it known what the body has bound.
            self.rebind(bound);
            self.choose(&parts.of_clauses, value, id, otherwise, dest);
            self.leave(outer);
        }
        self.patch_here(&ends);
    }

    fn try_after(&mut self, e: &'a Expr, parts: &'a Try, dest: Dest) {
        let id = self.node_id(e);
        let value = self.new_temp();
        let inner_only = parts.of_clauses.is_empty() && parts.catch_clauses.is_empty();
        let Protected { caught, over, .. } = self.protect(|f| {
            if inner_only {
                f.body(&parts.body, Dest::Register(value));
            } else {
                f.try_catch(e, parts, Dest::Register(value));
            }
        });
        let ignored = self.new_temp();
        self.at = id;
        self.step(Rule::Catch, id);
        let outer = self.scope();
        self.body(&parts.after, Dest::Register(ignored));
        self.leave(outer);
        self.flush();
        self.at = id;
        self.emit(Op::Reraise { a: caught });
        self.patch_here(&[over]);
        self.body(&parts.after, Dest::Register(ignored));
        self.leave(outer);
        self.give(value, dest, e.span);
    }

    /// The value in `reg` is that of the whole expression.
    fn give(&mut self, reg: Reg, dest: Dest, span: Span) {
        match dest {
            Dest::Register(d) if d == reg => {}
            Dest::Register(d) => {
                self.emit(Op::Move { d, s: reg });
            }
            Dest::Tail => self.return_value(reg, span),
        }
    }

    fn catch(&mut self, e: &'a Expr, body: &'a Expr, dest: Dest) {
        let id = self.node_id(e);
        let value = self.new_temp();
        let Protected { caught, over, .. } = self.protect(|f| f.into(body, value));
        self.at = id;
        self.step(Rule::Catch, id);
        self.emit(Op::CatchValue { d: value, a: caught });
        self.patch_here(&[over]);
        self.give(value, dest, e.span);
    }

    fn maybe(&mut self, e: &'a Expr, body: &'a [Expr], else_clauses: &'a [Clause], dest: Dest) {
        let id = self.node_id(e);
        let value = self.new_temp();
        let outer = self.scope();
        let mut leaving = vec![];
        let (last, init) = body.split_last().expect("a body is never empty");
        for part in body {
            let temp = self.temp;
            match &part.kind {
                ExprKind::MaybeMatch { pattern, value: matched } => {
                    let part_id = self.expr_id(part.span);
                    self.into(matched, value);
                    self.at = part_id;
                    self.step(Rule::Match, part_id);
                    let mut fails = vec![];
                    self.pattern(pattern, value, &mut fails);
                    self.bind_pattern(pattern);
                    leaving.extend(fails);
                }
                _ if std::ptr::eq(part, last) => self.into(part, value),
                _ => {
                    self.operand(part);
                }
            }
            self.temp = temp;
            if !init.is_empty() && !std::ptr::eq(part, last) {
                self.step(Rule::Seq, id);
            }
        }
        self.flush();
        self.leave(outer);
        let mut ends = vec![];
        match dest {
            Dest::Tail => self.return_value(value, e.span),
            Dest::Register(_) => {
                self.give(value, dest, e.span);
                ends.push(self.emit(Op::Jmp { to: 0 }));
            }
        }
        if !leaving.is_empty() {
            self.patch_here(&leaving);
            self.at = id;
            self.step(Rule::Else, id);
            if else_clauses.is_empty() {
                self.flush();
                self.give(value, dest, e.span);
            } else {
                let otherwise = NoMatch::Fail(Failure::ElseClause, value);
                self.choose(else_clauses, value, id, otherwise, dest);
                self.leave(outer);
            }
        }
        self.patch_here(&ends);
    }
}

fn is_infinity(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Atom(a) if *a == atoms::INFINITY)
}

fn in_both(before: Option<Vec<Atom>>, now: Vec<Atom>) -> Vec<Atom> {
    match before {
        None => now,
        Some(before) => before.into_iter().filter(|v| now.contains(v)).collect(),
    }
}
