//! What there is at a moment beside variables and messages: ties between processes, names, tables.
//! Each is a question in Erlang, asked of a copy of the system at that moment.

use super::Query;
use super::asked_place::AskedPlace;
use super::print::PrintedValue;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::eval;
use crate::language;
use crate::outcome::show;
use crate::viewpoint::Viewpoint;
use reverl_causal::ProcId;
use reverl_term::{Atom, Term};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum InfoAbout {
    /// The processes that a process is linked to.
    Links,
    /// Whom a process monitors, and who monitors it.
    Monitors,
    /// The dictionary of a process.
    Dictionary,
    /// The registered names.
    Names,
    /// The tables.
    Tables,
}

impl InfoAbout {
    /// All of them, with their words and how Erlang asks for them of the process `P`.
    const ALL: &[(InfoAbout, &str, &str)] = &[
        (InfoAbout::Links, "links", "process_info(P, links)"),
        (InfoAbout::Monitors, "monitors", "process_info(P, [monitors, monitored_by])"),
        (InfoAbout::Dictionary, "dictionary", "process_info(P, dictionary)"),
        (InfoAbout::Names, "names", "[{N, whereis(N)} || N <- lists:sort(registered())]"),
        (
            InfoAbout::Tables,
            "tables",
            "[{T, [{I, ets:info(T, I)} || I <- [name, owner, type, protection, size]]} \
             || T <- ets:all()]",
        ),
    ];

    /// The one that is called so.
    pub fn named(word: &str) -> Option<InfoAbout> {
        InfoAbout::ALL.iter().find(|(_, name, _)| *name == word).map(|(about, ..)| *about)
    }

    /// How it is called.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> &'static (InfoAbout, &'static str, &'static str) {
        let found = InfoAbout::ALL.iter().find(|(about, ..)| *about == self);
        found.expect("each has a row")
    }
}

/// What there is at a moment.
pub fn info(seen: &Viewpoint, proc: ProcId, about: InfoAbout) -> Result<PrintedValue, QueryError> {
    let system = &seen.session.system;
    let compiled = eval::compile(system.world(), about.row().2, &[Atom::new("P")], None)?;
    let pid = Term::pid(system.execution().proc(proc).pid);
    let value = eval::evaluate_at(seen, proc, &compiled, vec![pid])?;
    Ok(PrintedValue { pretty: language::pretty(&value), value: show(&value) })
}

/// Asks what there is at a moment beside variables and messages.
#[derive(Deserialize, TS)]
pub struct InfoQuery {
    about: InfoAbout,
    #[serde(flatten)]
    #[ts(flatten)]
    asked: AskedPlace,
}

impl Query for InfoQuery {
    const NAME: &'static str = "info";
    const HELP: &'static str = "links, monitors, dictionary, names or tables at a moment";
    type Answer = PrintedValue;

    fn answer(&self, debugger: &Debugger) -> Result<PrintedValue, QueryError> {
        let (seen, proc) = self.asked.seen(&debugger.session)?;
        info(&seen, proc, self.about)
    }
}
