//! Shared things: names, tables, counters, flags. Each remembers who accessed it in what order
//! (that is its part of happened-before) and every value it had, so that undoing and redoing an
//! access is only a matter of looking at another version.

use crate::ets::Table;
use crate::execution::{EventRef, Execution, NodeId, ProcId};
use reverl_term::{Atom, Map, Ref, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// What is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// A registered name of a node.
    Name(NodeId, Atom),
    /// Which names a node has: each that is given or taken away is a part of it.
    Registry(NodeId),
    /// Which processes a node has: each that is spawned or ends is a part of it. Its accesses are
    /// kept only in executions where somebody has looked.
    Population(NodeId),
    /// Whether a process has a name.
    NameOf(ProcId),
    /// By the reference that names it.
    Table(Ref),
    /// Named tables: which table a name means.
    TableName(NodeId, Atom),
    /// Whether the process is alive.
    Life(ProcId),
    /// `process_flag(trap_exit, _)`: the process writes it, an exit signal's arrival reads it.
    TrapExit(ProcId),
    /// Whether a timer has fired or was cancelled, by the reference that names it.
    Timer(Ref),
    /// All of `persistent_term` on a node.
    PersistentTerms(NodeId),
    /// What was written to files.
    Files,
    /// `atomics` and `counters` arrays.
    Atomics(Ref),
    /// The counter of `unique_integer([monotonic])`.
    UniqueInteger(NodeId),
    /// Which version of each module is current.
    Code,
    /// What a node is told from outside and can change: environment, arguments, paths.
    Setting(NodeId, Atom),
    /// Which node has a name, beside the first.
    NodeNamed(Atom),
    /// Whether two nodes are connected, the first of them first.
    Line(NodeId, NodeId),
    /// Which nodes a node is connected to: each connection is a part of it.
    Peers(NodeId),
    /// Who on a node is told when connections come and go.
    NodeWatchers(NodeId),
}

/// How an event uses an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It was only looked at.
    Read,
    /// It was changed, or could have been.
    Write,
    /// It changes a part that is an object of its own. Who changes other parts does not mind, but
    /// who reads the whole does.
    WritePart,
}

impl Mode {
    /// Whether the order of two uses cannot be told.
    pub fn commutes(self, other: Mode) -> bool {
        self == other && self != Mode::Write
    }

    /// Of one event that does both.
    fn and(self, other: Mode) -> Mode {
        if self == other { self } else { Mode::Write }
    }
}

/// One access of an object.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The event that touched it.
    pub event: EventRef,
    /// How.
    pub mode: Mode,
}

/// What an object holds.
#[derive(Clone)]
pub enum Value {
    /// There is nothing.
    Nothing,
    /// The process that a name stands for.
    Proc(ProcId),
    /// A table.
    Table(Rc<Table>),
    /// A number.
    Number(u64),
    /// Terms by their keys.
    Terms(Map),
    /// The words of a counter or of atomics.
    Words(Rc<Vec<i64>>),
    /// Any one term.
    Term(Term),
}

/// The accesses of one object, in their order, and its value now.
#[derive(Clone, Default)]
pub struct History {
    /// What it held before anybody accessed it.
    first: Option<Value>,
    /// In order.
    pub accesses: Vec<Access>,
    /// After which access (by index) the object had which value.
    versions: Vec<(u32, Value)>,
}

/// All objects that processes share.
#[derive(Clone, Default)]
pub struct Objects {
    pub(crate) map: HashMap<Object, History>,
    /// Which accesses an event made, for events that made any.
    pub(crate) of_event: HashMap<EventRef, Vec<(Object, u32)>>,
    /// The name that each process was given last. It stays after the process has ended.
    given: HashMap<ProcId, Atom>,
    /// The processes that had a name, one after the other.
    holders: HashMap<(NodeId, Atom), Vec<ProcId>>,
}

impl Objects {
    /// The object's value now.
    pub fn value(&self, object: Object) -> &Value {
        let Some(history) = self.map.get(&object) else { return &Value::Nothing };
        history.versions.last().map_or_else(|| history.first_value(), |(_, v)| v)
    }

    /// The object holds this from the beginning: nobody's event put it there.
    pub(crate) fn begin_with(&mut self, object: Object, value: Value) {
        self.note_name(object, &value);
        self.map.entry(object).or_default().first = Some(value);
    }

    pub(crate) fn read(&mut self, object: Object, event: EventRef) -> Value {
        self.access(object, event, Mode::Read);
        self.value(object).clone()
    }

    pub(crate) fn write(&mut self, object: Object, event: EventRef, value: Value) {
        self.note_name(object, &value);
        let index = self.access(object, event, Mode::Write);
        let history = self.map.entry(object).or_default();
        history.versions.push((index, value));
    }

    fn note_name(&mut self, object: Object, value: &Value) {
        if let (Object::Name(node, name), Value::Proc(proc)) = (object, value) {
            if self.given.insert(*proc, name) != Some(name) {
                self.holders.entry((node, name)).or_default().push(*proc);
            }
        }
    }

    pub(crate) fn access(&mut self, object: Object, event: EventRef, mode: Mode) -> u32 {
        let history = self.map.entry(object).or_default();
        if let Some(last) = history.accesses.last_mut().filter(|a| a.event == event) {
            last.mode = last.mode.and(mode);
            return history.accesses.len() as u32 - 1;
        }
        let index = history.accesses.len() as u32;
        history.accesses.push(Access { event, mode });
        self.of_event.entry(event).or_default().push((object, index));
        index
    }

    /// The objects that an event accessed, each with the access's number.
    pub fn accesses_of(&self, event: EventRef) -> &[(Object, u32)] {
        self.of_event.get(&event).map_or(&[], |v| v)
    }

    /// The value after the accesses that `included` holds for (a prefix, in a consistent cut).
    pub fn value_at(&self, object: Object, included: impl Fn(EventRef) -> bool) -> &Value {
        let Some(history) = self.map.get(&object) else { return &Value::Nothing };
        let done = |(i, _): &&(u32, Value)| included(history.accesses[*i as usize].event);
        let last = history.versions.iter().rev().find(done);
        last.map_or_else(|| history.first_value(), |(_, v)| v)
    }

    /// All objects that were accessed or hold something from the beginning.
    pub fn iter(&self) -> impl Iterator<Item = (&Object, &History)> {
        self.map.iter()
    }

    /// All accesses of an object, in order.
    pub fn accesses(&self, object: Object) -> &[Access] {
        self.map.get(&object).map_or(&[], |history| &history.accesses)
    }
}

impl History {
    fn first_value(&self) -> &Value {
        self.first.as_ref().unwrap_or(&Value::Nothing)
    }
}

impl Execution {
    /// The names that a node's processes have now.
    pub fn names(&self, node: NodeId) -> Vec<(Atom, ProcId)> {
        let mut names: Vec<(Atom, ProcId)> = self
            .objects
            .map
            .keys()
            .filter_map(|object| match (object, self.objects.value(*object)) {
                (Object::Name(of, name), Value::Proc(proc)) if *of == node => Some((*name, *proc)),
                _ => None,
            })
            .collect();
        names.sort_by_key(|(name, _)| name.name());
        names
    }

    /// The name that a process has, or had last: people call it so after its end too.
    pub fn name_given(&self, proc: ProcId) -> Option<Atom> {
        self.objects.given.get(&proc).copied()
    }

    /// The processes that had a name on a node, one after the other.
    pub fn holders(&self, node: NodeId, name: Atom) -> &[ProcId] {
        self.objects.holders.get(&(node, name)).map_or(&[], |holders| holders)
    }
}
