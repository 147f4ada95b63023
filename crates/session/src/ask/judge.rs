//! Who else than the user can answer.

use super::facts::Facts;
use super::question::Aspect;
use reverl_analysis::declare::{NodeId, Tree};
use reverl_causal::System;

/// An answer that nobody had to be asked for.
pub struct Judged {
    /// `Nothing` if the computation is right.
    pub aspect: Aspect,
    /// The step of the action that is wrong, if one is.
    pub step: Option<u64>,
    pub said: String,
    pub by: String,
    /// It should never have been called so: its caller is wrong.
    pub inadmissible: bool,
}

impl Judged {
    pub fn new(aspect: Aspect, said: String, by: &str) -> Judged {
        Judged { aspect, step: None, said, by: by.into(), inadmissible: false }
    }
}

/// Answers questions instead of the user: a specification, a test, what was answered before.
pub trait Judge {
    fn judge(&mut self, system: &System, tree: &Tree, id: NodeId, facts: &Facts) -> Option<Judged>;
}
