//! Happened-before, written down a second time directly from the definitions (paper 004, Def. 4,
//! and the rules of docs/semantics.md for what goes beyond it), to compare the first with.

use reverl_causal::execution::SignalKind;
use reverl_causal::*;
use reverl_machine::Program;
use reverl_term::Term;
use std::collections::{HashMap, HashSet};

/// Events with those that they lead to directly, or come from directly.
pub type Edges = HashMap<EventRef, Vec<EventRef>>;

/// Direct causes of each event.
pub fn edges(execution: &Execution) -> Edges {
    let mut causes: Edges = HashMap::new();
    let mut edge = |from: EventRef, to: EventRef| causes.entry(to).or_default().push(from);
    for proc in execution.ids() {
        let p = execution.proc(proc);
        let spawn = p.parent.map(|(parent, i)| EventRef::action(parent, i as usize));
        for (i, action) in p.actions.iter().enumerate() {
            let event = EventRef::action(proc, i);
            spawn.iter().for_each(|s| edge(*s, event));
            if i > 0 {
                edge(EventRef::action(proc, i - 1), event);
            }
            match action.what() {
                ActionKind::Receive(signal) => {
                    let d = execution.signal(signal).delivery().expect("received, so delivered");
                    edge(EventRef::delivery(proc, d as usize), event);
                }
                ActionKind::Exit(exited) => {
                    for d in 0..p.deliveries.len() {
                        edge(EventRef::delivery(proc, d), event);
                    }
                    // A signal that kills and the death are one.
                    if let Some(d) = exited.killing_signal() {
                        edge(event, EventRef::delivery(proc, d as usize));
                    }
                }
                _ => {}
            }
        }
        for (i, delivery) in p.deliveries.iter().enumerate() {
            let event = EventRef::delivery(proc, i);
            spawn.iter().for_each(|s| edge(*s, event));
            if i > 0 {
                edge(EventRef::delivery(proc, i - 1), event);
            }
            let sent_by = execution.signal(delivery.signal).sent_by() as usize;
            edge(EventRef::action(delivery.signal.from, sent_by), event);
            let before = p.actions.range(0..delivery.after_actions() as usize);
            for (j, action) in before.enumerate() {
                if let ActionKind::Timeout = action.what() {
                    edge(EventRef::action(proc, j), event);
                }
            }
        }
    }
    for proc in execution.ids() {
        let p = execution.proc(proc);
        let actions = p.actions.iter().enumerate().filter(|(_, a)| is_about_ties(a));
        for (i, _) in actions {
            let arrivals = p.deliveries.iter().enumerate();
            for (j, arrival) in arrivals.filter(|(_, d)| depends_on_ties(execution.kind(d.signal)))
            {
                let (did, came) = (EventRef::action(proc, i), EventRef::delivery(proc, j));
                match arrival.after_actions() as usize <= i {
                    true => edge(came, did),
                    false => edge(did, came),
                }
            }
        }
    }
    let signals = |from: ProcId| {
        (0..execution.proc(from).signals.len() as u32).map(move |k| SignalId { from, k })
    };
    for request in execution.ids().flat_map(signals) {
        let Some(reply) = execution.late_answer(request) else { continue };
        let asked_by = execution.signal(request).sent_by() as usize;
        if let Some(i) = execution.signal(reply).delivery() {
            edge(
                EventRef::action(request.from, asked_by),
                EventRef::delivery(request.from, i as usize),
            );
        }
    }
    for (_, history) in execution.objects().iter() {
        for (j, later) in history.accesses.iter().enumerate() {
            for earlier in &history.accesses[..j] {
                // Objects that exist before the program have an access without an event.
                let exists = execution.proc(earlier.event.proc).actions.len()
                    > earlier.event.index() as usize
                    || earlier.event.chain() == Chain::Delivery;
                let is_told = !earlier.mode.commutes(later.mode);
                if is_told && earlier.event != later.event && exists {
                    edge(earlier.event, later.event);
                }
            }
        }
    }
    looks(execution, &mut edge);
    causes
}

/// Who asks for more than what has an object of its own looks at all that a process is.
fn looks(execution: &Execution, edge: &mut impl FnMut(EventRef, EventRef)) {
    let single =
        ["registered_name", "trap_exit", "initial_call", "parent", "error_handler", "priority"];
    for look in execution.events() {
        let Some(ActionKind::Request(asked)) = execution.action(look).map(|a| a.what()) else {
            continue;
        };
        let name = match asked.builtin {
            u32::MAX => "!",
            builtin => Program::builtin(builtin).name,
        };
        // So does who sets or asks how a process is traced, or wants to be told by it.
        let is_about_tracing = ["trace_process", "trace_of", "trace_delivered"].contains(&name);
        let is_look = name == "process_info" || is_about_tracing;
        // One that waits and tells what has come has seen that nothing else came.
        if name == "told" && execution.look(look).is_some() {
            in_order(execution, look, look.proc, edge);
        }
        let of = asked.args.first().and_then(|a| a.as_pid()).and_then(|p| execution.find(p));
        let (true, Some(of)) = (is_look, of) else { continue };
        let items = asked.args.get(1).map(|i| i.to_vec().unwrap_or(vec![i.clone()]));
        let is_single = |i: &Term| i.as_atom().is_some_and(|a| single.contains(&a.name()));
        let is_dead =
            |a: &Term| a.as_atom().is_some_and(|a| ["undefined", "dead"].contains(&a.name()));
        let was_dead = asked.answer.as_ref().is_ok_and(is_dead);
        let is_at_part = !is_about_tracing && items.is_some_and(|i| i.iter().all(is_single));
        if was_dead || is_at_part || execution.look(look).is_none() && is_about_tracing {
            continue;
        }
        if let Some((parent, i)) = execution.proc(of).parent.filter(|_| of != look.proc) {
            edge(EventRef::action(parent, i as usize), look);
        }
        in_order(execution, look, of, edge);
    }
    // A change of the group leader is one, too, of what runs meanwhile, and so is what arrives and
    // is traced, or gives a name to a process that is traced.
    for change in execution.events().filter(|e| e.chain() == Chain::Delivery) {
        let signal = execution.proc(change.proc).deliveries[change.index() as usize].signal;
        let is_traced = execution.look(change).is_some();
        if *execution.kind(signal) == SignalKind::GroupLeader || is_traced {
            in_order(execution, change, change.proc, edge);
        }
    }
}

/// Everything of a process comes before or after a look at it.
fn in_order(
    execution: &Execution,
    look: EventRef,
    of: ProcId,
    edge: &mut impl FnMut(EventRef, EventRef),
) {
    for other in execution.events().filter(|e| e.proc == of) {
        if of != look.proc || other.chain() != look.chain() {
            match execution.order_of(other) < execution.order_of(look) {
                true => edge(other, look),
                false => edge(look, other),
            }
        }
    }
}

/// A process changes its links, monitors or aliases.
fn is_about_ties(action: &Action) -> bool {
    let ActionKind::Request(answered) = action.what() else { return false };
    let ties = ["link", "unlink", "monitor", "demonitor", "alias", "unalias"];
    answered.builtin != u32::MAX && ties.contains(&Program::builtin(answered.builtin).name)
}

/// What becomes of such a signal depends on links, monitors or aliases of its receiver.
fn depends_on_ties(kind: &SignalKind) -> bool {
    let is_about_links = matches!(
        kind,
        SignalKind::Exit { linked: true, .. } | SignalKind::Link | SignalKind::Unlink
    );
    is_about_links || matches!(kind, SignalKind::Down | SignalKind::AliasMessage(..))
}

/// An event and all that can be reached from it.
pub fn closure(start: EventRef, next: &Edges) -> HashSet<EventRef> {
    let mut seen = HashSet::new();
    let mut work = vec![start];
    while let Some(event) = work.pop() {
        if seen.insert(event) {
            work.extend(next.get(&event).into_iter().flatten());
        }
    }
    seen
}

/// The same edges the other way.
pub fn reversed(edges: &Edges) -> Edges {
    let mut back: Edges = HashMap::new();
    for (to, froms) in edges {
        for from in froms {
            back.entry(*from).or_default().push(*to);
        }
    }
    back
}

/// The events of a cut.
pub fn contents(execution: &Execution, cut: &Cut) -> HashSet<EventRef> {
    execution.events().filter(|e| cut.contains(execution, *e)).collect()
}
