//! The wrong piece of code, and what kind of error it is (paper 003, Def. 6).

use super::facts;
use super::question;
use crate::describe;
use reverl_analysis::declare::{End, Kind, NodeId, Tree};
use reverl_causal::System;
use reverl_lang::code::FunKind;
use serde::Serialize;
use ts_rs::TS;

/// What kind of error it is (paper 003).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub enum VerdictKind {
    #[serde(rename = "wrong receive")]
    Receive,
    #[serde(rename = "erroneously failing receive")]
    FailingReceive,
    #[serde(rename = "wrong transition")]
    Transition,
    #[serde(rename = "wrong first step")]
    FirstStep,
    #[serde(rename = "wrong function")]
    Function,
}

impl VerdictKind {
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Receive => "wrong receive",
            VerdictKind::FailingReceive => "erroneously failing receive",
            VerdictKind::Transition => "wrong transition",
            VerdictKind::FirstStep => "wrong first step",
            VerdictKind::Function => "wrong function",
        }
    }
}

/// What a dialogue came to: the wrong call, its clause and its line.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Verdict {
    #[serde(skip)]
    #[ts(skip)]
    pub node: NodeId,
    pub kind: VerdictKind,
    /// `m:f/a`; of a fun, the function that it is in.
    pub function: String,
    /// `file:line` of the clause that ran, or of the receive.
    pub at: String,
    pub pid: String,
    /// The call, or the text of the receive.
    pub text: String,
    /// Computations inside it that nobody could judge: one of them may be wrong instead.
    pub unless: Vec<String>,
}

impl Verdict {
    /// The verdict about this call, with the calls below it that nobody could judge.
    pub fn new(system: &System, tree: &Tree, id: NodeId, unknown: &[NodeId]) -> Verdict {
        let node = *tree.node(id);
        let kind = match (node.kind, node.end) {
            (Kind::Receive, _) => VerdictKind::Receive,
            (Kind::Blocked, _) => VerdictKind::FailingReceive,
            (Kind::Transition, _) => VerdictKind::Transition,
            (_, End::Receive | End::Blocked) => VerdictKind::FirstStep,
            _ => VerdictKind::Function,
        };
        let facts = facts::facts(system, &node, None);
        let (at, text) = match node.kind {
            Kind::Receive | Kind::Blocked => {
                let span = facts::receive_span(system, node.entry);
                (question::place(system, span), question::source(system, span).join("\n"))
            }
            _ => {
                let clause = facts::clause_span(system, &node);
                let call = question::call(system, node.fun, &facts.args);
                (question::place(system, clause), call)
            }
        };
        let unless = unknown.iter().map(|id| {
            let node = *tree.node(*id);
            let facts = facts::facts(system, &node, None);
            question::call(system, node.fun, &facts.args)
        });
        let unless = unless.collect();
        Verdict {
            node: id,
            kind,
            function: function(system, &node),
            at,
            pid: describe::pid(system, node.proc),
            text,
            unless,
        }
    }
}

fn function(system: &System, node: &reverl_analysis::declare::Node) -> String {
    let program = system.program();
    let info = program.code.fun(node.fun);
    let name = info.name.name();
    // A fun is named `-f/1-fun-0-`.
    let around = match info.kind {
        FunKind::Closure { .. } => name.strip_prefix('-').and_then(|n| n.split_once("-fun-")),
        _ => None,
    };
    match around {
        Some((outer, _)) => {
            let module = reverl_term::fmt::write(&reverl_term::Term::atom(info.module));
            format!("{module}:{outer}")
        }
        None => question::function_name(system, node.fun),
    }
}
