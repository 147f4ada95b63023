//! The order of another execution, which this one follows as far as it goes: a message is held back, where
//! it is sent, until those that came before it there are in the mailbox here.
//!
//! A process that is held keeps a thread of the node, which is started with many of them for this. Where the
//! run departs from the order, or nothing comes for a long time, nobody is held any more.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long nothing may come before the order is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many processes may be held at once; the node has a few threads more.
const MOST_HELD: usize = 60;

/// What holds messages back.
pub struct Gate {
    state: Mutex<State>,
    moved: Condvar,
    patience: Duration,
}

struct State {
    places: Vec<Place>,
    /// The place of which child of which parent.
    born: HashMap<(Option<usize>, usize), usize>,
    /// Which of the places a process of the node has.
    of: HashMap<u64, usize>,
    /// How many processes the recording has begun with.
    roots: usize,
    /// How much has come at anybody.
    moves: u64,
    held: usize,
    is_open: bool,
}

/// What is wanted of one process, and how far it has come.
#[derive(Default)]
struct Place {
    parent: Option<usize>,
    nth: usize,
    arrivals: Vec<Arrival>,
    sends: Vec<Sent>,
    /// How many of the arrivals its mailbox has seen.
    came: usize,
    /// How many of them are time-outs.
    timeouts: usize,
    /// How many messages of the order were let through to it.
    queued: usize,
    sent: usize,
    children: usize,
    has_ended: bool,
    /// Whom its last message went to, until it is certain that it is there.
    on_the_way: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    From(usize),
    Timeout,
}

#[derive(Clone, Copy)]
enum Sent {
    Arrives { to: usize, place: usize },
    Later(usize),
    Away,
}

/// `2` or `2@7` or `-`
fn sent(word: &str) -> Option<Sent> {
    match word.split_once('@') {
        _ if word == "-" => Some(Sent::Away),
        None => Some(Sent::Later(word.parse().ok()?)),
        Some((to, place)) => {
            Some(Sent::Arrives { to: to.parse().ok()?, place: place.parse().ok()? })
        }
    }
}

fn place(line: &str) -> Option<Place> {
    let mut parts = line.split('|');
    let (parent, nth) = parts.next()?.trim().split_once(' ')?;
    let parent = if parent == "-" { None } else { Some(parent.parse().ok()?) };
    let arrival = |word: &str| match word {
        "t" => Some(Arrival::Timeout),
        from => Some(Arrival::From(from.parse().ok()?)),
    };
    let arrivals = parts.next()?.split_whitespace().map(arrival).collect::<Option<_>>()?;
    let sends = parts.next()?.split_whitespace().map(sent).collect::<Option<_>>()?;
    Some(Place { parent, nth: nth.parse().ok()?, arrivals, sends, ..Place::default() })
}

impl Gate {
    /// The order that a text tells, a line for each process. None of the numbers may be out of range.
    pub fn new(text: &str) -> Option<Gate> {
        let places = text.lines().map(place).collect::<Option<Vec<Place>>>()?;
        let is_there = |n: usize| n < places.len();
        let is_good = |p: &Place| {
            p.parent.is_none_or(is_there)
                && p.arrivals.iter().all(|a| match a {
                    Arrival::From(from) => is_there(*from),
                    Arrival::Timeout => true,
                })
                && p.sends.iter().all(|s| match s {
                    Sent::Arrives { to, place } => {
                        is_there(*to) && *place < places[*to].arrivals.len()
                    }
                    Sent::Later(to) => is_there(*to),
                    Sent::Away => true,
                })
        };
        if !places.iter().all(is_good) {
            return None;
        }
        let born = places.iter().zip(0..).map(|(p, number)| ((p.parent, p.nth), number)).collect();
        let of = HashMap::new();
        let state = State { places, born, of, roots: 0, moves: 0, held: 0, is_open: false };
        Some(Gate { state: Mutex::new(state), moved: Condvar::new(), patience: PATIENCE })
    }

    /// A thread that panics here would end the node anyway.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A recording begins with this process.
    pub fn began(&self, pid: u64) {
        let mut state = self.state();
        let nth = state.roots;
        state.roots += 1;
        state.give_place(pid, None, nth);
    }

    /// A process has spawned another one, which does not run yet.
    pub fn spawned(&self, parent: u64, child: u64) {
        let mut state = self.state();
        let Some(&own) = state.of.get(&parent) else { return };
        let nth = state.places[own].children;
        state.places[own].children += 1;
        state.give_place(child, Some(own), nth);
    }

    /// A process goes on: what it sent is in the mailbox of its receiver.
    pub fn went_on(&self, pid: u64) {
        let mut state = self.state();
        if state.went_on(pid) {
            self.moved.notify_all();
        }
    }

    /// A message is in the mailbox of a process.
    pub fn arrived(&self, pid: u64, from: u64) {
        let mut state = self.state();
        state.went_on(from);
        if let (Some(&own), Some(&from)) = (state.of.get(&pid), state.of.get(&from)) {
            state.came(own, Arrival::From(from));
        }
        self.moved.notify_all();
    }

    /// A receive of a process has timed out.
    pub fn timed_out(&self, pid: u64) {
        let mut state = self.state();
        if let Some(&own) = state.of.get(&pid) {
            state.places[own].timeouts += 1;
            state.came(own, Arrival::Timeout);
        }
        self.moved.notify_all();
    }

    /// A process has ended: nobody waits for what it would have received.
    pub fn ended(&self, pid: u64) {
        let mut state = self.state();
        state.went_on(pid);
        if let Some(&own) = state.of.get(&pid) {
            state.places[own].has_ended = true;
        }
        self.moved.notify_all();
    }

    /// A process is about to send; `to` is the receiver if it can be told. It returns when it may.
    pub fn before_send(&self, pid: u64, to: Option<u64>) {
        let mut state = self.state();
        state.went_on(pid);
        let Some(&own) = state.of.get(&pid) else { return };
        let nth = state.places[own].sent;
        state.places[own].sent += 1;
        let known = state.places[own].sends.get(nth).copied();
        let later = to.and_then(|to| state.of.get(&to)).map_or(Sent::Away, |to| Sent::Later(*to));
        let sent = known.unwrap_or(later);
        let mut state = self.hold(state, sent);
        if let Sent::Arrives { to, .. } = sent {
            state.places[own].on_the_way = Some(to);
        }
    }

    fn hold<'a>(&self, mut state: MutexGuard<'a, State>, sent: Sent) -> MutexGuard<'a, State> {
        state.held += 1;
        while !state.may_be_sent(sent) {
            if state.held > MOST_HELD {
                state.open();
                self.moved.notify_all();
                break;
            }
            let before = state.moves;
            let waited = self.moved.wait_timeout(state, self.patience);
            let (again, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = again;
            if timeout.timed_out() && state.moves == before {
                state.open();
                self.moved.notify_all();
            }
        }
        state.held -= 1;
        state
    }
}

impl State {
    fn give_place(&mut self, pid: u64, parent: Option<usize>, nth: usize) {
        if let Some(place) = self.born.get(&(parent, nth)) {
            self.of.insert(pid, *place);
        }
    }

    fn open(&mut self) {
        self.is_open = true;
    }

    fn went_on(&mut self, pid: u64) -> bool {
        let Some(&own) = self.of.get(&pid) else { return false };
        let Some(to) = self.places[own].on_the_way.take() else { return false };
        self.places[to].queued += 1;
        self.moves += 1;
        true
    }

    /// What came at a process must be what comes next in the order, as far as that goes.
    fn came(&mut self, own: usize, what: Arrival) {
        self.moves += 1;
        let place = &mut self.places[own];
        match place.arrivals.get(place.came) {
            Some(wanted) if *wanted != what => self.open(),
            Some(_) => place.came += 1,
            None => {}
        }
    }

    fn may_be_sent(&self, sent: Sent) -> bool {
        let (to, before) = match sent {
            _ if self.is_open => return true,
            Sent::Away => return true,
            Sent::Arrives { to, place } => (to, place),
            Sent::Later(to) => (to, self.places[to].arrivals.len()),
        };
        let receiver = &self.places[to];
        let before = &receiver.arrivals[..before];
        let timeouts = before.iter().filter(|a| **a == Arrival::Timeout).count();
        receiver.has_ended
            || receiver.queued >= before.len() - timeouts && receiver.timeouts >= timeouts
    }
}
