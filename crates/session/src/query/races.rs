//! The message races of one process: for each of its receives, what it could have taken instead
//! (paper 004, Def. 5).

use super::events::{EventRow, told_row};
use super::term::line;
use super::{Detail, ProcRef, Query, process_numbered};
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::otp::message::{Protocol, Recognised};
use crate::session::Session;
use reverl_analysis::races::{Inbox, Racing, Receive, Traffic};
use reverl_causal::{EventRef, ProcId, SignalId, System};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use ts_rs::TS;

/// Messages that are named for one receive.
const MOST: usize = 12;
/// Receives with races in one answer.
const PAGE: usize = 100;
/// Looking at all processes, an answer comes after so long.
const PATIENCE: Duration = Duration::from_millis(60);

/// A message that a receive could have taken instead.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RacingMessage {
    /// `#84.2`
    pub id: String,
    pub from: ProcRef,
    pub text: String,
    /// The receive would have matched it.
    pub actual: bool,
}

impl RacingMessage {
    /// This other message, as the list of races shows it.
    pub fn of(system: &System, other: &Racing, detail: Detail) -> RacingMessage {
        let id = other.message;
        let recognised = Recognised::of(system, id);
        RacingMessage {
            id: describe::signal_name(system, id),
            from: ProcRef::of(system, id.from),
            text: match recognised.protocol {
                Protocol::Plain => line(&system.execution().signal(id).message, detail),
                _ => recognised.words(system),
            },
            actual: other.is_actual,
        }
    }
}

/// A receive, and what it could have taken instead.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RaceRow {
    #[serde(flatten)]
    pub receive: EventRow,
    pub racing: Vec<RacingMessage>,
}

/// The races of an execution, with how much of it was looked at.
#[derive(Clone, Debug, Serialize, TS)]
pub struct RaceList {
    pub races: Vec<RaceRow>,
    /// Where to go on; none at the end.
    pub next: Option<u64>,
    pub looked_at: usize,
    pub processes: usize,
}

/// The first messages that race with the one that was taken.
fn racing(system: &System, inbox: &Inbox, receive: &Receive) -> Vec<RacingMessage> {
    let others: Vec<SignalId> = inbox.racing(system.execution(), receive).take(MOST).collect();
    let race = inbox.race(system, receive, others);
    let racing = race.iter().flat_map(|race| &race.racing);
    let mut rows: Vec<RacingMessage> =
        racing.map(|other| RacingMessage::of(system, other, Detail::Brief)).collect();
    // What can be taken comes first.
    rows.sort_by_key(|other| !other.actual);
    rows
}

/// Where a search of all processes goes on: a process and one of its receives, as one number.
const RECEIVES: u64 = 1 << 32;

/// The races of the receives of a process, or of all processes, from where the answer before
/// stopped (its `next`).
#[derive(Deserialize, TS)]
pub struct RacesQuery {
    #[serde(default)]
    #[ts(optional)]
    proc: Option<u32>,
    #[serde(default)]
    #[ts(optional, as = "Option<u64>")]
    from: u64,
}

impl Query for RacesQuery {
    const NAME: &'static str = "races";
    const HELP: &'static str = "which messages raced at a process";
    type Answer = RaceList;

    fn answer(&self, debugger: &Debugger) -> Result<RaceList, QueryError> {
        let session = &debugger.session;
        let system = &session.system;
        match self.proc {
            Some(number) => {
                let proc = process_numbered(system.execution(), number)?;
                let from = self.from as usize;
                let (races, next) = page(session, proc, from, (Instant::now(), PATIENCE));
                let next = next.map(|n| n as u64);
                Ok(RaceList { races, next, looked_at: 1, processes: 1 })
            }
            None => Ok(of_all(session, self.from, PATIENCE)),
        }
    }
}

/// The races of all processes, as many as are found in that time.
pub fn of_all(session: &Session, from: u64, patience: Duration) -> RaceList {
    let (system, begun) = (&session.system, Instant::now());
    let processes = system.execution().procs().len();
    let mut races = vec![];
    let (mut at, mut receive) = ((from / RECEIVES) as usize, (from % RECEIVES) as usize);
    while at < processes && races.len() < PAGE && begun.elapsed() < patience {
        let proc = ProcId(at as u32);
        let p = system.execution().proc(proc);
        let mut rest = None;
        if p.is_spawned && !p.is_system {
            let (rows, next) = page(session, proc, receive, (begun, patience));
            races.extend(rows);
            rest = next;
        }
        at += usize::from(rest.is_none());
        receive = rest.unwrap_or(0);
    }
    races.sort_by_key(|race| !race.racing.iter().any(|other| other.actual));
    let next = (at < processes).then_some(at as u64 * RECEIVES + receive as u64);
    RaceList { races, next, looked_at: at, processes }
}

/// The races of the receives of one process from one on, as many as a page has or are found in that
/// time, and the receive to go on with.
fn page(
    session: &Session,
    proc: ProcId,
    from: usize,
    (begun, patience): (Instant, Duration),
) -> (Vec<RaceRow>, Option<usize>) {
    let system = &session.system;
    let Some(inbox) = inbox(session, proc) else { return (vec![], None) };
    let mut rows = vec![];
    for (i, receive) in inbox.receives.iter().enumerate().skip(from) {
        if rows.len() == PAGE || (i > from && begun.elapsed() > patience) {
            return (rows, Some(i));
        }
        let racing = racing(system, &inbox, receive);
        if !racing.is_empty() {
            rows.push(RaceRow { receive: told_row(system, receive.event, Detail::Brief), racing });
        }
    }
    (rows, None)
}

/// What one process sent that could have been received instead of something else.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SenderRaces {
    #[serde(flatten)]
    pub process: ProcRef,
    pub races: Vec<SentRace>,
}

/// A message, and the receive that could have taken it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct SentRace {
    pub message: RacingMessage,
    pub receive: EventRow,
}

/// Race sets by who sent the other message (paper 004, Sect. 3.2).
#[derive(Clone, Debug, Serialize, TS)]
pub struct RaceSenders {
    pub senders: Vec<SenderRaces>,
    /// Not all processes were looked at.
    pub has_more: bool,
}

/// The races that are found in that time, by who sent the other message.
pub fn senders(session: &Session, patience: Duration) -> RaceSenders {
    let begun = Instant::now();
    let (mut senders, mut next): (Vec<SenderRaces>, _) = (vec![], Some(0));
    while let Some(from) = next.filter(|_| begun.elapsed() < patience) {
        let list = of_all(session, from, patience.saturating_sub(begun.elapsed()));
        for race in list.races {
            for message in race.racing {
                let receive = race.receive.clone();
                let known = senders.iter().position(|s| s.process == message.from);
                let at = known.unwrap_or_else(|| {
                    senders.push(SenderRaces { process: message.from.clone(), races: vec![] });
                    senders.len() - 1
                });
                senders[at].races.push(SentRace { message, receive });
            }
        }
        next = list.next;
    }
    senders.sort_by_key(|sender| sender.process.proc);
    RaceSenders { senders, has_more: next.is_some() }
}

/// Asks for race sets by sender.
#[derive(Deserialize, TS)]
pub struct SendersQuery {}

impl Query for SendersQuery {
    const NAME: &'static str = "senders";
    const HELP: &'static str = "which messages raced, by who sent them";
    type Answer = RaceSenders;

    fn answer(&self, debugger: &Debugger) -> Result<RaceSenders, QueryError> {
        Ok(senders(&debugger.session, PATIENCE))
    }
}

/// The traffic of an execution of some length, and the inboxes that were looked at.
pub struct KnownTraffic {
    branch: String,
    length: usize,
    traffic: Traffic,
    inboxes: HashMap<ProcId, Rc<Inbox>>,
}

/// So many inboxes are remembered.
const MOST_INBOXES: usize = 64;

/// What one receive could have taken instead.
pub fn of_receive(session: &Session, event: EventRef) -> Vec<RacingMessage> {
    let Some(inbox) = inbox(session, event.proc) else { return vec![] };
    let receive = inbox.receives.iter().find(|r| r.event == event);
    receive.map_or(vec![], |receive| racing(&session.system, &inbox, receive))
}

/// Looks through what the process with the most deliveries was sent, if that was not done yet.
pub(super) fn look_at_busiest(session: &Session) -> bool {
    let execution = session.execution();
    let own = execution.ids().filter(|proc| !execution.proc(*proc).is_system);
    let Some(busiest) = own.max_by_key(|proc| execution.proc(*proc).deliveries.len()) else {
        return false;
    };
    let is_known = session.cache.traffic.borrow().as_ref().is_some_and(|known| {
        (known.branch.as_str(), known.length) == (session.branch_name(), execution.event_count())
    });
    if !is_known {
        inbox(session, busiest);
    }
    !is_known
}

/// What a process was sent; `None` if nothing in it can have raced.
pub(super) fn inbox(session: &Session, proc: ProcId) -> Option<Rc<Inbox>> {
    let (branch, length) = (session.branch_name(), session.execution().event_count());
    let execution = session.execution();
    let mut kept = session.cache.traffic.borrow_mut();
    let known = kept.take().filter(|k| k.branch == branch && k.length == length);
    let known = kept.insert(known.unwrap_or_else(|| KnownTraffic {
        branch: branch.into(),
        length,
        traffic: Traffic::of(execution),
        inboxes: HashMap::new(),
    }));
    if !known.traffic.is_contested(proc) {
        return None;
    }
    if known.inboxes.len() >= MOST_INBOXES {
        known.inboxes.clear();
    }
    let fresh = || Rc::new(Inbox::of(execution, &known.traffic, proc));
    Some(known.inboxes.entry(proc).or_insert_with(fresh).clone())
}
