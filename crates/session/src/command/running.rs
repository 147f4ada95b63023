//! Running to breakpoints, in both directions: along what has happened, and live.

use super::breaks::{Stop, Verdict};
use super::{Debugger, Lifetime, Note};
use crate::exceptions::{RaisedException, handler_stops};
use crate::query::failure::{Found, found};
use crate::session::Session;
use crate::stops::{Pending, Search, Stops};
use crate::{describe, outcome};
use reverl_causal::{Cut, EventRef, Happened, ProcId, Step, Target, Until};
use reverl_machine::{Process, Watch};
use std::collections::HashMap;

/// A breakpoint that was met.
#[derive(Clone)]
pub(super) struct Hit {
    pub proc: ProcId,
    pub target: Target,
    /// Its place in the list.
    pub breakpoint: usize,
    /// Why its condition cannot be evaluated.
    pub complaint: Option<String>,
    pub order: HitOrder,
    /// The exception that is about to be raised, if that is why.
    pub raised: Option<RaisedException>,
}

/// Breakpoints are met in the order of events. The steps of a process that lead up to an event
/// come right before it; those behind its last event come last.
pub(super) type HitOrder = (u32, u8, ProcId, u64);

/// The breakpoint at which the session was stopped last, and where that was. While it is still
/// there, what comes later in the order is ahead, also where another process stands already.
#[derive(Clone)]
pub(super) struct LastStop {
    target: Target,
    order: HitOrder,
    cut: Cut,
}

/// What a live run stops for beside breakpoints: a process that comes to one of these positions,
/// if the test holds there.
pub(super) struct Aim<'a> {
    pub proc: ProcId,
    pub stops: &'a Stops,
    pub test: crate::stops::Test<'a>,
}

/// Where a live run has stopped.
pub(super) enum Reached {
    Breakpoint(Hit),
    Aim,
    End,
}

/// The process that has just stopped before a watched instruction.
fn watched(step: &Step, happened: Happened) -> Option<ProcId> {
    match (step, happened) {
        (Step::Run { proc, .. }, Happened::Watched) => Some(*proc),
        _ => None,
    }
}

/// The process that has just ended.
fn exited(step: &Step, happened: Happened) -> Option<ProcId> {
    match (step, happened) {
        (Step::Run { proc, .. }, Happened::Exited) => Some(*proc),
        _ => None,
    }
}

/// When a position comes in the order of events.
pub(super) fn order(session: &Session, proc: ProcId, step: u64) -> HitOrder {
    let p = session.execution().proc(proc);
    let next = p.actions.get(p.actions_at(step)).map_or(u32::MAX, |action| action.order);
    (next, 0, proc, step)
}

impl Debugger {
    pub(super) fn has_breakpoints(&self) -> bool {
        !self.breakpoints.is_empty()
    }

    /// The positions of all breakpoints in code, each with the breakpoint's place in the list.
    fn break_stops(&self) -> Stops {
        let mut stops = Stops::default();
        for (i, b) in self.breakpoints.iter().enumerate() {
            if let Stop::Code(own) = &b.stop {
                stops.extend(own, i);
            }
        }
        stops
    }

    fn has_event_breakpoints(&self) -> bool {
        self.breakpoints.iter().any(|b| matches!(b.stop, Stop::Event(_)))
    }

    /// The breakpoint that stops a process at a position of theirs.
    fn code_hit(
        &self,
        session: &Session,
        proc: ProcId,
        process: &Process,
        step: u64,
        numbers: &[usize],
    ) -> Option<Hit> {
        let hit = |breakpoint, complaint| {
            let order = order(session, proc, step);
            let target = Target::Steps(proc, step);
            Hit { proc, target, breakpoint, complaint, order, raised: None }
        };
        numbers.iter().find_map(|&i| {
            let breakpoint = self.breakpoints.get(i)?;
            match breakpoint.verdict(session, (proc, process), step) {
                Verdict::Stops => Some(hit(i, None)),
                Verdict::Fails(why) if !breakpoint.has_complained => Some(hit(i, Some(why))),
                Verdict::Fails(_) | Verdict::GoesOn => None,
            }
        })
    }

    fn event_hit(&self, event: EventRef) -> Option<Hit> {
        let system = &self.session.system;
        let breakpoint = self.breakpoints.iter().position(|b| match &b.stop {
            Stop::Event(wanted) => wanted.fits(system, event),
            Stop::Code(_) | Stop::Forever | Stop::Orphan | Stop::Exception(_) => false,
        })?;
        let at = system.execution().order_of(event);
        let order = (at, 1, event.proc, describe::step_of(system, event));
        let target = Target::Event(event);
        let raised = None;
        Some(Hit { proc: event.proc, target, breakpoint, complaint: None, order, raised })
    }

    /// Where processes began to wait for what never came, if a breakpoint asks for that and nothing
    /// can happen any more: those behind the last stop.
    fn forever_hits(&self) -> Vec<Hit> {
        let wanted = self.breakpoints.iter().position(|b| matches!(b.stop, Stop::Forever));
        let (Some(breakpoint), true) = (wanted, self.session.system.is_over()) else {
            return vec![];
        };
        let session = &self.session;
        let last = self.stopped_here();
        let hit = |proc: ProcId| {
            let step = session.execution().proc(proc).steps;
            self.position_hit(proc, step, breakpoint)
        };
        let mut hits: Vec<Hit> = outcome::stuck(&session.system).into_iter().map(hit).collect();
        hits.retain(|hit| last.is_none_or(|last| last < hit.order));
        hits.sort_by_key(|hit| hit.order);
        hits
    }

    fn position_hit(&self, proc: ProcId, step: u64, breakpoint: usize) -> Hit {
        let order = order(&self.session, proc, step);
        let target = Target::Steps(proc, step);
        Hit { proc, target, breakpoint, complaint: None, order, raised: None }
    }

    /// Where messages are sent that nobody received, if a breakpoint asks for that and nothing can
    /// happen any more, in their order.
    fn orphan_hits(&self) -> Vec<Hit> {
        let wanted = self.breakpoints.iter().position(|b| matches!(b.stop, Stop::Orphan));
        let (Some(breakpoint), true) = (wanted, self.session.system.is_over()) else {
            return vec![];
        };
        let session = &self.session;
        let all = found(session, &session.own()).into_iter();
        let messages = all.filter(|failure| matches!(failure, Found::Message { .. }));
        let hit = |failure: Found| {
            Some(self.position_hit(failure.proc(), failure.step(session)?, breakpoint))
        };
        let mut hits: Vec<Hit> = messages.filter_map(hit).collect();
        hits.sort_by_key(|hit| hit.order);
        hits
    }

    /// The first of them after the cut, or on the way to another.
    fn first_orphan(&self, up_to: Option<&Cut>) -> Option<Hit> {
        let last = self.stopped_here();
        let is_ahead = |hit: &Hit| {
            let Target::Steps(proc, step) = hit.target else { return false };
            let is_reached = up_to.is_none_or(|cut| step <= cut.place(proc).steps);
            let is_new = last.is_none_or(|last| last < hit.order);
            is_reached && is_new && step >= self.first_ahead(proc, up_to.is_some())
        };
        self.orphan_hits().into_iter().find(is_ahead)
    }

    /// What there is to say at a breakpoint; nothing if it lets this stop pass. That a condition
    /// fails is said once.
    pub(super) fn stopped_at(&mut self, hit: &Hit) -> Option<Note> {
        let cut = self.session.cut.clone();
        self.last_stop = Some(LastStop { target: hit.target, order: hit.order, cut });
        let rule = self.breakpoints[hit.breakpoint].spec.hits;
        if rule.is_some_and(|rule| !rule.holds(self.hit_number(hit))) {
            return None;
        }
        let breakpoint = &mut self.breakpoints[hit.breakpoint];
        if let Some(why) = &hit.complaint {
            breakpoint.has_complained = true;
            let row = breakpoint.row();
            return Some(Note::ConditionFails { breakpoint: row, why: why.clone() });
        }
        if let Some(left) = breakpoint.ignored.checked_sub(1) {
            breakpoint.ignored = left;
            return None;
        }
        self.due.clone_from(&breakpoint.commands);
        let note = match &hit.raised {
            Some(raised) => Note::raised(breakpoint.row(), raised),
            None => Note::Breakpoint(breakpoint.row()),
        };
        if breakpoint.spec.lifetime == Lifetime::Once {
            self.breakpoints.remove(hit.breakpoint);
        }
        Some(note)
    }

    /// Goes on to the next breakpoint: along what has happened, then live.
    pub(super) fn run_to_breakpoint(&mut self) -> Option<(ProcId, Note)> {
        loop {
            let hit = match self.first_known_hit(None) {
                Some(hit) => {
                    let plan = self.session.plan_redo(hit.target);
                    self.session.carry_out(&plan);
                    hit
                }
                None => {
                    self.session.replay_all();
                    let was_over = self.session.system.is_over();
                    match self.run_live(None) {
                        Reached::Breakpoint(hit) => hit,
                        Reached::Aim => return None,
                        Reached::End => self.hit_at_end(was_over)?,
                    }
                }
            };
            if let Some(note) = self.stopped_at(&hit) {
                return Some((hit.proc, note));
            }
        }
    }

    /// A run has come to the end of everything. What was never received is known only then: it is
    /// gone back to.
    fn hit_at_end(&mut self, was_over: bool) -> Option<Hit> {
        let orphan = self.orphan_hits().into_iter().next().filter(|_| !was_over);
        match orphan {
            Some(hit) => {
                let plan = self.session.plan_undo(hit.target);
                self.session.carry_out(&plan);
                Some(hit)
            }
            None => self.forever_hits().into_iter().next(),
        }
    }

    /// How far the order of breakpoints has been gone through, if nothing has moved since.
    pub(super) fn stopped_here(&self) -> Option<HitOrder> {
        let last = self.last_stop.as_ref().filter(|last| last.cut == self.session.cut);
        last.map(|last| match last.target {
            // Where it comes among the events may have become known since.
            Target::Steps(proc, step) => order(&self.session, proc, step),
            _ => last.order,
        })
    }

    /// The first position of a process that a run can come to.
    pub(super) fn first_ahead(&self, proc: ProcId, passing: bool) -> u64 {
        let session = &self.session;
        let steps = session.steps_of(proc);
        let is_spawned = session.cut.is_spawned(session.execution(), proc);
        match passing {
            // The beginning of a process that is yet to be spawned is ahead too.
            _ if !is_spawned => 0,
            true => steps + 1,
            // Live, who stands somewhere was looked at when it came there.
            false if self.stopped_here().is_some() => steps + u64::from(session.is_at_end()),
            false if steps == 0 && proc != session.current => 0,
            false => steps + 1,
        }
    }

    /// The first breakpoint in what has already happened after the cut; if another cut is given,
    /// the first one that is passed on the way there.
    pub(super) fn first_known_hit(&self, up_to: Option<&Cut>) -> Option<Hit> {
        let (session, stops) = (&self.session, self.break_stops());
        let execution = session.execution();
        let reached = |event: EventRef| up_to.is_none_or(|cut| cut.contains(execution, event));
        let mut best: Option<Hit> = None;
        if self.has_event_breakpoints() {
            let later = execution.events().filter(|e| !session.cut.contains(execution, *e));
            best = later.filter(|e| reached(*e)).find_map(|event| self.event_hit(event));
        }
        if up_to.is_none() && !session.is_at_end() && best.is_none() {
            best = self.forever_hits().into_iter().next();
        }
        let raised = self.has_exception_breakpoints().then(|| self.first_raise(up_to)).flatten();
        for hit in raised.into_iter().chain(self.first_orphan(up_to)) {
            if best.as_ref().is_none_or(|best| hit.order < best.order) {
                best = Some(hit);
            }
        }
        if stops.is_empty() {
            return best;
        }
        for proc in execution.ids() {
            let to = match up_to {
                Some(cut) if !cut.is_spawned(execution, proc) => continue,
                Some(cut) => cut.place(proc).steps,
                None => execution.proc(proc).steps,
            };
            let from = self.first_ahead(proc, up_to.is_some());
            if from > to {
                continue;
            }
            let mut search = Search::new(session, proc, &stops, from, to);
            while let Some((step, numbers)) = search.advance() {
                let at = order(session, proc, step);
                if best.as_ref().is_some_and(|best| best.order <= at) {
                    break;
                }
                if up_to.is_none() && self.stopped_here().is_some_and(|last| at <= last) {
                    continue;
                }
                let hit = self.code_hit(session, proc, search.process(), step, &numbers);
                if hit.is_some() {
                    best = hit;
                    break;
                }
            }
        }
        best
    }

    /// Lets the system run until a breakpoint or the aim is reached.
    pub(super) fn run_live(&mut self, mut aim: Option<Aim>) -> Reached {
        let breaks = self.break_stops();
        let mut watch = breaks.watch().clone();
        if let Some(aim) = &aim {
            watch.extend(aim.stops.watch());
        }
        if self.has_exception_breakpoints() {
            watch.extend(handler_stops(&self.session.system.program().code).watch());
        }
        self.session.system.watch = watch;
        let reached = self.run_watching(&breaks, &mut aim);
        self.session.system.watch = Watch::default();
        reached
    }

    fn run_watching(&mut self, breaks: &Stops, aim: &mut Option<Aim>) -> Reached {
        let current = self.session.current;
        let begun: HashMap<ProcId, u64> = {
            let execution = self.session.execution();
            execution.ids().map(|p| (p, execution.proc(p).steps)).collect()
        };
        // Who stands inside an instruction may have a stop in the rest of it.
        for proc in self.session.execution().ids().collect::<Vec<_>>() {
            if self.session.system.has_exited(proc) {
                continue;
            }
            let after = begun.get(&proc).copied();
            if let Some(reached) = self.come_to(proc, breaks, aim, after) {
                return reached;
            }
        }
        let events = self.has_event_breakpoints();
        let raises = self.has_exception_breakpoints();
        let mut functions = self.session.system.program().code.funs.len();
        loop {
            let mut seen = self.session.execution().event_count();
            let (mut stopped, mut at, mut ended, mut grown) = (false, None, None, false);
            // Stops whenever a breakpoint may have been hit; whether it was is decided outside.
            self.session.run_telling(events, &mut |system, step, happened| {
                at = watched(step, happened);
                stopped = at.is_some() || (events && system.execution().event_count() > seen);
                if raises {
                    ended = exited(step, happened);
                    grown = system.program().code.funs.len() != functions;
                    stopped |= ended.is_some() || grown;
                }
                !stopped
            });
            if raises {
                let hit = match (grown, at, ended) {
                    (true, ..) => self.raised_since(&begun),
                    (_, Some(proc), _) => self.raised_live(proc, false),
                    (.., Some(proc)) => self.raised_live(proc, true),
                    (false, None, None) => None,
                };
                if let Some(hit) = hit {
                    let plan = self.session.plan_undo(hit.target);
                    self.session.carry_out(&plan);
                    return Reached::Breakpoint(hit);
                }
                if grown {
                    let handlers = {
                        let program = self.session.system.program();
                        functions = program.code.funs.len();
                        handler_stops(&program.code)
                    };
                    self.session.system.watch.extend(handlers.watch());
                }
            }
            while let Some(event) = self.session.execution().event(seen) {
                if let Some(hit) = self.event_hit(event) {
                    return Reached::Breakpoint(hit);
                }
                seen += 1;
            }
            if let Some(proc) = at {
                // Another process that has not begun yet comes to its beginning.
                let after = begun.get(&proc).copied();
                let after = after.filter(|steps| *steps > 0 || proc == current);
                if let Some(reached) = self.come_to(proc, breaks, aim, after) {
                    return reached;
                }
            }
            if !stopped {
                return Reached::End;
            }
        }
    }

    /// A process is before an instruction in which there are stops: it goes from one to the next,
    /// as long as none holds.
    fn come_to(
        &mut self,
        proc: ProcId,
        breaks: &Stops,
        aim: &mut Option<Aim>,
        after: Option<u64>,
    ) -> Option<Reached> {
        let (mut broken, mut aimed) = (Pending::default(), Pending::default());
        loop {
            let system = &self.session.system;
            let process = &system.running(proc).process;
            let here = (process.pc(), process.steps());
            broken.add(&system.program().code, breaks, process);
            if let Some(aim) = aim.as_ref().filter(|aim| aim.proc == proc) {
                aimed.add(&system.program().code, aim.stops, process);
            }
            // Up to the next stop; what is watched on the way is one more.
            let reached = loop {
                let next = [broken.first(), aimed.first()].into_iter().flatten().min();
                let limit = next?;
                let until = Until::Steps(limit);
                let happened = self.session.system.step(&Step::Run { proc, until });
                let process = &self.session.system.running(proc).process;
                let is_new = (process.pc(), process.steps()) != here;
                if matches!(happened, Ok(Happened::Watched)) && is_new {
                    break None;
                }
                let (mut numbers, mut own) = (vec![], vec![]);
                if broken.first() == Some(limit) {
                    numbers = broken.pop().map_or(vec![], |(_, numbers)| numbers);
                }
                if aimed.first() == Some(limit) {
                    own = aimed.pop().map_or(vec![], |(_, numbers)| numbers);
                }
                self.session.replay_all();
                if after.is_some_and(|after| limit <= after) {
                    continue;
                }
                if let Some(reached) = self.at_stop(proc, limit, &numbers, &own, aim) {
                    break Some(reached);
                }
            };
            if reached.is_some() {
                return reached;
            }
        }
    }

    fn at_stop(
        &mut self,
        proc: ProcId,
        step: u64,
        numbers: &[usize],
        own: &[usize],
        aim: &mut Option<Aim>,
    ) -> Option<Reached> {
        let process = self.session.system.frozen(proc);
        if let Some(hit) = self.code_hit(&self.session, proc, &process, step, numbers) {
            return Some(Reached::Breakpoint(hit));
        }
        let aim = aim.as_mut().filter(|aim| aim.proc == proc && !own.is_empty())?;
        (aim.test)(&self.session, &process, step, own).then_some(Reached::Aim)
    }

    /// The last breakpoint before the cut among these processes.
    pub(super) fn last_hit(&self, procs: &[ProcId]) -> Option<Hit> {
        let (session, stops) = (&self.session, self.break_stops());
        let execution = session.execution();
        let mut best: Option<Hit> = None;
        let is_later =
            |hit: &Hit, best: &Option<Hit>| best.as_ref().is_none_or(|best| hit.order > best.order);
        for &proc in procs.iter().filter(|_| !stops.is_empty()) {
            if !session.cut.is_spawned(execution, proc) {
                continue;
            }
            let mut last = None;
            let resumed = self.stopped_here();
            let end = match resumed {
                Some(_) => Some(session.steps_of(proc)),
                None => session.steps_of(proc).checked_sub(1),
            };
            let Some(end) = end else { continue };
            session.last_stop_to(proc, &stops, end, &mut |session, process, step, numbers| {
                if resumed.is_some_and(|resumed| order(session, proc, step) >= resumed) {
                    return false;
                }
                let hit = self.code_hit(session, proc, process, step, numbers);
                let is_hit = hit.is_some();
                last = hit.or(last.take());
                is_hit
            });
            best = last.filter(|hit| is_later(hit, &best)).or(best);
        }
        if self.has_event_breakpoints() {
            let mut events = session.events_in_cut().into_iter().rev();
            let own = events.find_map(|event| {
                let hit = procs.contains(&event.proc).then(|| self.event_hit(event)).flatten();
                hit.filter(|hit| self.stopped_here().is_none_or(|last| hit.order < last))
            });
            best = own.filter(|hit| is_later(hit, &best)).or(best);
        }
        if self.has_exception_breakpoints() {
            best = self.last_raise(procs).filter(|hit| is_later(hit, &best)).or(best);
        }
        let is_before = |hit: &Hit| match (hit.target, self.stopped_here()) {
            (_, Some(last)) => hit.order < last,
            (Target::Steps(proc, step), None) => step < session.steps_of(proc),
            _ => false,
        };
        let mut orphans = self.orphan_hits().into_iter().rev();
        let orphan = orphans.find(|hit| procs.contains(&hit.proc) && is_before(hit));
        orphan.filter(|hit| is_later(hit, &best)).or(best)
    }
}
