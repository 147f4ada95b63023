//! What a person names to go to, found in the execution: the targets of undo and redo.

use crate::command::{LineSpec, ProcessRef, TargetSpec};
use crate::error::{Happening, NotFound};
use crate::event::event_named;
use crate::places;
use crate::position::cut_of;
use crate::session::Session;
use crate::stops::Stops;
use reverl_causal::{Cut, EventRef, ProcId, Target};
use reverl_term::Atom;

/// Backwards or forwards in causal time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Back,
    Forward,
}

impl Direction {
    fn side(self) -> &'static str {
        if self == Direction::Back { "before" } else { "after" }
    }
}

/// The process that a reference means.
pub fn process(session: &Session, process: &ProcessRef) -> Result<ProcId, NotFound> {
    match process {
        ProcessRef::Word(word) => places::process(session, word),
        ProcessRef::Number(number) => {
            let known = session.execution().ids().find(|p| p.0 == *number);
            known.ok_or_else(|| NotFound::Process { word: number.to_string(), known: vec![] })
        }
    }
}

/// Where a target is.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The very beginning, or the end of what is known.
    Everything,
    One(Target),
    /// The cut that several targets, or a mark, lead to from here.
    Place(Cut),
}

fn of_event(event: Option<EventRef>, what: Happening) -> Result<Target, NotFound> {
    event.map(Target::Event).ok_or(NotFound::NotHappened(what))
}

/// Where a target is, seen from the cut; `about` is the process that lines, variables and numbers
/// of steps are meant of.
pub fn resolve(
    session: &Session,
    about: ProcId,
    target: &TargetSpec,
    direction: Direction,
) -> Result<Goal, NotFound> {
    let execution = session.execution();
    let now = session.steps_of(about);
    let found = match target {
        TargetSpec::All => return Ok(Goal::Everything),
        TargetSpec::Mark(name) => {
            let cut = marked(session, name)?;
            return Ok(Goal::Place(together(&session.cut, &cut, direction)));
        }
        TargetSpec::Several(targets) => return several(session, about, targets, direction),
        TargetSpec::StepsOf { process: of, count } => {
            let (proc, count) = (process(session, of)?, *count);
            let now = session.steps_of(proc);
            Ok(match direction {
                Direction::Back => Target::Steps(proc, now.saturating_sub(count)),
                Direction::Forward => Target::Steps(proc, now.saturating_add(count)),
            })
        }
        TargetSpec::Steps(n) => Ok(match direction {
            Direction::Back => Target::Steps(about, now.saturating_sub(*n)),
            Direction::Forward => Target::Steps(about, now.saturating_add(*n)),
        }),
        TargetSpec::Send(m) => {
            Ok(Target::Event(places::send_event(execution, places::message(session, m)?)))
        }
        TargetSpec::Deliver(m) => {
            let id = places::message(session, m)?;
            of_event(places::delivery_event(execution, id), Happening::Delivery)
        }
        TargetSpec::Receive(m) => {
            let id = places::message(session, m)?;
            of_event(places::receive_event(execution, id), Happening::Receive)
        }
        TargetSpec::Spawn(p) => {
            of_event(places::spawn_event(execution, process(session, p)?), Happening::Spawn)
        }
        TargetSpec::Start(p) => {
            let steps = if direction == Direction::Back { 0 } else { 1 };
            Ok(Target::Steps(process(session, p)?, steps))
        }
        TargetSpec::Exit(p) => {
            of_event(places::exit_event(execution, process(session, p)?), Happening::Exit)
        }
        TargetSpec::Register(name) => {
            of_event(places::register_event(session, name), Happening::Registration)
        }
        TargetSpec::Event(name) => {
            let event = event_named(execution, name);
            event.map(Target::Event).ok_or_else(|| NotFound::Event(name.clone()))
        }
        TargetSpec::Variable(name) => variable(session, about, name, direction),
        TargetSpec::Line(place) => line(session, about, place, direction),
    };
    found.map(Goal::One)
}

/// What is not undone of either, or what is done of one of them.
fn together(a: &Cut, b: &Cut, direction: Direction) -> Cut {
    match direction {
        Direction::Back => a.meet(b),
        Direction::Forward => a.join(b),
    }
}

/// Where targets lead that are one request: each is meant as seen from here.
fn several(
    session: &Session,
    about: ProcId,
    targets: &[TargetSpec],
    direction: Direction,
) -> Result<Goal, NotFound> {
    let mut cut = session.cut.clone();
    for target in targets {
        let to = match (resolve(session, about, target, direction)?, direction) {
            (Goal::Everything, Direction::Back) => Cut::start(session.execution()),
            (Goal::Everything, Direction::Forward) => Cut::end(session.execution()),
            (Goal::One(target), Direction::Back) => session.plan_undo(target).to,
            (Goal::One(target), Direction::Forward) => session.plan_redo(target).to,
            (Goal::Place(cut), _) => cut,
        };
        cut = together(&cut, &to, direction);
    }
    Ok(Goal::Place(cut))
}

/// Where a mark of this branch is.
fn marked(session: &Session, name: &str) -> Result<Cut, NotFound> {
    let mark = session.notebook.mark(name).ok_or_else(|| NotFound::Mark(name.into()))?;
    if mark.branch != session.branch_name() {
        let branch = mark.branch.clone();
        return Err(NotFound::MarkElsewhere { name: name.into(), branch });
    }
    cut_of(session, &mark.place).map_err(|_| NotFound::Mark(name.into()))
}

/// The nearest moment at which the process comes to a watched place.
fn hit(session: &Session, proc: ProcId, stops: &Stops, direction: Direction) -> Option<u64> {
    match direction {
        Direction::Back => session.last_stop(proc, stops, &mut |_, _, _, _| true),
        Direction::Forward => session.next_stop(proc, stops, &mut |_, _, _, _| true),
    }
}

/// Before (or at) the binding of a variable of the process.
fn variable(
    session: &Session,
    proc: ProcId,
    name: &str,
    direction: Direction,
) -> Result<Target, NotFound> {
    let stops = session.variable_stops(Atom::new(name));
    if stops.is_empty() {
        return Err(NotFound::Variable(name.into()));
    }
    // A variable that can be seen is meant as it is here; any other, as it was last.
    let seen = match direction {
        Direction::Back => session.bound_at(proc, Atom::new(name)),
        Direction::Forward => None,
    };
    let step = seen.or_else(|| hit(session, proc, &stops, direction));
    let missing = || NotFound::NotBoundThere { name: name.into(), side: direction.side() };
    let step = step.ok_or_else(missing)?;
    let before = direction == Direction::Back;
    Ok(Target::Steps(proc, if before { step.saturating_sub(1) } else { step }))
}

fn line(
    session: &Session,
    proc: ProcId,
    place: &LineSpec,
    direction: Direction,
) -> Result<Target, NotFound> {
    let stops = session.line_stops(place.file.as_deref(), place.line);
    if stops.is_empty() {
        return Err(NotFound::CodeOnLine(place.to_string()));
    }
    let missing = || NotFound::NotOnLine { line: place.to_string(), side: direction.side() };
    let step = hit(session, proc, &stops, direction).ok_or_else(missing)?;
    Ok(Target::Steps(proc, step))
}
