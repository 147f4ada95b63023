//! One process runs up to its goal, and is given what it asks for when it is due.

use super::{Fits, Goal, LAST_STEPS, Reached, Replay};
use crate::inputs;
use crate::parts::{TraceAction, TracedFunction};
use crate::terms::{pid, raise, term, value_of};
use reverl_causal::execution::ActionKind;
use reverl_causal::{Happened, ProcId, Step, Until};
use reverl_machine::builtins::nature::{Nature, Tie};
use reverl_machine::{Program, Raise};
use reverl_term::{Atom, Term};

/// What `spawn_request` calls on a node.
const SPAWN_REQUEST: (&str, &str, u16) = ("erts_internal", "spawn_request", 4);

/// Whether the options of a spawn, its last argument, ask for a monitor.
fn asks_for_monitor(args: &[Term]) -> bool {
    let is_monitor = |option: &Term| {
        let key = option.as_tuple().and_then(|pair| pair.first()).unwrap_or(option);
        key.is_atom_eq(Atom::new("monitor"))
    };
    args.last().is_some_and(|options| options.list_iter().any(is_monitor))
}

/// Whether a call asks for what is the same on every node, and is not recorded: it is the stand-in of
/// `erlang:system_info(wordsize)`.
fn asks_for_word_size((module, name, _): (Atom, Atom, u16), args: &[Term]) -> bool {
    let asked = args.last().and_then(|args| args.list_iter().next().cloned());
    (module.name(), name.name()) == ("erlang", "system_info")
        && asked.is_some_and(|key| key.is_atom_eq(Atom::new("wordsize")))
}

fn names_of((module, name, _): (Atom, Atom, u16)) -> (&'static str, &'static str) {
    (module.name(), name.name())
}

/// Whether calls of this function are left out where they count what `cover` counts.
fn is_of_cover((module, name, arity): (Atom, Atom, u16)) -> bool {
    inputs::OF_COVER.contains(&(module.name(), name.name(), arity))
}

/// Whether a message is one of the system itself (see the function of this name in the tracer).
pub(super) fn is_of_system(message: &Term) -> bool {
    let tag = message.as_tuple().and_then(|t| Some((t.len(), t.first()?.as_atom()?)));
    tag.is_some_and(|(n, tag)| match tag.name() {
        "spawn_request" => true,
        name => {
            let of_four = ["ETS-TRANSFER", "spawn_reply", OF_SOCKET];
            matches!((n, name), (5, "DOWN") | (3, "EXIT")) || n == 4 && of_four.contains(&name)
        }
    })
}

/// The tag of `{'$socket', Socket, What, Info}`, which a function in C sends: nobody here computes it.
const OF_SOCKET: &str = "$socket";

pub(super) fn is_of_socket(message: &Term) -> bool {
    let tag = message.as_tuple().filter(|t| t.len() == 4).and_then(|t| t[0].as_atom());
    tag.is_some_and(|tag| tag.name() == OF_SOCKET)
}

impl Replay<'_> {
    /// Lets a process run up to its goal. One that may be ended by others is not waited for long.
    pub(super) fn run(&mut self, proc: ProcId, goal: Goal, at: usize) -> Fits<Reached> {
        if matches!(goal, Goal::End | Goal::Stop) && self.may_be_ended(at) {
            if let Some(reached) = self.run_as_found(proc, at)? {
                return Ok(reached);
            }
        }
        let limit = match goal {
            Goal::End | Goal::Stop | Goal::Deed => {
                self.system.running(proc).process.steps().saturating_add(LAST_STEPS)
            }
            _ => u64::MAX,
        };
        self.run_within(proc, goal, at, limit)
    }

    /// As `run`, however long it takes.
    pub(super) fn run_on(&mut self, proc: ProcId, goal: Goal, at: usize) -> Fits<Reached> {
        self.run_within(proc, goal, at, u64::MAX)
    }

    fn run_within(&mut self, proc: ProcId, goal: Goal, at: usize, limit: u64) -> Fits<Reached> {
        loop {
            match self.drive(proc, limit) {
                Happened::Asks => {
                    if let Some(reached) = self.ask(proc, goal, at)? {
                        return Ok(reached);
                    }
                    let there = match goal {
                        Goal::Deed => true,
                        Goal::SendTo(to) => self.is_on_the_way(proc, to),
                        Goal::Trap(from) => self.system.traps(proc, from),
                        _ => false,
                    };
                    if there {
                        return Ok(Reached::Yes);
                    }
                }
                Happened::Acted => {
                    if self.has_sent(proc, goal) {
                        return Ok(Reached::Yes);
                    }
                }
                Happened::Waits => {
                    if self.is_own(proc) && self.system.receive_timeout(proc).is_some() {
                        self.let_time_out(proc);
                        continue;
                    }
                    if goal == Goal::Timeout {
                        self.let_time_out(proc);
                        return Ok(Reached::Yes);
                    }
                    return Ok(Reached::Stuck);
                }
                Happened::Ends => {
                    if goal == Goal::End && self.is_own_end(proc, at) {
                        self.last_signals(proc);
                        let end = Step::Run { proc, until: Until::Action(u64::MAX) };
                        let _ = self.system.step(&end);
                        return Ok(Reached::Yes);
                    }
                    return Ok(Reached::Stuck);
                }
                Happened::Paused | Happened::Watched | Happened::Exited => {
                    return Ok(Reached::Stuck);
                }
            }
        }
    }

    /// A process has sent or received something: whether that was a message that is its goal.
    fn has_sent(&self, proc: ProcId, goal: Goal) -> bool {
        let last = self.system.execution().proc(proc).actions.last();
        let has_received = last.is_some_and(|a| matches!(a.what(), ActionKind::Receive(_)));
        !has_received
            && match goal {
                Goal::Deed => true,
                Goal::SendTo(to) => self.is_on_the_way(proc, to),
                _ => false,
            }
    }

    /// The next entry of a process that is not a delivery.
    pub(super) fn next_of(&self, at: usize) -> Option<u32> {
        let (log, done) = (&self.logs[at], self.done[at]);
        let is_arrival = |i: &u32| {
            let deed = &self.recorded.entries[*i as usize].action;
            deed.is_arrival() || matches!(deed, TraceAction::DeliverInside { .. })
        };
        // It is looked for again only when it is over: a process may have nothing but arrivals.
        let mut next = self.next_deeds[at].get().max(done);
        next += log.get(next..).unwrap_or_default().iter().take_while(|i| is_arrival(i)).count();
        self.next_deeds[at].set(next);
        log.get(next).copied()
    }

    /// A receive in our own module `erlang` is not one of the program.
    pub(super) fn is_own(&self, proc: ProcId) -> bool {
        let code = &self.system.program().code;
        let actions = &self.system.execution().proc(proc).actions;
        let process = &self.system.running(proc).process;
        let pc = match (process.is_waiting(), actions.last()) {
            (false, Some(last)) if matches!(last.what(), ActionKind::Receive(_)) => last.pc,
            _ => process.pc(),
        };
        code.fun(code.fun_at(pc)).module == Atom::new("erlang")
    }

    /// Gives a process what it asks for, if it is due: whether that was its goal, or `Stuck` if it
    /// is not due. `None` if it goes on.
    pub(super) fn ask(&mut self, proc: ProcId, goal: Goal, at: usize) -> Fits<Option<Reached>> {
        let Some(asked) = self.system.asked(proc) else { return Ok(Some(Reached::Stuck)) };
        let b = Program::builtin(asked.builtin);
        let due_for = match b.nature {
            Nature::Spawn | Nature::SpawnMonitor => Some(Goal::Spawn),
            Nature::Returned => Some(Goal::End),
            // Only whoever drives it knows what comes next.
            Nature::Outside => return Ok(Some(Reached::Stuck)),
            Nature::Halt if b.name == "halt" => Some(Goal::Call),
            Nature::Exit if goal == Goal::Deed && self.would_kill_in_vain(proc, &asked.args) => {
                return Ok(Some(Reached::Stuck));
            }
            _ => None,
        };
        if let Some(due_for) = due_for {
            if goal != due_for {
                return Ok(Some(Reached::Stuck));
            }
            if goal == Goal::End {
                self.returned.insert(proc, asked.args[0].clone());
            }
            let monitors = b.nature == Nature::SpawnMonitor || asks_for_monitor(&asked.args);
            let answer = if goal == Goal::Spawn { self.spawn_answer(at, monitors) } else { None };
            self.grant(proc, answer);
            return Ok(Some(Reached::Yes));
        }
        let function = match asked.args.as_slice() {
            [module, name, args] if b.nature == Nature::StandIn => {
                let atom = |t: &Term| t.as_atom().unwrap_or(reverl_term::atoms::UNDEFINED);
                (atom(module), atom(name), args.list_len().unwrap_or(0) as u16)
            }
            // OTP writes this by the same with one argument.
            [] if b.nature == Nature::Tie(Tie::Alias) => {
                (Atom::new(b.module), Atom::new(b.name), 1)
            }
            _ => (Atom::new(b.module), Atom::new(b.name), u16::from(b.arity)),
        };
        if let Some(version) = self.asked_version(proc, function, &asked.args) {
            self.grant(proc, Some(Ok(version)));
            return Ok(None);
        }
        if !self.inputs.contains(&function) {
            self.grant(proc, None);
            return Ok(None);
        }
        match self.due_input(function, goal, at) {
            Some(answer) => {
                if let (("erlang", "whereis"), Ok(pid)) = (names_of(function), &answer) {
                    let name = asked.args[0].clone();
                    self.note_name(&name, pid);
                }
                if self.versions.are_loaded_by(function) {
                    self.loading.insert(proc, self.logs[at][self.done[at] - 1]);
                }
                self.grant(proc, Some(answer));
                Ok(Some(Reached::Yes))
            }
            None if asks_for_word_size(function, &asked.args) => {
                self.grant(proc, None);
                Ok(None)
            }
            None if is_of_cover(function) && !self.is_next(function, at) => {
                self.grant(proc, Some(Ok(Term::atom(reverl_term::atoms::OK))));
                Ok(None)
            }
            None if self.was_not_made(function, at) => {
                // Nobody looks at what stands for a call that the compiler left out.
                let stands_in = b.nature == Nature::StandIn;
                self.grant(proc, stands_in.then(|| Ok(Term::nil())));
                Ok(None)
            }
            None => Ok(Some(Reached::Stuck)),
        }
    }

    /// A process that is not recorded may have a name that recorded ones had before.
    fn note_name(&mut self, name: &Term, pid: &Term) {
        let execution = self.system.execution();
        let is_ours = |pid| execution.find(pid).is_some_and(|p| !execution.proc(p).is_system);
        if let (Some(name), Some(pid)) = (name.as_atom(), pid.as_pid()) {
            if !is_ours(pid) {
                self.system.name_other(name);
            }
        }
    }

    /// Whether a call was not made by the node, or made where nobody sees it: the compiler leaves
    /// out calls whose values are not used, and one clock is read by an instruction.
    fn was_not_made(&self, function: (Atom, Atom, u16), at: usize) -> bool {
        let (module, name, arity) = function;
        let may_be_left_out = inputs::LEFT_OUT.contains(&(module.name(), name.name(), arity));
        may_be_left_out && !self.is_next(function, at)
    }

    /// Whether the entry that is replayed, or the next one, is of a call of this function.
    fn is_next(&self, (module, name, arity): (Atom, Atom, u16), at: usize) -> bool {
        let due = self.logs[at].get(self.done[at].saturating_sub(1)).copied();
        let is_it = |f: &TracedFunction| {
            (f.module.as_str(), f.name.as_str(), f.arity) == (module.name(), name.name(), arity)
        };
        let is_next = |i: u32| self.function_at(i).is_some_and(is_it);
        due.into_iter().chain(self.next_of(at)).any(is_next)
    }

    /// The recorded answer of a call of this function, if that is what comes next.
    fn due_input(
        &self,
        function: (Atom, Atom, u16),
        goal: Goal,
        at: usize,
    ) -> Option<Result<Term, Raise>> {
        if goal != Goal::Result {
            return None;
        }
        let due = self.logs[at][self.done[at] - 1] as usize;
        let (told, answer) = match &self.recorded.entries[due].action {
            TraceAction::Result { function, value } => (*function, Ok(value_of(value))),
            TraceAction::Raised { function, exception } => {
                (*function, Err(raise(&term(exception))))
            }
            _ => return None,
        };
        let told = self.recorded.functions.get(told as usize)?;
        let told = (&*told.module, &*told.name, told.arity);
        let asked = (function.0.name(), function.1.name(), function.2);
        // The reference of a request is made by the request there, and by itself here.
        let is_of_request = asked == ("erlang", "make_ref", 0) && told == SPAWN_REQUEST;
        (told == asked || is_of_request).then_some(answer)
    }

    /// The value of a spawn with options, which comes right after it. That of a request is the
    /// reference of the monitor, if it asks for one.
    fn spawn_answer(&mut self, at: usize, monitors: bool) -> Option<Result<Term, Raise>> {
        let next = *self.logs[at].get(self.done[at])? as usize;
        let TraceAction::Result { function, value } = &self.recorded.entries[next].action else {
            return None;
        };
        let function = self.recorded.functions.get(*function as usize)?;
        let value = match (&*function.module, &*function.name, function.arity) {
            ("erlang", "spawn_opt", 4) => value_of(value),
            SPAWN_REQUEST if monitors => {
                let child = self.recorded.processes.get(self.spawned_last(at)? as usize)?;
                Term::tuple(vec![Term::pid(pid(child.pid)), value_of(value)])
            }
            _ => return None,
        };
        self.done[at] += 1;
        Some(Ok(value))
    }

    /// The number of the process whose spawn is the entry that is replayed.
    fn spawned_last(&self, at: usize) -> Option<u32> {
        let now = *self.logs[at].get(self.done[at].checked_sub(1)?)? as usize;
        match self.recorded.entries[now].action {
            TraceAction::Spawn(child) => Some(child),
            _ => None,
        }
    }
}
