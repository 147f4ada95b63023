//! The moment at which something was raised: long before the end of a process that OTP looks
//! after, and in the program's own code if that called what raised it.

use crate::origin;
use crate::outcome::{self, Frame};
use crate::scope;
use crate::session::Session;
use crate::stops::Stops;
use reverl_causal::ProcId;
use reverl_lang::code::Code;
use reverl_term::{Atom, Term, exact_eq};
use std::collections::HashSet;

/// Where a process raised something.
pub struct Raise {
    pub proc: ProcId,
    /// It is about to raise, or to call what raises.
    pub step: u64,
    /// The nearest call of the program's own code.
    pub frame: Frame,
}

/// Where a process that has ended raised what ended it.
pub fn of_exit(session: &Session, own: &HashSet<Atom>, proc: ProcId) -> Option<Raise> {
    let exit = session.execution().proc(proc).actions.last()?;
    let before = exit.step.saturating_sub(1);
    raise(session, own, proc, outcome::frames_of_end(&session.system, proc), before)
        .or_else(|| handed_out(session, own, proc, before))
}

/// Where the program's own code made the reason with which a library then ended the process, as
/// `gen_server` does for who returns `{stop, Reason, State}`.
fn handed_out(session: &Session, own: &HashSet<Atom>, proc: ProcId, before: u64) -> Option<Raise> {
    let reason = &session.execution().proc(proc).exit()?.reason;
    let levels_at = |step: u64| {
        let state = session.system.state_at(proc, step);
        scope::levels(&session.system.program().code, &state, step)
    };
    let levels = levels_at(before);
    let mut held = levels.first()?.bindings.iter();
    let (name, _) = held.find(|(_, value)| exact_eq(value, reason))?;
    let hops = origin::of_variable(session, proc, before, *name, origin::Path::new());
    hops.iter().take_while(|hop| hop.proc == proc).find_map(|hop| {
        let levels = levels_at(hop.step);
        let level = levels.first().filter(|level| own.contains(&level.module))?;
        let shown = session.system.program().code.sources.shown_at(level.span);
        let at = shown.map(|(file, line)| format!("{file}:{line}"));
        let args = Term::small(i64::from(level.arity));
        let frame = Frame { module: level.module, name: level.name, args, at };
        Some(Raise { proc, step: hop.step, frame })
    })
}

/// Where a process raised something with this stack trace, before a step.
pub fn raise(
    session: &Session,
    own: &HashSet<Atom>,
    proc: ProcId,
    frames: Vec<Frame>,
    before: u64,
) -> Option<Raise> {
    let frame = frames.into_iter().find(|f| own.contains(&f.module) && f.at.is_some())?;
    let stops = positions(&session.system.program().code, &frame)?;
    let step = session.last_stop_to(proc, &stops, before, &mut |_, _, _, _| true)?;
    Some(Raise { proc, step, frame })
}

/// All positions on the line of a call.
fn positions(code: &Code, frame: &Frame) -> Option<Stops> {
    let (file, line) = frame.at.as_ref()?.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let name = file.rsplit('/').next();
    let mut stops = Stops::default();
    let funs = code.funs.iter().filter(|info| info.module == frame.module);
    for pc in funs.flat_map(|info| info.entry..info.end) {
        for (done, substep) in code.substeps_of(pc).iter().enumerate() {
            let shown = code.sources.shown_at(code.exprs[substep.expr.0 as usize].span);
            if shown.is_some_and(|(file, n)| n == line && file.rsplit('/').next() == name) {
                stops.insert((pc, done as u8), 0);
            }
        }
    }
    (!stops.is_empty()).then_some(stops)
}
