//! A recording becomes an execution: its modules run in the machine, and every entry happens in
//! its turn.
//!
//! Entries come in the order of the whole node. The turn of an entry lets its process run up to
//! it, and no further; a message that is due lets its sender run until it has sent it. So each
//! process does what it did, inputs are what they were, and what is computed is checked.

use crate::diverged::Divergence;
use crate::format::ATOMS;
use crate::node::Node;
use crate::parts::{Deed, Entry, Function, Origin, Recorded, Value};
use crate::same::{same, same_reason};
use reverl_causal::driven::{Asked, Driven};
use reverl_causal::execution::{SignalKind, What};
use reverl_causal::script::Family;
use reverl_causal::system::Root;
use reverl_causal::{Entry as Call, Loader, Outside, ProcId, SignalId, System};
use reverl_machine::raise::Top;
use reverl_machine::{Class, Ending, Program, Raise};
use reverl_term::{Atom, Pid, Ref, Term, etf, fmt};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Steps that a process which is about to be killed may take before it is.
const LAST_STEPS: u64 = 200_000;

/// How often a replay that departs from the recording is tried with another choice, where what
/// was recorded leaves one.
const ATTEMPTS: usize = 64;

/// An execution that does what was recorded, up to where it departs from it.
pub struct Replayed {
    pub system: System,
    pub divergence: Option<Divergence>,
    /// How many entries it lived through.
    pub entries: usize,
}

/// What a process runs for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// As far as it can.
    Stop,
    Result,
    Call,
    Spawn,
    Timeout,
    Consume,
    SendTo(ProcId),
    /// It traps exits and is linked to this one.
    Trap(ProcId),
    End,
}

enum Reached {
    Yes,
    /// It needs something else first.
    Stuck,
}

struct Replay<'r> {
    recorded: &'r Recorded,
    system: System,
    /// By number in the recording.
    procs: Vec<Option<ProcId>>,
    /// For each process, its entries, and how many of them are done.
    logs: Vec<Vec<u32>>,
    done: Vec<usize>,
    /// What a process asked for and was not given yet.
    asked: HashMap<ProcId, Asked>,
    /// Outcomes of calls with which recording began, of processes that live on.
    returned: HashMap<ProcId, Term>,
    /// References of monitors that found nobody.
    nobody: HashSet<Term>,
    /// Entries that were lived through before their turn.
    early: HashSet<u32>,
    /// What to choose where the recording is ambiguous, and what was chosen so far; true is
    /// what is usual.
    choices: Vec<bool>,
    made: Vec<bool>,
    clock: ProcId,
    exact: bool,
}

type Step<T> = Result<T, (String, String)>;

pub fn term(bytes: &[u8]) -> Term {
    let decoded = etf::decode(bytes, &etf::DecodeOptions::default());
    decoded.map(|(term, _)| term).unwrap_or_default()
}

fn pid(number: u64) -> Pid {
    Pid::local(number as u32, (number >> 32) as u32)
}

fn show(term: &Term) -> String {
    fmt::write(term)
}

fn call(function: &Function, args: &Term) -> Call {
    let (module, name) = (Atom::new(&function.module), Atom::new(&function.name));
    Call::Call { module, name, args: args.clone() }
}

fn lives_on(own: Call) -> Call {
    let Call::Call { module, name, args } = own else { return own };
    let args = Term::list([Term::atom(module), Term::atom(name), args]);
    Call::Call { module: Atom::new("reverl_console"), name: Atom::new("begun"), args }
}

/// Lives through a recording.
pub fn replay(
    recorded: &Recorded,
    loader: Box<dyn Loader>,
    outside: Box<dyn Outside>,
    mut program: Program,
) -> Result<Replayed, String> {
    crate::modules::redirect(&mut program, &recorded.functions);
    let (roots, procs, clock) = roots(recorded)?;
    let mut system = System::with_roots(program, loader, outside, roots);
    let attempt = |system: System, choices: Vec<bool>| {
        let mut replay = Replay::new(recorded, system, procs.clone(), clock, choices);
        let (entries, divergence) = replay.live();
        (Replayed { system: replay.system, divergence, entries }, replay.made)
    };
    let (mut choices, mut best): (Vec<bool>, Option<(usize, Vec<bool>)>) = (vec![], None);
    for n in 1.. {
        let (mut replayed, made) = attempt(system, choices);
        let further = best.as_ref().is_none_or(|(entries, _)| replayed.entries > *entries);
        if further {
            best = Some((replayed.entries, made.clone()));
        }
        choices = match other(made).filter(|_| replayed.divergence.is_some() && n < ATTEMPTS) {
            Some(choices) => choices,
            None => {
                // Nothing fits: the one that came furthest is shown.
                if let (false, Some(_), Some((_, choices))) = (further, &replayed.divergence, best)
                {
                    (replayed, _) = attempt(replayed.system.beginning(), choices);
                }
                replayed.system.end_driven();
                return Ok(replayed);
            }
        };
        system = replayed.system.beginning();
    }
    unreachable!("the attempts are counted")
}

/// The same choices, but the last that was taken as usual is taken otherwise.
fn other(mut made: Vec<bool>) -> Option<Vec<bool>> {
    while let Some(last) = made.pop() {
        if last {
            made.push(false);
            return Some(made);
        }
    }
    None
}

/// The processes that nobody spawned: those outside first, so that a process that is recorded
/// later is the one that its pid means.
type Roots = (Rc<[Root]>, Vec<Option<ProcId>>, ProcId);

fn roots(recorded: &Recorded) -> Result<Roots, String> {
    let node = Node::read(&recorded.node);
    let leader = node.leader().unwrap_or(Pid::local(0, 0));
    let outside = Call::Call {
        module: Atom::new("reverl_console"),
        name: Atom::new("outside"),
        args: Term::nil(),
    };
    let mut roots: Vec<Root> = vec![];
    let mut procs = vec![None; recorded.processes.len()];
    let mut by_pid: HashMap<Pid, usize> = HashMap::new();
    let mut add_outside = |pid: Pid, path: &str, roots: &mut Vec<Root>| {
        *by_pid.entry(pid).or_insert_with(|| {
            roots.push(Root {
                pid,
                path: path.into(),
                entry: outside.clone(),
                group_leader: Term::pid(leader),
                is_system: true,
                names: vec![],
                trap_exit: false,
            });
            roots.len() - 1
        })
    };
    let clock = add_outside(Pid::local(0, 0), "clock", &mut roots);
    add_outside(leader, "console", &mut roots);
    for (name, pid) in node.names() {
        let at = add_outside(pid, name.name(), &mut roots);
        roots[at].names = vec![name];
    }
    let heard = heard(recorded);
    for (i, process) in recorded.processes.iter().enumerate() {
        if process.origin == Origin::Outside && heard.contains(&(i as u32)) {
            let at = add_outside(pid(process.pid), "outside", &mut roots);
            procs[i] = Some(ProcId(at as u32));
        }
    }
    let traps = trapping(recorded);
    let mut begun: Vec<(u32, &Function, &[u8])> = vec![];
    for entry in &recorded.entries {
        let Deed::Begin { function, args } = &entry.deed else { continue };
        let function = recorded.functions.get(*function as usize);
        let function = function.ok_or("a call of a function that is not listed")?;
        begun.push((entry.proc, function, args));
    }
    if begun.is_empty() {
        return Err("nothing was recorded: no call that begins a recording was made".into());
    }
    // The program's own call is the main one, not the start of an application.
    begun.sort_by_key(|(_, function, _)| (&*function.name, function.arity) == ("start", 2));
    for (n, (number, function, args)) in begun.into_iter().enumerate() {
        procs[number as usize] = Some(ProcId(roots.len() as u32));
        let own = call(function, &term(args));
        roots.push(Root {
            pid: pid(recorded.processes[number as usize].pid),
            path: if n == 0 { "P".into() } else { format!("P{}", n + 1).into() },
            // The end of the main one is the program's end; the others live on.
            entry: if n == 0 { own } else { lives_on(own) },
            group_leader: Term::pid(leader),
            is_system: false,
            names: vec![],
            trap_exit: traps.contains(&number),
        });
    }
    Ok((roots.into(), procs, ProcId(clock as u32)))
}

/// The processes that have a part in an entry.
fn heard(recorded: &Recorded) -> HashSet<u32> {
    let parts = recorded.entries.iter().flat_map(|entry| {
        let sender = match entry.deed {
            Deed::Deliver { from, .. } | Deed::DeliverTerm { from: Some(from), .. } => Some(from),
            _ => None,
        };
        [Some(entry.proc), sender]
    });
    parts.flatten().collect()
}

/// The processes that found an exit signal in their mailbox: one that was recorded from a call
/// on may have trapped exits before.
fn trapping(recorded: &Recorded) -> HashSet<u32> {
    let is_exit = |message: &[u8]| {
        let message = term(message);
        let tag = message.as_tuple().filter(|t| t.len() == 3).and_then(|t| t[0].as_atom());
        tag.is_some_and(|tag| tag == reverl_term::atoms::EXIT_UPPER)
    };
    let told = recorded.entries.iter().filter_map(|entry| match &entry.deed {
        Deed::DeliverTerm { message, .. } if is_exit(message) => Some(entry.proc),
        _ => None,
    });
    told.collect()
}

impl<'r> Replay<'r> {
    fn new(
        recorded: &'r Recorded,
        mut system: System,
        mut procs: Vec<Option<ProcId>>,
        clock: ProcId,
        choices: Vec<bool>,
    ) -> Replay<'r> {
        let mut logs = vec![vec![]; procs.len()];
        let mut children: HashMap<u32, u32> = HashMap::new();
        let mut family = Family::default();
        let mut next = system.execution.procs.len() as u32;
        let mut nobody = HashSet::new();
        for (i, entry) in recorded.entries.iter().enumerate() {
            logs[entry.proc as usize].push(i as u32);
            match &entry.deed {
                Deed::Spawn(child) => {
                    let Some(parent) = procs[entry.proc as usize] else { continue };
                    let Some(process) = recorded.processes.get(*child as usize) else { continue };
                    let k = children.entry(entry.proc).or_default();
                    *k += 1;
                    family.0.push((parent.0, *k, next, process.pid));
                    procs[*child as usize] = Some(ProcId(next));
                    next += 1;
                }
                Deed::DeliverTerm { message, .. } => {
                    if let Some([_, reference, _, _, reason]) = term(message).as_tuple() {
                        if reason.is_atom_eq(reverl_term::atoms::NOPROC) {
                            nobody.insert(reference.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        system.begin_driven(&family);
        let done = vec![0; procs.len()];
        let exact = recorded.level == "exact";
        Replay {
            recorded,
            system,
            procs,
            logs,
            done,
            asked: HashMap::new(),
            returned: HashMap::new(),
            nobody,
            early: HashSet::new(),
            choices,
            made: vec![],
            clock,
            exact,
        }
    }

    /// All entries, up to the first that does not fit: how many did, and what is wrong.
    fn live(&mut self) -> (usize, Option<Divergence>) {
        for (i, entry) in self.recorded.entries.iter().enumerate() {
            if let Err((told, computed)) = self.entry(i, entry) {
                return (i, Some(self.diverged(i, entry, told, computed)));
            }
        }
        self.run_out();
        (self.recorded.entries.len(), None)
    }

    fn choose(&mut self) -> bool {
        let choice = self.choices.get(self.made.len()).copied().unwrap_or(true);
        self.made.push(choice);
        choice
    }

    fn proc(&self, number: u32) -> Option<ProcId> {
        self.procs.get(number as usize).copied().flatten()
    }

    // -- Entries

    fn entry(&mut self, i: usize, entry: &Entry) -> Step<()> {
        let at = entry.proc as usize;
        if self.logs[at].get(self.done[at]) != Some(&(i as u32)) {
            // It was done together with an earlier one.
            return Ok(());
        }
        self.done[at] += 1;
        if self.early.remove(&(i as u32)) {
            return Ok(());
        }
        let Some(proc) = self.proc(entry.proc) else { return Ok(()) };
        match &entry.deed {
            Deed::Begin { .. } => Ok(()),
            Deed::Deliver { from, hash } => self.postponed(proc, at, *from, *hash),
            Deed::DeliverTerm { from, message } => self.deliver_term(proc, *from, &term(message)),
            Deed::Timeout => self.time_out(proc, at),
            Deed::Consume { .. } => self.goal(proc, Goal::Consume, at, "a message is received"),
            Deed::Spawn(_) => self.goal(proc, Goal::Spawn, at, "a spawn"),
            Deed::Result { function, .. } | Deed::Raised { function, .. } => {
                let told = format!("a call of {}", self.name(*function));
                self.goal(proc, Goal::Result, at, &told)
            }
            // One way to end the node ends in another.
            Deed::Call { .. } if self.system.halted().is_some() => Ok(()),
            Deed::Call { function, .. } => {
                let told = format!("a call of {}", self.name(*function));
                self.goal(proc, Goal::Call, at, &told)
            }
            Deed::Exit(reason) => self.exit(proc, at, &term(reason)),
            Deed::Return(value) => self.ended(proc, at, Ok(term(value))),
            Deed::BeginRaised(exception) => self.ended(proc, at, Err(term(exception))),
            Deed::Register(_) | Deed::Unregister(_) => {
                // Done by the process itself or by another; it must not be later than this.
                self.run(proc, Goal::Stop, at).map(|_| ())
            }
        }
    }

    fn name(&self, function: u32) -> String {
        match self.recorded.functions.get(function as usize) {
            Some(f) => format!("{}:{}/{}", f.module, f.name, f.arity),
            None => "an unknown function".into(),
        }
    }

    fn goal(&mut self, proc: ProcId, goal: Goal, at: usize, told: &str) -> Step<()> {
        match self.run(proc, goal, at)? {
            Reached::Yes => Ok(()),
            Reached::Stuck => Err((told.into(), self.doing(proc))),
        }
    }

    /// What a process that cannot go on does, in words.
    fn doing(&mut self, proc: ProcId) -> String {
        if let Some(asked) = self.asked.get(&proc) {
            let b = Program::builtin(asked.builtin);
            let args: Vec<String> = asked.args.iter().map(show).collect();
            return format!("a call of {}:{}({})", b.module, b.name, args.join(", "));
        }
        match self.system.drive(proc, 0) {
            Driven::Waits => "it waits in a receive".into(),
            Driven::Ends => match self.system.live(proc).process.ending() {
                Some(Ending::Value(value)) => format!("it ends with {}", show(value)),
                Some(Ending::Exception(e)) => {
                    format!("it ends: {} {}", e.class.atom().name(), show(&e.reason))
                }
                None => "it ends".into(),
            },
            Driven::Gone => "it has ended".into(),
            _ => "it runs on".into(),
        }
    }

    fn diverged(
        &mut self,
        i: usize,
        entry: &Entry,
        recorded: String,
        computed: String,
    ) -> Divergence {
        let (pid, place) = match self.proc(entry.proc) {
            Some(proc) => {
                let code = &self.system.program.code;
                let pc = self.system.live(proc).process.pc();
                let shown = code.sources.shown_at(code.span_at(pc));
                let place = shown.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
                (show(&self.system.pid(proc)), place)
            }
            None => ("that was never spawned".into(), String::new()),
        };
        Divergence { event: i + 1, pid, place, recorded, computed }
    }

    // -- Messages

    /// If a time-out comes next, a message that no receive took arrives after it: on the node it
    /// was there, but nobody looked.
    fn postponed(&mut self, proc: ProcId, at: usize, from: u32, hash: Option<u32>) -> Step<()> {
        let rest = &self.logs[at][self.done[at]..];
        let deed = |i: &u32| &self.recorded.entries[*i as usize].deed;
        let run = rest.iter().take_while(|i| matches!(deed(i), Deed::Deliver { .. })).count();
        let timeout = rest.get(run).is_some_and(|i| *deed(i) == Deed::Timeout);
        let later: Vec<u32> = rest[..run].to_vec();
        // Without receives in the recording, it may as well have been taken by an earlier one.
        if !timeout || !self.exact && self.choose() {
            return self.deliver(proc, from, hash);
        }
        self.done[at] += run + 1;
        self.time_out(proc, at)?;
        self.deliver(proc, from, hash)?;
        for i in later {
            if let Deed::Deliver { from, hash } = self.recorded.entries[i as usize].deed {
                self.deliver(proc, from, hash)?;
            }
        }
        Ok(())
    }

    /// A receive times out, or a timer has sent the atom `timeout`, which looks the same.
    fn time_out(&mut self, proc: ProcId, at: usize) -> Step<()> {
        self.run(proc, Goal::Stop, at)?;
        let timeout = Term::atom(reverl_term::atoms::TIMEOUT);
        let waits = self.system.is_waiting(proc) && self.system.patience(proc).is_some();
        let timer = self.system.has_timer_with(proc, &timeout);
        if timer && (!waits || !self.choose()) {
            self.system.fire_timer_with(proc, &timeout);
            return Ok(());
        }
        self.goal(proc, Goal::Timeout, at, "a time-out")
    }

    fn deliver(&mut self, to: ProcId, from: u32, hash: Option<u32>) -> Step<()> {
        let Some(sender) = self.proc(from) else {
            return Err(("a message".into(), "its sender does not exist".into()));
        };
        let signal = self.next_message(sender, to)?;
        if let Some(hash) = hash {
            let message = self.system.execution.signal(signal).message.clone();
            if reverl_term::phash2(&message, 1 << 27) != u64::from(hash) {
                return Err((
                    format!("a message from {} with hash {hash}", show(&self.system.pid(sender))),
                    show(&message),
                ));
            }
        }
        if self.system.execution.proc(to).is_system {
            self.drive_outside(to, Term::atom(Atom::new("take")));
        }
        Ok(())
    }

    /// Lets signals arrive until one of them is a message in the mailbox.
    fn next_message(&mut self, from: ProcId, to: ProcId) -> Step<SignalId> {
        loop {
            while let Some(arrived) = self.system.arrive(from, to) {
                if arrived.in_mailbox {
                    return Ok(arrived.signal);
                }
            }
            let at = self.number_of(from);
            match self.run(from, Goal::SendTo(to), at)? {
                Reached::Yes => {}
                Reached::Stuck => {
                    let told = format!(
                        "a message from {} to {}",
                        show(&self.system.pid(from)),
                        show(&self.system.pid(to))
                    );
                    let doing = self.doing(from);
                    return Err((told, format!("none was sent; of the sender: {doing}")));
                }
            }
        }
    }

    fn number_of(&self, proc: ProcId) -> usize {
        self.procs.iter().position(|p| *p == Some(proc)).unwrap_or(0)
    }

    /// A message whose contents are known: from outside, from a timer, or of an end.
    fn deliver_term(&mut self, to: ProcId, from: Option<u32>, message: &Term) -> Step<()> {
        let sender = from.and_then(|from| self.proc(from));
        let outside = sender.filter(|s| self.system.execution.proc(*s).is_system);
        match (sender, outside) {
            (None, _) => {
                if !self.system.fire_timer_with(to, message) {
                    // The timer may not have been started yet.
                    let at = self.number_of(to);
                    self.run(to, Goal::Stop, at)?;
                    if !self.system.fire_timer_with(to, message) {
                        self.from_outside(self.clock, to, message);
                    }
                }
                Ok(())
            }
            (Some(_), Some(outside)) => {
                self.take_request(outside, to, message);
                self.from_outside(outside, to, message);
                Ok(())
            }
            (Some(sender), None) => self.told(sender, to, message),
        }
    }

    /// A process outside does one thing, and asks for the next.
    fn drive_outside(&mut self, outside: ProcId, what: Term) {
        let mut what = Some(what);
        loop {
            let stopped = match self.asked.remove(&outside) {
                Some(asked) => Driven::Asks(asked),
                None => self.system.drive(outside, u64::MAX),
            };
            match stopped {
                Driven::Asks(asked) if Program::builtin(asked.builtin).name == "outside" => {
                    match what.take() {
                        Some(what) => self.system.grant(outside, asked, Some(Ok(what))),
                        None => {
                            self.asked.insert(outside, asked);
                            return;
                        }
                    }
                }
                Driven::Asks(asked) => self.system.grant(outside, asked, None),
                Driven::Sent | Driven::Received(_) | Driven::Limit => {}
                Driven::Waits | Driven::Ends | Driven::Gone => return,
            }
        }
    }

    fn from_outside(&mut self, outside: ProcId, to: ProcId, message: &Term) {
        let what = Term::tuple(vec![self.system.pid(to), message.clone()]);
        self.drive_outside(outside, what);
        while self.system.arrive(outside, to).is_some() {}
    }

    /// An answer of the I/O protocol to a request that nobody saw arrive: it did, before.
    fn take_request(&mut self, outside: ProcId, from: ProcId, reply: &Term) {
        let is_reply = reply
            .as_tuple()
            .is_some_and(|t| t.len() == 3 && t[0].is_atom_eq(Atom::new("io_reply")));
        while is_reply && self.system.is_on_the_way(from, outside) {
            let arrived = self.system.arrive(from, outside);
            if arrived.is_some_and(|a| a.in_mailbox) {
                self.drive_outside(outside, Term::atom(Atom::new("take")));
            }
        }
    }

    /// `'DOWN'` or `'EXIT'` of a recorded process, or any message of one that is not any more.
    fn told(&mut self, from: ProcId, to: ProcId, message: &Term) -> Step<()> {
        let is_exit = message.as_tuple().is_some_and(|t| t.len() == 3);
        if is_exit && !self.system.traps(to, from) {
            let at = self.number_of(to);
            self.run(to, Goal::Trap(from), at)?;
        }
        loop {
            while let Some(arrived) = self.system.arrive(from, to) {
                let told = self.system.execution.signal(arrived.signal).message.clone();
                if arrived.in_mailbox {
                    return match same(message, &told) {
                        true => Ok(()),
                        false => Err((show(message), show(&told))),
                    };
                }
            }
            // A request that finds nobody is answered when it arrives.
            if self.system.arrive(to, from).is_some() {
                continue;
            }
            let at = self.number_of(from);
            if let Reached::Stuck = self.run(from, Goal::SendTo(to), at)? {
                let doing = self.doing(from);
                return Err((
                    format!("the message {}", show(message)),
                    format!("nothing: {doing}"),
                ));
            }
        }
    }

    // -- Ends

    fn exit(&mut self, proc: ProcId, at: usize, reason: &Term) -> Step<()> {
        if !self.system.has_exited(proc) {
            if let Reached::Stuck = self.run(proc, Goal::End, at)? {
                self.kill(proc, reason)?;
            }
        }
        let exit = self.system.execution.proc(proc).exit().map(|e| e.reason.clone());
        let told = || format!("exit with {}", show(reason));
        match exit {
            Some(own) if same_reason(&own, reason) => Ok(()),
            Some(own) => Err((told(), format!("exit with {}", show(&own)))),
            None => {
                let doing = self.doing(proc);
                Err((told(), doing))
            }
        }
    }

    /// Somebody has sent an exit signal: its parent, or anybody else who can go on.
    fn kill(&mut self, proc: ProcId, reason: &Term) -> Step<()> {
        self.killed(proc, reason);
        let parent = self.system.execution.proc(proc).parent.map(|(parent, _)| parent);
        let first = parent.map(|parent| self.number_of(parent));
        for at in first.into_iter().chain(0..self.procs.len()) {
            if self.system.has_exited(proc) {
                break;
            }
            let Some(other) = self.procs[at].filter(|p| *p != proc) else { continue };
            let p = self.system.execution.proc(other);
            if p.is_spawned && !p.is_system && !self.system.has_exited(other) {
                let before = self.system.execution.proc(other).signals.len();
                self.run(other, Goal::Stop, at)?;
                if self.system.execution.proc(other).signals.len() > before {
                    self.killed(proc, reason);
                }
            }
        }
        Ok(())
    }

    /// An exit signal that is on its way arrives.
    fn killed(&mut self, proc: ProcId, reason: &Term) {
        for (from, signals) in self.system.on_the_way(proc) {
            let kills = signals.iter().any(|s| match &self.system.execution.signal(*s).kind {
                SignalKind::Exit { linked, reason: own } => {
                    let kill = !linked && own.is_atom_eq(reverl_term::atoms::KILL);
                    kill && reason.is_atom_eq(reverl_term::atoms::KILLED)
                        || same_reason(own, reason)
                }
                _ => false,
            });
            while kills && !self.system.has_exited(proc) {
                if self.system.arrive(from, proc).is_none() {
                    break;
                }
            }
            if self.system.has_exited(proc) {
                return;
            }
        }
    }

    /// The call with which recording of the process began is over.
    fn ended(&mut self, proc: ProcId, at: usize, outcome: Result<Term, Term>) -> Step<()> {
        let told = match &outcome {
            Ok(value) => format!("the value {}", show(value)),
            Err(exception) => format!("the exception {}", show(exception)),
        };
        if let Reached::Stuck = self.run(proc, Goal::End, at)? {
            return Err((told, self.doing(proc)));
        }
        if let Some(own) = self.returned.get(&proc) {
            let parts = own.as_tuple().map(|t| (t[0].clone(), t[1].clone())).unwrap_or_default();
            let fits = match (&outcome, parts.0.is_atom_eq(Atom::new("value"))) {
                (Ok(value), true) => same(value, &parts.1),
                (Err(exception), false) => same_reason(exception, own),
                _ => false,
            };
            return if fits { Ok(()) } else { Err((told, show(own))) };
        }
        let exit = self.system.execution.proc(proc).exit();
        let (value, exception) = match exit {
            Some(exit) => (exit.value.clone(), exit.exception.clone()),
            None => (None, None),
        };
        match (&outcome, value, exception) {
            (Ok(told), Some(own), _) if same(told, &own) => Ok(()),
            (Err(told_of), _, Some(e)) => match told_of.as_tuple() {
                Some([class, reason])
                    if class.is_atom_eq(e.class.atom()) && same_reason(reason, &e.reason) =>
                {
                    Ok(())
                }
                _ => Err((told, format!("{} {}", e.class.atom().name(), show(&e.reason)))),
            },
            (_, Some(own), _) => Err((told, format!("the value {}", show(&own)))),
            (_, _, Some(e)) => {
                Err((told, format!("{} {}", e.class.atom().name(), show(&e.reason))))
            }
            _ => Err((told, "it has not ended".into())),
        }
    }

    /// Monitors and links that reached a process before it ended.
    fn last_signals(&mut self, proc: ProcId) {
        for (from, signals) in self.system.on_the_way(proc) {
            let is_in_time = |id: &SignalId| {
                let signal = self.system.execution.signal(*id);
                match signal.kind {
                    SignalKind::Monitor => {
                        let reference = signal.message.as_tuple().map(|t| &t[0]);
                        reference.is_some_and(|r| !self.nobody.contains(r))
                    }
                    SignalKind::Link | SignalKind::Unlink | SignalKind::Demonitor => true,
                    _ => false,
                }
            };
            let wanted = signals.iter().rposition(is_in_time).map_or(0, |last| last + 1);
            for _ in 0..wanted {
                self.system.arrive(from, proc);
                if self.system.has_exited(proc) {
                    return;
                }
            }
        }
    }

    /// Everybody goes on to where it waits; nothing of that was recorded.
    fn run_out(&mut self) {
        for at in 0..self.procs.len() {
            let Some(proc) = self.procs[at] else { continue };
            if !self.system.execution.proc(proc).is_system {
                let _ = self.run(proc, Goal::Stop, at);
            }
        }
    }

    // -- One process

    /// Lets a process run up to its goal.
    fn run(&mut self, proc: ProcId, goal: Goal, at: usize) -> Step<Reached> {
        let limit = match goal {
            Goal::End | Goal::Stop => {
                self.system.live(proc).process.steps().saturating_add(LAST_STEPS)
            }
            _ => u64::MAX,
        };
        loop {
            let stopped = match self.asked.remove(&proc) {
                Some(asked) => Driven::Asks(asked),
                None => self.system.drive(proc, limit),
            };
            match stopped {
                Driven::Asks(asked) => {
                    if let Some(reached) = self.ask(proc, asked, goal, at)? {
                        return Ok(reached);
                    }
                    let there = match goal {
                        Goal::SendTo(to) => self.system.is_on_the_way(proc, to),
                        Goal::Trap(from) => self.system.traps(proc, from),
                        _ => false,
                    };
                    if there {
                        return Ok(Reached::Yes);
                    }
                }
                Driven::Sent => {
                    if let Goal::SendTo(to) = goal {
                        if self.system.is_on_the_way(proc, to) {
                            return Ok(Reached::Yes);
                        }
                    }
                }
                Driven::Received(_) if self.is_own(proc) => {}
                Driven::Received(signal) => {
                    if self.exact && self.is_followed(signal, goal, at) {
                        if goal == Goal::Consume {
                            return Ok(Reached::Yes);
                        }
                        if !self.receive_early(at) {
                            let message = self.system.execution.signal(signal).message.clone();
                            let computed = format!("a receive of {}", show(&message));
                            return Err((self.next_told(at), computed));
                        }
                    }
                }
                Driven::Waits => {
                    if self.is_own(proc) {
                        self.system.let_time_out(proc);
                        continue;
                    }
                    if goal == Goal::Timeout {
                        self.system.let_time_out(proc);
                        return Ok(Reached::Yes);
                    }
                    return Ok(Reached::Stuck);
                }
                Driven::Ends => {
                    if goal == Goal::End {
                        self.last_signals(proc);
                        if !self.system.has_exited(proc) {
                            self.system.finish(proc);
                        }
                        return Ok(Reached::Yes);
                    }
                    return Ok(Reached::Stuck);
                }
                Driven::Limit | Driven::Gone => return Ok(Reached::Stuck),
            }
        }
    }

    /// A process that runs ahead may receive what it is going to receive next anyway.
    fn receive_early(&mut self, at: usize) -> bool {
        let next = self.next_of(at);
        let is_receive = next.is_some_and(|i| {
            matches!(self.recorded.entries[i as usize].deed, Deed::Consume { .. })
        });
        if let (Some(i), true) = (next, is_receive) {
            self.early.insert(i);
        }
        is_receive
    }

    /// The next entry of a process that is not a delivery.
    fn next_of(&self, at: usize) -> Option<u32> {
        let rest = self.logs[at].get(self.done[at]..).unwrap_or_default();
        let is_arrival = |i: &u32| {
            let deed = &self.recorded.entries[*i as usize].deed;
            matches!(deed, Deed::Deliver { .. } | Deed::DeliverTerm { .. })
        };
        rest.iter().copied().find(|i| !is_arrival(i) && !self.early.contains(i))
    }

    fn next_told(&self, at: usize) -> String {
        match self.next_of(at) {
            Some(i) => crate::list::line(self.recorded, i as usize),
            None => "nothing more".into(),
        }
    }

    /// Whether the receive of a message is an entry. One through an alias may have had no token.
    fn is_followed(&mut self, signal: SignalId, goal: Goal, at: usize) -> bool {
        if !self.has_token(signal) {
            return false;
        }
        if let SignalKind::Message = self.system.execution.signal(signal).kind {
            return true;
        }
        let due = match goal {
            Goal::Consume => self.logs[at].get(self.done[at] - 1).copied(),
            _ => self.next_of(at),
        };
        let from = due.and_then(|i| match self.recorded.entries[i as usize].deed {
            Deed::Consume { from } => self.proc(from),
            _ => None,
        });
        from == Some(signal.from) && self.choose()
    }

    /// Whether a message was followed up to its receive: those that recorded processes send are.
    fn has_token(&self, signal: SignalId) -> bool {
        let sender = self.system.execution.proc(signal.from);
        let signal = self.system.execution.signal(signal);
        let is_message = matches!(signal.kind, SignalKind::Message | SignalKind::AliasMessage(_));
        // The system's own are not (see `is_told` in the tracer).
        let tag = signal.message.as_tuple().and_then(|t| Some((t.len(), t.first()?.as_atom()?)));
        let is_told = tag.is_some_and(|(n, tag)| {
            let name = tag.name();
            matches!((n, name), (5, "DOWN") | (3, "EXIT") | (4, "ETS-TRANSFER" | "spawn_reply"))
        });
        !sender.is_system && is_message && !is_told
    }

    /// A receive of our own module `erlang` is none of the program's.
    fn is_own(&self, proc: ProcId) -> bool {
        let code = &self.system.program.code;
        let actions = &self.system.execution.proc(proc).actions;
        let process = &self.system.live(proc).process;
        let pc = match (process.is_waiting(), actions.last()) {
            (false, Some(last)) if matches!(last.what, What::Receive(_)) => last.pc,
            _ => process.pc(),
        };
        code.fun(code.fun_at(pc)).module == Atom::new("erlang")
    }

    /// Gives a process what it asks for, if it is due.
    fn ask(&mut self, proc: ProcId, asked: Asked, goal: Goal, at: usize) -> Step<Option<Reached>> {
        let b = Program::builtin(asked.builtin);
        let is_spawn = b.module == "erlang" && b.name.starts_with("spawn");
        if is_spawn {
            if goal != Goal::Spawn {
                self.asked.insert(proc, asked);
                return Ok(Some(Reached::Stuck));
            }
            let answer = self.spawn_answer(at);
            self.system.grant(proc, asked, answer);
            return Ok(Some(Reached::Yes));
        }
        if (b.module, b.name) == ("reverl", "returned") {
            if goal != Goal::End {
                self.asked.insert(proc, asked);
                return Ok(Some(Reached::Stuck));
            }
            self.returned.insert(proc, asked.args[0].clone());
            self.system.grant(proc, asked, None);
            return Ok(Some(Reached::Yes));
        }
        let (module, name, arity) = match (b.module, b.name) {
            ("reverl", "recorded") => {
                let text = |t: &Term| t.as_atom().map(|a| a.name().to_string()).unwrap_or_default();
                let arity = asked.args[2].list_len().unwrap_or(0);
                (text(&asked.args[0]), text(&asked.args[1]), arity as u16)
            }
            _ => (b.module.to_string(), b.name.to_string(), u16::from(b.arity)),
        };
        if b.name == "halt" {
            if goal != Goal::Call {
                self.asked.insert(proc, asked);
                return Ok(Some(Reached::Stuck));
            }
            self.system.grant(proc, asked, None);
            return Ok(Some(Reached::Yes));
        }
        let is_input = self.recorded.functions.iter().any(|f| {
            f.name == name
                && f.arity == arity
                && f.module == module
                && matches!(f.kind, crate::Kind::Input | crate::Kind::Opaque)
        });
        if !is_input {
            self.system.grant(proc, asked, None);
            return Ok(None);
        }
        if goal != Goal::Result {
            self.asked.insert(proc, asked);
            return Ok(Some(Reached::Stuck));
        }
        let due = self.logs[at][self.done[at] - 1] as usize;
        let (function, answer) = match &self.recorded.entries[due].deed {
            Deed::Result { function, value } => (*function, Ok(value_of(value))),
            Deed::Raised { function, exception } => (*function, Err(raise(&term(exception)))),
            _ => return Ok(Some(Reached::Stuck)),
        };
        let told = &self.recorded.functions[function as usize];
        if told.module != module || told.name != name || told.arity != arity {
            self.asked.insert(proc, asked);
            return Ok(Some(Reached::Stuck));
        }
        self.system.grant(proc, asked, Some(answer));
        Ok(Some(Reached::Yes))
    }

    /// The value of a spawn with options, which comes right after it.
    fn spawn_answer(&mut self, at: usize) -> Option<Result<Term, Raise>> {
        let next = *self.logs[at].get(self.done[at])? as usize;
        match &self.recorded.entries[next].deed {
            Deed::Result { function, value } if self.name(*function) == "erlang:spawn_opt/4" => {
                self.done[at] += 1;
                Some(Ok(value_of(value)))
            }
            _ => None,
        }
    }
}

pub fn value_of(value: &Value) -> Term {
    match value {
        Value::Int(n) => Term::int(*n),
        Value::Ref(words) => Term::reference(Ref::local(*words)),
        Value::Atom(i) => Term::atom(Atom::new(ATOMS.get(*i as usize).unwrap_or(&"undefined"))),
        Value::Term(bytes) => term(bytes),
    }
}

fn raise(exception: &Term) -> Raise {
    let (class, reason) = match exception.as_tuple() {
        Some([class, reason]) => (class.as_atom().map(|a| a.name()), reason.clone()),
        _ => (None, Term::nil()),
    };
    let class = match class {
        Some("exit") => Class::Exit,
        Some("throw") => Class::Throw,
        _ => Class::Error,
    };
    Raise { class, reason, top: Top::Builtin }
}
