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

mod op;
mod operators;
mod segment;

pub use op::{Ins, NOWHERE, Op};
pub use operators::{Alu, Failure, TypeTest, Una};
pub use segment::{Segment, SegmentSize, SegmentType};

use crate::ast::RecordDef;
use crate::forms::Lambda;
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
    /// The fun that enters it in compiled code, where that is known.
    pub lambda: Option<Lambda>,
    /// Whether OTP's compiler inlines it, so that a stack trace names its caller instead.
    pub inlined: bool,
    /// The function that OTP's compiler has made this fun a part of.
    pub part_of: Option<FunId>,
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
    /// The names of its funs by their numbers in compiled code, where that is known.
    pub lambdas: HashMap<u32, Atom>,
    /// It belongs to OTP or Elixir, not to the program.
    pub is_of_platform: bool,
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

    /// Whether the receive that takes or times out at `pc` has an `after`. It may still wait for
    /// ever, if the time is `infinity` when it begins.
    pub fn has_after(&self, pc: Pc) -> bool {
        match self.ins[pc as usize].op {
            // A receive's start stands right before its loop.
            Op::ReceiveTake { again } | Op::ReceiveWait { again, .. } => {
                let start = self.ins[again as usize - 1].op;
                matches!(start, Op::ReceiveStart { timeout } if timeout != NOWHERE)
            }
            _ => false,
        }
    }

    /// Whether a process that waits at `pc` waits for its next request: in the first receive of a
    /// function that calls itself again, as servers do.
    pub fn is_server_loop(&self, pc: Pc) -> bool {
        let Op::ReceiveWait { again, .. } = self.ins[pc as usize].op else { return false };
        let own = self.fun_at(pc);
        let fun = self.fun(own);
        let code = &self.ins[fun.entry as usize..fun.end as usize];
        let is_start = |ins: &&Ins| matches!(ins.op, Op::ReceiveStart { .. });
        let before = &self.ins[fun.entry as usize..again as usize - 1];
        let is_itself = |import: ImportId| {
            let import = &self.imports[import.0 as usize];
            (import.module, import.name, import.arity) == (fun.module, fun.name, fun.arity)
        };
        let is_repeat = |ins: &Ins| match ins.op {
            Op::Again { .. } => true,
            Op::TailCall { fun, .. } => fun == own,
            Op::TailRemote { import, .. } => is_itself(import),
            _ => false,
        };
        !before.iter().any(|ins| is_start(&ins)) && code.iter().any(is_repeat)
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
