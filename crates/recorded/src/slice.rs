//! The part of a recording that led to a failure: everything that could have caused it, and nothing that
//! could not.
//!
//! What a process did before a moment has its causes: the processes whose messages it was brought, up to
//! these, whoever spawned it, and theirs in turn. Sends are not recorded, so a sender counts up to where its
//! message arrived, which is a little more than needed. A part is a recording like any other, and replaying
//! it tells whether it is complete.

use crate::parts::{NodeRecording, Origin, TraceAction, TraceEntry};
use crate::terms::term;
use reverl_term::Term;

/// The first entry of a process that crashed: it ended by an exception, not by a signal that tells of
/// another's end.
pub fn first_crash(recorded: &NodeRecording) -> Option<usize> {
    let is_crash = |entry: &TraceEntry| match &entry.action {
        TraceAction::Exit(reason) => is_error(&term(reason)),
        TraceAction::BeginRaised(_) => true,
        _ => false,
    };
    recorded.entries.iter().position(is_crash)
}

/// `{Reason, StackTrace}`
fn is_error(reason: &Term) -> bool {
    let is_frame = |t: &Term| t.as_tuple().is_some_and(|t| t.len() == 4 && t[3].is_list());
    match reason.as_tuple() {
        Some([_, trace]) => trace.as_cons().is_some_and(|(first, _)| is_frame(first)),
        _ => false,
    }
}

/// How far each process counts: up to this entry, if at all.
struct Extents(Vec<Option<u32>>);

impl Extents {
    /// Whether it has changed anything that a process counts up to this entry.
    fn reach(&mut self, proc: u32, entry: usize) -> bool {
        let Some(extent) = self.0.get_mut(proc as usize) else { return false };
        let reached = (*extent).max(Some(entry as u32));
        std::mem::replace(extent, reached) != reached
    }

    fn has(&self, proc: u32, entry: usize) -> bool {
        self.0.get(proc as usize).is_some_and(|extent| *extent >= Some(entry as u32))
    }

    fn has_any(&self, proc: u32) -> bool {
        self.0.get(proc as usize).is_some_and(Option::is_some)
    }
}

/// What an entry that counts needs, and whether it was not known yet. Backwards, once is enough unless a
/// child was faster than its parent.
fn add_causes(recorded: &NodeRecording, entry: usize, extents: &mut Extents) -> bool {
    let TraceEntry { proc, action } = &recorded.entries[entry];
    if let TraceAction::Spawn(child) = action {
        if extents.has_any(*child) && extents.reach(*proc, entry) {
            return true;
        }
    }
    if !extents.has(*proc, entry) {
        return false;
    }
    match action {
        TraceAction::Deliver { from, .. }
        | TraceAction::DeliverTerm { from: Some(from), .. }
        | TraceAction::DeliverInside { from: Some(from), .. } => extents.reach(*from, entry),
        // A signal may have ended it, which its parent sends most of the time.
        TraceAction::Exit(_) => match recorded.processes.get(*proc as usize).map(|p| p.origin) {
            Some(Origin::Spawned(parent)) => extents.reach(parent, entry),
            _ => false,
        },
        _ => false,
    }
}

/// The part of a recording that led to one of its entries.
pub fn causes(recorded: &NodeRecording, of: usize) -> NodeRecording {
    let mut extents = Extents(vec![None; recorded.processes.len()]);
    extents.reach(recorded.entries[of].proc, of);
    let before = &recorded.entries[..=of];
    for (i, entry) in before.iter().enumerate() {
        // Calls begin with the same processes, and who is sent to by name has the name.
        if matches!(entry.action, TraceAction::Begin { .. } | TraceAction::Register(_)) {
            extents.reach(entry.proc, i);
        }
    }
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for i in (0..=of).rev() {
            has_changed |= add_causes(recorded, i, &mut extents);
        }
    }
    part(recorded, &extents, of)
}

fn part(recorded: &NodeRecording, extents: &Extents, of: usize) -> NodeRecording {
    let mut kept_before: Vec<u32> = Vec::with_capacity(of + 2);
    let mut entries = vec![];
    for (i, entry) in recorded.entries[..=of].iter().enumerate() {
        kept_before.push(entries.len() as u32);
        if extents.has(entry.proc, i) {
            entries.push(entry.clone());
        }
    }
    let place =
        |after: u32| kept_before.get(after as usize).copied().unwrap_or(entries.len() as u32);
    let mut part = NodeRecording {
        node: recorded.node.clone(),
        command: recorded.command.clone(),
        level: recorded.level.clone(),
        functions: recorded.functions.clone(),
        processes: recorded.processes.clone(),
        versions: recorded.versions.clone(),
        names: recorded.names.clone(),
        atoms: recorded.atoms.clone(),
        modules: recorded.modules.clone(),
        is_part: true,
        ..NodeRecording::default()
    };
    part.versions.iter_mut().for_each(|version| version.after = place(version.after));
    part.names.iter_mut().for_each(|name| name.after = place(name.after));
    part.entries = entries;
    part
}
