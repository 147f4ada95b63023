//! The process and the moment that a question is about.

use super::process_numbered;
use crate::error::QueryError;
use crate::session::Session;
use crate::viewpoint::{MomentSpec, Viewpoint};
use reverl_causal::ProcId;
use serde::Deserialize;
use ts_rs::TS;

/// Which process at which moment; what is not said is the current process, here.
#[derive(Deserialize, TS)]
pub struct AskedPlace {
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
    #[serde(default)]
    #[ts(optional = nullable)]
    at: Option<MomentSpec>,
}

impl AskedPlace {
    /// The moment, and the process that is looked at.
    pub fn seen<'s>(&self, session: &'s Session) -> Result<(Viewpoint<'s>, ProcId), QueryError> {
        Ok((session.at(self.at.as_ref())?, about(session, self.proc)?))
    }
}

/// The process that a question is about: the one it names, or the current one.
pub fn about(session: &Session, proc: Option<u32>) -> Result<ProcId, QueryError> {
    match proc {
        Some(number) => process_numbered(session.execution(), number),
        None => Ok(session.current),
    }
}
