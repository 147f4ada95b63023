//! Logs that CauDEr's tracer wrote: a directory with `trace_result.log` and a `trace_N.log` for
//! each process.
//!
//! Both forms are read: terms such as `{trace_send,7}.` in the files of the processes, and the
//! older lines `{71,send,7}`, whose result file has `call "m:f()"` and `main_pid 71`.

use crate::observation::{MessageName, Observation, ObservationLog, ProcName};
use reverl_lang::ast::{Expr, ExprKind, Integer};
use reverl_lang::parser::parse_term;
use reverl_lang::source::FileId;
use std::collections::HashMap;

/// What a log directory says.
pub struct Imported {
    /// The call that was traced, as text.
    pub call: String,
    /// What was observed.
    pub log: ObservationLog,
    /// The value of the call, as text, if it was recorded.
    pub result: Option<String>,
}

/// What one traced process did, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Spawn(i64),
    Send(i64),
    Receive(i64),
}

/// Reads a log from the texts of its files: name and contents.
pub fn import(files: &[(String, String)]) -> Result<Imported, String> {
    let result = files.iter().find(|(name, _)| name == "trace_result.log");
    let (_, result) = result.ok_or("there is no trace_result.log")?;
    let (call, main, value) = result_file(result)?;
    let mut entries: HashMap<i64, Vec<Entry>> = HashMap::new();
    for (name, text) in files {
        let number = name.strip_prefix("trace_").and_then(|n| n.strip_suffix(".log"));
        if let Some(pid) = number.and_then(|n| n.parse().ok()) {
            entries.insert(pid, process_file(text).map_err(|why| format!("{name}: {why}"))?);
        }
    }
    let names = paths(main, &entries);
    let mut sent: HashMap<i64, MessageName> = HashMap::new();
    for (pid, list) in &entries {
        let Some(from) = names.get(pid) else { continue };
        let sends = list.iter().filter_map(|e| match e {
            Entry::Send(uid) => Some(*uid),
            _ => None,
        });
        for (k, uid) in sends.enumerate() {
            sent.insert(uid, MessageName { from: *from, k: k as u32 });
        }
    }
    let mut log = ObservationLog::default();
    for (pid, list) in &entries {
        let Some(name) = names.get(pid) else { continue };
        let mut taken = vec![];
        for entry in list {
            if let Entry::Receive(uid) = entry {
                let message = sent.get(uid).ok_or(format!("message {uid} was never sent"))?;
                taken.push(Observation::Message(*message));
            }
        }
        if !taken.is_empty() {
            log.0.insert(*name, taken);
        }
    }
    Ok(Imported { call, log, result: value })
}

/// The spawn path of each traced process.
fn paths(main: i64, entries: &HashMap<i64, Vec<Entry>>) -> HashMap<i64, ProcName> {
    let mut names = HashMap::new();
    let mut work = vec![(main, "P".to_string())];
    while let Some((pid, path)) = work.pop() {
        names.insert(pid, ProcName::of_path(&path));
        let children = entries.get(&pid).into_iter().flatten().filter_map(|e| match e {
            Entry::Spawn(child) => Some(*child),
            _ => None,
        });
        for (k, child) in children.enumerate() {
            work.push((child, format!("{path}.{}", k + 1)));
        }
    }
    names
}

fn terms(text: &str) -> Result<Vec<Expr>, String> {
    let lines = text.lines().map(|l| l.trim().trim_end_matches('.').trim());
    let wanted = lines.filter(|l| !l.is_empty() && !l.starts_with('%'));
    let term = |line: &str| {
        parse_term(line, FileId(u32::MAX)).map_err(|e| format!("'{line}': {}", e.message))
    };
    wanted.map(term).collect()
}

fn result_file(text: &str) -> Result<(String, i64, Option<String>), String> {
    let (mut call, mut main, mut value) = (None, None, None);
    for line in text.lines().map(|l| l.trim().trim_end_matches('.').trim()) {
        if let Some(rest) = line.strip_prefix("call ") {
            call = Some(rest.trim_matches('"').to_string());
        } else if let Some(rest) = line.strip_prefix("main_pid ") {
            main = rest.trim().parse().ok();
        } else if let Some(rest) = line.strip_prefix("result ") {
            value = Some(rest.to_string());
        } else if let Some(term) = terms(line)?.first() {
            match parts(term).as_slice() {
                [tag, what] if is_atom(tag, "call") => call = Some(call_text(what)?),
                [tag, pid] if is_atom(tag, "pid") => main = integer(pid),
                [tag, what] if is_atom(tag, "return") => {
                    value = parts(what).get(1).map(|v| reverl_lang::print::expr(v));
                }
                _ => {}
            }
        }
    }
    let call = call.ok_or("trace_result.log names no call")?;
    let main = main.ok_or("trace_result.log names no first process")?;
    Ok((call, main, value))
}

/// `{M, F, Args}` as the call it is.
fn call_text(mfa: &Expr) -> Result<String, String> {
    let [module, function, args] = parts(mfa)[..] else {
        return Err("the call in trace_result.log is no {M, F, Args}".into());
    };
    let args: Vec<String> = match &args.kind {
        ExprKind::List { elements, .. } => elements.iter().map(reverl_lang::print::expr).collect(),
        _ => vec![],
    };
    let print = reverl_lang::print::expr;
    Ok(format!("{}:{}({})", print(module), print(function), args.join(", ")))
}

fn process_file(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries = vec![];
    for term in terms(text)? {
        let all = parts(&term);
        let (kind, rest): (String, &[&Expr]) = match all.as_slice() {
            [pid, kind, rest @ ..] if integer(pid).is_some() => (atom(kind), rest),
            [kind, rest @ ..] => (atom(kind).trim_start_matches("trace_").into(), rest),
            [] => return Err("an entry that is no tuple".into()),
        };
        let number =
            |i: usize| rest.get(i).and_then(|e| integer(e)).ok_or("an entry without its number");
        match kind.as_str() {
            // `{trace_spawn, Node, Pid, Success}`, or only the pid.
            "spawn" => entries.push(Entry::Spawn(number(if rest.len() > 1 { 1 } else { 0 })?)),
            "send" => entries.push(Entry::Send(number(0)?)),
            "receive" => entries.push(Entry::Receive(number(0)?)),
            // Nodes are not followed: everything runs on one.
            _ => {}
        }
    }
    Ok(entries)
}

fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Tuple(parts) => parts.iter().collect(),
        _ => vec![],
    }
}

fn atom(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Atom(a) => a.name().to_string(),
        _ => String::new(),
    }
}

fn is_atom(e: &Expr, name: &str) -> bool {
    atom(e) == name
}

fn integer(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Integer(Integer::Small(i)) => Some(*i),
        _ => None,
    }
}
