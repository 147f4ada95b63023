//! Operands that stand beside each other.
//!
//! None sees what another binds. They are evaluated from left to right, and what two of them bind
//! is compared; but a fun in one of them has variables of its own where another binds the same
//! names. That is how OTP compiles `{X = 1, (fun() -> X = 2 end)()}`, and this file follows it.

use super::constant::constant;
use super::emit::FunLowering;
use super::*;

/// Operands that are being evaluated.
pub struct Group {
    /// How many variables were bound before the first operand.
    base: usize,
    /// What the operands so far have bound: not known in the funs of the next one.
    hidden: Vec<Atom>,
}

impl<'a> FunLowering<'_, 'a> {
    /// Begins a group, if there are two operands that something can happen in.
    pub fn start_group(&mut self, operands: impl IntoIterator<Item = &'a Expr>) -> bool {
        let is_group = operands.into_iter().filter(|e| !is_simple(e)).nth(1).is_some();
        if is_group {
            self.groups.push(Group { base: self.scope(), hidden: vec![] });
        }
        is_group
    }

    pub fn end_operand(&mut self, is_group: bool) {
        if let Some(mut group) = is_group.then(|| self.groups.pop()).flatten() {
            group.hidden = self.bound_since(group.base).to_vec();
            self.groups.push(group);
        }
    }

    pub fn end_group(&mut self, is_group: bool) {
        if is_group {
            self.groups.pop();
        }
    }

    /// An operand that compares a variable means the one that another operand has bound.
    pub fn compared_in_group(&mut self, name: Atom) {
        if let Some(group) = self.groups.last_mut() {
            group.hidden.retain(|hidden| *hidden != name);
        }
    }

    /// Whether a fun made here can mean this variable of ours.
    pub fn is_known_in_fun(&self, name: Atom) -> bool {
        let hidden = self.groups.last().is_some_and(|group| group.hidden.contains(&name));
        self.is_bound(name) && !hidden
    }
}

/// An operand that binds nothing and has no fun in it.
fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Tuple(parts) => parts.iter().all(is_simple),
        _ => constant(e).is_some(),
    }
}
