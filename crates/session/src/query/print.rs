//! The value of an expression in the scope of a process at the cut.

use super::Query;
use super::asked_place::AskedPlace;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::eval;
use crate::language;
use crate::otp::start::Start;
use crate::outcome::show;
use crate::scope;
use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_term::Term;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The most characters of a value with records on one line.
const LINE: usize = 160;

/// The value of an expression.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PrintedValue {
    /// On one line.
    pub value: String,
    /// On as many lines as it takes.
    pub pretty: String,
}

/// Evaluates an expression among the variables of one of the calls of a process.
pub fn print(
    seen: &Viewpoint,
    call: (ProcId, usize),
    text: &str,
) -> Result<PrintedValue, QueryError> {
    let value = value(seen, call, text)?;
    Ok(PrintedValue { pretty: pretty(seen, &value), value: show(&value) })
}

/// For people: records with the names of their fields where they fit on a line.
fn pretty(seen: &Viewpoint, value: &Term) -> String {
    let (line, is_cut) = seen.session.records().line(value, LINE);
    match language::has_records() && !is_cut && line.contains("#") {
        true if line != show(value) => line,
        _ => language::pretty(value),
    }
}

/// The value itself.
pub fn value(
    seen: &Viewpoint,
    (proc, level): (ProcId, usize),
    text: &str,
) -> Result<Term, QueryError> {
    let process = seen.state(proc);
    let outer = scope::levels_at_cut(seen, proc).into_iter().nth(level).filter(|_| level > 0);
    let (module, bound) = match outer {
        Some(call) => (call.module, call.bindings),
        None => scope::module_and_bindings(seen, proc, &process),
    };
    let (names, values): (Vec<_>, Vec<_>) = bound.into_iter().unzip();
    let system = &seen.session.system;
    let compiled = eval::compile(system.world(), text, &names, Some(module)).or_else(|why| {
        // In the loop of a behaviour, records are those of the callback module.
        let start = Start::of(system, proc);
        start.behaviour.ok_or_else(|| why.clone())?;
        eval::compile(system.world(), text, &names, Some(start.module)).map_err(|_| why)
    })?;
    Ok(eval::evaluate_at(seen, proc, &compiled, values)?)
}

/// Asks for the value of an expression.
#[derive(Deserialize, TS)]
pub struct PrintQuery {
    expression: String,
    /// How many calls further out than the innermost.
    #[serde(default)]
    #[ts(optional, as = "Option<usize>")]
    level: usize,
    #[serde(flatten)]
    #[ts(flatten)]
    asked: AskedPlace,
}

impl Query for PrintQuery {
    const NAME: &'static str = "print";
    const HELP: &'static str = "the value of an expression in the scope of a process";
    type Answer = PrintedValue;

    fn answer(&self, debugger: &Debugger) -> Result<PrintedValue, QueryError> {
        let (seen, proc) = self.asked.seen(&debugger.session)?;
        print(&seen, (proc, self.level), &self.expression)
    }
}
