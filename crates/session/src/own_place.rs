//! Where in the program's own code something happened: a library that a program calls is not where
//! people look first.

use crate::ask::own;
use crate::outcome::{self, Frame};
use crate::{places, scope};
use reverl_causal::{ActionKind, Chain, EventRef, ProcId, System};
use reverl_lang::code::{Code, Pc};

/// Further out than this nobody's line is looked for.
const MOST_CALLS: usize = 10_000;

/// The nearest call of the program's own at a position.
pub struct OwnCall {
    /// Whether the process is in it itself, and not in a library that it called.
    pub is_innermost: bool,
    /// `file:line`
    pub at: Option<String>,
}

fn is_own(code: &Code, pc: Pc) -> bool {
    own::is_own_module(code, code.fun(code.fun_at(pc)).module)
}

/// The nearest call of the program's own where a process is after so many steps, if there is one.
pub fn call(system: &System, proc: ProcId, step: u64) -> Option<OwnCall> {
    let state = system.state_at(proc, step);
    let program = system.program();
    let code = &program.code;
    let here = (state.pc(), scope::here(code, &state, step).span);
    let callers = state.stack().callers().map(|(ret, _)| (ret - 1, code.span_at(ret - 1)));
    let mut calls = std::iter::once(here).chain(callers).take(MOST_CALLS).enumerate();
    let (level, (_, span)) = calls.find(|(_, (pc, _))| is_own(code, *pc))?;
    let at = code.sources.shown_at(span).map(|(file, line)| format!("{file}:{line}"));
    Some(OwnCall { is_innermost: level == 0, at })
}

/// Of an event in a library: the line of the program's own code that led to it. An end is where it
/// was raised, an arrival where its message was sent.
pub fn of_event(system: &System, event: EventRef) -> Option<String> {
    let execution = system.execution();
    if event.chain() == Chain::Delivery {
        let id = execution.proc(event.proc).deliveries[event.index() as usize].signal;
        return of_event(system, places::send_event(execution, id));
    }
    let action = execution.action(event)?;
    if let ActionKind::Exit(_) = action.what() {
        let program = system.program();
        let is_own = |frame: &Frame| own::is_own_module(&program.code, frame.module);
        let frames = outcome::frames_of_end(system, event.proc);
        return frames.into_iter().find(|frame| frame.at.is_some() && is_own(frame))?.at;
    }
    {
        let program = system.program();
        if is_own(&program.code, action.pc) {
            return None;
        }
    }
    call(system, event.proc, action.step.saturating_sub(1))?.at
}
