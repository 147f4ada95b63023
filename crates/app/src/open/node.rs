//! Recordings of real nodes as sessions: replayed, with what they do not show as it was.

use super::fitted;
use crate::interrupt;
use reverl_causal::System;
use reverl_causal::recording::Recording;
use reverl_lang::project::ModuleFinder;
use reverl_machine::{Program, library};
use reverl_recorded::NodeRecording;
use reverl_recorded::modules::Modules;
use reverl_recorded::replay::{ReplayOutcome, replay_while};
use reverl_recorded::slice;
use reverl_session::language;
use reverl_session::outside::{Output, RealOutside};
use reverl_session::session::{MAIN_BRANCH, Session, default_schedule};
use reverl_session::translation::Translation;
use std::collections::BTreeMap;

/// How much of a long recording of a node is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// A crash and what led to it, if that is less.
    FailureFirst,
}

/// A session at the end of what a tracer recorded on a real node. One that departs from the
/// recording is opened up to there.
pub fn session(recording: &Recording, memory: u64, extent: Extent) -> Result<Session, String> {
    let (replayed, recorded, part) = replay_node(recording, memory, extent)?;
    let mut notices = notices(&replayed, &recorded);
    notices.extend(part.map(|part| part.to_string()));
    notices.iter().for_each(|notice| eprintln!("reverl: {notice}"));
    if let Some(divergence) = &replayed.divergence {
        eprintln!("reverl: {divergence}");
        tell_missing(&recorded);
    }
    let mut system = replayed.system;
    if recorded.stopped_by.is_some() || recorded.is_torn {
        system.set_unfinished();
    }
    let mut session = Session::new(system, default_schedule());
    session.departed = replayed.divergence.map(|divergence| divergence.to_string());
    session.notices = notices;
    session.is_part = part.is_some();
    if session.is_part {
        return Ok(session);
    }
    for branch in recording.branches.iter().filter(|b| b.name != MAIN_BRANCH) {
        let end = branch.places.as_ref().map(|(end, _)| end);
        session.add_branch(&branch.name, |system| {
            system.replay(&branch.family, branch.steps.iter().cloned(), end).is_ok()
        });
    }
    if let Some(left) = recording.branches.first() {
        // It was left on this branch.
        let _ = session.switch_branch(&left.name);
        if let Some((_, cut)) = &left.places {
            session.cut = fitted(cut, &session);
        }
    }
    Ok(session)
}

/// What a recording and its replay do not show as it was, beside where they part.
fn notices(replayed: &ReplayOutcome, recorded: &NodeRecording) -> Vec<String> {
    let torn = recorded.is_torn.then(|| TORN.to_string());
    let full = replayed.is_full.then(|| {
        let (shown, all) = (replayed.entries, recorded.entries.len());
        format!(
            "only the first {shown} of {all} events are replayed, the rest has no room: \
             --max-memory MEGABYTES allows more"
        )
    });
    let stopped_by_user = replayed.is_stopped.then(|| {
        let (shown, all) = (replayed.entries, recorded.entries.len());
        format!("replaying was stopped: the first {shown} of {all} events are there")
    });
    let prints = replayed.prints.as_ref().map(ToString::to_string);
    [stopped(recorded), torn, full, stopped_by_user, prints].into_iter().flatten().collect()
}

const TORN: &str =
    "the recording is torn: its file breaks off, and what came after that is not known";

/// Why a recording ended before its node did.
pub fn stopped(recorded: &NodeRecording) -> Option<String> {
    let why = recorded.stopped_by.as_ref()?;
    Some(format!("recording stopped before the command ended: {why}"))
}

/// The modules that a recording could not take: one line for each reason, with what fixes it.
pub fn tell_missing(recorded: &NodeRecording) {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for missing in &recorded.missing {
        let (module, why) = missing.split_once(": ").unwrap_or((missing, ""));
        by_reason.entry(why).or_default().push(module);
    }
    for (why, modules) in by_reason {
        let named = modules.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let count = modules.len();
        let all = match count {
            1 => named,
            2..=NAMED => format!("{count} modules ({named})"),
            _ => format!("{count} modules ({named}, ..)"),
        };
        eprintln!("reverl: not in the recording: {all}: {why}");
    }
}

/// How many of the modules that are missing for one reason are named.
const NAMED: usize = 4;

/// The execution of a recording of a real node, and the recording.
fn replay_node(
    recording: &Recording,
    memory: u64,
    extent: Extent,
) -> Result<(ReplayOutcome, NodeRecording, Option<Part>), String> {
    let recorded = NodeRecording::read(&recording.node);
    recorded.number_atoms();
    language::speak_as(recorded.modules.iter().map(|module| &*module.name));
    if recorded.is_torn && recorded.entries.is_empty() {
        return Err(format!("{TORN}; it breaks off before the first event"));
    }
    if extent == Extent::FailureFirst && recorded.entries.len() > LONG {
        if let Some((replayed, part)) = replay_failure(&recorded, memory)? {
            return Ok((replayed, recorded, Some(part)));
        }
    }
    let replayed = replay_recorded(&recorded, memory)?;
    Ok((replayed, recorded, None))
}

fn replay_recorded(recorded: &NodeRecording, memory: u64) -> Result<ReplayOutcome, String> {
    let finder = ModuleFinder::in_otp(library::precedence_in_replay);
    let modules =
        Modules::new(recorded.modules.clone(), finder, Box::new(Translation::installed()));
    let world = Box::new(RealOutside { output: Output::Keep });
    let mut program = Program::new();
    program.limits.memory = memory;
    interrupt::catch_ctrl_c();
    let mut stops = interrupt::of_command();
    let mut more = |system: &System| !stops(system);
    replay_while(recorded, Box::new(modules), world, program, &mut more)
}

/// From how many events on a recording is opened at its failure before the rest is replayed.
const LONG: usize = 500_000;

/// How much of a recording was replayed for the failure that it is opened at.
#[derive(Clone, Copy)]
struct Part {
    failure: usize,
    replayed: usize,
    all: usize,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [failure, replayed, all] =
            [self.failure, self.replayed, self.all].map(reverl_session::text::number);
        write!(
            f,
            "of this long recording only the crash at event {failure} is open, with all that could have \
             led to it: {replayed} of {all} events; 'load FILE' replays the whole"
        )
    }
}

/// The first crash of a recording with what led to it, if that is much less than the whole and complete.
fn replay_failure(
    recorded: &NodeRecording,
    memory: u64,
) -> Result<Option<(ReplayOutcome, Part)>, String> {
    let Some(failure) = slice::first_crash(recorded) else { return Ok(None) };
    let causes = slice::causes(recorded, failure);
    let (replayed, all) = (causes.entries.len(), recorded.entries.len());
    if replayed > all / 2 {
        return Ok(None);
    }
    let outcome = replay_recorded(&causes, memory)?;
    let is_complete = outcome.divergence.is_none() && outcome.entries == replayed;
    Ok(is_complete.then_some((outcome, Part { failure: failure + 1, replayed, all })))
}
