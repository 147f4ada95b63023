//! A correct version of the program answers: it computes the same call, or takes the same
//! message in the same state, and what it comes to and does is compared.

use super::facts::{self, CameTo, Facts};
use super::judge::{Judge, Judged};
use super::own;
use super::question::{Aspect, value};
use super::same::{counterpart, moved, same};
use crate::scope::{self, Level};
use reverl_analysis::declare::{End, Kind, Node, NodeId, Tree};
use reverl_causal::{ActionKind, Entry, Loader, System};
use reverl_lang::code::{NOWHERE, Op, Pc, ReceiveRange, Reg};
use reverl_machine::builtins::nature::Nature;
use reverl_machine::{Ending, Local, Message, MessageId, Process, Program, Stop, Watch};
use reverl_term::{Atom, Pid, Term};
use std::collections::HashSet;

/// A correct version that takes longer is not waited for.
const MOST_STEPS: u64 = 20_000_000;

/// Runs calls of the program aside to answer questions, without touching the execution.
pub struct Oracle {
    program: Program,
    loader: Box<dyn Loader>,
    /// What answers are attributed to.
    name: String,
    own: HashSet<Atom>,
}

/// What the correct version did.
struct Did {
    came_to: Came,
    sent: Vec<(Term, Term)>,
    spawned: Vec<Entry>,
}

enum Came {
    Value(Term),
    Raised(Term),
    /// It waits in a receive, with these calls in progress.
    Receive(Vec<Level>),
    /// In a function that is trusted.
    Blocked,
}

impl Oracle {
    /// `program` has the correct modules loaded.
    pub fn new(mut program: Program, loader: Box<dyn Loader>, name: String) -> Oracle {
        program.limits.checkpoint = u64::MAX;
        let own = own::own_modules(&program.code);
        Oracle { program, loader, name, own }
    }

    fn said(&self, aspect: Aspect, said: String, step: Option<u64>) -> Option<Judged> {
        Some(Judged { step, ..Judged::new(aspect, said, &self.name) })
    }

    fn is_own(&self, pc: Pc) -> bool {
        let info = self.program.code.fun(self.program.code.fun_at(pc));
        self.own.contains(&info.module)
    }

    /// Runs until the next receive of the program's own or the end. Requests get the answers
    /// that the original got for the same ones.
    fn run(
        &mut self,
        system: &System,
        node: &Node,
        process: &mut Process,
        join: Option<ReceiveRange>,
    ) -> Option<Did> {
        let mut watch = Watch::default();
        join.iter().for_each(|r| watch.insert(r.end));
        let depth = process.depth();
        let p = system.execution().proc(node.proc);
        let mut next = p.actions_at(node.from);
        let mut did = Did { came_to: Came::Blocked, sent: vec![], spawned: vec![] };
        let mut invented = 0;
        loop {
            match process.run_watching(&self.program, MOST_STEPS, &watch) {
                Stop::Watched => {
                    if let Some(r) = join.filter(|_| process.depth() == depth) {
                        let value = process.registers()[r.value as usize].clone();
                        did.came_to = Came::Value(value);
                        return Some(did);
                    }
                }
                Stop::Limit | Stop::OutOf(_) => return None,
                Stop::Load(module) => {
                    let sources = &mut self.program.code.sources;
                    match self.loader.load(module, sources) {
                        Some(loaded) => self.program.load(&loaded),
                        None => self.program.set_missing(module),
                    }
                }
                Stop::Send { to, message } => {
                    did.sent.push((to, message.clone()));
                    process.answer(&self.program, Ok(message));
                }
                Stop::Request { builtin, args } => {
                    let row = Program::builtin(builtin);
                    let entry = spawned_entry(row.nature, &args);
                    did.spawned.extend(entry);
                    if row.nature == Nature::Send {
                        did.sent.push((args[0].clone(), args[1].clone()));
                    }
                    let matches = |a: &reverl_causal::Action| match a.what() {
                        ActionKind::Request(other) if other.builtin == builtin => {
                            args.iter().zip(&other.args).all(|(a, b)| same(a, b))
                        }
                        _ => false,
                    };
                    let found = (next..p.actions.len()).find(|i| matches(&p.actions[*i]));
                    let answer = match found.map(|i| (i, p.actions[i].what())) {
                        Some((i, ActionKind::Request(other))) => {
                            next = i + 1;
                            if let Some(local) = &other.local {
                                process.local = (**local).clone();
                            }
                            let moved = |t: &Term| moved(t, &system.program().code, &self.program);
                            match &other.answer {
                                Ok(value) => Ok(moved(value)?),
                                Err(raise) => Err(raise.clone()),
                            }
                        }
                        _ => {
                            invented += 1;
                            let local = &mut process.local;
                            Ok(invented_answer(row.nature, &args, invented, local)?)
                        }
                    };
                    process.answer(&self.program, answer);
                }
                // A trusted function took the message that it was given.
                Stop::Received(_) => {}
                Stop::Wait { .. } if self.is_own(process.pc()) => {
                    let levels = scope::levels(&self.program.code, process, process.steps());
                    did.came_to = Came::Receive(levels);
                    return Some(did);
                }
                Stop::Wait { .. } => {
                    let receives = |i: &usize| {
                        matches!(p.actions[*i].what(), ActionKind::Receive(_) | ActionKind::Timeout)
                    };
                    let Some(i) = (next..p.actions.len()).find(receives) else {
                        return Some(did);
                    };
                    next = i + 1;
                    match p.actions[i].what() {
                        ActionKind::Receive(signal) => {
                            let term = system.execution().signal(signal).message.clone();
                            let term = moved(&term, &system.program().code, &self.program)?;
                            process.deliver(Message { id: MessageId(0), term });
                        }
                        _ => process.time_out(),
                    }
                }
                Stop::Ended => {
                    did.came_to = match process.ending() {
                        Some(Ending::Value(value)) => Came::Value(value.clone()),
                        Some(Ending::Exception(e)) => Came::Raised(e.reason.clone()),
                        None => return None,
                    };
                    return Some(did);
                }
            }
        }
    }

    /// The same call from its beginning.
    fn call(&mut self, system: &System, node: &Node) -> Option<Process> {
        let original =
            facts::stopped_at(system, node.proc, node.called, node.entry, Some(node.depth))?;
        let from = &system.program().code;
        let fun = counterpart(from, node.fun, &self.program.code)?;
        let arity = from.fun(node.fun).arity as usize;
        let args: Option<Vec<Term>> =
            original.registers()[..arity].iter().map(|t| moved(t, from, &self.program)).collect();
        Some(Process::start(&self.program, fun, args?, original.local.clone()))
    }

    /// The same receive, in the same state: the variables of the same names have the same values.
    fn receive(&mut self, system: &System, node: &Node) -> Option<(Process, ReceiveRange)> {
        let original = match node.kind {
            Kind::Blocked => system.state_at(node.proc, node.from),
            _ => facts::stopped_at(system, node.proc, node.from, node.entry, Some(node.depth))?,
        };
        let from = &system.program().code;
        let fun = counterpart(from, from.fun_at(node.entry), &self.program.code)?;
        let old = in_order(&from.fun(from.fun_at(node.entry)).receives);
        let new = in_order(&self.program.code.fun(fun).receives);
        let nth = |r: &ReceiveRange| r.start <= node.entry && node.entry < r.end.max(r.start + 1);
        let index = old.iter().rposition(nth).filter(|_| old.len() == new.len())?;
        let (old, new) = (old[index], new[index]);
        let context = scope::bindings(from, old.start, u8::MAX, original.registers());
        let mut registers: Vec<(Reg, Term)> = vec![];
        for var in &self.program.code.fun(fun).vars {
            let bound = var.start <= new.start && new.start < var.end;
            if let Some((_, value)) = context.iter().find(|(name, _)| bound && *name == var.name) {
                registers.push((var.reg, moved(value, from, &self.program)?));
            }
        }
        let timeout = |code: &reverl_lang::code::Code, pc: Pc| match code.ins[pc as usize].op {
            Op::ReceiveStart { timeout } => Some(timeout).filter(|t| *t != NOWHERE),
            _ => None,
        };
        if let Some(reg) = timeout(&self.program.code, new.start) {
            let value = timeout(from, old.start).map(|t| original.registers()[t as usize].clone());
            registers.push((reg, value?));
        }
        let local: Local = original.local.clone();
        Some((Process::resume_at(&self.program, new.start, &registers, local), new))
    }

    fn judge_call(&mut self, system: &System, node: &Node, facts: &Facts) -> Option<Judged> {
        let mut process = self.call(system, node)?;
        let did = self.run(system, node, &mut process, None)?;
        self.compare(system, facts, &did)
    }

    fn judge_receive(&mut self, system: &System, node: &Node, facts: &Facts) -> Option<Judged> {
        let (mut process, range) = self.receive(system, node)?;
        let taken = facts.receive.as_ref()?;
        for signal in &taken.mailbox {
            let term = system.execution().signal(*signal).message.clone();
            let term = moved(&term, &system.program().code, &self.program)?;
            let id = MessageId(u64::from(signal.from.0) << 32 | u64::from(signal.k));
            process.deliver(Message { id, term });
        }
        let consumed =
            taken.consumed.map(|s| MessageId(u64::from(s.from.0) << 32 | u64::from(s.k)));
        match process.run(&self.program, MOST_STEPS) {
            Stop::Received(message) => {
                if node.kind == Kind::Blocked {
                    let said = format!("wrong: it should take {}", value(&message.term));
                    return self.said(Aspect::Waits, said, None);
                }
                if consumed != Some(message.id) {
                    let said = format!("wrong: it should take {}", value(&message.term));
                    return self.said(Aspect::Consumed, said, None);
                }
            }
            Stop::Wait { timeout } => match (node.kind, timeout, consumed) {
                (Kind::Blocked, None, _) => {
                    return self.said(Aspect::Nothing, "right: it should wait".into(), None);
                }
                (Kind::Blocked, Some(_), _) => {
                    return self.said(Aspect::Waits, "wrong: it should time out".into(), None);
                }
                (_, Some(_), None) => process.time_out(),
                (_, _, Some(_)) => {
                    let said = "wrong: it should take no message".into();
                    return self.said(Aspect::Consumed, said, None);
                }
                (_, None, None) => {
                    return self.said(Aspect::Consumed, "wrong: it should wait".into(), None);
                }
            },
            _ => return None,
        }
        process.mailbox.replace([]);
        let join = Some(range).filter(|r| r.value != NOWHERE);
        let did = self.run(system, node, &mut process, join)?;
        self.compare(system, facts, &did)
    }

    /// A transition from the beginning of its call: through all its receives to this one.
    fn judge_transition(
        &mut self,
        system: &System,
        tree: &Tree,
        id: NodeId,
        facts: &Facts,
    ) -> Option<Judged> {
        let node = *tree.node(id);
        let mut process = self.call(system, &node)?;
        let mut segments: Vec<Node> = tree
            .ids()
            .map(|other| *tree.node(other))
            .filter(|n| {
                let inside = n.called >= node.called && n.from <= node.from;
                n.proc == node.proc && n.kind == Kind::Receive && inside
            })
            .collect();
        segments.sort_by_key(|n| n.from);
        let first = Node { from: node.called, ..node };
        let mut did = self.run(system, &first, &mut process, None)?;
        for segment in segments {
            let Came::Receive(levels) = &did.came_to else { return None };
            let was = facts::levels_at(system, &node, segment.from);
            if difference(&was, levels).is_some() {
                // What went wrong went wrong before: that is another computation.
                let said = "right, given what came before".into();
                return self.said(Aspect::Nothing, said, None);
            }
            let p = system.execution().proc(node.proc);
            match p.actions.get(p.actions_at(segment.from))?.what() {
                ActionKind::Receive(signal) => {
                    let term = system.execution().signal(signal).message.clone();
                    let term = moved(&term, &system.program().code, &self.program)?;
                    process.deliver(Message { id: MessageId(0), term });
                    let Stop::Received(_) = process.run(&self.program, MOST_STEPS) else {
                        return None;
                    };
                }
                ActionKind::Timeout => process.time_out(),
                _ => return None,
            }
            did = self.run(system, &segment, &mut process, None)?;
        }
        let judged = self.compare(system, facts, &did)?;
        if judged.aspect != Aspect::Nothing && self.was_wrong_before(system, tree, &node) {
            let said = "right, given what came before".into();
            return self.said(Aspect::Nothing, said, None);
        }
        Some(judged)
    }

    /// Whether a call that this one made in an earlier segment was wrong: its value may have
    /// waited, unnamed, in the expression that goes on now.
    fn was_wrong_before(&mut self, system: &System, tree: &Tree, node: &Node) -> bool {
        let earlier = |n: &Node| {
            n.proc == node.proc
                && n.called == node.called
                && n.from < node.from
                && matches!(n.kind, Kind::Call | Kind::Transition)
        };
        let segments: Vec<NodeId> = tree.ids().filter(|id| earlier(tree.node(*id))).collect();
        segments.iter().flat_map(|id| tree.children(*id)).any(|id| {
            let call = *tree.node(*id);
            if call.kind != Kind::Call || call.end != End::Value {
                return false;
            }
            let facts = facts::facts(system, &call, None);
            let judged = self.judge_call(system, &call, &facts);
            judged.is_some_and(|j| j.aspect != Aspect::Nothing)
        })
    }

    fn compare(&self, system: &System, facts: &Facts, did: &Did) -> Option<Judged> {
        let step_of = |signal: reverl_causal::SignalId| {
            let by = system.execution().signal(signal).sent_by() as usize;
            system.execution().proc(signal.from).actions[by].step
        };
        for (i, signal) in facts.sent.iter().enumerate() {
            let sent = system.execution().signal(*signal);
            let to = sent.to().map(|to| system.pid(to));
            let right = did.sent.get(i).is_some_and(|(address, message)| {
                let there = match (address.as_pid(), &to) {
                    (Some(_), Some(to)) => same(address, to),
                    _ => true,
                };
                there && same(message, &sent.message)
            });
            if !right {
                let said = match did.sent.get(i) {
                    Some((_, m)) => format!("wrong: it should send {}", value(m)),
                    None => format!("wrong: it should not send {}", value(&sent.message)),
                };
                return self.said(Aspect::Sent, said, Some(step_of(*signal)));
            }
        }
        if let Some((_, message)) = did.sent.get(facts.sent.len()) {
            let said = format!("wrong: it should also send {}", value(message));
            return self.said(Aspect::Sent, said, None);
        }
        for (i, child) in facts.spawned.iter().enumerate() {
            let entry = &system.execution().proc(*child).entry;
            let right = did.spawned.get(i).is_some_and(|other| same_entry(entry, other));
            if !right {
                let parent = system.execution().proc(*child).parent;
                let step = parent.map(|(p, a)| system.execution().proc(p).actions[a as usize].step);
                let said = "wrong: it should create another process".into();
                return self.said(Aspect::Created, said, step);
            }
        }
        if did.spawned.len() > facts.spawned.len() {
            let said = "wrong: it should create one more process".into();
            return self.said(Aspect::Created, said, None);
        }
        let wrong = |what: String| self.said(Aspect::Result, format!("wrong: {what}"), None);
        match (&facts.came_to, &did.came_to) {
            (CameTo::Value(a), Came::Value(b)) if same(a, b) => {}
            (CameTo::Raised(_, a), Came::Raised(b)) if same(a, b) => {}
            (CameTo::Receive(_), Came::Receive(levels)) => {
                if let Some(what) = difference(&facts.reached, levels) {
                    return wrong(what);
                }
            }
            (CameTo::Blocked(_), Came::Blocked) => {}
            (CameTo::Killed(_), _) => return None,
            (_, Came::Value(b)) => return wrong(format!("it should be {}", value(b))),
            (_, Came::Raised(b)) => return wrong(format!("it should raise {}", value(b))),
            (_, Came::Receive(levels)) => {
                let name = levels.first().map_or("a function", |l| l.name.name());
                return wrong(format!("it should wait for a message in {name}"));
            }
            (_, Came::Blocked) => return None,
        }
        self.said(Aspect::Nothing, "right".into(), None)
    }
}

impl Judge for Oracle {
    /// A computation that reached a receive holds values that no variable names: those of the
    /// calls that it made must be right too.
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged> {
        let judged = self.judge_alone(system, tree, id, facts)?;
        if judged.aspect != Aspect::Nothing || tree.node(id).end != End::Receive {
            return Some(judged);
        }
        for child in tree.children(id) {
            let facts = facts::facts(system, tree.node(*child), None);
            let wrong = self.judge(system, tree, *child, &facts);
            if let Some(wrong) = wrong.filter(|j| j.aspect != Aspect::Nothing) {
                return self.said(Aspect::Result, wrong.said, None);
            }
        }
        Some(judged)
    }
}

impl Oracle {
    fn judge_alone(
        &mut self,
        system: &System,
        tree: &Tree,
        id: NodeId,
        facts: &Facts,
    ) -> Option<Judged> {
        let node = *tree.node(id);
        match node.kind {
            Kind::Call => self.judge_call(system, &node, facts),
            Kind::Receive | Kind::Blocked => self.judge_receive(system, &node, facts),
            Kind::Transition => {
                // Nothing follows a receive that is the value of its function.
                let receive = tree.receive_of(id)?;
                let inner = *tree.node(receive);
                let same_end = (inner.to, inner.exit, inner.end) == (node.to, node.exit, node.end);
                if same_end && tree.node(receive).parent == Some(id) && node.end != End::Running {
                    let facts = facts::facts(system, &inner, None);
                    if let Some(judged) = self.judge_receive(system, &inner, &facts) {
                        return Some(judged);
                    }
                }
                self.judge_transition(system, tree, id, facts)
            }
            _ => None,
        }
    }
}

/// What is different in the calls in progress: another function, or another value of a variable.
fn difference(was: &[Level], should: &[Level]) -> Option<String> {
    let other =
        |(a, b): &(&Level, &Level)| (a.module, a.name, a.arity) != (b.module, b.name, b.arity);
    if was.len() != should.len() || was.iter().zip(should).any(|pair| other(&pair)) {
        let name = should.first().map_or("another function", |l| l.name.name());
        return Some(format!("it should wait in {name}"));
    }
    for (was, should) in was.iter().zip(should) {
        for (name, value) in &was.bindings {
            let right = should.bindings.iter().find(|(n, _)| n == name);
            if let Some((_, right)) = right.filter(|(_, right)| !same(value, right)) {
                let text = super::question::value(right);
                return Some(format!("{} should be {text} then", name.name()));
            }
        }
    }
    None
}

fn in_order(receives: &[ReceiveRange]) -> Vec<ReceiveRange> {
    let mut sorted = receives.to_vec();
    sorted.sort_by_key(|r| r.start);
    sorted
}

fn same_entry(a: &Entry, b: &Entry) -> bool {
    match (a, b) {
        (
            Entry::Call { module, name, args },
            Entry::Call { module: module_b, name: name_b, args: args_b },
        ) => (module, name) == (module_b, name_b) && same(args, args_b),
        (Entry::Fun { fun, args }, Entry::Fun { fun: fun_b, args: args_b }) => {
            same(fun, fun_b) && same(args, args_b)
        }
        _ => false,
    }
}

fn spawned_entry(nature: Nature, args: &[Term]) -> Option<Entry> {
    if !nature.is_spawn() {
        return None;
    }
    match args {
        [m, f, a, ..] => {
            let (module, name) = (m.as_atom()?, f.as_atom()?);
            Some(Entry::Call { module, name, args: a.clone() })
        }
        [fun, ..] => Some(Entry::Fun { fun: fun.clone(), args: Term::nil() }),
        [] => None,
    }
}

/// The answer to a request that the original did not make: only where it does not matter.
fn invented_answer(nature: Nature, args: &[Term], n: u32, local: &mut Local) -> Option<Term> {
    let pid = Pid { node: reverl_term::atoms::NONODE, id: 1_000_000 + n, serial: 0, creation: 0 };
    match nature {
        Nature::Spawn => Some(Term::pid(pid)),
        Nature::SpawnMonitor => Some(Term::tuple(vec![Term::pid(pid), local.make_ref()])),
        Nature::Send => Some(args.get(1)?.clone()),
        Nature::Output => Some(Term::atom(Atom::new("ok"))),
        _ => None,
    }
}
