//! A recording becomes an execution: its modules run in the machine, and every entry happens in
//! its turn.
//!
//! Entries come in the order of the whole node. The turn of an entry lets its process run up to
//! it, and no further; a message that is due lets its sender run until it has sent it. So each
//! process does what it did, inputs are what they were, and what is computed is checked.

mod advance;
mod ends;
mod messages;
mod missed;
mod nobody;
mod roots;
mod versions;

use crate::diverged::{Divergence, PrintDifference};
use crate::inputs;
use crate::node::Node;
use crate::parts::{NodeRecording, TraceAction, TraceEntry, TracedFunction};
pub use crate::terms::show;
use crate::terms::{decoded, term};
use nobody::Nobody;
use reverl_causal::script::Family;
use reverl_causal::{
    Arrivals, Happened, Input, Loader, Outside, ProcId, SignalId, Step, System, Until,
};
use reverl_lang::code::Pc;
use reverl_machine::builtins::nature::Nature;
use reverl_machine::{Ending, Program, Raise};
use reverl_term::{Atom, Term};
use roots::roots;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use versions::Versions;

/// The module of the functions that stand in for those whose values are recorded.
const STAND_INS: &str = "reverl_recorded";

/// How many steps a process may take before it is killed.
const LAST_STEPS: u64 = 200_000;

/// How often a replay that departs from the recording is tried with another choice, where what
/// was recorded leaves one.
const ATTEMPTS: usize = 128;

/// How many of the last messages of a process that departs are suspected.
const SUSPECTS: usize = 4;

/// How many entries all attempts together may replay, beyond a few times the whole recording.
const ATTEMPTED_ENTRIES: usize = 100_000;

/// Why a recording of the newest events alone cannot be replayed.
const LACKS_BEGINNING: &str = "only the newest events were kept (--keep): what led to them is not \
    known, so they can be listed but not replayed.\n`reverl replay --list FILE` shows what \
    happened, and `--process PID` one process; without --keep all is recorded";

/// An execution that does what was recorded, up to where it departs from it.
pub struct ReplayOutcome {
    /// The system with the execution, as far as it came.
    pub system: System,
    /// Where it departs from the recording, if it does.
    pub divergence: Option<Divergence>,
    /// Where it first prints something else than the node did, if it does.
    pub prints: Option<PrintDifference>,
    /// How many entries it has replayed.
    pub entries: usize,
    /// It stopped before its end: the memory that it may use is used.
    pub is_full: bool,
    /// It stopped before its end because somebody wanted that.
    pub is_stopped: bool,
}

/// After how many entries it is looked how much memory is used, and whether to go on.
const LOOK_AT_MEMORY: usize = 4096;

/// The event up to which a process runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// As far as it can.
    Stop,
    Result,
    Call,
    Spawn,
    Timeout,
    SendTo(ProcId),
    /// It sends a message to anybody, or asks for something that was not recorded.
    Deed,
    /// It traps exits and is linked to this one.
    Trap(ProcId),
    End,
}

pub(super) enum Reached {
    Yes,
    /// It needs something else first.
    Stuck,
}

pub(super) struct Replay<'r> {
    recorded: &'r NodeRecording,
    system: System,
    /// The processes by their numbers in the recording, and the numbers by process.
    procs: Vec<Option<ProcId>>,
    numbers: HashMap<ProcId, usize>,
    /// The functions whose values are recorded.
    inputs: HashSet<(Atom, Atom, u16)>,
    /// For each process, its entries, and how many of them are done.
    logs: Vec<Vec<u32>>,
    done: Vec<usize>,
    /// For each process, where its next entry is that is not a delivery, or before that.
    next_deeds: Vec<Cell<usize>>,
    /// Outcomes of the calls with which recording began, for processes that go on afterwards.
    returned: HashMap<ProcId, Term>,
    nobody: Rc<Nobody>,
    /// Questions of the system whose answers have come.
    answered: HashSet<u32>,
    /// What to choose where the recording is ambiguous, and what was chosen so far; true is
    /// what is usual.
    choices: Vec<bool>,
    made: Vec<Choice>,
    /// The process that did not do what another one needed.
    culprit: Option<ProcId>,
    /// The entry whose turn it is, and where something else was first printed.
    turn: usize,
    prints: Option<PrintDifference>,
    /// How many messages of one process another one found in its mailbox, in all and so far.
    messages: HashMap<(ProcId, ProcId), (u32, u32)>,
    clock: ProcId,
    versions: Rc<Versions>,
    /// For each process, the entry of its call that loaded a module last.
    loading: HashMap<ProcId, u32>,
}

/// What was chosen where the recording leaves a choice, and for which process.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    is_usual: bool,
    of: ProcId,
}

type Fits<T> = Result<T, (String, String)>;

/// Replays a recording.
pub fn replay(
    recorded: &NodeRecording,
    loader: Box<dyn Loader>,
    outside: Box<dyn Outside>,
    program: Program,
) -> Result<ReplayOutcome, String> {
    replay_while(recorded, loader, outside, program, &mut |_| true)
}

/// Replays a recording for as long as `more` says so, which is asked now and then.
pub fn replay_while(
    recorded: &NodeRecording,
    loader: Box<dyn Loader>,
    outside: Box<dyn Outside>,
    mut program: Program,
    more: &mut dyn FnMut(&System) -> bool,
) -> Result<ReplayOutcome, String> {
    if recorded.lacks_beginning {
        return Err(LACKS_BEGINNING.into());
    }
    check_terms(recorded)?;
    program.otp = Node::read(&recorded.node).otp().unwrap_or_default();
    crate::modules::redirect(&mut program, &recorded.functions);
    let versions = Rc::new(Versions::new(recorded, &mut program));
    let shared = (versions, Rc::new(Nobody::new(recorded)));
    let (roots, procs, clock) = roots(recorded)?;
    let mut system = System::with_roots(program, loader, outside, roots);
    system.name_others(names(recorded));
    system.tell_of_nobody(shared.1.told(recorded));
    let mut attempt = |system: System, choices: Vec<bool>| {
        let mut replay =
            Replay::new(recorded, system, procs.clone(), clock, choices, shared.clone());
        let mut is_stopped = false;
        let (entries, divergence) = replay.replay_all(&mut |system| {
            is_stopped = !more(system);
            !is_stopped
        });
        let departed = recorded.entries.get(entries).and_then(|entry| replay.proc(entry.proc));
        let culprits = replay.suspects(replay.culprit.or(departed));
        let is_full = divergence.is_none() && entries < recorded.entries.len() && !is_stopped;
        let (system, prints) = (replay.system, replay.prints);
        let outcome = ReplayOutcome { system, divergence, prints, entries, is_full, is_stopped };
        (outcome, replay.made, culprits)
    };
    let (mut choices, mut best): (Vec<bool>, Option<(usize, Vec<bool>)>) = (vec![], None);
    let mut left = ATTEMPTED_ENTRIES + 2 * recorded.entries.len();
    for n in 1.. {
        let (mut replayed, made, culprits) = attempt(system, choices);
        left = left.saturating_sub(replayed.entries);
        let further = best.as_ref().is_none_or(|(entries, _)| replayed.entries > *entries);
        if further {
            let chosen = made.iter().map(|choice| choice.is_usual).collect();
            best = Some((replayed.entries, chosen));
        }
        let again = replayed.divergence.is_some() && n < ATTEMPTS && left > 0;
        choices = match other(&made, &culprits).filter(|_| again) {
            Some(choices) => choices,
            None => {
                // Nothing fits: the one that came furthest is shown.
                if let (false, Some(_), Some((_, choices))) = (further, &replayed.divergence, best)
                {
                    replayed = attempt(replayed.system.beginning(), choices).0;
                }
                replayed.system.set_arrivals(Arrivals::AtOnce);
                if replayed.is_full || replayed.is_stopped || replayed.divergence.is_some() {
                    replayed.system.set_unfinished();
                }
                return Ok(replayed);
            }
        };
        system = replayed.system.beginning();
    }
    unreachable!("the attempts are counted")
}

/// A term that cannot be read would be a wrong answer.
fn check_terms(recorded: &NodeRecording) -> Result<(), String> {
    let unreadable = |e: &TraceEntry| e.action.term().is_some_and(|bytes| decoded(bytes).is_none());
    match recorded.entries.iter().position(unreadable) {
        Some(i) => Err(format!(
            "event {} has a term that cannot be read: the recording is damaged, or of a newer \
             OTP than this Reverl knows",
            i + 1
        )),
        None => Ok(()),
    }
}

/// The names that recorded processes registered.
fn names(recorded: &NodeRecording) -> HashSet<Atom> {
    let names = recorded.entries.iter().filter_map(|entry| match &entry.action {
        TraceAction::Register(name) | TraceAction::Unregister(name) => term(name).as_atom(),
        _ => None,
    });
    names.collect()
}

/// The same choices up to the last usual one, which becomes the unusual one: the last one of the
/// processes that did not do what was recorded, if they had any.
fn other(made: &[Choice], culprits: &[ProcId]) -> Option<Vec<bool>> {
    let of_culprit = made.iter().rposition(|c| c.is_usual && culprits.contains(&c.of));
    let last = of_culprit.or_else(|| made.iter().rposition(|c| c.is_usual))?;
    let same = made[..last].iter().map(|choice| choice.is_usual);
    Some(same.chain([false]).collect())
}

impl<'r> Replay<'r> {
    fn new(
        recorded: &'r NodeRecording,
        mut system: System,
        mut procs: Vec<Option<ProcId>>,
        clock: ProcId,
        choices: Vec<bool>,
        (versions, nobody): (Rc<Versions>, Rc<Nobody>),
    ) -> Replay<'r> {
        let mut lengths = vec![0; procs.len()];
        recorded.entries.iter().for_each(|entry| lengths[entry.proc as usize] += 1);
        let mut logs: Vec<Vec<u32>> = lengths.into_iter().map(Vec::with_capacity).collect();
        let mut children: HashMap<u32, u32> = HashMap::new();
        let mut family = Family::default();
        let mut next = system.execution().procs().len() as u32;
        for (i, entry) in recorded.entries.iter().enumerate() {
            logs[entry.proc as usize].push(i as u32);
            if let TraceAction::Spawn(child) = &entry.action {
                let Some(parent) = procs[entry.proc as usize] else { continue };
                let Some(process) = recorded.processes.get(*child as usize) else { continue };
                let k = children.entry(entry.proc).or_default();
                *k += 1;
                family.0.push((parent.0, *k, next, process.pid));
                procs[*child as usize] = Some(ProcId(next));
                next += 1;
            }
        }
        system.set_arrivals(Arrivals::Queued);
        system.reserve_children(&family);
        let done = vec![0; procs.len()];
        let next_deeds = vec![Cell::new(0); procs.len()];
        let numbered = procs.iter().enumerate().filter_map(|(i, p)| Some(((*p)?, i)));
        let numbers = numbered.collect();
        let inputs = recorded.functions.iter().filter(|f| f.role.is_input());
        let inputs = inputs.map(|f| (Atom::new(&f.module), Atom::new(&f.name), f.arity)).collect();
        let mut replay = Replay {
            recorded,
            system,
            procs,
            numbers,
            inputs,
            logs,
            done,
            next_deeds,
            returned: HashMap::new(),
            nobody,
            answered: HashSet::new(),
            choices,
            made: vec![],
            culprit: None,
            turn: 0,
            prints: None,
            messages: HashMap::new(),
            clock,
            versions,
            loading: HashMap::new(),
        };
        replay.count_messages();
        replay
    }

    /// Replays all entries up to the first that does not fit, or as long as there is memory: how many
    /// did, and what is wrong.
    pub(super) fn replay_all(
        &mut self,
        more: &mut dyn FnMut(&System) -> bool,
    ) -> (usize, Option<Divergence>) {
        for (i, entry) in self.recorded.entries.iter().enumerate() {
            let looks = i % LOOK_AT_MEMORY == LOOK_AT_MEMORY - 1;
            if looks && (self.system.is_nearly_full() || !more(&self.system)) {
                return (i, None);
            }
            self.change_from_outside(i as u32);
            if let Err((told, computed)) = self.entry(i, entry) {
                return (i, Some(self.diverged(i, entry, told, computed)));
            }
        }
        if !self.recorded.is_part {
            self.run_out();
        }
        (self.recorded.entries.len(), None)
    }

    /// A process that departs, and those whose messages it had last: what they sent may be wrong.
    fn suspects(&self, culprit: Option<ProcId>) -> Vec<ProcId> {
        let Some(culprit) = culprit else { return vec![] };
        let deliveries = &self.system.execution().proc(culprit).deliveries;
        let senders = deliveries.iter().rev().take(SUSPECTS).map(|d| d.signal.from);
        std::iter::once(culprit).chain(senders).collect()
    }

    /// Whether what is usual is tried, in a matter of this process.
    pub(super) fn choose(&mut self, of: ProcId) -> bool {
        let is_usual = self.choices.get(self.made.len()).copied().unwrap_or(true);
        self.made.push(Choice { is_usual, of });
        is_usual
    }

    pub(super) fn proc(&self, number: u32) -> Option<ProcId> {
        self.procs.get(number as usize).copied().flatten()
    }

    // -- Entries

    pub(super) fn entry(&mut self, i: usize, entry: &TraceEntry) -> Fits<()> {
        let at = entry.proc as usize;
        if self.logs[at].get(self.done[at]) != Some(&(i as u32)) {
            // It was done together with an earlier one.
            return Ok(());
        }
        self.done[at] += 1;
        self.turn = i;
        let Some(proc) = self.proc(entry.proc) else { return Ok(()) };
        match &entry.action {
            TraceAction::Begin { .. } => self.begin(proc, at),
            TraceAction::Deliver { .. } | TraceAction::DeliverTerm { .. } => {
                self.arrives(proc, at, &entry.action)
            }
            TraceAction::DeliverInside { from, message } => {
                self.deliver_inside(proc, *from, &term(message))
            }
            TraceAction::Timeout => self.time_out(proc, at),
            TraceAction::Consume { .. } => Ok(()),
            TraceAction::Spawn(_) => self.goal(proc, Goal::Spawn, at, "a spawn"),
            TraceAction::Result { function, .. } | TraceAction::Raised { function, .. } => {
                let told = format!("a call of {}", self.name(*function));
                let made = self.goal(proc, Goal::Result, at, &told);
                if self.is_of_cover(*function) { Ok(()) } else { made }
            }
            // One function that ends the node may call another, which then has nothing to do.
            TraceAction::Call { .. } if self.system.halted().is_some() => Ok(()),
            TraceAction::Call { function, .. } => {
                let told = format!("a call of {}", self.name(*function));
                self.goal(proc, Goal::Call, at, &told)
            }
            TraceAction::Exit(reason) => self.exit(proc, at, &term(reason)),
            TraceAction::Return(value) => self.ended(proc, at, Ok(term(value))),
            TraceAction::BeginRaised(exception) => self.ended(proc, at, Err(term(exception))),
            TraceAction::Register(_) | TraceAction::Unregister(_) => {
                // The process itself or another has done it; it must not happen later than this.
                self.run(proc, Goal::Stop, at).map(|_| ())
            }
        }
    }

    /// Whether only code that `cover` compiled may have made a call of this function.
    fn is_of_cover(&self, function: u32) -> bool {
        let function = self.recorded.functions.get(function as usize);
        function.is_some_and(|f| inputs::OF_COVER.contains(&(&f.module, &f.name, f.arity)))
    }

    pub(super) fn name(&self, function: u32) -> String {
        match self.recorded.functions.get(function as usize) {
            Some(f) => format!("{}:{}/{}", f.module, f.name, f.arity),
            None => "an unknown function".into(),
        }
    }

    /// The function whose value an entry is.
    pub(super) fn function_at(&self, entry: u32) -> Option<&'r TracedFunction> {
        match self.recorded.entries[entry as usize].action {
            TraceAction::Result { function, .. } | TraceAction::Raised { function, .. } => {
                self.recorded.functions.get(function as usize)
            }
            _ => None,
        }
    }

    pub(super) fn goal(&mut self, proc: ProcId, goal: Goal, at: usize, told: &str) -> Fits<()> {
        match self.run(proc, goal, at)? {
            Reached::Yes => Ok(()),
            Reached::Stuck => Err((told.into(), self.doing(proc))),
        }
    }

    /// Describes what a process does that cannot go on.
    pub(super) fn doing(&mut self, proc: ProcId) -> String {
        if let Some(asked) = self.system.asked(proc) {
            let b = Program::builtin(asked.builtin);
            let (module, name, args) = match asked.args.as_slice() {
                [module, name, args] if b.nature == Nature::StandIn => {
                    (show(module), show(name), args.list_iter().map(show).collect())
                }
                args => (b.module.into(), b.name.into(), args.iter().map(show).collect()),
            };
            let args: Vec<String> = args;
            return format!("a call of {module}:{name}({})", args.join(", "));
        }
        match self.drive(proc, 0) {
            Happened::Waits => "it waits in a receive".into(),
            Happened::Ends => match self.system.running(proc).process.ending() {
                Some(Ending::Value(value)) => format!("it ends with {}", show(value)),
                Some(Ending::Exception(e)) => {
                    format!("it ends: {} {}", e.class.atom().name(), show(&e.reason))
                }
                None => "it ends".into(),
            },
            Happened::Exited => "it has ended".into(),
            _ => "it runs on".into(),
        }
    }

    /// Lets a process run up to what it needs from the recording, or up to `limit` steps in all.
    pub(super) fn drive(&mut self, proc: ProcId, limit: u64) -> Happened {
        let run = Step::Run { proc, until: Until::Need(limit) };
        // A process that was never spawned counts as ended, too.
        self.system.step(&run).unwrap_or(Happened::Exited)
    }

    /// Carries out what a process asked for; if the recording has an answer, that is the answer.
    pub(super) fn grant(&mut self, proc: ProcId, answer: Option<Result<Term, Raise>>) {
        let granted =
            self.system.step(&Step::Answer { proc, with: answer.as_ref().map(Input::of) });
        debug_assert!(granted.is_ok(), "a process is granted what it asks for");
    }

    /// The next signal of one process to another arrives: which one, and whether it is a message
    /// in the mailbox. `None` if there is none on its way.
    pub(super) fn arrive(&mut self, from: ProcId, to: ProcId) -> Option<(SignalId, bool)> {
        let signal = self.system.next_signal(from, to)?;
        let before = self.system.execution().proc(to).deliveries.len();
        self.system.step(&Step::Deliver { signal, to }).ok()?;
        let deliveries = &self.system.execution().proc(to).deliveries;
        Some((signal, deliveries.get(before).is_some_and(|d| d.in_mailbox())))
    }

    pub(super) fn is_on_the_way(&self, from: ProcId, to: ProcId) -> bool {
        self.system.next_signal(from, to).is_some()
    }

    /// The timer with this message for this process fires; false if there is none.
    pub(super) fn fire(&mut self, to: ProcId, message: &Term) -> bool {
        let timer = self.system.timer_with(to, message);
        timer.is_some_and(|timer| self.system.step(&timer).is_ok())
    }

    pub(super) fn let_time_out(&mut self, proc: ProcId) {
        let waited = self.system.step(&Step::TimeOut { proc });
        debug_assert!(waited.is_ok(), "only who waits times out");
    }

    pub(super) fn diverged(
        &mut self,
        i: usize,
        entry: &TraceEntry,
        recorded: String,
        computed: String,
    ) -> Divergence {
        let (pid, place) = match self.proc(entry.proc) {
            Some(proc) => (show(&self.system.pid(proc)), self.place(proc, &[STAND_INS])),
            None => ("that was never spawned".into(), String::new()),
        };
        Divergence { event: i + 1, pid, place, recorded, computed }
    }

    /// `file:line` where a process is: in the nearest call that is not of these modules.
    pub(super) fn place(&self, proc: ProcId, except: &[&str]) -> String {
        let code = &self.system.program().code;
        let process = &self.system.running(proc).process;
        let calls = process.stack().callers().map(|(ret, _)| ret - 1);
        let mut calls = std::iter::once(process.pc()).chain(calls);
        let is_meant = |pc: &Pc| !except.contains(&code.fun(code.fun_at(*pc)).module.name());
        let pc = calls.find(is_meant).unwrap_or(process.pc());
        let shown = code.sources.shown_at(code.span_at(pc));
        shown.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default()
    }
}
