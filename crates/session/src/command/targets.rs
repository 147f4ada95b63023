//! Undo and redo to a target: rollback and replay, with exactly what they must take along.

use super::line::Line;
use super::{Debugger, Reply, places};
use crate::session::Refused;
use crate::view;
use reverl_causal::plan::{self, Extent};
use reverl_causal::{EventRef, ProcId, Target};
use reverl_term::Atom;

/// What a person named, or why it is not there.
type Found = Result<Target, String>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Back,
    Forward,
}

fn of_event(event: Option<EventRef>, what: &str) -> Found {
    event.map(Target::Event).ok_or_else(|| format!("{what} has not happened in this execution"))
}

impl Debugger {
    fn target(&mut self, line: &Line, direction: Direction) -> Found {
        let args: Vec<String> =
            line.args().iter().filter(|w| !w.starts_with("--")).map(|w| w.to_string()).collect();
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let session = &self.session;
        match words.as_slice() {
            ["send", m] => Ok(Target::Event(places::send_event(session, places::message(session, m)?))),
            ["deliver", m] => {
                let id = places::message(session, m)?;
                of_event(places::delivery_event(session, id), "its delivery")
            }
            ["receive", m] => {
                let id = places::message(session, m)?;
                of_event(places::receive_event(session, id), "its receive")
            }
            ["spawn", p] => {
                let proc = places::process(session, p)?;
                of_event(places::spawn_event(session, proc), "its spawn")
            }
            ["start", p] => {
                let proc = places::process(session, p)?;
                Ok(Target::Steps(proc, if direction == Direction::Back { 0 } else { 1 }))
            }
            ["exit", p] => {
                let proc = places::process(session, p)?;
                of_event(places::exit_event(session, proc), "its exit")
            }
            ["event", name] => Ok(Target::Event(view::event_named(session.execution(), name)?)),
            ["register", name] => of_event(places::register_event(session, name), "its registration"),
            ["variable", name] => self.variable(self.session.current, name, direction),
            ["line", place] => self.line(self.session.current, place, direction),
            [n] | [n, "steps" | "step"] if n.parse::<u64>().is_ok() => {
                let n: u64 = n.parse().unwrap_or(1);
                let proc = session.current;
                let now = session.steps_of(proc);
                Ok(match direction {
                    Direction::Back => Target::Steps(proc, now.saturating_sub(n)),
                    Direction::Forward => Target::Steps(proc, now + n),
                })
            }
            [] => Err("say what: a number of steps, send #M, deliver #M, receive #M, spawn PID, start PID, exit PID, variable X, line N, register NAME, event E or all".into()),
            _ => Err(format!("'{}' is no target; 'help undo' lists them", words.join(" "))),
        }
    }

    /// How much undoing or redoing a target would move.
    pub(crate) fn extent(&mut self, text: &str, back: bool) -> Result<Extent, String> {
        let line = Line::parse(&format!("undo {text}"));
        let direction = if back { Direction::Back } else { Direction::Forward };
        let target = self.target(&line, direction)?;
        let (execution, cut) = (self.session.execution(), &self.session.cut);
        Ok(match back {
            true => plan::undo_extent(execution, cut, target),
            false => plan::redo_extent(execution, cut, target),
        })
    }

    /// Before (or at) the binding of a variable of the process.
    fn variable(&mut self, proc: ProcId, name: &str, direction: Direction) -> Found {
        let watch = self.session.variable_watch(Atom::new(name));
        if watch.is_empty() {
            return Err(format!("no function has a variable {name}"));
        }
        let hit = match direction {
            Direction::Back => self.session.last_hit(proc, &watch, &mut |_, _, _| true),
            Direction::Forward => self.session.next_hit(proc, &watch, &mut |_, _, _| true),
        };
        let step = hit.ok_or(format!("{name} is not bound {} here", side(direction)))?;
        Ok(Target::Steps(
            proc,
            if direction == Direction::Back { step.saturating_sub(1) } else { step },
        ))
    }

    fn line(&mut self, proc: ProcId, place: &str, direction: Direction) -> Found {
        let (file, line) = super::breaks::file_line(place)
            .ok_or(format!("'{place}' is no line; write N or FILE:N"))?;
        let watch = self.session.line_watch(file.as_deref(), line);
        if watch.is_empty() {
            return Err(format!("there is no code on line {place}"));
        }
        let hit = match direction {
            Direction::Back => self.session.last_hit(proc, &watch, &mut |_, _, _| true),
            Direction::Forward => self.session.next_hit(proc, &watch, &mut |_, _, _| true),
        };
        hit.map(|step| Target::Steps(proc, step))
            .ok_or(format!("the process is not on line {place} {} here", side(direction)))
    }
}

fn side(direction: Direction) -> &'static str {
    if direction == Direction::Back { "before" } else { "after" }
}

pub fn undo(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    if line.has("all") {
        d.session.rewind();
        let count = d.session.roll_log.len();
        let main = d.session.system.main;
        return Ok(d.arrived(main, Some(format!("undone all {count} events"))));
    }
    let target = d.target(line, Direction::Back)?;
    let plan = d.session.plan_undo(target);
    finish(d, line, &plan, "undo", "undone")
}

pub fn redo(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    if line.has("all") {
        d.session.replay_all();
        let current = d.session.current;
        return Ok(d.arrived(current, Some("replayed all".into())));
    }
    let target = d.target(line, Direction::Forward)?;
    let plan = d.session.plan_redo(target);
    finish(d, line, &plan, "redo", "redone")
}

fn finish(
    d: &mut Debugger,
    line: &Line,
    plan: &reverl_causal::Plan,
    verb: &str,
    done: &str,
) -> Result<Reply, String> {
    if plan.is_empty() {
        return Err(format!("there is nothing to {verb}: it is already so here"));
    }
    if line.has("--dry-run") {
        return Ok(d.plan_reply(plan, &format!("would {verb}")));
    }
    let told = d.plan_reply(plan, done);
    d.session.carry_out(plan);
    Ok(told)
}

pub fn goto(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let text = line.rest();
    let (who, step) = text.split_once('@').ok_or("write PID@STEP, like <0.84.0>@17")?;
    let proc = places::process(&d.session, who.trim())?;
    let step: u64 = step.trim().parse().map_err(|_| format!("'{step}' is no step"))?;
    let now = d.session.steps_of(proc);
    if step < now {
        let plan = d.session.plan_undo(Target::Steps(proc, step));
        d.session.carry_out(&plan);
    } else if step <= d.session.execution().proc(proc).steps {
        let plan = d.session.plan_redo(Target::Steps(proc, step));
        d.session.carry_out(&plan);
    } else {
        d.session.forward(proc, step - now).map_err(|r| d.refused(&r, proc))?;
    }
    Ok(d.arrived(proc, None))
}

pub fn undo_one(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let execution = d.session.execution();
    let place = d.session.place(proc);
    let actions = execution.proc(proc).actions_at(place.steps);
    let action = actions.checked_sub(1).map(|i| EventRef::action(proc, i));
    let delivery = place.deliveries.checked_sub(1).map(|i| EventRef::delivery(proc, i as usize));
    let both = [action, delivery];
    let last = both.iter().flatten().max_by_key(|e| execution.order_of(**e)).copied();
    let event = last.ok_or_else(|| d.refused(&Refused::AtStart, proc))?;
    let plan = d.session.undo_alone(event).map_err(|r| d.refused(&r, proc))?;
    Ok(d.plan_reply(&plan, "undone"))
}

pub fn redo_one(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let execution = d.session.execution();
    let place = d.session.place(proc);
    let p = execution.proc(proc);
    let action = p.actions_at(place.steps);
    let action = (action < p.actions.len()).then(|| EventRef::action(proc, action));
    let delivery = place.deliveries as usize;
    let delivery = (delivery < p.deliveries.len()).then(|| EventRef::delivery(proc, delivery));
    let both = [action, delivery];
    let next = both.iter().flatten().min_by_key(|e| execution.order_of(**e)).copied();
    let event =
        next.ok_or("this process does nothing more in this execution; 'step' lets it run on")?;
    let plan = d.session.redo_alone(event).map_err(|r| d.refused(&r, proc))?;
    Ok(d.plan_reply(&plan, "redone"))
}
