//! Names that can be typed at a moment, for faces that complete them.

use super::Debugger;
use crate::{describe, language, names, scope};
use reverl_causal::SignalId;

/// Signals of one process that are offered.
const MOST_SIGNALS: u32 = 100;

/// What has a name here, by kind.
#[derive(Clone, Debug, Default)]
pub struct Completions {
    /// Pids, spawn paths and names.
    pub processes: Vec<String>,
    pub messages: Vec<String>,
    pub functions: Vec<String>,
    /// With the colon that a line follows.
    pub files: Vec<String>,
    pub variables: Vec<String>,
    pub marks: Vec<String>,
    pub branches: Vec<String>,
}

impl Debugger {
    /// Names that can be typed here.
    pub fn completions(&self) -> Completions {
        let session = &self.session;
        let (system, execution) = (&session.system, session.execution());
        let mut known = Completions::default();
        for proc in execution.ids() {
            known.processes.push(describe::pid(system, proc));
            if !execution.proc(proc).is_system {
                known.processes.push(execution.proc(proc).path.to_string());
            }
            let called = names::called(system, proc);
            known.processes.extend(Some(called).filter(|name| !name.contains(' ')));
            let signals = (execution.proc(proc).signals.len() as u32).min(MOST_SIGNALS);
            let name = |k| describe::signal_name(system, SignalId { from: proc, k });
            known.messages.extend((0..signals).map(name));
        }
        let program = system.program();
        let named = program.code.funs.iter().filter(|f| !f.name.name().starts_with('-'));
        let mfa =
            |f: &reverl_lang::code::FunInfo| describe::mfa((f.module, f.name, u32::from(f.arity)));
        known.functions.extend(named.map(mfa));
        let files = program.code.sources.iter().map(|(_, file)| format!("{}:", file.name));
        known.files.extend(files);
        drop(program);
        for level in scope::levels_at_cut(&session.now(), session.current) {
            let visible = language::visible(&level.bindings).into_iter();
            known.variables.extend(visible.map(|(name, _)| name));
        }
        known.marks.extend(session.notebook.marks.iter().map(|mark| mark.name.clone()));
        known.branches.push(session.branch_name().into());
        known.branches.extend(session.other_branches().iter().map(|b| b.name.clone()));
        known
    }
}
