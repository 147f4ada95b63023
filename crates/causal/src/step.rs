//! Everything that can happen, as plain data, and the one function that makes it happen.
//!
//! Schedules, a past that is replayed, exploration and recordings of real nodes all only say what
//! comes next: they produce steps. `System::step` is the only writer of an execution.

use crate::execution::{Assigned, ProcId, SignalId, SignalKind};
use crate::system::System;
use reverl_lang::code::Reg;
use reverl_machine::{Class, Raise, raise::Top};
use reverl_term::{Atom, Term, etf};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that can happen. Processes and signals are named as they are in one execution, or
/// (in exploration) by names that are the same in all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step<P = ProcId, S = SignalId> {
    /// A process runs.
    Run {
        /// The process.
        proc: P,
        /// How far.
        until: Until,
    },
    /// What a process asks for is answered: with this, or if nothing is given by the system.
    Answer {
        /// The process that asked.
        proc: P,
        /// The answer, if it comes from outside.
        with: Option<Input>,
    },
    /// A signal arrives: one that is next on its way from its sender, or an exit signal that was
    /// held back. Of one that a dead process sends because it is asked, the request arrives too.
    Deliver {
        /// The signal.
        signal: S,
        /// The process that it arrives at.
        to: P,
    },
    /// The receive in which a process waits takes a message that was held back.
    Take {
        /// The process that receives.
        proc: P,
        /// The message that it takes.
        message: S,
    },
    /// The time of a receive is over.
    TimeOut {
        /// The process that waited.
        proc: P,
    },
    /// A variable of a process is given another value.
    Assign {
        /// The process.
        proc: P,
        /// The name of the variable.
        name: String,
        /// The register of the call in progress that holds it.
        register: Reg,
        /// The value.
        value: Input,
    },
    /// A process ends where it stands.
    End {
        /// The process.
        proc: P,
        /// The reason of its exit.
        reason: Input,
    },
    /// The timer fires that this action of its owner started.
    Fire {
        /// The process that started the timer.
        owner: P,
        /// The number of the action that started it.
        started_by: u32,
    },
}

/// When a process that runs gives control back. Each has the most steps, in all, that it may have
/// taken then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Until {
    /// Until it has taken so many steps in all.
    Steps(u64),
    /// It has done something that others can notice.
    Action(u64),
    /// The same, or it needs something: an answer, a time-out, its end. None of these comes by
    /// itself.
    Need(u64),
}

impl Until {
    /// The number of steps that it may have taken at the end.
    pub fn limit(self) -> u64 {
        match self {
            Until::Steps(limit) | Until::Action(limit) | Until::Need(limit) => limit,
        }
    }

    /// The same with another limit.
    pub fn with_limit(self, limit: u64) -> Until {
        match self {
            Until::Steps(_) => Until::Steps(limit),
            Until::Action(_) => Until::Action(limit),
            Until::Need(_) => Until::Need(limit),
        }
    }
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The process used its steps and can go on.
    Paused,
    /// Something that others can notice; whoever it concerns can go on.
    Acted,
    /// The process is about to execute a watched instruction.
    Watched,
    /// It waits for a message or a time-out.
    Waits,
    /// It asks for something (`System::asked`).
    Asks,
    /// It has come to its end, and ends when it runs on.
    Ends,
    /// The process has ended.
    Exited,
}

/// Why a step cannot happen here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The process does not exist yet.
    NotSpawned,
    /// The process has not asked for anything.
    AsksNothing,
    /// The process is not in a receive.
    DoesNotWait,
    /// No clause of the receive matches the message.
    DoesNotMatch,
    /// The signal was not sent.
    NotSent,
    /// Another signal comes first.
    OtherSignal,
    /// There is no such timer.
    NoTimer,
    /// The process has ended, or asks for something.
    IsNotRunning,
    /// The bytes of an answer are not a term.
    NotATerm,
    /// A replayed process does something else than it did.
    DoesOtherwise,
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Impossible::NotSpawned => "the process was not spawned",
            Impossible::AsksNothing => "the process asks for nothing",
            Impossible::DoesNotWait => "the process does not wait",
            Impossible::DoesNotMatch => "the message does not match",
            Impossible::NotSent => "the signal was not sent",
            Impossible::OtherSignal => "another signal arrives",
            Impossible::NoTimer => "there is no such timer",
            Impossible::IsNotRunning => "the process has ended, or waits for an answer",
            Impossible::NotATerm => "the answer is not a term",
            Impossible::DoesOtherwise => "the process does something else",
        })
    }
}

impl std::error::Error for Impossible {}

impl<P: Copy, S: Copy> Step<P, S> {
    /// The same step under other names; `None` if a name means nothing.
    pub fn renamed<Q, T>(
        &self,
        mut proc: impl FnMut(P) -> Option<Q>,
        mut signal: impl FnMut(S) -> Option<T>,
    ) -> Option<Step<Q, T>> {
        Some(match self {
            Step::Run { proc: p, until } => Step::Run { proc: proc(*p)?, until: *until },
            Step::Answer { proc: p, with } => Step::Answer { proc: proc(*p)?, with: with.clone() },
            Step::Deliver { signal: s, to } => {
                Step::Deliver { signal: signal(*s)?, to: proc(*to)? }
            }
            Step::Take { proc: p, message } => {
                Step::Take { proc: proc(*p)?, message: signal(*message)? }
            }
            Step::TimeOut { proc: p } => Step::TimeOut { proc: proc(*p)? },
            Step::Assign { proc: p, name, register, value } => Step::Assign {
                proc: proc(*p)?,
                name: name.clone(),
                register: *register,
                value: value.clone(),
            },
            Step::End { proc: p, reason } => Step::End { proc: proc(*p)?, reason: reason.clone() },
            Step::Fire { owner, started_by } => {
                Step::Fire { owner: proc(*owner)?, started_by: *started_by }
            }
        })
    }
}

impl System {
    /// Lets one thing happen.
    #[inline]
    pub fn step(&mut self, step: &Step) -> Result<Happened, Impossible> {
        match *step {
            Step::Run { proc, until } => self.run_process(self.spawned(proc)?, until),
            Step::Answer { proc, ref with } => {
                let given = with.as_ref().map(Input::answer).transpose()?;
                self.answer(self.spawned(proc)?, given)
            }
            Step::Deliver { signal, to } => self.arrive(self.known(signal)?, self.spawned(to)?),
            Step::Take { proc, message } => {
                self.receive_held(self.spawned(proc)?, self.known(message)?)
            }
            Step::TimeOut { proc } => self.wait_is_over(self.spawned(proc)?),
            Step::Assign { proc, ref name, register, ref value } => {
                let value = value.value()?;
                self.assign(
                    self.spawned(proc)?,
                    Assigned { name: Atom::new(name), register, value },
                )
            }
            Step::End { proc, ref reason } => {
                self.end_by_hand(self.spawned(proc)?, reason.value()?)
            }
            Step::Fire { owner, started_by } => self.fire(self.spawned(owner)?, started_by),
        }
    }

    #[inline]
    fn spawned(&self, proc: ProcId) -> Result<ProcId, Impossible> {
        let is_spawned = self.execution.procs.get(proc.0 as usize).is_some_and(|p| p.is_spawned);
        if is_spawned { Ok(proc) } else { Err(Impossible::NotSpawned) }
    }

    /// A signal of a process that there is; it need not be sent yet.
    fn known(&self, signal: SignalId) -> Result<SignalId, Impossible> {
        self.spawned(signal.from).map(|_| signal)
    }

    /// A signal arrives, if it is the next one of its pair.
    fn arrive(&mut self, signal: SignalId, to: ProcId) -> Result<Happened, Impossible> {
        if self.let_exit_through(signal) {
            return Ok(Happened::Acted);
        }
        self.let_the_dead_answer(signal, to)?;
        if self.next_signal(signal.from, to) != Some(signal) {
            return Err(Impossible::OtherSignal);
        }
        self.deliver_next(signal.from, to);
        Ok(Happened::Acted)
    }

    /// A dead process answers when a link or monitor reaches it, which is not an event of its own.
    fn let_the_dead_answer(&mut self, signal: SignalId, to: ProcId) -> Result<(), Impossible> {
        while !self.execution.is_sent(signal) {
            if self.next_signal(to, signal.from).is_none() || !self.has_exited(signal.from) {
                return Err(Impossible::NotSent);
            }
            self.in_hand.answer_number = Some(signal.k);
            self.deliver_next(to, signal.from);
            self.in_hand.answer_number = None;
        }
        Ok(())
    }

    /// Lets a signal arrive, after all that must arrive before it. Returns how many arrived; 0 if
    /// it cannot.
    pub fn bring(&mut self, signal: SignalId, to: ProcId) -> usize {
        let before = self.execution.proc(to).deliveries.len();
        if self.execution.is_sent(signal) && *self.execution.kind(signal) == SignalKind::Timer {
            let started_by = self.execution.signal(signal).sent_by();
            let _ = self.step(&Step::Fire { owner: signal.from, started_by });
        }
        let is_missing = |s: &System| {
            !s.execution.is_sent(signal) || s.execution.signal(signal).delivery().is_none()
        };
        while is_missing(self) {
            let next = self.next_signal(signal.from, to).unwrap_or(signal);
            if self.step(&Step::Deliver { signal: next, to }).is_err() {
                break;
            }
        }
        self.execution.proc(to).deliveries.len() - before
    }
}

/// An answer that came from outside or from a recording, in the external term format.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Input {
    /// A value, in the external term format.
    Value(Vec<u8>),
    /// The class of an exception, and its reason.
    Raised(u8, Vec<u8>),
}

impl Input {
    /// The answer as plain data.
    pub fn of(answer: &Result<Term, Raise>) -> Input {
        let bytes = |t: &Term| etf::encode(t, &etf::EncodeOptions::default());
        match answer {
            Ok(value) => Input::of_value(value),
            Err(raise) => Input::Raised(raise.class as u8, bytes(&raise.reason)),
        }
    }

    /// A value as plain data.
    pub fn of_value(value: &Term) -> Input {
        Input::Value(etf::encode(value, &etf::EncodeOptions::default()))
    }

    /// A value that somebody chose.
    fn value(&self) -> Result<Term, Impossible> {
        self.answer()?.map_err(|_| Impossible::NotATerm)
    }

    fn answer(&self) -> Result<Result<Term, Raise>, Impossible> {
        let decoded = |bytes: &[u8]| etf::decode(bytes, &etf::DecodeOptions::default());
        let term = |bytes| decoded(bytes).map(|(term, _)| term).map_err(|_| Impossible::NotATerm);
        match self {
            Input::Value(bytes) => Ok(Ok(term(bytes)?)),
            Input::Raised(class, bytes) => {
                let class = match class {
                    0 => Class::Error,
                    1 => Class::Exit,
                    _ => Class::Throw,
                };
                Ok(Err(Raise { class, reason: term(bytes)?, top: Top::Builtin }))
            }
        }
    }
}
