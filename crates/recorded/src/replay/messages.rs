//! Messages arrive: those of recorded processes when they have sent them, the others as they were.

use super::advance::{is_of_socket, is_of_system};
use super::{Fits, Goal, Reached, Replay, STAND_INS, show};
use crate::diverged::PrintDifference;
use crate::inputs;
use crate::parts::{TraceAction, TracedFunction};
use crate::same::{has_stable_hash, same};
use crate::terms::term;
use reverl_causal::{Happened, ProcId, SignalId};
use reverl_machine::Program;
use reverl_machine::builtins::nature::Nature;
use reverl_term::{Atom, Term};

/// Whether a message looks like what system calls wait for inside: an answer to a request. Functions
/// of `erlang`, such as those of ports, do not wait for what a port sends.
fn is_for_call(message: &Term, module: &str) -> bool {
    let Some([tag, ..]) = message.as_tuple() else { return false };
    let is_alias = |t: &Term| t.as_cons().is_some_and(|(_, tail)| tail.as_reference().is_some());
    let names = ["code_server", "init", "io_reply", "file_reply"];
    let of_port = ["inet_reply", "inet_async"];
    let is_of_port =
        tag.as_port().is_some() || tag.as_atom().is_some_and(|a| of_port.contains(&a.name()));
    tag.as_reference().is_some()
        || is_alias(tag)
        || tag.as_atom().is_some_and(|a| names.contains(&a.name()))
        || is_of_port && module != "erlang"
}

fn is_down(message: &Term) -> bool {
    message.as_tuple().is_some_and(|t| t.len() == 5 && t[0].is_atom_eq(reverl_term::atoms::DOWN))
}

/// Whether a message is certainly not the one that had this hash. Functions and stack traces differ where
/// nothing went another way, so what has these is not judged.
fn has_other_hash(message: &Term, hash: u32) -> bool {
    reverl_term::phash2(message, 1 << 27) != u64::from(hash) && has_stable_hash(message)
}

/// What a request of the I/O protocol prints: `{io_request, From, ReplyAs, Request}`.
fn printed(request: &Term) -> String {
    let what = request.as_tuple().and_then(|t| t.get(3)).unwrap_or(request);
    reverl_term::fmt::format_string("~0p", std::slice::from_ref(what))
        .unwrap_or_else(|_| show(what))
}

impl Replay<'_> {
    /// A message arrives, unless it is an answer to the system itself.
    pub(super) fn arrives(&mut self, proc: ProcId, at: usize, arrival: &TraceAction) -> Fits<()> {
        if let TraceAction::Deliver { from, .. } = arrival {
            if self.is_answer_of_system(proc, at, *from)? {
                return Ok(());
            }
        }
        self.bring(proc, arrival)
    }

    /// What was recorded as arriving arrives.
    fn bring(&mut self, proc: ProcId, arrival: &TraceAction) -> Fits<()> {
        match arrival {
            TraceAction::Deliver { from, hash } => self.deliver(proc, *from, *hash),
            TraceAction::DeliverTerm { from, message } => {
                self.deliver_term(proc, *from, &term(message))
            }
            _ => Ok(()),
        }
    }

    /// A receive times out, or a timer has sent the atom `timeout`, which looks the same.
    pub(super) fn time_out(&mut self, proc: ProcId, at: usize) -> Fits<()> {
        self.run(proc, Goal::Stop, at)?;
        let timeout = Term::atom(reverl_term::atoms::TIMEOUT);
        let waits = self.system.is_waiting(proc) && self.system.receive_timeout(proc).is_some();
        let timer = self.system.timer_with(proc, &timeout).is_some();
        if timer && (!waits || !self.choose(proc)) {
            self.fire(proc, &timeout);
            return Ok(());
        }
        self.goal(proc, Goal::Timeout, at, "a time-out")
    }

    /// Whether a message is how another process answered a question of the system itself
    /// (`process_info`, ..): it came and went inside of that call.
    fn is_answer_of_system(&mut self, proc: ProcId, at: usize, from: u32) -> Fits<bool> {
        let Some(next) = self.next_of(at).filter(|next| !self.answered.contains(next)) else {
            return Ok(false);
        };
        let is_question =
            |f: &TracedFunction| f.module == "erlang" && inputs::ASKS.contains(&f.name.as_str());
        if !self.function_at(next).is_some_and(is_question) {
            return Ok(false);
        }
        self.run(proc, Goal::Stop, at)?;
        let asked = self.system.asked(proc).map(|asked| match asked.args.as_slice() {
            [_, _, args] if Program::builtin(asked.builtin).nature == Nature::StandIn => {
                args.as_cons().map(|(first, _)| first.clone())
            }
            args => args.first().cloned(),
        });
        let of = self.proc(from).map(|from| self.system.pid(from));
        let is_answer = of.is_some() && asked.flatten() == of;
        if is_answer {
            self.answered.insert(next);
        }
        Ok(is_answer)
    }

    pub(super) fn deliver(&mut self, to: ProcId, from: u32, hash: Option<u32>) -> Fits<()> {
        let Some(sender) = self.proc(from) else {
            return Err(("a message".into(), "its sender does not exist".into()));
        };
        let signal = self.next_message(sender, to)?;
        let message = self.system.execution().signal(signal).message.clone();
        let differs = hash.is_some_and(|hash| has_other_hash(&message, hash));
        if self.system.execution().proc(to).is_system {
            if differs {
                self.note_print(sender, &message);
            }
            self.drive_outside(to, Term::atom(Atom::new("take")));
        } else if let (true, Some(hash)) = (differs, hash) {
            let told =
                format!("a message from {} with hash {hash}", show(&self.system.pid(sender)));
            return Err((told, show(&message)));
        }
        Ok(())
    }

    /// What is printed does not come back, so the process goes on as it did, and the first that is not
    /// as it was is told beside.
    fn note_print(&mut self, by: ProcId, request: &Term) {
        let difference = PrintDifference {
            event: self.turn + 1,
            pid: show(&self.system.pid(by)),
            place: self.place(by, &[STAND_INS, "io", "erlang"]),
            computed: printed(request),
        };
        self.prints.get_or_insert(difference);
    }

    /// Lets signals arrive until one of them is a message in the mailbox.
    pub(super) fn next_message(&mut self, from: ProcId, to: ProcId) -> Fits<SignalId> {
        loop {
            while let Some((signal, in_mailbox)) = self.arrive(from, to) {
                if in_mailbox {
                    self.messages.entry((from, to)).or_default().1 += 1;
                    return Ok(signal);
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
                    self.culprit = Some(from);
                    return Err((told, format!("none was sent; of the sender: {doing}")));
                }
            }
        }
    }

    pub(super) fn number_of(&self, proc: ProcId) -> usize {
        self.numbers.get(&proc).copied().unwrap_or(0)
    }

    /// A message whose contents are known: from outside, from a timer, or of an end.
    pub(super) fn deliver_term(
        &mut self,
        to: ProcId,
        from: Option<u32>,
        message: &Term,
    ) -> Fits<()> {
        let sender = from.and_then(|from| self.proc(from));
        let outside = sender.filter(|s| self.system.execution().proc(*s).is_system);
        match (sender, outside) {
            (None, _) => {
                if !self.fire(to, message) {
                    // The timer may not have been started yet.
                    let at = self.number_of(to);
                    self.run(to, Goal::Stop, at)?;
                    if !self.fire(to, message) {
                        self.send_from_outside(self.clock, to, message);
                    }
                }
                Ok(())
            }
            (Some(_), Some(outside)) => {
                self.take_request(outside, to, message);
                self.send_from_outside(outside, to, message);
                Ok(())
            }
            (Some(sender), None) if self.is_spawn_reply(sender, message) => {
                // Here it is a message of the process to itself.
                let at = self.number_of(to);
                if !self.is_on_the_way(to, to) {
                    self.run(to, Goal::SendTo(to), at)?;
                }
                match self.arrive(to, to) {
                    Some(_) => Ok(()),
                    None => Err((format!("the message {}", show(message)), self.doing(to))),
                }
            }
            (Some(_), None) if is_of_socket(message) => {
                self.send_from_outside(self.clock, to, message);
                Ok(())
            }
            (Some(sender), None) => self.told(sender, to, message),
        }
    }

    /// Whether a message says that this process was spawned: `{Tag, Reference, ok, Pid}`.
    fn is_spawn_reply(&self, spawned: ProcId, message: &Term) -> bool {
        match message.as_tuple() {
            Some([_, reference, ok, pid]) => {
                reference.as_reference().is_some()
                    && ok.is_atom_eq(reverl_term::atoms::OK)
                    && *pid == self.system.pid(spawned)
            }
            _ => false,
        }
    }

    /// A message that came while the process was in a call of which nothing inside is recorded: it
    /// was for the program or for that call, which only what follows can tell.
    pub(super) fn deliver_inside(
        &mut self,
        to: ProcId,
        from: Option<u32>,
        message: &Term,
    ) -> Fits<()> {
        if from.is_none() {
            let at = self.number_of(to);
            self.run(to, Goal::Stop, at)?;
            if self.fire(to, message) {
                return Ok(());
            }
        }
        let at = self.number_of(to);
        let inside = self.next_of(at).and_then(|next| self.function_at(next));
        let module = inside.map_or("", |function| &function.module);
        match self.choose(to) == is_for_call(message, module) {
            true => Ok(()),
            false => self.deliver_term(to, from, message),
        }
    }

    /// A process outside does one thing, and asks for the next.
    pub(super) fn drive_outside(&mut self, outside: ProcId, what: Term) {
        let mut what = Some(what);
        loop {
            match self.drive(outside, u64::MAX) {
                Happened::Asks if self.pauses(outside) => match what.take() {
                    Some(what) => self.grant(outside, Some(Ok(what))),
                    None => return,
                },
                Happened::Asks => self.grant(outside, None),
                Happened::Acted | Happened::Paused | Happened::Watched => {}
                Happened::Waits | Happened::Ends | Happened::Exited => return,
            }
        }
    }

    pub(super) fn send_from_outside(&mut self, outside: ProcId, to: ProcId, message: &Term) {
        let what = Term::tuple(vec![self.system.pid(to), message.clone()]);
        self.drive_outside(outside, what);
        while self.arrive(outside, to).is_some() {}
    }

    /// An answer of the I/O protocol to a request that nobody saw arrive: it did, before.
    pub(super) fn take_request(&mut self, outside: ProcId, from: ProcId, reply: &Term) {
        let is_reply = reply
            .as_tuple()
            .is_some_and(|t| t.len() == 3 && t[0].is_atom_eq(Atom::new("io_reply")));
        while is_reply && self.is_on_the_way(from, outside) {
            let arrived = self.arrive(from, outside);
            if arrived.is_some_and(|(_, in_mailbox)| in_mailbox) {
                self.drive_outside(outside, Term::atom(Atom::new("take")));
            }
        }
    }

    /// How many signals of a process to itself bring this `'DOWN'`: none if messages come before it.
    fn told_by_itself(&self, to: ProcId, message: &Term) -> usize {
        let execution = self.system.execution();
        let own = self.system.on_the_way(to).into_iter().find(|(from, _)| *from == to);
        let own = own.map_or(vec![], |(_, signals)| signals);
        let is_it = |id: &SignalId| same(message, &execution.signal(*id).message);
        let last = own.iter().position(is_it).map_or(0, |at| at + 1);
        let is_clear =
            own.iter().take(last).all(|id| is_it(id) || !execution.kind(*id).is_message());
        if is_clear { last } else { 0 }
    }

    /// `'DOWN'` or `'EXIT'` of a recorded process, or any message of one that is not any more.
    pub(super) fn told(&mut self, from: ProcId, to: ProcId, message: &Term) -> Fits<()> {
        let is_exit = message.as_tuple().is_some_and(|t| t.len() == 3);
        if is_exit && !self.system.traps(to, from) {
            let at = self.number_of(to);
            self.run(to, Goal::Trap(from), at)?;
        }
        loop {
            while let Some((signal, in_mailbox)) = self.arrive(from, to) {
                let told = self.system.execution().signal(signal).message.clone();
                if in_mailbox {
                    if !is_of_system(message) {
                        self.messages.entry((from, to)).or_default().1 += 1;
                    }
                    self.culprit = Some(from);
                    return match same(message, &told) {
                        true => {
                            self.culprit = None;
                            Ok(())
                        }
                        false => Err((show(message), show(&told))),
                    };
                }
            }
            // A request that finds nobody is answered when it arrives.
            if self.system.has_exited(from) && self.arrive(to, from).is_some() {
                continue;
            }
            let at = self.number_of(from);
            if let Reached::Stuck = self.run(from, Goal::SendTo(to), at)? {
                if self.system.has_exited(from) && is_down(message) {
                    // The receiver has taken its monitor back before this was looked at, or has found
                    // nobody of that name, which it knows by itself.
                    for _ in 0..self.told_by_itself(to, message) {
                        self.arrive(to, to);
                    }
                    return Ok(());
                }
                if self.system.asked(from).is_some() && !self.pauses(from) {
                    // It was sent inside of that call, of which only the value is recorded.
                    self.send_from_outside(self.clock, to, message);
                    return Ok(());
                }
                if self.pauses(from) {
                    let what = Term::tuple(vec![self.system.pid(to), message.clone()]);
                    self.drive_outside(from, what);
                    continue;
                }
                let doing = self.doing(from);
                self.culprit = Some(from);
                return Err((
                    format!("the message {}", show(message)),
                    format!("nothing: {doing}"),
                ));
            }
        }
    }
}
