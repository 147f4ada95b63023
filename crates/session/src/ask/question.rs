//! Questions in words (paper 003, sections 3.5 and 4.3): what a computation was, and the aspects
//! of it that can be wrong, in the order in which to look at them.

use super::facts::{CameTo, Facts, Receive};
use crate::describe;
use reverl_analysis::declare::{Kind, Node};
use reverl_causal::execution::SignalKind;
use reverl_causal::{ProcId, SignalId, System};
use reverl_lang::code::{FunId, FunKind};
use reverl_lang::source::Span;
use reverl_term::{Atom, Term, fmt};
use serde::Serialize;
use ts_rs::TS;

/// What an option says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The receive that a transition began with: what it had or took.
    PreviousReceive,
    Context,
    Received,
    Consumed,
    /// A receive that waits should have taken a message.
    Waits,
    /// What it came to: a value, an exception, another receive.
    Result,
    Sent,
    Created,
    /// Nothing: it is right.
    Nothing,
    /// One of several: a message, a process, a variable, by its place in the list.
    Item(usize),
    /// None of the list: one more was expected.
    Missing,
}

/// One of the answers that a question offers.
pub struct Choice {
    pub aspect: Aspect,
    pub text: String,
}

/// A question with the code and values it is about.
pub struct Question {
    pub head: String,
    pub prompt: &'static str,
    pub options: Vec<Choice>,
    /// The whole of it as one sentence.
    pub sentence: String,
    /// `file:line` of what it is about.
    pub at: String,
    pub pid: String,
    /// When the computation began that it is about.
    pub moment: (ProcId, u64),
}

impl Question {
    /// The question as every face shows it.
    pub fn row(&self) -> QuestionRow {
        QuestionRow {
            question: self.head.clone(),
            prompt: self.prompt.to_string(),
            sentence: self.sentence.clone(),
            options: self.options.iter().map(|o| o.text.clone()).collect(),
            right: self.options.iter().position(|o| o.aspect == Aspect::Nothing).map(|i| i + 1),
            at: self.at.clone(),
            pid: self.pid.clone(),
            proc: self.moment.0.0,
            step: self.moment.1,
        }
    }
}

/// A question as a face shows it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct QuestionRow {
    pub question: String,
    pub prompt: String,
    /// The whole of it as one sentence, to be answered with right or wrong.
    pub sentence: String,
    pub options: Vec<String>,
    /// The option, from 1, that says that nothing is wrong.
    pub right: Option<usize>,
    pub at: String,
    pub pid: String,
    /// The process and the step at which the computation began that it is about.
    pub proc: u32,
    pub step: u64,
}

/// `file:line`
pub fn place(system: &System, span: Span) -> String {
    let shown = system.program().code.sources.shown_at(span);
    shown.map_or(String::new(), |(file, line)| format!("{file}:{line}"))
}

/// A value for people: on one line, folded where it is long.
pub fn value(term: &Term) -> String {
    const MOST: usize = 400;
    let text = fmt::write(term);
    let length = text.chars().count();
    if length <= MOST {
        return text;
    }
    let kept: String = text.chars().take(MOST).collect();
    format!("{kept}... ({} more characters)", length - MOST)
}

/// `m:f/a`, or which fun of it.
pub fn function_name(system: &System, fun: FunId) -> String {
    let program = system.program();
    let info = program.code.fun(fun);
    let held = match info.kind {
        FunKind::Closure { env, .. } => env,
        _ => 0,
    };
    describe::mfa((info.module, info.name, u32::from(info.arity - held)))
}

/// The call as it would be typed.
pub fn call(system: &System, fun: FunId, args: &[Term]) -> String {
    let program = system.program();
    let info = program.code.fun(fun);
    let args: Vec<String> = args.iter().map(value).collect();
    let args = args.join(", ");
    match info.kind {
        FunKind::Closure { .. } => format!("the fun at {}({args})", place(system, info.span)),
        _ => {
            let atom = |a: Atom| fmt::write(&Term::atom(a));
            format!("{}:{}({args})", atom(info.module), atom(info.name))
        }
    }
}

/// The text of an expression, its lines moved to the left.
pub fn source(system: &System, span: Span) -> Vec<String> {
    let program = system.program();
    let Some(file) = program.code.sources.get(span.file) else { return vec![] };
    let Some(text) = file.text.as_ref().and_then(|t| t.get(span.start as usize..span.end as usize))
    else {
        return vec![];
    };
    let start = file.line_col(span.start).column as usize - 1;
    let cut = |(i, line): (usize, &str)| {
        let blank = line.len() - line.trim_start().len();
        if i == 0 { line.to_string() } else { line[blank.min(start)..].to_string() }
    };
    text.lines().enumerate().map(cut).collect()
}

/// A message in words: its number, value and sender.
pub fn message(system: &System, id: SignalId) -> String {
    let signal = system.execution().signal(id);
    let from = match system.execution().kind(id) {
        SignalKind::Timer => "a timer".to_string(),
        _ => describe::pid(system, id.from),
    };
    let to = signal.to().map_or("nobody".into(), |to| describe::pid(system, to));
    format!("{} (from {from} to {to})", value(&signal.message))
}

/// A process by its pid and first call.
pub fn process(system: &System, proc: ProcId) -> String {
    let entry = system.execution().proc(proc).entry.mfa();
    format!("{} {}", describe::pid(system, proc), describe::mfa(entry))
}

/// How a call ended, in words.
pub fn came_to(system: &System, came_to: &CameTo) -> String {
    match came_to {
        CameTo::Value(v) => format!("Evaluated to value: {}", value(v)),
        CameTo::Raised(class, reason) => {
            format!("Raised the exception {}: {}", class.atom().name(), value(reason))
        }
        CameTo::Receive(span) => {
            format!("Reached the receive at {}:{}", place(system, *span), indented(system, *span))
        }
        CameTo::Blocked(span) => format!("Waits for ever at {}", place(system, *span)),
        CameTo::Killed(reason) => format!("Was ended by the exit signal {}", value(reason)),
        CameTo::Running => "Still runs when the execution stops".into(),
    }
}

fn indented(system: &System, span: Span) -> String {
    source(system, span).iter().map(|line| format!("\n       {line}")).collect()
}

fn list<T>(title: &str, none: &str, items: &[T], show: impl Fn(&T) -> String) -> String {
    if items.is_empty() {
        return none.into();
    }
    let lines: String = items.iter().map(|item| format!("\n       {}", show(item))).collect();
    format!("{title}:{lines}")
}

/// Where a message was received, in words.
pub fn context(r: &Receive) -> String {
    list("Context", "Context: no variables", &r.context, |(name, v)| {
        format!("{} = {}", name.name(), value(v))
    })
}

/// What was received, in words.
pub fn received(system: &System, r: &Receive) -> String {
    list("Received messages", "No messages received", &r.mailbox, |id| message(system, *id))
}

fn consumed(system: &System, r: &Receive) -> String {
    match r.consumed {
        Some(id) => format!("Consumed message:\n       {}", message(system, id)),
        None => "Consumed no message: timed out".into(),
    }
}

fn sent(system: &System, facts: &Facts) -> String {
    list("Sent messages", "No sent messages", &facts.sent, |id| message(system, *id))
}

fn created(system: &System, facts: &Facts) -> String {
    list("Created processes", "No created processes", &facts.spawned, |p| process(system, *p))
}

/// The first question about a computation.
pub fn about(system: &System, node: &Node, facts: &Facts) -> Question {
    let pid = describe::who(system, node.proc);
    let option = |aspect, text: String| Choice { aspect, text };
    let results = |options: &mut Vec<Choice>| {
        options.push(option(Aspect::Result, came_to(system, &facts.came_to)));
        options.push(option(Aspect::Sent, sent(system, facts)));
        options.push(option(Aspect::Created, created(system, facts)));
        options.push(option(Aspect::Nothing, "Nothing".into()));
    };
    let mut options = vec![];
    let (head, at) = match (node.kind, &facts.receive) {
        (Kind::Receive | Kind::Blocked, Some(r)) => {
            let did = if node.kind == Kind::Receive { "evaluated" } else { "waits for ever in" };
            let at = place(system, r.span);
            // Where there are no variables, none can be wrong.
            if !r.context.is_empty() {
                options.push(option(Aspect::Context, context(r)));
            }
            options.push(option(Aspect::Received, received(system, r)));
            if node.kind == Kind::Receive {
                options.push(option(Aspect::Consumed, consumed(system, r)));
                results(&mut options);
            } else {
                options.push(option(Aspect::Waits, "It takes none of them".into()));
                options.push(option(Aspect::Nothing, "Nothing: it should wait".into()));
            }
            let text: String = source(system, r.span).iter().map(|l| format!("{l}\n")).collect();
            (format!("Process {pid} {did}\n{text}in {at}"), at)
        }
        (_, receive) => {
            if let Some(r) = receive {
                let parts = [
                    format!("Previous evaluated receive at {}:", place(system, r.span)),
                    indented(system, r.span).trim_start_matches('\n').to_string(),
                    format!("     {}", context(r)),
                    format!("     {}", received(system, r)),
                    format!("     {}", consumed(system, r)),
                ];
                options.push(option(Aspect::PreviousReceive, parts.join("\n")));
            }
            results(&mut options);
            let called = call(system, node.fun, &facts.args);
            let at = place(system, system.program().code.fun(node.fun).span);
            (format!("Process {pid} called\n  {called}\nin {at}"), at)
        }
    };
    let sentence = sentence(system, node, facts, &pid);
    let moment = (node.proc, node.from);
    Question { head, prompt: "What is wrong?", options, sentence, at, pid, moment }
}

/// How a call ended, within a sentence.
fn ended(system: &System, came_to: &CameTo) -> String {
    match came_to {
        CameTo::Value(v) => format!("came to {}", value(v)),
        CameTo::Raised(class, reason) => {
            format!("raised {} {}", class.atom().name(), value(reason))
        }
        CameTo::Receive(span) => format!("reached the receive at {}", place(system, *span)),
        CameTo::Blocked(span) => format!("waits for ever at {}", place(system, *span)),
        CameTo::Killed(reason) => format!("was ended by the exit signal {}", value(reason)),
        CameTo::Running => "still runs when the execution stops".into(),
    }
}

/// `a`, `a and b`, `a, b and c`
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A computation as one question that can be answered with right or wrong.
fn sentence(system: &System, node: &Node, facts: &Facts, pid: &str) -> String {
    let message = |id: &SignalId| value(&system.execution().signal(*id).message);
    let mut deeds = vec![];
    if !facts.sent.is_empty() {
        deeds.push(format!("sent {}", listed(&facts.sent.iter().map(message).collect::<Vec<_>>())));
    }
    if !facts.spawned.is_empty() {
        let spawned: Vec<String> = facts.spawned.iter().map(|p| process(system, *p)).collect();
        deeds.push(format!("started {}", listed(&spawned)));
    }
    deeds.push(ended(system, &facts.came_to));
    let did = listed(&deeds);
    match (node.kind, &facts.receive) {
        (Kind::Blocked, Some(r)) => {
            let here: Vec<String> = r.mailbox.iter().map(message).collect();
            let has = if here.is_empty() { "nothing".into() } else { listed(&here) };
            format!(
                "Should {pid} wait for ever at {}, with {has} in its mailbox?",
                place(system, r.span)
            )
        }
        (Kind::Receive, Some(r)) => match &r.consumed {
            Some(id) => format!(
                "Is it right that {pid} took {} at {}, and then {did}?",
                message(id),
                place(system, r.span)
            ),
            None => format!(
                "Is it right that {pid} took no message at {} but timed out, and then {did}?",
                place(system, r.span)
            ),
        },
        (Kind::Transition, Some(r)) => {
            let took = r.consumed.as_ref().map_or("a time-out".into(), message);
            let called = call(system, node.fun, &facts.args);
            format!("Is it right that {called}, going on with {took}, {did}?")
        }
        _ => {
            let called = call(system, node.fun, &facts.args);
            format!("Is it right that {called} {did}?")
        }
    }
}

/// Which of several; `more` if one can also be missing.
pub fn which(
    system: &System,
    node: &Node,
    head: &str,
    items: Vec<String>,
    missing: Option<&str>,
) -> Question {
    let item = |(i, text)| Choice { aspect: Aspect::Item(i), text };
    let mut options: Vec<Choice> = items.into_iter().enumerate().map(item).collect();
    let missing = missing.map(|text| Choice { aspect: Aspect::Missing, text: text.into() });
    options.extend(missing);
    let span = system.program().code.fun(node.fun).span;
    Question {
        head: head.into(),
        prompt: "Which one is not expected?",
        sentence: format!("{head}: which one is not expected?"),
        options,
        at: place(system, span),
        pid: describe::who(system, node.proc),
        moment: (node.proc, node.from),
    }
}
