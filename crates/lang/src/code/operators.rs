//! What instructions compute: operators, type tests, and the errors of a construct.

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
