//! What a process would do next if it ran on: a copy tries.

use crate::execution::ProcId;
use crate::system::System;
use reverl_machine::builtins::nature::Nature;
use reverl_machine::{Message, Process, Program, Stop};
use reverl_term::{Term, atoms};

/// How many steps a copy may take.
const STEPS: u64 = 1_000_000;

impl System {
    /// To whom a process would send a message before it needs anything of others. Nothing happens to
    /// the process itself.
    pub fn next_receiver(&mut self, proc: ProcId) -> Option<Term> {
        let program = self.world.program();
        let live = &mut self.present.running[proc.0 as usize].process;
        let waiting: Vec<Message> = live.mailbox.iter().cloned().collect();
        let mut copy = live.snapshot(&program);
        waiting.into_iter().for_each(|message| copy.deliver(message));
        let limit = copy.steps() + STEPS;
        loop {
            match copy.run(&program, limit) {
                Stop::Received(_) => {}
                Stop::Send { to, .. } => return Some(to),
                // A receive in our own module `erlang` is not one of the program.
                Stop::Wait { timeout: Some(_) } if is_in_erlang(&copy, &program) => copy.time_out(),
                Stop::Request { builtin, mut args } if sends(builtin) => {
                    return Some(args.swap_remove(0));
                }
                Stop::Request { builtin, .. } => {
                    let answer = known_answer(builtin)?;
                    copy.answer(&program, Ok(answer));
                }
                _ => return None,
            }
        }
    }
}

fn sends(builtin: u32) -> bool {
    Program::builtin(builtin).nature == Nature::Send
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
