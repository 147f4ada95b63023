//! A prefix of an execution as another run of the same program can be made to follow it: in which order
//! messages came at each process, and which of its messages each process sent where (prefix-based tracing,
//! beyond 004). Processes are named by who spawned them, so that they are the same in both runs.
//!
//! What else decides (tables, names, clocks, exit signals) is not in it.

use reverl_causal::execution::SignalKind;
use reverl_causal::{
    Action, ActionKind, Chain, Cut, Delivery, Edge, EventRef, Execution, ProcId, SignalId,
};
use reverl_machine::Program;
use reverl_term::Atom;
use std::collections::HashMap;
use std::fmt::{self, Display};

/// The processes of a prefix, each after the one that spawned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// What is known of each.
    pub processes: Vec<Followed>,
}

/// One process of a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Its spawn path in the execution that the prefix is of.
    pub path: String,
    /// The number of the process that spawned it, unless the run began with it.
    pub parent: Option<usize>,
    /// Which of the children of that process it is, or which of those that the run began with.
    pub nth: usize,
    /// What came, in order.
    pub arrivals: Vec<Arrival>,
    /// Its messages to processes of the prefix, in order.
    pub sends: Vec<Sent>,
}

/// What comes at a process and is decided by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The next message of the process with this number.
    From(usize),
    /// Nothing came in time.
    Timeout,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// It is the arrival with this number of this process.
    Arrives {
        /// The number of the receiver.
        to: usize,
        /// The number among what arrives there.
        place: usize,
    },
    /// It comes after all that the prefix has of this process.
    Later(usize),
    /// It goes to nobody of the prefix.
    Away,
}

/// The prefix of an execution up to a cut.
pub fn prefix(execution: &Execution, program: &Program, cut: &Cut) -> Prefix {
    let is_own = |proc: &ProcId| !execution.proc(*proc).is_system;
    let procs: Vec<ProcId> =
        execution.ids().filter(is_own).filter(|p| cut.is_spawned(execution, *p)).collect();
    let numbers: HashMap<ProcId, usize> = procs.iter().copied().zip(0..).collect();
    let mut taken: HashMap<Option<usize>, usize> = HashMap::new();
    let mut processes: Vec<Followed> = vec![];
    let mut places: HashMap<SignalId, (usize, usize)> = HashMap::new();
    for (number, proc) in procs.iter().enumerate() {
        let parent = execution.proc(*proc).parent.and_then(|(p, _)| numbers.get(&p).copied());
        let nth = taken.entry(parent).or_default();
        let path = execution.proc(*proc).path.to_string();
        let found = arrivals(execution, program, cut, *proc, &numbers);
        for (place, (_, signal)) in found.iter().enumerate() {
            signal.map(|id| places.insert(id, (number, place)));
        }
        let arrivals = found.into_iter().map(|(arrival, _)| arrival).collect();
        processes.push(Followed { path, parent, nth: *nth, arrivals, sends: vec![] });
        *nth += 1;
    }
    for (number, proc) in procs.iter().enumerate() {
        processes[number].sends = sends(execution, cut, *proc, &numbers, &places);
    }
    Prefix { processes }
}

/// What came at a process, with the signal that it was.
fn arrivals(
    execution: &Execution,
    program: &Program,
    cut: &Cut,
    proc: ProcId,
    numbers: &HashMap<ProcId, usize>,
) -> Vec<(Arrival, Option<SignalId>)> {
    let p = execution.proc(proc);
    let mut came = vec![];
    let mut timeouts = (0..p.actions_at(cut.place(proc).steps))
        .filter(|i| is_timeout(program, &p.actions[*i]))
        .peekable();
    let is_followed = |d: &&Delivery| {
        execution.kind(d.signal).is_message() && numbers.contains_key(&d.signal.from)
    };
    let within = p.deliveries.iter().take(cut.place(proc).deliveries as usize);
    for delivery in within.filter(is_followed) {
        while timeouts.next_if(|t| *t < delivery.after_actions() as usize).is_some() {
            came.push((Arrival::Timeout, None));
        }
        came.push((Arrival::From(numbers[&delivery.signal.from]), Some(delivery.signal)));
    }
    came.extend(timeouts.map(|_| (Arrival::Timeout, None)));
    came
}

/// Whether an action is a time-out of the program. Those in our own module `erlang` are not: a node
/// does there what it does without a receive.
fn is_timeout(program: &Program, action: &Action) -> bool {
    let of_erlang = |pc| program.code.fun(program.code.fun_at(pc)).module == Atom::new("erlang");
    matches!(action.what(), ActionKind::Timeout) && !of_erlang(action.pc)
}

fn sends(
    execution: &Execution,
    cut: &Cut,
    proc: ProcId,
    numbers: &HashMap<ProcId, usize>,
    places: &HashMap<SignalId, (usize, usize)>,
) -> Vec<Sent> {
    let p = execution.proc(proc);
    let done = p.actions_at(cut.place(proc).steps) as u32;
    let mut sends = vec![];
    for (k, signal) in p.signals.iter().enumerate().filter(|(_, s)| s.sent_by() < done) {
        let id = SignalId { from: proc, k: k as u32 };
        let to = signal.to().and_then(|to| numbers.get(&to).copied());
        let sent = match (execution.kind(id), places.get(&id), to) {
            (kind, ..) if !kind.is_message() => continue,
            (_, Some((to, place)), _) => Sent::Arrives { to: *to, place: *place },
            (_, None, Some(to)) => Sent::Later(to),
            // Whose alias it is cannot be seen where it is sent.
            (SignalKind::AliasMessage(..), None, None) => Sent::Away,
            _ => continue,
        };
        sends.push(sent);
    }
    sends
}

/// A message that another one must overtake, if there is one: then no run has this order in which
/// messages are there as soon as they are sent, as on one node.
pub fn overtaken(execution: &Execution, cut: &Cut) -> Option<SignalId> {
    let within: Vec<EventRef> =
        execution.events().filter(|e| cut.contains(execution, *e)).collect();
    // A message that is there at once arrives with the action that sends it.
    let sender = |event: EventRef| match event.chain() {
        Chain::Delivery => {
            let id = execution.proc(event.proc).deliveries[event.index() as usize].signal;
            let sent_by = execution.signal(id).sent_by() as usize;
            execution.kind(id).is_message().then(|| EventRef::action(id.from, sent_by))
        }
        Chain::Action => None,
    };
    let node = |event: EventRef| execution.order_of(sender(event).unwrap_or(event));
    let mut after: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut waits_for: HashMap<u32, usize> = HashMap::new();
    for event in &within {
        let own = node(*event);
        waits_for.entry(own).or_default();
        execution.causes(*event, &mut |edge, cause| {
            // A signal that kills and the death that it causes are one.
            if edge != Edge::Kill && node(cause) != own {
                after.entry(node(cause)).or_default().push(own);
                *waits_for.entry(own).or_default() += 1;
            }
        });
    }
    let mut free: Vec<u32> = waits_for.iter().filter(|(_, n)| **n == 0).map(|(e, _)| *e).collect();
    while let Some(done) = free.pop() {
        waits_for.remove(&done);
        for next in after.remove(&done).unwrap_or_default() {
            let left = waits_for.entry(next).or_default();
            *left -= 1;
            if *left == 0 {
                free.push(next);
            }
        }
    }
    let is_left =
        |event: &&EventRef| sender(**event).is_some() && waits_for.contains_key(&node(**event));
    let event = within.iter().find(is_left)?;
    Some(execution.proc(event.proc).deliveries[event.index() as usize].signal)
}

impl Prefix {
    /// How many arrivals it has.
    pub fn len(&self) -> usize {
        self.processes.iter().map(|p| p.arrivals.len()).sum()
    }

    /// Whether nothing arrived.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How far another run followed it, which the prefix of its whole execution says.
    pub fn compare(&self, run: &Prefix) -> Agreement {
        let mut numbers: Vec<Option<usize>> = vec![];
        for wanted in &self.processes {
            let parent = wanted.parent.map(|p| numbers[p]);
            numbers.push(match parent {
                Some(None) => None,
                parent => run
                    .processes
                    .iter()
                    .position(|found| found.parent == parent.flatten() && found.nth == wanted.nth),
            });
        }
        let mut agreement = Agreement { followed: 0, of: self.len(), departed: vec![] };
        for (wanted, number) in self.processes.iter().zip(&numbers) {
            let same = |a: &Arrival, b: &Arrival| match (a, b) {
                (Arrival::From(a), Arrival::From(b)) => numbers[*a] == Some(*b),
                (a, b) => a == b,
            };
            let found = number.map_or(&[][..], |n| &run.processes[n].arrivals);
            let alike = wanted.arrivals.iter().zip(found).take_while(|(a, b)| same(a, b)).count();
            agreement.followed += alike;
            if alike < wanted.arrivals.len() {
                agreement.departed.push((wanted.path.clone(), alike));
            }
        }
        agreement
    }
}

/// How far a run followed a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// How many arrivals were those of the prefix.
    pub followed: usize,
    /// How many there are in the prefix.
    pub of: usize,
    /// The processes that departed from it, by their paths, and after how many arrivals.
    pub departed: Vec<(String, usize)>,
}

/// As the tracer reads it: a line for each process with its parent and which child it is, then
/// what arrives, then what it sends.
impl Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for process in &self.processes {
            match process.parent {
                Some(parent) => write!(f, "{parent} {} |", process.nth)?,
                None => write!(f, "- {} |", process.nth)?,
            }
            for arrival in &process.arrivals {
                match arrival {
                    Arrival::From(from) => write!(f, " {from}")?,
                    Arrival::Timeout => write!(f, " t")?,
                }
            }
            write!(f, " |")?;
            for sent in &process.sends {
                match sent {
                    Sent::Arrives { to, place } => write!(f, " {to}@{place}")?,
                    Sent::Later(to) => write!(f, " {to}")?,
                    Sent::Away => write!(f, " -")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
