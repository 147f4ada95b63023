//! Where a value came from: back through bindings, arguments, returned values, messages and spawns
//! to the expression that made it, and on through what that was computed from.

mod marks;
pub mod path;
mod turns;

use crate::scope;
use crate::session::Session;
use marks::{Arrival, Candidates, Place};
pub use path::{Inside, Path, contains};
use reverl_causal::{ActionKind, EventRef, ProcId, SignalId};
use reverl_lang::ast::{BinaryOp, Expr, ExprKind};
use reverl_lang::code::Rule;
use reverl_lang::parser::parse_exprs;
use reverl_lang::source::{FileId, Span};
use reverl_lang::visit::collect_vars;
use reverl_term::{Atom, Term, exact_eq};

/// So many hops are followed.
const MOST_HOPS: usize = 200;
/// So far back the beginning of an expression is looked for.
const MOST_BACK: u64 = 2_000;

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

/// The way back of the value of a variable that a position shows, or of a part of it.
pub fn of_variable(session: &Session, proc: ProcId, step: u64, name: Atom, path: Path) -> Vec<Hop> {
    let mut way = Way { session, hops: vec![] };
    way.follow(Some(Holder { proc, step, name, path }));
    way.hops
}

/// The variable, and the place in it, that an expression takes its value out of.
pub fn taken_from(
    bound: &[(Atom, Term)],
    mentioned: &[(Atom, Term)],
    value: &Term,
    evaluate: impl Fn(Vec<Term>) -> Option<Term>,
) -> Option<Place> {
    marks::taken(bound, &Candidates::among(mentioned, value), evaluate)
}

/// The way back of a part of a message, from its sending on.
pub fn of_message(session: &Session, sent: EventRef, value: Term) -> Vec<Hop> {
    let mut way = Way { session, hops: vec![] };
    let next = way.sent(sent, &value, None);
    way.follow(next);
    way.hops
}

/// A variable that has the value at a position, or has it inside.
struct Holder {
    proc: ProcId,
    step: u64,
    name: Atom,
    path: Path,
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
    /// Whether a function begins here.
    is_entry: bool,
    variables: Vec<(Atom, Term)>,
}

/// Of a tuple: the element that was computed by a call, if all others stand there as they are.
fn only_call(tuple: &Expr) -> Option<usize> {
    let ExprKind::Tuple(elements) = &tuple.kind else { return None };
    let is_plain =
        |e: &Expr| matches!(e.kind, ExprKind::Atom(_) | ExprKind::Integer(_) | ExprKind::String(_));
    let mut others = elements.iter().enumerate().filter(|(_, e)| !is_plain(e));
    let (i, computed) = others.next()?;
    let is_call = matches!(computed.kind, ExprKind::Call { .. });
    (is_call && others.next().is_none()).then_some(i)
}

/// A value on its way: what it is, and where it arrived.
struct Arrived<'v> {
    value: &'v Term,
    arrival: Arrival,
}

impl Way<'_> {
    fn follow(&mut self, mut next: Option<Holder>) {
        let goes_on = |way: &Way| way.hops.len() < MOST_HOPS && !way.session.has_to_stop();
        while let Some(holder) = next.filter(|_| goes_on(self)) {
            next = self.back(holder);
        }
    }

    fn at(&self, proc: ProcId, step: u64) -> NextStep {
        let process = self.session.system.state_at(proc, step);
        let code = &self.session.system.program().code;
        let here = scope::here(code, &process, step);
        NextStep {
            rule: here.next.map(|(rule, _)| rule),
            span: here.span,
            depth: process.depth(),
            is_entry: process.pc() == code.fun(code.fun_at(process.pc())).entry
                && process.steps() == step,
            variables: scope::bindings_at(code, &process, step),
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
        let Holder { proc, step, name, path } = holder;
        let bound = self.session.bound_before(proc, step, name)?;
        let whole = self.at(proc, bound).variables.into_iter().find(|(n, _)| *n == name)?.1;
        let value = path::part(&whole, &path)?;
        let hop = self.push(HopKind::Bound, proc, bound, &whole);
        (hop.variable, hop.part) = (Some(name), value.clone());
        let Some(before) = bound.checked_sub(1) else { return self.spawned(proc, &value) };
        let p = self.session.execution().proc(proc);
        let last = p.actions_at(bound).checked_sub(1).and_then(|last| p.actions.get(last));
        let done = last.filter(|action| action.step == bound).map(|action| action.what());
        if let Some(ActionKind::Receive(signal)) = done {
            return self.received(proc, bound, signal, &value, (name, &path));
        }
        if let Some(step) = self.outside_turn(proc, bound, name, &path) {
            return Some(Holder { proc, step, name, path });
        }
        let (before, made) = self.maker(proc, before);
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
            _ => vec![],
        };
        let arrival = Arrival::Variable { step: bound, name, path };
        self.source(proc, before, &made, &sources, &Arrived { value: &value, arrival })
    }

    /// The step that made what the next position has. Of what a handler caught, that is the one
    /// that raised it.
    fn maker(&self, proc: ProcId, before: u64) -> (u64, NextStep) {
        let made = self.at(proc, before);
        let (Some(Rule::Catch), Some(raising)) = (made.rule, before.checked_sub(1)) else {
            return (before, made);
        };
        let last = self.at(proc, raising);
        // Nothing is raised by a return: an `after` has done its work, and raises again what it had
        // caught.
        match last.rule {
            Some(Rule::Return) => match self.caught(proc, raising, last.depth - 1) {
                Some(caught) => self.maker(proc, caught),
                None => (raising, last),
            },
            _ => (raising, last),
        }
    }

    /// The last position before this one at which a handler of a call at this depth was entered.
    fn caught(&self, proc: ProcId, before: u64, depth: usize) -> Option<u64> {
        let mut earlier = (before.saturating_sub(MOST_BACK)..before).rev();
        earlier.find(|step| {
            let here = self.at(proc, *step);
            here.depth == depth && here.rule == Some(Rule::Catch)
        })
    }

    /// Of a variable that a turn of a comprehension was handed: the position outside of the turn at
    /// which it is.
    fn outside_turn(&self, proc: ProcId, bound: u64, name: Atom, path: &Path) -> Option<u64> {
        let from = turns::before_turn(self.session, proc, bound, name);
        let has_it = |step: &u64| {
            *step < bound && self.at(proc, *step).variables.iter().any(|(n, _)| *n == name)
        };
        let from: Vec<u64> = from.into_iter().filter(has_it).collect();
        let arrives = |step: &&u64| {
            let held: Vec<_> =
                self.at(proc, **step).variables.into_iter().filter(|(n, _)| *n == name).collect();
            let value = held.first().and_then(|(_, held)| path::part(held, path));
            let Some(value) = value else { return false };
            let arrival = Arrival::Variable { step: bound, name, path: path.clone() };
            let here = Candidates::among(&held, &value);
            marks::arriving(&self.session.system, proc, **step, &here, &arrival).is_some()
        };
        from.iter().find(arrives).or(from.first()).copied()
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

    /// The value is that of one of these expressions (or inside of it), which were evaluated up to
    /// a position. Where no text says which expressions, it may be in any variable.
    fn source(
        &mut self,
        proc: ProcId,
        step: u64,
        here: &NextStep,
        sources: &[Expr],
        arrived: &Arrived,
    ) -> Option<Holder> {
        if let [one] = sources {
            match &one.kind {
                ExprKind::Match { value: inner, .. } => {
                    let inner = [(**inner).clone()];
                    return self.source(proc, step, here, &inner, arrived);
                }
                ExprKind::Call { .. } => {
                    if let Some(next) = self.returned(proc, step, here, arrived) {
                        return next;
                    }
                }
                _ => {}
            }
        }
        let mut names = vec![];
        sources.iter().for_each(|e| collect_vars(e, &mut names));
        let is_mentioned = |(name, _): &&(Atom, Term)| sources.is_empty() || names.contains(name);
        let mentioned: Vec<(Atom, Term)> =
            here.variables.iter().filter(is_mentioned).cloned().collect();
        let start = self.beginning(proc, step, here).or(sources.is_empty().then_some(step));
        if let Some((start, from)) = self.copied(proc, (start, step), &mentioned, arrived) {
            return Some(Holder { proc, step: start, name: from.name, path: from.path });
        }
        if sources.is_empty()
            && let Some(next) = self.returned(proc, step, here, arrived)
        {
            return next;
        }
        let makes_fun = matches!(sources, [] | [Expr { kind: ExprKind::Fun { .. }, .. }]);
        let kept = makes_fun.then(|| self.closed_over(proc, &mentioned, &arrived.arrival));
        if let Some(from) = kept.flatten() {
            return Some(Holder { proc, step, name: from.name, path: from.path });
        }
        self.push(HopKind::Made, proc, step, arrived.value);
        // What it was made from, if that is one thing.
        match (mentioned.as_slice(), sources) {
            ([(name, _)], [_, ..]) => Some(Holder { proc, step, name: *name, path: Path::new() }),
            ([], [one]) => {
                let called = Inside::Element(only_call(one)?);
                let part = path::part(arrived.value, std::slice::from_ref(&called))?;
                let arrival = arrived.arrival.inside(called);
                self.returned(proc, step, here, &Arrived { value: &part, arrival })?
            }
            (_, []) => self.returned_part(proc, step, here, arrived)?,
            _ => None,
        }
    }

    /// The variable that the value was copied from, and the position at which it still was there.
    fn copied(
        &self,
        proc: ProcId,
        (start, step): (Option<u64>, u64),
        mentioned: &[(Atom, Term)],
        arrived: &Arrived,
    ) -> Option<(u64, Place)> {
        let system = &self.session.system;
        match start {
            Some(start) => {
                let bound = self.at(proc, start).variables;
                let is_bound = |(name, _): &&(Atom, Term)| bound.iter().any(|(n, _)| n == name);
                let mentioned: Vec<_> = mentioned.iter().filter(is_bound).cloned().collect();
                let candidates = Candidates::among(&mentioned, arrived.value);
                let found = marks::arriving(system, proc, start, &candidates, &arrived.arrival);
                found.map(|place| (start, place))
            }
            // Too long ago to be tried: it is told only if it can be nothing else.
            None => {
                let single = Candidates::among(mentioned, arrived.value).single();
                single.filter(|_| !arrived.value.is_immediate()).map(|place| (step, place))
            }
        }
    }

    /// The variable that a fun closed over when it was made, if what is followed is inside of that. It
    /// is told if only one has this value: a fun closes over variables and nothing else.
    fn closed_over(
        &self,
        proc: ProcId,
        mentioned: &[(Atom, Term)],
        arrival: &Arrival,
    ) -> Option<Place> {
        let (whole, path) = match arrival {
            Arrival::Variable { step, name, path } => {
                let variables = self.at(proc, *step).variables;
                (variables.into_iter().find(|(n, _)| n == name)?.1, path)
            }
            Arrival::Action { step, path } => {
                (marks::action_at(&self.session.system, proc, *step)?, path)
            }
        };
        let kept = path.iter().position(|inside| matches!(inside, Inside::Kept(_)))?;
        let value = path::part(&whole, &path[..=kept])?;
        let mut same = mentioned.iter().filter(|(_, held)| exact_eq(held, &value));
        let (name, _) = same.next().filter(|_| same.next().is_none())?;
        Some(Place { name: *name, path: path[kept + 1..].to_vec() })
    }

    /// The position at which the evaluation of an expression began that a position belongs to.
    fn beginning(&self, proc: ProcId, step: u64, here: &NextStep) -> Option<u64> {
        let (mut start, mut is_inner, mut now_entry) = (step, false, here.is_entry);
        for before in (step.saturating_sub(MOST_BACK)..step).rev() {
            if !is_inner && now_entry {
                return Some(start);
            }
            let earlier = self.at(proc, before);
            is_inner = earlier.depth > here.depth;
            if is_inner {
                continue;
            }
            if earlier.depth != here.depth || !self.is_within(earlier.span, here.span) {
                return Some(start);
            }
            (start, now_entry) = (before, earlier.is_entry);
        }
        (!is_inner && step <= MOST_BACK).then_some(start)
    }

    /// Whether one expression is a part of another. Code from a .beam has no extents: there it is
    /// one that stands on the same line.
    fn is_within(&self, inner: Span, outer: Span) -> bool {
        if outer.start == outer.end {
            let sources = &self.session.system.program().code.sources;
            return sources.shown_at(inner) == sources.shown_at(outer);
        }
        inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
    }

    /// If the step before this position returned from a call, the value came from there.
    fn returned(
        &mut self,
        proc: ProcId,
        step: u64,
        here: &NextStep,
        arrived: &Arrived,
    ) -> Option<Option<Holder>> {
        let before = step.checked_sub(1)?;
        let callee = self.at(proc, before);
        let is_return = callee.depth > here.depth && callee.rule == Some(Rule::Return);
        let result = is_return.then(|| marks::result_at(&self.session.system, proc, before))?;
        if !path::contains(&result?, arrived.value) {
            return None;
        }
        self.push(HopKind::Returned, proc, before, arrived.value);
        let sources: Vec<Expr> = self.expression(callee.span).into_iter().collect();
        Some(self.source(proc, before, &callee, &sources, arrived))
    }

    /// Where no text says it: an element of a tuple that a call returned right before the tuple was
    /// made. A mark in the place of what was returned arrives there.
    fn returned_part(
        &mut self,
        proc: ProcId,
        step: u64,
        here: &NextStep,
        arrived: &Arrived,
    ) -> Option<Option<Holder>> {
        let before = step.checked_sub(1)?;
        let count = arrived.value.as_tuple()?.len();
        let system = &self.session.system;
        let element = (0..count).map(Inside::Element).find(|element| {
            let arrival = arrived.arrival.inside(element.clone());
            marks::is_result(system, proc, before, &arrival)
        })?;
        let part = path::part(arrived.value, std::slice::from_ref(&element))?;
        let arrival = arrived.arrival.inside(element);
        self.returned(proc, step, here, &Arrived { value: &part, arrival })
    }

    /// A variable took the value out of a message.
    fn received(
        &mut self,
        proc: ProcId,
        bound: u64,
        signal: SignalId,
        value: &Term,
        arrival: (Atom, &Path),
    ) -> Option<Holder> {
        let system = &self.session.system;
        let sent = system.execution().signal(signal);
        let path = marks::in_message(system, proc, bound, &sent.message, value, arrival);
        self.sent(EventRef::action(signal.from, sent.sent_by() as usize), value, path)
    }

    /// The value was sent, at this place within the message if that is known.
    fn sent(&mut self, event: EventRef, value: &Term, path: Option<Path>) -> Option<Holder> {
        let action = self.session.execution().action(event)?;
        let step = action.step.checked_sub(1)?;
        self.push(HopKind::Sent, event.proc, step, value).event = Some(event);
        self.action_source(event.proc, step, value, path)
    }

    fn spawned(&mut self, proc: ProcId, value: &Term) -> Option<Holder> {
        let (parent, action) = self.session.execution().proc(proc).parent?;
        let event = EventRef::action(parent, action as usize);
        let step = self.session.execution().action(event)?.step.checked_sub(1)?;
        self.push(HopKind::Spawned, parent, step, value).event = Some(event);
        self.action_source(parent, step, value, None)
    }

    /// What a process did at a position has the value in it.
    fn action_source(
        &mut self,
        proc: ProcId,
        step: u64,
        value: &Term,
        path: Option<Path>,
    ) -> Option<Holder> {
        let here = self.at(proc, step);
        let sources = match self.expression(here.span).map(|e| e.kind) {
            Some(ExprKind::Binop { op: BinaryOp::Send, right, .. }) => vec![*right],
            Some(ExprKind::Call { args, .. }) => args,
            _ => vec![],
        };
        let done = marks::action_at(&self.session.system, proc, step);
        let places = done.as_ref().map(|done| path::places(done, value, 1)).unwrap_or_default();
        let is_there = |path: &Path| {
            let there = done.as_ref().and_then(|done| path::part(done, path));
            there.is_some_and(|there| exact_eq(&there, value))
        };
        // The message is what is sent, or one of the arguments of what sends it.
        let of_message = path.and_then(|path| {
            let of_argument = (0..3).map(|i| [vec![Inside::Item(i)], path.clone()].concat());
            [path.clone()].into_iter().chain(of_argument).find(is_there)
        });
        let path = of_message.or_else(|| places.into_iter().next()).unwrap_or_default();
        let arrival = Arrival::Action { step, path };
        self.source(proc, step, &here, &sources, &Arrived { value, arrival })
    }
}
