//! Builds a history from the events of an execution, in the order in which they happened.

use super::*;
use reverl_machine::builtins::nature::{Nature, Registration};
use reverl_term::{Term, atoms};

/// The later of two clocks, entry by entry.
pub fn merge(into: &mut Clock, other: &Clock) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    for (a, b) in into.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}

/// Whether a timer is started whose message goes to a registered name.
fn is_to_a_name(start: &reverl_causal::Action) -> bool {
    let ActionKind::Request(answered) = start.what() else { return false };
    answered.args.get(1).is_some_and(|to| to.as_atom().is_some())
}

/// A history while it is being told.
pub(super) struct HistoryBuilder<'e> {
    execution: &'e Execution,
    pub(super) history: History,
    chains: usize,
    /// Where the event that is told is among all events.
    pub(super) place: Option<usize>,
    /// The last event of each process; of one that has done nothing, the one that spawned it.
    last: Vec<Option<usize>>,
    counts: Vec<u32>,
    /// Who touched a thing last: of each chain, in each mode.
    touched: HashMap<Resource, Vec<(usize, AccessMode, usize)>>,
    /// Who was in conflict with everything of a process.
    bodies: HashMap<ProcId, usize>,
    /// The event of each action.
    of_action: HashMap<EventRef, usize>,
    /// The first process that read the clock.
    clock_reader: Option<ProcId>,
}

impl<'e> HistoryBuilder<'e> {
    pub(super) fn new(execution: &'e Execution) -> HistoryBuilder<'e> {
        let count = execution.procs().len();
        let names = (0..count).map(|p| name_of(execution, ProcId(p as u32))).collect();
        let history = History {
            names,
            receives: vec![vec![]; count],
            inbox: vec![vec![]; count],
            travels: vec![vec![]; count],
            exits: vec![vec![]; count],
            end: vec![None; count],
            traps: vec![None; count],
            ..History::default()
        };
        HistoryBuilder {
            execution,
            history,
            chains: count,
            place: None,
            last: vec![None; count],
            counts: vec![0; count],
            touched: HashMap::new(),
            bodies: HashMap::new(),
            of_action: HashMap::new(),
            clock_reader: None,
        }
    }

    pub(super) fn action(&mut self, event: EventRef) {
        let execution = self.execution;
        let Some(action) = execution.action(event) else { return };
        if let ActionKind::Exit(exited) = action.what() {
            if let Some(by) = exited.killing_signal() {
                return self.killed(event, by);
            }
        }
        let Some(touched) = deed(execution, event) else { return };
        let kind = match action.what() {
            ActionKind::Receive(id) => EventKind::Receive { taken: Some(id), step: action.step },
            ActionKind::Timeout => EventKind::Receive { taken: None, step: action.step },
            _ => EventKind::Act,
        };
        let p = event.proc.0 as usize;
        let is_flag = |thing: &Resource| matches!(thing, Resource::Object(Object::TrapExit(_)));
        let touches_flag = touched.things.iter().any(|(thing, _)| is_flag(thing));
        let first: Vec<usize> = self.last[p].into_iter().collect();
        self.counts[p] += 1;
        let new = self.add(kind, event.proc, (p, self.counts[p]), first, touched);
        self.last[p] = Some(new);
        self.of_action.insert(event, new);
        match action.what() {
            ActionKind::Send(k) => self.sent(event.proc, k..k + 1, new),
            ActionKind::Request(answered) => {
                if answered.nature() == Nature::Name(Registration::Unregister) {
                    self.history.unregisters.push(new);
                }
                if touches_flag {
                    let is_set = answered.args.get(1) == Some(&Term::bool(true));
                    self.history.traps[p] = is_set.then_some(new);
                }
                if let Some(child) = answered.effect.spawned {
                    self.last[child.0 as usize] = Some(new);
                }
                self.sent(event.proc, answered.effect.signals.clone(), new);
            }
            ActionKind::Exit(exited) => {
                self.history.end[p] = Some(new);
                self.sent(event.proc, exited.signals.clone(), new);
            }
            ActionKind::Receive(_) | ActionKind::Timeout => self.history.receives[p].push(new),
            ActionKind::Assign(_) => {}
        }
    }

    /// A timer fires for a process, which may have ended.
    fn fired(&mut self, id: SignalId, to: ProcId) {
        let started_by = self.execution.signal(id).sent_by();
        let started = EventRef::action(id.from, started_by as usize);
        let first = self.of_action.get(&started).copied().into_iter().collect();
        let chain = (self.chains, 1);
        self.chains += 1;
        let kind = EventKind::Fire(started_by);
        let new = self.add(kind, id.from, chain, first, Footprint::default());
        self.history.sent_by.insert(id, new);
        self.history.inbox[to.0 as usize].push(id);
        self.history.travels[to.0 as usize].push((id, Travel::Timer(new)));
    }

    /// Timers that came too late could have come earlier.
    pub(super) fn timers_for_nobody(&mut self) {
        for from in self.execution.ids() {
            let p = self.execution.proc(from);
            let timers = p.special_signals().filter(|(_, kind)| **kind == SignalKind::Timer);
            for (k, _) in timers {
                let signal = &p.signals[k as usize];
                match signal.to() {
                    Some(to) if signal.delivery().is_none() => {
                        self.fired(SignalId { from, k }, to);
                    }
                    None if is_to_a_name(&p.actions[signal.sent_by() as usize]) => {
                        self.history.unexplored.insert("timers to names");
                    }
                    _ => {}
                }
            }
        }
    }

    /// Whether a name is taken from its holder, or its holder ends, while others use it.
    pub(super) fn names_given_up(&mut self) {
        let history = &self.history;
        let is_given_up = |(thing, by): (&Resource, &Vec<(usize, AccessMode)>)| {
            let Resource::Object(Object::Name(node, name)) = thing else { return false };
            let chain = |e: usize| history.events[e].chain;
            let holders = self.execution.holders(*node, *name);
            let gives_up = |e: &usize| {
                let is_end = history.end.contains(&Some(*e));
                is_end && holders.contains(&history.events[*e].proc)
                    || history.unregisters.contains(e)
            };
            let who = by.iter().map(|(e, _)| *e).find(gives_up);
            who.is_some_and(|e| {
                by.iter().any(|(other, _)| {
                    chain(*other) != chain(e)
                        && !history.is_from(e, *other)
                        && !history.is_from(*other, e)
                        || history.rivals(e).contains(other)
                        || history.rivals(*other).contains(&e)
                })
            })
        };
        self.history.gives_up_names = history.touchers.iter().any(is_given_up);
    }

    /// Of deliveries only those of exit signals and of the clock are events, and those that
    /// arrive at once are part of their sending.
    pub(super) fn delivery(&mut self, event: EventRef) {
        let p = self.execution.proc(event.proc);
        let id = p.deliveries[event.index() as usize].signal;
        match self.execution.kind(id) {
            SignalKind::Timer => self.fired(id, event.proc),
            // A process's signal to itself has arrived when the call returns.
            SignalKind::Exit { .. } if id.from == event.proc => {
                let mut touched = Footprint::default();
                touched.of_exit_signal(self.execution, event, id);
                if let Some(sent) = self.history.sent_by.get(&id).copied() {
                    self.touch(sent, &touched);
                }
            }
            SignalKind::Exit { .. } => self.exit_signal(event, id),
            _ => {}
        }
    }

    /// An exit signal arrives: if it ends the process, that is the last thing that the process does.
    fn exit_signal(&mut self, event: EventRef, id: SignalId) {
        let proc = event.proc;
        let p = proc.0 as usize;
        let mut touched = Footprint::default();
        touched.of_exit_signal(self.execution, event, id);
        let exit = self.execution.proc(proc).exit();
        let kills = exit.is_some_and(|e| e.killing_signal() == Some(event.index()));
        let mut first: Vec<usize> = self.history.sent_by.get(&id).copied().into_iter().collect();
        // What one process sends another arrives in order.
        let same_sender = self.history.exits[p].iter().filter(|(other, _)| other.from == id.from);
        first.extend(same_sender.map(|(_, arrived)| *arrived));
        let chain = match kills {
            true => {
                first.extend(self.last[p]);
                self.counts[p] += 1;
                (p, self.counts[p])
            }
            false => {
                self.chains += 1;
                (self.chains - 1, 1)
            }
        };
        let new = self.add(EventKind::Arrive(id), proc, chain, first, touched);
        let is_link = matches!(self.execution.kind(id), SignalKind::Exit { linked: true, .. });
        if is_link && exit.is_some_and(|e| !e.reason.is_atom_eq(atoms::NORMAL)) {
            self.history.spared.push((new, id, proc));
        }
        if kills {
            self.last[p] = Some(new);
        }
        let travels = &mut self.history.travels[p];
        if let Some(own) = travels.iter_mut().find(|(other, _)| *other == id) {
            own.1 = Travel::Exit(Some(new));
        }
        self.history.exits[p].push((id, new));
    }

    /// A process is ended by a signal: that is one with the arrival of the signal.
    fn killed(&mut self, event: EventRef, by: u32) {
        let p = event.proc.0 as usize;
        let proc = self.execution.proc(event.proc);
        let signal = proc.deliveries[by as usize].signal;
        let is_own = signal.from == event.proc;
        let arrived = self.history.exits[p].iter().find(|(id, _)| *id == signal);
        let new = match arrived {
            Some((_, arrived)) if !is_own => *arrived,
            _ => self.last[p].unwrap_or_default(),
        };
        self.history.end[p] = Some(new);
        self.of_action.insert(event, new);
        let by = message_name(self.execution, signal);
        let after = self.counts[p];
        self.history.log.add(self.history.names[p], Observation::Killed { by, after });
        let mut touched = Footprint::default();
        touched.of_action(self.execution, event);
        self.touch(new, &touched);
        if let Some(exited) = proc.exit() {
            self.sent(event.proc, exited.signals.clone(), new);
        }
    }

    /// An event that comes after those given and after whatever it is in conflict with.
    fn add(
        &mut self,
        kind: EventKind,
        proc: ProcId,
        (chain, index): (usize, u32),
        after: Vec<usize>,
        touched: Footprint,
    ) -> usize {
        let mut clock = Clock::new();
        for before in &after {
            merge(&mut clock, &self.history.events[*before].clock);
        }
        if let EventKind::Receive { taken: Some(id), .. } = kind {
            let origin = self.history.origin(proc.0 as usize, id);
            merge(&mut clock, &self.history.events[origin].clock);
        }
        if clock.len() <= chain {
            clock.resize(chain + 1, 0);
        }
        clock[chain] = index;
        let new = self.history.events.len();
        let name = self.history.names[proc.0 as usize];
        let label = match kind {
            EventKind::Arrive(id) => hash_of((1, message_name(self.execution, id), index)),
            EventKind::Fire(by) => hash_of((2, name, by, index)),
            EventKind::Act | EventKind::Receive { .. } => hash_of((name, index)),
        };
        self.history.events.push(Event {
            kind,
            proc,
            chain,
            index,
            base: clock.clone(),
            touches: vec![],
            bodies: vec![],
            clock,
            after,
            place: self.place,
            label,
        });
        match kind {
            EventKind::Receive { taken, .. } => {
                let taken = match taken {
                    Some(id) => Observation::Message(message_name(self.execution, id)),
                    None => Observation::Timeout,
                };
                self.relabel(new, taken);
                self.history.log.add(name, taken);
            }
            EventKind::Act | EventKind::Arrive(_) | EventKind::Fire(_) => {}
        }
        self.touch(new, &touched);
        new
    }

    fn relabel(&mut self, event: usize, by: impl Hash) {
        let label = &mut self.history.events[event].label;
        *label = hash_of((*label, by));
    }

    /// The event touches things: it comes after those that touched them in conflict before.
    fn touch(&mut self, new: usize, touched: &Footprint) {
        let (chain, proc) = (self.history.events[new].chain, self.history.events[new].proc);
        for (thing, mode) in &touched.things {
            self.history.touchers.entry(*thing).or_default().push((new, *mode));
        }
        for body in &touched.looked_at {
            self.history.over.entry(*body).or_default().push(new);
        }
        let event = &mut self.history.events[new];
        event.touches.extend(&touched.things);
        event.bodies.extend(&touched.looked_at);
        // Each with whether the event itself can tell that it comes after it.
        let mut others: Vec<(usize, bool)> = vec![];
        for (thing, mode) in &touched.things {
            let known = self.touched.entry(*thing).or_default();
            let is_other =
                |(by, how, _): &&(usize, AccessMode, usize)| *by != chain && how.conflicts(*mode);
            let conflicting = known.iter().filter(is_other);
            others.extend(conflicting.map(|(_, _, event)| (*event, !thing.is_quiet())));
            known.retain(|(by, how, _)| (*by, *how) != (chain, *mode));
            known.push((chain, *mode, new));
        }
        for body in touched.looked_at.iter().copied() {
            let last = self.last[body.0 as usize].filter(|e| self.is_of(*e, body));
            let before = last.into_iter().chain(self.bodies.insert(body, new));
            others.extend(before.map(|event| (event, true)));
        }
        if chain == proc.0 as usize {
            others.extend(self.bodies.get(&proc).map(|event| (*event, false)));
        }
        others.retain(|(e, _)| *e != new && self.history.events[*e].chain != chain);
        others.sort_unstable();
        others.dedup();
        self.history.unexplored.extend(touched.unexplored);
        if touched.reads_clock && *self.clock_reader.get_or_insert(proc) != proc {
            self.history.unexplored.insert("reads of the clock");
        }
        let told: Vec<usize> = others.iter().filter(|(_, tells)| *tells).map(|(e, _)| *e).collect();
        let mut others: Vec<usize> = others.into_iter().map(|(e, _)| e).collect();
        others.dedup();
        if !others.is_empty() {
            self.put_after(new, &others);
        }
        if !told.is_empty() {
            self.tell(new, &told);
        }
    }

    /// Whether an event is the process's own, not the one that spawned it.
    fn is_of(&self, event: usize, proc: ProcId) -> bool {
        self.history.events[event].chain == proc.0 as usize
    }

    fn put_after(&mut self, new: usize, others: &[usize]) {
        self.relabel(new, self.named(others));
        let mut clock = std::mem::take(&mut self.history.events[new].clock);
        others.iter().for_each(|o| merge(&mut clock, &self.history.events[*o].clock));
        let event = &mut self.history.events[new];
        event.clock = clock;
        event.after.extend(others);
    }

    /// What these events are called in every execution.
    fn named(&self, events: &[usize]) -> u64 {
        let history = &self.history;
        let id = |e: &usize| {
            let event = &history.events[*e];
            match event.kind {
                EventKind::Arrive(id) => hash_of((1, message_name(self.execution, id))),
                _ => hash_of((history.names[event.proc.0 as usize], event.index)),
            }
        };
        let mut ids: Vec<u64> = events.iter().map(id).collect();
        ids.sort_unstable();
        hash_of(&ids)
    }

    /// The event found things as others had left them.
    fn tell(&mut self, event: usize, left_by: &[usize]) {
        let left_by = self.named(left_by);
        let Event { kind, proc, chain, index: nth, .. } = self.history.events[event];
        let is_own = chain == proc.0 as usize;
        if is_own && matches!(kind, EventKind::Act | EventKind::Receive { .. }) {
            let name = self.history.names[chain];
            self.history.log.add(name, Observation::Saw { nth, left_by });
        }
    }

    fn sent(&mut self, from: ProcId, signals: std::ops::Range<u32>, by: usize) {
        for k in signals {
            self.sent_one(SignalId { from, k }, by);
        }
    }

    fn sent_one(&mut self, id: SignalId, by: usize) {
        self.history.sent_by.insert(id, by);
        let signal = self.execution.signal(id);
        let Some(to) = signal.to() else { return };
        let delivery = signal.delivery().map(|i| self.execution.proc(to).deliveries[i as usize]);
        let is_message = match delivery {
            Some(delivery) => delivery.in_mailbox(),
            // It came too late this time.
            None => self.execution.kind(id).is_message(),
        };
        let travel = match self.execution.kind(id) {
            SignalKind::Exit { linked, reason } if id.from != to => {
                if !linked && reason.is_atom_eq(atoms::KILL) {
                    self.history.kills.push(id);
                }
                if reason.is_atom_eq(atoms::NORMAL) {
                    self.history.harmless.push(id);
                }
                Travel::Exit(None)
            }
            SignalKind::Link
            | SignalKind::Unlink
            | SignalKind::Monitor
            | SignalKind::Demonitor
            | SignalKind::GroupLeader => Travel::Tie,
            _ => Travel::Message,
        };
        if is_message {
            self.history.inbox[to.0 as usize].push(id);
        }
        if is_message || !matches!(travel, Travel::Message) {
            self.history.travels[to.0 as usize].push((id, travel));
        }
        // What a dead process answers is sent by who asked.
        if let Some(reply) = self.execution.late_answer(id) {
            self.sent_one(reply, by);
        }
    }
}
