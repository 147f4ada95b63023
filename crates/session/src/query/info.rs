//! What there is at a moment beside variables and messages: ties between processes, names, tables.
//! Each is a question in Erlang, asked of a copy of the system at that moment.

use super::Query;
use super::asked_place::AskedPlace;
use super::print::PrintedValue;
use crate::command::Debugger;
use crate::error::QueryError;
use crate::eval;
use crate::language;
use crate::otp::start::Behaviour;
use crate::outcome::show;
use crate::viewpoint::Viewpoint;
use crate::{names, otp};
use reverl_causal::ProcId;
use reverl_causal::timer::RunningTimer;
use reverl_term::{Atom, Term, View};
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
    /// What the clock will do: messages, and ends of receives.
    Timers,
    /// The applications that run, with their masters.
    Applications,
    /// The supervisors with their children.
    Supervisors,
    /// This node and those that it is connected with.
    Nodes,
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
        (InfoAbout::Timers, "timers", ""),
        (
            InfoAbout::Applications,
            "applications",
            "case ets:whereis(ac_tab) of undefined -> []; T -> \
             lists:sort([{A, M} || {{application_master, A}, M} <- ets:tab2list(T)]) end",
        ),
        (InfoAbout::Supervisors, "supervisors", ""),
        (InfoAbout::Nodes, "nodes", "[node() | nodes()]"),
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
    let value = value(seen, proc, about)?;
    Ok(PrintedValue { pretty: language::pretty(&value), value: show(&value) })
}

/// The same as a term.
pub fn value(seen: &Viewpoint, proc: ProcId, about: InfoAbout) -> Result<Term, QueryError> {
    match about {
        InfoAbout::Timers => Ok(timers(seen)),
        InfoAbout::Supervisors => Ok(supervisors(seen)),
        _ => asked(seen, proc, about),
    }
}

/// Timers as `{Milliseconds, Process, What}`, the next first; what a receive waits for is `'after'`.
fn timers(seen: &Viewpoint) -> Term {
    let session = seen.session;
    let copy = session.system.branch_while(&seen.cut, &mut |_| !session.has_to_stop());
    let Some(system) = copy else { return Term::nil() };
    let pid = |proc: ProcId| Term::pid(system.execution().proc(proc).pid);
    let row = |timer: RunningTimer| {
        let what = match timer.message {
            Some((to, message)) => Term::tuple(vec![Term::atom(Atom::new("send")), to, message]),
            None => Term::atom(Atom::new("after")),
        };
        Term::tuple(vec![Term::int(timer.milliseconds as i64), pid(timer.owner), what])
    };
    Term::list(system.running_timers().into_iter().map(row))
}

/// Supervisors as `{Supervisor, Strategy, [{Id, Child}]}`.
fn supervisors(seen: &Viewpoint) -> Term {
    let execution = seen.execution();
    let is_there = |proc: &ProcId| {
        seen.cut.is_spawned(execution, *proc) && !seen.cut.has_exited(execution, *proc)
    };
    let rows = execution.ids().filter(is_there).filter_map(|proc| {
        let state = otp::state::state(seen, proc)?;
        (state.behaviour == Behaviour::Supervisor).then_some(())?;
        let (strategy, children) = children(&state.value)?;
        let called = Term::atom(Atom::new(&names::called(&seen.session.system, proc)));
        Some(Term::tuple(vec![called, strategy, Term::list(children)]))
    });
    Term::list(rows.collect::<Vec<_>>())
}

/// The strategy and the children in the state of a supervisor, which is a record of OTP's:
/// `{state, Name, Strategy, {Ids, #{Id => {child, Pid, Id, ..}}}, Dynamics, ..}`.
fn children(state: &Term) -> Option<(Term, Vec<Term>)> {
    let [_, _, strategy, known, dynamics, ..] = state.as_tuple()? else { return None };
    let [ids, by_id] = known.as_tuple()? else { return None };
    let pid_of = |id: &Term| match by_id.view() {
        View::Map(map) => map.get(id)?.as_tuple()?.get(1).cloned(),
        _ => None,
    };
    let mut children: Vec<Term> = ids.to_vec()?;
    children.reverse();
    let mut rows: Vec<Term> = children
        .into_iter()
        .map(|id| {
            let pid = pid_of(&id).unwrap_or_else(|| Term::atom(Atom::new("undefined")));
            Term::tuple(vec![id, pid])
        })
        .collect();
    // Children that are all alike are known by their pids alone.
    if let Some([_, alike]) = dynamics.as_tuple() {
        if let View::Map(map) = alike.view() {
            let keys = map
                .iter()
                .map(|(pid, _)| Term::tuple(vec![Term::atom(Atom::new("undefined")), pid.clone()]));
            rows = keys.collect();
        }
    }
    Some((strategy.clone(), rows))
}

/// What Erlang answers.
fn asked(seen: &Viewpoint, proc: ProcId, about: InfoAbout) -> Result<Term, QueryError> {
    let system = &seen.session.system;
    let compiled = eval::compile(system.world(), about.row().2, &[Atom::new("P")], None)?;
    let pid = Term::pid(system.execution().proc(proc).pid);
    Ok(eval::evaluate_at(seen, proc, &compiled, vec![pid])?)
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
    const HELP: &'static str = "links, monitors, dictionary, names, tables, timers, applications, supervisors or nodes at a moment";
    type Answer = PrintedValue;

    fn answer(&self, debugger: &Debugger) -> Result<PrintedValue, QueryError> {
        let (seen, proc) = self.asked.seen(&debugger.session)?;
        info(&seen, proc, self.about)
    }
}
