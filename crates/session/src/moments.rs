//! Finding a moment: the next or the last time that a process comes to some place in the code.

use crate::session::Session;
use reverl_causal::ProcId;
use reverl_lang::code::Op;
use reverl_machine::{Process, Watch};
use reverl_term::Atom;

/// A test on a process that has come to a watched place.
pub type Test<'t> = &'t mut dyn FnMut(&Session, ProcId, &Process) -> bool;

impl Session {
    /// The first step after the cut, among those the process has already taken, at which it is
    /// before a watched instruction and the test holds.
    pub fn next_hit(&self, proc: ProcId, watch: &Watch, test: Test) -> Option<u64> {
        let from = self.steps_of(proc);
        let end = self.execution().proc(proc).steps;
        self.hits(proc, from + 1, end, watch, test, true).first().copied()
    }

    /// The last such step before the cut.
    pub fn last_hit(&self, proc: ProcId, watch: &Watch, test: Test) -> Option<u64> {
        let mut end = self.steps_of(proc).checked_sub(1)?;
        // Ever larger stretches backwards: near hits are found at once.
        let mut stretch = 2_000;
        loop {
            let start = end.saturating_sub(stretch);
            if let Some(hit) = self.hits(proc, start, end, watch, test, false).last() {
                return Some(*hit);
            }
            if self.has_to_stop() {
                return None;
            }
            end = start.checked_sub(1)?;
            stretch *= 4;
        }
    }

    fn hits(
        &self,
        proc: ProcId,
        from: u64,
        to: u64,
        watch: &Watch,
        test: Test,
        only_first: bool,
    ) -> Vec<u64> {
        let mut found = vec![];
        let mut replay = self.system.nearest(proc, from);
        loop {
            if !replay.watch_to(&self.system, to, watch) {
                return found;
            }
            let step = replay.process.steps();
            if self.has_to_stop() {
                return found;
            }
            if step >= from && step <= to && test(self, proc, &replay.process) {
                found.push(step);
                if only_first {
                    return found;
                }
            }
        }
    }

    /// The instructions that begin a line of a file (any file whose name ends so).
    pub fn line_watch(&self, file: Option<&str>, line: u32) -> Watch {
        let program = self.system.program();
        let code = &program.code;
        let mut watch = Watch::default();
        let mut inside = false;
        for pc in 0..code.ins.len() as u32 {
            let is_it = code.sources.shown_at(code.span_at(pc)).is_some_and(|(name, at)| {
                at == line && file.is_none_or(|f| name.as_ref() == f || name.ends_with(f))
            });
            // One stop per visit: where code of the line follows code of another.
            if is_it && !inside {
                // Code that only comes back to the line is no visit of its own.
                let comes_back = matches!(
                    code.ins[pc as usize].op,
                    Op::ReceiveSkip { .. }
                        | Op::ReceiveWait { .. }
                        | Op::Jmp { .. }
                        | Op::Fail { .. }
                );
                if !comes_back {
                    watch.insert(pc);
                }
                inside = true;
            } else if !is_it {
                inside = false;
            }
        }
        watch
    }

    /// The entries of all functions of this name.
    pub fn function_watch(&self, module: Option<Atom>, name: Atom, arity: Option<u32>) -> Watch {
        let mut watch = Watch::default();
        for info in &self.system.program().code.funs {
            let fits = info.name == name
                && module.is_none_or(|m| info.module == m)
                && arity.is_none_or(|a| u32::from(info.arity) == a);
            if fits {
                watch.insert(info.entry);
            }
        }
        watch
    }

    /// Where a variable becomes bound, in all functions that have it.
    pub fn variable_watch(&self, name: Atom) -> Watch {
        let mut watch = Watch::default();
        for info in &self.system.program().code.funs {
            for var in info.vars.iter().filter(|v| v.name == name) {
                watch.insert(var.start);
            }
        }
        watch
    }
}
