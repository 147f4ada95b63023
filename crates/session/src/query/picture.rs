//! Two executions as one picture: what both have is drawn once, what only one of them has beside
//! it, and the first real difference is marked.

use super::compare::{Differing, other_branch};
use super::events::{EventRow, row};
use super::{Detail, ProcRef, Query};
use crate::command::Debugger;
use crate::error::QueryError;
use crate::event::EventWeight;
use crate::session::Session;
use reverl_causal::{ActionKind, EventRef, Execution, ProcId, System};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use ts_rs::TS;

/// Processes that have a lane; those that differ first come first.
const LANES: usize = 14;
/// Events that both have and that are drawn before the first difference.
const BEFORE: usize = 24;
/// Events of each execution that are drawn from there on.
const AFTER: usize = 120;

/// Which of two executions has something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PictureSide {
    Both,
    Here,
    There,
}

/// An event of the picture.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PicturedEvent {
    #[serde(flatten)]
    pub row: EventRow,
    pub side: PictureSide,
    /// The lane of its process, from 0.
    pub lane: usize,
    pub column: usize,
}

/// A message from its sending to its receive, by their places in the list of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct PicturedMessage {
    pub from: usize,
    pub to: usize,
    pub side: PictureSide,
}

/// Two executions as one picture.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ComparedPicture {
    pub here: String,
    pub there: String,
    pub lanes: Vec<ProcRef>,
    /// Processes that differ and have no lane.
    pub more_lanes: usize,
    pub events: Vec<PicturedEvent>,
    pub messages: Vec<PicturedMessage>,
    pub columns: usize,
    /// The first events that only one of them has, by their places in the list: before them all
    /// that happened in either is the same.
    pub first: Vec<usize>,
    /// Later events are not drawn.
    pub has_more: bool,
}

/// An action of one of the executions, or of both: then it is the one that is here.
type Deed = (PictureSide, ProcId, usize);

/// The actions of both executions that are drawn, before they have their places.
struct Picture<'p> {
    here: &'p System,
    there: &'p System,
    /// How many actions are alike, by process.
    same: HashMap<ProcId, usize>,
}

impl Picture<'_> {
    fn system(&self, side: PictureSide) -> &System {
        if side == PictureSide::There { self.there } else { self.here }
    }

    fn execution(&self, side: PictureSide) -> &Execution {
        self.system(side).execution()
    }

    /// What is alike is shared only if what it received was sent by something shared: what is left is
    /// a part of both executions that can be drawn once.
    fn close(&mut self) {
        loop {
            let before: usize = self.same.values().sum();
            let procs: Vec<(ProcId, usize)> = self.same.iter().map(|(p, n)| (*p, *n)).collect();
            for (proc, count) in procs {
                let is_shared = |index: &usize| {
                    [PictureSide::Here, PictureSide::There].into_iter().all(|side| {
                        let sent = self.sending(side, (PictureSide::Both, proc, *index));
                        // What the system sends is nobody's choice.
                        let own = sent.filter(|(_, from, _)| self.same.contains_key(from));
                        own.is_none_or(|(side, ..)| side == PictureSide::Both)
                    })
                };
                let shared = (0..count).take_while(is_shared).count();
                self.same.insert(proc, shared);
            }
            if self.same.values().sum::<usize>() == before {
                return;
            }
        }
    }

    /// The processes that have something of their own, those first whose own begins first.
    fn lanes(&self) -> Vec<ProcId> {
        let first = |proc: &ProcId, same: &usize| {
            let next = |execution: &Execution| {
                let p = execution.procs().get(proc.0 as usize)?;
                p.actions.get(*same).map(|action| action.order)
            };
            [next(self.here.execution()), next(self.there.execution())].into_iter().flatten().min()
        };
        let own = self.same.iter().filter_map(|(proc, same)| Some((first(proc, same)?, *proc)));
        let mut own: Vec<(u32, ProcId)> = own.collect();
        own.sort_unstable();
        own.into_iter().map(|(_, proc)| proc).collect()
    }

    /// What an action of one of the executions is in the picture.
    fn deed(&self, side: PictureSide, proc: ProcId, index: usize) -> Deed {
        let is_shared = index < self.same.get(&proc).copied().unwrap_or(0);
        (if is_shared { PictureSide::Both } else { side }, proc, index)
    }

    /// The actions of one execution on the lanes, in the order in which they happened there.
    fn all(&self, side: PictureSide, lanes: &[ProcId]) -> Vec<Deed> {
        let execution = self.execution(side);
        let mut found: Vec<(u32, Deed)> = vec![];
        for &proc in lanes {
            let Some(p) = execution.procs().get(proc.0 as usize) else { continue };
            let deed = |(i, order)| (order, self.deed(side, proc, i));
            found.extend(p.actions.iter().map(|action| action.order).enumerate().map(deed));
        }
        found.sort_unstable();
        let deeds = found.into_iter().map(|(_, deed)| deed);
        deeds.filter(|deed| self.matters(*deed)).collect()
    }

    fn matters(&self, (side, proc, index): Deed) -> bool {
        let event = EventRef::action(proc, index);
        crate::describe::weight(self.system(side), event) == EventWeight::Main
    }

    /// The sending of the message that an action received, in one of the executions.
    fn sending(&self, side: PictureSide, (_, proc, index): Deed) -> Option<Deed> {
        let execution = self.execution(side);
        let action = execution.action(EventRef::action(proc, index))?;
        let ActionKind::Receive(signal) = action.what() else { return None };
        let sent = execution.signal(signal).sent_by() as usize;
        Some(self.deed(side, signal.from, sent))
    }
}

/// Two executions in one order: what a process did comes in the order in which it did it, in either,
/// and a message after its sending; else what came earlier in its execution comes first.
fn merged(picture: &Picture, here: &[Deed], there: &[Deed]) -> Vec<Deed> {
    let mut rank: HashMap<Deed, usize> = HashMap::new();
    for (i, deed) in here.iter().enumerate().chain(there.iter().enumerate()) {
        rank.entry(*deed).or_insert(i);
    }
    let mut after: HashMap<Deed, Vec<Deed>> = HashMap::new();
    let mut waiting: HashMap<Deed, usize> = HashMap::new();
    for (side, all) in [(PictureSide::Here, here), (PictureSide::There, there)] {
        let mut last: HashMap<ProcId, Deed> = HashMap::new();
        for deed in all {
            let own = last.insert(deed.1, *deed);
            let sent = picture.sending(side, *deed).filter(|sent| all.contains(sent));
            for cause in [own, sent].into_iter().flatten() {
                after.entry(cause).or_default().push(*deed);
                *waiting.entry(*deed).or_default() += 1;
            }
        }
    }
    let mut left: BTreeSet<(usize, Deed)> =
        rank.iter().map(|(deed, rank)| (*rank, *deed)).collect();
    let is_ready = |deed: &Deed, waiting: &HashMap<Deed, usize>| {
        waiting.get(deed).is_none_or(|count| *count == 0)
    };
    let mut order = vec![];
    while let Some(first) = left.first().copied() {
        let ready = left.iter().find(|(_, deed)| is_ready(deed, &waiting)).copied();
        let next = ready.unwrap_or(first);
        left.remove(&next);
        order.push(next.1);
        for later in after.remove(&next.1).unwrap_or_default() {
            waiting.entry(later).and_modify(|count| *count -= 1);
        }
    }
    order
}

/// The branch that is open and another one as one picture.
pub fn picture(session: &Session, with: &str) -> Result<ComparedPicture, QueryError> {
    let (here, there) = (&session.system, other_branch(session, with)?.system());
    let mut drawn = Picture { here, there, same: Differing::of(here, there).same() };
    drawn.close();
    let mut lanes = drawn.lanes();
    let more_lanes = lanes.len().saturating_sub(LANES);
    lanes.truncate(LANES);
    let (one, other) =
        (drawn.all(PictureSide::Here, &lanes), drawn.all(PictureSide::There, &lanes));
    let is_own = |deed: &Deed| deed.0 != PictureSide::Both;
    let window = |all: &[Deed]| {
        let first = all.iter().position(is_own).unwrap_or(all.len());
        let (from, to) = (first.saturating_sub(BEFORE), all.len().min(first + AFTER));
        (all[from..to].to_vec(), to < all.len())
    };
    let ((one, more_here), (other, more_there)) = (window(&one), window(&other));
    let order = merged(&drawn, &one, &other);
    let column: BTreeMap<Deed, usize> = order.iter().enumerate().map(|(i, d)| (*d, i)).collect();
    let lane = |proc: ProcId| lanes.iter().position(|lane| *lane == proc).unwrap_or(0);
    let events = order.iter().enumerate().map(|(column, deed)| {
        let (side, proc, index) = *deed;
        let row = row(drawn.system(side), EventRef::action(proc, index), Detail::Brief);
        PicturedEvent { row, side, lane: lane(proc), column }
    });
    let events: Vec<PicturedEvent> = events.collect();
    let mut messages = vec![];
    for (to, deed) in order.iter().enumerate() {
        for (side, all) in [(PictureSide::Here, &one), (PictureSide::There, &other)] {
            let sent = all.contains(deed).then(|| drawn.sending(side, *deed)).flatten();
            let Some(from) = sent.filter(|sent| all.contains(sent)).and_then(|s| column.get(&s))
            else {
                continue;
            };
            let sent = order[*from].0;
            let side = if sent == PictureSide::Both && deed.0 == PictureSide::Both {
                PictureSide::Both
            } else {
                side
            };
            let message = PicturedMessage { from: *from, to, side };
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
    }
    let first_of = |side| order.iter().position(|deed| deed.0 == side);
    let first = [PictureSide::Here, PictureSide::There].into_iter().filter_map(first_of);
    let known = |proc: &ProcId| {
        let is_here = here.execution().procs().get(proc.0 as usize).is_some_and(|p| p.is_spawned);
        ProcRef::of(if is_here { here } else { there }, *proc)
    };
    Ok(ComparedPicture {
        here: session.branch_name().into(),
        there: with.into(),
        lanes: lanes.iter().map(known).collect(),
        more_lanes,
        columns: events.len(),
        first: first.collect(),
        events,
        messages,
        has_more: more_here || more_there,
    })
}

/// Asks for two executions as one picture.
#[derive(Deserialize, TS)]
pub struct PictureQuery {
    /// The name of the other branch.
    with: String,
}

impl Query for PictureQuery {
    const NAME: &'static str = "picture";
    const HELP: &'static str = "this branch and another as one picture";
    type Answer = ComparedPicture;

    fn answer(&self, debugger: &Debugger) -> Result<ComparedPicture, QueryError> {
        picture(&debugger.session, &self.with)
    }
}
