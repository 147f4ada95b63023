//! Erlang's abstract format, both ways: a module as the term that OTP's own tools read and write.
//!
//! `write` is used to compare what we parse with what OTP parsed; `read` gives a `Module` from the
//! debug info of a `.beam`.

mod read;
mod read_types;
mod write;
mod write_types;

pub use read::{Unreadable, read};
pub use write::{Positions, literal, write};

use crate::ast::{BinaryOp, UnaryOp};

const BINARY_OPS: [BinaryOp; 27] = {
    use BinaryOp::*;
    [
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
        Equal,
        NotEqual,
        LessEqual,
        Less,
        GreaterEqual,
        Greater,
        ExactEqual,
        ExactNotEqual,
        Append,
        Subtract,
        Send,
    ]
};

fn binary_op_named(name: &str) -> Option<BinaryOp> {
    BINARY_OPS.into_iter().find(|op| crate::print::binary_op(*op) == name)
}

fn unary_op_named(name: &str) -> Option<UnaryOp> {
    let all = [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Not, UnaryOp::Bnot];
    all.into_iter().find(|op| crate::print::unary_op(*op) == name)
}

#[cfg(test)]
mod tests;
