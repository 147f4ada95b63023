//! Register code: what lowering writes and the machine runs.
//!
//! One `Code` holds all loaded modules of one thread. It only grows, so a program counter, a
//! function number or an import number stays valid for ever.
//!
//! Steps are weights on instructions. A *step* is one reduction of source Erlang (paper 001,
//! Fig. 7); an instruction performs the ordered list of steps in its `substeps`. Pure pending
//! steps (reading a variable, dropping a value in a sequence) are added to the next instruction, and
//! choosing a clause weighs nothing. The machine stops before the instruction that would pass a
//! limit, so a position in a process is a step number = (instruction, index of the substep).

use crate::ast::RecordDef;
use crate::source::{SourceMap, Span};
use reverl_term::{Atom, Term, View};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of a register in the frame of a function.
pub type Reg = u16;
/// An index into `Code::ins`.
pub type Pc = u32;

/// The number of a function: an index into `Code::funs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunId(pub u32);

/// The number of an import: an index into `Code::imports`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImportId(pub u32);

/// The stable number of an expression: counted through the modules in loading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// The reductions of paper 001, Fig. 7 and 8, and those of the constructs the paper leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A variable is replaced by its value.
    Var,
    /// An operator or a built-in is applied.
    Op,
    /// A match binds its variables.
    Match,
    /// A clause of a `case` is chosen.
    Case,
    /// A clause of an `if` is chosen.
    If,
    /// A `fun` becomes a closure.
    Fun,
    /// A function is entered.
    Call,
    /// A function returns its value.
    Return,
    /// The value of a non-last expression of a sequence is dropped.
    Seq,
    /// A branch ends and its value becomes that of the whole expression (Seq2).
    Join,
    /// A message is sent.
    Send,
    /// A message is received.
    Receive,
    /// The `after` of a receive begins.
    Timeout,
    /// Beyond the papers: one turn of a comprehension.
    Generate,
    /// Beyond the papers: entering the handler of a `try` or `catch`.
    Catch,
    /// Beyond the papers: a mismatch leaves a `maybe`.
    Else,
}

/// One reduction of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubStep {
    /// The kind of reduction.
    pub rule: Rule,
    /// The expression that is reduced.
    pub expr: ExprId,
}

/// Arithmetic and comparison on two operands, in bodies and guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the operators have their names in Erlang")]
pub enum Alu {
    Add,
    Sub,
    Mul,
    Div,
    IntDiv,
    Rem,
    Band,
    Bor,
    Bxor,
    Bsl,
    Bsr,
    And,
    Or,
    Xor,
    Append,
    Subtract,
    Equal,
    NotEqual,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    ExactEqual,
    ExactNotEqual,
}

impl Alu {
    /// The name of the function of module `erlang` that this operator is.
    pub fn name(self) -> &'static str {
        match self {
            Alu::Add => "+",
            Alu::Sub => "-",
            Alu::Mul => "*",
            Alu::Div => "/",
            Alu::IntDiv => "div",
            Alu::Rem => "rem",
            Alu::Band => "band",
            Alu::Bor => "bor",
            Alu::Bxor => "bxor",
            Alu::Bsl => "bsl",
            Alu::Bsr => "bsr",
            Alu::And => "and",
            Alu::Or => "or",
            Alu::Xor => "xor",
            Alu::Append => "++",
            Alu::Subtract => "--",
            Alu::Equal => "==",
            Alu::NotEqual => "/=",
            Alu::LessEqual => "=<",
            Alu::Less => "<",
            Alu::GreaterEqual => ">=",
            Alu::Greater => ">",
            Alu::ExactEqual => "=:=",
            Alu::ExactNotEqual => "=/=",
        }
    }

    /// Whether it compares its operands.
    pub fn is_comparison(self) -> bool {
        self as u8 >= Alu::Equal as u8
    }

    /// The comparison that holds exactly when this one does not.
    pub fn negated(self) -> Alu {
        match self {
            Alu::Equal => Alu::NotEqual,
            Alu::NotEqual => Alu::Equal,
            Alu::LessEqual => Alu::Greater,
            Alu::Greater => Alu::LessEqual,
            Alu::Less => Alu::GreaterEqual,
            Alu::GreaterEqual => Alu::Less,
            Alu::ExactEqual => Alu::ExactNotEqual,
            Alu::ExactNotEqual => Alu::ExactEqual,
            other => unreachable!("{other:?} is not a comparison"),
        }
    }
}

/// Operators on one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the operators have their names in Erlang")]
pub enum Una {
    Plus,
    Minus,
    Not,
    Bnot,
}

impl Una {
    /// The operator as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Una::Plus => "+",
            Una::Minus => "-",
            Una::Not => "not",
            Una::Bnot => "bnot",
        }
    }
}

/// The type tests that guards use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is the test `is_..` of the same name")]
pub enum TypeTest {
    Atom,
    Binary,
    Bitstring,
    Boolean,
    Float,
    Function,
    Integer,
    List,
    Map,
    Number,
    Pid,
    Port,
    Reference,
    Tuple,
}

/// Errors that code raises by itself; the operand is the offending value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is the reason of the same name")]
pub enum Failure {
    BadMatch,
    CaseClause,
    IfClause,
    TryClause,
    ElseClause,
    BadRecord,
    BadGenerator,
    BadFilter,
    /// `{badarg, V}` of `andalso` and `orelse`.
    BadArgOf,
    /// `{bad_generators, Tuple}` of a zip generator.
    BadGenerators,
}

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

/// The type of a segment of a bit pattern or construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentType {
    /// `integer`
    Integer,
    /// `float`
    Float,
    /// `binary`, `bitstring`: a value of bits.
    Bits,
    /// `utf8`
    Utf8,
    /// `utf16`
    Utf16,
    /// `utf32`
    Utf32,
}

/// The size of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentSize {
    /// Constant, in bits.
    Bits(u64),
    /// In units, from a register.
    Register(Reg),
    /// All that is left (`binary` without a size), which must be a multiple of the unit.
    Rest,
    /// The utf types determine their size themselves.
    Own,
}

/// A segment of a bit pattern or construction, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The type of the value.
    pub kind: SegmentType,
    /// How large it is.
    pub size: SegmentSize,
    /// How many bits a unit of the size has.
    pub unit: u16,
    /// Whether an integer is signed.
    pub signed: bool,
    /// Whether the least significant byte comes first.
    pub little: bool,
}

/// A region of code in which exceptions go to `target`.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// The first instruction of the region.
    pub start: Pc,
    /// The first instruction behind the region.
    pub end: Pc,
    /// Where execution goes on.
    pub target: Pc,
    /// Class, reason and raw trace go to this register and the two after it.
    pub reg: Reg,
}

/// The code of a receive, from its start to where its clauses join.
#[derive(Clone, Copy, Debug)]
pub struct ReceiveRange {
    /// The first instruction of the receive.
    pub start: Pc,
    /// Where its clauses join.
    pub end: Pc,
    /// Where its value is at `end`; `NOWHERE` if it is the value of the function.
    pub value: Reg,
    /// The expression of the receive.
    pub expr: ExprId,
}

/// A variable is bound in `reg` from substep `start_sub` of `start` up to `end`.
#[derive(Clone, Copy, Debug)]
pub struct VarRange {
    /// The name of the variable.
    pub name: Atom,
    /// The register that holds its value.
    pub reg: Reg,
    /// The instruction at which it is bound.
    pub start: Pc,
    /// The substep of `start` at which it is bound.
    pub start_sub: u8,
    /// The first instruction at which it is not bound any more.
    pub end: Pc,
}

/// What a function was in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunKind {
    /// A function with a name.
    Named,
    /// A `fun`: its last `env` arguments are the values it closed over.
    Closure {
        /// How many values it closed over.
        env: u16,
        /// Its number among the closures of its module.
        index: u32,
    },
    /// The function a comprehension became.
    Comprehension,
}

/// What is known about a function.
#[derive(Clone, Debug)]
pub struct FunInfo {
    /// The module it belongs to.
    pub module: Atom,
    /// Its name.
    pub name: Atom,
    /// Counts the closed-over values too: the number of registers that a call fills.
    pub arity: u16,
    /// The first instruction of its code.
    pub entry: Pc,
    /// The first instruction behind its code.
    pub end: Pc,
    /// How many registers its frame has.
    pub registers: u16,
    /// What it was in the source.
    pub kind: FunKind,
    /// Whether OTP's compiler inlines it, so that a stack trace names its caller instead.
    pub inlined: bool,
    /// Where it was written.
    pub span: Span,
    /// In the order in which the code was written: inner before outer.
    pub handlers: Vec<Handler>,
    /// Inner before outer.
    pub receives: Vec<ReceiveRange>,
    /// Where the code of each clause begins, and the clause.
    pub clauses: Vec<(Pc, Span)>,
    /// Where its variables are bound.
    pub vars: Vec<VarRange>,
}

/// What a call of an import reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Not called yet.
    Unresolved,
    /// A function of some loaded module.
    Fun(FunId),
    /// An index into the machine's table of built-ins.
    Builtin(u32),
}

/// A function that is called by its full name.
#[derive(Clone, Debug)]
pub struct ImportInfo {
    /// The module of the function.
    pub module: Atom,
    /// Its name.
    pub name: Atom,
    /// How many arguments it takes.
    pub arity: u16,
    /// What it reaches, found at the first call. Code is shared, and only this part of it changes.
    pub target: Cell<Target>,
}

/// What is known about an expression.
#[derive(Clone, Copy, Debug)]
pub struct ExprInfo {
    /// Where it was written.
    pub span: Span,
    /// What a stack trace names: the operator's place where there is one.
    pub place: Span,
    /// The function that contains it.
    pub fun: FunId,
}

/// What is known about a loaded module.
#[derive(Clone)]
pub struct ModuleInfo {
    /// The name of the module.
    pub name: Atom,
    /// The functions that other modules may call.
    pub exports: HashMap<(Atom, u32), FunId>,
    /// All its functions that have a name.
    pub locals: HashMap<(Atom, u32), FunId>,
    /// The records, to show values and to read expressions that people type.
    pub records: Vec<RecordDef>,
    /// `module_info(attributes)`: name and value of each attribute.
    pub attributes: Vec<(Atom, Term)>,
    /// The name of its source file, as stack traces show it.
    pub file: String,
    /// The number of its first expression.
    pub first_expr: ExprId,
}

/// The identity of a `Code`; no two have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeId(u32);

impl Default for CodeId {
    fn default() -> CodeId {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        CodeId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The pairs of an `UpdateMap`.
#[derive(Clone, Debug)]
pub struct MapShape {
    /// How many pairs there are.
    pub pairs: usize,
    /// Those with `:=`, in the order in which their keys are looked for.
    pub exact: Vec<usize>,
}

/// The code of all loaded modules.
#[derive(Default)]
pub struct Code {
    id: CodeId,
    /// All instructions.
    pub ins: Vec<Ins>,
    /// For each instruction, where its substeps begin in `substeps`.
    pub sub_start: Vec<u32>,
    /// The substeps of all instructions.
    pub substeps: Vec<SubStep>,
    /// For each instruction, the expression it belongs to (line numbers of stack traces).
    pub at: Vec<ExprId>,
    /// All functions, by number.
    pub funs: Vec<FunInfo>,
    /// All literals, by number.
    pub literals: Vec<Term>,
    /// All imports, by number.
    pub imports: Vec<ImportInfo>,
    /// All expressions, by number.
    pub exprs: Vec<ExprInfo>,
    /// What `BitsGet` reads, and its `els`.
    pub segments: Vec<(Segment, Pc)>,
    /// What `MakeBits` builds: each value's register and its segment.
    pub bit_shapes: Vec<Vec<(Reg, Segment)>>,
    /// What each `UpdateMap` does.
    pub map_shapes: Vec<MapShape>,
    /// The loaded modules by name.
    pub modules: HashMap<Atom, ModuleInfo>,
    /// The files that the code came from.
    pub sources: SourceMap,
    import_index: HashMap<(Atom, Atom, u16), ImportId>,
    literal_index: HashMap<Term, u32>,
}

impl Code {
    /// The number of an import, which is new if it is not known.
    pub fn import(&mut self, module: Atom, name: Atom, arity: u16) -> ImportId {
        *self.import_index.entry((module, name, arity)).or_insert_with(|| {
            self.imports.push(ImportInfo {
                module,
                name,
                arity,
                target: Cell::new(Target::Unresolved),
            });
            ImportId(self.imports.len() as u32 - 1)
        })
    }

    /// The number of a literal, which is new if it is not known.
    pub fn literal(&mut self, term: Term) -> u32 {
        match self.literal_index.get(&term) {
            // `0.0` and `-0.0` are equal and yet not the same literal.
            Some(&k) if same_bits(&self.literals[k as usize], &term) => return k,
            _ => {}
        }
        self.literals.push(term.clone());
        let k = self.literals.len() as u32 - 1;
        self.literal_index.insert(term, k);
        k
    }

    /// The substeps of an instruction.
    pub fn substeps_of(&self, pc: Pc) -> &[SubStep] {
        let start = self.sub_start[pc as usize] as usize;
        &self.substeps[start..start + self.ins[pc as usize].weight as usize]
    }

    /// Which code this is: program counters of another one mean nothing here.
    pub fn id(&self) -> CodeId {
        self.id
    }

    /// The function whose code contains `pc`.
    pub fn fun_at(&self, pc: Pc) -> FunId {
        self.exprs[self.at[pc as usize].0 as usize].fun
    }

    /// What is known about a function.
    pub fn fun(&self, id: FunId) -> &FunInfo {
        &self.funs[id.0 as usize]
    }

    /// Where the expression of an instruction was written.
    pub fn span_at(&self, pc: Pc) -> Span {
        self.exprs[self.at[pc as usize].0 as usize].span
    }

    /// Where a stack trace says `pc` is.
    pub fn place_at(&self, pc: Pc) -> Span {
        self.exprs[self.at[pc as usize].0 as usize].place
    }

    /// Whether the receive that takes or times out at `pc` has an `after` with a time.
    pub fn waits_finitely(&self, pc: Pc) -> bool {
        match self.ins[pc as usize].op {
            // A receive's start stands right before its loop.
            Op::ReceiveTake { again } | Op::ReceiveWait { again, .. } => {
                let start = self.ins[again as usize - 1].op;
                matches!(start, Op::ReceiveStart { timeout } if timeout != NOWHERE)
            }
            _ => false,
        }
    }

    /// The function of this name that a module exports.
    pub fn exported(&self, module: Atom, name: Atom, arity: u32) -> Option<FunId> {
        self.modules.get(&module)?.exports.get(&(name, arity)).copied()
    }
}

/// Whether equal terms also have the same bits: floats in them have the same sign.
fn same_bits(a: &Term, b: &Term) -> bool {
    match (a.view(), b.view()) {
        (View::Float(a), View::Float(b)) => a.to_bits() == b.to_bits(),
        (View::Cons(..), View::Cons(..)) => {
            let (mut left, mut right) = (a.list_iter(), b.list_iter());
            left.by_ref().zip(right.by_ref()).all(|(a, b)| same_bits(a, b))
                && same_bits(left.tail(), right.tail())
        }
        (View::Tuple(a), View::Tuple(b)) => a.iter().zip(b).all(|(a, b)| same_bits(a, b)),
        (View::Map(a), View::Map(b)) => {
            a.iter().zip(b.iter()).all(|((k, v), (l, w))| same_bits(k, l) && same_bits(v, w))
        }
        _ => true,
    }
}
