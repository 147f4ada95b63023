//! Where a value came from: back through bindings, arguments, returned values, messages and spawns
//! to the expression that made it, and on through what that was computed from.

use crate::scope;
use crate::session::Session;
use reverl_causal::{ActionKind, EventRef, ProcId};
use reverl_lang::ast::{BinaryOp, Expr, ExprKind};
use reverl_lang::code::Rule;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::{FileId, Span};
use reverl_lang::visit::collect_vars;
use reverl_term::{Atom, Fun, Term, View, exact_eq};

/// So many hops are followed.
const MOST_HOPS: usize = 200;
/// So much of a term is looked through for another.
const MOST_PARTS: usize = 100_000;

/// How a value got from one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopKind {
    /// A variable was bound to it.
    Bound,
    /// A function returned it.
    Returned,
    /// It came with a message: this is the sending.
    Sent,
    /// The process was spawned with it: this is the spawn.
    Spawned,
    /// An expression made it.
    Made,
}

/// One place on the way back.
#[derive(Clone, Debug)]
pub struct Hop {
    pub kind: HopKind,
    pub proc: ProcId,
    /// The position: after a binding, before everything else.
    pub step: u64,
    pub variable: Option<Atom>,
    /// The value here, which is what is followed or has it inside.
    pub value: Term,
    /// What is followed. It is another thing than at the hop before only if that one made it.
    pub part: Term,
    /// The sending or spawning.
    pub event: Option<EventRef>,
}

/// The way back of the value of a variable that a position shows.
pub fn of_variable(
    session: &Session,
    proc: ProcId,
    step: u64,
    name: Atom,
    value: Term,
) -> Vec<Hop> {
    let mut way = Way { session, hops: vec![] };
    let mut next = Some(Holder { proc, step, name, value });
    while let Some(holder) = next.filter(|_| way.hops.len() < MOST_HOPS) {
        next = way.back(holder);
    }
    way.hops
}

/// The way back of what a message holds, from its sending on.
pub fn of_message(session: &Session, sent: EventRef, value: Term) -> Vec<Hop> {
    let mut way = Way { session, hops: vec![] };
    let mut next = way.sent(sent, value);
    while let Some(holder) = next.filter(|_| way.hops.len() < MOST_HOPS) {
        next = way.back(holder);
    }
    way.hops
}

/// A variable that has the value at a position.
struct Holder {
    proc: ProcId,
    step: u64,
    name: Atom,
    /// What is looked for: the variable's value, or a part of it.
    value: Term,
}

struct Way<'s> {
    session: &'s Session,
    hops: Vec<Hop>,
}

/// The step that a process takes next at a position.
struct NextStep {
    rule: Option<Rule>,
    span: Span,
    depth: usize,
    variables: Vec<(Atom, Term)>,
}

impl Way<'_> {
    fn at(&self, proc: ProcId, step: u64) -> NextStep {
        let process = self.session.system.state_at(proc, step);
        let program = self.session.system.program();
        let here = scope::here(&program.code, &process, step);
        NextStep {
            rule: here.next.map(|(rule, _)| rule),
            span: here.span,
            depth: process.depth(),
            variables: scope::bindings_at(&program.code, &process, step),
        }
    }

    fn expression(&self, span: Span) -> Option<Expr> {
        let program = self.session.system.program();
        let text = program.code.sources.get(span.file)?.text.clone()?;
        let text = text.get(span.start as usize..span.end as usize)?;
        parse_exprs(text, FileId(u32::MAX)).ok()?.pop()
    }

    fn push(&mut self, kind: HopKind, proc: ProcId, step: u64, value: &Term) -> &mut Hop {
        let (value, part) = (value.clone(), value.clone());
        self.hops.push(Hop { kind, proc, step, variable: None, value, part, event: None });
        self.hops.last_mut().expect("just pushed")
    }

    /// One hop back from a variable, to the next variable on the way.
    fn back(&mut self, holder: Holder) -> Option<Holder> {
        let Holder { proc, step, name, value } = holder;
        let bound = self.session.bound_before(proc, step, name)?;
        let whole = self.at(proc, bound).variables.into_iter().find(|(n, _)| *n == name)?.1;
        let hop = self.push(HopKind::Bound, proc, bound, &whole);
        (hop.variable, hop.part) = (Some(name), value.clone());
        let Some(before) = bound.checked_sub(1) else { return self.spawned(proc, value) };
        let p = self.session.execution().proc(proc);
        let action = p.actions.iter().find(|a| a.step == bound);
        if let Some(ActionKind::Receive(signal)) = action.map(|a| a.what()) {
            let sent = self.session.execution().signal(signal).sent_by() as usize;
            return self.sent(EventRef::action(signal.from, sent), value);
        }
        let made = self.at(proc, before);
        let sources: Vec<Expr> = match (made.rule, self.expression(made.span).map(|e| e.kind)) {
            (Some(Rule::Match), Some(ExprKind::Match { value, .. })) => vec![*value],
            (Some(Rule::Case), Some(ExprKind::Case { subject, .. })) => vec![*subject],
            (Some(Rule::Call), Some(ExprKind::Call { function, args })) => {
                match self.argument(proc, bound, name) {
                    Some(i) if i < args.len() => vec![args[i].clone()],
                    // What a fun closed over was bound where the fun was made.
                    _ => args.into_iter().chain([*function]).collect(),
                }
            }
            _ => return self.held(proc, before, &made, &value),
        };
        self.source(proc, before, &made, &sources, value)
    }

    /// Which argument of a call a variable names, if it names one as a whole.
    fn argument(&self, proc: ProcId, step: u64, name: Atom) -> Option<usize> {
        let process = self.session.system.state_at(proc, step);
        let program = self.session.system.program();
        let info = program.code.fun(program.code.fun_at(process.pc()));
        let mut own = info.vars.iter().filter(|v| v.name == name);
        own.find(|v| v.start <= process.pc() && process.pc() < v.end && v.reg < info.arity)
            .map(|v| v.reg as usize)
    }

    /// The value is that of one of these expressions (or inside of it), at a position.
    fn source(
        &mut self,
        proc: ProcId,
        step: u64,
        here: &NextStep,
        sources: &[Expr],
        value: Term,
    ) -> Option<Holder> {
        if let [one] = sources {
            match &one.kind {
                ExprKind::Match { value: inner, .. } => {
                    let inner = [(**inner).clone()];
                    return self.source(proc, step, here, &inner, value);
                }
                ExprKind::Call { .. } => {
                    if let Some(next) = self.returned(proc, step, here, &value) {
                        return next;
                    }
                }
                _ => {}
            }
        }
        let mut names = vec![];
        sources.iter().for_each(|e| collect_vars(e, &mut names));
        let mentioned: Vec<(Atom, Term)> =
            here.variables.iter().filter(|(n, _)| names.contains(n)).cloned().collect();
        if let Some((name, _)) = holding(&mentioned, &value) {
            return Some(Holder { proc, step, name, value });
        }
        self.push(HopKind::Made, proc, step, &value);
        match mentioned.as_slice() {
            // What it was made from, if that is one thing.
            [(name, from)] => Some(Holder { proc, step, name: *name, value: from.clone() }),
            _ => None,
        }
    }

    /// If the step before this position returned from a call, the value came from there.
    fn returned(
        &mut self,
        proc: ProcId,
        step: u64,
        here: &NextStep,
        value: &Term,
    ) -> Option<Option<Holder>> {
        let before = step.checked_sub(1)?;
        let callee = self.at(proc, before);
        if callee.depth <= here.depth || callee.rule != Some(Rule::Return) {
            return None;
        }
        self.push(HopKind::Returned, proc, before, value);
        let sources: Vec<Expr> = self.expression(callee.span).into_iter().collect();
        if sources.is_empty() {
            return Some(self.held(proc, before, &callee, value));
        }
        Some(self.source(proc, before, &callee, &sources, value.clone()))
    }

    fn sent(&mut self, event: EventRef, value: Term) -> Option<Holder> {
        let action = self.session.execution().action(event)?;
        let step = action.step.checked_sub(1)?;
        self.push(HopKind::Sent, event.proc, step, &value).event = Some(event);
        self.action_source(event.proc, step, value)
    }

    fn spawned(&mut self, proc: ProcId, value: Term) -> Option<Holder> {
        let (parent, action) = self.session.execution().proc(proc).parent?;
        let event = EventRef::action(parent, action as usize);
        let step = self.session.execution().action(event)?.step.checked_sub(1)?;
        self.push(HopKind::Spawned, parent, step, &value).event = Some(event);
        self.action_source(parent, step, value)
    }

    /// What a process did at a position has the value in it.
    fn action_source(&mut self, proc: ProcId, step: u64, value: Term) -> Option<Holder> {
        let here = self.at(proc, step);
        let sources = match self.expression(here.span).map(|e| e.kind) {
            Some(ExprKind::Binop { op: BinaryOp::Send, right, .. }) => vec![*right],
            Some(ExprKind::Call { args, .. }) => args,
            _ => return self.held(proc, step, &here, &value),
        };
        self.source(proc, step, &here, &sources, value)
    }

    /// Where no text says which variable it was: one that has the value.
    fn held(&mut self, proc: ProcId, step: u64, here: &NextStep, value: &Term) -> Option<Holder> {
        if let Some((name, _)) = holding(&here.variables, value).filter(|_| !value.is_immediate()) {
            return Some(Holder { proc, step, name, value: value.clone() });
        }
        self.push(HopKind::Made, proc, step, value);
        None
    }
}

/// The variable that is the value, or else one that has it inside.
fn holding(variables: &[(Atom, Term)], value: &Term) -> Option<(Atom, Term)> {
    let is_it = variables.iter().find(|(_, held)| exact_eq(held, value));
    is_it.or_else(|| variables.iter().find(|(_, held)| contains(held, value))).cloned()
}

/// Whether a term is another one or has it inside.
pub fn contains(whole: &Term, part: &Term) -> bool {
    let mut todo = vec![whole.clone()];
    for _ in 0..MOST_PARTS {
        let Some(term) = todo.pop() else { return false };
        if exact_eq(&term, part) {
            return true;
        }
        match term.view() {
            View::Cons(head, tail) => todo.extend([head.clone(), tail.clone()]),
            View::Tuple(parts) => todo.extend(parts.iter().cloned()),
            View::Map(map) => map.iter().for_each(|(k, v)| todo.extend([k.clone(), v.clone()])),
            _ => {}
        }
        if let Some(Fun::Local(closure)) = term.as_fun() {
            todo.extend(closure.env.iter().cloned());
        }
    }
    false
}
