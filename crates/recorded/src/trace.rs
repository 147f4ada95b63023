//! The tracer's chunks, read in the order in which things happened.

use crate::format::*;
use crate::inputs;
use crate::parts::{
    FunctionRole, Origin, RecordedProcess, RecordedValue, TermBytes, TraceAction, TraceEntry,
    TracedFunction,
};
use std::collections::{HashMap, HashSet};

/// What the chunks of one node say.
#[derive(Debug, Default)]
pub struct NodeTrace {
    /// The functions that entries name by number.
    pub functions: Vec<TracedFunction>,
    /// The processes that entries name by number.
    pub processes: Vec<RecordedProcess>,
    /// What happened, in order.
    pub entries: Vec<TraceEntry>,
    /// How many entries come before each of the events that were asked about.
    pub positions: Vec<u32>,
    /// Events before these were not kept.
    pub lacks_beginning: bool,
    /// The system's number of the error that ended the recording before the node ended.
    pub stopped_by: Option<i32>,
}

/// The names in the tracer's file of atoms, in the order of their numbers.
pub fn atoms(bytes: &[u8]) -> Vec<String> {
    let mut bytes = Bytes { rest: bytes };
    let name = |block: &[u8]| block.iter().map(|b| char::from(*b)).collect();
    std::iter::from_fn(|| bytes.block().map(name)).collect()
}

struct Bytes<'b> {
    rest: &'b [u8],
}

impl<'b> Bytes<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let b = self.byte()?;
            n |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn block(&mut self) -> Option<&'b [u8]> {
        let n = usize::try_from(self.number()?).ok()?;
        let (block, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(block)
    }

    fn term(&mut self) -> Option<TermBytes> {
        Some(self.block()?.to_vec().into())
    }
}

/// Something that a chunk says, with its number in the whole.
enum Line {
    Process(u32, RecordedProcess),
    Function(u32, TracedFunction),
    Entry(TraceEntry),
    /// A time-out, before which so many messages came that the receive has not looked at.
    Late {
        proc: u32,
        unseen: u32,
    },
    /// Events up to this number are not all there.
    Forgotten(u64),
    /// Events from this number on are not all there, because of this error.
    Stopped(u64, i32),
}

fn line(bytes: &mut Bytes, number: &mut u64) -> Option<Line> {
    let tag = bytes.byte().filter(|t| *t != 0)?;
    *number = number.wrapping_add(bytes.number()?);
    let proc = bytes.small()?;
    let entry = |action: TraceAction| Some(Line::Entry(TraceEntry { proc, action }));
    let result = |function: u32, value: RecordedValue| {
        entry(TraceAction::Result { function, value: Box::new(value) })
    };
    match tag {
        PROCESS => {
            let kind = bytes.number()?;
            let parent = bytes.small()?;
            let pid = bytes.number()?;
            let origin = match (kind, parent) {
                (SPAWNED, parent) if parent > 1 => Origin::Spawned(parent - 1),
                (BEGUN, _) => Origin::Begun,
                _ => Origin::Outside,
            };
            Some(Line::Process(proc, RecordedProcess { pid, origin }))
        }
        FORGOTTEN => Some(Line::Forgotten(bytes.number()?)),
        STOPPED => {
            let lost = bytes.number()?;
            Some(Line::Stopped(lost, i32::try_from(bytes.number()?).ok()?))
        }
        FUNCTION => Some(Line::Function(proc, function(bytes.block()?)?)),
        DELIVER => entry(TraceAction::Deliver { from: bytes.small()?, hash: None }),
        DELIVER_HASH => {
            let from = bytes.small()?;
            entry(TraceAction::Deliver { from, hash: Some(bytes.number()? as u32) })
        }
        DELIVER_TERM => {
            let from = bytes.small()?.checked_sub(1);
            entry(TraceAction::DeliverTerm { from, message: bytes.term()? })
        }
        DELIVER_INSIDE => {
            let from = bytes.small()?.checked_sub(1);
            entry(TraceAction::DeliverInside { from, message: bytes.term()? })
        }
        TIMEOUT => entry(TraceAction::Timeout),
        TIMEOUT_LATE => Some(Line::Late { proc, unseen: bytes.small()? }),
        SPAWN => entry(TraceAction::Spawn(bytes.small()?)),
        EXIT => entry(TraceAction::Exit(bytes.term()?)),
        RESULT => {
            let function = bytes.small()?;
            result(function, RecordedValue::Term(bytes.term()?))
        }
        RESULT_INT => {
            let function = bytes.small()?;
            result(function, RecordedValue::Int(unzigzag(bytes.number()?)))
        }
        RESULT_REF => {
            let function = bytes.small()?;
            let words = [bytes.small()?, bytes.small()?, bytes.small()?];
            result(function, RecordedValue::Ref(words))
        }
        RESULT_ATOM => {
            let function = bytes.small()?;
            result(function, RecordedValue::Atom(bytes.small()? as u8))
        }
        RAISED => {
            let function = bytes.small()?;
            entry(TraceAction::Raised { function, exception: bytes.term()? })
        }
        ROOT => {
            let function = bytes.small()?;
            entry(TraceAction::Begin { function, args: bytes.term()? })
        }
        RETURN => entry(TraceAction::Return(bytes.term()?)),
        ROOT_RAISED => entry(TraceAction::BeginRaised(bytes.term()?)),
        REGISTER => entry(TraceAction::Register(bytes.term()?)),
        UNREGISTER => entry(TraceAction::Unregister(bytes.term()?)),
        CALL => {
            let function = bytes.small()?;
            entry(TraceAction::Call { function, args: bytes.term()? })
        }
        _ => None,
    }
}

fn function(text: &[u8]) -> Option<TracedFunction> {
    // Names are in Latin-1.
    let text: String = text.iter().map(|b| char::from(*b)).collect();
    let mut parts = text.split('\0').map(str::to_string);
    let (module, name) = (parts.next()?, parts.next()?);
    Some(TracedFunction {
        module,
        name: if inputs::is_name_of_fun(&name) {
            reverl_machine::program::ANY_FUN.into()
        } else {
            name
        },
        arity: parts.next()?.parse().ok()?,
        role: match parts.next()?.parse().unwrap_or(kind::LOADING) {
            kind::INPUT | kind::EXPORTED => FunctionRole::Input,
            kind::OPAQUE | kind::CODE => FunctionRole::Opaque,
            kind::TRIGGER => FunctionRole::Trigger,
            kind::LAST => FunctionRole::Last,
            kind::HIDDEN => FunctionRole::Hidden,
            _ => FunctionRole::Loading,
        },
    })
}

/// Puts a definition at its number, leaving room for those that come later.
fn put<T: Clone>(list: &mut Vec<T>, number: u32, item: T, nothing: T) {
    let i = number as usize;
    // A number far from all others is damage.
    if i > list.len() + (1 << 22) {
        return;
    }
    if i >= list.len() {
        list.resize(i + 1, nothing);
    }
    list[i] = item;
}

/// A message that came when the time of a receive was already up is one that came after the time-out, in
/// all that the process could notice: that is its order from here on.
fn put_before_unseen(numbered: &mut [(u64, TraceEntry)], late: &HashMap<u64, u32>) {
    let mut arrivals: HashMap<u32, Vec<u64>> = HashMap::new();
    let mut moved: HashSet<u64> = HashSet::new();
    for (number, entry) in numbered.iter_mut().filter(|_| !late.is_empty()) {
        let arrived = arrivals.entry(entry.proc).or_default();
        if entry.action.is_arrival() {
            arrived.push(*number);
            continue;
        }
        let unseen = late.get(number).map_or(0, |unseen| *unseen as usize);
        if let Some(first) = arrived.len().checked_sub(unseen).and_then(|n| arrived.get(n)) {
            // It takes the place of that message, which comes right after it.
            *number = *first;
            moved.insert(*first);
        }
        arrived.clear();
    }
    let is_later = |(number, entry): &(u64, TraceEntry)| {
        moved.contains(number) && !matches!(entry.action, TraceAction::Timeout)
    };
    numbered.sort_by_key(|line| (line.0, is_later(line)));
}

/// Reads chunks, in any order. One that breaks off is read up to there.
pub fn read(chunks: &[Vec<u8>]) -> NodeTrace {
    read_with_positions(chunks, &[])
}

/// As `read`; says also how many entries come before the events with these numbers.
pub fn read_with_positions(chunks: &[Vec<u8>], events: &[u64]) -> NodeTrace {
    let mut raw = NodeTrace::default();
    let mut numbered: Vec<(u64, TraceEntry)> = vec![];
    let mut late: HashMap<u64, u32> = HashMap::new();
    let (mut forgotten, mut lost) = (0, u64::MAX);
    let no_process = RecordedProcess { pid: 0, origin: Origin::Outside };
    let no_function = TracedFunction {
        module: String::new(),
        name: String::new(),
        arity: 0,
        role: FunctionRole::Loading,
    };
    for chunk in chunks {
        let Some(rest) = chunk.strip_prefix(MAGIC) else { continue };
        let mut bytes = Bytes { rest };
        let mut number = 0;
        while let Some(line) = line(&mut bytes, &mut number) {
            match line {
                Line::Process(n, p) => put(&mut raw.processes, n, p, no_process.clone()),
                Line::Function(n, f) => put(&mut raw.functions, n, f, no_function.clone()),
                Line::Entry(entry) => numbered.push((number, entry)),
                Line::Late { proc, unseen } => {
                    late.insert(number, unseen);
                    numbered.push((number, TraceEntry { proc, action: TraceAction::Timeout }));
                }
                Line::Forgotten(last) => forgotten = last.max(forgotten),
                Line::Stopped(first, error) => {
                    lost = first.min(lost);
                    raw.stopped_by = Some(error);
                }
            }
        }
    }
    raw.lacks_beginning = forgotten > 0;
    numbered.retain(|(number, _)| *number > forgotten && *number < lost);
    numbered.sort_by_key(|(number, _)| *number);
    let known = raw.processes.len();
    numbered.retain(|(_, entry)| (entry.proc as usize) < known);
    put_before_unseen(&mut numbered, &late);
    let position = |event: &u64| numbered.partition_point(|(number, _)| number < event) as u32;
    raw.positions = events.iter().map(position).collect();
    raw.entries = numbered.into_iter().map(|(_, entry)| entry).collect();
    raw
}
