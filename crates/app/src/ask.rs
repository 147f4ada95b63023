//! `reverl ask`: answer a few questions, and the wrong line is named.

use crate::open::CommandLine;
use crate::program_args::ProgramArgs;
use clap::Args;
use reverl_analysis::declare::Strategy;
use reverl_causal::{EventRef, Loader, ProcId, System};
use reverl_session::ask::beginnings::{self, Beginnings};
use reverl_session::ask::judge::Judge;
use reverl_session::ask::memory::Memory;
use reverl_session::ask::oracle::Oracle;
use reverl_session::ask::specs::Specs;
use reverl_session::ask::test_cases::Tests;
use reverl_session::ask::zoom::Part;
use reverl_session::ask::{Ask, Start, UserAnswer};
use reverl_session::sequence;
use reverl_session::session::Session;
use reverl_session::text;
use serde_json::json;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// Answer questions about an execution until the wrong line is found.
#[derive(Args, Clone, Debug)]
pub struct AskArgs {
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Read the answers from this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Print one JSON object at the end: `verdict` and `questions`
    #[arg(long)]
    pub json: bool,
    /// A correct version of a module: it answers what it can
    #[arg(long, value_name = "FILE")]
    pub oracle: Vec<PathBuf>,
    /// What to ask next: suspicion, divide-and-query, top-down, process
    #[arg(long, default_value = "suspicion", value_name = "NAME")]
    pub strategy: String,
    /// Start with this process instead of asking for one
    #[arg(long, value_name = "PID")]
    pub process: Option<String>,
    /// Start with this event of the sequence diagram
    #[arg(long, value_name = "N", conflicts_with = "process")]
    pub event: Option<usize>,
    /// Remember answers in this file, and use those that are there
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Do not use `-spec`s to answer
    #[arg(long)]
    pub no_specs: bool,
    /// Do not run the tests of the modules (EUnit, Common Test, PropEr) to answer
    #[arg(long)]
    pub no_tests: bool,
    /// Stop the program after so many steps
    #[arg(long, default_value_t = 50_000_000, value_name = "N")]
    pub max_steps: u64,
}

pub fn run(args: &AskArgs) -> Result<i32, String> {
    let strategy = Strategy::named(&args.strategy).ok_or_else(|| {
        let names: Vec<&str> = Strategy::ALL.iter().map(|s| s.name()).collect();
        format!("there is no strategy '{}'; choose {}", args.strategy, names.join(", "))
    })?;
    let host = CommandLine { args: args.program.clone() };
    let mut session = host.session()?;
    let mut face = Face::new(args)?;
    face.wait("running the program");
    session.run(&mut |system| system.execution().steps() < args.max_steps);
    let start = match face.start(&session, args)? {
        Some(start) => start,
        None if args.json => {
            println!("{}", json!({ "verdict": null, "questions": [], "complete": false }));
            return Ok(1);
        }
        None => {
            return Err("nobody said where to begin; --process PID does, or --script FILE".into());
        }
    };
    face.wait(&format!("looking at {} processes", session.execution().ids().count()));
    let mut judges: Vec<Box<dyn Judge>> = vec![];
    let memory = match &args.answers {
        Some(path) => Some(Memory::open(path).map_err(|why| why.to_string())?),
        None => None,
    };
    judges.extend(memory.clone().map(|m| Box::new(m) as Box<dyn Judge>));
    if !args.no_specs {
        judges.push(Box::new(Specs::new()));
    }
    if !args.no_tests {
        judges.push(Box::new(tests(args)?));
    }
    if !args.oracle.is_empty() {
        judges.push(Box::new(oracle(args)?));
    }
    let mut ask = Ask::new(&session.system, start, strategy, judges);
    face.dialogue(&mut session, &mut ask, memory.as_ref())?;
    face.close(&mut session, &ask);
    Ok(i32::from(ask.verdict().is_none()))
}

/// The same program with the correct modules in the place of the wrong ones.
fn oracle(args: &AskArgs) -> Result<Oracle, String> {
    let mut program = args.program.clone();
    // A module that is loaded again replaces the one before: the correct ones come last.
    let recorded = |f: &&PathBuf| f.extension().is_some_and(|e| e == "reverl");
    let own = args.program.files.iter().filter(|f| !recorded(f));
    program.files = own.chain(&args.oracle).cloned().collect();
    let (program, modules, _) = program.program()?;
    let names: Vec<String> = args.oracle.iter().map(|p| p.display().to_string()).collect();
    Ok(Oracle::new(program, Box::new(modules), names.join(", ")))
}

/// What the tests of the program say.
fn tests(args: &AskArgs) -> Result<Tests, String> {
    let recorded = args.program.files.iter().any(|f| f.extension().is_some_and(|e| e == "reverl"));
    if recorded {
        return Ok(Tests::default());
    }
    Tests::run(|| {
        let (program, modules, _) = args.program.program()?;
        Ok((program, Box::new(modules) as Box<dyn Loader>))
    })
}

/// Where answers come from and questions go.
struct Face {
    json: bool,
    /// Answers that are read as if typed.
    lines: Option<std::vec::IntoIter<String>>,
    /// The part that was called wrong before a verdict was reached.
    zoomed: Option<Part>,
}

impl Face {
    fn new(args: &AskArgs) -> Result<Face, String> {
        let lines = match &args.script {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|e| format!("cannot read the script '{}': {e}", path.display()))?;
                let said = |l: &&str| !l.trim().is_empty() && !l.trim_start().starts_with('%');
                let lines: Vec<String> = text.lines().filter(said).map(str::to_string).collect();
                Some(lines.into_iter())
            }
            None => None,
        };
        Ok(Face { json: args.json, lines, zoomed: None })
    }

    fn say(&self, text: &str) {
        if !self.json {
            println!("{text}");
        }
    }

    /// Tells what takes its time, to whoever watches.
    fn wait(&self, what: &str) {
        if std::io::stderr().is_terminal() {
            eprintln!("{what} ...");
        }
    }

    /// The next answer; `None` when there are no more.
    fn read(&mut self, prompt: &str) -> Option<String> {
        match &mut self.lines {
            Some(lines) => {
                let line = lines.next()?;
                self.say(&format!("{prompt}{}", line.trim()));
                Some(line.trim().to_string())
            }
            None => {
                if !self.json && std::io::stdin().is_terminal() {
                    print!("{prompt}");
                    let _ = std::io::stdout().flush();
                }
                let mut line = String::new();
                let n = std::io::stdin().lock().read_line(&mut line).ok()?;
                (n > 0).then(|| line.trim().to_string())
            }
        }
    }

    /// Where to begin; `None` if the user gave up.
    fn start(&mut self, session: &Session, args: &AskArgs) -> Result<Option<Start>, String> {
        let system = &session.system;
        if let Some(pid) = &args.process {
            let found = beginnings::find_process(system, pid);
            let proc = found.ok_or_else(|| {
                let all = Beginnings::new(system).processes;
                let pids: Vec<String> = all.into_iter().map(|p| p.pid).take(20).collect();
                format!("there is no process '{pid}'; choose one of {}", pids.join(", "))
            })?;
            return Ok(Some(Start::Process(proc)));
        }
        let events = sequence::numbered(system);
        let event_at = |n: usize| n.checked_sub(1).and_then(|i| events.get(i).copied());
        if let Some(n) = args.event {
            let found = event_at(n).ok_or_else(|| {
                format!(
                    "there is no event {n}: there are {} ('reverl export' lists them)",
                    events.len()
                )
            })?;
            return Ok(Some(Start::Event(found)));
        }
        let asked = self.lines.is_some() || (args.oracle.is_empty() && !args.json);
        if !asked {
            return Ok(Some(Start::Anywhere));
        }
        let summary = Beginnings::new(system);
        let choices = summary.processes.len();
        self.say(&text::ask::beginnings(&summary));
        self.say(&format!("{}.- Choose an event", choices + 1));
        self.say(&format!("{}.- None", choices + 2));
        loop {
            let prompt = format!("Where did you see something wrong? [1..{}]: ", choices + 2);
            let Some(line) = self.read(&prompt) else { return Ok(None) };
            match line.parse::<usize>() {
                Ok(n) if (1..=choices).contains(&n) => {
                    let proc = ProcId(summary.processes[n - 1].proc);
                    return Ok(Some(Start::Process(proc)));
                }
                Ok(n) if n == choices + 1 => {
                    self.say(&sequence::text(system));
                    let Some(event) = self.read_event(&events) else { return Ok(None) };
                    return Ok(Some(Start::Event(event)));
                }
                Ok(n) if n == choices + 2 => return Ok(Some(Start::Anywhere)),
                _ if line == "a" => return Ok(None),
                _ => {
                    self.say(&format!("choose a number from 1 to {}, or 'a' to abort", choices + 2))
                }
            }
        }
    }

    fn read_event(&mut self, events: &[EventRef]) -> Option<EventRef> {
        loop {
            let line = self.read("Select an event from the sequence diagram: ")?;
            match line.parse::<usize>().ok().and_then(|n| events.get(n.checked_sub(1)?)) {
                Some(event) => return Some(*event),
                None => self.say(&format!("choose a number from 1 to {}", events.len())),
            }
        }
    }

    /// Questions and answers; who has contradicted themselves can take answers back.
    fn dialogue(
        &mut self,
        session: &mut Session,
        ask: &mut Ask,
        memory: Option<&Memory>,
    ) -> Result<(), String> {
        loop {
            self.questions(session, ask, memory)?;
            let Some(why) = ask.contradiction(&session.system) else { return Ok(()) };
            self.say(&format!("\n{why}"));
            match self.read("[u or u N to take answers back, a to end]: ").as_deref().map(command) {
                Some(Some(Command::Answer(answer @ UserAnswer::Undo(_)))) => {
                    let taken_back = ask.answer(&session.system, &answer);
                    taken_back.unwrap_or_else(|why| self.say(&why.to_string()));
                }
                _ => return Ok(()),
            }
        }
    }

    fn questions(
        &mut self,
        session: &mut Session,
        ask: &mut Ask,
        memory: Option<&Memory>,
    ) -> Result<(), String> {
        while let Some(question) = ask.question(&session.system) {
            self.say(&format!("\n{}", text::ask::question(&question.row())));
            let count = question.options.len();
            let prompt = format!("[1..{count}/t/d/i/z/s/c/w/r/u/h/a]: ");
            let Some(line) = self.read(&prompt) else { break };
            let answer = match command(&line) {
                Some(Command::Answer(answer)) => answer,
                Some(Command::Abort) => break,
                Some(Command::Why) => {
                    self.say(&ask.why(&session.system));
                    continue;
                }
                Some(Command::Zoom) => {
                    if let Some(part) = self.parts(&ask.zoom(&session.system)) {
                        self.zoomed = Some(part);
                        break;
                    }
                    continue;
                }
                Some(Command::Diagram) => {
                    self.say(&sequence::text(&session.system));
                    continue;
                }
                Some(Command::Answers) if ask.asked().is_empty() => {
                    self.say("nothing has been answered yet");
                    continue;
                }
                Some(Command::Answers) => {
                    for (i, a) in ask.asked().iter().enumerate() {
                        let first = a.question.lines().take(2).collect::<Vec<_>>().join(" ");
                        self.say(&format!("{}. {first} -> {} ({})", i + 1, a.answer, a.by));
                    }
                    continue;
                }
                Some(Command::Help) | None => {
                    if command(&line).is_none() {
                        self.say(&format!("'{line}' is not an answer"));
                    }
                    self.say(HELP);
                    continue;
                }
            };
            match ask.answer(&session.system, &answer) {
                Ok(()) => {
                    if let (Some(memory), Some(last)) = (memory, ask.asked().last()) {
                        memory.remember(last).map_err(|why| why.to_string())?;
                    }
                }
                Err(why) => self.say(&why.to_string()),
            }
        }
        Ok(())
    }

    fn close(&mut self, session: &mut Session, ask: &Ask) {
        if !self.json {
            self.tell(&session.system, ask);
        }
        let part = match self.zoomed.take() {
            Some(part) => Some(part),
            None => ask.verdict().and_then(|_| self.zoom(session, ask)),
        };
        if self.json {
            let (asked, verdict) = (ask.asked(), ask.verdict());
            let all = json!({
                "verdict": verdict,
                "questions": asked,
                "complete": ask.is_over(),
                "zoom": part,
            });
            println!("{all}");
        }
    }

    fn tell(&self, system: &System, ask: &Ask) {
        match ask.verdict() {
            Some(verdict) => {
                println!("\n{}", text::ask::verdict(verdict));
                for (i, a) in ask.asked().iter().enumerate() {
                    println!("  answer {}: {} ({}): {}", i + 1, a.at, a.by, a.answer);
                }
            }
            None if self.zoomed.is_some() => {}
            None if ask.is_over() => match ask.contradiction(system) {
                Some(why) => println!("\nno error was found: {why}"),
                None => println!(
                    "\nno error was found: every computation that could be asked about is right"
                ),
            },
            None => println!(
                "\naborted with {} suspects left; --answers FILE keeps your answers for the next \
                 time",
                ask.suspects()
            ),
        }
    }

    /// Inside the wrong function: which part is wrong? Only for those who want to go on.
    fn zoom(&mut self, session: &mut Session, ask: &Ask) -> Option<Part> {
        let more = match &self.lines {
            Some(lines) => lines.len() > 0,
            None => std::io::stdin().is_terminal(),
        };
        if !more {
            return None;
        }
        let parts = ask.zoom(&session.system);
        // What has one answer is not asked.
        if let [only] = parts.as_slice() {
            self.say(&format!("\nThe wrong part is at {}: {}", only.at, only.text));
            return Some(only.clone());
        }
        self.parts(&parts)
    }

    /// Which part of what a computation did is wrong, if somebody says so.
    fn parts(&mut self, parts: &[Part]) -> Option<Part> {
        if parts.is_empty() {
            self.say("there is nothing to look into here");
            return None;
        }
        self.say("\nInside it:");
        for (i, part) in parts.iter().enumerate() {
            self.say(&format!("{}. - {} ({})", i + 1, part.text, part.at));
        }
        let prompt =
            format!("Which is the first that is wrong? [1..{}, or a to stop]: ", parts.len());
        loop {
            let line = self.read(&prompt)?;
            match line.parse::<usize>().ok().and_then(|n| parts.get(n.checked_sub(1)?)) {
                Some(part) => {
                    let text = format!("The wrong part is at {}: {}", part.at, part.text);
                    self.say(&text);
                    return Some(part.clone());
                }
                None if matches!(line.as_str(), "a" | "" | "quit") => return None,
                None => self.say(&format!("choose 1 to {}", parts.len())),
            }
        }
    }
}

enum Command {
    Answer(UserAnswer),
    Zoom,
    Why,
    Diagram,
    Answers,
    Help,
    Abort,
}

const HELP: &str = "\
1, 2, ..   the first aspect that is wrong, or the last option if none is
t          trust this function: all its calls are right; tm: its module; tp: this process
d          don't know: ask about something else
i          inadmissible: it should never have been called so
s NAME     change the strategy: suspicion, divide-and-query, top-down, process
z          look inside: which clause, branch, binding or value of it is wrong?
c          show the communication diagram
w          why is this asked?
r          the answers so far
u [N]      take back the last answer, or the last N
a          abort";

fn command(line: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    Some(match (first, second) {
        ("t", None) => Command::Answer(UserAnswer::TrustFunction),
        ("tm", None) => Command::Answer(UserAnswer::TrustModule),
        ("tp", None) => Command::Answer(UserAnswer::TrustProcess),
        ("d", None) => Command::Answer(UserAnswer::DontKnow),
        ("i", None) => Command::Answer(UserAnswer::Inadmissible),
        ("s", Some(name)) => Command::Answer(UserAnswer::Strategy(Strategy::named(name)?)),
        ("u", None) => Command::Answer(UserAnswer::Undo(1)),
        ("u", Some(n)) => Command::Answer(UserAnswer::Undo(n.parse().ok()?)),
        ("z", None) => Command::Zoom,
        ("c", None) => Command::Diagram,
        ("w", None) => Command::Why,
        ("r", None) => Command::Answers,
        ("h" | "help" | "?", None) => Command::Help,
        ("a" | "quit", None) => Command::Abort,
        (n, None) => Command::Answer(UserAnswer::Option(n.parse().ok()?)),
        _ => return None,
    })
}
