//! Commands that only look: each asks one query, about the process that it names or the one given.

use super::{Command, Debugger, LogSpec, PlanVerb, PlanView, ProcessRef, Reply, TargetSpec, find};
use crate::error::{BadCommand, QueryError};
use crate::event::event_named;
use crate::outcome;
use crate::query::search::{SearchBounds, search};
use crate::query::{
    Detail, changes, enabled, events, failure, messages, output, print, problems, process,
    processes, races, session, sources, why,
};
use crate::query::{compare, info, logged, notation, notes, order, steps, tree, unmatched};
use crate::query::{find as find_value, values};
use crate::target::{Direction, Goal, process as process_of, resolve};
use crate::viewpoint::Viewpoint;
use crate::watched;
use reverl_causal::{Cut, Plan, ProcId};

/// Events of a list unless another number is given.
const EVENTS: usize = 50;
/// Values of a log that are shown.
const LOGGED: usize = 1_000;
/// Calls that are shown.
const CALLS: usize = 100;
/// Lines around the current one.
const AROUND: u32 = 5;

const ALL: usize = usize::MAX;
/// Steps of a full history, if nobody says how many.
const STEPS: usize = 50;

/// Somebody waits for the answer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

impl Debugger {
    /// Answers a command that only looks; any other is refused. `about` is the process that is
    /// meant if the command names none.
    pub fn look(&self, command: &Command, about: ProcId) -> Result<Reply, QueryError> {
        self.look_at(&self.session.now(), command, about)
    }

    /// The same as it was at another moment, where that makes a difference.
    fn look_at(
        &self,
        seen: &Viewpoint,
        command: &Command,
        about: ProcId,
    ) -> Result<Reply, QueryError> {
        let session = &self.session;
        let whole = Detail::Whole;
        let of = |process: &Option<ProcessRef>| match process {
            Some(process) => process_of(session, process),
            None => Ok(about),
        };
        Ok(match command {
            Command::Ps { all: true } => Reply::Processes(processes::own(session)),
            Command::Ps { all: false } => Reply::Family(tree::tree(session)),
            Command::Compare { name } => {
                Reply::Compared(Box::new(compare::branches(session, name)?))
            }
            Command::Changes { process } => {
                Reply::Changes(changes::of_state(seen, of(process)?, &[], whole)?)
            }
            Command::Info { about: what, process } => {
                Reply::Value(info::info(seen, of(process)?, *what)?)
            }
            Command::Logged(LogSpec { at, expression }) => {
                Reply::Logged(logged::logged(session, at, expression, None, (LOGGED, whole))?)
            }
            Command::WhyNot { message } => Reply::Unmatched(unmatched::unmatched(seen, message)?),
            Command::Bindings { needed: true, process, .. } => {
                let proc = of(process)?;
                let calls = process::call_at(seen, proc, 0, whole);
                Reply::Bindings(process::needed(seen, proc, calls))
            }
            Command::Bindings { all: false, process, .. } => Reply::Bindings({
                let proc = of(process)?;
                process::call_at(seen, proc, self.level(seen, proc), whole)
            }),
            Command::Bindings { all: true, process, .. } => {
                Reply::AllBindings(process::calls(seen, of(process)?, ALL, whole))
            }
            Command::Where { process } => {
                let proc = of(process)?;
                let chosen = self.level(seen, proc);
                let calls = process::calls(seen, proc, CALLS, whole);
                Reply::Calls(process::Calls { chosen, ..calls })
            }
            Command::Source { process } => {
                let proc = of(process)?;
                let call = (proc, self.level(seen, proc));
                Reply::Listing(sources::listing(seen, call, AROUND)?)
            }
            Command::Mailbox { process } => {
                Reply::Mailbox(messages::mailbox(seen, of(process)?, ALL, whole))
            }
            Command::Network => Reply::Network(messages::network(session, ALL, whole)),
            Command::History { process, most } => {
                Reply::History(events::history(session, of(process)?, most.unwrap_or(ALL), whole))
            }
            Command::Steps { process, most } => {
                Reply::Steps(steps::steps(session, of(process)?, most.unwrap_or(STEPS)))
            }
            Command::Marks => Reply::Marks(session::marks(session)),
            Command::Notes => Reply::Notes(notes::notes(session)),
            Command::Report => Reply::Report(crate::text::markdown::report(session)),
            Command::Values { expression } => {
                let spec = watched::meant_here(session, about, self.level(seen, about), expression);
                Reply::Logged(values::values(session, &spec, (LOGGED, whole))?)
            }
            Command::Last { expression } => {
                let spec = watched::meant_here(session, about, self.level(seen, about), expression);
                Reply::Last(Box::new(values::last(session, &spec, whole)?))
            }
            Command::Find { value } => Reply::Found(find_value::find(session, value, EVENTS)?),
            Command::Log { process } => Reply::Log(events::log(session, of(process)?, ALL, whole)),
            Command::Trace { most } => {
                Reply::Trace(events::trace(session, most.unwrap_or(EVENTS), whole))
            }
            Command::Events { by, text, most } => {
                let most = most.unwrap_or(EVENTS);
                let bounds = SearchBounds { from: 0, most, patience: None, detail: whole };
                Reply::Events(search(session, *by, text, &bounds)?)
            }
            Command::Rolllog => Reply::RollLog(events::roll_log(session, ALL, whole)),
            Command::Enabled => Reply::Enabled(enabled::enabled(session)),
            Command::Problems => Reply::Problems(problems::problems(&session.system, ALL, whole)),
            Command::Failure { which } => {
                let which = which.unwrap_or(1).saturating_sub(1);
                Reply::Failure(Box::new(failure::report(session, which, whole)))
            }
            Command::At { event, look } => {
                if !look.is_of_a_moment() {
                    return Err(QueryError::NotOfAMoment(look.name()));
                }
                let found = event_named(session.execution(), event);
                let found = found.ok_or_else(|| QueryError::NoEvent(event.clone()))?;
                self.look_at(&session.before(found), look, found.proc)?
            }
            Command::Races => Reply::Races(races::of_all(session, 0, PATIENCE)),
            Command::RaceSenders => Reply::Senders(races::senders(session, PATIENCE)),
            Command::WhyBefore { first, second } => {
                let first = order::meant(session, first, true)?;
                let second = order::meant(session, second, false)?;
                Reply::Order(Box::new(order::order(session, first, second, whole)))
            }
            Command::Notation { process } => {
                let one = process.as_ref().map(|p| process_of(session, p)).transpose()?;
                Reply::Notation(notation::notation(session, one))
            }
            Command::Output => Reply::Output(output::output(session, ALL)),
            Command::Print { expression } => {
                let call = (about, self.level(seen, about));
                Reply::Value(print::print(seen, call, expression)?)
            }
            Command::Why { variable } => {
                let level = self.level(seen, about);
                Reply::Reason(Box::new(why::why(seen, about, level, variable, whole)?))
            }
            Command::Branches => Reply::Branches(session::branches(session)),
            Command::Display { expression: None } => Reply::Displayed(self.displayed()),
            Command::Breaks => Reply::Breakpoints(session::breakpoints(self)),
            Command::Undo { target, dry_run: true } => {
                Reply::Plan(self.dry_run(target, about, Direction::Back)?)
            }
            Command::Redo { target, dry_run: true } => {
                Reply::Plan(self.dry_run(target, about, Direction::Forward)?)
            }
            Command::Help { command: None } => Reply::Help(session::help(None)),
            Command::Help { command: Some(name) } => {
                let unknown = || BadCommand::Unknown { name: name.clone(), near: vec![] };
                Reply::Help(session::help(Some(find(name).ok_or_else(unknown)?)))
            }
            other => return Err(QueryError::NotALook(other.name())),
        })
    }

    /// What going to a target would pass.
    pub(super) fn plan(
        &self,
        target: &TargetSpec,
        about: ProcId,
        direction: Direction,
    ) -> Result<Plan, QueryError> {
        let session = &self.session;
        let execution = session.execution();
        let plan = match (resolve(session, about, target, direction)?, direction) {
            (Goal::Everything, Direction::Back) => session.plan_to(Cut::start(execution)),
            (Goal::Everything, Direction::Forward) => session.plan_to(Cut::end(execution)),
            (Goal::One(target), Direction::Back) => session.plan_undo(target),
            (Goal::One(target), Direction::Forward) => session.plan_redo(target),
            (Goal::Place(cut), _) => session.plan_to(cut),
        };
        let verb = if direction == Direction::Back { "undo" } else { "redo" };
        if plan.is_empty() { Err(QueryError::AlreadySo(verb)) } else { Ok(plan) }
    }

    fn dry_run(
        &self,
        target: &TargetSpec,
        about: ProcId,
        direction: Direction,
    ) -> Result<PlanView, QueryError> {
        let plan = self.plan(target, about, direction)?;
        let verb = match direction {
            Direction::Back => PlanVerb::WouldUndo,
            Direction::Forward => PlanVerb::WouldRedo,
        };
        Ok(PlanView::of(&self.session.system, &plan, verb))
    }

    /// Output that came since the last call, for a face that shows it as it happens.
    pub fn new_output(&mut self) -> String {
        let execution = self.session.execution();
        let seen = self.shown_events.min(execution.event_count());
        let new = (seen..execution.event_count()).filter_map(|i| execution.event(i));
        let text: Vec<&str> =
            new.filter_map(|e| outcome::output_of(&self.session.system, e)).collect();
        let text = text.concat();
        self.shown_events = execution.event_count();
        text
    }
}
