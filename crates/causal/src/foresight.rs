//! What a process would do if something happened to it that has not happened yet: a copy tries.

use crate::execution::ProcId;
use crate::execution::SignalId;
use crate::system::{System, message_id};
use reverl_machine::{Message, Process, Program, Stop};
use reverl_term::{Term, atoms};

/// How many steps a copy may take.
const STEPS: u64 = 1_000_000;

/// Where a process would come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Foresight {
    /// It waits in a receive.
    Waits {
        /// For how many milliseconds; `None` for ever.
        timeout: Option<u64>,
        /// How many messages it has received before.
        received: usize,
    },
    /// It asks for something that only the system can answer.
    Asks {
        /// The number of the built-in.
        builtin: u32,
        /// The arguments of the call.
        args: Vec<Term>,
    },
    /// It ends.
    Ends,
    /// It computes for too long, or needs a module that is not loaded.
    Unknown,
}

/// What a process would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foreseen {
    /// Where it would come to before each time-out and answer, and at the end.
    pub stops: Vec<Foresight>,
    /// To whom it would send messages, one after the other.
    pub receivers: Vec<Term>,
    /// How many of them before the last stop but one.
    pub certain: usize,
}

/// What is supposed to happen to a process.
#[derive(Clone, Debug)]
pub enum Supposition {
    /// This message arrives.
    Arrives(Term),
    /// The receive in which it waits times out.
    TimesOut,
    /// What it asks for is answered.
    IsAnswered(Term),
}

impl System {
    /// What a process would do if this happened, as long as where it comes to is what `is_expected`
    /// says, by the number of the stop. Nothing happens to the process itself.
    pub fn foresee(
        &mut self,
        proc: ProcId,
        suppositions: &[Supposition],
        is_expected: &dyn Fn(usize, &Foresight) -> bool,
    ) -> Foreseen {
        let program = self.world.program();
        let live = &mut self.present.running[proc.0 as usize].process;
        let waiting: Vec<Message> = live.mailbox.iter().cloned().collect();
        let mut copy = live.snapshot(&program);
        waiting.into_iter().for_each(|message| copy.deliver(message));
        let mut foreseen = Foreseen::default();
        for supposition in suppositions {
            if let Supposition::Arrives(term) = supposition {
                // Nobody asks a copy which message it was.
                let id = message_id(SignalId { from: proc, k: 0 });
                copy.deliver(Message { id, term: term.clone() });
                continue;
            }
            let certain = foreseen.receivers.len();
            let stop = run_copy(&mut copy, &program, &mut foreseen.receivers);
            let goes_on = match (&stop, supposition) {
                (Foresight::Waits { timeout: Some(_), .. }, Supposition::TimesOut) => {
                    copy.time_out();
                    true
                }
                (Foresight::Asks { .. }, Supposition::IsAnswered(value)) => {
                    copy.answer(&program, Ok(value.clone()));
                    true
                }
                _ => false,
            };
            let is_expected = is_expected(foreseen.stops.len(), &stop);
            foreseen.stops.push(stop);
            if !goes_on || !is_expected {
                foreseen.certain = certain;
                return foreseen;
            }
        }
        foreseen.certain = foreseen.receivers.len();
        let last = run_copy(&mut copy, &program, &mut foreseen.receivers);
        foreseen.stops.push(last);
        foreseen
    }
}

fn run_copy(copy: &mut Process, program: &Program, receivers: &mut Vec<Term>) -> Foresight {
    let (limit, mut received) = (copy.steps() + STEPS, 0);
    loop {
        match copy.run(program, limit) {
            Stop::Received(_) => received += 1,
            Stop::Send { to, message } => {
                receivers.push(to);
                copy.answer(program, Ok(message));
            }
            // A receive in our own module `erlang` is not one of the program.
            Stop::Wait { timeout: Some(_) } if is_in_erlang(copy, program) => copy.time_out(),
            Stop::Wait { timeout } => return Foresight::Waits { timeout, received },
            Stop::Request { builtin, .. } if known_answer(builtin).is_some() => {
                let answer = known_answer(builtin).unwrap_or_default();
                copy.answer(program, Ok(answer));
            }
            Stop::Request { builtin, args } => return Foresight::Asks { builtin, args },
            Stop::Ended => return Foresight::Ends,
            Stop::Limit | Stop::Watched | Stop::Load(_) | Stop::OutOf(_) => {
                return Foresight::Unknown;
            }
        }
    }
}

fn is_in_erlang(copy: &Process, program: &Program) -> bool {
    program.code.fun(program.code.fun_at(copy.pc())).module == atoms::ERLANG
}

/// The answer to a request that is known, or good enough, without asking.
fn known_answer(builtin: u32) -> Option<Term> {
    let b = Program::builtin(builtin);
    match (b.module, b.name, b.arity) {
        ("erlang", "unlink" | "demonitor", 1) | ("reverl", "demonitor", 2) => {
            Some(Term::bool(true))
        }
        ("erlang", "process_flag", 2) => Some(Term::bool(false)),
        _ => None,
    }
}
