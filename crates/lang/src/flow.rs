//! Where control can go inside a function, read off its instructions.

use crate::code::{Code, NOWHERE, Op, Pc};

impl Code {
    /// The instructions of the same call that can come after this one. An exception can also lead
    /// to a handler, which is not said here.
    pub fn successors(&self, pc: Pc) -> Vec<Pc> {
        let next = pc + 1;
        match self.ins[pc as usize].op {
            Op::Jmp { to } | Op::ReceiveSkip { to } => vec![to],
            Op::Return { .. }
            | Op::TailCall { .. }
            | Op::Again { .. }
            | Op::TailRemote { .. }
            | Op::TailFun { .. }
            | Op::TailApply { .. }
            | Op::Fail { .. }
            | Op::FunctionClause
            | Op::Reraise { .. } => vec![],
            Op::ReceiveNext { wait, .. } => vec![next, wait],
            Op::ReceiveWait { timeout: NOWHERE, again } => vec![again],
            Op::ReceiveWait { again, .. } => vec![next, again],
            Op::BitsGet { segment, .. } => vec![next, self.segments[segment as usize].1],
            op => std::iter::once(next).chain(op.els()).collect(),
        }
    }
}
