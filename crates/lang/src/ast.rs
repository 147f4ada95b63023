//! The syntax tree: what the parser builds and what the abstract code of a `.beam` decodes to.
//!
//! It follows Erlang's abstract format closely (one expression type also serves as pattern and
//! guard, as in `erl_parse`), so that it can be compared with OTP's own. It holds no meaning:
//! scopes, records and shapes are the business of `lint` and `lower`.

use crate::source::Span;
use num_bigint::BigInt;
use reverl_term::Atom;

/// An expression, a pattern or a guard test, with where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

impl Expr {
    /// Where OTP says the expression is: at its operator, if it has one between its parts.
    pub fn place(&self) -> Span {
        match &self.kind {
            ExprKind::Binop { op_span, .. }
            | ExprKind::MapUpdate { op_span, .. }
            | ExprKind::RecordUpdate { op_span, .. }
            | ExprKind::RecordAccess { op_span, .. } => *op_span,
            _ => self.span,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A variable; `_` is the variable named `_`.
    Var(Atom),
    Integer(Integer),
    Float(f64),
    Char(char),
    Atom(Atom),
    /// A string literal; adjacent literals are already joined.
    String(Box<str>),
    Nil,
    /// `[E1, .., En | Tail]`; `elements` is never empty, no `tail` means a proper end.
    List {
        elements: Vec<Expr>,
        tail: Option<Box<Expr>>,
    },
    Tuple(Vec<Expr>),
    Map(Vec<MapField>),
    MapUpdate {
        map: Box<Expr>,
        fields: Vec<MapField>,
        op_span: Span,
    },
    Record {
        name: Atom,
        fields: Vec<RecordField>,
    },
    RecordUpdate {
        record: Box<Expr>,
        name: Atom,
        fields: Vec<RecordField>,
        op_span: Span,
    },
    RecordAccess {
        record: Box<Expr>,
        name: Atom,
        field: Atom,
        op_span: Span,
    },
    /// `#name.field`: the position of the field.
    RecordIndex {
        name: Atom,
        field: Atom,
    },
    Binary(Vec<BinElement>),
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binop {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        op_span: Span,
    },
    /// `Pattern = Expr`, also inside patterns.
    Match {
        pattern: Box<Expr>,
        value: Box<Expr>,
    },
    /// `Pattern ?= Expr`, only directly in a `maybe` body.
    MaybeMatch {
        pattern: Box<Expr>,
        value: Box<Expr>,
    },
    Call {
        function: Box<Expr>,
        args: Vec<Expr>,
    },
    /// `Module:Name`, only as the function of a call (and in old-style records of types).
    Remote {
        module: Box<Expr>,
        name: Box<Expr>,
    },
    Block(Vec<Expr>),
    If(Vec<Clause>),
    Case {
        subject: Box<Expr>,
        clauses: Vec<Clause>,
    },
    Receive {
        clauses: Vec<Clause>,
        after: Option<After>,
    },
    Try(Box<Try>),
    Catch(Box<Expr>),
    Maybe {
        body: Vec<Expr>,
        else_clauses: Vec<Clause>,
    },
    /// `fun name/arity`
    FunLocal {
        name: Atom,
        arity: u32,
    },
    /// `fun M:F/A`; each part an atom, an integer or a variable.
    FunRemote {
        module: Box<Expr>,
        name: Box<Expr>,
        arity: Box<Expr>,
    },
    /// `fun (..) -> .. end`, or `fun Name(..) -> .. end`.
    Fun {
        name: Option<Atom>,
        clauses: Vec<Clause>,
    },
    /// `[E1, .., En || ..]`; each turn gives all of them. More than one came with OTP 29.
    ListComp {
        templates: Vec<Expr>,
        qualifiers: Vec<Qualifier>,
    },
    /// `<<E || ..>>`; there is always one.
    BinaryComp {
        templates: Vec<Expr>,
        qualifiers: Vec<Qualifier>,
    },
    /// `#{K => V, .. || ..}`
    MapComp {
        fields: Vec<MapField>,
        qualifiers: Vec<Qualifier>,
    },
}

/// Almost all integers are small; the rest keep their digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    Small(i64),
    Big(Box<BigInt>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct MapField {
    pub kind: MapFieldKind,
    pub key: Expr,
    pub value: Expr,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFieldKind {
    /// `K => V`
    Assoc,
    /// `K := V`
    Exact,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RecordField {
    /// `None` is `_ = Value`: all the other fields.
    pub name: Option<Atom>,
    pub value: Expr,
    pub span: Span,
}

/// `Value:Size/Type-unit:U`
#[derive(Clone, Debug, PartialEq)]
pub struct BinElement {
    pub value: Expr,
    pub size: Option<Box<Expr>>,
    /// Type specifiers as written; `unit:8` is `Unit(8)`. Empty means the defaults.
    pub specs: Vec<BinSpec>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinSpec {
    /// `integer`, `float`, `binary`, `bytes`, `bitstring`, `bits`, `utf8`, `utf16`, `utf32`,
    /// `signed`, `unsigned`, `big`, `little`, `native` (or an unknown word, for lint to refuse).
    Word(Atom),
    Unit(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    Bnot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
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
    AndAlso,
    OrElse,
    /// `==`
    Equal,
    /// `/=`
    NotEqual,
    /// `=<`
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    /// `=:=`
    ExactEqual,
    /// `=/=`
    ExactNotEqual,
    /// `++`
    Append,
    /// `--`
    Subtract,
    /// `!`
    Send,
}

/// A clause of a function, fun, `case`, `if`, `receive`, `try .. of`, `maybe .. else`, or
/// `catch` (there the one pattern is the tuple `{Class, Reason, Stacktrace}`).
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub patterns: Vec<Expr>,
    /// Alternatives (`;`) of conjunctions (`,`); empty means no guard.
    pub guard: Vec<Vec<Expr>>,
    pub body: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct After {
    pub timeout: Box<Expr>,
    pub body: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    pub body: Vec<Expr>,
    pub of_clauses: Vec<Clause>,
    pub catch_clauses: Vec<Clause>,
    pub after: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Qualifier {
    Filter(Expr),
    Generator(Generator),
    /// `G1 && G2 && ..`
    Zip {
        generators: Vec<Generator>,
        span: Span,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    pub kind: GeneratorKind,
    /// For a map generator this is the key pattern, and `value_pattern` the other.
    pub pattern: Expr,
    pub value_pattern: Option<Expr>,
    pub source: Expr,
    /// `<:-`, `<:=`: an element that does not match is an error.
    pub strict: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorKind {
    List,
    Binary,
    Map,
}

/// A function of a module, with all its clauses.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Atom,
    pub arity: u32,
    pub clauses: Vec<Clause>,
    pub span: Span,
}

/// A record declaration: field names with their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordDef {
    pub name: Atom,
    pub fields: Vec<RecordFieldDef>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RecordFieldDef {
    pub name: Atom,
    pub default: Option<Expr>,
    pub span: Span,
}
