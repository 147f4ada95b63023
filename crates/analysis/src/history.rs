//! The history of an execution as exploration sees it: what each process sent and what each of
//! its receives took, in words that are the same however processes were scheduled.

use reverl_causal::execution::SignalKind;
use reverl_causal::{EventRef, Execution, ProcId, SignalId, What};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A process, named by its spawn path.
pub type Name = u64;

/// A message: the k-th signal of its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageName {
    pub from: Name,
    pub k: u32,
}

/// What a receive took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Taken {
    Message(MessageName),
    Timeout,
}

/// What each receive of each process took: two executions with the same log are the same
/// (paper 002, Thm 3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Log(pub BTreeMap<Name, Vec<Taken>>);

impl Log {
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (name, taken) in self.0.iter().filter(|(_, taken)| !taken.is_empty()) {
            name.hash(&mut hasher);
            taken.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// One thing that a process did, as far as others can notice.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Send(SignalId),
    Receive { taken: Option<SignalId>, step: u64 },
}

/// How many receives of each process happened before: a vector clock over receives.
pub type Clock = Vec<u32>;

pub struct History {
    pub names: Vec<Name>,
    pub deeds: Vec<Vec<Deed>>,
    /// For each receive of each process, the clock after it.
    pub receive_clocks: Vec<Vec<Clock>>,
    pub send_clocks: HashMap<SignalId, Clock>,
    /// Who spawned each process, after how many of its deeds.
    pub born: Vec<Option<(ProcId, usize)>>,
    /// Messages that were sent to each process, in order of sending.
    pub inbox: Vec<Vec<SignalId>>,
}

pub fn name_of(execution: &Execution, proc: ProcId) -> Name {
    name_of_path(&execution.proc(proc).path)
}

pub fn name_of_path(path: &str) -> Name {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

fn merge(into: &mut Clock, other: &Clock) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}

/// The entry of a clock.
pub fn at(clock: &Clock, proc: ProcId) -> u32 {
    clock.get(proc.0 as usize).copied().unwrap_or(0)
}

impl History {
    pub fn of(execution: &Execution) -> History {
        let count = execution.procs.len();
        let mut h = History {
            names: (0..count).map(|p| name_of(execution, ProcId(p as u32))).collect(),
            deeds: vec![vec![]; count],
            receive_clocks: vec![vec![]; count],
            send_clocks: HashMap::new(),
            born: vec![None; count],
            inbox: vec![vec![]; count],
        };
        let mut clocks: Vec<Clock> = vec![vec![]; count];
        for event in &execution.order {
            let Some(action) = execution.action(*event) else { continue };
            let p = event.proc.0 as usize;
            match action.what() {
                What::Send(k) => h.sent(execution, event.proc, k, &clocks[p]),
                What::Receive(_) | What::Timeout => {
                    let taken = match action.what() {
                        What::Receive(signal) => Some(signal),
                        _ => None,
                    };
                    let step = action.step;
                    if let Some(signal) = taken {
                        let sent = h.send_clocks[&signal].clone();
                        merge(&mut clocks[p], &sent);
                    }
                    if clocks[p].len() <= p {
                        clocks[p].resize(p + 1, 0);
                    }
                    clocks[p][p] += 1;
                    h.deeds[p].push(Deed::Receive { taken, step });
                    h.receive_clocks[p].push(clocks[p].clone());
                }
                What::Request(answered) => {
                    if let Some(child) = answered.effect.spawned {
                        clocks[child.0 as usize] = clocks[p].clone();
                        h.born[child.0 as usize] = Some((event.proc, h.deeds[p].len()));
                    }
                    for k in answered.effect.signals.clone() {
                        h.sent(execution, event.proc, k, &clocks[p]);
                    }
                    if let Some(k) = execution.fired.get(event) {
                        h.sent(execution, event.proc, *k, &clocks[p]);
                    }
                }
                What::Exit(exited) => {
                    let end = execution.proc(event.proc).signals.len() as u32;
                    for k in exited.signals.start..end {
                        h.sent(execution, event.proc, k, &clocks[p]);
                    }
                }
            }
        }
        h
    }

    fn sent(&mut self, execution: &Execution, from: ProcId, k: u32, clock: &Clock) {
        let id = SignalId { from, k };
        self.send_clocks.insert(id, clock.clone());
        self.deeds[from.0 as usize].push(Deed::Send(id));
        let signal = execution.signal(id);
        let Some(to) = signal.to() else { return };
        let is_message = match signal.delivery() {
            Some(i) => execution.proc(to).deliveries[i as usize].in_mailbox(),
            // It came too late this time.
            None => matches!(signal.kind(), SignalKind::Message | SignalKind::AliasMessage(_)),
        };
        if is_message {
            self.inbox[to.0 as usize].push(id);
        }
    }

    pub fn message_name(&self, id: SignalId) -> MessageName {
        MessageName { from: self.names[id.from.0 as usize], k: id.k }
    }

    pub fn log(&self) -> Log {
        let mut log = Log::default();
        for (p, deeds) in self.deeds.iter().enumerate() {
            let taken = deeds.iter().filter_map(|d| match d {
                Deed::Receive { taken: Some(id), .. } => {
                    Some(Taken::Message(self.message_name(*id)))
                }
                Deed::Receive { taken: None, .. } => Some(Taken::Timeout),
                Deed::Send(_) => None,
            });
            let taken: Vec<Taken> = taken.collect();
            if !taken.is_empty() {
                log.0.insert(self.names[p], taken);
            }
        }
        log
    }
}

/// Whether orders that are not explored were met: conflicts on shared things, deaths by signal.
pub fn has_other_races(execution: &Execution) -> bool {
    let killed = |p: ProcId| execution.proc(p).exit().is_some_and(|e| e.killed_by.is_some());
    execution.ids().any(killed) || has_conflicts(execution)
}

/// Whether two processes accessed one thing, and one of them wrote it.
fn has_conflicts(execution: &Execution) -> bool {
    execution.objects.map.iter().any(|(object, history)| {
        let quiet = matches!(
            object,
            reverl_causal::object::Object::Life(_) | reverl_causal::object::Object::TrapExit(_)
        );
        let real = |e: EventRef| execution.proc(e.proc).actions.len() > e.index() as usize;
        let mut accesses = history.accesses.iter().filter(|a| real(a.event));
        !quiet
            && history.accesses.iter().any(|a| a.write && real(a.event))
            && accesses
                .next()
                .is_some_and(|first| accesses.any(|a| a.event.proc != first.event.proc))
    })
}
