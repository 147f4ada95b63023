//! Functions by a part of their name, the program's own first: for faces that find things as one
//! types.

use super::Query;
use crate::command::Debugger;
use crate::describe;
use crate::error::QueryError;
use crate::session::Session;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

const MOST: usize = 100;

/// A function and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FunctionRow {
    /// `module:name/arity`
    pub function: String,
    /// `file:line`
    pub at: String,
}

/// Functions that were found.
#[derive(Clone, Debug, Serialize, TS)]
pub struct FunctionList {
    pub functions: Vec<FunctionRow>,
}

/// The functions of loaded modules whose name has a text in it.
pub fn functions(session: &Session, text: &str, most: usize) -> FunctionList {
    let (own, program) = (session.own(), session.system.program());
    let code = &program.code;
    let wanted = text.to_lowercase();
    let is_named = |name: &str| !name.starts_with('-');
    let mut found: Vec<(bool, FunctionRow)> = vec![];
    for info in code.funs.iter().filter(|info| is_named(info.name.name())) {
        let function = describe::mfa((info.module, info.name, u32::from(info.arity)));
        let place = code.sources.shown_at(info.span);
        if let Some((file, line)) = place.filter(|_| function.to_lowercase().contains(&wanted)) {
            let row = FunctionRow { function, at: format!("{file}:{line}") };
            found.push((!own.contains(&info.module), row));
        }
    }
    found.sort_by(|(a, x), (b, y)| (a, &x.function).cmp(&(b, &y.function)));
    found.dedup_by(|a, b| a.1 == b.1);
    found.truncate(most);
    FunctionList { functions: found.into_iter().map(|(_, row)| row).collect() }
}

/// Asks for functions by a part of their name.
#[derive(Deserialize, TS)]
pub struct FunctionsQuery {
    text: String,
    #[serde(default)]
    #[ts(optional)]
    count: Option<usize>,
}

impl Query for FunctionsQuery {
    const NAME: &'static str = "functions";
    const HELP: &'static str = "functions by a part of their name";
    type Answer = FunctionList;

    fn answer(&self, debugger: &Debugger) -> Result<FunctionList, QueryError> {
        let most = self.count.unwrap_or(MOST).min(MOST);
        Ok(functions(&debugger.session, self.text.trim(), most))
    }
}
