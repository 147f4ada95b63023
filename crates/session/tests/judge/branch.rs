//! Expressions that choose: case, if, receive, try, catch, maybe.

use super::{Eval, Judge, Leave, Raised};
use reverl_causal::ActionKind;
use reverl_lang::ast::*;
use reverl_lang::code::Rule;
use reverl_lang::source::Span;
use reverl_machine::Class;
use reverl_machine::raise::show_trace;
use reverl_term::{Term, atoms};

impl<'t> Judge<'t, '_> {
    pub(super) fn branching(&mut self, e: &'t Expr, tail: bool) -> Eval<'t> {
        match &e.kind {
            ExprKind::Case { subject, clauses } => {
                let value = self.value(subject)?;
                self.step(Rule::Case, e.span)?;
                match self.clauses(clauses, &value, e.span, tail)? {
                    Some(value) => Ok(value),
                    None => self.error_of("case_clause", value),
                }
            }
            ExprKind::If(clauses) => {
                self.step(Rule::If, e.span)?;
                match self.clauses(clauses, &Term::nil(), e.span, tail)? {
                    Some(value) => Ok(value),
                    None => self.error(Term::atom(atoms::IF_CLAUSE)),
                }
            }
            ExprKind::Receive { clauses, after } => self.receive(e, clauses, after.as_ref(), tail),
            ExprKind::Try(parts) if parts.after.is_empty() => self.try_catch(e, parts, tail),
            ExprKind::Try(parts) => self.try_after(e, parts, tail),
            ExprKind::Maybe { body, else_clauses } => self.maybe(e, body, else_clauses, tail),
            _ => unreachable!("not a choice"),
        }
    }

    /// The value of the clause that fits. Where nothing is left to return to, it does not join.
    fn clauses(
        &mut self,
        clauses: &'t [Clause],
        value: &Term,
        span: Span,
        tail: bool,
    ) -> Eval<'t, Option<Term>> {
        let before = self.scope().len();
        let Some(clause) = self.choose(clauses, value) else { return Ok(None) };
        let value = self.branch(&clause.body, span, tail)?;
        if !tail {
            self.leave_clause(before, clauses, None);
        }
        Ok(Some(value))
    }

    fn branch(&mut self, body: &'t [Expr], span: Span, tail: bool) -> Eval<'t> {
        let value = self.body(body, tail)?;
        if !tail {
            self.step(Rule::Join, span)?;
        }
        Ok(value)
    }

    fn receive(
        &mut self,
        e: &'t Expr,
        clauses: &'t [Clause],
        after: Option<&'t After>,
        tail: bool,
    ) -> Eval<'t> {
        if let Some(after) = after {
            let timeout = self.value(&after.timeout)?;
            let fits = timeout.as_small().is_some_and(|t| (0..=0xFFFF_FFFF).contains(&t));
            if !fits && !timeout.is_atom_eq(atoms::INFINITY) {
                self.frame().at = e.span;
                return self.error(Term::atom(atoms::TIMEOUT_VALUE));
            }
        }
        let execution = self.system.execution();
        let actions = &execution.proc(self.proc).actions;
        let before = self.scope().len();
        let body = after.map(|after| after.body.as_slice());
        match actions.get(self.next_action).map(|a| a.what()) {
            Some(ActionKind::Receive(signal)) => {
                self.step(Rule::Receive, e.span)?;
                self.acted()?;
                let message = execution.signal(signal).message.clone();
                let Some(clause) = self.choose(clauses, &message) else {
                    return self.differs(format!("no clause matches {message:?}"));
                };
                let value = self.branch(&clause.body, e.span, tail)?;
                if !tail {
                    self.leave_clause(before, clauses, body);
                }
                Ok(value)
            }
            Some(ActionKind::Timeout) => {
                self.step(Rule::Timeout, e.span)?;
                self.acted()?;
                let value = self.branch(body.expect("it has an after"), e.span, tail)?;
                if !tail {
                    self.leave_clause(before, clauses, body);
                }
                Ok(value)
            }
            // It waits, or an exit signal comes.
            _ => {
                self.step(Rule::Receive, e.span)?;
                Err(Leave::Over)
            }
        }
    }

    /// The recorded action that the last step was.
    pub(super) fn acted(&mut self) -> Eval<'t, ()> {
        let process = self.system.execution().proc(self.proc);
        let action = &process.actions[self.next_action];
        if action.step != self.steps {
            return self.differs(format!("an action is at {}, not {}", action.step, self.steps));
        }
        // What the node is called and which modules are current is seen anew at each action.
        if let Some(seen) = process.edition_at(self.next_action) {
            self.local.seen = seen.clone();
        }
        self.next_action += 1;
        Ok(())
    }

    /// Evaluates. An exception is given back, with all calls that it has left gone and nothing of
    /// what was bound inside.
    fn protect(
        &mut self,
        protected: impl FnOnce(&mut Self) -> Eval<'t>,
    ) -> Eval<'t, Result<Term, Raised>> {
        let (depth, bound) = (self.frames.len(), self.scope().len());
        let groups = self.groups.clone();
        let value = protected(self);
        self.groups = groups;
        if let Err(Leave::Over | Leave::Tail(..)) = value {
            return value.map(Ok);
        }
        match value {
            Ok(value) => Ok(Ok(value)),
            Err(Leave::Raise(raised)) => {
                self.frames.truncate(depth);
                self.scope().truncate(bound);
                Ok(Err(raised))
            }
            Err(_) => unreachable!("handed on above"),
        }
    }

    /// The step into a handler. The trace is an input: it is judged by OTP, not here.
    fn caught(&mut self, mut raised: Raised, span: Span) -> Eval<'t, Raised> {
        let process = self.system.state_at(self.proc, self.steps);
        let program = self.system.program();
        let info = program.code.fun(program.code.fun_at(process.pc()));
        let handler = info.handlers.iter().find(|h| h.target == process.pc());
        let registers = handler.and_then(|h| {
            let first = h.reg as usize;
            process.registers().get(first..first + 3)
        });
        if let Some([class, reason, trace]) = registers {
            if class != &Term::atom(raised.class.atom()) || reason != &raised.reason {
                let said = (raised.class, raised.reason);
                return self.differs(format!("{class:?}:{reason:?} is caught, not {said:?}"));
            }
            raised.trace = show_trace(&program.code, trace);
        }
        drop(program);
        self.step(Rule::Catch, span)?;
        Ok(raised)
    }

    fn again<T>(&mut self, raised: Raised) -> Eval<'t, T> {
        self.raised_in = self.frames.clone();
        Err(Leave::Raise(raised))
    }

    fn try_catch(&mut self, e: &'t Expr, parts: &'t Try, tail: bool) -> Eval<'t> {
        let bound = self.scope().len();
        let value = match self.protect(|judge| judge.body(&parts.body, false))? {
            Ok(value) if parts.of_clauses.is_empty() => {
                self.scope().truncate(bound);
                if tail { self.returns(value, e) } else { Ok(value) }
            }
            Ok(value) => match self.clauses(&parts.of_clauses, &value, e.span, tail)? {
                Some(value) => Ok(value),
                None => {
                    self.frame().at = e.span;
                    self.error_of("try_clause", value)
                }
            },
            Err(raised) => {
                let raised = self.caught(raised, e.span)?;
                let class = Term::atom(raised.class.atom());
                let all = vec![class, raised.reason.clone(), raised.trace.clone()];
                match self.clauses(&parts.catch_clauses, &Term::tuple(all), e.span, tail)? {
                    Some(value) => Ok(value),
                    None => self.again(raised),
                }
            }
        }?;
        self.scope().truncate(bound);
        Ok(value)
    }

    fn try_after(&mut self, e: &'t Expr, parts: &'t Try, tail: bool) -> Eval<'t> {
        let plain = parts.of_clauses.is_empty() && parts.catch_clauses.is_empty();
        let bound = self.scope().len();
        let protected = self.protect(|judge| match plain {
            true => judge.body(&parts.body, false),
            false => judge.try_catch(e, parts, false),
        })?;
        match protected {
            Ok(value) => {
                self.scope().truncate(bound);
                self.body(&parts.after, false)?;
                self.scope().truncate(bound);
                if tail { self.returns(value, e) } else { Ok(value) }
            }
            Err(raised) => {
                let raised = self.caught(raised, e.span)?;
                self.body(&parts.after, false)?;
                self.scope().truncate(bound);
                self.frame().at = e.span;
                self.again(raised)
            }
        }
    }

    pub(super) fn catch(&mut self, e: &'t Expr, body: &'t Expr) -> Eval<'t> {
        let bound = self.scope().len();
        let raised = match self.protect(|judge| judge.value(body))? {
            Ok(value) => {
                self.scope().truncate(bound);
                return Ok(value);
            }
            Err(raised) => self.caught(raised, e.span)?,
        };
        let exit = |value: Term| Term::tuple(vec![Term::atom(atoms::EXIT_UPPER), value]);
        Ok(match raised.class {
            Class::Throw => raised.reason,
            Class::Exit => exit(raised.reason),
            Class::Error => exit(Term::tuple(vec![raised.reason, raised.trace])),
        })
    }

    fn maybe(
        &mut self,
        e: &'t Expr,
        body: &'t [Expr],
        else_clauses: &'t [Clause],
        tail: bool,
    ) -> Eval<'t> {
        let bound = self.scope().len();
        let mut value = Term::nil();
        let mut leaves = false;
        for (i, part) in body.iter().enumerate() {
            match &part.kind {
                ExprKind::MaybeMatch { pattern, value: matched } => {
                    value = self.value(matched)?;
                    self.step(Rule::Match, part.span)?;
                    leaves = !self.matches(pattern, &value);
                    if leaves {
                        break;
                    }
                }
                _ => value = self.value(part)?,
            }
            if i + 1 < body.len() {
                self.step(Rule::Seq, e.span)?;
            }
        }
        self.scope().truncate(bound);
        if leaves {
            self.step(Rule::Else, e.span)?;
            if !else_clauses.is_empty() {
                let chosen = self.clauses(else_clauses, &value, e.span, tail)?;
                self.scope().truncate(bound);
                return match chosen {
                    Some(value) => Ok(value),
                    None => self.error_of("else_clause", value),
                };
            }
        }
        if tail { self.returns(value, e) } else { Ok(value) }
    }
}
