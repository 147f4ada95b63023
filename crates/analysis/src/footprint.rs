//! What a deed touches beside its own process: two deeds that touch nothing in conflict can
//! change places without anybody noticing.
//!
//! This is finer than what the execution keeps as shared things (`Object`) where that pays: two
//! keys of a table are two things. It never depends on how the deed turned out: a `register` that
//! fails touches what one that succeeds does.

use crate::observation::hash_of;
use reverl_causal::execution::{Answered, SignalKind};
use reverl_causal::object::{Mode, Object, Value};
use reverl_causal::{ActionKind, EventRef, Execution, NodeId, ProcId, SignalId};
use reverl_machine::builtins::nature::{Look, Nature, NewCode, Part, Registration, Tie, TimerUse};
use reverl_term::{Ref, Term, View};

/// What an event can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    Object(Object),
    /// One key of a table, or one word of an array.
    Key(Ref, u64),
    /// The link between two processes, the smaller first.
    Tie(ProcId, ProcId),
    /// Under which name a process is registered.
    NameOf(ProcId),
    /// Which names there are, for `registered()`.
    Registry,
    /// Which processes there are, for `processes()`.
    Population,
    Alias(u64),
}

impl Resource {
    /// Whether what a deed finds there shows only in what it brings about: in a process that is
    /// killed or not, in a message that comes or not.
    pub fn is_quiet(&self) -> bool {
        matches!(self, Resource::Tie(..) | Resource::Object(Object::TrapExit(_)))
    }
}

/// How a deed touches a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessMode {
    /// It looks at a part that is a thing of its own.
    ReadPart,
    /// It changes a part that is a thing of its own.
    WritePart,
    Read,
    Write,
}

impl AccessMode {
    pub fn conflicts(self, other: AccessMode) -> bool {
        use AccessMode::*;
        matches!((self, other), (Write, _) | (_, Write) | (WritePart, Read) | (Read, WritePart))
    }
}

/// What a deed touches.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pub things: Vec<(Resource, AccessMode)>,
    /// Processes whose every deed is in conflict with this one, because it looks at everything
    /// they are.
    pub looked_at: Vec<ProcId>,
    /// What it started can happen at any time.
    pub starts_timer: bool,
    /// It did something whose order with others is not explored.
    pub unexplored: Option<&'static str>,
    /// The clock was read.
    pub reads_clock: bool,
}

/// Whether an event gives the node a name: it is about no code.
fn is_naming(execution: &Execution, event: EventRef) -> bool {
    match execution.action(event).map(|action| action.what()) {
        Some(ActionKind::Request(asked)) => asked.nature() == Nature::Code(NewCode::Name),
        _ => false,
    }
}

impl Footprint {
    pub fn is_empty(&self) -> bool {
        self.things.is_empty() && self.looked_at.is_empty()
    }

    fn add(&mut self, thing: Resource, mode: AccessMode) {
        self.things.push((thing, mode));
    }

    pub fn of_event(&mut self, execution: &Execution, event: EventRef) {
        for (object, i) in execution.objects().accesses_of(event) {
            let access = execution.objects().accesses(*object)[*i as usize];
            let mode = match access.mode {
                Mode::Read => AccessMode::Read,
                Mode::Write => AccessMode::Write,
                Mode::WritePart => AccessMode::WritePart,
            };
            if *object == Object::Code {
                if mode == AccessMode::Write && !is_naming(execution, event) {
                    self.unexplored = Some("when code is loaded");
                }
                continue;
            }
            if let (Object::Name(..), AccessMode::Write) = (object, mode) {
                self.add(Resource::Registry, AccessMode::Read);
            }
            self.add(Resource::Object(*object), mode);
        }
    }

    pub fn of_action(&mut self, execution: &Execution, event: EventRef) {
        self.of_event(execution, event);
        let Some(action) = execution.action(event) else { return };
        if let ActionKind::Request(answered) = action.what() {
            // A flag that has the value already is not changed.
            if answered.answer.as_ref().ok() == answered.args.get(1) {
                let is_flag =
                    |thing: &Resource| matches!(thing, Resource::Object(Object::TrapExit(_)));
                self.things.retain(|(thing, _)| !is_flag(thing));
            }
        }
        match action.what() {
            ActionKind::Send(k) => self.of_signals(execution, event.proc, k..k + 1),
            ActionKind::Request(answered) => {
                self.of_signals(execution, event.proc, answered.effect.signals.clone());
                if answered.effect.spawned.is_some() {
                    self.add(Resource::Population, AccessMode::Read);
                }
                self.of_request(execution, event, answered);
            }
            ActionKind::Exit(exited) => {
                self.of_signals(execution, event.proc, exited.signals.clone());
                self.add(Resource::Population, AccessMode::Read);
                self.add(Resource::NameOf(event.proc), AccessMode::Read);
                self.of_names_held(execution, event.proc);
            }
            ActionKind::Receive(_) | ActionKind::Timeout | ActionKind::Assign(_) => {}
        }
    }

    /// A process that ends gives back its name, whichever that is then.
    fn of_names_held(&mut self, execution: &Execution, proc: ProcId) {
        for (object, _) in execution.objects().iter() {
            if let Object::Name(node, name) = object {
                if execution.holders(*node, *name).contains(&proc) {
                    self.add(Resource::Object(*object), AccessMode::Write);
                }
            }
        }
    }

    fn of_signals(&mut self, execution: &Execution, from: ProcId, signals: std::ops::Range<u32>) {
        for k in signals {
            let signal = execution.signal(SignalId { from, k });
            let Some(to) = signal.to() else { continue };
            match execution.proc(from).kind(k) {
                SignalKind::Monitor => {
                    self.add(Resource::Object(Object::Life(to)), AccessMode::Read)
                }
                SignalKind::AliasMessage(alias, is_urgent) => {
                    self.add(Resource::Alias(hash_of(alias)), AccessMode::Write);
                    if *is_urgent {
                        self.unexplored = Some("priority messages");
                    }
                }
                SignalKind::GroupLeader => self.unexplored = Some("changes of group leaders"),
                _ => {}
            }
        }
    }

    fn of_request(&mut self, execution: &Execution, event: EventRef, answered: &Answered) {
        let args = &answered.args;
        let pid_of = |i: usize| args.get(i)?.as_pid().and_then(|pid| execution.find(pid));
        match answered.nature() {
            Nature::Name(Registration::Register) => {
                self.name(execution.node_of(event.proc), &args[0]);
                if let Some(to) = pid_of(1) {
                    self.add(Resource::NameOf(to), AccessMode::Write);
                    self.add(Resource::Object(Object::Life(to)), AccessMode::Read);
                }
            }
            // Whoever holds the name then: what is touched must not depend on when it is done.
            Nature::Name(Registration::Unregister) => {
                self.name(execution.node_of(event.proc), &args[0]);
                let holders = args[0]
                    .as_atom()
                    .map_or(&[][..], |name| execution.holders(execution.node_of(event.proc), name));
                for holder in holders {
                    self.add(Resource::NameOf(*holder), AccessMode::Write);
                }
            }
            Nature::Look(Look::Registered) => self.add(Resource::Registry, AccessMode::Write),
            Nature::Look(Look::Processes) => self.add(Resource::Population, AccessMode::Write),
            Nature::Look(Look::ProcessInfo) => {
                self.looked_at.extend(pid_of(0).filter(|of| *of != event.proc));
                let keys = args.get(1).map_or(vec![], |k| k.to_vec().unwrap_or(vec![k.clone()]));
                let names = keys.iter().filter_map(Term::as_atom);
                let is_own = pid_of(0) == Some(event.proc);
                self.unexplored = match args.len() {
                    1 => Some("looks at mailboxes"),
                    _ => names.filter_map(|name| unexplored_look(name.name(), is_own)).next(),
                };
            }
            Nature::Clock => self.reads_clock = true,
            Nature::Timer(TimerUse::Start) => self.starts_timer = true,
            Nature::Timer(TimerUse::Cancel | TimerUse::Read) => {
                self.unexplored = Some("timers that are cancelled or read");
            }
            Nature::Tie(Tie::Link | Tie::Unlink) => {
                if let Some(to) = pid_of(0) {
                    self.add(tie(event.proc, to), AccessMode::Write);
                    self.add(Resource::Object(Object::Life(to)), AccessMode::Read);
                }
            }
            Nature::Tie(Tie::Unalias) => {
                self.add(Resource::Alias(hash_of(&args[0])), AccessMode::Write)
            }
            Nature::Tie(Tie::Demonitor) => {
                self.add(Resource::Alias(hash_of(&args[0])), AccessMode::Write);
                // Once answered, a monitor that is also an alias is gone.
                if let Some((made_in, of)) = monitored(execution, event, &args[0]) {
                    if !is_answered(execution, event.proc, &args[0], made_in) {
                        self.add(Resource::Object(Object::Life(of)), AccessMode::Read);
                    }
                }
            }
            Nature::Table(part) => self.of_table(execution, part, args),
            Nature::Words(part) => self.of_word(part, args),
            _ => {}
        }
    }

    fn name(&mut self, node: NodeId, name: &Term) {
        if let Some(name) = name.as_atom() {
            self.add(Resource::Object(Object::Name(node, name)), AccessMode::Write);
            self.add(Resource::Registry, AccessMode::Read);
        }
    }

    /// A function of `ets` that concerns one key only.
    fn of_table(&mut self, execution: &Execution, part: Part, args: &[Term]) {
        let found = self.things.iter().find_map(|(thing, _)| match thing {
            Resource::Object(Object::Table(id)) => Some(*id),
            _ => None,
        });
        let Some(id) = found else { return };
        // As it was made: it may be gone by now, or then.
        let accesses = execution.objects().accesses(Object::Table(id));
        let Some(made_by) = accesses.first().map(|access| access.event) else { return };
        let made = execution.objects().value_at(Object::Table(id), |e| e == made_by);
        let Value::Table(table) = made else { return };
        let Some(given) = args.get(1) else { return };
        let (keys, mode) = match part {
            Part::Whole => return,
            Part::ReadKey => (Some(vec![given]), AccessMode::Read),
            Part::WriteKey => (Some(vec![given]), AccessMode::Write),
            Part::WriteObject => (keys_of_objects(given, table.keypos), AccessMode::Write),
            Part::ReadPattern => (keys_of_patterns(given, table.keypos), AccessMode::Read),
            Part::WritePattern => (keys_of_patterns(given, table.keypos), AccessMode::Write),
        };
        // 1 and 1.0 are one key of an ordered set: not told apart here.
        let Some(keys) = keys.filter(|keys| keys.iter().all(|key| is_plain(key))) else { return };
        for key in keys {
            self.part(Object::Table(id), Resource::Key(id, hash_of(key)), mode);
        }
    }

    fn of_word(&mut self, part: Part, args: &[Term]) {
        let (Some(id), Some(place)) = (args[0].as_reference(), args.get(1)) else { return };
        let mode = match part {
            Part::Whole => return,
            Part::ReadKey => AccessMode::Read,
            Part::ReadPattern | Part::WritePattern => return,
            Part::WriteKey | Part::WriteObject => AccessMode::Write,
        };
        self.part(Object::Atomics(*id), Resource::Key(*id, hash_of(place)), mode);
    }

    /// Only a part of the object is touched.
    fn part(&mut self, object: Object, part: Resource, mode: AccessMode) {
        let whole =
            if mode == AccessMode::Write { AccessMode::WritePart } else { AccessMode::ReadPart };
        for (thing, how) in &mut self.things {
            if *thing == Resource::Object(object) {
                *how = whole;
            }
        }
        self.add(part, mode);
    }

    /// The arrival of an exit signal at a process, which it kills or not.
    pub fn of_exit_signal(&mut self, execution: &Execution, event: EventRef, id: SignalId) {
        self.of_event(execution, event);
        if let SignalKind::Exit { linked: true, .. } = execution.kind(id) {
            self.add(tie(id.from, event.proc), AccessMode::Write);
        }
    }
}

/// What a look at this item of a process would have to be ordered with, and is not.
fn unexplored_look(item: &str, is_own: bool) -> Option<&'static str> {
    match item {
        "message_queue_len" | "messages" | "message_queue_data" => Some("looks at mailboxes"),
        "links" | "monitored_by" => Some("looks at links and monitors"),
        "status" if !is_own => Some("looks at what another process is doing"),
        _ => None,
    }
}

/// Whom the process of an event monitored by this reference, and from which of its actions on.
fn monitored(execution: &Execution, event: EventRef, reference: &Term) -> Option<(u32, ProcId)> {
    let p = execution.proc(event.proc);
    // Most monitors are short.
    (0..event.index()).rev().find_map(|i| {
        let ActionKind::Request(answered) = p.actions[i as usize].what() else { return None };
        let k = answered.effect.signals.start;
        let is_monitor = || *p.kind(k) == SignalKind::Monitor;
        let (of, by) = match answered.effect.spawned {
            Some(child) => (Some(child), answered.answer.as_ref().ok()?.as_tuple()?.get(1)?),
            None if !answered.effect.signals.is_empty() && is_monitor() => {
                let signal = &p.signals[k as usize];
                (signal.to(), signal.message.as_tuple()?.first()?)
            }
            None => return None,
        };
        of.filter(|_| by == reference).map(|of| (i, of))
    })
}

/// Whether a process received an answer through an alias, which it made in one of its actions.
fn is_answered(execution: &Execution, proc: ProcId, alias: &Term, made_in: u32) -> bool {
    let is_it = |kind: &SignalKind| matches!(kind, SignalKind::AliasMessage(to, _) if to == alias);
    let deliveries = execution.proc(proc).deliveries.iter().rev();
    let mut signals = deliveries.take_while(|d| d.after_actions() > made_in).map(|d| d.signal);
    signals.any(|s| is_it(execution.kind(s)) && execution.signal(s).receive().is_some())
}

/// Whether a built-in asks or tells something of others that the execution does not keep as an
/// access.
pub fn is_about_others(nature: Nature) -> bool {
    match nature {
        Nature::Name(registration) => registration != Registration::Whereis,
        Nature::Look(look) => look != Look::IsAlive,
        Nature::Tie(tie) => !matches!(tie, Tie::Monitor | Tie::Alias),
        Nature::Timer(use_of) => use_of != TimerUse::Start,
        Nature::Clock => true,
        _ => false,
    }
}

fn tie(a: ProcId, b: ProcId) -> Resource {
    Resource::Tie(a.min(b), a.max(b))
}

/// The keys of an object, or of a list of objects.
fn keys_of_objects(given: &Term, keypos: usize) -> Option<Vec<&Term>> {
    if given.as_tuple().is_some() {
        return Some(vec![key_at(given, keypos)?]);
    }
    let mut keys = vec![];
    let mut rest = given;
    while let Some((object, tail)) = rest.as_cons() {
        keys.push(key_at(object, keypos)?);
        rest = tail;
    }
    rest.is_nil().then_some(keys)
}

fn key_at(object: &Term, keypos: usize) -> Option<&Term> {
    object.as_tuple()?.get(keypos.checked_sub(1)?)
}

/// The keys that a pattern, or each head of a match specification, asks for: none if one of them may
/// have any key.
fn keys_of_patterns(given: &Term, keypos: usize) -> Option<Vec<&Term>> {
    let key_of = |head| key_at(head, keypos).filter(|key| is_fixed(key));
    if given.as_tuple().is_some() {
        return Some(vec![key_of(given)?]);
    }
    let mut keys = vec![];
    let mut rest = given;
    while let Some((clause, tail)) = rest.as_cons() {
        keys.push(key_of(clause.as_tuple()?.first()?)?);
        rest = tail;
    }
    rest.is_nil().then_some(keys)
}

/// Whether a part of a pattern matches only itself.
fn is_fixed(pattern: &Term) -> bool {
    match pattern.view() {
        View::Atom(name) => name.name() != "_" && !name.name().starts_with('$'),
        View::Tuple(parts) => parts.iter().all(is_fixed),
        _ => true,
    }
}

/// A key that is equal only to itself, whatever the kind of table.
fn is_plain(key: &Term) -> bool {
    match key.view() {
        View::Int(_) | View::Atom(_) | View::Pid(_) | View::Ref(_) => true,
        View::Tuple(parts) => parts.iter().all(is_plain),
        _ => false,
    }
}
