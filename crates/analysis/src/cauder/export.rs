//! An execution as a log of CauDEr's: the files that its tracer would have written.

use super::follow::{children, messages};
use super::{CauderLog, Extent, LogEntry};
use reverl_causal::{ActionKind, Cut, Execution, ProcId, SignalId, System};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// What has happened within a cut, as a log. What a log cannot say (time-outs, exits, messages of
/// timers, who looked at what is shared) is not in it.
pub fn export(system: &System, cut: &Cut, call: &str, result: Option<String>) -> CauderLog {
    let execution = system.execution();
    let number = |proc: ProcId| i64::from(execution.proc(proc).pid.id);
    let uids = uids(execution);
    let mut entries = BTreeMap::new();
    let own = |proc: &ProcId| !execution.proc(*proc).is_system && cut.is_spawned(execution, *proc);
    for proc in execution.ids().filter(own) {
        let p = execution.proc(proc);
        let mut done = vec![];
        for i in 0..p.actions_at(cut.place(proc).steps) {
            let spawned = children(execution, proc, i).into_iter();
            done.extend(spawned.map(|child| LogEntry::Spawn(number(child))));
            let sent = messages(execution, proc, i).into_iter();
            done.extend(sent.filter_map(|id| uids.get(&id).copied()).map(LogEntry::Send));
            if let ActionKind::Receive(id) = p.actions[i].what() {
                done.extend(uids.get(&id).copied().map(LogEntry::Receive));
            }
        }
        entries.insert(number(proc), done);
    }
    let is_whole = system.is_over() && *cut == Cut::end(execution);
    let extent = if is_whole { Extent::Whole } else { Extent::Prefix };
    CauderLog { call: call.into(), result, extent, main: number(system.main), entries }
}

/// A number for each message, in the order in which they were sent.
fn uids(execution: &Execution) -> HashMap<SignalId, i64> {
    let mut sent: Vec<(u32, SignalId)> = vec![];
    for proc in execution.ids() {
        for (i, action) in execution.proc(proc).actions.iter().enumerate() {
            sent.extend(messages(execution, proc, i).into_iter().map(|id| (action.order, id)));
        }
    }
    sent.sort_by_key(|(order, id)| (*order, id.k));
    sent.into_iter().enumerate().map(|(uid, (_, id))| (id, uid as i64)).collect()
}

/// `m:f(A, B)` as `{m,f,[A, B]}`.
fn as_tuple(call: &str) -> String {
    let parts = call.split_once(':').and_then(|(module, rest)| {
        let (function, args) = rest.split_once('(')?;
        Some((module, function, args.strip_suffix(')')?))
    });
    match parts {
        Some((module, function, args)) => format!("{{{module},{function},[{args}]}}"),
        None => call.to_string(),
    }
}

impl CauderLog {
    /// The files of the log: name and contents.
    pub fn files(&self) -> Vec<(String, String)> {
        let (value, tracing) = match (&self.result, self.extent) {
            (Some(value), Extent::Whole) => (format!("{{value,{value}}}"), "success"),
            (None, Extent::Whole) => ("none".into(), "success"),
            (_, Extent::Prefix) => ("none".into(), "timeout"),
        };
        let call = as_tuple(&self.call);
        let main = self.main;
        let result = format!(
            "{{call,{call}}}.\n{{node,nonode@nohost}}.\n{{pid,{main}}}.\n{{return,{value}}}.\n\
             {{tracing,{tracing}}}.\n"
        );
        let mut files = vec![("trace_result.log".to_string(), result)];
        for (pid, entries) in &self.entries {
            let mut text = String::new();
            for entry in entries {
                // Writing to a string does not fail.
                let _ = match entry {
                    LogEntry::Spawn(child) => {
                        writeln!(text, "{{trace_spawn,nonode@nohost,{child},true}}.")
                    }
                    LogEntry::Send(uid) => writeln!(text, "{{trace_send,{uid}}}."),
                    LogEntry::Receive(uid) => writeln!(text, "{{trace_receive,{uid}}}."),
                };
            }
            files.push((format!("trace_{pid}.log"), text));
        }
        files
    }
}
