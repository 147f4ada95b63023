//! The part of a search that one worker does: it goes on from what is open, the latest first.

use super::*;

/// Something that is still to be tried.
enum Open {
    Beginning(Beginning, Share),
    Takes(Box<OpenTakes>),
}

/// What a receive can take and has not taken yet.
struct OpenTakes {
    moment: Moment,
    lead: Lead,
    stamps: Stamps,
    proc: ProcId,
    /// From the end.
    left: Vec<Take>,
    place: Share,
}

/// Where a run is on its way to an end.
struct Way {
    lead: Lead,
    stamps: Stamps,
    /// Events from this one of the execution on are new.
    from: usize,
    again: Vec<Again>,
    place: Share,
}

/// Where all executions begin, kept so that nobody has to be led there again.
struct Past {
    moment: Moment,
    follower: Follower,
}

/// The part of the search that one worker does.
pub(super) struct Walk<'w> {
    explorer: &'w Explorer,
    system: &'w System,
    run: System,
    past: Option<Past>,
    memo: MatchMemo,
    /// The latest last.
    open: Vec<Open>,
    done: u64,
}

impl<'w> Walk<'w> {
    /// Of all that begins so.
    pub(super) fn from(
        explorer: &'w Explorer,
        system: &'w System,
        beginning: Beginning,
        place: Share,
    ) -> Walk<'w> {
        let open = vec![Open::Beginning(beginning, place)];
        let memo = MatchMemo::default();
        Walk { explorer, run: system.beginning(), past: None, memo, system, open, done: 0 }
    }

    /// Visits everything that is open. False if the search is to stop.
    pub(super) fn all(&mut self, visit: &mut dyn FnMut(Visit) -> bool) -> bool {
        while let Some(open) = self.open.pop() {
            let way = match open {
                Open::Beginning(beginning, place) => self.begin(beginning, place),
                Open::Takes(takes) => self.take_next(takes),
            };
            let Some(way) = way else { continue };
            if !self.go_to_the_end(way, visit) {
                return false;
            }
            self.share_out();
            self.done += 1;
            // Asking costs as much as a small execution.
            if self.done % 64 == 0 && self.run.is_nearly_full() {
                self.explorer.frontier().summary.out_of_memory = true;
                return false;
            }
        }
        true
    }

    /// Leads a new run along a beginning.
    fn begin(&mut self, beginning: Beginning, place: Share) -> Option<Way> {
        let (mut follower, led) = self.go_to_the_past(&beginning);
        let run = &mut self.run;
        let mut stamps: Vec<Stamp> =
            beginning.steps[..led].iter().map(|(_, stamp)| stamp.clone()).collect();
        for (step, stamp) in beginning.steps[led..].iter().chain(&beginning.last) {
            if follower.step(run, step).is_none() {
                // An exit signal may not be there, or not be the one that ends its receiver.
                let may_fail = beginning.ends.is_some() && matches!(step, Step::Deliver { .. });
                debug_assert!(may_fail, "what is kept can be done again: {step:?}");
                if !may_fail {
                    self.explorer.could_not_be_led();
                }
                return None;
            }
            stamps.push(stamp.clone());
        }
        if let (Some(ends), Some((step, _))) = (beginning.ends, beginning.steps.last()) {
            if follower.is_over_for(run, step) != ends {
                return None;
            }
        }
        let mut lead = Lead::new(self.explorer.delivery, self.explorer.bounds);
        lead.has_skipped = follower.has_skipped;
        lead.has_raced = !stamps.is_empty();
        let (from, stamps) = (run.execution().event_count(), Stamps::after(stamps));
        Some(Way { lead, stamps, from, again: beginning.again, place })
    }

    /// A new run, led as far as all executions are the same if this one is too. Returns who leads it,
    /// and how many steps are done.
    fn go_to_the_past(&mut self, beginning: &Beginning) -> (Follower, usize) {
        let given = &self.explorer.all.steps;
        let is_same = |(a, b): (&(NamedStep, Stamp), &(NamedStep, Stamp))| a.0 == b.0;
        let begins_so =
            beginning.steps.len() >= given.len() && given.iter().zip(&beginning.steps).all(is_same);
        if !begins_so || given.is_empty() {
            self.run = self.system.beginning();
            self.run.hold(true);
            return (Follower::default(), 0);
        }
        if self.past.is_none() {
            self.run = self.system.beginning();
            self.run.hold(true);
            let mut follower = Follower::default();
            for (step, _) in given {
                if follower.step(&mut self.run, step).is_none() {
                    self.explorer.could_not_be_led();
                }
            }
            self.past = Some(Past { moment: self.run.moment(), follower });
        }
        let past = self.past.as_ref().expect("it was made");
        self.run.resume(past.moment.fork());
        (past.follower.clone(), given.len())
    }

    /// A receive takes the next thing that it can take.
    fn take_next(&mut self, mut takes: Box<OpenTakes>) -> Option<Way> {
        let take = takes.left.pop()?;
        let (proc, mut lead, place) = (takes.proc, takes.lead, takes.place);
        let stamps = takes.stamps.clone();
        match takes.left.is_empty() {
            true => self.run.resume(takes.moment),
            false => {
                self.run.resume(takes.moment.fork());
                self.open.push(Open::Takes(takes));
            }
        }
        let from = self.run.execution().event_count();
        let taken = lead.take(&mut self.run, proc, take);
        debug_assert!(taken, "it was among what the receive can take");
        Some(Way { lead, stamps, from, again: vec![], place })
    }

    /// Goes on to the end of the execution, leaving what else receives could take open, visits it,
    /// and finds what it leads to. False if the search is to stop.
    fn go_to_the_end(&mut self, mut way: Way, visit: &mut dyn FnMut(Visit) -> bool) -> bool {
        let is_cut_off = loop {
            if (self.explorer.is_over)() {
                return false;
            }
            match way.lead.next(&mut self.run) {
                Next::Over => break false,
                Next::CutOff => break true,
                Next::Step(step) => {
                    let done = self.run.step(&step);
                    debug_assert!(done.is_ok(), "it can happen: {step:?}");
                    if done.is_err() {
                        break false;
                    }
                }
                Next::Takes(proc, takes) => self.choose(&mut way, proc, takes),
            }
        };
        self.visit_end(way, is_cut_off, visit)
    }

    /// A receive takes the first of these; the others are left for later.
    fn choose(&mut self, way: &mut Way, proc: ProcId, mut takes: Vec<Take>) {
        if way.place.changes >= self.explorer.bounds.changes && takes.len() > 1 {
            self.explorer.frontier().summary.left_out = true;
            takes.truncate(1);
        }
        way.place.share /= takes.len() as f64;
        let first = takes.remove(0);
        if !takes.is_empty() {
            takes.reverse();
            let moment = self.run.moment();
            let place = Share { changes: way.place.changes + 1, ..way.place };
            let (lead, stamps) = (way.lead, way.stamps.clone());
            self.open.push(Open::Takes(Box::new(OpenTakes {
                moment,
                lead,
                stamps,
                proc,
                left: takes,
                place,
            })));
        }
        let taken = way.lead.take(&mut self.run, proc, first);
        debug_assert!(taken, "it was among what the receive can take");
    }

    fn visit_end(
        &mut self,
        way: Way,
        is_cut_off: bool,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        let explorer = self.explorer;
        if !way.lead.has_raced && is_plain(self.run.execution()) {
            explorer.frontier().summary.share += way.place.share;
            let execution = self.run.execution();
            if !explorer.is_new(|| receives_of(execution)) {
                return true;
            }
            let Some(number) = explorer.count(&BTreeSet::new(), !is_cut_off) else { return false };
            return visit(Visit { system: &mut self.run, is_cut_off, number });
        }
        let history = History::of(self.run.execution());
        let at_once = explorer.delivery == Delivery::Instant && history.has_exits();
        if (at_once || history.is_involved()) && !explorer.remembers() {
            explorer.remember();
        }
        let remembers = explorer.remembers();
        let goes_on = if at_once {
            self.visit_at_once(&history, is_cut_off, visit)
        } else if explorer.is_new(|| history.log()) {
            let number = explorer.count(&history.unexplored, !is_cut_off);
            let system = &mut self.run;
            number.is_some_and(|number| visit(Visit { system, is_cut_off, number }))
        } else {
            true
        };
        if remembers && !explorer.is_first(history.fingerprint(|_| true)) {
            explorer.frontier().summary.share += way.place.share;
            return goes_on;
        }
        let matches = self.memo.all(&self.run, &history);
        let given = (explorer.delivery, explorer.bounds.timeouts, explorer.past);
        let revisits = Revisits::new(&self.run, &history, &matches, &way.stamps, given);
        let found = if remembers {
            let mut found = revisits.find_all();
            found.retain(|beginning| explorer.is_first(beginning.fingerprint()));
            found
        } else {
            let is_old = |e: &&crate::history::Event| e.place.is_some_and(|place| place < way.from);
            let from = history.events.iter().take_while(is_old).count();
            revisits.find(from, &way.again)
        };
        self.leave(found, way.place);
        goes_on
    }

    /// Visits an execution in which exit signals travelled, if they can as well have arrived at once
    /// and it was not visited yet. False if the search is to stop.
    fn visit_at_once(
        &mut self,
        history: &History,
        is_cut_off: bool,
        visit: &mut dyn FnMut(Visit) -> bool,
    ) -> bool {
        let Some(mut real) = realise(&self.run, Delivery::Instant) else { return true };
        if !self.explorer.is_new(|| History::of(real.execution()).log()) {
            return true;
        }
        let number = self.explorer.count(&history.unexplored, !is_cut_off);
        number.is_some_and(|number| visit(Visit { system: &mut real, is_cut_off, number }))
    }

    /// Leaves beginnings for later.
    fn leave(&mut self, mut found: Vec<Beginning>, place: Share) {
        let mut frontier = self.explorer.frontier();
        if place.changes >= self.explorer.bounds.changes && !found.is_empty() {
            frontier.summary.left_out = true;
            found.clear();
        }
        // Half for the execution itself: how many these lead to nobody knows.
        let share = if found.is_empty() { 0.0 } else { place.share / 2.0 };
        frontier.summary.share += place.share - share;
        let place = Share { changes: place.changes + 1, share: share / found.len().max(1) as f64 };
        self.open.extend(found.into_iter().map(|beginning| Open::Beginning(beginning, place)));
    }

    /// Gives the oldest part of what is open to workers that have nothing to do.
    fn share_out(&mut self) {
        if self.explorer.idle.load(Ordering::Relaxed) == 0 || self.open.is_empty() {
            return;
        }
        let (beginning, place) = match &mut self.open[0] {
            Open::Beginning(..) => match self.open.remove(0) {
                Open::Beginning(beginning, place) => (beginning, place),
                Open::Takes(_) => unreachable!("it was asked"),
            },
            Open::Takes(takes) => {
                let given = takes.beginning();
                let place = takes.place;
                if takes.left.is_empty() {
                    self.open.remove(0);
                }
                (given, place)
            }
        };
        self.explorer.frontier().work.push((beginning, place));
        self.explorer.changed.notify_one();
    }
}

impl OpenTakes {
    /// The beginning of the executions in which the next thing is taken, which is not left any more.
    fn beginning(&mut self) -> Beginning {
        let execution = self.moment.execution();
        let history = History::of(execution);
        let happened = |i: usize| history.events[i].place.is_some();
        let schedule = history.schedule(execution, happened);
        let stamped = |(i, step)| (step, self.stamps.of(i));
        let mut steps: Vec<(NamedStep, Stamp)> =
            schedule.into_iter().enumerate().map(stamped).collect();
        let taken = self.left.pop().flatten().map(|id| message_name(execution, id));
        let stamp = self.stamps.of(steps.len());
        let again = vec![Again { event: steps.len(), settled: Some(vec![]) }];
        steps.push((take(name_of(execution, self.proc), taken), stamp));
        Beginning { steps, again, ..Beginning::default() }
    }
}
