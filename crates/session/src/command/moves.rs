//! Going forward and back: by steps, lines, calls, events, or to the next breakpoint.

use super::line::Line;
use super::{Debugger, Reply, places};
use crate::describe;
use crate::session::Session;
use crate::walk::{self, Place};
use reverl_causal::{EventRef, ProcId, Step, Target};
use reverl_machine::Watch;

pub fn step(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.subject(line)?;
    let n = line.number().unwrap_or(1);
    if line.has("line") {
        return repeat(d, proc, n, |d, p| d.forward_line(p, true));
    }
    if line.has("call") {
        return repeat(d, proc, n, Debugger::forward_call);
    }
    if line.has("event") {
        return repeat(d, proc, n, Debugger::forward_event);
    }
    let moved = d.session.forward(proc, n).map_err(|r| d.refused(&r, proc))?;
    let note = d.moved_note(&moved);
    Ok(d.arrived(proc, note))
}

pub fn next(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.subject(line)?;
    repeat(d, proc, line.number().unwrap_or(1), |d, p| d.forward_line(p, false))
}

fn repeat(
    d: &mut Debugger,
    proc: ProcId,
    n: u64,
    once: impl Fn(&mut Debugger, ProcId) -> Result<Option<String>, String>,
) -> Result<Reply, String> {
    let mut note = None;
    for i in 0..n {
        match once(d, proc) {
            Ok(new) => note = new.or(note),
            Err(why) if i == 0 => return Err(why),
            Err(why) => {
                note = Some(why);
                break;
            }
        }
    }
    Ok(d.arrived(proc, note))
}

pub fn finish(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let here = walk::place(&mut d.session, proc);
    let note = match here.returns_to {
        Some(ret) => {
            let mut watch = Watch::default();
            watch.insert(ret);
            let depth = here.depth;
            d.go_to(proc, &watch, &mut |place| place.depth < depth)?
        }
        None => d.go_to(proc, &Watch::default(), &mut |_| false)?,
    };
    Ok(d.arrived(proc, note))
}

pub fn continue_(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    if let Some(word) = line.process() {
        d.session.current = places::process(&d.session, word)?;
    }
    let hit = d.run_to_breakpoint();
    let current = d.session.current;
    let note = match hit {
        Some((_, text)) => text,
        None => d.ended_note(),
    };
    Ok(d.arrived(current, Some(note)))
}

pub fn reverse_step(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.subject(line)?;
    let n = line.number().unwrap_or(1);
    if line.has("line") {
        return repeat(d, proc, n, |d, p| d.back_line(p, true));
    }
    if line.has("call") {
        return repeat(d, proc, n, Debugger::back_call);
    }
    if line.has("event") {
        return repeat(d, proc, n, Debugger::back_event);
    }
    let plan = d.session.back(proc, n).map_err(|r| d.refused(&r, proc))?;
    let note = (plan.moved.len() > 1).then(|| d.plan_reply(&plan, "undone").text);
    Ok(d.arrived(proc, note))
}

pub fn reverse_next(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.subject(line)?;
    repeat(d, proc, line.number().unwrap_or(1), |d, p| d.back_line(p, false))
}

pub fn reverse_finish(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let note = d.back_call(proc)?;
    Ok(d.arrived(proc, note))
}

pub fn reverse_continue(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let procs: Vec<ProcId> = if line.has("all") {
        let execution = d.session.execution();
        execution.ids().filter(|p| !execution.proc(*p).is_system).collect()
    } else {
        vec![d.viewed(line)?]
    };
    let hit = d.last_breakpoint(&procs);
    let Some((proc, target, text)) = hit else {
        let proc = procs[0];
        if line.has("all") {
            d.session.rewind();
        } else {
            let plan = d.session.plan_undo(Target::Steps(proc, 0));
            d.session.carry_out(&plan);
        }
        return Ok(d.arrived(proc, Some("no breakpoint before: at the beginning".into())));
    };
    let plan = d.session.plan_undo(target);
    d.session.carry_out(&plan);
    Ok(d.arrived(proc, Some(text)))
}

pub fn run(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let mut left = line.number().unwrap_or(u64::MAX);
    if left == u64::MAX && d.has_breakpoints() {
        return continue_(d, line);
    }
    d.session.run(&mut |_| {
        left = left.saturating_sub(1);
        left > 0
    });
    let current = d.session.current;
    let note = d.ended_note();
    Ok(d.arrived(current, Some(note)))
}

pub fn back(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let n = line.number().unwrap_or(1) as usize;
    let events = d.session.events_in_cut();
    let Some(first) = events.len().checked_sub(1) else {
        return Err("nothing has happened yet: there is nothing to undo".into());
    };
    let before = d.session.cut.clone();
    let mut undone = vec![];
    for event in events[(first + 1).saturating_sub(n)..].iter().rev() {
        let plan = d.session.plan_undo(Target::Event(*event));
        undone.extend(plan.events.iter().copied());
        d.session.carry_out(&plan);
    }
    d.session.roll_log = undone.clone();
    let steps = before.total_steps() - d.session.cut.total_steps();
    let mut text = format!("undone {} events, {steps} steps", undone.len());
    for event in undone.iter().take(30) {
        text.push_str(&format!("\n  {}", describe::event_line(&d.session.system, *event)));
    }
    let current = d.session.current;
    Ok(d.arrived(current, Some(text)))
}

pub fn deliver(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let args = line.args();
    let (from, to) = match args.as_slice() {
        [m] if m.starts_with('#') => {
            let id = places::message(&d.session, m)?;
            let signal = d.session.execution().signal(id);
            let to = signal.to().ok_or("it was sent to nobody: it can never arrive")?;
            (id.from, to)
        }
        [from, to] => (places::process(&d.session, from)?, places::process(&d.session, to)?),
        _ => {
            let flying = d.session.cut.in_flight(d.session.execution());
            let deliverable = flying
                .iter()
                .find_map(|id| d.session.execution().signal(*id).to().map(|to| (id.from, to)));
            deliverable.ok_or(
                "nothing is on its way ('set delivery manual' keeps messages on their way)",
            )?
        }
    };
    let waiting = d.session.cut.in_flight(d.session.execution());
    let queue = waiting
        .iter()
        .find(|id| id.from == from && d.session.execution().signal(**id).to() == Some(to));
    let id = *queue.ok_or("nothing is on its way between these two")?;
    if let Some(event) = places::delivery_event(&d.session, id) {
        // It has happened before: the same again.
        let plan = d.session.plan_redo(Target::Event(event));
        d.session.carry_out(&plan);
        return Ok(d.plan_reply(&plan, "redone"));
    }
    let moved = d.session.take(Step::Deliver { signal: id, to }).map_err(|r| d.refused(&r, to))?;
    let note = d.moved_note(&moved);
    let last = d.session.execution().last_event();
    let text = last.map(|e| describe::event_line(&d.session.system, e)).unwrap_or_default();
    let text = note.map(|n| format!("{n}\n{text}")).unwrap_or(text);
    Ok(d.arrived(to, Some(text)))
}

impl Debugger {
    pub(super) fn ended_note(&self) -> String {
        let verdict = crate::outcome::verdict(&self.session.system, true);
        let more = !self.session.system.enabled().is_empty();
        match (verdict, more) {
            (crate::outcome::Verdict::Limit, true) => "stopped; there is more to run".into(),
            (crate::outcome::Verdict::Limit, false) => {
                "nothing can happen any more, and the main process waits for ever: deadlock ('problems' tells more)".into()
            }
            (verdict, _) => format!("the program has {}", match verdict {
                crate::outcome::Verdict::Crashed => "crashed ('problems' tells more)",
                _ => "finished",
            }),
        }
    }

    /// Brings the process forward to a watched place at which the test holds: along what has
    /// happened, then by letting the system run.
    pub(super) fn go_to(
        &mut self,
        proc: ProcId,
        watch: &Watch,
        test: &mut dyn FnMut(&Place) -> bool,
    ) -> Result<Option<String>, String> {
        self.session.check_alive(proc).map_err(|r| self.refused(&r, proc))?;
        if !watch.is_empty() {
            let hit = self.session.next_hit(proc, watch, &mut |s: &mut Session, _, p| {
                test(&walk::place_of(&s.system.program().code, p, p.steps()))
            });
            if let Some(step) = hit {
                let plan = self.session.plan_redo(Target::Steps(proc, step));
                self.session.carry_out(&plan);
                return Ok(None);
            }
        }
        let mut note = None;
        if !self.session.is_at_end() {
            // The rest of what is known happens first, so that the process can go on.
            self.session.replay_all();
            note = Some("everything known was replayed".to_string());
        }
        self.session.system.watch = watch.clone();
        let mut reached = false;
        self.session.run_telling(false, &mut |system, step, happened| {
            if super::breaks::watched(step, happened) == Some(proc) {
                let process = &system.live(proc).process;
                reached = test(&walk::place_of(&system.program().code, process, process.steps()));
            }
            !reached
        });
        self.session.system.watch = Watch::default();
        Ok(if reached { note } else { Some(self.ended_note()) })
    }

    /// The next line of the process; over calls, unless `into`.
    fn forward_line(&mut self, proc: ProcId, into: bool) -> Result<Option<String>, String> {
        let here = walk::place(&mut self.session, proc);
        let watch =
            if into { Watch::everything() } else { walk::level_watch(&self.session, &here) };
        let mut entered = false;
        self.go_to(proc, &watch, &mut |place| {
            let level = into || place.depth <= here.depth;
            // A loop calls itself: each turn is a visit of its own, also on a single line.
            entered |= place.enters && level && !into && place.step > here.step;
            place.weight > 0 && level && (place.line != here.line || entered)
        })
    }

    /// The next call that the process makes.
    fn forward_call(&mut self, proc: ProcId) -> Result<Option<String>, String> {
        let watch = walk::entries(&self.session);
        self.go_to(proc, &watch, &mut |_| true)
    }

    fn forward_event(&mut self, proc: ProcId) -> Result<Option<String>, String> {
        self.session.check_alive(proc).map_err(|r| self.refused(&r, proc))?;
        if let Some((i, _)) = self.session.cut.next_action(self.session.execution(), proc) {
            let plan = self.session.plan_redo(Target::Event(EventRef::action(proc, i)));
            self.session.carry_out(&plan);
            return Ok(plan.events.last().map(|e| describe::event_line(&self.session.system, *e)));
        }
        let before = self.session.execution().event_count();
        let moved = self.session.run_until_action(proc).map_err(|r| self.refused(&r, proc))?;
        let new = self.session.execution().event(before);
        match new {
            Some(event) => {
                let line = describe::event_line(&self.session.system, event);
                Ok(Some(self.moved_note(&moved).map(|n| format!("{n}\n{line}")).unwrap_or(line)))
            }
            None => Err(self.refused(&crate::session::Refused::Blocked, proc)),
        }
    }

    fn back_line(&mut self, proc: ProcId, into: bool) -> Result<Option<String>, String> {
        let step = walk::last_line(&mut self.session, proc, into)
            .ok_or("this process was on no other line before")?;
        self.back_to(proc, step)
    }

    /// To where the current function was called.
    fn back_call(&mut self, proc: ProcId) -> Result<Option<String>, String> {
        let here = walk::place(&mut self.session, proc);
        let Some(ret) = here.returns_to else {
            let plan = self.session.plan_undo(Target::Steps(proc, 0));
            self.session.carry_out(&plan);
            return Ok(Some("the process's first function: at its beginning".into()));
        };
        let mut watch = Watch::default();
        watch.insert(ret - 1);
        let step = self.session.last_hit(proc, &watch, &mut |s: &mut Session, _, p| {
            walk::place_of(&s.system.program().code, p, p.steps()).depth + 1 == here.depth
        });
        let step = step.ok_or("the call of this function is not there")?;
        self.back_to(proc, step)
    }

    fn back_event(&mut self, proc: ProcId) -> Result<Option<String>, String> {
        let execution = self.session.execution();
        let actions = execution.proc(proc).actions_at(self.session.steps_of(proc));
        let last = actions.checked_sub(1).ok_or("this process has done nothing yet")?;
        let plan = self.session.plan_undo(Target::Event(EventRef::action(proc, last)));
        let told = self.plan_reply(&plan, "undone").text;
        self.session.carry_out(&plan);
        Ok(Some(told))
    }

    fn back_to(&mut self, proc: ProcId, step: u64) -> Result<Option<String>, String> {
        let plan = self.session.plan_undo(Target::Steps(proc, step));
        self.session.carry_out(&plan);
        Ok((plan.moved.len() > 1).then(|| self.plan_reply(&plan, "undone").text))
    }
}
