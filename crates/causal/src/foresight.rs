//! What a process would do next with messages that it does not have yet: a copy of it tries.

use crate::execution::ProcId;
use crate::execution::SignalId;
use crate::system::{System, message_id};
use reverl_machine::{Message, Stop};
use reverl_term::Term;

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

impl System {
    /// What a process would do if these messages arrived now. Nothing happens to the process itself.
    pub fn foresee(&mut self, proc: ProcId, messages: &[Term]) -> Foresight {
        let program = self.world.program();
        let live = &mut self.present.running[proc.0 as usize].process;
        let waiting: Vec<Message> = live.mailbox.iter().cloned().collect();
        let mut copy = live.snapshot(&program);
        waiting.into_iter().for_each(|message| copy.deliver(message));
        for term in messages {
            // Nobody asks a copy which message it was.
            let id = message_id(SignalId { from: proc, k: 0 });
            copy.deliver(Message { id, term: term.clone() });
        }
        let (limit, mut received) = (copy.steps() + STEPS, 0);
        loop {
            match copy.run(&program, limit) {
                Stop::Received(_) => received += 1,
                Stop::Send { message, .. } => copy.answer(&program, Ok(message)),
                Stop::Wait { timeout } => return Foresight::Waits { timeout, received },
                Stop::Request { builtin, args } => return Foresight::Asks { builtin, args },
                Stop::Ended => return Foresight::Ends,
                Stop::Limit | Stop::Watched | Stop::Load(_) | Stop::OutOf(_) => {
                    return Foresight::Unknown;
                }
            }
        }
    }
}
