//! The value of an expression in the scope of a process at the cut.

use super::Query;
use super::plan::about;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::eval;
use crate::language;
use crate::outcome::show;
use crate::scope;
use crate::session::Session;
use reverl_causal::ProcId;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Clone, Debug, Serialize, TS)]
pub struct PrintedValue {
    /// On one line.
    pub value: String,
    /// On as many lines as it takes.
    pub pretty: String,
}

pub fn print(session: &Session, proc: ProcId, text: &str) -> Result<PrintedValue, QueryError> {
    let process = session.state(proc);
    let (module, bound) = scope::module_and_bindings(session, proc, &process);
    let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
    let system = &session.system;
    let compiled = eval::compile(system.world(), text, &names, Some(module))?;
    let value = eval::evaluate(system, &compiled, values, process.local.clone())?;
    Ok(PrintedValue { pretty: language::pretty(&value), value: show(&value) })
}

#[derive(Deserialize, TS)]
pub struct PrintQuery {
    expression: String,
    #[serde(default)]
    #[ts(optional = nullable)]
    proc: Option<u32>,
}

impl Query for PrintQuery {
    const NAME: &'static str = "print";
    const HELP: &'static str = "the value of an expression in the scope of a process";
    type Answer = PrintedValue;

    fn answer(&self, debugger: &Debugger) -> Result<PrintedValue, QueryError> {
        let session = &debugger.session;
        print(session, about(session, self.proc)?, &self.expression)
    }
}
