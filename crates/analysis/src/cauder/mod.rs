//! Logs of CauDEr's tracer: a directory with `trace_result.log` and a `trace_N.log` for each
//! process. They are read, followed by the program, and written.
//!
//! Both forms are read: terms such as `{trace_send,7}.` in the files of the processes, and the
//! older lines `{71,send,7}`, whose result file has `call "m:f()"` and `main_pid 71`. A log that was
//! cut off is a prefix: the program stops where it stops.

mod export;
mod follow;

pub use export::export;
pub use follow::follow;

use reverl_lang::ast::{Expr, ExprKind, Integer};
use reverl_lang::parser::parse_term;
use reverl_lang::source::FileId;
use std::collections::{BTreeMap, HashSet};

/// What a log directory says.
#[derive(Clone, Debug)]
pub struct CauderLog {
    /// The call that was traced, as text.
    pub call: String,
    /// The value of the call, as text, if it was recorded.
    pub result: Option<String>,
    /// Whether that is all.
    pub extent: Extent,
    /// The number of the first process.
    pub main: i64,
    /// What each traced process did.
    pub entries: BTreeMap<i64, Vec<LogEntry>>,
}

/// How much of an execution a log has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// It was cut off: what came after is not known.
    Prefix,
}

/// What a traced process did, in order. Processes and messages are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// It spawned this process.
    Spawn(i64),
    /// It sent this message.
    Send(i64),
    /// It received this message.
    Receive(i64),
}

/// Reads a log from the texts of its files: name and contents.
pub fn import(files: &[(String, String)]) -> Result<CauderLog, String> {
    let result = files.iter().find(|(name, _)| name == "trace_result.log");
    let (_, result) = result.ok_or("there is no trace_result.log")?;
    let mut log = result_file(result)?;
    for (name, text) in files {
        let number = name.strip_prefix("trace_").and_then(|n| n.strip_suffix(".log"));
        if let Some(pid) = number.and_then(|n| n.parse().ok()) {
            let (entries, extent) = process_file(text).map_err(|why| format!("{name}: {why}"))?;
            log.entries.insert(pid, entries);
            if extent == Extent::Prefix {
                log.extent = Extent::Prefix;
            }
        }
    }
    cut_unsent(&mut log)?;
    Ok(log)
}

/// Of a prefix, what comes from a receive on whose message was not yet sent in it is left out; a
/// whole log has no such receive.
fn cut_unsent(log: &mut CauderLog) -> Result<(), String> {
    let sends = |entry: &LogEntry| match entry {
        LogEntry::Send(uid) => Some(*uid),
        _ => None,
    };
    loop {
        let sent: HashSet<i64> = log.entries.values().flatten().filter_map(sends).collect();
        let is_unsent = |entry: &LogEntry| match entry {
            LogEntry::Receive(uid) => !sent.contains(uid),
            _ => false,
        };
        let mut is_cut = false;
        for entries in log.entries.values_mut() {
            let Some(at) = entries.iter().position(is_unsent) else { continue };
            if let (Extent::Whole, LogEntry::Receive(uid)) = (log.extent, entries[at]) {
                return Err(format!("message {uid} was never sent"));
            }
            entries.truncate(at);
            is_cut = true;
        }
        if !is_cut {
            return Ok(());
        }
    }
}

/// The terms of a file. One that breaks off at the end of the file was not written whole.
fn terms(text: &str) -> Result<(Vec<Expr>, Extent), String> {
    let wanted = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with('%');
    let lines: Vec<&str> = text.lines().filter(wanted).collect();
    let mut terms = vec![];
    for (i, line) in lines.iter().enumerate() {
        let term = line.trim().trim_end_matches('.').trim();
        match parse_term(term, FileId(u32::MAX)) {
            Ok(term) => terms.push(term),
            Err(_) if i + 1 == lines.len() => return Ok((terms, Extent::Prefix)),
            Err(e) => return Err(format!("'{term}': {}", e.message)),
        }
    }
    Ok((terms, Extent::Whole))
}

/// The forms of a result file; a value can take several lines.
fn forms(text: &str) -> Vec<String> {
    let mut forms: Vec<String> = vec![];
    let mut is_open = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match forms.last_mut().filter(|_| is_open) {
            Some(form) => form.push_str(line.trim()),
            None => forms.push(line.trim().to_string()),
        }
        is_open = forms.last().is_some_and(|form| form.starts_with('{') && !form.ends_with("}."));
    }
    forms.iter().map(|form| form.trim_end_matches('.').trim().to_string()).collect()
}

fn result_file(text: &str) -> Result<CauderLog, String> {
    let (mut call, mut main, mut result, mut extent) = (None, None, None, None);
    for line in forms(text) {
        if let Some(rest) = line.strip_prefix("call ") {
            call = Some(rest.trim_matches('"').to_string());
        } else if let Some(rest) = line.strip_prefix("main_pid ") {
            main = rest.trim().parse().ok();
        } else if let Some(rest) = line.strip_prefix("result ") {
            result = Some(rest.to_string());
        } else if let Some(value) = line.strip_prefix("{return,{value,") {
            // Pids, references and funs cannot be read as terms: it stays text.
            result = value.strip_suffix("}}").map(|value| value.trim().to_string());
        } else if let Ok(term) = parse_term(&line, FileId(u32::MAX)) {
            match parts(&term).as_slice() {
                [tag, what] if is_atom(tag, "call") => call = Some(call_text(what)?),
                [tag, pid] if is_atom(tag, "pid") => main = integer(pid),
                [tag, how] if is_atom(tag, "tracing") => {
                    let is_whole = is_atom(how, "success");
                    extent = Some(if is_whole { Extent::Whole } else { Extent::Prefix });
                }
                _ => {}
            }
        }
    }
    let call = call.ok_or("trace_result.log names no call")?;
    let main = main.ok_or("trace_result.log names no first process")?;
    // The older form says only by a result that it is whole.
    let extent = extent.unwrap_or(Extent::Whole);
    Ok(CauderLog { call, result, extent, main, entries: BTreeMap::new() })
}

/// `{M, F, Args}` as the call it is.
fn call_text(mfa: &Expr) -> Result<String, String> {
    let [module, function, args] = parts(mfa)[..] else {
        return Err("the call in trace_result.log is not {M, F, Args}".into());
    };
    let args: Vec<String> = match &args.kind {
        ExprKind::List { elements, .. } => elements.iter().map(reverl_lang::print::expr).collect(),
        _ => vec![],
    };
    let print = reverl_lang::print::expr;
    Ok(format!("{}:{}({})", print(module), print(function), args.join(", ")))
}

fn process_file(text: &str) -> Result<(Vec<LogEntry>, Extent), String> {
    let mut entries = vec![];
    let (terms, extent) = terms(text)?;
    for term in terms {
        let all = parts(&term);
        let (kind, rest): (String, &[&Expr]) = match all.as_slice() {
            [pid, kind, rest @ ..] if integer(pid).is_some() => (atom(kind), rest),
            [kind, rest @ ..] => (atom(kind).trim_start_matches("trace_").into(), rest),
            [] => return Err("an entry that is not a tuple".into()),
        };
        let number =
            |i: usize| rest.get(i).and_then(|e| integer(e)).ok_or("an entry without its number");
        match kind.as_str() {
            // `{trace_spawn, Node, Pid, Success}`, or only the pid.
            "spawn" => entries.push(LogEntry::Spawn(number(if rest.len() > 1 { 1 } else { 0 })?)),
            "send" => entries.push(LogEntry::Send(number(0)?)),
            "receive" => entries.push(LogEntry::Receive(number(0)?)),
            // Nodes are not followed: everything runs on one.
            _ => {}
        }
    }
    Ok((entries, extent))
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
