//! The instruction set.

use super::{Alu, Failure, FunId, ImportId, Pc, Reg, TypeTest, Una};
use reverl_term::Atom;

/// One instruction. Its operands have the same names everywhere: `d` is the register for the
/// result; `a`, `b`, `s` are registers that are read; `a0` is the first of several in a row, `n`
/// their number; `h` and `t` are head and tail; `i` is an integer or an index, `k` the number of a
/// literal; `els` is where a failed test goes on, `to` where a jump goes.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names of operands are explained once, above")]
pub enum Op {
    Nop,
    Move {
        d: Reg,
        s: Reg,
    },
    Int {
        d: Reg,
        i: i32,
    },
    Atom {
        d: Reg,
        atom: Atom,
    },
    /// A literal that is neither a small integer nor an atom.
    Lit {
        d: Reg,
        k: u32,
    },
    Jmp {
        to: Pc,
    },

    Add {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    Alu {
        op: Alu,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Una {
        op: Una,
        d: Reg,
        a: Reg,
    },
    /// The same in a guard: failing goes to `els`.
    GuardAlu {
        op: Alu,
        d: Reg,
        a: Reg,
        b: Reg,
        els: Pc,
    },
    GuardUna {
        op: Una,
        d: Reg,
        a: Reg,
        els: Pc,
    },
    /// A built-in called in a guard with arguments from `a0`, result in `a0`.
    GuardCall {
        import: ImportId,
        a0: Reg,
        els: Pc,
    },
    /// Goes on if the comparison holds.
    Compare {
        op: Alu,
        a: Reg,
        b: Reg,
        els: Pc,
    },
    CompareInt {
        op: Alu,
        a: Reg,
        i: i16,
        els: Pc,
    },
    Test {
        test: TypeTest,
        a: Reg,
        els: Pc,
    },
    /// Goes on if `a` is `true`.
    IsTrue {
        a: Reg,
        els: Pc,
    },
    /// `andalso`/`orelse`: goes on if `a` is the atom `want`, to `els` if it is the other
    /// boolean (the value stays in `a`), and fails with `{badarg, a}` otherwise.
    Circuit {
        a: Reg,
        want: bool,
        els: Pc,
    },

    MatchInt {
        a: Reg,
        i: i32,
        els: Pc,
    },
    MatchNil {
        a: Reg,
        els: Pc,
    },
    /// `=:=` with a literal; `MatchAtom` when the literal is immediate.
    MatchLit {
        a: Reg,
        k: u32,
        els: Pc,
    },
    MatchAtom {
        a: Reg,
        atom: Atom,
        els: Pc,
    },
    /// `h` or `t` is `NOWHERE` if that part is not needed.
    MatchCons {
        a: Reg,
        h: Reg,
        t: Reg,
        els: Pc,
    },
    MatchTuple {
        a: Reg,
        n: u16,
        els: Pc,
    },
    /// A tuple of `n` elements whose first is this atom: most messages and all records.
    MatchTagged {
        a: Reg,
        n: u8,
        tag: Atom,
        els: Pc,
    },
    Element {
        d: Reg,
        a: Reg,
        i: u16,
    },
    /// `n` elements of the tuple in `a`, the first of them the `i`-th, go to `d` and after.
    /// invariant: `a` is not among those registers.
    Elements {
        d: Reg,
        a: Reg,
        i: u16,
        n: u16,
    },
    /// As `MatchSame`, for the `i`-th element of the tuple in `a`.
    MatchElement {
        a: Reg,
        i: u16,
        b: Reg,
        els: Pc,
    },
    MatchSame {
        a: Reg,
        b: Reg,
        els: Pc,
    },
    MatchMap {
        a: Reg,
        els: Pc,
    },
    MapGet {
        d: Reg,
        map: Reg,
        key: Reg,
        els: Pc,
    },
    /// A bit pattern begins: the value goes to `d`, the reader's position in it to `d + 1`.
    BitsStart {
        d: Reg,
        a: Reg,
        els: Pc,
    },
    /// Reads one segment of the value in `a` at the position in `a + 1`, and moves that on. Where
    /// a failed test goes on stands with the segment.
    BitsGet {
        segment: u32,
        d: Reg,
        a: Reg,
    },
    BitsEnd {
        a: Reg,
        els: Pc,
    },

    /// Bits of `take`: the head, the tail is a temporary and may be moved instead of shared.
    MakeCons {
        d: Reg,
        h: Reg,
        t: Reg,
        take: u8,
    },
    MakeTuple {
        d: Reg,
        a0: Reg,
        n: u16,
    },
    /// `n` keys and values alternate from `a0` on.
    MakeMap {
        d: Reg,
        a0: Reg,
        n: u16,
    },
    /// As `MakeMap`, on top of the map in `d`; `shape` says of each pair whether it is `:=`.
    UpdateMap {
        d: Reg,
        a0: Reg,
        shape: u32,
    },
    /// Builds a bitstring of segments whose values and sizes are in registers.
    MakeBits {
        d: Reg,
        shape: u32,
    },
    MakeFun {
        d: Reg,
        fun: FunId,
        a0: Reg,
        n: u16,
    },

    Call {
        fun: FunId,
        a0: Reg,
    },
    /// `moved` has a bit for each of the first 32 arguments that stands from `a0` on; the others
    /// of them already stand where the function wants them.
    TailCall {
        fun: FunId,
        a0: Reg,
        moved: u32,
    },
    /// A tail call of the function itself, at `to`: as `TailCall`, but there is room already.
    /// invariant: it has no more than 32 arguments.
    Again {
        to: Pc,
        a0: Reg,
        moved: u32,
    },
    CallRemote {
        import: ImportId,
        a0: Reg,
    },
    TailRemote {
        import: ImportId,
        a0: Reg,
    },
    /// `self()`
    OwnPid {
        d: Reg,
    },
    /// The fun is in `a0 + n`.
    CallFun {
        a0: Reg,
        n: u16,
    },
    TailFun {
        a0: Reg,
        n: u16,
    },
    /// Module and name are in `a0 + n` and `a0 + n + 1`.
    Apply {
        a0: Reg,
        n: u16,
    },
    TailApply {
        a0: Reg,
        n: u16,
    },
    Return {
        a: Reg,
    },

    Send {
        d: Reg,
        to: Reg,
        message: Reg,
    },
    /// A receive begins; `timeout` is `NOWHERE` for `infinity`.
    ReceiveStart {
        timeout: Reg,
    },
    /// The next message of the scan, or `wait` if there is none.
    ReceiveNext {
        d: Reg,
        wait: Pc,
    },
    ReceiveSkip {
        to: Pc,
    },
    /// Takes the message that was looked at; `again` is where looking began.
    ReceiveTake {
        again: Pc,
    },
    /// Waits; goes to `again` on a new message, on to the next instruction on time-out.
    ReceiveWait {
        timeout: Reg,
        again: Pc,
    },

    /// Raises the failure with the value of `a`.
    Fail {
        failure: Failure,
        a: Reg,
    },
    /// No clause of the function fits its arguments, which are in registers 0 to arity - 1.
    FunctionClause,
    /// Raises again what a handler caught: class, reason, raw trace from `a` on.
    Reraise {
        a: Reg,
    },
    /// The raw trace in `a` becomes the list that Erlang shows.
    BuildTrace {
        d: Reg,
        a: Reg,
    },
    /// The value of `catch` for what is in `a`, `a + 1`, `a + 2`.
    CatchValue {
        d: Reg,
        a: Reg,
    },
}

/// Where an instruction goes if its test fails or nothing matches.
macro_rules! els_of {
    ($op:expr) => {
        match $op {
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
            | Op::MatchSame { els, .. }
            | Op::MatchElement { els, .. }
            | Op::MatchMap { els, .. }
            | Op::MapGet { els, .. }
            | Op::BitsStart { els, .. }
            | Op::BitsEnd { els, .. } => Some(els),
            _ => None,
        }
    };
}

impl Op {
    /// Where it goes if its test fails or nothing matches, if it can.
    pub fn els(self) -> Option<Pc> {
        els_of!(self)
    }

    /// The same, to be filled in.
    pub fn els_mut(&mut self) -> Option<&mut Pc> {
        els_of!(self)
    }
}

/// The register of a value that nobody wants.
pub const NOWHERE: Reg = Reg::MAX;

/// An instruction with its weight.
#[derive(Clone, Copy, Debug)]
pub struct Ins {
    /// What is executed.
    pub op: Op,
    /// invariant: the length of the instruction's list of substeps.
    pub weight: u8,
}

/// A power of two, so that the machine computes the address of an instruction by a shift.
const _: () = assert!(size_of::<Ins>() == 16);
