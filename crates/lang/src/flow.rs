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
            Op::GuardAlu { els, .. }
            | Op::GuardUna { els, .. }
            | Op::GuardCall { els, .. }
            | Op::Compare { els, .. }
            | Op::CompareInt { els, .. }
            | Op::Test { els, .. }
            | Op::IsTrue { els, .. }
            | Op::Circuit { els, .. }
            | Op::MatchInt { els, .. }
            | Op::MatchNil { els, .. }
            | Op::MatchLit { els, .. }
            | Op::MatchAtom { els, .. }
            | Op::MatchCons { els, .. }
            | Op::MatchTuple { els, .. }
            | Op::MatchTagged { els, .. }
            | Op::MatchElement { els, .. }
            | Op::MatchSame { els, .. }
            | Op::MatchMap { els, .. }
            | Op::MapGet { els, .. }
            | Op::BitsStart { els, .. }
            | Op::BitsEnd { els, .. } => vec![next, els],
            _ => vec![next],
        }
    }
}
