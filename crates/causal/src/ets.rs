//! Tables shared by processes.

use crate::execution::{EventRef, ProcId};
use crate::system::System;

/// One version of a table.
pub struct Table {
    pub owner: ProcId,
}

impl System {
    /// The tables of a process that ends go with it.
    pub(crate) fn drop_tables(&mut self, _proc: ProcId, _event: EventRef) {}
}
