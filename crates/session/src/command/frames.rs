//! Which of the calls in progress looks are about: the innermost, or one that somebody went up to.

use super::{Answered, Debugger, Reply};
use crate::error::CommandError;
use crate::query::{Detail, process};
use crate::viewpoint::Viewpoint;
use reverl_causal::{Cut, ProcId};

/// A call that was gone up to. It holds as long as nothing has moved since.
pub(super) struct ChosenCall {
    branch: String,
    cut: Cut,
    proc: ProcId,
    /// How many calls further out than the innermost.
    level: usize,
}

impl Debugger {
    /// How many calls further out looks at a process are than its innermost.
    pub(super) fn level(&self, seen: &Viewpoint, proc: ProcId) -> usize {
        let holds = |chosen: &&ChosenCall| {
            let is_here = chosen.branch == self.session.branch_name() && chosen.cut == *seen.cut;
            chosen.proc == proc && is_here
        };
        self.chosen_call.as_ref().filter(holds).map_or(0, |chosen| chosen.level)
    }

    /// Goes towards the first call of the current process.
    pub(super) fn up(&mut self, count: u64) -> Answered {
        let (now, last) = self.levels_here();
        if now == last {
            return Err(CommandError::OutermostCall);
        }
        Ok(self.choose_call(now.saturating_add(count as usize).min(last)))
    }

    /// Goes towards the innermost call of the current process.
    pub(super) fn down(&mut self, count: u64) -> Answered {
        let (now, _) = self.levels_here();
        if now == 0 {
            return Err(CommandError::InnermostCall);
        }
        Ok(self.choose_call(now.saturating_sub(count as usize)))
    }

    /// The call of this number, as `where` lists them; none: the one that looks are about.
    pub(super) fn frame(&mut self, level: Option<usize>) -> Answered {
        let (now, last) = self.levels_here();
        match level {
            Some(level) if level > last => Err(CommandError::NoSuchCall { level, last }),
            level => Ok(self.choose_call(level.unwrap_or(now))),
        }
    }

    /// The level of the current process's calls, and the greatest.
    fn levels_here(&self) -> (usize, usize) {
        let (seen, proc) = (self.session.now(), self.session.current);
        let depth = process::calls(&seen, proc, 0, Detail::Brief).depth;
        (self.level(&seen, proc), depth.saturating_sub(1))
    }

    fn choose_call(&mut self, level: usize) -> Reply {
        let session = &self.session;
        let proc = session.current;
        let branch = session.branch_name().to_string();
        let frame = process::frame(&session.now(), proc, level, Detail::Whole);
        self.chosen_call = Some(ChosenCall { branch, cut: session.cut.clone(), proc, level });
        Reply::Frame(frame)
    }
}
