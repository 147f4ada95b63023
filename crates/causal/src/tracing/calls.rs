//! Traced calls: a process that has the flag runs up to where one begins or is over.

use super::{Flags, Traced, mfa, undefined, with, word};
use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::match_spec::{Said, TraceResult};
use reverl_machine::tracing::{Begun, CallWatch, MarkKind, Over};
use reverl_machine::{Program, Watch};
use reverl_term::Term;
use std::rc::Rc;

/// What came of a stop.
pub(crate) enum Told {
    /// It was not for tracing.
    NotHere,
    /// There was nothing to tell.
    Nothing,
    /// It was told, which is an action.
    Action,
}

impl System {
    /// Where a process whose calls are traced has to stop.
    pub(crate) fn call_watch(&mut self, program: &Program, proc: ProcId) -> Option<Rc<CallWatch>> {
        let patterns = self.running(proc).process.local.seen.as_ref()?.traced.clone()?;
        let known = self.call_watch.as_ref().filter(|calls| calls.is_of(program, &patterns));
        if known.is_none() {
            self.call_watch = Some(Rc::new(CallWatch::new(program, &patterns)));
        }
        self.call_watch.clone()
    }

    /// The same, and where somebody else wants it to stop.
    pub(crate) fn watch_with(&self, calls: &CallWatch) -> Watch {
        let mut watch = calls.watch.clone();
        watch.extend(&self.watch);
        watch
    }

    /// A process whose calls are traced has stopped: a call begins or is over, or somebody else
    /// wanted it to.
    pub(crate) fn tell_call(
        &mut self,
        program: &Program,
        proc: ProcId,
        calls: Option<&CallWatch>,
    ) -> Told {
        if self.running(proc).process.has_left_call() {
            return self.tell_over(program, proc);
        }
        let process = &self.running(proc).process;
        let (steps, pc) = (process.steps(), process.pc());
        let begun = calls.and_then(|calls| process.begun(program, calls));
        let traced = self.traced(proc);
        let is_new = traced.is_some_and(|t| t.since <= steps && t.looked_at != Some(steps));
        let told = begun.filter(|_| is_new).is_some_and(|begun| self.tell_begun(proc, &begun));
        // Somebody else may want to see it here, after it was told.
        let is_watched = self.watch.contains(pc);
        let process = &mut self.running_mut(proc).process;
        if told && !is_watched {
            process.stop_no_more_here();
        }
        let steps = process.steps();
        if let Some(traced) = self.running_mut(proc).relations_mut().traced.as_deref_mut() {
            traced.looked_at = Some(steps);
        }
        match (told, is_watched) {
            (true, _) => Told::Action,
            (false, true) => Told::NotHere,
            (false, false) => Told::Nothing,
        }
    }

    fn tell_begun(&mut self, proc: ProcId, begun: &Begun) -> bool {
        let seen = &self.running(proc).process.local.seen;
        let patterns = seen.as_ref().and_then(|edition| edition.traced.clone());
        let Some(rule) = patterns.as_ref().and_then(|p| p.rule(begun.function)) else {
            return false;
        };
        let Some(spec) = &rule.filter.spec else { return false };
        let own = self.execution.proc(proc).pid;
        let caller = begun.caller.map_or_else(undefined, mfa);
        let Some(result) = spec.trace(&begun.args, own, caller) else { return false };
        let first = self.first_signal(proc);
        let is_told = self.carry_out(proc, &result);
        let Some(Traced { flags, .. }) = self.traced(proc).cloned() else { return false };
        if is_told {
            let (module, name, arity) = begun.function;
            let args = match flags.has(Flags::ARITY) {
                true => Term::int(i64::from(arity)),
                false => begun.args.clone(),
            };
            let call = Term::tuple(vec![Term::atom(module), Term::atom(name), args]);
            self.tell(proc, with(vec![word("call"), call], result.said));
        }
        // Of a call that began in silence nothing is told when it is over.
        if flags.has(Flags::SILENT) {
            return self.told(proc, first);
        }
        let process = &mut self.running_mut(proc).process;
        if flags.has(Flags::RETURN_TO) && rule.is_local {
            process.mark(begun, MarkKind::ReturnTo);
        }
        match (result.exceptions, result.returns) {
            (true, _) => process.mark(begun, MarkKind::Exception),
            (false, true) => process.mark(begun, MarkKind::Return),
            (false, false) => {}
        }
        self.told(proc, first)
    }

    /// What a match specification changes; whether the call is told.
    fn carry_out(&mut self, proc: ProcId, result: &TraceResult) -> bool {
        let Some(mut traced) = self.traced(proc).cloned() else { return false };
        let before = traced.flags;
        if let Some(silent) = result.silent {
            traced.flags = traced.flags.set(Flags::SILENT, silent);
        }
        for (on, name) in &result.flags {
            let flag = Flags::named(*name).unwrap_or_default();
            traced.flags = traced.flags.set(flag, *on);
        }
        let is_silent = traced.flags.has(Flags::SILENT);
        if traced.flags != before {
            let running = self.running_mut(proc);
            running.traces_calls = traced.flags.has(Flags::CALL);
            running.relations_mut().traced = Some(Box::new(traced));
        }
        result.said != Said::Nothing && !is_silent
    }

    /// Calls are over of which something is to be told.
    fn tell_over(&mut self, program: &Program, proc: ProcId) -> Told {
        let over = self.running_mut(proc).process.take_over(program);
        let first = self.first_signal(proc);
        over.into_iter().filter_map(told_of).for_each(|parts| self.tell(proc, parts));
        if self.told(proc, first) { Told::Action } else { Told::Nothing }
    }
}

/// What is told of a call that is over.
fn told_of(over: Over) -> Option<Vec<Term>> {
    let Over { function, kind, outcome, goes_on } = over;
    Some(match (kind, outcome) {
        (MarkKind::ReturnTo, _) => vec![word("return_to"), mfa(goes_on?)],
        (_, Ok(value)) => vec![word("return_from"), mfa(function), value],
        (MarkKind::Exception, Err((class, reason))) => {
            let class = Term::atom(class.atom());
            let raised = Term::tuple(vec![class, reason]);
            vec![Term::atom_named("exception_from"), mfa(function), raised]
        }
        (MarkKind::Return, Err(_)) => return None,
    })
}
