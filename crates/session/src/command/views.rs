//! Looking: processes, variables, messages, events, source.

use super::line::Line;
use super::{Debugger, Reply, places};
use crate::describe::{self, event_json, event_line, pid, short, who};
use crate::outcome::{self, show};
use crate::session::Session;
use crate::{eval, scope, walk};
use reverl_causal::schedule::{Preference, Random, RoundRobin};
use reverl_causal::{EventRef, ProcId, SignalId, Step, What};
use reverl_machine::Watch;
use reverl_term::Atom;
use serde_json::{Value, json};

/// The state of a process at the cut, one word.
fn state_word(session: &mut Session, proc: ProcId) -> &'static str {
    let (execution, cut) = (&session.system.execution, &session.cut);
    if !cut.is_spawned(execution, proc) {
        return "unspawned";
    }
    if cut.has_exited(execution, proc) {
        return "exited";
    }
    if session.state(proc).is_waiting() { "waiting" } else { "running" }
}

/// Where a process is: what every move answers with.
pub fn here(session: &mut Session, proc: ProcId) -> Value {
    let step = session.steps_of(proc);
    let state = state_word(session, proc);
    let process = session.state(proc);
    let program = session.system.program();
    let code = &program.code;
    let at = scope::here(code, &process, step);
    let info = code.fun(code.fun_at(at.pc));
    let place = code.sources.shown_at(at.span).map(|(f, l)| format!("{f}:{l}"));
    let position = code.sources.line_col(at.span);
    let text = code.sources.get(at.span.file).and_then(|f| f.line_text(position.line));
    let expression = code
        .sources
        .get(at.span.file)
        .and_then(|f| f.text.as_ref())
        .and_then(|t| t.get(at.span.start as usize..at.span.end as usize));
    json!({
        "pid": pid(&session.system, proc),
        "step": step,
        "state": state,
        "function": describe::mfa((info.module, info.name, u32::from(info.arity))),
        "at": place,
        "source": text,
        "rule": at.next.map(|(rule, _)| format!("{rule:?}").to_lowercase()),
        "expression": expression,
    })
}

pub fn here_text(data: &Value) -> String {
    let text = |key: &str| data[key].as_str().unwrap_or_default().to_string();
    let mut line =
        format!("{}@{} {} in {}", text("pid"), data["step"], text("state"), text("function"));
    if let Some(at) = data["at"].as_str() {
        line.push_str(&format!(" ({at})"));
        let number = at.rsplit(':').next().unwrap_or_default();
        line.push_str(&format!("\n{number:>5}  {}", text("source")));
    }
    line
}

pub fn ps(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let procs: Vec<ProcId> =
        d.session.execution().ids().filter(|p| !d.session.execution().proc(*p).is_system).collect();
    let mut lines = vec![];
    let mut rows = vec![];
    for proc in procs {
        if !d.session.cut.is_spawned(d.session.execution(), proc) {
            continue;
        }
        let mut data = here(&mut d.session, proc);
        let p = d.session.execution().proc(proc);
        let mailbox = d.session.cut.mailbox(d.session.execution(), proc).len();
        let name = d.session.system.live(proc).name().map(|n| n.name().to_string());
        data["path"] = json!(&*p.path);
        data["name"] = json!(name);
        data["mailbox"] = json!(mailbox);
        data["entry"] = json!(describe::initial_call(&d.session.system, proc));
        let text = |key: &str| data[key].as_str().unwrap_or_default().to_string();
        lines.push(format!(
            "{} {:<10} {:<10} {:<12} {:<9} {:<24} {:<20} mailbox {mailbox}, step {}",
            if proc == d.session.current { "*" } else { " " },
            text("pid"),
            text("path"),
            text("name"),
            text("state"),
            text("function"),
            text("at"),
            data["step"],
        ));
        rows.push(data);
    }
    Ok(Reply::new(lines.join("\n"), json!({ "processes": rows })))
}

pub fn select(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let word = line.rest();
    let proc = places::process(&d.session, word)?;
    Ok(d.arrived(proc, None))
}

fn binding_rows(bindings: &[(Atom, reverl_term::Term)]) -> (Vec<String>, Value) {
    let lines = bindings.iter().map(|(n, v)| format!("{} = {}", n.name(), short(v))).collect();
    let data: serde_json::Map<String, Value> =
        bindings.iter().map(|(n, v)| (n.name().to_string(), json!(show(v)))).collect();
    (lines, Value::Object(data))
}

pub fn bindings(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let levels = levels(d, proc);
    let wanted = if line.has("all") { levels.len() } else { 1 };
    let mut lines = vec![];
    let mut data = vec![];
    for level in levels.iter().take(wanted) {
        let (rows, json) = binding_rows(&level.bindings);
        if wanted > 1 {
            lines.push(format!("{}:", describe::mfa((level.module, level.name, level.arity))));
        }
        lines.extend(rows);
        data.push(json);
    }
    let text = if lines.is_empty() { "no variable is bound here".into() } else { lines.join("\n") };
    let data = if line.has("all") { json!(data) } else { data.pop().unwrap_or(json!({})) };
    Ok(Reply::new(text, json!({ "bindings": data })))
}

fn levels(d: &Debugger, proc: ProcId) -> Vec<scope::Level> {
    let step = d.session.steps_of(proc);
    let process = d.session.state(proc);
    scope::levels(&d.session.system.program().code, &process, step)
}

pub fn where_(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let levels = levels(d, proc);
    let sources = &d.session.system.program().code.sources;
    let mut lines = vec![];
    let mut data = vec![];
    const MOST: usize = 100;
    for (i, level) in levels.iter().take(MOST).enumerate() {
        let at = sources.shown_at(level.span).map(|(f, l)| format!("{f}:{l}")).unwrap_or_default();
        let function = describe::mfa((level.module, level.name, level.arity));
        lines.push(format!("#{i} {function} ({at})"));
        let (rows, json) = binding_rows(&level.bindings);
        lines.extend(rows.into_iter().map(|r| format!("     {r}")));
        data.push(json!({ "function": function, "at": at, "bindings": json }));
    }
    if levels.len() > MOST {
        lines.push(format!("... and {} more calls", levels.len() - MOST));
    }
    Ok(Reply::new(lines.join("\n"), json!({ "depth": levels.len(), "calls": data })))
}

pub fn source(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let step = d.session.steps_of(proc);
    let process = d.session.state(proc);
    let program = d.session.system.program();
    let code = &program.code;
    let span = scope::here(code, &process, step).span;
    let Some(file) = code.sources.get(span.file).filter(|f| f.text.is_some()) else {
        return Err("the source of this code is not at hand (it was loaded from a .beam)".into());
    };
    let at = file.line_col(span.start).line;
    let mut lines = vec![format!("{}:{at}", file.name)];
    let mut data = vec![];
    for n in at.saturating_sub(5).max(1)..=(at + 5).min(file.line_count()) {
        let text = file.line_text(n).unwrap_or_default();
        lines.push(format!("{} {n:>4}  {text}", if n == at { ">" } else { " " }));
        data.push(json!({ "line": n, "text": text, "current": n == at }));
    }
    Ok(Reply::new(lines.join("\n"), json!({ "file": &*file.name, "lines": data })))
}

fn message_rows(d: &Debugger, ids: &[SignalId]) -> (Vec<String>, Vec<Value>) {
    let system = &d.session.system;
    let row = |id: &SignalId| {
        let signal = system.execution.signal(*id);
        let at = describe::event_place(system, places::send_event(&d.session, *id));
        let to = signal.to().map_or("nobody".into(), |to| who(system, to));
        let name = describe::signal_name(system, *id);
        let line = format!(
            "{name} {} from {} to {to}  (sent at {at})",
            short(&signal.message),
            who(system, id.from)
        );
        let data = json!({
            "id": name,
            "message": show(&signal.message),
            "from": pid(system, id.from),
            "to": signal.to().map(|to| pid(system, to)),
            "sent_at": at,
        });
        (line, data)
    };
    ids.iter().map(row).unzip()
}

pub fn mailbox(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let ids = d.session.cut.mailbox(d.session.execution(), proc);
    let (lines, data) = message_rows(d, &ids);
    let text = if lines.is_empty() { "the mailbox is empty".into() } else { lines.join("\n") };
    Ok(Reply::new(text, json!({ "messages": data })))
}

pub fn network(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let ids = d.session.cut.in_flight(d.session.execution());
    let (lines, data) = message_rows(d, &ids);
    let text = if lines.is_empty() { "nothing is on its way".into() } else { lines.join("\n") };
    Ok(Reply::new(text, json!({ "messages": data })))
}

fn event_list(d: &Debugger, events: &[EventRef], none: &str) -> Reply {
    let system = &d.session.system;
    let lines: Vec<String> = events.iter().map(|e| event_line(system, *e)).collect();
    let data: Vec<Value> = events.iter().map(|e| event_json(system, *e)).collect();
    let text = if lines.is_empty() { none.to_string() } else { lines.join("\n") };
    Reply::new(text, json!({ "events": data }))
}

pub fn history(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let events: Vec<EventRef> =
        d.session.events_in_cut().into_iter().filter(|e| e.proc == proc).collect();
    Ok(event_list(d, &events, "it has done nothing yet"))
}

pub fn log(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.viewed(line)?;
    let execution = d.session.execution();
    let cut = &d.session.cut;
    let later = |e: &EventRef| e.proc == proc && !cut.contains(execution, *e);
    let events: Vec<EventRef> = execution.events().filter(later).collect();
    Ok(event_list(d, &events, "nothing more is known of it: 'step' lets it run on"))
}

pub fn trace(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let events = d.session.events_in_cut();
    let n = line.number().unwrap_or(50) as usize;
    let last = &events[events.len().saturating_sub(n)..];
    Ok(event_list(d, last, "nothing has happened yet"))
}

pub fn events(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let args: Vec<String> = line.args().iter().map(|w| w.to_string()).collect();
    let most = line.number().unwrap_or(50) as usize;
    let wanted = args.iter().find(|w| w.parse::<u64>().is_err());
    let system = &d.session.system;
    let proc = wanted.and_then(|w| places::process(&d.session, w).ok());
    let fits = |e: &EventRef| match wanted {
        None => true,
        Some(w) => {
            proc == Some(e.proc)
                || describe::kind(system, *e) == w
                || (proc.is_none() && event_line(system, *e).contains(w.as_str()))
        }
    };
    let all: Vec<EventRef> = system.execution.events().filter(|e| fits(e)).collect();
    let mut reply = event_list(d, &all[..all.len().min(most)], "no event fits");
    if all.len() > most {
        reply.text.push_str(&format!("\n... and {} more", all.len() - most));
    }
    reply.data["count"] = json!(all.len());
    Ok(reply)
}

pub fn roll_log(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let events = d.session.roll_log.clone();
    Ok(event_list(d, &events, "nothing was undone"))
}

pub fn enabled(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let session = &d.session;
    let system = &session.system;
    let mut lines = vec![];
    let mut data = vec![];
    if session.is_at_end() {
        for step in system.enabled() {
            match step {
                Step::Run { proc, .. } => {
                    lines.push(format!("{} can run", who(system, proc)));
                    data.push(json!({ "run": pid(system, proc) }));
                }
                Step::Deliver { signal, to } => {
                    let from = signal.from;
                    lines.push(format!(
                        "a signal from {} can arrive at {}",
                        who(system, from),
                        who(system, to)
                    ));
                    data.push(
                        json!({ "deliver": { "from": pid(system, from), "to": pid(system, to) } }),
                    );
                }
                _ => {}
            }
        }
    } else {
        for proc in system.execution.ids() {
            if session.cut.is_spawned(&system.execution, proc)
                && session.steps_of(proc) < system.execution.proc(proc).steps
            {
                lines.push(format!("{} can go on as it did", who(system, proc)));
                data.push(json!({ "replay": pid(system, proc) }));
            }
        }
    }
    let text = if lines.is_empty() { "nothing can happen".into() } else { lines.join("\n") };
    Ok(Reply::new(text, json!({ "enabled": data })))
}

pub fn problems(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let system = &d.session.system;
    let mut lines = vec![];
    let mut data = vec![];
    for proc in system.execution.ids().filter(|p| !system.execution.proc(*p).is_system) {
        let p = system.execution.proc(proc);
        let at = outcome::place(system, proc);
        let told = outcome::place_in_words(system, proc);
        match (outcome::status(system, proc), p.exit()) {
            (outcome::Status::Blocked, _) => {
                lines.push(format!("blocked: {} in the receive at {told}", who(system, proc)));
                data.push(json!({ "kind": "blocked", "pid": pid(system, proc), "at": at }));
            }
            (_, Some(exit)) if !outcome::is_normal(&exit.reason) => {
                lines.push(format!(
                    "crashed: {} at {told}: {}",
                    who(system, proc),
                    short(&outcome::short_reason(&exit.reason))
                ));
                data.push(json!({ "kind": "crashed", "pid": pid(system, proc), "at": at, "reason": show(&exit.reason) }));
            }
            _ => {}
        }
    }
    let (lost, orphans) = outcome::unreceived(system);
    for (kind, list) in [("lost", &lost), ("orphan", &orphans)] {
        let ids: Vec<SignalId> = list.iter().map(|u| u.signal).collect();
        let (rows, json) = message_rows(d, &ids);
        lines.extend(rows.into_iter().map(|r| format!("{kind}: {r}")));
        data.extend(json.into_iter().map(|mut j| {
            j["kind"] = json!(kind);
            j
        }));
    }
    let text = if lines.is_empty() { "no problems".into() } else { lines.join("\n") };
    Ok(Reply::new(text, json!({ "problems": data })))
}

pub fn output(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let system = &d.session.system;
    let mut text = String::new();
    let mut data = vec![];
    for event in system.execution.events() {
        if let Some(out) = outcome::output_of(system, event) {
            let undone = !d.session.cut.contains(&system.execution, event);
            for line in out.split_inclusive('\n') {
                text.push_str(if undone { "[undone] " } else { "" });
                text.push_str(line);
            }
            data.push(json!({ "pid": pid(system, event.proc), "text": out, "undone": undone }));
        }
    }
    Ok(Reply::new(text.trim_end_matches('\n'), json!({ "output": data })))
}

pub fn print(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let proc = d.session.current;
    let step = d.session.steps_of(proc);
    let process = d.session.state(proc);
    let program = d.session.system.program();
    let code = &program.code;
    let module = code.fun(code.fun_at(process.pc())).module;
    let done = step.saturating_sub(process.steps()) as u8;
    let bound = scope::bindings(code, process.pc(), done, process.registers());
    let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
    drop(program);
    let system = &d.session.system;
    let compiled = eval::compile(system.world(), line.rest(), &names, Some(module));
    let value = compiled
        .and_then(|c| eval::evaluate(system, &c, values, process.local.clone()))
        .map_err(|e| e.text())?;
    let text = reverl_term::fmt::format_string("~tp", std::slice::from_ref(&value));
    Ok(Reply::new(text.unwrap_or_else(|_| show(&value)), json!({ "value": show(&value) })))
}

pub fn why(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let args = line.args();
    let [name] = args.as_slice() else { return Err("say of which variable: why X".into()) };
    let proc = d.session.current;
    let step = d.session.steps_of(proc);
    let process = d.session.state(proc);
    let world = d.session.system.world().clone();
    let program = world.program();
    let code = &program.code;
    let done = step.saturating_sub(process.steps()) as u8;
    let bound = scope::bindings(code, process.pc(), done, process.registers());
    let name = Atom::new(name);
    let Some((_, value)) = bound.into_iter().find(|(n, _)| *n == name) else {
        return Err(format!("{} is not bound here; 'bindings' shows what is", name.name()));
    };
    let fun = code.fun_at(process.pc());
    let mut watch = Watch::default();
    for var in code.fun(fun).vars.iter().filter(|v| v.name == name) {
        watch.insert(var.start);
    }
    let depth = process.depth();
    let hit = d.session.last_hit(proc, &watch, &mut |_, _, p| p.depth() == depth);
    let bound_at = hit.unwrap_or(step);
    let state = d.session.system.state_at(proc, bound_at);
    let place = walk::place_of(&d.session.system.program().code, &state, bound_at);
    let at = place.line.map(|(f, l)| format!("{f}:{l}")).unwrap_or_default();
    let mut text = format!(
        "{} = {}\nbound at {at} ({}@{bound_at})",
        name.name(),
        short(&value),
        pid(&d.session.system, proc)
    );
    let mut data =
        json!({ "variable": name.name(), "value": show(&value), "at": at, "step": bound_at });
    // A receive is the last thing that happened before a variable of its pattern is bound.
    let execution = d.session.execution();
    let actions = execution.proc(proc).actions_at(bound_at + 1);
    let last = actions.checked_sub(1).map(|i| &execution.proc(proc).actions[i]);
    if let Some(action) = last.filter(|a| a.step + 1 >= bound_at) {
        if let What::Receive(id) = action.what() {
            let sent = places::send_event(&d.session, id);
            let system = &d.session.system;
            text.push_str(&format!("\nfrom message {}", event_line(system, sent)));
            data["message"] = event_json(system, sent);
        }
    }
    Ok(Reply::new(text, data))
}

pub fn branches(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let current = d.session.branch_name().to_string();
    let count = d.session.execution().event_count();
    let mut lines = vec![format!("* {current}: {count} events")];
    let mut data = vec![json!({ "name": current, "events": count, "current": true })];
    for b in d.session.other_branches() {
        let count = b.execution().event_count();
        lines.push(format!("  {}: {count} events", b.name));
        data.push(json!({ "name": b.name, "events": count, "current": false }));
    }
    Ok(Reply::new(lines.join("\n"), json!({ "branches": data })))
}

pub fn switch(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let name = line.rest().to_string();
    let proc = d.session.current;
    d.session.switch_branch(&name).map_err(|r| d.refused(&r, proc))?;
    let proc = d.session.current;
    Ok(d.arrived(proc, Some(format!("on branch {name}"))))
}

pub fn set(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let args = line.args();
    match args.as_slice() {
        ["schedule", name, rest @ ..] => {
            let seed = rest.first().and_then(|s| s.parse().ok()).unwrap_or(0);
            let random = |p, instant| Box::new(Random::new(seed, p, instant));
            match *name {
                "round-robin" | "first-come" => d.session.set_schedule(Box::new(RoundRobin)),
                "random" => d.session.set_schedule(random(Preference::None, true)),
                "random-delivery" => d.session.set_schedule(random(Preference::None, false)),
                "processes-first" => d.session.set_schedule(random(Preference::Processes, false)),
                "deliveries-first" => d.session.set_schedule(random(Preference::Deliveries, false)),
                other => {
                    return Err(format!(
                        "there is no schedule '{other}'; choose round-robin, random, random-delivery, processes-first or deliveries-first"
                    ));
                }
            }
        }
        ["delivery", how @ ("manual" | "instant")] => {
            d.manual_delivery = *how == "manual";
            d.session.set_manual_delivery(d.manual_delivery);
        }
        _ => return Err("set schedule NAME [SEED], or set delivery instant|manual".into()),
    }
    Ok(Reply::new("ok", json!({ "ok": true })))
}

pub fn save(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let path = line.args().first().map(|w| w.to_string()).ok_or("say where: save FILE.reverl")?;
    d.host.save(&d.session, &path)?;
    let events = d.session.execution().event_count();
    Ok(Reply::new(
        format!("{events} events saved to {path}"),
        json!({ "file": path, "events": events }),
    ))
}

pub fn load(d: &mut Debugger, line: &Line) -> Result<Reply, String> {
    let path = line.args().first().map(|w| w.to_string()).ok_or("say which: load FILE.reverl")?;
    let session = d.host.open(&path)?;
    Ok(begin(d, session, format!("loaded {path}")))
}

pub fn restart(d: &mut Debugger, _: &Line) -> Result<Reply, String> {
    let session = d.host.fresh()?;
    Ok(begin(d, session, "a fresh execution".into()))
}

fn begin(d: &mut Debugger, session: Session, note: String) -> Reply {
    d.session = session;
    d.session.set_manual_delivery(d.manual_delivery);
    // Breakpoints name places in code, and the code was loaded anew.
    for breakpoint in std::mem::take(&mut d.breakpoints) {
        let again = d.command(&format!("break {}", breakpoint.text));
        if let (Ok(_), Some(last)) = (again, d.breakpoints.last_mut()) {
            last.id = breakpoint.id;
        }
    }
    d.shown_events = d.session.execution().event_count();
    let current = d.session.current;
    d.arrived(current, Some(note))
}

impl Debugger {
    /// Output that came since the last call, for a face that shows it as it happens.
    pub fn new_output(&mut self) -> String {
        let execution = self.session.execution();
        let seen = self.shown_events.min(execution.event_count());
        let new = (seen..execution.event_count()).filter_map(|i| execution.event(i));
        let text: Vec<&str> =
            new.filter_map(|e| outcome::output_of(&self.session.system, e)).collect();
        let text = text.concat();
        self.shown_events = execution.event_count();
        text
    }

    /// Names that can be typed here: processes, messages, functions, variables.
    pub fn completions(&mut self) -> Vec<String> {
        let mut names = vec![];
        let system = &self.session.system;
        for proc in system.execution.ids() {
            names.push(pid(system, proc));
            names.extend(system.live(proc).name().map(|n| n.name().to_string()));
            let signals = system.execution.proc(proc).signals.len().min(100) as u32;
            names.extend(
                (0..signals).map(|k| describe::signal_name(system, SignalId { from: proc, k })),
            );
        }
        let program = system.program();
        let own = program.code.funs.iter().filter(|f| !f.name.name().starts_with('-'));
        names.extend(own.map(|f| describe::mfa((f.module, f.name, u32::from(f.arity)))));
        let current = self.session.current;
        for level in levels(self, current) {
            names.extend(level.bindings.iter().map(|(n, _)| n.name().to_string()));
        }
        names
    }

    /// The first line of a session: where it begins.
    pub fn greeting(&mut self) -> Reply {
        let main = self.session.system.main;
        self.arrived(main, None)
    }
}
